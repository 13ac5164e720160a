"""Parts behind the act: annexes, expression, manifestation, partition (RFC 9676 section 5)."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.minting.dates import find_date
from lexurn.minting.details import write_date
from lexurn.minting.steps import Action
from lexurn.minting.text.phrases import write_annex_heading, write_phrase, write_specification
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.minting.steps import Context, Draft
    from lexurn.registry import Entry, Words


def write_annexes(draft: Draft, context: Context) -> str | None:
    """Return what stands behind the act: ``:annex.a;borders.park:table.1``; "" without annex."""
    words, mode, field = context.words, context.mode, "annexes"
    text = ""
    is_whole = True
    for annex in draft.given.annexes:
        heading = draft.take(write_annex_heading(annex.heading, words, mode, field))
        title: str | None = ""
        if heading is not None and annex.title is not None:
            title = draft.take(write_specification(annex.title, words, mode, field))
        is_whole = is_whole and heading is not None and title is not None
        text += f":{heading};{title}" if title else f":{heading}"
    return text if is_whole else None


_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})+")
_MEDIA_TYPE = re.compile(r"([a-z]+)/([a-z0-9][a-z0-9.+-]*)")
_NOT_IN_FORMAT = re.compile(r"[^a-z0-9.-]+")
_LONGEST_DOMAIN = 253


def write_expression(draft: Draft, context: Context) -> str | None:
    """Return what stands behind ``@``: version, events and language; "" without a version."""
    given = draft.given
    if given.version and given.amendment_date:
        draft.say("LX703", "amendment_date", given.amendment_date, "version")
        return None
    version, *events = _split_parts(given.version or given.amendment_date or "")
    if not version:
        return _refuse_without_version(draft)
    field = "version" if given.version else "amendment_date"
    parts = [_write_version(draft, context, each, field) for each in (version, *events)]
    parts += [write_date(draft, context, each, "event_date") for each in given.event_date]
    parts += [_write_event(draft, context, each, "event") for each in given.event]
    if None in parts:
        return None
    language = given.version_language or ""
    if language != language.lower():
        rule = "RFC 9676 §3.3"
        draft.step("version_language", Action.LOWERED, language, language.lower(), rule)
    # Whether it is a language tag is for the reader of names to say.
    return ";".join(filter(None, parts)) + (f":{language.lower()}" if language else "")


def _split_parts(text: str) -> list[str]:
    return [piece.strip() for piece in text.split(";") if piece.strip()] or [""]


def _refuse_without_version(draft: Draft) -> str | None:
    """Return nothing; events and a language cannot stand alone."""
    given = draft.given
    for field in ("event_date", "event", "version_language"):
        value = getattr(given, field)
        if value:
            text = value if isinstance(value, str) else "; ".join(value)
            draft.say("LX761", field, text)
            return None
    return ""


def _write_version(draft: Draft, context: Context, text: str, field: str) -> str | None:
    """Return a date, or a word for the version or an event."""
    if field == "amendment_date" or "|" in text or find_date(text, context.words) == (0, len(text)):
        return write_date(draft, context, text, field)
    return _write_event(draft, context, text, field)


def _write_event(draft: Draft, context: Context, text: str, field: str) -> str | None:
    written = draft.take(write_phrase(text, context.words, context.mode, field))
    if written == "":
        draft.say("LX771", field, text)
        return None
    return written


def write_manifestation(draft: Draft, context: Context) -> str | None:
    """Return what stands behind ``$``; "" where no manifestation is described."""
    given = draft.given
    if not (given.editor or given.format or given.component or given.feature):
        return ""
    absent = [name for name in ("editor", "format") if not getattr(given, name)]
    if given.feature and not given.component:
        absent.append("component")
    for name in absent:
        draft.say("LX764", name, "", name)
    if absent:
        return None
    parts = [_write_editor(draft, context), _write_format(draft)]
    parts += [
        _write_element(draft, context, text, field)
        for field, text in (("component", given.component), ("feature", given.feature))
        if text
    ]
    return None if None in parts else ":".join(filter(None, parts))


def _write_editor(draft: Draft, context: Context) -> str | None:
    """Return the publisher's domain name, then specifications of it."""
    domain, *others = _split_parts(draft.given.editor or "")
    written = _read_domain(domain)
    if written is None:
        url = re.match(r"(?i)https?://([^/:?#]+)", domain)
        host = _read_domain(url[1]) if url else None
        draft.say("LX762", "editor", domain, suggestion=host)
        return None
    if written != domain:
        draft.step("editor", Action.LOWERED, domain, written, "RFC 9676 §5.7")
    return _join_specifications(draft, context, written, others, "editor")


def _read_domain(text: str) -> str | None:
    """Return a domain name as the DNS has it (RFC 5891), None where a text is not one."""
    lowered = text.lower().removesuffix(".")
    if not lowered.isascii():
        import idna  # noqa: PLC0415 - few names need it

        with suppress(idna.IDNAError):
            lowered = idna.encode(lowered, uts46=True).decode()
    is_domain = len(lowered) <= _LONGEST_DOMAIN and _DOMAIN.fullmatch(lowered) is not None
    return lowered if is_domain else None


def _write_format(draft: Draft) -> str | None:
    """Return the media type with ``-`` for ``/``, then specifications such as its version."""
    given, *others = _split_parts(draft.given.format or "")
    mime = _find_media_type(given)
    if mime is None:
        draft.say("LX763", "format", given)
        return None
    draft.step("format", Action.REPLACED, given, mime, "RFC 9676 §5.7")
    specifications = [_write_format_version(draft, each) for each in others]
    if None in specifications:
        return None
    return ";".join((mime, *filter(None, specifications)))


