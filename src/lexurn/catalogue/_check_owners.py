"""The work that a node belongs to, so that a work and all that belongs to it lie together.

What belongs to an act has its name in front; copies belong to a work that has them, other nodes to
a name that they are equal to. So almost all that a shape looks at lies in one place.
"""

from __future__ import annotations

import re
from typing import Final

from lexurn.catalogue._check_links import SAME

__all__ = ["LEX", "act_of", "owners_in"]

#: How the names of acts, and of all that belongs to them, begin.
LEX: Final = b"urn:lex:"
_ITEM_OF: Final = "https://w3id.org/lexurn/ns#itemOf"
_ACT: Final = re.compile(rb"urn:lex:[^:]*:[^:]*:[^:]*:[^:@$~]*")
_OWNER: Final = re.compile(
    rf"^<([^ <>]*)> <(?:{re.escape(_ITEM_OF)}|{re.escape(SAME)})> <([^ <>]*)> \.$".encode(),
    re.MULTILINE,
)


def act_of(iri: bytes) -> bytes:
    """The act whose name stands in front of an IRI, else the IRI itself.

    >>> act_of(b"urn:lex:it:stato:legge:1990-08-07;241:allegato.1@originale:it")
    b'urn:lex:it:stato:legge:1990-08-07;241'
    """
    found = _ACT.match(iri)
    return iri if found is None else found[0]


def owners_in(lines: bytes) -> dict[bytes, bytes]:
    """The acts that nodes belong to by what N-Triples lines say of them, not by their names.

    Of several it is the last one by the alphabet, however often it is asked.
    """
    owners: dict[bytes, bytes] = {}
    for node, other in _OWNER.findall(lines):
        if not node.startswith(LEX):
            owners[node] = max(owners.get(node, b""), act_of(other))
    return owners
