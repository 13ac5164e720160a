"""Whether a document says of itself already what is to be said of it, or says something else."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn import data
from lexurn.dialect import convert
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.name import check, check_http, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.export import Marking
    from lexurn.name import Name

_LONGEST_SHOWN = 200
_TAKE_OUT = "take out what it says if that is wrong"
# RFC 2169 section 2; Italian acts have such addresses.
_RESOLVER = re.compile(
    r"\s*https?://[^/?#]+/uri-res/N2(?:[LRC]s?|Ns)\?(urn(?::|%3A)[^#]+)(?:#.*)?",
    re.IGNORECASE,
)
_LONGEST_ADDRESS = 30_000
_URL = re.compile(r"https?://", re.IGNORECASE)
_NAME = re.compile(r"\s*urn:(?:lex|nir):", re.IGNORECASE)

__all__ = [
    "asked_for",
    "check_agreement",
    "conflict",
    "has_name",
    "is_lex",
    "is_related",
    "language_findings",
    "language_remarks",
    "means_name",
    "named",
    "names_that_stay",
]


def is_lex(text: str) -> bool:
    """Whether a text means to be a LEX name."""
    return text.strip().lower().startswith("urn:lex:")


def means_name(text: str) -> bool:
    """Whether a text means to be a LEX name, or one in a dialect that is a URN as well."""
    return _NAME.match(asked_for(text)) is not None


def named(text: str) -> Name | None:
    """The name that a text is, in any dialect or as a URL; None where it is none."""
    text = asked_for(text.strip())
    return check_http(text).name if _URL.match(text) else convert(text).name


def asked_for(text: str) -> str:
    """The URN that the address of a resolver asks for; another text as it is."""
    found = _RESOLVER.fullmatch(text) if len(text) <= _LONGEST_ADDRESS else None
    if found is None:
        return text
    return unquote(found[1]) if "%3a" in found[1][:6].lower() else found[1]


def is_related(one: Name, other: Name) -> bool:
    """Whether one of two names stands above the other, as the name of a work above its versions.

    So does the name of a version that says no language, as none in the dialect of NIR can.
    """
    return _is_above(one, other) or _is_above(other, one)


def _is_above(one: Name, other: Name) -> bool:
    above = other.ancestors()
    return one in above or one in map(_without_language, (other, *above))


def _without_language(name: Name) -> Name:
    if name.expression is None:
        return name
    return replace(name, expression=dataclasses.replace(name.expression, language=None))


def check_agreement(
    document: Document,
    texts: Iterable[tuple[int, str]],
    name: Name,
    marking: Marking,
    *,
    is_of_level: bool = False,
) -> bool:
    """Whether a name stands in a document already.

    Args:
        document: the document, for messages.
        texts: the names that stand where this one would, with their lines.
        name: the name.
        marking: what is known of it; other names of the same thing are as good.
        is_of_level: whether only names of the level of that name may stand there.

    Returns:
        True where it stands there, or a name of the same thing; False where nothing does.

    Raises:
        EmbeddingError: other names stand there.
    """
    there = [(line, text, named(text)) for line, text in texts]
    wanted = {*marking.equals(name), _without_language(name)}
    if not there or any(found in wanted for _, _, found in there):
        return bool(there)
    line, text, found = there[0]
    said = str(found) if found is not None else f'"{text[:_LONGEST_SHOWN]}" (which is no name)'
    # No XML that this is asked of can be named as a part.
    may_be = found is not None and found.partition is None
    may_be = may_be and not (is_of_level and found is not None and found.level is not name.level)
    remedy = f"embed that name, or {_TAKE_OUT}" if may_be else _TAKE_OUT
    raise EmbeddingError(
        finding("LX336", document.name, line=line, text=text, said=said, name=name, remedy=remedy)
    )


def language_findings(
    document: Document, texts: Iterable[tuple[int, str]], marking: Marking
) -> tuple[DocumentFinding, ...]:
    """A warning for each language that a document says and that is not the one of its name.

    Args:
        document: the document, for messages.
        texts: the languages as they stand there, with their lines: BCP 47, or three letters.
        marking: what is known of the name.
    """
    tag = marking.language
    if tag is None:
        return ()
    wanted = _primary(tag)
    return tuple(
        finding("LX337", document.name, line=line, text=text, said=text[:60], language=tag)
        for line, text in texts
        if (found := _primary(text)) is not None and found != wanted
    )


def has_name(document: Document, member: str, marking: Marking, values: Sequence[str]) -> bool:
    """Whether a name is one of the identifiers of a document.

    Args:
        document: the document.
        member: the member that has the identifiers, for messages.
        marking: the name.
        values: the identifiers; an alias of the name may be one of them, and a name in a dialect.

    Raises:
        EmbeddingError: the name is not, and another LEX name is.
    """
    if any(check(value.strip()).name == marking.name for value in values if is_lex(value)):
        return True
    same = {*marking.equals(marking.name), _without_language(marking.name)}
    for value in values:
        if means_name(value) and named(value) not in same:
            raise conflict(document, member, marking, value)
    return False


def conflict(document: Document, member: str, marking: Marking, said: str) -> EmbeddingError:
    """The error that a document has another LEX name in a member."""
    name = str(marking.name)
    return EmbeddingError(
        finding(
            "LX362", document.name, text=said, member=member, said=said[:200] or "blank", name=name
        )
    )


def language_remarks(
    document: Document, marking: Marking, values: Sequence[str]
) -> tuple[DocumentFinding, ...]:
    """What to say where a document is in another language than its name says.

    Args:
        document: the document.
        marking: the name.
        values: the languages that the document says, none of lexurn's.
    """
    told = language_findings(document, ((0, value) for value in values), marking)
    # One that agrees, or that nobody knows, is none too many.
    return told[:1] if len(told) == len(values) else ()


def names_that_stay(
    document: Document, member: str, values: Iterable[str]
) -> Iterator[DocumentFinding]:
    """Findings for LEX names that are to be taken out, and that lexurn did not mark as its own."""
    for value in values:
        if means_name(value):
            yield finding("LX368", document.name, text=value, member=member)


def _primary(text: str) -> str | None:
    """The language of a tag or of a code of three letters, None where it is none that is known."""
    subtag = text.strip().replace("_", "-").partition("-")[0].lower()
    table = data.table("languages")
    for short, code in table["authority"].items():
        if code.lower() == subtag:
            return str(short)
    return subtag if subtag in table["languages"] else None
