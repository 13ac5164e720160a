"""Names as values: parts, levels, ancestors, building, comparing; findings and their table."""

from __future__ import annotations

import copy
import json
import pickle
import re
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from lexurn import data
from lexurn import name as name_room
from lexurn.findings import load_codes
from lexurn.name import (
    LONGEST_NAME,
    Annex,
    Date,
    Jurisdiction,
    Level,
    Name,
    NameSyntaxError,
    Reading,
    Severity,
    check,
    parse,
    parse_many,
    replace_parts,
    report_to_json,
)

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
WHOLE = (
    "urn:lex:it:stato:legge:2003-09-21;456:allegato.a:tabella.1@2005-01-01;2006-01-01:it"
    "$parlamento.it:application-pdf;1.7:testo:anonimo~art3;par2"
)
SOURCES = Path(name_room.__file__).parent


def test_a_name_has_typed_parts() -> None:
    name = parse(WHOLE)
    assert (name.jurisdiction.code, name.jurisdiction.units) == ("it", ())
    assert name.work.authority.issuers[0].institution == "stato"
    assert (name.work.measure.type, name.work.measure.specifications) == ("legge", ())
    assert name.work.details.dates == (Date(iso="2003-09-21"),)
    assert name.work.annexes == (Annex(id="allegato.a"), Annex(id="tabella.1"))
    assert name.expression is not None
    assert name.expression.version.events[0].date == Date(iso="2006-01-01")
    assert name.expression.language == "it"
    assert name.manifestation is not None
    assert name.manifestation.format.specifications == ("1.7",)
    assert name.manifestation.feature is not None
    assert (name.partition, name.level) == ("art3;par2", Level.MANIFESTATION)
    assert (name.text, str(name)) == (WHOLE, WHOLE)


@pytest.mark.parametrize(
    ("text", "ancestors"),
    [
        (ACT, []),
        (f"{ACT}~a;b;c", [f"{ACT}~a;b", f"{ACT}~a", ACT]),
        (f"{ACT}~a;;c", [f"{ACT}~a;", f"{ACT}~a", ACT]),
        (f"{ACT}~;c", [ACT]),
        (f"{ACT}@v:it", [ACT]),
        (f"{ACT}@v", [ACT]),
        (f"{ACT}$a.it:b", [ACT]),
        (f"{ACT}@v:it$a.it:b:c", [f"{ACT}@v:it", ACT]),
        (f"{ACT}:a;x:b", [f"{ACT}:a;x", ACT]),
        (f"{ACT}:a@v$a.it:b~p#f", [f"{ACT}:a@v$a.it:b", f"{ACT}:a@v", f"{ACT}:a", ACT]),
    ],
)
def test_ancestors_come_nearest_first(text: str, ancestors: list[str]) -> None:
    assert [str(name) for name in parse(text).ancestors()] == ancestors


def test_a_name_knows_the_names_inside_it() -> None:
    name = parse(WHOLE + "?+r?=q#f")
    document, _, _ = WHOLE.partition("~")
    assert str(name.document) == document
    assert str(name.expression_name) == document.partition("$")[0]
    assert str(name.work_name) == document.partition("@")[0]
    assert str(name.act_name) == ACT
    assert (name.components.r, name.components.q, name.components.f) == ("r", "q", "f")
    assert name.document.components.f is None
    assert name.document.text == document
    assert parse(ACT).expression_name is None
    assert parse(f"{ACT}@v").level is Level.EXPRESSION
    assert parse(f"{ACT}~p").level is Level.WORK


def test_the_iri_has_no_bar() -> None:
    name = parse("urn:lex:il:knesset:hok:1999-09-02|21-elul-5759;1@1999-09-02|x")
    assert name.iri == str(name).replace("|", "%7C")
    assert parse(name.iri) == name


