"""HTTP-URI equivalents of LEX names, both ways: what this room offers of them."""

from __future__ import annotations

from lexurn.name._http_reading import check_http, parse_http
from lexurn.name._http_writing import HttpForm, HttpStyle, http_of, http_path

__all__ = [
    "HttpForm",
    "HttpStyle",
    "check_http",
    "http_of",
    "http_path",
    "parse_http",
]
