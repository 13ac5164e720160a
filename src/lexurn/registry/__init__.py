"""Registry: jurisdictions, authorities, measures, languages, and the words that stand in names.

In: SKOS in Turtle, which a jurist can edit: ``ontology/registry``, and files of publishers.
Out: look-ups by label, notation and jurisdiction, from the compiled ``ontology/tables``; findings.
Read in this order: entries, registry, source, checks, overlay, compile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach
from lexurn.registry.entries import (
    FORMAT_KEYS,
    NUMBER_ADDITIONS,
    REGISTRY_BASE,
    Entry,
    Kind,
    Label,
    Lexicon,
    make_key,
    make_scheme_iri,
)
from lexurn.registry.registry import (
    ANY_ISSUER,
    GOOD_COVERAGE,
    MAX_LANGUAGES,
    AuthorityWords,
    Law,
    LawCoverage,
    Registry,
    StatedIssuer,
    WordCoverage,
    Words,
    collect_authority_words,
    find_stated_issuer,
    load_registry,
    measure_law_coverage,
    measure_word_coverage,
)

if TYPE_CHECKING:
    from lexurn.registry.compile import COMPILE_COMMAND, compile_tables, write_tables
    from lexurn.registry.overlay import (
        add_entry,
        check_built_in,
        compare_with_earlier,
        open_registry,
    )
    from lexurn.registry.source import Concept, load_concepts, load_jurisdictions

__all__ = [
    "ANY_ISSUER",
    "COMPILE_COMMAND",
    "FORMAT_KEYS",
    "GOOD_COVERAGE",
    "MAX_LANGUAGES",
    "NUMBER_ADDITIONS",
    "REGISTRY_BASE",
    "AuthorityWords",
    "Concept",
    "Entry",
    "Kind",
    "Label",
    "Law",
    "LawCoverage",
    "Lexicon",
    "Registry",
    "StatedIssuer",
    "WordCoverage",
    "Words",
    "add_entry",
    "check_built_in",
    "collect_authority_words",
    "compare_with_earlier",
    "compile_tables",
    "find_stated_issuer",
    "load_concepts",
    "load_jurisdictions",
    "load_registry",
    "make_key",
    "make_scheme_iri",
    "measure_law_coverage",
    "measure_word_coverage",
    "open_registry",
    "write_tables",
]

__getattr__, __dir__ = attach(__name__)
