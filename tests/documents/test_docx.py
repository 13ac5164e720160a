"""Word documents: where a name comes, what is taken there, and what is refused."""

from __future__ import annotations

import io
import re

import pytest
from embedding_zip_cases import (
    ACT,
    CORE,
    CUSTOM,
    DOCX,
    DOCX_CUSTOM,
    FIRST,
    FORCED,
    LATER,
    UNFORCED,
    WORK,
    contents,
    embedded,
    fault_of,
    packed,
    removed,
    restores,
)

from lexurn.documents import DocumentError, apply_edits, document_from_bytes
from lexurn.documents.formats.office import DOCX_FORMAT as FORMAT
from lexurn.model import Record
from lexurn.name import parse
from lexurn.pages import make_document_metadata

NAME = f"{ACT}@2005-01-01:it"
EMPTY_CORE = (
    '<c:coreProperties xmlns:c="http://schemas.openxmlformats.org/package/2006/metadata/'
    'core-properties"/>'
)
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
STRICT = "http://purl.oclc.org/ooxml/officeDocument"


def with_core(core: str) -> bytes:
    return packed({**DOCX, "docProps/core.xml": core})


def core_of(data: bytes) -> str:
    return contents(embedded(FORMAT, data))["docProps/core.xml"].decode()


def test_an_empty_title_is_replaced_and_the_rest_comes_at_the_end() -> None:
    core = core_of(packed(DOCX))
    assert (
        "<!-- lexurn:begin %3Cdc%3Atitle%3E%3C/dc%3Atitle%3E --><dc:title>Città &amp; &quot;&lt;b"
        "&gt;&quot;</dc:title><!-- lexurn:end -->"
    ) in core
    assert core.endswith(
        f"<!-- lexurn:begin --><dc:identifier>{NAME}</dc:identifier><dc:language>it</dc:language>"
        "<!-- lexurn:end --></cp:coreProperties>"
    )


def test_properties_of_others_stay_and_ours_get_numbers_of_their_own() -> None:
    data = packed(DOCX_CUSTOM)
    custom = contents(embedded(FORMAT, data))["docProps/custom.xml"].decode()
    assert custom.startswith(CUSTOM.removesuffix("</Properties>"))
    for number, words in enumerate(("", " isVersionOf", " first", " previous", " version"), 8):
        assert f'pid="{number}" name="urn:lex{words}">' in custom
    members = contents(embedded(FORMAT, data))
    assert members["_rels/.rels"] == DOCX_CUSTOM["_rels/.rels"].encode()


@pytest.mark.parametrize(
    ("taken", "numbers"),
    [
        (["7"], [8, 9, 10, 11, 12]),
        (["2147483647"], [2, 3, 4, 5, 6]),
        (["9" * 5_000, "3"], [4, 5, 6, 7, 8]),
        (["-5", "x", "", "\u0667"], [2, 3, 4, 5, 6]),
    ],
)
def test_ours_get_numbers_that_are_free_and_may_be(taken: list[str], numbers: list[int]) -> None:
    theirs = "".join(
        f'<property fmtid="{{x}}" pid="{each}" name="{place}"><vt:lpwstr>x</vt:lpwstr></property>'
        for place, each in enumerate(taken)
    )
    custom = CUSTOM[: CUSTOM.index("<property")] + theirs + "</Properties>"
    data = packed({**DOCX_CUSTOM, "docProps/custom.xml": custom})
    named = embedded(FORMAT, data)
    written = contents(named)["docProps/custom.xml"].decode().partition("lexurn:begin")[2]
    assert [int(each) for each in re.findall(r'pid="(\d+)"', written)] == numbers
    assert embedded(FORMAT, named) == named
    assert restores(data, removed(FORMAT, named))


def test_a_new_part_is_known_to_the_package() -> None:
    members = contents(embedded(FORMAT, packed(DOCX)))
    assert b'Id="rIdLexurn"' in members["_rels/.rels"]
    assert b'Target="docProps/custom.xml"/></Relationships>' in members["_rels/.rels"]
    assert b'<Override PartName="/docProps/custom.xml"' in members["[Content_Types].xml"]


@pytest.mark.parametrize("part", ["docProps/Custom.xml", "docProps/custom.xml"])
def test_a_part_that_is_in_the_way_is_let_be(part: str) -> None:
    data = packed({**DOCX, part: "<mine/>"})
    with pytest.raises(DocumentError, match=r"LX367: .*without its relationship"):
        embedded(FORMAT, data)
    assert removed(FORMAT, data) == data


