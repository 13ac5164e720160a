"""Jurisdictions, languages and words that names are made of: look-ups over ``ontology/registry``.

The registry is SKOS in Turtle that a jurist can edit. What `lexurn.name` and `lexurn.model` need of
it is compiled into ``ontology/tables`` by ``python -m lexurn.registry.compile``.
"""

from __future__ import annotations

from lexurn.registry._concepts import BASE, Concept, Label, concepts, jurisdictions
from lexurn.registry._tables import COMMAND, compiled_tables, write_tables

__all__ = [
    "BASE",
    "COMMAND",
    "Concept",
    "Label",
    "compiled_tables",
    "concepts",
    "jurisdictions",
    "write_tables",
]
