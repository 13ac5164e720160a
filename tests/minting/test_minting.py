"""Names from metadata: every example of RFC 9676 sections 2 to 7 from its words, and bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lexurn
from lexurn.minting import FIELDS, Action, MintError, Taken, mint, minted_to_json, try_mint
from lexurn.registry import load_registry

_CASES = Path(__file__).parents[1] / "cases"


def _cases(file: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (_CASES / file).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("case", _cases("minting_rfc.jsonl"), ids=lambda case: case["name"])
def test_examples_of_the_rfc_are_minted_from_their_words(case: dict[str, dict[str, str]]) -> None:
    minted = try_mint(case["fields"])
    assert (str(minted), minted.errors) == (case["name"], ())


LEGGE = {"jurisdiction": "it", "measure": "Legge", "date": "2003-09-21", "number": "456"}
TEXT = "urn:lex:it:stato:legge:2003-09-21;456"

BAD: dict[str, tuple[dict[str, object], str, str]] = {
    "a field that is none": ({"nunber": "3"}, "LX700", "nunber"),
    "a fraction": ({"number": 456.0}, "LX701", "number"),
    "not a number of an unnumbered act": ({"number": "", "unnumbered": "x"}, "LX701", "unnumbered"),
    "no measure": ({"measure": " \t "}, "LX702", "measure"),
    "no number": ({"number": None}, "LX702", "number"),
    "no date": ({"date": ""}, "LX702", "date"),
    "no jurisdiction": ({"jurisdiction": ""}, "LX702", "jurisdiction"),
    "no issuer and none implied": ({"measure": "Circolare"}, "LX702", "authority"),
    "date and period": ({"period": "XIV legislatura"}, "LX703", "period"),
    "number and none": ({"unnumbered": 3}, "LX703", "unnumbered"),
    "two versions": (
        {"version": "originale", "amendment_date": "2004-01-01"},
        "LX703",
        "amendment_date",
    ),
    "two annexes": ({"annex": "A", "annexes": [{"heading": "B"}]}, "LX703", "annexes"),
    "an annex of another shape": ({"annexes": [{"title": "B"}]}, "LX701", "annexes"),
    "an issuer that the measure contradicts": (
        {"measure": "D.P.R.", "authority": "Regione Campania"},
        "LX760",
        "authority",
    ),
    "a language without a version": ({"version_language": "it"}, "LX761", "version_language"),
    "an event without a version": ({"event": "rettifica"}, "LX761", "event"),
    "an editor that is no domain": (
        {"editor": "Parlamento italiano", "format": "application/pdf"},
        "LX762",
        "editor",
    ),
    "a format that is none": ({"editor": "senato.it", "format": "PDF/A (1.7)"}, "LX763", "format"),
    "parameters of a media type": (
        {"editor": "senato.it", "format": "text/html; charset=utf-8"},
        "LX763",
        "format",
    ),
    "a format without an editor": ({"format": "application/pdf"}, "LX764", "editor"),
    "a feature without a component": (
        {"editor": "senato.it", "format": "text/html", "feature": "anonimo"},
        "LX764",
        "component",
    ),
    "a part that is not understood": ({"partition": "in fondo a destra"}, "LX765", "partition"),
    "a partition that is no id": ({"partition": "art3~com2"}, "LX765", "partition"),
    "a field of a megabyte": ({"measure": "a " * 500_000}, "LX706", "measure"),
    "a list of a megabyte": ({"authority": [["a", "b"]] * 100_000}, "LX706", "authority"),
    "a lone surrogate for a jurisdiction": ({"jurisdiction": "\ud800"}, "LX772", "jurisdiction"),
    "a jurisdiction in other letters": ({"jurisdiction": "\u0456t"}, "LX772", "jurisdiction"),
    "a date behind the number": ({"number": "8, del 21 giugno 1993"}, "LX739", "number"),
    "a date of digits behind the number": ({"number": "n. 8 del 21/6/1993"}, "LX739", "number"),
    "a marker of a marker": ({"number": "n. n."}, "LX729", "number"),
    "a mark of a footnote": ({"number": "456\u00b2"}, "LX739", "number"),
    "no number, as Brazil writes it": ({"number": "S/N\u00ba"}, "LX729", "number"),
    "a jurisdiction in words": ({"jurisdiction": "Regno d'Italia"}, "LX772", "jurisdiction"),
    "a language tag that is none": (
        {"version": "originale", "version_language": "it_IT"},
        "LX768",
        "language",
    ),
    "a local date too many": ({"local_date": ["a", "b"]}, "LX767", "local_date"),
}


@pytest.mark.parametrize(("change", "code", "field"), BAD.values(), ids=BAD)
def test_what_cannot_be_decided_is_refused(
    change: dict[str, object], code: str, field: str
) -> None:
    minted = try_mint({**LEGGE, **change})
    assert minted.name is None
    assert (code, field) in [(found.code, found.component) for found in minted.errors]
    assert all(found.message and found.rule for found in minted.findings)


def test_an_event_needs_a_version() -> None:
    (found,) = try_mint({**LEGGE, "event_date": "2005-01-01"}).errors
    assert found.message.startswith('"2005-01-01" needs a version')


@pytest.mark.parametrize("nobody", [";", "+", " ; + ;"])
def test_signs_between_issuers_alone_are_no_issuer(nobody: str) -> None:
    assert str(try_mint({**LEGGE, "authority": nobody}).name) == TEXT


def test_a_title_may_be_long() -> None:
    assert str(try_mint({**LEGGE, "title": "Disposizioni " * 5_000}).name) == TEXT


def test_good_metadata_have_no_findings() -> None:
    minted = try_mint(LEGGE)
    assert (str(minted), minted.findings) == (TEXT, ())


def test_all_faults_are_said_at_once() -> None:
    minted = try_mint({"jurisdiction": "it", "measure": "Legge", "partition": "?"})
    assert [found.component for found in minted.errors] == ["date", "number", "partition"]


def test_an_error_carries_the_answer() -> None:
    with pytest.raises(MintError, match="LX702: date: ") as refused:
        lexurn.mint({**LEGGE, "date": ""})
    assert refused.value.minted.name is None
    assert isinstance(refused.value, ValueError)


def test_the_message_of_an_error_has_a_line_for_each_fault() -> None:
    with pytest.raises(MintError) as refused:
        lexurn.mint({"jurisdiction": "it", "measure": "Legge", "partition": "?"})
    lines = [line.split(": ")[:2] for line in str(refused.value).splitlines()]
    assert lines == [[found.code, found.component] for found in refused.value.minted.errors]
    assert [field for _, field in lines] == ["date", "number", "partition"]


def test_fields_may_be_keywords() -> None:
    assert str(lexurn.mint(LEGGE, partition="art3").name) == TEXT + "~art3"


def test_every_step_says_what_rule_it_follows() -> None:
    steps = mint(LEGGE, date="21 settembre 2003").steps
    assert {step.field for step in steps} == {"measure", "authority", "date"}
    assert all(step.rule.startswith("RFC 9676 §") for step in steps)
    supplied = next(step for step in steps if step.action is Action.SUPPLIED)
    assert supplied.after == "stato"
    assert supplied.source is not None
    assert supplied.source.startswith("https://w3id.org/lexurn/registry/it/measures/")


def test_the_answer_is_plain_json() -> None:
    answer = json.loads(json.dumps(minted_to_json(mint(LEGGE, date="21 settembre 2003"))))
    assert set(answer) == {"name", "steps", "findings"}
    assert answer["name"] == TEXT
    assert set(answer["steps"][0]) == {"field", "action", "before", "after", "rule", "source"}


def test_numbers_of_unnumbered_acts_never_meet() -> None:
    act = {**LEGGE, "number": "", "unnumbered": True}
    taken = Taken([lexurn.parse("urn:lex:it:stato:legge:2003-09-21;lex-7:allegato.1")])
    names = [str(mint(act, taken=taken)) for _ in range(3)]
    assert names == [f"urn:lex:it:stato:legge:2003-09-21;lex-{n}" for n in (8, 9, 10)]
    assert str(mint({**act, "date": "2003-09-22"}, taken=taken)).endswith("2003-09-22;lex-1")


def test_a_name_that_is_taken_is_refused() -> None:
    taken = Taken([lexurn.parse(TEXT)])
    minted = try_mint(LEGGE, taken=taken)
    assert [found.code for found in minted.errors] == ["LX770"]
    assert try_mint(LEGGE, taken=Taken([lexurn.parse(TEXT)], unique=False)).valid


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("br:federal:lei:2006;11340-2006", "br:federal:lei:2006;11340"),
        ("br:federal:lei:2006;11340", "br:federal:lei:2006;11340-2006"),
        ("eu:court:judgment:2000-06-12;10,11,12", "eu:court:judgment:2000-06-12;0010,11,12"),
        ("it:senato:ddl:legislatura.14;5-legi", "it:senato:ddl:legislatura.14;05-legi"),
    ],
)
def test_numbers_are_taken_in_other_writings(name: str, other: str) -> None:
    taken = Taken([lexurn.parse(f"urn:lex:{other}")])
    assert taken.alike(lexurn.parse(f"urn:lex:{name}")) == f"urn:lex:{other}"


def test_what_is_no_year_is_none_behind_a_number() -> None:
    taken = Taken([lexurn.parse("urn:lex:it:senato:ddl:legislatura.14;5")])
    assert taken.alike(lexurn.parse("urn:lex:it:senato:ddl:legislatura.14;5-legi")) is None


def test_what_a_measure_says_of_its_issuer_belongs_to_the_authority() -> None:
    region = {"jurisdiction": "it", "authority": "Regione Campania", "date": "1994-11-25"}
    assert str(mint(region, measure="Legge Regionale", number="40")) == (
        "urn:lex:it:regione.campania:legge:1994-11-25;40"
    )
    minted = try_mint({**region, "authority": None, "measure": "Legge Regionale", "number": "40"})
    assert [found.component for found in minted.errors] == ["authority"]


def test_an_act_that_may_be_of_any_unit_is_named_with_a_warning() -> None:
    act = {"jurisdiction": "br", "measure": "Lei", "date": "2008-12-05", "number": "2708"}
    minted = mint(act)
    assert str(minted) == "urn:lex:br:federal:lei:2008-12-05;2708"
    assert [found.code for found in minted.findings] == ["LX774"]
    assert mint(act, authority="Federal").findings == ()
    assert str(mint(act, units=["Minas Gerais", "Itabirito"])) == (
        "urn:lex:br;minas.gerais;itabirito:municipal:lei:2008-12-05;2708"
    )
    without = try_mint({**act, "measure": "Lei Municipal"})
    assert [found.code for found in without.errors] == ["LX773"]


def test_every_field_of_metadata_is_described() -> None:
    documented = {*lexurn.minting.Metadata.__doc__.split()}
    assert {f"{field}:" for field in FIELDS} - documented == {"annex:", "manifestation:"}


@pytest.mark.parametrize("value", [object(), b"x", 1.5, [["a", 1.5]], {"a": 1}, {1, 2}, [None]])
@pytest.mark.parametrize("field", FIELDS)
def test_values_of_any_kind_give_a_name_or_findings(field: str, value: object) -> None:
    minted = try_mint({**LEGGE, field: value})
    assert minted.valid or minted.errors


class TestFaultsOfOtherTools:
    """What tools in use today get wrong, each by name."""

    def test_no_law_is_invented_where_the_number_is_not_read(self) -> None:
        assert try_mint({**LEGGE, "number": "n. ?"}).name is None

    def test_constitutional_amendments_are_emendas(self) -> None:
        minted = mint(
            jurisdiction="br",
            authority="federal",
            measure="Emenda Constitucional",
            date="2019-11-12",
            number="103",
        )
        assert str(minted) == "urn:lex:br:federal:emenda.constitucional:2019-11-12;103"
        notations = {entry.notation for entry in load_registry().law("br").measures}
        assert "emenda.constitucional" in notations
        assert "ementa.constitucional" not in notations

    def test_no_empty_unit_stands_behind_the_code(self) -> None:
        minted = mint({**LEGGE, "jurisdiction": "it;", "units": [""]})
        assert str(minted) == TEXT

    def test_a_year_is_no_first_of_january(self) -> None:
        minted = try_mint({**LEGGE, "date": "2003"})
        assert minted.name is None
        assert "2003-01-01" not in str([found.suggestion for found in minted.findings])

    def test_none_is_no_number(self) -> None:
        for number in (None, "None", "nan", "null"):
            assert try_mint({**LEGGE, "number": number}).name is None

    def test_a_name_is_no_jurisdiction(self) -> None:
        minted = try_mint({**LEGGE, "jurisdiction": "urn:lex:it"})
        assert minted.name is None

    def test_decree_laws_have_no_hyphen(self) -> None:
        for measure in ("Decreto-Legge", "decreto legge", "D.L."):
            minted = mint({**LEGGE, "measure": measure})
            assert str(minted) == "urn:lex:it:stato:decreto.legge:2003-09-21;456"


@pytest.mark.parametrize(
    ("jurisdiction", "authority", "measure", "is_another"),
    [
        ("it", "Stato", "Legge regionale", True),
        ("it", "Regione Campania", "Legge regionale", False),
        ("it", "Consiglio regionale", "Legge regionale", False),  # it has the word itself
        ("it", "Regione Campania", "Legge provinciale", True),
        ("it", "Provincia di Trento", "Legge provinciale", False),
        ("it", "Ministero delle Finanze", "Decreto ministeriale", False),
        ("it", "Ministero delle Finanze", "Decreto interministeriale", True),
        ("it", "Stato", "Legge statale", False),
        ("de", "Bund", "Bundesgesetz", False),
        ("de", "Bund", "Landesgesetz", True),
        ("de", "Bayern", "Landesgesetz", False),  # nobody knows of what kind it is
        ("de", "Land Bayern", "Landesgesetz", False),
        ("fr", "Ministère de la justice", "Arrêté préfectoral", True),
        ("es", "Estado", "Ley autonómica", True),  # not registered as a whole
        ("it;campania", "Stato", "Legge regionale", False),  # the State is that unit
    ],
)
def test_a_measure_whose_words_name_another_issuer_is_warned_of(
    jurisdiction: str, authority: str, measure: str, is_another: object
) -> None:
    fields = {**LEGGE, "jurisdiction": jurisdiction, "authority": authority, "measure": measure}
    minted = mint(fields)
    assert ("LX775" in {found.code for found in minted.findings}) is is_another


@pytest.mark.parametrize("case", _cases("minting_warnings.jsonl"))
def test_a_doubtful_issuer_or_year_is_warned_of(case: dict[str, Any]) -> None:
    found = try_mint(case["input"]).findings
    codes = [each.code for each in found if str(each.severity) == "warning"]
    assert codes == ([case["warning"]] if case["warning"] else [])


@pytest.mark.parametrize("case", _cases("minting_conflicts.jsonl"))
def test_a_field_that_contradicts_the_citation_is_reported(case: dict[str, Any]) -> None:
    minted = try_mint(case["input"])
    name, fields = minted.name and str(minted.name), [each.component for each in minted.errors]
    assert (name, fields) == (case["name"], [case["field"]] if case["field"] else [])
    codes = {each.code for each in minted.findings if str(each.severity) == "warning"}
    assert codes == {*case.get("warnings", ())}
    said = " ".join(each.message for each in minted.findings)
    assert case.get("says", "") in said


@pytest.mark.parametrize("case", _cases("minting_numbers.jsonl"))
def test_a_gap_or_the_number_of_a_file_is_not_that_of_the_act(case: dict[str, Any]) -> None:
    minted = try_mint(case["input"])
    name, errors = minted.name and str(minted.name), {each.code for each in minted.errors}
    assert (name, errors) == (case["name"], set(case["errors"]))


@pytest.mark.parametrize("case", _cases("minting_bodies.jsonl"))
def test_the_body_of_a_measure_completes_its_own_issuer_alone(case: dict[str, Any]) -> None:
    minted = try_mint(case["input"])
    name, errors = minted.name and str(minted.name), [each.code for each in minted.errors]
    assert (name, errors) == (case["name"], case["errors"])


@pytest.mark.parametrize(
    ("jurisdiction", "authority", "usual"),
    [
        ("it", "Regione Liguria", None),
        ("it;liguria", "Regione Liguria", "it"),
        ("it;liguria", "Regione Liguria; Giunta", "it"),
        ("it;liguria", "Ministero dell'interno", None),
        ("es;andalucia", "Comunidad Autónoma de Andalucía", None),
        ("es", "Comunidad Autónoma de Andalucía", "es;andalucia"),
        ("de;bayern", "Stadt München", None),
    ],
)
def test_an_issuer_that_names_its_unit_is_noted_in_an_unusual_jurisdiction(
    jurisdiction: str, authority: str, usual: str | None
) -> None:
    fields = {"jurisdiction": jurisdiction, "authority": authority, "measure": "Decreto"}
    found = mint({**LEGGE, **fields}).findings
    messages = [each.message for each in found if each.code == "LX786"]
    assert len(messages) == (usual is not None)
    assert all(f'in the jurisdiction "{usual}"' in each for each in messages)


def test_the_warning_of_another_issuer_says_whose_act_it_would_be() -> None:
    (found,) = mint({**LEGGE, "authority": "Stato", "measure": "Legge regionale"}).findings
    assert (found.code, str(found.severity), found.component) == ("LX775", "warning", "measure")
    assert found.message.startswith('"Legge regionale" is an act of "regione"')
