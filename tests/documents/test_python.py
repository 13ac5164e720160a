"""What is handed to the Python faces by mistake does no harm, and is told in their own terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from lexurn.documents import DocumentError, embed, extract, remove

if TYPE_CHECKING:
    from pathlib import Path

NAME = "urn:lex:it:stato:legge:2003-09-21;456"
PAGE = b"<!DOCTYPE html><title>x</title>"


def test_no_name_takes_none_out(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(PAGE)
    embed(page, NAME)
    named = page.read_bytes()
    with pytest.raises(TypeError, match="remove"):
        embed(page, cast("str", None))
    assert page.read_bytes() == named


@pytest.mark.parametrize("path", ["a\0b.html", "a\ud800b.html"])
def test_what_no_path_can_be_is_said(tmp_path: Path, path: str) -> None:
    page = tmp_path / "a.html"
    page.write_bytes(PAGE)
    for call in (lambda: embed(path, NAME), lambda: remove(path)):
        with pytest.raises(DocumentError, match="LX301"):
            call()
    with pytest.raises(DocumentError, match="LX304"):
        embed(page, NAME, output=path)
    with pytest.raises(DocumentError, match="LX301"):
        embed(path, NAME, output=tmp_path / "b.html")
    assert [each.code for each in extract(path).findings] == ["LX301"]
    assert page.read_bytes() == PAGE
