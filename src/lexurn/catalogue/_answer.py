"""What a resolver answers: candidates, their best versions, documents, copies (RFC 9676 10.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.catalogue._reasons import Match

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator

    from lexurn.catalogue._reasons import Reason
    from lexurn.model import LanguageText
    from lexurn.name import Name

__all__ = ["Answer", "Candidate", "Copy", "Document", "Edition"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """Where one copy lies.

    Attributes:
        url: its http or https URL, with the partition asked for as its fragment (section 5.8).
        bytes: its size, or None.
        sha256: its digest, or None.
    """

    url: str
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A manifestation, or what else copies are stated of: an expression, an act, a partition.

    Attributes:
        name: its canonical name; of a partition the first name that it is held under.
        copies: its copies, sorted by URL; empty where none is known or may be given out.
        partition: what of the partition asked for its copies are known to mark, or None.
    """

    name: Name
    copies: tuple[Copy, ...] = ()
    partition: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """A version that was chosen, in one language.

    Attributes:
        name: its canonical name.
        language: its language tag, or None.
        start: the first day in force, None where nothing says so.
        until: the first day no longer in force, or None.
        in_force: whether it is in force on the day of the answer, as what is withdrawn never
            is; None where nothing says so.
    """

    name: Name
    language: str | None = None
    start: dt.date | None = None
    until: dt.date | None = None
    in_force: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One thing that the name may mean.

    Attributes:
        name: its canonical name, at the level down to which the name was found.
        match: how it was found.
        score: how sure that is, from 0 to 1.
        reasons: each step from the name asked for to this one, and what is to be known of it.
        titles: titles of it, or of what it belongs to.
        editions: the versions that were chosen, by language.
        documents: their documents, then those of the work as a whole.
        withdrawn_on: the day of withdrawal, where it is known.
        uri: its HTTP-URI equivalent, where the catalogue has a base.
    """

    name: Name
    match: Match
    score: float
    reasons: tuple[Reason, ...] = ()
    titles: tuple[LanguageText, ...] = ()
    editions: tuple[Edition, ...] = ()
    documents: tuple[Document, ...] = ()
    withdrawn_on: dt.date | None = None
    uri: str | None = None

    @property
    def urls(self) -> tuple[str, ...]:
        """The URLs of all copies, each once, in the order of the documents."""
        found = (copy.url for document in self.documents for copy in document.copies)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of a name that was asked for.

    Attributes:
        text: the name as given.
        name: what was read of it, without its partition; None where nothing could be read or an
            element is missing.
        match: how it was found; `Match.NONE` where it was not.
        date: the day for what is in force.
        language: the language that was asked for, or None.
        partition: the partition that was asked for, or None.
        candidates: all that have the same, best claim (LX959: the first thousand), in the order of
            their names; last what is withdrawn and fits as well, where the name does not tell them
            apart.
        reasons: where there is no candidate: why; else what holds for the whole answer.
    """

    text: str
    name: Name | None
    match: Match
    date: dt.date
    language: str | None = None
    partition: str | None = None
    candidates: tuple[Candidate, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def found(self) -> bool:
        """Whether there is anything to give: withdrawn names have nothing any more."""
        return self.match not in {Match.NONE, Match.WITHDRAWN}

    @property
    def is_ambiguous(self) -> bool:
        """Whether several acts have the same claim."""
        return len(self.candidates) > 1

    @property
    def urls(self) -> tuple[str, ...]:
        """The URLs of all copies of all candidates, each once."""
        return tuple(dict.fromkeys(self._urls()))

    def all_reasons(self) -> Iterator[Reason]:
        """The reasons of the answer and of its candidates."""
        yield from self.reasons
        for candidate in self.candidates:
            yield from candidate.reasons

    def _urls(self) -> Iterator[str]:
        for candidate in self.candidates:
            yield from candidate.urls
