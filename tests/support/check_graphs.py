"""A sound family of each kind, and the many ways to break it (``cases/broken.jsonl``)."""

from __future__ import annotations

import datetime as dt
import json
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

import pyoxigraph
from sizes import one_in

from lexurn.graph import Statements, statements_of
from lexurn.model import Family, Item, LanguageText, LegalForce, Record, Source, Status, families_of
from lexurn.name import parse

SAMPLE = one_in(12)  # comparisons of engines take every twelfth case
CASES = Path(__file__).parents[1] / "cases" / "broken.jsonl"
AS_OF = dt.date(2020, 1, 1)
BASE = "https://law.example"

PREFIXES = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "frbr": "http://purl.org/vocab/frbr/core#",
    "iana": "http://www.iana.org/assignments/relation/",
    "lang": "http://publications.europa.eu/resource/authority/language/",
    "lexo": "https://w3id.org/lexurn/ns#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "spdx": "http://spdx.org/rdf/terms#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

_LAW = (
    "urn:lex:it;toscana;siena:ministero.finanze;dip.entrate+stato:legge;speciale;bis:"
    "2000-01-05|21-elul-5759,2000-01-06|x;12,13"
)
_CODE = "urn:lex:it:stato:codice:2000-01-05;1"
_DECREE = "urn:lex:it:stato:decreto:2000-03-01;7"
_BILL = "urn:lex:fr:assemblee.nationale:proposition.loi:13.legislature;1762"
_PDF = "parlamento.it;archivio;web:application-pdf;1.7;a:testo;capo.1;capo.2:anonimo;nota;sic"

NAMES = {
    "act": _LAW,
    "annex": f"{_LAW}:allegato.1;parte.a;parte.b",
    "table": f"{_LAW}:allegato.1;parte.a;parte.b:tabella",
    "alias": "urn:lex:it:stato:decreto:2000-01-05;99",
    "code": _CODE,
    "codex": "urn:lex:it:stato:libro:2000-01-05;1",
    "original": f"{_CODE}@originale:it",
    "amended": f"{_CODE}@2001-02-03;2001-03-01|z;2001-04-01;rettifica;errata:it",
    "latest": f"{_CODE}@2002-02-03|y:it",
    "plain": f"{_CODE}@2002-02-03|y",
    "aliased": "urn:lex:it:stato:libro:2000-01-05;1@2002-02-03|y:it",
    "decree": _DECREE,
    "version": f"{_DECREE}@originale:it",
    "later": f"{_DECREE}@2001-05-05:it",
    "pdf": f"{_DECREE}@originale:it${_PDF}",
    "html": f"{_DECREE}$parlamento.it:text-html",
    "article": f"{_DECREE}@originale:it~Art1",
    "paragraph": f"{_DECREE}@originale:it~Art1;par2",
    "bill": _BILL,
    "first": f"{_BILL}@texte.a;depot",
    "second": f"{_BILL}@texte.b",
    "third": f"{_BILL}@texte.c",
}

PDF_URL = "https://law.example/files/a.pdf"

