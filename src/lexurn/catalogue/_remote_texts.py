"""The SPARQL that asks a server what it holds: short steps that every engine does by index."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, Final

import pyoxigraph

from lexurn.graph import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.name import Name

__all__ = [
    "ANYTHING",
    "CHECKSUM",
    "IDENTIFIER",
    "ITEM",
    "LINKS",
    "MEASURE_TYPE",
    "SAME_AS",
    "act_iri",
    "beyond_text",
    "copies_text",
    "counted_text",
    "dated_text",
    "holders_text",
    "known_text",
    "near_text",
    "spelled_text",
    "step_text",
    "zeros_before",
]

_LEXO: Final = "https://w3id.org/lexurn/ns#"
_FRBR: Final = "http://purl.org/vocab/frbr/core#"
_DCTERMS: Final = "http://purl.org/dc/terms/"
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_DECODED: Final = f"<{Layer.DECODED.iri}>"
_CATALOGUED: Final = f"<{Layer.CATALOGUED.iri}>"

IDENTIFIER: Final = f"<{_DCTERMS}identifier>"
ITEM: Final = f"<{_LEXO}item>"
_UNIT: Final = f"<{_LEXO}jurisdictionUnit>"
MEASURE_TYPE: Final = f"<{_LEXO}measureType>"
SAME_AS: Final = "<http://www.w3.org/2002/07/owl#sameAs>"
CHECKSUM: Final = "<http://spdx.org/rdf/terms#checksum>"
LINKS: Final = (
    f"<{_LEXO}annexOf>",
    f"<{_FRBR}realizationOf>",
    f"<{_FRBR}embodimentOf>",
    f"<{_LEXO}manifestationOf>",
    f"<{_DCTERMS}isPartOf>",
)
"""From each name to the one above it; all are in the decoded layer."""

_EACH: Final = " UNION ".join(f"{{ GRAPH <{layer.iri}> {{ ?s ?p ?o }} }}" for layer in Layer)
ANYTHING: Final = f"SELECT ?s WHERE {{ {_EACH} }} LIMIT 1"
"""Something that is stated in any layer."""

_ACT: Final = re.compile(r"<urn:lex(?::[^:@$~>]+){4}")
_ACT_IN_SPARQL: Final = '"^(urn:lex(:[^:@$~]+){4}).*$"'
_DIGITS: Final = re.compile(r"(%[0-9A-Fa-f]{2}|\.[0-9]+)|([0-9]+)")
_WIDEST: Final = 10
_MOST_VARIANTS: Final = 256


def act_iri(term: str) -> str | None:
    """The node of the act (a term) in a LEX name's node, None where it is none."""
    found = _ACT.match(term)
    return None if found is None else f"{found[0]}>"


def step_text(nodes: Sequence[str], acts: Sequence[str]) -> str:
    """What is stated of some nodes, what is under them, and what is an alias of them.

    Args:
        nodes: terms.
        acts: those among them that may be acts: whether they are held is asked too.
    """
    these = " ".join(nodes)
    parts = [
        f"{{ VALUES ?s {{ {these} }} GRAPH {_CATALOGUED} {{ ?s ?p ?o }} }}",
        *(_leading(these, link, _DECODED) for link in LINKS),
        _leading(these, SAME_AS, _CATALOGUED),
    ]
    if acts:
        parts.append(
            f"{{ VALUES ?s {{ {' '.join(acts)} }} GRAPH {_DECODED} {{ ?s {IDENTIFIER} ?o }} "
            f"BIND({IDENTIFIER} AS ?p) }}"
        )
    return f"SELECT ?s ?p ?o WHERE {{ {' UNION '.join(parts)} }}"


def known_text(acts: Sequence[str]) -> str:
    """One of some acts that is held."""
    return (
        f"SELECT ?act WHERE {{ VALUES ?act {{ {' '.join(acts)} }} "
        f"GRAPH {_DECODED} {{ ?act {IDENTIFIER} ?text }} }} LIMIT 1"
    )


def _leading(nodes: str, link: str, graph: str) -> str:
    return f"{{ VALUES ?o {{ {nodes} }} GRAPH {graph} {{ ?s {link} ?o }} BIND({link} AS ?p) }}"


def copies_text(copies: Sequence[str]) -> str:
    """What is stated of some copies and of their digests."""
    these = f"VALUES ?copy {{ {' '.join(copies)} }}"
    return (
        f"SELECT ?s ?p ?o WHERE {{ {{ {these} GRAPH {_CATALOGUED} {{ ?copy ?p ?o }} "
        f"BIND(?copy AS ?s) }} UNION {{ {these} GRAPH {_CATALOGUED} {{ ?copy {CHECKSUM} ?s . "
        f"?s ?p ?o }} }} }}"
    )


