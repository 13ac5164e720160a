"""Pages: head tags, representations and documents about a name, for the site and the server.

In: the family of a name, the day for what is in force, and the base of HTTP URIs.
Out: head tags, pages, RDF, linksets, references, and the path of the name's folder on a site.
Read in this order: paths, words, view, representations, eli, links, schema_org, head_tags,
references, page, descriptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.pages.descriptions import (
        Excerpts,
        describe,
        render_template,
        write_representations,
    )
    from lexurn.pages.head_tags import DocumentMetadata, head, make_document_metadata
    from lexurn.pages.links import write_linkset
    from lexurn.pages.paths import locate_folder, make_collision_key, make_relative_link
    from lexurn.pages.references import write_bibtex, write_csl_json, write_ris
    from lexurn.pages.representations import Representation
    from lexurn.pages.view import FamilyView, make_context_url
    from lexurn.pages.words import escape_controls

__all__ = [
    "DocumentMetadata",
    "Excerpts",
    "FamilyView",
    "Representation",
    "describe",
    "escape_controls",
    "head",
    "locate_folder",
    "make_collision_key",
    "make_context_url",
    "make_document_metadata",
    "make_relative_link",
    "render_template",
    "write_bibtex",
    "write_csl_json",
    "write_linkset",
    "write_representations",
    "write_ris",
]

__getattr__, __dir__ = attach(__name__)
