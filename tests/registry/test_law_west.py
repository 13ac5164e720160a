"""Law of western Europe: authorities, bodies, measures and units as data, held to rule and name."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from lexurn import data
from lexurn.name import check
from lexurn.registry import load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.name import Name

BASE = "https://w3id.org/lexurn/registry/"
REG = BASE + "ns#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
LANGUAGES = {
    "fr": ("fr",),
    "de": ("de",),
    "es": ("es",),
    "pt": ("pt",),
    "nl": ("nl",),
    "be": ("nl", "fr", "de"),
    "ch": ("de", "fr", "it", "rm"),
    "at": ("de",),
    "lu": ("fr", "de", "lb"),
    "ie": ("en", "ga"),
}
STATES = {
    "fr": {"etat"},
    "de": {"staat"},
    "es": {"estado"},
    "pt": {"estado"},
    "nl": {"staat"},
    "be": {"staat", "etat"},
    "ch": {"staat", "etat", "stato"},
    "at": {"staat"},
    "lu": {"etat", "staat"},
    "ie": {"state", "stat"},
}
#: Jurisdictions with units, and how many are in force at the highest level.
UNITS = {"fr": 25, "de": 16, "es": 19, "pt": 2, "nl": 15, "at": 9}
KINDS = ("authorities", "bodies", "measures", "units")
#: What RFC 9676 itself names (sections 2.1, 3.4, 5.4 to 5.6): authority and type of measure.
RFC_NAMES = [
    ("fr", "etat", "loi"),
    ("fr", "etat", "traite"),
    ("fr", "assemblee.nationale", "proposition.loi"),
    ("de", "staat", "vertrag"),
    ("de", "stadt", "rundschreiben"),
    ("es", "estado", "ley"),
    ("es", "tribunal.supremo", "decision"),
    ("nl", "hoge.raad", "besluit"),
    ("be", "conseil.etat", "decision"),
    ("ch", "etat", "loi"),
    ("ch", "staat", "gesetz"),
    ("ch", "regiere", "erlass"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One concept of a file as it stands there."""

    iri: str
    kind: str
    notation: str
    values: Mapping[str, list[tuple[str, str]]] = field(repr=False)

    def texts(self, predicate: str) -> list[str]:
        return [text for text, _ in self.values.get(predicate, [])]

    def text(self, predicate: str) -> str:
        return next(iter(self.texts(predicate)), "")

    @property
    def slug(self) -> str:
        return self.iri.rpartition("/")[2].replace("_", ";")

    @property
    def called(self) -> list[tuple[str, str]]:
        return [*self.values.get(SKOS + "prefLabel", []), *self.values.get(SKOS + "altLabel", [])]


@cache
def items(path: str) -> tuple[Item, ...]:
    """The concepts of ``ontology/registry/<path>.ttl`` in the order of the file."""
    found: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for triple in parse(data.read_text(f"ontology/registry/{path}.ttl"), format=RdfFormat.TURTLE):
        assert isinstance(triple.subject, NamedNode)
        values = found.setdefault(triple.subject.value, defaultdict(list))
        language = triple.object.language if isinstance(triple.object, Literal) else None
        values[triple.predicate.value].append((triple.object.value, language or ""))
    return tuple(
        Item(
            iri=iri,
            kind=iri.split("/")[-2],
            notation=values[SKOS + "notation"][0][0],
            values=values,
        )
        for iri, values in found.items()
        if SKOS + "notation" in values
    )


def exists(path: str) -> bool:
    return (data.find_folder("ontology") / "registry" / f"{path}.ttl").is_file()


def law(code: str) -> list[Item]:
    """Authorities, bodies, measures and units of a jurisdiction."""
    paths = [each for each in (f"law/{code}", f"units/{code}") if exists(each)]
    return [item for path in paths for item in items(path) if item.kind in KINDS]


def of_kind(code: str, kind: str) -> list[Item]:
    return [item for item in law(code) if item.kind == kind]


def notations(code: str, kind: str) -> set[str]:
    return {item.notation for item in of_kind(code, kind)}


# --- what is there ---------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("kind", ["authorities", "measures"])
def test_a_jurisdiction_has_its_authorities_and_measures(code: str, kind: str) -> None:
    for language in LANGUAGES[code]:
        called = {
            item.notation
            for item in of_kind(code, kind)
            if any(tag == language for _, tag in item.values[SKOS + "prefLabel"])
        }
        assert len(called) >= {"rm": 10, "lb": 10}.get(language, 20), (language, len(called))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_official_languages_are_said(code: str) -> None:
    said = {
        item.slug: item.text(SKOS + "prefLabel")
        for item in items(f"law/{code}")
        if item.kind == "conventions" and item.notation == "language"
    }
    assert said["language"] == LANGUAGES[code][0]
    assert set(said.values()) == set(LANGUAGES[code])
    assert load_registry().law(code).languages[0] == LANGUAGES[code][0]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_state_is_an_authority_in_its_languages(code: str) -> None:
    said = {
        item.text(SKOS + "prefLabel")
        for item in items(f"law/{code}")
        if item.kind == "conventions" and item.notation == "state"
    }
    assert said == STATES[code]
    assert said <= notations(code, "authorities")