def test_strict_documents_have_strict_namespaces() -> None:
    rels = DOCX["_rels/.rels"].replace(
        "http://schemas.openxmlformats.org/officeDocument/2006", STRICT
    )
    data = packed({**DOCX, "_rels/.rels": rels})
    members = contents(embedded(FORMAT, data))
    assert f'xmlns="{STRICT}/customProperties"'.encode() in members["docProps/custom.xml"]
    assert f'Type="{STRICT}/relationships/customProperties"'.encode() in members["_rels/.rels"]
    assert restores(data, removed(FORMAT, embedded(FORMAT, data)))


@pytest.mark.parametrize(
    "core",
    [
        EMPTY_CORE,
        CORE + "<!-- end -->\n",
        CORE.replace("<dc:title></dc:title>", "<dc:title/>"),
        CORE.replace("<dc:title></dc:title>", "<dc:title>\n <!-- none -->\t</dc:title>"),
        CORE.replace("<dc:title></dc:title>", "").replace("><", ">\r\n\t<"),
    ],
)
def test_core_properties_of_all_forms_are_restored(core: str) -> None:
    data = with_core(core)
    named = embedded(FORMAT, data)
    assert "dc:identifier" in contents(named)["docProps/core.xml"].decode()
    assert embedded(FORMAT, named) == named
    assert restores(data, removed(FORMAT, named))
    repacked = packed(contents(named))
    assert contents(removed(FORMAT, repacked)) == contents(data)


def test_core_properties_may_be_in_sixteen_bits() -> None:
    core = CORE.replace("UTF-8", "UTF-16").encode("utf-16")
    data = packed({**DOCX, "docProps/core.xml": core})
    named = embedded(FORMAT, data)
    text = contents(named)["docProps/core.xml"].decode("utf-16")
    assert f"<dc:identifier>{NAME}</dc:identifier>" in text
    assert restores(data, removed(FORMAT, named))


def test_without_core_properties_the_name_is_a_property_alone() -> None:
    members = {name: text for name, text in DOCX.items() if name != "docProps/core.xml"}
    named = embedded(FORMAT, packed(members))
    assert "docProps/core.xml" not in contents(named)
    assert restores(packed(members), removed(FORMAT, named))


def test_another_identifier_stays_alone() -> None:
    core = CORE.replace("<dc:creator>", "<dc:identifier>A-1</dc:identifier><dc:creator>")
    assert core_of(with_core(core)).count("dc:identifier>") == 2


def test_another_name_is_a_conflict_and_the_same_name_is_none() -> None:
    for value, code in ((ACT, "LX362"), (NAME, None), (NAME.replace("legge", "Legge"), None)):
        core = CORE.replace("<dc:creator>", f"<dc:identifier>{value}</dc:identifier><dc:creator>")
        found = fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), with_core(core))
        assert found == code, value


def test_another_language_is_remarked() -> None:
    for value, codes in (("it-IT", []), ("de-CH", ["LX337"])):
        core = CORE.replace("<dc:creator>", f"<dc:language>{value}</dc:language><dc:creator>")
        change = FORMAT.embed(document_from_bytes(with_core(core)), LATER, UNFORCED)
        assert [each.code for each in change.findings] == codes


def test_a_signed_document_is_changed_only_by_force() -> None:
    signed = '<Relationship Id="rId3" Type="{}/digital-signature/origin" Target="sigs/o.sigs"/>'
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    rels = DOCX["_rels/.rels"].replace("</Rel", signed.format(space) + "</Rel")
    data = packed({**DOCX, "_rels/.rels": rels, "sigs/o.sigs": ""})
    document = document_from_bytes(data)
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == "LX365"
    change = FORMAT.embed(document, LATER, FORCED)
    assert [each.code for each in change.findings] == ["LX366"]
    named = apply_edits(document, change.edits)
    assert FORMAT.embed(document_from_bytes(named), LATER, UNFORCED).edits == ()
    assert fault_of(lambda each: FORMAT.remove(each, UNFORCED), named) == "LX365"
    change = FORMAT.remove(document_from_bytes(named), FORCED)
    assert restores(data, apply_edits(document_from_bytes(named), change.edits))
    assert FORMAT.remove(document, UNFORCED).edits == ()


REFERENCES = {
    "from the root": ("/{}", "{}"),
    "from here": ("./{}", "{}"),
    "by a way around": ("a/../{}", "{}"),
    "from above the root": ("../{}", "{}"),
    "in capitals": ("docProps/{}", "DOCPROPS/{}"),
    "encoded": ("%64ocProps/./../{}", "{}"),
    "with blanks, encoded": ("{}%20x", "{} x"),
    "with blanks, encoded in both": ("{}%20x", "{}%20x"),
    "with backslashes": ("docProps\\{}", "docProps/{}"),
    "with a fragment": ("{}#x", "{}"),
    "with blanks around": (" {}\n", "{}"),
}


