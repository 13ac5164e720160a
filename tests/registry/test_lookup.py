from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from lexurn import registry
from lexurn.registry import Entry, Kind, Label, Lexicon, Registry, make_key, make_scheme_iri
from lexurn.registry.entries import (
    EntryRows,
    get_table_name,
    index_entries,
    make_keys,
    read_scheme_iri,
    write_row,
)


def entry(
    kind: Kind = Kind.AUTHORITY, scope: str = "it", slug: str = "x", **facts: object
) -> Entry:
    given = {"notation": slug} | facts
    return Entry(kind=kind, scope=scope, iri=f"{make_scheme_iri(kind, scope)}/{slug}", **given)  # type: ignore[arg-type]


def labels(*texts: str, language: str = "it") -> tuple[Label, ...]:
    return tuple(Label(text=text, language=language) for text in texts)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", ""),
        ("  ", ""),
        ("D.P.R.", "dpr"),
        ("D. P. R.", "dpr"),
        ("d p r", "dpr"),
        ("D.Lgs.", "dlgs"),
        ("Min.", "min"),
        ("Ministero  dell'Economia\te delle Finanze", "ministero dell economia e delle finanze"),
        ("MINISTÈRE", "ministere"),
        ("Ministe\u0300re", "ministere"),
        ("decreto-legge", "decreto legge"),
        ("art. 3", "art 3"),
        ("art.3", "art 3"),
        ("n\u00ba 5", "no 5"),
        ("n\u00b0 5", "n 5"),
        ("\u2116 5", "no 5"),
        ("1.234,5", "1 234 5"),
        ("Straße", "strasse"),
        ("\u0141\u00f3d\u017a", "lodz"),
        ("\u0130stanbul ili", "istanbul ili"),
        ("IĞDIR", "igdir"),
        ("Œuvre", "oeuvre"),
        ("col\u00b7legi", "collegi"),
        ('צה"ל', "צהל"),
        ("צה\u05f4ל", "צהל"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("\uff24\uff30\uff32", "dpr"),
        ("政令 第三号", "政令 第三号"),
        ("がか", "がか"),
        ("हिन्दी", "हिन्दी"),
        ("Мой", "мои"),
        ("a\u200bb", "ab"),
        ("§ ? !", ""),
    ],
)
def test_a_key_sets_spelling_aside(text: str, key: str) -> None:
    assert make_key(text) == key
    assert make_key(key) == key


def test_marks_that_make_another_letter_stay() -> None:
    assert len({make_key(each) for each in ("か", "が", "は", "ば", "ぱ")}) == 5


def test_a_form_with_dots_is_listed_with_and_without_blanks() -> None:
    assert make_keys("D.Lgs.") == ("dlgs", "d lgs")
    assert make_keys("Min. Giust.") == ("min giust", "mingiust")
    assert make_keys("decreto") == ("decreto",)
    assert make_keys("...") == ()


@pytest.mark.parametrize("kind", Kind)
def test_a_scheme_says_kind_and_scope(kind: Kind) -> None:
    assert read_scheme_iri(make_scheme_iri(kind, "un.org")) == (kind, "un.org")
    assert get_table_name(kind, "it").partition("/")[0] == (
        "units" if kind is Kind.UNIT else "law" if kind.is_law else "words"
    )


@pytest.mark.parametrize(
    "scheme",
    [
        "",
        "https://law.example/it/authorities",
        registry.REGISTRY_BASE + "jurisdictions",
        registry.REGISTRY_BASE + "authorities",
        registry.REGISTRY_BASE + "it/connectives",
        registry.REGISTRY_BASE + "words/it/authorities",
        registry.REGISTRY_BASE + "words/it",
        registry.REGISTRY_BASE + "it/x/authorities",
        registry.REGISTRY_BASE + "/authorities",
    ],
)
def test_another_scheme_says_nothing(scheme: str) -> None:
    assert read_scheme_iri(scheme) is None