@lru_cache(maxsize=512)
def _find_media_type(text: str) -> str | None:
    """Return a media type as names have it, also of a file extension that has just one."""
    lower = text.lower()
    found = _MEDIA_TYPE.fullmatch(lower)
    if found is not None:
        return f"{found[1]}-{found[2]}".replace("+", "%2B")
    formats = data.load_table("extensions")["formats"]
    known = formats.get(lower.removeprefix("."))
    if known is None:
        return lower if lower in formats.values() else None
    return str(known)


def _write_format_version(draft: Draft, text: str) -> str | None:
    """Return a version such as ``1.7`` or ``dtd-nir-2.2``, not a parameter of a media type."""
    written = "" if "=" in text else _NOT_IN_FORMAT.sub("-", text.lower()).strip("-.")
    if not written:
        draft.say("LX763", "format", text)
    return written or None


def _write_element(draft: Draft, context: Context, text: str, field: str) -> str | None:
    """Return a component or a feature: its words, then specifications of it."""
    first, *others = _split_parts(text)
    written = draft.take(write_phrase(first, context.words, context.mode, field))
    return None if written is None else _join_specifications(draft, context, written, others, field)


def _join_specifications(
    draft: Draft, context: Context, first: str, others: list[str], field: str
) -> str | None:
    written = [
        draft.take(write_phrase(each, context.words, context.mode, field)) for each in others
    ]
    return None if None in written else ";".join((first, *filter(None, written)))


_PARTITION_ID = re.compile(r"[A-Za-z0-9._;:,='()+%-]+")
_PARTITION_TOKEN = re.compile(r"[^\W_]+(?:[.ºª°](?![^\W\d_]))?|§+")
_BETWEEN = re.compile(r"[\s,;()\-\u2013/.]*")
_NUMBER = re.compile(r"[0-9]+[^\W_]*|[^\W\d_]{1,2}|[ivxlcIVXLC]{1,6}")
_ADDED = frozenset(
    ["bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies"]
)
_LONGEST_LABEL = 3
_ARTICLES = ("art", "par", "com")


def write_partition(draft: Draft, context: Context) -> str | None:
    """Return what stands behind ``~``; "" where no part is meant.

    An id stays as it is, with its case, since it is the id of an element in the text. Words are
    turned into one by the registry's labels ("article 15, paragraph 3": ``art15;par3``).
    """
    text = draft.given.partition
    if not text:
        return ""
    if _PARTITION_ID.fullmatch(text):
        return text
    written = _read_cited_partition(text, context.words)
    if written is None:
        draft.say("LX765", "partition", text)
        return None
    draft.step("partition", Action.READ, text, written, "RFC 9676 §5.8")
    return written


def is_article_citation(text: str, words: Words) -> bool:
    """Return whether a text cites an article or a paragraph, which is not an issuer or measure.

    >>> from lexurn.registry import load_registry
    >>> words = load_registry().words("it")
    >>> is_article_citation("art. 2", words), is_article_citation("sez. IV", words)
    (True, False)
    """
    return (_read_cited_partition(text, words) or "").startswith(_ARTICLES)


def _read_cited_partition(text: str, words: Words) -> str | None:
    """Return the id of a part as it is cited, None where a word is not understood."""
    tokens = _PARTITION_TOKEN.findall(text)
    if any(len(token) > 1 and make_key(token) in words.connectives for token in tokens):
        return None
    labels = _index_labels(words.partitions)
    found: list[str] = []
    at = 0
    while at < len(tokens):
        read = _read_level(tokens, at, labels)
        if read is None:
            return None
        level, at = read
        found.append(level)
    is_whole = all(_BETWEEN.fullmatch(rest) for rest in _PARTITION_TOKEN.split(text))
    return ";".join(found) if found and is_whole else None


def _read_level(tokens: list[str], at: int, labels: Mapping[str, str]) -> tuple[str, int] | None:
    """Return one level, its label before or behind its number, and the place of the next."""
    for length in range(_LONGEST_LABEL, 0, -1):
        end = at + length
        before = labels.get(_make_key(tokens[at:end]))
        if (
            before is not None
            and end < len(tokens)
            and _NUMBER.fullmatch(_strip_signs(tokens[end]))
        ):
            number, after = _read_numbered(tokens, end)
            return before + number, after
        number, after = _read_numbered(tokens, at)
        behind = labels.get(_make_key(tokens[after : after + length]))
        if behind is not None and number[:1].isdigit():
            return behind + number, after + length
    return None


def _read_numbered(tokens: list[str], at: int) -> tuple[str, int]:
    """Return a number with its addition ("3 bis"), and the place of the next word."""
    number = _strip_signs(tokens[at]).lower()
    if at + 1 < len(tokens) and tokens[at + 1].lower() in _ADDED and number.isdigit():
        return number + tokens[at + 1].lower(), at + 2
    return number, at + 1


def _strip_signs(token: str) -> str:
    return token.rstrip(".ºª°")


def _make_key(tokens: list[str]) -> str:
    """Return the key of a label; a sign such as § stands for itself."""
    text = " ".join(tokens)
    return make_key(text) or text


def _index_labels(partitions: tuple[Entry, ...]) -> Mapping[str, str]:
    """Return the id of each kind of part by its labels; the first listed counts."""
    found: dict[str, str] = {}
    for entry in partitions:
        for form in (*entry.labels, *entry.forms, *entry.abbreviations):
            found.setdefault(_make_key([form.text]), entry.notation)
    return found
