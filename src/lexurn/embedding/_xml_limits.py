"""What no honest XML document has, and what would harm who reads it."""

from __future__ import annotations

from typing import Final

__all__ = [
    "DEEPEST",
    "LONGEST_TEXT",
    "LONGEST_TOKEN",
    "LONGEST_TOKEN_WITH_ENTITIES",
    "MOST_ATTRIBUTES",
    "MOST_NAMESPACES",
    "MOST_NODES",
]

DEEPEST: Final = 1_000
"""Elements in elements: the schemas of law need some thirty."""

MOST_ATTRIBUTES: Final = 1_000
"""Attributes of one element."""

LONGEST_TOKEN: Final = 1 << 25
"""Bytes of one tag or comment, which is held in memory: pictures stand in attributes at times."""

LONGEST_TOKEN_WITH_ENTITIES: Final = 1 << 20
"""The same where entities are declared: a reference in an attribute may stand for a long text."""

MOST_NAMESPACES: Final = 256
"""Prefixes in scope at one place: each element inside has them all."""

MOST_NODES: Final = 200_000
"""Elements, comments and instructions of a part that is held in memory as a whole."""

LONGEST_TEXT: Final = 1 << 24
"""Characters of text of such a part."""
