"""The first steps of resolving (RFC 9676 10.3): from any text to what it may ask for.

A text may ask for several things, as a name by the RFC and as one in a dialect; they come in the
order of their claims, and lazily, since the first is nearly always held.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._asked import asked_of
from lexurn.catalogue._loose import loosely
from lexurn.catalogue._reasons import reason
from lexurn.name import LONGEST_NAME, NameSyntaxError, check, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._asked import Asked
    from lexurn.catalogue._reasons import Reason
    from lexurn.registry import Registry

__all__ = ["is_text", "refusal_of", "wanted_in"]

_WRAPPING: Final = "<>\"'()[]\u201c\u201d\u2018\u2019\u00ab\u00bb"
_BEHIND: Final = ".,;:"
_BREAK = re.compile(r"\s*([:;@$~,+])\s*|(?<=[0-9]-)\s+(?=[0-9])")
_HYPHENS: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-")
_PREFIX = re.compile(r"(?:lex:)?(?!urn:|https?:)", re.IGNORECASE)
_PLAIN_NAME: Final = "urn:lex:it:stato:legge:2003-09-21;456"


def wanted_in(
    text: str, *, dialect: str, registry: Registry | None, base: str | None
) -> Iterator[Asked]:
    """What a text may ask for, the plainest reading first.

    Args:
        text: any text.
        dialect: the dialect that it is read in; ``rfc9676`` for none, ``auto`` to find out.
        registry: whose words a dialect is read with.
        base: what HTTP-URI equivalents begin with, None where there are none.
    """
    if len(text) > LONGEST_NAME or not is_text(text):
        return
    seen: set[tuple[str, str | None, frozenset[str], str | None]] = set()
    for asked in _all_in(text, dialect, registry, base):
        key = (str(asked.name), asked.partition, asked.missing, asked.prefix)
        if key not in seen:
            seen.add(key)
            yield asked


def _all_in(
    text: str, dialect: str, registry: Registry | None, base: str | None
) -> Iterator[Asked]:
    if dialect in {"auto", "rfc9676"}:
        yield from _plainly(text)
        yield from _from_http(text, base)
    if dialect != "rfc9676":
        yield from _from_dialect(text, dialect, registry, ())
    cleaned = _cleaned(text)
    mended = reason("LX941", _shown(text), _shown(cleaned))
    if cleaned != text:
        yield from _with(_plainly(cleaned), mended)
        if dialect != "rfc9676":
            yield from _from_dialect(cleaned, dialect, registry, (mended,))
    yield from _mended(text, cleaned)


def _plainly(text: str) -> Iterator[Asked]:
    """The text as a name by RFC 9676, as it stands."""
    try:
        name = parse(text)
    except NameSyntaxError:
        return
    yield asked_of(name)


def _with(found: Iterator[Asked], first: Reason) -> Iterator[Asked]:
    return (replace(each, reasons=(first, *each.reasons)) for each in found)


def _from_http(text: str, base: str | None) -> Iterator[Asked]:
    """The text as the HTTP-URI equivalent of a name."""
    if base is None or not text.lower().startswith(("http:", "https:")):
        return
    from lexurn.name import check_http  # noqa: PLC0415  (few texts are URIs)

    name = check_http(text, base=base).name
    if name is not None:
        yield asked_of(name)


def _from_dialect(
    text: str, dialect: str, registry: Registry | None, before: tuple[Reason, ...]
) -> Iterator[Asked]:
    """The text as a name in a dialect."""
    from lexurn.dialect import Dialect, convert  # noqa: PLC0415  (names of the RFC need none)

    given = None if dialect == "auto" else Dialect(dialect)
    found = convert(text, source=given or "auto", registry=registry)
    if found.name is None:
        return
    if found.dialect is Dialect.RFC9676 and dialect == "auto" and not found.changes:
        return
    if found.dialect is Dialect.RFC9676:
        yield asked_of(found.name, *before, reason("LX941", _shown(text), _shown(str(found.name))))
        return
    changes = "; ".join(dict.fromkeys(change.message for change in found.changes))
    said = reason("LX940", _SPOKEN[found.dialect.value], changes or "it stands as it is")
    yield asked_of(found.name, *before, said)


_SPOKEN: Final = {
    "lexml": "a name by LexML Brasil",
    "nir": "an Italian NIR name",
    "draft": "a name by the drafts of the RFC",
}


def _cleaned(text: str) -> str:
    """The text without what other texts bring along, and with its prefix.

    That is blanks and line ends beside separators, what cannot be seen (soft hyphens), dashes for
    hyphens, brackets, quotation marks and stops around it.
    """
    seen = "".join(each for each in text if unicodedata.category(each) != "Cf")
    spaced = " ".join(seen.translate(_HYPHENS).split())
    bare = _BREAK.sub(r"\1", spaced).strip(_WRAPPING).strip().rstrip(_BEHIND)
    prefix = _PREFIX.match(bare)
    if prefix is None or not bare:
        return bare
    return f"urn:lex:{bare[prefix.end() :]}"


def _mended(text: str, cleaned: str) -> Iterator[Asked]:
    """What the reader of names suggests, the document without a broken partition, what is there."""
    yield from _suggested(text, cleaned)
    document, tilde, partition = cleaned.partition("~")
    if tilde and not _is_partition(partition):
        said = reason("LX954", _shown(partition), "it cannot be read: the document is given")
        first = reason("LX941", _shown(text), _shown(document))
        for asked in (*_plainly(document), *_suggested(text, document), *loosely(document)):
            yield replace(asked, reasons=(first, said, *asked.reasons))
        return
    yield from loosely(cleaned)


def _is_partition(text: str) -> bool:
    """Whether a partition can be read, whatever is wrong with the name before it."""
    return check(f"{_PLAIN_NAME}~{text}").name is not None


def _suggested(text: str, cleaned: str) -> Iterator[Asked]:
    """What the reader of names would have written; of other URNs it makes no names."""
    if not cleaned.lower().startswith("urn:lex:"):
        return
    for finding in check(cleaned).findings:
        if finding.suggestion is not None:
            name = check(finding.suggestion).name
            if name is not None:
                yield asked_of(name, reason("LX941", _shown(text), str(name)))


def is_text(text: str) -> bool:
    """Whether a text has characters alone: half of a surrogate pair is none."""
    return text.isascii() or not any("\ud800" <= each <= "\udfff" for each in text)


def refusal_of(text: str, base: str | None) -> Reason:
    """Why a text asks for nothing, and what to do."""
    if len(text) > LONGEST_NAME:
        message = f"{len(text):,} characters: names have at most {LONGEST_NAME:,}"
    elif not is_text(text):
        message = (
            "this is no name: it holds octets that are no UTF-8 (or half of a surrogate pair); "
            "write it in UTF-8"
        )
    elif text.lower().startswith(("http:", "https:")):
        known = (
            "the catalogue has no base (a new one gets it by --base)"
            if base is None
            else f"its base is {base}"
        )
        message = (
            f"this URI is the HTTP form of no name that is known here, since {known}; ask for the "
            "name itself: urn:lex:it:stato:legge:2003-09-21;456"
        )
    else:
        problem = next((finding.message for finding in check(_cleaned(text)).errors), "no name")
        message = (
            f"this is no name: {problem}; to be found, it needs a jurisdiction, a date or year, "
            "and a number: urn:lex:it:stato:legge:2003-09-21;456 (or authority, measure and full "
            "date without a number)"
        )
    return reason("LX958", message)


def _shown(text: str) -> str:
    """A text that fits a sentence."""
    most = 120
    return text if len(text) <= most else f"{text[: most - 1]}…"
