"""What a document says of itself once a name is put into it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lexurn.export._head import head_of, relations_of
from lexurn.export._view import View, family_with
from lexurn.export._words import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.model import Family, LanguageText, Record
    from lexurn.name import Name

__all__ = ["Marking", "marking_of"]

# A marking is the same on every day.
_ANY_DAY = dt.date.min


@dataclass(frozen=True, kw_only=True)
class Marking:
    """A name, and what a document that has it says of itself.

    It is lasting: what is below the name, beside it or after it is no part of it, nor what depends
    on the day. So an amendment, a translation or a new file changes nothing in the documents that
    are there already; ``current`` and ``version-history`` are the work (RFC 9676 section 7.1.1).

    Attributes:
        name: the name of the document.
    """

    name: Name
    _view: View

    @property
    def titles(self) -> tuple[LanguageText, ...]:
        """The titles of the name, else of the version or the work that it is of."""
        titles = self._view.titles(self.name)
        return tuple(replace(each, value=printable(each.value)) for each in titles)

    @property
    def language(self) -> str | None:
        """The language that the name says (BCP 47), None where it says none."""
        return None if self.name.expression is None else self.name.expression.language

    @property
    def version(self) -> str | None:
        """The version that the name says, with its events: ``2005-01-01``; None for a work."""
        return None if self.name.expression is None else str(self.name.expression.version)

    @property
    def aliases(self) -> tuple[Name, ...]:
        """Other names of the same thing, the canonical one first."""
        return tuple(each for each in self._view.equals(self.name) if each != self.name)

    def equals(self, name: Name) -> frozenset[Name]:
        """All names of the same thing as a name: of this one, or of what it is a version of."""
        return frozenset({name, *self._view.equals(name)})

    @cached_property
    def relations(self) -> tuple[tuple[str, str], ...]:
        """What the name is of, and its earlier versions: kinds and IRIs.

        The kinds are ``isPartOf``, ``isFormatOf``, ``isVersionOf`` (Dublin Core) and ``first`` and
        ``previous`` (RFC 9676 section 7.1.1).
        """
        above = ((term, other.iri) for term, other in relations_of(self.name))
        place = self._view.place(self.name)
        if place is None or place.previous is None:
            return tuple(above)
        first, previous = place.chain.first.name.iri, place.previous.name.iri
        return (*above, ("first", first), ("previous", previous))

    def head(self, *, is_xml: bool = False) -> str:
        """The tags for the head of a page, one a line, in a fixed order.

        Args:
            is_xml: whether they are for XHTML.
        """
        return head_of(self._view, self.name, is_xml=is_xml)


def marking_of(
    name: Name, records: Family | Iterable[Record] = (), *, base: str | None = None
) -> Marking:
    """What a document with a name says of itself.

    Args:
        name: the name.
        records: what is known: the family of the name, or any records.
        base: the base of HTTP URIs; None where the names have none, or nobody serves them.

    Raises:
        ValueError: the base is none.
        ModelError: the records contradict each other.
    """
    family = family_with(name, records)
    view = View(family=family, as_of=_ANY_DAY, base=base, is_lasting=True)
    if base is not None:
        view.address(name)
    return Marking(name=name, _view=view)