def test_entries_are_found_by_all_they_are_called() -> None:
    one = entry(slug="a", labels=labels("Ufficio A"), abbreviations=labels("U.A."))
    two = entry(slug="b", labels=labels("Ufficio B"), forms=labels("Bureau B", language="fr"))
    lexicon = Lexicon([two, one])
    assert lexicon.entries == (one, two)
    assert lexicon.find("UFFICIO  a") == (one,)
    assert lexicon.find("ua") == lexicon.find("U. A.") == (one,)
    assert lexicon.find("bureau b") == (two,)
    assert lexicon.find("ufficio c") == lexicon.find("") == ()
    assert lexicon.by_notation("b") == (two,)
    assert lexicon.by_notation("c") == ()
    assert lexicon.by_iri(one.iri) is one
    assert lexicon.by_iri("https://law.example/") is None
    assert len(lexicon) == len(list(lexicon)) == 2


def test_obsolete_entries_come_last() -> None:
    old = entry(slug="a", labels=labels("Ufficio"), obsolete=True)
    new = entry(slug="b", labels=labels("Ufficio"))
    assert Lexicon([old, new]).find("ufficio") == (new, old)


def test_a_language_chooses_where_several_are_called_so() -> None:
    french = entry(slug="a", abbreviations=labels("AFC", language="fr"))
    italian = entry(slug="b", abbreviations=labels("AFC", language="it"))
    lexicon = Lexicon([french, italian])
    assert lexicon.find("AFC") == (french, italian)
    assert lexicon.find("AFC", "it-CH") == (italian,)
    assert lexicon.find("AFC", "de") == (french, italian)


def test_an_abbreviation_is_not_found_by_its_expansion() -> None:
    one = entry(Kind.ABBREVIATION, labels=labels("ministero"), forms=labels("min."))
    assert Lexicon([one]).find("min") == (one,)
    assert Lexicon([one]).find("ministero") == ()


def test_an_entry_answers_in_a_language_and_on_a_day() -> None:
    one = entry(
        labels=(*labels("Ufficio"), *labels("Amt", language="de-CH")),
        valid_from="1990-01-01",
        valid_until="2000-01-01",
        examples=("urn:lex:it:x:y:2000-01-01;1",),
    )
    assert (one.label_in("it"), one.label_in("de"), one.label_in("fr")) == ("Ufficio", "Amt", None)
    days = ("1989-12-31", "1990-01-01", "1999-12-31", "2000-01-01")
    assert [one.valid_on(day) for day in days] == [False, True, True, False]
    assert entry().valid_on("0001-01-01")
    assert (one.example, entry().example) == ("urn:lex:it:x:y:2000-01-01;1", None)


def test_a_row_is_read_back() -> None:
    whole = entry(
        labels=labels("A"),
        forms=labels("B"),
        abbreviations=labels("C", "D"),
        issuer="i",
        body="b",
        titled=True,
        qualifies=("q",),
        numbering="roman",
        name="urn:lex:it:x:y:2000-01-01;1",
        broader="https://law.example/u",
        valid_from="1990-01-01",
        valid_until="2000-01-01",
        obsolete=True,
        replaced_by="y",
        sources=("https://law.example/",),
        examples=("urn:lex:it:x:y:2000-01-01;1",),
    )
    bare = entry(slug="https://law.example/own")
    rows = EntryRows([write_row(whole), write_row(bare)], Kind.AUTHORITY, "it")
    assert rows[0] == whole
    assert rows[1].iri == bare.iri.removeprefix(make_scheme_iri(Kind.AUTHORITY, "it") + "/")
    assert rows[0] is rows[0]
    assert rows[0:1] == (whole,)


def test_what_nobody_knows_is_empty() -> None:
    known = registry.load_registry()
    for code in ("zz", "../law/it", "", "it/../it"):
        assert (len(known.law(code).authorities), known.law(code).languages) == (0, ())
        assert known.words(code).connectives == frozenset()
    assert known.entry("https://law.example/") is None
    assert known.entry(make_scheme_iri(Kind.AUTHORITY, "it") + "/nessuno") is None


def test_codes_and_languages_are_taken_in_any_case() -> None:
    known = registry.load_registry()
    assert known.law("IT") is known.law("it")
    assert known.words("it-CH") is known.words("IT")
    assert registry.load_registry() is known