def test_names_are_immutable_values() -> None:
    name = parse(ACT)
    with pytest.raises(AttributeError, match="immutable"):
        name.partition = "art1"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del name.partition  # type: ignore[misc]
    with pytest.raises(AttributeError):
        name.other = 1  # type: ignore[attr-defined]
    assert copy.deepcopy(name) == pickle.loads(pickle.dumps(name)) == name
    assert name != ACT
    assert {name: 1}[parse(ACT.upper())] == 1
    assert repr(name) == f"<Name {ACT}>"


def test_copies_keep_the_text_and_the_components() -> None:
    name = parse(f"{ACT.upper()}?+r?=q#f")
    for other in (copy.copy(name), pickle.loads(pickle.dumps(name))):
        assert (other, other.text, other.components) == (name, name.text, name.components)


@pytest.mark.parametrize("run", [" ", "\t ", "a ", "\n "])
def test_white_space_is_judged_in_linear_time(run: str) -> None:
    start = time.process_time()
    assert not check(ACT + run * 2000 + "x y").valid
    assert not check(ACT + " " * 8100 + "x").valid
    assert time.process_time() - start < 0.2


def test_names_are_ordered_by_canonical_text() -> None:
    texts = [f"{ACT}~a", ACT, f"{ACT}@v", f"{ACT}$a.it:b", f"{ACT.upper()}0"]
    assert [str(name) for name in sorted(map(parse, texts))] == sorted(
        str(parse(text)) for text in texts
    )
    with pytest.raises(TypeError):
        assert parse(ACT) < ACT  # type: ignore[operator]


def test_names_are_built_from_parts() -> None:
    name = parse(WHOLE)
    assert Name.of(jurisdiction=name.jurisdiction, work=name.work) == name.work_name
    assert str(replace_parts(name, partition=None, manifestation=None)) == str(name.expression_name)
    assert str(replace_parts(parse(ACT), jurisdiction=Jurisdiction(code="FR"))).startswith(
        "urn:lex:fr:"
    )


@pytest.mark.parametrize(
    ("parts", "start"),
    [
        ({"jurisdiction": Jurisdiction(code="it:stato")}, 10),
        ({"partition": "a~b"}, len(ACT) + 2),
        ({"partition": "a#b"}, len(ACT) + 2),
        ({"partition": ""}, len(ACT) + 1),
    ],
)
def test_parts_smuggle_no_separators(parts: dict[str, Any], start: int) -> None:
    with pytest.raises(NameSyntaxError) as caught:
        replace_parts(parse(ACT), **parts)
    assert caught.value.report.errors[0].start == start


def test_parse_raises_with_the_report() -> None:
    with pytest.raises(NameSyntaxError, match="LX116") as caught:
        parse("urn:lex:it:stato:legge:2003-09-21;456/b")
    assert caught.value.report.errors[0].suggestion == ACT + "-b"
    with pytest.raises(ValueError, match="LX203"):
        parse(f"{ACT}@original:DE_CH")


def test_readings_are_known_by_name() -> None:
    text = f"{ACT}@v:de-ch"
    assert parse(text, "text") == parse(text, Reading.TEXT)
    for reading in ("grammar", Reading.GRAMMAR):
        with pytest.raises(NameSyntaxError, match="LX204"):
            parse(text, reading)  # type: ignore[arg-type]
    for function in (parse, check):
        with pytest.raises(ValueError, match="dialect"):
            function(ACT, "dialect")  # type: ignore[arg-type]


def test_many_names_are_read_lazily_and_in_order() -> None:
    texts = iter([ACT, "", f"{ACT}~p"])
    reports = parse_many(texts)
    assert next(reports).name == parse(ACT)
    assert next(texts) == ""
    assert [report.valid for report in reports] == [True]


@pytest.mark.parametrize(
    "text",
    [
        ACT + "1" * LONGEST_NAME,
        "x" * 10_000_000,
        "urn:lex:it:" + "国" * 1000 + ":legge:2006-05-14;22",
    ],
)
def test_names_have_a_limit(text: str) -> None:
    report = check(text)
    assert [(finding.code, finding.start) for finding in report.errors] == [("LX103", 0)]
    assert report.errors[0].suggestion is None


