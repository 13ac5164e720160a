"""Conversion: any text to a name and its standing, with a report of each change and each loss."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from lexurn.dialect._answer import answer, broken, is_valid, named
from lexurn.dialect._detect import PREFIX, is_form, marks
from lexurn.dialect._lex import drafts_order, read_lex, swapped
from lexurn.dialect._nir import read_nir
from lexurn.dialect._speech import Speech, builtin, speech_of
from lexurn.dialect._values import Conversion, Dialect, Standing
from lexurn.dialect._words import is_settled
from lexurn.dialect._work import Piece, Work, finding, quoted
from lexurn.name import LONGEST_NAME, NameSyntaxError, check, parse

if TYPE_CHECKING:
    from lexurn.name import Finding, Name
    from lexurn.registry import Registry

__all__ = ["SourceName", "TargetName", "convert"]

TargetName = Dialect | Literal["rfc9676", "lexml", "nir", "draft"]
SourceName = TargetName | Literal["auto"]
# A name of the RFC, lower case and with nothing in it that a dialect could mean otherwise.
_PLAIN = re.compile(
    r"urn:lex:[a-z0-9.;]+:[a-z0-9.;+]+:[a-z][a-z0-9.;]*"
    r":(?!0|[0-9]{4}-01-01)[0-9]{4}(-[0-9]{2}-[0-9]{2})?;[0-9][a-z0-9.-]*"
)
_CONVENTIONAL = re.compile(r":(federal|estadual|municipal|distrital):")
_NOWHERE = re.compile(
    r"[\s\x00-\x20\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
    r'|[<>"{}\\^`]'
)
_BRAZIL = re.compile(r"(?:urn:lex:)+br[:;]", re.IGNORECASE)
_MANIFESTATION = re.compile(r"\$([^~!?#]*)")
_TWO_WAYS = frozenset("~$")
_YEAR = re.compile(r"[0-9]{4}")
_PERIOD = re.compile(r"(?=.*[0-9])(?=.*[a-z%])[a-z0-9.%]+", re.IGNORECASE)
_NOBODY = Speech(
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
    if given is None and wanted is Dialect.RFC9676 and (match := _PLAIN.fullmatch(text)):
        found = _plain(match, registry)
        if found is not None:
            return found
    return _whole(text, given, wanted, registry)


def _plain(match: re.Match[str], registry: Registry | None) -> Conversion | None:
    """A name of the RFC that needs no change, or None where something has to be looked at."""
    text = match.string
    try:
        name = parse(text)
    except NameSyntaxError:
        return None
    findings: tuple[Finding, ...] = ()
    brazilian = name.jurisdiction.code == "br"
    if brazilian:
        speech = _speech("br", registry)
        if not all(is_settled(item, speech) for item in text.split(":", 5)[2:5]):
            return None
        if conventional := _CONVENTIONAL.search(text):
            findings = (finding("LX850", Piece(conventional.start(1), conventional[1])),)
    if match[1] is None:
        at = text.rindex(":") + 1
        findings = (finding("LX851", Piece(at, text[at : at + 4])), *findings)
    return Conversion(
        text=text,
        dialect=Dialect.LEXML if findings and brazilian else Dialect.RFC9676,
        name=name,
        written=text,
        standing=Standing.ACCIDENTAL if match[1] is None else Standing.VALID,
        findings=findings,
    )


def _speech(code: str, registry: Registry | None) -> Speech:
    return builtin(code) if registry is None else speech_of(registry, code)


def _whole(
    text: str, given: Dialect | None, wanted: Dialect, registry: Registry | None
) -> Conversion:
    """Any text, by the reader of its dialect."""
    dialect = given or _detected(text)
    unreadable = _unreadable(text)
    if unreadable is not None:
        return broken(text, dialect, (unreadable,))
    if dialect is Dialect.RFC9676 and (given is not None or not _BRAZIL.match(text)):
        work, name = _read_as_is(text)
        work.auto = given is None
        if name is not None or given is not None:
            return answer(work, dialect, wanted, name, valid=True)
    work, name = _read(text, dialect, registry)
    if given is None:
        work.auto = True
        _doubt(work, dialect)
    return answer(work, dialect, wanted, name, valid=is_valid(work, dialect))


def _read(text: str, dialect: Dialect, registry: Registry | None) -> tuple[Work, Name | None]:
    """A text by the rules of its dialect, and the name that they make of it."""
    if dialect is Dialect.DRAFT:
        return _read_draft(text)
    work, prefix = _started(text, dialect, registry)
    if prefix is not None and dialect is Dialect.NIR:
        read_nir(work, prefix.end())
    elif prefix is not None:
        read_lex(work, prefix.end(), lexml=dialect is Dialect.LEXML)
    return work, named(work)


def _detected(text: str) -> Dialect:
    """The dialect that `auto` reads a text in."""
    if text.startswith("urn:nir:"):
        return Dialect.NIR
    prefix = PREFIX.match(text)
    if prefix is not None and prefix[0][-4:-1].lower() == "nir":
        return Dialect.NIR
    if "!" in text or next(marks(text), None) is not None:
        return Dialect.LEXML
    found = _MANIFESTATION.search(text)
    return Dialect.DRAFT if found and drafts_order(found[1]) else Dialect.RFC9676


def _unreadable(text: str) -> Finding | None:
    """What no dialect has: too many characters, or such that can stand nowhere."""
    if len(text) > LONGEST_NAME:
        return finding("LX870", Piece(0, text), str(len(text)))
    if nowhere := _NOWHERE.search(text):
        return finding("LX871", Piece(nowhere.start(), nowhere[0]))
    return None


def _started(
    text: str, dialect: Dialect, registry: Registry | None
) -> tuple[Work, re.Match[str] | None]:
    """A conversion behind its prefix; None for the prefix where there is none of the dialect."""
    prefix = PREFIX.match(text)
    nir = dialect is Dialect.NIR
    own = "urn:nir:" if nir else "urn:lex:"
    if prefix is None or prefix[0][-len(own) :].lower() != own:
        work = Work(text, _NOBODY)
        shown = text[: prefix.end() if prefix else len(own)]
        work.say("LX872", Piece(0, shown), quoted(shown), own)
        return work, None
    code = "it" if nir else text[prefix.end() :].partition(":")[0].partition(";")[0].lower()
    work = Work(text, _speech(code, registry), nir=nir)
    last = prefix.end() - len(own)
    if last:
        work.change("LX802", Piece(0, text[:last]), "")
    if nir:
        work.change("LX801", Piece(last, text[last : prefix.end()]), "urn:lex:it:")
    return work, prefix


def _read_as_is(text: str) -> tuple[Work, Name | None]:
    """A text by RFC 9676 alone, with what is worth knowing of a name that it is."""
    work = Work(text, _NOBODY)
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
    _doubt(work, Dialect.RFC9676)
    if report.name.components.f is not None:
        at = text.index("#")
        work.say("LX856", Piece(at, text[at:]))
    return work, report.name


def _read_draft(text: str) -> tuple[Work, Name | None]:
    """A text of a draft: a name by RFC 9676 but for the order of format and editor."""
    work = Work(text, _NOBODY)
    made = text
    if found := _MANIFESTATION.search(text):
        after = swapped(found[1])
        made = text[: found.start(1)] + after + text[found.end(1) :]
        if after != found[1]:
            work.change("LX833", Piece(found.start(1), found[1]), after)
    return work, named(work, made)


def _doubt(work: Work, dialect: Dialect) -> None:
    """Say where a text can be read in two ways."""
    if dialect is Dialect.NIR or _TWO_WAYS.isdisjoint(work.text):
        return
    if form := is_form(work.text):
        work.say("LX854", Piece(form.start(), form[0]))
    found = _MANIFESTATION.search(work.text)
    if found and drafts_order(found[1]):
        work.say("LX857", Piece(found.start(1), found[1]))
