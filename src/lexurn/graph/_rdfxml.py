"""RDF/XML: what other tools of libraries and archives still ask for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.errors import GraphError
from lexurn.graph import _vocabulary as v
from lexurn.graph._nodes import nodes_of
from lexurn.graph._terms import is_blank, is_literal, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.graph._terms import Triple

__all__ = ["rdfxml_of"]

_PREFIX_OF = {namespace: prefix for prefix, namespace in v.PREFIXES.items()}
_LOCAL = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SPECIAL = re.compile('[&<>"\r]')
_ENTITY = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"}
_TAKEN = frozenset(
    f"{v.RDF}{name}"
    for name in (
        *("RDF", "Description", "ID", "about", "parseType", "resource", "nodeID", "datatype"),
        *("li", "aboutEach", "aboutEachPrefix", "bagID"),
    )
)


def rdfxml_of(triples: Iterable[Triple]) -> str:
    """The triples in RDF/XML.

    Raises:
        GraphError: a property whose IRI does not end like an XML name, or a text with a character
            that XML 1.0 has no place for: RDF/XML cannot hold them.
    """
    prefixes = {"rdf"}
    body = "".join(
        _element(node, predicates, prefixes) for node, predicates in nodes_of(triples).items()
    )
    declared = "".join(f'\n    xmlns:{each}="{v.PREFIXES[each]}"' for each in sorted(prefixes))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF{declared}>\n{body}</rdf:RDF>\n'


def _element(node: str, predicates: Mapping[str, Sequence[str]], prefixes: set[str]) -> str:
    types = predicates.get(v.TYPE, ())
    kind = next((each for each in types if each.startswith(f"<{v.LEXO}")), None)
    tag, declared = ("rdf:Description", "") if kind is None else _tag(kind, prefixes)
    lines = [
        line
        for predicate, values in sorted(predicates.items())
        for line in _properties(predicate, [x for x in values if x != kind or predicate != v.TYPE])
    ]
    inside = "".join(_property(line, prefixes) for line in lines)
    return f"  <{tag}{declared}{_subject(node)}>\n{inside}  </{tag}>\n"


def _properties(predicate: str, values: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((predicate, value) for value in values)


def _subject(node: str) -> str:
    return f' rdf:nodeID="{node[2:]}"' if is_blank(node) else f' rdf:about="{_escaped(node[1:-1])}"'


def _property(line: tuple[str, str], prefixes: set[str]) -> str:
    predicate, value = line
    tag, declared = _tag(predicate, prefixes)
    start = f"    <{tag}{declared}"
    if is_blank(value):
        return f'{start} rdf:nodeID="{value[2:]}"/>\n'
    if not is_literal(value):
        return f'{start} rdf:resource="{_escaped(value[1:-1])}"/>\n'
    parts = parts_of(value)
    if _NO_XML.search(parts.value):
        raise GraphError(f"RDF/XML has no place for a control character: {predicate} {value[:80]}")
    attribute = f' xml:lang="{parts.language}"' if parts.language else ""
    if parts.datatype:
        attribute = f' rdf:datatype="{_escaped(parts.datatype)}"'
    return f"{start}{attribute}>{_escaped(parts.value)}</{tag}>\n"


def _tag(term: str, prefixes: set[str]) -> tuple[str, str]:
    """The element's name for a property or class, and the declaration that it needs, if any."""
    iri = term[1:-1]
    end = max(iri.rfind("#"), iri.rfind("/")) + 1
    prefix = _PREFIX_OF.get(iri[:end])
    if iri in _TAKEN:
        raise GraphError(f"{term} means something else in RDF/XML; write another format")
    if prefix is not None and _LOCAL.match(iri, end):
        prefixes.add(prefix)
        return f"{prefix}:{iri[end:]}", ""
    return _foreign_tag(iri)


def _foreign_tag(iri: str) -> tuple[str, str]:
    start = len(iri)
    while start and _LOCAL_CHARACTER.match(iri[start - 1]):
        start -= 1
    while start < len(iri) and not _LOCAL.match(iri, start):
        start += 1
    if start == len(iri):
        raise GraphError(f"<{iri}> does not end like an XML name, so RDF/XML cannot hold it")
    return f"ns:{iri[start:]}", f' xmlns:ns="{_escaped(iri[:start])}"'


_LOCAL_CHARACTER = re.compile(r"[A-Za-z0-9_.-]")


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ENTITY[found[0]], text) if _SPECIAL.search(text) else text
