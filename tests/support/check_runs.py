"""Checks of a store in chunks, node by node, and as a whole, for comparison."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.catalogue.check import (
    FROM_LAYERS,
    Excerpt,
    check_excerpt,
    find_alias_loops,
    read_excerpt,
    read_excerpts,
    read_subclasses,
)
from lexurn.catalogue.chunks import StoreScan
from lexurn.catalogue.report import CheckFinding, convert_result, list_shape_rules
from lexurn.graph import Layer, Statements
from lexurn.shacl import validate
from lexurn.store.embedded import EmbeddedStore
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.store import Store

SUBJECTS = f"SELECT DISTINCT ?s {FROM_LAYERS} WHERE {{ ?s ?p ?o }}"


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
    """What is found in nodes that were read in one go."""
    common = read_subclasses(store)
    with TemporaryDirectory() as folder, closing(StoreScan(Path(folder))) as scan:
        scan.read(store, Workers(1), None, quiet)
        parts = (read_excerpts(store, each, common, most) for each in scan.portions(most))
        return found_in(store, chain.from_iterable(parts))


def looked_up(store: Store, most: int) -> set[CheckFinding]:
    """What is found in nodes that are looked up one by one."""
    common = read_subclasses(store)
    terms = {term for row in store.query(SUBJECTS) for term in row}
    nodes = sorted(each.value for each in terms if isinstance(each, pyoxigraph.NamedNode))
    chunks = [nodes[start : start + most] for start in range(0, len(nodes), most)]
    return found_in(store, (read_excerpt(store, each, common) for each in chunks))


def found_in(store: Store, excerpts: Iterable[Excerpt]) -> set[CheckFinding]:
    found = set(find_alias_loops(store))
    shapes = frozenset(list_shape_rules()) - {"AliasLoop"}
    for excerpt in excerpts:
        found.update(check_excerpt(excerpt, shapes).findings)
    return {without_label(each) for each in found}


def as_a_whole(statements: Statements, engine: str = "bulk") -> set[CheckFinding]:
    results = validate(statements, engine=engine).results  # type: ignore[arg-type]
    return {without_label(convert_result(each)) for each in results}


def without_label(finding: CheckFinding) -> CheckFinding:
    """Labels of blank nodes are everybody's own."""
    return replace(finding, focus=unlabelled(finding.focus), value=unlabelled(finding.value or ""))


def unlabelled(term: str) -> str:
    return "_:" if term.startswith("_:") else term
