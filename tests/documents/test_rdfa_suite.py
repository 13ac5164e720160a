"""W3C's test suite of RDFa 1.1 in HTML5 (https://rdfa.info/test-suite), read where it lies.

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
PAGES = Path(SUITE or ".", "test-cases", "rdfa1.1", "html5")
PLACE = "http://rdfa.info/test-suite/test-cases/rdfa1.1/html5/"

BLANKS = "blanks around a text are left out: they are no part of a title or a name"
MARKUP = "markup (rdf:XMLLiteral) is given as its text, without a datatype"
LISTS = "lists (inlist) are left out: no name is said with one"
COPIES = "properties are not copied (rdfa:copy): a name is stated where it belongs"
DIFFERENT = {
    **dict.fromkeys(("0099", "0112", "0253", "0283", "0284", "0329"), BLANKS),
    **dict.fromkeys(("0196", "0261"), MARKUP),
    **dict.fromkeys(("0218", "0219", "0220", "0221", "0224", "0225"), LISTS),
    **dict.fromkeys(("0321", "0322", "0323", "0324", "0325", "0326", "0327"), COPIES),
}
"""Cases that are read differently, and why."""


def _cases() -> list[object]:
    if SUITE is None:
        return []
    manifest = json.loads(Path(SUITE, "manifest.jsonld").read_text("utf-8"))
    return [
        pytest.param(
            case["num"],
            case["expectedResults"],
            id=case["num"],
            marks=[pytest.mark.xfail(reason=DIFFERENT[case["num"]])]
            if case["num"] in DIFFERENT
            else [],
        )
        for case in manifest["@graph"]
        if "html5" in case["hostLanguages"] and "rdfa1.1" in case["versions"]
    ]


def _node(text: str, base: str) -> NamedNode | BlankNode:
    if text.startswith("_:"):
        return BlankNode(f"b{re.sub('[^A-Za-z0-9]', '-', text[2:])}")
    is_whole = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", text) is not None
    # The engine joins as RFC 3986 does, and keeps empty fragments.
    turtle = f"<{text if is_whole else text or base}> <x:p> 0 ."
    (quad,) = pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE, base_iri=base)
    return quad.subject


def _make_quad(said: Statement, base: str) -> Quad:
    value: NamedNode | BlankNode | Literal
    if said.is_iri:
        value = _node(said.value, base)
    elif said.datatype is not None:
        value = Literal(said.value, datatype=NamedNode(said.datatype))
    else:
        value = Literal(said.value, language=said.language)
    return Quad(_node(said.subject or "", base), NamedNode(said.term), value)


def _canonical(quads: object) -> pyoxigraph.Dataset:
    found = pyoxigraph.Dataset(quads)
    found.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return found


@pytest.mark.skipif(SUITE is None, reason="LEXURN_RDFA names no folder with W3C's RDFa suite")
@pytest.mark.parametrize(("number", "expected"), _cases())
def test_a_page_of_the_suite_is_read_as_w3c_says(number: str, expected: bool) -> None:  # noqa: FBT001 - a case
    text = (PAGES / f"{number}.html").read_bytes()
    stated = re.search(rb'<base\s[^>]*?href="([^"]*)"', text)
    base = f"{PLACE}{number}.html" if stated is None else urldefrag(stated[1].decode())[0]
    said = [each for each in reading_of(text).statements if each.notation is Notation.RDFA]
    quads = [_make_quad(each, base) for each in said]
    store = pyoxigraph.Store()
    store.extend(quads)
    question = (PAGES / f"{number}.sparql").read_text("utf-8")
    assert bool(store.query(question)) is expected
    turtle = (PAGES / f"{number}.ttl").read_bytes()
    wanted = pyoxigraph.parse(
        turtle, format=pyoxigraph.RdfFormat.TURTLE, base_iri=f"{PLACE}{number}.html"
    )
    assert _canonical(quads) == _canonical(wanted)
