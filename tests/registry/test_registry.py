from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import pytest

import lexurn.registry.compile as compile_module
from lexurn import data, registry
from lexurn.name import check

if TYPE_CHECKING:
    from pathlib import Path

REPAIR = f"the tables differ from ontology/registry: run  {registry.COMPILE_COMMAND}  and commit"
FILES = ("extensions", "jurisdictions", "languages", "original")
TABLES = (
    *("extensions", "jurisdictions", "jurisdiction_concepts", "language_names", "languages"),
    "original",
)
SUBTAG = {
    "languages": r"[a-z]{2,3}|[a-z]{3}\.\.[a-z]{3}",
    "extlangs": r"[a-z]{3}",
    "scripts": r"[a-z]{4}|[a-z]{4}\.\.[a-z]{4}",
    "regions": r"[a-z]{2}|[0-9]{3}|[a-z]{2}\.\.[a-z]{2}",
    "variants": r"[a-z0-9]{5,8}|[0-9][a-z0-9]{3}",
    "grandfathered": r"[a-z]+(-[a-z]+)+",
}


@pytest.fixture(scope="module")
def compiled() -> dict[str, str]:
    return registry.compile_tables()


def test_tables_and_registry_agree(compiled: dict[str, str]) -> None:
    folder = data.find_folder("ontology") / "tables"
    tables = {
        file.relative_to(folder).as_posix().removesuffix(".json"): file.read_text("utf-8")
        for file in folder.rglob("*.json")
    }
    assert set(tables) == set(compiled), REPAIR
    assert set(tables) >= set(TABLES)
    assert [name for name, text in compiled.items() if tables[name] != text] == [], REPAIR


