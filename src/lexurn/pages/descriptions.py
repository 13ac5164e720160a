"""Descriptions of a name: the bytes of each of its representations."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from html import escape
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from lexurn import data, graph
from lexurn.errors import GraphError
from lexurn.model import Family, read_day
from lexurn.pages.page import PART_SECTIONS, Page, SiteLinks
from lexurn.pages.paths import Representation
from lexurn.pages.view import FamilyView, find_family, list_ancestors, make_context_url
from lexurn.pages.words import choose_language, load_words
from lexurn.vocabulary import RECORD_END

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Sequence

    from jinja2.bccache import Bucket

    from lexurn.graph import Excerpt, Format
    from lexurn.model import Record
    from lexurn.name import Name
    from lexurn.pages.head_tags import Link
    from lexurn.pages.words import Words

_DATA_FILES = tuple((each.label, each.file_name) for each in Representation if each.relations)


# --- excerpts of a graph --------------------------------------------------------------


class Excerpts:
    """Graph of a family, from which the statements on single names are written.

    Attributes:
        view: the view of the family.
        graph: its graph.
    """

    def __init__(self, view: FamilyView) -> None:
        """Make the graph of a family; errors are those of `lexurn.graph.statements_of`."""
        self.view = view
        self.graph = graph.FamilyGraph(view.family, as_of=view.as_of, base=view.base)

    def select(
        self, name: Name, *, is_decoded_only: bool = False, is_on_site: bool = False
    ) -> Excerpt:
        """Select the statements that describe a name.

        These are the statements on the name, its aliases, and all names nested under them, with
        records, copies, HTTP URIs and concepts; and the decoded layer of the names above it.

        Args:
            name: the name.
            is_decoded_only: whether to select the decoded layer alone.
            is_on_site: whether to leave out the names above it that have records, since each has a
                folder of its own on a site.
        """
        below = tuple(self.view.below(name))
        nodes = [f"<{each.iri}{end}>" for each in below for end in ("", RECORD_END)]
        if self.view.base is not None:
            nodes += [f"<{self.view.http_uri(each)}>" for each in below]
        above = list_ancestors(name)
        if is_on_site:
            above = tuple(each for each in above if self.view.family.record(each) is None)
        ancestors = [f"<{each.iri}>" for each in above]
        if is_decoded_only:
            nodes, ancestors = [], nodes + ancestors
        return self.graph.select(nodes, ancestors)


# --- representations ------------------------------------------------------------------

_REFERENCES = (Representation.BIBTEX, Representation.RIS, Representation.CSL_JSON)
_TEXTS = {Representation.TEXT, Representation.HTML, Representation.LINKSET, *_REFERENCES}


def _write_reference(
    view: FamilyView, name: Name, representations: Iterable[Representation]
) -> list[str]:
    """Write the reference to a name in some forms."""
    from lexurn.pages import references  # noqa: PLC0415 - a text of `describe` needs none of it

    writers = {
        Representation.BIBTEX: references.write_bibtex,
        Representation.RIS: references.write_ris,
        Representation.CSL_JSON: references.write_csl_json,
    }
    reference = references.make_reference(view, name)
    return [writers[each](reference) for each in representations]


def _find_format(representation: Representation) -> Format | None:
    """Find the RDF format of a representation; None of a text, for which no graph is loaded."""
    return None if representation in _TEXTS else graph.Format[representation.name]


def write_representations(
    excerpts: Excerpts,
    name: Name,
    links: SiteLinks,
    *,
    language: str = "en",
    inline_context: bool = False,
) -> dict[str, bytes]:
    """Write the files in the folder of a name, by their file names; the page comes last.

    Args:
        excerpts: the statements of the family.
        name: the name.
        links: the links to the rest of the site.
        language: the language of the page where neither its version nor its jurisdiction has one.
        inline_context: whether JSON-LD holds its context, and does not link that of the site.
    """
    from lexurn.pages.head_tags import list_links  # noqa: PLC0415 - as above

    view, excerpt = excerpts.view, excerpts.select(name, is_on_site=True)
    context = None if inline_context else make_context_url(view.base)
    words = load_words(choose_language(name, language))
    known = list_links(view, name)
    return {
        each.file_name: excerpt.write(form, context=context, root=name.iri)
        if (form := _find_format(each)) is not None
        else _write_text(each, view, name, words, links, known).encode()
        for each in Representation
        if each.file_name is not None
    }


def _write_text(
    representation: Representation,
    view: FamilyView,
    name: Name,
    words: Words,
    site: SiteLinks,
    known: Sequence[Link] | None = None,
) -> str:
    """Write a representation that is not RDF.

    Args:
        representation: the representation.
        view: the view of the family.
        name: the name.
        words: the words of the language.
        site: the links to the rest of the site.
        known: the links of the name, where they have been listed.
    """
    if representation is Representation.TEXT:
        page = Page(view, name, words, SiteLinks(find=lambda _: None))
        return render_template("describe.txt", page=page, words=words, sections=PART_SECTIONS)
    if representation in _REFERENCES:
        return _write_reference(view, name, [representation])[0]
    from lexurn.pages.head_tags import (  # noqa: PLC0415 - as above
        ELI_PREFIX,
        list_links,
        write_head,
        write_linkset,
    )

    known = list_links(view, name) if known is None else known
    if representation is Representation.LINKSET:
        return write_linkset(view, name, known)
    head = "" if view.base is None else write_head(view, name, known, is_own_page=True)
    # Readers cite an act, a version or a part of it, not a file.
    forms = () if name.manifestation is not None else _REFERENCES
    references = _write_reference(view, name, forms) if forms else []
    return render_template(
        "page.html",
        page=Page(view, name, words, site),
        words=words,
        root=site.root,
        head=Markup(head),  # noqa: S704 - escaped
        site_title=site.title,
        search=site.search,
        # A document by itself links no file of the site.
        data=() if site.root is None else _DATA_FILES,
        prefix=ELI_PREFIX,
        references=[
            # Quotation marks stay as they are between tags.
            (each.label, each.suffix, Markup(escape(text, quote=False).replace("\r\n", "\n")))  # noqa: S704 - escaped
            for each, text in zip(forms, references, strict=True)
        ],
    )


def render_template(template: str, /, **values: object) -> str:
    """Fill in a template: values in HTML are escaped, a missing value is an error."""
    return _load_environment().get_template(template).render(values)


_OPTIONS: dict[str, Any] = {
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}
_ESCAPED: dict[str, Any] = {"disabled_extensions": ("txt",), "default": True}


class _CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """Compiled templates beside the compiled modules of this package.

    Python writes its own there, so nobody can change them who could not change the package. A
    folder that cannot be written has none: the templates are compiled in each process.
    """

    def __init__(self) -> None:
        options = sha256(repr((jinja2.__version__, _OPTIONS, _ESCAPED)).encode()).hexdigest()[:16]
        folder = Path(cache_from_source(__file__)).parent
        super().__init__(str(folder), f"template-{options}-%s.cache")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template, where it can be read."""
        with suppress(Exception):  # of a damaged file, which is made anew
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Save a template, unless Python saves no compiled modules."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                super().dump_bytecode(bucket)


