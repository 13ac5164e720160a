from __future__ import annotations

import dataclasses
import json
import pickle
import string
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lexurn import urn

if TYPE_CHECKING:
    from lexurn.findings import Finding

CASES = Path(__file__).parents[1] / "cases"


def read(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def sound(name: str) -> list[dict[str, object]]:
    return [case for case in read(name) if "error" not in case]


def broken(name: str) -> list[dict[str, object]]:
    return [case for case in read(name) if "error" in case]


@pytest.mark.parametrize("case", sound("urn_8141.jsonl"), ids=lambda case: case["text"])
def test_parts_of_a_urn(case: dict[str, object]) -> None:
    name = urn.parse(str(case["text"]))
    parts = {key: case.get(key) for key in ("nid", "nss", "r", "q", "f")}
    assert dataclasses.asdict(name) == parts
    assert str(name) == "urn:" + str(case["text"])[4:]
    assert name.canonical == case.get("canonical", str(name).lower()[:4] + str(case["text"])[4:])
    assert name.assigned_name == f"urn:{case['nid']}:{case['nss']}"


@pytest.mark.parametrize("case", sound("urn_8141.jsonl"), ids=lambda case: case["text"])
def test_what_is_said_of_a_namespace_identifier(case: dict[str, object]) -> None:
    name = urn.parse(str(case["text"]))
    assert [note.rule for note in name.notes] == ([case["note"]] if "note" in case else [])
    assert name.informal is case.get("informal", False)
    assert all(note.message for note in name.notes)


@pytest.mark.parametrize("case", broken("urn_8141.jsonl"), ids=lambda case: repr(case["text"]))
def test_a_text_that_is_no_urn_is_refused_at_its_place(case: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="RFC") as caught:
        urn.parse(str(case["text"]))
    error = caught.value
    assert isinstance(error, urn.UrnSyntaxError)
    assert str(case["error"]) in error.problem
    assert (error.start, error.end) == (case["start"], case["end"])
    assert error.text == case["text"]
    assert error.rule.startswith("RFC ")


@pytest.mark.parametrize("case", sound("urn_2141.jsonl"), ids=lambda case: repr(case["text"]))
def test_the_older_reading(case: dict[str, object]) -> None:
    findings: list[Finding] = []
    for name in (
        urn.parse_2141(str(case["text"])),
        urn.parse_2141(str(case["text"]), on_cleaning=findings.append),
    ):
        parts = {"nid": case["nid"], "nss": case["nss"], "r": None, "q": None, "f": None}
        assert dataclasses.asdict(name) == parts
        assert str(name)[4:] == str(case["text"])[4:]
        assert name.canonical == case.get("canonical", f"urn:{case['nid']}:{case['nss']}")
    assert findings == []


@pytest.mark.parametrize("case", broken("urn_2141.jsonl"), ids=lambda case: repr(case["text"]))
def test_the_older_reading_refuses(case: dict[str, object]) -> None:
    with pytest.raises(urn.UrnSyntaxError) as caught:
        urn.parse_2141(str(case["text"]))
    assert str(case["error"]) in caught.value.problem
    assert (caught.value.start, caught.value.end) == (case["start"], case["end"])
    assert caught.value.text == case["text"]
    assert caught.value.rule.startswith("RFC 2141")


@pytest.mark.parametrize("case", broken("urn_2141.jsonl"), ids=lambda case: repr(case["text"]))
def test_cleaning_is_reported(case: dict[str, object]) -> None:
    text = str(case["text"])
    findings: list[Finding] = []
    if case.get("cleaned") is None:
        with pytest.raises(urn.UrnSyntaxError) as caught:
            urn.parse_2141(text, on_cleaning=findings.append)
        assert str(case.get("again", case["error"])) in caught.value.problem
        assert findings == []
        return
    name = urn.parse_2141(text, on_cleaning=findings.append)
    assert (name.nid, name.nss) == (case["nid"], case["cleaned"])
    assert [found.code for found in findings] == case["findings"]
    for found in findings:
        assert not found.is_error
        assert found.rule.startswith("RFC 2141")
        assert 0 <= found.start < found.end <= len(text) == len(found.text)
        assert found.message.isprintable()
    assert urn.parse_2141(str(name)).nss == name.nss


def test_the_older_reading_takes_each_character_of_its_set_and_no_other() -> None:
    allowed = set(string.ascii_letters + string.digits + "()+,-.:=@;$_!*'" + "/?#")
    for character in map(chr, (*range(0x250), 0x2028, 0xFEFF, 0xFF0F, 0x1F600)):
        text = f"urn:ab:x{character}y"
        if character in allowed:
            assert urn.parse_2141(text).nss == f"x{character}y"
            continue
        with pytest.raises(urn.UrnSyntaxError) as caught:
            urn.parse_2141(text)
        assert caught.value.start == len("urn:ab:x")


def test_a_finding_points_at_the_text_as_given() -> None:
    findings: list[Finding] = []
    urn.parse_2141(" urn:ab:xé\n", on_cleaning=findings.append)
    assert [(found.code, found.start, found.end) for found in findings] == [
        ("LX990", 0, 11),
        ("LX993", 9, 10),
    ]


@pytest.mark.parametrize("case", read("urn_equivalence.jsonl"), ids=lambda case: case["second"])
def test_equivalence(case: dict[str, object]) -> None:
    first, second = urn.parse(str(case["first"])), urn.parse(str(case["second"]))
    assert (first == second) is case["equal"]
    assert (first.canonical == second.canonical) is case["equal"]
    assert (len({first, second}) == 1) is case["equal"]


def test_a_urn_is_no_text() -> None:
    assert urn.parse("urn:ab:c") != "urn:ab:c"


def test_a_urn_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        urn.parse("urn:ab:c").nss = "d"  # type: ignore[misc]


def test_a_urn_can_be_pickled() -> None:
    name = urn.parse("urn:ab:c?+d?=e#f")
    assert str(pickle.loads(pickle.dumps(name))) == str(name)


def test_long_texts_are_read() -> None:
    long = "a%41" * 500_000
    assert urn.parse(f"urn:ab:{long}?+{long}?={long}#{long}").f == long
    cleaned = urn.parse_2141("urn:ab:" + "é" * 500_000 + " " * 500_000, on_cleaning=print)
    assert len(cleaned.nss) == 3_000_000


@pytest.mark.parametrize("fault", ["|", "%", "?", "#a#"])
def test_a_fault_behind_a_long_text_is_found(fault: str) -> None:
    text = "urn:ab:" + "a" * 1_000_000 + fault
    with pytest.raises(urn.UrnSyntaxError) as caught:
        urn.parse(text)
    assert caught.value.start >= 1_000_007
