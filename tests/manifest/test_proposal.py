"""Proposals of mapping files: the tables of publishers, and tables made for one point each."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import re
import tomllib
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbooks import make_xlsx

from lexurn import data
from lexurn.errors import ManifestError
from lexurn.manifest import (
    Guess,
    Proposal,
    Sample,
    open_manifest,
    propose_mapping,
    read_fields,
    read_sample,
    write_mapping,
)
from lexurn.model import LegalForce
from lexurn.registry import make_key

CASES = Path(__file__).parents[1] / "cases"
TABLES = Path(os.environ.get("LEXURN_CORPUS", "missing")) / "tables"
PUBLISHED = [json.loads(line) for line in (CASES / "proposals.jsonl").read_text().splitlines()]
FOREIGN = [
    json.loads(line) for line in (CASES / "foreign_encodings.jsonl").read_text().splitlines()
]


def propose(folder, text, name="acts.csv", stated=None, **options):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    sample = read_sample(str(path), **options)
    return propose_mapping(sample, stated)


def find(proposal, table="columns", *, is_decided=True):
    return proposal.find(table, is_decided=is_decided)


def read_file(proposal):
    return tomllib.loads(write_mapping(proposal))


@pytest.mark.skipif(not TABLES.is_dir(), reason="LEXURN_CORPUS does not name the corpus")
@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["file"])
def test_tables_of_publishers(case):
    if case["file"].endswith(".xlsx"):
        pytest.importorskip("python_calamine")
    sample = read_sample(str(TABLES / case["file"]))
    if "fault" in case:
        with pytest.raises(ManifestError, match=case["fault"]) as caught:
            propose_mapping(sample)
        assert "\n" not in str(caught.value)
        return
    proposal = propose_mapping(sample)
    assert find(proposal) == case["columns"]
    assert find(proposal, "constants") == case.get("constants", {})
    assert find(proposal, "") == case.get("settings", {})
    for key, table in case.get("asked", {}).items():
        assert key in find(proposal, table, is_decided=False)
    patterns = find(proposal, "patterns")
    groups = {key: sorted(re.compile(text).groupindex) for key, text in patterns.items()}
    assert groups == case.get("patterns", {})
    assert sorted(proposal.missing) == case["missing"]
    # Each column is used, or left out; so a mapping can be used as it is.
    written = read_file(proposal)
    known = {*written.get("columns", {}), *written.get("ignore", ()), *groups}
    assert known == set(sample.headers)


@pytest.mark.skipif(not TABLES.is_dir(), reason="LEXURN_CORPUS does not name the corpus")
def test_patterns_match_the_cells_of_publishers():
    sample = read_sample(str(TABLES / "br-planalto-leis.csv"))
    ((header, pattern),) = find(propose_mapping(sample), "patterns").items()
    at = sample.headers.index(header)
    first = re.match(pattern, sample.rows[0][at])
    assert first is not None
    assert first.groupdict() == {"measure": "Lei", "number": "14.464", "date": "1º.11.2022"}


MADE = [json.loads(line) for line in (CASES / "made_tables.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", MADE, ids=lambda case: case["name"])
def test_tables_made_after_those_of_gazettes(tmp_path, case):
    text = "\n".join(case["table"]) + "\n"
    proposal = propose(tmp_path, text, stated=case.get("stated"))
    assert find(proposal) == case["columns"]
    assert find(proposal, "constants") == case["constants"]
    assert find(proposal, "") == case["settings"]
    assert find(proposal, "", is_decided=False).get("language") == case.get("language")
    patterns = find(proposal, "patterns")
    groups = {key: sorted(re.compile(text).groupindex) for key, text in patterns.items()}
    assert groups == case.get("patterns", {})
    asked = {}
    for guess in proposal.guesses:
        if guess.table == "columns" and not guess.is_decided:
            asked.setdefault(guess.value, []).append(guess.key)
    assert {key: sorted(headers) for key, headers in asked.items()} == case["asked"]
    cited = find(proposal, "templates", is_decided=False).get("citation")
    assert cited == case.get("cited", cited)
    if "unnumbered" in case:
        assert "unnumbered" in find(proposal, "constants", is_decided=False)
        assert "citation" not in find(proposal, "templates", is_decided=False)


@pytest.mark.parametrize(
    ("code", "header", "cell", "is_decided"),
    [
        ("it", "Atto", '"Legge 5 marzo 2004, n. 1{}"', True),
        ("co", "Título", "Decreto 1{} de 2019", True),
        ("es", "Título", '"Real Decreto 1{}/2020, de 1 de enero, de presupuestos"', False),
        (
            "co",
            "Título",
            "Decreto 1{} de 2019 sobre la pesca en los lagos",
            None,
        ),  # not all is read
        ("it", "Legge", "Legge n. 1{}", None),  # a citation without its year
    ],
)
def test_citations_are_shown_as_they_are(tmp_path, code, header, cell, is_decided):
    (year,) = re.findall("20[0-9]{2}", cell) or ["2004"]
    rows = [f"{cell.format(number)},{year}-03-05" for number in range(5)]
    date = "data" if header == "Legge" else "data di pubblicazione"
    table = tmp_path / "acts.csv"
    table.write_text("\n".join([f"{header},{date}", *rows]))
    proposal = propose_mapping(read_sample(str(table)), {"jurisdiction": code})
    given = {*find(proposal).values()} | find(proposal, "patterns").keys()
    assert {"citation", header} & given
    found = {
        is_sure: find(proposal, "templates", is_decided=is_sure).get("cited_as")
        for is_sure in (True, False)
    }
    expected = {is_decided: f"{{{header}}}"} if is_decided is not None else {}
    assert found == {True: None, False: None} | expected


_ACT = "Legge regionale {day} gennaio 2019, n. {number};{late}/01/2019;Norme sul porto {number}"
_LEY = "Ley;{number}/2019;{late}/01/2019;2019;Ley {number}/2019, de {day} de enero, del puerto"
_OF_ACT, _DIFFERS = "which is the date", " says 13/01/2019: 9 of 9 rows differ; "


@pytest.mark.parametrize(
    ("header", "late", "decided", "asked"),
    [
        ("Atto;Data BUR;Oggetto", 10, "published", _OF_ACT),
        ("Atto;Data B.U.R.;Oggetto", 10, "published", _OF_ACT),
        ("Atto;del bollettino;Oggetto", 10, "published", _OF_ACT),
        ("Atto;Data BUP;Oggetto", 10, None, _OF_ACT),
        ("Atto;Data legge BUR;Oggetto", 10, None, _OF_ACT),
        ("Atto;Data;Oggetto", 0, "date", None),
        ("Atto;Data;Oggetto", 10, None, f"Atto says 2019-01-03, Data{_DIFFERS}"),
        ("Rango;Número;Fecha;Año;Título", 0, "date", None),
        ("Rango;Número;Fecha;Año;Título", 10, None, f"Título says 2019-01-03, Fecha{_DIFFERS}"),
        ("Rango;Número;Fecha BOJA;Año;Título", 10, "published", _OF_ACT),
        ("Rango;Número;Fecha BOPA;Año;Título", 10, "published", _OF_ACT),
    ],
)
def test_a_day_is_compared_with_that_of_citations(tmp_path, header, late, decided, asked):
    is_spanish = header.startswith("Rango")
    row, code = (_LEY, "es") if is_spanish else (_ACT, "it")
    rows = [row.format(number=at - 2, day=at, late=f"{at + late:02}") for at in range(3, 12)]
    path = tmp_path / "acts.csv"
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": code})
    days = {"date", "published"} & {*find(proposal).values()}
    assert days == ({decided} if decided else set())
    guesses = [each for each in proposal.guesses if "date" in each.parts and not each.is_decided]
    assert [each.reason.startswith(asked) for each in guesses] == ([True] if asked else [])
    cited = find(proposal, "templates", is_decided=False).get("citation")
    is_needed = is_spanish and decided != "date"
    assert (cited, "date" in proposal.missing) == ("{Título}" if is_needed else None, is_needed)


@pytest.mark.parametrize(
    ("issuers", "reason"),
    [
        (["Comune di Roma"], "--authority states the issuer; here Comune di Roma"),
        (["Comune di Roma", "Comune di Ostia"], "is it the issuer, instead of Comune di Roma ("),
        (["Comune di Ostia"], "is it the issuer, instead of Comune di Roma ("),
        (["Giunta"], "--authority states the issuer; here Giunta"),
        (["12", "14"], "--authority states the issuer; here 14, 12"),
    ],
)
def test_issuers_beside_a_stated_one_are_named(tmp_path, issuers, reason):
    rows = [f"{at},Delibera,2021-09-0{at},{issuers[at % len(issuers)]}" for at in (3, 5, 6, 9)]
    stated = {"jurisdiction": "it", "authority": "Comune di Roma"}
    proposal = propose(tmp_path, "\n".join(["Numero,Tipo,Data,Ente", *rows]), stated=stated)
    reasons = [each.reason for each in proposal.guesses if each.key == "Ente"]
    assert reasons[0].startswith(reason)
    assert "Ente" in find(proposal, "ignore")
    assert find(proposal, "constants")["authority"] == "Comune di Roma"


@pytest.mark.parametrize(
    ("header", "cells", "target", "shown"),
    [
        ("Atto", ["L.R. n. {}"], "citation", "L.R. n. 05"),
        ("Atto", ["L.R. n. {}/2004", "Legge regionale n. {}"], "citation", "L.R. n. 05/2004"),
        ("Numero", ["L.R. n. {}"], "number", "row 5, L.R. n. 05"),
        ("Numero", ["{}/2004"], "number", "row 5, 05/2004"),
    ],
)
def test_a_slip_of_leading_zeros_is_named(tmp_path, header, cells, target, shown):
    numbers = ["1", "2", "3", "4", "05", *map(str, range(6, 25))]
    rows = [
        f"{cells[at % len(cells)].format(number)},2004-05-{at + 1:02}"
        for at, number in enumerate(numbers)
    ]
    path = tmp_path / "acts.csv"
    path.write_text("\n".join([f"{header},data", *rows]))
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "it;liguria"})
    (reason,) = [each.reason for each in proposal.guesses if each.value == target]
    assert reason.endswith(f"; 1 with leading zeros, which stay ({shown})")


@pytest.mark.parametrize(
    ("odd", "date", "reason"),
    [
        ([], "pubblicata", "10 of 10 are citations of it, but they lack a date ("),
        (
            ["Legge sui porti", "Lege n. 12"],
            "pubblicata",
            "11 of 12 are citations of it, but not all is understood: Legge sui porti, Lege n. 12",
        ),
        (["Legge sui porti", "Lege n. 12"], "data", None),
    ],
)
def test_citations_that_are_not_understood_are_named(tmp_path, odd, date, reason):
    acts = [f"Legge n. {number}" for number in range(1, 11)] + odd
    rows = [f"{act},2004-05-{day:02}" for day, act in enumerate(acts, 1)]
    path = tmp_path / "acts.csv"
    path.write_text("\n".join([f"atto,{date}", *rows]))
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "it"})
    (found,) = [each for each in proposal.guesses if each.value == "citation"]
    assert found.is_decided is (reason is None)
    assert found.reason.startswith(reason or "11 of 12 are citations of it; check 1 (Lege n. 12)")


# Encodings and separators


@pytest.mark.parametrize(
    ("encoding", "text", "is_decided"),
    [(name, case["text"], "is_decided" in case) for case in FOREIGN for name in case["encodings"]],
    ids=[f"{case['language']}-{name}" for case in FOREIGN for name in case["encodings"]],
)
def test_encodings_are_found_by_the_words_of_a_language(tmp_path, encoding, text, is_decided):
    rows = [f"{number};2020-01-{number:02};{text} {number}" for number in range(1, 29)]
    table = "\n".join(["number;date;title", *rows]).encode(encoding)
    proposal = propose(tmp_path, table)
    asked = [each for each in proposal.guesses if each.key == "encoding"]
    assert asked
    # The first guess reads the text as it was written, and is decided or asked about.
    assert table.decode(str(asked[0].value)) == table.decode(encoding), asked
    assert asked[0].is_decided or not is_decided, asked
    assert proposal.sample.rows[0][2].startswith(text)


def test_bodies_of_a_stated_issuer_are_asked_about(tmp_path):
    rows = "5,Delibera,2021-09-05,Giunta\n5,Delibera,2021-09-05,Consiglio\n"
    stated = {"jurisdiction": "it", "authority": "Comune di Roma"}
    proposal = propose(tmp_path, f"Numero,Tipo,Data,Organo\n{rows}", stated=stated)
    asked = find(proposal, "templates", is_decided=False)
    assert asked["authority"] == "Comune di Roma;{Organo}"


def test_english_cells_do_not_tell_the_encoding(tmp_path):
    for case in FOREIGN:
        row = f"{{}};{case['text']};On the budget of the city and of the region"
        rows = ["number;title;English title", *(row.format(number) for number in range(1, 29))]
        table = "\n".join(rows).encode(case["encodings"][0])
        asked = [each for each in propose(tmp_path, table).guesses if each.key == "encoding"]
        assert table.decode(str(asked[0].value)) == table.decode(case["encodings"][0]), asked


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_needs_no_line(tmp_path, encoding):
    text = "numero,data,titolo\n1,2020-01-31,Qualità dell'aria nelle città\n"
    proposal = propose(tmp_path, text.encode(encoding))
    assert "encoding" not in find(proposal, "")
    assert proposal.sample.headers == ("numero", "data", "titolo")


def test_broken_rows_of_utf_8_stay_utf_8(tmp_path):
    good = "1,2020-01-31,Qualità della città e della società\n" * 50
    proposal = propose(
        tmp_path, b"number,date,title\n" + good.encode() + b"2,2020-01-31,citt\xe0\n"
    )
    assert "encoding" not in find(proposal, "")
    assert "encoding" in find(proposal, "", is_decided=False)


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@given(
    rows=st.lists(
        st.lists(st.text('ab,;|\t"\n é', max_size=8), min_size=3, max_size=3),
        min_size=5,
        max_size=20,
    )
)
def test_separators_are_found_by_equal_widths(tmp_path_factory, mark, rows):
    quoted = ['"' + cell.replace('"', '""') + '"' for row in rows for cell in row]
    lines = [mark.join(quoted[at : at + 3]) for at in range(0, len(quoted), 3)]
    text = "\n".join([mark.join(["number", "date", "title"]), *lines, f'"x"{mark}"y"{mark}"z"'])
    path = tmp_path_factory.mktemp("separators") / "acts.csv"
    path.write_text(text, encoding="utf-8", newline="")
    sample = read_sample(str(path))
    assert sample.headers == ("number", "date", "title")
    assert ("separator", mark) in {(e.key, e.value) for e in sample.settings} or mark == ","


# Columns

DAYS = {
    "2020-01-31": None,
    "20200131": "ymd",
    "31/01/2020": "dmy",
    "01/31/2020": "mdy",
    "2020/01/31": "ymd",
    "31.1.2020": "dmy",
    "31.01.2020 г.": "dmy",
    "2020-01-31T10:00:00": "ymd",
    "31 gennaio 2020": None,
}


@pytest.mark.parametrize(("day", "order"), DAYS.items())
def test_orders_of_days(tmp_path, day, order):
    proposal = propose(tmp_path, f"numero;data;titolo\n1;{day};Una legge\n2;{day};Altra legge\n")
    assert find(proposal)["data"] == "date"
    assert find(proposal, "").get("date_order") == order


@pytest.mark.parametrize(
    ("day", "key"),
    [
        ("31/01/20", "two_digit_years"),
        ("2020-01-31T23:00:00Z", "time_zone"),
        ("31-Jan-20", "two_digit_years"),
        ("1399/11/12", "calendar"),
        ("2020-01-31", None),
    ],
)
def test_how_days_are_written_is_asked(tmp_path, day, key):
    proposal = propose(tmp_path, f"number,date,title\n4,{day},An act\n7,{day},Another\n")
    asked = {"two_digit_years", "time_zone", "calendar"} & find(
        proposal, "", is_decided=False
    ).keys()
    assert asked == ({key} if key else set())


@pytest.mark.parametrize(
    ("cell", "is_day"), [("12 May 1999", True), ("12 May 1399 AH", False), ("2003-45-67", False)]
)
def test_content_alone_shows_days(tmp_path, cell, is_day):
    proposal = propose(tmp_path, f"numero;altro;titolo\n1;{cell};Legge\n2;{cell};Altra legge\n")
    assert "altro" not in find(proposal)  # its header may mean any day
    assert (find(proposal, is_decided=False).get("altro") == "date") == is_day


def test_milliseconds_of_databases_are_no_days(tmp_path):
    rows = [{"number": at, "issueDate": 1578175200000 + at * 86_400_000} for at in range(3, 9)]
    proposal = propose(tmp_path, json.dumps(rows), "acts.json")
    (reason,) = (each.reason for each in proposal.guesses if each.key == "issueDate")
    assert reason.startswith("milliseconds since 1970")


def test_days_of_a_calendar_are_not_used_without_it(tmp_path):
    path = tmp_path / "acts.csv"
    path.write_text("number,date,title\n4,1399/11/12,An act\n7,1399/11/13,Another\n")
    sample = read_sample(str(path))
    assert "date" not in find(propose_mapping(sample))
    proposal = propose_mapping(sample, {"jurisdiction": "ir"})
    assert find(proposal)["date"] == "date"
    assert find(proposal, "")["calendar"] == "solar-hijri"


def test_a_weekday_is_in_the_day_of_the_act_only(tmp_path):
    text = "number,date,publication\n4,31 May 2020,3 June 2020\n7,1 June 2020,4 June 2020\n"
    taken = {"number": "number", "date": "date", "publication": "published"}
    assert find(propose(tmp_path, text)) == taken
    proposal = propose(tmp_path, text.replace("3 June", "Wednesday 3 June"), "more.csv")
    assert find(proposal)["date"] == "date"
    assert "publication" in find(proposal, "ignore")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        (
            "gb18030",
            "标题,制定机关,公布日期\n中华人民共和国海上交通安全法,全国人大常委会,2010-01-03\n",
        ),
        (
            "cp1252",
            (
                "numéro,titre\n4,Arrêté du préfet relatif à la préfecture\n"
                "7,Décret relatif à la sécurité de l’année scolaire et à l’économie générale\n"
            ),
        ),
    ],
)
@pytest.mark.parametrize("title", ["", "Elenco atti 2024,,\n", "Elenco atti 2024\n\n"])
def test_headers_and_control_characters_decide_encodings(tmp_path, encoding, text, title):
    path = tmp_path / "acts.csv"
    path.write_bytes((title + text).encode(encoding))
    settings = {each.key: each for each in read_sample(str(path)).settings}
    assert (settings["encoding"].value, settings["encoding"].is_decided) == (encoding, True)


@pytest.mark.parametrize(
    ("cells", "pattern"),
    [
        (
            ["Luật số 99/2025/QH15", "Luật 94/2025/QH15"],
            r"^(?P<measure>Luật)(?: số)? (?P<number>(?:[^\W\d_]+[/.-])*\d(?:[\w/]*\w)?)",
        ),
        (
            ["Undang-Undang Nomor 8 Tahun 2025", "Peraturan Nomor 5 Tahun 2024"],
            r"^(?P<measure>Undang\-Undang|Peraturan)(?: Nomor)? 0*(?P<number>\d(?:[\d]*\d)?)",
        ),
    ],
)
def test_words_before_numbers_are_not_of_the_type(tmp_path, cells, pattern):
    rows = (f"{cell},{2026 - at}-01-01\n" for at, cell in enumerate(cells, start=1))
    path = tmp_path / "acts.csv"
    path.write_text("title,date\n" + "".join(rows))
    code = "vn" if "Luật" in cells[1] else "id"
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": code})
    assert find(proposal, "patterns", is_decided=False) == {"title": pattern}


def test_codes_of_types_are_asked_for_their_words(tmp_path):
    rows = "".join(f"{at},2020-01-{at:02},ZAKON\n{at},2020-02-{at:02},LEI-n\n" for at in (3, 5, 8))
    path = tmp_path / "acts.csv"
    path.write_text("number,date,type\n" + rows)
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "hr"})
    assert find(proposal)["type"] == "measure"
    asked = find(proposal, "values.measure", is_decided=False)
    assert asked == {"ZAKON": "Zakon", "LEI-n": "LEI-n"}


@pytest.mark.parametrize(
    ("titles", "target"),
    [
        (("Chiusura di una strada", "Nomina della giunta"), "title"),
        (("aperto", "chiuso"), None),
    ],
)
def test_titles_of_many_acts_are_asked_about(tmp_path, titles, target):
    rows = [f"{at * 3},2020-01-{at % 28 + 1:02},{titles[at % 2]}" for at in range(1, 60)]
    proposal = propose(tmp_path, "\n".join(["Numero,Data,Oggetto", *rows]))
    assert find(proposal, is_decided=False).get("Oggetto") == target
    assert ("title" in proposal.missing) is (target is not None)


def test_short_words_of_titles_are_not_types(tmp_path):
    rows = "".join(f"{at},2020-01-{at:02},sfs,t.o.m. SFS 2019:{at}\n" for at in (3, 5, 8))
    assert find(propose(tmp_path, "number,date,typ,undertitel\n" + rows)).get("typ") is None


def test_countries_without_a_registered_law_are_named_by_their_language(tmp_path):
    table = "Akti number;Vastuvõtmise kuupäev;Pealkiri\n4;03.01.2019;Tulumaksuseadus\n"
    proposal = propose(tmp_path, table + "7;24.01.2019;Liiklusseadus\n")
    reason = next(each.reason for each in proposal.guesses if each.key == "jurisdiction")
    assert "by language: ee, eu;" in reason


def test_two_columns_for_one_day_are_asked(tmp_path):
    text = "number,date,valid from,effective\n4,2020-05-31,2020-06-03,2020-06-05\n"
    proposal = propose(tmp_path, text + text.splitlines()[1].replace("4,", "7,", 1) + "\n")
    asked = find(proposal, is_decided=False)
    assert asked == {"valid from": "in_force_from", "effective": "in_force_from"}


def test_addresses_of_many_rows_are_not_of_an_act(tmp_path):
    rows = "".join(f"{at},2020-01-{at:02},https://a.example/{at % 2}\n" for at in range(1, 20))
    assert "site" in find(propose(tmp_path, "number,date,site\n" + rows), "ignore")


def test_acts_with_one_number_and_several_titles_are_not_joined(tmp_path):
    rows = "".join(
        f"{at},2020-01-{at:02},Law on the upkeep of {place} of {at}\n"
        for at in range(1, 10)
        for place in ("roads", "bridges")
    )
    proposal = propose(tmp_path, "number,date,title\n" + rows)
    assert "distinct" in find(proposal, "", is_decided=False)


@pytest.mark.parametrize(
    ("width", "last", "reason"),
    [
        (3, "Altra legge", "1 of them with several titles"),
        (3, "Norme sulla pesca 9", None),
        (3, "Norme sulla PESCA 9.", None),
        (2, "", "no column has titles"),
    ],
)
def test_rows_of_one_name_are_joined_only_where_titles_agree(tmp_path, width, last, reason):
    rows = [["Numero legge", "Data", "Titolo"]]
    rows += [[f"{at}", f"2012-05-{at:02}", f"Norme sulla pesca {at}"] for at in (3, 4, 5, 6, 8, 9)]
    rows += [["9", "2012-05-09", last], *[["", "", ""]] * 3]
    proposal = propose(tmp_path, "".join(f"{','.join(row[:width])}\n" for row in rows))
    assert ("distinct" in find(proposal, "")) is (reason is None)
    (found,) = (each.reason for each in proposal.guesses if each.key == "distinct")
    assert (reason or "7 rows have 6 different values of Data, Numero legge") in found


def test_rows_of_one_citation_are_joined(tmp_path):
    rows = "".join(
        f"L.R. n. {at},2012-05-{at},Norme sulla pesca {at}\n" for at in [*range(10, 19), 12]
    )
    proposal = propose(tmp_path, "Atto,Data atto,Titolo\n" + rows)
    assert find(proposal)["Atto"] == "citation"
    assert find(proposal, "") == {"distinct": True} | find(proposal, "")


def test_words_for_nothing_are_no_values(tmp_path):
    text = "number,date,publication\n4,2020-01-31,NA\n7,2020-02-01,2020-02-05\n"
    proposal = propose(tmp_path, text)
    assert find(proposal)["publication"] == "published"
    assert find(proposal, "values.published") == {"NA": ""}
    rows = "".join(f"{at},2020-01-{at}\n" for at in (14, 17, 12, 19, 13, 23, 25, 22, 28))
    proposal = propose(tmp_path, f"numero legge,data\n{rows}s/n,2020-02-01\n")
    assert find(proposal, "values.number") == {"s/n": ""}


def test_an_order_that_no_day_decides_is_asked(tmp_path):
    proposal = propose(tmp_path, "number,date,title\n1,01/02/2020,An act\n2,03/04/2020,Another\n")
    assert "date_order" not in find(proposal, "")
    assert "date_order" in find(proposal, "", is_decided=False)


def test_few_days_among_many_do_not_decide_their_order(tmp_path):
    rows = "".join(f"{7 * at},{at % 12 + 1:02}/05/2020,An act\n" for at in range(1, 40))
    text = f"number,date,title\n{rows}999,31/05/2020,A slip\n"
    proposal = propose(tmp_path, text)
    assert "date_order" in find(proposal, "", is_decided=False)
    (reason,) = (each.reason for each in proposal.guesses if each.key == "date_order")
    assert reason == "or mdy? 1 of 40 is day first (row 40, 31/05/2020): date"


@pytest.mark.parametrize(
    ("day", "slip", "order", "reason"),
    [
        (
            "{at}/5/2018",
            "5/13/2018",
            "dmy",
            "or mdy? 1 of 17 is month first (row 17, 5/13/2018): date",
        ),
        (
            "5/{at}/2018",
            "13/5/2018",
            "mdy",
            "or dmy? 1 of 17 is day first (row 17, 13/5/2018): date",
        ),
    ],
)
def test_a_day_that_disagrees_is_named(tmp_path, day, slip, order, reason):
    rows = [f"{7 * at},{day.format(at=at)}" for at in range(10, 26)]
    proposal = propose(tmp_path, "\n".join(["number,date", *rows, f"999,{slip}"]) + "\n")
    asked = {each.key: (each.value, each.reason) for each in proposal.guesses if not each.table}
    assert asked["date_order"] == (order, reason)
    assert "date_order" not in find(proposal, "")


def test_a_number_with_zeros_by_a_slip_leaves_the_column_decided(tmp_path):
    rows = [f"{at},2020-01-{at % 28 + 1:02}" for at in range(10, 50)]
    proposal = propose(tmp_path, "\n".join(["numero,data", *rows, "0012,2020-05-05"]) + "\n")
    assert find(proposal)["numero"] == "number"
    (reason,) = (each.reason for each in proposal.guesses if each.key == "numero")
    assert "1 with leading zeros, which stay (row 41, 0012)" in reason
    padded = "\n".join(["numero,data", *(f"{row:0>15}" for row in rows), "9999,2020-05-05"])
    assert "numero" in find(propose(tmp_path, padded), "patterns", is_decided=False)


CITED = "Legge 7 agosto 1990, n. 241"


@pytest.mark.parametrize(
    ("header", "decided"),
    [("atto", "citation"), ("titolo", "citation"), ("fondamento", None), ("atto modificato", None)],
)
def test_citations_are_taken_where_the_header_means_the_act(tmp_path, header, decided):
    rows = "".join(f'"{CITED}{at}",Norme sulla caccia e sulla pesca\n' for at in range(1, 9))
    path = tmp_path / "atti.csv"
    path.write_text(f"{header},testo\n{rows}", encoding="utf-8")
    try:
        proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "it"})
    except ManifestError:
        assert decided is None
    else:
        assert find(proposal).get(header) == decided


@pytest.mark.parametrize(
    ("bad", "reasons"),
    [
        (1, ("1 cell is not, and would reject its row", "; 1 row has none")),
        (2, ("2 cells are not, and would reject their rows", "; 2 rows have none")),
    ],
)
def test_reasons_count_one_and_several(tmp_path, bad, reasons):
    rows = [
        (
            f"{at}" if at > bad else "",
            f"2020-01-{at:02}",
            f"https://a.example/{at}" if at > bad else "-x",
        )
        for at in range(1, 21)
    ]
    text = "\n".join(["numero_legge,data,link", *map(",".join, rows)])
    found = [each.reason for each in propose(tmp_path, text).guesses]
    for reason in reasons:
        assert any(reason in each for each in found), found


@pytest.mark.parametrize("header", ["celex_number", "number", "citation"])
def test_a_celex_number_makes_no_name(tmp_path, header):
    rows = "".join(f"31984L{at:04},1984-06-{at:02},Directive\n" for at in range(10, 20))
    proposal = propose(tmp_path, f"{header},adopted,kind\n{rows}")
    asked = {each.table: each.key for each in proposal.guesses if not each.is_decided}
    assert asked == {"templates": "citation", "constants": "authority"}
    assert find(proposal, "patterns") == {}
    assert "number" in proposal.missing
    assert find(proposal, "ignore") == {header: True}


@pytest.mark.parametrize(
    ("header", "cells", "numbers"),
    [
        ("numero,data", ["0243/2024,", "0244/2024,", "1000/2023,"], ["243", "244", "1000"]),
        (
            "numero,data",
            ["0243,2024-05-28", "244,2024-05-29", "04-3,2024-05-30"],
            ["243", "244", "04-3"],
        ),
        ("numero,data", ["0243 B.O.,2024-05-28", "0244 B.O.,2024-05-29"], ["243", "244"]),
        ("numero,data", ["2024-0243,", "2024-0244,", "2023-1000,"], ["243", "244", "1000"]),
        ("numero,data", ["06 of 2024,", "007 of 2024,", "10 of 2023,"], ["6", "7", "10"]),
        (
            "pdf,data",
            [
                f"https://a.example/Act-{each}-of-2024.pdf,2020-01-02"
                for each in ("No-06", "No.07", "10")
            ],
            ["6", "7", "10"],
        ),
        (
            "titulo,fecha",
            [f"Real Decreto {at:03} y otras normas,2020-01-{at}" for at in range(10, 30)]
            + ["Real Decreto de 5 de mayo de 2020,2020-05-05"],
            [str(at) for at in range(10, 30)],
        ),
    ],
)
def test_patterns_leave_out_zeros_before_numbers(tmp_path, header, cells, numbers):
    path = tmp_path / "acts.csv"
    path.write_text("\n".join([header, *cells]), encoding="utf-8")
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "es"})
    decided = find(proposal, "patterns")
    (pattern,) = (decided or find(proposal, "patterns", is_decided=False)).values()
    found = [re.search(str(pattern), cell.rpartition(",")[0]) for cell in cells]
    assert [each["number"] for each in found if each] == numbers


def test_types_before_a_mere_blank_are_those_that_were_read(tmp_path):
    cells = [f"Real Decreto {at}/2020 y otras normas" for at in range(10, 40)]
    cells += ["Orden DEF/7/2020, sobre la caza", "Resolución de 5 de mayo de 2020, sobre la caza"]
    rows = "".join(f'"{cell}",2020-01-{at % 28 + 1:02}\n' for at, cell in enumerate(cells))
    path = tmp_path / "actos.csv"
    path.write_text(f"titulo,fecha\n{rows}", encoding="utf-8")
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "es"})
    (pattern,) = find(proposal, "patterns").values()
    matches = [re.search(str(pattern), cell) for cell in cells]
    assert matches[0] is not None
    assert matches[0].groupdict() == {"measure": "Real Decreto", "number": "10/2020"}
    assert matches[-1] is None


def test_types_that_no_law_knows_are_not_read_in_silence(tmp_path):
    rows = "".join(f"Nomor {at} Tahun 2011,2011-08-{at:02}\n" for at in range(10, 20))
    path = tmp_path / "acts.csv"
    path.write_text(f"Peraturan,Ditetapkan\n{rows}", encoding="utf-8")
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "id"})
    assert "measure" in proposal.missing
    assert find(proposal, "patterns") == {}


def test_titles_that_may_be_citations_are_asked(tmp_path):
    cells = [f"Decreto nº 6.{at} de {at % 28 + 1} de maio de 2008" for at in range(100, 130)]
    cells += [f"Lei nº 12.66{at} de 5 de junho de 2012Veto Parcial" for at in range(10)]
    path = tmp_path / "atos.csv"
    path.write_text("nome\n" + "".join(f"{cell}\n" for cell in cells), encoding="utf-8")
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "br"})
    assert find(proposal, "templates", is_decided=False) == {"citation": "{nome}"}


def test_citations_with_odd_blanks(tmp_path):
    rows = "".join(
        f"Decreto\u00a0 legislativo  n.\u2009{at}{at},2020-01-{at:02}\n" for at in range(1, 9)
    )
    path = tmp_path / "atti.csv"
    path.write_text(f"atto,data\n{rows}", encoding="utf-8")
    proposal = propose_mapping(read_sample(str(path)), {"jurisdiction": "it"})
    assert find(proposal) == {"data": "date", "atto": "citation"}


def test_columns_that_disagree_in_their_order_are_asked(tmp_path):
    text = "number,date,publication date\n1,01/31/2020,31/01/2020\n2,01/30/2020,30/01/2020\n"
    assert "date_order" in find(propose(tmp_path, text), "", is_decided=False)


@pytest.mark.parametrize(
    ("headers", "decided"),
    [
        (("signature", "publication"), {"signature": "date", "publication": "published"}),
        (("date", "publication"), {"date": "date", "publication": "published"}),
        (("fecha de sanción", "fecha de promulgación"), {}),
        (("date one", "date two"), {}),
        (("when", "publication"), {"publication": "published"}),
        (("when", "effective from"), {"effective from": "in_force_from"}),
        (
            ("Ausfertigung", "Inkrafttreten"),
            {"Ausfertigung": "date", "Inkrafttreten": "in_force_from"},
        ),
        (("dataEmanazione", "dataGU"), {"dataEmanazione": "date", "dataGU": "published"}),
    ],
)
def test_which_column_is_the_day_of_the_act(tmp_path, headers, decided):
    text = f"number,{headers[0]},{headers[1]}\n7,2020-01-31,2020-02-01\n8,2020-01-30,2020-02-03\n"
    proposal = propose(tmp_path, text)
    found = {key: value for key, value in find(proposal).items() if key in headers}
    asked = {key for key, value in find(proposal, is_decided=False).items() if value == "date"}
    assert found == decided
    assert asked or "date" in decided.values()


def test_two_numbers_are_asked(tmp_path):
    text = "act number,regulation number,date\n4,7,2020-01-31\n2,9,2020-01-30\n3,8,2020-01-29\n"
    asked = find(propose(tmp_path, text), is_decided=False)
    assert {"act number", "regulation number"} <= asked.keys()


def test_a_count_of_rows_is_no_number(tmp_path):
    rows = "".join(f"{at},{700 - at}/2020,2020-01-{at + 1:02}\n" for at in range(1, 20))
    assert "No" not in find(propose(tmp_path, "No,file ref,date\n" + rows))


def test_codes_of_jurisdictions_and_languages(tmp_path):
    text = "country,language,number,date\nit,fr,4,2020-01-31\nFR,it,7,2020-01-30\n"
    proposal = propose(tmp_path, text)
    assert find(proposal)["country"] == "jurisdiction"
    assert find(proposal, is_decided=False) == {"language": "language"}
    assert "jurisdiction" not in proposal.missing


def test_words_of_force_are_mapped(tmp_path):
    text = (
        "numero,data,titolo,stato\n1,2020-01-31,Una legge sulla caccia,vigente\n"
        "2,2020-02-01,Altra legge sulla pesca,abrogato\n"
    )
    proposal = propose(tmp_path, text)
    assert find(proposal)["stato"] == "force"
    assert read_file(proposal)["values"]["force"] == {"vigente": "in-force", "abrogato": "repealed"}


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("Abrogato", {"SI": "repealed", "abrogato": "repealed", "NO": ""}),
        ("is_repealed", {"Yes": "repealed", "no": ""}),
        ("Derogada", {"Sí": "repealed", "No": "", "parcialmente": "partly-in-force"}),
        ("Vigente", {"Sí": "in-force", "No": "not-in-force"}),
    ],
)
def test_answers_to_a_header_of_force_are_states(header, words, tmp_path):
    rows = "".join(f"{at},2020-01-{at + 1},Legge,{word}\n" for at, word in enumerate(words, 10))
    proposal = propose(tmp_path, f"numero,data,titolo,{header}\n{rows}")
    assert find(proposal)[header] == "force"
    assert read_file(proposal)["values"]["force"] == words


def test_unknown_answers_to_a_header_of_force_are_asked(tmp_path):
    text = "numero,data,titolo,abrogato\n1,2020-01-31,Una legge,si\n2,2020-02-01,Altra,in parte\n"
    assert find(propose(tmp_path, text), is_decided=False)["abrogato"] == "force"


def test_reasons_have_no_names_of_roles(tmp_path):
    text = "numero,data,titolo,modificato\n1,2020-01-31,Una legge,x\n2,2020-02-01,Altra,y\n"
    assert "# another act by the header: x, y" in write_mapping(propose(tmp_path, text))


def test_unknown_words_of_force_are_asked(tmp_path):
    text = "numero,data,titolo,stato\n1,2020-01-31,Una legge,vigente\n2,2020-02-01,Altra,sospeso\n"
    proposal = propose(tmp_path, text)
    assert "stato" not in find(proposal)
    assert "stato" in find(proposal, is_decided=False)
    assert read_file(proposal)["values"] == {"force": {}}


def test_a_column_of_names_is_enough(tmp_path):
    rows = "".join(
        f"urn:lex:it:stato:legge:2020-01-{at:02};{at},{at},2020-01-{at:02}\n" for at in range(1, 9)
    )
    proposal = propose(tmp_path, "id,numero,data emanazione\n" + rows)
    assert find(proposal) == {"id": "urn", "data emanazione": "issued"}
    assert proposal.missing == ()
    assert find(proposal, "constants", is_decided=False) == {}


def test_columns_of_manifests_stay_as_they_are():
    sample = read_sample(str(Path(__file__).parents[2] / "examples" / "acts.csv"))
    proposal = propose_mapping(sample)
    assert find(proposal) == {header: header for header in sample.headers}
    assert proposal.missing == ()


def test_tags_in_titles_are_found(tmp_path):
    title = "Legge <b>quadro</b> sulla libert&agrave; dei comuni e delle province"
    proposal = propose(tmp_path, f"numero,data,titolo\n1,2020-01-31,{title}\n2,2020-02-01,Altra\n")
    assert find(proposal, "")["titles"] == "html"


def test_titles_in_several_languages(tmp_path):
    text = (
        "nr,Datum,Titel,Titre\n1,2020-01-31,Gesetz über die Änderung der Verfassung des Landes,"
        "Loi sur la modification de la constitution du canton et des communes\n"
    )
    text += text.splitlines()[1].replace("1,", "2,", 1) + " et autres\n"
    found = find(propose(tmp_path, text))
    assert (found["Titel"], found["Titre"]) == ("title@de", "title@fr")


def test_codes_of_another_table_are_left_out(tmp_path):
    rows = "".join(f"{at}/2020,2020-01-{at:02},95,70\n" for at in range(1, 10))
    proposal = propose(tmp_path, "number,date,type,authority\n" + rows)
    assert {"type", "authority"} <= {*read_file(proposal)["ignore"]}
    assert {"measure", "authority"} <= {*proposal.missing}


def test_a_few_codes_have_lines_for_their_words(tmp_path):
    rows = "".join(f"{at}/2020,2020-01-{at:02},{70 + at % 2}\n" for at in range(1, 10))
    proposal = propose(tmp_path, "number,date,authority\n" + rows)
    assert find(proposal, is_decided=False) == {"authority": "authority"}
    assert find(proposal, "values.authority", is_decided=False) == {"71": "", "70": ""}
    assert '\n[values.authority]\n# 71 = ""  # its words; 5 rows\n' in write_mapping(proposal)


def test_columns_of_the_same_codes_are_offered_once(tmp_path):
    rows = "".join(
        f"{at}/2020,2020-01-{at:02},{70 + at % 2},{70 + at % 2},{70 + at % 2}:202001{at:02}:\n"
        for at in range(1, 10)
    )
    proposal = propose(tmp_path, "number,date,authority id,authority,authority key\n" + rows)
    assert find(proposal, is_decided=False) == {"authority id": "authority"}
    assert find(proposal, "values.authority", is_decided=False) == {"71": "", "70": ""}
    assert {"authority", "authority key"} <= find(proposal, "ignore").keys()


def test_many_codes_have_none(tmp_path):
    rows = "".join(f"{at}/2020,2020-01-{at:02},{70 + at}\n" for at in range(1, 12))
    proposal = propose(tmp_path, "number,date,authority\n" + rows)
    assert "authority" in find(proposal, "ignore")
    assert find(proposal, "values.authority", is_decided=False) == {}


# Bad input

FAULTS = {
    "": "the file is empty",
    "\n\n": "the table is empty",
    "number,date,title\n": "has a header and no rows",
    '"1,2020-01-31,""An act"""\n"2,2020-01-30,""Other"""\n"3,2020-01-29,""X"""\n': "cell in quotes",
    'number,date,title\n"1,2020-01-31,An act"\n"2,2020-01-30,Other"\n': "quotes around each row",
    "1,2020-01-31,An act\n2,2020-01-30,Another\n": "the first row is data",
    "title;number\nA;1\n&#322;;2\n&#323;;3\n&#324;;4\n&#325;;5\n": "row 2 below it has 3",
    "name,slug\nAn act,an-act\nAnother,another\n": "no column has dates or numbers",
    "number,date\0": "neither a text in UTF-8 nor a workbook",
    "\x1f\x8b\x08": "compress",
}


