"""Jurisdictions, authorities, measures, languages and the words that names are made of.

The registry is SKOS in Turtle (``ontology/registry``) that a jurist can edit. What is needed of it
at run time is compiled into ``ontology/tables`` by ``python -m lexurn.registry.compile``.

>>> from lexurn.registry import key_of, registry
>>> key_of("D.P.R."), registry().law("zz").languages
('dpr', ())
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.registry._concepts import BASE, Concept, Label, concepts, jurisdictions
from lexurn.registry._entries import Entry, Kind, scheme_of
from lexurn.registry._keys import key_of
from lexurn.registry._law import Law, Words
from lexurn.registry._lexicon import Lexicon
from lexurn.registry._registry import Registry, registry
from lexurn.rooms import on_request

if TYPE_CHECKING:
    from lexurn.registry._adding import add_entry
    from lexurn.registry._coverage import (
        ENOUGH,
        LawCoverage,
        WordCoverage,
        law_coverage,
        word_coverage,
    )
    from lexurn.registry._findings import RegistryFinding
    from lexurn.registry._issuing import (
        ANYBODY,
        MOST_LANGUAGES,
        IssuingWords,
        Stated,
        issuing_words,
        stated_of,
    )
    from lexurn.registry._overlay import check_built_in, deleted, open_registry
    from lexurn.registry._tables import COMMAND, compiled_tables, write_tables

__all__ = [
    "ANYBODY",
    "BASE",
    "COMMAND",
    "ENOUGH",
    "MOST_LANGUAGES",
    "Concept",
    "Entry",
    "IssuingWords",
    "Kind",
    "Label",
    "Law",
    "LawCoverage",
    "Lexicon",
    "Registry",
    "RegistryFinding",
    "Stated",
    "WordCoverage",
    "Words",
    "add_entry",
    "check_built_in",
    "compiled_tables",
    "concepts",
    "deleted",
    "issuing_words",
    "jurisdictions",
    "key_of",
    "law_coverage",
    "open_registry",
    "registry",
    "scheme_of",
    "stated_of",
    "word_coverage",
    "write_tables",
]

# What compiles and checks is imported when it is asked for, so that look-ups start quickly.
_LATE = {
    "ANYBODY": "_issuing",
    "IssuingWords": "_issuing",
    "MOST_LANGUAGES": "_issuing",
    "Stated": "_issuing",
    "issuing_words": "_issuing",
    "stated_of": "_issuing",
    "COMMAND": "_tables",
    "ENOUGH": "_coverage",
    "LawCoverage": "_coverage",
    "WordCoverage": "_coverage",
    "add_entry": "_adding",
    "law_coverage": "_coverage",
    "word_coverage": "_coverage",
    "RegistryFinding": "_findings",
    "check_built_in": "_overlay",
    "deleted": "_overlay",
    "open_registry": "_overlay",
    "compiled_tables": "_tables",
    "write_tables": "_tables",
}

__getattr__ = on_request(__name__, _LATE)
