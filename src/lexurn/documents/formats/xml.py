"""XML formats of laws: finding a part, putting a block in, taking it out, and reading.

A comment may stand wherever an element may, whatever the schema says: so what lexurn puts in stands
between two. The blanks in front of a block are those that stand in it behind its first comment, so
that they go with it. Where an element was empty (``<head/>``), or there was none, a further comment
says so, and the element is made as it was, or goes, once the block is all that stands in it.

The rest of a document is what stands behind the place of a name. Where it is broken, no name is put
in, and what was read is said with a finding. What lexurn put in is taken out all the same, which
makes nothing worse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from lexurn.documents.containers.xml import (
    BLOCK_BEGIN,
    BLOCK_END,
    LONGEST_CHECKED,
    LONGEST_TOKEN,
    Comment,
    EndTag,
    Instruction,
    StartTag,
    Text,
    create_parser,
    detect_codec,
    encode_xml,
    explain_excess,
    explain_length,
    feed_parser,
    make_refusal,
    parse_events,
    parse_node,
    read_layout,
)
from lexurn.documents.document import Change, DocumentFormat, Edit, Reading, replace_own_edits
from lexurn.documents.findings import DocumentError, make_finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Final, TypeAlias

    from lexurn.documents.containers.xml import Child, XmlEvent, XmlNode
    from lexurn.documents.document import Document, Statement
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

_ENTITY_REFERENCE: Final = re.compile(r"&[^#;&\s][^;&\s]*;")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPart:
    """Part of a document at the end of a path.

    Attributes:
        root: the start tag of the root element.
        parent: the start tag of the last element on the path that is there, the root at least.
        missing: the names on the path of those that are not there.
        node: the element that the path leads to, with all in it; None if it is not there.
        layout: the newline and the blanks in front of what stands first in the parent.
        is_hidden: whether what is missing may stand in an entity, none of which is expanded.
    """

    root: StartTag
    parent: StartTag
    missing: tuple[str | None, ...]
    node: XmlNode | None
    layout: str
    is_hidden: bool = False


def find_part(document: Document, path: Sequence[str | None]) -> DocumentPart:
    """Find the part at the end of a path; the document is read no further than that.

    At each step it is the first element in the one before, and must have the name asked for: all
    schemas have what says what a document is there. So no large document is searched in vain.

    Args:
        document: the document.
        path: the local names from below the root element on, all in its namespace; None for any.

    Raises:
        DocumentError: the document cannot be read so far.
    """
    stream = parse_events(document)
    root = parent = next(each for each in stream if isinstance(each, StartTag))
    for at, local in enumerate(path):
        first, opening, is_hidden = _find_first_element(stream)
        layout = "" if first is None else read_layout(document, first, detect_codec(document))
        if opening is None or opening.uri != root.uri or local not in {None, opening.local}:
            return DocumentPart(
                root=root,
                parent=parent,
                missing=tuple(path[at:]),
                node=None,
                layout=layout,
                is_hidden=is_hidden,
            )
        if at == len(path) - 1:
            node = parse_node(document, stream, opening)
            return DocumentPart(root=root, parent=parent, missing=(), node=node, layout=layout)
        parent = opening
    raise ValueError("a path has a step")


def _find_first_element(stream: Iterator[XmlEvent]) -> tuple[int | None, StartTag | None, bool]:
    """Return the offset of the first node, the first element, and whether it may be hidden.

    Besides, whether a reference stands in front of that whose text is not known.
    """
    first: int | None = None
    is_hidden = False
    for event in stream:
        if isinstance(event, EndTag):
            break
        if isinstance(event, Text):
            is_hidden = is_hidden or _ENTITY_REFERENCE.fullmatch(event.value) is not None
            continue
        first = event.start if first is None else first
        if isinstance(event, StartTag):
            return first, event, is_hidden
    return first, None, is_hidden


_LONGEST_LAYOUT = 4_096
_LONGEST_EXCERPT = 60


class ElementBefore(StrEnum):
    """State of an element before a block came into it, as a comment in the block records."""

    THERE = ""
    EMPTY = "lexurn:empty"
    ABSENT = "lexurn:new"


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlBlock:
    """Block of lexurn in an element.

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
    was: ElementBefore