@pytest.mark.parametrize(("text", "message"), FAULTS.items())
def test_tables_that_cannot_be_read_say_why(tmp_path, text, message):
    with pytest.raises(ManifestError, match=message) as caught:
        propose(tmp_path, text.encode("latin-1"))
    assert str(tmp_path / "acts.csv") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_header_below_a_title(tmp_path):
    text = "Register of acts,,\n,,\nnumber,date,title\n7,2020-01-31,An act\n9,2020-01-30,Another\n"
    proposal = propose(tmp_path, text)
    assert find(proposal, "")["header"] == 3
    assert find(proposal) == {"number": "number", "date": "date", "title": "title"}


def test_columns_without_a_name_or_with_the_same(tmp_path):
    text = "number,date,title,,x,x,\n7,2020-01-31,An act,,1,2,\n9,2020-01-30,Another,,3,4,\n"
    proposal = propose(tmp_path, text)
    assert read_file(proposal)["ignore"] == ["#4", "x", "#6", "#7"]
    assert find(proposal) == {"number": "number", "date": "date", "title": "title"}


ROW = {"number": "7", "date": "2020-01-31", "title": "An act"}


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ([ROW, ROW], None),
        ({"docs": [ROW, ROW], "total": 2}, "docs.*"),
        ({"answer": {"docs": [ROW, ROW]}}, "answer.docs.*"),
    ],
)
def test_lists_in_json(tmp_path, value, rows):
    proposal = propose(tmp_path, json.dumps(value), "acts.json")
    assert find(proposal, "").get("rows") == rows
    assert find(proposal)["number"] == "number"


