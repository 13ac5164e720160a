"""Containers under the laws: whatever the bytes, nothing breaks and nothing else changes."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest
from embedding_zip_cases import (
    EPUB3,
    FIRST,
    KINDS,
    LATER,
    SHAPES,
    UNFORCED,
    contents,
    embedded,
    format_of,
    inner_mutations,
    mutations,
    packed,
    removed,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from lexurn.embedding import Change, EmbeddingError, applied, document_of, edited
from lexurn.embedding._zip_members import container_of

if TYPE_CHECKING:
    from lexurn.embedding import Document

WHOLE = [
    (kind, embedded(format_of(kind), data) if is_named else data)
    for kind, (_, members) in KINDS.items()
    for data in (make(members) for make in SHAPES.values())
    for is_named in (False, True)
]


def check(kind: str, data: bytes) -> None:
    """Hold a document of any bytes to the laws."""
    form, document = format_of(kind), document_of(data)
    try:
        reading = form.read(document)
        change = form.embed(document, LATER, UNFORCED)
        bare = form.remove(document, UNFORCED)
    except EmbeddingError:
        return
    assert all(each.value for each in reading.statements)
    named = _checked(document, change)
    assert form.embed(document_of(named), LATER, UNFORCED).edits == ()
    back = removed(form, named)
    if bare.edits:
        assert _content(back) == _content(_checked(document, bare))
    else:
        assert back == data


def _content(data: bytes) -> dict[str, bytes]:
    """What the members hold; where that is broken, what stands there."""
    container = container_of(document_of(data))
    found = {}
    for member in container.members:
        try:
            found[member.name] = container.content(member.name) or b""
        except EmbeddingError:
            found[member.name] = data[member.data : member.end]
    return found


def _checked(document: Document, change: Change) -> bytes:
    """A document with edits done, all of them in order and inside of it."""
    return b"".join(applied(document, change.edits))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=150)
def test_mutated_documents_break_nothing(kind: str, data: st.DataObject) -> None:
    own = [each for known, each in WHOLE if known == kind]
    check(kind, data.draw(mutations(own, [each for _, each in WHOLE])))


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
@settings(max_examples=100)
def test_mutated_members_break_nothing(kind: str, data: st.DataObject) -> None:
    members = {name: text.encode() for name, text in KINDS[kind][1].items()}
    named = contents(embedded(format_of(kind), packed(members)))
    check(kind, data.draw(inner_mutations(data.draw(st.sampled_from([members, named])))))


@pytest.mark.parametrize("kind", KINDS)
@given(st.binary(max_size=200), st.sampled_from([b"", b"PK\x03\x04", b"PK\x05\x06"]))
@settings(max_examples=40)
def test_any_bytes_break_nothing(kind: str, data: bytes, head: bytes) -> None:
    check(kind, head + data)


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)


@given(
    names=st.lists(st.from_regex(r"[a-z]{1,9}/[a-zé]{1,9}\.xml", fullmatch=True), unique=True),
    content=st.binary(max_size=3_000),
    method=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    comment=st.binary(max_size=20).filter(lambda each: b"PK" not in each),
    is_in_front=st.booleans(),
)
@settings(max_examples=100)
def test_other_members_of_any_kind_stay(
    names: list[str], content: bytes, method: int, comment: bytes, *, is_in_front: bool
) -> None:
    others = dict.fromkeys(names, content)
    members = {**others, **EPUB3} if is_in_front else {**EPUB3, **others}
    form, data = format_of("epub 3"), packed(members, comment, method=method)
    named = embedded(form, data)
    assert embedded(form, named) == named
    assert removed(form, named) == data
    assert embedded(form, embedded(form, data, FIRST)) == named
    assert {**contents(data), "EPUB/book.opf": b""} == {**contents(named), "EPUB/book.opf": b""}


@given(title=TEXT, creator=TEXT)
@settings(max_examples=60)
def test_any_metadata_stay(title: str, creator: str) -> None:
    for kind, (_, members) in KINDS.items():
        form = format_of(kind)
        texts = {
            name: text.replace("an office", _escaped(creator)).replace(
                ">Act<", f">{_escaped(title)}<"
            )
            for name, text in members.items()
        }
        data = packed(texts)
        named = embedded(form, data)
        assert embedded(form, named) == named
        assert removed(form, named) == data


def _escaped(text: str) -> str:
    return "".join(f"&#{ord(each)};" for each in text if each not in "\ufffe\uffff")


def test_a_change_is_made_of_edits_that_apply() -> None:
    for kind, data in WHOLE:
        document = document_of(data)
        change = format_of(kind).embed(document, FIRST, UNFORCED)
        assert edited(document, change.edits) == _checked(document, change)
