"""Parts of a name beside authority, measure and numbers: dates, annexes, versions and the rest.

A date in a jurisdiction's own calendar stands after the ``|`` of its date (RFC 9676 section 3.6).
A blank becomes ``-``, a character that is not allowed or reserved becomes ``.``. Letters beyond
ASCII are percent-encoded. A local date is compared with the ISO date if its calendar is known.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from contextlib import suppress
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

from lexurn import data
from lexurn.minting import characters
from lexurn.minting.calendars import Calendar, iso_to_ordinal, read_local_day, write_local_day
from lexurn.minting.characters import quote_characters
from lexurn.minting.dates import find_date, read_date, read_dates
from lexurn.minting.draft import Action, Log, Mode, Written, split_parts
from lexurn.minting.phrases import TextKind, write_phrase
from lexurn.registry import NUMBER_ADDITIONS, make_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lexurn.minting.draft import Draft
    from lexurn.registry import Words

# The clock is asked about later days alone.
_PAST = dt.datetime.now(tz=dt.UTC).date().isoformat()
_ISO_AND_LOCAL = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*\|(.+)", re.DOTALL)


def write_dates(draft: Draft) -> str | None:
    """Return the dates with their local forms, or the period that stands for them; or None.

    The local form of a date is the one given, or one computed, or none.
    """
    given = draft.given
    if given.date and given.period:
        draft.on("period", given.period).say("LX703", "date")
        return None
    if given.period:
        return draft.take(read_period(given.period, draft.words, draft.mode, "period"))
    if not given.date:
        draft.on("date").say("LX702")
        return None
    dates: list[tuple[str, str | None]] = []
    for text in given.date:
        day, local = _split_pair(text)
        for written in read_dates(day, draft.words, "date", given.date_order):
            iso = draft.take(written)
            if iso is None:
                return None
            if iso > _PAST and iso > dt.datetime.now(tz=dt.UTC).date().isoformat():
                draft.on("date", text).say("LX784", iso)
            dates.append((iso, local))
    if given.local_date:
        if len(given.local_date) != len(dates):
            counts = str(len(given.local_date)), str(len(dates))
            draft.on("local_date", ", ".join(given.local_date)).say("LX767", *counts)
            return None
        dates = [(iso, local) for (iso, _), local in zip(dates, given.local_date, strict=True)]
    texts = [_add_local_date(draft, iso, local, "date") for iso, local in dates]
    return None if None in texts else ",".join(filter(None, texts))


def write_date(draft: Draft, text: str, field: str) -> str | None:
    """Return a date of a version, with its local form after ``|`` if one is given."""
    day, local = _split_pair(text)
    iso = draft.take(read_date(day, draft.words, field, order=draft.given.date_order))
    return iso if iso is None or local is None else _add_local_date(draft, iso, local, field)


def _split_pair(text: str) -> tuple[str, str | None]:
    """Split an ISO date from the local date after its ``|``."""
    pair = _ISO_AND_LOCAL.fullmatch(text) if "|" in text else None
    return (pair[1], pair[2].strip()) if pair else (text, None)


def _add_local_date(draft: Draft, iso: str, local: str | None, field: str) -> str | None:
    calendar = draft.given.calendar
    if local is not None:
        text = draft.take(write_local_date(local, iso, draft.words, draft.mode, field))
    elif calendar is not None:
        text = draft.take(compute_local_date(iso, calendar, draft.mode, field))
    else:
        return iso
    return None if text is None else f"{iso}|{text}"


_WORD_AND_NUMBER = re.compile(r"([^.]+)\.([0-9]+)")


def read_period(text: str, words: Words, mode: Mode, field: str) -> Written:
    """Return the text of a period, number first: ``XIV legislatura`` as ``14.legislatura``.

    A bare year is a period only if the metadata states it in this field.
    """
    written = write_phrase(text, words, mode, field)
    pair = _WORD_AND_NUMBER.fullmatch(written.text or "")
    if pair is None or pair[1][0].isdigit():
        return written
    log = Log(field, text)
    log.step(Action.REPLACED, str(log.take(written)), f"{pair[2]}.{pair[1]}", "RFC 9676 §4.3")
    return log.finish(f"{pair[2]}.{pair[1]}")


_LOCAL_RULE = "RFC 9676 §3.6"
_BLANKS = re.compile(r"\s+")
_DASHES = re.compile("[\u05be\u2010-\u2015\u2212]")
# ASCII that may stand in a local date as it is: `date-loc` of section 8.
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_'=()")
# Signs beyond ASCII that are parts of words: geresh and gershayim, the middle dots.
_IN_WORDS = frozenset("\u00b7\u05f3\u05f4\u30fb")
# The marks of Hebrew numerals as a keyboard for other languages writes them.
_TYPED_GERSHAYIM = re.compile(
    "(?<=[\u05d0-\u05ea])(?:[\"\u201c\u201d\u201e]|'')(?=[\u05d0-\u05ea])"
)
_TYPED_GERESH = re.compile("(?<=[\u05d0-\u05ea])['`\u00b4\u2018\u2019]")
# Marks of direction and of joining say nothing in a name, and are forbidden or warned of there.
_UNSEEN = frozenset("\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069\ufeff")
_DOTS = re.compile(r"\.{2,}")
_ASCII_SIGNS = "'=()"
_JULIAN_YEARS = range(1582, 1931)
_LONGEST_LOCAL_DATE = 120


def write_local_date(text: str, iso: str, words: Words, mode: Mode, field: str) -> Written:
    """Return a local date as it stands after ``|``, checked against the ISO date."""
    log = Log(field, text)
    composed = unicodedata.normalize("NFKC", text)
    plain = "".join(each for each in composed if each not in _UNSEEN).strip()
    if not plain:
        return log.refuse("LX740", quote_characters(text))
    hidden = [
        each
        for each in plain
        if unicodedata.category(each) in {"Cc", "Cf", "Cs", "Co", "Cn"} and not each.isspace()
    ]
    if hidden or len(plain) > _LONGEST_LOCAL_DATE:
        shown = f"U+{ord(hidden[0]):04X}" if hidden else quote_characters(plain)
        return log.refuse("LX741", shown)
    _compare_with_iso(log, plain, iso, words)
    return log.finish() if log.failed else _write_local_text(log, plain, words, mode)


def compute_local_date(iso: str, calendar: str, mode: Mode, field: str) -> Written:
    """Return a Gregorian date in another calendar, as it stands after ``|``.

    A Hijri date (Umm al-Qura) has a warning. In ASCII, months and eras have their Latin names.
    """
    log = Log(field, iso)
    known = calendar in list(Calendar)
    words = write_local_day(iso, Calendar(calendar), mode) if known else None
    if words is None:
        return log.refuse("LX759", iso, f'"{calendar}"')
    text = quote(_BLANKS.sub("-", words), safe=_ASCII_SIGNS)
    log.step(Action.COMPUTED, iso, text, _LOCAL_RULE)
    if calendar == Calendar.HIJRI.value:
        log.say("LX755", words)
    return log.finish(text)


def _compare_with_iso(log: Log, plain: str, iso: str, words: Words) -> None:
    """Compare a local date with the ISO date beside it.

    Nightfall or a sighting may explain one day. The Julian calendar runs days behind.
    """
    day = iso_to_ordinal(iso)
    if day is None:
        return
    local = read_local_day(plain)
    if local is None:
        read = read_date(plain, words, log.field).text
        if read is not None and read != iso:
            century = int(read[:2])
            lag = day - (iso_to_ordinal(read) or day)
            is_julian = lag == century - century // 4 - 2 and int(read[:4]) in _JULIAN_YEARS
            if not is_julian:
                log.say("LX757", quote_characters(plain), read, iso)
        return
    shown, calendar = quote_characters(log.text.strip()), local.calendar.title()
    if not local.isos and local.exact:
        log.say("LX752", shown, calendar, suggestion=local.instead)
    elif local.isos and iso not in local.isos:
        off = min(abs(day - (iso_to_ordinal(each) or 0)) for each in local.isos)
        near = off == 1 and local.calendar is not Calendar.JAPANESE
        log.say("LX756" if near else "LX753", shown, " or ".join(local.isos), calendar, iso)


def _write_local_text(log: Log, plain: str, words: Words, mode: Mode) -> Written:
    """Return a local date in lower case, with the signs that may stand in a name.

    In ASCII only Latin letters are folded. Those of other scripts are the local format.
    """
    lower = folded = characters.lower_text(plain, words.language)
    if mode is Mode.ASCII:
        runs = groupby(
            lower, key=lambda each: unicodedata.name(each, "").startswith(("LATIN", "COMBINING"))
        )
        texts = [(is_latin, "".join(run)) for is_latin, run in runs]
        folded = "".join(
            characters.fold_to_ascii(run, words.folds) if latin else run for latin, run in texts
        )
    marked = _TYPED_GERESH.sub("\u05f3", _TYPED_GERSHAYIM.sub("\u05f4", folded))
    hyphenated = _BLANKS.sub("-", _DASHES.sub("-", marked))
    signs = _DOTS.sub(".", "".join(map(_replace_character, hyphenated))).strip(".-")
    if not any(map(str.isalnum, signs)):
        return Log(log.field, log.text).refuse("LX740", quote_characters(log.text))
    encoded = quote(signs, safe=_ASCII_SIGNS)
    log.step(Action.LOWERED, plain, lower, "RFC 9676 §3.3")
    log.step(Action.FOLDED, lower, folded, "RFC 9676 §3.4")
    log.step(Action.REPLACED, folded, signs, _LOCAL_RULE)
    log.step(Action.ENCODED, signs, encoded, "RFC 9676 §3.4")
    return log.finish(encoded)


def _replace_character(character: str) -> str:
    """Return the character, or the dot for one that is not allowed or reserved."""
    if character.isascii():
        return character if character in _ALLOWED else "."
    is_letter = unicodedata.category(character)[0] in "LMN" or character in _IN_WORDS
    return character if is_letter else "."


def write_annexes(draft: Draft) -> str | None:
    """Return the text after the act: ``:annex.a;borders.park:table.1``; "" without annex."""
    words, mode, field = draft.words, draft.mode, "annexes"
    text = ""
    is_whole = True
    for annex in draft.given.annexes:
        heading = draft.take(write_phrase(annex.heading, words, mode, field, TextKind.ANNEX))
        title: str | None = ""
        if heading is not None and annex.title is not None:
            title = draft.take(write_phrase(annex.title, words, mode, field, TextKind.SENTENCE))
        is_whole = is_whole and heading is not None and title is not None
        text += f":{heading};{title}" if title else f":{heading}"
    return text if is_whole else None


_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN = re.compile(rf"{_LABEL}(?:\.{_LABEL})+")
_MEDIA_TYPE = re.compile(r"([a-z]+)/([a-z0-9][a-z0-9.+-]*)")
_NOT_IN_FORMAT = re.compile(r"[^a-z0-9.-]+")
_LONGEST_DOMAIN = 253
_OF_EXPRESSIONS = frozenset(
    ("version", "amendment_date", "event_date", "event", "version_language")
)


def write_expression(draft: Draft) -> str | None:
    """Return the text after ``@``: version, events and language; "" without a version."""
    given = draft.given
    if _OF_EXPRESSIONS.isdisjoint(vars(given)):
        return ""
    if given.version and given.amendment_date:
        draft.on("amendment_date", given.amendment_date).say("LX703", "version")
        return None
    version, *events = split_parts(given.version or given.amendment_date or "", ";") or ("",)
    language = given.version_language or ""
    if not version:
        # Events and a language cannot stand alone.
        for field in ("event_date", "event", "version_language"):
            if value := getattr(given, field):
                draft.on(field, value if isinstance(value, str) else "; ".join(value)).say("LX761")
                return None
        return ""
    field = "version" if given.version else "amendment_date"
    parts = []
    for each in (version, *events):  # a date, or a word for the version or an event
        is_date = field == "amendment_date" or "|" in each
        if is_date or find_date(each, draft.words) == (0, len(each)):
            parts.append(write_date(draft, each, field))
        else:
            parts.append(_write_words(draft, [each], field))
    parts += [write_date(draft, each, "event_date") for each in given.event_date]
    parts += [_write_words(draft, [each], "event") for each in given.event]
    if None in parts:
        return None
    rule = "RFC 9676 §3.3"
    draft.on("version_language").step(Action.LOWERED, language, language.lower(), rule)
    # The reader of names says whether it is a language tag.
    return ";".join(filter(None, parts)) + (f":{language.lower()}" if language else "")


def write_manifestation(draft: Draft) -> str | None:
    """Return the text after ``$``; "" if no manifestation is described."""
    given = draft.given
    if not (given.editor or given.format or given.component or given.feature):
        return ""
    absent = [name for name in ("editor", "format") if not getattr(given, name)]
    if given.feature and not given.component:
        absent.append("component")
    for name in absent:
        draft.on(name).say("LX764", name)
    if absent:
        return None
    parts = [_write_editor(draft), _write_format(draft)]
    for field, text in (("component", given.component), ("feature", given.feature)):
        if text:
            parts.append(_write_words(draft, split_parts(text, ";") or ("",), field))
    return None if None in parts else ":".join(filter(None, parts))


def _write_editor(draft: Draft) -> str | None:
    """Return the publisher's domain name, then specifications of it."""
    domain, *others = split_parts(draft.given.editor or "", ";") or ("",)
    written = _read_domain(domain)
    if written is None:
        url = re.match(r"(?i)https?://([^/:?#]+)", domain)
        draft.on("editor", domain).say("LX762", suggestion=_read_domain(url[1]) if url else None)
        return None
    draft.on("editor").step(Action.LOWERED, domain, written, "RFC 9676 §5.7")
    specifications = _write_words(draft, others, "editor") if others else ""
    return None if specifications is None else ";".join(filter(None, (written, specifications)))