def test_the_command_writes_what_differs_and_names_it(
    compiled: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert f"python -m {compile_module.__name__}" == registry.COMPILE_COMMAND
    monkeypatch.setattr(compile_module, "compile_tables", lambda: compiled)
    assert compile_module.main() == 0
    assert capsys.readouterr() == ("", ""), REPAIR


def test_tables_that_differ_are_written(
    tmp_path: Path, compiled: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "find_folder", lambda _: tmp_path)
    (tmp_path / "registry" / "law").mkdir(parents=True)
    assert registry.write_tables() == TABLES
    assert registry.write_tables() == ()
    changed = tmp_path / "tables" / "original.json"
    changed.write_text("{}", "utf-8")
    assert registry.write_tables() == ("original",)
    assert changed.read_text("utf-8") == compiled["original"]


@pytest.mark.parametrize("file", FILES)
def test_entries_stand_sorted_and_once(file: str) -> None:
    text = data.read_text(f"ontology/registry/{file}.ttl")
    entries: dict[str, list[str]] = {}
    for line in text.splitlines():
        if match := re.match(r"(\S+):(\S+) a skos:Concept\b", line):
            entries.setdefault(match[1], []).append(match[2])
        assert len(line) < 600, line
        assert line == line.rstrip()
    assert entries
    for prefix, local in entries.items():
        assert local == sorted(local), prefix
        assert len(local) == len(set(local)), prefix


@pytest.mark.parametrize("file", FILES)
def test_iris_end_with_their_notation(file: str) -> None:
    concepts = registry.load_concepts(file)
    assert concepts
    for concept in concepts:
        assert concept.iri.startswith(registry.REGISTRY_BASE)
        assert concept.iri.endswith("/" + concept.notation)
        assert concept.labels
        assert concept.label
    assert len({(each.scheme, each.notation) for each in concepts}) == len(concepts)


@pytest.mark.parametrize("file", FILES)
def test_files_say_how_to_repair_and_where_they_come_from(file: str) -> None:
    text = data.read_text(f"ontology/registry/{file}.ttl")
    assert registry.COMPILE_COMMAND in text.partition("@prefix")[0]
    for declared in re.findall(r"(?ms)^\S+ a skos:ConceptScheme ;.*?\.$", text):
        assert "dcterms:source <" in declared


@pytest.mark.parametrize(
    "concept", registry.load_jurisdictions().values(), ids=lambda it: it.notation
)
def test_a_jurisdiction_code_can_stand_in_a_name(concept: registry.Concept) -> None:
    report = check(f"urn:lex:{concept.notation}:a:b:2000-01-01;1")
    assert report.name is not None
    assert report.name.jurisdiction.code == concept.notation
    assert "LX213" not in [each.code for each in report.findings]


def test_every_jurisdiction_has_sources_and_a_kind() -> None:
    text = data.read_text("ontology/registry/jurisdictions.ttl")
    for concept in registry.load_jurisdictions().values():
        assert concept.sources
        assert all(each.startswith("https://") for each in concept.sources)
        assert concept.kind is not None
        kind = concept.kind.removeprefix(registry.REGISTRY_BASE + "jurisdictions/kind/")
        assert f"\nkind:{kind} a skos:Concept ;" in text


@pytest.mark.parametrize(
    ("code", "label"),
    [
        ("it", "Italy"),
        ("br", "Brazil"),
        ("eu", "European Union"),
        ("un.org", "United Nations"),
        ("wto.org", "World Trade Organization"),
        ("eec.lex.arpa", "European Economic Community"),
        ("uk", "United Kingdom"),
        ("gb", "United Kingdom"),
        ("su", "Soviet Union"),
        ("ac", "Ascension Island"),
        ("coe.int", "Council of Europe"),
        ("icc-cpi.int", "International Criminal Court"),
    ],
)
def test_a_jurisdiction_is_known_by_its_code(code: str, label: str) -> None:
    assert registry.load_jurisdictions()[code].label == label


@pytest.mark.parametrize(
    ("code", "languages"),
    [
        ("ar", ("es",)),
        ("uy", ("es",)),
        ("ao", ("pt",)),
        ("ci", ("fr",)),
        ("eg", ("ar",)),
        ("gb", ("en",)),
        ("ca", ("en", "fr")),
        ("it", ("it",)),
        ("ua", ("uk",)),
        ("al", ("sq",)),
        ("ba", ()),
        ("ma", ()),
        ("zz", ()),
    ],
)
def test_a_jurisdiction_has_its_official_languages(code: str, languages: tuple[str, ...]) -> None:
    assert registry.load_registry().law(code).languages == languages


def test_official_languages_have_a_source_and_several_have_words() -> None:
    cldr = "https://www.unicode.org/cldr/"
    known = registry.load_registry()
    for concept in registry.load_jurisdictions().values():
        is_sole = len(concept.languages) == 1
        assert is_sole or all(known.words(tag).formats for tag in concept.languages)
        assert any(each.startswith(cldr) for each in concept.sources) is bool(concept.languages)


def test_jurisdictions_hold_all_codes_of_regions() -> None:
    # Regions of the language subtag registry are those of ISO 3166-1, among others.
    others = {"aa", "qm..qz", "xa..xz", "zz", "cp", "cq", "dg", "ea", "ez", "ic", "ta", "un"}
    regions = data.load_table("languages")["regions"]
    codes = {each for each in regions if re.fullmatch("[a-z]{2}", each)}
    assert codes - others <= set(registry.load_jurisdictions())


def test_withdrawn_codes_are_obsolete_and_only_they() -> None:
    obsolete = {each.notation for each in registry.load_jurisdictions().values() if each.obsolete}
    assert obsolete >= {"an", "cs", "dd", "tp", "yu", "zr"}
    assert obsolete.isdisjoint({"it", "uk", "eu", "su", "bl", "mf", "eec.lex.arpa"})


def test_codes_of_one_country_are_near_each_other_and_never_the_same() -> None:
    known = registry.load_jurisdictions()
    assert known["gb"].near_matches == (known["uk"].iri,)
    assert known["uk"].near_matches == (known["gb"].iri,)
    # A match is a country in the table of the EU, and two codes never match the same one.
    matches = [match for each in known.values() for match in each.matches]
    assert len(matches) == len(set(matches))
    assert not {match for match in matches if match.startswith(registry.REGISTRY_BASE)}
    assert "sameAs" not in data.read_text("ontology/registry/jurisdictions.ttl")


@pytest.mark.parametrize("kind", SUBTAG)
def test_subtags_are_well_formed(kind: str) -> None:
    subtags = data.load_table("languages")[kind]
    assert subtags == sorted(set(subtags))
    assert all(re.fullmatch(SUBTAG[kind], each) for each in subtags)


def test_languages_that_everybody_knows_have_their_authority_code() -> None:
    table = data.load_table("languages")
    known = {"it": "ITA", "fr": "FRA", "de": "DEU", "el": "ELL", "cs": "CES", "ga": "GLE"}
    known |= {"pt": "POR", "en": "ENG", "mt": "MLT", "zh": "ZHO", "nl": "NLD", "ro": "RON"}
    assert known.items() <= table["authority"].items()
    assert set(table["authority"]) <= set(table["languages"])
    assert len(set(table["authority"].values())) == len(table["authority"])
    assert all(re.fullmatch("[A-Z]{3}", each) for each in table["authority"].values())


@pytest.mark.parametrize("concept", registry.load_concepts("original"), ids=lambda it: it.notation)
def test_a_word_for_original_is_canonical_and_can_stand_in_a_name(
    concept: registry.Concept,
) -> None:
    for label in concept.labels:
        words = unicodedata.normalize("NFC", label.text).replace(" ", ".")
        assert words == words.lower()
        assert quote(words, safe="") == concept.notation
    report = check(f"urn:lex:it:a:b:2000-01-01;1@{concept.notation}")
    assert report.findings == ()
    assert report.name is not None
    assert str(report.name).endswith(f"@{concept.notation}")


def test_words_for_original_have_languages_that_exist() -> None:
    words = data.load_table("original")["words"]
    languages = set(data.load_table("languages")["languages"])
    assert all(listed == sorted(set(listed)) for listed in words.values())
    assert {language for listed in words.values() for language in listed} <= languages


def test_a_word_beyond_ascii_has_a_form_within_it() -> None:
    words = data.load_table("original")["words"]
    for word, languages in words.items():
        if "%" in word:
            within = [other for other in words if "%" not in other]
            for language in languages:
                assert any(language in words[other] for other in within), unquote(word)


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("fr", "originel"),
        ("de", "original"),
        ("de", "urspr%C3%BCnglich"),
        ("de", "urspruenglich"),
        ("it", "originale"),
        ("el", "%CE%B1%CF%81%CF%87%CE%B9%CE%BA%CF%8C"),
        ("pt", "original"),
        ("rm", "original"),
        ("ar", "%D8%A3%D8%B5%D9%84%D9%8A"),
    ],
)
def test_a_word_for_original_is_known(language: str, word: str) -> None:
    assert language in data.load_table("original")["words"][word]


