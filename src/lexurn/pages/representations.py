"""Representations of a name: media types, file names, and links to them.

`describe`, sites, head tags, linksets and servers read this one table; `descriptions` writes the
bytes of each row. An RDF format has the name that `lexurn.Format` gives it.
"""

from __future__ import annotations

from enum import Enum


class Representation(Enum):
    """Representation of a name. The last one is the page, by which people find the others.

    Attributes:
        kind: its key, as in ``describe --format csl-json``.
        label: its name for people.
        media_type: its media type.
        suffix: the end of the names of its files, without a dot.
        file_name: the name of its file in the folder of a name on a site; None if it has none.
        relations: the relations of that file to the page (RFC 8288).
    """

    TEXT = ("Text", "text/plain", "txt")
    TURTLE = ("Turtle", "text/turtle", "ttl", "index.ttl", ("describedby",))
    TRIG = ("TriG", "application/trig", "trig")
    NTRIPLES = ("N-Triples", "application/n-triples", "nt")
    NQUADS = ("N-Quads", "application/n-quads", "nq")
    JSONLD = (
        *("JSON-LD", "application/ld+json", "jsonld", "index.jsonld"),
        ("alternate", "describedby"),
    )
    RDFXML = ("RDF/XML", "application/rdf+xml", "rdf")
    LINKSET = ("Linkset", "application/linkset+json", "json", "links.json", ("linkset",))
    BIBTEX = ("BibTeX", "application/x-bibtex", "bib")
    RIS = ("RIS", "application/x-research-info-systems", "ris")
    CSL_JSON = ("CSL-JSON", "application/vnd.citationstyles.csl+json", "json")
    HTML = ("HTML", "text/html", "html", "index.html")

    def __init__(
        self,
        label: str,
        media_type: str,
        suffix: str,
        file_name: str | None = None,
        relations: tuple[str, ...] = (),
    ) -> None:
        self.kind = self.name.lower().replace("_", "-")
        self.label = label
        self.media_type = media_type
        self.suffix = suffix
        self.file_name = file_name
        self.relations = relations
