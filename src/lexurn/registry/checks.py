"""Checks of registry files: each entry by itself, entries with each other, and file with file."""

from __future__ import annotations

import datetime as dt
import difflib
import re
import unicodedata
from dataclasses import dataclass
from itertools import combinations
from string import Formatter
from typing import TYPE_CHECKING

from lexurn.name import Severity, check, is_language_tag
from lexurn.registry.entries import (
    FORMAT_KEYS,
    LABEL_FIELDS,
    LAW_KINDS,
    PLAIN_FIELDS,
    Kind,
    list_languages,
    make_keys,
    make_scheme_iri,
)
from lexurn.registry.registry import load_registry
from lexurn.registry.source import FIELD_PROPERTIES, REG, load_jurisdictions, read_scheme
from lexurn.vocabulary import DCTERMS, SKOS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from lexurn.findings import Finding
    from lexurn.name import Name
    from lexurn.registry.entries import Entry, Label
    from lexurn.registry.registry import Registry
    from lexurn.registry.source import SourceFile, Values

# Keys of the conventions of a jurisdiction, with templates of its own.
_CONVENTIONS = FORMAT_KEYS | {
    *("act-marks", "amendment-marks", "approval-marks", "collections", "corrigenda", "date-marks"),
    *("date-year", "dated-number", "day-place", "departments", "gazettes", "gazette-form"),
    *("gazette-form-2023", "gazette-names", "gazette-number", "issuer-place", "language"),
    *("legislature", "local", "local-measures", "mode", "number-endings", "number-sign"),
    *("number-year", "offices", "organs", "prefix-sign", "proposers", "shared-heads"),
    *("shared-issuers", "short-years", "state", "state-issuer", "state-makers", "state-measures"),
    *("subject-place", "thousands", "title-ends", "title-heads", "title-types", "unit-measures"),
    *("unnumbered", "year-numbered"),
}
# The forms of an issuer after a word that leads to it.
_ISSUER_FORMS = {"plain", "inflected"}
# Conventions with a fixed set of values.
_CHOICES = {
    "date-year": {"number", "lettered-number"},
    "dated-number": {"drop"},
    "day-place": {"behind-month"},
    "gazette-number": {"act", "label"},
    "issuer-place": {"before-measure"},
    "mode": {"ascii", "utf8"},
    "number-year": {"drop", "drop-of-state", "keep", "keep-first"},
    "state-issuer": {"sole"},
    "subject-place": {"before-measure", "before-date"},
}
_SAMPLE_NAMES = {
    Kind.AUTHORITY: "urn:lex:{code}:{notation}:x:2000-01-01;1",
    Kind.BODY: "urn:lex:{code}:x;{notation}:x:2000-01-01;1",
    Kind.MEASURE: "urn:lex:{code}:x:{notation}:2000-01-01;1",
    Kind.UNIT: "urn:lex:{code};{notation}:x:x:2000-01-01;1",
    Kind.ABBREVIATION: "urn:lex:xx:{notation}:x:2000-01-01;1",
    Kind.ANNEX: "urn:lex:xx:x:x:2000-01-01;1:{notation}",
    Kind.PARTITION: "urn:lex:xx:x:x:2000-01-01;1~{notation}",
}
_LARGEST_NUMBER = {Kind.ORDINAL: 9999, Kind.CARDINAL: 9999, Kind.MONTH: 13, Kind.WEEKDAY: 7}
# Conventions whose values have a form: its check, and words for it.
_FORMS: Mapping[str, tuple[Callable[[str], object], str]] = {
    "language": (lambda text: is_language_tag(text.lower()), "a language tag"),
    "short-years": (re.compile("[0-9]{4}-[0-9]{4}").fullmatch, "two years, such as 1970-1999"),
}
_TEMPLATE_FIELD = re.compile("[a-z]+")
_NOTATION, _SCHEME = SKOS + "notation", SKOS + "inScheme"
_REPLACED, _BROADER = DCTERMS + "isReplacedBy", SKOS + "broader"
_FROM, _UNTIL, _CHECKED = REG + "validFrom", REG + "validUntil", REG + "checked"
_SKOS_NOTES = (
    *("broadMatch", "changeNote", "closeMatch", "definition", "editorialNote", "exactMatch"),
    *("historyNote", "inScheme", "narrowMatch", "narrower", "note", "related", "relatedMatch"),
    *("scopeNote", "topConceptOf"),
)
# Properties of REG and SKOS that an entry may have.
PROPERTIES = frozenset(
    {each for each in FIELD_PROPERTIES.values() if each.startswith((REG, SKOS))}
    | {SKOS + name for name in _SKOS_NOTES}
)
_SINGLE_VALUED = (_SCHEME, *(FIELD_PROPERTIES[name] for name in ("notation", *PLAIN_FIELDS)))
_LABEL_PROPERTIES = tuple(FIELD_PROPERTIES[name] for name in LABEL_FIELDS)
_NUMBERINGS = {"arabic", "roman", "letter", "ordinal"}
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# Zero-width joiners belong to letters in Persian and in the scripts of India.
_JOINERS = {"\u200c", "\u200d"}
CODE_KINDS = (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT)
# Abbreviations are missing, since they may have several expansions on purpose.
_NAMED_KINDS = {*CODE_KINDS, Kind.ANNEX}
# Kinds with look-ups by words; markers of numbers may be signs: "§", "#".
_SEARCHED_KINDS = {*_NAMED_KINDS, Kind.ABBREVIATION, Kind.ORDINAL}


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedEntry:
    """Entry of a file that is checked, with its surroundings.

    Attributes:
        source: the file.
        iri: the IRI of the entry.
        values: the statements of the file about it.
        known: the built-in entry that it overrides, or None.
        registry: the registry with the entries of the file.
    """

    source: SourceFile
    iri: str
    values: Values
    known: Entry | None
    registry: Registry

    @property
    def scheme(self) -> tuple[Kind, str] | None:
        """Kind and scope, from the overridden entry or from the file."""
        if self.known is not None:
            return self.known.kind, self.known.scope
        return read_scheme(self.values)

    @property
    def notation(self) -> str:
        """Notation, from the file or from the overridden entry."""
        return self.first(_NOTATION) or (self.known.notation if self.known else "")

    @property
    def shown(self) -> str:
        """Notation or IRI, for messages."""
        return self.notation or f"<{self.iri}>"

    def first(self, predicate: str) -> str | None:
        """Return the first value of a property, or None."""
        values = self.values.get(predicate)
        return values[0].text if values else None

    def each(self, *predicates: str) -> Iterator[tuple[str, Label]]:
        """List the values of some properties, each with its property."""
        for predicate in predicates:
            for value in self.values.get(predicate, ()):
                yield predicate, value

    def finding(
        self, code: str, predicate: str | None, value: str | None, *values: object
    ) -> Finding:
        """Make a finding about one of the values."""
        return self.source.finding(code, (self.iri, predicate, value), *values)

    def check(self) -> Iterator[Finding]:
        """Check the entry by all rules."""
        if ":" not in self.iri:
            yield self.finding("LX921", None, None, self.shown)
            return
        yield from self.check_vocabulary()
        yield from self.check_texts()
        yield from self.check_scheme()
        yield from self.check_days()
        if self.scheme is not None:
            kind, scope = self.scheme
            yield from self.check_notation(kind, scope)
            yield from self.check_labels(kind, scope)
            yield from self.check_links(kind, scope)
            yield from self.check_examples(kind, scope)
            yield from self.check_values(kind)

    def check_vocabulary(self) -> Iterator[Finding]:
        """Find properties that do not exist, and several values of properties with one."""
        for predicate in self.values:
            if predicate.startswith((REG, SKOS)) and predicate not in PROPERTIES:
                near = difflib.get_close_matches(predicate, PROPERTIES, n=1)
                yield self.source.finding(
                    "LX903",
                    (self.iri, predicate, None),
                    _abbreviate_iri(predicate),
                    suggestion=_abbreviate_iri(near[0]) if near else None,
                )
        for predicate in _SINGLE_VALUED:
            values = tuple(dict.fromkeys(value.text for _, value in self.each(predicate)))
            if len(values) > 1:
                stated = self.shown, len(values), _abbreviate_iri(predicate), ", ".join(values)
                yield self.finding("LX913", predicate, values[1], *stated)

    def check_texts(self) -> Iterator[Finding]:
        """Find the first invisible character of each value."""
        for predicate, value in self.each(*self.values):
            for character in value.text:
                if unicodedata.category(character) in _INVISIBLE and character not in _JOINERS:
                    shown = self.shown, f"U+{ord(character):04X}"
                    yield self.finding("LX919", predicate, value.text, *shown)
                    break

    def check_scheme(self) -> Iterator[Finding]:
        """Find an entry without a scheme, or in another scheme than before."""
        stated = self.first(_SCHEME)
        if self.known is not None:
            kept = make_scheme_iri(self.known.kind, self.known.scope)
            if stated not in {None, kept}:
                yield self.finding("LX910", _SCHEME, stated, self.shown, f"<{kept}>")
        elif self.scheme is None:
            example = make_scheme_iri(Kind.AUTHORITY, "it")
            yield self.finding("LX904", _SCHEME, stated, self.shown, f"<{example}> or the like")

    def check_days(self) -> Iterator[Finding]:
        """Find days that do not exist, and an end before the start."""
        wrong = [each for each in self.each(_FROM, _UNTIL, _CHECKED) if not _is_day(each[1].text)]
        for predicate, value in wrong:
            yield self.finding("LX915", predicate, value.text, value.text)
        known = self.known
        start = self.first(_FROM) or (known.valid_from if known else None)
        end = self.first(_UNTIL) or (known.valid_until if known else None)
        if start and end and not wrong and start >= end:
            at = _UNTIL if self.first(_UNTIL) else _FROM
            yield self.finding("LX916", at, None, self.shown, start, end)

    def check_notation(self, kind: Kind, scope: str) -> Iterator[Finding]:
        """Find a missing, changed or invalid notation."""
        stated = self.first(_NOTATION)
        if stated is None:
            if self.known is None:
                yield self.finding("LX905", None, None, f"<{self.iri}>")
            return
        # The replacement of a letter is not a code: publishers fold letters as in their own names.
        if self.known and kind is not Kind.FOLD and stated != self.known.notation:
            shown = f"<{self.iri}>", self.known.notation, stated
            yield self.finding("LX909", _NOTATION, stated, *shown)
        if fault := _find_notation_fault(kind, scope, stated):
            yield self.finding("LX908", _NOTATION, stated, repr(stated), _name_kind(kind), fault)

    def check_labels(self, kind: Kind, scope: str) -> Iterator[Finding]:
        """Find missing labels, and labels that no look-up finds or without a language."""
        if self.known is None and not self.values.get(SKOS + "prefLabel"):
            yield self.finding("LX906", None, None, self.shown)
        for predicate, value in self.each(*_LABEL_PROPERTIES):
            if kind in _SEARCHED_KINDS and not make_keys(value.text):
                yield self.finding("LX923", predicate, value.text, repr(value.text))
            if kind is not Kind.CONVENTION and not value.language:
                language = next(iter(self.registry.law(scope).languages), "en")
                written = f'"{value.text}"@{language if kind in LAW_KINDS else scope}'
                yield self.finding("LX927", predicate, value.text, repr(value.text), written)

    def check_links(self, kind: Kind, scope: str) -> Iterator[Finding]:
        """Find codes without a source, and unknown authorities and units."""
        if kind in CODE_KINDS and self.known is None and not self.values.get(DCTERMS + "source"):
            yield self.finding("LX907", None, None, self.shown)
        law = self.registry.law(scope)
        for predicate, value in self.each(REG + "issuer"):
            authorities = (value.text, value.text.partition(";")[0])
            if kind in LAW_KINDS and not any(map(law.authorities.by_notation, authorities)):
                yield self.finding("LX920", predicate, value.text, scope, value.text)
        for predicate, value in self.each(_BROADER):
            if self.registry.entry(value.text) is None:
                yield self.finding("LX925", predicate, value.text, self.shown, f"<{value.text}>")

    def check_examples(self, kind: Kind, scope: str) -> Iterator[Finding]:
        """Find examples that are not names, or that do not have the notation of the entry."""
        notation = self.notation
        for predicate, value in self.each(SKOS + "example", REG + "name"):
            name = check(value.text).name
            if fault := _find_name_fault(value.text):
                yield self.finding("LX917", predicate, value.text, value.text, fault)
            elif predicate == SKOS + "example" and name is not None and kind in CODE_KINDS:
                continued = (notation + ".", notation + ";")
                parts = _list_parts(kind, name) if name.jurisdiction.code == scope else ()
                if not any(part == notation or part.startswith(continued) for part in parts):
                    shown = value.text, self.shown, _name_kind(kind)
                    yield self.finding("LX918", predicate, value.text, *shown)

    def check_values(self, kind: Kind) -> Iterator[Finding]:
        """Check templates, conventions and the numbering of partitions."""
        for predicate, value in self.each(SKOS + "prefLabel", REG + "numbering"):
            if predicate == REG + "numbering":
                fault = _find_choice_fault(value.text, _NUMBERINGS)
            else:
                fault = _find_value_fault(kind, self.notation, value.text)
            if fault:
                yield self.finding("LX926", predicate, value.text, repr(value.text), fault)


