"""``lexurn embed``: what is asked, what is said, what is written, and how the run ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from embedding_runs import PAGE, run

if TYPE_CHECKING:
    from pathlib import Path

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
NAME = f"{ACT}@2005-01-01:it"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the run, with a page, a text and a manifest."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "act.html").write_bytes(PAGE)
    (tmp_path / "act.txt").write_bytes(b"x")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "1.html").write_bytes(PAGE)
    (tmp_path / "site" / "2.html").write_bytes(PAGE)
    (tmp_path / "m.csv").write_text(
        f"urn,title@it,url\n{ACT},Legge quadro,\n{NAME},,https://law.example/1.html\n", "utf-8"
    )
    return tmp_path


def test_without_in_place_a_diff_is_shown_and_nothing_written(place: Path) -> None:
    result = run("act.html", "--urn", NAME)
    assert result.exit_code == 0
    assert result.stdout.startswith("--- act.html\n+++ act.html\n@@ -2,6 +2,")
    assert f'+<meta name="DC.identifier" content="{NAME}">' in result.stdout
    assert "Nothing was written" in result.stderr
    assert (place / "act.html").read_bytes() == PAGE
    assert run("act.html", "--urn", NAME, "--diff").stdout == result.stdout


def test_in_place_and_back(place: Path) -> None:
    result = run("act.html", "--urn", NAME, "--in-place")
    assert (result.exit_code, result.stdout) == (0, f"embedded act.html {NAME}\n")
    assert result.stderr == ""
    assert run("act.html", "--urn", NAME, "--in-place").stdout == f"unchanged act.html {NAME}\n"
    assert "-<!-- lexurn:begin -->" in run("--remove", "act.html").stdout
    assert run("--remove", "act.html", "--in-place").stdout == "removed act.html\n"
    assert (place / "act.html").read_bytes() == PAGE


def test_a_manifest_knows_more(place: Path) -> None:
    run("act.html", "--urn", NAME, "--manifest", "m.csv", "--base", "https://x.example", "-o", "o")
    written = (place / "o").read_text("utf-8")
    assert "Legge quadro" in written
    assert "https://x.example/lex/it/" in written
    assert (place / "act.html").read_bytes() == PAGE


def test_a_name_that_the_manifest_has_not_is_said(place: Path) -> None:
    result = run("act.html", "--urn", f"{ACT}-bis", "--manifest", "m.csv", "--in-place")
    assert result.exit_code == 1
    assert "not in the manifest" in result.stderr
    assert (place / "act.html").read_bytes() == PAGE


def test_several_files_go_to_a_folder(place: Path) -> None:
    (place / "out").mkdir()
    result = run("act.html", "site/1.html", "--urn", NAME, "-o", "out")
    assert result.exit_code == 0
    assert sorted(each.name for each in (place / "out").iterdir()) == ["1.html", "act.html"]
    assert (place / "site" / "1.html").read_bytes() == PAGE


def test_an_output_that_is_the_file_itself_is_its_place(place: Path) -> None:
    assert run("act.html", "--urn", NAME, "-o", "./act.html").exit_code == 0
    assert NAME.encode() in (place / "act.html").read_bytes()


def test_the_other_files_are_done_when_one_is_bad(place: Path) -> None:
    (place / "empty.html").touch()
    files = ("none.html", "empty.html", "act.txt", "site", "act.html")
    result = run(*files, "--urn", NAME, "--in-place")
    assert result.exit_code == 1
    assert result.stdout == f"embedded act.html {NAME}\n"
    for file, code in zip(files, ("LX301", "LX312", "LX313", "LX301"), strict=False):
        assert f"{file}: error {code}" in result.stderr


def test_a_name_that_is_none_is_shown_with_its_fault(place: Path) -> None:
    result = run("act.html", "--urn", "urn:lex:it:stato", "--in-place")
    assert result.exit_code == 1
    assert "^" in result.stderr
    assert (place / "act.html").read_bytes() == PAGE


def test_a_level_that_does_not_fit_says_which_would(place: Path) -> None:
    result = run("act.html", "--urn", f"{NAME}$x.it:application-pdf", "--in-place")
    assert result.exit_code == 1
    assert f"try: {NAME}\n" in result.stderr
    assert (place / "act.html").read_bytes() == PAGE


def test_sidecars_on_request(place: Path) -> None:
    assert run("act.txt", "--urn", NAME, "--sidecar", "--in-place").exit_code == 0
    assert not (place / "act.txt.lexurn.ttl").exists()
    assert (place / "act.txt.lexurn.jsonld").is_file()


def test_a_folder_by_a_manifest(place: Path) -> None:
    options = ("--manifest", "m.csv", "--folder", "site", "--site", "https://law.example")
    result = run(*options)
    assert result.exit_code == 0
    assert result.stdout == f"would embed 1.html {NAME}\n2 files: 1 would embed, 1 unnamed\n"
    assert "Nothing was written. Use --in-place to write." in result.stderr
    assert "2.html: note LX392" in result.stderr
    assert "+++ site/1.html" in run(*options, "--diff").stdout
    result = run(*options, "--in-place", "--jobs", "1")
    assert result.stdout == f"embedded 1.html {NAME}\n2 files: 1 embedded, 1 unnamed\n"
    result = run(*options, "--in-place", "--report", "-")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(each["file"], each["done"], each["written"]) for each in lines] == [
        ("1.html", "unchanged", False),
        ("2.html", "unnamed", False),
    ]
    assert lines[1]["findings"][0]["code"] == "LX392"
    result = run("--remove", "--folder", "site", "--in-place")
    assert result.stdout == "removed 1.html\n2 files: 1 removed, 1 unchanged\n"
    assert (place / "site" / "1.html").read_bytes() == PAGE


def test_single_files_by_a_manifest(place: Path) -> None:
    (place / "m.csv").write_text(f"urn,file\n{NAME},site/1.html\n", "utf-8")
    result = run("site/1.html", "site/2.html", "--manifest", "m.csv", "--in-place")
    assert result.exit_code == 1
    assert f"embedded site/1.html {NAME}" in result.stdout
    assert "site/2.html: error LX396" in result.stderr
    assert (place / "site" / "2.html").read_bytes() == PAGE


def test_a_report_is_a_file_of_its_own(place: Path) -> None:
    result = run("act.html", "--urn", NAME, "--in-place", "--report", "r.jsonl")
    assert result.stdout == f"embedded act.html {NAME}\n"
    (line,) = (place / "r.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line) == {
        "file": "act.html",
        "name": NAME,
        "format": "html",
        "done": "embedded",
        "written": True,
        "findings": [],
    }


def test_bad_rows_are_said_and_the_others_done(place: Path) -> None:
    (place / "m.csv").write_text(f"urn,file\n{NAME},1.html\nurn:lex:x,2.html\n", "utf-8")
    result = run("--manifest", "m.csv", "--folder", "site", "--in-place")
    assert result.exit_code == 1
    assert f"embedded 1.html {NAME}" in result.stdout
    assert "m.csv:3" in result.stderr
    assert "1 of 2 rows rejected" in result.stderr
    assert result.stdout.endswith("2 files: 1 embedded, 1 unnamed\n")


def test_many_findings_of_a_kind_are_counted(place: Path) -> None:
    for number in range(30):
        (place / "site" / f"x{number}.html").write_bytes(PAGE)
    result = run("--manifest", "m.csv", "--folder", "site", "--site", "https://law.example")
    assert result.stderr.count("LX392") == 21
    assert "LX392: 11 more of the same" in result.stderr


def test_nothing_in_a_page_steers_the_terminal(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = PAGE.replace(b"Legge", b"a\x1b[2Jb\tc\xe0" + b"x" * 5_000)
    (place / "act.html").write_bytes(page)
    assert b"a\x1b[2Jb\tc\xe0x" in run("act.html", "--urn", NAME).stdout_bytes
    monkeypatch.setattr("lexurn.cli.documents.is_terminal", lambda _: True)
    result = run("act.html", "--urn", NAME)
    assert "\x1b" not in result.stdout
    assert "a\\x1b[2Jb\tc\\xe0x" in result.stdout
    assert max(map(len, result.stdout.splitlines())) < 1_100


DIALECTS = {
    "nir": ("urn:nir:stato:legge:2003-09-21;456", ACT),
    "lexml": ("urn:lex:br:federal:lei:2008-06-19;11705", "urn:lex:br:federal:lei:2008-06-19;11705"),
    "auto": (NAME, NAME),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.usefixtures("place")
def test_a_name_may_be_given_in_a_dialect(dialect: str) -> None:
    text, name = DIALECTS[dialect]
    result = run("act.html", "--urn", text, "--dialect", dialect, "--in-place")
    assert (result.exit_code, result.stdout) == (0, f"embedded act.html {name}\n")


def test_what_is_no_name_in_a_dialect_is_refused(place: Path) -> None:
    result = run("act.html", "--urn", "urn:nir:;", "--dialect", "nir", "--in-place")
    assert result.exit_code == 1
    assert "error LX" in result.stderr
    assert (place / "act.html").read_bytes() == PAGE


@pytest.mark.usefixtures("place")
def test_a_folder_is_no_file() -> None:
    assert "--folder" in run("site", "--urn", NAME).stderr


WRONG = {
    "no name": (["act.html"], "Missing name"),
    "no file": (["--urn", NAME], "Missing FILE"),
    "nothing at all": ([], "Missing name"),
    "a name for a folder": (["--urn", NAME, "--folder", "site"], "its own name"),
    "two places": (["act.html", "--urn", NAME, "--in-place", "-o", "o"], "not both"),
    "a diff that writes": (["act.html", "--urn", NAME, "--in-place", "--diff"], "writes nothing"),
    "a name to remove": (["act.html", "--urn", NAME, "--remove"], "removes names"),
    "files to remove in a folder": (["act.html", "--folder", "site", "--remove"], "--remove takes"),
    "an output for a folder": (["--manifest", "m.csv", "--folder", "site", "-o", "o"], "FILEs"),
    "an output for what a manifest names": (
        ["--manifest", "m.csv", "act.html", "-o", "o"],
        "FILEs",
    ),
    "a folder for what a manifest names": (
        ["--manifest", "m.csv", "act.html", "-o", "site"],
        "FILEs",
    ),
    "several into one": (["act.html", "act.txt", "--urn", NAME, "-o", "o"], "is not a folder"),
    "over another": (["act.html", "act.txt", "--urn", NAME, "-o", "."], None),
    "over a manifest": (
        ["act.html", "--urn", NAME, "--manifest", "m.csv", "-o", "m.csv"],
        "an input file",
    ),
    "a device": (["act.html", "--urn", NAME, "-o", "/dev/null"], "not a regular file"),
    "nothing": (["act.html", "--urn", NAME, "-o", ""], "not a file name"),
    "no folder yet": (["act.html", "--urn", NAME, "-o", "new/"], "folder does not exist"),
    "two to one": (
        ["act.html", "site/act.html", "--urn", NAME, "-o", "site"],
        "would overwrite that of site/act.html",
    ),
    "a report over a file": (
        ["act.html", "--urn", NAME, "--report", "act.html"],
        "must end in .jsonl",
    ),
    "a base that is none": (["act.html", "--urn", NAME, "--base", "x"], "base"),
    "a site that is none": (["--manifest", "m.csv", "--folder", "site", "--site", "x"], "http"),
    "a site without manifest": (["act.html", "--urn", NAME, "--site", "https://x"], "--site"),
    "a folder that is none": (["--manifest", "m.csv", "--folder", "none"], "does not exist"),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.values(), ids=WRONG)
def test_wrong_usage(place: Path, arguments: list[str], message: str | None) -> None:
    (place / "site" / "act.html").write_bytes(PAGE)
    before = {each: each.read_bytes() for each in place.rglob("*") if each.is_file()}
    result = run(*arguments)
    if message is None:  # each file is its own result: nothing is written over
        assert result.exit_code == 1
        return
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert before == {each: each.read_bytes() for each in place.rglob("*") if each.is_file()}


def test_copies_take_the_places_of_other_names_of_the_documents(place: Path) -> None:
    """As in a folder of hard links to two files that are one."""
    (place / "b.html").hardlink_to(place / "act.html")
    for name in ("act.html", "b.html"):
        (place / "site" / name).hardlink_to(place / name)
    result = run("act.html", "b.html", "--urn", NAME, "-o", "site")
    assert (result.exit_code, result.stderr.count("LX307")) == (0, 2)
    for name in ("act.html", "b.html"):
        assert (place / name).read_bytes() == PAGE
        assert NAME.encode() in (place / "site" / name).read_bytes()


def test_help_says_what_it_does() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "--in-place" in result.stdout


def test_what_is_said_of_a_file_is_one_line(place: Path) -> None:
    (place / "a\nb.html").write_bytes(PAGE)
    result = run("a\nb.html", "--urn", NAME, "--in-place")
    assert result.stdout == f"embedded a\\nb.html {NAME}\n"
