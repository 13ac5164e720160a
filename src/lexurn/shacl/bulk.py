"""Bulk engine: shacl-rust on an index, for a thousand works at a time (the extra ``bulk``).

The shapes of ``names.ttl`` ask whether the decoded layer of a node agrees with its name. Where the
statements on a node are exactly those that lexurn decodes from its name, the answer is known. Only
the other nodes go to the engine.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from contextlib import suppress
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph

from lexurn import data
from lexurn.graph import decode_name
from lexurn.name import check
from lexurn.registry import REGISTRY_BASE
from lexurn.shacl.report import EngineResult
from lexurn.shacl.shapes import CheckError
from lexurn.vocabulary import (
    ISSUER_CONCEPT,
    JURISDICTION,
    MEASURE_CONCEPT,
    RECORD_END,
    SH,
    TYPE,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from lexurn.shacl.shapes import ShapeSet

_LEX_PREFIX = "<urn:lex:"
_LARGE_GRAPH = 8_000_000
"""Number of characters of a graph, such as that of an act with thousands of versions."""


def run_bulk_engine(triples: str, shapes: ShapeSet) -> tuple[EngineResult, ...]:
    """Check N-Triples against shapes with shacl-rust.

    Raises:
        CheckError: the engine is absent, failed, or contradicts itself.
    """
    if not shapes.of_names:
        return _run_engine(triples, shapes.turtle)
    names, others = _split_shapes(shapes)
    doubtful = _select_doubtful(triples)
    return (*_run_engine(triples, others), *(_run_engine(doubtful, names) if doubtful else ()))


def _select_doubtful(triples: str) -> str:
    """Select the statements on nodes that the engine must check for the shapes of names."""
    nodes: dict[str, list[str]] = defaultdict(list)
    for line in triples.split("\n"):
        subject, _, tail = line.partition(" ")
        if tail:
            nodes[subject].append(tail)
    scope = _load_scope()
    return "".join(
        f"{subject} {tail}\n"
        for subject, tails in nodes.items()
        if not _is_settled(subject, tails, scope)
        for tail in tails
    )


class _Scope(NamedTuple):
    """Nodes and values that the shapes of names look at.

    Attributes:
        predicates: predicates whose values they look at, the type among them.
        subjects_of: predicates whose subjects they look at.
        classes: classes whose members they look at.
    """

    predicates: frozenset[str]
    subjects_of: frozenset[str]
    classes: frozenset[str]


@cache
def _load_scope() -> _Scope:
    """Load the scope of the shapes in ``names.ttl``; those without a target do not count.

    Raises:
        ValueError: a shape has a target of another kind, so that it may look at any node.
    """
    values: dict[str, set[str]] = {"path": set(), "targetSubjectsOf": set(), "targetClass": set()}
    turtle = data.read_text("shapes/names.ttl")
    for quad in pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE):
        term = quad.predicate.value.removeprefix(SH)
        if term in values:
            values[term].add(str(quad.object))
        elif term.startswith("target"):
            raise ValueError(f"shapes of names have no {term}")
    return _Scope(
        predicates=frozenset({TYPE, *values["path"]}),
        subjects_of=frozenset(values["targetSubjectsOf"]),
        classes=frozenset(values["targetClass"]),
    )


@lru_cache(maxsize=8)
def _split_shapes(shapes: ShapeSet) -> tuple[str, str]:
    """Return the shapes of names, and the others."""
    names = shapes.select(lambda iri: iri in shapes.of_names)
    others = shapes.select(lambda iri: iri not in shapes.of_names)
    return names.turtle, others.turtle


def _run_engine(triples: str, turtle: str) -> tuple[EngineResult, ...]:
    """Return the results in the engine's report.

    A value that only repeats the node is left out, as the engines differ there.
    """
    try:
        import shacl_rust  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise CheckError(
            'The bulk engine is not installed: pip install "lexurn[bulk]", or use the engine '
            '"reference".'
        ) from error
    try:
        report = shacl_rust.validate(triples, turtle, data_format="nt", experimental_index=True)
    except BaseException as error:
        # A fault in Rust is a PanicException, which is not an Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise CheckError(f"The bulk engine failed: {error}") from error
    try:
        results = tuple(
            EngineResult(
                focus=each["focusNode"],
                shape=each["sourceShape"].strip("<>"),
                component=each["sourceConstraintComponent"].strip("<>"),
                value=None if each.get("value") == each["focusNode"] else each.get("value"),
            )
            for each in report["results"]
        )
        conforms = report["conforms"]
    except (KeyError, TypeError) as error:
        raise CheckError(f"lexurn cannot read the report of the bulk engine: {error}") from error
    if len(triples) > _LARGE_GRAPH:
        # The C library keeps what the engine has freed, some 100 MB, unless it is told to give it
        # back. Only glibc has this function.
        with suppress(OSError, AttributeError, TypeError):
            ctypes.CDLL(None).malloc_trim(0)
    if conforms is bool(results):
        raise CheckError("The bulk engine contradicts itself: the graph conforms and has results.")
    return results


def _is_settled(subject: str, tails: Collection[str], scope: _Scope) -> bool:
    """Return whether a name is exactly decoded, or another node is out of scope."""
    if not subject.startswith(_LEX_PREFIX) or subject.endswith(f"{RECORD_END}>"):
        return not any(
            predicate in scope.subjects_of
            or (predicate == TYPE and value.removesuffix(" .") in scope.classes)
            for predicate, _, value in (tail.partition(" ") for tail in tails)
        )
    name = check(subject[1:-1]).name
    if name is None or f"<{name.iri}>" != subject:
        return False
    stated = {
        tail.removesuffix(" .") for tail in tails if tail.partition(" ")[0] in scope.predicates
    }
    if any(_is_foreign_concept(tail, name.jurisdiction.code) for tail in tails):
        return False
    decoded = decode_name(name)
    return stated == {tail for tail in decoded if tail.partition(" ")[0] in scope.predicates}


_CONCEPT_FOLDERS = {
    JURISDICTION: "units",
    ISSUER_CONCEPT: "authorities",
    MEASURE_CONCEPT: "measures",
}


def _is_foreign_concept(tail: str, code: str) -> bool:
    """Return whether a link leads to a concept of another jurisdiction, or of another kind."""
    predicate, _, value = tail.partition(" ")
    folder = _CONCEPT_FOLDERS.get(predicate)
    own = f"<{REGISTRY_BASE}{code}/{folder}/", f"<{REGISTRY_BASE}jurisdictions/{code}>"
    is_ours = folder is not None and value.startswith(f"<{REGISTRY_BASE}")
    return is_ours and not value.startswith(own)
