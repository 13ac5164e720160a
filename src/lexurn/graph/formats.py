"""Formats of RDF that lexurn reads and writes."""

from __future__ import annotations

from enum import Enum

from lexurn.errors import GraphError


class Format(Enum):
    """Format of RDF, with its media type, its file extension and other names."""

    TURTLE = ("text/turtle", "ttl", ())
    TRIG = ("application/trig", "trig", ())
    NTRIPLES = ("application/n-triples", "nt", ("n-triples",))
    NQUADS = ("application/n-quads", "nq", ("n-quads",))
    JSONLD = ("application/ld+json", "jsonld", ("json-ld", "json"))
    RDFXML = ("application/rdf+xml", "rdf", ("rdf/xml", "rdf-xml", "xml"))

    def __init__(self, media_type: str, extension: str, others: tuple[str, ...]) -> None:
        self.media_type = media_type
        self.extension = extension
        self.names = frozenset({self.name.lower(), media_type, extension, *others})

    @property
    def has_graphs(self) -> bool:
        """True where the format keeps the layers apart, as named graphs."""
        return self in {Format.TRIG, Format.NQUADS}

    @classmethod
    def from_name(cls, name: str) -> Format:
        """Find the format of a name, a media type or a file extension, in whatever case.

        Raises:
            GraphError: no format goes by that name; the message lists those that are known.
        """
        wanted = name.strip().lower().removeprefix(".").partition(";")[0].strip()
        for each in cls:
            if wanted in each.names:
                return each
        known = ", ".join(each.name.lower() for each in cls)
        raise GraphError(f"unknown format {name!r}; known are {known}")
