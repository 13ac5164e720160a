# The words are of many scripts.
from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cache
from string import Formatter
from typing import NamedTuple
from urllib.parse import quote, unquote

import pytest
from pyoxigraph import RdfFormat, parse

from lexurn import data
from lexurn.minting import Mode
from lexurn.minting.phrases import write_phrase
from lexurn.registry import load_registry

BASE = "https://w3id.org/lexurn/registry/"
SKOS = "http://www.w3.org/2004/02/skos/core#"
REG = BASE + "ns#"
FOLDER = data.find_folder("ontology") / "registry" / "words"

KINDS = (
    *("abbreviations", "annexes", "cardinals", "connectives", "datewords", "folds", "formats"),
    *("markers", "months", "ordinals", "partitions", "qualifiers", "weekdays"),
)
#: Kinds for reading citations, which a language need not have.
CITED = {"issuer-words", "subject-words"}
WHOLE = (
    *("ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hu", "it"),
    *("ja", "nl", "pl", "pt", "ro", "ru", "sv", "tr"),
)
PARTLY = (
    *("et", "eu", "ga", "gl", "hr", "is", "lt", "lv", "mt", "nb", "no", "sk", "sl", "sr", "uk"),
    "la",
)
LANGUAGES = tuple(sorted(file.stem for file in FOLDER.glob("*.ttl")))
OF_DATED = ("annexes", "connectives", "datewords", "formats", "markers", "months", "partitions")

#: Kinds that a language has none of, and why.
NONE_OF = {
    ("ja", "connectives"): "particles are not set off by blanks",
    ("ja", "qualifiers"): "what the issuer is stands inside the word (省令)",
    ("ar", "abbreviations"): "legal Arabic writes its nouns out",
}
#: Languages whose letters become ASCII in another way than by their base letters.
FOLDED = {"bg", "da", "de", "el", "is", "nb", "no", "sr", "uk"}
#: Languages whose script has no known form in ASCII (RFC 9676 section 3.4).
UNMAPPED = {"ar", "he", "ja"}
#: One spelling, two numbers: told apart by an accent alone, so that the key means neither.
ACCENT_TELLS = {(each, "ordinals", "attende"): "åttende 8, attende 18" for each in ("nb", "no")}
#: An abbreviation that is a connective but for its dot, its accent or its apostrophe.
DOT_TELLS = {
    ("fr", "pres"): "prés. président, près near",
    ("it", "all"): "all. allegato, all' to the",
}

FORMATS = {
    "date": {"day", "month", "year"},
    "date-first": {"month", "year"},
    "act": {"measure", "date", "number"},
    "act-issuer": {"authority", "measure", "date", "number"},
    "act-unnumbered": {"measure", "date"},
    "act-issuer-unnumbered": {"authority", "measure", "date"},
    "act-period": {"measure", "number", "period"},
    "act-issuer-period": {"authority", "measure", "number", "period"},
    "version": {"date"},
    "version-label": {"version"},
    "original": set(),
    "in-language": {"language"},
    "edition": {"publisher", "format"},
    "and": set(),
    "join": set(),
    "partition": {"label", "number"},
    "annex": {"label", "number"},
}
STYLES = {"arabic", "roman", "letter", "ordinal"}
PARTITIONS = {"art", "par", "let", "num", "cap", "sec", "tit", "anx"}
APOSTROPHES = "'’ʼ׳"


class Word(NamedTuple):
    iri: str
    kind: str
    notation: str
    labels: tuple[str, ...]
    forms: tuple[str, ...]
    languages: frozenset[str]
    qualifies: tuple[str, ...]
    numbering: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        return (*self.labels, *self.forms)


def text_of(language: str) -> str:
    return (FOLDER / f"{language}.ttl").read_text("utf-8")


@cache
def words(language: str) -> tuple[Word, ...]:
    """The entries of a language's file, as its Turtle has them."""
    found: dict[str, dict[str, list[object]]] = defaultdict(lambda: defaultdict(list))
    for triple in parse(text_of(language), format=RdfFormat.TURTLE):
        found[triple.subject.value][triple.predicate.value].append(triple.object)
    return tuple(
        word_of(iri, values, language)
        for iri, values in sorted(found.items())
        if SKOS + "inScheme" in values
    )


