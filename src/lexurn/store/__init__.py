"""Stores: quads in three named graphs, queried by SPARQL 1.1.

In: queries as texts or query files, for a folder, memory, or a SPARQL 1.1 server.
Out: rows, triples or booleans, within limits of time and memory, and written in any format.
Read in this order: sparql, answers, embedded, endpoint, remote, queries, query_files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.store.answers import (
        NamedRows,
        QueryAnswer,
        Solutions,
        Store,
        Triples,
        explain_faults,
        format_literal,
        select_rows,
        write_answer,
    )
    from lexurn.store.embedded import EmbeddedStore
    from lexurn.store.endpoint import is_remote
    from lexurn.store.queries import (
        ALLOWABLE,
        CAN_LIMIT_MEMORY,
        NO_MEMORY_LIMIT,
        QueryLimits,
        QueryProcess,
        QueryTask,
        check_query,
        limit_resources,
        query,
        run_task,
        serve,
    )
    from lexurn.store.query_files import (
        BoundQuery,
        Parameter,
        ParameterKind,
        ParameterValue,
        ReadyQuery,
        find_ready_query,
        list_ready_queries,
        parse_query_file,
        ready,
    )
    from lexurn.store.remote import HttpStatusError, RemoteStore
    from lexurn.store.sparql import QueryForm, add_limit, scan_query

__all__ = [
    "ALLOWABLE",
    "CAN_LIMIT_MEMORY",
    "NO_MEMORY_LIMIT",
    "BoundQuery",
    "EmbeddedStore",
    "HttpStatusError",
    "NamedRows",
    "Parameter",
    "ParameterKind",
    "ParameterValue",
    "QueryAnswer",
    "QueryForm",
    "QueryLimits",
    "QueryProcess",
    "QueryTask",
    "ReadyQuery",
    "RemoteStore",
    "Solutions",
    "Store",
    "Triples",
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
    "ready",
    "run_task",
    "scan_query",
    "select_rows",
    "serve",
    "write_answer",
]

__getattr__, __dir__ = attach(__name__)
