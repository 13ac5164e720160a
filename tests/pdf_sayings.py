"""What is said of PDF files, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pdf_files import VERSION, embedded

from lexurn.embedding import EmbeddingError, Statement, document_of
from lexurn.embedding._pdf import FORMAT

if TYPE_CHECKING:
    from lexurn.export import Marking


def said(data: bytes) -> tuple[Statement, ...]:
    return FORMAT.read(document_of(data, "act.pdf")).statements


def ours(data: bytes) -> set[tuple[str, str, str | None]]:
    return {(each.term, each.value, each.language) for each in said(data) if each.is_ours}


def code_of(data: bytes, *, marking: Marking = VERSION, is_forced: bool = False) -> str:
    with pytest.raises(EmbeddingError) as error:
        embedded(data, marking, is_forced=is_forced)
    return error.value.finding.code


def codes_of_reading(data: bytes) -> set[str]:
    """What is said of a file when it is read."""
    try:
        return {each.code for each in FORMAT.read(document_of(data, "act.pdf")).findings}
    except EmbeddingError as error:
        return {error.finding.code}
