"""The act in words: authority, measure, dates and numbers, annexes (RFC 9676 section 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn.labels._notations import capital, entry_label, named, plain, safe, specifications
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.labels._style import Style
    from lexurn.labels._values import Notes
    from lexurn.name import Annex, Date, Details, Issuer, Name
    from lexurn.registry import Entry, Words

__all__ = ["act_in_words", "annex_in_words", "date_in_words", "labels_in"]

_GROUPED = range(4, 7)
_DISTINCT, _OWN_BODY, _GENERAL = range(3)


class MeasureType(NamedTuple):
    """The measure in words, and what of the authority it says already.

    Attributes:
        text: the words.
        says_issuer: whether the type belongs to the issuer, who is then not named.
        says_body: whether the type names the last body or function.
    """

    text: str
    says_issuer: bool = False
    says_body: bool = False


def act_in_words(name: Name, style: Style, notes: Notes) -> str:
    """``Legge 21 settembre 2003, n. 456``, with its authority where the type does not say it."""
    details = name.work.details
    measure = _measure(name, style, notes)
    authority = _authority(name, measure, style, notes)
    key = "-".join(filter(None, ("act", authority and "issuer", _kind(details))))
    return style.fill(
        key,
        authority=authority,
        measure=measure.text,
        date=_when(details, style),
        period=plain(details.period or ""),
        number=style.joined([_number(each, style) for each in details.numbers]),
    )


def _kind(details: Details) -> str:
    if details.is_lex_number:
        return "unnumbered"
    return "" if details.period is None else "period"


def _when(details: Details, style: Style) -> str:
    if details.period is not None:
        return plain(details.period)
    return style.joined([date_in_words(date, style) for date in details.dates])


def date_in_words(date: Date, style: Style) -> str:
    """A date as the language writes it, with the one in the local calendar behind it."""
    year, month, day = (int(part) for part in date.iso.split("-"))
    if style.months and style.formats.get("date"):
        first = "date-first" if day == 1 and "date-first" in style.formats else "date"
        values = {"day": str(day), "month": style.months[month - 1], "year": str(year)}
        words = style.fill(first, **values)
    else:
        words = date.iso
    local = plain(date.local).replace("-", " ") if date.local else ""
    return f"{words} ({local})" if local else words


def _number(number: str, style: Style) -> str:
    """A number, its thousands grouped where the jurisdiction does so."""
    text = safe(unquote(number, errors="replace"))
    plain_digits = number.isdecimal() and not number.startswith("0")
    if style.thousands and plain_digits and len(number) in _GROUPED:
        return f"{int(number):,}".replace(",", style.thousands)
    return text


# The measure.


def _measure(name: Name, style: Style, notes: Notes) -> MeasureType:
    """The type by its entry, else from its notation; what specifies it in brackets."""
    measure = name.work.measure
    entries = style.law.measures.by_notation(str(measure))
    found, rest = _chosen(entries, name, style), ""
    if found is None:
        entries = style.law.measures.by_notation(measure.type)
        found, rest = _chosen(entries, name, style), specifications(measure.specifications)
    if found is None:
        notes.say("LX791", "measure", measure.type, plain(measure.type))
        return MeasureType(capital(plain(measure.type)) + rest)
    rank, entry = found
    text = capital(entry_label(entry, "measure", style, notes)) + rest
    alone = {each.issuer for each in entries if not _labels(each).isdisjoint(_labels(entry))}
    says_issuer = rank == _DISTINCT and len(alone) == 1
    return MeasureType(text, says_issuer, rank == _OWN_BODY)


def _labels(entry: Entry) -> set[str]:
    return {each.text for each in entry.labels}


def _chosen(entries: tuple[Entry, ...], name: Name, style: Style) -> tuple[int, Entry] | None:
    """The entry that is meant among those with one notation; None where none can be told.

    First the one of the issuer, then the one of its body, then the general one: the one that is
    called as the notation says, or the only one there is.
    """
    ranked = [
        (rank, _is_over(entry, name), not _is_literal(entry, style), *_order(entry), entry)
        for entry in entries
        if (rank := _rank(entry, name)) is not None
    ]
    general = [each for each in ranked if each[0] == _GENERAL]
    doubtful = len(general) > 1 and all(not_literal for _, _, not_literal, *_ in general)
    fitting = [each for each in ranked if each[0] != _GENERAL or not doubtful]
    if fitting:
        best = min(fitting, key=lambda each: each[:-1])
        return best[0], best[-1]
    literal = [entry for entry in entries if _is_literal(entry, style)]
    return (_GENERAL, literal[0]) if literal else None


def _rank(entry: Entry, name: Name) -> int | None:
    """How an entry fits the authority; None where it belongs to another one."""
    issuers = name.work.authority.issuers
    functions = issuers[0].functions
    if entry.issuer is not None:
        return _DISTINCT if len(issuers) == 1 and entry.issuer == str(issuers[0]) else None
    if entry.body is not None:
        fits = len(issuers) == 1 and entry.body in {";".join(functions), *functions[-1:]}
        return _OWN_BODY if fits else None
    return _GENERAL


def _order(entry: Entry) -> tuple[int, str]:
    """What settles the choice where nothing else does: the entry with the shortest IRI."""
    return len(entry.iri), entry.iri


def _is_over(entry: Entry, name: Name) -> bool:
    """Whether an entry is not in use on the day of the act."""
    dates = name.work.details.dates
    return entry.obsolete or bool(dates and not entry.valid_on(dates[0].iso))


def _is_literal(entry: Entry, style: Style) -> bool:
    """Whether a label of the entry says what its notation says and no more.

    Of entries that share a notation one may have the notation for the end of its IRI: it is the
    one that the notation was made from, also where letters of another script were transcribed.
    """
    if entry.iri.rpartition("/")[2] == entry.notation.replace(";", "_"):
        return True
    wanted = key_of(unquote(entry.notation.partition(";")[0]).replace(".", " "))
    return any(
        wanted in _shortened(each.text, style.registry.words(each.language))
        for each in entry.labels
    )


def _shortened(label: str, words: Words) -> set[str]:
    """A label as names would have it: connectives out, letters folded or bare."""
    folded = label.lower()
    for letter, plain_letters in words.folds.items():
        folded = folded.replace(letter, plain_letters)
    return {
        " ".join(word for word in key_of(text).split() if word not in words.connectives)
        for text in (label, folded)
    } | {key_of(label), key_of(folded)}


# The authority.


def _authority(name: Name, measure: MeasureType, style: Style, notes: Notes) -> str:
    """Who issued it; "" where the type says so; units where the authority alone would mislead."""
    issuers = name.work.authority.issuers
    hidden = measure.says_issuer or (len(issuers) == 1 and str(issuers[0]) in style.states)
    shown = [] if hidden else [_issuer(each, measure, style, notes) for each in issuers]
    authority = style.joined(shown)
    units = [
        unit
        for unit in _units(name.jurisdiction.units, style, notes)
        if key_of(unit) not in key_of(authority)
    ]
    if not units:
        return authority
    return f"{authority} ({', '.join(units)})" if authority else style.sequence(units)


def _issuer(issuer: Issuer, measure: MeasureType, style: Style, notes: Notes) -> str:
    whole = style.law.authorities.by_notation(str(issuer))
    if whole and not measure.says_body:
        return entry_label(whole[0], "authority", style, notes)
    functions = issuer.functions[:-1] if measure.says_body else issuer.functions
    institution = named(style.law.authorities, issuer.institution, "authority", style, notes)
    bodies = (named(style.law.bodies, each, "body-function", style, notes) for each in functions)
    return style.sequence([institution, *bodies])


def _units(units: tuple[str, ...], style: Style, notes: Notes) -> list[str]:
    """The units, the smallest first."""
    found = []
    for depth in range(len(units), 0, -1):
        entries = style.law.units.by_notation(";".join(units[:depth]))
        if entries:
            found.append(entry_label(entries[0], "jurisdiction-unit", style, notes))
        else:
            unit = units[depth - 1]
            found.append(named(style.law.units, unit, "jurisdiction-unit", style, notes))
    return found


def labels_in(name: Name, style: Style, language: str) -> int:
    """How many parts of the act have a label in a language."""
    law = style.law
    parts: Iterable[tuple[Entry, ...]] = (
        law.measures.by_notation(str(name.work.measure))
        or law.measures.by_notation(name.work.measure.type),
        *(law.authorities.by_notation(each.institution) for each in name.work.authority.issuers),
    )
    return sum(any(entry.label_in(language) for entry in entries) for entries in parts)


# Annexes.


def annex_in_words(annex: Annex, style: Style, notes: Notes) -> str:
    """``allegato A (confini parco)``."""
    words, rest = annex.id.split("."), specifications(annex.specifications)
    for length in range(len(words), 0, -1):
        entries = style.words.annexes.by_notation(".".join(words[:length]))
        if entries:
            label = entry_label(entries[0], "annex", style, notes)
            number = " ".join(capital(plain(word)) for word in words[length:])
            return style.fill("annex", label=label, number=number) + rest
    notes.say("LX791", "annex", annex.id, plain(annex.id))
    return plain(annex.id) + rest