def test_members_of_an_object_named_like_a_column(tmp_path):
    rows = [
        {"number": str(at), "date": f"2020-01-{at:02}", "url": {"value": f"https://a.example/{at}"}}
        for at in range(1, 9)
    ]
    proposal = propose(tmp_path, json.dumps(rows), "acts.json")
    assert find(proposal)["url.value"] == "page"
    mapping = tmp_path / "columns.toml"
    constants = '[constants]\njurisdiction = "it"\nauthority = "Stato"\nmeasure = "Legge"\n'
    mapping.write_text(write_mapping(proposal).partition("[constants]")[0] + constants)
    read = [*read_fields(tmp_path / "acts.json", mapping=mapping)]
    assert [row.findings for row in read] == [()] * len(rows)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"total": 3}, "no list of objects"),
        ([1, 2], "no list of objects"),
        ({"a": [ROW, ROW], "b": [ROW, ROW]}, "several lists"),
    ],
)
def test_json_without_one_list(tmp_path, value, message):
    with pytest.raises(ManifestError, match=message):
        propose(tmp_path, json.dumps(value), "acts.json")


def test_a_list_in_json_can_be_named(tmp_path):
    value = json.dumps({"a": [ROW, ROW], "b": [ROW, ROW]})
    assert find(propose(tmp_path, value, "acts.json", rows="b.*"), "")["rows"] == "b.*"


