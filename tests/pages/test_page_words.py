"""Words of pages: each language has the same keys, fields that exist, and no key is left over."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

import pytest

from lexurn import data, parse
from lexurn.pages import LANGUAGES, choose_language, load_words
from lexurn.pages.text import is_right_to_left

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(__file__).parents[2] / "src" / "lexurn"
OPTIONS = {"one", "thousands", "decimal", "contractions"}


def read(language: str) -> dict[str, str]:
    """Read the texts of a language by key."""

    def flatten(entries: dict[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
        for key, value in entries.items():
            if isinstance(value, dict):
                yield from flatten(value, f"{before}{key}.")
            else:
                yield f"{before}{key}", value

    options = tomllib.loads(data.read_text(f"templates/words/{language}.toml"))
    return dict(flatten({key: value for key, value in options.items() if key not in OPTIONS}))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_each_language_has_a_file() -> None:
    found = (file.stem for file in (data.find_folder("templates") / "words").glob("*.toml"))
    assert tuple(sorted(found)) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_the_keys_and_fields_of_english(language: str) -> None:
    english, texts = read("en"), read(language)
    assert texts.keys() == english.keys()
    for key, text in texts.items():
        assert fields(text) <= fields(english[key]), key
        assert fields(text) == fields(english[key]) or key.endswith(".one"), key
        assert text == text.strip() != "", key


def test_no_key_is_left_over() -> None:
    files = [*SOURCE.glob("pages/*.py"), *SOURCE.glob("publishing/*.py")]
    files += data.find_folder("templates").glob("*.*")
    text = "\n".join(file.read_text("utf-8") for file in files)
    used = set(re.findall(r"[\"']([a-z]+\.[a-z-]+)[\"']", text))
    # Keys that are made of a value: the kind of a name, a state of force, a column, a part.
    made = (
        "kind.",
        "force.",
        "fact.",
        "part.",
        "heading.annexes",
        "heading.parts",
        "heading.formats",
    )
    for key in read("en"):
        whole = re.sub(r"\.(one|other)$", "", key)
        assert whole in used or key.startswith(made), key


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        ("en", 0, "0 acts"),
        ("en", 1, "1 act"),
        ("en", 12_500, "12,500 acts"),
        ("it", 12_500, "12.500 atti"),
        ("fr", 0, "0 acte"),
        ("fr", 12_500, "12\u202f500 actes"),
        ("de", 2, "2 Rechtsakte"),
    ],
)
def test_counts(language: str, count: int, text: str) -> None:
    assert load_words(language).count("count.acts", count) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(9, "9 B"), (999, "999 B"), (1_500, "1,5 kB"), (812_345, "812 kB"), (12_345_678, "12 MB")],
)
def test_sizes(size: int, text: str) -> None:
    assert load_words("it").size(size) == text.replace(" ", "\u00a0")


@pytest.mark.parametrize(
    ("day", "text"),
    [
        ("2012-05-08", "Dall’8 maggio 2012 (fine non nota)"),
        ("2012-05-11", "Dall’11 maggio 2012 (fine non nota)"),
        ("2012-05-01", "Dal 1° maggio 2012 (fine non nota)"),
        ("2012-05-18", "Dal 18 maggio 2012 (fine non nota)"),
    ],
)
def test_italian_articles_are_elided(day: str, text: str) -> None:
    words = load_words("it")
    assert words("version.from", start=words.day(dt.date.fromisoformat(day))) == text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "In Kraft seit unbekanntem Tag"),
        ("en", "In force since an unknown day"),
        ("es", "En vigor desde una fecha desconocida"),
        ("fr", "En vigueur depuis une date inconnue"),
        ("it", "In vigore da data non nota"),
        ("pt", "Em vigor desde data desconhecida"),
    ],
)
def test_an_unknown_day_has_no_article_of_a_day(language: str, text: str) -> None:
    words = load_words(language)
    assert words("force.in-force-since", day=words("force.day-unknown")) == text


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("urn:lex:it:stato:legge:2003-09-21;456", "it"),
        ("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:de", "de"),
        ("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:de-at", "de"),
        ("urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:sl", "it"),
        ("urn:lex:ch:staat:bundesverfassung:1999-04-18;101", "de"),
        ("urn:lex:fi:valtio:perustuslaki:1999-06-11;731-1999", "es"),
    ],
)
def test_a_page_has_the_language_of_its_version_or_jurisdiction(name: str, language: str) -> None:
    assert choose_language(parse(name), "es") == language


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_page_has_the_language_of_the_site_where_that_is_official(language: str) -> None:
    name = parse("urn:lex:be:staat:wet:2019-03-23;1")
    assert choose_language(name, language) == language


@pytest.mark.parametrize(
    ("tag", "expected"),
    [("ar", True), ("he-il", True), ("az-arab", True), ("ar-latn", False), ("it", False)],
)
def test_direction_of_text(tag: str, *, expected: bool) -> None:
    assert is_right_to_left(tag) is expected
