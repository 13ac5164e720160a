"""Real pages, of which ``LEXURN_DOCUMENTS`` names a folder, are read as others read them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from reading_cases import BASE, ours_of, theirs_of

from lexurn.documents import Notation, document_from_bytes
from lexurn.documents.extraction import interpret_reading
from lexurn.documents.reading.html import read_html

FOLDER = os.environ.get("LEXURN_DOCUMENTS", "")
FILES = sorted(Path(FOLDER).rglob("*.htm*")) if FOLDER else []
# Roles are no part of RDFa, and neither lists nor markup as a value are read. In HTML ``xml:lang``
# says nothing, which the other reader does not know, and numbers it writes in its own way.
_ROLE = "http://www.w3.org/1999/xhtml/vocab#role"
_LEFT_OUT = ("inlist", "XMLLiteral", "rdf:HTML", "<html xml:lang", 'xhtml" xml:lang', "xsd:float")


@pytest.mark.skipif(not FILES, reason="LEXURN_DOCUMENTS names no folder with pages")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_real_page(path: Path) -> None:
    data = path.read_bytes()
    reading = read_html(document_from_bytes(data, path.name))
    interpret_reading(reading, file=path.name, format="html")
    text = data.decode("utf-8", "replace")
    if any(each in text for each in _LEFT_OUT) or "<base" in text.lower():
        return
    based = text.replace("<head>", f'<head><base href="{BASE}">', 1)
    if based != text:
        ours, theirs = ours_of(based, Notation.RDFA), theirs_of(based)
        assert {each for each in ours ^ theirs if each[1] != _ROLE} == set()
