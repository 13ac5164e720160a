"""What is said of PDF files, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pdf_files import VERSION, embedded

from lexurn.documents import DocumentError, Statement, document_from_bytes
from lexurn.documents.formats.pdf import FORMAT

if TYPE_CHECKING:
    from lexurn.pages import DocumentMetadata


def said(data: bytes) -> tuple[Statement, ...]:
    return FORMAT.read(document_from_bytes(data, "act.pdf")).statements


def ours(data: bytes) -> set[tuple[str, str, str | None]]:
    return {(each.term, each.value, each.language) for each in said(data) if each.is_embedded}


def code_of(data: bytes, *, marking: DocumentMetadata = VERSION, is_forced: bool = False) -> str:
    with pytest.raises(DocumentError) as error:
        embedded(data, marking, is_forced=is_forced)
    return error.value.finding.code


def codes_of_reading(data: bytes) -> set[str]:
    """What is said of a file when it is read."""
    try:
        return {each.code for each in FORMAT.read(document_from_bytes(data, "act.pdf")).findings}
    except DocumentError as error:
        return {error.finding.code}
