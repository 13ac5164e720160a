"""Labels: names in words, in one consistent style for each language and jurisdiction.

In: a name, or its text, and a language tag.
Out: a `Label`: the words, their language, and notes on parts that have no words in it.
Read in this order: notations, wording, parts.

>>> from lexurn.labels import label
>>> label("urn:lex:it:stato:legge:2003-09-21;456~art3;par2", "it")
'Legge 21 settembre 2003, n. 456, articolo 3, comma 2'
"""

from __future__ import annotations

from lexurn.labels.notations import name_language
from lexurn.labels.parts import (
    NamePart,
    describe_folders,
    describe_issuer,
    describe_level,
    describe_parts,
    describe_version,
    format_day,
    name_jurisdiction,
    write_citation,
)
from lexurn.labels.wording import Label, label, make_label

__all__ = [
    "Label",
    "NamePart",
    "describe_folders",
    "describe_issuer",
    "describe_level",
    "describe_parts",
    "describe_version",
    "format_day",
    "label",
    "make_label",
    "name_jurisdiction",
    "name_language",
    "write_citation",
]
