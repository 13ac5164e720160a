"""A catalogue checked in chunks: what is found is what a check of the whole graph finds."""

from __future__ import annotations

from itertools import pairwise

import pyoxigraph
import pytest
from check_graphs import SAMPLE, Case, broken, cases, sound
from check_runs import (
    as_a_whole,
    in_chunks,
    store_of,
)

from lexurn import data
from lexurn.catalogue.chunks import (
    CLASSED_LINKS,
    FOLLOWED_LINKS,
    INVERSE_LINKS,
    UPWARD_LINKS,
)
from lexurn.graph import Statements


@pytest.mark.parametrize("most", [1, 5, 1_000])
def test_a_sound_catalogue_has_the_same_findings_in_chunks(most: int) -> None:
    statements = sound()
    assert in_chunks(store_of(statements), most) == as_a_whole(statements)


def cases_across() -> list[Case]:
    """Faults that shapes of links see; those of a name alone (every seventh here) never cross."""
    alone = (data.find_folder("shapes") / "names.ttl").read_text(encoding="utf-8")
    return [
        case
        for place, case in enumerate(cases())
        if place % 7 == 0 or any(f"lexs:{shape}\n" not in alone for shape in case.shapes)
    ]


@pytest.mark.parametrize("case", cases_across()[::SAMPLE], ids=lambda case: case.id)
def test_a_fault_is_found_in_chunks_as_in_the_whole_graph(case: Case) -> None:
    statements = broken(case)
    assert in_chunks(store_of(statements), 1) == as_a_whole(statements)


SH = "http://www.w3.org/ns/shacl#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def shape_triples() -> list[tuple[str, str, str]]:
    files = sorted(data.find_folder("shapes").glob("*.ttl"))
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    quads = pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)
    return [(str(q.subject), q.predicate.value, str(q.object)) for q in quads]


def test_links_that_shapes_follow_backwards_are_known() -> None:
    triples = shape_triples()
    followed = {o for _, p, o in triples if p in {f"{SH}inversePath", f"{SH}targetObjectsOf"}}
    assert {each.strip("<>") for each in followed} == INVERSE_LINKS


def test_links_behind_which_shapes_look_on_are_known() -> None:
    """Whatever stands in a sequence path before its last step leads to a node that is read."""
    triples = shape_triples()
    first = {s: o for s, p, o in triples if p == f"{RDF}first"}
    rest = {s: o for s, p, o in triples if p == f"{RDF}rest"}
    inside: dict[str, set[str]] = {}
    for s, p, o in triples:
        if p.startswith(SH) and p.endswith("Path"):
            inside.setdefault(s, set()).add(o)
    heads = [o for s, p, o in triples if p == f"{SH}path" and o in first]

    def links(node: str) -> set[str]:
        if node.startswith("<"):
            return {node.strip("<>")}
        if node in first:
            return links(first[node]) | links(rest[node]) - {f"{RDF}nil"}
        return {link for part in inside.get(node, ()) for link in links(part)}

    passed: set[str] = set()
    for head in heads:
        step = head
        while rest[step] != f"<{RDF}nil>":
            passed |= links(first[step])
            step = rest[step]
    assert heads
    assert passed <= FOLLOWED_LINKS | UPWARD_LINKS | INVERSE_LINKS


def test_links_whose_ends_must_be_of_a_class_are_known() -> None:
    triples = shape_triples()
    of_class = {s for s, p, _ in triples if p == f"{SH}class"}
    paths = {o.strip("<>") for s, p, o in triples if p == f"{SH}path" and s in of_class}
    assert {each for each in paths if not each.startswith("_:")} <= CLASSED_LINKS | FOLLOWED_LINKS


def test_a_sound_catalogue_has_in_chunks_what_pyshacl_finds_in_the_whole() -> None:
    statements = sound()
    assert in_chunks(store_of(statements), 5) == as_a_whole(statements, "reference")


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_long_way_of_aliases_over_many_chunks_is_a_loop_only_where_it_is_closed(
    is_closed: bool,
) -> None:
    names = [f"<urn:lex:it:stato:legge:2000-01-01;{number}>" for number in range(1_000)]
    ways = list(pairwise([*names, names[0]] if is_closed else names))
    same = "<http://www.w3.org/2002/07/owl#sameAs>"
    store = store_of(Statements(catalogued=tuple((one, same, other) for one, other in ways)))
    looping = [each for each in in_chunks(store, 100) if each.rule == "AliasLoop"]
    assert len(looping) == (len(names) if is_closed else 0)
