"""What a catalogue on a server does that cuts every answer, as Virtuoso does: nothing is left out.

Each case is given a catalogue that holds `rows_for` that server, and an empty folder.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from catalogue_parts import AS_OF, families_in, held, lines_of

from lexurn.catalogue import LoadOptions, check_catalogue, load, open_minter, refresh, withdraw
from lexurn.catalogue.given import Claim, _write_claim
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from lexurn.catalogue import Catalogue, MendedFamily
    from lexurn.model import Family

    Case = Callable[[Catalogue, Path, str], None]

__all__ = ["CASES", "loaded", "rows_for"]

OPTIONS = LoadOptions(as_of=AS_OF, jobs=1)
HEAD = "urn,title@it,in_force_from,url,bytes\n"
CODE = "urn:lex:it:stato:codice.civile:1942-03-16;262"
PDF = f"{CODE}@2001-01-01:it$x.it:application-pdf"
GAZETTE = "https://law.example/gazette.pdf"
DAY = "1990-01-01"
FEDERAL = f"urn:lex:br:federal:lei:{DAY};1"
LOCAL = f"urn:lex:br;unit.7:municipio:lei:{DAY};1"


def rows_for(most: int) -> str:
    """Rows of which a server that gives so many rows cannot tell all of some node at once.

    A code with many versions, whose nodes have more lines together; a gazette that is the copy of
    more acts; and a nation with more units, each of which has an act with the same number and day.
    """
    count = int((2 * most) ** 0.5) + 5
    rows = [f"{CODE}@{2000 + n}-01-01:it,Testo {n},{2000 + n}-01-01,," for n in range(count)]
    rows.append(f"{PDF},,,https://law.example/code.pdf,10")
    rows += [f"urn:lex:it:stato:legge:2001-01-01;{n},,,{GAZETTE}," for n in range(most + 20)]
    rows += [f"urn:lex:br;unit.{n}:municipio:lei:{DAY};1,,,," for n in range(most + 10)]
    return "".join(f"{row}\n" for row in (*rows, f"{FEDERAL},,,,"))


def table(folder: Path, rows: str) -> Sequence[Family]:
    path = folder / "rows.csv"
    path.write_text(HEAD + rows, encoding="utf-8")
    return families_in(path)


def loaded(law: Catalogue, folder: Path, rows: str) -> None:
    """Load the rows into an empty catalogue."""
    assert load(law, table(folder, rows), OPTIONS).refused == 0


def _plain(lines: Iterable[str]) -> list[str]:
    """Lines without the kinds of whole numbers, of which some engines keep one."""
    return sorted(each.replace("#nonNegativeInteger>", "#integer>") for each in lines)


def _is_held(law: Catalogue, folder: Path, rows: str) -> bool:
    return _plain(held(law)) == _plain(lines_of(table(folder, rows)))


def what_was_loaded_is_loaded_again(law: Catalogue, folder: Path, rows: str) -> None:
    assert _is_held(law, folder, rows)
    families = table(folder, rows)
    assert load(law, families, OPTIONS).unchanged == len(families)
    changed = rows.replace("Testo 7,", "Testo sette,")
    assert load(law, table(folder, changed), OPTIONS).replaced == 1
    assert _is_held(law, folder, changed)


def a_copy_of_very_many_acts_is_that_of_one_more(law: Catalogue, folder: Path, rows: str) -> None:
    more = f"urn:lex:it:stato:legge:2002-01-01;1,,,{GAZETTE},\n"
    assert load(law, table(folder, more), OPTIONS).added == 1
    assert _is_held(law, folder, rows + more)
    less = more.replace(GAZETTE, "")
    assert load(law, table(folder, less), OPTIONS).replaced == 1
    assert _is_held(law, folder, rows + less)


def it_is_said_anew_what_is_in_force(law: Catalogue, folder: Path, rows: str) -> None:
    assert refresh(law, as_of=dt.date(2005, 6, 1)) == 1
    assert not _is_held(law, folder, rows)
    assert refresh(law, as_of=AS_OF) == 1
    assert _is_held(law, folder, rows)


def names_are_withdrawn(law: Catalogue, folder: Path, rows: str) -> None:
    (done,) = withdraw(law, [parse(CODE)], on=AS_OF, as_of=AS_OF)
    assert str(done.outcome) == "withdrawn"
    assert not _is_held(law, folder, rows)
    again = f"{rows}{CODE},,,,\n"
    assert load(law, table(folder, again), OPTIONS).replaced == 1
    assert _is_held(law, folder, again)


def acts_of_a_nation_are_found_beside_those_of_its_units(
    law: Catalogue, _folder: Path, _rows: str
) -> None:
    assert law.holdings.near("br", "1") == [FEDERAL]
    assert law.holdings.near("br", "1", "1990") == [FEDERAL]
    assert law.holdings.dated("urn:lex:br:federal:lei", DAY) == [FEDERAL]
    assert law.holdings.near("br;unit.7", "1") == [LOCAL]


def what_cannot_be_read_is_put_right(law: Catalogue, folder: Path, rows: str) -> None:
    act, stated = "urn:lex:it:stato:legge:2003-03-03;3", "<https://w3id.org/lexurn/ns#catalogued>"
    issued = "<http://purl.org/dc/terms/issued>"
    broken = (f'<{CODE}> {issued} "1999" {stated} .\n', f'<{act}> {issued} "soon" {stated} .\n')
    law.store.change([], broken)
    told: list[MendedFamily] = []
    options = LoadOptions(as_of=AS_OF, jobs=1, on_mended=told.append)
    wanted = f"{rows}{CODE},,,,\n{act},,,,\n"
    report = load(law, table(folder, wanted), options)
    assert (report.mended, report.refused, report.added) == (2, 0, 1)
    assert sorted(each.key for each in told) == [CODE, act]
    assert _is_held(law, folder, wanted)


def all_of_it_is_checked(law: Catalogue, _folder: Path, rows: str) -> None:
    with check_catalogue(law) as report:
        assert report.checked > rows.count("\n")
        assert report.conforms


def names_that_were_given_out_are_listed(law: Catalogue, _folder: Path, rows: str) -> None:
    names = [f"urn:lex:it:stato:legge:2020-01-01;{n}" for n in range(rows.count("\n"))]
    claims = (Claim(name=parse(name), place="a.csv:1", digest="") for name in names)
    lines = (
        line for n, claim in enumerate(claims) for line in _write_claim(f"urn:x-claim:{n}", claim)
    )
    law.store.fill("".join(lines).encode())
    with open_minter(law) as given:
        assert [each.name for each in given.waiting()] == sorted(names)


CASES: tuple[Case, ...] = (
    what_was_loaded_is_loaded_again,
    a_copy_of_very_many_acts_is_that_of_one_more,
    it_is_said_anew_what_is_in_force,
    names_are_withdrawn,
    acts_of_a_nation_are_found_beside_those_of_its_units,
    what_cannot_be_read_is_put_right,
    all_of_it_is_checked,
    names_that_were_given_out_are_listed,
)
