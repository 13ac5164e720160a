"""What cannot be read on a server is put right by the next load, and stops no other."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF, families_in, held, lines_of
from click.testing import CliRunner
from remote_cases import emptied
from servers import oxigraph_server

from lexurn.catalogue import (
    LoadOptions,
    UnreadableFamilyError,
    load,
    load_manifest,
    open_catalogue,
    refresh,
)
from lexurn.cli import main
from lexurn.manifest import open_manifest
from lexurn.name import parse
from lexurn.store.remote import RemoteStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from lexurn.catalogue import Catalogue, MendedFamily, Refusal
    from lexurn.model import Family

LEGGE = "urn:lex:it:stato:legge:2001-01-01;1"
TEXT = f"{LEGGE}@original:it"
OTHER = "urn:lex:it:stato:legge:2002-02-02;2"
DECREE = "urn:lex:it:stato:decreto:2001-01-01;1"
PDF = "https://law.example/1.pdf"
DIGEST = "ab" * 32
HEAD = "urn,title@it,alias_of,issued,version_order,url,bytes,sha256\n"
ROWS = (
    f"{LEGGE},Legge uno,,2001-01-01,,,,\n"
    f"{TEXT},Testo,,2001-01-02,1,{PDF},10,{DIGEST}\n"
    f"{OTHER},Legge due,,2002-02-02,,{PDF},10,{DIGEST}\n"
    f"{DECREE},,{LEGGE},,,,,\n"
)
STATED = "<https://w3id.org/lexurn/ns#catalogued>"
ISSUED = "<http://purl.org/dc/terms/issued>"
SAME = "<http://www.w3.org/2002/07/owl#sameAs>"
DAY = '"1999-09-09"^^<http://www.w3.org/2001/XMLSchema#date>'


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with oxigraph_server() as url:
        yield url


@pytest.fixture
def law(server: str, tmp_path: Path) -> Iterator[Catalogue]:
    store = RemoteStore(server)
    emptied(store)
    store.close()
    with open_catalogue(server, write=True) as catalogue:
        load(catalogue, table(tmp_path, ROWS), LoadOptions(as_of=AS_OF))
        yield catalogue


def table(folder: Path, rows: str) -> Sequence[Family]:
    path = folder / "rows.csv"
    path.write_text(HEAD + rows, encoding="utf-8")
    return families_in(path)


def stated(node: str, predicate: str, value: str) -> str:
    return f"<{node}> {predicate} {value} {STATED} .\n"


BROKEN = {
    "a property of the act": [stated(LEGGE, ISSUED, DAY)],
    "a property of a version": [stated(TEXT, ISSUED, DAY)],
    "no day at all": [stated(LEGGE, ISSUED, '"yesterday"')],
    "a digest": [stated(PDF, "<http://spdx.org/rdf/terms#checksum>", "<urn:sha256:00>")],
    "no copy at all": [stated(TEXT, "<https://w3id.org/lexurn/ns#item>", '"here"')],
    "aliases in a loop": [stated(LEGGE, SAME, f"<{DECREE}>")],
    "two canonical names": [stated(DECREE, SAME, f"<{OTHER}>")],
}


@pytest.mark.parametrize("lines", BROKEN.values(), ids=BROKEN)
def test_the_same_rows_again_put_it_right(lines: list[str], law: Catalogue, tmp_path: Path) -> None:
    wanted = held(law)
    law.store.change([], lines)
    with pytest.raises(
        UnreadableFamilyError, match=r"no catalogue of ours.*load the rows of this work"
    ):
        law.holdings.families([LEGGE, OTHER])
    told: list[MendedFamily] = []
    report = load(law, table(tmp_path, ROWS), LoadOptions(as_of=AS_OF, on_mended=told.append))
    assert held(law) == wanted
    both = lines is BROKEN["a digest"]
    assert (report.refused, report.mended) == (0, 1 + both)
    assert [each.lost for each in told] == [()] * (1 + both)
    assert told[0].fault
    assert len(law.holdings.families([LEGGE, OTHER])) == 2
    assert load(law, table(tmp_path, ROWS), LoadOptions(as_of=AS_OF)).unchanged == 2


def test_a_manifest_puts_it_right(law: Catalogue, tmp_path: Path) -> None:
    wanted = held(law)
    law.store.change([], [stated(LEGGE, ISSUED, DAY)])
    table(tmp_path, ROWS)
    with open_manifest(tmp_path / "rows.csv") as manifest:
        report = load_manifest(law, manifest, LoadOptions(as_of=AS_OF, jobs=1))
    assert (report.mended, report.refused, held(law)) == (1, 0, wanted)


def test_what_no_row_states_anew_is_kept_as_far_as_it_can_be_read(
    law: Catalogue, tmp_path: Path
) -> None:
    law.store.change([], [stated(TEXT, ISSUED, DAY)])
    told: list[MendedFamily] = []
    options = LoadOptions(as_of=AS_OF, on_mended=told.append)
    row = f"{LEGGE},Legge numero uno,,2001-01-01,,,,\n"
    assert load(law, table(tmp_path, row), options).mended == 1
    ((name, fault),) = told[0].lost
    assert name == TEXT
    assert "issued" in fault
    assert "2 values" in fault
    family = law.holdings.family(LEGGE)
    assert family is not None
    record = family.record(parse(TEXT))
    assert record is not None
    assert record.issued is None
    assert (record.version_order, record.titles[0].value) == (1, "Testo")
    assert [(item.url, item.bytes, item.sha256) for item in record.items] == [(PDF, 10, DIGEST)]


def test_a_broken_neighbour_stops_nobody(law: Catalogue, tmp_path: Path) -> None:
    law.store.change([], [stated(LEGGE, ISSUED, DAY), stated(LEGGE, ISSUED, '"x"')])
    third = "urn:lex:it:stato:legge:2003-03-03;3"
    refused: list[Refusal] = []
    options = LoadOptions(as_of=AS_OF, on_refused=refused.append)
    assert load(law, table(tmp_path, f"{third},Tre,,,,{PDF},,\n"), options).added == 1
    assert refused == []
    again = load(law, table(tmp_path, ROWS), options)
    assert (again.mended, again.refused) == (1, 0)
    wanted = table(tmp_path, f"{ROWS}{third},Tre,,,,{PDF},,\n")
    assert held(law) == lines_of(wanted)


def test_a_broken_neighbour_that_learns_of_another_keeps_what_it_shares(
    law: Catalogue, tmp_path: Path
) -> None:
    gazette, both = "https://law.example/gazette.pdf", "https://law.example/both.pdf"
    own = (
        f"{ROWS}{TEXT}$x.it:application-pdf,,,,,{both} {gazette},,\n{OTHER}@original,,,,,{both},,\n"
    )
    load(law, table(tmp_path, own), LoadOptions(as_of=AS_OF))
    law.store.change([], [stated(LEGGE, ISSUED, DAY)])
    third = f"urn:lex:it:stato:legge:2003-03-03;3,Tre,,,,{gazette},,\n"
    told: list[MendedFamily] = []
    options = LoadOptions(as_of=AS_OF, on_mended=told.append)
    assert load(law, table(tmp_path, third), options).refused == 0
    assert [name for each in told for name, _ in each.lost] == [LEGGE]
    left = own.replace("uno,,2001-01-01", "uno,,")
    assert held(law) == lines_of(table(tmp_path, left + third))


def test_the_command_says_what_it_made_anew(law: Catalogue, tmp_path: Path) -> None:
    law.store.change([], [stated(LEGGE, ISSUED, DAY), stated(TEXT, ISSUED, DAY)])
    law.close()
    table(tmp_path, ROWS.partition("\n")[0] + "\n")
    command = ["catalogue", "load", str(tmp_path / "rows.csv"), "-c", law.place, "--jobs", "1"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1
    assert "was unreadable (" in done.stderr
    assert f"lost, since no row states it: <{TEXT}>" in done.stderr
    assert f"<{LEGGE}>" not in done.stderr.partition("lost")[2]
    assert "1 repaired" in done.stdout
    assert "mended" not in CliRunner().invoke(main, command).output


def test_what_cannot_be_mended_holds_back_nobody_else(law: Catalogue, tmp_path: Path) -> None:
    chain = [f"urn:lex:it:stato:legge:1990-01-01;{n}" for n in range(80)]
    same = [stated(one, SAME, f"<{two}>") for one, two in pairwise(chain)]
    law.store.change([], same)
    refused: list[Refusal] = []
    rows = f"{chain[0]},Primo,,,,,,\n{OTHER},Legge nuova,,,,{PDF},10,{DIGEST}\n"
    options = LoadOptions(as_of=AS_OF, on_refused=refused.append)
    report = load(law, table(tmp_path, rows), options)
    assert (report.refused, report.replaced) == (1, 1)
    assert [each.key for each in refused] == [chain[0]]
    assert "64 aliases lead on" in refused[0].reason


def test_the_day_is_said_anew_of_nothing_that_cannot_be_read(law: Catalogue) -> None:
    law.store.change([], [stated(LEGGE, ISSUED, DAY)])
    before = held(law)
    with pytest.raises(UnreadableFamilyError):
        refresh(law, as_of=dt.date(2027, 1, 1))
    assert held(law) == before


def test_an_act_of_which_nothing_can_be_read_is_made_anew(law: Catalogue, tmp_path: Path) -> None:
    third = "urn:lex:it:stato:legge:2003-03-03;3"
    law.store.change([], [stated(third, ISSUED, '"soon"')])
    rows = f"{ROWS}{third},Tre,,2003-03-03,,,,\n"
    told: list[MendedFamily] = []
    report = load(law, table(tmp_path, rows), LoadOptions(as_of=AS_OF, on_mended=told.append))
    assert (report.added, report.mended, report.refused) == (1, 1, 0)
    assert [(each.key, each.lost) for each in told] == [(third, ())]
    assert held(law) == lines_of(table(tmp_path, rows))