def referring(kind: str, target: str, members: dict[str, str], rels: str | None = None) -> bytes:
    relation = f'<Relationship Id="rId9" Type="{kind}" Target="{target}"/></Relationships>'
    rels = (rels or DOCX["_rels/.rels"]).replace("</Relationships>", relation)
    return packed({**DOCX, **members, "_rels/.rels": rels})


@pytest.mark.parametrize(("target", "member"), REFERENCES.values(), ids=REFERENCES)
def test_a_part_is_found_however_it_is_referred_to(target: str, member: str) -> None:
    signature = f"{PACKAGE}/relationships/digital-signature/origin"
    data = referring(signature, target.format("o.sigs"), {member.format("o.sigs"): ""})
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == "LX365"
    kind, part = f"{OFFICE}/relationships/custom-properties", member.format("c.xml")
    data = referring(kind, target.format("c.xml"), {part: CUSTOM})
    assert contents(embedded(FORMAT, data)).keys() == contents(data).keys()
    assert restores(data, removed(FORMAT, embedded(FORMAT, data)))
    taken = CUSTOM.replace("Client", "urn:lex").replace("Ministry", f"{ACT};9")
    data = referring(kind, target.format("c.xml"), {part: taken})
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == "LX362"


@pytest.mark.parametrize("is_main_strict", [True, False])
def test_custom_properties_of_the_other_form_are_added_to(*, is_main_strict: bool) -> None:
    strict = "http://purl.oclc.org/ooxml/officeDocument"
    kind, custom = f"{OFFICE}/relationships/custom-properties", CUSTOM
    rels = DOCX["_rels/.rels"]
    if is_main_strict:
        rels = rels.replace(f"{OFFICE}/relationships", f"{strict}/relationships")
    else:
        kind = f"{strict}/relationships/customProperties"
        custom = custom.replace(f"{OFFICE}/custom-properties", f"{strict}/customProperties")
        custom = custom.replace(f"{OFFICE}/docPropsVTypes", f"{strict}/docPropsVTypes")
    data = referring(kind, "c.xml", {"c.xml": custom}, rels)
    after = embedded(FORMAT, data)
    assert contents(after).keys() == contents(data).keys()
    assert restores(data, removed(FORMAT, after))
    taken = custom.replace("Client", "urn:lex").replace("Ministry", f"{ACT};9")
    data = referring(kind, "c.xml", {"c.xml": taken}, rels)
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == "LX362"


CUSTOM_KIND = f"{OFFICE}/relationships/custom-properties"
CORE_KIND = f"{PACKAGE}/relationships/metadata/core-properties"


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        (CUSTOM_KIND, "word/document.xml"),
        (CUSTOM_KIND, "docProps/core.xml"),
        (CUSTOM_KIND, "[Content_Types].xml"),
        (CORE_KIND, "word/document.xml"),
        (CORE_KIND, "docProps/custom.xml"),
        (CORE_KIND, "_rels/.rels"),
    ],
)
def test_a_part_that_is_none_of_properties_is_never_written_into(kind: str, part: str) -> None:
    rels = DOCX["_rels/.rels"].replace(CORE_KIND, "urn:x:other") if kind == CORE_KIND else None
    data = referring(kind, part, {"docProps/custom.xml": CUSTOM}, rels)
    assert fault_of(lambda each: FORMAT.embed(each, LATER, FORCED), data) == "LX367"
    assert fault_of(lambda each: FORMAT.remove(each, FORCED), data) == "LX367"
    assert [each.code for each in FORMAT.read(document_from_bytes(data)).findings] == ["LX367"]


@pytest.mark.parametrize("more", ["", '" TargetMode="External'])
def test_a_second_relationship_to_custom_properties_is_never_made(more: str) -> None:
    data = referring(f"{OFFICE}/relationships/custom-properties", f"gone.xml{more}", {})
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == "LX367"
    assert removed(FORMAT, data) == data
    assert FORMAT.read(document_from_bytes(data)).statements


@pytest.mark.parametrize("name", ["_rels/.rels", "[Content_Types].xml"])
def test_what_is_no_package_is_refused(name: str) -> None:
    members = {key: text for key, text in DOCX.items() if key != name}
    for change in (
        members,
        {**DOCX, name: "<a/>"},
        {**DOCX, name: DOCX[name].split("><")[0] + "/>"},
    ):
        assert fault_of(FORMAT.read, packed(change)) in {"LX367", "LX330"}


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml", "LX367"),
        ("application/vnd.ms-excel.sheet.macroEnabled.main+xml", "LX367"),
        ("application/vnd.ms-word.document.macroEnabled.main+xml", None),
        ("Application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml", None),
    ],
)
def test_what_is_no_text_is_refused(kind: str, code: str | None) -> None:
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = DOCX["[Content_Types].xml"].replace(word, kind)
    data = packed({**DOCX, "[Content_Types].xml": types})
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == code


