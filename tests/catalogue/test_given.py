"""Names that a catalogue gives out: none twice, whatever ends in the middle (RFC 9676 9.3)."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

import pytest
from catalogue_parts import AS_OF
from click.testing import CliRunner, Result

from lexurn.catalogue import LoadOptions, MemoryHoldings, load, open_catalogue, open_minter
from lexurn.cli import main
from lexurn.errors import CatalogueError
from lexurn.minting import Taken
from lexurn.model import Record, Status, families_of
from lexurn.name import parse
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.catalogue import Catalogue

BEFORE = "urn:lex:it:stato:legge:2003-09-21;"
LEGGE = {"jurisdiction": "it", "measure": "Legge", "date": "2003-09-21"}
UNNUMBERED = {**LEGGE, "unnumbered": True}
HELD = (
    f"{BEFORE}456",
    f"{BEFORE}lex-2",
    f"{BEFORE}lex-10@2005-01-01:it",
    f"{BEFORE}lex-12,13",
    "urn:lex:it:stato:legge:2003-09-22;lex-90",
    "urn:lex:it:stato:legge:2003-09-23;lex-007",
    f"{BEFORE}lex-{'9' * 5000}",
)


def filled(law: Path) -> None:
    """Put the acts into a catalogue; one is withdrawn, one an alias."""
    records = [Record(name=parse(name)) for name in HELD]
    records.append(Record(name=parse(f"{BEFORE}457"), status=Status.WITHDRAWN))
    alias = Record(name=parse(f"{BEFORE}lex-20"), alias_of=parse(f"{BEFORE}458"))
    with open_catalogue(law, write=True) as catalogue:
        load(catalogue, families_of([*records, alias]), LoadOptions(as_of=AS_OF, jobs=1))


@pytest.fixture
def law(tmp_path: Path) -> Path:
    """A catalogue in a folder."""
    filled(tmp_path / "law")
    return tmp_path / "law"


def run(*arguments: object, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ("mint", *map(str, arguments)), input=stdin)


def minted(catalogue: Catalogue, **fields: object) -> str | None:
    """The name that comes of some fields, or the code of what is wrong with them."""
    with open_minter(catalogue) as given:
        found = given.mint({**LEGGE, **fields})
    return str(found.name) if found.valid else found.errors[0].code


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"number": 456}, "LX770"),
        ({"number": 457}, "LX770"),  # withdrawn, never forgotten (9.4)
        ({"number": 458}, "LX770"),  # it has an alias
        ({"unnumbered": 20}, "LX770"),  # it is an alias
        ({"unnumbered": 2}, "LX770"),
        ({"number": "lex-2"}, "LX770"),
        ({"unnumbered": 10}, "LX770"),  # only a version of it came in
        ({"number": 459}, f"{BEFORE}459"),
        ({"unnumbered": 3}, f"{BEFORE}lex-3"),
        ({"unnumbered": True}, f"{BEFORE}lex-21"),
        ({"unnumbered": True, "date": "2003-09-22"}, f"{BEFORE[:-3]}22;lex-91"),
        ({"unnumbered": True, "date": "2003-09-23"}, f"{BEFORE[:-3]}23;lex-8"),
        ({"unnumbered": True, "date": "2003-09-24"}, f"{BEFORE[:-3]}24;lex-1"),
        (
            {"unnumbered": True, "authority": "Regione Toscana"},
            f"{BEFORE.replace('stato', 'regione.toscana')}lex-1",
        ),
        ({"unnumbered": 10, "version": "2005-01-01", "version_language": "it"}, "LX770"),
        (
            {"unnumbered": 10, "version": "2006-01-01", "version_language": "it"},
            f"{BEFORE}lex-10@2006-01-01:it",
        ),
    ],
)
def test_what_is_held_is_taken(law: Path, fields: dict[str, object], expected: str) -> None:
    with open_catalogue(law) as catalogue:
        assert minted(catalogue, **fields) == expected


def test_what_is_given_is_taken_by_the_next_run(law: Path) -> None:
    asked: list[dict[str, object]] = [{"unnumbered": True}, {"number": 5}, {"number": 5}]
    asked += [{"unnumbered": 30}, {"unnumbered": True}, {"number": 456}]
    found = []
    for fields in asked:
        with open_catalogue(law) as catalogue:
            found.append(minted(catalogue, **fields))
    numbers = ["lex-21", "5", None, "lex-30", "lex-31", None]
    assert found == [f"{BEFORE}{number}" if number else "LX770" for number in numbers]
    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:
        waiting = sorted(each.name for each in given.waiting())
    assert waiting == sorted(f"{BEFORE}{number}" for number in numbers if number)


def test_a_name_that_is_loaded_waits_no_more(law: Path) -> None:
    with open_catalogue(law) as catalogue:
        assert minted(catalogue, number=7) == f"{BEFORE}7"
        assert minted(catalogue, number="008") == f"{BEFORE}008"
    with open_catalogue(law, write=True) as catalogue:
        families = families_of([Record(name=parse(f"{BEFORE}7"))])
        load(catalogue, families, LoadOptions(as_of=AS_OF, jobs=1))
        with open_minter(catalogue) as given:
            assert [each.name for each in given.waiting()] == [f"{BEFORE}008"]
        assert minted(catalogue, number=7) == "LX770"


def test_what_this_process_has_just_loaded_counts(law: Path) -> None:
    with open_catalogue(law, write=True) as catalogue, open_minter(catalogue) as given:
        assert str(given.mint(UNNUMBERED).name) == f"{BEFORE}lex-21"
        families = families_of([Record(name=parse(f"{BEFORE}lex-40"))])
        load(catalogue, families, LoadOptions(as_of=AS_OF, jobs=1))
        assert str(given.mint(UNNUMBERED).name) == f"{BEFORE}lex-41"


def test_a_name_that_a_load_has_begun_to_write_is_taken(law: Path) -> None:
    families = families_of([Record(name=parse(f"{BEFORE}lex-50"))])
    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:
        assert str(given.mint(UNNUMBERED).name) == f"{BEFORE}lex-21"
        with open_catalogue(law, write=True) as writing:
            begun: list[str] = []
            fill = EmbeddedStore.fill

            def look(store: EmbeddedStore, nquads: bytes) -> None:
                begun.append(str(given.mint(UNNUMBERED).name))
                fill(store, nquads)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(EmbeddedStore, "fill", look)
                load(writing, families, LoadOptions(as_of=AS_OF, jobs=1))
        assert begun == [f"{BEFORE}lex-51"]
        assert str(given.mint(UNNUMBERED).name) == f"{BEFORE}lex-52"


def test_names_together_are_given_out_together(law: Path) -> None:
    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:
        names: list[str] = []

        def stopped() -> None:
            with given.together():
                names.extend(str(given.mint(UNNUMBERED).name) for _ in range(2))
                raise KeyError

        with pytest.raises(KeyError):
            stopped()
        assert names == [f"{BEFORE}lex-21", f"{BEFORE}lex-22"]
        assert not list(given.waiting())
        assert str(given.mint(UNNUMBERED).name) == f"{BEFORE}lex-21"


def test_further_names_are_taken_too(law: Path) -> None:
    also = Taken([parse(f"{BEFORE}lex-60"), parse(f"{BEFORE}70")])
    with open_catalogue(law) as catalogue, open_minter(catalogue, also=also) as given:
        assert str(given.mint(UNNUMBERED).name) == f"{BEFORE}lex-61"
        assert given.mint({**LEGGE, "number": 70}).errors[0].code == "LX770"


def test_a_row_keeps_its_name_in_the_next_run(law: Path) -> None:
    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:
        first = [given.mint(UNNUMBERED, location=f"a.csv:{line}").name for line in (2, 3)]
        again = [given.mint(UNNUMBERED, location=f"a.csv:{n}", again=True) for n in (2, 3, 4)]
        assert [str(each.name) for each in again] == [
            *map(str, first),
            f"{BEFORE}lex-23",
        ]
        assert again[1].steps
        other = given.mint({**UNNUMBERED, "title": "x"}, location="a.csv:2", again=True)
        assert str(other.name) == f"{BEFORE}lex-24"


# Many at once


# What stands in the way


def test_a_file_that_is_none_is_said(law: Path) -> None:
    (law / "given.sqlite").write_text("no database " * 100)
    done = run("--catalogue", law, "-j", "it", "--measure", "Legge", "--citation", "n. 1")
    assert done.exit_code == 1
    assert "given.sqlite: is damaged" in done.stderr


def test_a_file_of_another_version_is_said(law: Path) -> None:
    database = sqlite3.connect(law / "given.sqlite")
    database.execute("PRAGMA user_version = 7")
    database.close()
    with open_catalogue(law) as catalogue, pytest.raises(CatalogueError, match="another version"):
        minted(catalogue, number=1)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for this user")
def test_a_folder_that_cannot_be_written_is_said(law: Path) -> None:
    law.chmod(0o555)
    try:
        with open_catalogue(law) as catalogue, pytest.raises(CatalogueError, match="be written"):
            minted(catalogue, number=1)
    finally:
        law.chmod(0o755)


def test_a_catalogue_on_a_server_gives_no_names_out() -> None:
    class OnServer(NamedTuple):
        location: str
        holdings: MemoryHoldings

    server = OnServer("https://law.example/sparql", MemoryHoldings(()))
    with (
        pytest.raises(CatalogueError, match="on a server, which is read only"),
        open_minter(server),
    ):
        pass


def test_a_place_that_is_no_catalogue_is_said(tmp_path: Path) -> None:
    done = run("--catalogue", tmp_path / "none", "-j", "it", "--measure", "Legge")
    assert done.exit_code == 1
    assert "is not a catalogue" in done.stderr
    assert not (tmp_path / "none").exists()


def test_an_index_that_is_made_again_is_not_believed(law: Path) -> None:
    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:
        database = sqlite3.connect(law / "names.sqlite")
        database.execute("INSERT OR REPLACE INTO setting VALUES ('stale', 'yes')")
        database.commit()
        database.close()
        with pytest.raises(CatalogueError, match="being rebuilt"):
            given.mint({**LEGGE, "number": 1})


def test_a_number_that_is_taken_in_another_writing_is_warned_of(law: Path) -> None:
    asked: list[tuple[dict[str, object], str | None]] = [
        ({"number": "0456"}, f"{BEFORE}456"),  # it is held
        ({"number": "460"}, None),
        ({"number": "00460"}, f"{BEFORE}460"),  # it was given out
        ({"number": "461", "date": "2003-09-22"}, None),
        ({"number": "0461"}, None),  # of another day
        ({"number": "456-bis"}, None),
        ({"number": "456/2004"}, None),  # no year of the act
        ({"number": "12.345/2003"}, None),
        ({"number": "12345"}, f"{BEFORE}12.345"),
        ({"number": "12.346"}, None),
        ({"number": "012346"}, f"{BEFORE}12.346"),
        ({"number": "0456", "version": "2006-01-01", "version_language": "it"}, None),
        ({"number": "00456", "version": "2006-01-01", "version_language": "it"}, f"{BEFORE}456"),
    ]
    with open_catalogue(law) as catalogue, open_minter(catalogue) as given:
        for fields, other in asked:
            found = given.mint({**LEGGE, **fields})
            said = [each.message for each in found.findings if each.code == "LX776"]
            assert found.valid
            assert [str(other) in each for each in said] == [True] * (other is not None), fields


def test_a_number_of_a_list_in_another_writing_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "taken.txt").write_text(f"{BEFORE}007-bis\n")
    fields = ("-j", "it", "--measure", "Legge", "--date", "2003-09-21", "--number")
    done = run(*fields, "7-bis", "--taken", tmp_path / "taken.txt")
    assert (done.exit_code, done.stdout) == (0, f"{BEFORE}7-bis\n")
    assert f"{BEFORE}007-bis, which is taken" in done.stderr


def test_the_environment_names_the_catalogue(law: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEXURN_CATALOGUE", str(law))
    fields = ("-j", "it", "--measure", "Legge", "--date", "2003-09-21")
    assert "LX770" in run(*fields, "--number", "456").stderr
    assert run(*fields, "--unnumbered", "true").stdout == f"{BEFORE}lex-21\n"
    assert run("--given").stdout.startswith(f"{BEFORE}lex-21\t")
