"""Law beyond western Europe: the files as a jurist edits them, held to names, sources and rules."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import pytest
from pyoxigraph import Literal, RdfFormat, parse

import lexurn
from lexurn import data
from lexurn.minting import Mode
from lexurn.minting.phrases import write_phrase
from lexurn.registry import load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.name import Name

BASE = "https://w3id.org/lexurn/registry/"
REG = BASE + "ns#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
DEPRECATED = "http://www.w3.org/2002/07/owl#deprecated"
PREFERRED, OTHER, SHORT = SKOS + "prefLabel", SKOS + "altLabel", REG + "abbreviation"

#: Official languages and conventional authority (RFC 9676 section 6.1.6) of each jurisdiction.
FIRST = {
    "uk": ("en cy", "state"),
    "us": ("en", "state"),
    "eu": (
        "en bg cs da de el es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv",
        "european.union",
    ),
    "un.org": ("en ar es fr ru zh", "united.nations"),
    "pl": ("pl", "panstwo"),
    "ro": ("ro", "stat"),
    "se": ("sv", "stat"),
    "dk": ("da", "stat"),
    "fi": ("fi sv", "valtio"),
    "gr": ("el", "kratos"),
    "cz": ("cs", "stat"),
    "hu": ("hu", "allam"),
}
FURTHER = {
    "bg": ("bg", "darzhava"),
    "tr": ("tr", "devlet"),
    "jp": ("ja", "kuni"),
    "il": ("he", "medina"),
    "no": ("no", "stat"),
    "ee": ("et", "riik"),
    "ru": ("ru", "gosudarstvo"),
}
ALL = {**FIRST, **FURTHER, "eec.lex.arpa": ("en de fr it nl", "european.economic.community")}
UNITS = {"us": 56, "uk": 5, "ca": 13, "au": 8}
#: Files of one jurisdiction that a test looks through.
PATHS = [f"law/{code}" for code in ALL] + [f"units/{code}" for code in UNITS]
#: Scripts of jurisdictions whose labels are not in Latin letters.
SCRIPTS = {
    "gr": "[\u0370-\u03ff\u1f00-\u1fff]",
    "bg": "[\u0400-\u04ff]",
    "ru": "[\u0400-\u04ff]",
    "jp": "[\u3040-\u30ff\u4e00-\u9fff]",
    "il": "[\u05d0-\u05ea]",
}
NOTATION = re.compile(r"[a-z0-9]+(\.[a-z0-9]+)*(;[a-z0-9]+(\.[a-z0-9]+)*)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Concept:
    """One concept of a file as it stands there; values with their languages."""

    iri: str
    values: Mapping[str, list[tuple[str, str]]]

    @property
    def kind(self) -> str:
        return self.iri.split("/")[-2]

    @property
    def notation(self) -> str:
        return self.texts(SKOS + "notation")[0]

    @property
    def obsolete(self) -> bool:
        return DEPRECATED in self.values

    def texts(self, *predicates: str) -> list[str]:
        return [text for each in predicates for text, _ in self.values.get(each, [])]

    def tagged(self, *predicates: str) -> list[tuple[str, str]]:
        return [pair for each in predicates for pair in self.values.get(each, [])]


@cache
def concepts(path: str) -> tuple[Concept, ...]:
    """The concepts of ``ontology/registry/<path>.ttl``."""
    found: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for triple in parse(data.read_text(f"ontology/registry/{path}.ttl"), format=RdfFormat.TURTLE):
        values = found.setdefault(triple.subject.value, defaultdict(list))
        language = triple.object.language if isinstance(triple.object, Literal) else None
        values[triple.predicate.value].append((triple.object.value, language or ""))
    return tuple(
        Concept(iri=iri, values=values)
        for iri, values in found.items()
        if SKOS + "notation" in values
    )


def of_kind(path: str, *kinds: str) -> list[Concept]:
    return [each for each in concepts(path) if each.kind in kinds]


def named(path: str) -> list[Concept]:
    """All but the conventions."""
    return [each for each in concepts(path) if each.kind != "conventions"]


def places(name: Name, kind: str) -> set[str]:
    """What stands at the place of one kind of concept in a name, whole and from its head on."""
    issuers = [each.parts for each in _issuers(name)]
    if kind == "authorities":
        return {";".join(parts[:n]) for parts in issuers for n in range(1, len(parts) + 1)}
    if kind == "bodies":
        return {part for parts in issuers for part in parts[1:]}
    if kind == "units":
        units = name.jurisdiction.units
        return {";".join(units[:n]) for n in range(1, len(units) + 1)}
    return {name.work.measure.type, str(name.work.measure)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Issuer:
    """An issuer as its levels."""

    parts: tuple[str, ...]


def _issuers(name: Name) -> list[Issuer]:
    return [
        Issuer(parts=(each.institution, *each.functions)) for each in name.work.authority.issuers
    ]


# --- how much is there -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["authorities", "measures"])
@pytest.mark.parametrize(
    ("code", "least"), [*((c, 20) for c in FIRST), *((c, 15) for c in FURTHER)]
)
def test_a_jurisdiction_has_its_authorities_and_measures(code: str, least: int, kind: str) -> None:
    in_force = {each.notation for each in of_kind(f"law/{code}", kind) if not each.obsolete}
    assert len(in_force) >= least


@pytest.mark.parametrize("language", ["en", "fr", "de", "it", "es"])
@pytest.mark.parametrize("kind", ["authorities", "measures"])
def test_the_union_speaks_its_main_languages(language: str, kind: str) -> None:
    called = [
        each
        for each in of_kind("law/eu", kind)
        if language in {tag for _, tag in each.tagged(PREFERRED)}
    ]
    assert len(called) >= 15


@pytest.mark.parametrize("language", FIRST["eu"][0].split())
def test_the_union_cites_its_acts_in_all_languages(language: str) -> None:
    labels = {
        kind: [
            each.notation
            for each in of_kind("law/eu", kind)
            if language in {tag for _, tag in each.tagged(PREFERRED)}
        ]
        for kind in ("authorities", "measures")
    }
    assert len(labels["authorities"]) >= 10
    assert len(labels["measures"]) >= 14


@pytest.mark.parametrize(
    ("language", "form", "notation"),
    [
        ("de", "Rates", "rat"),
        ("pl", "Komisji", "komisja"),
        ("cs", "Evropské komise", "komise"),
        ("bg", "Съвета", "savet"),
        ("el", "Συμβουλίου", "symvoulio"),
        ("fi", "neuvoston", "neuvosto"),
        ("ga", "ón gComhairle", "comhairle"),
        ("hu", "tanácsi", "tanacs"),
        ("mt", "tal-Kunsill", "kunsill"),
        ("ro", "Consiliului", "consiliul"),
        ("sv", "kommissionens", "kommissionen"),
        ("da", "Rådets", "raadet"),
    ],
)
def test_declined_issuers_of_the_union_are_found(language: str, form: str, notation: str) -> None:
    authorities = load_registry().law("eu").authorities
    key = make_key(form)
    found = authorities.select(authorities.find_key(key), key, language)
    assert [each.notation for each in found] == [notation]


@pytest.mark.parametrize("mark", "EU EC EG CE UE EEC EWG CEE Euratom ECSC JHA CFSP".split())
def test_marks_of_the_union_are_not_issuers(mark: str) -> None:
    assert load_registry().law("eu").authorities.find(mark) == ()


@pytest.mark.parametrize(("code", "least"), UNITS.items())
def test_units_are_there(code: str, least: int) -> None:
    assert len({each.notation for each in of_kind(f"units/{code}", "units")}) >= least


# --- each concept ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS)
def test_notations_are_as_names_have_them(path: str) -> None:
    wrong = [each.notation for each in named(path) if not NOTATION.fullmatch(each.notation)]
    assert wrong == []


@pytest.mark.parametrize("path", PATHS)
def test_each_says_its_source(path: str) -> None:
    for each in concepts(path):
        sources = each.texts(DCTERMS + "source")
        assert sources, each.iri
        assert all(re.match(r"https?://[^\s<>\"]+$", source) for source in sources), each.iri


@pytest.mark.parametrize("path", PATHS)
def test_each_has_one_label_in_a_language(path: str) -> None:
    for each in named(path):
        languages = [tag for _, tag in each.tagged(PREFERRED)]
        assert languages, each.iri
        assert len(languages) == len(set(languages)), each.iri
        assert all(tag for _, tag in each.tagged(PREFERRED, OTHER, SHORT)), each.iri


@pytest.mark.parametrize("path", PATHS)
def test_examples_are_valid_and_hold_the_notation(path: str) -> None:
    code = path.partition("/")[2]
    for each in named(path):
        assert each.texts(SKOS + "example"), each.iri
        for example in each.texts(SKOS + "example"):
            report = lexurn.check(example)
            worse = [found.code for found in report.findings if found.severity != "note"]
            assert worse == [], example
            assert report.name is not None
            assert str(report.name) == example
            assert report.name.jurisdiction.code == code
            assert each.notation in places(report.name, each.kind), example


@pytest.mark.parametrize("code", ALL)
def test_examples_name_authorities_and_measures_of_the_file(code: str) -> None:
    authorities = {each.notation for each in of_kind(f"law/{code}", "authorities")}
    measures = {each.notation for each in of_kind(f"law/{code}", "measures")}
    for each in named(f"law/{code}"):
        for example in each.texts(SKOS + "example"):
            work = lexurn.parse(example).work
            for issuer in work.authority.issuers:
                heads = {issuer.institution, str(issuer)}
                assert heads & authorities, example
            assert work.measure.type in measures, example


@pytest.mark.parametrize("code", ALL)
def test_short_references_stand_for_acts_of_their_jurisdiction(code: str) -> None:
    for each in of_kind(f"law/{code}", "measures"):
        for name in each.texts(REG + "name"):
            report = lexurn.check(name)
            assert report.name is not None, name
            assert report.findings == (), name
            types = {e.notation for e in of_kind(f"law/{code}", "measures")}
            assert report.name.work.measure.type in types, name


@pytest.mark.parametrize("path", PATHS)
def test_times_of_validity_are_in_order(path: str) -> None:
    for each in named(path):
        since, until = each.texts(REG + "validFrom"), each.texts(REG + "validUntil")
        assert len(since) <= 1, each.iri
        assert len(until) <= 1, each.iri
        if since and until:
            assert since[0] < until[0], each.iri


# --- concepts among each other ---------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS)
def test_an_abbreviation_means_one_thing_in_a_language(path: str) -> None:
    meanings: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for each in named(path):
        for text, tag in each.tagged(SHORT):
            meanings[each.kind, tag, make_key(text)].add(each.notation)
    assert {key: sorted(found) for key, found in meanings.items() if len(found) > 1} == {}


@pytest.mark.parametrize("path", PATHS)
def test_a_form_means_one_thing_in_a_language(path: str) -> None:
    meanings: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for each in named(path):
        for text, tag in each.tagged(PREFERRED, OTHER):
            meanings[each.kind, tag, make_key(text)].add(each.notation)
    assert {key: sorted(found) for key, found in meanings.items() if len(found) > 1} == {}


@pytest.mark.parametrize("code", ALL)
def test_issuers_of_measures_are_authorities(code: str) -> None:
    authorities = {each.notation for each in of_kind(f"law/{code}", "authorities")}
    issuers = {
        issuer
        for each in of_kind(f"law/{code}", "measures")
        for issuer in each.texts(REG + "issuer")
    }
    assert issuers
    assert issuers <= authorities


@pytest.mark.parametrize("path", PATHS)
def test_what_is_replaced_leads_to_what_is_in_force(path: str) -> None:
    known = {each.iri: each for each in named(path)}
    for each in named(path):
        at, seen = each, {each.iri}
        while targets := at.texts(DCTERMS + "isReplacedBy"):
            assert targets[0] in known, each.iri
            assert targets[0] not in seen, each.iri
            seen.add(targets[0])
            at = known[targets[0]]
        if len(seen) > 1:
            assert not at.obsolete, each.iri


@pytest.mark.parametrize("code", ALL)
def test_conventions_say_languages_and_state(code: str) -> None:
    languages, state = ALL[code]
    found: dict[str, list[str]] = defaultdict(list)
    for each in of_kind(f"law/{code}", "conventions"):
        found[each.notation] += each.texts(PREFERRED)
    assert set(found["language"]) == set(languages.split())
    assert state in found["state"]
    assert set(found["state"]) <= {each.notation for each in of_kind(f"law/{code}", "authorities")}


@pytest.mark.parametrize(("code", "script"), SCRIPTS.items())
def test_labels_are_in_the_script_of_their_language(code: str, script: str) -> None:
    language = ALL[code][0]
    for each in named(f"law/{code}"):
        for text, tag in each.tagged(PREFERRED):
            assert tag == language
            assert re.search(script, text), text


#: Notations without the ordinals and issuers of their words (RFC 9676 sections 4.3, 6.2.1).
SHORTER = {"1.shohotei", "2.shohotei", "3.shohotei", "kisoku"}


@pytest.mark.parametrize("code", ["il", "jp"])
def test_a_script_without_a_mapping_has_one_in_each_entry(code: str) -> None:
    language = ALL[code][0]
    words = load_registry().words(language)
    for each in named(f"law/{code}"):
        latin = [
            text for text, tag in each.tagged(OTHER) if tag == f"{words.language}-Latn".lower()
        ]
        written = {write_phrase(text, words, Mode.ASCII, "").text for text in latin}
        assert latin, each.iri
        assert each.notation in written | SHORTER, (each.iri, latin)


# --- names that are minted -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        (("uk", "Ministry of Justice", "decree", "1999-10-07", "45"), "ministry.justice:decree"),
        (("us", "Supreme Court", "decision", "1978-04-28", "77-5953"), "supreme.court:decision"),
        (("eu", "Council", "Directive", "2004-12-07", "31"), "council:directive"),
        (("eu", "Consiglio", "Direttiva", "2004-12-07", "31"), "consiglio:direttiva"),
        (("eu", "Commission", "directive", "2010-03-09", "2010-19-eu"), "commission:directive"),
        (
            ("un.org", "General Assembly", "resolution", "1961-11-28", "a-res-1661"),
            "united.nations;general.assembly:resolution",
        ),
        (("ru", "Государство", "Закон", "1992-02-07", "2300-1"), "gosudarstvo:zakon"),
        (
            ("eec.lex.arpa", "Court of Justice", "Judgement", "1960-04-04", "4-59"),
            "court.justice:judgement",
        ),
        (
            ("eec.lex.arpa", "Court of Justice", "Order", "1960-05-18", "4-59"),
            "court.justice:order",
        ),
    ],
)
def test_the_examples_of_the_rfc_are_minted(fields: tuple[str, ...], name: str) -> None:
    keys = ("jurisdiction", "authority", "measure", "date", "number")
    code, *_, date, number = fields
    minted = lexurn.mint(dict(zip(keys, fields, strict=True)))
    assert str(minted.name) == f"urn:lex:{code}:{name}:{date};{number}"


@pytest.mark.parametrize(
    ("code", "measure", "expected"),
    [
        ("uk", "Act of Parliament", "state:act"),
        ("us", "E.O.", "president:executive.order"),
        ("us", "Pub. L.", "state:public.law"),
        ("pl", "Ustawa", "panstwo:ustawa"),
        ("ro", "O.U.G.", "guvern:ordonanta.urgenta"),
        ("se", "Förordning", "regeringen:forordning"),
        ("dk", "Lov", "stat:lov"),
        ("fi", "Hallituksen esitys", "valtioneuvosto:hallituksen.esitys"),
        ("no", "Kgl.res.", "kongen:kongelig.resolusjon"),
        ("ee", "Seadustik", "riik:seadustik"),
        ("gr", "π.δ.", "proedros.dimokratias:diatagma"),
        ("cz", "Nařízení vlády", "vlada:narizeni"),
        ("hu", "Korm. rendelet", "kormany:rendelet"),
        ("bg", "ПМС", "ministerski.savet:postanovlenie"),
        ("tr", "KHK", "bakanlar.kurulu:kanun.hukmunde.kararname"),
        ("jp", "政令", "naikaku:seirei"),
        ("il", "חוק", "medina:hok"),
        ("ru", "Указ", "prezident:ukaz"),
    ],
)
def test_a_measure_supplies_its_issuer(code: str, measure: str, expected: str) -> None:
    minted = lexurn.mint(jurisdiction=code, measure=measure, date="2016-01-15", number="7")
    assert str(minted.name) == f"urn:lex:{code}:{expected}:2016-01-15;7"


@pytest.mark.parametrize("code", ALL)
def test_what_a_concept_is_called_finds_it(code: str) -> None:
    law = load_registry().law(code)
    lexicons = {"authorities": law.authorities, "bodies": law.bodies, "measures": law.measures}
    for each in of_kind(f"law/{code}", *lexicons):
        for text, tag in each.tagged(PREFERRED, OTHER, SHORT):
            found = lexicons[each.kind].find(text, tag.partition("-")[0])
            assert {entry.notation for entry in found} == {each.notation}, (text, tag)


@pytest.mark.parametrize("code", UNITS)
def test_what_a_unit_is_called_finds_it(code: str) -> None:
    for each in named(f"units/{code}"):
        for text, tag in each.tagged(PREFERRED, OTHER, SHORT):
            found = load_registry().law(code).units.find(text, tag)
            assert {entry.notation for entry in found} == {each.notation}, (text, tag)