#: Languages that every language of labels has a name for: those of the EU, and others that states
#: and regions of Europe write law in, or many states anywhere.
NAMED = (
    "bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv"
    " ca eu gl cy gd is no nb nn sq sr mk bs uk be ru tr rm lb la"
    " ar he fa hi ja ko zh th vi id ms sw am ka hy az kk"
).split()
WORDS = tuple(
    sorted(
        file.stem for file in (data.find_folder("ontology") / "registry" / "words").glob("*.ttl")
    )
)


def test_names_of_languages_are_those_of_the_registry() -> None:
    stated = {
        (label.language, concept.notation): label.text
        for concept in registry.load_concepts("languages")
        if concept.scheme == registry.REGISTRY_BASE + "languages/languages"
        for label in concept.labels
    }
    table = data.load_table("language_names")
    compiled = {
        (named_in, tag): table[named_in][tag] for named_in in table for tag in table[named_in]
    }
    assert compiled == stated
    assert table["en"].keys() == set(data.load_table("languages")["languages"])


@pytest.mark.parametrize("language", WORDS)
def test_a_language_of_labels_names_the_languages_of_law(language: str) -> None:
    names = data.load_table("language_names")[language]
    assert set(NAMED) <= names.keys()
    assert len({names[tag] for tag in NAMED}) == len(NAMED)
    for name in names.values():
        assert name == unicodedata.normalize("NFC", " ".join(name.split()))
        assert not any(unicodedata.category(letter) in {"Cc", "Cf"} for letter in name)


def test_names_of_languages_are_in_languages_of_labels_only() -> None:
    assert set(data.load_table("language_names")) == set(WORDS)


def test_names_of_a_language_stand_one_a_line_sorted_by_their_language() -> None:
    text = data.read_text("ontology/registry/languages.ttl")
    blocks = re.findall(r"(?m)^language:(\S+) .* ;\n    skos:prefLabel\n((?: {8}\".*\n)+)", text)
    assert sorted(NAMED) == [tag for tag, _ in blocks]
    others = [each for each in WORDS if each != "en"]
    for tag, block in blocks:
        lines = re.findall(r'(?m)^        "[^"]+"@([a-z]+) ([,.])$', block)
        assert [each for each, _ in lines] == others, tag
        assert [end for _, end in lines] == [","] * (len(others) - 1) + ["."], tag


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("de", {"it": "Italienisch", "el": "Griechisch", "rm": "Rätoromanisch"}),
        ("el", {"el": "ελληνικά", "de": "γερμανικά"}),
        ("en", {"el": "Greek", "ms": "Malay", "sw": "Swahili", "aaa": "Ghotuo"}),
        ("fr", {"nb": "norvégien bokmål", "gd": "gaélique écossais"}),
        ("it", {"de": "tedesco", "sl": "sloveno", "lld": None}),
        ("la", {"de": "Germanica", "nn": "Norvegica (nynorsk)"}),
        ("nl", {"fr": "Frans", "nb": "Noors (Bokmål)"}),
        ("tr", {"de": "Almanca", "az": "Azerbaycan dili"}),
    ],
)
def test_a_language_is_called(language: str, names: dict[str, str | None]) -> None:
    table = data.load_table("language_names")[language]
    assert {tag: table.get(tag) for tag in names} == names


OFFICIAL = set(
    "bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv rm ar zh ru".split()
)


def test_official_languages_have_a_word_for_original() -> None:
    words = data.load_table("original")["words"].values()
    assert {language for languages in words for language in languages} >= OFFICIAL
