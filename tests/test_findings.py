from __future__ import annotations

import string

from lexurn.findings import Severity, load_codes, make_finding


def test_codes_are_sorted_and_shaped() -> None:
    codes = list(load_codes())
    assert codes == sorted(codes)
    assert all(len(code) == 5 and code[:2] == "LX" and code[2:].isdigit() for code in codes)


def test_every_code_has_a_rule_and_a_message_that_can_be_filled() -> None:
    for code, row in load_codes().items():
        assert row.rule, code
        assert row.message == row.message.strip() != "", code
        assert list(string.Formatter().parse(row.message)), code


def test_a_finding_is_filled_from_its_code() -> None:
    found = make_finding("LX911", "a", "b", file="my.ttl", line=3)
    assert found.message == "a is replaced by b, which is unknown; add that entry"
    assert (found.severity, found.rule, found.is_error) == (Severity.ERROR, "RFC 9676 §2.2", True)
    assert found.location == "my.ttl:3"


def test_places_of_files_without_lines() -> None:
    assert make_finding("LX606").location == ""
    assert make_finding("LX606", file="a.ttl").location == "a.ttl"
