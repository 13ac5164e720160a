from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lexurn import data
from lexurn.errors import HttpFormError
from lexurn.name import NameSyntaxError, Severity, check, parse
from lexurn.name.http import check_http, http_of, http_path, parse_http

CASES = Path(__file__).parents[1] / "cases"
BASE = "https://law.example"


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", read("http_reversible.jsonl"), ids=lambda case: case["path"])
def test_the_reversible_form_is_written_and_read_again(case: dict[str, Any]) -> None:
    name = parse(case["name"])
    form = http_of(name, BASE)
    assert http_path(name) == case["path"]
    assert form.uri == BASE + case["path"] + ("/" if case.get("slash") else "")
    assert form.findings == ()
    for base in (None, BASE):
        for reading in ("text", "grammar"):
            again = check_http(form.uri, base=base, reading=reading)
            expected = check(case["name"], reading)
            assert again.name == expected.name
            assert [each.code for each in again.findings] == [
                each.code for each in expected.findings
            ]


@pytest.mark.parametrize("case", read("http_draft.jsonl"), ids=lambda case: case["path"])
def test_the_drafts_form_says_what_it_loses(case: dict[str, Any]) -> None:
    name = parse(case["name"])
    form = http_of(name, BASE, style="draft")
    assert form.uri == BASE + case["path"]
    lost = {each.code: str(name)[each.start : each.end] for each in form.findings}
    assert lost == case["lost"]
    assert len(lost) == len(form.findings)
    assert {each.severity for each in form.findings} == {Severity.WARNING}
    again = parse_http(form.uri, base=BASE, publisher=case["publisher"])
    assert str(again) == case["read"]
    assert again.components.f == case.get("fragment")


@pytest.mark.parametrize("case", read("http_read.jsonl"), ids=lambda case: repr(case["uri"]))
def test_a_uri_is_read_or_refused_at_its_place(case: dict[str, Any]) -> None:
    report = check_http(case["uri"], publisher=case.get("publisher"))
    assert report.text == case["uri"]
    assert (None if report.name is None else str(report.name)) == case.get("name")
    assert [each.code for each in report.findings] == case.get("codes", [])
    if report.name is not None:
        assert report.name.components.f == case.get("f")
    for each in report.findings[:1]:
        assert case["uri"][each.start : each.end] == case.get(
            "at", case["uri"][each.start : each.end]
        )
        assert each.component == case.get("component", each.component)
        assert each.suggestion == case.get("suggestion", each.suggestion)
        assert each.message
        assert each.rule


def test_every_code_of_reading_is_shown_by_a_case() -> None:
    shown = {code for case in read("http_read.jsonl") for code in case.get("codes", [])}
    expected = {f"LX{number}" for number in range(410, 424)} - {"LX411"}  # and LX424 below
    assert expected <= shown