def test_json_lines(tmp_path):
    text = "\n".join(json.dumps(ROW) for _ in range(3))
    assert find(propose(tmp_path, text, "acts.jsonl"))["date"] == "date"


ACTS = [
    ["number", "date", "title"],
    ["7", dt.date(2020, 1, 31), "An act about hunting and fishing"],
    ["9", dt.date(2020, 2, 29), "An act about roads and bridges"],
]


def test_the_only_sheet_needs_no_line(tmp_path):
    pytest.importorskip("python_calamine")
    proposal = propose(tmp_path, make_xlsx({"Acts": ACTS}), "acts.xlsx")
    assert find(proposal) == {"number": "number", "date": "date", "title": "title"}
    assert "sheet" not in find(proposal, "")


def test_the_sheet_with_the_table_is_found(tmp_path):
    pytest.importorskip("python_calamine")
    sheets = {"Read me": [["How to fill in"], ["Write one act a row"]], "Acts": ACTS}
    hidden = {"Old": ACTS}
    book = make_xlsx({**sheets, **hidden}, hidden=("Old",))
    proposal = propose(tmp_path, book, "acts.xlsx")
    assert find(proposal, "")["sheet"] == "Acts"
    assert find(proposal)["number"] == "number"


def test_two_sheets_with_tables_are_asked_about(tmp_path):
    pytest.importorskip("python_calamine")
    book = make_xlsx({"2019": ACTS, "2020": ACTS})
    with pytest.raises(ManifestError, match="--sheet"):
        propose(tmp_path, book, "acts.xlsx")
    assert find(propose(tmp_path, book, "acts.xlsx", sheet="2020"), "")["sheet"] == "2020"


