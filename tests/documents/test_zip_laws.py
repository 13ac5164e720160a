"""Containers under the laws: whatever the bytes, nothing breaks and nothing else changes."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest
from embedding_zip_cases import (
    EPUB3,
    FIRST,
    KINDS,
    contents,
    embedded,
    format_of,
    packed,
    removed,
    restores,
)
from embedding_zip_fuzzing import any_document, check
from hypothesis import given
from hypothesis import strategies as st
from sizes import examples

if TYPE_CHECKING:
    import random


@given(st.randoms(use_true_random=False))
@examples(400)
def test_damaged_documents_break_nothing(chance: random.Random) -> None:
    check(*any_document(chance))


@pytest.mark.parametrize("kind", KINDS)
@given(st.binary(max_size=200), st.sampled_from([b"", b"PK\x03\x04", b"PK\x05\x06"]))
@examples(20)
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
@examples(40)
def test_other_members_of_any_kind_stay(
    names: list[str], content: bytes, method: int, comment: bytes, *, is_in_front: bool
) -> None:
    others = dict.fromkeys(names, content)
    members = {**others, **EPUB3} if is_in_front else {**EPUB3, **others}
    form, data = format_of("epub 3"), packed(members, comment, method=method)
    named = embedded(form, data)
    assert embedded(form, named) == named
    assert restores(data, removed(form, named))
    assert embedded(form, embedded(form, data, FIRST)) == named
    assert {**contents(data), "EPUB/book.opf": b""} == {**contents(named), "EPUB/book.opf": b""}


@given(title=TEXT, creator=TEXT)
@examples(25)
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
        assert restores(data, removed(form, named))


def _escaped(text: str) -> str:
    return "".join(f"&#{ord(each)};" for each in text if each not in "\ufffe\uffff")
