"""Whatever the bytes: no crash, and what goes in comes out again."""

from __future__ import annotations

from collections import Counter

from embedding_whole import DOCUMENTS, damaged, outcome
from sizes import size

from lexurn.documents.identification import FORMAT_MODULES

MANY = size(300, 1_000)


def test_sound_documents_take_a_name() -> None:
    keys = {outcome(f"a{suffix}", data) for suffix, data in DOCUMENTS}
    assert keys == set(FORMAT_MODULES)


def test_damaged_documents_keep_the_laws() -> None:
    outcomes = Counter(outcome(name, data) for name, data in damaged(1, MANY))
    assert outcomes["html"] > MANY * 0.05
    assert sum(each.startswith("LX") for each in outcomes) > 5
