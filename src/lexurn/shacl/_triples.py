"""Part of a graph against some shapes by the bulk engine, for those who cut graphs themselves."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.shacl._bulk import bulk
from lexurn.shacl._shapes import SHAPES, Catalogue, catalogue
from lexurn.shacl._validate import results_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.shacl._results import Result
    from lexurn.shacl._shapes import Shape

__all__ = ["check_triples", "shapes_by_name"]


def check_triples(ntriples: str, only: frozenset[str] | None = None) -> tuple[Result, ...]:
    """What the shapes find in N-Triples, sorted; the quickest way to check much.

    Args:
        ntriples: the triples.
        only: names of the shapes that are looked at, as `shapes_by_name` has them; all if None.

    Raises:
        CheckError: there are no shapes, or the engine is absent or failed.
        MissingDataError: the folder of the shapes is absent.
    """
    shapes = catalogue() if only is None else _some_shapes(only)
    return results_of(bulk(ntriples, shapes), shapes)


def shapes_by_name() -> Mapping[str, Shape]:
    """The shapes that can give results, by the last part of their IRIs: ``License``.

    Raises:
        CheckError: there are no shapes.
        MissingDataError: the folder of the shapes is absent.
    """
    return {shape.iri.removeprefix(SHAPES): shape for shape in catalogue().shapes.values()}


@lru_cache(maxsize=4)
def _some_shapes(only: frozenset[str]) -> Catalogue:
    """The shapes, those that are not looked at without a target."""
    whole = catalogue()
    turtle = whole.without_targets(lambda iri: iri.removeprefix(SHAPES) in only)
    of_names = frozenset(iri for iri in whole.of_names if iri.removeprefix(SHAPES) in only)
    return replace(whole, turtle=turtle, of_names=of_names)
