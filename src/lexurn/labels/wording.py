"""Wording of a label: act, annexes and part, then version and edition in brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn import data
from lexurn.labels.style import (
    Notes,
    capitalize,
    choose_label,
    describe_notation,
    describe_specifications,
    escape_hidden,
    list_fallbacks,
    make_style,
    split_notation,
)
from lexurn.model import is_original
from lexurn.name import parse
from lexurn.registry import load_registry as built_in
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.findings import Finding
    from lexurn.labels.style import Style
    from lexurn.name import (
        Annex,
        Date,
        Details,
        ExpressionIdentifier,
        Format,
        Issuer,
        ManifestationIdentifier,
        Name,
        Version,
    )
    from lexurn.registry import Entry, Registry, Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Name in words.

    Attributes:
        text: the label, without control characters and direction marks.
        language: the tag of the language whose style it has.
        findings: notes on what could not be said in that language, in the order of the name.
    """

    text: str
    language: str
    findings: tuple[Finding, ...] = ()


_GROUPED = range(4, 7)
_DISTINCT, _OWN_BODY, _GENERAL = range(3)


class MeasureWords(NamedTuple):
    """The measure in words, and what of the authority it says already.

    Attributes:
        text: the words.
        says_issuer: whether the type belongs to the issuer, who is then not named.
        says_body: whether the type names the last body or function.
    """

    text: str
    says_issuer: bool = False
    says_body: bool = False


def describe_act(name: Name, style: Style, notes: Notes) -> str:
    """``Legge 21 settembre 2003, n. 456``, with its authority where the type does not say it."""
    details = name.work.details
    measure = _describe_measure(name, style, notes)
    authority = _describe_authority(name, measure, style, notes)
    key = "-".join(filter(None, ("act", authority and "issuer", _choose_template(details))))
    return style.fill(
        key,
        authority=authority,
        measure=measure.text,
        date=_describe_dates(details, style),
        period=split_notation(details.period or ""),
        number=style.joined([_format_number(each, style) for each in details.numbers]),
    )


def _choose_template(details: Details) -> str:
    if details.is_lex_number:
        return "unnumbered"
    return "" if details.period is None else "period"


def _describe_dates(details: Details, style: Style) -> str:
    if details.period is not None:
        return split_notation(details.period)
    return style.joined([describe_date(date, style) for date in details.dates])


def describe_date(date: Date, style: Style) -> str:
    """A date as the language writes it, with the one in the local calendar behind it."""
    year, month, day = (int(part) for part in date.iso.split("-"))
    if style.months and style.formats.get("date"):
        first = "date-first" if day == 1 and "date-first" in style.formats else "date"
        values = {"day": str(day), "month": style.months[month - 1], "year": str(year)}
        words = style.fill(first, **values)
    else:
        words = date.iso
    local = split_notation(date.local).replace("-", " ") if date.local else ""
    return f"{words} ({local})" if local else words


def _format_number(number: str, style: Style) -> str:
    """A number, its thousands grouped where the jurisdiction does so."""
    text = escape_hidden(unquote(number, errors="replace"))
    plain_digits = number.isdecimal() and not number.startswith("0")
    if style.thousands and plain_digits and len(number) in _GROUPED:
        return f"{int(number):,}".replace(",", style.thousands)
    return text


def _describe_measure(name: Name, style: Style, notes: Notes) -> MeasureWords:
    """The type by its entry, else from its notation; what specifies it in brackets."""
    measure = name.work.measure
    entries = style.law.measures.by_notation(str(measure))
    found, rest = _choose_entry(entries, name, style), ""
    if found is None:
        entries = style.law.measures.by_notation(measure.type)
        found, rest = (
            _choose_entry(entries, name, style),
            describe_specifications(measure.specifications),
        )
    if found is None:
        notes.say("LX791", "measure", measure.type, split_notation(measure.type))
        return MeasureWords(capitalize(split_notation(measure.type)) + rest)
    rank, entry = found
    text = capitalize(choose_label(entry, "measure", style, notes)) + rest
    alone = {
        each.issuer
        for each in entries
        if not _collect_texts(each).isdisjoint(_collect_texts(entry))
    }
    says_issuer = rank == _DISTINCT and len(alone) == 1
    return MeasureWords(text, says_issuer, rank == _OWN_BODY)


def _collect_texts(entry: Entry) -> set[str]:
    return {each.text for each in entry.labels}


