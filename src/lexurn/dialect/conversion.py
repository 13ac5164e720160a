"""Conversion of a text from one dialect to another, with its changes and losses."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal

from lexurn.dialect import syntax
from lexurn.dialect.elements import is_canonical
from lexurn.dialect.values import (
    ConversionState,
    Detection,
    Dialect,
    Piece,
    Standing,
    find_at,
    load_words,
    quote_text,
)
from lexurn.findings import load_codes, make_finding
from lexurn.name import LONGEST_NAME, NameSyntaxError, check, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.dialect.values import Change
    from lexurn.name import Finding, Name
    from lexurn.registry import Registry

_PREFIX = re.compile(r"(?:urn:(?:lex|nir):)+", re.IGNORECASE)
_BRAZIL = re.compile(r"(?:urn:lex:)+br[:;]", re.IGNORECASE)
_MARKS = (
    (re.compile(r"!"), '"!" before a partition'),
    (re.compile(r"@(?:data\.evento|inicio\.vigencia|multivigente|versao\.[a-z.]+)(?=[;~!]|$)"),
     "a keyword of LexML's versions"),
    (re.compile(r"[@;][0-9]{4}-[0-9]{2}-[0-9]{2}t[0-9.]+"), "a time of day in the version"),
    (re.compile(r"@[0-9]{12}(?:[0-9]{2})?(?=[~!:;]|$)"), "a timestamp as version"),
    (re.compile(r":@"), "an empty annex before the version"),
)  # fmt: skip
_BRAZILIAN_MARKS = (
    (re.compile(r":(?:federal|estadual|municipal|distrital):"), "LexML's authority by convention"),
    (re.compile(r"(?<=;)(?:federal|estadual|municipal|distrital)(?=:)"),
     "LexML's authority by convention, in the jurisdiction"),
    (re.compile(r";seq-[a-z.]+-[0-9]+"), "LexML's number of an act without one"),
    (re.compile(r":[0-9]{4};"), "LexML's reference by year and number"),
    (re.compile(r"^(?:urn:lex:)+[^:@]*:[^:@,]*,"), "issuers that a comma joins"),
)  # fmt: skip
_TILDE = re.compile(r"~([^!?#]*)")
_MANIFESTATION = re.compile(r"\$([^~!?#]*)")


def detect(text: str) -> tuple[Detection, ...]:
    """Return each dialect that a text can be read in, with the reason; the likeliest first.

    >>> [str(found.dialect) for found in detect("urn:lex:br:federal:lei:1990-07-11;8069!art2")]
    ['lexml']
    """
    prefix = _PREFIX.match(text) if len(text) <= LONGEST_NAME else None
    if prefix is None:
        return ()
    found: list[tuple[Dialect, str, int, int]] = []
    if prefix[0][-4:-1].lower() == "nir":
        span = prefix.end() - 4, prefix.end() - 1
        found.append((Dialect.NIR, 'the namespace is "nir"', *span))
    else:
        if mark := next(_find_lexml_marks(text), None):
            start, end, reason = mark
            found.append((Dialect.LEXML, reason, start, end))
        manifestation = _MANIFESTATION.search(text)
        if manifestation and syntax.has_draft_order(manifestation[1]):
            reason = "the format stands before the editor"
            found.append((Dialect.DRAFT, reason, *manifestation.span(1)))
        if check(text).name is not None:
            found.append((Dialect.RFC9676, "it is a name by RFC 9676", 0, len(text)))
    return tuple(
        Detection(dialect=dialect, reason=reason, start=start, end=end)
        for dialect, reason, start, end in found
    )


def _find_form(text: str) -> re.Match[str] | None:
    """Return form and language after a ``~``, in a name of Brazil."""
    tilde = _TILDE.search(text)
    is_form = tilde is not None and _BRAZIL.match(text) and syntax.FORM.fullmatch(tilde[1])
    return tilde if is_form else None


def _find_lexml_marks(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the signs of LexML: the position, and the reason."""
    if form := _find_form(text):
        yield *form.span(), '"~" before a form and its language'
    rules = (*_MARKS, *_BRAZILIAN_MARKS) if _BRAZIL.match(text) else _MARKS
    for pattern, reason in rules:
        if found := pattern.search(text):
            yield *found.span(), reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """Result of converting one text.

    Attributes:
        text: the text as given.
        dialect: the dialect that it was read in.
        name: the name by RFC 9676, None if the text is broken.
        written: the name in the dialect asked for, None if the dialect cannot express it.
        standing: the standing of the text beside RFC 9676.
        changes: the changes, in the order of the work.
        findings: the faults of a broken text, and notes on any other.
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
        """Dialects that the text can be read in, with the reasons."""
        return detect(self.text)

    @property
    def losses(self) -> tuple[Change, ...]:
        """Changes that the way back cannot undo."""
        return tuple(change for change in self.changes if change.lost is not None)


def conversion_to_json(conversion: Conversion) -> dict[str, Any]:
    """Return the conversion as an object of JSON; absent parts are null, lists are never null."""
    keys = ("code", "severity", "component", "start", "end", "message", "rule", "suggestion")
    return {
        "input": conversion.text,
        "dialect": str(conversion.dialect),
        "standing": str(conversion.standing),
        "name": None if conversion.name is None else str(conversion.name),
        "written": conversion.written,
        "changes": [
            {**asdict(each), "loss": each.loss, "message": each.message, "rule": each.rule}
            for each in conversion.changes
        ],
        "findings": [{key: getattr(each, key) for key in keys} for each in conversion.findings],
        "readings": [asdict(found) for found in conversion.readings],
    }


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
_AMBIGUOUS_SIGN = re.compile(r"[~$]")
_NEVER_VALID = re.compile(r"[!\[\]*]")
_ITEM_SIGNS = re.compile(r"([:;+])")
_YEAR = re.compile(r"[0-9]{4}")
_PERIOD = re.compile(r"(?=.*[0-9])(?=.*[a-z%])[a-z0-9.%]+", re.IGNORECASE)
_ACCIDENTAL_CODES = frozenset({"LX851", "LX854", "LX855", "LX857"})
_SPELLING, _SEPARATOR = "LX835", "LX845"
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
        registry: the registry of the words that are dropped, folded and known; None: the built-in
            one.

    Returns:
        The name, its standing, each change and loss. A text that is not a name is BROKEN, with the
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
    """Return a name of the RFC that needs no change, or None if something has to be looked at."""
    text = match.string
    try:
        name = parse(text)
    except NameSyntaxError:
        return None
    findings: tuple[Finding, ...] = ()
    is_brazilian = name.jurisdiction.code == "br"
    if is_brazilian:
        words = load_words(registry, "br")
        if not all(is_canonical(item, words) for item in text.split(":", 5)[2:5]):
            return None
        if conventional := _CONVENTIONAL.search(text):
            findings = (find_at("LX850", Piece(conventional.start(1), conventional[1])),)
    if match[1] is None:
        at = text.rindex(":") + 1
        findings = (find_at("LX851", Piece(at, text[at : at + 4])), *findings)
    return Conversion(
        text=text,
        dialect=Dialect.LEXML if findings and is_brazilian else Dialect.RFC9676,
        name=name,
        written=text,
        standing=Standing.ACCIDENTAL if match[1] is None else Standing.VALID,
        findings=findings,
    )


def _convert_text(
    text: str, given: Dialect | None, wanted: Dialect, registry: Registry | None
) -> Conversion:
    """Return the conversion of any text, by the reader of its dialect."""
    dialect = given or _detect_dialect(text)
    forbidden = _FORBIDDEN.search(text)
    if len(text) > LONGEST_NAME:
        component = load_codes()["LX870"].component
        too_long = make_finding("LX870", str(len(text)), component=component, end=len(text))
        return _make_broken(text, dialect, (too_long,))
    if forbidden:
        nowhere = find_at("LX871", Piece(forbidden.start(), forbidden[0]))
        return _make_broken(text, dialect, (nowhere,))
    if dialect is Dialect.RFC9676 and (given is not None or not _BRAZIL.match(text)):
        work, name = _read_as_is(text)
        work.is_detected = given is None
        if name is not None or given is not None:
            return _make_conversion(work, dialect, wanted, name, registry, valid=True)
    work, name = _read_dialect(text, dialect, registry)
    work.is_detected = given is None
    if work.is_detected:
        _note_ambiguity(work, dialect)
    valid = dialect is not Dialect.NIR and not _NEVER_VALID.search(text)
    if valid and work.changes:
        valid = check(text).name is not None
    return _make_conversion(work, dialect, wanted, name, registry, valid=valid)


def _detect_dialect(text: str) -> Dialect:
    """Return the dialect that `auto` reads a text in."""
    if text.startswith("urn:nir:"):
        return Dialect.NIR
    prefix = _PREFIX.match(text)
    if prefix is not None and prefix[0][-4:-1].lower() == "nir":
        return Dialect.NIR
    if "!" in text or next(_find_lexml_marks(text), None) is not None:
        return Dialect.LEXML
    found = _MANIFESTATION.search(text)
    return Dialect.DRAFT if found and syntax.has_draft_order(found[1]) else Dialect.RFC9676


def _read_as_is(text: str) -> tuple[ConversionState, Name | None]:
    """Read a text by RFC 9676 alone, with notes on a name."""
    work = ConversionState(text)
    report = check(text)
    if report.name is None:
        work.findings += report.findings
        return work, None
    period = report.name.work.details.period
    if period is not None and not _PERIOD.fullmatch(period):
        at = text.lower().find(f":{period};") + 1
        code = "LX851" if _YEAR.fullmatch(period) else "LX855"
        work.say(code, Piece(at, text[at : at + len(period)]))
    _note_ambiguity(work, Dialect.RFC9676)
    if report.name.components.f is not None:
        at = text.index("#")
        work.say("LX856", Piece(at, text[at:]))
    return work, report.name


def _read_dialect(
    text: str, dialect: Dialect, registry: Registry | None
) -> tuple[ConversionState, Name | None]:
    """Read a text by the rules of its dialect; return the name that they make of it, too."""
    if dialect is Dialect.DRAFT:
        # A draft is a name by RFC 9676 but for the order of format and editor.
        work, made = ConversionState(text), text
        if found := _MANIFESTATION.search(text):
            after = syntax.swap_manifestation(found[1])
            made = text[: found.start(1)] + after + text[found.end(1) :]
            if after != found[1]:
                work.change("LX833", Piece(found.start(1), found[1]), after)
        return work, _build_name(work, made or str(work.parts))
    prefix = _PREFIX.match(text)
    is_nir = dialect is Dialect.NIR
    own = "urn:nir:" if is_nir else "urn:lex:"
    if prefix is None or prefix[0][-len(own) :].lower() != own:
        work = ConversionState(text)
        shown = text[: prefix.end() if prefix else len(own)]
        work.say("LX872", Piece(0, shown), quote_text(shown), own)
        return work, None
    start = prefix.end()
    code = "it" if is_nir else text[start:].partition(":")[0].partition(";")[0].lower()
    work = ConversionState(text, load_words(registry, code), is_nir=is_nir)
    last = start - len(own)
    if last:
        work.change("LX802", Piece(0, text[:last]), "")
    if is_nir:
        at = len(work.changes)
        syntax.read_nir(work, start)
        code = work.parts.head.partition(":")[0]
        prefix_code = "LX801" if code == "it" else "LX836"
        work.change(prefix_code, Piece(last, text[last:start]), f"urn:lex:{code}:")
        work.changes.insert(at, work.changes.pop())
    else:
        syntax.read_lex(work, start, lexml=dialect is Dialect.LEXML)
    return work, None if work.is_broken else _build_name(work, str(work.parts))


def _build_name(work: ConversionState, made: str) -> Name | None:
    """Return the name of a text that was made, or note its errors in the text as given."""
    try:
        return parse(made)
    except NameSyntaxError as fault:
        errors = fault.report.errors
    work.findings += errors if made == work.text else _place_errors(work, errors, made)
    return None


def _place_errors(work: ConversionState, errors: Iterable[Finding], made: str) -> Iterator[Finding]:
    """Yield the errors of a text that was made, at their positions in the text as given."""
    folded = work.fold_text()
    for found in errors:
        part = made[found.start : found.end].lower()
        at = folded.find(part) if part else -1
        start, end = (at, at + len(part)) if at >= 0 else (0, len(folded))
        yield replace(found, start=start, end=end, suggestion=None)


def _note_ambiguity(work: ConversionState, dialect: Dialect) -> None:
    """Note the pieces that can be read in two ways."""
    if dialect is Dialect.NIR or not _AMBIGUOUS_SIGN.search(work.text):
        return
    if form := _find_form(work.text):
        work.say("LX854", Piece(form.start(), form[0]))
    found = _MANIFESTATION.search(work.text)
    if found and syntax.has_draft_order(found[1]):
        work.say("LX857", Piece(found.start(1), found[1]))


def _make_conversion(
    work: ConversionState,
    dialect: Dialect,
    wanted: Dialect,
    name: Name | None,
    registry: Registry | None,
    *,
    valid: bool,
) -> Conversion:
    """Return the conversion, with the name written as it was asked for."""
    if name is None:
        return _make_broken(work.text, dialect, work.findings)
    standing = Standing.VALID if valid else Standing.REPAIRABLE
    if valid and (work.changes or any(each.code in _ACCIDENTAL_CODES for each in work.findings)):
        standing = Standing.ACCIDENTAL
    is_brazilian = name.jurisdiction.code == "br"
    if work.is_detected and is_brazilian and dialect in {Dialect.RFC9676, Dialect.LEXML}:
        # Of the two ways to write a name of Brazil the one that the text is written in.
        if work.changes:
            dialect = Dialect.LEXML
        elif syntax.write_name(name, dialect, _ignore_change) != work.text:
            dialect = Dialect.RFC9676
    lost = [change for change in work.changes if change.lost is not None]
    if not lost and syntax.write_name(name, dialect, _ignore_change) != work.text:
        # The way back gives another text though no change says so.
        code = _SEPARATOR if str(name) == work.text else _SPELLING
        work.change(code, Piece(0, work.text), str(name))
    noted = len(work.changes)
    written = syntax.write_name(name, wanted, work.change_last)
    faults: tuple[Finding, ...] | None = () if written is None else None
    if written is not None and wanted in {Dialect.LEXML, Dialect.NIR} - {dialect}:
        expected = syntax.drop_parts(name, wanted, _ignore_change)
        faults = _note_way_back(work, expected, written, wanted, registry)
    if faults is not None:
        written = None
        del work.changes[noted:]
        work.say("LX887", Piece(0, work.text), quote_text(str(name)))
        work.findings += faults
    return Conversion(
        text=work.text,
        dialect=dialect,
        name=name,
        written=written,
        standing=standing,
        changes=tuple(work.changes),
        findings=tuple(work.findings),
    )


def _note_way_back(
    work: ConversionState, name: Name, written: str, wanted: Dialect, registry: Registry | None
) -> tuple[Finding, ...] | None:
    """Note the parts that a reader of the dialect reads otherwise, each once.

    Returns:
        None; the reader's errors if it cannot read the text at all.
    """
    reader, read = _read_dialect(written, wanted, registry)
    if read is None:
        errors = filter(attrgetter("is_error"), reader.findings)
        return tuple(_place_errors(work, errors, written))
    if read == name:
        return None
    folded = work.fold_text()
    words = {each.before: each for each in reader.changes if each.code in {"LX821", "LX831"}}
    parts, others = _list_parts(name), _list_parts(read)
    items = {part: _ITEM_SIGNS.split(given) for part, given in parts.items()}
    worded = {
        part: "".join(words[item].after if item in words else item for item in given)
        for part, given in items.items()
    }
    order = [*parts]
    changed = [
        part for part in order if parts[part] and others[part] not in {parts[part], worded[part]}
    ]
    # A part that only the reader finds comes from the nearest part that it reads otherwise.
    sources = {part: part for part in changed}
    for at, part in enumerate(order):
        if others[part] and not parts[part]:
            distances = {each: abs(order.index(each) - at) for each in changed}
            sources[part] = min(distances, key=distances.__getitem__, default="")
    noted, cursor = len(work.changes), 0
    for part, given in parts.items():
        at = folded.find(given.lower(), cursor)
        if part in changed:
            after = "".join(others[key] for key in order if sources.get(key) == part)
            code = "LX847" if reader.is_nir and part == "jurisdiction" else "LX848"
            work.change_part(code, at, given, after, f'the {part} "{given}"')
        elif given != others[part]:
            for item in filter(words.__contains__, items[part]):
                found = folded.find(item.lower(), cursor)
                work.change_part("LX846", found, item, words[item].after, words[item].lost)
                cursor = max(cursor, found + len(item))
        cursor = max(cursor, at + len(given))
    if "" in sources.values() or len(work.changes) == noted:
        work.change("LX848", Piece(0, work.text), str(read), f"the name {quote_text(str(name))}")
    return None


def _list_parts(name: Name) -> dict[str, str]:
    """Return the text of each part of a name in its order; empty if it has none."""
    work, expression, partition = name.work, name.expression, name.partition
    return {
        "jurisdiction": str(name.jurisdiction),
        "authority": str(work.authority),
        "type of measure": str(work.measure),
        "details": str(work.details),
        "annex": "".join(f":{annex}" for annex in work.annexes),
        "version": "" if expression is None else f"@{expression}",
        "partition": "" if partition is None else f"~{partition}",
    }


def _ignore_change(_code: str, _before: str, _after: str) -> None:
    """Do nothing, for a way back that is only tried."""


def _make_broken(text: str, dialect: Dialect, findings: Iterable[Finding]) -> Conversion:
    """Return the conversion of a text that is not a name; its errors stand first."""
    return Conversion(
        text=text,
        dialect=dialect,
        name=None,
        written=None,
        standing=Standing.BROKEN,
        findings=tuple(sorted(findings, key=attrgetter("is_error"), reverse=True)),
    )