def _abbreviate_iri(iri: str) -> str:
    return iri.replace(REG, "reg:").replace(SKOS, "skos:")


def _is_day(text: str) -> bool:
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _find_notation_fault(kind: Kind, scope: str, notation: str) -> str | None:
    """Return the reason why a notation is not valid for its kind, or None."""
    if kind in _SAMPLE_NAMES:
        text = _SAMPLE_NAMES[kind].format(code=scope, notation=notation)
        if fault := _find_name_fault(text):
            return fault
        name = check(text).name
        if name is None or str(name) != text:
            return "it is not in canonical form: lower case, without spaces"
        is_whole = notation in _list_parts(kind, name)
        return None if is_whole else "it contains a separator of components"
    if largest := _LARGEST_NUMBER.get(kind):
        right = re.fullmatch("[1-9][0-9]*", notation) and int(notation[:5]) <= largest
        return None if right else f"it is not a number from 1 to {largest}"
    if kind is Kind.FOLD:
        return None if re.fullmatch("[a-z0-9]*", notation) else "it is not an ASCII letter or digit"
    choices = {
        Kind.FORMAT: FORMAT_KEYS,
        Kind.CONVENTION: _CONVENTIONS,
        Kind.ISSUER_WORD: _ISSUER_FORMS,
    }
    keys = choices.get(kind)
    return _find_choice_fault(notation, keys) if keys else None


