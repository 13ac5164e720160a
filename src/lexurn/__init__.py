"""Linked data for legal identifiers: RFC 9676 names, their FRBR graphs, and their publication.

>>> import lexurn
>>> name = lexurn.parse("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it~art3")
>>> str(name.work.measure), name.expression.language, name.partition
('legge', 'it', 'art3')

The modules and packages, the lowest first; each uses only those listed before it:

- `lazy`, `errors`, `vocabulary`, `data`, `findings`, `locks`, `files`, `workers`: imports on first
  use, exceptions, IRIs, data files, faults and their codes, file locks, safe writing, processes
- `urn`: URNs of any namespace (RFC 8141)
- `name`: text to LEX name and back, findings, HTTP URIs
- `model`: records of names, and their families, aliases and versions
- `registry`: jurisdictions, authorities, measures and the words of names
- `dialect`: names of LexML, NIR and the drafts, converted both ways
- `minting`: names made from metadata and citations
- `labels`: names in words
- `manifest`: tables to families of records
- `graph`: families to RDF and back
- `shacl`: RDF checked against the shapes
- `pages`: documents and head tags about a name
- `store`: quads in a folder or on a SPARQL server, and queries on them
- `catalogue`: names and graphs stored, changed, checked and dumped
- `documents`: names written into documents and read out of them
- `spark`: a job for Apache Spark
- `resolver`: names to the acts, versions and files that they identify
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
