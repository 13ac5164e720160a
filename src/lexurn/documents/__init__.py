"""Documents: LEX names embedded in published files, removed, and extracted (RFC 9676 section 1.4).

In: a file in one of nine formats, a name, and its record in a manifest.
Out: the file with the name in it, an `Outcome` and a diff; or an `Extraction` with all statements.
Read in this order: document, terms, names; containers (bytes), reading (pages), formats;
identification, results, changes, sidecars, embedding, folder; subject, values, extraction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.documents.document import (
        Change,
        Document,
        DocumentError,
        DocumentFormat,
        Edit,
        Notation,
        Reading,
        Statement,
        apply_edits,
        document_from_bytes,
    )
    from lexurn.documents.embedding import (
        EmbedOptions,
        EmbedRequest,
        check_base,
        embed,
        process_file,
        remove,
        resolve_target,
    )
    from lexurn.documents.extraction import (
        extract,
        extract_document,
        extract_files,
        extract_folder,
        extraction_to_rows,
        merge_rows,
        rows_to_csv,
        rows_to_rdf,
    )
    from lexurn.documents.folder import embed_folder, parse_site, remove_folder
    from lexurn.documents.identification import (
        identify_format,
        load_format,
    )
    from lexurn.documents.results import (
        Extraction,
        FoundIdentifier,
        FoundName,
        FoundRelation,
        Occurrence,
        Outcome,
        OutcomeStatus,
        extraction_to_json,
        outcome_to_json,
    )

__all__ = [
    "Change",
    "Document",
    "DocumentError",
    "DocumentFormat",
    "Edit",
    "EmbedOptions",
    "EmbedRequest",
    "Extraction",
    "FoundIdentifier",
    "FoundName",
    "FoundRelation",
    "Notation",
    "Occurrence",
    "Outcome",
    "OutcomeStatus",
    "Reading",
    "Statement",
    "apply_edits",
    "check_base",
    "document_from_bytes",
    "embed",
    "embed_folder",
    "extract",
    "extract_document",
    "extract_files",
    "extract_folder",
    "extraction_to_json",
    "extraction_to_rows",
    "identify_format",
    "load_format",
    "merge_rows",
    "outcome_to_json",
    "parse_site",
    "process_file",
    "remove",
    "remove_folder",
    "resolve_target",
    "rows_to_csv",
    "rows_to_rdf",
]

__getattr__, __dir__ = attach(__name__)
