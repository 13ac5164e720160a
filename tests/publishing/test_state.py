"""Further runs of publish: what has changed is written, and names that left the input stay."""

from __future__ import annotations

import datetime as dt
import gzip
import re
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from publish_run import fault
from site_runs import tree

from lexurn import parse
from lexurn.catalogue import LoadOptions, load_manifest, open_catalogue
from lexurn.errors import PublishError
from lexurn.manifest import open_manifest
from lexurn.pages import locate_folder
from lexurn.publishing import inspect_site, publish
from lexurn.publishing.left_names import read_replaced

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.publishing import PublishReport

BASE = "https://law.example"
HEADER = "urn,title@it,issued,amended_by,also_named"
ONE = "urn:lex:it:stato:legge:2001-01-05;1"
TWO = "urn:lex:it:stato:legge:2002-02-05;2"
THREE = "urn:lex:it:stato:decreto:2003-03-05;3"
ROWS = {
    ONE: f"{ONE},Prima legge,2001-01-05,,",
    f"{ONE}@2001-01-05:it": f"{ONE}@2001-01-05:it,,,,",
    TWO: f"{TWO},Seconda legge,2002-02-05,,",
    THREE: f"{THREE},Un decreto,2003-03-05,,",
}


def run(folder: Path, rows: dict[str, str] | None = None, **options: object) -> PublishReport:
    table = folder / "acts.csv"
    header = options.pop("header", HEADER)
    table.write_text("\n".join([str(header), *(ROWS if rows is None else rows).values(), ""]))
    settings = {"base": BASE, "as_of": "2026-01-01", "workers": 1, **options}
    return publish(table, folder / "site", **settings)  # type: ignore[arg-type]


def read_page(folder: Path, name: str) -> str:
    page = folder.joinpath("site", *locate_folder(parse(name)), "index.html")
    return page.read_text(encoding="utf-8")


def read_statements(folder: Path) -> str:
    return gzip.decompress((folder / "site/catalogue.nq.gz").read_bytes()).decode()


@pytest.mark.parametrize("is_there", [True, False])
def test_a_dry_run_touches_nothing(tmp_path: Path, *, is_there: bool) -> None:
    if is_there:
        run(tmp_path)
    before = tree(tmp_path / "site") if is_there else {}
    rows = {**ROWS, TWO: f"{TWO},Seconda legge (rettificata),2002-02-05,,"}
    del rows[THREE]
    rows["bad"] = "not a name,,,,"
    report = run(tmp_path, rows, dry_run=True)
    assert (report.published, report.written, report.rejected) == (True, 0, 1)
    assert len(report.kept_names) == (1 if is_there else 0)
    assert (tree(tmp_path / "site") if is_there else {}) == before
    assert (tmp_path / "site").exists() is is_there


def test_a_dry_run_needs_no_state(tmp_path: Path) -> None:
    run(tmp_path)
    (tmp_path / "site/.lexurn-site.sqlite").unlink()
    before = tree(tmp_path / "site")
    assert run(tmp_path, dry_run=True).published
    assert tree(tmp_path / "site") == before