def _write_words(draft: Draft, texts: Sequence[str], field: str) -> str | None:
    """Return the words of some texts, in their order; None if one cannot be written."""
    words, mode = draft.words, draft.mode
    written = [draft.take(write_phrase(each, words, mode, field)) for each in texts]
    return None if None in written else ";".join(filter(None, written))


def _read_domain(text: str) -> str | None:
    """Return a domain name as the DNS has it (RFC 5891), None if a text is not one."""
    lowered = text.lower().removesuffix(".")
    if not lowered.isascii():
        import idna  # noqa: PLC0415 - few names need it

        with suppress(idna.IDNAError):
            lowered = idna.encode(lowered, uts46=True).decode()
    is_domain = len(lowered) <= _LONGEST_DOMAIN and _DOMAIN.fullmatch(lowered) is not None
    return lowered if is_domain else None


def _write_format(draft: Draft) -> str | None:
    """Return the media type with ``-`` for ``/``, then specifications such as its version."""
    given, *others = split_parts(draft.given.format or "", ";") or ("",)
    mime = _find_media_type(given)
    if mime is None:
        draft.on("format", given).say("LX763")
        return None
    draft.on("format").step(Action.REPLACED, given, mime, "RFC 9676 §5.7")
    specifications = []
    for each in others:
        # A version such as "1.7" or "dtd-nir-2.2", not a parameter of a media type.
        written = "" if "=" in each else _NOT_IN_FORMAT.sub("-", each.lower()).strip("-.")
        if not written:
            draft.on("format", each).say("LX763")
        specifications.append(written)
    return ";".join((mime, *specifications)) if all(specifications) else None


