"""The fast engine: shacl-rust on an index, for a thousand works at a time."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from lexurn import data
from lexurn.shacl._engine import Found
from lexurn.shacl._exact import doubtful, scope_of
from lexurn.shacl._results import CheckError
from lexurn.shacl._shapes import Catalogue

__all__ = ["bulk"]

_NEEDED = "the bulk engine is not usable: pip install shacl-rust, or take the reference engine"


def bulk(triples: str, shapes: Catalogue) -> tuple[Found, ...]:
    """What the shapes find in N-Triples, by shacl-rust.

    Raises:
        CheckError: it is absent, failed, or contradicts itself.
    """
    if not shapes.of_names:
        return _found(triples, shapes.turtle)
    names, others = _parts(shapes.turtle, shapes.of_names)
    left = doubtful(triples, scope_of(data.text("shapes/names.ttl")))
    return (*_found(triples, others), *(_found(left, names) if left else ()))


@lru_cache(maxsize=8)
def _parts(turtle: str, of_names: frozenset[str]) -> tuple[str, str]:
    """The shapes of names, and the others."""
    whole = Catalogue(turtle=turtle, shapes={})
    return (
        whole.without_targets(lambda iri: iri in of_names),
        whole.without_targets(lambda iri: iri not in of_names),
    )


def _found(triples: str, turtle: str) -> tuple[Found, ...]:
    report = _report_of(triples, turtle)
    try:
        found = tuple(_found_of(result) for result in report["results"])
        conforms = report["conforms"]
    except (KeyError, TypeError) as error:
        raise CheckError(
            f"the bulk engine gave a report that lexurn cannot read: {error}"
        ) from error
    if conforms is bool(found):
        raise CheckError("the bulk engine contradicts itself: conforms, and has results")
    return found


def _report_of(triples: str, turtle: str) -> Any:
    try:
        import shacl_rust  # noqa: PLC0415  (engines are optional)
    except ImportError as error:
        raise CheckError(_NEEDED) from error
    try:
        return shacl_rust.validate(triples, turtle, data_format="nt", experimental_index=True)
    except Exception as error:
        raise CheckError(f"the bulk engine failed: {error}") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # how a fault in Rust arrives
            raise
        raise CheckError(f"the bulk engine failed: {error}") from error


def _found_of(result: dict[str, Any]) -> Found:
    """One result; a value that only repeats the node is left out, as the engines differ there."""
    focus, value = result["focusNode"], result.get("value")
    return Found(
        focus=focus,
        shape=result["sourceShape"].strip("<>"),
        component=result["sourceConstraintComponent"].strip("<>"),
        value=None if value == focus else value,
    )
