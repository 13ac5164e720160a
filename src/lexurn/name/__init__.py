"""Names: text to typed LEX name and back, by RFC 9676; standard library only.

In: any text, or an HTTP URI.
Out: a report with findings, and a name if the text is valid; its JSON and its HTTP URI.
Read in this order: values, characters, grammar, parser, name, json, http.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.findings import Finding, Severity
from lexurn.lazy import attach
from lexurn.name.characters import read_day
from lexurn.name.grammar import Components, is_language_tag, is_registered_subtag, split_name
from lexurn.name.name import (
    Level,
    Name,
    NameParts,
    NameSyntaxError,
    Report,
    check,
    parse,
    parse_many,
    replace_parts,
)
from lexurn.name.parser import LONGEST_NAME, Reading

if TYPE_CHECKING:
    from lexurn.name.http import (
        HttpForm,
        HttpStyle,
        check_http,
        http_of,
        http_path,
        normalize_base,
        parse_http,
    )
    from lexurn.name.json import encode_report, report_to_json
    from lexurn.name.values import (
        Annex,
        Authority,
        Component,
        Date,
        Details,
        Editor,
        Event,
        ExpressionIdentifier,
        Feature,
        Format,
        Issuer,
        Jurisdiction,
        ManifestationIdentifier,
        Measure,
        Parts,
        Version,
        WorkIdentifier,
    )

__all__ = [
    "LONGEST_NAME",
    "Annex",
    "Authority",
    "Component",
    "Components",
    "Date",
    "Details",
    "Editor",
    "Event",
    "ExpressionIdentifier",
    "Feature",
    "Finding",
    "Format",
    "HttpForm",
    "HttpStyle",
    "Issuer",
    "Jurisdiction",
    "Level",
    "ManifestationIdentifier",
    "Measure",
    "Name",
    "NameParts",
    "NameSyntaxError",
    "Parts",
    "Reading",
    "Report",
    "Severity",
    "Version",
    "WorkIdentifier",
    "check",
    "check_http",
    "encode_report",
    "http_of",
    "http_path",
    "is_language_tag",
    "is_registered_subtag",
    "normalize_base",
    "parse",
    "parse_http",
    "parse_many",
    "read_day",
    "replace_parts",
    "report_to_json",
    "split_name",
]

__getattr__, __dir__ = attach(__name__)
