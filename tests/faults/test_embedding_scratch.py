"""Runs whose temporary folder is full say so, and what to do."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from full_disk import largest

from lexurn.documents import DocumentError, EmbedOptions, embed_folder, merge_rows, rows_to_rdf
from lexurn.model import LanguageText, Record, family_of
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lexurn.documents.extraction import Row

LAW = "urn:lex:it:stato:legge:2003-09-21;{}"
TITLE = "x" * 1_000
PAGE = b"<!DOCTYPE html><title>x</title>"


def rows() -> Iterator[Row]:
    for number in range(5_000):
        yield {"urn": LAW.format(number), "file": "a.html", "title": TITLE}


def check(error: pytest.ExceptionInfo[DocumentError]) -> None:
    found = error.value.finding
    assert (found.code, found.severity) == ("LX358", "error")
    assert "TMPDIR" in found.message


def test_which_file_has_which_name(tmp_path: Path) -> None:
    titles = (LanguageText(value=TITLE, language="it"),)
    families = (
        family_of([Record(name=parse(LAW.format(each)), titles=titles, files=("a.html",))])
        for each in range(5_000)
    )
    page = tmp_path / "a.html"
    page.write_bytes(PAGE)
    with largest(200_000), pytest.raises(DocumentError) as error:
        list(embed_folder(families, tmp_path, options=EmbedOptions(writes=True)))
    check(error)
    assert page.read_bytes() == PAGE


def test_rows_that_are_made_one() -> None:
    with largest(200_000), pytest.raises(DocumentError) as error:
        list(merge_rows(rows()))
    check(error)


def test_rows_on_their_way_to_rdf() -> None:
    with largest(200_000), pytest.raises(DocumentError) as error:
        list(rows_to_rdf(rows(), "turtle", as_of=dt.date(2026, 1, 1)))
    check(error)
