"""What the words of the registry say of issuers: of what kind, by what name, whose a measure is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.registry import Entry, Law, Words

__all__ = ["ANYBODY", "IssuingWords", "Stated", "issuing_words", "stated_by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuingWords:
    """The words that the authorities of a jurisdiction are called by.

    Attributes:
        whole: the notations of authorities and bodies.
        every: all words in them.
        plain: those of them that are no proper names of places.
        first: those that say of what kind an authority is: ``ministero``, ``comune``.
    """

    whole: frozenset[str]
    every: frozenset[str]
    plain: frozenset[str]
    first: frozenset[str]


def issuing_words(law: Law, words: Iterable[Words]) -> IssuingWords:
    """The words of a law's authorities.

    What stands behind a registered kind of authority (``comune``) is the proper name of one.
    """
    authorities = {entry.notation for entry in law.authorities}
    whole = {
        part
        for entry in (*law.authorities, *law.bodies)
        for part in (entry.notation, *entry.notation.split(";"))
    }
    kinds = tuple(f"{each}{mark}" for each in authorities for mark in ".;")
    behind = (each[len(kind) :] for each in authorities for kind in kinds if each.startswith(kind))
    names = _words((*behind, *(entry.notation for entry in law.units)))
    heads = {head for each in words for found in each.qualifiers.values() for head in found}
    known = (entry.notation for entry in (*law.authorities, *law.bodies))
    first = {each.partition(";")[0].partition(".")[0] for each in (*known, *heads)}
    every = _words(whole) | first
    plain = every - (names - first)
    return IssuingWords(
        whole=frozenset(whole),
        every=frozenset(every),
        plain=frozenset(plain),
        first=frozenset(first),
    )


def _words(notations: Iterable[str]) -> set[str]:
    return {word for each in notations for word in each.replace(";", ".").split(".")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What the words of a measure state of its issuer (RFC 9676 section 6.2.1).

    Attributes:
        issuer: the notation of the authority that they name, or None.
        body: the notation of the body or office in it that they name, or None.
        kinds: what the authority begins with, where they only say of what kind it is.
    """

    issuer: str | None = None
    body: str | None = None
    kinds: tuple[str, ...] = ()

    @property
    def says_nothing(self) -> bool:
        """Whether the issuer may be anybody."""
        return not (self.issuer or self.body or self.kinds)

    def suits(self, authority: str) -> bool:
        """Whether an authority may be the one that is stated; one of several issuers is enough."""
        return any(self._suits_one(issuer) for issuer in authority.split("+"))

    def _suits_one(self, issuer: str) -> bool:
        if self.body is not None and not _words([self.body]) <= _words([issuer]):
            return False
        return not self.kinds or any(
            issuer == kind or issuer.startswith((f"{kind}.", f"{kind};")) for kind in self.kinds
        )


ANYBODY: Final = Stated()


def stated_by(entry: Entry, words: Iterable[Words], connectives: frozenset[str]) -> Stated:
    """What the words of a registered measure state of its issuer.

    A label that says no more than the type ("Legge") names no issuer, even where the registry
    knows the one that it belongs to.
    """
    plain = entry.notation.replace(".", " ")
    labels = [_bare(each.text, connectives) for each in entry.labels]
    if not labels or plain in labels or ";" in entry.notation:
        return ANYBODY
    if entry.issuer is not None or entry.body is not None:
        return Stated(issuer=entry.issuer, body=entry.body)
    said = [word for label in labels for word in label.split() if word not in plain.split()]
    kinds = [kind for each in words for word in said for kind in each.qualifiers.get(word, ())]
    return Stated(kinds=tuple(dict.fromkeys(kinds)))


def _bare(text: str, connectives: frozenset[str]) -> str:
    return " ".join(word for word in key_of(text).split() if word not in connectives)
