"""Which entries are meant where several are called the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.registry import Entry

__all__ = ["meant"]


def meant(entries: Iterable[Entry], language: str) -> tuple[Entry, ...]:
    """The entries that a text in a language means.

    Those that are open for new names go before the obsolete ones, and those that have a label in
    the language before the others: ``TF`` is the tribunal fédéral in French (RFC 9676 section 5.3).

    Args:
        entries: the entries of one spelling.
        language: the language of the words, a primary subtag.
    """
    found = tuple(entries)
    current = tuple(each for each in found if not each.obsolete) or found
    if len(current) < 2:  # noqa: PLR2004 - nothing to choose from
        return current
    spoken = tuple(
        each
        for each in current
        if any(label.language.partition("-")[0] == language for label in each.labels)
    )
    return spoken or current
