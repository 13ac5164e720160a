"""The registry of Italy and Brazil: what an entry must say, and what real names need of it."""

from __future__ import annotations

import csv
import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pyoxigraph import RdfFormat, parse

from lexurn import data
from lexurn.name import Name, check
from lexurn.registry import make_key

CODES = ("br", "it")
KINDS = ("authorities", "bodies", "measures", "units")
LANGUAGES = {"it": {"it", "de", "fr"}, "br": {"pt"}}
BASE = "https://w3id.org/lexurn/registry/"
REG, SKOS = BASE + "ns#", "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
NOTATION = re.compile(r"[a-z0-9]+(\.[a-z0-9]+)*(;[a-z0-9]+(\.[a-z0-9]+)*)*")

# What really has one name: told apart by the unit around it.
SAME = {
    "br": {"rio de janeiro", "sao paulo", *(f"{number}a regiao" for number in range(1, 7))},
    "it": {"dd"},  # of a comune, and of others
}
LEAST = {
    ("it", "authorities"): 60,
    ("it", "bodies"): 30,
    ("it", "measures"): 40,
    ("it", "units"): 22,
    ("br", "authorities"): 60,
    ("br", "bodies"): 30,
    ("br", "measures"): 40,
    ("br", "units"): 27,
}

_FOLDER = os.environ.get("LEXURN_CORPUS")
needs_corpus = pytest.mark.skipif(_FOLDER is None, reason="LEXURN_CORPUS names no folder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the Turtle: its values by predicate, as text and language."""

    kind: str
    iri: str
    values: dict[str, tuple[tuple[str, str], ...]]

    def texts(self, predicate: str) -> tuple[str, ...]:
        return tuple(text for text, _ in self.values.get(predicate, ()))

    def text(self, predicate: str) -> str | None:
        return next(iter(self.texts(predicate)), None)

    @property
    def notation(self) -> str:
        return self.texts(SKOS + "notation")[0]

    @property
    def called(self) -> tuple[tuple[str, str], ...]:
        """Labels, other forms and abbreviations, each with its language."""
        predicates = (SKOS + "prefLabel", SKOS + "altLabel", REG + "abbreviation")
        return tuple(each for name in predicates for each in self.values.get(name, ()))


def _file(folder: str, code: str) -> Path:
    return data.find_folder("ontology") / "registry" / folder / f"{code}.ttl"


@cache
def _entries(code: str) -> tuple[Entry, ...]:
    found: dict[str, defaultdict[str, list[tuple[str, str]]]] = {}
    for folder in ("law", "units"):
        for triple in parse(_file(folder, code).read_bytes(), format=RdfFormat.TURTLE):
            values = found.setdefault(triple.subject.value, defaultdict(list))
            language = getattr(triple.object, "language", None) or ""
            values[triple.predicate.value].append((triple.object.value, language))
    return tuple(
        Entry(
            kind=iri.removeprefix(f"{BASE}{code}/").partition("/")[0],
            iri=iri,
            values={name: tuple(sorted(each)) for name, each in values.items()},
        )
        for iri, values in sorted(found.items())
        if SKOS + "notation" in values
    )


@cache
def _notations(code: str, kind: str) -> frozenset[str]:
    return frozenset(each.notation for each in _entries(code) if each.kind == kind)


def _legal(code: str) -> list[Entry]:
    return [each for each in _entries(code) if each.kind in KINDS]


def _found(code: str, kind: str, text: str) -> set[str]:
    """Notations of the entries of a kind that are called so."""
    key = make_key(text)
    listed = (each for each in _entries(code) if each.kind == kind)
    return {each.notation for each in listed if key in {make_key(form) for form, _ in each.called}}


def _known(code: str, authority: str) -> bool:
    """Whether an authority is listed whole, or its institution and its bodies without number."""
    institution, *bodies = authority.split(";")
    if authority in _notations(code, "authorities"):
        return True
    inside = _notations(code, "bodies")
    return institution in _notations(code, "authorities") and all(
        body in inside or re.sub(r"\.\d+$", "", body) in inside for body in bodies
    )


@pytest.mark.parametrize(("code", "kind"), sorted(LEAST))
def test_there_are_enough_entries(code: str, kind: str) -> None:
    assert len(_notations(code, kind)) >= LEAST[code, kind]


@pytest.mark.parametrize("code", CODES)
def test_entries_say_what_they_must(code: str) -> None:
    lacking = []
    for entry in _legal(code):
        sources = entry.texts(DCTERMS + "source")
        well = (
            NOTATION.fullmatch(entry.notation)
            and len(entry.texts(SKOS + "notation")) == 1
            and entry.texts(SKOS + "prefLabel")
            and len(entry.texts(SKOS + "example")) == 1
            and sources
            and all(urlsplit(each).scheme == "https" and urlsplit(each).netloc for each in sources)
            and all(text.strip() and language in LANGUAGES[code] for text, language in entry.called)
        )
        if not well:
            lacking.append(entry.iri)
    assert lacking == []


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("folder", ["law", "units"])
def test_entries_are_sorted_within_their_kind(folder: str, code: str) -> None:
    lines = _file(folder, code).read_text("utf-8").splitlines()
    listed: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        if line.startswith("<") and line.endswith(" a skos:Concept ;"):
            subject = line.split(" ")[0]
            listed[subject.rpartition("/")[0]].append(subject)
    assert listed
    assert {kind: sorted(subjects) for kind, subjects in listed.items()} == listed


def _place(entry: Entry, name: Name) -> set[str]:
    """What a name has where an entry of this kind stands."""
    if entry.kind == "units":
        return {";".join(name.jurisdiction.units)}
    if entry.kind == "measures":
        measure = name.work.measure
        return {measure.type, ";".join((measure.type, *measure.specifications))}
    issuers = [(each.institution, *each.functions) for each in name.work.authority.issuers]
    if entry.kind == "authorities":
        return {";".join(issuer[:end]) for issuer in issuers for end in range(1, len(issuer) + 1)}
    inner = [issuer[1:] for issuer in issuers]
    spans = [
        ";".join(each[start:end])
        for each in inner
        for start in range(len(each))
        for end in range(start + 1, len(each) + 1)
    ]
    return {*spans, *(re.sub(r"\.\d+$", "", each) for each in spans)}


@pytest.mark.parametrize("code", CODES)
def test_examples_are_names_without_faults_that_use_their_entry(code: str) -> None:
    faults: list[tuple[str, object]] = []
    for entry in _legal(code):
        example = entry.text(SKOS + "example") or ""
        report = check(example)
        grave = [each.code for each in report.findings if each.severity in {"error", "warning"}]
        if report.name is None or grave or str(report.name) != example:
            faults.append((example, grave))
        elif report.name.jurisdiction.code != code or entry.notation not in _place(
            entry, report.name
        ):
            faults.append((example, entry.notation))
    assert faults == []


@pytest.mark.parametrize("code", CODES)
def test_examples_are_of_the_time_of_their_entry(code: str) -> None:
    outside = []
    for entry in _legal(code):
        since = entry.text(REG + "validFrom") or "0001-01-01"
        until = entry.text(REG + "validUntil") or "9999-12-31"
        name = check(entry.text(SKOS + "example") or "").name
        assert name is not None, entry.iri
        days = [each.iso for each in name.work.details.dates]
        if not since < until or any(not since <= day < until for day in days):
            outside.append((entry.iri, since, until, days))
    assert outside == []


@pytest.mark.parametrize("code", CODES)
def test_measures_belong_to_what_is_listed(code: str) -> None:
    measures = [each for each in _legal(code) if each.kind == "measures"]
    issuers = {each.text(REG + "issuer") for each in measures} - {None}
    bodies = {each.text(REG + "body") for each in measures} - {None}
    assert {each for each in issuers if each and not _known(code, each)} == set()
    assert bodies <= _notations(code, "bodies")


@pytest.mark.parametrize("code", CODES)
def test_short_references_stand_for_an_act_of_their_type(code: str) -> None:
    named = [each for each in _legal(code) if each.text(REG + "name")]
    assert len(named) > 3
    for entry in named:
        name = check(entry.text(REG + "name") or "").name
        assert name is not None, entry.iri
        assert name.work.measure.type == entry.notation
        assert name.work.authority.issuers[0].institution == entry.text(REG + "issuer")


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_two_entries_are_called_the_same(kind: str, code: str) -> None:
    called: dict[str, set[str]] = defaultdict(set)
    for entry in _legal(code):
        if entry.kind == kind:
            for text, _ in entry.called:
                called[make_key(text)].add(entry.iri)
    twice = {key: iris for key, iris in called.items() if len(iris) > 1 and key not in SAME[code]}
    assert twice == {}
    assert "" not in called


@pytest.mark.parametrize("code", CODES)
def test_units_lie_in_what_is_listed(code: str) -> None:
    for entry in _legal(code):
        if entry.kind == "units" and ";" in entry.notation:
            outer = entry.notation.rpartition(";")[0]
            assert outer in _notations(code, "units"), entry.iri
            assert entry.text(SKOS + "broader") == f"{BASE}{code}/units/{outer}", entry.iri


def test_units_of_brazil_say_whose_their_laws_are() -> None:
    units = [each for each in _legal("br") if each.kind == "units"]
    # LexML: "estadual" in a state, "distrital" in the federal district, "municipal" below.
    expected = {
        each.notation: "municipal" if ";" in each.notation else "estadual"
        for each in units
        if not each.notation.startswith("justica.")
    }
    issuers = {each.notation: each.text(REG + "issuer") for each in units}
    expected["distrito.federal"] = "distrital"
    assert {notation: issuers[notation] for notation in expected} == expected
    assert set(expected.values()) <= _notations("br", "authorities")


@pytest.mark.parametrize("code", CODES)
def test_the_words_of_a_unit_are_those_of_its_label(code: str) -> None:
    strange = []
    for entry in _legal(code):
        if entry.kind == "units":
            forms = {word for text, _ in entry.called for word in make_key(text).split()}
            last = entry.notation.rpartition(";")[2]
            if re.fullmatch(r"regiao\.\d+", last) is None and not set(last.split(".")) <= forms:
                strange.append(entry.iri)
    assert strange == []


@pytest.mark.parametrize(
    ("code", "notation", "value"),
    [
        ("it", "language", "it"),
        ("it", "state", "stato"),
        ("br", "language", "pt"),
        ("br", "state", "federal"),
        ("br", "thousands", "."),
    ],
)
def test_conventions(code: str, notation: str, value: str) -> None:
    found = [
        each.texts(SKOS + "prefLabel")
        for each in _entries(code)
        if each.kind == "conventions" and each.notation == notation
    ]
    assert found == [(value,)]


def test_the_parts_of_both_countries_are_complete() -> None:
    italian, brazilian = _notations("it", "units"), _notations("br", "units")
    whole = {each for each in _notations("it", "authorities") if ";" not in each}
    regions = {each for each in whole if each.startswith("regione.")}
    assert len(regions) == 20
    assert {each.removeprefix("regione.") for each in regions} == italian - {"trento", "bolzano"}
    states = {each for each in brazilian if ";" not in each and not each.startswith("justica.")}
    assert len(states) == 27
    assert sum(each.startswith("rio.grande.sul;") for each in brazilian) == 497


@pytest.mark.parametrize(
    ("code", "kind", "text", "notation"),
    [
        ("it", "measures", "D.P.R.", "decreto"),
        ("it", "measures", "D. Lgs.", "decreto.legislativo"),
        ("it", "measures", "DECRETO-LEGGE", "decreto.legge"),
        ("it", "measures", "Decreto Legge", "decreto.legge"),
        ("it", "measures", "L.R.", "legge"),
        ("it", "measures", "R.D.L.", "regio.decreto.legge"),
        ("it", "measures", "Deliberazione CdA", "deliberazione"),
        ("it", "measures", "Decreto del Presidente", "decreto"),
        ("it", "authorities", "C.N.R.", "consiglio.nazionale.ricerche"),
        (
            "it",
            "authorities",
            "Ministero dell'Economia e delle Finanze",
            "ministero.economia.finanze",
        ),
        ("it", "authorities", "Regione Siciliana", "regione.sicilia"),
        ("it", "bodies", "CdA", "consiglio.amministrazione"),
        ("br", "measures", "MPV", "medida.provisoria;mpv"),
        ("br", "measures", "Medida Provisória", "medida.provisoria"),
        ("br", "measures", "Emenda Constitucional", "emenda.constitucional"),
        ("br", "measures", "LEI MUNICIPAL", "lei"),
        ("br", "measures", "Decreto-Lei", "decreto.lei"),
        ("br", "measures", "REsp", "acordao;resp"),
        ("br", "measures", "Recurso Extraordinário", "acordao;re"),
        ("br", "measures", "PLS", "projeto.lei;pls"),
        ("br", "authorities", "STF", "supremo.tribunal.federal"),
        ("br", "authorities", "Câmara dos Deputados", "camara.deputados"),
        ("br", "units", "RS", "rio.grande.sul"),
        ("br", "units", "Pará", "para"),
        ("br", "units", "Não-Me-Toque", "rio.grande.sul;nao.me.toque"),
    ],
)
def test_what_people_write_is_found(code: str, kind: str, text: str, notation: str) -> None:
    assert _found(code, kind, text) == {notation}


def test_an_amendment_is_no_headnote() -> None:
    # A known fault of other tools: "ementa" (headnote) for "emenda" (amendment).
    assert not [each for each in _notations("br", "measures") if "ementa" in each.split(".")]
    assert {"emenda.constitucional", "emenda.lei.organica"} <= _notations("br", "measures")


def _rows(name: str, delimiter: str = "\t") -> list[dict[str, str]]:
    with (Path(_FOLDER or "") / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter=delimiter))


