"""W3C's test suite of RDFa 1.1 in HTML5 and XHTML (https://rdfa.info/test-suite).

``LEXURN_RDFA`` is the folder ``test-suite`` of https://github.com/rdfa/rdfa.github.io. Each page is
asked the question of its case, and must say neither more nor less than the Turtle file beside it.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import urldefrag

import pyoxigraph
import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad
from reading_cases import reading_of

from lexurn.documents import Notation, Statement

SUITE = os.environ.get("LEXURN_RDFA")
PAGES = Path("test-cases", "rdfa1.1")
PLACE = "http://rdfa.info/test-suite/test-cases/rdfa1.1"
HOSTS = {"html5": "html", "xhtml1": "xhtml", "xhtml5": "xhtml"}
"""The suffix of the pages in each host language."""

BLANKS = "blanks around a text are left out: they are no part of a title or a name"
MARKUP = "markup (rdf:XMLLiteral) is given as its text, without a datatype"
LISTS = "lists (inlist) are left out: no name is said with one"
COPIES = "properties are not copied (rdfa:copy): a name is stated where it belongs"
DIFFERENT = {
    **dict.fromkeys(("0099", "0108", "0112", "0253", "0283", "0284", "0329"), BLANKS),
    **dict.fromkeys(("0196", "0198", "0261"), MARKUP),
    **dict.fromkeys(("0218", "0219", "0220", "0221", "0222", "0223", "0224", "0225"), LISTS),
    **dict.fromkeys(("0226", "0227", "0295"), LISTS),
    **dict.fromkeys(("0321", "0322", "0323", "0324", "0325", "0326", "0327"), COPIES),
}
"""Cases that are read differently, and why."""
NO_GRAPH = {"0180"}
"""Cases whose Turtle file answers their question otherwise than their manifest."""


def _cases() -> list[object]:
    if SUITE is None:
        return []
    manifest = json.loads(Path(SUITE, "manifest.jsonld").read_text("utf-8"))
    return [
        pytest.param(
            host,
            case["num"],
            case["expectedResults"],
            id=f"{host}-{case['num']}",
            marks=[pytest.mark.xfail(reason=DIFFERENT[case["num"]])]
            if case["num"] in DIFFERENT
            else [],
        )
        for host in HOSTS
        for case in manifest["@graph"]
        if host in case["hostLanguages"] and "rdfa1.1" in case["versions"]
    ]


def _node(text: str, base: str) -> NamedNode | BlankNode:
    if text.startswith("_:"):
        return BlankNode(f"b{re.sub('[^A-Za-z0-9]', '-', text[2:])}")
    is_whole = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) is not None
    # The engine joins as RFC 3986 does, and keeps empty fragments.
    turtle = f"<{text if is_whole else text or base}> <x:p> 0 ."
    (quad,) = pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE, base_iri=base)
    return quad.subject


def _make_quad(said: Statement, base: str, url: str) -> Quad:
    value: NamedNode | BlankNode | Literal
    if said.is_iri:
        value = _node(said.value, base)
    elif said.datatype is not None:
        value = Literal(said.value, datatype=NamedNode(said.datatype))
    else:
        value = Literal(said.value, language=said.language)
    return Quad(_node(said.subject or "", base), _node(said.term, url), value)


def _canonical(quads: object) -> pyoxigraph.Dataset:
    found = pyoxigraph.Dataset(quads)
    found.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return found


@pytest.mark.skipif(SUITE is None, reason="LEXURN_RDFA names no folder with W3C's RDFa suite")
@pytest.mark.parametrize(("host", "number", "expected"), _cases())
def test_a_page_of_the_suite_is_read_as_w3c_says(host: str, number: str, expected: bool) -> None:
    file, url = Path(str(SUITE), PAGES, host, number), f"{PLACE}/{host}/{number}.{HOSTS[host]}"
    text = file.with_suffix(f".{HOSTS[host]}").read_bytes()
    stated = re.search(rb'<base\s[^>]*?href="([^"]*)"', text)
    base = url if stated is None else urldefrag(stated[1].decode())[0]
    reading = reading_of(text, is_xml=HOSTS[host] == "xhtml")
    said = [each for each in reading.statements if each.notation is Notation.RDFA]
    quads = [_make_quad(each, base, url) for each in said]
    store = pyoxigraph.Store()
    store.extend(quads)
    question = file.with_suffix(".sparql").read_text("utf-8")
    assert bool(store.query(question)) is expected
    turtle = file.with_suffix(".ttl").read_bytes()
    wanted = pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE, base_iri=url)
    assert number in NO_GRAPH or _canonical(quads) == _canonical(wanted)