def list_changes(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {path for path in before | after if before.get(path) != after.get(path)}


def drop(*names: str) -> dict[str, str]:
    return {name: row for name, row in ROWS.items() if name not in names}


def test_a_changed_row_changes_only_what_depends_on_it(tmp_path: Path) -> None:
    run(tmp_path)
    before = tree(tmp_path / "site")
    report = run(tmp_path, ROWS | {TWO: f"{TWO},Altra legge,2002-02-05,,"})
    changed = list_changes(before, tree(tmp_path / "site"))
    assert report.written == len(changed)
    folders = {path.rpartition("/")[0] for path in changed}
    # The act, the list that it is in, and the files at the top.
    assert folders == {"lex/it/stato/legge/2002-02-05;2", "lex/it/stato/legge", ""} | (
        folders & {"lex", "lex/it", "lex/it/stato"}
    )


def test_the_order_of_rows_and_new_rows_elsewhere_touch_nothing(tmp_path: Path) -> None:
    run(tmp_path)
    before = tree(tmp_path / "site")
    report = run(tmp_path, dict(reversed(ROWS.items())))
    assert (report.written, tree(tmp_path / "site")) == (0, before)


def test_each_run_gives_the_site_of_a_first_run(tmp_path: Path) -> None:
    run(tmp_path, drop(TWO))
    run(tmp_path, ROWS | {THREE: f"{THREE},Un decreto,2003-03-05,,"})
    calm = tmp_path / "calm"
    calm.mkdir()
    run(calm)
    assert tree(tmp_path / "site") == tree(calm / "site")


def test_a_page_links_to_a_name_as_soon_as_it_is_there(tmp_path: Path) -> None:
    treaty = f"{ONE},Prima legge,2001-01-05,,{TWO}"
    link = 'legge/2002-02-05;2/index.html"'
    run(tmp_path, drop(TWO) | {ONE: treaty})
    assert link not in read_page(tmp_path, ONE)
    run(tmp_path, ROWS | {ONE: treaty})
    assert 'href="../2002-02-05;2/index.html"' in read_page(tmp_path, ONE)


def test_an_act_lists_what_it_amends_as_soon_as_that_says_so(tmp_path: Path) -> None:
    run(tmp_path)
    assert "2001-01-05;1/index.html" not in read_page(tmp_path, TWO)
    run(tmp_path, ROWS | {ONE: f"{ONE},Prima legge,2001-01-05,{TWO},"})
    assert "2001-01-05;1/index.html" in read_page(tmp_path, TWO)
    run(tmp_path)
    assert "2001-01-05;1/index.html" not in read_page(tmp_path, TWO)


def test_a_name_that_left_the_input_keeps_its_page(tmp_path: Path) -> None:
    run(tmp_path)
    report = run(tmp_path, drop(TWO))
    assert (report.left_names, report.nodes) == ([TWO], 3)
    assert TWO in (tmp_path / "site/report.html").read_text(encoding="utf-8")
    assert "Questo nome non è più nell’elenco" in read_page(tmp_path, TWO)
    assert "#Withdrawn" in "".join(
        line for line in read_statements(tmp_path).splitlines() if TWO in line
    )
    before = tree(tmp_path / "site")
    again = run(tmp_path, drop(TWO))
    assert (again.left_names, again.written, tree(tmp_path / "site")) == ([], 0, before)
    run(tmp_path)
    assert "non più usato" not in read_page(tmp_path, TWO)


def test_a_version_that_left_the_input_stays_under_its_act(tmp_path: Path) -> None:
    version = f"{ONE}@2001-01-05:it"
    run(tmp_path)
    assert run(tmp_path, drop(version)).left_names == [version]
    assert "non più usato" in read_page(tmp_path, version)
    assert "non più usato" not in read_page(tmp_path, ONE)
    run(tmp_path)
    assert "non più usato" not in read_page(tmp_path, version)


def test_where_rows_were_rejected_missing_names_stay_as_they_were(tmp_path: Path) -> None:
    run(tmp_path)
    before = tree(tmp_path / "site/lex")
    report = run(tmp_path, drop(TWO) | {"bad": f"{TWO}x;;,Seconda legge,2002-02-05,,"})
    assert (report.rejected, report.kept_names, report.left_names) == (1, [TWO], [])
    assert tree(tmp_path / "site/lex") == before
    assert TWO in read_statements(tmp_path)


def test_where_the_row_of_an_act_with_versions_was_rejected_it_stays_as_it_was(
    tmp_path: Path,
) -> None:
    run(tmp_path)
    before = tree(tmp_path / "site/lex")
    report = run(tmp_path, drop(ONE) | {"bad": "urn:lex:it:stato:legge:2001-13-05;1,Prima,,,"})
    assert (report.rejected, report.kept_names) == (1, [ONE])
    assert tree(tmp_path / "site/lex") == before


def test_a_row_that_left_while_another_was_rejected_is_noticed_later(tmp_path: Path) -> None:
    run(tmp_path)
    bad = drop(ONE, TWO) | {
        "one": "urn:lex:it:stato:legge:2001-13-05;1,Prima,,,",
        "two": "urn:lex:it:stato:legge:2002-13-05;2,Seconda,,,",
    }
    first = run(tmp_path, bad)
    again = run(tmp_path, bad)
    assert (first.kept_names, again.kept_names, again.written) == ([ONE, TWO], [ONE, TWO], 0)
    assert (first.counts, first.results) == (again.counts, again.results)
    assert run(tmp_path, drop(ONE, TWO)).left_names == [TWO]
    assert "Prima legge" not in read_page(tmp_path, ONE)


BAD = {"bad": "urn:lex:it:stato:legge:2001-13-05;9,Prima,,,"}
WORSE = {"worse": "urn:lex:it:stato:legge:2001-14-05;9,Seconda,,,"}


@pytest.mark.parametrize(
    ("runs", "kept", "left"),
    [
        ([ROWS | BAD, drop(TWO) | BAD], [], [TWO]),
        ([ROWS | BAD, drop(ONE) | BAD], [], []),  # a version of it is there: no name has left
        ([ROWS | BAD, drop(TWO) | BAD | WORSE], [TWO], []),
        # Its own row may be the one that became bad, in this run or the next.
        ([ROWS | BAD, drop(TWO) | BAD | WORSE, drop(TWO) | BAD | WORSE], [TWO], []),
        ([ROWS, drop(TWO) | BAD, drop(TWO) | WORSE], [TWO], []),
        ([ROWS | BAD, drop(TWO) | BAD | WORSE, drop(TWO) | BAD], [], [TWO]),
        ([ROWS | BAD, drop(TWO) | BAD | WORSE, drop(TWO, THREE) | BAD | WORSE], [TWO], [THREE]),
        ([ROWS | BAD, drop(TWO) | BAD | {"again": BAD["bad"]}], [TWO], []),
        ([ROWS | BAD, ROWS, drop(TWO) | BAD], [TWO], []),
        # Nobody can tell which of several acts the row was.
        ([ROWS, drop(TWO, THREE) | BAD], [THREE, TWO], []),
        ([ROWS, drop(TWO, THREE) | BAD | WORSE], [THREE, TWO], []),
        ([ROWS | BAD, drop(TWO, THREE) | BAD | WORSE], [THREE, TWO], []),
        ([ROWS, drop(TWO) | BAD, drop(TWO, THREE) | BAD | WORSE], [THREE, TWO], []),
        ([ROWS, drop(TWO) | BAD, drop(TWO, THREE) | WORSE], [THREE, TWO], []),
        ([ROWS, drop(TWO) | BAD, drop(TWO, ONE) | BAD], [TWO], []),
    ],
)
def test_a_row_that_was_rejected_beside_a_name_does_not_keep_that_name(
    tmp_path: Path, runs: list[dict[str, str]], kept: list[str], left: list[str]
) -> None:
    for rows in runs:
        report = run(tmp_path, rows)
    assert (report.kept_names, report.left_names) == (kept, left)
    before = tree(tmp_path / "site")
    assert run(tmp_path, runs[-1]).kept_names == kept
    assert tree(tmp_path / "site") == before


def test_force_withdraws_as_many_names_as_the_refusal_counts(tmp_path: Path) -> None:
    rows = {str(n): f"{TWO}{n},Legge,2002-02-05,," for n in range(10, 40)}
    run(tmp_path, rows)
    bad = {"bad": "urn:lex:it:stato:leg"}
    cut = dict([*rows.items()][:20]) | bad
    for _ in range(2):  # nobody can tell which of the names the row had
        report = run(tmp_path, cut)
        assert (len(report.kept_names), report.left_names) == (10, [])
    run(tmp_path, rows | bad)
    with pytest.raises(PublishError, match="10 of the 30 names of the site have left the input"):
        run(tmp_path, cut)
    report = run(tmp_path, cut, force=True)
    assert (report.kept_names, len(report.left_names)) == ([], 10)


def test_cells_that_are_not_used_do_not_make_another_row(tmp_path: Path) -> None:
    mapping = tmp_path / "columns.toml"
    mapping.write_text('ignore = ["also_named"]')
    for day, rows in (("monday", ROWS), ("tuesday", drop(TWO))):
        table = tmp_path / "acts.csv"
        bad = f"urn:lex:it:stato:legge:2001-13-05;9,Prima,,,{day}"
        table.write_text("\n".join([HEADER, *rows.values(), bad, ""]))
        with open_manifest(table, mapping=mapping) as manifest:
            report = publish(manifest, tmp_path / "site", base=BASE, workers=1)
    assert (report.rejected, report.kept_names, report.left_names) == (1, [], [TWO])


def test_a_row_that_others_contradict_is_known_again(tmp_path: Path) -> None:
    twice = {"twice": ROWS[THREE]}
    run(tmp_path, ROWS | twice)
    report = run(tmp_path, drop(TWO) | twice)
    assert (report.rejected, report.kept_names, report.left_names) == (1, [], [TWO])


def test_a_contradicted_row_is_known_again_where_it_stands_elsewhere(tmp_path: Path) -> None:
    version = f"{THREE}@vecchio:it"
    bad = {"version": f"{version},,,,", "other": f"{version},Altro,,,", "more": f"{version},Un,,,"}
    run(tmp_path, ROWS | bad)
    report = run(
        tmp_path, {"first": "urn:lex:it:stato:legge:1999-01-01;1,Prima,,,"} | drop(TWO) | bad
    )
    assert report.rejected > 0
    assert (report.kept_names, report.left_names) == ([], [TWO])


def test_the_report_lists_new_and_changed_works(tmp_path: Path) -> None:
    first = run(tmp_path, drop(TWO))
    assert (first.new, [*first.new_works]) == (2, [THREE, ONE])
    report = run(tmp_path, drop(ONE) | {THREE: f"{THREE},Altro decreto,2003-03-05,,"})
    assert (report.new, [*report.new_works]) == (1, [TWO])
    assert (report.changed, [*report.changed_works]) == (2, [THREE, ONE])
    gone = run(tmp_path, drop(TWO))
    assert (gone.new_works, gone.left_names) == ([], [TWO])
    assert run(tmp_path, drop(TWO)).changed == 0
    assert run(tmp_path).new_works == [TWO]


def test_a_corrected_name_leads_to_the_right_one(tmp_path: Path) -> None:
    wrong = "urn:lex:it:stato:legge:2002-02-05;22"
    run(tmp_path, drop(TWO) | {wrong: f"{wrong},Seconda legge,2002-02-05,,"})
    file = tmp_path / "old.csv"
    file.write_text(f"old,new\n{wrong},{TWO}\n")
    run(tmp_path, replaced=read_replaced(file))
    assert "../2002-02-05;2/index.html" in read_page(tmp_path, wrong)
    before = tree(tmp_path / "site")
    for replaced in (read_replaced(file), None):
        assert run(tmp_path, replaced=replaced).written == 0
    assert tree(tmp_path / "site") == before


def test_a_corrected_name_does_not_stay_for_a_rejected_row(tmp_path: Path) -> None:
    wrong = "urn:lex:it:stato:legge:2002-02-05;22"
    version = f"{wrong}@2002-02-05:it"
    run(tmp_path, drop(TWO) | {wrong: f"{wrong},Seconda legge,2002-02-05,,", "v": f"{version},,,,"})
    rows = drop(THREE) | {"bad": "urn:lex:it:stato,Tre,,,"}
    report = run(tmp_path, rows, replaced={parse(wrong): parse(TWO)})
    assert (report.kept_names, report.left_names) == ([THREE], [])
    assert "../2002-02-05;2/index.html" in read_page(tmp_path, wrong)


def test_the_names_below_a_corrected_name_lead_to_those_below_the_right_one(
    tmp_path: Path,
) -> None:
    wrong = "urn:lex:it:stato:legge:2002-02-05;22"
    file = "$parlamento.it:application-pdf"

    def make_rows(act: str) -> dict[str, str]:
        version, copy = f"{act}@2002-02-05:it", "https://f.example/2.pdf"
        return {
            act: f"{act},Seconda legge,2002-02-05,,,",
            version: f"{version},,,,,",
            f"{version}{file}": f"{version}{file},,,,,{copy}",
        }

    settings = {"header": f"{HEADER},url"}
    run(tmp_path, make_rows(wrong), **settings)
    right = {parse(wrong): parse(TWO)}
    report = run(tmp_path, make_rows(TWO), replaced=right, **settings)
    assert report.published
    for _ in range(2):
        page = read_page(tmp_path, f"{wrong}@2002-02-05:it{file}")
        assert "2002-02-05;2/@/2002-02-05/it/$/parlamento.it/application-pdf/index.html" in page
        changed = make_rows(TWO) | {TWO: f"{TWO},Altra legge,2002-02-05,,,"}
        assert run(tmp_path, changed, **settings).published
    assert "Seconda legge" in read_page(tmp_path, wrong)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (ONE, TWO, "is still in the input"),
        ("urn:lex:it:stato:legge:2009-01-01;9", f"{TWO}9", "is not in the input"),
    ],
)
def test_a_replacement_that_cannot_be(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(PublishError, match=message):
        run(tmp_path, replaced={parse(old): parse(new)})
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("from,to\n", "old.csv:1: the header needs the columns old and new"),
        (f"old,new\n{ONE},{TWO}\nurn:lex,{TWO}\n", "old.csv:3: "),
    ],
)
def test_a_file_of_replacements_with_a_fault(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "old.csv").write_text(text)
    with pytest.raises(PublishError, match=message):
        read_replaced(tmp_path / "old.csv")


