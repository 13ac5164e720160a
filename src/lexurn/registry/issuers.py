"""Issuers: statements of the word for a measure about the authority that issues it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.registry.entries import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.registry.entries import Entry
    from lexurn.registry.registry import Law, Registry, Words

# The words of so many languages of a jurisdiction are used.
MAX_LANGUAGES = 6
_BETWEEN_PREFIX = "inter"
_LONGEST_SHORT_WORD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorityWords:
    """Words in the names of the authorities of a jurisdiction.

    Attributes:
        whole: the notations of authorities and bodies.
        every: all words in them.
        plain: all words but the proper names of places.
        first: the words for kinds of authority: ``ministero``, ``comune``.
        named: the words for kinds with an adjective: ``regione`` has "regionale".
    """

    whole: frozenset[str]
    every: frozenset[str]
    plain: frozenset[str]
    first: frozenset[str]
    named: frozenset[str]

    def select_kinds(self, stated: StatedIssuer) -> frozenset[str]:
        """Return the kinds of authority that may contradict the stated issuer."""
        return self.named if stated.is_loose else self.first


@lru_cache(maxsize=64)
def collect_authority_words(registry: Registry, code: str) -> AuthorityWords:
    """Collect the words of the authorities of a jurisdiction-code.

    A text behind a registered kind of authority (``comune``) is a proper name.
    """
    law = registry.law(code)
    words = _load_words(registry, law)
    authorities = {entry.notation for entry in law.authorities}
    whole = {
        part
        for entry in (*law.authorities, *law.bodies)
        for part in (entry.notation, *entry.notation.split(";"))
    }
    kinds = tuple(f"{each}{mark}" for each in authorities for mark in ".;")
    behind = (each[len(kind) :] for each in authorities for kind in kinds if each.startswith(kind))
    names = _split_notations((*behind, *(entry.notation for entry in law.units)))
    heads = {head for each in words for found in each.qualifiers.values() for head in found}
    known = (entry.notation for entry in (*law.authorities, *law.bodies))
    first = {each.partition(";")[0].partition(".")[0] for each in (*known, *heads)}
    every = _split_notations(whole) | first
    plain = every - (names - first)
    return AuthorityWords(
        whole=frozenset(whole),
        every=frozenset(every),
        plain=frozenset(plain),
        first=frozenset(first),
        named=frozenset(head.partition(".")[0] for head in heads),
    )


def _load_words(registry: Registry, law: Law) -> list[Words]:
    return [registry.words(each) for each in law.languages[:MAX_LANGUAGES]]


def _split_notations(notations: Iterable[str]) -> set[str]:
    return {word for each in notations for word in each.replace(";", ".").split(".")}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedIssuer:
    """Statement of the word for a measure about its issuer (RFC 9676 section 6.2.1).

    Attributes:
        issuer: the notation of the stated authority, or None.
        body: the notation of the stated body or office, or None.
        kinds: the beginnings of authorities of the stated kinds.
        several: the kinds of which several authorities issue it together ("interministeriale").
        is_loose: True if an adjective alone states the kind ("federale"); authorities of kinds
            without an adjective do not contradict it.
    """

    issuer: str | None = None
    body: str | None = None
    kinds: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    is_loose: bool = False

    @property
    def is_empty(self) -> bool:
        """True if any authority may be the issuer."""
        return not (self.issuer or self.body or self.kinds)

    def describe(self) -> list[str]:
        """Describe the possible issuers; of kinds with the same beginning, only the shortest."""
        if self.issuer is not None:
            return [f'"{self.issuer}"']
        starts = sorted(self.kinds or filter(None, [self.body]), key=len)
        shortest = (
            each for at, each in enumerate(starts) if not each.startswith(tuple(starts[:at]))
        )
        return [f'{"several of " * (each in self.several)}"{each}"' for each in shortest]

    def is_met_by(self, authority: str) -> bool:
        """Return whether one of the issuers in an authority is a stated one."""
        issuers = authority.split("+")
        if self.body is not None:
            return any(map(self._has_body, issuers))
        is_single = len(issuers) == 1
        return not self.kinds or any(
            self._is_of_kind(each, is_single=is_single) for each in issuers
        )

    def may_be(self, authority: str, known: frozenset[str] | None = None) -> bool:
        """Return whether a given authority may be the stated one.

        It may omit its body (section 6.1.4).

        Args:
            authority: the whole element.
            known: kinds of authority; if given, an authority of no such kind may be any.
        """
        if not (self.issuer or self.kinds):
            return True
        issuers = authority.split("+")
        return any(
            (self.issuer is not None and _is_start(issuer, self.issuer))
            or (self.body is not None and self._has_body(issuer))
            or self._is_of_kind(issuer, is_single=len(issuers) == 1)
            or (known is not None and not self._is_of_known_kind(issuer, known))
            for issuer in issuers
        )

    def _has_body(self, issuer: str) -> bool:
        """Return whether an issuer has all words of the stated body."""
        return _split_notations([self.body or ""]) <= _split_notations([issuer])

    def _is_of_kind(self, issuer: str, *, is_single: bool) -> bool:
        kinds = [kind for kind in self.kinds if not (is_single and kind in self.several)]
        return any(_is_start(issuer, kind) for kind in kinds)

    def _is_of_known_kind(self, issuer: str, known: frozenset[str]) -> bool:
        """Return whether the first word of an authority is a known kind, or begins one.

        ``land`` is not a kind, but it begins ``landtag`` and ``landesregierung``.
        """
        first = issuer.partition(";")[0].partition(".")[0]
        if first in known or self.is_loose or len(first) <= _LONGEST_SHORT_WORD:
            return first in known
        return any(each.startswith(first) for each in known)


def _is_start(issuer: str, start: str) -> bool:
    return issuer == start or issuer.startswith((f"{start}.", f"{start};"))


ANY_ISSUER = StatedIssuer()


def find_stated_issuer(
    entry: Entry | None, asked: str, registry: Registry, code: str
) -> StatedIssuer:
    """Find the issuer that the word for a measure states; the type alone states none.

    Args:
        entry: the measure; None for an unregistered one, which states no issuer.
        asked: the measure as it was written, in words.
        registry: the registry.
        code: the jurisdiction-code.
    """
    if entry is None or make_key(asked) == make_key(entry.notation.replace(".", " ")):
        return ANY_ISSUER
    law = registry.law(code)
    stated = _read_labels(entry, _load_words(registry, law), asked)
    if stated != ANY_ISSUER:
        return stated
    return _read_compound(entry, asked, law, collect_authority_words(registry, code).first)


def _read_labels(entry: Entry, words: Sequence[Words], asked: str) -> StatedIssuer:
    """Read the issuer from the labels of a measure, or from adjectives.

    A label with nothing but the type ("Legge") states no issuer, even if the registry has one. The
    word that was written may have an adjective ("legge statale").

    Args:
        entry: the measure.
        words: the words of the languages of the law.
        asked: the measure as it was written, in words.
    """
    plain = entry.notation.split(".")
    connectives = frozenset[str]().union(*(each.connectives for each in words))
    labels = [_list_words(each.text, connectives) for each in entry.labels]
    if not labels or ";" in entry.notation:
        return ANY_ISSUER
    if plain in labels:
        more = [word for word in _list_words(asked, connectives) if word not in plain]
        if not all(any(word in each.qualifiers for each in words) for word in more):
            return ANY_ISSUER  # an adjective may belong to another word: "federal register notice"
        found = _read_qualifiers(more, words)
        return replace(found, is_loose=bool(found.kinds))
    more = [word for label in labels for word in label if word not in plain]
    kinds = _read_qualifiers(more, words)
    return replace(kinds, issuer=entry.issuer, body=entry.body)


def _list_words(text: str, connectives: frozenset[str]) -> list[str]:
    """List the words of a text, without connectives."""
    return [word for word in make_key(text).split() if word not in connectives]


def _read_qualifiers(adjectives: Iterable[str], words: Sequence[Words]) -> StatedIssuer:
    """Read the kinds of authority that adjectives state.

    "Ministeriale" states one authority of a kind, "interministeriale" several.
    """
    kinds: dict[str, None] = {}
    several: dict[str, None] = {}
    for qualifiers in (each.qualifiers for each in words):
        for word in adjectives:
            found = qualifiers.get(word, ())
            kinds.update(dict.fromkeys(found))
            if word.startswith(_BETWEEN_PREFIX):
                single = qualifiers.get(word.removeprefix(_BETWEEN_PREFIX), ())
                several.update((kind, None) for kind in found if kind in single)
    return StatedIssuer(kinds=tuple(kinds), several=tuple(several))


def _read_compound(entry: Entry, asked: str, law: Law, known: frozenset[str]) -> StatedIssuer:
    """Read the issuer from the first half of a compound: ``landesgesetz`` is the law of a Land.

    Args:
        entry: the measure.
        asked: the measure as it was written.
        law: the law of the jurisdiction.
        known: the first words of authorities.
    """
    first = make_key(asked).removesuffix(entry.notation)
    if not first.endswith("s") or " " in first or make_key(asked) == first:
        return ANY_ISSUER
    stems = {first[:-1], first.removesuffix("es")}
    kinds = {each for each in known if each.startswith(tuple(stems))}
    found = {each.notation for stem in stems for each in law.authorities.find(stem)}
    if not kinds and not found:
        return ANY_ISSUER
    if found and entry.issuer is not None:
        found.add(entry.issuer)
    return StatedIssuer(kinds=tuple(sorted(kinds | found | stems)))
