"""Texts: a canonical name split into the texts of its parts, its level and its components.

`lexurn.name.values` makes values of these texts; it is not loaded before someone asks for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, TypeVar

from lexurn.lazy import compile_late

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

NUMBER_LEX = compile_late(r"lex-[0-9]+")


class Level(StrEnum):
    """FRBR level of a name (RFC 9676 section 5.2)."""

    WORK = "work"
    EXPRESSION = "expression"
    MANIFESTATION = "manifestation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """R-, q- and f-components of RFC 8141 section 2.3, as written; not part of the name."""

    r: str | None = None
    q: str | None = None
    f: str | None = None


NO_COMPONENTS = Components()


NameTexts = tuple[str, str, str, str, list[str], str, str, str]
LONGEST_CACHED = 512


def cache_short(read: Callable[[str], T]) -> Callable[[str], T]:
    """Cache the results of a function for texts that recur, if they are short."""
    cached = lru_cache(maxsize=4096)(read)

    @wraps(read)
    def read_once(text: str) -> T:
        return cached(text) if len(text) <= LONGEST_CACHED else read(text)

    return read_once


def split_name(text: str) -> NameTexts:
    """Split a canonical name into the texts of its parts, in the order of `Parts`.

    A text is empty if the part is absent.
    """
    document, _, partition = text.partition("~")
    document, _, manifestation = document.partition("$")
    document, _, expression = document.partition("@")
    _, _, code, authority, measure, details, *annexes = document.split(":")
    return code, authority, measure, details, annexes, expression, manifestation, partition
