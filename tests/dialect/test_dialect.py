"""Names of LexML Brasil, NIR and the drafts: what each rule does, and what nobody may invent."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lexurn.data import read_text
from lexurn.dialect import (
    Conversion,
    Dialect,
    Standing,
    conversion_to_json,
    convert,
    detect,
    load_changes,
)
from lexurn.findings import load_codes
from lexurn.name import Severity, check, parse
from lexurn.registry import open_registry

CASES = Path(__file__).parents[1] / "cases" / "dialect.jsonl"
WRITING_CASES = CASES.with_name("dialect_writing.jsonl")
CORPUS = os.environ.get("LEXURN_CORPUS")
NEEDS_CORPUS = pytest.mark.skipif(not CORPUS, reason="LEXURN_CORPUS is not set")
ACT = "urn:lex:it:stato:legge:2001-02-03;7"


def cases(file: Path = CASES) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def codes(conversion: Conversion) -> list[str]:
    return [change.code for change in conversion.changes]


@pytest.mark.parametrize("case", cases(), ids=lambda case: ascii(case["text"]))
def test_case(case: dict[str, Any]) -> None:
    found = convert(case["text"])
    assert {
        "text": found.text,
        "dialect": found.dialect,
        "standing": found.standing,
        "written": found.written,
        "changes": codes(found),
        "lost": [change.code for change in found.losses],
        "findings": [finding.code for finding in found.findings],
    } == case


def test_every_rule_has_a_case() -> None:
    seen = {code for case in cases() for code in (*case["changes"], *case["findings"])}
    seen |= {code for case in cases(WRITING_CASES) for code in case["changes"]}
    # What only writing in a dialect does is in the tests of writing.
    writing = {"LX840", "LX841", "LX842", "LX843", "LX844", "LX845"}
    others = {"LX870", "LX887"}
    found = {code for code in load_codes() if code.startswith("LX8")}
    assert set(load_changes()) | found <= seen | writing | others


def test_a_code_is_either_a_change_or_a_finding() -> None:
    assert set(load_changes()).isdisjoint(load_codes())
    assert all(code.startswith("LX8") for code in load_changes())


WRITTEN = [
    # target, name by RFC 9676, name in the dialect, codes
    ("nir", ACT, "urn:nir:stato:legge:2001-02-03;7", "LX801"),
    ("nir", f"{ACT}~art2;com3", "urn:nir:stato:legge:2001-02-03;7~art2-com3", "LX801 LX805"),
    ("nir", f"{ACT}~art3-bis;com3", "urn:nir:stato:legge:2001-02-03;7~art3-bis-com3",
     "LX801 LX805"),
    ("nir", f"{ACT}@vigente;2020-05-06~art4",
     "urn:nir:stato:legge:2001-02-03;7~art4!vig=2020-05-06", "LX801 LX809"),
    ("nir", f"{ACT}@2005-04-21:it", "urn:nir:stato:legge:2001-02-03;7@2005-04-21$it",
     "LX801 LX816"),
    ("nir", f"{ACT}@2002-01-05;errata.corrige;2002-03-05",
     "urn:nir:stato:legge:2001-02-03;7@2002-01-05*errata.corrige;2002-03-05", "LX801 LX810"),
    ("nir", f"{ACT}$senato.it:text-xml", "urn:nir:stato:legge:2001-02-03;7", "LX841 LX801"),
    ("nir", f"{ACT}#x", "urn:nir:stato:legge:2001-02-03;7", "LX844 LX801"),
    ("nir", "urn:lex:it:stato:legge:2001-02-03|x;lex-7@2005-04-21|y",
     "urn:nir:stato:legge:2001-02-03;nir-7@2005-04-21", "LX840 LX840 LX801 LX825"),
    ("nir", "urn:lex:fr:etat:loi:2004-05-15;106", None, ""),
    ("nir", "urn:lex:it;toscana:regione:legge:2004-05-15;106", None, ""),
    ("lexml", "urn:lex:br:a:b:2001-02-03;7~art1;par2", "urn:lex:br:a:b:2001-02-03;7!art1_par2",
     "LX803"),
    ("lexml", "urn:lex:br:a:b:2001-02-03;7~(art1,art2;par1)",
     "urn:lex:br:a:b:2001-02-03;7![art1,art2_par1]", "LX803"),
    ("lexml", "urn:lex:br:a:b:2001-02-03;7~art_1", "urn:lex:br:a:b:2001-02-03;7!art_1",
     "LX803 LX848"),
    ("lexml", "urn:lex:br:a;x+c:b:2001-02-03,2001-02-04;7",
     "urn:lex:br:a;x,c:b:[2001-02-03,2001-02-04];7", "LX818 LX832"),
    ("lexml", "urn:lex:br:a:b:2001-02-03,2001-02-04,2001-02-05;7", None, ""),
    ("lexml", "urn:lex:br:a:b:2001-02-03;7:anexo.1;x;y", "urn:lex:br:a:b:2001-02-03;7;anexo.1,x",
     "LX843 LX827"),
    ("lexml", "urn:lex:br:a:b:2001-02-03;7@data.evento;2001-03-04;t10.30",
     "urn:lex:br:a:b:2001-02-03;7@data.evento;2001-03-04t10.30", "LX811"),
    ("lexml", "urn:lex:br:a:b:2001-02-03;7@2002-03-04:pt$x.br:text-xml",
     "urn:lex:br:a:b:2001-02-03;7@2002-03-04", "LX842 LX841"),
    ("lexml", "urn:lex:br:a:b:2001-02-03;7@retificacao.1",
     "urn:lex:br:a:b:2001-02-03;7;retificacao.1", "LX828"),
    ("draft", f"{ACT}$senato.it:text-xml;2.2:testo", f"{ACT}$text-xml;2.2:senato.it:testo",
     "LX833"),
    ("draft", ACT, ACT, ""),
    ("rfc9676", f"{ACT}#x", f"{ACT}#x", ""),
]  # fmt: skip


@pytest.mark.parametrize(("target", "text", "expected", "changes"), WRITTEN)
def test_writing(target: str, text: str, expected: str | None, changes: str) -> None:
    found = convert(text, source="rfc9676", target=Dialect(target))
    assert found.written == expected
    assert codes(found) == changes.split()
    assert found.name == parse(text)
    assert ("LX887" in {each.code for each in found.findings}) == (expected is None)


@pytest.mark.parametrize("case", cases(WRITING_CASES), ids=lambda case: case["text"])
def test_what_the_way_back_changes_is_a_loss(case: dict[str, Any]) -> None:
    found = convert(case["text"], source="rfc9676", target=case["target"])
    assert {
        "text": found.text,
        "target": case["target"],
        "written": found.written,
        "changes": codes(found),
        "lost": [change.lost for change in found.losses],
    } == case
    for change in found.losses:
        assert found.text[change.start : change.end] == change.before
    if found.written is not None:
        back = convert(found.written, source=case["target"])
        assert (back.name == found.name) is not bool(found.losses)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("urn:lex:it:x.di.y:z.x.di.y:2001-02-03;7:x.di.y", ["x.di.y", "z.x.di.y", "x.di.y"]),
        ("urn:lex:it:x.di.y+w.x.di.y:x.di.y:2001-02-03;7", ["x.di.y", "w.x.di.y", "x.di.y"]),
        ("URN:LEX:IT:Comunita.Europee:Atto.di.X:2001-02-03;7", ["IT", "Atto.di.X"]),
        ("urn:lex:it:stato:legge:2001-02-03;7~Art1-com2", ["~Art1-com2"]),
    ],
)
def test_places_of_the_way_back_follow_the_text(text: str, places: list[str]) -> None:
    changes = convert(text, source="rfc9676", target="nir").changes
    found = [each for each in changes if each.code in {"LX846", "LX847", "LX848"}]
    assert [each.before for each in found] == places
    assert [text[each.start : each.end] for each in found] == places
    starts = [each.start for each in found]
    assert starts == sorted(set(starts))


def test_the_place_of_a_part_that_the_text_spells_otherwise_is_the_text() -> None:
    text = "urn:nir:stato:legge:2001-02-03;7#allegato-1"
    change = convert(text, source="nir", target="lexml").changes[-1]
    assert (change.code, change.before, change.after) == ("LX848", "~allegato-1", ":allegato.1")
    assert (change.start, change.end) == (0, len(text))
    assert change.lost == 'the partition "~allegato-1"'


def test_a_part_that_only_the_reader_finds_is_of_one_loss() -> None:
    text = "urn:lex:br:federal:lei:2001-02-03;7:anexo.1:retificacao.1~art_1"
    changes = convert(text, source="rfc9676", target="lexml").changes
    assert [(each.before, each.after) for each in changes if each.code == "LX848"] == [
        (":anexo.1:retificacao.1", ":anexo.1@retificacao.1"),
        ("~art_1", "~art1"),
    ]


def test_a_name_with_a_separator_of_the_rfc_comes_back_with_that_of_the_dialect() -> None:
    found = convert("urn:lex:br:a:b:2001-02-03;7~art1", source="lexml")
    assert codes(found) == ["LX845"]
    assert found.losses


def test_a_name_that_no_reader_of_the_dialect_takes_is_not_written() -> None:
    found = convert(f"{ACT}:estudo.1", source="rfc9676", target="lexml")
    assert (found.name, found.written) == (parse(f"{ACT}:estudo.1"), None)
    assert [each.code for each in found.findings] == ["LX887", "LX883"]
    reason = found.findings[1]
    assert found.text[reason.start : reason.end] == "estudo.1"


def test_authorities_of_nir_that_are_not_of_italy() -> None:
    rows = json.loads(read_text("ontology/nir_authorities.json"))
    assert list(rows) == sorted(rows)
    for authority, row in rows.items():
        assert row["source"].startswith("https://")
        found = convert(f"urn:nir:{authority}:atto:2001-02-03;7")
        assert found.written == f"urn:lex:{row['jurisdiction']}:{authority}:atto:2001-02-03;7"
        assert not found.losses


@NEEDS_CORPUS
def test_acts_of_europe_in_the_wild_are_not_of_italy() -> None:
    lines = Path(str(CORPUS), "names_nir.txt").read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if re.match(r"urn:nir:(comunita|unione)\.europe", line)]
    assert len(found) > 40
    for text in found:
        conversion = convert(text)
        assert conversion.written is not None
        assert conversion.written.startswith("urn:lex:eu:")
        assert "LX859" in {each.code for each in conversion.findings}


@pytest.mark.parametrize("code", ["LX840", "LX841", "LX842", "LX843", "LX844"])
def test_what_a_dialect_has_no_room_for_is_a_loss(code: str) -> None:
    every = (convert(text, source="rfc9676", target=Dialect(to)) for to, text, *_ in WRITTEN)
    found = [change for each in every for change in each.changes if change.code == code]
    assert found
    assert all(change.lost for change in found)


def test_all_findings_say_what_to_do_and_where() -> None:
    found = convert("urn:nir:regione.x:legge:200_-02-03;7#art1").findings[0]
    assert (found.start, found.end) == (24, 34)
    assert found.message == '"200_-02-03" has unknown digits; look them up'
    assert (found.component, found.rule, found.severity) == (
        "date", "RFC 9676 §3.6", Severity.ERROR,
    )  # fmt: skip


def test_a_change_says_what_it_did_and_what_is_lost() -> None:
    change = convert("urn:nir:presidente.del.consiglio:decreto:2001-02-03;7").changes[1]
    assert change.loss
    assert change.lost == 'the words "del"'
    assert change.message == (
        '"presidente.del.consiglio" becomes "presidente.consiglio": connectives are dropped'
    )
    assert change.rule == "RFC 9676 §4.1"
    assert (change.start, change.end) == (8, 32)


def test_the_reason_of_a_change_holds_in_both_directions() -> None:
    text = "urn:lex:br:a:b:2001-02-03;7:anexo.1"
    there = convert(text, source="rfc9676", target="lexml")
    back = convert(str(there.written), source="lexml")
    assert there.changes[0].code == back.changes[0].code == "LX827"
    reason = 'an annex follows ":" in RFC 9676, ";" or "!" in LexML, ":" or ";" in NIR'
    assert there.changes[0].message == f'":anexo.1" becomes ";anexo.1": {reason}'
    assert back.changes[0].message == f'"anexo.1" becomes ":anexo.1": {reason}'


def test_a_name_too_long_for_any_reader() -> None:
    found = convert("urn:nir:" + "a" * 10_000)
    assert found.standing is Standing.BROKEN
    assert [each.code for each in found.findings] == ["LX870"]
    assert detect("urn:nir:" + "a" * 10_000) == ()


@pytest.mark.parametrize(
    "text",
    [
        *("urn:lex:br:a:b:1;1" + sign * 8000 for sign in "!~@$*#?;:,.-_+[(%"),
        "urn:lex:" * 1000,
        "urn:nir:" * 1000,
        "urn:nir:stato:legge:2001-02-03:" + "1a" * 4000 + "'",
        "urn:lex:br:" + "a," * 4000,
        "urn:lex:br:" + "%41" * 2700 + ":",
        "urn:nir:a:b:2001-02-03;1~" + "art1-" * 1600,
        "urn:lex:br:a:b:2001-02-03;1~(" + "a," * 4000,
    ],
)
def test_hostile_texts_are_answered(text: str) -> None:
    for source in ("auto", "lexml", "nir", "draft"):
        found = convert(text, source=source)  # type: ignore[arg-type]
        assert (found.name is None) == (found.standing is Standing.BROKEN)


@pytest.mark.parametrize("dialect", ["akoma", "", "NIR"])
def test_a_dialect_that_there_is_not(dialect: str) -> None:
    with pytest.raises(ValueError, match="not a valid Dialect"):
        convert(ACT, source=dialect)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not a valid Dialect"):
        convert(ACT, target=dialect)  # type: ignore[arg-type]


# What dialects a text can be read in


def test_form_and_language_can_be_read_in_two_ways() -> None:
    text = "urn:lex:br:federal:lei:2011-03-04;12345@2012-05-06~texto;pt-br"
    found = convert(text)
    assert [each.dialect for each in found.readings] == [Dialect.LEXML, Dialect.RFC9676]
    assert found.readings[0].reason == '"~" before a form and its language'
    assert text[found.readings[0].start :] == "~texto;pt-br"
    assert found.standing is Standing.ACCIDENTAL
    as_rfc = convert(text, source="rfc9676")
    assert as_rfc.name == parse(text)
    assert as_rfc.standing is Standing.ACCIDENTAL
    assert "LX854" in {each.code for each in as_rfc.findings}


@pytest.mark.parametrize(
    ("text", "dialects"),
    [
        (ACT, "rfc9676"),
        ("urn:lex:br:federal:lei:2011-03-04;5!art1", "lexml"),
        ("urn:lex:br:federal:lei:2011;5", "lexml rfc9676"),
        (f"{ACT}$text-xml:senato.it", "draft rfc9676"),
        ("urn:nir:stato:legge:2001;7", "nir"),
        ("urn:lex:urn:nir:stato:legge:2001;7", "nir"),
        ("urn:isbn:1", ""),
        ("", ""),
    ],
)
def test_detection(text: str, dialects: str) -> None:
    assert " ".join(each.dialect for each in detect(text)) == dialects
    assert all(text[each.start : each.end] for each in detect(text))


def test_a_source_that_is_given_is_obeyed() -> None:
    assert convert("urn:nir:stato:legge:2001;7", source="lexml").standing is Standing.BROKEN
    assert convert(ACT, source="nir").findings[0].code == "LX872"
    swapped = convert(f"{ACT}$senato.it:text-xml", source="draft")
    assert swapped.written == f"{ACT}$text-xml:senato.it"
    strict = convert("urn:lex:br:a:b:2001-2-3;7", source="rfc9676")
    assert strict.standing is Standing.BROKEN
    assert strict.findings == check("urn:lex:br:a:b:2001-2-3;7").findings


# Faults of tools in use


def test_no_law_is_invented_on_a_parse_error() -> None:
    for text in ("", "lei 123", "urn:lex:br:", "urn:lex:br:federal:lei:", "urn:nir:x"):
        found = convert(text)
        assert (found.name, found.written, found.standing) == (None, None, Standing.BROKEN)


def test_no_ementa_constitucional() -> None:
    found = convert("urn:lex:br:federal:ementa.constitucional:2003-02-04;77")
    assert found.written == "urn:lex:br:federal:emenda.constitucional:2003-02-04;77"
    assert found.losses


def test_no_empty_unit_of_brazil() -> None:
    for text in ("urn:lex:br;:municipal:lei:1941-02-03;77", "urn:lex:br;:federal:lei:1941;77!art1"):
        found = convert(text)
        assert found.standing is Standing.BROKEN
        assert found.written is None


@pytest.mark.parametrize("text", ["urn:lex:br:federal:lei:2011;5", "urn:nir:stato:legge:2011;5"])
def test_no_false_first_of_january(text: str) -> None:
    found = convert(text)
    assert found.name is not None
    assert found.name.work.details.period == "2011"
    assert found.name.work.details.dates == ()
    assert "LX851" in {each.code for each in found.findings}


@pytest.mark.parametrize("number", ["None", "none", "null", "NaN", "undefined", ""])
def test_no_number_none(number: str) -> None:
    for start in ("urn:lex:br:federal:lei", "urn:nir:stato:legge"):
        assert convert(f"{start}:2011-03-04;{number}").standing is Standing.BROKEN


@pytest.mark.parametrize("prefix", ["urn:lex:", "urn:nir:"])
def test_no_doubled_prefix(prefix: str) -> None:
    rest = "it:stato:legge:2001-02-03;7" if "lex" in prefix else "stato:legge:2001-02-03;7"
    found = convert(prefix * 3 + rest)
    assert found.written == ACT
    assert found.changes[0].before == prefix * 2
    assert found.changes[0].lost


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("urn:nir:stato:decreto-legge:2018-07-12;87", "decreto.legge"),
        ("urn:lex:br:federal:decreto-lei:1969-10-01;1001", "decreto.lei"),
    ],
)
def test_no_hyphen_in_a_measure(text: str, measure: str) -> None:
    found = convert(text)
    assert found.name is not None
    assert found.name.work.measure.type == measure


# The registry


def test_a_publishers_registry_is_asked(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    file.write_text(
        """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
