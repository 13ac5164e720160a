"""The fast engine: shacl-rust on an index, for a thousand works at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexurn.shacl._engine import Found
from lexurn.shacl._results import CheckError

if TYPE_CHECKING:
    from lexurn.shacl._shapes import Catalogue

__all__ = ["bulk"]

_NEEDED = "the bulk engine is not usable: pip install shacl-rust, or take the reference engine"


def bulk(triples: str, shapes: Catalogue) -> tuple[Found, ...]:
    """What the shapes find in N-Triples, by shacl-rust.

    Raises:
        CheckError: it is absent, failed, or contradicts itself.
    """
    report = _report_of(triples, shapes)
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


def _report_of(triples: str, shapes: Catalogue) -> Any:
    try:
        import shacl_rust  # noqa: PLC0415  (engines are optional)
    except ImportError as error:
        raise CheckError(_NEEDED) from error
    try:
        return shacl_rust.validate(
            triples, shapes.turtle, data_format="nt", experimental_index=True
        )
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
