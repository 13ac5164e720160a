"""The built-in registry: whole, sorted, sourced, and as large as it has to be."""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from click.testing import CliRunner

from lexurn import data, registry
from lexurn.cli import main
from lexurn.registry import (
    GOOD_COVERAGE,
    Kind,
    check_built_in,
    measure_law_coverage,
    measure_word_coverage,
)
from lexurn.registry.checks import is_ambiguous
from lexurn.registry.overlay import list_built_in_files
from lexurn.registry.source import locate_statements
from lexurn.shacl.bulk import run_bulk_engine
from lexurn.shacl.shapes import ShapeSet, parse_shapes

if TYPE_CHECKING:
    from lexurn.findings import Finding

REGISTRY = registry.load_registry()
FILES = sorted((data.find_folder("ontology") / "registry").rglob("*.ttl"))
CASES = Path(__file__).parents[1] / "cases"
CORPUS = os.environ.get("LEXURN_CORPUS")
LANGUAGES = (
    "it fr de es pt nl pl ro sv da fi el en ca cs hu tr ru bg ja he ar sl lt lv sk hr et sr"
).split()
WEEK, YEAR, MONTH = set(range(1, 8)), set(range(1, 13)), set(range(1, 32))
NAMED = (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT)


@cache
def shapes() -> ShapeSet:
    file = data.find_folder("shapes") / "registry" / "registry.ttl"
    return parse_shapes([file.read_text("utf-8")])


def _triples(file: Path) -> str:
    quads = pyoxigraph.parse(path=file, format=pyoxigraph.RdfFormat.TURTLE)
    return pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.N_TRIPLES).decode()


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_shapes_find_nothing(file: Path) -> None:
    # A unit belongs to an authority of its jurisdiction's law.
    law = file.parent.parent / "law" / file.name
    more = file.parent.name == "units" and law.is_file()
    triples = _triples(file) + (_triples(law) if more else "")
    found = run_bulk_engine(triples, shapes())
    assert [(each.focus, each.shape.partition("#")[2], each.value) for each in found] == []


@pytest.fixture(scope="module")
def findings() -> tuple[Finding, ...]:
    return tuple(check_built_in())


def test_the_checks_find_nothing_but_ambiguous_forms(findings: tuple[Finding, ...]) -> None:
    found = [each for each in findings if each.code != "LX914"]
    assert [f"{each.file}:{each.line}: {each.code} {each.message}" for each in found] == []


