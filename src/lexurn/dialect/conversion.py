"""Conversion of a text from one dialect to another, with its changes and losses."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from lexurn.dialect.detection import PREFIX, detect, find_form, find_lexml_marks
from lexurn.dialect.elements import is_canonical
from lexurn.dialect.jurisdictions import JurisdictionWords, load_builtin_words, load_words
from lexurn.dialect.lexml import has_draft_order, read_lex, swap_manifestation
from lexurn.dialect.nir import read_nir
from lexurn.dialect.values import (
    ConversionState,
    Dialect,
    Piece,
    Standing,
    find_at,
    quote_text,
)
from lexurn.dialect.writing import WRITERS, make_note
from lexurn.name import LONGEST_NAME, NameSyntaxError, check, parse

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from lexurn.dialect.changes import Change
    from lexurn.dialect.values import Detection
    from lexurn.name import Finding, Name
    from lexurn.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """All that came of converting one text.

    Attributes:
        text: the text as given.
        dialect: the dialect that it was read in.
        name: the name by RFC 9676, None where the text is broken.
        written: the name in the dialect asked for, None where it cannot be said there.
        standing: how the text stands to RFC 9676.
        changes: what was changed, in the order of the work.
        findings: what is wrong with a broken text, and what is worth knowing of any other.
    """

    text: str
    dialect: Dialect
    name: Name | None
    written: str | None
    standing: Standing
    changes: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def readings(self) -> tuple[Detection, ...]:
        """Each dialect that the text can be read in, with the reason."""
        return detect(self.text)

    @property
    def losses(self) -> tuple[Change, ...]:
        """The changes that the way back cannot undo."""
        return tuple(change for change in self.changes if change.lost is not None)


def conversion_to_json(conversion: Conversion) -> dict[str, Any]:
    """The conversion as an object of JSON; absent parts are null, lists are never null."""
    return {
        "input": conversion.text,
        "dialect": str(conversion.dialect),
        "standing": str(conversion.standing),
        "name": None if conversion.name is None else str(conversion.name),
        "written": conversion.written,
        "changes": [_change_to_json(change) for change in conversion.changes],
        "findings": [_finding_to_json(found) for found in conversion.findings],
        "readings": [asdict(found) for found in conversion.readings],
    }


def _change_to_json(change: Change) -> dict[str, Any]:
    return {
        **asdict(change),
        "loss": change.loss,
        "message": change.message,
        "rule": change.rule,
    }


def _finding_to_json(found: Finding) -> dict[str, Any]:
    keys = ("code", "severity", "component", "start", "end", "message", "rule", "suggestion")
    return {key: getattr(found, key) for key in keys}


_ACCIDENTAL_CODES = frozenset({"LX851", "LX854", "LX855", "LX857"})
_NEVER_VALID = frozenset("![]*")
# A name whose way back from the one change of its prefix cannot fail.
_ONLY_THE_PREFIX = re.compile(r"urn:nir:[a-z0-9.;+]+:[a-z0-9.;]+:[0-9-]+;[0-9][a-z0-9-]*")
_ONLY_THE_PARTITION = re.compile(r"urn:lex(?::[a-z0-9.;-]+){4}")
_SPELLING, _SEPARATOR = "LX835", "LX845"


def build_name(work: ConversionState, made: str = "") -> Name | None:
    """The name that came of it; what the RFC says against it is said of the text as given."""
    if work.broken:
        return None
    text = made or str(work.parts)
    try:
        return parse(text)
    except NameSyntaxError as fault:
        work.findings += (_place_finding(each, text, work.text) for each in fault.report.errors)
        return None


def _place_finding(found: Finding, made: str, given: str) -> Finding:
    """A finding on the text that was made, at its place in the text as given."""
    if made == given:
        return found
    part = made[found.start : found.end]
    at = given.find(part) if part else -1
    start, end = (at, at + len(part)) if at >= 0 else (0, len(given))
    return replace(found, start=start, end=end, suggestion=None)


def is_valid_text(work: ConversionState, dialect: Dialect) -> bool:
    """Whether the text as given is a name by RFC 9676, whatever it says."""
    if dialect is Dialect.NIR or not _NEVER_VALID.isdisjoint(work.text):
        return False
    if not work.changes:
        return True
    try:
        parse(work.text)
    except NameSyntaxError:
        return False
    return True


def make_conversion(
    work: ConversionState, dialect: Dialect, wanted: Dialect, name: Name | None, *, valid: bool
) -> Conversion:
    """The conversion, with the name written as it was asked for."""
    if name is None:
        return make_broken(work.text, dialect, work.findings)
    standing = _find_standing(work, valid=valid)
    if work.auto:
        dialect = _choose_dialect(work, dialect, name)
    _check_round_trip(work, dialect, name)
    written = WRITERS[wanted](name, make_note(work))
    if written is None:
        work.say("LX887", Piece(0, work.text), quote_text(str(name)))
    return Conversion(
        text=work.text,
        dialect=dialect,
        name=name,
        written=written,
        standing=standing,
        changes=tuple(work.changes),
        findings=tuple(work.findings),
    )


def _find_standing(work: ConversionState, *, valid: bool) -> Standing:
    if not valid:
        return Standing.REPAIRABLE
    doubted = any(found.code in _ACCIDENTAL_CODES for found in work.findings)
    return Standing.ACCIDENTAL if doubted or work.changes else Standing.VALID


def _choose_dialect(work: ConversionState, dialect: Dialect, name: Name) -> Dialect:
    """Of the two ways to write a name of Brazil the one that the text is written in."""
    if name.jurisdiction.code != "br" or dialect not in {Dialect.RFC9676, Dialect.LEXML}:
        return dialect
    if work.changes:
        return Dialect.LEXML
    as_lexml = WRITERS[dialect](name, _ignore_change) == work.text
    return dialect if as_lexml else Dialect.RFC9676


def _check_round_trip(work: ConversionState, dialect: Dialect, name: Name) -> None:
    """Note a loss where the way back gives another text and no change says so."""
    if any(change.lost is not None for change in work.changes):
        return
    if dialect is Dialect.NIR and len(work.changes) == 1 and _ONLY_THE_PREFIX.fullmatch(work.text):
        return
    if dialect is Dialect.LEXML and _restore_lexml(str(name)) == work.text:
        return
    if WRITERS[dialect](name, _ignore_change) != work.text:
        same = str(name) == work.text
        work.change(_SEPARATOR if same else _SPELLING, Piece(0, work.text), str(name))


def _restore_lexml(text: str) -> str | None:
    """LexML's spelling where only the partition differs; None where more may."""
    document, tilde, partition = text.partition("~")
    if not _ONLY_THE_PARTITION.fullmatch(document) or not tilde or "(" in partition:
        return None
    return f"{document}!{partition.replace(';', '_')}"


