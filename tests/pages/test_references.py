"""References in BibTeX, RIS and CSL-JSON, read back by independent readers."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest
from export_cases import ACT, BASE, HOSTILE_TITLE, NAMES, PDF, SECOND, describe_name, golden, name
from hypothesis import given
from hypothesis import strategies as st

from lexurn import data
from lexurn.labels import describe_folders
from lexurn.model import Item, LanguageText, Record
from lexurn.registry import load_registry

BILL = "urn:lex:us:congress:bill:107;hr.3162@introduced:en"
JUDGMENT = "urn:lex:eu:court.justice;grand.chamber:judgment:2020-07-16;c-311-18"
KINDS = {
    ACT: ("legislation", "STAT", "legislation"),
    BILL: ("legislation", "BILL", "bill"),
    JUDGMENT: ("jurisdiction", "CASE", "legal_case"),
    "urn:lex:it:corte.costituzionale:sentenza:2014-01-13;1": ("jurisdiction", "CASE", "legal_case"),
    "urn:lex:br:supremo.tribunal.federal:acordao;adi:2011-05-05;4277": (
        *("jurisdiction", "CASE"),
        "legal_case",
    ),
    "urn:lex:it:stato:trattato:1929-02-11;lex-1": ("legal", "STAT", "treaty"),
    **dict.fromkeys(
        (
            "urn:lex:us:supreme.court:decision:1954-05-17;1,2,4,10",
            "urn:lex:it:corte.costituzionale:ordinanza:2014-01-13;1",
            "urn:lex:de:bundesgerichtshof;zivilsenat.1:beschluss:2019-03-14;12",
        ),
        ("jurisdiction", "CASE", "legal_case"),
    ),
    "urn:lex:us:securities.exchange.commission:order:2020-01-02;1": (
        *("legislation", "STAT"),
        "legislation",
    ),
    # An order of an Italian ministry is no judgment.
    "urn:lex:it:ministero.salute:ordinanza:2020-02-21;1": ("legislation", "STAT", "legislation"),
}


def titled(value: str) -> list[Record]:
    return [Record(name=name(ACT), titles=(LanguageText(value=value, language="it"),))]


def item_of(text: str, known: list[Record] | None = None) -> dict[str, object]:
    (found,) = json.loads(describe_name(text, "csl-json", known))
    return found


def tags_of(text: str, known: list[Record] | None = None) -> dict[str, str]:
    """Return the tags of a record in RIS, each of which occurs once."""
    lines = describe_name(text, "ris", known).split("\r\n")
    assert lines.pop() == ""
    assert lines[-1] == "ER  - "
    pairs = [(line[:2], line[6:]) for line in lines if re.match("[A-Z][A-Z0-9]  - ", line)]
    assert len(pairs) == len(lines) == len(dict(pairs))
    return dict(pairs)


def test_references_as_they_are_describe_name() -> None:
    golden("reference_version.bib", describe_name(SECOND, "bibtex"))
    golden("reference_version.csl.json", describe_name(SECOND, "csl-json"))
    assert tags_of(SECOND) == {
        "TY": "STAT",
        "TI": "Norme sulla tutela delle acque",
        "ST": "Legge 21 settembre 2003, n. 456 (versione 1° gennaio 2005, 1° marzo 2005)",
        "CY": "it",
        "M1": "456",
        "PY": "2003",
        "DA": "2003/09/21/",
        "ET": "2005-01-01",
        "LA": "it",
        "UR": f"{BASE}/lex/it/stato/legge/2003-09-21%3B456/@/2005-01-01%3B2005-03-01/it",
        "AN": SECOND,
        "ER": "",
    }


def test_a_short_title_is_the_citation_of_the_publisher() -> None:
    cited = "L. 21/2003 {a} &\nb"
    rows = [Record(name=name(ACT), titles=titled("Acque")[0].titles, cited_as=cited)]
    assert tags_of(ACT, rows)["ST"] == "L. 21/2003 {a} & b"
    assert item_of(ACT, rows)["title-short"] == "L. 21/2003 {a} & b"
    bibtex = describe_name(ACT, "bibtex", rows)
    assert r"shorttitle = {{L. 21/2003 \textbraceleft{}a\textbraceright{} \& b}}" in bibtex
    assert tags_of(ACT, [Record(name=name(ACT), cited_as=cited)])["TI"] == "L. 21/2003 {a} & b"


@pytest.mark.parametrize("text", KINDS)
def test_types_of_entries(text: str) -> None:
    bibtex, ris, csl = KINDS[text]
    assert describe_name(text, "bibtex", []).startswith(f"@{bibtex}{{")
    assert tags_of(text, [])["TY"] == ris
    assert item_of(text, [])["type"] == csl


def test_kinds_are_those_of_measures_in_the_registry() -> None:
    table = json.loads(data.read_text("ontology/references.json"))
    for code, kinds in table["measures"].items():
        known = {entry.notation.split(";")[0] for entry in load_registry().law(code).measures}
        listed = [measure for types in kinds.values() for measure in types.split()]
        assert set(listed) <= known
        assert len(listed) == len(set(listed))
        assert kinds.keys() <= {"judgment", "bill", "treaty"}


@pytest.mark.parametrize("code", json.loads(data.read_text("ontology/references.json"))["courts"])
def test_courts_are_those_of_the_registry(code: str) -> None:
    table, law = json.loads(data.read_text("ontology/references.json")), load_registry().law(code)
    court, kinds = table["courts"][code], table["measures"].get(code, {})
    authorities = [f".{each.notation.replace(';', '.')}." for each in law.authorities]
    for word in court["authorities"].split():
        end = f"{word[1:]}." if word.startswith("-") else f".{word}."
        assert any(end in each for each in authorities), word
    known = {entry.notation.split(";")[0] for entry in law.measures}
    measures = set(court["measures"].split())
    assert measures <= known
    assert not measures & set(" ".join(kinds.values()).split())


def test_facts_of_a_judgment() -> None:
    found = item_of(JUDGMENT, [])
    assert found["authority"] == "Court of Justice, Grand Chamber"
    assert found["issued"] == {"date-parts": [[2020, 7, 16]]}
    assert found["number"] == "c-311-18"
    assert found["jurisdiction"] == "eu"


@pytest.mark.parametrize(
    ("text", "issuer"),
    [
        ("urn:lex:fr:ville.paris:arrete:2025-10-17;2025-t-17785", "Ville Paris"),
        ("urn:lex:coe.int:council.europe:convention:1950-11-04;ets-5", "Council of Europe"),
        (
            "urn:lex:uk;wales:national.assembly.wales:measure:2011-02-09;1",
            "National Assembly for Wales",
        ),
    ],
)
def test_references_name_an_issuer_as_its_list_does(text: str, issuer: str) -> None:
    assert describe_folders(name(text), "en")[1] == issuer
    assert item_of(text, [])["authority"] == issuer
    assert f"organization = {{{{{issuer}}}}}" in describe_name(text, "bibtex", [], base=None)


def test_absent_facts_have_no_field() -> None:
    bare = "urn:lex:it:stato:trattato:14.legislatura;lex-1"
    reference = describe_name(bare, "csl-json", [], base=None)
    assert json.loads(reference)[0].keys() == {"id", "type", "title", "jurisdiction"}
    assert describe_name(bare, "bibtex", [], base=None).count(" = ") == 4
    assert "ST  - " not in describe_name(bare, "ris", [], base=None)


def test_dates_of_bills_and_years() -> None:
    assert "issued" not in item_of(BILL)
    year = "urn:lex:it:stato:legge:2003;456"
    assert item_of(year, [])["issued"] == {"date-parts": [[2003]]}
    assert {"PY": "2003"}.items() <= tags_of(year, []).items()
    assert "DA" not in tags_of(year, [])


def test_without_a_base_the_url_is_a_page_or_a_copy() -> None:
    (found,) = json.loads(describe_name(PDF, "csl-json", base=None))
    assert found["URL"] == "https://files.example/456.pdf"
    unsafe = [Record(name=name(ACT), items=(Item(url="javascript:alert(1)"),))]
    assert "URL" not in json.loads(describe_name(ACT, "csl-json", unsafe, base=None))[0]


@pytest.mark.parametrize("text", NAMES)
def test_csl_json_is_valid(text: str) -> None:
    schema = os.environ.get("LEXURN_CSL")
    if not schema:
        pytest.skip("LEXURN_CSL names no file csl-data.json of CSL's schema")
    document = json.loads(describe_name(text, "csl-json"))
    jsonschema.validate(document, json.loads(Path(schema).read_text(encoding="utf-8")))


@pytest.mark.parametrize("text", NAMES)
def test_rispy_reads_the_same(text: str) -> None:
    rispy = pytest.importorskip("rispy", reason="PyPI rispy is missing")
    (found,) = rispy.loads(describe_name(text, "ris"))
    item = item_of(text)
    assert found["title"] == item["title"]
    assert found["accession_number"] == text
    assert [unquote(each) for each in found["urls"]] == [unquote(str(item["URL"]))]
    assert found.get("publisher") == item.get("authority")
    assert found.get("language") == item.get("language")


@pytest.mark.parametrize("text", NAMES)
def test_bibtexparser_reads_the_same(text: str) -> None:
    bibtexparser = pytest.importorskip("bibtexparser", reason="PyPI bibtexparser is missing")
    middlewares = pytest.importorskip("bibtexparser.middlewares", reason="bibtexparser is too old")
    decode, item = [middlewares.LatexDecodingMiddleware()], item_of(text)
    entries = describe_name(text, "bibtex")
    library = bibtexparser.parse_string(entries, append_middleware=decode)
    verbatim = bibtexparser.parse_string(entries)
    assert not library.failed_blocks
    (entry,), (as_written,) = library.entries, verbatim.entries
    found = {field.key: field.value for field in entry.fields}
    assert found["title"] == item["title"]
    assert found.get("organization") == item.get("authority")
    assert found.get("version") == item.get("version")
    # biblatex reads these as they stand.
    fields = {field.key: field.value for field in as_written.fields}
    assert (fields["eprint"], fields["url"]) == (text, item["URL"])


HOSTILE_TITLES = [
    HOSTILE_TITLE,
    "} @comment{ \\input{/etc/passwd} % $x_1^2$ #1 & ~",
    "{{{",
    "}}}\r\n@misc{x,",
    "a\r\nER  - \r\nTY  - JOUR",
    "\x00\x1b[31m\u2028\x85\udc80",
    'a " b ' + "\\",
    "\u0642\u0631\u0627\u0631 \U0001f600",
    "x" * 100_000,
]


@pytest.mark.parametrize("title", HOSTILE_TITLES, ids=range(len(HOSTILE_TITLES)))
def test_hostile_titles_stay_titles(title: str) -> None:
    known = titled(title)
    shown = item_of(ACT, known)["title"]
    assert isinstance(shown, str)
    assert shown.isprintable() or "\u0642" in shown
    assert tags_of(ACT, known)["TI"] == shown
    entry = describe_name(ACT, "bibtex", known)
    assert entry.count("@") == 1 + shown.count("@")
    assert is_balanced(entry)
    assert unescape_tex(entry) == shown


def is_balanced(entry: str) -> bool:
    depth = 0
    for character in entry:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0 and entry.endswith("}\n")


def unescape_tex(entry: str) -> str:
    """Return the title of an entry as TeX prints it."""
    found = re.search(r"(?m)^  title = \{\{(.*)\}\},$", entry)
    assert found is not None
    words = {"backslash": "\\", "braceleft": "{", "braceright": "}"}
    words |= {"asciitilde": "~", "asciicircum": "^"}
    pattern = r"\\text(\w+)\{\}|\\([$&#%_])"
    assert not re.search(r"[$&#%_{}~^\\]", re.sub(pattern, "", found[1]))
    return re.sub(pattern, lambda each: words[each[1]] if each[1] else each[2], found[1])


@given(st.text(min_size=1))
def test_any_title_is_escaped(title: str) -> None:
    known = titled(title)
    shown = item_of(ACT, known)["title"]
    assert unescape_tex(describe_name(ACT, "bibtex", known)) == shown == tags_of(ACT, known)["TI"]


def test_keys_are_safe_in_tex_and_differ() -> None:
    texts = [*NAMES, BILL, JUDGMENT, f"{ACT}:allegato.{'a' * 500}"]
    keys = [
        re.match(r"@\w+\{([A-Za-z0-9.:;+-]+),\n", describe_name(each, "bibtex", []))
        for each in texts
    ]
    assert len({found[1] for found in keys if found}) == len(texts)
    assert all(found is not None and len(found[1]) <= 120 for found in keys)
