from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from strategies import names

from lexurn.errors import HttpFormError
from lexurn.name import Name, Severity, check
from lexurn.name.http import check_http, http_of, http_path, parse_http

BASES = ("https://law.example", "http://law.example:8080/a/b", "https://law.example/lex")
pieces = [
    "https://law.example",
    "http://",
    "/lex/",
    "/",
    "//",
    "/@/",
    "/$/",
    "@",
    "$",
    "~",
    "#",
    "?",
    "it",
    "stato",
    "legge;x",
    "2000-01-01;1",
    "2000-01-01%7C",
    "2000-01-01|x;1",
    "original",
    "a.it",
    "text-html",
    "x.pdf",
    ".",
    "..",
    "%2e",
    "index.html",
    "%",
    "é",
    ":",
    "\ud800",
]
urish = st.lists(st.sampled_from(pieces)).map("".join)
paths = urish.map("https://law.example/lex/it/stato/legge/2000-01-01;1".__add__)


def safe(name: Name) -> bool:
    """Whether no component is an encoded dot or two, which clients take for a folder."""
    return all(each.code != "LX407" for each in http_of(name, BASES[0]).findings)


@given(names().filter(safe), st.sampled_from(BASES))
def test_a_name_is_read_again_from_its_uri(name: Name, base: str) -> None:
    form = http_of(name, base)
    assert form.uri.startswith(base + "/lex/")
    for reading in ("text", "grammar"):
        expected = check(str(name), reading)
        assert check_http(form.uri, base=base, reading=reading).name == expected.name
    assert parse_http(form.uri, base=base) == name
    assert http_of(parse_http(form.uri, base=base), base).uri == form.uri


@given(names().filter(safe))
def test_without_a_base_a_name_is_found_all_the_same(name: Name) -> None:
    assert parse_http(http_of(name, "https://law.example/x").uri) == name


@given(names().filter(safe))
def test_what_a_server_adds_is_passed_over(name: Name) -> None:
    folder = "https://law.example" + http_path(name) + "/"
    for file in ("", "index.html", "index.ttl", "index.jsonld", "links.json"):
        assert parse_http(folder + file) == name


@given(names())
def test_findings_stand_in_the_uri(name: Name) -> None:
    uri = http_of(name, "https://law.example").uri.replace(";", ";;", 1)
    report = check_http(uri)
    for finding in report.findings:
        assert 0 <= finding.start <= finding.end <= len(uri)


@given(names())
def test_the_drafts_form_is_read_but_for_what_it_loses(name: Name) -> None:
    publisher = None if name.manifestation is None else str(name.manifestation.editor)
    try:
        form = http_of(name, BASES[0], style="draft")
    except HttpFormError:
        assert name.manifestation is not None
        return
    codes = {each.code for each in form.findings}
    if not codes & {"LX407"} and len(publisher or "") < 1000:
        again = parse_http(form.uri, publisher=publisher)
        assert (str(again) == str(name)) is (codes <= {"LX401", "LX402"})
        assert again.document.work_name == name.document.work_name


@given(st.text() | urish | paths, st.sampled_from([None, "a.it"]))
@example("https://law.example/lex/", None)
@example("https://law.example/lex/it/stato/legge/2000-01-01;1/$/.pdf#", "a.it")
def test_any_text_gives_a_report(text: str, publisher: str | None) -> None:
    for base in (None, "https://law.example"):
        for reading in ("text", "grammar"):
            report = check_http(text, base=base, publisher=publisher, reading=reading)
            assert report.text == text
            assert report.valid is not any(
                each.severity is Severity.ERROR for each in report.findings
            )
            for finding in report.findings:
                assert 0 <= finding.start <= finding.end <= len(text)


@given(paths)
def test_what_is_read_is_written_and_read_again(text: str) -> None:
    report = check_http(text, publisher="a.it")
    if report.name is not None and safe(report.name):
        uri = http_of(report.name, "https://law.example").uri
        assert parse_http(uri) == report.name
