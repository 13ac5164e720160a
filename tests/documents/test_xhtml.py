"""Head tags in XHTML: where they go, with which prefix, and what a page says otherwise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lxml import etree
from xml_documents import FILE, OTHER, VERSION, WORK, XHTML, change, embedded, removed

from lexurn.documents import DocumentError, apply_edits, document_from_bytes
from lexurn.documents.formats.html import XHTML_FORMAT as FORMAT
from lexurn.documents.names import is_allowed_in
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import make_document_metadata

KEY = "xhtml"
GOLDEN = Path(__file__).parents[1] / "golden_embedding"
NS = "{http://www.w3.org/1999/xhtml}"
FORCED = True


def test_the_block_is_the_golden_one() -> None:
    """``LEXURN_WRITE_GOLDEN=1`` agrees to what it is now."""
    path, page = GOLDEN / "xml_xhtml.xhtml", embedded(KEY, XHTML.encode(), FILE)
    if os.environ.get("LEXURN_WRITE_GOLDEN"):
        path.write_bytes(page)
    assert page == path.read_bytes()


@pytest.mark.parametrize(
    "head",
    [
        '<head profile="p > q"></head>',
        "<head></head>",
        "<head> </head>",
        "<head>\n</head>",
        "<head>text</head>",
        "<head><!-- c --></head>",
        "<head><?do it?><title/><!-- c -->\n\n </head>",
        "text <!-- c --><head><title/></head>",
    ],
)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16"])
def test_a_head_of_any_shape_takes_a_name_and_is_restored(head: str, codec: str) -> None:
    page = f'<html xmlns="http://www.w3.org/1999/xhtml">{head}<body> a </body></html>'
    data = page.encode(codec)
    once = embedded(KEY, data, WORK)
    tree = etree.fromstring(once)
    assert len(tree.findall(f"{NS}head")) == 1
    assert tree.find(f"{NS}head/{NS}meta[@name='DC.identifier']").get("content") == WORK
    assert removed(KEY, once) == data
    assert not change(KEY, once, WORK).edits
    assert embedded(KEY, once, OTHER) == embedded(KEY, data, OTHER)


def test_the_prefix_of_the_page_is_kept() -> None:
    page = '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>t</h:title></h:head></h:html>'
    once = embedded(KEY, page.encode(), VERSION)
    head = etree.fromstring(once)[0]
    assert {each.tag for each in head if isinstance(each.tag, str)} == {
        f"{NS}{name}" for name in ("title", "meta", "link", "script")
    }
    assert removed(KEY, once) == page.encode()


def test_titles_with_markup_are_escaped() -> None:
    title = 'A & B < C > "D" \' ]]> --> é € \U0001f600'
    record = Record(name=parse(WORK), titles=(LanguageText(value=title, language="it"),))
    made = make_document_metadata(parse(WORK), [record])
    for page in (XHTML.encode(), XHTML.replace("UTF-8", "ISO-8859-1").encode("latin-1")):
        edits = FORMAT.embed(document_from_bytes(page), made, FORCED).edits
        tree = etree.fromstring(apply_edits(document_from_bytes(page), edits))
        assert tree.find(f".//{NS}meta[@name='DC.title']").get("content") == title


def test_the_languages_are_quoted() -> None:
    page = XHTML.replace('xml:lang="it"', 'lang="en"').encode()
    message = change(KEY, page, VERSION).findings[0].message
    assert 'the language "en", but its name has "it"' in message


def test_a_page_may_be_a_part_alone() -> None:
    assert is_allowed_in(parse(f"{VERSION}~art3"), FORMAT)
    part = embedded(KEY, XHTML.encode(), f"{VERSION}~art3")
    assert removed(KEY, part) == XHTML.encode()


@pytest.mark.parametrize(
    "page",
    [
        "<html><head/></html>",
        '<html xmlns="http://www.w3.org/1999/xhtml"/>',
        '<html xmlns="http://www.w3.org/1999/xhtml"><head/><body/></html>',
        '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><p></head></html>',
        '<svg xmlns="http://www.w3.org/2000/svg"/>',
    ],
)
def test_what_is_no_page_of_xhtml_is_refused(page: str) -> None:
    with pytest.raises(DocumentError):
        embedded(KEY, page.encode(), WORK)


def test_what_was_put_in_is_read_and_is_ours() -> None:
    page = XHTML.replace("<title>", '<meta name="DC.title" content="t"/><title>').encode()
    for data in (page, b'<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body/></html>'):
        once = embedded(KEY, data, VERSION)
        ours = {
            each.value
            for each in FORMAT.read(document_from_bytes(once)).statements
            if each.is_embedded
        }
        assert {WORK, VERSION} <= ours
        assert "t" not in ours


@pytest.mark.parametrize(
    "tag",
    [
        '<meta charset="utf-8"/>',
        '<link rel="stylesheet" href="a.css"/>',
        '<script src="a.js"></script>',
        '<meta name="viewport" content="width=1"/>',
        "<style/>",
    ],
)
def test_tags_of_others_in_a_block_are_not_lost(tag: str) -> None:
    page = embedded(KEY, XHTML.encode(), FILE)
    mixed = page.replace(b"<!-- lexurn:end -->", f"{tag}<!-- lexurn:end -->".encode(), 1)
    with pytest.raises(DocumentError) as caught:
        removed(KEY, mixed)
    assert caught.value.finding.code == "LX343"