_ROWS: tuple[dict[str, Any], ...] = (
    {
        "name": "act",
        "titles": (LanguageText(value="Legge speciale", language="it"),),
        "issued": dt.date(2000, 1, 5),
        "published": dt.date(2000, 1, 10),
        "modified": dt.date(2010, 1, 1),
        "pages": ("https://law.example/page",),
        "publishers": ("https://law.example/office", "Gazzetta"),
        "amended_by": ("urn:lex:it:stato:legge:2001-02-03;4",),
    },
    {"name": "table", "titles": (LanguageText(value="Tabella"),)},
    {"name": "annex", "titles": (LanguageText(value="Allegato 1"),)},
    {"name": "alias", "alias_of": "act"},
    {"name": "code", "titles": (LanguageText(value="Codice", language="it"),)},
    {"name": "codex", "alias_of": "code"},
    {"name": "original"},
    {
        "name": "amended",
        "in_force_from": dt.date(2001, 3, 1),
        "in_force_until": dt.date(2002, 5, 1),
    },
    {"name": "latest", "in_force_from": dt.date(2002, 5, 1)},
    {"name": "plain"},
    {"name": "aliased"},
    {
        "name": "decree",
        "titles": (LanguageText(value="Decreto", language="it"),),
        "licenses": ("https://law.example/licence",),
    },
    {"name": "later", "force": LegalForce.IN_FORCE, "force_on": dt.date(2001, 5, 5)},
    {"name": "pdf", "items": (Item(url=PDF_URL, bytes=1200, sha256="a1" * 32),)},
    {"name": "html"},
    {"name": "paragraph"},
    {
        "name": "bill",
        "titles": (LanguageText(value="Proposition de loi", language="fr"),),
        "also_named": ("urn:lex:de:staat:vertrag:2000-01-01;1",),
        "status": Status.WITHDRAWN,
        "withdrawn_on": dt.date(2010, 1, 1),
    },
    {"name": "first", "version_order": 1},
    {"name": "second", "version_order": 2},
    {"name": "third", "version_order": 3},
)


class Case(NamedTuple):
    """One way to break the sound graph, and the shapes that must see it."""

    id: str
    why: str
    shapes: tuple[str, ...]
    remove: str
    add: str


def cases() -> list[Case]:
    """All ways to break the sound graph."""
    rows = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [Case(**(row | {"shapes": tuple(row["shapes"])})) for row in rows]


def _record(line: int, row: dict[str, Any]) -> Record:
    values = dict(row) | {
        "name": parse(NAMES[row["name"]]),
        "source": Source(file="a.csv", line=line),
    }
    if "alias_of" in row:
        values["alias_of"] = parse(NAMES[row["alias_of"]])
    for field in ("also_named", "amended_by"):
        values[field] = tuple(parse(each) for each in row.get(field, ()))
    return Record(**values)


def sound_families() -> tuple[Family, ...]:
    """The sound families, each record with its line from 2 on."""
    return families_of([_record(line, row) for line, row in enumerate(_ROWS, start=2)])


@cache
def sound_parts() -> tuple[Statements, ...]:
    """The statements of each sound family."""
    families = sound_families()
    return tuple(statements_of(family, as_of=AS_OF, base=BASE) for family in families)


def sound() -> Statements:
    """The statements of all sound families."""
    return Statements.union(sound_parts())


@cache
def _nodes() -> dict[str, str]:
    """What ``$act`` and the like stand for in the Turtle of a case."""
    nodes = {key: f"<{parse(name).iri}>" for key, name in NAMES.items()}
    records = {f"{key}_record": f"<{parse(name).iri}#record>" for key, name in NAMES.items()}
    return (
        nodes
        | records
        | {
            "item": f"<{PDF_URL}>",
            "digest": f"<{Item(url=PDF_URL, sha256='a1' * 32).digest_uri}>",
        }
    )


def _triples(text: str) -> set[tuple[str, str, str]]:
    head = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in PREFIXES.items())
    turtle = head + Template(text).substitute(_nodes())
    quads = pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE)
    return {(str(quad.subject), str(quad.predicate), str(quad.object)) for quad in quads}


def broken(case: Case) -> Statements:
    """The sound families that the case touches (or one), with its fault.

    What is to be removed must be there, and what is added must not.
    """
    remove, add = _triples(case.remove), _triples(case.add)
    touched = {node for subject, _, value in remove | add for node in (subject, value)}
    parts = [part for part in sound_parts() if touched & {s for s, _, _ in part.merged}]
    merged = set(Statements.union(parts or sound_parts()[:1]).merged)
    assert remove <= merged, (case.id, remove - merged)
    assert not add & merged, (case.id, add & merged)
    return Statements(catalogued=tuple((merged - remove) | add))