def test_pages_of_names_that_left_are_removed_on_demand(tmp_path: Path) -> None:
    run(tmp_path)
    asked: list[list[str]] = []
    run(tmp_path, drop(TWO, THREE), confirm_removal=lambda names: asked.append([*names]) or ())
    assert asked == [[THREE, TWO]]
    assert "non più usato" in read_page(tmp_path, TWO)
    report = run(tmp_path, drop(TWO, THREE), confirm_removal=lambda names: names)
    assert report.removed_names == [THREE, TWO]
    assert not (tmp_path / "site/lex/it/stato/decreto/2003-03-05;3").exists()
    assert TWO not in read_statements(tmp_path)
    assert "2002-02-05;2" not in (tmp_path / "site/sitemap.xml").read_text()
    assert inspect_site(tmp_path / "site") == ([], [], [])


def test_a_name_whose_first_pages_were_never_completed_is_removed_whole(tmp_path: Path) -> None:
    run(tmp_path)
    with closing(sqlite3.connect(tmp_path / "site/.lexurn-site.sqlite")) as state, state:
        state.execute("DELETE FROM file WHERE alias_set = ?", (TWO,))
        state.execute("UPDATE alias_set SET is_stale = 1 WHERE key = ?", (TWO,))
    report = run(tmp_path, drop(TWO), confirm_removal=lambda names: names)
    assert report.removed_names == [TWO]
    assert not (tmp_path / "site/lex/it/stato/legge/2002-02-05;2").exists()
    assert inspect_site(tmp_path / "site") == ([], [], [])


