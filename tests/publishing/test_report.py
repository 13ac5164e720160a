"""Report page: in the language of the site, violations first, and links to pages that exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lxml import html
from publish_run import fault

from lexurn import open_manifest, publish
from lexurn.pages import LANGUAGES, load_words

if TYPE_CHECKING:
    from pathlib import Path

BASE = "https://law.example"
ACT = "urn:lex:it:stato:legge:2006-05-14;22"
ABSENT = "urn:lex:it:stato:legge:2006-05-14;23"


def write_table(path: Path, *rows: str) -> Path:
    path.write_text("\n".join(["urn,title@it", *rows, ""]), encoding="utf-8")
    return path


def read_report(folder: Path) -> html.HtmlElement:
    return html.fromstring((folder / "report.html").read_text("utf-8"))


def test_violations_come_first_and_there_is_an_end(tmp_path: Path) -> None:
    warnings = [fault("Warning", "<a:b>", str(n)) for n in range(3_000)]
    worst = fault("Violation", "<a:b>", "worst", path="<c:d>")
    table = write_table(tmp_path / "a.csv", f"{ACT},Legge")
    results = (*warnings, worst)
    publish(table, tmp_path / "site", base=BASE, check=lambda _: results, workers=1, force=True)
    page = read_report(tmp_path / "site")
    rows = page.findall(".//tbody/tr")
    assert "worst" in rows[0].text_content()
    assert len(rows) == 2_000
    assert "Not shown here: 1,001" in page.text_content()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_report_is_in_the_frame_and_the_language_of_the_site(
    tmp_path: Path, language: str
) -> None:
    results = (fault("Warning", f"<{ACT}>", "one"), fault("Warning", f"<{ABSENT}>", "two"))
    table = write_table(tmp_path / "a.csv", f"{ACT},Legge")
    site, words = tmp_path / "site", load_words(language)
    publish(table, site, base=BASE, check=lambda _: results, workers=1, language=language)
    page = read_report(site)
    assert page.get("lang") == language
    assert page.findtext(".//h1") == words("site.report")
    assert words("report.warning") in page.text_content()
    links = page.xpath("//td/a/@href")
    assert links == ["lex/it/stato/legge/2006-05-14;22/index.html"]
    assert (site / links[0]).is_file()


def test_rejected_rows_are_counted_by_file_and_not_shown(tmp_path: Path) -> None:
    tables = [
        write_table(tmp_path / "a.csv", f"{ACT},Legge", "secret,x", "secret,y"),
        write_table(tmp_path / "b.csv", "secret,z"),
        write_table(tmp_path / "c.csv", f"{ABSENT},Legge"),
    ]
    report = publish(tables, tmp_path / "site", base=BASE, check=lambda _: (), workers=1)
    assert report.rejected_rows == {"a.csv": 2, "b.csv": 1}
    page = read_report(tmp_path / "site")
    section = page.xpath("//h2[.='Rejected rows']/following-sibling::dl[1]")[0]
    assert section.text_content().split() == ["a.csv", "2", "b.csv", "1"]
    assert "No findings." not in page.text_content()
    assert "secret" not in page.text_content()
    assert str(tmp_path) not in html.tostring(page).decode()


def test_a_remark_on_many_names_is_shown_once_with_its_count(tmp_path: Path) -> None:
    table = write_table(tmp_path / "a.csv", f"{ACT},Legge")
    results = [
        fault(severity, f"<{ACT}{number}>", "Copies are published without a licence.")
        for severity in ("Warning", "Violation")
        for number in range(60)
    ]
    results += [fault("Warning", f"<{ACT}{number}>", "No title.") for number in range(10)]
    publish(table, tmp_path / "site", base=BASE, check=lambda _: results, workers=1, force=True)
    page = read_report(tmp_path / "site")
    rows = page.findall(".//tbody/tr")
    assert len(rows) == 71
    assert [each.text_content().count("licence. × 60") for each in rows[59:62]] == [0, 1, 0]
    assert "Not shown here: 59" in page.text_content()


def test_the_report_of_an_unpublished_site_needs_no_other_file(tmp_path: Path) -> None:
    table = write_table(tmp_path / "a.csv", f"{ACT},Legge")
    results = (fault("Violation", f"<{ACT}>", "bad"),)
    publish(table, tmp_path / "site", base=BASE, check=lambda _: results, workers=1)
    page = read_report(tmp_path / "site")
    assert page.xpath("//link | //script | //a") == []
    assert "Violations prevented the publication." in page.text_content()


def test_findings_on_rows_are_counted_and_never_none(tmp_path: Path) -> None:
    rows = [f"Decreto;{n}/2006;2005-05-14" for n in (1, 2, 3)]
    table, mapping = tmp_path / "a.csv", tmp_path / "a.toml"
    table.write_text("\n".join(["measure;number;date", *rows, ""]), "utf-8")
    mapping.write_text(
        'separator = ";"\n[constants]\njurisdiction = "es"\nauthority = "Estado"\n', "utf-8"
    )
    with open_manifest(table, mapping=mapping) as manifest:
        report = publish(manifest, tmp_path / "site", base=BASE, check=lambda _: (), workers=1)
    assert (report.rejected, report.row_findings) == (0, {"warning": 3})
    page = read_report(tmp_path / "site")
    section = page.xpath("//h2[.='Findings on rows']/following-sibling::dl[1]")[0]
    assert section.text_content().split() == ["Warning", "3"]
    assert "No findings." not in page.text_content()


def test_a_report_without_findings(tmp_path: Path) -> None:
    table = write_table(tmp_path / "a.csv", f"{ACT},Legge")
    publish(table, tmp_path / "site", base=BASE, check=lambda _: (), workers=1)
    assert "No findings." in read_report(tmp_path / "site").text_content()
