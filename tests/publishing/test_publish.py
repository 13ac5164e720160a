"""A site: complete, repeatable, whole after any interruption, and never in somebody's way."""

from __future__ import annotations

import datetime as dt
import functools
import gzip
import json
from typing import TYPE_CHECKING

import pytest
import rdflib
from export_cases import (
    ACT,
    AS_OF,
    BASE,
    FIRST,
    HOSTILE,
    PDF,
    SECOND,
    SWISS_FRENCH,
    name,
    records,
)
from publish_run import fault, sound
from rdflib.compare import isomorphic
from site_runs import folder, run, tree

from lexurn import data
from lexurn.errors import PublishError
from lexurn.graph import Format, describe_concepts, find_concepts, nquads_of, read, write
from lexurn.model import ModelError, Record, Source, families_of, family_of
from lexurn.name import Name, parse_http
from lexurn.publishing import publish

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from lexurn.model import Family
    from lexurn.shacl import Result


def faulty(severity: str, families: Sequence[Family]) -> list[Result]:
    source = Source(file="acts.csv", line=7)
    return [
        fault(severity, f"<{ACT}>", "No <title>.", source=source)
        for family in families
        if family.record(name(ACT))
    ]


def known() -> list[Name]:
    return [record.name for family in families_of(records()) for record in family.records]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    run(out)
    return out


def test_each_name_has_its_folder(site: Path) -> None:
    for each in known():
        files = {path.name for path in folder(site, str(each)).iterdir() if path.is_file()}
        assert files == {"index.html", "index.ttl", "index.jsonld", "links.json"}


def test_the_top_of_the_site_and_nothing_else(site: Path) -> None:
    assert {path.name for path in site.iterdir()} == {
        *(".lexurn", ".lexurn-site.sqlite"),
        "lex",
        *("index.html", "about.html", "404.html", "style.css", "site.js"),
        *("catalogue.nq.gz", "context.jsonld", "report.html", "report.ttl"),
        *("feed.atom", "robots.txt", "sitemap.xml", "catalogue.ttl", "server"),
        *("ontology", "shapes"),
    }


def test_the_report_counts(tmp_path: Path) -> None:
    first, second = run(tmp_path), run(tmp_path)
    names = len(known())
    assert (first.published, first.nodes, first.families) == (True, names, 9)
    lists = [
        path
        for path in tmp_path.rglob("*")
        if path.suffix in {".html", ".ttl"} and not (path.parent / "links.json").exists()
    ]
    assert first.written == 4 * names + len(lists) + 10
    assert (second.written, second.nodes) == (0, names)


def test_files_lie_where_a_server_looks_them_up(site: Path) -> None:
    address = f"{BASE}/lex/it/stato/legge/2003-09-21;456/@/2005-01-01;2005-03-01/it/index.ttl"
    assert str(parse_http(address, base=BASE)) == SECOND
    assert (site / address.removeprefix(f"{BASE}/")).is_file()
    assert (
        folder(site, "urn:lex:il:knesset:chok:1999-09-02|21-elul.5759;3") / "index.html"
    ).is_file()
    assert (site / "lex/ru/дума/закон/2001-02-03;4-фз/index.html").is_file()


def test_the_catalogue_holds_all_families_and_no_time(site: Path) -> None:
    packed = (site / "catalogue.nq.gz").read_bytes()
    assert packed[3] == 0  # no name
    assert packed[4:8] == b"\0\0\0\0"
    found = gzip.decompress(packed)
    families = families_of(records())
    quads = [nquads_of(each, as_of=AS_OF, base=BASE) for each in families]
    concepts = write(describe_concepts(find_concepts(families)), Format.NQUADS)
    assert found == b"".join((*quads, concepts))


def test_the_page_of_an_act_has_the_labels_of_its_concepts(site: Path) -> None:
    label = '"Legge"@it'
    assert label in (folder(site, ACT) / "index.ttl").read_text(encoding="utf-8")
    assert label not in (folder(site, FIRST) / "index.ttl").read_text(encoding="utf-8")
    law = json.loads((folder(site, ACT) / "index.jsonld").read_text(encoding="utf-8"))
    assert law["measureConcept"]["prefLabel"] == {"it": "Legge"}


