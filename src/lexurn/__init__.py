"""Linked data for legal identifiers: RFC 9676 names, their FRBR graphs, and their publication.

>>> import lexurn
>>> name = lexurn.parse("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it~art3")
>>> str(name.work.measure), name.expression.language, name.partition
('legge', 'it', 'art3')

Words that run through the modules:

- *act*: a work that is not an annex, named by the four elements after ``urn:lex:``.
- *alias*: a further name of a thing; it leads to the one *canonical name* of the thing.
- *alias set*: all acts that are linked by aliases; mostly it is one act.
- *base*: the start of the HTTP URIs of a site, for example ``https://law.example``.
- *chain*: the versions of one work in one language, in their order.
- *copy*: a file with a URL, the *item* of FRBR.
- *dialect*: an older syntax of names, such as LexML or NIR.
- *family*: the records of one alias set; it is stored, checked and published as one unit.
- *finding*: a fault or remark, with its code, location, rule and remedy.
- *layer*: the origin of a statement, and the named graph that holds it.
- *decoded*, *catalogued*, *computed*: the layers, given by the name itself, stated by its
  publisher, and derived from all records of a family.
- *manifest*: one or more tables with a row for each name.
- *portion*: a part of a table, of a catalogue or of the families of a run, a task of one process.
- *record*: the statements of a publisher about one name.
- *rejects*: the invalid rows of a table, kept unchanged in a file.
- *result*: a violation, warning or note of a SHACL shape about a graph.
- *span*: the days on which a version is in force.

The modules and packages, the lowest first; each uses only those listed before it:

- `lazy`: names and patterns made on first use
- `errors`: exceptions
- `vocabulary`: IRIs of namespaces and terms
- `data`: data files
- `findings`: faults and remarks, and their codes
- `files`: files written whole or not at all, and locks on files
- `workers`: processes
- `urn`: URNs of any namespace (RFC 8141)
- `name`: text to LEX name and back, findings, HTTP URIs
- `model`: records of names, and their families, aliases and versions
- `registry`: jurisdictions, authorities, measures, and the words that may stand in names
- `dialect`: names of LexML, NIR and the drafts, converted both ways
- `minting`: names made from metadata and citations
- `labels`: names in the words of a language
- `manifest`: tables to families of records
- `graph`: families to RDF and back
- `shacl`: RDF checked against the shapes
- `pages`: documents and head tags about a name
- `store`: quads in a folder or on a SPARQL server, and queries on them
- `catalogue`: names and graphs stored, changed, checked and dumped
- `documents`: names written into documents and read out of them
- `spark`: a job for Apache Spark
- `resolver`: names to the acts, versions and copies that they identify
- `publishing`: a site of linked data
- `cli`: the commands

Each public name is imported on first use, so that ``import lexurn`` stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.catalogue import Catalogue, open_catalogue
    from lexurn.dialect import Conversion, Dialect, Standing, convert, detect
    from lexurn.documents import embed, extract
    from lexurn.errors import LexurnError, UrnSyntaxError
    from lexurn.findings import Finding, Severity
    from lexurn.graph import (
        Format,
        Layer,
        Statements,
        dataset_of,
        graph_of,
        read,
        records_of,
        serialize,
        statements_of,
    )
    from lexurn.labels import label
    from lexurn.manifest import Manifest, open_manifest
    from lexurn.minting import Minted, MintError, Taken, mint, try_mint
    from lexurn.model import Family, Item, LanguageText, Record, families_of
    from lexurn.name import (
        Level,
        Name,
        NameSyntaxError,
        Reading,
        Report,
        check,
        check_http,
        http_of,
        parse,
        parse_http,
        parse_many,
    )
    from lexurn.pages import describe, head
    from lexurn.publishing import publish
    from lexurn.registry import Registry, open_registry
    from lexurn.resolver import Answer, resolve
    from lexurn.shacl import CheckReport, Result, validate

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Catalogue",
    "CheckReport",
    "Conversion",
    "Dialect",
    "Family",
    "Finding",
    "Format",
    "Item",
    "LanguageText",
    "Layer",
    "Level",
    "LexurnError",
    "Manifest",
    "MintError",
    "Minted",
    "Name",
    "NameSyntaxError",
    "Reading",
    "Record",
    "Registry",
    "Report",
    "Result",
    "Severity",
    "Standing",
    "Statements",
    "Taken",
    "UrnSyntaxError",
    "check",
    "check_http",
    "convert",
    "dataset_of",
    "describe",
    "detect",
    "embed",
    "extract",
    "families_of",
    "graph_of",
    "head",
    "http_of",
    "label",
    "mint",
    "open_catalogue",
    "open_manifest",
    "open_registry",
    "parse",
    "parse_http",
    "parse_many",
    "publish",
    "read",
    "records_of",
    "resolve",
    "serialize",
    "statements_of",
    "try_mint",
    "validate",
]

__getattr__, __dir__ = attach(__name__)
