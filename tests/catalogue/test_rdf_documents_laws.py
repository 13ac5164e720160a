"""Laws of documents in blocks: where one ends changes nothing, and no text fills memory."""

from __future__ import annotations

import io
import json
import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lexurn.catalogue import open_rdf_source
from lexurn.errors import GraphError
from lexurn.graph.formats import guard_json

LAW = "urn:lex:it:stato:legge:2003-09-21;456"
TITLE = "http://purl.org/dc/terms/title"
TEXTS = st.text(st.sampled_from('["\\]{}:,nè'), max_size=12)
VALUES = st.recursive(
    st.one_of(TEXTS, st.integers(-3, 3), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=12,
)
SIZES = st.lists(st.integers(1, 20), min_size=1, max_size=8)
MEBIBYTE = 1 << 20


def depth_of(value: object) -> int:
    """How deep JSON is nested."""
    if isinstance(value, dict):
        value = [*value.values()]
    if not isinstance(value, list):
        return 0
    return 1 + max(map(depth_of, value), default=0)


def blocks_of(data: bytes, sizes: list[int]) -> list[bytes]:
    """Some bytes in blocks of some sizes, again and again."""
    blocks, start = [], 0
    while start < len(data):
        size = sizes[len(blocks) % len(sizes)]
        blocks.append(data[start : start + size])
        start += size
    return blocks


@given(VALUES, SIZES, st.booleans())
@example(value=["[" * 5, '"', "\\", {"}": '\\"'}], sizes=[1], ascii_only=False)
@example(value={"a": ["\\[", "[\\", "["]}, sizes=[3], ascii_only=True)
def test_depth_is_that_of_the_json_wherever_a_block_ends(value, sizes, ascii_only) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert json.loads(data) == value
    depth = depth_of(value)
    blocks = blocks_of(data, sizes)
    assert list(guard_json(iter(blocks), deepest=depth)) == blocks
    if depth:
        with pytest.raises(GraphError, match=f"more than {depth - 1} deep"):
            list(guard_json(iter(blocks), deepest=depth - 1))


class Slow(io.RawIOBase):
    """A stream that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = io.BytesIO(data), size

    def read(self, size: int = -1) -> bytes:
        return self._data.read(self._size if size < 0 else min(size, self._size))


@pytest.mark.parametrize("size", [2, 5, 16, 97])
def test_brackets_in_texts_are_no_structure_wherever_a_block_ends(size) -> None:
    titles = [f"[ art {number}" for number in range(1500)]
    data = json.dumps({"@id": LAW, TITLE: titles}).encode()
    with open_rdf_source([Slow(data, size)], format="jsonld") as source:
        (family,) = source.families()
    assert source.left_out == ()
    assert len(family.records[0].titles) == len(titles)


@pytest.mark.parametrize("end", ['"]}', ""], ids=["closed", "unclosed"])
@pytest.mark.parametrize("text", ["x", '\\"', "\\\\", "[", "è"])
def test_a_long_text_fills_no_memory(text, end) -> None:
    start = f'{{"{TITLE}": ["a", "'.encode()
    middle = text.encode() * (4 * MEBIBYTE // len(text.encode()))
    blocks = blocks_of(start + middle + end.encode(), [MEBIBYTE - 1])
    tracemalloc.start()
    try:
        for _ in guard_json(iter(blocks)):
            pass
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 6 * MEBIBYTE


@pytest.mark.parametrize("text", [b"x", b"[", rb"\""])
def test_a_text_that_never_ends_is_refused(text) -> None:
    blocks = [b'["', *[text * (MEBIBYTE // len(text))] * 20]
    read = []
    with pytest.raises(GraphError, match="a text of more than"):
        read.extend(guard_json(iter(blocks)))
    assert 16 <= len(read) <= 18


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("jsonld", f'{{"@id": "{LAW}", "{TITLE}": "%s"}}'),
        ("turtle", f'<{LAW}> <{TITLE}> "%s" .'),
        ("trig", f'<{LAW}> <{TITLE}> "%s" .'),
        ("rdfxml", "<a>%s</a>"),
    ],
)
def test_a_source_with_a_text_too_long_for_the_engine_is_left_out(form, text) -> None:
    data = (text % ("x" * 17_200_000)).encode()
    with open_rdf_source([io.BytesIO(data)], format=form) as source:
        assert tuple(source.families()) == ()
    assert source.left_out == ("-",)


def test_a_source_with_a_line_too_long_for_the_engine_is_left_out(tmp_path) -> None:
    text = "x" * ((1 << 24) + 1000)  # the engine is asked, since a tag is in capitals
    long, good = (f'<{LAW}{n}> <{TITLE}> "{t}"@IT .\n' for n, t in ((1, text), (2, "x")))
    rejects = tmp_path / "rejects.nq"
    with open_rdf_source([[(long + good).encode()]], rejects=rejects) as read:
        assert tuple(read.families()) == ()
    assert read.left_out == ("-",)
    assert not rejects.exists()
