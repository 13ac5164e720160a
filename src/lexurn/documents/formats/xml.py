"""XML formats: finding an element, blocks of lexurn in it, and the formats of schemas.

A block stands between two comments, which are valid wherever an element is. The blanks in front of
a block are repeated after its first comment, so that they go with it. No name is put into a
document that is broken after the position for it, but one is taken out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lexurn.documents.containers import xml
from lexurn.documents.document import (
    Change,
    DocumentError,
    DocumentFormat,
    Edit,
    Reading,
    make_error,
    make_finding,
    replace_own_edits,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from lexurn.documents.document import Document, Statement
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata


def find_part(
    document: Document, path: Sequence[str | None]
) -> tuple[xml.StartTag, xml.XmlNode | None]:
    """Return the root of a document, and the element at the end of a path, or None.

    Each step is the first element in its parent, as all schemas order it: a local name in the
    namespace of the root, or None for any. The document is read no further.
    """
    stream = xml.parse_events(document)
    root = opening = next(each for each in stream if isinstance(each, xml.StartTag))
    for local in path:
        tag = next(each for each in stream if isinstance(each, xml.StartTag | xml.EndTag))
        if not isinstance(tag, xml.StartTag) or tag.uri != root.uri:
            return root, None
        if local not in {None, tag.local}:
            return root, None
        opening = tag
    return root, xml.parse_node(document, stream, opening)


XML_TYPES: Final = frozenset({"application/xml", "text/xml"})
"""Media types of any XML."""

_LONGEST_LAYOUT = 4_096
_LONGEST_EXCERPT = 60


def _find_block(
    document: Document, node: xml.XmlNode
) -> tuple[xml.Comment, tuple[xml.Child, ...], xml.Comment] | None:
    """Return the comments around the block in an element, and the nodes between them, or None."""
    marks = [
        (at, each, each.value.strip())
        for at, each in enumerate(node.children)
        if isinstance(each, xml.Comment) and each.value.strip() in {xml.BLOCK_BEGIN, xml.BLOCK_END}
    ]
    if not marks:
        return None
    kinds = [value == xml.BLOCK_END for _, _, value in marks]
    if kinds != [False, True]:
        why = "more than one" if kinds == [False, True] * (len(kinds) // 2) else "a half"
        raise make_error("LX334", document.name, line=marks[0][1].line, what=why)
    (first, begin, _), (last, end, _) = marks
    return begin, node.children[first + 1 : last], end


def remove_block(
    document: Document, node: xml.XmlNode, is_own_element: Callable[[xml.XmlNode], bool]
) -> tuple[Edit, ...]:
    """Return the edits that remove the block in an element, in which all has to be lexurn's own."""
    block = _find_block(document, node)
    if block is None:
        return ()
    begin, children, end = block
    codec = xml.detect_codec(document)
    strange = [
        each for each in children if isinstance(each, xml.Comment) or not is_own_element(each)
    ]
    pairs = pairwise((begin, *children, end))
    gaps = (document.read(one.end, other.start) for one, other in pairs)
    if strange or any(gap.decode(codec, "replace").strip() for gap in gaps):
        child = strange[0] if strange else node
        line = child.line if isinstance(child, xml.Comment) else child.opening.line
        start, stop = (child.start, child.end) if strange else (begin.start, end.end)
        text = document.read(start, min(stop, start + _LONGEST_EXCERPT)).decode(codec, "replace")
        what = text[:_LONGEST_EXCERPT]
        raise make_error("LX343", document.name, line=line, text=text, what=what)
    # The blanks after the first comment are those that were put in front of it.
    first = (*children, end)[0].start
    layout = document.read(begin.end, min(first, begin.end + _LONGEST_LAYOUT + 1))
    is_layout = len(layout) <= _LONGEST_LAYOUT and layout.decode(codec, "replace").isspace()
    start = max(0, begin.start - len(layout))
    if not is_layout or document.read(start, begin.start) != layout:
        start = begin.start
    return (Edit(start=start, end=end.end, new=b""),)


