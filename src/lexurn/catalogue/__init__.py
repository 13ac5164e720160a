"""The catalogue room: names and their graphs kept, queried, checked and resolved (RFC 9676 10)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lexurn.catalogue._catalogue import Catalogue, open_catalogue
    from lexurn.catalogue._load import LoadReport, Refusal, load
    from lexurn.catalogue._protocols import Holdings, Store

__all__ = [
    "Catalogue",
    "Holdings",
    "LoadReport",
    "Refusal",
    "Store",
    "load",
    "open_catalogue",
]

_MODULES = {
    "Catalogue": "_catalogue",
    "Holdings": "_protocols",
    "LoadReport": "_load",
    "Refusal": "_load",
    "Store": "_protocols",
    "load": "_load",
    "open_catalogue": "_catalogue",
}


def __getattr__(name: str) -> Any:
    """What is asked for is imported then: to resolve a name, no engine needs to be loaded."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value