def _choose_entry(entries: tuple[Entry, ...], name: Name, style: Style) -> tuple[int, Entry] | None:
    """The entry that is meant among those with one notation; None where none can be told.

    First the one of the issuer, then the one of its body, then the general one: the one that is
    called as the notation says, or the only one there is.
    """
    ranked = [
        (
            rank,
            _is_out_of_use(entry, name),
            not _is_literal(entry, style),
            *_make_tie_break(entry),
            entry,
        )
        for entry in entries
        if (rank := _rank_entry(entry, name)) is not None
    ]
    general = [each for each in ranked if each[0] == _GENERAL]
    doubtful = len(general) > 1 and all(not_literal for _, _, not_literal, *_ in general)
    fitting = [each for each in ranked if each[0] != _GENERAL or not doubtful]
    if fitting:
        best = min(fitting, key=lambda each: each[:-1])
        return best[0], best[-1]
    literal = [entry for entry in entries if _is_literal(entry, style)]
    return (_GENERAL, literal[0]) if literal else None


def _rank_entry(entry: Entry, name: Name) -> int | None:
    """How an entry fits the authority; None where it belongs to another one."""
    issuers = name.work.authority.issuers
    functions = issuers[0].functions
    if entry.issuer is not None:
        return _DISTINCT if len(issuers) == 1 and entry.issuer == str(issuers[0]) else None
    if entry.body is not None:
        fits = len(issuers) == 1 and entry.body in {";".join(functions), *functions[-1:]}
        return _OWN_BODY if fits else None
    return _GENERAL


def _make_tie_break(entry: Entry) -> tuple[int, str]:
    """What settles the choice where nothing else does: the entry with the shortest IRI."""
    return len(entry.iri), entry.iri


def _is_out_of_use(entry: Entry, name: Name) -> bool:
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
    wanted = make_key(unquote(entry.notation.partition(";")[0]).replace(".", " "))
    return any(
        wanted in _normalize_label(each.text, style.registry.words(each.language))
        for each in entry.labels
    )


def _normalize_label(label: str, words: Words) -> set[str]:
    """A label as names would have it: connectives out, letters folded or bare."""
    folded = label.lower()
    for letter, plain_letters in words.folds.items():
        folded = folded.replace(letter, plain_letters)
    return {
        " ".join(word for word in make_key(text).split() if word not in words.connectives)
        for text in (label, folded)
    } | {make_key(label), make_key(folded)}


def _describe_authority(name: Name, measure: MeasureWords, style: Style, notes: Notes) -> str:
    """Who issued it; "" where the type says so; units where the authority alone would mislead."""
    issuers = name.work.authority.issuers
    hidden = measure.says_issuer or (len(issuers) == 1 and str(issuers[0]) in style.states)
    shown = [] if hidden else [_describe_issuer(each, measure, style, notes) for each in issuers]
    authority = style.joined(shown)
    units = [
        unit
        for unit in _describe_units(name.jurisdiction.units, style, notes)
        if make_key(unit) not in make_key(authority)
    ]
    if not units:
        return authority
    return f"{authority} ({', '.join(units)})" if authority else style.sequence(units)


def _describe_issuer(issuer: Issuer, measure: MeasureWords, style: Style, notes: Notes) -> str:
    whole = style.law.authorities.by_notation(str(issuer))
    if whole and not measure.says_body:
        return choose_label(whole[0], "authority", style, notes)
    functions = issuer.functions[:-1] if measure.says_body else issuer.functions
    institution = describe_notation(
        style.law.authorities, issuer.institution, "authority", style, notes
    )
    bodies = (
        describe_notation(style.law.bodies, each, "body-function", style, notes)
        for each in functions
    )
    return style.sequence([institution, *bodies])


def _describe_units(units: tuple[str, ...], style: Style, notes: Notes) -> list[str]:
    """The units, the smallest first."""
    found = []
    for depth in range(len(units), 0, -1):
        entries = style.law.units.by_notation(";".join(units[:depth]))
        if entries:
            found.append(choose_label(entries[0], "jurisdiction-unit", style, notes))
        else:
            unit = units[depth - 1]
            found.append(
                describe_notation(style.law.units, unit, "jurisdiction-unit", style, notes)
            )
    return found


def count_labels(name: Name, style: Style, language: str) -> int:
    """How many parts of the act have a label in a language."""
    law = style.law
    parts: Iterable[tuple[Entry, ...]] = (
        law.measures.by_notation(str(name.work.measure))
        or law.measures.by_notation(name.work.measure.type),
        *(law.authorities.by_notation(each.institution) for each in name.work.authority.issuers),
    )
    return sum(any(entry.label_in(language) for entry in entries) for entries in parts)


