"""Pages: head tags, representations and documents about a name, for the site and the server.

In: the family of a name, the day for what is in force, and the base of HTTP URIs.
Out: head tags, pages, RDF, linksets, references, and the path of the name's folder on a site.
Read in this order: paths, text, view, vocabularies, head_tags, force, page, descriptions.
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
    from lexurn.pages.force import describe_act_force, describe_work_force
    from lexurn.pages.head_tags import DocumentMetadata, head, make_document_metadata
    from lexurn.pages.page import (
        Fact,
        PageLink,
        SiteLinks,
        find_year,
        make_value,
        shorten_url,
        sort_chains,
    )
    from lexurn.pages.paths import (
        Representation,
        locate_folder,
        make_collision_key,
        make_relative_link,
        quote_path,
    )
    from lexurn.pages.text import (
        LANGUAGES,
        PageText,
        Words,
        choose_language,
        escape_controls,
        load_words,
        make_title,
    )
    from lexurn.pages.view import FamilyView, make_context_url

__all__ = [
    "LANGUAGES",
    "DocumentMetadata",
    "Excerpts",
    "Fact",
    "FamilyView",
    "PageLink",
    "PageText",
    "Representation",
    "SiteLinks",
    "Words",
    "choose_language",
    "describe",
    "describe_act_force",
    "describe_work_force",
    "escape_controls",
    "find_year",
    "head",
    "load_words",
    "locate_folder",
    "make_collision_key",
    "make_context_url",
    "make_document_metadata",
    "make_relative_link",
    "make_title",
    "make_value",
    "quote_path",
    "render_template",
    "shorten_url",
    "sort_chains",
    "write_representations",
]

__getattr__, __dir__ = attach(__name__)