def _ignore_change(_code: str, _before: str, _after: str) -> None:
    """For a way back that is only tried."""


def make_broken(text: str, dialect: Dialect, findings: Iterable[Finding]) -> Conversion:
    """Return the conversion of a text that is no name; its errors stand first."""
    return Conversion(
        text=text,
        dialect=dialect,
        name=None,
        written=None,
        standing=Standing.BROKEN,
        findings=tuple(sorted(findings, key=attrgetter("is_error"), reverse=True)),
    )


TargetName = Dialect | Literal["rfc9676", "lexml", "nir", "draft"]
SourceName = TargetName | Literal["auto"]
# A name of the RFC, lower case and with nothing in it that a dialect could mean otherwise.
_PLAIN_NAME = re.compile(
    r"urn:lex:[a-z0-9.;]+:[a-z0-9.;+]+:[a-z][a-z0-9.;]*"
    r":(?!0|[0-9]{4}-01-01)[0-9]{4}(-[0-9]{2}-[0-9]{2})?;[0-9][a-z0-9.-]*"
)
_CONVENTIONAL = re.compile(r":(federal|estadual|municipal|distrital):")
_FORBIDDEN = re.compile(
    r"[\s\x00-\x20\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
    r'|[<>"{}\\^`]'
)
_BRAZIL = re.compile(r"(?:urn:lex:)+br[:;]", re.IGNORECASE)
_MANIFESTATION = re.compile(r"\$([^~!?#]*)")
_AMBIGUOUS_SIGNS = frozenset("~$")
_YEAR = re.compile(r"[0-9]{4}")
_PERIOD = re.compile(r"(?=.*[0-9])(?=.*[a-z%])[a-z0-9.%]+", re.IGNORECASE)
_NO_WORDS = JurisdictionWords(
    code="",
    connectives=frozenset(),
    folds={},
    annexes=frozenset(),
    labels=(),
    units=frozenset(),
    authorities=frozenset(),
    bodies=frozenset(),
    measures=frozenset(),
    references={},
)

