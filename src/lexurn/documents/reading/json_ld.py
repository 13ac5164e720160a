"""JSON-LD in pages: no context is fetched, and that of schema.org is built in."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

from lexurn.documents.document import Notation
from lexurn.documents.reading.page import (
    NOT_IN_IRI,
    UNKNOWN_BASE,
    StatementValue,
    restore_reference,
)
from lexurn.vocabulary import RDF, SCHEMA, XSD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Final

    import pyoxigraph

    from lexurn.documents.reading.page import Element, Page, StatementCollector

_SCHEMA_CONTEXT = re.compile(
    r"https?://(?:www\.)?schema\.org(?:/|/docs/jsonldcontext\.json(?:ld)?)?", re.IGNORECASE
)
_LOCAL_CONTEXT: Final[Mapping[str, object]] = {
    "@vocab": SCHEMA,
    "schema": SCHEMA,
    "id": "@id",
    "type": "@type",
    **{
        term: {"@type": "@id"}
        for term in ("contentUrl", "license", "mainEntityOfPage", "sameAs", "url")
    },
}
"""Part of the context of schema.org: it tells links of legislation from texts."""

_MEDIA_TYPE = "application/ld+json"
# A byte order mark, and marks that hide a script from old browsers and from XML.
_WRAPPING = re.compile(
    r"\A[\s\ufeff]*+(?:(?://|/\*)?+\s*+(?:<!--|<!\[CDATA\[)(?:\s*+\*/)?+)?"
    r"|(?:(?://|/\*)\s*+)?+(?:-->|\]\]>)(?:\s*+\*/)?+\s*+\Z"
)
_NO_BREAK = re.compile(r"[^\n]")
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_TOO_DEEP = "values stand in each other too deep"
_SURROGATES = re.compile("[\ud800-\udfff]")
_STRING_TYPE = f"{XSD}string"
_LANGUAGE_TYPE = f"{RDF}langString"


def read_json_ld(page: Page, collector: StatementCollector) -> None:
    """Add the statements in the blocks of JSON-LD of a page.

    Raises:
        TooManyStatementsError: they have too many statements.
    """
    for number, element in enumerate(page.named("script"), 1):
        kind = (element.get("type") or "").partition(";")[0].strip().lower()
        if kind == _MEDIA_TYPE:
            _JsonLdBlock(page.whole_text_of(element), element, collector, number).read()


class _JsonLdBlock:
    """Reader of one block."""

    def __init__(
        self, text: str, element: Element, collector: StatementCollector, number: int
    ) -> None:
        self._text, self._element, self._collector = text, element, collector
        self._number = number
        self._lines: dict[str, int] = {}
        self._blank: dict[str, str] = {}
        self._doubted: set[str] = set()

    def read(self) -> None:
        """Add the statements of the block."""
        value = self._parse_json()
        if value is None:
            return
        self._lines = self._index_lines()
        try:
            local = self._inline_contexts(value)
        except RecursionError:
            self._collector.faults.find("LX372", self._element.line, "", why=_TOO_DEEP)
            return
        for quad in self._parse_quads(local):
            self._add_quad(quad)

    def _parse_json(self) -> Any:
        """Return the block as JSON; report a fault and return None if it is not valid."""
        # Blanks keep the lines.
        text = _WRAPPING.sub(lambda found: _NO_BREAK.sub(" ", found[0]), self._text)
        if not text.strip():
            return None
        try:
            return json.loads(
                text, strict=False, parse_constant=_refuse_constant, parse_float=_parse_number
            )
        except json.JSONDecodeError as fault:
            line = self._element.line + text.count("\n", 0, fault.pos)
            why = f"{fault.msg[:1].lower()}{fault.msg[1:]}"
        except (RecursionError, ValueError) as fault:
            line = self._element.line
            is_deep, is_ours = (
                isinstance(fault, RecursionError),
                isinstance(fault, _InvalidJsonError),
            )
            why = _TOO_DEEP if is_deep else str(fault) if is_ours else "a number is too long"
        self._collector.faults.find("LX372", line, text.strip()[:60], why=why)
        return None

    def _index_lines(self) -> dict[str, int]:
        """Return the first line of each text of the block."""
        lines: dict[str, int] = {}
        line, at = self._element.line, 0
        for found in _STRING.finditer(self._text):
            line += self._text.count("\n", at, found.start())
            at = found.start()
            lines.setdefault(_unescape_string(found[1]), line)
        return lines

    def _inline_contexts(self, value: Any) -> Any:
        """Return the block with every context in it, so that nothing is fetched."""
        tops = value if isinstance(value, list) else [value]
        local = []
        for top in (each for each in tops if isinstance(each, dict) and each):
            if "@context" not in top and _is_context_needed(top):
                self._collector.faults.find("LX373", self._element.line, "")
                top["@context"] = "https://schema.org"
            local.append(self._inline_value(top))
        return local

    def _inline_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._inline_value(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: self._resolve_context(each) if key == "@context" else self._inline_value(each)
            for key, each in value.items()
            if key != "@import"
        }

    def _resolve_context(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._resolve_context(each) for each in value]
        if isinstance(value, str):
            if _SCHEMA_CONTEXT.fullmatch(value.strip()):
                return _LOCAL_CONTEXT
            self._collector.faults.find("LX374", self._lines.get(value, self._element.line), value)
            return {}
        if isinstance(value, dict):
            remote = value.get("@import")
            if remote is not None:
                self._collector.faults.find(
                    "LX374", self._lines.get(str(remote), self._element.line), str(remote)
                )
            return self._inline_value(value)
        return value

    def _parse_quads(self, value: Any) -> Iterator[pyoxigraph.Quad]:
        """Yield the statements, up to the first fault."""
        import pyoxigraph  # noqa: PLC0415 - needed for JSON-LD alone

        kind = pyoxigraph.RdfFormat.JSON_LD
        try:
            text = self._drop_surrogates(json.dumps(value, ensure_ascii=False)).encode()
            yield from pyoxigraph.parse(text, format=kind, base_iri=self._find_base(), lenient=True)
        except (SyntaxError, ValueError, RecursionError) as fault:
            self._collector.faults.find("LX372", self._element.line, "", why=str(fault)[:200])

    def _find_base(self) -> str:
        """Return the base of the page; an unknown one if it is not an IRI."""
        import pyoxigraph  # noqa: PLC0415 - as above

        try:
            return pyoxigraph.NamedNode(self._collector.base).value
        except ValueError:
            return UNKNOWN_BASE

    def _drop_surrogates(self, text: str) -> str:
        """Return a text without surrogates, which JSON may have."""
        found = _SURROGATES.search(text)
        if found is None:
            return text
        values = {"character": f"U+{ord(found[0]):04X}", "term": "a block of JSON-LD"}
        self._collector.faults.find("LX319", self._element.line, "", **values)
        return _SURROGATES.sub("", text)

    def _add_quad(self, quad: pyoxigraph.Quad) -> None:
        value = self._make_value(quad.object)
        subject = self._name_node(quad.subject)
        values = (value.value, restore_reference(value.value), subject)
        line = next(filter(None, map(self._lines.get, values)), self._element.line)
        term = quad.predicate.value
        for iri in (subject, value.value if value.is_iri else ""):
            if NOT_IN_IRI.search(iri) and iri not in self._doubted:
                self._doubted.add(iri)
                self._collector.faults.find("LX389", line, restore_reference(iri))
        self._collector.add(Notation.JSON_LD, subject, term, value, self._element, line)

    def _name_node(self, node: Any) -> str:
        """Return a node as a text; blank nodes are numbered in each block."""
        text = str(node)
        if not text.startswith("_:"):
            return str(node.value)
        return self._blank.setdefault(text, f"_:j{self._number}.{len(self._blank) + 1}")

    def _make_value(self, node: Any) -> StatementValue:
        datatype = getattr(node, "datatype", None)
        if datatype is None:
            return StatementValue(self._name_node(node), is_iri=True)
        kind = datatype.value
        is_text = kind in {_STRING_TYPE, _LANGUAGE_TYPE}
        return StatementValue(
            node.value, language=node.language, datatype=None if is_text else kind
        )


def _is_context_needed(top: Mapping[str, Any]) -> bool:
    """Return whether a key is a plain word, outside of any context."""
    waiting: list[Any] = [top]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, dict) and "@context" not in value:
            if any(":" not in key and not key.startswith("@") for key in value):
                return True
            waiting.extend(value.values())
    return False


class _InvalidJsonError(ValueError):
    """Error of a value that other readers of JSON refuse."""


def _refuse_constant(constant: str) -> None:
    raise _InvalidJsonError(f"{constant} is not a value of JSON")


def _parse_number(written: str) -> float | str:
    """Return a number; return one that is too large as it is written."""
    value = float(written)
    return value if math.isfinite(value) else written


def _unescape_string(written: str) -> str:
    """Return a text without the escapes of JSON."""
    if "\\" not in written:
        return written
    try:
        return str(json.loads(f'"{written}"', strict=False))
    except ValueError:
        return written