def test_many_names_that_leave_at_once_are_a_broken_export(tmp_path: Path) -> None:
    many = [f"urn:lex:it:stato:legge:2001-01-05;{number}" for number in range(1, 40)]
    rows = {name: f"{name},Legge,2001-01-05,," for name in many}
    run(tmp_path, rows)
    before = tree(tmp_path / "site")
    half = dict(list(rows.items())[:15])
    with pytest.raises(PublishError, match="24 of the 39 names of the site have left the input"):
        run(tmp_path, half)
    assert tree(tmp_path / "site") == before
    with pytest.raises(PublishError, match="name corrected names with --replaced"):
        run(tmp_path, half)
    assert len(run(tmp_path, half, force=True).left_names) == 24


def test_another_base_is_noticed(tmp_path: Path) -> None:
    run(tmp_path)
    before = tree(tmp_path / "site")
    with pytest.raises(PublishError, match=f"published with the base {re.escape(BASE)}"):
        run(tmp_path, base="https://other.example")
    assert tree(tmp_path / "site") == before
    run(tmp_path, base="https://other.example", rebase=True)
    assert BASE not in read_page(tmp_path, ONE)
    assert BASE not in read_statements(tmp_path)


BAD = {
    "a": "not a name,,,,",
    "b": f"{ONE},Altro titolo,,,",  # the second row of a name
    "c": "nor this,,,,",
}
NEXT_RUNS = {
    "nothing": ({**ROWS, **BAD}, []),
    "other places": ({"c": BAD["c"], **ROWS, **BAD}, []),
    "one more": ({**ROWS, **BAD, "d": "neither,,,,"}, [(9, "LX101")]),
    "one twice": ({**ROWS, **BAD, "d": BAD["a"]}, [(6, "LX101")]),
    "one corrected": ({**ROWS, "a": BAD["a"]}, []),
    "another cell": ({**ROWS, **BAD, "c": "nor this,Legge,,,"}, [(8, "LX101")]),
}