@pytest.mark.parametrize(("code", "count"), UNITS.items())
def test_units_are_complete(code: str, count: int) -> None:
    now = [
        item
        for item in of_kind(code, "units")
        if REG + "validUntil" not in item.values and ";" not in item.notation
    ]
    assert len(now) == count


def test_the_26_cantons_are_there() -> None:
    cantons = "AG AI AR BE BL BS FR GE GL GR JU LU NE NW OW SG SH SO SZ TG TI UR VD VS ZG ZH"
    found = {text for item in of_kind("ch", "units") for text in item.texts(_ABBREVIATION)}
    assert " ".join(sorted(found)) == cantons


def test_regions_and_communities_of_belgium_are_there() -> None:
    wanted = {
        "vlaanderen",
        "wallonie",
        "brussels.hoofdstedelijk.gewest",
        "region.bruxelles.capitale",
        "communaute.francaise",
        "deutschsprachige.gemeinschaft",
    }
    assert wanted <= notations("be", "units")


@pytest.mark.parametrize(("code", "authority", "measure"), RFC_NAMES)
def test_what_the_rfc_names_is_there(code: str, authority: str, measure: str) -> None:
    assert authority in notations(code, "authorities")
    assert measure in notations(code, "measures")


# --- what each entry says --------------------------------------------------------------------

_ABBREVIATION = REG + "abbreviation"
_AMBIGUOUS = Path(__file__).parents[1] / "cases" / "registry_ambiguous.tsv"
_CODES = pytest.mark.parametrize("code", LANGUAGES)


@_CODES
def test_entries_stand_sorted_and_once(code: str) -> None:
    for kind in KINDS:
        iris = [f"<{item.iri}>" for item in of_kind(code, kind)]
        assert iris == sorted(set(iris))


@_CODES
def test_entries_lie_in_their_scheme(code: str) -> None:
    for item in law(code):
        assert item.iri.startswith(f"{BASE}{code}/{item.kind}/"), item.iri
        assert item.texts(SKOS + "inScheme") == [f"{BASE}{code}/{item.kind}"], item.iri


@_CODES
def test_entries_have_labels_of_an_official_language(code: str) -> None:
    for item in law(code):
        tags = [tag for _, tag in item.values[SKOS + "prefLabel"]]
        assert tags, item.iri
        assert len(tags) == len(set(tags)), item.iri
        assert set(tags) <= set(LANGUAGES[code]), item.iri
        assert {tag for _, tag in item.values[_ABBREVIATION]} <= set(tags), item.iri


@_CODES
def test_entries_name_their_source(code: str) -> None:
    for item in law(code):
        assert item.texts(DCTERMS + "source"), item.iri
        assert all(re.match(r"https://[^/\s]+/", each) for each in item.texts(DCTERMS + "source"))


@_CODES
def test_examples_are_good_names_that_hold_the_notation(code: str) -> None:
    for item in law(code):
        examples = item.texts(SKOS + "example")
        assert examples, item.iri
        for example in examples:
            name = good_name(example)
            assert name.jurisdiction.code == code, example
            assert item.notation in set(places(item.kind, name)), (item.iri, example)


@_CODES
def test_examples_lie_in_the_time_of_the_entry(code: str) -> None:
    for item in law(code):
        start, end = item.text(REG + "validFrom"), item.text(REG + "validUntil")
        assert start < (end or "9999"), item.iri
        for example in item.texts(SKOS + "example"):
            for date in good_name(example).work.details.dates:
                assert start <= date.iso < (end or "9999"), (item.iri, example)


@_CODES
def test_short_references_stand_for_good_names(code: str) -> None:
    for item in law(code):
        for name in item.texts(REG + "name"):
            work = good_name(name).work
            assert str(work.authority) in STATES[code] | {"confederaziun.svizra"}, name
            assert str(work.measure) in notations(code, "measures"), name


@_CODES
def test_issuers_are_authorities(code: str) -> None:
    for item in of_kind(code, "measures"):
        assert set(item.texts(REG + "issuer")) <= notations(code, "authorities"), item.iri


@_CODES
def test_successors_are_entries_of_the_same_kind(code: str) -> None:
    known = {item.iri: item for item in law(code)}
    for item in law(code):
        for successor in item.texts(DCTERMS + "isReplacedBy"):
            assert known[successor].kind == item.kind, item.iri
            assert not known[successor].texts(DCTERMS + "isReplacedBy"), item.iri


