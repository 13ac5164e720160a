"""Part of a graph against all shapes by the bulk engine, for those who cut graphs themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.shacl._bulk import bulk
from lexurn.shacl._shapes import catalogue
from lexurn.shacl._validate import results_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.shacl._results import Result
    from lexurn.shacl._shapes import Shape

__all__ = ["check_triples", "shapes_by_name"]


def check_triples(ntriples: str) -> tuple[Result, ...]:
    """What the shapes find in N-Triples, sorted; the quickest way to check much.

    Raises:
        CheckError: there are no shapes, or the engine is absent or failed.
        MissingDataError: the folder of the shapes is absent.
    """
    shapes = catalogue()
    return results_of(bulk(ntriples, shapes), shapes)


def shapes_by_name() -> Mapping[str, Shape]:
    """The shapes that can give results, by the last part of their IRIs: ``License``.

    Raises:
        CheckError: there are no shapes.
        MissingDataError: the folder of the shapes is absent.
    """
    return {shape.iri.rpartition("#")[2]: shape for shape in catalogue().shapes.values()}