def test_a_header_below_a_title_in_a_sheet(tmp_path):
    pytest.importorskip("python_calamine")
    book = make_xlsx({"Acts": [["Register of acts", "", ""], ["", "", ""], *ACTS]})
    proposal = propose(tmp_path, book, "acts.xlsx")
    assert find(proposal, "")["header"] == 3
    assert find(proposal) == {"number": "number", "date": "date", "title": "title"}


def test_a_sheet_that_is_not_there(tmp_path):
    pytest.importorskip("python_calamine")
    with pytest.raises(ManifestError, match="no sheet"):
        propose(tmp_path, make_xlsx({"Acts": ACTS}), "acts.xlsx", sheet="Laws")


def test_parquet(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [dict(zip(ACTS[0], row, strict=True)) for row in ACTS[1:]]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "acts.parquet")
    sample = read_sample(str(tmp_path / "acts.parquet"))
    found = find(propose_mapping(sample))
    assert found == {"number": "number", "date": "date", "title": "title"}


def test_the_layout_that_a_file_beside_the_table_states_is_used(tmp_path):
    described = {"url": "acts.csv", "dialect": {"delimiter": ";", "encoding": "cp1252"}}
    (tmp_path / "acts.csv-metadata.json").write_text(json.dumps(described), encoding="utf-8")
    text = "numero;data;titolo\n7;2020-01-31;Qualità dell'aria e della città\n"
    proposal = propose(tmp_path, text.encode("cp1252"))
    assert find(proposal) == {"numero": "number", "data": "date", "titolo": "title"}
    assert {"separator", "encoding"}.isdisjoint(find(proposal, ""))


