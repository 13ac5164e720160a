"""Bulk engine: shacl-rust on an index, for a thousand works at a time (the extra ``bulk``).

Two kinds of shapes reach the engine only where there may be something to find:

- The shapes of ``names.ttl`` ask whether a node agrees with its name. If the statements on it
  are exactly those that lexurn decodes from its name, the answer is known.
- A shape in SPARQL may have a ``lexs:sufficientShape`` in SHACL Core. If all nodes conform to
  it, the SPARQL finds nothing.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph

from lexurn import data
from lexurn import vocabulary as v
from lexurn.graph import decode_name
from lexurn.name import check
from lexurn.registry import REGISTRY_BASE
from lexurn.shacl.report import EngineResult
from lexurn.shacl.shapes import SHAPES, CheckError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.name import Name
    from lexurn.shacl.shapes import ShapeSet

_LEX_PREFIX = "<urn:lex:"
_SUBCLASS = f"<{v.RDFS}subClassOf>"
_PARENT_LINKS = frozenset(
    {v.REALIZATION_OF, v.EMBODIMENT_OF, v.MANIFESTATION_OF, v.PART_OF, v.IS_PART_OF}
)
_CONCEPT_FOLDERS = {
    v.JURISDICTION: "units",
    v.ISSUER_CONCEPT: "authorities",
    v.MEASURE_CONCEPT: "measures",
}
_ITEM_CLASSES = frozenset({v.ITEM_CLASS, v.FRBR_ITEM})
_NAME_CLASS = f"<{SHAPES}NameClass>"
"""Shape that asks nothing of a node without a LEX name, such as an HTTP URI."""
_LARGE_GRAPH = 8_000_000
"""Number of characters of a graph, such as that of an act with thousands of versions."""


def run_bulk_engine(
    triples: str, shapes: ShapeSet, names: Mapping[str, Name] = MappingProxyType({})
) -> tuple[EngineResult, ...]:
    """Check N-Triples against shapes with shacl-rust.

    Args:
        triples: the triples.
        shapes: the shapes.
        names: the names of nodes, where the caller knows them; others are parsed.

    Raises:
        CheckError: the engine is absent, failed, or contradicts itself.
    """
    others, deferred = _split_shapes(shapes)
    found = _run_engine(triples, others)
    results = [each for each in found if each.shape not in deferred]
    if failed := frozenset(each.shape for each in found) & deferred:
        results += _run_engine(triples, _select_shapes(shapes, failed))
    if shapes.of_names and (doubtful := _select_doubtful(triples, names)):
        results += _run_engine(doubtful, _select_shapes(shapes, shapes.of_names))
    return tuple(results)


@lru_cache(maxsize=8)
def _split_shapes(shapes: ShapeSet) -> tuple[str, frozenset[str]]:
    """Return all shapes but those of names as Turtle, each deferred one by its sufficient shape.

    The IRIs are those of the shapes whose SPARQL is run only if that one fails.
    """
    others = shapes.select(lambda iri: iri not in shapes.of_names) if shapes.of_names else shapes
    sufficient, node = f"{SHAPES}sufficientShape", pyoxigraph.NamedNode(f"{v.SH}node")
    deferred = {each.subject for each in others.triples if each.predicate.value == sufficient}
    kept = [
        pyoxigraph.Triple(each.subject, node, each.object)
        if each.predicate.value == sufficient
        else each
        for each in others.triples
        if each.subject not in deferred or each.predicate.value != f"{v.SH}sparql"
    ]
    written = replace(others, triples=tuple(kept)).turtle
    return written, frozenset(str(each).strip("<>") for each in deferred)


@lru_cache(maxsize=8)
def _select_shapes(shapes: ShapeSet, iris: frozenset[str]) -> str:
    return shapes.select(lambda iri: iri in iris).turtle


def _select_doubtful(triples: str, names: Mapping[str, Name]) -> str:
    """Select the statements on nodes that the engine must check for the shapes of names."""
    if _SUBCLASS in triples:
        return triples  # a node may have a class that is stated elsewhere
    scope = _load_scope()
    nodes: dict[str, list[str]] = defaultdict(list)
    for line in triples.split("\n"):
        subject, _, tail = line.partition(" ")
        if tail.partition(" ")[0] in scope.all_predicates:
            nodes[subject].append(tail)
    return "".join(
        f"{subject} {tail}\n"
        for subject, tails in nodes.items()
        if not _is_settled(subject, tails, names.get(subject), scope)
        for tail in tails
    )


class _Scope(NamedTuple):
    """Nodes and values that the shapes of names look at.

    Attributes:
        predicates: predicates whose values they look at, the type among them.
        subjects_of: predicates whose subjects they look at.
        other_subjects_of: those whose subjects they look at, though these have no LEX name.
        classes: classes whose members they look at.
        all_predicates: these predicates, and those to parents and concepts.
    """

    predicates: frozenset[str]
    subjects_of: frozenset[str]
    other_subjects_of: frozenset[str]
    classes: frozenset[str]
    all_predicates: frozenset[str]


@cache
def _load_scope() -> _Scope:
    """Load the scope of the shapes in ``names.ttl``; those without a target do not count.

    Raises:
        ValueError: a shape has a target of another kind, so that it may look at any node.
    """
    values: dict[str, set[str]] = {"path": set(), "targetSubjectsOf": set(), "targetClass": set()}
    others: set[str] = set()
    turtle = data.read_text("shapes/names.ttl")
    for quad in pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE):
        term = quad.predicate.value.removeprefix(v.SH)
        if term in values:
            values[term].add(str(quad.object))
            if term == "targetSubjectsOf" and str(quad.subject) != _NAME_CLASS:
                others.add(str(quad.object))
        elif term.startswith("target"):
            raise ValueError(f"shapes of names have no {term}")
    predicates, subjects_of = frozenset({v.TYPE, *values["path"]}), values["targetSubjectsOf"]
    return _Scope(
        predicates=predicates,
        subjects_of=frozenset(subjects_of),
        other_subjects_of=frozenset(others),
        classes=frozenset(values["targetClass"]),
        all_predicates=predicates | subjects_of | _PARENT_LINKS | _CONCEPT_FOLDERS.keys(),
    )


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


def _is_settled(subject: str, tails: Iterable[str], name: Name | None, scope: _Scope) -> bool:
    """Return whether a name is exactly decoded, or another node is out of scope."""
    stated = {tail.removesuffix(" .") for tail in tails}
    if not subject.startswith(_LEX_PREFIX) or subject.endswith(f"{v.RECORD_END}>"):
        properties = [each.partition(" ") for each in stated]
        classes = {value for predicate, _, value in properties if predicate == v.TYPE}
        is_name = subject[: len(_LEX_PREFIX)].lower() == _LEX_PREFIX
        subjects_of = scope.subjects_of if is_name else scope.other_subjects_of
        return (classes == _ITEM_CLASSES or classes.isdisjoint(scope.classes)) and not any(
            predicate in subjects_of for predicate, _, _ in properties
        )
    if name is None:
        name = check(subject[1:-1]).name
        if name is None or f"<{name.iri}>" != subject:
            return False
    decoded = set(decode_name(name))
    if any(tail.partition(" ")[0] in scope.predicates for tail in decoded ^ stated):
        return False
    for predicate, _, value in (tail.partition(" ") for tail in stated - decoded):
        if predicate in _PARENT_LINKS:
            parent = name.parent
            if parent is None or value != f"<{parent.iri}>":
                return False
        elif predicate in _CONCEPT_FOLDERS and value.startswith(f"<{REGISTRY_BASE}"):
            code = name.jurisdiction.code
            own = f"{REGISTRY_BASE}{code}/{_CONCEPT_FOLDERS[predicate]}/"
            if not value.startswith((f"<{own}", f"<{REGISTRY_BASE}jurisdictions/{code}>")):
                return False
    return True
