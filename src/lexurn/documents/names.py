"""Names in documents: read in any dialect, compared with a name to embed, checked against a format.

Any file can have the name of a work or an expression. A name of a file form (RFC 9676 section 5.7)
states a media type. A name of a part (section 5.8) needs a format whose parts can stand alone.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn.dialect import Dialect, convert
from lexurn.documents.document import DocumentError, FindingList, make_error, make_finding
from lexurn.documents.terms import check_language_tag
from lexurn.name import (
    ManifestationIdentifier,
    Name,
    check,
    check_http,
    is_registered_subtag,
    replace_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.documents.document import Document, DocumentFormat
    from lexurn.findings import Finding
    from lexurn.model import Record
    from lexurn.pages import DocumentMetadata

_LONGEST_SHOWN = 200
_REMEDY_REMOVE = "remove that name if it is wrong"
# RFC 2169 section 2; Italian acts have such addresses.
_RESOLVER_URL = re.compile(
    r"\s*https?://[^/?#]+/uri-res/N2(?:[LRC]s?|Ns)\?(urn(?::|%3A)[^#]+)(?:#.*)?",
    re.IGNORECASE,
)
_LONGEST_URL = 30_000
_HTTP_URL = re.compile(r"https?://", re.IGNORECASE)
_NAME_URN = re.compile(r"\s*urn:(?:lex|nir):", re.IGNORECASE)


def is_lex_urn(text: str) -> bool:
    """Return whether a text looks like a LEX name."""
    return text.strip().lower().startswith("urn:lex:")


def is_name_like(text: str) -> bool:
    """Return whether a text looks like a LEX name, or like one of another URN dialect."""
    return _NAME_URN.match(_unwrap_resolver_url(text)) is not None


def parse_any_name(text: str) -> Name | None:
    """Parse a name in any dialect or as a URL; return None for other texts."""
    text = _unwrap_resolver_url(text.strip())
    return check_http(text).name if _HTTP_URL.match(text) else convert(text).name


def _unwrap_resolver_url(text: str) -> str:
    """Return the URN in the URL of a resolver; return other texts unchanged."""
    found = _RESOLVER_URL.fullmatch(text) if len(text) <= _LONGEST_URL else None
    if found is None:
        return text
    return unquote(found[1]) if "%3a" in found[1][:6].lower() else found[1]


def is_related(one: Name, other: Name) -> bool:
    """Return whether one of two names is above the other, as a work is above its versions.

    A version without a language, as in the dialect of NIR, is above one with a language.
    """
    for above, below in ((one, other), (other, one)):
        names = below.ancestors()
        if above in names or above in map(_drop_language, (below, *names)):
            return True
    return False


def _drop_language(name: Name) -> Name:
    if name.expression is None:
        return name
    return replace_parts(name, expression=replace(name.expression, language=None))


def check_agreement(
    document: Document,
    texts: Iterable[tuple[int, str]],
    name: Name,
    marking: DocumentMetadata,
    *,
    is_of_level: bool = False,
) -> bool:
    """Return whether a document contains a name already, or another one of the same thing.

    The texts are those that stand where the name would, with their lines.

    Raises:
        DocumentError: other names stand there; or of other levels, if there may be none.
    """
    there = [(line, text, parse_any_name(text)) for line, text in texts]
    wanted = {*marking.equals(name), _drop_language(name)}
    if not there or any(found in wanted for _, _, found in there):
        return bool(there)
    line, text, found = there[0]
    shown, remedy = f'"{text[:_LONGEST_SHOWN]}" (which is not a valid name)', _REMEDY_REMOVE
    if found is not None:
        shown = str(found)
        # Formats of legal XML take no names of parts.
        if found.partition is None and (not is_of_level or found.level is name.level):
            remedy = f"embed that name, or {remedy}"
    values = {"said": shown, "name": name, "remedy": remedy}
    raise make_error("LX336", document.name, line=line, text=text, **values)


def has_name(
    document: Document, member: str, marking: DocumentMetadata, values: Sequence[str]
) -> bool:
    """Return whether a name is one of the identifiers in a member of a document.

    Raises:
        DocumentError: it is not, and another LEX name is, other than an alias.
    """
    if any(check(value.strip()).name == marking.name for value in values if is_lex_urn(value)):
        return True
    same = {*marking.equals(marking.name), _drop_language(marking.name)}
    for value in values:
        if is_name_like(value) and parse_any_name(value) not in same:
            raise make_name_conflict(document, member, marking, value)
    return False


def make_name_conflict(
    document: Document, member: str, marking: DocumentMetadata, said: str
) -> DocumentError:
    """Return the error that a member of a document contains another LEX name."""
    values = {"member": member, "said": said[:_LONGEST_SHOWN] or "blank", "name": marking.name}
    return make_error("LX362", document.name, text=said, **values)


def find_language_conflict(
    document: Document, marking: DocumentMetadata, values: Sequence[str], line: int = 0
) -> tuple[Finding, ...]:
    """Return a warning where all languages of a document differ from that of its name.

    The languages are tags or codes of three letters; the line is that of the first.
    """
    tag = marking.language
    # A language that agrees, or that is unknown, is enough.
    agreeing = {None, None if tag is None else _primary_language(tag)}
    if tag is None or not values or any(_primary_language(each) in agreeing for each in values):
        return ()
    text = values[0]
    found = make_finding("LX337", document.name, line=line, text=text, said=text[:60], language=tag)
    return (found,)


def find_unmarked_names(
    document: Document, member: str, values: Iterable[str]
) -> Iterator[Finding]:
    """Yield a finding for each LEX name that cannot be removed, as lexurn did not mark it."""
    for value in values:
        if is_name_like(value):
            yield make_finding("LX368", document.name, text=value, member=member)


def _primary_language(text: str) -> str | None:
    """Return the language of a tag or three-letter code, or None for an unknown one."""
    tag = text.strip().replace("_", "-").lower()
    problem = check_language_tag(tag)
    tag = tag if problem is None else problem.suggestion or tag
    language = tag.partition("-")[0]
    return language if is_registered_subtag(language, "languages") else None


def is_allowed_in(name: Name, format: DocumentFormat) -> bool:
    """Return whether a name fits files of a format."""
    if name.partition is not None and not format.takes_partitions:
        return False
    return name.manifestation is None or is_of_media_type(name.manifestation, format.media_types)


def check_level(
    file: str, name: Name, format: DocumentFormat, records: Iterable[Record] = ()
) -> None:
    """Make sure that a name fits files of a format.

    Raises:
        DocumentError: it does not; with one that does, which may be a name of the records.
    """
    if is_allowed_in(name, format):
        return
    text, label, form = str(name), format.label, name.manifestation
    document = name.document
    if form is None or is_of_media_type(form, format.media_types):
        values = {"partition": name.partition, "label": label}
        raise make_error("LX311", file, text=text, suggestion=str(document), **values)
    above = document.parent
    better = document if above is None else above
    remedy = "name its work" if better.expression is None else "name its expression"
    for record in records:
        other = record.name
        is_sibling = other.manifestation is not None and other.parent == above
        is_whole = record.alias_of is None and other.partition is None
        if is_sibling and is_whole and is_allowed_in(other, format):
            better, remedy = other, "the manifest has a name for such files"
            break
    values = {"said": decode_media_type(form), "label": label, "remedy": remedy}
    raise make_error("LX310", file, text=text, suggestion=str(better), **values)


def is_of_media_type(manifestation: ManifestationIdentifier, media_types: Iterable[str]) -> bool:
    """Return whether a manifestation has one of some media types."""
    # Names write media types with hyphens.
    every = (unquote(manifestation.format.mime), *media_types)
    said, *kinds = (each.lower().replace("/", "-").replace("+", "-") for each in every)
    return said in kinds


def decode_media_type(manifestation: ManifestationIdentifier) -> str:
    """Return the media type of a manifestation, as it is written outside of names."""
    return unquote(manifestation.format.mime).replace("-", "/", 1)


_HTTP_NAME = re.compile(r"https?://[^/?#]*(?:/[^?#]*)?/lex/", re.IGNORECASE)
_LONGEST_IDENTIFIER = 2_000
_ISBN = re.compile(
    r"(?:urn:isbn:|isbn[:\s]*)?(?:97[89][- ]?)?[0-9][0-9 -]{8,14}[0-9X]", re.IGNORECASE
)
_IDENTIFIER_SCHEMES = (
    ("eli", re.compile(r"(?:https?://[^/\s]+)?/(?:[\w.-]+/)*eli/\S+", re.IGNORECASE)),
    ("ecli", re.compile(r"ECLI:[A-Z]{2}:\S+", re.IGNORECASE)),
    ("celex", re.compile(r"(?:CELEX:)?[0-9CE][0-9]{4}[A-Z]{1,2}[0-9]{4}\S*", re.IGNORECASE)),
    ("doi", re.compile(r"(?:doi:|https?://(?:dx\.)?doi\.org/)?10\.[0-9]{4,9}/\S+", re.IGNORECASE)),
    ("isbn", _ISBN),
    ("akn", re.compile(r"(?:https?://[^/\s]+)?/akn/\S+", re.IGNORECASE)),
    ("http", re.compile(r"https?://\S+", re.IGNORECASE)),
    ("urn", re.compile(r"urn:\S+", re.IGNORECASE)),
)


class ReadName(NamedTuple):
    """Name read from a text, with its spelling in another dialect."""

    name: Name
    spelling: str | None = None


class NameReader:
    """Reader of names that reports the faults of each text once."""

    def __init__(self, faults: FindingList) -> None:
        self._faults = faults
        self._read: dict[str, ReadName | None] = {}

    def read(self, text: str, line: int) -> ReadName | None:
        """Return the name of a text, or None for other texts."""
        if text not in self._read:
            self._read[text] = self._read_new(text, line)
        return self._read[text]

    def _read_new(self, text: str, line: int) -> ReadName | None:
        """Return the name of a text in any dialect, or None, and report what was changed."""
        text = _unwrap_resolver_url(text)
        if not is_name_like(text):
            is_url = len(text) <= _LONGEST_URL and _HTTP_NAME.match(text)
            name = check_http(text).name if is_url else None
            return None if name is None else ReadName(name)
        conversion = convert(text)
        for found in conversion.findings:
            # The finding is on the document now.
            moved = replace(found, file=self._faults.file, line=line, text=text[:_LONGEST_URL])
            self._faults.take(moved)
        name = conversion.name
        if name is None:
            return None
        is_own = conversion.dialect is Dialect.RFC9676
        if text == str(name) or (is_own and check(text.strip()).name is not None):
            return ReadName(name)
        what = "an invalid name" if is_own else f"a name in the dialect {conversion.dialect}"
        self._faults.find("LX385", line, text, suggestion=str(name), what=what, name=name)
        return ReadName(name, text)


def classify_identifier(value: str) -> str:
    """Return the scheme of an identifier: ``eli``, ``ecli``, ..., ``other``."""
    if len(value) > _LONGEST_IDENTIFIER:
        return "other"
    found = (scheme for scheme, pattern in _IDENTIFIER_SCHEMES if pattern.fullmatch(value))
    return next(found, "other")
