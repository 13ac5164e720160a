"""`lexurn.publish` with the path of a table does what the command does."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from lxml import html

import lexurn
from lexurn.cli import main
from lexurn.errors import CatalogueError, ManifestError
from lexurn.model import today

BASE = "https://law.example"
ACT = "urn:lex:it:stato:legge:2006-05-14;22"
GOOD = f"""urn,title,license
{ACT},Legge,https://law.example/licence
{ACT}@originale:it,Legge,
"""


def contents(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()
    }


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "acts.csv"
    path.write_text(GOOD, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("stated", "options", "expected"),
    [
        ("fr", [], "fr"),
        ("fr-CA", [], "fr"),
        ("fi", [], "en"),
        (None, [], "en"),
        ("fr", ["--lang", "de"], "de"),
        ("fr", ["--site", "site.toml"], "es"),
    ],
)
def test_the_home_page_has_the_language_of_the_mapping(
    tmp_path: Path,
    table: Path,
    monkeypatch: pytest.MonkeyPatch,
    stated: str | None,
    options: list[str],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.toml").write_text("" if stated is None else f'language = "{stated}"\n', "utf-8")
    Path("site.toml").write_text('language = "es"\n', "utf-8")
    arguments = ["publish", table.name, "--out", "site", "--base", BASE, "--map", "m.toml"]
    assert CliRunner().invoke(main, [*arguments, *options]).exit_code == 0
    for page in ("index.html", "lex/index.html"):
        assert f'<html lang="{expected}"' in Path("site", page).read_text("utf-8")


@pytest.mark.parametrize("kind", [str, Path, lambda path: [str(path)]])
def test_a_path_gives_the_site_of_the_command(tmp_path: Path, table: Path, kind) -> None:
    report = lexurn.publish(kind(table), tmp_path / "site", base=BASE, workers=1)
    command = ["publish", str(table), "--out", str(tmp_path / "other"), "--base", BASE]
    done = CliRunner().invoke(main, [*command, "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert contents(tmp_path / "site") == contents(tmp_path / "other")
    assert (report.published, report.nodes, report.rejected, report.rejects) == (True, 2, 0, ())
    assert "report.ttl" in contents(tmp_path / "site")


def test_the_page_of_the_report_follows_the_lines_of_the_tables(tmp_path: Path) -> None:
    acts = [f"urn:lex:it:stato:legge:2006-05-14;{number}" for number in (9, 10, 22, 8)]
    for file, rows in (("b.csv", acts[:3]), ("a.csv", acts[3:])):
        (tmp_path / file).write_text("\n".join(["urn", *rows]), encoding="utf-8")
    lexurn.publish([tmp_path / "b.csv", tmp_path / "a.csv"], tmp_path / "site", base=BASE)
    page = (tmp_path / "site" / "report.html").read_text(encoding="utf-8")
    places = re.findall(r"<td>(.*, line [0-9]+)</td>", page)
    assert list(dict.fromkeys(places)) == [
        *("a.csv, line 2", "b.csv, line 2", "b.csv, line 3", "b.csv, line 4")
    ]
    assert places == sorted(places)


def test_the_day_is_today_unless_it_is_given(tmp_path: Path, table: Path) -> None:
    day = dt.date(2020, 1, 1)
    given = lexurn.publish(table, tmp_path / "site", base=BASE, as_of=day, workers=1)
    assert given.as_of == day
    assert lexurn.publish(table, tmp_path / "site", base=BASE, workers=1).as_of == today()


def test_invalid_rows_are_kept_and_reported(tmp_path: Path, table: Path) -> None:
    table.write_text(f"{GOOD}urn:lex:nothing,Legge,\n", encoding="utf-8")
    findings: list[lexurn.Finding] = []
    report = lexurn.publish(
        table, tmp_path / "site", base=BASE, workers=1, on_finding=findings.append
    )
    assert (report.published, report.nodes, report.rejected) == (True, 2, 1)
    assert [path.name for path in report.rejects] == ["acts.rejects.csv"]
    assert "urn:lex:nothing" in (tmp_path / "acts.rejects.csv").read_text(encoding="utf-8")
    assert findings


def test_acts_are_cited_in_lists_as_a_template_writes(tmp_path: Path) -> None:
    (tmp_path / "acts.csv").write_text(
        "no,jour,title\n2025 T 17443,2025-10-17,Rue Lourmel\n2025 T 17444,2025-10-17,\n", "utf-8"
    )
    (tmp_path / "acts.toml").write_text(
        """[columns]
no = "number"
jour = "date"
[constants]
jurisdiction = "fr"
authority = "Ville de Paris"
measure = "Arrêté"
[templates]
cited_as = "Ville de Paris, arrêté n° {no}"
""",
        "utf-8",
    )
    manifest = lexurn.open_manifest(tmp_path / "acts.csv", mapping=tmp_path / "acts.toml")
    with manifest:
        report = lexurn.publish(manifest, tmp_path / "site", base=BASE, workers=1)
    assert (report.published, report.nodes, report.rejected) == (True, 2, 0)
    (listed,) = (tmp_path / "site" / "lex/fr/ville.paris").glob("*/index.html")
    lines = html.parse(listed).xpath("//main//ul/li")
    assert [" ".join(each.text_content().split()) for each in lines] == [
        "Rue Lourmel Ville de Paris, arrêté n° 2025 T 17443",
        "Ville de Paris, arrêté n° 2025 T 17444",
    ]
    feed = (tmp_path / "site" / "feed.atom").read_text("utf-8")
    assert "<title>Ville de Paris, arrêté n° 2025 T 17444</title>" in feed
    assert "<summary>Ville de Paris, arrêté n° 2025 T 17443</summary>" in feed


def test_shapes_are_checked(tmp_path: Path, table: Path) -> None:
    rows = f"""urn,title,in_force_from,in_force_until
{ACT},Legge,2010-01-01,2009-01-01
"""
    table.write_text(rows, encoding="utf-8")
    report = lexurn.publish(table, tmp_path / "site", base=BASE, workers=1)
    assert not report.published
    assert {result.shape.partition("#")[2] for result in report.violations} == {"ForceOrder"}
    assert not (tmp_path / "site" / "lex").exists()
    assert lexurn.publish(table, tmp_path / "site", base=BASE, workers=1, force=True).published


def test_steps_are_reported(tmp_path: Path, table: Path) -> None:
    steps: list[tuple[str, int, int | None]] = []
    lexurn.publish(
        table,
        tmp_path / "site",
        base=BASE,
        workers=1,
        on_progress=lambda *step: steps.append(step),
    )
    assert steps[-1] == ("write", 2, 2)
    assert ("reading", 2, None) in steps


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ManifestError):
        lexurn.publish(tmp_path / "none.csv", tmp_path / "site", base=BASE, workers=1)
    assert not (tmp_path / "site").exists()


def test_nothing_is_written_into_a_catalogue(tmp_path: Path, table: Path) -> None:
    law = str(tmp_path / "law")
    loaded = CliRunner().invoke(main, ["catalogue", "load", str(table), "-c", law, "--jobs", "1"])
    assert loaded.exit_code == 0, loaded.output
    with pytest.raises(CatalogueError, match="is a catalogue"):
        lexurn.publish(table, tmp_path / "law" / "site", base=BASE, workers=1)
