"""Wording of a label: act, annexes and part, then version and edition in brackets.

A part that the registry has no words for is written from its notation, with a note.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn.labels.notations import (
    FALLBACK_LANGUAGE,
    Notes,
    Style,
    capitalize,
    choose_label,
    describe_format,
    describe_notation,
    describe_series,
    escape_hidden,
    fill_template,
    make_style,
    name_language,
    normalize_label,
    split_notation,
    title_notation,
)
from lexurn.model import is_original
from lexurn.name import parse
from lexurn.registry import NUMBER_ADDITIONS, load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.findings import Finding
    from lexurn.name import (
        Annex,
        Date,
        ExpressionIdentifier,
        Issuer,
        ManifestationIdentifier,
        Name,
    )
    from lexurn.registry import Entry, Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Name in words.

    Attributes:
        text: the label, without control characters and direction marks.
        language: the tag of the language whose style it has.
        findings: notes on parts that have no words in that language, in the order of the name.
    """

    text: str
    language: str
    findings: tuple[Finding, ...] = ()


def label(
    name: Name | str, language: str | None = None, *, registry: Registry | None = None
) -> str:
    """Return a name in words; see `make_label`.

    >>> label("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01", "en")
    'Legge of 21 September 2003, No. 456 (version of 1 January 2005)'

    Raises:
        NameSyntaxError: a text is not a name.
    """
    return make_label(name, language, registry=registry).text


def make_label(
    name: Name | str, language: str | None = None, *, registry: Registry | None = None
) -> Label:
    """Make the label of a name, with its language and notes.

    Args:
        name: a name, or its text.
        language: a language tag of BCP 47. The words are those of the tag, else of its primary
            subtag, else of the jurisdiction, else English. By default the language of the
            jurisdiction that the name is in.
        registry: the registry; by default the built-in one.

    Raises:
        NameSyntaxError: a text is not a name.
    """
    read = parse(name) if isinstance(name, str) else name
    registry, notes = registry or load_registry(), Notes()
    code = read.jurisdiction.code
    law = registry.law(code)
    asked = _choose_language(read.act_name, registry) if language is None else language.lower()
    tags = (asked, asked.partition("-")[0], *law.languages, FALLBACK_LANGUAGE)
    found = next((tag for tag in tags if registry.words(tag).formats), asked)
    style = make_style(registry, code, found)
    is_other = style.language != asked.partition("-")[0]
    if language is not None and (is_other or "-" in asked):
        notes.add("LX790", "language", language, language, style.language)
    text, found_notes = _write_label(read, style)
    notes.merge(found_notes)
    return Label(text=text, language=style.language, findings=notes.findings)


@lru_cache(maxsize=1_024)
def _write_label(name: Name, style: Style) -> tuple[str, Notes]:
    """Write a label; pages, their references and lists ask for the same one."""
    writer = LabelWriter(name, style, Notes())
    return escape_hidden(writer.write()), writer.notes


@lru_cache(maxsize=1_024)
def _choose_language(act: Name, registry: Registry) -> str:
    """Choose the official language in which most parts of an act have a label, else the first."""
    law, work = registry.law(act.jurisdiction.code), act.work
    measures = law.measures
    parts = (
        measures.by_notation(str(work.measure)) or measures.by_notation(work.measure.type),
        *(law.authorities.by_notation(each.institution) for each in work.authority.issuers),
    )

    def count(language: str) -> int:
        return sum(any(entry.label_in(language) for entry in entries) for entries in parts)

    return max(law.languages, key=count, default="")


def describe_date(date: Date, style: Style, key: str = "date") -> str:
    """Write a date in a language, with the date in the local calendar after it.

    The key ``day`` writes it without the year.
    """
    words = date.iso
    year, month, day = map(int, date.iso.split("-"))
    if style.months and style.formats.get(key):
        first = f"{key}-first" if day == 1 and f"{key}-first" in style.formats else key
        values = {"day": str(day), "month": style.months[month - 1], "year": str(year)}
        words = style.fill(first, **values)
    local = split_notation(date.local).replace("-", " ") if date.local else ""
    return f"{words} ({local})" if local else words


