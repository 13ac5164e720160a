"""One file of the registry as it is read: what it states, of what, and in which line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.registry._entries import kind_of_scheme
from lexurn.registry._findings import RegistryFinding, finding
from lexurn.registry._statements import Places, places_of
from lexurn.registry._turtle import CONCEPT, RDF, REG, SKOS, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.registry._entries import Kind
    from lexurn.registry._turtle import Values

__all__ = ["Source", "place_in", "read_source", "source_of"]

_LARGEST = 64 * 1024 * 1024
_SCHEMES = {SKOS + "ConceptScheme", "http://www.w3.org/2002/07/owl#Ontology"}


@dataclass(slots=True)
class Source:
    """One file of the registry.

    Attributes:
        file: its name, as messages show it.
        text: its text.
        subjects: what it states of each subject that is an entry, by IRI.
    """

    file: str
    text: str
    subjects: Mapping[str, Values]
    _places: list[Places] = field(default_factory=list)

    @property
    def places(self) -> Places:
        """Where its statements stand; read when the first line is asked for."""
        if not self._places:
            self._places.append(places_of(self.text))
        return self._places[0]

    def finding(
        self, code: str, at: tuple[str, str | None, str | None], *values: object, **more: str | None
    ) -> RegistryFinding:
        """A finding on what is stated.

        Args:
            code: a key of `CODES`.
            at: the subject, the property and the value at fault, the last two where there are.
            values: what the message shows.
            more: a ``suggestion``.
        """
        return finding(code, self.file, self.places.line_of(*at), *values, **more)


def read_source(path: str | Path) -> Source | RegistryFinding:
    """The file at a path, or why it cannot be read."""
    try:
        with Path(path).open("rb") as stream:
            octets = stream.read(_LARGEST + 1)
    except OSError as fault:
        return finding("LX901", str(path), 1, fault.strerror or fault)
    if len(octets) > _LARGEST:
        return finding("LX901", str(path), 1, f"it is larger than {_LARGEST} bytes")
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = octets.count(b"\n", 0, fault.start) + 1
        return finding("LX901", str(path), line, "it is not UTF-8; save it as UTF-8")
    return source_of(str(path), text)


def source_of(file: str, text: str) -> Source | RegistryFinding:
    """The file of a text, or why it is not Turtle."""
    from pyoxigraph import RdfFormat, parse  # noqa: PLC0415  an engine: not with the package

    try:
        found = values_of(parse(text, format=RdfFormat.TURTLE))
    except SyntaxError as fault:
        return finding("LX902", file, fault.lineno or 1, _cause(str(fault.msg)))
    except ValueError as fault:
        return finding("LX902", file, 1, fault)
    entries = {iri: values for iri, values in found.items() if _is_entry(iri, values)}
    return Source(file=file, text=text, subjects=entries)


def _cause(message: str) -> str:
    """What the engine says, without the place that stands beside it."""
    return re.sub(r"^.*?column(?:s \d+ and)? \d+: ", "", message)


def _is_entry(iri: str, values: Values) -> bool:
    types = {each.text for each in values.get(RDF + "type", ())}
    if types & _SCHEMES:
        return False
    if kind_of_scheme(iri.rpartition("/")[0]):
        return True
    return CONCEPT in types or any(iri.startswith((SKOS, REG)) for iri in values)


def place_in(values: Values) -> tuple[Kind, str] | None:
    """The kind and the scope of an entry by its scheme, or None."""
    schemes = values.get(SKOS + "inScheme", ())
    return kind_of_scheme(schemes[0].text) if schemes else None
