"""Statements sifted: what is said of names and copies is kept by node, the rest is turned down.

What names say themselves, and what follows from all that is known, is not kept: it is made anew.
Where a graph says of which layer it is (N-Quads, TriG), that is believed. Where layers are merged,
a name must say what is said to be its own, and what is said to follow must follow in the end.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final, NamedTuple

import pyoxigraph

from lexurn.catalogue import _rdf_vocabulary as v
from lexurn.catalogue._rdf_spool import Tails, Voice
from lexurn.graph import Layer, statements_of
from lexurn.model import Record, family_of
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.catalogue._rdf_spool import QuadSpool

__all__ = ["Refused", "Sieve", "Statement", "act_in", "is_act", "is_name", "line_of"]

Statement = tuple[str, str, str, str]
"""Subject, predicate and object as N-Triples has them; the graph, empty for none."""

_LEX: Final = "<urn:lex:"
_DECODED: Final = f"<{Layer.DECODED.iri}>"
_SELF_EVIDENT: Final = v.DECODED - {v.TYPE}
_ANY_DAY: Final = dt.date(2000, 1, 1)
# Heads of names that are canonical as they stand: whoever reads the whole name says if it is one.
_PLAIN: Final = re.compile(r"<(urn:lex:[a-z0-9.;-]+(?::[a-z0-9.;,+-]+){3})(?:[:@$~][^<>?#]*)?>")


_DIRECTION: Final = re.compile(r'"@[A-Za-z0-9-]+--(?:ltr|rtl)\Z')


class Refused(NamedTuple):
    """A statement that is turned down: a key of `REJECTION_CODES`, and what it says of it."""

    code: str
    detail: str


def is_name(term: str) -> bool:
    """Whether a term should be a LEX name, in whatever case."""
    return term[: len(_LEX)].lower() == _LEX


def line_of(statement: Statement) -> str:
    """The N-Quads line of a statement."""
    subject, predicate, value, graph = statement
    end = f" {graph} ." if graph else " ."
    return f"{subject} {predicate} {value}{end}\n"


class Sieve:
    """What comes in is put on disk, a node at a time; statements of a node mostly come together."""

    def __init__(self, spool: QuadSpool, refuse: Callable[[Statement, Refused], None]) -> None:
        """Keep the parts.

        Args:
            spool: where statements are kept.
            refuse: is given each statement that is turned down.
        """
        self._spool, self._refuse = spool, refuse
        self._source = self._line = 0
        self._node = ""
        self._act: str | Refused | None = None
        self._is_described = False
        self._tails: list[str] = []
        self._own: frozenset[str] | None = None

    def begin(self, source: int) -> None:
        """Go on with another source."""
        self.end()
        self._source = source

    def end(self) -> None:
        """Put what is held on disk."""
        if self._tails or self._is_described:
            said = Tails(self._node, self._tails, self._source, self._line)
            if isinstance(self._act, str):
                self._spool.part(self._act, said)
            else:
                self._spool.fact(said)
        self.drop()

    def drop(self) -> None:
        """Forget what is held."""
        self._node = ""
        self._tails = []
        self._is_described = False

    def take(self, statement: Statement, line: int) -> None:
        """Take in a statement, at a line of the source."""
        subject, predicate, value, graph = statement
        if subject != self._node:
            self.end()
            self._node, self._line, self._own = subject, line, None
            self._act = act_in(subject) if is_name(subject) else None
        act = self._act
        if act is None:
            refused = self._of_other(predicate, value, graph)
        elif not isinstance(act, str):
            refused = act
        elif graph == _DECODED and predicate in _SELF_EVIDENT:  # most of all that comes in
            self._is_described = True
            return
        else:
            refused = self._of_name(act, predicate, value, graph)
        if refused is not None:
            self._refuse(statement, refused)

    def spoil(self, node: str, line: int) -> None:
        """Note that something said of a name cannot be read, so that nothing said of it counts."""
        act = act_in(node) if is_name(node) else None
        if isinstance(act, str):
            self._spool.part(act, Tails(node, (Voice.BROKEN,), self._source, line))

    def _of_name(self, act: str, predicate: str, value: str, graph: str) -> Refused | None:
        layer = v.LAYERS.get(graph)
        if layer is Layer.DECODED:
            known = predicate in v.DECODED and (predicate != v.TYPE or value in v.NAME_CLASSES)
            self._is_described = self._is_described or known
            return None if known else _foreign(predicate, value)
        if layer is Layer.COMPUTED:
            return None if predicate in v.COMPUTED else _foreign(predicate, value)
        if layer is None and graph:
            return Refused("LX981", f"the graph {graph}")
        if predicate in v.STATED:
            return self._stated(act, predicate, value, layer)
        if layer is not None:
            return _foreign(predicate, value)
        return self._merged(predicate, value)

    def _merged(self, predicate: str, value: str) -> Refused | None:
        is_foreign = predicate == v.TYPE and value not in v.NAME_CLASSES
        if predicate in v.DECODED and not is_foreign:
            if f"{predicate} {value}" not in self._says_itself():
                return Refused("LX987", f"{predicate} {value}")
            self._is_described = True
        elif predicate in v.COMPUTED and value[0] != "_":
            self._tails.append(f"{Voice.CLAIMED}{predicate} {value}")
        else:
            return _foreign(predicate, value)
        return None

    def _says_itself(self) -> frozenset[str]:
        """What the name says itself: predicates and objects."""
        if self._own is None:
            name = check(self._node[1:-1]).name
            own: frozenset[str] = frozenset()
            if name is not None:
                family = family_of([Record(name=name)])
                decoded = statements_of(family, as_of=_ANY_DAY).decoded
                own = frozenset(f"{p} {o}" for node, p, o in decoded if node == f"<{name.iri}>")
            self._own = own
        return self._own

    def _stated(self, act: str, predicate: str, value: str, layer: Layer | None) -> Refused | None:
        if value[0] == "<":
            if predicate == v.SAME_AS and not is_name(value):
                return Refused("LX981", f"owl:sameAs {value}")
            if not is_name(value) and not _is_iri(value):
                self.spoil(self._node, self._line)
                return Refused("LX980", f"{value} is not an absolute IRI")
            self._note(act, predicate, value)
        elif _DIRECTION.search(value):
            return Refused("LX981", "a text with a direction (RDF 1.2)")
        voice = Voice.MERGED if layer is None else Voice.CATALOGUED
        self._tails.append(f"{voice}{predicate} {value}")
        return None

    def _note(self, act: str, predicate: str, value: str) -> None:
        if predicate == v.ITEM:
            self._spool.held(value, act, self._source)
        elif predicate == v.SAME_AS:
            other = act_in(value)
            if isinstance(other, str):
                self._spool.alias(act, other, self._source, is_act=is_act(self._node))

    def _of_other(self, predicate: str, value: str, graph: str) -> Refused | None:
        layer = v.LAYERS.get(graph)
        if layer is Layer.COMPUTED:
            known = predicate in v.COPY_LINKS and is_name(value)
            return None if known else _foreign(predicate, value)
        if layer is Layer.DECODED or (graph and layer is None):
            return Refused("LX981", f"{self._node} in the graph {graph}")
        if predicate in v.COPY_FACTS and (predicate != v.TYPE or value in v.COPY_CLASSES):
            if predicate == v.CHECKSUM:
                self._spool.digest(value, self._node, self._source)
            voice = Voice.MERGED if layer is None else Voice.CATALOGUED
            self._tails.append(f"{voice}{predicate} {value}")
            return None
        act = act_in(value) if is_name(value) else None
        if layer is None and predicate in v.COPY_LINKS and isinstance(act, str):
            claim = f"{Voice.CLAIMED}{predicate} {value}"
            self._spool.part(act, Tails(self._node, (claim,), self._source, self._line))
            return None
        return _foreign(predicate, value)


def act_in(term: str) -> str | Refused:
    """The canonical text of the act that a name belongs to."""
    plain = _PLAIN.fullmatch(term)
    if plain is not None:
        return plain[1]
    report = check(term[1:-1])
    if report.name is None:
        problem = report.errors[0]
        said = f"{term} is not a LEX name: {problem.message} ({problem.rule})"
        return Refused("LX982", said)
    return str(report.name.act_name)


def is_act(term: str) -> bool:
    """Whether a term is the node of an act, not of what stands below one."""
    name = check(term[1:-1]).name
    return name is not None and name.is_act


def _foreign(predicate: str, value: str) -> Refused:
    if predicate == v.TYPE:
        return Refused("LX981", f"the class {value}")
    return Refused("LX981", f"the property {predicate}")


def _is_iri(term: str) -> bool:
    try:
        pyoxigraph.NamedNode(term[1:-1])
    except ValueError:
        return False
    return True
