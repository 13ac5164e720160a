"""What a document says of itself stays as it is, whatever comes after it."""

from __future__ import annotations

import datetime as dt
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lexurn.manifest import open_manifest
from lexurn.model import LanguageText, Record, families_of
from lexurn.name import parse
from lexurn.pages import make_document_metadata

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.model import Family

ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
BASE = "https://law.example"
ACT = "urn:lex:it:stato:legge:2003-09-21;456"
OLD = (
    Record(name=parse(ACT), titles=(LanguageText(value="Città", language="it"),)),
    Record(name=parse(f"{ACT}@originale:it"), in_force_from=dt.date(2003, 10, 1)),
    Record(name=parse(f"{ACT}@2005-01-01:it")),
    Record(name=parse(f"{ACT}@2005-01-01:it$parlamento.it:text-html")),
)
LATER = (
    Record(name=parse(f"{ACT}@2009-07-01:it"), in_force_from=dt.date(2009, 7, 1)),
    Record(name=parse(f"{ACT}@2005-01-01:de")),
    Record(name=parse(f"{ACT}@2005-01-01:it$parlamento.it:application-pdf")),
    Record(name=parse(f"{ACT}:allegato.1")),
)


@pytest.fixture(scope="module")
def families() -> Sequence[Family]:
    with open_manifest(ACTS) as manifest:
        return tuple(manifest.families())


@pytest.mark.parametrize("base", [None, BASE])
def test_what_comes_later_changes_nothing(base: str | None) -> None:
    for record in OLD:
        before = make_document_metadata(record.name, OLD, base=base)
        after = make_document_metadata(record.name, (*OLD, *LATER), base=base)
        assert before.head() == after.head()
        assert (before.relations, before.titles) == (after.relations, after.titles)


def test_a_head_says_the_name_its_relations_and_the_work() -> None:
    marking = make_document_metadata(OLD[2].name, OLD, base=BASE)
    head = marking.head()
    assert f'<meta name="DC.identifier" content="{ACT}@2005-01-01:it">' in head
    assert '<link rel="prev previous predecessor-version" href="https://law.example/lex/' in head
    work = f'href="{BASE}/lex/it/stato/legge/2003-09-21;456">'
    assert f'<link rel="current latest-version" {work}' in head
    assert "next" not in head
    assert 'rel="self"' not in head
    assert marking.relations == (
        ("isVersionOf", ACT),
        ("first", f"{ACT}@originale:it"),
        ("previous", f"{ACT}@originale:it"),
    )
    assert (marking.version, marking.language) == ("2005-01-01", "it")


def test_that_a_version_is_the_first_is_not_invented() -> None:
    marking = make_document_metadata(OLD[1].name, OLD, base=BASE)
    assert 'rel="first"' not in marking.head()
    assert marking.relations == (("isVersionOf", ACT),)


def test_without_a_base_links_are_names() -> None:
    head = make_document_metadata(OLD[2].name, OLD).head()
    assert f'<link rel="current latest-version" href="{ACT}">' in head
    assert "law.example" not in head
    assert "cite-as" not in head


def test_a_head_is_ascii_and_well_formed_xml(families: Sequence[Family]) -> None:
    for family in families:
        for record in family.records:
            marking = make_document_metadata(record.name, family, base=BASE)
            root = ET.fromstring(f"<head>{marking.head(is_xml=True)}</head>")  # noqa: S314 - ours
            assert marking.head().isascii()
            assert root[2].get("content") == str(record.name)


def test_what_no_xml_can_hold_is_made_visible() -> None:
    title = LanguageText(value='a\ufffe<b>&"]]>', language="it")
    marking = make_document_metadata(OLD[0].name, [replace(OLD[0], titles=(title,))])
    ET.fromstring(f"<head>{marking.head(is_xml=True)}</head>")  # noqa: S314 - ours
    assert marking.titles[0].value.startswith("a\\ufffe")


def test_a_copy_does_not_say_its_own_size(families: Sequence[Family]) -> None:
    names = [record.name for family in families for record in family.records if record.items]
    heads = [
        make_document_metadata(name, family).head()
        for family in families
        for name in names
        if family.record(name) is not None
    ]
    assert heads
    assert not any("contentSize" in head or "sha256" in head for head in heads)


def test_a_base_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="base"):
        make_document_metadata(OLD[0].name, OLD, base="ftp://law.example")


def test_families_are_told_from_any_records() -> None:
    (family,) = families_of(OLD)
    assert (
        make_document_metadata(OLD[2].name, family).head()
        == make_document_metadata(OLD[2].name, OLD).head()
    )
