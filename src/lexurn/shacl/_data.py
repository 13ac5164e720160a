"""What is to be checked, as N-Triples: from rdflib graphs and from statements of lexurn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pyoxigraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import rdflib

    from lexurn.graph import Statements

__all__ = ["Triples", "triples_of"]

Triple = tuple[str, str, str]
_NO_IRI = re.compile('[\x00-\x20<>"{}|^`\\\\\ud800-\udfff]')
_LABEL = re.compile(r"[^A-Za-z0-9]")


class Triples:
    """Triples as texts, those that no engine could read set apart.

    Attributes:
        good: terms as N-Triples writes them.
        bad: triples with a term that is none of RDF's, each with that term, quoted.
    """

    __slots__ = ("bad", "good")

    def __init__(self, good: Iterable[Triple], bad: Iterable[tuple[Triple, str]] = ()) -> None:
        """Sort what is good and keep what is bad."""
        self.good = tuple(sorted(set(good)))
        self.bad = tuple(bad)

    @property
    def text(self) -> str:
        """The good triples as N-Triples."""
        return "".join(
            f"{subject} {predicate} {value} .\n" for subject, predicate, value in self.good
        )


def triples_of(graph: rdflib.Graph | Statements) -> Triples:
    """The triples of an rdflib graph (or dataset: all its graphs), or of statements."""
    merged: tuple[Triple, ...] | None = getattr(graph, "merged", None)
    if merged is not None:
        return Triples(merged)
    good: list[Triple] = []
    bad: list[tuple[Triple, str]] = []
    for nodes in _nodes_of(graph):
        terms = tuple(_term_of(node) for node in nodes)
        wrong = next((term for term, right in terms if not right), None)
        subject, predicate, value = (term for term, _ in terms)
        if wrong is None:
            good.append((subject, predicate, value))
        else:
            bad.append(((subject, predicate, value), wrong))
    return Triples(good, bad)


def _nodes_of(graph: Any) -> Iterator[tuple[Any, Any, Any]]:
    quads = getattr(graph, "quads", None)
    if quads is None:
        yield from graph
    else:
        for subject, predicate, value, _ in quads():
            yield subject, predicate, value


def _term_of(node: Any) -> tuple[str, bool]:
    """A node of rdflib as N-Triples writes it, and whether RDF has such a term."""
    from rdflib import BNode, Literal  # noqa: PLC0415  (statements need no rdflib)

    if isinstance(node, BNode):
        return f"_:{_LABEL.sub(lambda found: f'x{ord(found[0]):x}', node)}", True
    try:
        if isinstance(node, Literal):
            return _literal(node), True
        if _NO_IRI.search(node) is None:
            return str(pyoxigraph.NamedNode(node)), True
    except ValueError:
        pass
    return f"<{node}>", False


def _literal(node: Any) -> str:
    """A literal as Oxigraph writes it.

    Raises:
        ValueError: its language or its datatype is none, or it holds a lone surrogate.
    """
    if node.language is not None:
        return str(pyoxigraph.Literal(str(node), language=node.language))
    if node.datatype is None:
        return str(pyoxigraph.Literal(str(node)))
    return str(pyoxigraph.Literal(str(node), datatype=pyoxigraph.NamedNode(str(node.datatype))))
