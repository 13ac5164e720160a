"""Expression and manifestation: version, events, language; editor, format, component, feature.

RFC 9676 sections 5.6, 5.7 and 7.1.2.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.minting._dates import find_date
from lexurn.minting._details import one_date
from lexurn.minting._phrase import phrase
from lexurn.minting._steps import Action

if TYPE_CHECKING:
    from lexurn.minting._draft import Context, Draft

__all__ = ["expression_of", "manifestation_of"]

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})+")
_MEDIA_TYPE = re.compile(r"([a-z]+)/([a-z0-9][a-z0-9.+-]*)")
_NOT_IN_FORMAT = re.compile(r"[^a-z0-9.-]+")
_LONGEST_DOMAIN = 253


def expression_of(draft: Draft, context: Context) -> str | None:
    """What stands behind ``@``: version, events and language; "" where no version is said."""
    given = draft.given
    if given.version and given.amendment_date:
        draft.say("LX703", "amendment_date", given.amendment_date, value="version")
        return None
    version, *events = _pieces(given.version or given.amendment_date or "")
    if not version:
        return _without_version(draft)
    field = "version" if given.version else "amendment_date"
    parts = [_version(draft, context, version, field)]
    parts += [_version(draft, context, each, field) for each in events]
    parts += [one_date(draft, context, each, "event_date") for each in given.event_date]
    parts += [_event(draft, context, each, "event") for each in given.event]
    if None in parts:
        return None
    return ";".join(filter(None, parts)) + _language(draft, given.version_language)


def _pieces(text: str) -> list[str]:
    return [piece.strip() for piece in text.split(";") if piece.strip()] or [""]


def _without_version(draft: Draft) -> str | None:
    """Nothing; but events and a language cannot stand alone."""
    given = draft.given
    for field in ("event_date", "event", "version_language"):
        value = getattr(given, field)
        if value:
            text = value if isinstance(value, str) else "; ".join(value)
            draft.say("LX761", field, text, value=text)
            return None
    return ""


def _version(draft: Draft, context: Context, text: str, field: str) -> str | None:
    """A date, or a word for the version or an event."""
    if field == "amendment_date" or "|" in text or find_date(text, context.words) == (0, len(text)):
        return one_date(draft, context, text, field)
    return _event(draft, context, text, field)


def _event(draft: Draft, context: Context, text: str, field: str) -> str | None:
    written = draft.take(phrase(text, context.words, context.mode, field))
    if written == "":
        draft.say("LX771", field, text, value=text)
        return None
    return written


def _language(draft: Draft, tag: str | None) -> str:
    """A language tag behind its colon; whether it is one is for the reader of names to say."""
    if not tag:
        return ""
    written = tag.lower()
    if written != tag:
        draft.step("version_language", Action.LOWERED, tag, written, "RFC 9676 §3.3", None)
    return ":" + written


def manifestation_of(draft: Draft, context: Context) -> str | None:
    """What stands behind ``$``; "" where no manifestation is described."""
    given = draft.given
    if not (given.editor or given.format or given.component or given.feature):
        return ""
    absent = [name for name in ("editor", "format") if not getattr(given, name)]
    if given.feature and not given.component:
        absent.append("component")
    for name in absent:
        draft.say("LX764", name, value=name)
    if absent:
        return None
    parts = [_editor(draft, context), _format(draft)]
    parts += [
        _element(draft, context, text, field)
        for field, text in (("component", given.component), ("feature", given.feature))
        if text
    ]
    return None if None in parts else ":".join(filter(None, parts))


def _editor(draft: Draft, context: Context) -> str | None:
    """The publisher's domain name, then specifications of it."""
    domain, *others = _pieces(draft.given.editor or "")
    written = _domain(domain)
    if written is None:
        draft.say("LX762", "editor", domain, value=domain, suggestion=_host(domain))
        return None
    if written != domain:
        draft.step("editor", Action.LOWERED, domain, written, "RFC 9676 §5.7", None)
    return _joined(draft, context, written, others, "editor")


def _domain(text: str) -> str | None:
    """A domain name as the DNS has it; None where a text is none."""
    lowered = text.lower().removesuffix(".")
    if not lowered.isascii():
        lowered = _ascii_domain(lowered) or lowered
    is_one = len(lowered) <= _LONGEST_DOMAIN and _DOMAIN.fullmatch(lowered) is not None
    return lowered if is_one else None


def _ascii_domain(text: str) -> str | None:
    """An internationalised domain name in its ASCII form (RFC 5891); None where it is none."""
    import idna  # noqa: PLC0415  few names need it

    try:
        return idna.encode(text, uts46=True).decode()
    except idna.IDNAError:
        return None


def _host(text: str) -> str | None:
    """The domain name in a URL, which is what its writer meant."""
    found = re.match(r"(?i)https?://([^/:?#]+)", text)
    return _domain(found[1]) if found else None


def _format(draft: Draft) -> str | None:
    """The media type with ``-`` for ``/``, then specifications such as its version."""
    given, *others = _pieces(draft.given.format or "")
    mime = _mime(given)
    if mime is None:
        draft.say("LX763", "format", given, value=given)
        return None
    draft.step("format", Action.REPLACED, given, mime, "RFC 9676 §5.7", None)
    specifications = [_format_specification(draft, each) for each in others]
    if None in specifications:
        return None
    return ";".join((mime, *filter(None, specifications)))


@lru_cache(maxsize=512)
def _mime(text: str) -> str | None:
    """A media type as names have it, also of a file extension that has just one."""
    found = _MEDIA_TYPE.fullmatch(text.lower())
    if found is not None:
        return f"{found[1]}-{found[2]}".replace("+", "%2B")
    formats = data.table("extensions")["formats"]
    known = formats.get(text.lower().removeprefix("."))
    if known is None and text.lower() in formats.values():
        return text.lower()
    return None if known is None else str(known)


def _format_specification(draft: Draft, text: str) -> str | None:
    """A version such as ``1.7`` or ``dtd-nir-2.2``; the parameters of a media type are none."""
    if "=" in text:
        draft.say("LX763", "format", text, value=text)
        return None
    written = _NOT_IN_FORMAT.sub("-", text.lower()).strip("-.")
    if not written:
        draft.say("LX763", "format", text, value=text)
        return None
    return written


def _element(draft: Draft, context: Context, text: str, field: str) -> str | None:
    """A component or a feature: its words, then specifications of it."""
    first, *others = _pieces(text)
    written = draft.take(phrase(first, context.words, context.mode, field))
    return None if written is None else _joined(draft, context, written, others, field)


def _joined(
    draft: Draft, context: Context, first: str, others: list[str], field: str
) -> str | None:
    written = [draft.take(phrase(each, context.words, context.mode, field)) for each in others]
    return None if None in written else ";".join((first, *filter(None, written)))
