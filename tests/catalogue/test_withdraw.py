"""Names withdrawn from a catalogue: they stay, and say so (RFC 9676 sections 2.2, 9.4)."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF, held, lines_of
from click.testing import CliRunner, Result

from lexurn.catalogue import LoadOptions, load, open_catalogue, open_minter, withdraw
from lexurn.cli import main
from lexurn.model import Item, LanguageText, Record, Status, families_of
from lexurn.name import parse

if TYPE_CHECKING:
    from pathlib import Path

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
ANNEX = f"{ACT}:annex.1"
VERSION = f"{ACT}@2005-01-01:it"
FORMAT = f"{VERSION}$parlamento.it:application-pdf"
ALIAS = "urn:lex:it:stato:legge:2003;456"
OTHER = "urn:lex:it:stato:legge:2003-09-21;457"
DAY = dt.date(2026, 3, 1)
COPY = Item(url="https://law.example/456.pdf")
RECORDS = (
    Record(name=parse(ACT), titles=(LanguageText(value="Legge quadro", language="it"),)),
    Record(name=parse(ANNEX)),
    Record(name=parse(VERSION), in_force_from=dt.date(2005, 1, 1)),
    Record(name=parse(FORMAT), items=(COPY,)),
    Record(name=parse(ALIAS), alias_of=parse(ACT)),
    Record(name=parse(OTHER), items=(COPY,)),
)


@pytest.fixture
def place(tmp_path: Path) -> str:
    """A catalogue with two acts."""
    fill(str(tmp_path / "law"))
    return str(tmp_path / "law")


def fill(place: str) -> None:
    with open_catalogue(place, write=True) as catalogue:
        load(catalogue, families_of(RECORDS), LoadOptions(as_of=AS_OF, jobs=1))


def run(place: str, *arguments: str, stdin: str | None = None) -> Result:
    asked = ("catalogue", "withdraw", *arguments, "--catalogue", place, "--as-of", str(AS_OF))
    return CliRunner().invoke(main, asked, input=stdin)


def expected(*names: str, on: dt.date = DAY) -> list[str]:
    """What a catalogue holds where some names have been loaded as withdrawn from the first."""
    buried = [
        dataclasses.replace(record, status=Status.WITHDRAWN, withdrawn_on=on)
        if str(record.name) in names
        else record
        for record in RECORDS
    ]
    return lines_of(families_of(buried))


def lines_in(place: str) -> list[str]:
    with open_catalogue(place) as catalogue:
        return held(catalogue)


@pytest.mark.parametrize(
    ("names", "below", "gone"),
    [
        ((ACT,), "", (ACT,)),
        ((ALIAS,), "", (ALIAS,)),
        ((FORMAT, OTHER), "", (FORMAT, OTHER)),
        ((ACT,), "--below", (ACT, ANNEX, VERSION, FORMAT)),
        ((VERSION,), "--below", (VERSION, FORMAT)),
        ((ANNEX, ACT), "--below", (ANNEX, ACT, VERSION, FORMAT)),
        ((f"{ACT.upper().replace('URN:LEX', 'urn:lex')}",), "", (ACT,)),
    ],
)
def test_only_the_tombstone_comes_in(
    place: str, names: tuple[str, ...], below: str, gone: tuple[str, ...]
) -> None:
    done = run(place, *names, "--on", "2026-03-01", *below.split())
    assert done.exit_code == 0, done.stderr
    told = {line.partition(": withdrawn ")[0] for line in done.stdout.splitlines()}
    assert told == set(gone)
    assert lines_in(place) == expected(*gone)


def test_a_withdrawal_keeps_its_day_unless_another_is_named(place: str) -> None:
    assert run(place, ACT, "--on", "2026-02-01").stdout == f"{ACT}: withdrawn on 2026-02-01\n"
    kept = run(place, ACT, ACT)
    assert (kept.exit_code, kept.stdout) == (0, f"{ACT}: withdrawn before on 2026-02-01\n" * 2)
    moved = run(place, ACT, ACT, OTHER, "--on", "2026-03-01")
    assert moved.exit_code == 0
    assert moved.stdout.splitlines() == [
        f"{ACT}: withdrawal moved from 2026-02-01 to 2026-03-01",
        f"{ACT}: withdrawn before on 2026-03-01",
        f"{OTHER}: withdrawn on 2026-03-01",
    ]
    assert lines_in(place) == expected(ACT, OTHER)
    same = run(place, ACT, "--on", "2026-03-01")
    assert same.stdout == f"{ACT}: withdrawn before on 2026-03-01\n"


def test_what_was_withdrawn_below_a_name_keeps_its_day(tmp_path: Path) -> None:
    law = str(tmp_path / "law")
    fill(law)
    assert run(law, VERSION, "--on", "2026-02-01").exit_code == 0
    done = run(law, ACT, "--below", "--on", "2026-03-01").stdout.splitlines()
    assert f"{ACT}: withdrawn on 2026-03-01" in done
    assert f"{VERSION}: withdrawn before on 2026-02-01" in done
    assert f"{FORMAT}: withdrawn on 2026-03-01" in done
    both = run(law, ACT, VERSION, "--below", "--on", "2026-03-02").stdout.splitlines()
    assert both.count(f"{VERSION}: withdrawal moved from 2026-02-01 to 2026-03-02") == 1


def test_a_withdrawal_without_a_day_gets_one(tmp_path: Path) -> None:
    law = str(tmp_path / "law")
    undated = Record(name=parse(ACT), status=Status.WITHDRAWN)
    with open_catalogue(law, write=True) as catalogue:
        load(catalogue, families_of([undated]), LoadOptions(as_of=AS_OF, jobs=1))
    assert run(law, ACT).stdout == f"{ACT}: withdrawn before\n"
    done = run(law, ACT, "--on", "2026-03-01")
    assert done.stdout == f"{ACT}: withdrawal moved to 2026-03-01\n"


def test_what_is_not_held_is_said_and_holds_back_nothing(place: str) -> None:
    lines = f"{ACT}9\n\nno name\n{OTHER}\n"
    done = run(place, "-", "--on", "2026-03-01", stdin=lines)
    assert done.exit_code == 1
    assert done.stdout == f"{OTHER}: withdrawn on 2026-03-01\n"
    assert f"{ACT}9 is not in the catalogue" in done.stderr
    assert "error LX101" in done.stderr
    assert lines_in(place) == expected(OTHER)


def test_a_withdrawn_name_is_never_given_again(place: str) -> None:
    assert run(place, ACT).exit_code == 0
    fields = {"jurisdiction": "it", "measure": "Legge", "date": "2003-09-21", "number": 456}
    with open_catalogue(place) as catalogue, open_minter(catalogue) as given:
        assert given.mint(fields).errors[0].code == "LX770"


def test_loading_the_row_again_takes_it_back(place: str) -> None:
    assert run(place, ACT, VERSION, "--on", "2026-03-01").exit_code == 0
    fill(place)
    assert lines_in(place) == lines_of(families_of(RECORDS))


def test_many_names_at_once(tmp_path: Path) -> None:
    names = [parse(f"urn:lex:it:stato:legge:2003-09-21;{number}") for number in range(1201)]
    with open_catalogue(tmp_path / "law", write=True) as catalogue:
        records = [Record(name=name) for name in names]
        load(catalogue, families_of(records), LoadOptions(as_of=AS_OF, jobs=1))
        done = list(withdraw(catalogue, names, on=DAY, as_of=AS_OF))
        assert [each.name for each in done] == names
        families = catalogue.holdings.families([str(name) for name in names])
        assert {r.status for f in families for r in f.records} == {Status.WITHDRAWN}


@pytest.mark.parametrize("arguments", [(), (ACT, "--on", "yesterday"), (ACT, "--on", "9999-01-01")])
def test_wrong_usage_ends_with_two(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert run(str(tmp_path), *arguments).exit_code == 2