@lru_cache(maxsize=512)
def _find_media_type(text: str) -> str | None:
    """Return a media type as names have it, also of a file extension that has just one."""
    lower = text.lower()
    found = _MEDIA_TYPE.fullmatch(lower)
    if found is not None:
        return f"{found[1]}-{found[2]}".replace("+", "%2B")
    formats: dict[str, str] = data.load_table("extensions")["formats"]
    return formats.get(lower.removeprefix("."), lower if lower in formats.values() else None)


_PARTITION_ID = re.compile(r"[A-Za-z0-9._;:,='()+%-]+")
_PARTITION_TOKEN = re.compile(r"[^\W_]+(?:\.[ºª°]|[.ºª°](?![^\W\d_]))?|§+")
_BETWEEN = re.compile(r"[\s,;()\-\u2013/.]*")
_NUMBER = re.compile(r"[0-9]+[^\W_]*|[^\W\d_]{1,2}|[ivxlcIVXLC]{1,6}")
_LONGEST_LABEL = 3
_NUMBER_SIGNS = ".ºª°"
_ARTICLES = ("art", "par", "com")
# The letters of a number, and what it includes: "art. L. 121-1", "art. 18.4", "Article 6(1)(f)".
_NUMBER_OF_ARTICLE = re.compile(
    r"(?<=[0-9])[.-][0-9]+|(?<=[0-9)])\([0-9a-z]{1,3}\)|(?<![\w.])[A-Z]{1,2}(?:\. ?| )?(?=[0-9])"
)
# A word between two parts, of one letter between numbers alone; and a number of the second.
_LINK = re.compile(
    r"(?<![^ '])(?:[^\W\d_]{2,}|[^\W\d_](?=')|(?<=[0-9ºª.,] )[^\W\d_](?= [0-9]))(?![^ '])|,"
)
_NUMBER_ALONE = re.compile(r"(?:[^\W\d_]\.?[ºª°]? )?[0-9]+[^\W\d_]{0,2}\.?[ºª°]?")


