"""The catalogue room: names and their graphs kept, queried, checked and resolved (RFC 9676 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.rooms import on_request

if TYPE_CHECKING:
    from lexurn.catalogue._about import is_catalogue
    from lexurn.catalogue._answer import Answer, Candidate, Copy, Document, Edition
    from lexurn.catalogue._answer_json import answer_json
    from lexurn.catalogue._catalogue import Catalogue, open_catalogue
    from lexurn.catalogue._check import check_catalogue, check_rules
    from lexurn.catalogue._check_formats import CheckFormat, write_check
    from lexurn.catalogue._check_shown import verdict_of
    from lexurn.catalogue._check_spool import CatalogueReport
    from lexurn.catalogue._check_values import (
        CheckFinding,
        CheckOptions,
        CheckRule,
        RuleCount,
    )
    from lexurn.catalogue._dump import dump, refuse_inside_catalogue
    from lexurn.catalogue._given import Given, GivenName, given_in
    from lexurn.catalogue._limited import query, query_at, update_at
    from lexurn.catalogue._load import LoadOptions, LoadReport, load, load_manifest
    from lexurn.catalogue._load_rdf import load_rdf
    from lexurn.catalogue._memory import MemoryHoldings
    from lexurn.catalogue._parameters import Parameter, ParameterKind
    from lexurn.catalogue._protocols import Holdings, Store
    from lexurn.catalogue._queries import (
        ReadyQuery,
        query_of,
        ready,
        ready_queries,
        ready_query,
    )
    from lexurn.catalogue._rdf_built import RdfBuilt, build_rdf
    from lexurn.catalogue._rdf_source import RdfSource, rdf_families
    from lexurn.catalogue._rdf_spool import RdfGroup
    from lexurn.catalogue._reasons import REASONS, Match, Reason, ReasonRule
    from lexurn.catalogue._refusals import Refusal
    from lexurn.catalogue._resolve import resolve
    from lexurn.catalogue._solutions import QueryAnswer, Solutions, Triples
    from lexurn.catalogue._sparql import QueryForm, scan
    from lexurn.catalogue._stats import Stats, stats_of
    from lexurn.catalogue._tables import AnswerFormat, write_answer
    from lexurn.catalogue._unreadable import Mended, UnreadableError
    from lexurn.catalogue._upkeep import optimize, rebuild, refresh
    from lexurn.catalogue._withdraw import Withdrawal, WithdrawalOutcome, withdraw

__all__ = [
    "REASONS",
    "Answer",
    "AnswerFormat",
    "Candidate",
    "Catalogue",
    "CatalogueReport",
    "CheckFinding",
    "CheckFormat",
    "CheckOptions",
    "CheckRule",
    "Copy",
    "Document",
    "Edition",
    "Given",
    "GivenName",
    "Holdings",
    "LoadOptions",
    "LoadReport",
    "Match",
    "MemoryHoldings",
    "Mended",
    "Parameter",
    "ParameterKind",
    "QueryAnswer",
    "QueryForm",
    "RdfBuilt",
    "RdfGroup",
    "RdfSource",
    "ReadyQuery",
    "Reason",
    "ReasonRule",
    "Refusal",
    "RuleCount",
    "Solutions",
    "Stats",
    "Store",
    "Triples",
    "UnreadableError",
    "Withdrawal",
    "WithdrawalOutcome",
    "answer_json",
    "build_rdf",
    "check_catalogue",
    "check_rules",
    "dump",
    "given_in",
    "is_catalogue",
    "load",
    "load_manifest",
    "load_rdf",
    "open_catalogue",
    "optimize",
    "query",
    "query_at",
    "query_of",
    "rdf_families",
    "ready",
    "ready_queries",
    "ready_query",
    "rebuild",
    "refresh",
    "refuse_inside_catalogue",
    "resolve",
    "scan",
    "stats_of",
    "update_at",
    "verdict_of",
    "withdraw",
    "write_answer",
    "write_check",
]

# To resolve a name, no engine needs to be loaded.
_MODULES = {
    "REASONS": "_reasons",
    "Answer": "_answer",
    "AnswerFormat": "_tables",
    "Candidate": "_answer",
    "Catalogue": "_catalogue",
    "CatalogueReport": "_check_spool",
    "CheckFinding": "_check_values",
    "CheckFormat": "_check_formats",
    "CheckOptions": "_check_values",
    "CheckRule": "_check_values",
    "Copy": "_answer",
    "Document": "_answer",
    "Edition": "_answer",
    "Given": "_given",
    "GivenName": "_given",
    "Holdings": "_protocols",
    "LoadOptions": "_load",
    "LoadReport": "_load",
    "Match": "_reasons",
    "MemoryHoldings": "_memory",
    "Mended": "_unreadable",
    "Parameter": "_parameters",
    "ParameterKind": "_parameters",
    "QueryAnswer": "_solutions",
    "QueryForm": "_sparql",
    "RdfBuilt": "_rdf_built",
    "RdfGroup": "_rdf_spool",
    "RdfSource": "_rdf_source",
    "ReadyQuery": "_queries",
    "Reason": "_reasons",
    "ReasonRule": "_reasons",
    "Refusal": "_refusals",
    "RuleCount": "_check_values",
    "Solutions": "_solutions",
    "Stats": "_stats",
    "Store": "_protocols",
    "Triples": "_solutions",
    "UnreadableError": "_unreadable",
    "Withdrawal": "_withdraw",
    "WithdrawalOutcome": "_withdraw",
    "answer_json": "_answer_json",
    "build_rdf": "_rdf_built",
    "check_catalogue": "_check",
    "check_rules": "_check",
    "dump": "_dump",
    "given_in": "_given",
    "is_catalogue": "_about",
    "load": "_load",
    "load_manifest": "_load",
    "load_rdf": "_load_rdf",
    "open_catalogue": "_catalogue",
    "optimize": "_upkeep",
    "query": "_limited",
    "query_at": "_limited",
    "query_of": "_queries",
    "rdf_families": "_rdf_source",
    "ready": "_queries",
    "ready_queries": "_queries",
    "ready_query": "_queries",
    "rebuild": "_upkeep",
    "refresh": "_upkeep",
    "refuse_inside_catalogue": "_dump",
    "resolve": "_resolve",
    "scan": "_sparql",
    "stats_of": "_stats",
    "update_at": "_limited",
    "withdraw": "_withdraw",
    "write_answer": "_tables",
    "verdict_of": "_check_shown",
    "write_check": "_check_formats",
}

__getattr__ = on_request(__name__, _MODULES)
