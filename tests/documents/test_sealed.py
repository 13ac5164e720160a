"""Signed and encrypted files take no name; files beside them say it where that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from embedding_zip_cases import EPUB2, META, ODT, packed
from pdf_files import OBJECTS, TRAILER, VERSION, table_file

from lexurn.documents import DocumentError, OutcomeStatus, embed, extract, remove

if TYPE_CHECKING:
    from pathlib import Path

SIGNATURE = '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo/></Signature>'
ENCRYPTED = (
    '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    '<file-entry full-path="content.xml" media-type="text/xml"><encryption-data/></file-entry>'
    "</manifest>"
)
SEALED = {
    "signed.pdf": table_file({**OBJECTS, 5: b"<< /Type /Sig /ByteRange [0 1 2 3] >>"}),
    "encrypted.pdf": table_file(trailer=TRAILER + b" /Encrypt << /Filter /Standard >>"),
    "signed.xml": (
        '<NIR xmlns="http://www.normeinrete.it/nir/2.2/"><Legge><meta><descrittori><urn/>'
        f"</descrittori></meta></Legge>{SIGNATURE}</NIR>"
    ).encode(),
}

BOOK = "EPUB/book.opf"
PLACELESS = {
    "without meta.odt": (
        packed({name: text for name, text in ODT.items() if name != "meta.xml"}),
        r"LX369.*LibreOffice",
    ),
    "empty meta.odt": (
        packed({**ODT, "meta.xml": META[: META.index("><office:meta>")] + "/>"}),
        r"LX369.*LibreOffice",
    ),
    "old.epub": (
        packed({**EPUB2, BOOK: EPUB2[BOOK].replace("</metadata>", "<dc-metadata/></metadata>")}),
        r"LX369.*EPUB 3",
    ),
    "noscript.html": (
        b"<head>\n<noscript><img></noscript><meta charset=koi8-r></head>",
        r"LX325.*declared after a noscript",
    ),
    "late.html": (b"<p><meta charset=koi8-r>", r"LX325.*after the place for tags"),
}


@pytest.mark.parametrize(("name", "case"), PLACELESS.items(), ids=PLACELESS)
def test_files_without_a_place_are_read_and_take_no_name(
    name: str, case: tuple[bytes, str], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(case[0])
    with pytest.raises(DocumentError, match=case[1]) as error:
        embed(path, VERSION.name)
    assert "valid" not in str(error.value)
    assert (extract(path).name, extract(path).is_good) == (None, True)
    assert remove(path).status is OutcomeStatus.UNCHANGED


SEALED |= {name: data for name, (data, _) in PLACELESS.items()}


@pytest.mark.parametrize(("name", "data"), SEALED.items(), ids=SEALED)
def test_files_beside_say_the_name(name: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(DocumentError, match=r"--sidecar"):
        embed(path, VERSION.name)
    assert embed(path, VERSION.name, sidecar=True).status is OutcomeStatus.SIDECAR
    assert embed(path, VERSION.name, sidecar=True).status is OutcomeStatus.UNCHANGED
    assert path.read_bytes() == data
    assert len(list(tmp_path.iterdir())) == 2
    found = extract(path)
    assert (found.name, found.is_good) == (VERSION.name, True)
    assert remove(path).status is OutcomeStatus.SIDECAR
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_force_puts_the_name_in_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "signed.pdf"
    path.write_bytes(SEALED["signed.pdf"])
    assert embed(path, VERSION.name, sidecar=True, force=True).status is OutcomeStatus.EMBEDDED
    assert [each.name for each in tmp_path.iterdir()] == ["signed.pdf"]


def test_an_encrypted_container_loses_its_sidecars_and_what_is_in_it_stays(tmp_path: Path) -> None:
    path = tmp_path / "act.odt"
    path.write_bytes(packed({**ODT, "META-INF/manifest.xml": ENCRYPTED}))
    assert embed(path, VERSION.name, sidecar=True).status is OutcomeStatus.SIDECAR
    outcome = remove(path)
    assert (outcome.status, [each.code for each in outcome.findings]) == (
        OutcomeStatus.SIDECAR,
        ["LX359"],
    )
    assert [each.name for each in tmp_path.iterdir()] == ["act.odt"]


def test_a_document_signed_after_the_name_came_does_not_lose_it_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "act.xml"
    path.write_bytes(SEALED["signed.xml"].replace(SIGNATURE.encode(), b""))
    embed(path, VERSION.name)
    path.write_bytes(path.read_bytes().replace(b"</NIR>", f"{SIGNATURE}</NIR>".encode()))
    with pytest.raises(DocumentError, match="LX339"):
        remove(path)
