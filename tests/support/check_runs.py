"""Checks of a store in chunks and as a whole, for comparison."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from lexurn.catalogue.check import check_excerpt, find_alias_loops
from lexurn.catalogue.excerpts import (
    Excerpt,
    gather_nodes,
    read_blank_excerpt,
    read_excerpt,
    read_subclasses,
    split_nodes,
)
from lexurn.catalogue.findings import (
    CheckFinding,
    CheckSpool,
    convert_result,
    list_shape_rules,
)
from lexurn.graph import Layer, Statements
from lexurn.shacl import validate
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.store import Store


def quiet(_what: str, _done: int, _total: int | None) -> None:
    pass


def store_of(statements: Statements) -> EmbeddedStore:
    store = EmbeddedStore(None, write=True)
    lines = (
        f"{subject} {predicate} {value} <{layer.iri}> .\n"
        for layer in Layer
        for subject, predicate, value in statements.layer(layer)
    )
    store.fill("".join(lines).encode())
    return store


def in_chunks(store: Store, most: int) -> set[CheckFinding]:
    """What is found in chunks of about so many nodes."""
    common = read_subclasses(store)
    with closing(CheckSpool()) as spool:
        is_blank = gather_nodes(store, spool, quiet)
        excerpts = (read_excerpt(store, each, common) for each in split_nodes(spool, most))
        return found_in(store, excerpts, is_blank=is_blank)


def found_in(store: Store, excerpts: Iterable[Excerpt], *, is_blank: bool) -> set[CheckFinding]:
    found = set(find_alias_loops(store))
    shapes = frozenset(list_shape_rules()) - {"AliasLoop"}
    for excerpt in excerpts:
        findings, counts = check_excerpt(excerpt, shapes)
        found.update(findings)
        is_blank = is_blank or counts.has_blank_nodes
    if is_blank:
        blank = read_blank_excerpt(store, read_subclasses(store))
        found.update(check_excerpt(blank, shapes)[0])
    return {without_label(each) for each in found}


def as_a_whole(statements: Statements, engine: str = "bulk") -> set[CheckFinding]:
    results = validate(statements, engine=engine).results  # type: ignore[arg-type]
    return {without_label(convert_result(each)) for each in results}


def without_label(finding: CheckFinding) -> CheckFinding:
    """Labels of blank nodes are everybody's own."""
    return replace(finding, focus=unlabelled(finding.focus), value=unlabelled(finding.value or ""))


def unlabelled(term: str) -> str:
    return "_:" if term.startswith("_:") else term
