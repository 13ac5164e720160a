"""A graph in which nothing is wrong, and rows that only look like faults."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from check_graphs import AS_OF, BASE, sound

from lexurn.manifest import open_manifest
from lexurn.shacl import SHAPES, EngineName, check_families, validate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

LAW = "urn:lex:it:stato:legge:2000-01-01;5"
TWO_DATES = "urn:lex:it:stato:legge:2000-01-05,2000-01-06;5"
ALIAS = "urn:lex:it:stato:codice:2000-01-01;5"
ROWS = {
    "an alias in another form of a language": [
        {"urn": f"{LAW}@original:de"},
        {"urn": f"{LAW}@original:de-ch", "alias_of": f"{LAW}@original:de"},
        {"urn": f"{LAW}@2001-01-01:no"},
        {"urn": f"{LAW}@2001-01-01:nb", "alias_of": f"{LAW}@2001-01-01:no"},
        {"urn": f"{LAW}@2002-01-01"},
        {"urn": f"{LAW}@2002-01-01:it", "alias_of": f"{LAW}@2002-01-01"},
    ],
    "a title that may be in the language of the version": [
        {"urn": f"{LAW}@original:de-ch", "title@de": "Gesetz", "title@fr": "Loi"},
        {"urn": f"{LAW}@original:de", "title@DE-ch": "Gesetz"},
        {"urn": f"{LAW}@original:fr", "title": "Loi", "title@it": "Legge"},
        {"urn": f"{LAW}@original:mul", "title@it": "Legge"},
        {"urn": f"{LAW}@original", "title@it": "Legge"},
    ],
    "originals, each with the word of its language": [
        {"urn": LAW},
        {"urn": f"{LAW}@originale:it"},
        {"urn": f"{LAW}@originel:fr"},
        {"urn": f"{LAW}@originale;2000-05-05;rettifica:it"},
        {"urn": f"{LAW}@originel;2000-05-05;rettifica:fr"},
        {"urn": f"{LAW}@stammfassung;2000-05-05;rettifica:de"},
    ],
    "versions from the first to the last day of their act": [
        {"urn": LAW, "in_force_from": "2000-01-01", "in_force_until": "2010-01-01"},
        {"urn": f"{LAW}@original", "in_force_from": "2000-01-01"},
        {"urn": f"{LAW}@2005-01-01", "in_force_until": "2010-01-01"},
        {"urn": f"{LAW}@2010-01-01"},
        {"urn": f"{LAW}@2010-05-01;2009-12-31"},
    ],
    "a version of a repealed act that has no day": [
        {"urn": LAW, "in_force_from": "2000-01-01", "in_force_until": "2010-01-01"},
        {
            "urn": f"{LAW}@2009-12-01",
            "in_force_from": "2010-01-01",
            "in_force_until": "2010-01-01",
        },
    ],
    "a withdrawn version after its act": [
        {"urn": LAW, "in_force_until": "2010-01-01"},
        {"urn": f"{LAW}@2011-01-01", "status": "withdrawn", "withdrawn_on": "2012-01-01"},
    ],
    "a withdrawn alias of an act with a version, and one below it": [
        {"urn": LAW, "title": "Gesetz"},
        {"urn": f"{LAW}@2001-01-01"},
        {"urn": f"{LAW}1", "alias_of": LAW, "status": "withdrawn", "withdrawn_on": "2012-01-01"},
        {"urn": f"{LAW}1@2001-01-01"},
        {"urn": f"{LAW}1@2002-01-01"},
    ],
    "a version between the dates of its act": [
        {"urn": f"{TWO_DATES}@original", "in_force_from": "2000-01-05"},
    ],
    "amending acts of the same day, of several dates and without one": [
        {
            "urn": f"{LAW}@2000-01-01",
            "amended_by": " ".join(
                f"urn:lex:it:stato:legge:{details}"
                for details in ("2000-01-01;6", "2000-01-01,2001-01-01;7", "2000;8", "xiv.leg;9")
            ),
        },
    ],
    "an act amended by its own annex": [{"urn": LAW, "amended_by": f"{LAW}:annex.a"}],
    "IRIs that open nothing": [
        {
            "urn": LAW,
            "license": "urn:isbn:9780000000000",
            "publisher": "https://law.example/a@b",
            "creator": "mailto:clerk@law.example",
            "subject": "http://eurovoc.europa.eu/1",
        },
    ],
    "an act and annexes with versions of the same dates": [
        {"urn": f"{LAW}@original"},
        {"urn": f"{LAW}@2001-01-01:de"},
        {"urn": f"{LAW}@2001-01-01:it"},
        {"urn": f"{LAW}:annex.a@2001-01-01"},
        {"urn": f"{LAW}:annex.a:table.1@original"},
        {"urn": f"{LAW}:annex.b"},
    ],
}


def assert_sound_graph(engine: EngineName) -> None:
    """Assert that an engine finds nothing in the sound graph."""
    report = validate(sound(), engine=engine)
    assert report.results == ()
    assert report.conforms
    assert report.checked == 23
    assert report.notes == ()


def assert_sound_rows(rows: Sequence[dict[str, str]], folder: Path, engine: EngineName) -> None:
    """Assert that an engine finds no more in the families of some rows than absent titles."""
    columns = dict.fromkeys(column for row in rows for column in row)
    with (folder / "acts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    with open_manifest(folder / "acts.csv") as manifest:
        families = list(manifest.families())
    assert sum(len(family.records) for family in families) >= len(rows)
    results = check_families(families, as_of=AS_OF, base=BASE, engine=engine)
    assert {result.shape.removeprefix(SHAPES) for result in results} <= {"Title"}