def insert_block(
    document: Document, node: xml.XmlNode, after: xml.Child | None, lines: Sequence[str]
) -> Edit:
    """Return the edit that puts a block of lines of XML into an element that has none.

    The element is not written as ``<a/>``. The block comes after a child, else the start tag.
    """
    codec = xml.detect_codec(document)
    at = node.opening.end if after is None else after.end
    like = after if after is not None else next(iter(node.children), None)
    layout = "" if like is None else xml.read_layout(document, like.start, codec)
    block = (f"<!-- {xml.BLOCK_BEGIN} -->", *lines, f"<!-- {xml.BLOCK_END} -->")
    text = "".join(f"{layout}{line}" for line in block)
    return Edit(start=at, end=at, new=xml.encode_xml(text, codec))


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlSchema:
    """Positions of names in an XML format.

    Attributes:
        label: its name for people.
        element: the location of names, for messages.
        path: the way to that element, as `find_part` takes it.
        is_root: returns True for the root of such documents.
        list_nodes: returns the elements that may have a block: that element, or parts of it.
        is_own_element: returns True if lexurn may have written an element in a block.
        plan_addition: returns the change that puts a name into that element of a document without
            a block; the root comes first.
        read_node: yields the statements of an element, given the offsets of nodes of lexurn.
    """

    label: str
    element: str
    path: Sequence[str | None]
    is_root: Callable[[xml.StartTag], bool]
    list_nodes: Callable[[xml.XmlNode], Iterable[xml.XmlNode]] = lambda node: (node,)
    is_own_element: Callable[[xml.XmlNode], bool]
    plan_addition: Callable[[Document, xml.StartTag, xml.XmlNode, DocumentMetadata], Change]
    read_node: Callable[[xml.XmlNode, Collection[int]], Iterator[Statement]] = lambda *_: iter(())

    def find_nodes(self, document: Document) -> tuple[xml.XmlNode, ...]:
        """Return the elements of a document that may have a block; none of another document."""
        root, node = find_part(document, self.path)
        return () if node is None or not self.is_root(root) else tuple(self.list_nodes(node))

    def embed(self, document: Document, marking: DocumentMetadata, is_forced: bool) -> Change:
        """Embed a name, in place of one that lexurn put in before."""

        def plan_addition(bare: Document) -> Change:
            root, node = find_part(bare, self.path)
            is_there = node is not None and self.is_root(root) and not node.opening.is_empty
            if node is None or not is_there or not tuple(self.list_nodes(node)):
                values = {"format": self.label, "element": self.element}
                raise make_error("LX333", document.name, **values)
            return self.plan_addition(bare, root, node, marking)

        change = replace_own_edits(document, self._plan_removal(document), plan_addition)
        findings = (*change.findings, *xml.check_well_formed(document))
        return _check_signature(document, replace(change, findings=findings), is_forced=is_forced)

    def remove(self, document: Document, is_forced: bool) -> Change:
        """Remove the blocks of lexurn."""
        change = Change(edits=self._plan_removal(document))
        return _check_signature(document, change, is_forced=is_forced)

    def make_format(
        self, key: str, suffixes: set[str], media_types: Collection[str]
    ) -> DocumentFormat:
        """Return the format of documents with this schema."""
        return DocumentFormat(
            key=key,
            label=self.label,
            suffixes=frozenset(suffixes),
            media_types=frozenset(media_types),
            embed=self.embed,
            remove=self.remove,
            read=self.read,
        )

    def _plan_removal(self, document: Document) -> tuple[Edit, ...]:
        nodes = self.find_nodes(document)
        edits = (remove_block(document, node, self.is_own_element) for node in nodes)
        return tuple(sorted(edit for each in edits for edit in each))

    def read(self, document: Document) -> Reading:
        """Read the statements of a document, and check its blocks and its form."""
        statements: list[Statement] = []
        findings: list[Finding] = []
        for node in self.find_nodes(document):
            ours = find_own_offsets(document, node, findings)
            statements += self.read_node(node, ours)
        try:
            findings += xml.check_well_formed(document)
        except DocumentError as fault:
            findings.append(fault.finding)
        return Reading(statements=tuple(statements), findings=tuple(findings))


def find_own_offsets(document: Document, node: xml.XmlNode, findings: list[Finding]) -> set[int]:
    """Return the offsets of the nodes in a block; none of a broken one, whose fault is added."""
    try:
        block = _find_block(document, node)
    except DocumentError as fault:
        findings.append(fault.finding)
        return set()
    return set() if block is None else {each.start for each in block[1]}


def _check_signature(document: Document, change: Change, *, is_forced: bool) -> Change:
    """Check a change against the signature of the document."""
    line = xml.find_signature(document) if change.edits else None
    if line is None:
        return change
    if not is_forced:
        raise make_error("LX339", document.name, line=line)
    warning = make_finding("LX340", document.name, line=line)
    return replace(change, findings=(*change.findings, warning))
