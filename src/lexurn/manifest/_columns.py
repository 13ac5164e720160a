"""The columns of a manifest, by name: what each holds (design of manifests, RFC 9676 section 5)."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

__all__ = ["MINTED", "SINGLE", "TARGETS", "Column", "column_named", "is_language", "nearest"]

MINTED = (
    "jurisdiction",
    "units",
    "authority",
    "measure",
    "measure_specifications",
    "date",
    "local_date",
    "calendar",
    "date_order",
    "period",
    "number",
    "number_suffix",
    "unnumbered",
    "annex",
    "version",
    "amendment_date",
    "event_date",
    "event",
    "version_language",
    "language",
    "editor",
    "format",
    "component",
    "feature",
    "partition",
    "mode",
    "citation",
)
"""What a row without a ``urn`` is named from: the fields of `lexurn.mint`."""

TARGETS = (
    "urn",
    "title",
    "alias_of",
    "also_named",
    "dialect_name",
    "issued",
    "published",
    "modified",
    "in_force_from",
    "in_force_until",
    "amended_by",
    "version_order",
    "url",
    "page",
    "bytes",
    "sha256",
    "file",
    "license",
    "publisher",
    "creator",
    "subject",
    "status",
    "withdrawn_on",
    *MINTED,
)
"""The columns that a manifest may have; ``title`` also with a language, as in ``title@it``."""

SINGLE = frozenset(
    {
        "urn",
        "alias_of",
        "issued",
        "published",
        "modified",
        "in_force_from",
        "in_force_until",
        "version_order",
        "bytes",
        "sha256",
        "status",
        "withdrawn_on",
        *MINTED,
    }
)
"""Columns that only one column of a table can feed."""

# RFC 5646 section 2.1: langtag, privateuse; the irregular tags of the registry by name.
_LANGUAGE = re.compile(
    r"(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[a-wy-z0-9](?:-[a-z0-9]{2,8})+)*"
    r"(?:-x(?:-[a-z0-9]{1,8})+)?|x(?:-[a-z0-9]{1,8})+"
    r"|en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)"
    r"|sgn-(?:be-fr|be-nl|ch-de)"
)

_TAGGED = re.compile(r"title[^a-z0-9]?([a-z]{2,3})", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of somebody's table and what it means here.

    Attributes:
        header: as the table names it; for a template or constant, the column that it makes.
        target: one of `TARGETS`.
        language: the language of the titles in it (lower case), or None.
    """

    header: str
    target: str
    language: str | None = None


def is_language(tag: str) -> bool:
    """Whether a tag, in lower case, is a well-formed language tag (RFC 5646 section 2.1)."""
    return _LANGUAGE.fullmatch(tag) is not None


def column_named(target: str, header: str, language: str | None = None) -> Column | None:
    """The column that a target such as ``issued`` or ``title@it`` names, None where there is none.

    Args:
        target: the name, as a header or a mapping file writes it.
        header: how the table itself names the column.
        language: the language of titles that name none.
    """
    if target == "title":
        return Column(header=header, target=target, language=language)
    if target in TARGETS:
        return Column(header=header, target=target)
    name, at, tag = target.partition("@")
    if name == "title" and at and is_language(tag.lower()):
        return Column(header=header, target=name, language=tag.lower())
    return None


def nearest(name: str, known: tuple[str, ...] = TARGETS) -> str | None:
    """The known name that a writer of ``name`` probably meant, None where none is near."""
    if name.casefold() in known:
        return name.casefold()
    tagged = _TAGGED.fullmatch(name)
    if tagged is not None:
        return f"title@{tagged[1].lower()}"
    found = difflib.get_close_matches(name.casefold(), known, n=1)
    return found[0] if found else None
