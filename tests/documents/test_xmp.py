"""XMP packets: what they say, and what goes into them while all else stays."""

from __future__ import annotations

import codecs
import re

import pytest
from lxml import etree
from pdf_files import ACT, ORIGINAL, RDF, THEIRS, VERSION, WORK, packet

from lexurn.documents import DocumentError
from lexurn.documents.containers.xmp import merge_packet, parse_packet
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import make_document_metadata

NAME = str(VERSION.name)
DC = "http://purl.org/dc/elements/1.1/"
XMP = "http://ns.adobe.com/xap/1.0/"
RDF_IRI = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
PRISM = "http://prismstandard.org/namespaces/basic/2.0/"
SPACES = (
    f'{RDF} xmlns:dc="{DC}" xmlns:xmp="{XMP}" xmlns:prism="{PRISM}" '
    'xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" '
    'xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" '
    'xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" '
    'xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"'
)


def described(inner: str, attributes: str = "") -> bytes:
    description = f'<rdf:Description rdf:about="" {attributes}>{inner}</rdf:Description>'
    return packet(description, attributes=SPACES)


def said(data: bytes) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in parse_packet(data).statements:
        term = re.split(r"[/#](?=[^/#]*$)", each.term)[1]
        found.setdefault(term, []).append(each.value)
    return found