@needs_corpus
def test_prefixes_with_many_names_are_covered() -> None:
    unknown: Counter[str] = Counter()
    for row in _rows("lex_prefixes.tsv"):
        jurisdiction, authority, measure = row["prefix"].split(":")[2:]
        code, _, units = jurisdiction.partition(";")
        covered = _known(code, authority) and measure in _notations(code, "measures")
        if (units and units not in _notations(code, "units")) or not covered:
            unknown[row["prefix"]] += int(row["names"])
    assert {prefix: names for prefix, names in unknown.items() if names >= 20} == {}
    # What is left out are single decisions in classes whose names are not known for sure.
    assert sum(unknown.values()) < 100


@needs_corpus
def test_issuers_and_types_of_the_documents_are_found() -> None:
    rows = _rows("nir_documents.tsv")
    assert len(rows) > 300
    missed = set()
    for row in rows:
        authority, measure = row["urn"].split(":")[2:4]
        types = _found("it", "measures", row["tipoDoc"])
        measures = {measure, measure.partition(";")[0]}
        if not types <= measures or len(types) != 1:
            missed.add(row["tipoDoc"])
        issuer = row["emanante"]
        if issuer and _found("it", "authorities", issuer) != {authority.partition(";")[0]}:
            missed.add(issuer)
    assert missed == set()


@needs_corpus
def test_issuers_of_names_in_the_older_dialect_are_known() -> None:
    lines = (Path(_FOLDER or "") / "names_nir.txt").read_text("utf-8").split()
    counted = Counter(line.split(":")[2] for line in lines if line.count(":") > 3)
    unknown = [
        issuer
        for authority, names in counted.items()
        for issuer in authority.split("+")
        if names > 2 and not _known("it", issuer)
    ]
    assert unknown == []


@needs_corpus
def test_units_and_types_of_the_portal_are_known() -> None:
    unknown = set()
    for row in _rows("lexml_portal.csv", ","):
        jurisdiction, authority, measure = row["urn"].split(":")[2:5]
        units = jurisdiction.partition(";")[2]
        if units and units not in _notations("br", "units"):
            unknown.add(units)
        if not _known("br", authority) or measure not in _notations("br", "measures"):
            unknown.add(f"{authority}:{measure}")
    assert unknown == set()