@pytest.mark.parametrize("name", NEXT_RUNS)
def test_rows_that_the_last_run_did_not_reject_are_told(tmp_path: Path, name: str) -> None:
    rows = {**ROWS, **BAD}
    first = run(tmp_path, rows)
    assert (first.newly_rejected, len(first.new_rejects)) == (first.rejected, first.rejected)
    changed, told = NEXT_RUNS[name]
    for options in ({"dry_run": True}, {}):
        report = run(tmp_path, changed, **options)
        assert report.newly_rejected == len(told)
        assert [(each.line, each.code) for each in report.new_rejects] == told
    assert run(tmp_path, changed).newly_rejected == 0


def list_rejects(folder: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in folder.glob("acts.rejects*")}


def test_a_run_replaces_the_rejects_file_of_the_run_before(tmp_path: Path) -> None:
    names = {"acts.rejects.csv", "acts.rejects.reasons.csv"}
    run(tmp_path, {**ROWS, "a": BAD["a"]})
    run(tmp_path, {**ROWS, **BAD})
    with pytest.raises(PublishError, match="3 rows were rejected"):
        run(tmp_path, {**ROWS, **BAD, "c": "other,,,,"}, max_rejects=1)
    assert list_rejects(tmp_path).keys() == names
    report = run(tmp_path, {**ROWS, "c": BAD["c"]})
    found = list_rejects(tmp_path)
    assert (found.keys(), [each.name for each in report.rejects]) == (names, ["acts.rejects.csv"])
    assert found["acts.rejects.csv"] == f"{HEADER}\n{BAD['c']}\n"
    assert "acts.csv,6,urn," in found["acts.rejects.reasons.csv"]
    run(tmp_path)
    assert list_rejects(tmp_path) == {}


