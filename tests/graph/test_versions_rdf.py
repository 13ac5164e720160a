"""Version chains, case by case, read back from the RDF by SPARQL.

Nothing here asks the model's values: the cases say what the graph must say.
"""

from __future__ import annotations

import datetime as dt
from itertools import pairwise

import pytest
from version_cases import FAULTY, SOUND, days_of, records_of

from lexurn.graph import graph_of
from lexurn.model import ModelError

pyoxigraph = pytest.importorskip("pyoxigraph")

PREFIXES = """
PREFIX dcat: <http://www.w3.org/ns/dcat#>
PREFIX iana: <http://www.iana.org/assignments/relation/>
PREFIX lexo: <https://w3id.org/lexurn/ns#>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
"""
QUERIES = {
    "first": "SELECT ?a ?b { ?a iana:first ?b }",
    "last": "SELECT ?a ?b { ?a iana:last ?b }",
    "previous": "SELECT ?a ?b { ?a iana:previous ?b }",
    "next": "SELECT ?a ?b { ?a iana:next ?b }",
    "history": "SELECT ?a ?b { ?a iana:version-history ?b }",
    "current": "SELECT ?a ?b { ?a iana:current ?b }",
    "has version": "SELECT ?a ?b { ?a dcat:hasVersion ?b }",
    "has current version": "SELECT ?a ?b { ?a dcat:hasCurrentVersion ?b }",
    "as of": "SELECT ?a ?b { ?a lexo:asOf ?b }",
    "same as": "SELECT ?a ?b { ?a owl:sameAs ?b }",
}
CASE_DAYS = [(case, day) for case in SOUND for day in days_of(case)]
WALKS = [
    pytest.param(chain, case, id=f"{case['id']}-{chain['language']}-{number}")
    for case in SOUND
    for number, chain in enumerate(case["chains"])
]


def store_of(case, day):
    """A store of another maker than the graph's, filled with the graph of a case."""
    graph = graph_of(records_of(case), as_of=dt.date.fromisoformat(day))
    store = pyoxigraph.Store()
    store.load(graph.serialize(format="nt", encoding="utf-8"), pyoxigraph.RdfFormat.N_TRIPLES)
    return store


def answers(store, query):
    """The rows of a query, each a tuple of texts."""
    return {tuple(term.value for term in row) for row in store.query(PREFIXES + query)}


def expected_of(case, day):
    """What each query must answer, from the order of the versions in a case."""
    expected = {relation: set() for relation in QUERIES}
    same = [pair for pair in case["same_as"] if pair[0] not in case.get("replaced", ())]
    expected["same as"] = {tuple(map(iri_of, pair)) for pair in same}
    for chain in case["chains"]:
        work = iri_of(chain["work"])
        nodes = [iri_of(names[0]) for names in chain["versions"]]
        current, since = chain["current"][day]
        if "first" not in chain:  # else it is null: the original is not known
            expected["first"] |= {(node, nodes[0]) for node in nodes}
        expected["last"] |= {(node, nodes[-1]) for node in nodes}
        expected["previous"] |= {(b, a) for a, b in pairwise(nodes)}
        expected["next"] |= set(pairwise(nodes))
        expected["history"] |= {(node, work) for node in nodes}
        expected["has version"] |= {(work, node) for node in nodes}
        if current is not None:
            expected["current"] |= {(node, iri_of(current)) for node in nodes}
            expected["has current version"].add((work, iri_of(current)))
        if since is not None:
            expected["as of"] |= {(node, since) for node in nodes}
    return expected


def iri_of(name):
    return name.replace("|", "%7C")


@pytest.mark.parametrize(("case", "day"), CASE_DAYS, ids=[f"{c['id']}-{d}" for c, d in CASE_DAYS])
def test_relations(case, day):
    store = store_of(case, day)
    found = {relation: answers(store, query) for relation, query in QUERIES.items()}
    expected = expected_of(case, day)
    assert {k: v for k, v in found.items() if v} == {k: v for k, v in expected.items() if v}


@pytest.mark.parametrize(("chain", "case"), WALKS)
def test_a_walk_from_any_name_of_the_first_version_meets_all(chain, case):
    store = store_of(case, days_of(case)[0])
    nodes = [iri_of(names[0]) for names in chain["versions"]]
    for name in set(chain["versions"][0]) - set(case.get("replaced", ())):
        query = f"SELECT ?b {{ <{iri_of(name)}> (owl:sameAs|^owl:sameAs)*/iana:next* ?b }}"
        reached = {node for (node,) in answers(store, query)}
        assert reached >= set(nodes)


@pytest.mark.parametrize("case", FAULTY, ids=[case["id"] for case in FAULTY])
def test_no_graph_of_records_that_contradict_each_other(case):
    with pytest.raises(ModelError, match=case["error"]):
        graph_of(records_of(case), as_of=dt.date(2026, 1, 1))


def test_asking_for_the_day_that_the_graph_names_gives_the_same_graph():
    for case in SOUND:
        day = days_of(case)[-1]
        since = {
            since for (since,) in answers(store_of(case, day), "SELECT ?b { ?a lexo:asOf ?b }")
        }
        if len(since) == 1:
            assert set(store_of(case, since.pop())) == set(store_of(case, day)), case["id"]