# Four to six digits; a reissue follows in two ("2.168-40").
_GROUPED = re.compile(r"([1-9][0-9]{3,5})(-[0-9]{1,2})?")
# Letters of a series before a number: "ets-5".
_LEADING_CODE = re.compile(r"^[a-z]{1,4}(?=-[0-9])")
# Years after that of the date in which an act may get its number, when it is published.
_LATEST_YEAR = 2
_DISTINCT, _OWN_BODY, _GENERAL = range(3)


class MeasureWords(NamedTuple):
    """Measure in words.

    Attributes:
        text: the words.
        has_issuer: True if the type belongs to the issuer, who is then not named.
        has_body: True if the type names the last body or function.
    """

    text: str
    has_issuer: bool = False
    has_body: bool = False


class LabelWriter:
    """Writer of the label of one name in one style."""

    def __init__(self, name: Name, style: Style, notes: Notes) -> None:
        """Store the name, the style, and the notes to add to."""
        self.name = name
        self.style = style
        self.notes = notes

    def write(self) -> str:
        """Write the whole label: ``Legge 21 settembre 2003, n. 456, articolo 3 (...)``."""
        name = self.name
        parts = [capitalize(self.describe_act()), *map(self.describe_annex, name.work.annexes)]
        if name.partition is not None:
            parts += map(self.describe_level, LEVELS.split(name.partition))
        edition = []
        if name.expression is not None:
            edition.append(self.describe_expression(name.expression))
        if name.manifestation is not None:
            edition.append(self.describe_manifestation(name.manifestation))
        return self.style.join(parts) + (f" ({'; '.join(edition)})" if edition else "")

    def describe_act(self) -> str:
        """Describe the act, with its authority if the type does not state it."""
        text, notes = _describe_act(self.name.act_name, self.style)
        self.notes.merge(notes)
        return text

    def write_act(self) -> str:
        """Write the act; all names under it share the words."""
        details, style = self.name.work.details, self.style
        if self.is_year_number() and (title := self.find_title()):
            return title
        measure = self.describe_measure()
        issuers = self.name.work.authority.issuers
        is_state = len(issuers) == 1 and str(issuers[0]) in style.states
        # The type may state the issuer.
        is_stated = measure.has_issuer or is_state
        authority = "" if is_stated else self.describe_issuers(measure, "and-issuers")
        period, first = self.describe_period(), next(iter(details.dates), None)
        dates = style.join_all([describe_date(date, style) for date in details.dates])
        text = style.fill(
            self.choose_template("act-issuer" if authority else "act"),
            authority=authority,
            measure=measure.text,
            date=period or dates,
            day=describe_date(first, style, "day") if first else "",
            year=first.iso[:4] if first else "",
            period=period,
            number=style.join_all([self.format_number(each) for each in details.numbers]),
        )
        if any(map(self.cite_gazette, details.numbers)):
            text = f"{text} ({style.join(map(self.format_number, details.numbers))})"
        units = [each for each in self.list_units() if make_key(each) not in make_key(authority)]
        return f"{text} ({', '.join(units)})" if units else text

    def choose_template(self, key: str) -> str:
        """Choose the template of an act among those that begin with ``act`` or ``act-issuer``."""
        details, formats = self.name.work.details, self.style.formats
        number, issuers = details.numbers[0], self.name.work.authority.issuers
        if self.is_unnumbered() or self.cite_gazette(number):
            return f"{key}-unnumbered"
        if details.period is not None:
            return f"{key}-period"
        if len(details.dates) != 1:
            return key
        if f"{key}-file" in formats and not number.replace("-", "").isdecimal():
            return f"{key}-file"
        keys = (f"{key}s-year" if len(issuers) > 1 else "", f"{key}-year")
        dated = next((each for each in keys if each in formats), key)
        # A date without its year has the year of the number.
        latest = 0 if "{day}" in formats.get(dated, "") else _LATEST_YEAR
        if self.find_year(number, latest) is not None:
            return dated
        is_plain = number.isdecimal() and f"{key}-plain" in formats
        return f"{key}-plain" if is_plain else key

    def is_unnumbered(self) -> bool:
        """Return whether the act has no number of its own.

        Its name has ``lex-1`` (RFC 9676 section 6.3.3) or the year of its date. It may also have
        the mark that its jurisdiction had before (``seq-sf-1``).
        """
        details, mark = self.name.work.details, self.style.law.conventions.get("unnumbered")
        if details.is_lex_number or self.is_year_number():
            return True
        form = re.compile(rf"{re.escape(mark)}(?:-[a-z.]+)*-[0-9]+") if mark else None
        return form is not None and all(map(form.fullmatch, details.numbers))

    def is_year_number(self) -> bool:
        """Return whether the number is the year of the date, in a type that has no numbers."""
        work, types = self.name.work, self.style.law.list_values("year-numbered")
        years = tuple(date.iso[:4] for date in work.details.dates)
        return work.measure.type in types and work.details.numbers == years

    def find_title(self) -> str | None:
        """Find the registered title of the act: ``Constituição Federal`` (RFC 9676 §6.2.3)."""
        style, act = self.style, str(self.name.act_name)
        entries = style.law.measures.by_notation(str(self.name.work.measure))
        titles = [entry.label_in(style.language) for entry in entries if entry.name == act]
        return next(filter(None, titles), None)

    def find_year(self, number: str, latest: int = 0) -> int | None:
        """Find the part of a number that is the year of a date, or one of the next years.

        The year is last but for letters (``22-77-a``), or first (``2003-48-ec``).
        """
        parts, years = number.split("-"), set()
        for year in {int(date.iso[:4]) for date in self.name.work.details.dates}:
            years |= {f"{year % 100:02}", *(f"{year + late:04}" for late in range(latest + 1))}
        last = len(parts) - 1
        while last > 0 and parts[last].isalpha():
            last -= 1
        if last > 0 and parts[last] in years:
            return last
        is_first = len(parts) > 1 and parts[0] in years and parts[1].isdecimal()
        return 0 if is_first else None

    def describe_period(self) -> str:
        """Describe the period in which an act was numbered: ``18. Wahlperiode``."""
        period = self.name.work.details.period or ""
        if "de" not in self.style.law.languages:
            return split_notation(period)
        return re.sub(r"^([0-9]+) ", r"\1. ", title_notation(period, self.style))

    def cite_gazette(self, number: str) -> str | None:
        """Cite the place in a gazette that stands for a number: ``BGBl. 2022 I S. 968``."""
        conventions = self.style.law.conventions
        names = (conventions.get(key, "").split() for key in ("gazettes", "gazette-names"))
        gazettes = dict(zip(*names, strict=False))
        key, *parts = number.split("-")
        digits = [each for each in parts if each.isdecimal()]
        letters = [each.upper() for each in parts if each.isalpha() and each not in {"nr", "s"}]
        form, gazette = conventions.get("gazette-form", ""), gazettes.get(key)
        if form.find("{year}") > form.find("{number}"):
            digits.reverse()
        if not form or gazette is None or len(letters) > 1 or [*map(len, digits[:-1])] != [4]:
            return None
        if digits[0] >= "2023":
            form = conventions.get("gazette-form-2023", form)
        values = {"year": digits[0], "part": "".join(letters), "number": digits[1]}
        return fill_template(form, gazette=gazette, **values)

    def format_number(self, number: str) -> str:
        """Format a number as in the jurisdiction: ``9.784``, ``19-A/2024``, ``2003/48/EC``."""
        if (cited := self.cite_gazette(number)) is not None:
            return cited
        conventions = self.style.law.conventions
        thousands, sign = conventions.get("thousands", "")[:1], conventions.get("number-sign")
        year_index = self.find_year(number, _LATEST_YEAR) if sign else None
        if sign is None or year_index is None:
            is_year = number in {date.iso[:4] for date in self.name.work.details.dates}
            found = _GROUPED.fullmatch(number) if thousands and not is_year else None
            if thousands and found:
                return f"{int(found[1]):,}".replace(",", thousands) + (found[2] or "")
            number = _LEADING_CODE.sub(lambda found: found[0].upper(), number)
            return escape_hidden(unquote(number, errors="replace"))
        parts = [part if part in NUMBER_ADDITIONS else part.upper() for part in number.split("-")]
        text, prefix = parts[0], conventions.get("prefix-sign", "-")
        for index, part in enumerate(parts[1:], 1):
            before = parts[index - 1]
            if index < year_index and not part[:1].isdecimal():
                text += f"-{part}"
            elif index < year_index and (
                before.isalpha() or (text == before and before[:1].isalpha())
            ):
                text += prefix + part
            else:
                text += sign + part
        return escape_hidden(unquote(text, errors="replace"))

    def describe_measure(self) -> MeasureWords:
        """Describe the type by its entry, else by its notation; specifications are in brackets."""
        measure, measures = self.name.work.measure, self.style.law.measures
        rest: tuple[str, ...] = ()
        entries = measures.by_notation(str(measure))
        found = self.choose_entry(entries)
        if found is None:
            entries, rest = measures.by_notation(measure.type), measure.specifications
            found = self.choose_entry(entries)
        if found is None:
            words = split_notation(measure.type)
            self.notes.add("LX791", "measure", measure.type, words)
            return MeasureWords(describe_series(capitalize(words), rest))
        rank, entry = found
        text = capitalize(choose_label(entry, "measure", self.style, self.notes))
        if "de" in self.style.law.languages:
            rest = tuple(title_notation(each, self.style) for each in rest)
        texts = {each.text for each in entry.labels}
        alike = (each for each in entries if any(one.text in texts for one in each.labels))
        is_alone = len({each.issuer for each in alike}) == 1
        return MeasureWords(
            describe_series(text, rest), rank == _DISTINCT and is_alone, rank == _OWN_BODY
        )

    def choose_entry(self, entries: tuple[Entry, ...]) -> tuple[int, Entry] | None:
        """Choose the entry that is meant among those with one notation, with its rank.

        First the one of the issuer, then the one of its body, then the general one: the one whose
        label is its notation, or the only one.
        """
        literal = [entry for entry in entries if _is_literal(entry, self.style)]
        ranked = [(rank, each) for each in entries if (rank := self.rank_entry(each)) is not None]
        general = [entry for rank, entry in ranked if rank == _GENERAL]
        if (literal or len(general) > 1) and not any(entry in literal for entry in general):
            ranked = [each for each in ranked if each[0] != _GENERAL]
        if not ranked:
            return (_GENERAL, literal[0]) if literal else None
        dates = self.name.work.details.dates

        def order(found: tuple[int, Entry]) -> tuple[int, bool, bool, int, str]:
            rank, entry = found
            out_of_use = entry.obsolete or bool(dates and not entry.valid_on(dates[0].iso))
            return rank, out_of_use, entry not in literal, len(entry.iri), entry.iri

        return min(ranked, key=order)

    def rank_entry(self, entry: Entry) -> int | None:
        """Rank how an entry fits the authority, None if it belongs to another one."""
        first, *others = self.name.work.authority.issuers
        if entry.issuer is not None:
            return _DISTINCT if not others and entry.issuer == str(first) else None
        if entry.body is not None:
            bodies = {";".join(first.functions), *first.functions[-1:]}
            return _OWN_BODY if not others and entry.body in bodies else None
        return _GENERAL

    def describe_issuers(self, measure: MeasureWords, key: str) -> str:
        """Describe all issuers, joined by a word of the language that they are in.

        Several are in the first language in which each of them has a label.
        """
        issuers, style, law = self.name.work.authority.issuers, self.style, self.style.law
        texts = [self.describe_issuer(each, measure) for each in issuers]
        entries = [
            entry for each in issuers for entry in law.authorities.by_notation(str(each))[:1]
        ]
        if 1 < len(entries) == len(issuers):
            for language in (style.language, *law.languages):
                labels = [text for each in entries if (text := each.label_in(language))]
                if len(labels) == len(issuers):
                    style = make_style(style.registry, law.code, language)
                    texts = list(map(escape_hidden, labels))
                    break
        return style.join_all(texts, key)

    def describe_issuer(self, issuer: Issuer, measure: MeasureWords) -> str:
        """Describe an issuer by its entry, else its institution and its bodies."""
        law = self.style.law
        whole = law.authorities.by_notation(str(issuer))
        if whole and not measure.has_body:
            return choose_label(whole[0], "authority", self.style, self.notes)
        parts = [
            (law.authorities, issuer.institution, "authority"),
            *((law.bodies, each, "body-function") for each in issuer.functions),
        ]
        shown = parts[:-1] if measure.has_body and issuer.functions else parts
        return self.style.join([describe_notation(*part, self.style, self.notes) for part in shown])

    def list_units(self) -> Iterator[str]:
        """List the jurisdiction-units in words, the smallest first."""
        units, lexicon = self.name.jurisdiction.units, self.style.law.units
        for depth in range(len(units), 0, -1):
            entries = lexicon.by_notation(";".join(units[:depth]))
            component = "jurisdiction-unit"
            if entries:
                yield choose_label(entries[0], component, self.style, self.notes)
            else:
                yield describe_notation(
                    lexicon, units[depth - 1], component, self.style, self.notes
                )

    def describe_annex(self, annex: Annex) -> str:
        """Describe an annex: ``allegato A (confini parco)``."""
        words = annex.id.split(".")
        for length in range(len(words), 0, -1):
            entries = self.style.words.annexes.by_notation(".".join(words[:length]))
            if entries:
                title = choose_label(entries[0], "annex", self.style, self.notes)
                number = " ".join(capitalize(split_notation(word)) for word in words[length:])
                text = self.style.fill("annex", label=title, number=number)
                return describe_series(text, annex.specifications)
        text = split_notation(annex.id)
        self.notes.add("LX791", "annex", annex.id, text)
        return describe_series(text, annex.specifications)

    def describe_expression(self, expression: ExpressionIdentifier) -> str:
        """Describe a version, and its language if the label has another: ``originale, in fr``."""
        style, version = self.style, expression.version
        if version.date is not None:
            head = style.fill("version", date=describe_date(version.date, style))
        elif is_original(version):
            head = style.fill("original")
        else:
            words = split_notation(version.specification or "")
            head = style.fill("version-label", version=words)
        events = (
            describe_date(each.date, style) if each.date else split_notation(each.event or "")
            for each in version.events
        )
        language = ""
        if expression.language not in {None, style.language}:
            tag = expression.language or ""
            shown = name_language(tag, style.language)
            if shown == tag:
                self.notes.add("LX794", "language", tag, tag, style.language)
            language = style.fill("in-language", language=shown)
        return style.join([style.join([head, *events]), language])

    def describe_manifestation(self, manifestation: ManifestationIdentifier) -> str:
        """Describe an edition, its component and feature: ``parlamento.it, PDF 1.7``."""
        editor, component = manifestation.editor, manifestation.component
        publisher = escape_hidden(unquote(editor.publisher))
        parts = [
            self.style.fill(
                "edition",
                publisher=describe_series(publisher, editor.specifications),
                format=describe_format(manifestation.format),
            )
        ]
        if component is not None:
            parts.append(describe_series(split_notation(component.part), component.specifications))
        if (feature := manifestation.feature) is not None:
            parts.append(describe_series(split_notation(feature.attribute), feature.specifications))
        return self.style.join(parts)

    def describe_level(self, piece: str) -> str:
        """Describe one level of a partition; a level of an unknown kind is written as it is."""
        fitting = [
            (entry, number)
            for entry in self.style.words.partitions
            if piece.lower().startswith(entry.notation)
            and (number := _read_number(piece.lower().removeprefix(entry.notation), entry))
            is not None
        ]
        if not fitting:
            text = escape_hidden(unquote(piece, errors="replace"))
            if piece:
                self.notes.add("LX793", "partition", piece, text)
            return text
        entry, number = max(fitting, key=lambda each: len(each[0].notation))
        title = choose_label(entry, "partition", self.style, self.notes)
        number = _format_part_number(number, entry, self.style.ordinal_sign)
        return self.style.fill("partition", label=title, number=number)


