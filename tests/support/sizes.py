"""Sizes of the costliest tests: small in every run, full with LEXURN_FULL=1.

Laws are tried on more examples with HYPOTHESIS_PROFILE=long.
"""

from __future__ import annotations

import os

from hypothesis import settings

__all__ = ["IS_FULL", "examples", "one_in", "size"]

IS_FULL = os.environ.get("LEXURN_FULL") == "1"
_USUAL = 30  # examples of a law that names no number of its own


def size(small: int, full: int) -> int:
    """The size of a test in this run."""
    return full if IS_FULL else small


def one_in(number: int) -> int:
    """The step between the cases that this run takes."""
    return size(number, 1)


def examples(number: int) -> settings:
    """Settings of a law with its own number of examples, which a profile raises as all others."""
    return settings(max_examples=number * settings.default.max_examples // _USUAL)
