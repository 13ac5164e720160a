"""Tags in the head of a page, one by one: which lexurn may have written, and which name the page.

The rules are the same for HTML and XHTML, whoever found the tags.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import is_related, language_findings, means_name, named
from lexurn.embedding._findings import finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.export import Marking

__all__ = ["contradictions", "may_be_ours", "own_name"]

_DATA: Final = "application/ld+json"
# Links of these kinds are for browsers: lexurn never writes them.
_FETCHED: Final = frozenset(
    {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "manifest"}
)
_DUBLIN_CORE: Final = ("dc.", "dcterms.")
_NAMING: Final = frozenset({"canonical", "cite-as"})
_IDENTIFIER: Final = re.compile(
    r"(?:.*[.:/#])?(?:(?:legislation)?identifier(?:\..*)?|id_local)|lex|urn|urn[:-]lex",
    re.IGNORECASE,
)
_MOST_NAMES: Final = 1_000
_LONGEST_SHOWN: Final = 200


def may_be_ours(element: str, attributes: Mapping[str, str]) -> bool:
    """Whether a tag in a block may be one that lexurn wrote.

    Args:
        element: the name of its element, in lower case.
        attributes: its attributes, names in lower case.
    """
    if element == "script":
        return attributes.get("type", "").lower() == _DATA
    if element == "link":
        return _FETCHED.isdisjoint(attributes.get("rel", "").lower().split())
    return element == "meta" and (
        "about" in attributes or attributes.get("name", "").lower().startswith(_DUBLIN_CORE)
    )


def own_name(element: str, attributes: Mapping[str, str]) -> str | None:
    """What a tag says that the page is called, as it stands there; None where it says no LEX name.

    Args:
        element: the name of its element, in lower case.
        attributes: its attributes, names in lower case.
    """
    if element == "link":
        kinds = attributes.get("rel", "").lower().split()
        is_own = not _NAMING.isdisjoint(kinds) or any(map(_IDENTIFIER.fullmatch, kinds))
        value = attributes.get("href", "")
    else:
        # What RDFa says of something else is no name of the page.
        is_of_other = bool(attributes.get("about"))
        term = attributes.get("name") or ("" if is_of_other else attributes.get("property", ""))
        is_own = element == "meta" and _IDENTIFIER.fullmatch(term.strip()) is not None
        value = attributes.get("content", "")
    return value.strip() if is_own and means_name(value) else None


def contradictions(
    document: Document,
    marking: Marking,
    *,
    language: tuple[int, str] | None,
    names: Iterable[tuple[int, str]],
) -> tuple[DocumentFinding, ...]:
    """Warnings where a page says that it is something else than the name that is put in says.

    Args:
        document: the page, for messages.
        marking: what is known of the name.
        language: the language that the page says, with its line; None where it says none.
        names: what the page says that it is called, outside of lexurn's block, with lines.
    """
    languages = () if language is None else language_findings(document, [language], marking)
    return (*languages, *_other_names(document, marking, names))


def _other_names(
    document: Document, marking: Marking, names: Iterable[tuple[int, str]]
) -> Iterator[DocumentFinding]:
    """One finding for each other name; the name of the work of a version is no other."""
    same = marking.equals(marking.name)
    for text, line in _first(names).items():
        found = named(text)
        if found is not None and (found in same or is_related(found, marking.name)):
            continue
        other = text[:_LONGEST_SHOWN] if found is None else str(found)
        yield finding("LX327", document.name, line=line, text=text, other=other, name=marking.name)


def _first(names: Iterable[tuple[int, str]]) -> dict[str, int]:
    """Each text with its first line, and not more of them than anybody reads."""
    lines: dict[str, int] = {}
    for line, text in names:
        lines.setdefault(text, line)
        if len(lines) >= _MOST_NAMES:
            break
    return lines
