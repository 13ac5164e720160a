"""Blocks: what lexurn put into an element, between two comments.

A comment may stand wherever an element may, whatever the schema says. The blanks in front of a
block are those that stand in it behind its first comment, so that they go with it. Where an element
was empty (``<head/>``), or there was none, a further comment says so, and the element is made as
it was, or goes, once the block is all that stands in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from lexurn.embedding._edit import Edit
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._xml import Comment, Instruction
from lexurn.embedding._xml_writing import BEGIN, END, codec_of, encoded, layout_before

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._xml import Opening
    from lexurn.embedding._xml_tree import Child, Node

__all__ = [
    "Block",
    "Was",
    "block_of",
    "element_with_block",
    "insertion",
    "layout_of",
    "ours_in",
    "qualified",
    "removals",
]

_LONGEST_LAYOUT = 4_096
_LONGEST_SHOWN = 60


class Was(StrEnum):
    """What there was of an element before a block came into it, as a comment in it says."""

    THERE = ""
    EMPTY = "lexurn:empty"
    ABSENT = "lexurn:new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What lexurn put into an element.

    Attributes:
        children: what stands between the two comments.
        start: the offset of the first comment.
        end: the offset behind the last one.
        layout: the newline and the blanks that stand behind the first comment.
        was: what there was of the element before.
    """

    children: tuple[Child, ...]
    start: int
    end: int
    layout: bytes
    was: Was


