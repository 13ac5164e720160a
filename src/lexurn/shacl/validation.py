"""Validation of graphs, N-Triples and families against the shapes, by either engine."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pyoxigraph

from lexurn import data
from lexurn.graph import Layer, nquads_of
from lexurn.model import split_by_size
from lexurn.name import check
from lexurn.shacl.report import CheckReport, EngineResult, Result
from lexurn.shacl.shapes import SHAPES, CheckError, Severity, load_shapes
from lexurn.vocabulary import LEXO, OWN_CLASSES, RECORD_END, SH, TYPE

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import rdflib

    from lexurn.graph import Statements, Triple
    from lexurn.model import Family, Record, Source
    from lexurn.name import Name
    from lexurn.shacl.shapes import Shape, ShapeSet

EngineName = Literal["reference", "bulk"]
"""``reference`` is pyshacl, ``bulk`` is shacl-rust (an extra); both give the same results."""

_NAME_PREFIX = "<urn:lex:"
_PATTERN = f"{SH}PatternConstraintComponent"
_UNKNOWN_TERM = f"{SHAPES}UnknownTerm"
_OWN_TERM = re.compile(rf"<{re.escape(LEXO)}[^>]*>")
_UNSAFE_LABEL = re.compile(r"[^A-Za-z0-9]")
_BATCH_CHARACTERS = 4_000_000
_GRAPH_ENDS = tuple(f" <{layer.iri}> .\n" for layer in Layer)


# --- engines --------------------------------------------------------------------------


def choose_engine(on_note: Callable[[str], None] | None = None) -> EngineName:
    """Return the fastest engine that is installed.

    Args:
        on_note: receives one sentence where that is not the bulk engine.
    """
    try:
        import shacl_rust  # noqa: F401, PLC0415 - an extra
    except ImportError:
        if on_note is not None:
            on_note(
                "The shapes are checked with pyshacl. The bulk engine is about 30 times faster: "
                'pip install "lexurn[bulk]"'
            )
        return "reference"
    return "bulk"


def _run_engine(
    engine: EngineName | None,
    triples: str,
    shapes: ShapeSet,
    names: Mapping[str, Name] = MappingProxyType({}),
) -> set[Result]:
    """Check N-Triples with an engine, or with the fastest that is installed.

    Args:
        engine: the engine.
        triples: the triples.
        shapes: the shapes.
        names: the names of nodes, where they are known; the bulk engine does not parse them.

    Raises:
        CheckError: the engine is unknown, absent or failed. No result never means a failure.
    """
    name = choose_engine() if engine is None else engine
    if name == "bulk":
        from lexurn.shacl.bulk import run_bulk_engine  # noqa: PLC0415 - the one asked for

        every = run_bulk_engine(triples, shapes, names)
    elif name == "reference":
        from lexurn.shacl.reference import run_reference_engine  # noqa: PLC0415 - loads rdflib

        every = run_reference_engine(triples, shapes)
    else:
        raise CheckError(f"There is no engine {name!r}. Use 'reference' or 'bulk'.")
    results = set()
    for found in every:
        shape = shapes.shapes.get(found.shape)
        if shape is None:
            raise CheckError(f"The engine reports an unknown shape: {found.shape}")
        path = None if shape.path is None else shape.path.sparql
        results.add(_make_result(shape, found, path))
    term_shape = shapes.shapes.get(_UNKNOWN_TERM)
    # Properties and classes in the namespace of lexurn that its vocabulary does not have.
    if term_shape and (unknown := frozenset(_OWN_TERM.findall(triples)) - _load_terms()):
        for line in triples.split("\n"):
            subject, _, tail = line.partition(" ")
            predicate, _, value = tail.partition(" ")
            for term in (predicate, value.removesuffix(" .") if predicate == TYPE else ""):
                if term in unknown:
                    found = EngineResult(subject, _UNKNOWN_TERM, f"{SH}InConstraintComponent", term)
                    results.add(_make_result(term_shape, found, None))
    return results


@cache
def _load_terms() -> frozenset[str]:
    """Load the terms of the vocabulary."""
    turtle = data.read_text("ontology/lexurn.ttl")
    quads = pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE)
    return frozenset(str(quad.subject) for quad in quads)


def _make_result(shape: Shape, found: EngineResult, path: str | None) -> Result:
    return Result(
        severity=shape.severity,
        focus=found.focus,
        path=path,
        value=found.value,
        message=shape.message,
        shape=shape.iri,
        component=found.component,
        rule=shape.rule,
    )


def _sort(results: Iterable[Result]) -> tuple[Result, ...]:
    return tuple(sorted(results, key=lambda result: result.order))


# --- graphs ---------------------------------------------------------------------------


def validate(
    graph: rdflib.Graph | Statements, *, engine: EngineName | None = "reference"
) -> CheckReport:
    """Check a graph of LEX names against the shapes (RFC 9676).

    Any RDF may be given. There is no inference: only the graph itself is looked at. If none of
    its nodes has a class of lexurn, the report notes that nothing was checked.

    Args:
        graph: an rdflib graph (of a dataset, all graphs together), or statements.
        engine: ``reference`` is pyshacl, for one document or a few; ``bulk`` is the fast one, an
            extra; None is the fastest that is installed. Both give the same results.

    Raises:
        CheckError: there are no shapes, or the engine is absent or failed.
        MissingDataError: the folder of the shapes is absent.
    """
    shapes, (good, bad) = load_shapes(), _collect_triples(graph)
    results = _run_engine(engine, "".join(f"{' '.join(triple)} .\n" for triple in good), shapes)
    term_shape = shapes.shapes[f"{SHAPES}Term"]
    for (subject, predicate, _), term in bad:
        value = None if term == subject else term
        found = EngineResult(subject, term_shape.iri, _PATTERN, value)
        results.add(_make_result(term_shape, found, predicate))
    typed = {s for s, p, o in good if p == TYPE and o in OWN_CLASSES}
    names = {
        s
        for s, _, _ in good
        if s[: len(_NAME_PREFIX)].lower() == _NAME_PREFIX and not s.endswith(f"{RECORD_END}>")
    }
    notes = []
    if not typed:
        notes.append("Nothing was checked: no node of the graph has a class of lexurn.")
    if untyped := len(names - typed):
        many = "1 LEX name has" if untyped == 1 else f"{untyped:,} LEX names have"
        notes.append(f"{many} no class of lexurn, and no shape applies.")
    return CheckReport(results=_sort(results), checked=len(typed), notes=tuple(notes))


def _collect_triples(
    graph: rdflib.Graph | Statements,
) -> tuple[list[Triple], list[tuple[Triple, str]]]:
    """Collect the triples of an rdflib graph, of all graphs of a dataset, or of statements.

    Returns:
        The triples, sorted, terms as N-Triples writes them; and those with a term that RDF does not
        allow and no engine could read, each with that term.
    """
    # Statements have `merged`, a dataset has `quads`: rdflib is loaded only where it is in use.
    merged: tuple[Triple, ...] | None = getattr(graph, "merged", None)
    if merged is not None:
        return sorted(set(merged)), []
    from lexurn.shacl.reference import write_term  # noqa: PLC0415 - statements need no rdflib

    quads = getattr(graph, "quads", None)
    nodes: Any = graph if quads is None else (quad[:3] for quad in quads())
    good: set[Triple] = set()
    bad: list[tuple[Triple, str]] = []
    for triple in nodes:
        terms = [write_term(node) for node in triple]
        subject, predicate, value = (
            f"_:{_UNSAFE_LABEL.sub(lambda found: f'x{ord(found[0]):x}', term[2:])}"
            if term.startswith("_:")
            else term
            for term, _ in terms
        )
        wrong = next((term for term, is_valid in terms if not is_valid), None)
        if wrong is None:
            good.add((subject, predicate, value))
        else:
            bad.append(((subject, predicate, value), wrong))
    return sorted(good), bad


# --- N-Triples ------------------------------------------------------------------------


def check_triples(ntriples: str, only: frozenset[str] | None = None) -> tuple[Result, ...]:
    """Check N-Triples against the shapes; the fastest way for callers that split graphs.

    Args:
        ntriples: the triples.
        only: names of the shapes to apply, as in `load_shapes_by_name`; None for all.

    Returns:
        The results, sorted.

    Raises:
        CheckError: there are no shapes, or the engine is absent or failed.
        MissingDataError: the folder of the shapes is absent.
    """
    shapes = load_shapes() if only is None else _select_shapes(only)
    return _sort(_run_engine(None, ntriples, shapes))


@lru_cache(maxsize=4)
def _select_shapes(only: frozenset[str]) -> ShapeSet:
    return load_shapes().select(lambda iri: iri.removeprefix(SHAPES) in only)


# --- families -------------------------------------------------------------------------


def check_families(
    families: Sequence[Family],
    *,
    as_of: dt.date,
    base: str | None = None,
    engine: EngineName | None = None,
    nquads: Iterable[bytes] | None = None,
) -> tuple[Result, ...]:
    """Check families against the shapes (about a thousand works at a time is fastest).

    Families share no names, so that each can be checked without the others. Faults between
    families are found here only by chance; only a check of everything at once finds them. They are
    one URL whose size or digest two families state differently, one HTTP-URI equivalent for names
    of two families, and an amending act or a treaty text that is described nowhere.

    Args:
        families: the families; they can be sent to other processes, and so can the results.
        as_of: the day for which the version in force is asked.
        base: the base of HTTP URIs, or None.
        engine: as in `validate`, but by default the fastest that is installed.
        nquads: the families as `lexurn.graph.nquads_of` writes them, if the caller has that.

    Returns:
        The results, sorted; ``source`` is the row that described the node or, where none did, its
        nearest ancestor.

    Raises:
        CheckError: there are no shapes, or the engine is absent or failed.
        GraphError: a value that no graph can hold.
        ValueError: ``base`` is not a base of HTTP URIs.
    """
    shapes = load_shapes()
    if nquads is None:
        nquads = (nquads_of(family, as_of=as_of, base=base) for family in families)
    names = {f"<{record.name.iri}>": record.name for each in families for record in each.records}
    results: set[Result] = set()
    # As many at a time as an engine holds in little memory.
    for some in split_by_size(map(_drop_graphs, nquads), len, _BATCH_CHARACTERS):
        results |= _run_engine(engine, "".join(some), shapes, names)
    if not results:
        return ()
    sources: dict[str, Source] = {}
    for record in chain.from_iterable(family.records for family in families):
        if record.source is not None:
            own, *others = _list_nodes(record)
            sources[own] = record.source
            for node in others:
                sources.setdefault(node, record.source)
    located = []
    for result in _sort(results):
        source = sources.get(result.focus)
        if source is None:
            name = check(result.focus.strip("<>")).name
            above = () if name is None else (f"<{each.iri}>" for each in name.ancestors())
            source = next((sources[node] for node in above if node in sources), None)
        located.append(replace(result, source=source))
    return tuple(located)


def _drop_graphs(nquads: bytes) -> str:
    text = nquads.decode()
    for graph in _GRAPH_ENDS:
        text = text.replace(graph, " .\n")
    return text


def _list_nodes(record: Record) -> Iterator[str]:
    """Yield the nodes that a record describes: its name, itself, copies and digests."""
    yield f"<{record.name.iri}>"
    yield f"<{record.name.iri}{RECORD_END}>"
    for item in record.items:
        yield f"<{item.url}>"
        if item.sha256 is not None:
            yield f"<{item.digest_uri}>"


class FamilyCheck(NamedTuple):
    """Results of families, each checked by itself.

    Attributes:
        results: all results, sorted. A violation is listed only if one family alone causes it.
        broken: the violations of each family that has some, by its index.
    """

    results: tuple[Result, ...]
    broken: Mapping[int, tuple[Result, ...]]


def find_invalid_families(
    families: Sequence[Family],
    *,
    as_of: dt.date,
    base: str | None = None,
    nquads: Iterable[bytes] | None = None,
) -> FamilyCheck:
    """Check families, and find those that break a shape by themselves.

    A contradiction between two families counts against neither: whether they meet in one check is
    chance (see `check_families`, also for the arguments).

    Raises:
        CheckError: as `check_families`.
        GraphError: as `check_families`.
        ValueError: as `check_families`.
    """
    found = check_families(families, as_of=as_of, base=base, nquads=nquads)
    nodes = {result.focus for result in _list_violations(found)}
    if not nodes:
        return FamilyCheck(found, {})
    # A thousand at a time is fastest; only the suspects are checked again, one at a time. These
    # are the families with the nodes at fault; all, where a node is in no record.
    own = [
        nodes.intersection(node for record in family.records for node in _list_nodes(record))
        for family in families
    ]
    is_complete = nodes == set().union(*own)
    broken = {}
    for index, family in enumerate(families):
        if own[index] or not is_complete:
            alone = check_families((family,), as_of=as_of, base=base)
            if violations := _list_violations(alone):
                broken[index] = violations
    others = (result for result in found if result.severity is not Severity.VIOLATION)
    return FamilyCheck(_sort(dict.fromkeys(chain(others, *broken.values()))), broken)


def _list_violations(results: Iterable[Result]) -> tuple[Result, ...]:
    return tuple(result for result in results if result.severity is Severity.VIOLATION)