def write_partition(draft: Draft) -> str | None:
    """Return the text after ``~``; "" if no part is meant.

    An id stays as it is, with its case, since it is the id of an element in the text. Words are
    turned into one by the registry's labels ("article 15, paragraph 3": ``art15;par3``).
    """
    text = draft.given.partition
    if not text or _PARTITION_ID.fullmatch(text):
        return text or ""
    written = _read_cited_partition(text, draft.words)
    if written is None:
        draft.on("partition", text).say("LX765")
        return None
    draft.on("partition").step(Action.READ, text, written, "RFC 9676 §5.8")
    return written


def is_article_citation(text: str, words: Words) -> bool:
    """Return True for a text that cites an article or a paragraph, not an issuer or measure.

    >>> from lexurn.registry import load_registry
    >>> words = load_registry().words("it")
    >>> is_article_citation("art. 2", words), is_article_citation("sez. IV", words)
    (True, False)
    """
    plain = _NUMBER_OF_ARTICLE.sub("", text)
    cited, start = [], 0
    for match in _LINK.finditer(plain):  # "§ 2º do art. 3º", "artt. 1, 3 e 5"
        if match[0] == "," or make_key(match[0]) in words.connectives:
            cited.append(plain[start : match.start()])
            start = match.end()
    parts = [each.strip(" ,'") for each in (*cited, plain[start:])]
    read = [_read_cited_partition(each, words) or "" for each in parts]
    return any(each.startswith(_ARTICLES) for each in read) and all(
        found or not part or _NUMBER_ALONE.fullmatch(part)
        for found, part in zip(read, parts, strict=True)
    )


