"""A folder gets the names that a manifest has for it; runs can be cut off and run again."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from embedding_runs import PAGE
from folder_runs import SITE, WRITES, kinds, make_site, many, name, run
from hypothesis import given
from hypothesis import strategies as st

from lexurn.documents import (
    DocumentError,
    EmbedOptions,
    Outcome,
    OutcomeStatus,
    embed_folder,
    outcome_to_json,
    parse_site,
    remove_folder,
)
from lexurn.manifest import open_manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_site(tmp_path)


def code(outcome: Outcome) -> str:
    return outcome.findings[0].code


ROWS = [
    (name(1), f"{SITE}/1.html", ""),
    (name(2), "", "a b/2.html"),
    (name(3), f"{SITE}/3/", ""),
]


def test_files_get_the_names_that_rows_say(folder: Path) -> None:
    outcomes = run(folder, ROWS)
    assert kinds(outcomes) == dict.fromkeys(("1.html", "3/index.html", "a b/2.html"), "embedded")
    for number, file in ((1, "1.html"), (2, "a b/2.html"), (3, "3/index.html")):
        assert f'content="{name(number)}"'.encode() in (folder / file).read_bytes()
    again = run(folder, ROWS)
    assert set(kinds(again).values()) == {"unchanged"}
    assert not any(each.is_written for each in again.values())
    assert {str(each.status) for each in remove_folder(folder, options=WRITES, workers=1)} == {
        "removed"
    }
    assert (folder / "1.html").read_bytes() == PAGE


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("HTTPS://LAW.example/acts/1.html", "1.html"),
        (f"{SITE}/a%20b/2.html", "a b/2.html"),
        (f"{SITE}/3", "3/index.html"),
        (f"{SITE}/1.html#art1", "1.html"),
    ],
)
def test_urls_are_paths(folder: Path, url: str, file: str) -> None:
    outcomes = run(folder, [(name(1), url, "")])
    assert outcomes[file].status is OutcomeStatus.EMBEDDED


@pytest.mark.parametrize("url", [f"{SITE}/1.html?v=2", "https://law.example/1.html", f"{SITE}x/1"])
def test_urls_elsewhere_are_no_files(folder: Path, url: str) -> None:
    outcomes = run(folder, [(name(1), url, "")])
    assert code(outcomes["."]) == "LX394"
    assert outcomes["1.html"].status is OutcomeStatus.UNNAMED


WAYS = [
    "HTTPS://LAW.example:443/acts/1.html",
    "https://law.example/acts/%31.html#art1",
]


@pytest.mark.parametrize("url", WAYS)
def test_urls_of_one_file_may_be_written_in_many_ways(folder: Path, url: str) -> None:
    assert run(folder, [(name(1), url, "")])["1.html"].status is OutcomeStatus.EMBEDDED


@pytest.mark.parametrize(
    "url",
    [
        "https://law.example:8443/acts/1.html",
        "http://law.example/acts/1.html",
        "https://other.example:99999/acts/1.html",
        "https://law.example//acts/1.html",
    ],
)
def test_other_hosts_are_elsewhere(folder: Path, url: str) -> None:
    assert run(folder, [(name(1), url, ""), ROWS[1]])["1.html"].status is OutcomeStatus.UNNAMED
    assert parse_site(SITE).find_path(url) is None


def test_a_url_with_a_query_is_told_of(folder: Path) -> None:
    url = f"{SITE}/1.html?x=1"
    outcomes = run(folder, [(name(1), url, ""), ROWS[1]])
    assert (code(outcomes[url]), outcomes[url].is_good) == ("LX398", True)
    assert outcomes[url].status is OutcomeStatus.ABSENT
    assert outcomes["1.html"].status is OutcomeStatus.UNNAMED


@pytest.mark.parametrize(
    "url",
    [
        f"{SITE}//1.html",
        f"{SITE}/%2e/1.html",
        f"{SITE}/%2e%2e/1.html",
        f"{SITE}/x/../1.html",
        "https://law.example/../acts/1.html",
        f"{SITE}/a%2F1.html",
        f"{SITE}/a%001.html",
        f"{SITE}/../../1.html",
        "https://law.example:99999/acts/1.html",
    ],
)
def test_urls_that_lead_out_are_refused(folder: Path, url: str) -> None:
    outcomes = run(folder, [(name(1), url, ""), ROWS[1]])
    assert (code(outcomes[url]), outcomes[url].is_good) == ("LX393", False)
    assert outcomes[url].findings[0].line == 2
    assert outcomes["a b/2.html"].status is OutcomeStatus.EMBEDDED


def test_nothing_is_written_when_it_is_only_asked_for(folder: Path) -> None:
    outcomes = run(folder, ROWS, EmbedOptions())
    assert set(kinds(outcomes).values()) == {"embedded"}
    assert not any(each.is_written for each in outcomes.values())
    assert (folder / "1.html").read_bytes() == PAGE


def test_rows_without_file_and_files_without_row_are_said(folder: Path) -> None:
    outcomes = run(folder, [ROWS[0], (name(9), "", "no/nix.html")])
    absent = outcomes["no/nix.html"]
    assert (absent.status, code(absent), absent.is_good) == (OutcomeStatus.ABSENT, "LX390", False)
    assert "m.csv:3" in absent.findings[0].message
    for file in ("a b/2.html", "3/index.html"):
        assert (outcomes[file].status, code(outcomes[file])) == (OutcomeStatus.UNNAMED, "LX392")
        assert outcomes[file].is_good
    assert "x.png" not in outcomes


def test_a_row_that_names_a_folder_is_told_of_by_its_path(folder: Path) -> None:
    outcome = run(folder, [(name(1), "", "3")])["3"]
    assert (code(outcome), outcome.findings[0].file) == ("LX301", str(folder / "3"))


def test_two_names_for_a_file_are_refused(folder: Path) -> None:
    outcomes = run(folder, [ROWS[0], (name(9), "", "1.html"), ROWS[1]])
    contested = outcomes["1.html"]
    assert (contested.status, code(contested)) == (OutcomeStatus.REFUSED, "LX391")
    assert f"{name(9)} ({folder.parent}/m.csv:3)" in contested.findings[0].message
    assert (folder / "1.html").read_bytes() == PAGE
    assert outcomes["a b/2.html"].status is OutcomeStatus.EMBEDDED


def test_a_file_stated_at_several_levels_has_the_lowest_name(folder: Path) -> None:
    version = f"{name(1)}@2005-01-01:it"
    form = f"{version}$x.it:text-html"
    rows = [(each, f"{SITE}/1.html", "1.html") for each in (form, name(1), version)]
    outcomes = run(folder, rows)
    assert str(outcomes["1.html"].name) == form


def test_an_alias_and_its_name_are_one(folder: Path) -> None:
    table = folder.with_name("m.csv")
    table.write_text(
        f"urn,alias_of,file\n{name(1)},,1.html\n{name('1-bis')},{name(1)},1.html\n", "utf-8"
    )
    with open_manifest(table) as manifest:
        outcomes = list(embed_folder(manifest.families(), folder, workers=1))
    assert [(each.file, str(each.name)) for each in outcomes[:1]] == [("1.html", name(1))]


def test_links_are_followed_inside_and_refused_outside(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out.html").write_bytes(PAGE)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x.html").write_bytes(PAGE)
    (folder / "in.html").symlink_to("1.html")
    (folder / "out.html").symlink_to("../out.html")
    (folder / "out").symlink_to("../out")
    files = ("in.html", "out.html", "out/x.html")
    outcomes = run(folder, [(name(n), "", file) for n, file in enumerate(files)])
    assert outcomes["in.html"].status is OutcomeStatus.EMBEDDED
    assert (folder / "in.html").is_symlink()
    for file in files[1:]:
        assert (outcomes[file].status, code(outcomes[file])) == (OutcomeStatus.REFUSED, "LX306")
    assert (tmp_path / "out.html").read_bytes() == PAGE
    assert (tmp_path / "out" / "x.html").read_bytes() == PAGE


def test_two_ways_to_one_file_are_one_file(folder: Path) -> None:
    (folder / "in.html").symlink_to("1.html")
    outcomes = run(folder, [(name(1), "", "1.html"), (name(9), "", "in.html")])
    assert [code(each) for each in outcomes.values() if not each.is_good] == ["LX391"]
    assert (folder / "1.html").read_bytes() == PAGE


def test_one_bad_file_does_not_stop_the_others(folder: Path) -> None:
    (folder / "1.html").write_bytes(b"")
    os.truncate(folder / "3" / "index.html", 0)
    outcomes = run(folder, ROWS)
    assert code(outcomes["1.html"]) == "LX312"
    assert outcomes["a b/2.html"].status is OutcomeStatus.EMBEDDED


def test_names_that_do_not_fit_are_said(folder: Path) -> None:
    form = f"{name(1)}@2005-01-01:it$x.it:application-pdf"
    outcomes = run(folder, [(form, f"{SITE}/1.html", "")])
    assert code(outcomes["1.html"]) == "LX310"


def test_only_some_files_can_be_meant(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.html"
    other.write_bytes(PAGE)
    meant = [folder / "1.html", folder / "x.png", other, folder / "gone.html"]
    outcomes = run(folder, ROWS, only=meant)
    assert outcomes["1.html"].status is OutcomeStatus.EMBEDDED
    assert [code(outcomes[str(each)]) for each in meant[1:]] == ["LX396", "LX396", "LX301"]
    assert (folder / "a b" / "2.html").read_bytes() == PAGE


def test_sidecars_of_a_folder_come_and_go(folder: Path) -> None:
    rows = [*ROWS, (name(4), "", "x.png")]
    before = sorted(folder.rglob("*"))
    assert code(run(folder, rows)["x.png"]) == "LX313"
    outcomes = run(folder, rows, EmbedOptions(writes=True, takes_sidecars=True))
    assert outcomes["x.png"].status is OutcomeStatus.SIDECAR
    assert (folder / "x.png.lexurn.jsonld").is_file()
    gone = {
        each.file: str(each.status) for each in remove_folder(folder, options=WRITES, workers=1)
    }
    assert gone["x.png"] == "sidecar"
    assert sorted(folder.rglob("*")) == before


def test_a_file_that_may_not_be_looked_at_is_not_absent(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "lstat", refuse)
    assert run(folder, ROWS)["1.html"].status is OutcomeStatus.EMBEDDED


def test_what_a_killed_run_left_is_said(folder: Path) -> None:
    part = folder / f".1.html.{'0' * 16}.part"
    part.touch()
    outcomes = run(folder, ROWS)
    assert code(outcomes[part.name]) == "LX395"
    assert part.exists()


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="does not exist"):
        list(embed_folder([], tmp_path / "none"))
    (tmp_path / "file").touch()
    with pytest.raises(DocumentError, match="it is not a folder"):
        list(remove_folder(tmp_path / "file"))


def test_files_whose_names_are_no_text_are_files(folder: Path) -> None:
    try:
        (folder / os.fsdecode(b"citt\xe0.html")).write_bytes(PAGE)
    except OSError:
        pytest.skip("this disk takes text alone")
    outcomes = run(folder, [(name(1), f"{SITE}/citt%E0.html", "")])
    assert outcomes[os.fsdecode(b"citt\xe0.html")].status is OutcomeStatus.EMBEDDED
    for each in outcomes.values():
        assert json.loads(outcome_to_json(each))["file"]


def test_progress_is_told(folder: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    run(folder, ROWS, on_progress=lambda *each: told.append(each))
    assert told == [("embedding", 3, 3)]


def test_what_an_interruption_leaves_is_put_away(folder: Path) -> None:
    rows = many(folder, 100)
    table = folder.with_name("m.csv")
    run(folder, rows, EmbedOptions())
    with open_manifest(table) as manifest:
        outcomes = embed_folder(manifest.families(), folder, options=WRITES, workers=1)
        next(outcomes)
        part = folder / f".5.htm.{'0' * 16}.part"
        part.touch()
        other = folder / f".99.htm.{'0' * 16}.part"
        other.touch()
        outcomes.close()
    assert not part.exists()
    assert other.exists(), "it is not known to be of this run"
    part.touch()
    with open_manifest(table) as manifest:
        outcomes = embed_folder(manifest.families(), folder, options=EmbedOptions(), workers=1)
        next(outcomes)
        outcomes.close()
    assert part.exists(), "a run that only looks deletes nothing"
    part.unlink()
    assert set(kinds(run(folder, rows)).values()) <= {"embedded", "unchanged", "unnamed"}


@given(st.text(max_size=30))
def test_any_url_is_below_the_site_or_not(text: str) -> None:
    site = parse_site(SITE)
    try:
        path = site.find_path(f"{SITE}/{text}")
    except ValueError:
        return
    if path is not None:
        assert not {"", ".", ".."}.intersection(path.split("/"))


@pytest.mark.parametrize(
    "url", ["law.example", "ftp://law.example", "https://x/?a", "https://x/#a"]
)
def test_a_site_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"http|query"):
        parse_site(url)


def test_removal_finds_documents_by_what_is_in_them_too(folder: Path) -> None:
    for file in ("1.shtml", "plain"):
        (folder / file).write_bytes(PAGE)
    run(folder, [(name(1), "", "1.shtml"), (name(2), "", "plain")])
    done = {each.file: each.status for each in remove_folder(folder, options=WRITES)}
    assert (done["1.shtml"], done["plain"]) == (OutcomeStatus.REMOVED, OutcomeStatus.REMOVED)
    assert (folder / "plain").read_bytes() == (folder / "1.shtml").read_bytes() == PAGE
    assert "x.png" not in done


def test_a_file_and_links_to_it_are_one_file_to_be_restored(folder: Path) -> None:
    (folder / "0.html").symlink_to("1.html")
    run(folder, ROWS)
    done = [each.status for each in remove_folder(folder, options=WRITES)]
    assert done == [OutcomeStatus.REMOVED] * 3
    assert (folder / "1.html").read_bytes() == PAGE


def test_a_folder_that_cannot_be_read_is_told_of(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = folder / "a b"
    real = os.scandir

    def refuse(path: str | int) -> object:
        if not isinstance(path, int) and Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(closed))
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    for outcomes in (remove_folder(folder), run(folder, ROWS[:1]).values()):
        (told,) = [each for each in outcomes if each.status is OutcomeStatus.REFUSED]
        assert (told.file, code(told)) == (str(closed), "LX301")


def test_a_url_that_no_disk_can_hold_is_refused_and_stops_nothing(folder: Path) -> None:
    long = "a" * 300
    outcomes = run(folder, [*ROWS, (name(4), f"{SITE}/{long}.html", "")])
    refused = outcomes[f"{long}.html"]
    assert (refused.status, code(refused)) == (OutcomeStatus.REFUSED, "LX301")
    assert outcomes["1.html"].status is OutcomeStatus.EMBEDDED


def test_a_file_of_others_called_like_a_sidecar_is_no_leftover(folder: Path) -> None:
    (folder / "gone.bin.lexurn.jsonld").write_text("<a:b> <a:c> <a:d> .", "utf-8")
    assert "gone.bin.lexurn.jsonld" not in run(folder, ROWS)