def test_the_command_prints_the_findings_and_the_coverage(
    findings: tuple[Finding, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "check_built_in", lambda: findings)
    done = CliRunner().invoke(main, ["registry", "check"])
    assert done.exit_code == 0
    assert " error LX9" not in done.stderr
    last = done.stdout.splitlines()[-1]
    assert "jurisdictions with at least 15 authorities and 15 measures: " in last
    assert int(last.split()[0]) == len(last.partition(": ")[2].split())


@pytest.mark.parametrize(
    "file", list_built_in_files(), ids=lambda file: f"{file.parent.name}/{file.name}"
)
def test_files_are_sorted_and_say_how_to_compile(file: Path) -> None:
    text = file.read_text("utf-8")
    assert registry.COMPILE_COMMAND in text.partition("@prefix")[0]
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    order = [each.subject for each in locate_statements(text).statements]
    schemes = [each for each in order if each.rpartition("/")[2] in {kind.value for kind in Kind}]
    assert schemes == sorted(set(schemes))
    for scheme in schemes:
        mine = [f"<{each}>" for each in order if each.startswith(scheme + "/")]
        assert mine == sorted(set(mine))


@pytest.mark.parametrize("code", REGISTRY.jurisdictions())
def test_law_names_sources_and_examples(code: str) -> None:
    (coverage,) = (each for each in measure_law_coverage(REGISTRY) if each.code == code)
    assert (coverage.unsourced, coverage.unexampled) == (0, 0)
    assert coverage.languages
    law = REGISTRY.law(code)
    if law.authorities.entries:
        assert law.languages
        assert {each.partition("-")[0] for each in law.languages} & set(coverage.languages)


def test_twenty_jurisdictions_are_well_known() -> None:
    assert sum(each.enough for each in measure_law_coverage(REGISTRY)) >= 20
    assert GOOD_COVERAGE == 15


@pytest.mark.parametrize("code", ["br", "ch", "it", "de", "es", "us"])
def test_units_are_known(code: str) -> None:
    least = {"br": 27, "ch": 26, "it": 20, "de": 16, "es": 17, "us": 50}
    units = REGISTRY.law(code).units
    top = [each for each in units if ";" not in each.notation and not each.obsolete]
    assert len(top) >= least[code]
    for each in units:
        if ";" in each.notation:
            assert each.broader is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_known(language: str) -> None:
    words = REGISTRY.words(language)
    assert set(words.ordinals.values()) >= MONTH
    assert set(words.cardinals.values()) >= MONTH
    assert set(words.months.values()) >= YEAR
    assert set(words.weekdays.values()) >= WEEK
    # Japanese writes its particles into the words; there is nothing between blanks to drop.
    assert words.connectives or language == "ja"
    assert words.markers
    assert {each.notation for each in words.partitions} >= {"art", "par", "let", "num"}
    assert {"date", "act", "act-issuer", "original", "partition"} <= set(words.formats)


def _double() -> set[str]:
    """Words that mean two numbers where accents are set aside, and so mean none."""
    return {
        "\t".join((kind.value, each.language, key, " ".join(sorted(notations))))
        for each in measure_word_coverage(REGISTRY)
        for kind in (Kind.ORDINAL, Kind.CARDINAL, Kind.MONTH, Kind.WEEKDAY)
        for key, found in REGISTRY.lexicon(kind, each.language).items()
        if len(notations := {entry.notation for entry in found}) > 1
    }


def _ambiguous() -> set[str]:
    return {
        "\t".join((kind.value, code, key, " ".join(sorted({e.notation for e in found}))))
        for code in REGISTRY.jurisdictions()
        for kind in NAMED
        for key, found in REGISTRY.lexicon(kind, code).items()
        if is_ambiguous(found, key)
    }


def test_forms_that_mean_two_things_are_listed() -> None:
    listed = set((CASES / "registry_ambiguous.tsv").read_text("utf-8").splitlines())
    found = _ambiguous() | _double()
    assert "\n".join(sorted(found - listed)) == "", "add these lines, or mend the entries"
    assert "\n".join(sorted(listed - found)) == "", "these lines are no longer true"


ISO = set(
    """
    ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq
    br bs bt bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm
    do dz ec ee eg eh er es et fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs
    gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn
    kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mf mg mh mk ml mm mn mo mp mq
    mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm
    pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr ss st sv
    sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us uy uz va vc ve vg vi
    vn vu wf ws ye yt za zm zw
    """.split()
)
#: Country-code domains of the root zone that are no code of ISO 3166-1.
DOMAINS = {"ac", "eu", "su", "uk"}


def test_all_countries_and_their_domains_are_known() -> None:
    known = registry.load_jurisdictions()
    assert len(ISO) == 249
    assert set(known) >= ISO | DOMAINS
    kinds = Counter((each.kind or "").rpartition("/")[2] for each in known.values())
    assert kinds["country"] == len(ISO)
    assert kinds["internationalised-domain"] >= 60


def _rows(name: str) -> list[dict[str, str]]:
    if CORPUS is None:
        pytest.skip("set LEXURN_CORPUS to the folder of the corpora")
    with (Path(CORPUS) / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def test_what_twenty_brazilian_names_have_is_known() -> None:
    unknown = set()
    for row in _rows("lex_prefixes.tsv"):
        if int(row["names"]) >= 20:
            _, _, place, authorities, measure = row["prefix"].split(":")
            code, _, unit = place.partition(";")
            law = REGISTRY.law(code)
            if not law.measures.by_notation(measure):
                unknown.add(measure)
            if unit and not law.units.by_notation(unit):
                unknown.add(place)
            unknown |= _unknown_offices(code, authorities)
    assert unknown == set()


def _unknown_offices(code: str, authorities: str) -> set[str]:
    """Institutions and bodies without an entry; the number of a chamber is no part of its entry."""
    law, unknown = REGISTRY.law(code), set()
    for authority in authorities.split(","):
        institution, *bodies = authority.split(";")
        if not law.authorities.by_notation(institution):
            unknown.add(institution)
        for body in bodies:
            if not law.bodies.by_notation(re.sub(r"\.\d+$", "", body)):
                unknown.add(body)
    return unknown


def test_italian_issuers_and_types_are_known() -> None:
    law, unknown = REGISTRY.law("it"), set()
    for row in _rows("nir_documents.tsv"):
        for text, lexicon in ((row["emanante"], law.authorities), (row["tipoDoc"], law.measures)):
            if text and not lexicon.find(text):
                unknown.add(text)
    assert unknown == set()


EU_TABLES = json.loads((CASES / "eu_tables.json").read_text("utf-8"))
AUTHORITY_TABLES = "http://publications.europa.eu/resource/authority/"


def test_countries_match_the_table_of_the_european_union_by_their_code() -> None:
    found = {
        match.removeprefix(f"{AUTHORITY_TABLES}country/"): concept.notation
        for concept in registry.load_jurisdictions().values()
        for match in concept.matches
    }
    assert found == {alpha3: alpha2 for alpha3, (alpha2, _) in EU_TABLES["country"].items()}
    known = registry.load_jurisdictions()
    labels = dict(EU_TABLES["country"].values())
    assert sum(known[code].label == labels[code] for code in labels) > 220


@pytest.mark.parametrize(
    ("kind", "table"),
    [(Kind.MEASURE, "resource-type"), (Kind.AUTHORITY, "corporate-body")],
)
def test_what_matches_the_tables_of_the_european_union_has_their_labels(
    kind: Kind, table: str
) -> None:
    matched = [entry for entry in REGISTRY.lexicon(kind, "eu") if entry.matches]
    assert {entry.notation for entry in matched} > (
        {"regulation", "richtlinie", "decision"} if kind is Kind.MEASURE else {"commission", "rat"}
    )
    for entry in matched:
        (match,) = entry.matches
        labels = EU_TABLES[table][match.removeprefix(f"{AUTHORITY_TABLES}{table}/")]
        own = {(each.language, each.text.lower()) for each in (*entry.labels, *entry.forms)}
        theirs = {
            (language, text.lower().replace("\u2019", "'"))
            for language, texts in labels.items()
            for text in texts
        }
        for label in entry.labels:
            assert {each for each in theirs if each[0] == label.language} & own, entry.iri
    used = {entry.matches[0].rpartition("/")[2] for entry in matched}
    assert used == set(EU_TABLES[table])


def test_translations_are_in_other_languages_and_find_nothing() -> None:
    translated = [
        (law, entry)
        for law in map(REGISTRY.law, REGISTRY.jurisdictions())
        for entry in law.authorities
        if entry.translations
    ]
    assert len(translated) > 30
    for law, entry in translated:
        own = {each.language for each in entry.labels}
        assert own.isdisjoint(each.language for each in entry.translations)
        for each in entry.translations:
            assert entry not in law.authorities.find(each.text)