def _find_choice_fault(text: str, choices: Collection[str]) -> str | None:
    return None if text in choices else "it is not one of " + ", ".join(sorted(choices))


def _find_name_fault(text: str) -> str | None:
    """Return the first error or warning about a whole name, or None."""
    found = (each.message for each in check(text).findings if each.severity is not Severity.NOTE)
    return next(found, None)


def _list_parts(kind: Kind, name: Name) -> tuple[str, ...]:
    """List the parts of a name that entries of a kind may stand for."""
    issuers = name.work.authority.issuers
    if kind in {Kind.AUTHORITY, Kind.ABBREVIATION}:
        return tuple(map(str, issuers))
    if kind is Kind.BODY:
        functions = (issuer.functions for issuer in issuers)
        return tuple(";".join(each[at:]) for each in functions for at in range(len(each)))
    if kind is Kind.MEASURE:
        return (str(name.work.measure),)
    if kind is Kind.UNIT:
        return (";".join(name.jurisdiction.units),)
    if kind is Kind.ANNEX:
        return tuple(map(str, name.work.annexes))
    return (name.partition or "",)


def _name_kind(kind: Kind) -> str:
    return f"{'an' if kind.word[0] in 'aeio' else 'a'} {kind.word}"


def _find_value_fault(kind: Kind, notation: str, text: str) -> str | None:
    """Return the reason why the value of a template or convention is not valid, or None.

    Fields are words in braces and nothing else, so that no template accesses attributes of a value.
    """
    if kind is Kind.CONVENTION and notation in _FORMS:
        is_valid, word = _FORMS[notation]
        return None if is_valid(text) else f"it is not {word}"
    if kind is Kind.CONVENTION and notation in _CHOICES:
        return _find_choice_fault(text, _CHOICES[notation])
    if kind is not Kind.FORMAT and (kind is not Kind.CONVENTION or notation not in FORMAT_KEYS):
        return None
    try:
        for _, name, spec, conversion in Formatter().parse(text):
            if name is not None and (spec or conversion or not _TEMPLATE_FIELD.fullmatch(name)):
                return f"{{{name}}} is not a field"
    except ValueError as fault:
        return str(fault)
    return None


