"""The example table: real acts, every column and every kind of name, nothing to mend."""

from __future__ import annotations

import csv
import datetime as dt
import io
from pathlib import Path

import pytest

from lexurn.manifest import open_manifest
from lexurn.model import families_of
from lexurn.name import Level, check

ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
CASES = Path(__file__).parents[1] / "cases" / "italian_constitution.csv"
CONSTITUTION = list(csv.DictReader(CASES.read_text("utf-8").splitlines()))
COLUMNS = (
    *("urn", "title", "alias_of", "also_named", "issued", "published", "modified"),
    *(
        "in_force_from",
        "in_force_until",
        "force",
        "force_on",
        "amended_by",
        "version_order",
        "url",
        "page",
        "bytes",
    ),
    *("sha256", "license", "publisher", "creator", "subject", "status", "withdrawn_on"),
)


@pytest.fixture(scope="module")
def rows():
    text = ACTS.read_bytes().decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


@pytest.fixture(scope="module")
def names(rows):
    return [check(row["urn"]).unwrap() for row in rows]


@pytest.fixture(scope="module")
def read():
    """What the manifest makes of the table: its families, its findings, its rejected rows."""
    findings = []
    with open_manifest(ACTS, on_finding=findings.append) as manifest:
        families = tuple(manifest.families())
        return families, findings, manifest.rejected


def test_the_file_is_plain():
    data = ACTS.read_bytes()
    assert not data.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in data
    assert data.endswith(b"\n")


def test_every_column_is_used_and_no_other(rows):
    for column in COLUMNS:
        assert any(row[column] for row in rows), column
    languages = [column for column in rows[0] if column.startswith("title@")]
    assert set(rows[0]) == {*COLUMNS, *languages}
    for column in languages:
        assert any(row[column] for row in rows), column


def test_names_are_canonical_and_without_findings(rows):
    for row in rows:
        for column in ("urn", "alias_of", "also_named", "amended_by"):
            for text in row[column].split():
                report = check(text)
                assert report.findings == (), text
                assert str(report.name) == text


@pytest.mark.parametrize("case", CONSTITUTION, ids="{0[law]}".format)
def test_versions_of_the_italian_constitution(case, rows):
    """Two sources have the dates; a law is in force fifteen days after its gazette (article 73)."""
    names = {row["urn"]: row for row in rows}
    law = names[f"urn:lex:it:stato:legge.costituzionale:{case['law']}"]
    day = case["law"].partition(";")[0]
    version = names[f"urn:lex:it:stato:costituzione:1947-12-27;lex-1@{day}:it"]
    assert (law["issued"], law["published"]) == (day, case["published"])
    assert law["in_force_from"] == version["in_force_from"] == case["in_force_from"]
    assert version["amended_by"] == law["urn"]
    days = 1 if day == "1989-01-16" else 15  # article 14 of that law
    published = dt.date.fromisoformat(case["published"])
    assert str(published + dt.timedelta(days)) == case["in_force_from"]


def test_acts_enough_of_jurisdictions_enough(read):
    families, _, _ = read
    assert len(families) >= 40
    assert len({family.key.jurisdiction.code for family in families}) >= 12


KINDS = {
    "several issuers": lambda name: len(name.work.authority.issuers) > 1,
    "a function": lambda name: any(issuer.functions for issuer in name.work.authority.issuers),
    "a unit": lambda name: name.jurisdiction.units,
    "an organisation": lambda name: "." in name.jurisdiction.code,
    "a measure with a specification": lambda name: name.work.measure.specifications,
    "several dates": lambda name: len(name.work.details.dates) > 1,
    "several numbers": lambda name: len(name.work.details.numbers) > 1,
    "a number of the naming system": lambda name: name.work.details.is_lex_number,
    "a period": lambda name: name.work.details.period,
    "a local date": lambda name: any(date.local for date in name.work.details.dates),
    "letters outside ASCII": lambda name: "%" in str(name.work),
    "an annex of an annex": lambda name: len(name.work.annexes) > 1,
    "an annex with a specification": lambda name: any(a.specifications for a in name.work.annexes),
    "a label": lambda name: name.expression and name.expression.version.specification,
    "an event date": lambda name: (
        name.expression and any(event.date for event in name.expression.version.events)
    ),
    "an event": lambda name: (
        name.expression and any(event.event for event in name.expression.version.events)
    ),
    "a manifestation of a work": lambda name: name.manifestation and not name.expression,
    "an editor with a specification": lambda name: (
        name.manifestation and name.manifestation.editor.specifications
    ),
    "a format with a specification": lambda name: (
        name.manifestation and name.manifestation.format.specifications
    ),
    "a component": lambda name: name.manifestation and name.manifestation.component,
    "a feature": lambda name: name.manifestation and name.manifestation.feature,
    "a partition of a work": lambda name: name.partition and name.level is Level.WORK,
    "a partition of an expression": lambda name: name.partition and name.level is Level.EXPRESSION,
    "a partition of a partition": lambda name: name.partition and ";" in name.partition,
}


@pytest.mark.parametrize("holds", KINDS.values(), ids=KINDS)
def test_every_kind_of_name_is_there(holds, names):
    assert any(map(holds, names))


def test_the_table_is_read_without_findings(read, rows):
    families, findings, rejected = read
    assert findings == []
    assert rejected == 0
    assert sum(record.source is not None for f in families for record in f.records) == len(rows)


def test_no_family_has_findings(read):
    families, _, _ = read
    assert [finding for family in families for finding in family.findings] == []
    assert families_of(record for family in families for record in family.records) == families


def test_no_shape_is_violated(read):
    shacl = pytest.importorskip("lexurn.shacl")
    families, _, _ = read
    results = shacl.check_families(families, as_of=dt.date(2026, 1, 1))
    assert [result for result in results if result.severity is shacl.Severity.VIOLATION] == []


def test_languages_of_one_work_are_chains_of_their_own(read):
    families, _, _ = read
    languages = [{chain.language for chain in family.chains} for family in families]
    assert {"de", "fr", "it", "rm"} in languages
    assert {"ar", "en", "es", "fr", "ru", "zh"} in languages


@pytest.mark.parametrize(
    ("work", "day", "version"),
    [
        ("urn:lex:us:state:constitution:1787-09-17;lex-1", "1788-01-01", None),
        ("urn:lex:us:state:constitution:1787-09-17;lex-1", "1790-01-01", "@original:en"),
        (
            "urn:lex:us:state:constitution:1787-09-17;lex-1",
            "1919-06-01",
            "@1919-01-16;amendment.18:en",
        ),
        ("urn:lex:pt:estado:constituicao:1976-04-02;lex-1", "2024-04-25", "@2005-08-12:pt"),
        (
            "urn:lex:eu:european.parliament+council:directive:1995-10-24;95-46-ec",
            "2018-05-24",
            "@2003-09-29;2003-11-20:en",
        ),
        (
            "urn:lex:eu:european.parliament+council:directive:1995-10-24;95-46-ec",
            "2018-05-25",
            None,
        ),
    ],
)
def test_what_was_in_force_when(read, work, day, version):
    families, _, _ = read
    (chain,) = (
        chain
        for family in families
        for chain in family.chains
        if str(chain.work) == work and chain.language in ("en", "pt")
    )
    current = chain.current(dt.date.fromisoformat(day)).version
    assert (current and str(current)) == (version and work + version)