@pytest.mark.parametrize("name", ["acts.rejects.csv", "acts.rejects.reasons.csv"])
def test_a_rejects_file_that_somebody_has_changed_stays(tmp_path: Path, name: str) -> None:
    run(tmp_path, {**ROWS, "a": BAD["a"]})
    with (tmp_path / name).open("a") as stream:
        stream.write("corrected\n")
    changed = list_rejects(tmp_path)
    for row in (BAD["c"], "other,,,,"):
        run(tmp_path, {**ROWS, "c": row})
        found = list_rejects(tmp_path)
        assert found.pop("acts.rejects-2.csv") == f"{HEADER}\n{row}\n"
        assert "not" in found.pop("acts.rejects-2.reasons.csv")
        assert found == changed
    run(tmp_path)
    assert list_rejects(tmp_path) == changed


def test_the_same_rejected_rows_are_in_one_file(tmp_path: Path) -> None:
    run(tmp_path, {**ROWS, "a": BAD["a"]})
    before = list_rejects(tmp_path)
    (tmp_path / "acts.rejects.csv").touch()
    run(tmp_path, {**ROWS, "c": BAD["c"]})
    assert len(list_rejects(tmp_path)) == 4
    run(tmp_path, {**ROWS, "a": BAD["a"]})
    assert list_rejects(tmp_path) == before


def test_a_hundred_of_the_newly_rejected_rows_are_explained(tmp_path: Path) -> None:
    rows = {**ROWS, **{str(number): f"none {number},,,," for number in range(150)}}
    report = run(tmp_path, rows)
    assert report.newly_rejected == 150
    assert [each.line for each in report.new_rejects] == [*range(6, 106)]


def test_too_many_rejected_rows_stop_the_run(tmp_path: Path) -> None:
    bad = ROWS | {"bad": "urn:lex,,,,"}
    with pytest.raises(PublishError, match="1 row was rejected"):
        run(tmp_path, bad, max_rejects=0)
    assert not (tmp_path / "site").exists()
    assert run(tmp_path, bad, max_rejects=1).published


