"""Readings of a text: the names that it may be, with missing elements (RFC 9676 §10.3).

A text may be a name by the RFC and one in a dialect. The readings come in order and lazily, since
the catalogue nearly always has the first. A name with missing elements has at least jurisdiction,
date or year, and number. Without a number it needs a full date (§6.3.1 knows acts without one).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.lazy import compile_late
from lexurn.name import LONGEST_NAME, NameSyntaxError, check, parse
from lexurn.resolver.answer import make_reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.name import Name
    from lexurn.registry import Registry
    from lexurn.resolver.answer import Reason

_YEAR: Final = compile_late(r"[0-9]{4}")
_NOTHING: Final[frozenset[str]] = frozenset()


class NameRequest(NamedTuple):
    """One reading of a text.

    Attributes:
        name: the name, without partition; ``x`` stands for missing elements.
        partition: the partition, or None.
        missing: those of ``authority``, ``measure`` and ``numbers`` that are missing.
        prefix: the year or month, if only that was given for the date.
        reasons: the steps from the text to the name.
    """

    name: Name
    partition: str | None = None
    missing: frozenset[str] = _NOTHING
    prefix: str | None = None
    reasons: tuple[Reason, ...] = ()


def make_request(name: Name, *reasons: Reason) -> NameRequest:
    """Make the request for a complete name; components of URNs are ignored (RFC 8141 §2.3)."""
    period = name.work.details.period
    r, q, f = name.components.r, name.components.q, name.components.f
    ignored = [
        make_reason("LX938", word, text, component=word)
        for word, text in (("r-component", r and f"?+{r}"), ("q-component", q and f"?={q}"))
        if text
    ]
    if f:
        ignored.append(make_reason("LX939", f"#{f}", component="f-component"))
    return NameRequest(
        name=name.document,
        partition=name.partition,
        prefix=period if period is not None and _YEAR.fullmatch(period) else None,
        reasons=(*reasons, *ignored),
    )


_TAIL_START: Final = compile_late(r"[@$~?#]")
_MONTH: Final = compile_late(r"([0-9]{4})-[0-9]{2}(?=;)")

_DAY: Final = compile_late(r"[0-9]{4}-[0-9]{2}-[0-9]{2};?")
_YEAR_AFTER: Final = compile_late(r"[-/]((?:1[0-9]|20)[0-9]{2})\Z")
_DIGIT: Final = compile_late(r"[0-9]")
_DETAILS_WITHIN: Final = 3
_STAND_IN: Final = "x"


def read_loosely(text: str) -> Iterator[NameRequest]:
    """Yield the readings of a text with at least jurisdiction, year and number."""
    if not text.lower().startswith("urn:lex:"):
        return
    rest = text[len("urn:lex:") :]
    tail = _TAIL_START.search(rest)
    end = len(rest) if tail is None else tail.start()
    jurisdiction, *pieces = rest[:end].split(":")
    # Date and number are the first piece with a year and ``;``, else a number with the year after
    # it or a date alone, else the last piece with ``;``.
    first = list(enumerate(pieces[:_DETAILS_WITHIN]))
    indexes = [at for at, piece in first if ";" in piece]
    dated = [at for at in indexes if _YEAR.match(pieces[at])]
    bare = [at for at, piece in first if at and (_find_year_after(piece) or _DAY.fullmatch(piece))]
    index = next(iter(dated or bare or indexes[-1:]), None)
    if index is None:
        return
    piece, prefix = pieces[index], None
    after = "".join(f":{each}" for each in pieces[index + 1 :]) + rest[end:]
    is_numberless = _DAY.fullmatch(piece) is not None
    details = piece.replace("/", "-")
    if is_numberless:
        details = f"{piece.rstrip(';')};{_STAND_IN}"
    elif year := _find_year_after(piece):
        details = f"{year};{details}"
    if month := _MONTH.match(details):
        details, prefix = details[: month.end(1)] + details[month.end() :], month[0]
    # A single piece may be the measure or the authority.
    one, other = (*pieces[:index], "", "")[:2]
    heads = (("", one), (one, "")) if index == 1 else ((one, other),)
    for authority, measure in heads:
        head = f"{authority or _STAND_IN}:{measure or _STAND_IN}"
        name = check(f"urn:lex:{jurisdiction}:{head}:{details}{after}").name
        if name is not None:
            given = {"authority": authority, "measure": measure, "numbers": not is_numberless}
            missing = frozenset(part for part, is_given in given.items() if not is_given)
            asked = make_request(name)
            yield asked._replace(missing=missing, prefix=prefix or asked.prefix)


def _find_year_after(piece: str) -> str | None:
    """Return the year after a number, ``8112/1990``."""
    found = _YEAR_AFTER.search(piece)
    if found is None or ";" in piece or _DIGIT.search(piece, 0, found.start()) is None:
        return None
    return found[1]


_WRAPPING: Final = "<>\"'()[]\u201c\u201d\u2018\u2019\u00ab\u00bb"
_TRAILING: Final = ".,;:"
_BREAK = compile_late(r"\s*([:;@$~,+])\s*|(?<=[0-9]-)\s+(?=[0-9])")
_HYPHENS: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-")
_PREFIX = compile_late(r"(?:lex:)?(?!urn:|https?:)", re.IGNORECASE)
_PLAIN_NAME: Final = "urn:lex:it:stato:legge:2003-09-21;456"


def list_requests(
    text: str, *, dialect: str, registry: Registry | None, base: str | None
) -> Iterator[NameRequest]:
    """Yield the readings of a text, the plainest first.

    Args:
        text: any text.
        dialect: the dialect of the text; ``rfc9676`` for none, ``auto`` to detect it.
        registry: the registry of words for dialects.
        base: the base of HTTP-URI equivalents, or None.
    """
    if len(text) > LONGEST_NAME or not is_text(text):
        return
    seen: set[tuple[str, str | None, frozenset[str], str | None]] = set()
    for asked in _list_all(text, dialect, registry, base):
        key = (str(asked.name), asked.partition, asked.missing, asked.prefix)
        if key not in seen:
            seen.add(key)
            yield asked


def _list_all(
    text: str, dialect: str, registry: Registry | None, base: str | None
) -> Iterator[NameRequest]:
    if dialect in {"auto", "rfc9676"}:
        yield from _read_plainly(text)
        if base is not None and text.lower().startswith(("http:", "https:")):
            from lexurn.name import check_http  # noqa: PLC0415 - few texts are URIs

            name = check_http(text, base=base).name
            if name is not None:
                yield make_request(name)
    if dialect != "rfc9676":
        yield from _read_dialect(text, dialect, registry, ())
    cleaned = clean_text(text)
    if cleaned != text:
        mended = make_reason("LX941", _shorten_text(text), _shorten_text(cleaned))
        for each in _read_plainly(cleaned):
            yield each._replace(reasons=(mended, *each.reasons))
        if dialect != "rfc9676":
            yield from _read_dialect(cleaned, dialect, registry, (mended,))
    yield from _read_repaired(text, cleaned)


def _read_plainly(text: str) -> Iterator[NameRequest]:
    """Read the text as a name by RFC 9676, as it is."""
    try:
        name = parse(text)
    except NameSyntaxError:
        return
    yield make_request(name)


def _read_dialect(
    text: str, dialect: str, registry: Registry | None, before: tuple[Reason, ...]
) -> Iterator[NameRequest]:
    """Read the text as a name in a dialect."""
    from lexurn.dialect import Dialect, convert  # noqa: PLC0415 - names of the RFC need none

    given = None if dialect == "auto" else Dialect(dialect)
    found = convert(text, source=given or "auto", registry=registry)
    if found.name is None:
        return
    if found.dialect is Dialect.RFC9676:
        if dialect != "auto" or found.changes:
            reason = make_reason("LX941", _shorten_text(text), _shorten_text(str(found.name)))
            yield make_request(found.name, *before, reason)
        return
    changes = "; ".join(dict.fromkeys(change.message for change in found.changes))
    reason = make_reason(
        "LX940", _DIALECT_NAMES[found.dialect.value], changes or "nothing was changed"
    )
    yield make_request(found.name, *before, reason)


_DIALECT_NAMES: Final = {
    "lexml": "a name by LexML Brasil",
    "nir": "an Italian NIR name",
    "draft": "a name by the drafts of the RFC",
}


def clean_text(text: str) -> str:
    """Return the text without additions of other texts, and with the prefix ``urn:lex:``.

    Blanks and line ends beside separators, invisible characters, and brackets, quotation marks and
    stops around the name are removed; dashes become hyphens.
    """
    if not text.isascii():
        seen = "".join(each for each in text if unicodedata.category(each) != "Cf")
        text = seen.translate(_HYPHENS)
    spaced = " ".join(text.split())
    bare = _BREAK.sub(r"\1", spaced).strip(_WRAPPING).strip().rstrip(_TRAILING)
    prefix = _PREFIX.match(bare)
    if prefix is None or not bare:
        return bare
    return f"urn:lex:{bare[prefix.end() :]}"


def _read_repaired(text: str, cleaned: str) -> Iterator[NameRequest]:
    """Yield repairs, the document without a broken partition, and names with missing parts."""
    yield from _read_suggestions(text, cleaned)
    document, tilde, partition = cleaned.partition("~")
    if tilde and check(f"{_PLAIN_NAME}~{partition}").name is None:
        reason = make_reason(
            "LX954", _shorten_text(partition), "it cannot be read: the document is given"
        )
        first = make_reason("LX941", _shorten_text(text), _shorten_text(document))
        for asked in (
            *_read_plainly(document),
            *_read_suggestions(text, document),
            *read_loosely(document),
        ):
            yield asked._replace(reasons=(first, reason, *asked.reasons))
        return
    yield from read_loosely(cleaned)


def _read_suggestions(text: str, cleaned: str) -> Iterator[NameRequest]:
    """Yield the repairs that the parser suggests; other URNs are not repaired."""
    if not cleaned.lower().startswith("urn:lex:"):
        return
    for finding in check(cleaned).findings:
        if finding.suggestion is not None:
            name = check(finding.suggestion).name
            if name is not None:
                yield make_request(name, make_reason("LX941", _shorten_text(text), str(name)))


def is_text(text: str) -> bool:
    """Return True if a text has no half of a surrogate pair."""
    return text.isascii() or not any("\ud800" <= each <= "\udfff" for each in text)


def explain_refusal(text: str, base: str | None) -> Reason:
    """Explain why a text is not a name, and what to do."""
    if len(text) > LONGEST_NAME:
        message = f"{len(text):,} characters: names have at most {LONGEST_NAME:,}"
    elif not is_text(text):
        message = (
            "this is not a valid name: it has bytes that are not UTF-8 (or half of a surrogate "
            "pair); write it in UTF-8"
        )
    elif text.lower().startswith(("http:", "https:")):
        known = (
            "the catalogue has no base (load into a new one with --base)"
            if base is None
            else f"its base is {base}"
        )
        message = (
            f"this URI is not the HTTP form of a name here, because {known}; give the name "
            "itself: urn:lex:it:stato:legge:2003-09-21;456"
        )
    else:
        # A name in brackets or blanks is judged without them; plain words are quoted as they are.
        seen = clean_text(text) if "urn:" in text.lower() else text
        problem = next((finding.message for finding in check(seen).errors), "it has no act")
        message = (
            f"this is not a valid name: {problem}; give at least a jurisdiction, a date or year, "
            "and a number: urn:lex:it:stato:legge:2003-09-21;456 (or authority, measure and full "
            "date without a number)"
        )
    return make_reason("LX958", message)


def _shorten_text(text: str) -> str:
    """Return a text, cut to the length of a sentence."""
    most = 120
    return text if len(text) <= most else f"{text[: most - 1]}…"
