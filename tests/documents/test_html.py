"""Names in web pages: where the block goes, what is said of the page, and what is refused."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from embedding_html_cases import ACT, RECORDS, marking, own_block, put, taken_out

from lexurn.documents import DocumentError, apply_edits, document_from_bytes
from lexurn.documents.containers.html import BLOCK_BEGIN, BLOCK_END
from lexurn.documents.formats.html import FORMAT, embed, remove
from lexurn.name import parse
from lexurn.pages import make_document_metadata

if TYPE_CHECKING:
    from lexurn.findings import Finding

# Where the block goes: at the bar.
PLACES = [
    "<!doctype html>\n<html>\n<head>\n<title>x</title>\n|</head>\n<body>",
    "<!doctype html><title>x</title>\n|<p>no head",
    "|",
    "\n\n|",
    "|only text",
    "  \n|text behind blanks",
    "<html>|<body>",
    "<html>\n|</html>",
    "<head>|</HEAD\n>",
    "<head>|</br>",
    "<head></p></title></x a='>'>|</body>",
    "<head><meta x='</head>'><link y=\"</head>\">|</head>",
    "<head><meta x=</head>|</head>",
    "<head><title></head></title>|</head>",
    "<head><title></head></titl></TITLE >|</head>",
    "<head><style></head></style>|</head>",
    "<head><script></head></script>|</head>",
    "<head><script>'<!--'</head></script>|</head>",
    "<head><script><!-- <script></script></head></script>|</head>",
    "<head><script><!--><script></script>|<p></head></script></head>",
    "<head><script><!-- <script> --></script>|</head>",
    "<head><noframes></head></noframes>|<frameset>",
    "<head><!-- </head> -->|</head>",
    "<head><!-- </head> --!>|</head>",
    "<head><!-->|</head> -->",
    "<head><!--->|</head> -->",
    "<head><!-- a <!-- b -->|</head> -->",
    "<head><!doctype x><!x></ x></><?x y><![CDATA[ x ]]>|</head>",
    "<head><html lang=x><head><base><basefont><bgsound>|</head>",
    "<head>|<noscript><link rel=x></noscript><meta x></head>",
    "<head>|<noscript><img></noscript><meta x></head>",
    "<head>|<template></head></template></head>",
    "<head>|<metadata></head>",
    "<head>|<svg></head>",
    "<head>&#32;&Tab;|&nbsp;</head>",
    "<head>|<3</head>",
    "<head>|<title>never ends</head>",
    "<head>|<meta x='never ends></head>",
    "<head>|<script>never ends</head>",
    "<head><meta>|<!-- never ends </head>",
    "<head>|</x never ends",
    "<head>|<",
    "<head>|</",
    "<?xml version='1.0'?>|<p>",
    "<head><?php a() ?>|</head>",
]


@pytest.mark.parametrize("page", PLACES)
def test_the_block_goes_where_a_parser_leaves_the_head(page: str) -> None:
    before, after = page.split("|")
    result = put((before + after).encode()).decode()
    assert result.startswith(f"{before}{BLOCK_BEGIN.decode()}")
    assert result.endswith(f"{BLOCK_END.decode()}{_break_of(result)}{after}")
    assert taken_out(result.encode()).decode() == before + after


def _break_of(page: str) -> str:
    at = page.index("\n")
    return "\r\n" if page[at - 1 : at] == "\r" else "\n"


@pytest.mark.parametrize(
    ("page", "line_break"),
    [
        (b"<head>\r\n</head>\n", b"\r\n"),
        (b"<head>\n</head>\r\n", b"\n"),
        (b"<head>\r</head>", b"\r"),
        (b"<head></head>\r\n<p>", b"\r\n"),
        (b"<head></head>", b"\n"),
        (b"", b"\n"),
    ],
)
def test_line_breaks_are_those_of_the_page(page: bytes, line_break: bytes) -> None:
    new = put(page)
    begin, end = own_block(document_from_bytes(new)) or (0, 0)
    block = new[begin:end]
    assert block.endswith(BLOCK_END + line_break)
    assert block.split(line_break)[0] == BLOCK_BEGIN
    assert b"\n" not in block.replace(line_break, b"")
    assert b"\r" not in block.replace(line_break, b"")
    assert put(new, "") == put(page, "")


PAGE = b"<!doctype html>\n<html>\n<head>\n<title>x</title>\n</head>\n<body>\n"


def test_a_page_as_it_is_written() -> None:
    golden("html_page.html", put(PAGE))
    xhtml = PAGE.replace(b"<html>", b'<html xmlns="http://www.w3.org/1999/xhtml">')
    crlf = xhtml.replace(b"\n", b"\r\n")
    golden("html_xhtml_crlf.html", put(crlf, ""))


def golden(file: str, page: bytes) -> None:
    """Hold a page to the agreed one; ``LEXURN_WRITE_GOLDEN=1`` agrees to what it is now."""
    path = Path(__file__).parents[1] / "golden_embedding" / file
    if os.environ.get("LEXURN_WRITE_GOLDEN"):
        path.write_bytes(page)
    assert page == path.read_bytes()


@pytest.mark.parametrize(
    "beginning",
    [
        "<?xml version='1.0'?>\n<html>",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">\n<html>',
        '<html xmlns="http://www.w3.org/1999/xhtml">',
    ],
)
def test_a_page_written_as_xhtml_gets_tags_of_xhtml(beginning: str) -> None:
    page = put(f"{beginning}<head></head>".encode())
    assert f'content="{ACT}@2005-01-01:it" />'.encode() in page


def test_what_looks_like_a_block_and_is_none_is_left_alone() -> None:
    block = f"{BLOCK_BEGIN.decode()} <meta name=a> {BLOCK_END.decode()}"
    for page in (
        f"<head><script>var a = '{block}';</script></head>",
        f"<head><title>{block}</title></head>",
        f'<head><meta content="{block}"></head>',
        f"<head><noscript>{block}</noscript></head>",
        f"<head></head><body>{block}",
        f"<head></head><pre>{block}</pre>",
        "<head><!--lexurn:begin--><!-- lexurn:begin--><!--  lexurn:end --></head>",
        "<head><!-- lexurn:begin --!><!-- LEXURN:BEGIN --></head>",
    ):
        data = page.encode()
        assert own_block(document_from_bytes(data)) is None
        assert remove(document_from_bytes(data), is_forced=False).edits == ()
        assert taken_out(put(data)) == data


def test_a_line_break_that_somebody_took_away_is_not_missed() -> None:
    for bare, page in (
        (PAGE, put(PAGE).replace(BLOCK_END + b"\n", BLOCK_END)),
        (
            PAGE.replace(b"</head>", b"\n</head>"),
            put(PAGE).replace(BLOCK_END + b"\n", BLOCK_END + b"\n\n"),
        ),
    ):
        assert taken_out(page) == bare
        assert taken_out(put(page, "")) == bare


def test_a_block_behind_what_somebody_put_in_is_found() -> None:
    page = put(PAGE)
    for new in (
        b"<noscript><img src=a></noscript>\n",
        b"<template><p></template>",
        b"<link rel=icon href=a>",
    ):
        changed = page.replace(BLOCK_BEGIN, new + BLOCK_BEGIN)
        assert taken_out(changed) == PAGE.replace(b"</head>", new + b"</head>")
        assert put(changed) == changed
        assert put(changed, "").count(BLOCK_BEGIN) == 1


def test_another_name_takes_the_place_of_the_first() -> None:
    assert put(put(PAGE), "") == put(PAGE, "")
    assert b"2005-01-01" not in put(put(PAGE), "")


B, E = BLOCK_BEGIN.decode(), BLOCK_END.decode()
DATA = "<script type=application/ld+json></script>"
REFUSED = [
    ("LX320", f"<head>{B}{E}\n{B}{E}</head>"),
    ("LX320", f"{B}{E}\n<head>{B}{E}</head>"),
    ("LX321", f"<head>\n{B}</head>"),
    ("LX321", f"<head>\n{E}</head>"),
    ("LX321", f"<head>\n{E}{B}</head>"),
    ("LX321", f"<head>{B}\n{B}{E}</head>"),
    ("LX321", f"<head>{B}{E}\n{E}</head>"),
    ("LX321", f"<head>\n{B}<p>{E}</head>"),
    ("LX322", f"<head>{B}\n<title>x</title>{E}</head>"),
    ("LX322", f"<head>{B}\n<script>x</script>{E}</head>"),
    ("LX322", f"<head>{B}\n<link rel='x stylesheet'>{E}</head>"),
    ("LX322", f"<head>{B}\n<base href=x>{E}</head>"),
    ("LX322", f"<head>{B}\n<style></style>{E}</head>"),
    ("LX322", f"<head>{B}\n<meta name=viewport>{E}</head>"),
    ("LX322", f"<head>{B}\n<!-- a comment -->{E}</head>"),
    ("LX322", f"<head>{B}\n<!doctype html>{E}</head>"),
    ("LX322", f"<head>{B}\n<html>{E}</head>"),
    ("LX322", f"<head>{B}{DATA}\n{DATA}{E}</head>"),
    ("LX323", "\n<!-- never ends <head></head>"),
    ("LX323", "\n<!doctype html"),
    ("LX323", "<html>\n<!x never ends"),
    ("LX323", "\n</ x never ends"),
    ("LX325", "<meta charset=iso-2022-jp>"),
    ("LX325", "\ufeff<p>".encode("utf-16-le").decode("latin-1")[2:]),
    ("LX325", "\ufeff<p>".encode("utf-32-le").decode("latin-1")),
    ("LX329", "\n<?php if ($a->b) ?>"),
    ("LX329", "\n<?php session_start(); ?><!DOCTYPE html><title>Legge</title>"),
    ("LX329", "\n<?PHP\n$x = 1 ?>\n<html><head></head>"),
    ("LX329", "\n<?= $doctype ?><html><head></head>"),
    ("LX329", "\n<? include 'a' ?><html><head></head>"),
    ("LX329", "\n<%@ page %><!doctype html>"),
    ("LX329", "\n<? a > 1"),
    ("LX329", "\n<? a >\n<? b >"),
    ("LX329", "\n{% extends 'base.html' %}\n{% block content %}<p>x{% endblock %}"),
    ("LX329", "<!DOCTYPE html>\n{% autoescape true %}<html>"),
    ("LX329", "<html><head>\n{{ meta }}</head>"),
    ("LX329", "{# a remark #}".replace("{#", "\n{#")),
    ("LX329", "\n@extends('base')"),
    ("LX329", "\n<#-- a remark --><html>"),
]


def test_front_matter_is_no_page() -> None:
    for page in (b"---\nlayout: act\n---\n<p>x", b"\xef\xbb\xbf---\r\nlayout: act\r\n---\r\n<p>x"):
        with pytest.raises(DocumentError, match="LX329"):
            put(page)


TEMPLATES = {
    "<!DOCTYPE html>\n<title>{{ title }}</title><p>x": ["LX318"],
    "<html lang='{{ lang }}'><head>\n<title>Legge</title>": ["LX318"],
    "<!DOCTYPE html><title>Legge</title><body>{{ a }}": [],
    "<title><?= $title ?></title>": ["LX318"],
    "<title><%= title %></title>": ["LX318"],
    "<html><head><title>Legge</title><?php wp_head(); ?></head>": ["LX318"],
    "<!DOCTYPE html><?php session_start(); ?><title>Legge</title>": ["LX318"],
    '<?xml version="1.0"?><?xml-stylesheet href="a"?><html><title>Legge</title>': [],
    "<title>a < b</title>": [],
    "<!-- not {{ yet --><title>Legge</title>": [],
    '<title>Legge</title><link rel="stylesheet" href="{{ url }}">': ["LX318"],
    '<title>Legge</title><base href="<?= $url ?>">': ["LX318"],
    "<title>Legge</title><? include 'a' ?>": ["LX318"],
    "<title>Legge</title><script>a = `{{x}}`</script>": [],
}


@pytest.mark.parametrize("page", TEMPLATES)
def test_what_may_be_a_template_is_told_of(page: str) -> None:
    document = document_from_bytes(page.encode(), "page.html")
    said = make_document_metadata(parse(ACT))
    change = embed(document, said, False)
    assert [each.code for each in change.findings] == TEMPLATES[page]


@pytest.mark.parametrize(("code", "page"), REFUSED)
def test_what_cannot_take_a_name_is_refused(code: str, page: str) -> None:
    with pytest.raises(DocumentError) as caught:
        put(page.encode("latin-1"))
    found = caught.value.finding
    assert found.code == code
    assert found.file == "page.html"
    if code != "LX325":
        assert found.line == 2
    assert "{" not in found.message
    if code in {"LX320", "LX321", "LX322"}:
        with pytest.raises(DocumentError, match=code):
            taken_out(page.encode("latin-1"))


def findings(page: str, version: str = "@2005-01-01:it") -> tuple[Finding, ...]:
    document = document_from_bytes(page.encode(), "page.html")
    return embed(document, marking(version), is_forced=False).findings


@pytest.mark.parametrize(
    "page",
    [
        "<html><html lang=it>",
        "<html lang='' xml:lang=it>",
        "<html lang=it-UK>",
        "<html lang=x-unknown>",
        "<html lang=neverheard>",
        "<body><meta name=DC.identifier content='urn:lex:it:stato:legge:1990-01-01;1'>",
    ],
)
def test_of_a_page_in_order_nothing_is_said(page: str) -> None:
    assert findings(f"<head>\n{page}") == ()


OTHER = "urn:lex:it:stato:legge:1990-08-07;241"


@pytest.mark.parametrize(
    ("code", "page", "text"),
    [
        ("LX327", f"<noscript></noscript><link rel=cite-as href='{OTHER}'>", OTHER),
        ("LX327", f"<META NAME=DC.IDENTIFIER CONTENT='{OTHER}'>", OTHER),
        ("LX337", "<html><html lang=de>", "de"),
        ("LX337", "<html lang=en-UK>", "en-UK"),
    ],
)
def test_what_contradicts_the_name_is_said(code: str, page: str, text: str) -> None:
    (found,) = findings(f"<head>\n{page}")
    assert (found.code, found.line, found.text, found.file) == (code, 2, text, "page.html")
    assert "{" not in found.message


@pytest.mark.parametrize("new", [b"<img src=a>", b"<div>", b">", b"</head><body>"])
def test_a_block_that_is_in_the_head_no_more_is_said(new: bytes) -> None:
    page = put(b"<!doctype html>\n<title>x</title>\n<p>x").replace(b"<title>", new + b"<title>")
    lost = document_from_bytes(page, "page.html")
    change = embed(lost, marking(), is_forced=False)
    again = embed(document_from_bytes(apply_edits(lost, change.edits)), marking(), is_forced=False)
    assert not again.edits
    assert [each.code for each in again.findings] == ["LX328"]
    for each in (change, remove(lost, is_forced=False)):
        (found,) = each.findings
        assert (found.code, found.line) == (
            "LX328",
            page[: page.index(BLOCK_BEGIN)].count(b"\n") + 1,
        )


@pytest.mark.parametrize(
    "body",
    [
        f"{BLOCK_BEGIN.decode()} x {BLOCK_END.decode()}",
        BLOCK_BEGIN.decode() * 9,
        f"{BLOCK_END.decode()}{BLOCK_BEGIN.decode()}",
    ],
)
def test_marks_in_a_body_that_hold_no_name_are_not_said(body: str) -> None:
    assert findings(f"<head></head><p>{body}") == ()


def test_our_own_names_are_no_contradiction() -> None:
    once = put(f'<html lang="it"><head><meta name="DC.identifier" content="{OTHER}">'.encode())
    assert [each.code for each in findings(once.decode(), "")] == ["LX327"]


def test_a_work_has_no_language_that_could_contradict() -> None:
    assert findings("<html lang=de>", "") == ()


def test_a_part_of_a_document_may_be_a_page() -> None:
    name = parse(f"{ACT}@2005-01-01:it~art3")
    change = embed(
        document_from_bytes(PAGE), make_document_metadata(name, RECORDS), is_forced=False
    )
    assert f'content="{name}"'.encode() in change.edits[0].new
    assert FORMAT.takes_partitions


class Sparse:
    """A page of any size of which only what is read is made."""

    def __init__(self, head: bytes, size: int, filling: bytes = b" ") -> None:
        self.head, self.size, self.filling, self.read = head, size, filling, 0

    def __call__(self, start: int, size: int) -> bytes:
        self.read += size
        piece = self.head[start : start + size]
        return piece + self.filling * (min(size, self.size - start) - len(piece))


@pytest.mark.parametrize("size", [1 << 20, 1 << 30])
def test_of_a_large_page_only_the_head_is_read(size: int) -> None:
    page = Sparse(b"<head><title>x</title>|</head><p>", size, b"x")
    document = replace(document_from_bytes(b"", "large.html"), size=size, reader=page)
    (edit,) = embed(document, marking(), is_forced=False).edits
    assert edit.start == page.head.index(b"|")
    assert page.read < 100_000


@pytest.mark.parametrize("beginning", [b"<head>", b"<head><!--", b"<title>", b"<meta x='"])
@pytest.mark.parametrize("filling", [b" ", b"<", b"-", b"&"])
def test_a_head_without_end_is_refused_in_bounded_memory(beginning: bytes, filling: bytes) -> None:
    page = Sparse(beginning, 1 << 30, filling)
    document = replace(document_from_bytes(b"", "large.html"), size=1 << 30, reader=page)
    try:
        embed(document, marking(), is_forced=False)
    except DocumentError as error:
        assert error.finding.code == "LX324"  # noqa: PT017 - text ends a head, and is no fault
    assert page.read < 40 << 20


@pytest.mark.parametrize("beginning", [b"<head><meta x='", b"<head><link a ", b"<head><title>"])
def test_a_head_that_is_cut_off_where_nobody_reads_on_is_refused(beginning: bytes) -> None:
    page = Sparse(beginning, 1 << 30)
    with pytest.raises(DocumentError, match="LX324"):
        embed(
            replace(document_from_bytes(b""), size=1 << 30, reader=page), marking(), is_forced=False
        )


@pytest.mark.parametrize("length", [65_500, 65_536, 1 << 20, (16 << 20) - 20])
def test_a_long_head_is_read_to_its_end(length: int) -> None:
    filling = b"<meta a='" + b"x" * length + b"'>"
    page = b"<head>" + filling + b"</head>"
    if length < 16_000_000:
        assert put(page).startswith(b"<head>" + filling + BLOCK_BEGIN)
        assert taken_out(put(page)) == page
        assert put(put(page)) == put(page)


@pytest.mark.parametrize("filling", [b"<meta a='" + b"x" * (16 << 20) + b"'>", b"<meta>" * 250_001])
def test_a_head_that_is_too_long_is_refused(filling: bytes) -> None:
    with pytest.raises(DocumentError, match="LX324"):
        put(b"<head>" + filling + b"</head>")


def test_a_head_of_many_tags_is_none_too_many_with_ours() -> None:
    page = b"<head>" + b"</p>" * 249_990 + b"</head>"
    once = put(page)
    assert put(once) == once
    assert taken_out(once) == page


def test_a_page_that_an_editor_saved_otherwise_has_its_block_still() -> None:
    once = put(PAGE)
    for changed, bare in (
        (once.replace(b"\n", b"\r\n"), PAGE.replace(b"\n", b"\r\n")),
        (b"\xef\xbb\xbf" + once, b"\xef\xbb\xbf" + PAGE),
    ):
        assert put(changed) == changed
        assert taken_out(changed) == bare


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "iso2022_jp"])
def test_a_page_in_an_unusual_encoding_is_refused(codec: str) -> None:
    mark = "\ufeff" if codec.endswith("e") else ""
    page = f"{mark}<head>\n<meta charset=iso-2022-jp><title>x</title></head><p>x"
    data, once = page.encode(codec), put(PAGE).decode()
    named = f"{mark}<meta charset=iso-2022-jp>{once.replace('<meta charset', '')}".encode(codec)
    for act in (lambda: put(data), lambda: put(named), lambda: taken_out(named)):
        with pytest.raises(DocumentError, match=r"LX325.*in which lexurn writes no tags"):
            act()
    assert taken_out(data) == data


@pytest.mark.parametrize("version", ["", "@2005-01-01:it"])
def test_a_page_says_the_name_that_was_put_in(version: str) -> None:
    pytest.importorskip("turbohtml")
    own = [
        each
        for each in FORMAT.read(document_from_bytes(put(PAGE, version))).statements
        if each.is_embedded
    ]
    said = {(each.term.rpartition("/")[2], each.value) for each in own}
    assert ("identifier", ACT + version) in said
    assert ("title", RECORDS[0].titles[0].value) in said
    for term, value in marking(version).relations:
        if term.startswith("is"):
            assert (term, value) in said
    assert ("language", "it") in said or not version