def is_partition(word: str, words: Words) -> bool:
    """Return True for a word that is the kind of a part, such as "section"."""
    return _make_label_key([word]) in _list_partition_labels(words)


def _read_cited_partition(text: str, words: Words) -> str | None:
    """Return the id of a part as it is cited, None if a word is not understood."""
    tokens = _PARTITION_TOKEN.findall(text)
    if any(len(token) > 1 and make_key(token) in words.connectives for token in tokens):
        return None
    labels = _list_partition_labels(words)
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


@lru_cache(maxsize=64)
def _list_partition_labels(words: Words) -> Mapping[str, str]:
    """Return the id of each kind of part by its labels; the first listed counts."""
    labels: dict[str, str] = {}
    for entry in words.partitions:
        for form in (*entry.labels, *entry.forms, *entry.abbreviations):
            labels.setdefault(_make_label_key([form.text]), entry.notation)
    return labels


def _read_level(tokens: list[str], at: int, labels: Mapping[str, str]) -> tuple[str, int] | None:
    """Return one level, its label before or after its number, and the index of the next."""
    for length in range(_LONGEST_LABEL, 0, -1):
        end = at + length
        before = labels.get(_make_label_key(tokens[at:end]))
        following = tokens[end].rstrip(_NUMBER_SIGNS) if end < len(tokens) else ""
        if before is not None and _NUMBER.fullmatch(following):
            number, after = _read_numbered(tokens, end)
            return before + number, after
        number, after = _read_numbered(tokens, at)
        label = labels.get(_make_label_key(tokens[after : after + length]))
        if label is not None and number[:1].isdigit():
            return label + number, after + length
    return None


def _read_numbered(tokens: list[str], at: int) -> tuple[str, int]:
    """Return a number with its addition ("3 bis"), and the index of the next word."""
    number = tokens[at].rstrip(_NUMBER_SIGNS).lower()
    if at + 1 < len(tokens) and tokens[at + 1].lower() in NUMBER_ADDITIONS and number.isdigit():
        return number + tokens[at + 1].lower(), at + 2
    return number, at + 1


def _make_label_key(tokens: list[str]) -> str:
    """Return the key of a label; a sign such as § stands for itself."""
    text = " ".join(tokens)
    return make_key(text) or text