@_CODES
def test_an_abbreviation_stands_for_one_thing(code: str) -> None:
    meant: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for item in law(code):
        for text, language in item.values[_ABBREVIATION]:
            meant[item.kind, language, make_key(text)].add(item.notation)
    several = {(kind, key) for (kind, _, key), found in meant.items() if len(found) > 1}
    assert several <= _listed(code)


def _listed(code: str) -> set[tuple[str, str]]:
    """The words that are known to mean two things, so that a name with them is refused."""
    rows = (line.split("\t") for line in _AMBIGUOUS.read_text("utf-8").splitlines())
    return {(kind, key) for kind, scope, key, _ in rows if scope == code}


@_CODES
def test_a_label_stands_for_one_thing(code: str) -> None:
    meant: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for item in law(code):
        for text, language in item.called:
            meant[item.kind, language, make_key(text)].add(item.notation)
    assert {key: found for key, found in meant.items() if len(found) > 1} == {}


@_CODES
def test_notations_are_what_the_words_fold_to(code: str) -> None:
    wrong = [
        (item.notation, sorted(spellings(item)))
        for item in law(code)
        if not is_spelled(item, set(spellings(item)))
    ]
    assert wrong == []


# --- helpers ---------------------------------------------------------------------------------


def good_name(text: str) -> Name:
    """The name, which has neither errors nor warnings and is canonical."""
    report = check(text)
    assert report.name is not None, text
    assert [each.message for each in report.findings if each.severity != "note"] == [], text
    assert str(report.name) == text
    return report.name


def places(kind: str, name: Name) -> Iterator[str]:
    """What may be the notation of an entry of a kind, in a name: whole, or continued by a dot."""
    if kind == "units":
        yield ";".join(name.jurisdiction.units)
    elif kind == "measures":
        yield str(name.work.measure)
    elif kind == "authorities":
        for issuer in name.work.authority.issuers:
            yield from continued(issuer.institution)
            yield str(issuer)
    else:
        for issuer in name.work.authority.issuers:
            yield from issuer.functions


def continued(institution: str) -> Iterator[str]:
    """``cour.appel.paris``, ``cour.appel``, ``cour``."""
    words = institution.split(".")
    for count in range(len(words), 0, -1):
        yield ".".join(words[:count])


@cache
def words(language: str) -> tuple[frozenset[str], Mapping[str, str], Mapping[str, str]]:
    """Connectives, ordinals and letters of a language; empty where the registry has none."""
    if not exists(f"words/{language}"):
        return frozenset(), {}, {}
    kinds: dict[str, list[Item]] = defaultdict(list)
    for item in items(f"words/{language}"):
        kinds[item.kind].append(item)
    letters = {item.text(SKOS + "prefLabel"): item.notation for item in kinds["folds"]}
    drop = {folded(text, letters) for item in kinds["connectives"] for text, _ in item.called}
    numbers = {
        folded(text, letters): item.notation
        for item in kinds["ordinals"]
        for text, _ in item.called
    }
    return frozenset(drop), numbers, letters


def folded(text: str, letters: Mapping[str, str]) -> str:
    """Words in base letters and lower case, joined by dots."""
    text = unicodedata.normalize("NFC", text).lower()
    text = "".join(letters.get(letter, letter) for letter in text).replace("ß", "ss")
    text = unicodedata.normalize("NFKD", text.replace("œ", "oe"))
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return ".".join(re.findall(r"[^\W_]+", text))


def spellings(item: Item) -> Iterator[str]:
    """What labels and other forms fold to, with and without ordinals as numbers (4.1, 4.3)."""
    for text, language in item.called:
        drop, numbers, letters = words(language)
        kept = [each for each in folded(text, letters).split(".") if each not in drop]
        yield ".".join(kept)
        yield ".".join(numbers.get(each, each) for each in kept)


def is_spelled(item: Item, spelled: Iterable[str]) -> bool:
    """Whether the last level of the notation is one of the spellings.

    Where an entry's IRI is not its notation, the IRI is the spelling and the notation is in it:
    "arrêté ministériel" is the ``arrete`` of a ministry (RFC 9676 section 6.2.1). Of a language
    whose connectives the registry does not list, the words of the notation stand in the label.
    """
    last = item.notation.rpartition(";")[2]
    listed = all(exists(f"words/{language}") for _, language in item.values[SKOS + "prefLabel"])
    if item.slug != item.notation:
        return item.slug in spelled and any(stands_in(last, each) for each in spelled)
    if not listed:
        return any(stands_in(last, each) for each in spelled)
    return last in spelled


def stands_in(notation: str, spelled: str) -> bool:
    """Whether the words stand in the spelling in order, also as the ends of compounds."""
    pattern = r".*?".join(re.escape(word) + r"(?=\.|$)" for word in notation.split("."))
    return re.search(pattern, spelled) is not None