def test_words_are_read_off_their_entries() -> None:
    def word(kind: Kind, slug: str, notation: str, *texts: str, **facts: object) -> Entry:
        return entry(
            kind,
            "xx",
            slug,
            notation=notation,
            labels=labels(texts[0], language="xx"),
            forms=labels(*texts[1:], language="xx"),
            **facts,
        )

    words = Registry(
        [
            word(Kind.CONNECTIVE, "dell", "dell", "dell'", "dell\u2019"),
            word(Kind.CONNECTIVE, "e", "e", "e", "ed"),
            word(Kind.CONNECTIVE, "d", "d", "d'", "d"),
            word(Kind.ORDINAL, "terzo", "3", "terzo", "terza"),
            word(Kind.ORDINAL, "x", "4", "ambo"),
            word(Kind.ORDINAL, "y", "5", "ambo"),
            word(Kind.CARDINAL, "tre", "3", "tre"),
            word(Kind.MONTH, "marzo", "3", "marzo", "mar."),
            word(Kind.WEEKDAY, "lun", "1", "lunedì"),
            word(Kind.DATEWORD, "del", "del", "del"),
            word(Kind.MARKER, "n", "n", "n.", "№"),
            word(Kind.ABBREVIATION, "a", "ministero", "ministero", "min."),
            word(Kind.ABBREVIATION, "b", "minore", "minore", "min."),
            word(Kind.QUALIFIER, "r", "r", "regionale", "regionali", qualifies=("regione",)),
            word(Kind.ANNEX, "al", "allegato", "allegato", "all."),
            word(Kind.PARTITION, "art", "art", "articolo", "art.", numbering="arabic"),
            word(Kind.FOLD, "ü", "ue", "ü"),
            word(Kind.FORMAT, "date", "date", "{day} {month} {year}"),
        ]
    ).words("xx")
    assert words.connectives == {"dell", "e", "ed", "d"}
    assert words.elided == {"dell"}
    assert words.ordinals == {"terzo": 3, "terza": 3}
    assert (words.cardinals, words.weekdays) == ({"tre": 3}, {"lunedi": 1})
    assert words.months == {"marzo": 3, "mar": 3}
    assert (words.datewords, words.markers) == ({"del"}, {"n", "no"})
    assert {each.notation for each in words.abbreviations["min"]} == {"ministero", "minore"}
    assert words.qualifiers == {"regionale": ("regione",), "regionali": ("regione",)}
    assert [each.notation for each in words.annexes.find("All")] == ["allegato"]
    assert [each.numbering for each in words.partitions] == ["arabic"]
    assert words.folds == {"ü": "ue"}
    assert words.formats == {"date": "{day} {month} {year}"}


def test_conventions_and_languages_are_read_off_their_entries() -> None:
    law = Registry(
        [
            entry(Kind.CONVENTION, "xx", "language-fr", notation="language", labels=labels("FR")),
            entry(Kind.CONVENTION, "xx", "language", labels=labels("rm")),
            entry(Kind.CONVENTION, "xx", "thousands", labels=labels(".")),
        ]
    ).law("xx")
    assert law.languages == ("rm", "fr")
    assert law.conventions == {"thousands": "."}


def test_a_registry_goes_to_another_process() -> None:
    own = Registry([entry(slug="own", labels=labels("Proprio"))])
    own.law("it")
    again = pickle.loads(pickle.dumps(own))
    assert again.own == own.own
    assert again.law("it").authorities.find("proprio") == own.law("it").authorities.find("proprio")


def test_an_index_is_sorted_and_holds_places() -> None:
    one, two = entry(slug="a", labels=labels("Z", "A")), entry(slug="b", labels=labels("A"))
    assert index_entries([one, two]) == {"a": [0, 1], "z": [0]}
    assert list(index_entries([one, two])) == ["a", "z"]


def test_look_ups_load_no_engine_and_no_parser() -> None:
    code = (
        "import sys; from lexurn.registry import load_registry; known = load_registry();"
        "known.law('it').measures.find('x');"
        "known.words('it'); "
        "print(sorted({'pyoxigraph', 'rdflib', 'lexurn.name'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(Path(registry.__file__).parents[2])},
    )
    assert done.stdout == "[]\n"
