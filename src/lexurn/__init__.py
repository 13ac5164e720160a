"""Linked data for legal identifiers: RFC 9676 names, their FRBR graphs, and their publication.

>>> import lexurn
>>> name = lexurn.parse("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it~art3")
>>> str(name.work.measure), name.expression.language, name.partition
('legge', 'it', 'art3')

Each name is imported from its room on first use, so that ``import lexurn`` stays quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexurn.errors import LexurnError, UrnSyntaxError
    from lexurn.export import describe, head, publish
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
    from lexurn.manifest import Manifest, open_manifest
    from lexurn.model import Family, Item, LanguageText, Record, families_of
    from lexurn.name import (
        Finding,
        Level,
        Name,
        NameSyntaxError,
        Reading,
        Report,
        Severity,
        check,
        check_http,
        http_of,
        parse,
        parse_http,
        parse_many,
    )
    from lexurn.shacl import CheckReport, Result, validate

__version__ = "0.1.0"

__all__ = [
    "CheckReport",
    "Family",
    "Finding",
    "Format",
    "Item",
    "LanguageText",
    "Layer",
    "Level",
    "LexurnError",
    "Manifest",
    "Name",
    "NameSyntaxError",
    "Reading",
    "Record",
    "Report",
    "Result",
    "Severity",
    "Statements",
    "UrnSyntaxError",
    "check",
    "check_http",
    "dataset_of",
    "describe",
    "families_of",
    "graph_of",
    "head",
    "http_of",
    "open_manifest",
    "parse",
    "parse_http",
    "parse_many",
    "publish",
    "read",
    "records_of",
    "serialize",
    "statements_of",
    "validate",
]

_ROOMS = {
    "CheckReport": "shacl",
    "Family": "model",
    "Finding": "name",
    "Format": "graph",
    "Item": "model",
    "LanguageText": "model",
    "Layer": "graph",
    "Level": "name",
    "LexurnError": "errors",
    "Manifest": "manifest",
    "Name": "name",
    "NameSyntaxError": "name",
    "Reading": "name",
    "Record": "model",
    "Report": "name",
    "Result": "shacl",
    "Severity": "name",
    "Statements": "graph",
    "UrnSyntaxError": "errors",
    "check": "name",
    "check_http": "name",
    "dataset_of": "graph",
    "describe": "export",
    "families_of": "model",
    "graph_of": "graph",
    "head": "export",
    "http_of": "name",
    "open_manifest": "manifest",
    "parse": "name",
    "parse_http": "name",
    "parse_many": "name",
    "publish": "export",
    "read": "graph",
    "records_of": "graph",
    "serialize": "graph",
    "statements_of": "graph",
    "validate": "shacl",
}


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_ROOMS[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
