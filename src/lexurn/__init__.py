"""Linked data for legal identifiers: RFC 9676 names, their FRBR graphs, and their publication.

>>> import lexurn
>>> name = lexurn.parse("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it~art3")
>>> str(name.work.measure), name.expression.language, name.partition
('legge', 'it', 'art3')

Each name is imported from its room on first use, so that ``import lexurn`` stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.rooms import on_request

if TYPE_CHECKING:
    from lexurn.catalogue import Answer, Catalogue, open_catalogue, resolve
    from lexurn.dialect import Conversion, Dialect, Standing, convert, detect
    from lexurn.embedding import embed, extract
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
    from lexurn.labels import label
    from lexurn.manifest import Manifest, open_manifest
    from lexurn.minting import Minted, MintError, Taken, mint, try_mint
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
    from lexurn.registry import Registry, open_registry
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

_ROOMS = {
    "Answer": "catalogue",
    "Catalogue": "catalogue",
    "CheckReport": "shacl",
    "Conversion": "dialect",
    "Dialect": "dialect",
    "Family": "model",
    "Finding": "name",
    "Format": "graph",
    "Item": "model",
    "LanguageText": "model",
    "Layer": "graph",
    "Level": "name",
    "LexurnError": "errors",
    "Manifest": "manifest",
    "MintError": "minting",
    "Minted": "minting",
    "Name": "name",
    "NameSyntaxError": "name",
    "Reading": "name",
    "Record": "model",
    "Registry": "registry",
    "Report": "name",
    "Result": "shacl",
    "Severity": "name",
    "Standing": "dialect",
    "Statements": "graph",
    "Taken": "minting",
    "UrnSyntaxError": "errors",
    "check": "name",
    "check_http": "name",
    "convert": "dialect",
    "dataset_of": "graph",
    "describe": "export",
    "detect": "dialect",
    "embed": "embedding",
    "extract": "embedding",
    "families_of": "model",
    "graph_of": "graph",
    "head": "export",
    "http_of": "name",
    "label": "labels",
    "mint": "minting",
    "open_catalogue": "catalogue",
    "open_manifest": "manifest",
    "open_registry": "registry",
    "parse": "name",
    "parse_http": "name",
    "parse_many": "name",
    "publish": "export",
    "read": "graph",
    "records_of": "graph",
    "resolve": "catalogue",
    "serialize": "graph",
    "statements_of": "graph",
    "try_mint": "minting",
    "validate": "shacl",
}

__getattr__ = on_request(__name__, _ROOMS)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
