"""The part of a family's graph that describes one name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.export._view import above
from lexurn.graph import Statements

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.export._view import View
    from lexurn.name import Name

    Triple = tuple[str, str, str]
    Index = Mapping[str, list[Triple]]

__all__ = ["Excerpts"]

_LEX = "<urn:lex:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpts:
    """A family's statements by subject, ready to be cut to what describes single names.

    Attributes:
        view: the family.
        decoded: what the names say themselves, by subject.
        catalogued: what publishers state, by subject.
        computed: what follows, by subject.
    """

    view: View
    decoded: Index
    catalogued: Index
    computed: Index

    @classmethod
    def of(cls, view: View, statements: Statements) -> Excerpts:
        """Index the statements of a family."""
        return cls(
            view=view,
            decoded=_by_subject(statements.decoded),
            catalogued=_by_subject(statements.catalogued),
            computed=_by_subject(statements.computed),
        )

    def about(self, name: Name) -> Statements:
        """What describes ``name``.

        That is itself, its other names, all that is nested under them, with copies and addresses,
        and what the names above it say themselves.
        """
        subjects = [f"<{each.iri}>" for each in self.view.below(name)]
        if self.view.base is not None:
            subjects += [f"<{self.view.address(each)}>" for each in self.view.below(name)]
        ancestors = [f"<{each.iri}>" for each in above(name)]
        everything = self._with_copies(subjects)
        return Statements(
            decoded=_gathered(self.decoded, dict.fromkeys((*everything, *ancestors))),
            catalogued=_gathered(self.catalogued, everything),
            computed=_gathered(self.computed, everything),
        )

    def _with_copies(self, subjects: Iterable[str]) -> Iterable[str]:
        """The subjects, and what they point to that is described here and is no LEX name."""
        found = dict.fromkeys(subjects)
        waiting = list(found)
        while waiting:
            subject = waiting.pop()
            for index in (self.catalogued, self.computed):
                for _, _, target in index.get(subject, ()):
                    if target not in found and self._is_described(target):
                        found[target] = None
                        waiting.append(target)
        return found

    def _is_described(self, term: str) -> bool:
        if not term.startswith("<") or term.startswith(_LEX):
            return False
        return term in self.catalogued or term in self.computed


def _by_subject(triples: Iterable[Triple]) -> Index:
    index: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples:
        index[triple[0]].append(triple)
    return index


def _gathered(index: Index, subjects: Iterable[str]) -> tuple[Triple, ...]:
    return tuple(triple for subject in subjects for triple in index.get(subject, ()))
