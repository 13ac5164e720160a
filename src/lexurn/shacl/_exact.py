"""Which nodes say of themselves exactly what their name says: most, and the shapes know it then.

The shapes of ``names.ttl`` ask whether what is decoded of a name agrees with it, no more and no
less. Where the statements on a node are the very ones that lexurn decodes of its name, the answer
is known, and no engine need be asked with a hundred patterns. All other nodes go to the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import pyoxigraph

from lexurn.graph import decoded_of
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Scope", "doubtful", "scope_of"]

_SH: Final = "http://www.w3.org/ns/shacl#"
_TYPE: Final = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_LEX: Final = "<urn:lex:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What some shapes look at.

    Attributes:
        predicates: those whose values they look at, the type among them.
        subjects_of: predicates whose subjects they look at.
        classes: classes whose members they look at.
    """

    predicates: frozenset[str]
    subjects_of: frozenset[str]
    classes: frozenset[str]


@lru_cache(maxsize=8)
def scope_of(turtle: str) -> Scope:
    """What the shapes in a Turtle text look at; those without a target do not count.

    Raises:
        ValueError: a shape has a target of another kind, so that it may look at any node.
    """
    values: dict[str, set[str]] = {"path": set(), "targetSubjectsOf": set(), "targetClass": set()}
    for quad in pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE):
        term = quad.predicate.value.removeprefix(_SH)
        if term in values:
            values[term].add(str(quad.object))
        elif term.startswith("target"):
            raise ValueError(f"shapes of names have no {term}")
    return Scope(
        predicates=frozenset({_TYPE, *values["path"]}),
        subjects_of=frozenset(values["targetSubjectsOf"]),
        classes=frozenset(values["targetClass"]),
    )


def doubtful(ntriples: str, scope: Scope) -> str:
    """The triples on nodes that the shapes look at, but for those that say what their name says."""
    nodes: dict[str, list[str]] = {}
    for line in ntriples.split("\n"):
        subject, _, tail = line.partition(" ")
        if tail:
            nodes.setdefault(subject, []).append(tail)
    return "".join(
        f"{subject} {tail}\n"
        for subject, tails in nodes.items()
        if not (
            _is_exact(subject, tails, scope.predicates)
            if subject.startswith(_LEX)
            else _is_out(tails, scope)
        )
        for tail in tails
    )


def _is_settled(subject: str, tails: Iterable[str], scope: Scope) -> bool:
    if subject.startswith(_LEX):
        return _is_exact(subject, tails, scope.predicates)
    return _is_out(tails, scope)


def _is_exact(subject: str, tails: Iterable[str], predicates: frozenset[str]) -> bool:
    name = check(subject[1:-1]).name
    if name is None or f"<{name.iri}>" != subject:
        return False
    said = {tail.removesuffix(" .") for tail in tails if tail.partition(" ")[0] in predicates}
    return said == {tail for tail in decoded_of(name) if tail.partition(" ")[0] in predicates}


def _is_out(tails: Iterable[str], scope: Scope) -> bool:
    """Whether none of the shapes looks at a node."""
    for tail in tails:
        predicate, _, value = tail.partition(" ")
        if predicate in scope.subjects_of:
            return False
        if predicate == _TYPE and value.removesuffix(" .") in scope.classes:
            return False
    return True