def counted_text(copies: Sequence[str]) -> str:
    """How many names have each of some copies."""
    return (
        f"SELECT ?copy (COUNT(*) AS ?names) WHERE {{ VALUES ?copy {{ {' '.join(copies)} }} "
        f"GRAPH {_CATALOGUED} {{ ?name {ITEM} ?copy }} }} GROUP BY ?copy"
    )


def holders_text(copies: Sequence[str], limit: int | None = None) -> str:
    """The acts that have each of some copies, themselves or below them."""
    text = (
        f"SELECT DISTINCT ?copy ?act WHERE {{ VALUES ?copy {{ {' '.join(copies)} }} "
        f"GRAPH {_CATALOGUED} {{ ?name {ITEM} ?copy }} "
        f'BIND(REPLACE(STR(?name), {_ACT_IN_SPARQL}, "$1") AS ?act) }}'
    )
    return text if limit is None else f"{text} LIMIT {limit}"


def beyond_text(copies: Sequence[tuple[str, int]]) -> str:
    """Names that have some copies: of each copy as many as are asked for, not all.

    A gazette may be a copy of a million acts, and one name more than known ones is enough.
    """
    parts = (
        f"{{ SELECT ?copy ?name WHERE {{ VALUES ?copy {{ {copy} }} "
        f"GRAPH {_CATALOGUED} {{ ?name {ITEM} ?copy }} }} LIMIT {count} }}"
        for copy, count in copies
    )
    return f"SELECT ?copy ?name WHERE {{ {' UNION '.join(parts)} }}"


def near_text(code: str, units: Sequence[str], numbers: Iterable[str], year: str | None) -> str:
    """The acts of a jurisdiction that have one of some numbers (and a year)."""
    values = " ".join(str(pyoxigraph.Literal(number)) for number in numbers)
    where = [f"VALUES ?number {{ {values} }}", f"?act <{_LEXO}number> ?number ."]
    where.append(f"?act <{_LEXO}jurisdictionCode> {pyoxigraph.Literal(code)} .")
    where += [f"?act {_UNIT} {pyoxigraph.Literal(unit)} ." for unit in units]
    if not units:
        # A nation has thousands of units, each of which numbers its acts from 1.
        where.append(f"FILTER NOT EXISTS {{ ?act {_UNIT} ?unit }}")
    if year is not None:
        in_year = f"FILTER(CONTAINS(STR(?when), {pyoxigraph.Literal(year)}))"
        days, periods = (f"?act <{_LEXO}{each}> ?when" for each in ("date", "period"))
        where.append(f"{{ {days} }} UNION {{ {periods} }} {in_year}")
    return f"SELECT DISTINCT ?act WHERE {{ GRAPH {_DECODED} {{ {' '.join(where)} }} }}"


def dated_text(name: Name, day: str) -> str:
    """The acts with the issuers and the measure of a name that have a date."""
    stated = {
        "jurisdictionCode": name.jurisdiction.code,
        "authority": str(name.work.authority),
        "measureType": name.work.measure.type,
    }
    where = f'?act <{_LEXO}date> "{day}"^^<{_XSD}date> '
    where += " ".join(f"; <{_LEXO}{each}> {pyoxigraph.Literal(v)}" for each, v in stated.items())
    return f"SELECT DISTINCT ?act WHERE {{ GRAPH {_DECODED} {{ {where} }} }}"


def spelled_text(text: str) -> str:
    """The names of which a text is a spelling in a dialect."""
    spelling = f"<{_LEXO}dialectName> {pyoxigraph.Literal(text)}"
    return f"SELECT DISTINCT ?name WHERE {{ GRAPH {_CATALOGUED} {{ ?name {spelling} }} }}"


def zeros_before(number: str) -> tuple[str, ...]:
    """A number, and the same with zeros in front of its digits, ten digits wide at most.

    Several groups of digits are not so wide, so that there are 256 ways at most. Behind a dot a
    zero counts (see `number_key`).

    >>> zeros_before("a-7")[:3]
    ('a-7', 'a-07', 'a-007')
    """
    parts = [match for match in _DIGITS.split(number) if match]
    groups = sum(part.isdigit() for part in parts)
    if groups == 0:
        return (number,)
    ways = max(int(_MOST_VARIANTS ** (1 / groups)), 1)
    choices = (tuple(_widened(part, ways)) if part.isdigit() else (part,) for part in parts)
    return tuple(map("".join, product(*choices)))


def _widened(digits: str, most: int) -> Iterator[str]:
    yield digits
    for width in range(len(digits) + 1, min(_WIDEST, len(digits) + most - 1) + 1):
        yield digits.zfill(width)