@pytest.mark.parametrize(
    ("base", "prefix"),
    [
        ("https://law.example", "https://law.example"),
        ("https://law.example/", "https://law.example"),
        ("HTTPS://Law.Example:443/A/b%20c/", "https://law.example/A/b%20c"),
        ("http://law.example:80", "http://law.example"),
        ("http://law.example:8080/x", "http://law.example:8080/x"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        ("https://law.example/lex", "https://law.example/lex"),
    ],
)
def test_a_base_may_be_any_site_and_folder(base: str, prefix: str) -> None:
    name = parse("urn:lex:it:a:b;c:2000-01-01;1")
    uri = http_of(name, base).uri
    assert uri == f"{prefix}/lex/it/a/b;c/2000-01-01;1"
    assert parse_http(uri, base=base) == name
    assert parse_http(uri, base=prefix) == name


@pytest.mark.parametrize(
    "base",
    [
        "",
        "law.example",
        "//law.example",
        "ftp://law.example",
        "javascript:alert(1)",
        "https://",
        "https:///x",
        "https://law.example?a",
        "https://law.example#",
        "https://a@law.example",
        "https://law.example:x",
        "https://law.example:70000",
        "https://law.example//",
        "https://law.example/a//b",
        "https://law.example/a/../b",
        "https://law.example/%2E",
        "https://law.example/a b",
        "https://law.example/%",
        "https://law.example\n",
        "https://münchen.example",
        "https://law.example\\x",
    ],
)
def test_a_base_that_cannot_be_used_is_refused(base: str) -> None:
    name = parse("urn:lex:it:a:b:2000-01-01;1")
    with pytest.raises(HttpFormError, match="base"):
        http_of(name, base)
    with pytest.raises(ValueError, match="base"):
        check_http("https://law.example/lex/it/a/b/2000-01-01;1", base=base)


@pytest.mark.parametrize(
    ("uri", "code"),
    [
        ("https://other.example/lex/it/a/b/2000-01-01;1", "LX411"),
        ("http://law.example/lex/it/a/b/2000-01-01;1", "LX411"),
        ("https://law.example:8443/x/lex/it/a/b/2000-01-01;1", "LX411"),
        ("https://law.example/lex/it/a/b/2000-01-01;1", "LX411"),
        ("https://law.example/xy/lex/it/a/b/2000-01-01;1", "LX411"),
        ("https://law.example/x", "LX412"),
        ("https://law.example/x/y/lex/it/a/b/2000-01-01;1", "LX412"),
    ],
)
def test_a_uri_elsewhere_is_not_read(uri: str, code: str) -> None:
    report = check_http(uri, base="https://law.example/x/")
    assert [each.code for each in report.findings] == [code]
    assert report.name is None


def test_a_uri_under_its_base_is_read() -> None:
    uri = "HTTPS://LAW.example:443/x/lex/it/a/b/2000-01-01;1"
    assert str(parse_http(uri, base="https://law.example/x/")) == "urn:lex:it:a:b:2000-01-01;1"


def test_under_a_base_only_its_own_folder_counts() -> None:
    uri = "https://law.example/lex/lex/it/a/b;c/2000-01-01;1"
    assert str(parse_http(uri, base="https://law.example/lex")) == "urn:lex:it:a:b;c:2000-01-01;1"


def test_what_a_urn_has_behind_it_is_dropped_and_said() -> None:
    name = parse("urn:lex:it:a:b:2000-01-01;1~art1?+r/x?=q#f")
    form = http_of(name, BASE)
    whole = f"{name}?+r/x?=q#f"
    assert form.uri == f"{BASE}/lex/it/a/b/2000-01-01;1~art1"
    assert [(each.component, whole[each.start : each.end]) for each in form.findings] == [
        ("r-component", "?+r/x"),
        ("q-component", "?=q"),
        ("f-component", "#f"),
    ]
    assert {each.code for each in form.findings} == {"LX401"}


@pytest.mark.parametrize("dots", ["%2E", "%2E%2e"])
def test_a_name_that_clients_take_for_a_folder_is_told(dots: str) -> None:
    name = parse(f"urn:lex:it:{dots}:b:2000-01-01|x;1:{dots}@{dots}")
    form = http_of(name, BASE)
    assert [str(name)[each.start : each.end] for each in form.findings] == [dots.upper()] * 3
    assert {each.code for each in form.findings} == {"LX407"}
    assert check_http(form.uri).errors[0].code == "LX415"


def test_dots_with_a_partition_behind_them_are_no_folder() -> None:
    name = parse("urn:lex:it:a:b:2000-01-01;1:%2E%2E~a:%2E")
    form = http_of(name, BASE)
    assert form.findings == ()
    assert parse_http(form.uri) == name


def test_a_format_without_extension_has_no_draft_form() -> None:
    name = parse("urn:lex:it:a:b:2000-01-01;1$a.it:audio-mpeg")
    with pytest.raises(HttpFormError, match="audio-mpeg"):
        http_of(name, BASE, style="draft")
    assert http_of(name, BASE).uri.endswith("/$/a.it/audio-mpeg")


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(HttpFormError, match="style"):
        http_of(parse("urn:lex:it:a:b:2000-01-01;1"), BASE, style="short")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "publisher", ["", "a it", "a:b", "a.it:text-html", "a#", "a~b", "a/b", "*"]
)
def test_a_publisher_that_is_none_is_refused(publisher: str) -> None:
    with pytest.raises(HttpFormError, match="publisher"):
        check_http("https://law.example/lex/it/a/b/2000-01-01;1/$/x.pdf", publisher=publisher)


def test_a_raw_bar_is_an_error_of_the_grammar() -> None:
    uri = f"{BASE}/lex/il/state/law/1999-09-02|x;1"
    report = check_http(uri, reading="grammar")
    assert [(each.code, each.severity) for each in report.findings] == [("LX423", Severity.ERROR)]
    assert report.name is None
    with pytest.raises(NameSyntaxError):
        parse_http(uri, reading="grammar")


def test_extensions_and_formats_map_one_to_one() -> None:
    table = data.load_table("extensions")
    formats = table["formats"]
    assert len(set(formats.values())) == len(formats)
    assert set(formats) >= {"pdf", "doc", "xml", "tif", "html", "txt", "rtf", "odt", "jpg", "png"}
    assert set(table["shared"]).isdisjoint(formats.values())
    assert set(table["shared"].values()) <= set(formats)
    for extension, mime in formats.items():
        name = parse(f"urn:lex:it:a:b:2000-01-01;1$a.it:{mime}:x")
        uri = http_of(name, BASE, style="draft").uri
        assert uri.endswith(f"/$/x.{extension}")
        assert parse_http(uri, publisher="a.it") == name


@pytest.mark.parametrize(
    "path",
    [
        "/lex/" * 50_000,
        "/lex/it" + "/a" * 200_000,
        "/lex/it/a/b/2000-01-01;1~" + "a" * 500_000,
        "/lex/it/a/b/" + "2000-01-01%7Cx," * 50_000,
        "/lex/it/a/b/2000-01-01;1" + "/@" * 200_000,
        "/lex/it/a/b/2000-01-01;1" + "/%2e" * 200_000,
    ],
)
def test_long_uris_are_refused(path: str) -> None:
    report = check_http(BASE + path)
    assert report.name is None
    assert [each.code for each in report.findings] == ["LX424"]


def test_the_longest_name_has_a_uri() -> None:
    head = "urn:lex:il:a:b:" + ",".join(["2000-01-01|"] * 100) + ";"
    name = parse(head + "1" * (8192 - len(head)))
    form = http_of(name, BASE)
    assert parse_http(form.uri) == name
    longer = check_http(form.uri + "1")
    assert [each.code for each in longer.errors] == ["LX103"]


def test_a_text_is_read_as_a_name() -> None:
    name = "urn:lex:it:stato:legge:2003-09-21;456"
    assert http_of(name, BASE) == http_of(parse(name), BASE)
    with pytest.raises(NameSyntaxError, match="LX101"):
        http_of("hello", BASE)
