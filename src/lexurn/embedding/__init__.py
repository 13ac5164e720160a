"""Identifiers in published documents: put in, and read out again (RFC 9676 section 1.4)."""

from __future__ import annotations

from lexurn.embedding._document import Document, document_of, opened
from lexurn.embedding._edit import Change, Edit, applied, edited
from lexurn.embedding._findings import DocumentFinding, EmbeddingError
from lexurn.embedding._format import Format
from lexurn.embedding._statement import Reading, Statement, Way

__all__ = [
    "Change",
    "Document",
    "DocumentFinding",
    "Edit",
    "EmbeddingError",
    "Format",
    "Reading",
    "Statement",
    "Way",
    "applied",
    "document_of",
    "edited",
    "opened",
]