_DIALECTS: dict[str, Dialect] = {each.value: each for each in Dialect}


def convert(
    text: str,
    *,
    source: SourceName = "auto",
    target: TargetName = "rfc9676",
    registry: Registry | None = None,
) -> Conversion:
    """Read a name in a dialect and write it in another.

    Args:
        text: any text.
        source: the dialect that it is read in; ``auto`` finds out.
        target: the dialect that it is written in.
        registry: whose words are dropped, folded and known; the built-in one if not given.

    Returns:
        The name, its standing, each change and loss; a text that is none is BROKEN, with the
        reason. Nothing is raised for any text.

    Raises:
        ValueError: there is no such dialect.
    """
    wanted = _DIALECTS.get(target) or Dialect(target)
    given = None if source == "auto" else Dialect(source)
    if given is None and wanted is Dialect.RFC9676 and (match := _PLAIN_NAME.fullmatch(text)):
        found = _convert_plain(match, registry)
        if found is not None:
            return found
    return _convert_text(text, given, wanted, registry)


def _convert_plain(match: re.Match[str], registry: Registry | None) -> Conversion | None:
    """A name of the RFC that needs no change, or None where something has to be looked at."""
    text = match.string
    try:
        name = parse(text)
    except NameSyntaxError:
        return None
    findings: tuple[Finding, ...] = ()
    brazilian = name.jurisdiction.code == "br"
    if brazilian:
        speech = _find_words("br", registry)
        if not all(is_canonical(item, speech) for item in text.split(":", 5)[2:5]):
            return None
        if conventional := _CONVENTIONAL.search(text):
            findings = (find_at("LX850", Piece(conventional.start(1), conventional[1])),)
    if match[1] is None:
        at = text.rindex(":") + 1
        findings = (find_at("LX851", Piece(at, text[at : at + 4])), *findings)
    return Conversion(
        text=text,
        dialect=Dialect.LEXML if findings and brazilian else Dialect.RFC9676,
        name=name,
        written=text,
        standing=Standing.ACCIDENTAL if match[1] is None else Standing.VALID,
        findings=findings,
    )


def _find_words(code: str, registry: Registry | None) -> JurisdictionWords:
    return load_builtin_words(code) if registry is None else load_words(registry, code)


def _convert_text(
    text: str, given: Dialect | None, wanted: Dialect, registry: Registry | None
) -> Conversion:
    """Any text, by the reader of its dialect."""
    dialect = given or _detect_dialect(text)
    unreadable = _find_unreadable(text)
    if unreadable is not None:
        return make_broken(text, dialect, (unreadable,))
    if dialect is Dialect.RFC9676 and (given is not None or not _BRAZIL.match(text)):
        work, name = _read_as_is(text)
        work.auto = given is None
        if name is not None or given is not None:
            return make_conversion(work, dialect, wanted, name, valid=True)
    work, name = _read_dialect(text, dialect, registry)
    if given is None:
        work.auto = True
        _note_ambiguity(work, dialect)
    return make_conversion(work, dialect, wanted, name, valid=is_valid_text(work, dialect))


