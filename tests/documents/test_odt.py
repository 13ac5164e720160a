"""OpenDocument: where a name comes, what is taken there, and what is refused."""

from __future__ import annotations

import io

import pytest
from embedding_zip_cases import (
    ACT,
    FIRST,
    FORCED,
    LATER,
    META,
    ODT,
    UNFORCED,
    contents,
    embedded,
    fault_of,
    packed,
    removed,
    restores,
)

from lexurn.documents import apply_edits, document_from_bytes, extract_document
from lexurn.documents.formats.office import ODT_FORMAT as FORMAT

NAME = f"{ACT}@2005-01-01:it"
MANIFEST = "META-INF/manifest.xml"


def with_meta(meta: str) -> bytes:
    return packed({**ODT, "meta.xml": meta})


def test_the_name_is_a_property_and_dublin_core_comes_where_none_is() -> None:
    meta = contents(embedded(FORMAT, packed(ODT)))["meta.xml"].decode()
    assert meta.startswith(META.removesuffix("</office:meta></office:document-meta>"))
    assert (
        "<!-- lexurn:begin --><dc:title>Città &amp; &quot;&lt;b&gt;&quot;</dc:title>"
        f'<dc:language>it</dc:language><meta:user-defined meta:name="urn:lex">{NAME}'
        f'</meta:user-defined><meta:user-defined meta:name="urn:lex isVersionOf">{ACT}'
    ) in meta


@pytest.mark.parametrize(
    "meta",
    [
        META.replace("<office:meta>", "<office:meta/><!--").replace("</office:meta>", "-->"),
        META.replace("<office:meta>", "<office:meta>\n  <dc:title/>\n  "),
        META.replace("meta:", "m:")
        .replace("xmlns:meta", "xmlns:m")
        .replace("office:m:", "office:"),
        META.replace(' xmlns:dc="http://purl.org/dc/elements/1.1/"', ""),
        META.replace("UTF-8", "US-ASCII"),
    ],
)
def test_meta_of_all_forms_is_restored(meta: str) -> None:
    data = with_meta(meta)
    named = embedded(FORMAT, data)
    said = {
        each.value
        for each in FORMAT.read(document_from_bytes(named)).statements
        if each.is_embedded
    }
    assert {NAME, ACT, "it", 'Città & "<b>"'} <= said
    assert embedded(FORMAT, named) == named
    assert restores(data, removed(FORMAT, named))
    repacked = packed(contents(named))
    assert contents(removed(FORMAT, repacked)) == contents(data)


@pytest.mark.parametrize("space", ["", ' xmlns:manifest="http://openoffice.org/2001/manifest"'])
def test_lists_of_members_of_old_are_read(space: str) -> None:
    manifest = ODT[MANIFEST].replace(
        ' xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"', space
    )
    data = packed({**ODT, MANIFEST: manifest})
    named = embedded(FORMAT, data)
    assert contents(named)[MANIFEST] == manifest.encode()
    assert restores(data, removed(FORMAT, named))


def test_what_is_there_already_stays() -> None:
    more = f'<meta:user-defined meta:name="urn:lex">{NAME}</meta:user-defined>'
    data = with_meta(META.replace("</office:meta>", f"<dc:title>x</dc:title>{more}</office:meta>"))
    meta = contents(embedded(FORMAT, data))["meta.xml"].decode()
    assert (meta.count('"urn:lex"'), meta.count("<dc:title>")) == (1, 1)
    assert fault_of(lambda each: FORMAT.embed(each, FIRST, UNFORCED), data) == "LX362"
    change = FORMAT.remove(document_from_bytes(data), UNFORCED)
    assert (change.edits, [each.code for each in change.findings]) == ((), ["LX368"])


def test_another_value_of_a_property_is_remarked_and_another_language_too() -> None:
    more = '<meta:user-defined meta:name="urn:lex first">x</meta:user-defined>'
    more += "<dc:language>fr</dc:language>"
    data = with_meta(META.replace("</office:meta>", f"{more}</office:meta>"))
    change = FORMAT.embed(document_from_bytes(data), LATER, UNFORCED)
    assert [each.code for each in change.findings] == ["LX368", "LX337"]
    assert change.edits


@pytest.mark.parametrize(
    "name",
    [
        "documentsignatures.xml",
        "macrosignatures.xml",
        "packagesignatures.xml",
        "signatures.xml",
        "Signatures-of-the-office",
    ],
)
def test_a_signed_document_is_changed_only_by_force(name: str) -> None:
    data = packed({**ODT, f"META-INF/{name}": "<signatures/>"})
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == "LX365"
    change = FORMAT.embed(document_from_bytes(data), LATER, FORCED)
    assert [each.code for each in change.findings] == ["LX366"]
    named = document_from_bytes(apply_edits(document_from_bytes(data), change.edits))
    assert restores(data, apply_edits(named, FORMAT.remove(named, FORCED).edits))


@pytest.mark.parametrize("name", ["signatures.xml", "META-INF/signature.txt"])
def test_a_member_that_is_no_signature_is_none(name: str) -> None:
    data = packed({**ODT, name: "<a/>"})
    assert restores(data, removed(FORMAT, embedded(FORMAT, data)))


def test_an_encrypted_document_is_refused() -> None:
    manifest = ODT[MANIFEST].replace(
        'manifest:media-type="text/xml"/>',
        'manifest:media-type="text/xml"><manifest:encryption-data/></manifest:file-entry>',
    )
    assert fault_of(FORMAT.read, packed({**ODT, MANIFEST: manifest})) == "LX361"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"mimetype": "x"}, "LX367"),
        ({**ODT, "meta.xml": META[:-3]}, "LX330"),
        ({**ODT, "meta.xml": ""}, "LX330"),
        ({**ODT, "meta.xml": "<a>" * 2_000}, "LX332"),
        ({**ODT, "meta.xml": f"<a>{'<b/>' * 300_000}</a>"}, "LX332"),
    ],
)
def test_what_is_no_document_is_refused(members: dict[str, str], code: str) -> None:
    assert fault_of(FORMAT.read, packed(members)) == code


def test_odfdo_reads_the_name() -> None:
    odfdo = pytest.importorskip("odfdo")
    file = io.BytesIO()
    odfdo.Document("text").save(file)
    named = embedded(FORMAT, file.getvalue())
    meta = odfdo.Document(io.BytesIO(named)).meta
    assert meta.get_user_defined_metadata_of_name("urn:lex")["value"] == NAME
    assert meta.title == 'Città & "<b>"'
    assert restores(file.getvalue(), removed(FORMAT, named))
    saved = io.BytesIO()
    odfdo.Document(io.BytesIO(named)).save(saved)
    again = embedded(FORMAT, saved.getvalue())
    assert embedded(FORMAT, again) == again


def test_who_saved_a_document_last_is_no_creator_of_the_act() -> None:
    people = "<meta:initial-creator>one</meta:initial-creator><dc:creator>two</dc:creator>"
    data = with_meta(META.replace("</office:meta>", f"{people}</office:meta>"))
    found = extract_document(document_from_bytes(data))
    assert (found.format, found.creators, found.findings) == ("odt", (), ())
