"""What no honest XML document has, and what would harm who reads it."""

from __future__ import annotations

from typing import Final

__all__ = [
    "DEEPEST",
    "FARTHEST",
    "HEAVIEST",
    "LONGEST_TEXT",
    "LONGEST_TOKEN",
    "LONGEST_TOKEN_WITH_ENTITIES",
    "MOST_ATTRIBUTES",
    "MOST_NAMESPACES",
    "MOST_NODES",
    "too_long",
    "too_much",
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

HEAVIEST: Final = 1 << 26
"""Characters of all attributes that are read, a prefix that an element puts in scope, or takes over
with others, counted as 16: each element that is held has its own."""

MOST_NODES: Final = 200_000
"""Elements, comments and instructions of a part that is held in memory as a whole."""

LONGEST_TEXT: Final = 1 << 24
"""Characters of text of such a part."""

FARTHEST: Final = 64 << 20
"""Bytes of a document that are read to see whether it is whole: less than a second's work at
the usual share of markup, which a run over a folder can bear for each file."""


def too_much(depth: int, attributes: int) -> str | None:
    """What is too much about an element, None where nothing is.

    Args:
        depth: in how many elements it stands, itself counted.
        attributes: how many attributes it has.
    """
    if depth > DEEPEST:
        return f"elements stand in each other more than {DEEPEST:,} deep"
    if attributes > MOST_ATTRIBUTES:
        return f"an element has more than {MOST_ATTRIBUTES:,} attributes"
    return None


def too_long(token: int, *, has_entities: bool) -> str | None:
    """What is too long about a tag or comment, None where nothing is.

    Args:
        token: its bytes.
        has_entities: whether the document declares entities.
    """
    most = LONGEST_TOKEN_WITH_ENTITIES if has_entities else LONGEST_TOKEN
    return f"a tag or comment is longer than {most:,} bytes" if token > most else None
