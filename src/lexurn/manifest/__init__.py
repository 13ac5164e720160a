r"""Manifests: tables of named things, read into families in bounded memory.

One row describes one named thing, at whatever level its name stands (RFC 9676 section 5.2); what
stands above it follows from the name. A table is CSV (UTF-8, RFC 4180), JSON Lines or Parquet:

>>> import io
>>> table = [
...     "urn,title@it,issued,url",
...     "urn:lex:it:stato:legge:2003-09-21;456,Legge quadro,2003-09-21,",
...     "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it,,,https://law.example/456.html",
...     "urn:lex:it:stato:legge,Una legge senza numero,,",
... ]
>>> source = io.BytesIO("\n".join(table).encode())
>>> findings = []
>>> with open_manifest(source, on_finding=findings.append) as manifest:
...     for family in manifest.families():
...         print(family.key, len(family.records))
...     print(manifest.rows, "rows,", manifest.rejected, "rejected")
urn:lex:it:stato:legge:2003-09-21;456 2
3 rows, 1 rejected
>>> [(finding.line, finding.column) for finding in findings]
[(4, 'urn')]

Families can be built in other processes: `Manifest.groups` gives the rows of each alias set as
plain values, `build_family` makes a family of them, `Manifest.settle` takes what came of it:

>>> source = io.BytesIO("\n".join(table).encode())
>>> with open_manifest(source) as manifest:
...     for group in manifest.groups():
...         family = manifest.settle(group, build_family(group))
...         print(family.key, len(group.rows))
...     manifest.finish()
urn:lex:it:stato:legge:2003-09-21;456 2

Cells: blanks around a value are no part of it. Days are written ``2003-09-21``, numbers in digits;
nothing is guessed. Several values stand between blanks (``url``, ``page``, ``bytes``, ``sha256``,
``license``, ``amended_by``, ``also_named``) or on a line each (``publisher``, ``creator``,
``subject``, ``file``), in JSON Lines and Parquet also in a list. ``bytes`` and ``sha256`` have one
value for each URL, in the same order, ``-`` where it is not known. ``file`` holds the paths of
copies below a folder; only `lexurn.embedding` reads it.

A mapping file (TOML) says what the columns of another table mean. Columns that have a manifest's
name need no word:

.. code-block:: toml

    # Columns of our table that say nothing here.
    ignore = ["id", "authority", "type", "number"]
    # The language of titles, where their column names none.
    language = "pt"
    # What separates the cells of our CSV; a comma needs no word.
    separator = ";"

    # Our column, and the column of a manifest that it is.
    [columns]
    title = "title"
    summary = "title@en"
    link = "page"

    # A column of a manifest, and what it says wherever a row says nothing.
    [constants]
    license = "https://creativecommons.org/publicdomain/zero/1.0/"

    # A column of a manifest, and how it is made: our columns in braces, {{ and }} for a brace. A
    # template gives nothing where one of its columns is empty.
    [templates]
    urn = "urn:lex:br:{authority}:{type}:{issued};{number}"

A row with a fault is rejected and does not stop the others. The rejects file holds the bad rows as
they are, below the same header, to be mended and read again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.manifest._building import Built, build_family
from lexurn.manifest._faults import RowFinding
from lexurn.manifest._gathering import Gathering
from lexurn.manifest._iris import is_absolute_iri, is_web_url, means_iri
from lexurn.manifest._kinfile import Kin, write_kin
from lexurn.manifest._manifest import Manifest, open_manifest
from lexurn.manifest._packed import GroupedRow, PackedGroup, PackedRow, RejectedRow
from lexurn.manifest._portions import Portion
from lexurn.manifest._reader import RowReader
from lexurn.manifest._rejects import check_rejects, check_rejects_name
from lexurn.manifest._table import TableFormat
from lexurn.rooms import on_request

if TYPE_CHECKING:
    from lexurn.manifest._minted import FieldRow, read_fields

__all__ = [
    "Built",
    "FieldRow",
    "Gathering",
    "GroupedRow",
    "Kin",
    "Manifest",
    "PackedGroup",
    "PackedRow",
    "Portion",
    "RejectedRow",
    "RowFinding",
    "RowReader",
    "TableFormat",
    "build_family",
    "check_rejects",
    "check_rejects_name",
    "is_absolute_iri",
    "is_web_url",
    "means_iri",
    "open_manifest",
    "read_fields",
    "write_kin",
]

# What needs the rooms of minting and registry.
_MINTED = dict.fromkeys(("FieldRow", "read_fields"), "_minted")

__getattr__ = on_request(__name__, _MINTED)