def describe_annex(annex: Annex, style: Style, notes: Notes) -> str:
    """``allegato A (confini parco)``."""
    words, rest = annex.id.split("."), describe_specifications(annex.specifications)
    for length in range(len(words), 0, -1):
        entries = style.words.annexes.by_notation(".".join(words[:length]))
        if entries:
            label = choose_label(entries[0], "annex", style, notes)
            number = " ".join(capitalize(split_notation(word)) for word in words[length:])
            return style.fill("annex", label=label, number=number) + rest
    notes.say("LX791", "annex", annex.id, split_notation(annex.id))
    return split_notation(annex.id) + rest


def describe_expression(expression: ExpressionIdentifier, style: Style, notes: Notes) -> str:
    """``testo originale, in fr``: the version, and the language where the label is in another."""
    parts = [_describe_version(expression.version, style)]
    if expression.language not in {None, style.language}:
        language = _name_language(expression.language or "", style, notes)
        parts.append(style.fill("in-language", language=language))
    return style.sequence(parts)


def _describe_version(version: Version, style: Style) -> str:
    """Original, dated or labelled; its events behind it."""
    if version.date is not None:
        head = style.fill("version", date=describe_date(version.date, style))
    elif is_original(version):
        head = style.fill("original")
    else:
        head = style.fill("version-label", version=split_notation(version.specification or ""))
    events = [
        split_notation(event.event or "")
        if event.date is None
        else describe_date(event.date, style)
        for event in version.events
    ]
    return style.sequence([head, *events])


def _name_language(tag: str, style: Style, notes: Notes) -> str:
    """The name of a language in the language of the label, else its tag."""
    primary, _, rest = tag.partition("-")
    name = data.load_table("language_names").get(style.language, {}).get(primary)
    if name is None:
        notes.say("LX794", "language", tag, tag, style.language)
        return tag
    return f"{escape_hidden(name)} ({tag})" if rest else escape_hidden(name)


def describe_manifestation(manifestation: ManifestationIdentifier, style: Style) -> str:
    """``parlamento.it, PDF 1.7``, with component and feature behind it."""
    editor = manifestation.editor
    publisher = escape_hidden(unquote(editor.publisher)) + describe_specifications(
        editor.specifications
    )
    head = style.fill("edition", publisher=publisher, format=_name_format(manifestation.format))
    component, feature = manifestation.component, manifestation.feature
    parts = [head]
    if component is not None:
        parts.append(
            split_notation(component.part) + describe_specifications(component.specifications)
        )
    if feature is not None:
        parts.append(
            split_notation(feature.attribute) + describe_specifications(feature.specifications)
        )
    return style.sequence(parts)


def _name_format(form: Format) -> str:
    """The usual short name of a media type (``PDF``), else the media type; then its version."""
    known = _load_format_names().get(form.mime)
    name = known or escape_hidden(unquote(form.mime)).replace("-", "/", 1)
    return " ".join((name, *map(split_notation, form.specifications)))


@cache
def _load_format_names() -> Mapping[str, str]:
    """The extension of each media type in capitals."""
    table = data.load_table("extensions")
    exact = {mime: extension.upper() for extension, mime in table["formats"].items()}
    return {mime: extension.upper() for mime, extension in table["shared"].items()} | exact


# Levels are parted by ";"; ids of older markup have "_" or "-" there ("art2-com3").
_LEVELS = re.compile(r"[;_]|-(?=[A-Za-z]{2,}[0-9])")
_PARTITION_NUMBER = re.compile(r"(?P<digits>[0-9]+)(?P<rest>.*)", re.DOTALL)
_ROMAN = re.compile(r"[ivxlcdm]+")
_LETTERS_AT_MOST, _LAST_ROMAN, _LAST_ORDINAL = 2, 3999, 9
_ROMANS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def describe_partition(partition: str, style: Style, notes: Notes) -> str:
    """The levels of a part, outermost first; what is not understood stands as it is."""
    return style.sequence(
        [_describe_level(each, style, notes) for each in _LEVELS.split(partition)]
    )


def _describe_level(piece: str, style: Style, notes: Notes) -> str:
    found = _find_kind(piece.lower(), style)
    if found is None:
        text = escape_hidden(unquote(piece, errors="replace"))
        if piece:
            notes.say("LX793", "partition", piece, text)
        return text
    entry, number = found
    label = choose_label(entry, "partition", style, notes)
    return style.fill(
        "partition", label=label, number=_format_partition_number(number, entry, style)
    )


def _find_kind(piece: str, style: Style) -> tuple[Entry, str] | None:
    """The kind of part that an id begins with, and its number; the longest kind that fits."""
    fitting = [
        (entry, number)
        for entry in style.words.partitions
        if piece.startswith(entry.notation)
        and (number := _read_number(piece.removeprefix(entry.notation), entry)) is not None
    ]
    return max(fitting, key=lambda each: len(each[0].notation), default=None)