def _find_block(document: Document, node: XmlNode) -> XmlBlock | None:
    """Return the block that is a child of an element; None if there is none.

    Raises:
        DocumentError: a comment lacks its fellow, or there are several blocks.
    """
    marks = [
        (at, each, each.value.strip())
        for at, each in enumerate(node.children)
        if isinstance(each, Comment) and each.value.strip() in {BLOCK_BEGIN, BLOCK_END}
    ]
    if not marks:
        return None
    kinds = [value == BLOCK_END for _, _, value in marks]
    if kinds != [False, True]:
        why = "more than one" if kinds == [False, True] * (len(kinds) // 2) else "a half"
        raise DocumentError(make_finding("LX334", document.name, line=marks[0][1].line, what=why))
    (first, begin, _), (last, end, _) = marks
    child, was = node.children[first + 1], ElementBefore.THERE
    if isinstance(child, Comment) and child.value.strip() in set(ElementBefore) - {was}:
        was = ElementBefore(child.value.strip())
    return XmlBlock(
        children=node.children[first + 1 : last],
        start=begin.start,
        end=end.end,
        layout=_read_block_layout(document, begin.end, child.start),
        was=was,
    )


def _read_block_layout(document: Document, start: int, end: int) -> bytes:
    """Return the bytes behind a first comment if they are blanks only."""
    if end - start > _LONGEST_LAYOUT:
        return b""
    layout = document.read(start, end)
    return layout if layout.decode(detect_codec(document), "replace").isspace() else b""


def find_own_offsets(
    document: Document, node: XmlNode, on_finding: Callable[[Finding], None]
) -> frozenset[int]:
    """Return the offsets of the nodes in the block of an element.

    Args:
        document: the document.
        node: the element.
        on_finding: is called with the faults of broken blocks, whose content counts as foreign.
    """
    try:
        block = _find_block(document, node)
    except DocumentError as fault:
        on_finding(fault.finding)
        return frozenset()
    return frozenset() if block is None else frozenset(each.start for each in block.children)


def remove_block(
    document: Document, node: XmlNode, is_embedded: Callable[[XmlNode], bool]
) -> tuple[Edit, ...]:
    """Return the edits that take out the block of an element, and restore what was there.

    Args:
        document: the document.
        node: the element.
        is_embedded: whether an element in the block may be one that lexurn wrote.

    Raises:
        DocumentError: blocks that are none, or something of others stands in the block.
    """
    block = _find_block(document, node)
    if block is None:
        return ()
    _check_block(document, node, block, is_embedded)
    is_alone = len(node.children) == len(block.children) + 2 and not node.text.strip()
    if block.was is ElementBefore.EMPTY and is_alone:
        codec = detect_codec(document)
        tag = node.opening.end - len(encode_xml(">", codec))
        return (Edit(start=tag, end=node.end, new=encode_xml("/>", codec)),)
    start, end = block.start, block.end
    if block.was is ElementBefore.ABSENT and is_alone:
        start, end = node.start, node.end
    before = max(0, start - len(block.layout))
    if document.read(before, start) == block.layout:
        start = before
    return (Edit(start=start, end=end, new=b""),)


def _check_block(
    document: Document, node: XmlNode, block: XmlBlock, is_embedded: Callable[[XmlNode], bool]
) -> None:
    """Check that all in a block is ours, since it goes with the block."""
    written = block.children if block.was is ElementBefore.THERE else block.children[1:]
    strange = [
        each for each in written if isinstance(each, Comment | Instruction) or not is_embedded(each)
    ]
    if not strange and not _has_text(document, node, block):
        return
    start, end = (strange[0].start, strange[0].end) if strange else (block.start, block.end)
    what = document.read(start, min(end, start + _LONGEST_EXCERPT)).decode(
        detect_codec(document), "replace"
    )
    child = strange[0] if strange else node
    line = child.line if isinstance(child, Comment | Instruction) else child.opening.line
    raise DocumentError(
        make_finding("LX343", document.name, line=line, text=what, what=what[:_LONGEST_EXCERPT])
    )


def _has_text(document: Document, node: XmlNode, block: XmlBlock) -> bool:
    """Return whether text other than blanks stands in a block."""
    marked = [each for each in node.children if block.start <= each.start < block.end]
    codec = detect_codec(document)
    gaps = (document.read(one.end, other.start) for one, other in pairwise(marked))
    return any(gap.decode(codec, "replace").strip() for gap in gaps)


def insert_block(
    document: Document, node: XmlNode, after: Child | None, lines: Sequence[str], layout: str
) -> Edit:
    """Return the edit that puts a block into an element that has none.

    Args:
        document: the document.
        node: the element.
        after: behind which of its children; behind its start tag where it is None.
        lines: what the block holds, as XML, a line each.
        layout: the newline and the blanks in front of each line.
    """
    codec = detect_codec(document)
    if node.opening.is_empty:
        name = qualify_name(node.opening, node.opening.local)
        text = f">{_write_block(lines, layout, ElementBefore.EMPTY)}</{name}>"
        start = node.opening.end - len(encode_xml("/>", codec))
        return Edit(start=start, end=node.opening.end, new=encode_xml(text, codec))
    at = node.opening.end if after is None else after.end
    return Edit(
        start=at, end=at, new=encode_xml(_write_block(lines, layout, ElementBefore.THERE), codec)
    )


def insert_element(
    document: Document, parent: StartTag, local: str, lines: Sequence[str], layout: str
) -> Edit:
    """Return the edit that puts a new element with a block in front of all other children.

    Args:
        document: the document.
        parent: the start tag of that element, which is not written as an empty one.
        local: the name of the new one, of the same namespace.
        lines: what the block holds, as XML, a line each.
        layout: the newline and the blanks in front of each line.
    """
    name = qualify_name(parent, local)
    text = f"{layout}<{name}>{_write_block(lines, layout, ElementBefore.ABSENT)}{layout}</{name}>"
    at = parent.end
    return Edit(start=at, end=at, new=encode_xml(text, detect_codec(document)))


def _write_block(lines: Sequence[str], layout: str, was: ElementBefore) -> str:
    said = (BLOCK_BEGIN,) if was is ElementBefore.THERE else (BLOCK_BEGIN, was)
    marks = (f"<!-- {each} -->" for each in said)
    return "".join(f"{layout}{line}" for line in (*marks, *lines, f"<!-- {BLOCK_END} -->"))


def choose_layout(document: Document, node: XmlNode, after: Child | None) -> str:
    """Return the layout for a new child: that of the child before it, or of the first one."""
    like = after if after is not None else next(iter(node.children), None)
    return "" if like is None else read_layout(document, like.start, detect_codec(document))


def qualify_name(like: StartTag, local: str) -> str:
    """Return the name of an element in the namespace of another: with its prefix."""
    return f"{like.prefix}:{local}" if like.prefix else local


def _check_well_formed(document: Document) -> tuple[Finding, ...]:
    """Read a document to its end, without a tree, and make sure that it is whole.

    Args:
        document: an XML document.

    Returns:
        What is not known of it: whether the rest of one that is very large is whole as well.

    Raises:
        DocumentError: it is not well-formed, or cannot be read.
    """
    reader = _FormChecker(document)
    for piece in document.pieces(0, LONGEST_CHECKED):
        reader.feed(piece)
    if document.size <= LONGEST_CHECKED:
        reader.feed(b"", is_last=True)
        return ()
    what, limit = "the document has", LONGEST_CHECKED >> 20
    return (make_finding("LX344", document.name, line=reader.line, what=what, limit=limit),)


def find_form_faults(document: Document) -> tuple[Finding, ...]:
    """Return what `_check_well_formed` returns or raises."""
    try:
        return _check_well_formed(document)
    except DocumentError as fault:
        return (fault.finding,)


class _FormChecker:
    """Expat with hardly any handlers: a hundred megabytes take a second."""

    def __init__(self, document: Document) -> None:
        self._name = document.name
        self._read = self._depth = 0
        self._has_entities = False
        self._parser = create_parser(detect_codec(document))
        self._parser.ordered_attributes = True
        self._parser.specified_attributes = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity

    @property
    def line(self) -> int:
        """Line that was read last."""
        return self._parser.CurrentLineNumber

    def feed(self, piece: bytes, *, is_last: bool = False) -> None:
        """Read on.

        Raises:
            DocumentError: what is read is at fault.
        """
        fault = feed_parser(self._parser, self._name, piece, is_last=is_last)
        if fault is not None:
            raise fault
        self._read += len(piece)
        # Where expat is, the token starts that it waits for the end of.
        waiting = self._read - self._parser.CurrentByteIndex
        self._refuse(explain_length(waiting, has_entities=self._has_entities))

    def _refuse(self, what: str | None) -> None:
        if what is not None:
            raise make_refusal(self._parser, self._name, what)

    def _start(self, _: str, attributes: list[str]) -> None:
        # Expat holds all that is open, and all of a tag.
        self._depth += 1
        self._refuse(explain_excess(self._depth, len(attributes) // 2))

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _entity(self, *_: object) -> None:
        self._has_entities = True


# XAdES stands in such an element, so that this finds it as well.
_SIGNATURE_NAMESPACE = "http://www.w3.org/2000/09/xmldsig#"
_SIGNATURE_ELEMENT = "Signature"


def _check_signature(document: Document, change: Change, *, is_forced: bool) -> Change:
    """Check a change against the signature of the document.

    Args:
        document: the document.
        change: the change.
        is_forced: whether a signature may be broken.

    Raises:
        DocumentError: the document is signed, or cannot be read.
    """
    line = _find_signature(document) if change.edits else None
    if line is None:
        return change
    if not is_forced:
        raise DocumentError(make_finding("LX339", document.name, line=line))
    return replace(
        change, findings=(*change.findings, make_finding("LX340", document.name, line=line))
    )


def _find_signature(document: Document) -> int | None:
    """Return the line of the first signature; None if there is none.

    A document that is broken in front of one has none that anybody could verify; one that is not
    read to its end, for a tag that does not end, is taken for signed.
    """
    codec = detect_codec(document)
    # By the element, since its namespace may be spelled with references.
    if not _has_bytes(document, encode_xml(_SIGNATURE_ELEMENT, codec)):
        return None
    parser, found = create_parser(codec, separator=" "), list[int]()

    def start(name: str, _: object) -> None:
        if name == f"{_SIGNATURE_NAMESPACE} {_SIGNATURE_ELEMENT}":
            found.append(parser.CurrentLineNumber)

    parser.StartElementHandler = start
    done = 0
    for piece in document.pieces():
        is_broken = feed_parser(parser, document.name, piece, is_last=False) is not None
        done += len(piece)
        if done - parser.CurrentByteIndex > LONGEST_TOKEN:
            found.append(parser.CurrentLineNumber)
        if found or is_broken:
            break
    return found[0] if found else None


def _has_bytes(document: Document, words: bytes) -> bool:
    """Return whether a document contains some bytes, which is quick to see."""
    rest = b""
    for piece in document.pieces():
        if words in rest + piece:
            return True
        rest = piece[-len(words) :]
    return False


PlanRemoval: TypeAlias = "Callable[[Document], tuple[Edit, ...]]"
PlanAddition: TypeAlias = "Callable[[Document, DocumentMetadata], Change]"
ReadStatements: TypeAlias = "Callable[[Document, Callable[[Finding], None]], Iterable[Statement]]"


def make_schema_format(
    key: str,
    label: str,
    plan_removal: PlanRemoval,
    plan_addition: PlanAddition,
    read_statements: ReadStatements,
) -> DocumentFormat:
    """Make a format that has no suffix and no media type of its own.

    Args:
        key: its key.
        label: its name for people.
        plan_removal: see `embed_in_xml`.
        plan_addition: see `embed_in_xml`.
        read_statements: see `read_from_xml`.
    """
    return DocumentFormat(
        key=key,
        label=label,
        suffixes=frozenset({".xml"}),
        media_types=frozenset({"application/xml", "text/xml"}),
        embed=partial(embed_in_xml, plan_removal, plan_addition),
        remove=partial(remove_from_xml, plan_removal),
        read=partial(read_from_xml, read_statements),
    )


def embed_in_xml(
    plan_removal: PlanRemoval,
    plan_addition: PlanAddition,
    document: Document,
    marking: DocumentMetadata,
    is_forced: bool,  # noqa: FBT001 - as a format has it
) -> Change:
    """Embed a name, in place of one that lexurn put in before.

    Args:
        plan_removal: returns the edits that take out everything that lexurn put in.
        plan_addition: returns the change that puts a name into a document without a block.
        document: the document.
        marking: the name and its metadata.
        is_forced: whether a signature may be broken.

    Raises:
        DocumentError: the document is broken or signed, or contradicts the name.
    """
    change = replace_own_edits(
        document, plan_removal(document), lambda bare: plan_addition(bare, marking)
    )
    change = replace(change, findings=(*change.findings, *_check_well_formed(document)))
    return _check_signature(document, change, is_forced=is_forced)


def remove_from_xml(plan_removal: PlanRemoval, document: Document, is_forced: bool) -> Change:  # noqa: FBT001 - as a format has it
    """Remove everything that lexurn put in; see `embed_in_xml`."""
    return _check_signature(document, Change(edits=plan_removal(document)), is_forced=is_forced)


def read_from_xml(read_statements: ReadStatements, document: Document) -> Reading:
    """Read the statements of a document.

    Args:
        read_statements: yields the statements, and calls its second argument with findings.
        document: the document.
    """
    found: list[Finding] = []
    statements = tuple(read_statements(document, found.append))
    return Reading(statements=statements, findings=(*found, *find_form_faults(document)))
