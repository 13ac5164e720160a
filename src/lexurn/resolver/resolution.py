"""Resolution of a name (RFC 9676 10.3): from any text to what the catalogue has for it, and why."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lexurn.catalogue import list_some
from lexurn.model import today
from lexurn.name import parse
from lexurn.registry import load_registry as built_in
from lexurn.resolver.answer import Answer, Match, find_match, make_reason
from lexurn.resolver.candidates import ResolverContext, make_candidate
from lexurn.resolver.family import replace_act
from lexurn.resolver.readings import NameRequest, explain_refusal, is_text, list_requests

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence
    from typing import Final

    from lexurn.catalogue import Catalogue, NameLookup, ServerCatalogue
    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.registry import Registry
    from lexurn.resolver.answer import Candidate, Reason
    from lexurn.resolver.partial_matches import SimilarAct

_MOST_CANDIDATES: Final = 1_000
_NO_ACT_OF_DAY: Final = (
    "the catalogue has no act of this authority, measure and date; an act without its authority or "
    "measure, or of a year alone, is found by its number only: name that"
)


def resolve(  # noqa: PLR0913 - what may be asked for besides the name, each by its own word
    name: str | Name,
    catalogue: str | Path | Catalogue | ServerCatalogue | NameLookup,
    *,
    date: dt.date | None = None,
    language: str | None = None,
    registry: Registry | None = None,
    dialect: str = "auto",
    base: str | None = None,
) -> Answer:
    """What a catalogue has for a name, perfect or not (RFC 9676 section 10.3).

    >>> from lexurn.catalogue import MemoryHoldings
    >>> resolve("urn:lex:it:stato:legge:2003-09-21;456", MemoryHoldings(())).match
    <Match.NONE: 'none'>

    Args:
        name: a name, or any text that may be one, with a partition or without.
        catalogue: an open catalogue or its holdings; or what `open_readable` opens.
        date: the day on which a version is to be in force; today (by UTC), where it is not given.
        language: the language wanted (BCP 47); all, where neither this nor the name says one.
        registry: whose acronyms, abbreviations and synonyms are known; the built-in one.
        dialect: what names are written in: ``auto``, ``rfc9676``, ``lexml``, ``nir``, ``draft``.
        base: what the catalogue's HTTP-URI equivalents begin with; they are names then, too.

    Returns:
        All candidates with the best claim, how they match and why; any text has an answer.

    Raises:
        CatalogueError: the catalogue cannot be asked.
        ValueError: there is no such dialect.
    """
    if isinstance(catalogue, str | Path):
        from lexurn.catalogue import open_readable  # noqa: PLC0415 - has more to load

        with open_readable(catalogue) as opened:
            return resolve(
                name,
                opened.holdings,
                date=date,
                language=language,
                registry=registry,
                dialect=dialect,
                base=base or opened.base,
            )
    text = str(name)
    desk = ResolverContext(
        holdings=cast("NameLookup", getattr(catalogue, "holdings", catalogue)),
        registry=registry if registry is not None else built_in(),
        day=date if date is not None else today(),
        is_day_asked=date is not None,
        language=None if language is None else language.lower(),
        dialect=_check_dialect(dialect),
        base=base,
    )
    return _Question(text, desk).answer()


def _check_dialect(dialect: str) -> str:
    if dialect in {"auto", "rfc9676"}:
        return dialect
    from lexurn.dialect import Dialect  # noqa: PLC0415  (names of the RFC need none)

    return Dialect(dialect).value


class _Question:
    """One text on its way to an answer."""

    def __init__(self, text: str, desk: ResolverContext) -> None:
        self.text, self.desk = text, desk
        self.read: list[NameRequest] = []

    def answer(self) -> Answer:
        """The answer: by name, else by what is like it, else why not."""
        found = self._by_name()
        # What is withdrawn under the name itself yields to what is not.
        found = _select_not_withdrawn(found) or found
        total = len(found)
        others: list[str] = []
        if not found:
            like, others = self._by_likeness()
            total = len(like)
            found = self._placed(like[:_MOST_CANDIDATES])
        if not found:
            return self._none(others)
        candidates = _choose_best(found)
        told: tuple[Reason, ...] = ()
        if total > _MOST_CANDIDATES:
            told = (make_reason("LX959", f"{total:,}", f"{_MOST_CANDIDATES:,}"),)
        return self._answered(candidates, told)

    def _answered(
        self, candidates: tuple[Candidate, ...] = (), reasons: tuple[Reason, ...] = ()
    ) -> Answer:
        first = self.read[0] if self.read else None
        match = candidates[0].match if candidates else Match.NONE
        return Answer(
            text=self.text,
            name=None if first is None or first.missing else first.name,
            match=match,
            date=self.desk.day,
            language=self.desk.language,
            partition=None if first is None else first.partition,
            candidates=candidates,
            reasons=reasons,
        )

    def _none(self, others: Sequence[str]) -> Answer:
        if not self.read:
            return self._answered(reasons=(explain_refusal(self.text, self.desk.base),))
        if "numbers" in self.read[0].missing:
            return self._answered(reasons=(make_reason("LX958", _NO_ACT_OF_DAY),))
        if not others:
            return self._answered(reasons=(make_reason("LX956", self.read[0].name.jurisdiction),))
        return self._answered(reasons=(make_reason("LX957", list_some(others)),))

    def _by_name(self) -> list[Candidate]:
        """What is held under the name itself, in whatever reading; the nearest of several."""
        kept: list[Candidate] = []
        for wanted in self._readings():
            found = [each for asked in wanted for each in self._held(asked)]
            if found and found[0].match is not Match.PARTIAL:
                self.read = [wanted[0], *self.read]
                return found
            kept += found
        return kept

    def _readings(self) -> Iterator[list[NameRequest]]:
        """What the text may ask for; what publishers said of it comes before what rules say."""
        is_spelling_seen = self.desk.dialect == "rfc9676"
        for asked in list_requests(
            self.text, dialect=self.desk.dialect, registry=self.desk.registry, base=self.desk.base
        ):
            is_as_it_stands = find_match(asked.reasons) is Match.EXACT
            if not is_as_it_stands and not is_spelling_seen:
                is_spelling_seen = True
                yield self._spelled()
            self.read.append(asked)
            yield [asked]
        if not is_spelling_seen:
            yield self._spelled()

    def _spelled(self) -> list[NameRequest]:
        if not is_text(self.text):
            return []
        said = make_reason("LX940", "a spelling in a dialect", "so the publisher says")
        names = [parse(name) for name in self.desk.holdings.spelled(self.text)]
        return [
            NameRequest(name=name.document, partition=name.partition, reasons=(said,))
            for name in names
        ]

    def _held(self, asked: NameRequest) -> Iterator[Candidate]:
        if asked.missing:
            return
        family = self.desk.holdings.family(str(asked.name.act_name))
        if family is not None:
            yield make_candidate(self.desk, family, asked.name, asked)

    def _by_likeness(self) -> tuple[list[SimilarAct], list[str]]:
        """The acts that are likest in any reading, and those that are only near."""
        from lexurn.resolver.partial_matches import find_similar_acts  # noqa: PLC0415  (exact names need none)

        like: list[SimilarAct] = []
        others: dict[str, None] = {}
        for asked in self.read:
            near = find_similar_acts(asked, self.desk.holdings, self.desk.registry)
            like += near.like
            others.update(dict.fromkeys(near.others))
        best = max((each.score for each in like), default=0.0)
        return [each for each in like if each.score == best], sorted(others)

    def _placed(self, like: Sequence[SimilarAct]) -> list[Candidate]:
        """What the likest acts lead to; a withdrawn name of a thing yields to its other names."""
        families = _read_families(self.desk.holdings, [each.act for each in like])
        found: dict[str, list[Candidate]] = {}
        for each in like:
            name = replace_act(each.act, each.asked.name)
            if name is not None and each.act in families:
                family = families[each.act]
                asked = replace(each.asked, reasons=(*each.asked.reasons, *each.reasons))
                same = found.setdefault(str(family.key), [])
                same.append(make_candidate(self.desk, family, name, asked))
        return [each for same in found.values() for each in _select_not_withdrawn(same) or same]


def _select_not_withdrawn(found: Sequence[Candidate]) -> list[Candidate]:
    """Those that are not withdrawn."""
    return [each for each in found if each.match is not Match.WITHDRAWN]


def _choose_best(found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The best candidates by their names; then what is withdrawn and fits as well (section 9.4).

    A withdrawn act may be the one that was meant, though it never hides what is not withdrawn.
    """
    living = _select_not_withdrawn(found)
    best = max(each.score for each in living or found)
    first = {
        each.name: each
        for each in reversed(found)
        if each.score == best or (each.match is Match.WITHDRAWN and each.score > best)
    }
    return tuple(
        sorted(first.values(), key=lambda each: (each.match is Match.WITHDRAWN, str(each.name)))
    )


def _read_families(holdings: NameLookup, acts: Sequence[str]) -> dict[str, Family]:
    return {
        str(record.name): family
        for family in holdings.families(acts)
        for record in family.records
        if record.name.is_act
    }