@cache
def _load_environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data.find_folder("templates")),
        autoescape=jinja2.select_autoescape(**_ESCAPED),
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
        bytecode_cache=_CompiledTemplates(),
        **_OPTIONS,
    )


# --- single documents -----------------------------------------------------------------


def describe(  # noqa: PLR0913 - one command with all its options
    records: Family | Iterable[Record],
    name: Name,
    format: Format | str,
    *,
    as_of: dt.date | str | None = None,
    base: str | None = None,
    inline_context: bool = False,
    language: str | None = None,
) -> str:
    """Describe a name: its metadata, all names nested under it, and the names above it.

    Without any record only the decoded layer is written.

    Args:
        records: the family of the name, or any records.
        name: the name.
        format: a kind of `Representation`, such as ``text``, ``turtle``, ``html`` or ``bibtex``.
        as_of: the day for what is in force, as a date or in ISO 8601; today by default.
        base: the base of HTTP URIs; without it there are none.
        inline_context: whether JSON-LD holds its context, and does not link that of the site (with
            a base) or of lexurn.
        language: the language of a text or a page (`LANGUAGES`); by default English for a text, for
            a page that of the version, else of the jurisdiction, else English.

    Raises:
        GraphError: the format is unknown.
        ValueError: the base is invalid.
        ModelError: the records contradict each other.
        DateError: ``as_of`` is a text that is not a date.
    """
    representation = _find_representation(format)
    known = records if isinstance(records, Family) else tuple(records)
    view = FamilyView(family=find_family(name, known), as_of=read_day(as_of), base=base)

    form = _find_format(representation)
    if form is None:
        if representation is Representation.TEXT:
            words = load_words(language or "en")
        else:
            words = load_words(language or choose_language(name, "en"))
        links = SiteLinks(find=lambda each: None if base is None else view.page_url(each))
        return _write_text(representation, view, name, words, links)
    context = None if inline_context else make_context_url(base)
    excerpt = Excerpts(view).select(name, is_decoded_only=not known)
    return excerpt.write(form, context=context, root=name.iri).decode()


def _find_representation(name: Format | str) -> Representation:
    """Find the representation of a kind, a media type, or any name of an RDF format."""
    wanted = name.strip().lower() if isinstance(name, str) else name.name.lower()
    for each in Representation:
        if wanted in {each.kind, each.media_type}:
            return each
    try:
        return Representation[graph.Format.from_name(wanted).name]
    except GraphError:
        known = ", ".join(each.kind for each in Representation)
        raise GraphError(f"unknown format {name!r}; use one of {known}") from None
