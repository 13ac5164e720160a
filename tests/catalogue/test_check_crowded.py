"""A node that very many others point at is left out of a check by shapes, and that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF

from lexurn.catalogue import CheckOptions, LoadOptions, check_catalogue, load, open_catalogue
from lexurn.catalogue.check import read_excerpt
from lexurn.model import Item, Record, families_of
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lexurn.catalogue import Catalogue, CheckFinding
    from lexurn.model import Family

MOST = 50
GAZETTE = "https://law.example/gazette.pdf"


def volume(number: int) -> str:
    return f"https://law.example/volume-{number}.pdf"


def families(acts: int, volumes: int) -> tuple[Family, ...]:
    """Acts that all stand in one gazette, and each in one of some volumes."""
    return families_of(
        Record(
            name=parse(f"urn:lex:it:stato:legge:1999-01-01;{number + 1}"),
            items=(Item(url=GAZETTE), Item(url=volume(number % volumes))),
        )
        for number in range(acts)
    )


def at_most(links: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let so many links lead to a node that is looked at."""
    monkeypatch.setattr("lexurn.catalogue.check.MOST_LINKS", links)


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalogue]:
    """One in which more lead to the gazette than anybody follows; to all volumes together, too."""
    at_most(MOST, monkeypatch)
    place = tmp_path / "law"
    with open_catalogue(place, write=True) as made:
        load(made, families(2 * MOST, 10), LoadOptions(as_of=AS_OF, jobs=1))
    with open_catalogue(place) as opened:
        yield opened


def test_what_too_many_lead_to_is_left_out(catalogue: Catalogue) -> None:
    volumes = [volume(number) for number in range(10)]
    excerpt = read_excerpt(catalogue.store, [*volumes, GAZETTE])
    assert excerpt.is_cut
    assert excerpt.crowded == {f"<{GAZETTE}>"}
    assert excerpt.foci == {f"<{each}>" for each in volumes}
    assert excerpt.typed == len(volumes)
    assert GAZETTE not in excerpt.ntriples


def test_what_many_lead_to_together_is_not(catalogue: Catalogue) -> None:
    volumes = [volume(number) for number in range(10)]
    excerpt = read_excerpt(catalogue.store, volumes)
    assert not excerpt.is_cut
    assert not excerpt.crowded
    link = "<https://w3id.org/lexurn/ns#item>"
    assert excerpt.ntriples.count(f" {link} ") == 2 * MOST


def found(catalogue: Catalogue) -> tuple[set[CheckFinding], str]:
    options = CheckOptions(jobs=1, chunk=40, skip=("LX961",))
    with check_catalogue(catalogue, options) as report:
        return set(report.findings()), " ".join(report.notes)


def test_a_report_names_what_was_left_out(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut, told = found(catalogue)
    assert f"it has more than {MOST} incoming links: {GAZETTE}" in told
    at_most(10 * MOST, monkeypatch)
    whole, nothing = found(catalogue)
    assert "links lead to" not in nothing
    assert cut == {each for each in whole if each.focus != f"<{GAZETTE}>"}
    assert cut


def test_many_of_them_are_counted(catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    at_most(5, monkeypatch)
    _, told = found(catalogue)
    assert "because each has more than 5 incoming links" in told
    assert told.count("https://") == 5
    assert "and 6 more" in told
