"""Documents that are made to fill memory, told apart as they come: deep JSON, XML that grows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.errors import GraphError
from lexurn.graph._formats import Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["LONGEST_TEXT", "guarded", "not_too_deep"]

LONGEST_TEXT: Final = 1 << 24
"""How many bytes the engine reads as one text."""

_DEEPEST: Final = 500
_LONGEST_ENTITY: Final = 256
_DTD: Final = 1 << 20
_KEPT: Final = 64
_NO_MARKS: Final = bytes(set(range(256)) - set(b'"[]{}'))
_JSON_TEXT: Final = re.compile(rb'"[^"]*+"?')
_STEPS: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_ENTITY: Final = re.compile(rb"<!ENTITY([^<]*)")
_VALUE: Final = re.compile(rb"\"([^\"]*)\"|'([^']*)'")
_REFERENCE: Final = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)")


def guarded(blocks: Iterable[bytes], format: Format) -> Iterable[bytes]:
    """The same bytes of a document, as long as nothing in them would fill memory.

    Args:
        blocks: the bytes, cut anywhere.
        format: what they are.

    Raises:
        GraphError: when they are read: JSON is nested too deep, or XML has entities that grow.
    """
    if format is Format.JSONLD:
        return not_too_deep(blocks)
    return _without_growth(blocks) if format is Format.RDFXML else blocks


def not_too_deep(blocks: Iterable[bytes], *, deepest: int = _DEEPEST) -> Iterator[bytes]:
    """The same JSON, as long as nothing in it is so deep or long that it would fill memory.

    Args:
        blocks: its bytes, cut anywhere.
        deepest: how many objects and arrays may lie in each other.

    Raises:
        GraphError: more do, or a text is too long.
    """
    depth = length = 0
    is_text, held = False, b""
    for block in blocks:
        # What is escaped is taken out; a backslash at the end waits for what it escapes.
        plain = (held + block).replace(rb"\\", b"")
        held = b"\\" if plain.endswith(b"\\") else b""
        marks = plain.replace(rb"\"", b"").translate(None, _NO_MARKS)
        length = length + len(block) if is_text and b'"' not in marks else 0
        if length > LONGEST_TEXT:
            raise GraphError(f"a text of more than {LONGEST_TEXT:,} bytes")
        marks = b'"' + marks if is_text else marks
        is_text = marks.count(b'"') % 2 == 1
        for step in map(_STEPS.__getitem__, _JSON_TEXT.sub(b"", marks)):
            depth += step
            if depth > deepest:
                raise GraphError(f"nested more than {deepest} deep; no graph needs that")
        yield block


def _without_growth(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same XML, as long as its entities do not grow when they are put in.

    Raises:
        GraphError: an entity is long, holds another one, or stands where nobody looks.
    """
    coming = iter(blocks)
    head = b""
    for block in coming:
        head += block
        if len(head) > _DTD:
            break
    for entity in _ENTITY.finditer(head):
        value = _VALUE.search(entity[1])
        text = b"" if value is None else value[1] or value[2] or b""
        if len(text) > _LONGEST_ENTITY or _REFERENCE.search(text):
            line = head.count(b"\n", 0, entity.start()) + 1
            raise GraphError(
                f"line {line}: this entity is longer than {_LONGEST_ENTITY} bytes or holds "
                "another entity; write it out"
            )
    yield head
    rest = head[-_KEPT:]
    for block in coming:
        if b"<!ENTITY" in rest + block:
            raise GraphError(f"an entity is declared behind the first {_DTD:,} bytes")
        rest = block[-_KEPT:]
        yield block
