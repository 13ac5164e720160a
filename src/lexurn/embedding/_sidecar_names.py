"""What sidecars are called: the name of their document with a suffix behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["LARGEST", "SUFFIXES", "document_beside", "sidecars_of"]

LARGEST: Final = 1 << 22
"""Bytes of a sidecar: those that lexurn writes have some thousand."""

SUFFIXES: Final[Mapping[str, str]] = {".lexurn.ttl": "turtle", ".lexurn.jsonld": "jsonld"}
"""What is put behind a file's name, and the format of what it then holds."""


def sidecars_of(path: Path) -> tuple[Path, ...]:
    """The paths of the sidecars of a file; a folder without a name (``.``, ``/``) has none."""
    return tuple(path.with_name(path.name + suffix) for suffix in SUFFIXES if path.name)


def document_beside(file: str) -> str | None:
    """The name of the document that a file says the name of, going by its own; None for others."""
    suffix = next((each for each in SUFFIXES if file.endswith(each)), None)
    if suffix is None or file in SUFFIXES or file.endswith(f"/{suffix}"):
        return None
    return file.removesuffix(suffix)