FORMS = {
    "text": (described("<dc:identifier> a b </dc:identifier>"), "a b", None),
    "attribute": (described("", 'dc:identifier="a &amp; b"'), "a & b", None),
    "language": (described('<dc:identifier xml:lang="it">a</dc:identifier>'), "a", "it"),
    "default": (described('<dc:identifier xml:lang="x-default">a</dc:identifier>'), "a", None),
    "list": (
        described("<dc:identifier><rdf:Seq><rdf:li>a</rdf:li></rdf:Seq></dc:identifier>"),
        "a",
        None,
    ),
    "resource": (described('<dc:identifier rdf:resource="a:b"/>'), "a:b", None),
    "qualified": (
        described(
            '<dc:identifier rdf:parseType="Resource"><rdf:value>a</rdf:value><xmp:Q>q</xmp:Q>'
            "</dc:identifier>"
        ),
        "a",
        None,
    ),
    "described": (
        described(
            "<dc:identifier><rdf:Description><rdf:value>a</rdf:value></rdf:Description>"
            "</dc:identifier>"
        ),
        "a",
        None,
    ),
    **{
        f"{codec}, {len(mark)} bytes in front, {filling} NUL behind": (
            mark
            + described("<dc:identifier>a</dc:identifier>").decode().encode(codec)
            + bytes(filling),
            "a",
            None,
        )
        for codec, order in (("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE))
        for mark in (b"", order)
        for filling in (0, 6)
    },
    "NUL behind": (described("<dc:identifier>a</dc:identifier>") + bytes(9), "a", None),
    "no xpacket": (
        f'<rdf:RDF {RDF}><rdf:Description xmlns:d="{DC}" d:identifier="a"/></rdf:RDF>'.encode(),
        "a",
        None,
    ),
}


@pytest.mark.parametrize(("data", "value", "language"), FORMS.values(), ids=FORMS)
def test_every_form_of_a_value_is_read(data: bytes, value: str, language: str | None) -> None:
    (statement,) = parse_packet(data).statements
    assert (statement.term, statement.value) == (DC + "identifier", value)
    assert statement.language == language
    assert statement.is_iri == (value == "a:b")


def test_structures_are_no_values() -> None:
    data = described(
        '<xmp:Thumbnails><rdf:Alt><rdf:li rdf:parseType="Resource"><xmp:a>1</xmp:a></rdf:li>'
        "</rdf:Alt></xmp:Thumbnails><dc:title/>"
    )
    assert parse_packet(data).statements == ()


@pytest.mark.parametrize("data", [each for each, *_ in FORMS.values()], ids=FORMS)
def test_all_that_stands_there_is_kept_and_the_name_stands_beside_it(data: bytes) -> None:
    before = parse_packet(data).statements
    new = merge_packet(data, VERSION, "act.pdf").data
    after = parse_packet(new).statements
    assert set(before) < set(after)
    assert said(new)["Identifier"] == [NAME]
    assert NAME not in said(new)["identifier"]
    assert merge_packet(new, VERSION, "act.pdf").data == new
    assert is_within(data, new)


def is_within(old: bytes, new: bytes) -> bool:
    """Whether all bytes of one are in the other, in their order, but for a slash."""
    rest = iter(new)
    return all(byte in rest for byte in old.replace(b"/>", b">"))


ADDED = {
    "nothing": (b"", ["it"], "dc:identifier"),
    "no description": (packet(""), ["it"], "dc:identifier"),
    "empty RDF": (
        packet("").replace(f"<rdf:RDF {RDF}></rdf:RDF>".encode(), f"<rdf:RDF {RDF}/>".encode()),
        ["it"],
        "dc:identifier",
    ),
    "another prefix": (
        packet("", attributes='xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"').replace(
            b"rdf:RDF", b"r:RDF"
        ),
        ["it"],
        "dc:identifier",
    ),
    "no prefix": (
        packet("", attributes='xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#"').replace(
            b"rdf:RDF", b"RDF"
        ),
        ["it"],
        "dc:identifier",
    ),
    "a prefix of something else": (
        packet("", attributes=f'{RDF} xmlns:dc="urn:other" xmlns:prism="urn:other"'),
        ["it"],
        "dc:identifier",
    ),
    "a list": (
        described("<dc:language><rdf:Bag><rdf:li>de</rdf:li></rdf:Bag></dc:language>"),
        ["de"],
        "dc:identifier",
    ),
    "an empty list": (described("<dc:language><rdf:Bag/></dc:language>"), ["it"], "dc:identifier"),
    "a list with another prefix": (
        packet(
            f'<r:Description xmlns:dc="{DC}"><dc:relation><r:Bag><r:li>x</r:li></r:Bag>'
            "</dc:relation></r:Description>",
            attributes=f'xmlns:r="{RDF_IRI}"',
        ).replace(b"rdf:RDF", b"r:RDF"),
        ["it"],
        "dc:identifier",
    ),
    "a list with no prefix": (
        packet(
            f'<Description xmlns:dc="{DC}"><dc:relation><Bag><li>x</li></Bag></dc:relation>'
            "</Description>",
            attributes=f'xmlns="{RDF_IRI}"',
        ).replace(b"rdf:RDF", b"RDF"),
        ["it"],
        "dc:identifier",
    ),
    "it is there": (
        described("<dc:language><rdf:Bag><rdf:li> it </rdf:li></rdf:Bag></dc:language>"),
        ["it"],
        "dc:identifier",
    ),
    "a list of others": (
        described(
            "<dc:identifier>x</dc:identifier><xmp:Identifier><rdf:Bag><rdf:li>y</rdf:li></rdf:Bag></xmp:Identifier>"
        ),
        ["it"],
        "xmp:Identifier",
    ),
}


@pytest.mark.parametrize(("data", "languages", "home"), ADDED.values(), ids=ADDED)
def test_all_is_said(data: bytes, languages: list[str], home: str) -> None:
    relations = said(data).get("relation", []) if data else []
    result = merge_packet(data, VERSION, "act.pdf")
    assert [each.code for each in result.findings] == ([] if languages == ["it"] else ["LX337"])
    found = said(result.data)
    assert NAME in found[home.partition(":")[2]]
    assert found["language"] == languages
    assert found["relation"] == [*relations, ACT, f"{ACT}@originale:it"]
    assert found["title"] == ["Città & <b>"] * 2
    assert found["versionIdentifier"] == ["2005-01-01"]
    etree.fromstring(result.data)


def test_a_new_packet_is_utf_8_and_can_be_written_to() -> None:
    data = merge_packet(b"", VERSION, "act.pdf").data
    assert data.startswith('<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'.encode())
    assert data.endswith(b'<?xpacket end="w"?>\n')
    assert "Città".encode() in data


def test_an_encoding_without_a_character_gets_a_reference() -> None:
    data = b'<?xml version="1.0" encoding="us-ascii"?>' + packet("").split(b"?>", 1)[1]
    new = merge_packet(data, VERSION, "act.pdf").data
    assert b"Citt&#224;" in new
    assert said(new)["title"][0] == "Città & <b>"


def test_what_it_is_about_stays() -> None:
    new = merge_packet(THEIRS, WORK, "act.pdf").data
    assert new.count(b'rdf:about="uuid:1"') == 2


DCTERMS = 'xmlns:dcterms="http://purl.org/dc/terms/"'
IDENTIFIERS = {
    "identifier": "<dc:identifier>{}</dc:identifier>",
    "identifier of DCMI": f"<dcterms:identifier {DCTERMS}>{{}}</dcterms:identifier>",
    "list": "<xmp:Identifier><rdf:Bag><rdf:li>{}</rdf:li></rdf:Bag></xmp:Identifier>",
    "beside another": "<dc:identifier>ISBN 1</dc:identifier>"
    "<xmp:Identifier><rdf:Bag><rdf:li>DOI 1</rdf:li><rdf:li>{}</rdf:li></rdf:Bag></xmp:Identifier>",
}
OTHERS = [ACT, str(ORIGINAL.name), "URN:LEX:br:federal:lei:2008-06-19;11705", "urn:lex:no name"]


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("form", IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_another_name_is_refused(form: str, other: str) -> None:
    with pytest.raises(DocumentError, match="LX362: the XMP metadata already states") as error:
        merge_packet(described(form.format(other)), VERSION, "act.pdf")
    assert error.value.finding.text == other


@pytest.mark.parametrize("same", [NAME, "URN:LEX" + NAME[7:]])
@pytest.mark.parametrize("form", IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_the_name_is_not_said_twice(form: str, same: str) -> None:
    new = merge_packet(described(form.format(same)), VERSION, "act.pdf").data
    names = [each for key in ("identifier", "Identifier") for each in said(new).get(key, [])]
    assert [each for each in names if "lex" in each.lower()] == [same]


@pytest.mark.parametrize("form", IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_an_alias_is_no_other_name(form: str) -> None:
    alias = Record(name=parse(ACT.replace("stato", "parlamento")), alias_of=WORK.name)
    for name, other in ((alias.name, ACT), (WORK.name, str(alias.name))):
        marking = make_document_metadata(name, [Record(name=WORK.name), alias])
        found = said(merge_packet(described(form.format(other)), marking, "act.pdf").data)
        assert {str(name), other} <= {*found["identifier"], *found.get("Identifier", [])}


LANGUAGES = {
    "the same": ("it", "it", []),
    "of a country": ("it-IT", "it-IT", []),
    "three letters": ("ita", "ita", []),
    "one of two": ("de</rdf:li><rdf:li>it", "de", []),
    "unknown": ("x-unknown", "x-unknown", []),
    "another": ("de", "de", ["LX337"]),
    "empty": ("", "it", []),
}


@pytest.mark.parametrize(("value", "first", "codes"), LANGUAGES.values(), ids=LANGUAGES)
def test_a_language_that_is_there_is_kept_and_compared(
    value: str, first: str, codes: list[str]
) -> None:
    inner = f"<dc:language><rdf:Bag><rdf:li>{value}</rdf:li></rdf:Bag></dc:language>"
    result = merge_packet(described(inner), VERSION, "act.pdf")
    assert said(result.data)["language"][0] == first
    assert [each.code for each in result.findings] == codes


NO_LISTS = [
    "<{0}>x</{0}>",
    '<{0} rdf:resource="x:y"/>',
    '<{0} xml:lang="it">x</{0}>',
    "<{0}>x</{0}><{0}>y</{0}>",
]


@pytest.mark.parametrize("form", NO_LISTS)
def test_what_is_no_list_is_kept_and_told(form: str) -> None:
    relation = form.format("dc:relation")
    result = merge_packet(described(f"<dc:language>de</dc:language>{relation}"), VERSION, "act.pdf")
    assert [each.code for each in result.findings] == ["LX354", "LX337"]
    assert said(result.data)["language"] == ["de"]
    assert NAME in said(result.data)["identifier"]


def test_a_name_that_there_is_no_room_for_is_refused() -> None:
    inner = "<dc:identifier>doi:x</dc:identifier>"
    for form in NO_LISTS:
        with pytest.raises(DocumentError, match="LX341"):
            merge_packet(described(inner + form.format("xmp:Identifier")), VERSION, "act.pdf")


LI = '<rdf:li xml:lang="x-default"{}'
BLANK = {
    "element": ("<dc:{} />", ""),
    "element with blanks": ("<dc:{}>\n </dc:{}>", ""),
    "element with a comment": ("<dc:{}><!-- none --></dc:{}>", ""),
    "element of a language": ('<dc:{} xml:lang="it"></dc:{}>', ""),
    "empty list": ("<dc:{}><rdf:Alt/></dc:{}>", ""),
    "empty item": (f"<dc:{{}}><rdf:Alt>{LI.format('/>')}</rdf:Alt></dc:{{}}>", ""),
    "empty items": (
        f"<dc:{{}}><rdf:Bag>{LI.format('> </rdf:li>')}{LI.format('/>')}</rdf:Bag></dc:{{}}>",
        "",
    ),
    "twice": ("<dc:{}/><dc:{}></dc:{}>", ""),
    "empty resource": ('<dc:{} rdf:resource=""/>', ""),
}


def test_a_blank_attribute_is_kept_and_told() -> None:
    result = merge_packet(described("", 'dc:title="" dc:relation=" "'), VERSION, "act.pdf")
    assert [each.code for each in result.findings] == ["LX354", "LX354"]
    assert b'dc:title="" dc:relation=" "' in result.data
    assert said(result.data)["identifier"] == [NAME]


def blank(form: str, local: str) -> str:
    return form.replace("{}", local)


@pytest.mark.parametrize(("inner", "attributes"), BLANK.values(), ids=BLANK)
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le"])
def test_what_is_blank_gives_way(inner: str, attributes: str, codec: str) -> None:
    keys = ("identifier", "title", "language", "relation")
    data = described(
        "".join(blank(inner, key) for key in keys) + "<xmp:last>è</xmp:last>",
        blank(attributes, "identifier"),
    )
    result = merge_packet(data.decode().encode(codec), VERSION, "act.pdf")
    assert result.findings == ()
    found = said(result.data)
    assert found["identifier"] == [NAME]
    assert "Identifier" not in found
    assert found["title"] == ["Città & <b>"] * 2
    assert found["language"] == ["it"]
    assert found["relation"] == [ACT, f"{ACT}@originale:it"]
    assert found["last"] == ["è"]
    before = said(data.decode().encode(codec))
    assert before.items() <= found.items()
    assert len(parse_packet(result.data).properties) == 5 + len(before)
    assert merge_packet(result.data, VERSION, "act.pdf").data == result.data


STRUCTURES = [
    '<dc:{} rdf:parseType="Resource"><xmp:a>1</xmp:a></dc:{}>',
    '<dc:{} rdf:parseType="Resource"/>',
    "<dc:{}><rdf:Description/></dc:{}>",
]


@pytest.mark.parametrize("structure", STRUCTURES)
def test_a_structure_is_not_blank(structure: str) -> None:
    data = described(blank(structure, "identifier") + blank(structure, "title"))
    result = merge_packet(data, VERSION, "act.pdf")
    assert [each.code for each in result.findings] == ["LX354"]
    assert "the title is not added" in result.findings[0].message
    assert said(result.data)["Identifier"] == [NAME]
    assert is_within(data, result.data)


def test_titles_have_one_item_a_language() -> None:
    titles = (
        LanguageText(value="a", language="it"),
        LanguageText(value="b"),
        LanguageText(value="c", language="de"),
        LanguageText(value="d", language="it"),
    )
    marking = make_document_metadata(WORK.name, [Record(name=parse(ACT), titles=titles)])
    found = parse_packet(merge_packet(b"", marking, "act.pdf").data).statements
    said = {(each.language, each.value) for each in found if each.term == DC + "title"}
    assert {language for language, _ in said} == {None, "it", "de"}
    assert len(said) == 3


@pytest.mark.parametrize("part", ["1", "2", "3", "4"])
def test_pdf_a_gets_neither_title_nor_version(part: str) -> None:
    data = described(f"<pdfaid:part>{part}</pdfaid:part>")
    result = merge_packet(data, VERSION, "act.pdf")
    assert result.findings == ()
    assert "versionIdentifier" not in said(result.data)
    assert "title" not in said(result.data)
    assert "identifier" in said(result.data)
    assert merge_packet(result.data, VERSION, "act.pdf").data == result.data


@pytest.mark.parametrize(
    "data",
    [
        b"x",
        b"<a/>",
        packet("<b>"),
        b"<a>" * 5_000,
        '<?xml version="1.0" encoding="utf-32"?><a/>'.encode("utf-32"),
        b'<!DOCTYPE a [<!ENTITY b "' + b"c" * 70_000 + b'">]><a>&b;</a>',
    ],
)
def test_what_is_no_packet_is_refused(data: bytes) -> None:
    for act in (parse_packet, lambda data: merge_packet(data, VERSION, "act.pdf")):
        with pytest.raises(DocumentError, match="LX350"):
            act(data)


def test_values_in_values_are_no_matter() -> None:
    deep = "<rdf:value>" * 900 + "a" + "</rdf:value>" * 900
    assert parse_packet(described(f"<dc:title>{deep}</dc:title>")).statements == ()