def check_replacements(source: SourceFile, with_own: Registry) -> Iterator[Finding]:
    """Find entries with an unknown replacement, and circles of replacements."""
    links = {
        iri: values[_REPLACED][0].text
        for iri, values in source.subjects.items()
        if values.get(_REPLACED)
    }
    for iri, target in links.items():
        at = (iri, _REPLACED, target)
        if target not in source.subjects and with_own.entry(target) is None:
            yield source.finding("LX911", at, f"<{iri}>", f"<{target}>")
            continue
        way = [iri]
        while way[-1] in links and links[way[-1]] not in way[1:]:
            way.append(links[way[-1]])
        if way[-1] == iri and len(way) > 1:
            yield source.finding("LX912", at, " -> ".join(way))


def find_changed_codes(
    source: SourceFile, codes: Mapping[str, str], before: str
) -> Iterator[Finding]:
    """Find codes that a file has renamed or deleted (RFC 9676 section 2.2).

    Args:
        source: the file.
        codes: the earlier notations by IRI, an empty one for an entry without a notation.
        before: the source of the earlier codes, for messages.
    """
    for iri, old in codes.items():
        new = source.subjects.get(iri, {}).get(_NOTATION)
        if iri not in source.subjects:
            yield source.finding("LX910", (iri, None, None), f"<{iri}>", before)
        elif old and new and old != new[0].text:
            at = (iri, _NOTATION, new[0].text)
            yield source.finding("LX909", at, f"<{iri}>", old, new[0].text)


