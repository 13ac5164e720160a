"""Resolver: the names of a catalogue for a given name, exact or not (RFC 9676 section 10.3).

In: any text that may be a name, and the holdings of a catalogue.
Out: an answer: candidates with their versions, documents and copies, and a reason for each step.
Read in this order: answer, readings, family, comparison, target, partial_matches, resolution.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.resolver.answer import (
        REASONS,
        Answer,
        Candidate,
        Copy,
        Document,
        Edition,
        Match,
        Reason,
        make_answer_json,
    )
    from lexurn.resolver.resolution import resolve

__all__ = [
    "REASONS",
    "Answer",
    "Candidate",
    "Copy",
    "Document",
    "Edition",
    "Match",
    "Reason",
    "make_answer_json",
    "resolve",
]

__getattr__, __dir__ = attach(__name__)