@pytest.mark.parametrize("text", [ACT, FIRST, PDF, SWISS_FRENCH, HOSTILE])
def test_turtle_and_json_ld_say_the_same(site: Path, text: str) -> None:
    turtle_ = read((folder(site, text) / "index.ttl").read_bytes(), Format.TURTLE).merged
    jsonld = read((folder(site, text) / "index.jsonld").read_bytes(), Format.JSONLD).merged
    assert turtle_ == jsonld
    assert len(turtle_) > 5


def test_json_ld_links_the_context_of_the_site(site: Path) -> None:
    for text in (ACT, FIRST, PDF, SWISS_FRENCH):
        document = json.loads((folder(site, text) / "index.jsonld").read_text(encoding="utf-8"))
        assert (document["@context"], document["id"]) == (f"{BASE}/context.jsonld", text)
        assert "@graph" not in document
    context = json.loads(data.read_text("ontology/context.jsonld"))["@context"]
    assert json.loads((site / "context.jsonld").read_bytes())["@context"] == context


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
def test_json_ld_with_its_context_inside_reads_offline(tmp_path: Path) -> None:
    run(tmp_path, inline_context=True)
    text = (folder(tmp_path, ACT) / "index.jsonld").read_text(encoding="utf-8")
    document = json.loads(text)
    context = json.loads(data.read_text("ontology/context.jsonld"))["@context"]
    assert (document["@context"], document["id"]) == (context, ACT)
    found = rdflib.Graph().parse(data=text, format="json-ld")
    turtle = rdflib.Graph().parse(folder(tmp_path, ACT) / "index.ttl")
    assert isomorphic(found, turtle)


def test_a_second_run_touches_no_file(tmp_path: Path) -> None:
    run(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    digests = tree(tmp_path)
    run(tmp_path, list(reversed(records())))
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert before == after
    assert tree(tmp_path) == digests


def test_another_day_changes_only_what_is_in_force(tmp_path: Path) -> None:
    run(tmp_path)
    before = tree(tmp_path)
    same = run(tmp_path, as_of=AS_OF + dt.timedelta(days=1))
    assert (same.written, tree(tmp_path)) == (0, before)
    run(tmp_path, as_of=dt.date(2035, 1, 1))
    changed = {path for path, digest in tree(tmp_path).items() if before[path] != digest}
    assert changed
    assert all("2003-09-21;456" in path or "@" not in path for path in changed)


def test_no_file_holds_the_day_that_was_asked_for(tmp_path: Path) -> None:
    day = dt.date(2024, 8, 17)
    run(tmp_path, as_of=day)
    words = (day.isoformat().encode(), b"17 August 2024")
    for path in tmp_path.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            content = gzip.decompress(content) if path.suffix == ".gz" else content
            assert not any(word in content for word in words), path


def test_what_was_edited_by_hand_is_mended_on_demand(tmp_path: Path) -> None:
    run(tmp_path)
    page = folder(tmp_path, PDF) / "index.html"
    page.write_text("spoiled")
    (folder(tmp_path, ACT) / "index.ttl").unlink()
    assert run(tmp_path).written == 0
    assert run(tmp_path, rewrite=True).written == 2
    assert "spoiled" not in page.read_text(encoding="utf-8")


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    before = tree(tmp_path)
    with pytest.raises(PublishError, match="nothing was changed"):
        run(tmp_path)
    assert tree(tmp_path) == before


def test_an_empty_folder_and_one_of_ours_are_taken(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run(tmp_path / "empty").published
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / ".lexurn").write_text("")
    (tmp_path / "ours" / "robots.txt").write_text("mine")
    assert run(tmp_path / "ours").published
    assert (tmp_path / "ours" / "robots.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (f"{ACT}~Art1", f"{ACT}~art1"),
        (f"{ACT}~%C3%A9", f"{ACT}~e%CC%81"),
        ("urn:lex:it:st%61to:legge:2000-01-01;1", "urn:lex:it:stato:legge:2000-01-01;1"),
    ],
)
def test_two_names_on_one_path(tmp_path: Path, one: str, two: str) -> None:
    out = tmp_path / "out"
    with pytest.raises(PublishError, match="have one path") as caught:
        run(out, [Record(name=name(one)), Record(name=name(two))])
    assert str(name(one)) in str(caught.value)
    assert str(name(two)) in str(caught.value)
    assert not out.exists()


