"""Rooms that import what is asked for, and no more (PEP 562): a command starts quickly."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["on_request"]


def on_request(room: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a room that imports each of its names when it is first asked for.

    Args:
        room: the full name of the room, its ``__name__``.
        modules: the module below the room that each name is in.
    """

    def attribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{room}.{modules[name]}"), name)
        setattr(sys.modules[room], name, value)
        return value

    return attribute