def word_of(iri: str, values: dict[str, list[object]], language: str) -> Word:
    def texts(predicate: str) -> tuple[str, ...]:
        return tuple(each.value for each in values.get(predicate, ()))  # type: ignore[attr-defined]

    (scheme,) = texts(SKOS + "inScheme")
    (notation,) = texts(SKOS + "notation")
    assert scheme.startswith(f"{BASE}words/{language}/")
    tags = (
        each.language or ""  # type: ignore[attr-defined]
        for name in ("prefLabel", "altLabel")
        for each in values.get(SKOS + name, ())
    )
    return Word(
        iri=iri,
        kind=scheme.rpartition("/")[2],
        notation=notation,
        labels=texts(SKOS + "prefLabel"),
        forms=texts(SKOS + "altLabel"),
        languages=frozenset(tags),
        qualifies=texts(REG + "qualifies"),
        numbering=texts(REG + "numbering"),
    )


def of_kind(language: str, kind: str) -> tuple[Word, ...]:
    return tuple(each for each in words(language) if each.kind == kind)


def plain(text: str) -> str:
    """A text without case, accents, dots and apostrophes, which spellings differ by."""
    letters = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(re.sub(rf"[-.·{APOSTROPHES}\"״/:]+", " ", kept).split())


def meanings(language: str, kind: str) -> dict[str, set[str]]:
    """What each spelling of a kind can stand for."""
    found: dict[str, set[str]] = defaultdict(set)
    for word in of_kind(language, kind):
        for text in word.texts:
            found[plain(text)].add(word.notation)
    return found


def test_the_languages_are_there() -> None:
    assert set(LANGUAGES) == {*WHOLE, *PARTLY}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "folds"])
@pytest.mark.parametrize("language", WHOLE)
def test_a_whole_language_has_every_kind(language: str, kind: str) -> None:
    reason = NONE_OF.get((language, kind))
    found = of_kind(language, kind)
    assert bool(found) is (reason is None), reason


@pytest.mark.parametrize("kind", OF_DATED)
@pytest.mark.parametrize("language", [each for each in PARTLY if each != "la"])
def test_a_further_language_has_what_dates_and_labels_need(language: str, kind: str) -> None:
    assert of_kind(language, kind)


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_languages_with_letters_of_their_own_fold_them(language: str) -> None:
    folds = of_kind(language, "folds")
    assert bool(folds) is (language in FOLDED)
    for fold in folds:
        assert re.fullmatch("[a-z]+", fold.notation)
        assert fold.labels == (fold.labels[0].lower(),)
        assert not fold.labels[0].isascii()


@pytest.mark.parametrize("language", LANGUAGES)
def test_ordinals_are_complete(language: str) -> None:
    numbers = [int(each.notation) for each in of_kind(language, "ordinals")]
    assert sorted(numbers) == [*range(1, 32), *range(40, 101, 10)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_cardinals_are_complete_where_there_are_any(language: str) -> None:
    numbers = sorted(int(each.notation) for each in of_kind(language, "cardinals"))
    assert numbers in ([], list(range(1, 32)))
    assert numbers or language not in WHOLE


@pytest.mark.parametrize("language", LANGUAGES)
def test_months_and_days_of_the_week_are_complete(language: str) -> None:
    for kind, last in (("months", 12), ("weekdays", 7)):
        numbers = sorted(int(each.notation) for each in of_kind(language, kind))
        assert numbers == ([] if language == "la" else list(range(1, last + 1)))


@pytest.mark.parametrize("kind", ["ordinals", "cardinals", "months", "weekdays"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spelling_means_one_number(language: str, kind: str) -> None:
    for spelling, numbers in meanings(language, kind).items():
        known = (language, kind, spelling) in ACCENT_TELLS
        assert (len(numbers) > 1) is known, (spelling, numbers)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_connective_is_an_ordinal_or_a_month(language: str) -> None:
    connectives = meanings(language, "connectives").keys()
    for kind in ("ordinals", "months"):
        assert not connectives & meanings(language, kind).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_connective_is_an_abbreviation(language: str) -> None:
    connectives = meanings(language, "connectives").keys()
    for kind in ("abbreviations", "annexes"):
        for spelling in connectives & meanings(language, kind).keys():
            assert (language, spelling) in DOT_TELLS


@pytest.mark.parametrize(("language", "spelling"), sorted(DOT_TELLS))
def test_exceptions_are_still_needed(language: str, spelling: str) -> None:
    abbreviated = {**meanings(language, "abbreviations"), **meanings(language, "annexes")}
    assert spelling in abbreviated
    assert spelling in meanings(language, "connectives")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_abbreviation_is_an_ordinal(language: str) -> None:
    abbreviated = meanings(language, "abbreviations").keys()
    assert not abbreviated & meanings(language, "ordinals").keys()


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "la"])
def test_formats_are_complete_and_hold_their_fields(language: str) -> None:
    formats = {each.notation: each.labels[0] for each in of_kind(language, "formats")}
    assert formats.keys() - {"date-first"} == FORMATS.keys() - {"date-first"}
    for key, template in formats.items():
        fields = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
        assert sorted(fields) == sorted(FORMATS[key]), key


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "la"])
def test_no_two_formats_of_acts_read_alike(language: str) -> None:
    acts = [
        each.labels[0] for each in of_kind(language, "formats") if each.notation.startswith("act")
    ]
    assert len(acts) == len(set(acts)) == 6


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "la"])
def test_partitions_have_the_common_labels_and_a_style(language: str) -> None:
    partitions = of_kind(language, "partitions")
    labels = [each.notation for each in partitions]
    assert set(labels) >= PARTITIONS
    assert len(labels) == len(set(labels))
    for each in partitions:
        assert re.fullmatch("[a-z]+[0-9]?[a-z]?", each.notation), each.iri
        assert len(each.numbering) <= 1
        assert set(each.numbering) <= STYLES