def test_names_that_mean_harm_stay_inside(tmp_path: Path) -> None:
    out = tmp_path / "a" / "out"
    texts = [
        "urn:lex:it:%2e%2e:%2e%2e%2f:2000-01-01;1",
        "urn:lex:it:stato:legge:2000-01-01;%2e%2e%2f%2e%2e%2f%2e%2e%2fetc",
        "urn:lex:it:stato:legge:2000-01-01;1:index.html",
        f"urn:lex:it:stato:legge:2000-01-01;{'1' * 8_000}",
        f"urn:lex:it:stato:legge:2000-01-01;2{':a' * 100}",
        "urn:lex:it:stato:legge:2000-01-01;3~" + "x" * 8_000,
    ]
    report = run(out, [Record(name=name(text)) for text in texts])
    assert report.published
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["out"]
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    for text in texts:
        page = (folder(out, text) / "index.html").read_text(encoding="utf-8")
        assert str(name(text)) in page
    before = tree(out)
    run(out, [Record(name=name(text)) for text in texts])
    assert tree(out) == before


def test_a_violation_stops_the_run_before_any_page(tmp_path: Path) -> None:
    check = functools.partial(faulty, "Violation")
    report = run(tmp_path, check=check)
    assert not report.published
    assert len(report.violations) == 1
    assert set(tree(tmp_path)) == {".lexurn", "report.html", "report.ttl"}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "acts.csv, line 7" in page
    assert "No &lt;title&gt;." in page


def test_a_violation_leaves_an_earlier_site_as_it_was(tmp_path: Path) -> None:
    run(tmp_path)
    before = tree(tmp_path / "lex")
    run(tmp_path, records()[:-1], check=functools.partial(faulty, "Violation"))
    assert tree(tmp_path / "lex") == before


@pytest.mark.parametrize("severity", ["Warning", "Info"])
def test_what_is_no_violation_stops_nothing(tmp_path: Path, severity: str) -> None:
    report = run(tmp_path, check=functools.partial(faulty, severity))
    assert report.published
    assert (len(report.results), report.violations) == (1, ())


def test_a_violation_is_published_on_demand(tmp_path: Path) -> None:
    report = run(tmp_path, check=functools.partial(faulty, "Violation"), force=True)
    assert report.published
    assert len(report.violations) == 1
    assert (folder(tmp_path, ACT) / "index.html").is_file()


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int | None]] = []
    run(tmp_path, on_progress=lambda *step: told.append(step))
    total = len(known())
    first, *others = told
    assert (first, others[-1]) == (("check", total, None), ("write", total, total))
    assert others == sorted(others)


def test_families_are_read_once_and_lazily(tmp_path: Path) -> None:
    asked = 0

    class Table:
        def families(self) -> Iterator[Family]:
            nonlocal asked
            asked += 1
            yield from families_of(records())

    report = publish(Table(), tmp_path, base=BASE, as_of=AS_OF, check=sound, workers=1)
    assert (asked, report.nodes) == (1, len(known()))
    assert (tmp_path / "report.ttl").is_file()


def test_a_manifest_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[Family]:
        yield family_of([Record(name=name(ACT))])
        raise ModelError("a loop of aliases")

    with pytest.raises(ModelError):
        publish(broken(), tmp_path / "out", base=BASE, as_of=AS_OF, check=sound)
    assert not (tmp_path / "out").exists()


def test_an_empty_manifest_is_an_empty_site(tmp_path: Path) -> None:
    report = run(tmp_path, [])
    assert (report.published, report.nodes) == (True, 0)
    assert gzip.decompress((tmp_path / "catalogue.nq.gz").read_bytes()) == b""


def test_an_empty_manifest_empties_no_site(tmp_path: Path) -> None:
    run(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(PublishError, match="nothing was changed"):
        run(tmp_path, [])
    assert tree(tmp_path) == before
    assert run(tmp_path, [], force=True).published


def test_a_base_that_is_none_is_refused_first(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="base"):
        run(tmp_path / "out", base="javascript:alert(1)")
    assert not (tmp_path / "out").exists()


def test_links_to_names_of_other_families_only_where_they_are_published(site: Path) -> None:
    page = (folder(site, ACT) / "index.html").read_text(encoding="utf-8")
    assert "../2005-01-01;1/index.html" in page
    assert "Bund, Gesetz 21 settembre 2003, n. 99" in page
    assert "at/bund/gesetz" not in page