def test_a_zip_that_is_no_workbook(tmp_path):
    pytest.importorskip("python_calamine")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as book:
        book.writestr("a", "b")
    with pytest.raises(ManifestError, match="cannot be read as a spreadsheet"):
        propose(tmp_path, content.getvalue(), "acts.xlsx")


# Laws


@given(
    headers=st.lists(st.text(max_size=12), min_size=1, max_size=6),
    data=st.data(),
)
def test_a_proposal_is_a_valid_file_that_names_each_column(headers, data):
    cells = st.sampled_from(["2020-01-31", "31/12/2020", "7/2020", "https://law.example/1"])
    row = st.tuples(*[cells | st.text(max_size=12)] * len(headers))
    rows = data.draw(st.lists(row, min_size=1, max_size=5))
    sample = Sample("acts.csv", tuple(headers), tuple(rows), is_whole=True)
    try:
        proposal = propose_mapping(sample)
    except ManifestError:
        return
    written = read_file(proposal)
    for table in ("columns", "constants", "patterns"):
        assert written.get(table, {}) == find(proposal, table)
    used = {*written.get("columns", {}), *written.get("ignore", ()), *written.get("patterns", {})}
    assert used >= {*headers}


WRITABLE = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(key=WRITABLE, value=WRITABLE, reason=st.text())
def test_any_text_can_be_written(key, value, reason):
    guesses = (
        Guess("columns", key, value, reason),
        Guess("patterns", key, value, reason),
        Guess("columns", key, value, reason, is_decided=False),
    )
    sample = Sample("acts.csv", ("a",), (("b",),), is_whole=True)
    written = read_file(Proposal(sample, guesses, ()))
    assert written["columns"] == {key: value}
    assert written["patterns"] == {key: value}


