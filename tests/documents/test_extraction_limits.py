"""What a document may cost: limits that reading keeps, however the document is made."""

from __future__ import annotations

import difflib

import pytest
from reading_cases import ACT, ELI, page, reading_of

from lexurn.documents import (
    Notation,
    Statement,
    document,
    document_from_bytes,
    extraction,
    terms,
    values,
)
from lexurn.documents.names import classify_identifier
from lexurn.documents.reading import html as html_module
from lexurn.documents.reading import page as page_module
from lexurn.documents.reading import rdfa
from lexurn.documents.terms import suggest_eli_term

IDENTIFIER = f'<meta name="DC.identifier" content="{ACT}">'


def block(text: str) -> str:
    return page(f'<script type="application/ld+json">\n{text}\n</script>')


# JSON-LD


@pytest.mark.parametrize(
    "written",
    [
        '"a"',
        '""',
        r'"\""',
        r'"\\"',
        '"a\nb"',
        '"a\\\nb"',
        r'"\u00e0\\\""',
        '"' + r"\"" * 50 + '\n"',
    ],
)
def test_a_text_of_json_ends_where_it_ends(written: str) -> None:
    found = [each[0] for each in html_module._STRING.finditer(f"{{{written}: [{written}]}}")]
    assert found == [written, written]


def test_lines_are_counted_behind_a_text_of_several_lines() -> None:
    text = '{"@context": "https://schema.org", "name": "a\\" \n\\"b\n",\n"description": "c"}'
    (found,) = [each for each in reading_of(block(text)).statements if each.value == "c"]
    assert found.line == 7


# Identifiers


def test_a_long_text_is_no_identifier_of_a_kind() -> None:
    assert classify_identifier("https://a.example/eli/dir/2003/87") == "eli"
    assert classify_identifier("/" + "eli/" * 1_000) == "other"


# Pages


CROWDED = {
    "paragraphs": "<p>" * 60,
    "formatting that is begun anew": "<p>"
    + "".join(f"<b i={number}>" for number in range(10))
    + "<p>x" * 10,
    "formatting that is torn apart": "<b><i><u><p>x</b></i></u>" * 20,
    "attributes": f"<p {' '.join(f'a{number}' for number in range(500))}>",
    "tables": "<table><b>" * 30,
}


@pytest.mark.parametrize("body", CROWDED.values(), ids=CROWDED)
def test_a_page_that_makes_too_many_elements_is_read_in_part(
    monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    monkeypatch.setattr(page_module, "MOST_ELEMENTS", 50)
    text = page(IDENTIFIER, body)
    (found,) = reading_of(text).findings
    assert (found.code, "more than 50 elements" in found.message) == ("LX370", True)
    assert ACT in [each.value for each in reading_of(text).statements]
    tree, _ = page_module.parse_html(document_from_bytes(text.encode(), "a.html"))
    # The root, the head and the body are always there.
    assert len(tree.elements) <= 53


def test_xhtml_with_too_many_elements_is_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "MOST_ELEMENTS", 50)
    start = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{ACT}</title></head><body>'
    reading = reading_of(f"{start}{'<p>x</p>' * 60}</body></html>", is_xml=True)
    assert [each.value for each in reading.statements] == [ACT]
    (found,) = reading.findings
    assert (found.code, "more than 50 elements" in found.message) == ("LX370", True)


@pytest.mark.parametrize(("most", "is_whole"), [(6, True), (5, False)])
def test_a_page_with_just_as_many_elements_as_it_may_have_is_whole(
    monkeypatch: pytest.MonkeyPatch, most: int, *, is_whole: bool
) -> None:
    monkeypatch.setattr(page_module, "MOST_ELEMENTS", most)
    document = document_from_bytes(b"<meta charset=utf-8><body><p>a<p>b", "a.html")
    tree, findings = page_module.parse_html(document)
    assert (not findings) is is_whole
    assert ("b" in tree.text) is is_whole


UNCLOSED = {
    "without end tags": "<b id={}>",
    "with end tags in comments": "<b id={}><!--</b>-->",
    "with end tags in attributes": "<b id={}><i title='> </b>'></i>",
    "with end tags in a table": "<b id={}><table></b></table>",
}


@pytest.mark.parametrize("tag", UNCLOSED.values(), ids=UNCLOSED)
def test_formatting_that_is_opened_again_is_read_up_to_a_limit(
    monkeypatch: pytest.MonkeyPatch, tag: str
) -> None:
    monkeypatch.setattr(page_module, "MOST_ELEMENTS", 20_000)
    start = "".join(map(tag.format, range(600)))
    text = f"<title>{ACT}</title><p>{start}</p>{'<p>x' * 10_000}"
    reading = reading_of(text)
    assert [each.code for each in reading.findings] == ["LX370"]
    assert ACT in [each.value for each in reading.statements]


