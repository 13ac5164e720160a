"""Names: text <-> typed LEX name, by RFC 9676 and the two readings of it; standard library only.

`parse` gives a name or raises, `check` gives a report of any text, `http_of` and `parse_http` go to
the HTTP-URI equivalent and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.name._codes import CODES, Code
from lexurn.name._findings import Finding, NameSyntaxError, Reading, Report, Severity
from lexurn.name._json import json_of
from lexurn.name._name import Name, NameParts, replace
from lexurn.name._parser import LONGEST_NAME, check, parse, parse_many
from lexurn.name._values import (
    Annex,
    Authority,
    Component,
    Components,
    Date,
    Details,
    Editor,
    Event,
    ExpressionIdentifier,
    Feature,
    Format,
    Issuer,
    Jurisdiction,
    Level,
    ManifestationIdentifier,
    Measure,
    Parts,
    Version,
    WorkIdentifier,
)
from lexurn.rooms import on_request

if TYPE_CHECKING:
    from lexurn.name._http import HttpForm, HttpStyle, check_http, http_of, http_path, parse_http

__all__ = [
    "CODES",
    "LONGEST_NAME",
    "Annex",
    "Authority",
    "Code",
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
    "http_of",
    "http_path",
    "json_of",
    "parse",
    "parse_http",
    "parse_many",
    "replace",
]

# What concerns HTTP: most callers only parse.
_HTTP = dict.fromkeys(
    ("HttpForm", "HttpStyle", "check_http", "http_of", "http_path", "parse_http"), "_http"
)

__getattr__ = on_request(__name__, _HTTP)
