"""What the words of the registry say of issuers: of what kind, by what name, whose a measure is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.registry import Entry, Law, Words

__all__ = ["ANYBODY", "IssuingWords", "Stated", "compounded", "issuing_words", "stated_by"]

_BETWEEN: Final = "inter"
_SHORT: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuingWords:
    """The words that the authorities of a jurisdiction are called by.

    Attributes:
        whole: the notations of authorities and bodies.
        every: all words in them.
        plain: those of them that are no proper names of places.
        first: those that say of what kind an authority is: ``ministero``, ``comune``.
        named: those of them that have an adjective: ``regione`` has "regionale".
    """

    whole: frozenset[str]
    every: frozenset[str]
    plain: frozenset[str]
    first: frozenset[str]
    named: frozenset[str]


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
        named=frozenset(head.partition(".")[0] for head in heads),
    )


def _words(notations: Iterable[str]) -> set[str]:
    return {word for each in notations for word in each.replace(";", ".").split(".")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What the words of a measure state of its issuer (RFC 9676 section 6.2.1).

    Attributes:
        issuer: the notation of the authority that they name, or None.
        body: the notation of the body or office in it that they name, or None.
        kinds: what the authority begins with, where they say of what kind it is.
        several: those of the kinds of which no single one issues it ("interministeriale").
        is_loose: whether an adjective alone says so ("federale"), which authorities of kinds
            without an adjective of their own do not gainsay.
    """

    issuer: str | None = None
    body: str | None = None
    kinds: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    is_loose: bool = False

    @property
    def says_nothing(self) -> bool:
        """Whether the issuer may be anybody."""
        return not (self.issuer or self.body or self.kinds)

    def suits(self, authority: str) -> bool:
        """Whether an authority is one that is stated; one of several issuers is enough."""
        issuers = authority.split("+")
        return any(self._suits_one(issuer, is_single=len(issuers) == 1) for issuer in issuers)

    def _suits_one(self, issuer: str, *, is_single: bool) -> bool:
        if self.body is not None:
            return _words([self.body]) <= _words([issuer])
        return not self.kinds or self._is_of_kind(issuer, is_single=is_single)

    def may_be(self, authority: str, known: frozenset[str] | None = None) -> bool:
        """Whether an authority that stands beside the measure may be the one that is stated.

        It may leave out its body (section 6.1.4).

        Args:
            authority: the whole element.
            known: where it is given, an authority of none of these kinds may be any.
        """
        issuers = authority.split("+")
        return any(
            self._may_be_one(issuer, is_single=len(issuers) == 1)
            or (known is not None and not self._gainsays(issuer, known))
            for issuer in issuers
        )

    def _gainsays(self, issuer: str, known: frozenset[str]) -> bool:
        """Whether an authority is of a kind that is known: by its first word, or what that begins.

        ``land`` is no kind that is listed, but there are ``landtag`` and ``landesregierung``.
        """
        first = issuer.partition(";")[0].partition(".")[0]
        if first in known or self.is_loose or len(first) <= _SHORT:
            return first in known
        return any(each.startswith(first) for each in known)

    def _may_be_one(self, issuer: str, *, is_single: bool) -> bool:
        if self.issuer is not None and _begins(issuer, self.issuer):
            return True
        if self.body is not None and _words([self.body]) <= _words([issuer]):
            return True
        if not self.kinds:
            return self.issuer is None
        return self._is_of_kind(issuer, is_single=is_single)

    def _is_of_kind(self, issuer: str, *, is_single: bool) -> bool:
        kinds = [kind for kind in self.kinds if not (is_single and kind in self.several)]
        return any(_begins(issuer, kind) for kind in kinds)


def _begins(issuer: str, start: str) -> bool:
    return issuer == start or issuer.startswith((f"{start}.", f"{start};"))


ANYBODY: Final = Stated()


def stated_by(
    entry: Entry, words: Sequence[Words], connectives: frozenset[str], asked: str
) -> Stated:
    """What the words of a registered measure state of its issuer.

    A label that says no more than the type ("Legge") names no issuer, even where the registry
    knows the one that it belongs to; the word that was written may say more ("legge statale").

    Args:
        entry: the measure.
        words: the words of the languages of the law.
        connectives: words that say nothing.
        asked: the measure as it was written, in words.
    """
    plain = entry.notation.replace(".", " ")
    labels = [_bare(each.text, connectives) for each in entry.labels]
    if not labels or ";" in entry.notation:
        return ANYBODY
    if plain in labels:
        more = _more([_bare(asked, connectives)], plain)
        if not all(any(word in each.qualifiers for each in words) for word in more):
            return ANYBODY  # an adjective may belong to another word: "federal register notice"
        found = _of_kinds(more, words)
        return replace(found, is_loose=bool(found.kinds))
    kinds = _of_kinds(_more(labels, plain), words)
    return replace(kinds, issuer=entry.issuer, body=entry.body)


def _more(labels: Iterable[str], plain: str) -> list[str]:
    """The words that labels have more than a type."""
    return [word for label in labels for word in label.split() if word not in plain.split()]


def _of_kinds(said: Iterable[str], words: Sequence[Words]) -> Stated:
    """The kinds of authority that adjectives name, and those that they name several of.

    "Interministeriale" names several of those that "ministeriale" names one of.
    """
    kinds: dict[str, None] = {}
    several: dict[str, None] = {}
    for qualifiers in (each.qualifiers for each in words):
        for word in said:
            found = qualifiers.get(word, ())
            kinds.update(dict.fromkeys(found))
            if word.startswith(_BETWEEN):
                single = qualifiers.get(word.removeprefix(_BETWEEN), ())
                several.update((kind, None) for kind in found if kind in single)
    return Stated(kinds=tuple(kinds), several=tuple(several))


def compounded(entry: Entry, asked: str, law: Law, known: frozenset[str]) -> Stated:
    """What a compound states of an issuer: ``landesgesetz`` is that of a Land, by its first half.

    Args:
        entry: the measure.
        asked: the measure as it was written.
        law: whose authorities are known.
        known: the first words of authorities.
    """
    first = key_of(asked).removesuffix(entry.notation)
    if not first.endswith("s") or " " in first or key_of(asked) == first:
        return ANYBODY
    stems = {first[:-1], first.removesuffix("es")}
    kinds = {each for each in known if each.startswith(tuple(stems))}
    found = {each.notation for stem in stems for each in law.authorities.find(stem)}
    if not kinds and not found:
        return ANYBODY
    if found and entry.issuer is not None:
        found.add(entry.issuer)
    return Stated(kinds=tuple(sorted(kinds | found | stems)))


def _bare(text: str, connectives: frozenset[str]) -> str:
    return " ".join(word for word in key_of(text).split() if word not in connectives)
