"""Programs of others read what lexurn put into PDF, and find no fault with the files."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from pdf_files import FILES, ORIGINAL, VERSION, embedded, removal

from lexurn.documents import DocumentError, document_from_bytes
from lexurn.documents.formats.pdf import FORMAT

if TYPE_CHECKING:
    from pathlib import Path

NAME = str(VERSION.name)
DC = "http://purl.org/dc/elements/1.1/"


def run(*command: str | Path) -> str:
    program = str(command[0])
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(params=FILES.values(), ids=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "act.pdf"
    path.write_bytes(embedded(request.param))
    (tmp_path / "before.pdf").write_bytes(request.param)
    return path


def exiftool(path: Path) -> dict[str, Any]:
    (found,) = json.loads(run("exiftool", "-json", "-G", "-struct", path))
    assert isinstance(found, dict)
    return found


def test_exiftool_shows_the_name(path: Path) -> None:
    found, before = exiftool(path), exiftool(path.with_name("before.pdf"))
    if "ExifTool:Warning" in before or before.get("File:FileType") != "PDF":
        pytest.skip("exiftool does not know how to read the file as it was")
    assert found["XMP:Identifier"] == NAME
    assert found["XMP:VersionIdentifier"] == "2005-01-01"
    assert set(found["XMP:Relation"]) == {iri for _, iri in VERSION.relations}
    assert found["XMP:Language"] == before.get("XMP:Language", ["it"])
    assert "ExifTool:Warning" not in found


def test_pdfinfo_shows_the_name(path: Path) -> None:
    text = run("pdfinfo", "-meta", path)
    assert NAME in "".join(ET.fromstring(text).itertext())  # noqa: S314 - ours


def test_qpdf_finds_no_fault(path: Path) -> None:
    run("qpdf", "--warning-exit-0", "--check", path)


def test_mutool_reads_the_name(path: Path) -> None:
    assert NAME in run("mutool", "show", "-b", path, "trailer/Root/Metadata")


PROGRAMS = {"qpdf": ("qpdf", "--warning-exit-0"), "mutool": ("mutool", "clean")}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_no_second_name_goes_into_a_file_that_another_program_saved(
    path: Path, program: tuple[str, ...]
) -> None:
    saved = path.with_name("saved.pdf")
    run(*program, path, saved)
    data = saved.read_bytes()
    with pytest.raises(DocumentError, match="LX362"):
        embedded(data, ORIGINAL)
    said = FORMAT.read(document_from_bytes(embedded(data))).statements
    assert [each.term for each in said if each.value == NAME] == [f"{DC}identifier"]
    assert [each.code for each in removal(data).findings] == ["LX368"]
