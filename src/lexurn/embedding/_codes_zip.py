"""Findings about files that are ZIP containers: codes, weights, rules, words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.embedding._code import Code

__all__ = ["CODES"]

CODES: Final[Mapping[str, Code]] = {}