def block_of(document: Document, node: Node) -> Block | None:
    """The block that stands in an element directly, None where there is none.

    Raises:
        EmbeddingError: a comment lacks its fellow, or there are several blocks.
    """
    marks = [
        (at, each, each.value.strip())
        for at, each in enumerate(node.children)
        if isinstance(each, Comment) and each.value.strip() in {BEGIN, END}
    ]
    if not marks:
        return None
    kinds = [value == END for _, _, value in marks]
    if kinds != [False, True]:
        why = "more than one" if kinds == [False, True] * (len(kinds) // 2) else "a half"
        raise EmbeddingError(finding("LX334", document.name, line=marks[0][1].line, what=why))
    (first, begin, _), (last, end, _) = marks
    return Block(
        children=node.children[first + 1 : last],
        start=begin.start,
        end=end.end,
        layout=_layout(document, begin.end, node.children[first + 1].start),
        was=_was(node.children[first + 1]),
    )


def _was(child: Child) -> Was:
    """What the first thing in a block says that there was."""
    said = child.value.strip() if isinstance(child, Comment) else ""
    return Was(said) if said in {Was.EMPTY, Was.ABSENT} else Was.THERE


def _layout(document: Document, start: int, end: int) -> bytes:
    """What stands behind a first comment, where that is nothing but blanks."""
    if end - start > _LONGEST_LAYOUT:
        return b""
    layout = document.read(start, end)
    return layout if layout.decode(codec_of(document), "replace").isspace() else b""


def ours_in(
    document: Document, node: Node, on_finding: Callable[[DocumentFinding], None]
) -> frozenset[int]:
    """Where the things in the block of an element start; none where there is no block.

    Args:
        document: the document.
        node: the element.
        on_finding: is told of blocks that are none; what stands in them counts as that of others.
    """
    try:
        block = block_of(document, node)
    except EmbeddingError as fault:
        on_finding(fault.finding)
        return frozenset()
    return frozenset() if block is None else frozenset(each.start for each in block.children)


def removals(document: Document, node: Node, is_ours: Callable[[Node], bool]) -> tuple[Edit, ...]:
    """What takes out the block of an element, and restores what was there; none without a block.

    Args:
        document: the document.
        node: the element.
        is_ours: whether an element in the block may be one that lexurn wrote.

    Raises:
        EmbeddingError: blocks that are none, or something of others stands in the block.
    """
    block = block_of(document, node)
    if block is None:
        return ()
    _refuse_others(document, node, block, is_ours)
    is_alone = len(node.children) == len(block.children) + 2 and not node.text.strip()
    if block.was is Was.EMPTY and is_alone:
        codec = codec_of(document)
        tag = node.opening.end - len(encoded(">", codec))
        return (Edit(start=tag, end=node.end, new=encoded("/>", codec)),)
    start, end = block.start, block.end
    if block.was is Was.ABSENT and is_alone:
        start, end = node.start, node.end
    before = max(0, start - len(block.layout))
    if document.read(before, start) == block.layout:
        start = before
    return (Edit(start=start, end=end, new=b""),)


def _refuse_others(
    document: Document, node: Node, block: Block, is_ours: Callable[[Node], bool]
) -> None:
    """Make sure that all in a block is ours, since it goes with the block."""
    written = block.children if block.was is Was.THERE else block.children[1:]
    strange = [
        each for each in written if isinstance(each, Comment | Instruction) or not is_ours(each)
    ]
    if not strange and not _has_text(document, node, block):
        return
    start, end = (strange[0].start, strange[0].end) if strange else (block.start, block.end)
    what = document.read(start, min(end, start + _LONGEST_SHOWN)).decode(
        codec_of(document), "replace"
    )
    line = _line_of(strange[0] if strange else node)
    raise EmbeddingError(
        finding("LX343", document.name, line=line, text=what, what=what[:_LONGEST_SHOWN])
    )


def _has_text(document: Document, node: Node, block: Block) -> bool:
    """Whether anything but blanks stands between the things in a block."""
    marked = [each for each in node.children if block.start <= each.start < block.end]
    codec = codec_of(document)
    gaps = (document.read(one.end, other.start) for one, other in pairwise(marked))
    return any(gap.decode(codec, "replace").strip() for gap in gaps)


def _line_of(child: Child) -> int:
    return child.line if isinstance(child, Comment | Instruction) else child.opening.line


def insertion(
    document: Document, node: Node, after: Child | None, lines: Sequence[str], layout: str
) -> Edit:
    """What puts a block into an element that has none.

    Args:
        document: the document.
        node: the element.
        after: behind which of its children; behind its start tag where it is None.
        lines: what the block holds, as XML, a line each.
        layout: the newline and the blanks to put in front of each line.
    """
    codec = codec_of(document)
    if node.opening.is_empty:
        text = (
            f">{_block(lines, layout, Was.EMPTY)}</{qualified(node.opening, node.opening.local)}>"
        )
        start = node.opening.end - len(encoded("/>", codec))
        return Edit(start=start, end=node.opening.end, new=encoded(text, codec))
    at = node.opening.end if after is None else after.end
    return Edit(start=at, end=at, new=encoded(_block(lines, layout, Was.THERE), codec))


def element_with_block(
    document: Document, parent: Opening, local: str, lines: Sequence[str], layout: str
) -> Edit:
    """What puts an element with nothing in it but a block in front of all others of an element.

    Args:
        document: the document.
        parent: the start tag of that element, which is not written as an empty one.
        local: the name of the new one, of the same namespace.
        lines: what the block holds, as XML, a line each.
        layout: the newline and the blanks to put in front of each line.
    """
    name = qualified(parent, local)
    text = f"{layout}<{name}>{_block(lines, layout, Was.ABSENT)}{layout}</{name}>"
    at = parent.end
    return Edit(start=at, end=at, new=encoded(text, codec_of(document)))


def _block(lines: Sequence[str], layout: str, was: Was) -> str:
    said = (BEGIN,) if was is Was.THERE else (BEGIN, was)
    marks = (f"<!-- {each} -->" for each in said)
    return "".join(f"{layout}{line}" for line in (*marks, *lines, f"<!-- {END} -->"))


def layout_of(document: Document, node: Node, after: Child | None) -> str:
    """How what comes into an element is laid out: as the child before it, or as the first one."""
    like = after if after is not None else next(iter(node.children), None)
    return "" if like is None else layout_before(document, like.start, codec_of(document))


def qualified(like: Opening, local: str) -> str:
    """The name of an element that has the namespace of another: with its prefix."""
    return f"{like.prefix}:{local}" if like.prefix else local