def test_a_shorter_list_loses_its_pages(tmp_path: Path) -> None:
    names = [f"urn:lex:it:stato:legge:2001-01-05;{number}" for number in range(1, 403)]
    rows = {name: f"{name},Legge,2001-01-05,," for name in names}
    run(tmp_path, rows)
    last = tmp_path / "site/lex/it/stato/legge/2001-3.html"
    assert last.is_file()
    run(tmp_path, dict(list(rows.items())[:-3]), confirm_removal=lambda names: names)
    assert not last.exists()
    assert inspect_site(tmp_path / "site") == ([], [], [])


def test_a_catalogue_gives_the_site_of_its_manifest(tmp_path: Path) -> None:
    run(tmp_path)
    with (
        open_catalogue(tmp_path / "law", write=True) as catalogue,
        open_manifest(str(tmp_path / "acts.csv")) as manifest,
    ):
        load_manifest(catalogue, manifest, LoadOptions(as_of=dt.date(2026, 1, 1), jobs=1))
    with open_catalogue(tmp_path / "law") as catalogue:
        report = publish(
            catalogue.holdings, tmp_path / "other", base=BASE, as_of="2026-01-01", workers=1
        )
    assert report.nodes == len(ROWS)
    assert tree(tmp_path / "other") == tree(tmp_path / "site")


def test_an_inspection_names_what_is_not_as_it_was(tmp_path: Path) -> None:
    run(tmp_path)
    site = tmp_path / "site"
    assert inspect_site(site) == ([], [], [])
    (site / "about.html").write_text("mine")
    (site / "feed.atom").unlink()
    (site / "lex/notes.txt").write_text("mine")
    assert inspect_site(site) == (["feed.atom"], ["about.html"], ["lex/notes.txt"])
    run(tmp_path, rewrite=True)
    assert inspect_site(site) == ([], [], ["lex/notes.txt"])
    with pytest.raises(PublishError, match="is not a site"):
        inspect_site(tmp_path)


def test_a_damaged_state_is_explained(tmp_path: Path) -> None:
    run(tmp_path)
    state = tmp_path / "site/.lexurn-site.sqlite"
    state.write_bytes(b"no database at all" * 100)
    with pytest.raises(PublishError, match="is damaged"):
        run(tmp_path)
    state.unlink()
    assert run(tmp_path).written == 0
    with sqlite3.connect(state) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(PublishError, match="a newer version of lexurn"):
        run(tmp_path)


def test_a_run_that_only_reports_leaves_open_work_open(tmp_path: Path) -> None:
    run(tmp_path)
    state = tmp_path / "site/.lexurn-site.sqlite"
    with closing(sqlite3.connect(state)) as connection, connection:
        connection.execute("INSERT INTO changed_list VALUES ('lex/it/stato/legge/', '2001')")
        connection.execute("INSERT INTO pending VALUES ('files')")
    listed = tmp_path / "site/lex/it/stato/legge/index.html"
    listed.write_text("half written")
    wrong = fault("Violation", f"<{ONE}>", "No title.")
    assert not run(tmp_path, check=lambda _: [wrong]).published
    with pytest.raises(PublishError, match="is unfinished"):
        inspect_site(tmp_path / "site")
    run(tmp_path)
    assert "half" not in listed.read_text()
    assert inspect_site(tmp_path / "site") == ([], [], [])


ALIAS = "urn:lex:it:stato:decreto:1990-01-01;9"
ALIAS_HEADER = f"{HEADER},alias_of"


def make_alias_rows(target: str | None) -> dict[str, str]:
    rows = {name: f"{row}," for name, row in ROWS.items()}
    return rows | {ALIAS: f"{ALIAS},Nono decreto,1990-01-01,,,{target or ''}"}


@pytest.mark.parametrize("second", [TWO, THREE, None])
@pytest.mark.parametrize("first", [ONE, TWO, None])
def test_a_name_that_moves_to_another_alias_set_keeps_its_page(
    tmp_path: Path, first: str | None, second: str | None
) -> None:
    calm = tmp_path / "calm"
    calm.mkdir()
    run(calm, make_alias_rows(second), header=ALIAS_HEADER)
    for target in (first, second):
        run(tmp_path, make_alias_rows(target), header=ALIAS_HEADER)
    assert tree(tmp_path / "site") == tree(calm / "site")
    assert inspect_site(tmp_path / "site") == ([], [], [])