# Words


def test_words_of_headers_are_keys_with_a_source():
    table = json.loads(data.read_text("ontology/column_words.json"))
    languages = {language for words in table["headers"].values() for language in words}
    assert languages == table["sources"].keys()
    assert table["force"].keys() == {state.value for state in LegalForce}
    for section in ("headers", "force"):
        for words in table[section].values():
            for found in words.values():
                assert found == [make_key(each) for each in found]
                assert len(found) == len({*found})


def test_a_word_of_force_has_one_meaning():
    table = json.loads(data.read_text("ontology/column_words.json"))["force"]
    for language in {each for words in table.values() for each in words}:
        found = [each for words in table.values() for each in words.get(language, ())]
        assert len(found) == len({*found}), language


def decide(proposal, folder):
    """Write a proposal as a mapping file, with one sign removed of each line for ``cited_as``."""
    path = folder / "columns.toml"
    lines = write_mapping(proposal).split("\n")
    decided = [each.removeprefix("# ") if "cited_as" in each else each for each in lines]
    path.write_text("\n".join(decided), encoding="utf-8")
    return path


CITING = {
    "the words of an issuer": (
        ("fr", "Ville de Paris"),
        "numero_arrete,date,titre\n{}",
        "2025 T 177{at},{at}/10/2025,Arrêté sur la rue {word}\n",
        {"Ville de Paris, Arrêté n° 2025 T 17720 du 20/10/2025"},
    ),
    "a name that has them": (
        ("it", "Regione Marche"),
        "Tipo,Numero,Data,Titolo\n{}",
        "Regolamento,{at},{at}/10/2025,Norme sul lago {word}\n",
        {None},
    ),
    "a column of citations": (
        ("it", "Regione Marche"),
        "Tipo,Numero,Data,Oggetto,Citazione,File\n{}",
        "Regolamento,{at},{at}/10/2025,Norme sul lago {word},Reg. Marche n. {at}/2025,{at}.pdf\n",
        {"Reg. Marche n. 20/2025"},
    ),
}


@pytest.mark.parametrize(("stated", "table", "row", "cited"), CITING.values(), ids=CITING)
def test_pages_may_cite_acts_in_the_words_of_the_table(tmp_path, stated, table, row, cited):
    file = tmp_path / "acts.csv"
    rows = [row.format(at=at, word="abcdefghijklmnopqrst"[at - 13] * 9) for at in range(13, 29)]
    file.write_text(table.format("".join(rows)), encoding="utf-8")
    constants = dict(zip(("jurisdiction", "authority"), stated, strict=True))
    proposal = propose_mapping(read_sample(str(file)), constants)
    assert "cited_as" not in proposal.find("templates")
    mapping = decide(proposal, tmp_path)
    with open_manifest(file, mapping=mapping, as_of="2026-01-01") as manifest:
        records = [record for family in manifest.families() for record in family.records]
    assert len(records) == len(rows)
    found = {each.cited_as for each in records if each.name.work.details.numbers[0].endswith("20")}
    assert found == cited
