"""Properties of an XMP packet that give way: those that say nothing, and values to be lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.embedding._edit import Edit
from lexurn.embedding._xml_events import XML
from lexurn.embedding._xml_writing import encoded
from lexurn.embedding._xmp import CONTAINERS, RDF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._xml_events import Opening
    from lexurn.embedding._xml_tree import Node
    from lexurn.embedding._xmp import Packet, Property

__all__ = ["cuts_of", "is_blank", "is_plain"]

_ATTRIBUTE = re.compile(r"""\s+([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')""")
_LISTED = frozenset({*CONTAINERS, "li"})


def is_blank(found: Property) -> bool:
    """Whether a property has no value, nor anything that qualifies one.

    An empty structure is none of these: what it is to hold nobody but its schema knows.
    """
    if found.node is None:
        return not (found.text or "").strip()
    waiting = [found.node]
    while waiting:
        node = waiting.pop()
        if node.text.strip() or not _has_no_attributes(node):
            return False
        for each in node.elements:
            if each.opening.uri != RDF or each.opening.local not in _LISTED:
                return False
            waiting.append(each)
    return True


def _has_no_attributes(node: Node) -> bool:
    return all(each.uri == XML or not each.value.strip() for each in node.opening.attributes)


def is_plain(packet: Packet, found: Property) -> bool:
    """Whether a property is there once, with a value that is a text and nothing else."""
    if sum(each.term == found.term for each in packet.properties) != 1:
        return False
    node = found.node
    # What entities stand for in a text is not known here.
    is_known = node is None or encoded("<!DOCTYPE", packet.codec) not in packet.data
    return is_known and (node is None or not (any(node.elements) or node.opening.attributes))


def cuts_of(packet: Packet, term: str) -> Iterator[Edit]:
    """The edits that cut a property out, wherever it is said."""
    for each in packet.properties:
        if each.term == term and each.node is not None:
            yield Edit(start=each.node.start, end=each.node.end, new=b"")
        elif each.term == term:
            yield _attribute_cut(packet, each.opening, term)


def _attribute_cut(packet: Packet, opening: Opening, term: str) -> Edit:
    """The edit that cuts an attribute out of a start tag, with the blanks in front of it."""
    written = packet.data[opening.start : opening.end].decode(packet.codec, "replace")
    names = {
        f"{each.prefix}:{each.local}"
        for each in opening.attributes
        if f"{each.uri}{each.local}" == term
    }
    found = next(each for each in _ATTRIBUTE.finditer(written) if each[1] in names)
    start, end = (opening.start + len(encoded(written[:at], packet.codec)) for at in found.span())
    return Edit(start=start, end=end, new=b"")
