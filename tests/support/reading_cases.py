"""What tests of reading need: pages, and statements as short tuples."""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING

from rdflib import BNode, Graph, Literal

from lexurn.documents import document_from_bytes
from lexurn.documents.reading.html import read_html, read_xhtml
from lexurn.name import parse
from lexurn.pages import make_document_metadata

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lexurn.documents import Notation, Reading, Statement
    from lexurn.model import Record

BASE = "https://law.example/x"
DC = "http://purl.org/dc/elements/1.1/"
DCTERMS = "http://purl.org/dc/terms/"
ELI = "http://data.europa.eu/eli/ontology#"
IANA = "http://www.iana.org/assignments/relation/"
SCHEMA = "https://schema.org/"
ACT = "urn:lex:it:stato:legge:2003-09-21;456"

Triple = tuple[str, str, str, str]


def page(head: str, body: str = "", *, language: str = "", charset: str = "utf-8") -> str:
    attribute = f' lang="{language}"' if language else ""
    return (
        f'<!DOCTYPE html>\n<html{attribute}><head><meta charset="{charset}">\n{head}\n</head>\n'
        f"<body>{body}</body></html>\n"
    )


def write_pages(folder: Path) -> Path:
    """Write pages with a name each, one that is empty, and a file that is not PDF."""
    (folder / "sub").mkdir()
    for number in range(70):
        text = page(f'<meta name="DC.identifier" content="{ACT}{number}">', language="en_GB")
        (folder / ("sub" if number % 3 else ".") / f"{number}.html").write_text(text, "utf-8")
    (folder / "1.html").write_bytes(b"")
    (folder / "2.pdf").write_bytes(b"no PDF")
    return folder


def ours(name: str, records: Iterable[Record] = (), *, base: str | None = None) -> str:
    """The block that lexurn writes for a name."""
    head = make_document_metadata(parse(name), records, base=base).head()
    return f"<!-- lexurn:begin -->\n{head}<!-- lexurn:end -->"


def reading_of(text: str | bytes, *, is_xml: bool = False) -> Reading:
    data = text if isinstance(text, bytes) else text.encode()
    return (read_xhtml if is_xml else read_html)(document_from_bytes(data, "a.html"))


def said(
    text: str | bytes, notation: Notation, *, is_xml: bool = False
) -> list[tuple[str | None, str, str, str]]:
    """What a page says in one way: subject, term, value, and what kind of value."""
    return [
        (each.subject, each.term, each.value, _kind(each))
        for each in reading_of(text, is_xml=is_xml).statements
        if each.notation is notation
    ]


def _kind(each: Statement) -> str:
    return "iri" if each.is_iri else each.language or each.datatype or ""


def codes(text: str | bytes, *, is_xml: bool = False) -> list[str]:
    return [each.code for each in reading_of(text, is_xml=is_xml).findings]


def ours_of(text: str, notation: Notation) -> set[Triple]:
    """Our triples of a page that has a base; blank nodes are all one."""
    found = said(text, notation)
    return {(_same(s or BASE), p, _same(o), _lowered(k)) for s, p, o, k in found}


def _lowered(text: str) -> str:
    """A datatype, or a language tag in lower case, as rdflib has it."""
    return text if ":" in text else text.lower()


def _same(text: str) -> str:
    return "_:" if text.startswith("_:") else text


def theirs_of(text: str) -> set[Triple]:
    """The triples of a page by pyRdfa; blank nodes are all one, blanks around texts are gone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyRdfa import pyRdfa  # noqa: PLC0415 - its import warns
        from pyRdfa.options import Options  # noqa: PLC0415 - as above

        options = Options(output_processor_graph=False, embedded_rdf=False)
        processor = pyRdfa(options=options, base=BASE, media_type="text/html")
        graph: Graph = processor.graph_from_source(io.StringIO(text), rdfOutput=False)
    return {(_node(s), str(p), _node(o), _kind_of(o)) for s, p, o in graph}


def _node(node: object) -> str:
    if isinstance(node, BNode):
        return "_:"
    return re.sub(r"\A\s+|\s+\Z", "", str(node))


def _kind_of(node: object) -> str:
    if isinstance(node, Literal):
        return _lowered(str(node.language or node.datatype or ""))
    return "iri"