CARELESS = {
    "anchors without ends": "<p><a name=x{}>text",
    "links around paragraphs": "<a href=#x{}><p>text</p></a>",
    "the same font without ends": "<p><font size=2>text",
    "fonts around paragraphs": "<font size=2><p>text {}</p></font>",
    "values without quotation marks": "<p><font face=Arial,Times id = {}>text</font>",
}


@pytest.mark.parametrize("part", CARELESS.values(), ids=CARELESS)
def test_a_long_page_with_careless_formatting_is_read_whole(
    monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    monkeypatch.setattr(page_module, "MOST_ELEMENTS", 50_000)
    parts = "".join(map(part.format, range(2_000)))
    reading = reading_of(f"<body>{parts}<p><meta name=DC.identifier content='{ACT}'>")
    assert not reading.findings
    assert ACT in [each.value for each in reading.statements]


# RDFa


def prefixes_of(number: int) -> str:
    return " ".join(f"p{each}: https://a.example/{each}#" for each in range(number))


PREFIXED = {
    "one after the other": '<p prefix="a: https://{0}.example/">x</p>',
    "in each other": '<div prefix="a: https://{0}.example/">',
}


@pytest.mark.parametrize("is_xml", [False, True])
@pytest.mark.parametrize("element", PREFIXED.values(), ids=PREFIXED)
def test_prefixes_declared_over_and_over_end_the_reading(
    monkeypatch: pytest.MonkeyPatch, element: str, *, is_xml: bool
) -> None:
    start = '<html xmlns="http://www.w3.org/1999/xhtml">' if is_xml else "<html>"
    head = f"<head>{'' if is_xml else IDENTIFIER}<title>{ACT}</title></head>"
    body = "".join(element.format(number) for number in range(40))
    ends = "</div>" * 40 if element.startswith("<div") else ""
    text = (
        f'{start}{head}<body prefix="{prefixes_of(50)}">{body}'
        f'<i property="p0:b">y</i>{ends}</body></html>'
    )
    reading = reading_of(text, is_xml=is_xml)
    assert not reading.findings
    assert "y" in [each.value for each in reading.statements]
    monkeypatch.setattr(rdfa, "_MOST_PREFIXES", 3_000)
    reading = reading_of(text, is_xml=is_xml)
    (found,) = reading.findings
    assert (found.code, "declares prefixes" in found.message) == ("LX370", True)
    assert ACT in [each.value for each in reading.statements]
    assert "y" not in [each.value for each in reading.statements]


def test_prefixes_that_change_nothing_are_no_more_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdfa, "_MOST_PREFIXES", 300)
    element = '<p prefix="dc: http://purl.org/dc/terms/" property="dc:title">x</p>'
    reading = reading_of(page("", element * 40))
    assert not reading.findings
    assert [each.value for each in reading.statements].count("x") == 40


# Findings


def unknown(number: int) -> Statement:
    return Statement(
        notation=Notation.META, subject=None, term=f"{ELI}titl{number}", value="x", line=number + 1
    )


def test_no_word_is_looked_up_for_a_finding_that_nobody_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(document, "_MAX_FINDINGS", 3)
    monkeypatch.setattr(terms, "suggest_eli_term", asked.append)
    found = document.FindingList("a.html")
    values.check_values(map(unknown, range(20)), found)
    assert (len(found.all()), len(asked)) == (3, 3)


def test_a_term_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def near(word: str, *_: object, **__: object) -> list[str]:
        asked.append(word)
        return ["title"]

    suggest_eli_term.cache_clear()
    monkeypatch.setattr(difflib, "get_close_matches", near)
    assert {suggest_eli_term("titel") for _ in range(9)} == {"title"}
    suggest_eli_term.cache_clear()
    assert asked == ["titel"]


# Rows


class Counted(str):
    """A text that counts how often it is looked up."""

    __slots__ = ()
    looked_up = 0

    def __hash__(self) -> int:
        Counted.looked_up += 1
        return super().__hash__()

    __eq__ = str.__eq__


def test_rows_of_one_name_are_joined_in_one_go() -> None:
    Counted.looked_up = 0
    count = 200
    rows = ({"urn": ACT, "file": [Counted(f"{number}.html")]} for number in range(count))
    row = extraction._merge_group(iter(rows), None)
    assert row == {"urn": ACT, "file": [f"{number}.html" for number in range(count)]}
    assert Counted.looked_up < 10 * count


def test_lists_of_several_rows_are_joined_without_doubles() -> None:
    rows = [
        {"urn": ACT, "file": ["b"]},
        {"urn": ACT, "file": ["a", "b"], "creator": ["x", "x"]},
        {"urn": ACT, "file": ["c"], "creator": ["y", "x"]},
    ]
    (row,) = extraction.merge_rows(rows)
    assert row == {"urn": ACT, "file": ["b", "a", "c"], "creator": ["x", "y"]}