def _read_dialect(
    text: str, dialect: Dialect, registry: Registry | None
) -> tuple[ConversionState, Name | None]:
    """A text by the rules of its dialect, and the name that they make of it."""
    if dialect is Dialect.DRAFT:
        return _read_draft(text)
    work, prefix = _start(text, dialect, registry)
    if prefix is not None and dialect is Dialect.NIR:
        read_nir(work, prefix.end())
    elif prefix is not None:
        read_lex(work, prefix.end(), lexml=dialect is Dialect.LEXML)
    return work, build_name(work)


def _detect_dialect(text: str) -> Dialect:
    """The dialect that `auto` reads a text in."""
    if text.startswith("urn:nir:"):
        return Dialect.NIR
    prefix = PREFIX.match(text)
    if prefix is not None and prefix[0][-4:-1].lower() == "nir":
        return Dialect.NIR
    if "!" in text or next(find_lexml_marks(text), None) is not None:
        return Dialect.LEXML
    found = _MANIFESTATION.search(text)
    return Dialect.DRAFT if found and has_draft_order(found[1]) else Dialect.RFC9676


def _find_unreadable(text: str) -> Finding | None:
    """What no dialect has: too many characters, or such that can stand nowhere."""
    if len(text) > LONGEST_NAME:
        return find_at("LX870", Piece(0, text), str(len(text)))
    if nowhere := _FORBIDDEN.search(text):
        return find_at("LX871", Piece(nowhere.start(), nowhere[0]))
    return None


def _start(
    text: str, dialect: Dialect, registry: Registry | None
) -> tuple[ConversionState, re.Match[str] | None]:
    """A conversion behind its prefix; None for the prefix where there is none of the dialect."""
    prefix = PREFIX.match(text)
    nir = dialect is Dialect.NIR
    own = "urn:nir:" if nir else "urn:lex:"
    if prefix is None or prefix[0][-len(own) :].lower() != own:
        work = ConversionState(text, _NO_WORDS)
        shown = text[: prefix.end() if prefix else len(own)]
        work.say("LX872", Piece(0, shown), quote_text(shown), own)
        return work, None
    code = "it" if nir else text[prefix.end() :].partition(":")[0].partition(";")[0].lower()
    work = ConversionState(text, _find_words(code, registry), nir=nir)
    last = prefix.end() - len(own)
    if last:
        work.change("LX802", Piece(0, text[:last]), "")
    if nir:
        work.change("LX801", Piece(last, text[last : prefix.end()]), "urn:lex:it:")
    return work, prefix


def _read_as_is(text: str) -> tuple[ConversionState, Name | None]:
    """A text by RFC 9676 alone, with what is worth knowing of a name that it is."""
    work = ConversionState(text, _NO_WORDS)
    report = check(text)
    if report.name is None:
        work.findings += report.findings
        return work, None
    details = report.name.work.details
    when = details.period
    if when is not None and not _PERIOD.fullmatch(when):
        at = text.lower().find(f":{when};") + 1
        work.say(
            "LX851" if _YEAR.fullmatch(when) else "LX855", Piece(at, text[at : at + len(when)])
        )
    _note_ambiguity(work, Dialect.RFC9676)
    if report.name.components.f is not None:
        at = text.index("#")
        work.say("LX856", Piece(at, text[at:]))
    return work, report.name


def _read_draft(text: str) -> tuple[ConversionState, Name | None]:
    """A text of a draft: a name by RFC 9676 but for the order of format and editor."""
    work = ConversionState(text, _NO_WORDS)
    made = text
    if found := _MANIFESTATION.search(text):
        after = swap_manifestation(found[1])
        made = text[: found.start(1)] + after + text[found.end(1) :]
        if after != found[1]:
            work.change("LX833", Piece(found.start(1), found[1]), after)
    return work, build_name(work, made)


def _note_ambiguity(work: ConversionState, dialect: Dialect) -> None:
    """Say where a text can be read in two ways."""
    if dialect is Dialect.NIR or _AMBIGUOUS_SIGNS.isdisjoint(work.text):
        return
    if form := find_form(work.text):
        work.say("LX854", Piece(form.start(), form[0]))
    found = _MANIFESTATION.search(work.text)
    if found and has_draft_order(found[1]):
        work.say("LX857", Piece(found.start(1), found[1]))