def find_unknown_codes(source: SourceFile) -> Iterator[Finding]:
    """Find the jurisdiction-codes of entries that are not registered, each once."""
    seen = set()
    for iri, values in source.subjects.items():
        kind, scope = read_scheme(values) or (None, "")
        if kind not in LAW_KINDS or scope in seen:
            continue
        seen.add(scope)
        if scope not in load_jurisdictions():
            yield source.finding("LX922", (iri, _SCHEME, None), scope)


def is_ambiguous(entries: Iterable[Entry], key: str) -> bool:
    """Return whether entries with one key give different names.

    Obsolete entries do not count, nor entries that never existed at the same time, nor entries
    with the key in different languages.
    """
    first, last = "0000", "9999-99"
    live = [each for each in entries if not each.obsolete]
    for one, other in combinations(live, 2):
        start = max(one.valid_from or first, other.valid_from or first)
        if start >= min(one.valid_until or last, other.valid_until or last):
            continue
        names = ("notation", "issuer", "body", "titled", "name")
        is_other = any(getattr(one, name) != getattr(other, name) for name in names)
        if is_other and list_languages(one, key) & list_languages(other, key):
            return True
    return False


def find_ambiguities(source: SourceFile, with_own: Registry) -> Iterator[Finding]:
    """Find the forms of a file that stand for several entries, each form once."""
    schemes = {read_scheme(values) for values in source.subjects.values()} - {None}
    for kind, scope in sorted(filter(None, schemes)):
        if kind not in _NAMED_KINDS:
            continue
        for key, entries in with_own.lexicon(kind, scope).items():
            mine = [each for each in entries if each.iri in source.subjects]
            if mine and is_ambiguous(entries, key):
                shown = ", ".join(f"{each.notation} <{each.iri}>" for each in entries)
                yield source.finding("LX914", (mine[-1].iri, None, None), repr(key), shown)


def find_taken_forms(source: SourceFile, with_own: Registry) -> Iterator[Finding]:
    """Find forms of built-in entries that now find only entries of the file."""
    schemes = {(each.kind, each.scope) for each in with_own.own if each.iri in source.subjects}
    for kind, scope in sorted(schemes):
        for key, entries in with_own.lexicon(kind, scope).items():
            mine = [each for each in entries if each.iri in source.subjects]
            kept = {each.iri for each in entries}
            before = load_registry().lexicon(kind, scope).find_key(key)
            lost = sorted(each.notation for each in before if each.iri not in kept)
            if mine and lost:
                now = ", ".join(sorted({each.notation for each in entries}))
                at = (mine[0].iri, None, None)
                yield source.finding("LX924", at, repr(key), now, ", ".join(lost))


def find_contradictions(sources: Iterable[SourceFile]) -> Iterator[Finding]:
    """Find statements of a file that contradict a file before it."""
    stated: dict[tuple[str, str], tuple[str, frozenset[str]]] = {}
    for source in sources:
        for iri, values in source.subjects.items():
            for predicate, objects in values.items():
                texts = frozenset(f"{each.text}@{each.language}" for each in objects)
                file, before = stated.setdefault((iri, predicate), (source.file, texts))
                if before != texts:
                    shown = source.file, file, f"<{iri}>", "other values", f"<{predicate}>"
                    yield source.finding("LX928", (iri, predicate, None), *shown)
