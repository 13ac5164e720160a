"""Stores: quads in three named graphs, asked by SPARQL 1.1.

Takes queries as texts or query files, in a folder, in memory, or on a SPARQL 1.1 server.
Gives rows, triples or truths, within limits of time and memory, and written in any format.
Read in this order: protocol, sparql, embedded, endpoint, http, remote_answers, remote, answers,
queries, child, query_files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.store.answers import (
        AnswerFormat,
        NamedRows,
        QueryAnswer,
        Solutions,
        Triples,
        explain_faults,
        write_answer,
    )
    from lexurn.store.child import limit_resources, serve
    from lexurn.store.embedded import EmbeddedStore
    from lexurn.store.endpoint import is_remote
    from lexurn.store.protocol import Store, format_literal, select_rows, select_values
    from lexurn.store.queries import (
        ALLOWABLE,
        QueryLimits,
        QueryProcess,
        QueryTask,
        check_query,
        query,
        run_task,
    )
    from lexurn.store.query_files import (
        Parameter,
        ParameterKind,
        ReadyQuery,
        find_ready_query,
        list_ready_queries,
        parse_query_file,
        ready,
    )
    from lexurn.store.remote import RemoteStore
    from lexurn.store.remote_answers import (
        Term,
        TruncatedAnswerError,
        read_count,
        select_in_parts,
        select_triples_in_parts,
    )
    from lexurn.store.sparql import QueryForm, add_limit, scan_query

__all__ = [
    "ALLOWABLE",
    "AnswerFormat",
    "EmbeddedStore",
    "NamedRows",
    "Parameter",
    "ParameterKind",
    "QueryAnswer",
    "QueryForm",
    "QueryLimits",
    "QueryProcess",
    "QueryTask",
    "ReadyQuery",
    "RemoteStore",
    "Solutions",
    "Store",
    "Term",
    "Triples",
    "TruncatedAnswerError",
    "add_limit",
    "check_query",
    "explain_faults",
    "find_ready_query",
    "format_literal",
    "is_remote",
    "limit_resources",
    "list_ready_queries",
    "parse_query_file",
    "query",
    "read_count",
    "ready",
    "run_task",
    "scan_query",
    "select_in_parts",
    "select_rows",
    "select_triples_in_parts",
    "select_values",
    "serve",
    "write_answer",
]

__getattr__, __dir__ = attach(__name__)
