"""Real PDF files, as programs make them: ``LEXURN_DOCUMENTS`` names a folder of them.

A name goes in, is read by us and by others, and comes out again; no checker finds more at fault
than before. At least 30 files should be there, of several programs, some of them PDF/A.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from pdf_files import FILE_FORM, VERSION, change, embedded, removed

from lexurn.documents import DocumentError, document_from_bytes
from lexurn.documents.formats.pdf import FORMAT

FOLDER = os.environ.get("LEXURN_DOCUMENTS")
FILES = sorted(Path(FOLDER).rglob("*.pdf")) if FOLDER else []
NAME = str(VERSION.name)
JARS = Path("/usr/share/java")
CHECKER = (
    *("preflight", "pdfbox2", "fontbox2", "xmpbox"),
    *("commons-logging", "javax.activation", "jaxb-api"),
)

pytestmark = pytest.mark.skipif(not FOLDER, reason="LEXURN_DOCUMENTS names no folder")


def test_there_are_enough() -> None:
    assert len(FILES) >= 30


@pytest.fixture(params=FILES, ids=lambda path: path.name)
def old(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def new(old: Path, tmp_path: Path) -> Path:
    try:
        data = embedded(old.read_bytes())
    except DocumentError as error:
        if error.finding.code in {"LX346", "LX347", "LX348", "LX350"}:
            pytest.skip(str(error))
        raise
    path = tmp_path / "act.pdf"
    path.write_bytes(data)
    return path


def test_in_again_other_and_out(old: Path, new: Path) -> None:
    before, data = old.read_bytes(), new.read_bytes()
    assert data.startswith(before)
    assert not change(data).edits
    assert embedded(data, FILE_FORM) == embedded(before, FILE_FORM)
    assert removed(data) == before
    # A file may be in another language.
    assert {each.code for each in change(before).findings} <= {"LX337"}


def test_all_is_read_again(old: Path, new: Path) -> None:
    before = FORMAT.read(document_from_bytes(old.read_bytes()))
    after = FORMAT.read(document_from_bytes(new.read_bytes()))
    assert not before.findings + after.findings
    assert [each for each in after.statements if not each.is_embedded] == list(before.statements)
    ours = {
        each.term.rpartition("/")[2]: each.value for each in after.statements if each.is_embedded
    }
    assert ours["identifier"] == NAME
    assert ours["versionIdentifier"] == "2005-01-01"


def output(*command: str | Path) -> str:
    program = str(command[0])
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    result = subprocess.run(
        command, capture_output=True, text=True, errors="replace", timeout=120, check=False
    )
    return result.stdout + result.stderr


def test_exiftool_shows_what_it_showed_and_the_name(old: Path, new: Path) -> None:
    before, after = (json.loads(output("exiftool", "-json", "-G1", path))[0] for path in (old, new))
    assert after["XMP-dc:Identifier"] == NAME
    # A wrong count of objects is put right on the way.
    assert after.get("ExifTool:Warning") in {before.pop("ExifTool:Warning", None), None}
    own = {"XMP-dc:Language", "SourceFile", "PDF:Linearized"}
    for key, value in before.items():
        is_kept = value != ""  # what was blank gives way
        if is_kept and not key.startswith(("File:", "System:")) and key not in own:
            assert after[key] == value


def test_pdfinfo_says_the_same(old: Path, new: Path) -> None:
    before, after = (output("pdfinfo", path).splitlines() for path in (old, new))
    ours = ("File size", "Optimized", "Metadata Stream")
    kept = [each for each in before if not each.startswith(ours)]
    assert [each for each in after if not each.startswith(ours)] == kept
    assert NAME in output("pdfinfo", "-meta", new)


def test_qpdf_and_mutool_find_no_fault(old: Path, new: Path) -> None:
    before, after = (
        re.sub(r"(?m)^.*[Ll]ineariz.*\n", "", output("qpdf", "--check", path)).replace(
            str(path), ""
        )
        for path in (old, new)
    )
    # What is wrong with how a file is linearised is no matter any more.
    assert after == before or "WARNING" not in after
    assert output("mutool", "info", new).count("error") == output("mutool", "info", old).count(
        "error"
    )


def test_pdf_a_stays_pdf_a(old: Path, new: Path) -> None:
    """PDFBox checks PDF/A-1b; of later parts it finds more at fault, but no more than before."""
    jars = [JARS / f"{each}.jar" for each in CHECKER]
    if not all(each.exists() for each in jars) or "pdfaid" not in output("pdfinfo", "-meta", old):
        pytest.skip("no PDF/A, or no checker")
    command = (
        *("java", "-Duser.language=en", "-cp", ":".join(map(str, jars))),
        "org.apache.pdfbox.preflight.Validator_A1b",
    )
    # without the times of its log
    before, after = (
        re.sub(r"(?m)^[A-Z][a-z]{2} \d.*\n", "", output(*command, path).replace(path.name, ""))
        for path in (old, new)
    )
    assert "alid PDF/A-1b file" in before
    faults = re.findall(r"(?m)^([0-9.]+) : ", before)
    if any(not each.startswith("7.11") for each in faults):
        pytest.skip("the checker finds the file at fault as it was")
    assert after == before
