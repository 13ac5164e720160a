"""Catalogues: names and their graphs, kept in a folder (RFC 9676 section 9).

In: families from manifests and RDF, withdrawals, and metadata to mint names from.
Out: families by name, dumps, counts, names given out once, reports of a check, mirrors.
The base is catalogue (names and look-up), index (the names on disk) and folder (index and store).
Read in this order: catalogue, index, filling, folder; files, changes; rdf_statements, rdf_source,
loading, given, dumps; listings, ready, queries; report, chunks,
normalisation, collisions, check; server, mirror.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.catalogue.catalogue import (
        MemoryHoldings,
        NameLookup,
        find_years,
        list_some,
        make_number_key,
    )
    from lexurn.catalogue.check import check_catalogue, list_check_rules
    from lexurn.catalogue.dumps import dump
    from lexurn.catalogue.files import is_catalogue, refuse_inside_catalogue
    from lexurn.catalogue.folder import (
        Catalogue,
        open_catalogue,
        open_readable,
        open_server,
        rebuild,
    )
    from lexurn.catalogue.given import Minter, open_minter
    from lexurn.catalogue.loading import (
        LoadOptions,
        LoadReport,
        Refusal,
        Withdrawal,
        WithdrawalOutcome,
        load,
        load_manifest,
        load_rdf,
        optimize,
        refresh,
        withdraw,
    )
    from lexurn.catalogue.mirror import push
    from lexurn.catalogue.normalisation import (
        MOST_PARTS,
        LegalVocabulary,
        is_numeral,
        load_vocabulary,
        normalise_jurisdiction,
        write_as_words,
    )
    from lexurn.catalogue.queries import compute_stats, query_at, update_at
    from lexurn.catalogue.rdf_source import RdfSource, build_rdf, open_rdf_source
    from lexurn.catalogue.report import (
        CatalogueReport,
        CheckFinding,
        CheckFormat,
        CheckOptions,
        format_verdict,
        write_check_report,
    )
    from lexurn.catalogue.server import ServerCatalogue

__all__ = [
    "MOST_PARTS",
    "Catalogue",
    "CatalogueReport",
    "CheckFinding",
    "CheckFormat",
    "CheckOptions",
    "LegalVocabulary",
    "LoadOptions",
    "LoadReport",
    "MemoryHoldings",
    "Minter",
    "NameLookup",
    "RdfSource",
    "Refusal",
    "ServerCatalogue",
    "Withdrawal",
    "WithdrawalOutcome",
    "build_rdf",
    "check_catalogue",
    "compute_stats",
    "dump",
    "find_years",
    "format_verdict",
    "is_catalogue",
    "is_numeral",
    "list_check_rules",
    "list_some",
    "load",
    "load_manifest",
    "load_rdf",
    "load_vocabulary",
    "make_number_key",
    "normalise_jurisdiction",
    "open_catalogue",
    "open_minter",
    "open_rdf_source",
    "open_readable",
    "open_server",
    "optimize",
    "push",
    "query_at",
    "rebuild",
    "refresh",
    "refuse_inside_catalogue",
    "update_at",
    "withdraw",
    "write_as_words",
    "write_check_report",
]

__getattr__, __dir__ = attach(__name__)
