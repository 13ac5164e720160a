"""Identifiers in published documents: put in, and read out again (RFC 9676 section 1.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.rooms import on_request

if TYPE_CHECKING:
    from lexurn.embedding._document import Document, document_of, opened
    from lexurn.embedding._edit import Change, Edit, applied, edited
    from lexurn.embedding._embed import check_base, embed, remove, target_of
    from lexurn.embedding._extracting import extract, extract_document
    from lexurn.embedding._extraction import (
        Extraction,
        FoundIdentifier,
        FoundName,
        FoundRelation,
        Said,
    )
    from lexurn.embedding._extraction_json import extraction_json
    from lexurn.embedding._extraction_lots import extract_files, extract_folder
    from lexurn.embedding._extraction_merging import merged_rows
    from lexurn.embedding._extraction_rows import csv_of, rdf_of, rows_of
    from lexurn.embedding._findings import DocumentFinding, EmbeddingError
    from lexurn.embedding._folder import embed_folder, remove_folder
    from lexurn.embedding._format import Format
    from lexurn.embedding._formats import format_named, formats
    from lexurn.embedding._outcome import Done, Outcome, json_of
    from lexurn.embedding._site import Site, site_of
    from lexurn.embedding._sniff import Sniffed, sniffed
    from lexurn.embedding._statement import Reading, Statement, Way
    from lexurn.embedding._treating import Manner, Wish, treated

__all__ = [
    "Change",
    "Document",
    "DocumentFinding",
    "Done",
    "Edit",
    "EmbeddingError",
    "Extraction",
    "Format",
    "FoundIdentifier",
    "FoundName",
    "FoundRelation",
    "Manner",
    "Outcome",
    "Reading",
    "Said",
    "Site",
    "Sniffed",
    "Statement",
    "Way",
    "Wish",
    "applied",
    "check_base",
    "csv_of",
    "document_of",
    "edited",
    "embed",
    "embed_folder",
    "extract",
    "extract_document",
    "extract_files",
    "extract_folder",
    "extraction_json",
    "format_named",
    "formats",
    "json_of",
    "merged_rows",
    "opened",
    "rdf_of",
    "remove",
    "remove_folder",
    "rows_of",
    "site_of",
    "sniffed",
    "target_of",
    "treated",
]

# To put a name in, nothing needs to be read out.
_MODULES = {
    "Change": "_edit",
    "Document": "_document",
    "DocumentFinding": "_findings",
    "Done": "_outcome",
    "Edit": "_edit",
    "EmbeddingError": "_findings",
    "Extraction": "_extraction",
    "Format": "_format",
    "FoundIdentifier": "_extraction",
    "FoundName": "_extraction",
    "FoundRelation": "_extraction",
    "Manner": "_treating",
    "Outcome": "_outcome",
    "Reading": "_statement",
    "Said": "_extraction",
    "Site": "_site",
    "Sniffed": "_sniff",
    "Statement": "_statement",
    "Way": "_statement",
    "Wish": "_treating",
    "applied": "_edit",
    "check_base": "_embed",
    "csv_of": "_extraction_rows",
    "document_of": "_document",
    "edited": "_edit",
    "embed": "_embed",
    "embed_folder": "_folder",
    "extract": "_extracting",
    "extract_document": "_extracting",
    "extract_files": "_extraction_lots",
    "extract_folder": "_extraction_lots",
    "extraction_json": "_extraction_json",
    "format_named": "_formats",
    "formats": "_formats",
    "json_of": "_outcome",
    "merged_rows": "_extraction_merging",
    "opened": "_document",
    "rdf_of": "_extraction_rows",
    "remove": "_embed",
    "remove_folder": "_folder",
    "rows_of": "_extraction_rows",
    "site_of": "_site",
    "sniffed": "_sniff",
    "target_of": "_embed",
    "treated": "_treating",
}

__getattr__ = on_request(__name__, _MODULES)
