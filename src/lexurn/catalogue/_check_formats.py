"""A report on a catalogue in any of its forms, written piece by piece."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lexurn.catalogue._check_spool import CatalogueReport

__all__ = ["CheckFormat", "write_check"]


class CheckFormat(StrEnum):
    """A form of a report: two for people, three for machines."""

    TEXT = "text"
    HTML = "html"
    JSON = "json"
    SARIF = "sarif"
    TURTLE = "turtle"


_MODULES: Final = {
    CheckFormat.TEXT: "_check_text",
    CheckFormat.HTML: "_check_html",
    CheckFormat.JSON: "_check_json",
    CheckFormat.SARIF: "_check_sarif",
    CheckFormat.TURTLE: "_check_rdf",
}


def write_check(report: CatalogueReport, target: IO[bytes], form: CheckFormat) -> None:
    """Write a report; the same findings give the same bytes.

    Text and HTML show some findings of each rule, and how many more there are; JSON, SARIF and
    Turtle have them all.

    Raises:
        CatalogueError: the findings cannot be read any more.
        OSError: the target cannot be written.
    """
    module = import_module(f"lexurn.catalogue.{_MODULES[form]}")
    pieces: Callable[[CatalogueReport], Iterator[str]] = module.pieces_of
    for piece in pieces(report):
        # A lone surrogate, which no encoding can carry, is marked.
        target.write(piece.encode("utf-8", "replace"))
