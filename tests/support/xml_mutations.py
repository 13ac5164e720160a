"""Damaged XML documents, and what must hold for any of them."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

from xml_documents import DOCUMENTS, OTHER, VERSION, WORK, WRITTEN, change, embedded, removed

from lexurn.documents import DocumentError, document_from_bytes
from lexurn.documents.identification import load_format

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["check", "mutated", "sample"]

_PARTS = (
    b"<!-- lexurn:begin -->",
    b"<!-- lexurn:end -->",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"<?x ?>",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>",
    b"&amp;",
    b"&b;",
    b"/>",
    b"</",
    b">",
    b"<",
    b'"',
    b"\r\n",
    b" ",
    b"\x00",
    b"\xff\xfe",
    b"\xc3\xa9",
    b' xmlns="u"',
    b'<FRBRalias name="urn:lex" value="x"/>',
    b"<head/>",
)


def sample(seed: int, documents: Sequence[tuple[str, bytes]] = ()) -> tuple[str, bytes]:
    """A format and a damaged document of it, the same for the same seed.

    Args:
        seed: any number.
        documents: real documents to damage; small ones of ours where there are none.
    """
    chance = random.Random(seed)
    if documents:
        key, data = chance.choice(documents)
    else:
        key = chance.choice(sorted(DOCUMENTS))
        data = WRITTEN[chance.choice(sorted(WRITTEN))](DOCUMENTS[key])
    if chance.random() < 0.7:
        with suppress(DocumentError):
            data = embedded(key, data, chance.choice([WORK, VERSION]))
    return key, mutated(data, chance)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Bytes with a few of them taken out, doubled, swapped or put in."""
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + int(chance.expovariate(0.05)))
        new = chance.choice(
            [
                b"",
                chance.choice(_PARTS),
                data[start:end] * 2,
                chance.randbytes(chance.randint(1, 3)),
                data[end : end + 40] + data[start:end],
            ]
        )
        data = data[:start] + new + data[end:]
    return data


def check(key: str, data: bytes) -> bool:
    """Hold a damaged document to the laws; whether it took a name.

    Raises:
        AssertionError: a law does not hold.
        Exception: anything but `EmbeddingError` came out.
    """
    with suppress(DocumentError):
        load_format(key).read(document_from_bytes(data))
    try:
        bare = removed(key, data)
        once = embedded(key, bare, WORK)
    except DocumentError:
        return False
    assert not change(key, once, WORK).edits
    assert removed(key, once) == bare
    assert embedded(key, data, WORK) == once
    with suppress(DocumentError):
        assert embedded(key, once, OTHER) == embedded(key, bare, OTHER)
    return once != bare
