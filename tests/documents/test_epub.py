"""EPUB: where a name comes, what is taken there, and what is refused."""

from __future__ import annotations

import io

import pytest
from embedding_zip_cases import (
    ACT,
    EPUB2,
    EPUB3,
    FIRST,
    FORCED,
    LATER,
    UNFORCED,
    contents,
    embedded,
    fault_of,
    packed,
    removed,
    restores,
)

from lexurn.documents import DocumentError, apply_edits, document_from_bytes
from lexurn.documents.formats.epub import FORMAT

NAME = f"{ACT}@2005-01-01:it"
BOOK = "EPUB/book.opf"
COMMON = f"""    <!-- lexurn:begin -->
  <dc:identifier>{NAME}</dc:identifier>
  <dc:relation>{ACT}</dc:relation>
  <dc:relation>{ACT}@originale:it</dc:relation>
"""
REST = f"""  <meta name="urn:lex first" content="{ACT}@originale:it"/>
  <meta name="urn:lex previous" content="{ACT}@originale:it"/>
  <meta name="urn:lex version" content="2005-01-01"/>
  <!-- lexurn:end --></metadata>
"""


def with_metadata(more: str, members: dict[str, str] = EPUB3) -> bytes:
    book = members[BOOK].replace("  </metadata>", f"{more}</metadata>")
    return packed({**members, BOOK: book})


def book_of(data: bytes) -> str:
    return contents(data)[BOOK].decode()


@pytest.mark.parametrize(
    ("members", "relation"),
    [
        (EPUB2, f'<meta name="urn:lex isVersionOf" content="{ACT}"/>'),
        (EPUB3, f'<meta property="dcterms:isVersionOf">{ACT}</meta>'),
    ],
)
def test_a_book_gets_another_identifier_and_its_relations(members, relation: str) -> None:
    block = f"{COMMON}  {relation}\n{REST}".removeprefix("    ")
    expected = members[BOOK].replace("</metadata>\n", block)
    assert book_of(embedded(FORMAT, packed(members))) == expected


@pytest.mark.parametrize(
    "metadata",
    [
        "<metadata/>",
        "<metadata></metadata>",
        '<metadata xmlns:d="http://purl.org/dc/elements/1.1/"><d:title>x</d:title></metadata>',
    ],
)
@pytest.mark.parametrize("prefix", ["", "o:"])
def test_metadata_of_all_forms_is_restored(metadata: str, prefix: str) -> None:
    head, tail = EPUB2[BOOK].split("<metadata", 1)[0], EPUB2[BOOK].split("</metadata>", 1)[1]
    book = f"{head}{metadata}{tail}"
    if prefix:
        book = book.replace("xmlns=", "xmlns:o=")
        for name in ("package", "metadata", "manifest", "spine"):
            book = book.replace(f"<{name}", f"<o:{name}").replace(f"</{name}", f"</o:{name}")
    data = packed({**EPUB2, BOOK: book})
    named = embedded(FORMAT, data)
    said = {
        each.value
        for each in FORMAT.read(document_from_bytes(named)).statements
        if each.is_embedded
    }
    assert {NAME, ACT, "it"} <= said
    assert embedded(FORMAT, named) == named
    assert restores(data, removed(FORMAT, named))
    repacked = packed(contents(named))
    assert contents(removed(FORMAT, repacked)) == contents(data)


def test_what_is_there_already_stays() -> None:
    data = with_metadata(f"<dc:identifier>{NAME}</dc:identifier><dc:relation>{ACT}</dc:relation>")
    book = book_of(embedded(FORMAT, data))
    assert (book.count("<dc:identifier>"), book.count(f"<dc:relation>{ACT}<")) == (1, 1)
    assert fault_of(lambda each: FORMAT.embed(each, FIRST, UNFORCED), data) == "LX362"
    change = FORMAT.remove(document_from_bytes(data), UNFORCED)
    assert (change.edits, [each.code for each in change.findings]) == ((), ["LX368"])


def test_what_others_say_in_dublin_core_stands_beside_ours() -> None:
    more = '<meta property="dcterms:isVersionOf">urn:isbn:1</meta>'
    data = with_metadata(more + '<meta property="dcterms:isVersionOf" refines="#id">x</meta>')
    change = FORMAT.embed(document_from_bytes(data), LATER, UNFORCED)
    book = book_of(apply_edits(document_from_bytes(data), change.edits))
    assert (book.count("dcterms:isVersionOf"), change.findings) == (3, ())