def _read_number(rest: str, entry: Entry) -> str | None:
    """What follows a label, if it can be the number of such a part."""
    number = rest.lstrip(".-")
    if not number:
        return number if not rest else None
    if number[0].isdecimal():
        return number
    lettered = entry.numbering == "letter" and number.isalpha() and len(number) <= _LETTERS_AT_MOST
    counted = entry.numbering == "roman" and _ROMAN.fullmatch(number) is not None
    single = number.isalpha() and len(number) == 1
    return number if lettered or counted or single else None


def _format_partition_number(number: str, entry: Entry, style: Style) -> str:
    """The number in the style of its part: ``II``, ``a``, ``9º``, ``3-bis``."""
    text = escape_hidden(unquote(number, errors="replace"))
    found = _PARTITION_NUMBER.fullmatch(text)
    if found is None:
        return text.upper() if entry.numbering == "roman" else text
    digits, rest = found["digits"], found["rest"]
    suffix = f"-{rest}" if rest[:1].isalpha() else rest
    return _format_digits(int(digits), digits, entry, style) + suffix


def _format_digits(value: int, digits: str, entry: Entry, style: Style) -> str:
    if entry.numbering == "roman" and 0 < value <= _LAST_ROMAN:
        return _format_roman(value)
    # Ordinals to the ninth, cardinals behind it, as in the drafting law of Brazil.
    if entry.numbering == "ordinal" and 0 < value <= _LAST_ORDINAL:
        return digits + style.ordinal_sign
    return digits


def _format_roman(value: int) -> str:
    text = ""
    for worth, numeral in _ROMANS:
        while value >= worth:
            text, value = text + numeral, value - worth
    return text


def label(
    name: Name | str, language: str | None = None, *, registry: Registry | None = None
) -> str:
    """A name in words; see `make_label`.

    >>> label("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01", "en")
    'Legge of 21 September 2003, No. 456 (version of 1 January 2005)'

    Raises:
        NameSyntaxError: a text is not a name.
    """
    return make_label(name, language, registry=registry).text


def make_label(
    name: Name | str, language: str | None = None, *, registry: Registry | None = None
) -> Label:
    """A name in words, with its language and what could not be said in it.

    Args:
        name: a name, or its text.
        language: a language tag of BCP 47; where its words are not registered those of its primary
            subtag are taken, else those of the jurisdiction, else English ones. By default the
            language of the jurisdiction that the name is in.
        registry: the registry; by default the built-in one.

    Raises:
        NameSyntaxError: a text is not a name.
    """
    read = parse(name) if isinstance(name, str) else name
    known = registry if registry is not None else built_in()
    notes = Notes()
    style = _choose_style(read, language, known, notes)
    act = capitalize(describe_act(read, style, notes))
    annexes = [describe_annex(annex, style, notes) for annex in read.work.annexes]
    part = "" if read.partition is None else describe_partition(read.partition, style, notes)
    text = style.sequence([act, *annexes, part]) + _describe_edition(read, style, notes)
    return Label(text=escape_hidden(text), language=style.language, findings=notes.findings)


def _describe_edition(name: Name, style: Style, notes: Notes) -> str:
    """Version and edition; "" for a work."""
    parts = []
    if name.expression is not None:
        parts.append(describe_expression(name.expression, style, notes))
    if name.manifestation is not None:
        parts.append(describe_manifestation(name.manifestation, style))
    return f" ({'; '.join(parts)})" if parts else ""


def _choose_style(name: Name, language: str | None, registry: Registry, notes: Notes) -> Style:
    """The style of the first language in question that has words."""
    code = name.jurisdiction.code
    law = registry.law(code)
    asked = _choose_language(name, registry) if language is None else language.lower()
    tags = dict.fromkeys(list_fallbacks(asked, law))
    found = next((tag for tag in tags if registry.words(tag).formats), asked)
    style = make_style(registry, code, found)
    other = style.language != asked.partition("-")[0]
    if language is not None and (other or "-" in asked):
        notes.say("LX790", "language", language, language, style.language)
    return style


def _choose_language(name: Name, registry: Registry) -> str:
    """The official language that most of the act's parts have a label in; else the first."""
    law = registry.law(name.jurisdiction.code)
    if len(law.languages) < 2:  # noqa: PLR2004  no choice
        return next(iter(law.languages), "")
    style = make_style(registry, law.code, law.languages[0])
    scores = {tag: count_labels(name, style, tag) for tag in law.languages}
    return max(law.languages, key=lambda tag: scores[tag])