@lru_cache(maxsize=1_024)
def _describe_act(act: Name, style: Style) -> tuple[str, Notes]:
    writer = LabelWriter(act, style, Notes())
    return writer.write_act(), writer.notes


def _is_literal(entry: Entry, style: Style) -> bool:
    """Return whether a label of an entry is its notation in words.

    Of entries that share a notation one may have the notation at the end of its IRI. The notation
    was made from that one, also if letters of another script were transcribed.
    """
    if entry.iri.rpartition("/")[2] == entry.notation.replace(";", "_"):
        return True
    wanted = make_key(unquote(entry.notation.partition(";")[0]).replace(".", " "))
    return any(
        wanted in normalize_label(each.text, style.registry.words(each.language))
        for each in entry.labels
    )


# Levels are parted by ";"; ids of older markup have "_" or "-" there ("art2-com3").
LEVELS = re.compile(r"[;_]|-(?=[A-Za-z]{2,}[0-9])")
_PARTITION_NUMBER = re.compile(r"(?P<digits>[0-9]+)(?P<rest>.*)", re.DOTALL)
_ROMAN = re.compile(r"[ivxlcdm]+")
_MOST_LETTERS, _LAST_ROMAN, _LAST_ORDINAL = 2, 3999, 9
_ROMANS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def _read_number(rest: str, entry: Entry) -> str | None:
    """Return the text after a label if it can be the number of such a part."""
    number = rest.lstrip(".-")
    if not number:
        return number if not rest else None
    if number[0].isdecimal():
        return number
    is_letter = number.isalpha() and len(number) <= (
        _MOST_LETTERS if entry.numbering == "letter" else 1
    )
    is_roman = entry.numbering == "roman" and _ROMAN.fullmatch(number) is not None
    return number if is_letter or is_roman else None


def _format_part_number(number: str, entry: Entry, ordinal_sign: str) -> str:
    """Format a number in the style of its part: ``II``, ``a``, ``9º``, ``3-bis``."""
    text = escape_hidden(unquote(number, errors="replace"))
    found = _PARTITION_NUMBER.fullmatch(text)
    if found is None:
        return text.upper() if entry.numbering == "roman" else text
    digits, rest = found["digits"], found["rest"]
    value = int(digits)
    if entry.numbering == "roman" and 0 < value <= _LAST_ROMAN:
        digits = ""
        for worth, numeral in _ROMANS:
            digits, value = digits + numeral * (value // worth), value % worth
    elif entry.numbering == "ordinal" and 0 < value <= _LAST_ORDINAL:
        # Ordinals to the ninth, cardinals after it, as in the drafting law of Brazil.
        digits += ordinal_sign
    return digits + (f"-{rest}" if rest[:1].isalpha() else rest)