<https://w3id.org/lexurn/registry/words/it/connectives/vulgo> a skos:Concept ;
    skos:inScheme <https://w3id.org/lexurn/registry/words/it/connectives> ;
    skos:notation "vulgo" ; skos:prefLabel "vulgo"@it .
""",
        encoding="utf-8",
    )
    own, findings = open_registry(str(file))
    assert not [each for each in findings if each.is_error]
    text = "urn:nir:comune.vulgo.x:delibera:2001-02-03;7"
    assert convert(text).written == "urn:lex:it:comune.vulgo.x:delibera:2001-02-03;7"
    assert convert(text, registry=own).written == "urn:lex:it:comune.x:delibera:2001-02-03;7"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("regione.x:legge:2001-02-03;7:allegato.a", "regione.x:legge:2001-02-03;7:allegato.a"),
        ("a.di.b:c:2001-02-03;7:allegato.e.uno", "a.b:c:2001-02-03;7:allegato.e.uno"),
        ("la.x:c:2001-02-03;da", "la.x:c:2001-02-03;da"),
        ("a:c;da:2001-02-03;7", "a:c;da:2001-02-03;7"),
    ],
)
def test_single_letters_and_words_at_the_ends_stay(given: str, kept: str) -> None:
    assert convert(f"urn:nir:{given}").written == f"urn:lex:it:{kept}"


def test_a_plain_name_asks_no_registry() -> None:
    code = (
        "import sys, lexurn.dialect as d; d.convert('urn:lex:it:stato:legge:2001-02-03;7');"
        "print('lexurn.registry' in sys.modules, 'pyoxigraph' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_json() -> None:
    found = conversion_to_json(convert("urn:nir:stato:legge:2001;7#art1"))
    assert json.loads(json.dumps(found)) == found
    assert found["name"] == "urn:lex:it:stato:legge:2001;7~art1"
    assert found["changes"][1]["loss"] is True
    assert found["findings"][0]["code"] == "LX851"
    assert found["readings"][0]["dialect"] == "nir"


# Names of the wild


@NEEDS_CORPUS
@pytest.mark.parametrize(("file", "least"), [("names_lex.txt", 0.97), ("names_nir.txt", 0.96)])
def test_nearly_all_names_of_the_wild_are_valid_or_repaired(file: str, least: float) -> None:
    texts = Path(str(CORPUS), file).read_text(encoding="utf-8").splitlines()
    found = [convert(text) for text in texts]
    standings = Counter(each.standing for each in found)
    assert 1 - standings[Standing.BROKEN] / len(texts) >= least
    for each in found:
        if each.standing in {Standing.VALID, Standing.ACCIDENTAL}:
            assert check(each.text).valid
        if each.standing is Standing.REPAIRABLE:
            assert each.changes
            assert not check(each.text).valid
        if each.standing is Standing.BROKEN:
            assert each.findings[0].severity is Severity.ERROR


@NEEDS_CORPUS
def test_prefixes_of_the_portal_stay_as_they_are() -> None:
    rows = Path(str(CORPUS), "lex_prefixes.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for row in rows:
        text = f"{row.split()[0]}:2001-02-03;7"
        assert convert(text).written == text


@NEEDS_CORPUS
def test_each_example_of_a_deviation_is_answered_with_a_reason() -> None:
    rows = Path(str(CORPUS), "deviations.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for row in rows:
        found = convert(row.split("\t")[-1])
        assert found.changes or found.findings or found.standing is Standing.VALID