@pytest.mark.parametrize("language", LANGUAGES)
def test_qualifiers_say_what_they_repeat(language: str) -> None:
    for word in words(language):
        assert bool(word.qualifies) is (word.kind == "qualifiers"), word.iri
        for head in word.qualifies:
            assert re.fullmatch(r"[a-z0-9]+(\.[a-z0-9]+)*", unquote(head)) or (
                language in UNMAPPED and quote(unquote(head)) == head
            ), word.iri


@pytest.mark.parametrize("language", LANGUAGES)
def test_expansions_are_as_names_have_them(language: str) -> None:
    for word in (*of_kind(language, "abbreviations"), *of_kind(language, "annexes")):
        if language in UNMAPPED:
            known = load_registry().words(language)
            written = write_phrase(word.labels[0], known, Mode.ASCII, "").text
            assert word.notation == written, word.iri
        else:
            assert re.fullmatch(r"[a-z0-9]+(\.[a-z0-9]+)*", word.notation), word.iri


@pytest.mark.parametrize("language", LANGUAGES)
def test_abbreviations_are_shorter_than_their_words(language: str) -> None:
    for word in of_kind(language, "abbreviations"):
        assert word.forms, word.iri
        for form in word.forms:
            assert len(form.strip(".")) < len(word.labels[0]), word.iri


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_composed_trimmed_and_tagged(language: str) -> None:
    text = text_of(language)
    assert text == unicodedata.normalize("NFC", text)
    assert text.endswith("\n")
    for word in words(language):
        assert {each.partition("-")[0] for each in word.languages} == {language}, word.iri
        assert len(word.labels) == 1, word.iri
        assert len(set(word.texts)) == len(word.texts), word.iri
        for each in word.texts:
            assert word.kind == "formats" or each == " ".join(each.split()), word.iri
            assert not any(unicodedata.category(letter) in {"Cc", "Cf"} for letter in each)


@pytest.mark.parametrize("language", LANGUAGES)
def test_files_are_sorted_and_name_no_entry_twice(language: str) -> None:
    entries = re.findall(r"(?m)^<(\S+)> a skos:Concept ;", text_of(language))
    schemes = re.findall(r"(?m)^<(\S+)> a skos:ConceptScheme ;", text_of(language))
    assert schemes == sorted(set(schemes))
    assert {scheme.rpartition("/")[2] for scheme in schemes} <= {*KINDS, *CITED}
    assert entries == sorted(set(entries), key=lambda each: (each.rpartition("/")[0], each + ">"))
    assert set(entries) == {word.iri for word in words(language)}


@pytest.mark.parametrize(
    ("language", "day"),
    [
        ("ca", "21 de setembre de 2003"),
        ("cs", "21. září 2003"),
        ("de", "21. September 2003"),
        ("el", "21ης Σεπτεμβρίου 2003"),
        ("en", "21 September 2003"),
        ("fi", "21 päivänä syyskuuta 2003"),
        ("fr", "21 septembre 2003"),
        ("he", "21 בספטמבר 2003"),
        ("hu", "2003. szeptember 21."),
        ("it", "21 settembre 2003"),
        ("ja", "2003年9月21日"),
        ("lt", "2003 m. rugsėjo 21 d."),
        ("lv", "2003. gada 21. septembra"),
        ("pl", "21 września 2003 r."),
        ("pt", "21 de setembro de 2003"),
        ("ru", "21 сентября 2003 г."),
        ("tr", "21 Eylül 2003"),
        ("uk", "21 вересня 2003 року"),
    ],
)
def test_labels_of_months_stand_inside_a_date(language: str, day: str) -> None:
    (template,) = (e.labels[0] for e in of_kind(language, "formats") if e.notation == "date")
    (month,) = (e.labels[0] for e in of_kind(language, "months") if e.notation == "9")
    assert template.format(day=21, month=month, year=2003) == day
