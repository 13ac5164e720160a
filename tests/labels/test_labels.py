"""Names in words: cases by language and jurisdiction, and every example of the registry."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from lexurn import data, labels
from lexurn.findings import load_codes
from lexurn.labels import label, make_label
from lexurn.labels.notations import make_style
from lexurn.labels.wording import Notes, describe_notation, split_notation
from lexurn.name import NameSyntaxError, parse
from lexurn.registry import Kind, load_registry, open_registry

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "labels.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
ACT = "urn:lex:it:stato:legge:2003-09-21;456"
LANGUAGES = load_registry().languages()
STYLED = [tag for tag in LANGUAGES if load_registry().words(tag).formats]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.get('lang')}-{case['name']}")
def test_a_label(case: dict[str, Any]) -> None:
    labelled = make_label(case["name"], case.get("lang"))
    assert (labelled.text, labelled.language) == (case["label"], case["language"])
    assert sorted({found.code for found in labelled.findings}) == sorted(case["codes"])
    assert label(parse(case["name"]), case.get("lang")) == labelled.text


@pytest.mark.parametrize("code", load_registry().jurisdictions())
def test_every_example_of_the_registry_has_a_label(code: str) -> None:
    kinds = (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT)
    entries = [entry for kind in kinds for entry in load_registry().lexicon(kind, code)]
    assert entries
    for entry in entries:
        for example in entry.examples:
            labelled = make_label(example)
            assert labelled.text
            assert "  " not in labelled.text
            assert not set("{}") & set(labelled.text)
            registered = {found.text for found in labelled.findings if found.code == "LX791"}
            if entry.kind is Kind.MEASURE:
                assert entry.notation.partition(";")[0] not in registered


@pytest.mark.parametrize("language", STYLED)
def test_a_label_in_every_language_has_its_parts(language: str) -> None:
    labelled = make_label(f"{ACT}@2005-01-12$senato.it:application-pdf~art7", language)
    assert labelled.language == language
    for piece in ("456", "2003", "21", "2005", "senato.it", "PDF", "7"):
        assert piece in labelled.text
    assert "{" not in labelled.text
    assert labelled.text.count("(") == labelled.text.count(")")


@pytest.mark.parametrize("language", STYLED)
def test_every_language_has_a_word_for_what_is_original(language: str) -> None:
    original, dated = label(f"{ACT}@originale", language), label(f"{ACT}@2005-01-12", language)
    assert "testo originale" not in original or language == "it"
    assert original.endswith(")")
    assert original != dated


@pytest.mark.parametrize("language", STYLED)
def test_every_language_names_the_others(language: str) -> None:
    names = data.load_table("language_names")[language]
    for tag in names.keys() & {*LANGUAGES, "sr", "zh", "rm", "lb"} - {language}:
        labelled = make_label(f"{ACT}@2005-01-01:{tag}", language)
        assert names[tag] in labelled.text
        assert "LX794" not in {found.code for found in labelled.findings}


def test_a_language_without_a_name_stands_as_its_tag() -> None:
    for tag, language, known in (("aaa", "it", False), ("aaa", "en", True), ("zzx", "en", False)):
        labelled = make_label(f"{ACT}@2005-01-01:{tag}", language)
        found = [each.text for each in labelled.findings if each.code == "LX794"]
        assert found == ([] if known else [tag])
        assert (f"in {tag}" in labelled.text) is not known


def test_naming_a_language_parses_no_turtle() -> None:
    program = (
        "import sys; from lexurn.labels import label;"
        f"print(label('{ACT}@2005-01-01:de', 'en'), 'pyoxigraph' in sys.modules)"
    )
    source = str(Path(labels.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": source, "PYTHONUTF8": "1"},
    )
    assert done.stdout.endswith(", in German) False\n")


def test_a_tag_falls_back_and_says_so() -> None:
    for tag, language in (("it-CH", "it"), ("xx", "it"), ("tlh-Latn", "it"), ("", "it")):
        labelled = make_label(ACT, tag)
        assert labelled.language == language
        assert labelled.text == "Legge 21 settembre 2003, n. 456"
        (found,) = labelled.findings
        assert (found.code, found.severity) == ("LX790", "note")
        assert f'"{tag}"' in found.message


def test_the_jurisdiction_without_words_has_english_ones() -> None:
    labelled = make_label("urn:lex:zz:a:b:1999-09-02;5", "xx")
    assert labelled.language == "en"
    assert labelled.findings[0].code == "LX790"


def test_the_language_of_a_name_in_a_land_of_several() -> None:
    for name, language in (
        ("urn:lex:ch:etat:loi:2006-05-14;22", "fr"),
        ("urn:lex:ch:staat:gesetz:2006-05-14;22", "de"),
        ("urn:lex:ch:stato:legge:2006-05-14;22", "it"),
        ("urn:lex:be:staat:wet:2006-05-14;22", "nl"),
    ):
        assert make_label(name).language == language


def test_what_is_no_name_is_an_error() -> None:
    with pytest.raises(NameSyntaxError):
        label("urn:lex:it:stato:legge")


def test_equal_names_have_one_label() -> None:
    assert label(ACT.upper()) == label(ACT)


def test_codes_say_something() -> None:
    codes = [row for code, row in load_codes().items() if code.startswith("LX79")]
    assert codes
    for code in codes:
        assert code.message.startswith(("the registry", "{0}", "the language"))


def test_notations_without_an_entry_are_not_embellished() -> None:
    style, notes = make_style(load_registry(), "it", "it"), Notes()
    lexicon = style.law.authorities
    assert describe_notation(lexicon, "ente.ignoto.3", "authority", style, notes) == "Ente Ignoto 3"
    assert [found.code for found in notes.findings] == ["LX791"]
    assert split_notation("dtd-nir-2.2") == "dtd-nir-2.2"
    assert split_notation("m%C3%BCnchen..x.") == "münchen x"
    assert split_notation("a%E2%80%AEb") == "a%E2%80%AEb"
    assert split_notation(".") == "."


def test_labels_hold_nothing_unseen() -> None:
    text = label("urn:lex:zz:a%E2%80%8Bb:c%C2%ADd:1999-09-02;%EF%BB%BF5~%E2%80%8D")
    assert not [each for each in text if unicodedata.category(each).startswith("C")]
    assert text.count("%") == 11


def test_a_publisher_has_words_of_his_own(tmp_path: Path) -> None:
    base = "https://w3id.org/lexurn/registry/"
    file = tmp_path / "own.ttl"
    file.write_text(
        f"""@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
<{base}zz/measures/carta> a skos:Concept ; skos:inScheme <{base}zz/measures> ;
  skos:notation "carta" ; skos:prefLabel "Carta"@it ; dcterms:source <https://example.org/> .
<{base}zz/conventions/language> a skos:Concept ; skos:inScheme <{base}zz/conventions> ;
  skos:notation "language" ; skos:prefLabel "it"@it ; dcterms:source <https://example.org/> .
<{base}zz/conventions/act> a skos:Concept ; skos:inScheme <{base}zz/conventions> ;
  skos:notation "act" ; skos:prefLabel "{{measure}} numero {{number}} del {{date}}"@it ;
  dcterms:source <https://example.org/> .
""",
        encoding="utf-8",
    )
    own, findings = open_registry(file)
    assert not [found for found in findings if found.is_error], findings
    labelled = make_label("urn:lex:zz:ente:carta:1999-09-02;5", registry=own)
    assert labelled.text == "Ente, Carta 2 settembre 1999, n. 5"
    assert labelled.language == "it"