def test_what_a_book_says_is_read() -> None:
    more = """
        <meta property="dcterms:modified">2020-01-01T00:00:00Z</meta>
        <meta property="x:y">z</meta><meta property="no:y">z</meta><meta property="">z</meta>
        <meta refines="#id" property="identifier-type">15</meta>
        <link rel="record" href="https://law.example/1"/>
        <link rel="x:z" href="https://law.example/1"/>
        <meta name="cover" content="c1"/><opf:other xmlns:opf="urn:x-y"/>"""
    members = {**EPUB3, BOOK: EPUB3[BOOK].replace("<package ", '<package prefix="x: urn:x-x:" ')}
    found = FORMAT.read(document_from_bytes(with_metadata(more, members))).statements
    assert [(each.term, each.value) for each in found] == [
        ("http://purl.org/dc/elements/1.1/identifier", "x"),
        ("http://purl.org/dc/elements/1.1/title", "Act"),
        ("http://purl.org/dc/elements/1.1/language", "it"),
        ("http://purl.org/dc/terms/modified", "2020-01-01T00:00:00Z"),
        ("urn:x-x:y", "z"),
        ("urn:x-x:z", "https://law.example/1"),
        ("http://www.idpf.org/2007/opf#cover", "c1"),
    ]
    assert not any(each.is_embedded for each in found)


def test_words_are_in_the_language_of_the_package() -> None:
    book = EPUB3[BOOK].replace("<package ", '<package xml:lang="it" ')
    data = packed({**EPUB3, BOOK: book.replace("<dc:title>", '<dc:title xml:lang="fr">')})
    more = with_metadata("<dc:rights>x</dc:rights>", {**EPUB3, BOOK: book})
    for each, languages in ((data, [None, "fr", None]), (more, [None, "it", None, "it"])):
        found = FORMAT.read(document_from_bytes(each)).statements
        assert [statement.language for statement in found] == languages


def test_a_signed_book_is_changed_only_by_force() -> None:
    data = packed({**EPUB3, "META-INF/signatures.xml": "<signatures/>"})
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), data) == "LX365"
    change = FORMAT.embed(document_from_bytes(data), LATER, FORCED)
    assert [each.code for each in change.findings] == ["LX366"]


@pytest.mark.parametrize("path", ["EPUB/b%6Fok.opf", "./EPUB/book.opf", "/EPUB/x/../book.opf"])
def test_the_path_of_the_package_is_a_reference(path: str) -> None:
    listed = EPUB3["META-INF/container.xml"].replace("EPUB/book.opf", path)
    data = packed({**EPUB3, "META-INF/container.xml": listed})
    statements = FORMAT.read(document_from_bytes(embedded(FORMAT, data))).statements
    assert any(each.is_embedded for each in statements)


def test_a_book_whose_package_has_an_empty_path_has_none() -> None:
    listed = EPUB3["META-INF/container.xml"].replace("EPUB/book.opf", "")
    with pytest.raises(DocumentError, match="names no package document"):
        FORMAT.read(document_from_bytes(packed({**EPUB3, "META-INF/container.xml": listed})))


def test_metadata_in_elements_of_its_own_is_read() -> None:
    name = f"<dc:identifier>{NAME}</dc:identifier>"
    old = EPUB2[BOOK].replace("</metadata>", f"<dc-metadata>{name}</dc-metadata></metadata>")
    document = document_from_bytes(packed({**EPUB2, BOOK: old}))
    assert NAME in [each.value for each in FORMAT.read(document).statements]


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"mimetype": "application/epub+zip"}, "LX367"),
        ({**EPUB3, "META-INF/container.xml": "<a/>"}, "LX367"),
        ({**EPUB3, BOOK: "<a/>"}, "LX367"),
        ({**EPUB3, BOOK: EPUB3[BOOK].replace("metadata", "data")}, "LX367"),
        ({name: text for name, text in EPUB3.items() if name != BOOK}, "LX367"),
        ({**EPUB3, BOOK: EPUB3[BOOK][:-4]}, "LX330"),
    ],
)
def test_what_is_no_book_is_refused(members: dict[str, str], code: str) -> None:
    assert fault_of(FORMAT.read, packed(members)) == code
    assert fault_of(lambda each: FORMAT.embed(each, LATER, UNFORCED), packed(members)) == code


def test_ebooklib_reads_the_name() -> None:
    epub = pytest.importorskip("ebooklib.epub")
    book = epub.EpubBook()
    book.set_identifier("x")
    book.set_title("Act")
    book.set_language("it")
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    file = io.BytesIO()
    epub.write_epub(file, book)
    named = embedded(FORMAT, file.getvalue())
    again = epub.read_epub(io.BytesIO(named))
    values = [value for value, _ in again.get_metadata("DC", "identifier")]
    assert values == ["x", NAME]
    assert again.get_metadata("DC", "title") == [("Act", {})]
    assert restores(file.getvalue(), removed(FORMAT, named))
