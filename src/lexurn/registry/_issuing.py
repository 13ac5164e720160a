"""What the words of the registry say of issuers: of what kind, by what name, whose a measure is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lexurn.registry._keys import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.registry._entries import Entry
    from lexurn.registry._law import Law, Words
    from lexurn.registry._registry import Registry

__all__ = ["ANYBODY", "MOST_LANGUAGES", "IssuingWords", "Stated", "issuing_words", "stated_of"]

MOST_LANGUAGES: Final = 6
"""Of how many languages of a jurisdiction the words are known."""

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

    def beside(self, stated: Stated) -> frozenset[str]:
        """The kinds of authority that cannot be another's than what a measure states."""
        return self.named if stated.is_loose else self.first


@lru_cache(maxsize=64)
def issuing_words(registry: Registry, code: str) -> IssuingWords:
    """The words of the authorities of a jurisdiction-code.

    What stands behind a registered kind of authority (``comune``) is the proper name of one.
    """
    law = registry.law(code)
    words = _words_of(registry, law)
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


def _words_of(registry: Registry, law: Law) -> list[Words]:
    return [registry.words(each) for each in law.languages[:MOST_LANGUAGES]]


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

    def told(self) -> list[str]:
        """Who the issuer may be, for people; of kinds that begin alike, the shortest."""
        if self.issuer is not None:
            return [f'"{self.issuer}"']
        starts = sorted(self.kinds or filter(None, [self.body]), key=len)
        shortest = (
            each for at, each in enumerate(starts) if not each.startswith(tuple(starts[:at]))
        )
        return [f'{"several of " * (each in self.several)}"{each}"' for each in shortest]

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


def stated_of(entry: Entry | None, asked: str, registry: Registry, code: str) -> Stated:
    """What a word for a registered measure states of its issuer; the type alone states nothing.

    Args:
        entry: the measure; one that is not registered states nothing.
        asked: the measure as it was written, in words.
        registry: whose words are known.
        code: the jurisdiction-code.
    """
    if entry is None or key_of(asked) == key_of(entry.notation.replace(".", " ")):
        return ANYBODY
    law = registry.law(code)
    stated = _labelled(entry, _words_of(registry, law), asked)
    if stated != ANYBODY:
        return stated
    return _compounded(entry, asked, law, issuing_words(registry, code).first)


def _labelled(entry: Entry, words: Sequence[Words], asked: str) -> Stated:
    """What labels state, or adjectives.

    A label that says no more than the type ("Legge") names no issuer, even where the registry
    knows the one that it belongs to; the word that was written may say more ("legge statale").

    Args:
        entry: the measure.
        words: the words of the languages of the law.
        asked: the measure as it was written, in words.
    """
    plain = entry.notation.replace(".", " ")
    connectives = frozenset[str]().union(*(each.connectives for each in words))
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


def _compounded(entry: Entry, asked: str, law: Law, known: frozenset[str]) -> Stated:
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