@pytest.mark.parametrize(
    ("core", "code"),
    [
        ("", "LX330"),
        (CORE[:-9], "LX330"),
        (f"<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>{CORE[56:]}", None),
        (CORE.replace("an office", "<!-- lexurn:begin -->"), "LX334"),
        (CORE.replace("an office", "<!-- lexurn:end -->"), "LX334"),
    ],
)
def test_core_properties_that_cannot_be_read_are_refused(core: str, code: str | None) -> None:
    data = with_core(core)
    assert fault_of(FORMAT.read, data) == code
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == code


def test_what_a_document_says_is_read_with_what_lexurn_wrote() -> None:
    found = {
        (each.term, each.value, each.is_embedded)
        for each in FORMAT.read(
            document_from_bytes(embedded(FORMAT, packed(DOCX_CUSTOM)))
        ).statements
    }
    space = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties#"
    assert (f"{space}Client", "Ministry", False) in found
    assert ("http://purl.org/dc/elements/1.1/creator", "an office", False) in found
    assert ("http://purl.org/dc/elements/1.1/title", 'Città & "<b>"', True) in found
    assert ("http://purl.org/dc/elements/1.1/language", "it", True) in found


def test_an_alias_is_no_conflict() -> None:
    alias = "urn:lex:it:stato:legge.delega:2003-09-21;456"
    records = (
        Record(name=parse(ACT)),
        Record(name=parse(alias), alias_of=parse(ACT)),
    )
    marking = make_document_metadata(records[0].name, records)
    core = CORE.replace("<dc:creator>", f"<dc:identifier>{alias}</dc:identifier><dc:creator>")
    named = document_from_bytes(embedded(FORMAT, with_core(core), marking))
    values = [each.value for each in FORMAT.read(named).statements if "identifier" in each.term]
    assert values == [alias, ACT]


def test_python_docx_reads_and_writes_on() -> None:
    docx = pytest.importorskip("docx")
    file = io.BytesIO()
    docx.Document().save(file)
    data = file.getvalue()
    for marking in (WORK, FIRST, LATER):
        named = embedded(FORMAT, data, marking)
        properties = docx.Document(io.BytesIO(named)).core_properties
        assert properties.identifier == str(marking.name)
        assert properties.title == 'Città & "<b>"'
        assert restores(data, removed(FORMAT, named))
    saved = io.BytesIO()
    docx.Document(io.BytesIO(named)).save(saved)
    again = embedded(FORMAT, saved.getvalue())
    assert embedded(FORMAT, again) == again
    assert contents(removed(FORMAT, saved.getvalue())).keys() == contents(data).keys()


def test_a_content_type_of_a_part_that_is_not_there_stays() -> None:
    types = DOCX["[Content_Types].xml"].replace(
        "</Types>",
        '<Override PartName="/docProps/custom.xml" ContentType="text/xml"/></Types>',
    )
    data = packed({**DOCX, "[Content_Types].xml": types})
    with pytest.raises(DocumentError, match=r"LX367: .*without its relationship"):
        embedded(FORMAT, data)
    assert removed(FORMAT, data) == data


def test_a_name_that_is_blank_is_called_so() -> None:
    blank = CUSTOM.replace("Client", "urn:lex").replace("Ministry", " ")
    data = packed({**DOCX_CUSTOM, "docProps/custom.xml": blank})
    with pytest.raises(DocumentError, match="already states the name blank, not urn"):
        FORMAT.embed(document_from_bytes(data), LATER, UNFORCED)


ALIAS = "urn:lex:it:parlamento:legge:2003-09-21;456"
IN_NIR = "urn:nir:stato:legge:2003-09-21;456"


@pytest.mark.parametrize(
    ("name", "said", "code"),
    [
        (ACT, IN_NIR, None),
        (ACT, "urn:nir:stato:legge:2001-01-01;1", "LX362"),
        (ACT, ALIAS, None),
        (ACT, "urn:lex:it:stato:legge:2003-09-21;457", "LX362"),
        (NAME, f"{IN_NIR}@2005-01-01", None),
        (NAME, f"{IN_NIR}@2006-01-01", "LX362"),
    ],
)
def test_a_name_in_a_dialect_and_an_alias_are_no_other_names(
    name: str, said: str, code: str | None
) -> None:
    records = [Record(name=parse(ACT)), Record(name=parse(ALIAS), alias_of=parse(ACT))]
    marking = make_document_metadata(parse(name), records)
    core = CORE.replace("<dc:creator>", f"<dc:identifier>{said}</dc:identifier><dc:creator>")
    taken = CUSTOM.replace("Client", "urn:lex").replace("Ministry", said)
    for data in (with_core(core), packed({**DOCX_CUSTOM, "docProps/custom.xml": taken})):
        assert fault_of(lambda each: FORMAT.embed(each, marking, UNFORCED), data) == code
