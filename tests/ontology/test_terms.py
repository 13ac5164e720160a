"""The ontology against the code: what lexurn writes or asks for is declared, and the reverse."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
from ontology_tools import (
    LEXO,
    MAPPINGS,
    ONTOLOGY,
    OWL,
    RDFS,
    SKOS,
    TOP,
    XSD,
    kinds,
    list_terms,
    turtle,
)

import lexurn
from lexurn.data import find_folder
from lexurn.model import FIELDS, ForceBasis

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTEXT = ONTOLOGY.with_name("context.jsonld")
SHAPES = sorted(find_folder("shapes").glob("*.ttl"))
SPACES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "frbr": "http://purl.org/vocab/frbr/core#",
    "iana": "http://www.iana.org/assignments/relation/",
    "lexo": LEXO,
    "skos": SKOS,
    "spdx": "http://spdx.org/rdf/terms#",
}
"""The name spaces whose terms the ontology declares."""

DECLARED = {term for term in kinds(ONTOLOGY) if term.startswith(tuple(SPACES.values()))}
HEADER_ONLY = {
    *(SPACES["dc"] + each for each in ("title", "description")),
    SPACES["skos"] + "example",
}
BUILT_IN = (OWL, RDFS, XSD, "http://www.w3.org/1999/02/22-rdf-syntax-ns#")


def _ours(terms: set[str]) -> set[str]:
    spaces = tuple(SPACES.values())
    return {term for term in terms if term.startswith(spaces) and term not in spaces}


def _of_code() -> set[str]:
    fields = {each for field in FIELDS for each in (field.predicate, field.text_predicate) if each}
    bases = {LEXO + basis for basis in ForceBasis}
    return {*list_terms(), *(term[1:-1] for term in fields), *bases}


def _of_context() -> set[str]:
    return set(_iris(json.loads(CONTEXT.read_text(encoding="utf-8"))))


def _iris(value: object, prefixes: dict[str, str] | None = None) -> Iterator[str]:
    """Every IRI in a JSON-LD context, with the prefixes that it defines itself expanded."""
    if isinstance(value, dict):
        known = dict(prefixes or {})
        known |= {key: item for key, item in value.items() if isinstance(item, str)}
        for key, item in value.items():
            if key != "@context" and ":" in key:
                yield _expanded(key, known)
            yield from _iris(item, known)
    elif isinstance(value, list):
        for item in value:
            yield from _iris(item, prefixes)
    elif isinstance(value, str):
        yield _expanded(value, prefixes or {})


def _expanded(text: str, prefixes: dict[str, str]) -> str:
    prefix, _, rest = text.partition(":")
    space = prefixes.get(prefix, "")
    return space + rest if space.endswith(("/", "#")) else text


def _of_shapes() -> set[str]:
    found = set()
    for triple in turtle(*SHAPES):
        for node in (triple.subject, triple.object):
            if isinstance(node, ox.NamedNode):
                found.add(node.value)
            elif isinstance(node, ox.Literal):
                found |= _written(node.value)
    return found


def _written(text: str) -> set[str]:
    """The terms in a text such as a query, as ``prefix:name`` or whole."""
    short = re.findall(rf"(?<![\w:/#])({'|'.join(SPACES)}):([A-Za-z][\w-]*)", text)
    whole = re.findall(r"<([^<>\s]+)>", text)
    return {SPACES[prefix] + name for prefix, name in short} | set(whole)


def test_every_term_of_the_code_is_declared() -> None:
    strangers = _of_code() - DECLARED
    assert {term for term in strangers if not term.startswith(BUILT_IN)} == set()


def test_every_term_of_the_context_is_declared() -> None:
    used = _ours(_of_context())
    assert len(used) > 20
    assert used - DECLARED == set()


def test_every_term_of_the_shapes_is_declared() -> None:
    used = _ours(_of_shapes())
    assert len(used) > 20
    assert used - DECLARED == set()


def _texts() -> list[Path]:
    code = Path(lexurn.__file__).parent
    return [
        file
        for place in (code, find_folder("templates"), find_folder("shapes"), TOP / "examples")
        for file in sorted(place.rglob("*"))
        if file.suffix in {".py", ".rq", ".j2", ".html", ".ttl", ".txt", ".jsonld", ".md"}
    ]


def test_every_term_of_ours_in_any_file_is_declared() -> None:
    found = {}
    for file in _texts():
        text = file.read_text(encoding="utf-8")
        for name in re.findall(r"(?<![\w:/#])lexo:([A-Za-z][\w-]*)", text):
            found.setdefault(LEXO + name, file.name)
        for name in re.findall(rf"{LEXO}([A-Za-z][\w-]*)", text):
            found.setdefault(LEXO + name, file.name)
    assert {term: file for term, file in found.items() if term not in DECLARED} == {}


def test_every_declared_term_is_used_or_mapped() -> None:
    mapped = {triple.subject.value for triple in turtle(*MAPPINGS)}
    used = _of_code() | mapped
    triples = [t for t in turtle(ONTOLOGY) if isinstance(t.subject, ox.NamedNode)]
    # the class of a used individual is used by it
    used |= {t.object.value for t in triples if t.subject.value in used}
    assert DECLARED - used - HEADER_ONLY == set()
