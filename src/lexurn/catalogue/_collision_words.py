"""The name of an act with less and less of its spelling, so that names alike are found (3.3-4.3).

Each stage sets one more thing aside: zeros in front of numbers, accents and letters outside ASCII,
connectives, what a dialect writes otherwise, and at last the words themselves, for which the
registry's take their place, the order of issuers, dates and numbers, and what texts add to these.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from lexurn.catalogue._connectives import bearing
from lexurn.catalogue._keys import number_key
from lexurn.catalogue._normalised import jurisdictions_of, tongue_of
from lexurn.dialect import convert
from lexurn.minting import without_thousands, without_year
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from lexurn.catalogue._normalised import Tongue
    from lexurn.registry import Lexicon, Registry

__all__ = ["STAGES", "Act", "Wording"]

#: The stages in order: the codes of the rules whose names are alike from there on.
STAGES: Final = ("LX965", "LX964", "LX963", "LX962", "LX960")
_WORD: Final = re.compile(r"[^.;+,:-]+")
_LOCAL: Final = re.compile(r"\|[^,;]*")


class Act(NamedTuple):
    """The name of an act, by elements as the index has them."""

    jurisdiction: str
    authority: str
    measure: str
    details: str


class Wording:
    """How the acts of a catalogue are worded, by the words of a registry."""

    def __init__(self, registry: Registry) -> None:
        """Take the registry; what was seen of authorities and measures is kept for a while."""
        self._registry = registry
        self._heads = lru_cache(maxsize=65_536)(self._made)

    def stages(self, act: Act) -> tuple[str, ...]:
        """The name at each stage, as texts that are equal where names are alike."""
        days, _, numbers = act.details.partition(";")
        years = {day[:4] for day in days.split(",")}
        plain = ",".join(number_key(each) for each in numbers.split(","))
        bare = self._bare(plain, act.jurisdiction)
        ordered = (
            ",".join(sorted(_LOCAL.sub("", days).split(","))),
            ",".join(sorted(_number(each, years) for each in bare.split(","))),
        )
        heads = self._heads(act.jurisdiction, act.authority, act.measure)
        written = ((days, plain), (days, bare), (days, bare), (days, bare), ordered)
        return tuple(
            f"{head}:{when};{number}" for head, (when, number) in zip(heads, written, strict=True)
        )

    def kind(self, jurisdiction: str, authority: str, measure: str) -> str:
        """Jurisdiction, authority and measure at the last stage: whose acts of which kind."""
        return self._heads(jurisdiction, authority, measure)[-1]

    def _made(self, jurisdiction: str, authority: str, measure: str) -> tuple[str, ...]:
        """What stands before the details at each stage."""
        given = f"{jurisdiction}:{authority}:{measure}"
        bare = self._bare(given, jurisdiction)
        short = self._short(bare, jurisdiction)
        dialect = self._short(
            self._bare(_converted(given, self._registry), jurisdiction), jurisdiction
        )
        return given, bare, short, dialect, self._known(dialect)

    def _bare(self, text: str, jurisdiction: str) -> str:
        """The words without accents and encoding."""
        tongue = tongue_of(self._registry, jurisdiction.partition(";")[0])
        return _WORD.sub(lambda word: _bare_word(word[0], tongue), text)

    def _short(self, text: str, jurisdiction: str) -> str:
        """The elements without connectives, unless nothing else is there."""
        tongue = tongue_of(self._registry, jurisdiction.partition(";")[0])
        where, _, rest = text.partition(":")
        return f"{where}:" + re.sub(r"[^;+,:]+", lambda element: _without(element[0], tongue), rest)

    def _known(self, text: str) -> str:
        """The elements as the registry writes them, issuers sorted."""
        jurisdiction, authority, measure = text.split(":", 2)
        law = self._registry.law(jurisdiction.partition(";")[0])
        (*_, (known, _)) = jurisdictions_of(jurisdiction, self._registry)
        issuers = sorted(_written(issuer, law.authorities) for issuer in authority.split("+"))
        kind, semicolon, behind = measure.partition(";")
        written = _notation(measure, law.measures) or (
            (_notation(kind, law.measures) or kind) + semicolon + behind
        )
        return f"{known}:{'+'.join(issuers)}:{written}"


def _number(text: str, years: Collection[str]) -> str:
    """A number without what texts add to it: the year behind, dots for thousands."""
    return without_thousands(without_year(text, years))


def _bare_word(word: str, tongue: Tongue) -> str:
    if word.isascii() and word.isalnum():
        return word
    return key_of(tongue.folded(unquote(word))).replace(" ", "") or word


def _without(element: str, tongue: Tongue) -> str:
    words = element.split(".")
    borne = bearing(words, tongue.connectives, tongue.designates)
    return ".".join(compress(words, borne))


def _converted(head: str, registry: Registry) -> str:
    """What stands before the details as its dialect's readers write it by the RFC."""
    name = convert(f"urn:lex:{head}:2000-02-03;4", registry=registry).name
    if name is None:
        return head
    work = name.work
    return f"{name.jurisdiction}:{work.authority}:{work.measure}"


def _written(issuer: str, authorities: Lexicon) -> str:
    """An issuer as the registry writes it: whole, else its institution."""
    institution, semicolon, behind = issuer.partition(";")
    whole = _notation(issuer, authorities)
    return whole or (_notation(institution, authorities) or institution) + semicolon + behind


def _notation(text: str, lexicon: Lexicon) -> str | None:
    """How the registry writes what it knows by a word; None where that is nothing, or several."""
    if lexicon.by_notation(text):
        return text
    found = {entry.notation for entry in lexicon.find(text.replace(".", " ").replace(";", " "))}
    return found.pop() if len(found) == 1 else None
