"""Citations made of the registered issuers, types and words of a jurisdiction.

Each act is cited in all forms that its jurisdiction's words allow: the issuer in front, behind the
type, or not at all where the type has one of its own; date and number in either order; with a
subject that cites another act, or without.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import lexurn
from lexurn.registry import Kind, load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.registry import Entry, Lexicon

__all__ = ["CitedAct", "judge", "make_acts"]

_REGISTRY = load_registry()
CODES = tuple(
    code
    for code in _REGISTRY.jurisdictions()
    if _REGISTRY.law(code).measures.entries and _REGISTRY.law(code).languages
)


@dataclass(frozen=True)
class CitedAct:
    """An act, its parts as names have them, and the forms in which it is cited."""

    code: str
    language: str
    issuer: str | None
    measure: str
    date: str
    number: str
    forms: tuple[str, ...]


@cache
def _markers(language: str) -> tuple[str, ...]:
    entries = _REGISTRY.lexicon(Kind.MARKER, language)
    return tuple(each.text for entry in entries for each in (*entry.labels, *entry.forms)) or ("",)


@cache
def _months(language: str) -> dict[int, str]:
    entries = _REGISTRY.lexicon(Kind.MONTH, language)
    return {int(each.notation): each.labels[0].text for each in entries if each.labels}


def _texts(entry: Entry, language: str, *, hidden: bool) -> list[str]:
    listed = (*entry.labels, *entry.forms, *(entry.hidden if hidden else ()))
    return [each.text for each in listed if each.language.partition("-")[0] == language]


def _choose(lexicon: Lexicon, language: str, chance: random.Random) -> Entry | None:
    found = [
        entry
        for entry in lexicon.entries
        if not (entry.obsolete or entry.titled or entry.name or ";" in entry.notation)
        and _texts(entry, language, hidden=False)
    ]
    return chance.choice(found) if found else None


def make_acts(seed: int, count: int) -> Iterator[CitedAct]:
    """Make acts of all jurisdictions, the same ones for each seed."""
    chance = random.Random(seed)
    made = 0
    while made < count:
        code = chance.choice(CODES)
        law = _REGISTRY.law(code)
        language = chance.choice(law.languages).partition("-")[0]
        measure = _choose(law.measures, language, chance)
        issuer = _choose(law.authorities, language, chance)
        months = _months(language)
        if measure is None or issuer is None or not months:
            continue
        made += 1
        day, month, year = chance.randint(2, 28), chance.randint(1, 12), chance.randint(1950, 2024)
        date = f"{day} {months[month]} {year}"
        number = str(chance.randint(1, 3000))
        # "asp 5" is an act of one parliament, not the number of any other act.
        markers = [each for each in _markers(language) if not law.measures.find(each)]
        marked = f"{chance.choice(markers or [''])} {number}"
        kind = chance.choice(_texts(measure, language, hidden=False))
        if measure.issuer is not None:
            heads = [kind]
        else:
            name = chance.choice(_texts(issuer, language, hidden=True))
            # "Arrêté ministériel de la Ville" is of the Ministère de la ville, not of a town.
            ending = "." + make_key(name).replace(" ", ".")
            if " " in kind and any(e.notation.endswith(ending) for e in law.authorities.entries):
                continue
            links = sorted(_REGISTRY.words(language).issuer_words)
            link = chance.choice(links) + " " if links else ""
            heads = [f"{name}, {kind}", f"{kind} {link}{name}", f"{name} {kind}"]
        openings = sorted(_REGISTRY.words(language).subject_words)
        other = f"{kind} {1 + day % 27} {months[1 + month % 12]} {year - 1}, {number}9"
        subjects = ["", f", {chance.choice(openings)} {other}"] if openings else [""]
        yield CitedAct(
            code=code,
            language=language,
            issuer=measure.issuer or issuer.notation,
            measure=measure.notation,
            date=f"{year}-{month:02}-{day:02}",
            number=number,
            forms=tuple(
                form
                for head in heads
                for subject in subjects
                for form in (
                    f"{head} {date}, {marked}{subject}",
                    f"{head} {marked}, {date}{subject}",
                    f"{head} {marked} ({date}){subject}",
                )
            ),
        )


def judge(act: CitedAct, form: str) -> str:
    """Mint a form of an act; return ``right``, ``refused``, ``warned`` or ``wrong``."""
    minted = lexurn.try_mint({"jurisdiction": act.code, "language": act.language, "citation": form})
    if minted.name is None:
        return "refused"
    work = minted.name.work
    states = _REGISTRY.law(act.code).conventions.get("state")
    issuer = str(work.authority).partition(";")[0]
    is_right = (
        issuer in {str(act.issuer).partition(";")[0], states}
        and str(work.measure) == act.measure
        and [each.iso for each in work.details.dates] == [act.date]
        and work.details.numbers == (act.number,)
    )
    if is_right:
        return "right"
    return (
        "warned" if any(each.severity.value == "warning" for each in minted.findings) else "wrong"
    )
