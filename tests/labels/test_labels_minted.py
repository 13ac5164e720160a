"""Law of labels: minting a label gives the name again, or nothing.

The names are the examples of the registry and the public cases of citations: each sixth of them,
all with LEXURN_FULL=1.
``tests/cases/labels_minted.json`` bounds what is not so today, and may only shrink: how many
labels in a hundred minting refuses, and the names whose label gives another one, with a warning or
silently.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sizes import one_in

from lexurn.labels import make_label
from lexurn.minting import try_mint
from lexurn.name import parse
from lexurn.registry import Kind, load_registry

if TYPE_CHECKING:
    from collections.abc import Callable

CORPUS = os.environ.get("LEXURN_CORPUS")
BOUNDS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "cases" / "labels_minted.json").read_text(encoding="utf-8")
)


def list_examples() -> set[str]:
    known = load_registry()
    return {
        example
        for code in known.jurisdictions()
        for kind in (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT)
        for entry in known.lexicon(kind, code)
        for example in entry.examples
    }


def list_cases() -> set[str]:
    if CORPUS is None:
        pytest.skip("LEXURN_CORPUS is not set")
    text = (Path(CORPUS) / "citations" / "citations.jsonl").read_text(encoding="utf-8")
    return {name for line in text.splitlines() if (name := json.loads(line)["urn"])}


def mint_label(text: str) -> tuple[str, str, str]:
    """Mint the label of an act: what comes of it, the name of the act, and the label."""
    act = parse(text).act_name
    labelled, numbers = make_label(act), act.work.details.numbers
    fields: dict[str, object] = {
        "citation": labelled.text,
        "jurisdiction": act.jurisdiction.code,
        "units": list(act.jurisdiction.units),
        "language": labelled.language,
    }
    if act.work.details.is_lex_number:  # a citation cannot say which of a day's acts is meant
        fields["unnumbered"] = int(numbers[0].removeprefix("lex-"))
    minted = try_mint({key: value for key, value in fields.items() if value})
    shown = f"{labelled.text!r} gives {minted.name}"
    # The registry gives one name to an act that has a title: Brottsbalken, Código Penal.
    types = load_registry().law(act.jurisdiction.code).measures.by_notation(str(act.work.measure))
    if minted.name is None:
        outcome = "refused"
    elif str(minted.name) in {str(act), *(entry.name for entry in types)}:
        outcome = "same"
    elif any(found.severity == "warning" for found in minted.findings):
        outcome = "warned"
    else:
        outcome = "silent"
    return outcome, str(act), shown


@pytest.mark.parametrize(("corpus", "listed"), [("examples", list_examples), ("cases", list_cases)])
def test_a_label_mints_its_name_again(corpus: str, listed: Callable[[], set[str]]) -> None:
    outcomes: dict[str, dict[str, str]] = {"same": {}, "refused": {}, "warned": {}, "silent": {}}
    for name in sorted(listed())[:: one_in(6)]:
        outcome, act, shown = mint_label(name)
        outcomes[outcome][act] = shown
    total = sum(map(len, outcomes.values()))
    assert len(outcomes["refused"]) * 100 <= BOUNDS["refused"][corpus] * total
    known = {*BOUNDS["warned"], *BOUNDS["silent"]}
    others = outcomes["warned"] | outcomes["silent"]
    assert {act: others[act] for act in others if act not in known} == {}
    assert outcomes["silent"].keys() <= {*BOUNDS["silent"]}