def test_an_alias_that_the_input_contradicts_is_reported(tmp_path: Path) -> None:
    annex = f"{ALIAS}:allegato.1"
    rows = make_alias_rows(None)
    run(tmp_path, rows | {annex: f"{annex},,,,,{TWO}"}, header=ALIAS_HEADER)
    rows[TWO] = f"{TWO},Seconda legge,2002-02-05,,,{ALIAS}"
    report = run(tmp_path, rows, header=ALIAS_HEADER)
    assert (report.left_names, report.lost_aliases) == ([annex], [annex])
    assert run(tmp_path, rows, header=ALIAS_HEADER).lost_aliases == []


def test_an_act_is_removed_with_its_alias(tmp_path: Path) -> None:
    rows = make_alias_rows(TWO)
    run(tmp_path, rows, header=ALIAS_HEADER)
    less = {name: row for name, row in rows.items() if name not in {TWO, ALIAS}}
    report = run(tmp_path, less, header=ALIAS_HEADER, confirm_removal=lambda names: names)
    assert (report.removed_names, report.left_names) == ([ALIAS, TWO], [])
    assert TWO not in read_statements(tmp_path)
    assert run(tmp_path, less, header=ALIAS_HEADER).left_names == []


def test_a_run_that_was_killed_while_it_removed_files_is_completed(tmp_path: Path) -> None:
    run(tmp_path)
    run(tmp_path, drop(THREE))
    shutil.rmtree(tmp_path / "site/lex/it/stato/decreto/2003-03-05;3")
    run(tmp_path, drop(THREE), confirm_removal=lambda names: names)
    assert inspect_site(tmp_path / "site") == ([], [], [])
    assert not (tmp_path / "site/lex/it/stato/decreto").exists()


def test_lists_follow_the_language_of_the_site(tmp_path: Path) -> None:
    japan = "urn:lex:jp:kokkai:law:2001-01-01;1"
    rows = ROWS | {japan: f"{japan},A law,2001-01-01,,"}
    calm = tmp_path / "calm"
    calm.mkdir()
    run(calm, rows, language="en")
    for language in ("fr", "en"):
        run(tmp_path, rows, language=language)
    assert tree(tmp_path / "site") == tree(calm / "site")


def test_a_list_that_is_no_longer_divided_loses_all_years(tmp_path: Path) -> None:
    names = [f"urn:lex:it:stato:legge:{2001 + n % 3}-01-05;{n}" for n in range(1, 208)]
    rows = {name: f"{name},Legge,2001-01-05,," for name in names}
    calm = tmp_path / "calm"
    calm.mkdir()
    run(calm, dict(list(rows.items())[:-10]))
    run(tmp_path, rows)
    assert (tmp_path / "site/lex/it/stato/legge/2001.html").is_file()
    run(tmp_path, dict(list(rows.items())[:-10]), confirm_removal=lambda names: names)
    assert tree(tmp_path / "site") == tree(calm / "site")


def test_years_of_a_list_stay_where_the_same_year_of_another_list_changes(tmp_path: Path) -> None:
    names = [
        f"urn:lex:it:stato:{kind}:{2001 + number % 3}-01-05;{number}"
        for kind in ("decreto", "legge")
        for number in range(1, 320)
    ]
    rows = {name: f"{name},Atto,2001-01-05,," for name in names}
    run(tmp_path, rows)
    before = tree(tmp_path / "site").keys()
    one, other = names[1], names[-1]  # of 2003 and 2002
    run(tmp_path, rows | {each: f"{each},Altro,2001-01-05,," for each in (one, other)})
    assert tree(tmp_path / "site").keys() == before


def test_robots_follow_another_base_until_the_publisher_writes_them(tmp_path: Path) -> None:
    robots = tmp_path / "site/robots.txt"
    run(tmp_path)
    run(tmp_path, base="https://other.example", rebase=True)
    assert "https://other.example/sitemap.xml" in robots.read_text()
    robots.write_text("mine")
    run(tmp_path, base=BASE, rebase=True)
    assert robots.read_text() == "mine"
    assert inspect_site(tmp_path / "site") == ([], [], ["robots.txt"])