def test_the_longest_name_is_a_name() -> None:
    text = ACT + "1" * (LONGEST_NAME - len(ACT))
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    "text",
    ["\ud800", ACT + "\udfff", ACT + "#\ud83d", "urn:lex:\ud800:", "\0" * 50, ACT + "~\ud800"],
)
def test_texts_that_cannot_be_encoded_are_answered(text: str) -> None:
    report = check(text)
    assert not report.valid
    for finding in report.findings:
        finding.message.encode()


def test_one_cause_is_told_once() -> None:
    codes = [finding.code for finding in check("urn:lex:it$stato:legge:2003-9-21;1").findings]
    assert codes == ["LX201"]
    codes = [finding.code for finding in check("urn:lex:it:a-b:2003-09-21;1:c_d").findings]
    assert codes == ["LX202"]
    two = check("urn:lex:it:a-b:legge:2003-9-21;456")
    assert [finding.code for finding in two.findings] == ["LX202", "LX214"]


def test_findings_come_in_the_order_of_their_places() -> None:
    report = check("urn:lex:zz:a..b:l%61:2003;1,1@v:de-ch~a+b")
    assert [finding.code for finding in report.findings] == [
        *("LX213", "LX121", "LX108", "LX220", "LX222", "LX204", "LX229"),
    ]
    starts = [finding.start for finding in report.findings]
    assert starts == sorted(starts)


def test_parts_of_an_invalid_name_are_read_as_far_as_possible() -> None:
    parts = check("urn:lex:it:stato:leg*ge:2003-09-21;456@v:it").parts
    assert parts.authority is not None
    assert parts.measure is None
    assert parts.details is not None
    assert parts.expression is not None


NAME_CODES = {code: row for code, row in load_codes().items() if code < "LX3"}


def test_code_and_table_agree() -> None:
    written = "".join(path.read_text(encoding="utf-8") for path in SOURCES.glob("[!h]*.py"))
    used = set(re.findall(r'"(LX\d{3})"', written))
    assert used == set(NAME_CODES)


def test_the_text_never_weighs_more_than_the_grammar() -> None:
    order = [Severity.NOTE, Severity.WARNING, Severity.ERROR]
    for code, row in NAME_CODES.items():
        assert order.index(row.severity) <= order.index(row.grammar), code


def test_codes_of_one_component_name_it() -> None:
    for line in _cases("name_invalid", "name_warnings"):
        row = NAME_CODES[line["code"]]
        assert row.component in {"", line["component"]}, line


def _cases(*names: str) -> list[dict[str, Any]]:
    folder = Path(__file__).parents[1] / "cases"
    return [
        json.loads(line)
        for name in names
        for line in (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def test_the_json_of_every_case_follows_its_schema() -> None:
    validator = jsonschema.Draft202012Validator(
        json.loads(data.read_text("ontology/name.schema.json"))
    )
    for line in _cases("name_valid", "name_invalid", "name_warnings", "name_suggestions"):
        reading = Reading.GRAMMAR if line.get("reading") == "grammar" else Reading.TEXT
        validator.validate(report_to_json(check(line["text"], reading)))


def test_the_schema_closes_its_objects() -> None:
    validator = jsonschema.Draft202012Validator(
        json.loads(data.read_text("ontology/name.schema.json"))
    )
    written = report_to_json(check(WHOLE))
    assert validator.is_valid(written)
    broken = [
        written | {"more": 1},
        written | {"valid": False},
        written | {"details": written["details"] | {"period": "x"}},
        written | {"measure": {"type": "Legge", "specifications": []}},
        {key: value for key, value in written.items() if key != "iri"},
    ]
    assert [validator.is_valid(some) for some in broken] == [False] * len(broken)
