"""A graph against all shapes, by either engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from lexurn.shacl._data import triples_of
from lexurn.shacl._results import CheckError, CheckReport, Result
from lexurn.shacl._shapes import SHAPES, catalogue

if TYPE_CHECKING:
    from collections.abc import Iterable

    import rdflib

    from lexurn.graph import Statements
    from lexurn.shacl._data import Triple, Triples
    from lexurn.shacl._engine import Engine, Found
    from lexurn.shacl._shapes import Catalogue

__all__ = ["engine_of", "results_of", "validate"]

EngineName = Literal["reference", "bulk"]

_LEXO = "https://w3id.org/lexurn/ns#"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_CLASSES = frozenset(
    f"<{_LEXO}{name}>"
    for name in ("Annex", "Expression", "Item", "Manifestation", "Partition", "Work")
)
_SCHEME = "<urn:lex:"
_PATTERN = "http://www.w3.org/ns/shacl#PatternConstraintComponent"


def validate(graph: rdflib.Graph | Statements, *, engine: EngineName = "reference") -> CheckReport:
    """Check a graph of LEX names against the shapes (RFC 9676).

    Any RDF may be given. Without inference, nothing but the graph is looked at; where nothing in it
    is of a class of lexurn, the report has a note that nothing was checked.

    Args:
        graph: an rdflib graph (of a dataset, all graphs together), or statements.
        engine: ``reference`` is pyshacl, for one document or a few; ``bulk`` is the fast one. Both
            give the same results.

    Raises:
        CheckError: there are no shapes, or the engine is absent or failed.
        MissingDataError: the folder of the shapes is absent.
    """
    shapes, triples, run = catalogue(), triples_of(graph), engine_of(engine)
    results = results_of(run(triples.text, shapes), shapes)
    results += tuple(_bad_term(triple, term, shapes) for triple, term in triples.bad)
    typed, untyped = _nodes_of(triples)
    return CheckReport(
        results=tuple(sorted(set(results), key=lambda result: result.order)),
        checked=typed,
        notes=_notes_on(typed, untyped),
    )


def engine_of(name: str) -> Engine:
    """The engine of that name.

    Raises:
        CheckError: there is none.
    """
    if name == "bulk":
        from lexurn.shacl._bulk import bulk  # noqa: PLC0415  (only the engine asked for)

        return bulk
    if name == "reference":
        from lexurn.shacl._reference import reference  # noqa: PLC0415  (loads rdflib)

        return reference
    raise CheckError(f"there is no engine {name!r}: take 'reference' or 'bulk'")


def results_of(found: Iterable[Found], shapes: Catalogue) -> tuple[Result, ...]:
    """What an engine found, in the words of the shapes; sorted, none twice.

    Raises:
        CheckError: a result of a shape that is not ours.
    """
    results = {_result_of(each, shapes) for each in found}
    return tuple(sorted(results, key=lambda result: result.order))


def _result_of(found: Found, shapes: Catalogue) -> Result:
    shape = shapes.shapes.get(found.shape)
    if shape is None:
        raise CheckError(f"the engine speaks of a shape that is not there: {found.shape}")
    return Result(
        severity=shape.severity,
        focus=found.focus,
        path=None if shape.path is None else shape.path.sparql,
        value=found.value,
        message=shape.message,
        shape=shape.iri,
        component=found.component,
        rule=shape.rule,
    )


def _bad_term(triple: Triple, term: str, shapes: Catalogue) -> Result:
    """The result on a term that no engine can read."""
    shape = shapes.shapes[f"{SHAPES}Term"]
    return Result(
        severity=shape.severity,
        focus=triple[0],
        path=triple[1],
        value=None if term == triple[0] else term,
        message=shape.message,
        shape=shape.iri,
        component=_PATTERN,
        rule=shape.rule,
    )


def _nodes_of(triples: Triples) -> tuple[int, int]:
    """How many nodes are of a class of lexurn, and how many LEX names are of none."""
    typed = {s for s, p, o in triples.good if p == _TYPE and o in _CLASSES}
    names = {s for s, _, _ in triples.good if s[: len(_SCHEME)].lower() == _SCHEME}
    return len(typed), len(names - typed)


def _notes_on(typed: int, untyped: int) -> tuple[str, ...]:
    notes = []
    if not typed:
        notes.append("nothing was checked: no node of the graph is of a class of lexurn")
    if untyped:
        many = "1 LEX name is" if untyped == 1 else f"{untyped:,} LEX names are"
        notes.append(f"{many} of no class of lexurn, and not checked as such")
    return tuple(notes)
