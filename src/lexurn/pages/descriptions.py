"""Descriptions of a name: the bytes of each of its representations."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from lexurn import data, graph
from lexurn.errors import GraphError
from lexurn.model import Family, read_day
from lexurn.pages.page import PART_SECTIONS, SiteLinks, make_page
from lexurn.pages.representations import Representation
from lexurn.pages.view import FamilyView, find_family, list_ancestors, make_context_url
from lexurn.pages.words import choose_language, load_words
from lexurn.vocabulary import RECORD_END

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Mapping

    from jinja2 import Environment

    from lexurn.graph import Format, Statements, Triple
    from lexurn.model import Record
    from lexurn.name import Name

    Index = Mapping[str, list[Triple]]
    from lexurn.pages.words import Words

_LEX_PREFIX = "<urn:lex:"
_DATA_FILES = tuple(
    (each.label, each.file_name)
    for each in Representation
    if each.file_name and "describedby" in each.relations
)


# --- excerpts of a graph --------------------------------------------------------------


class Excerpts:
    """Statements of a family by subject, from which those on single names are taken."""

    def __init__(self, view: FamilyView, statements: Statements) -> None:
        """Index the statements of a family, and those on the concepts of its acts."""
        self.view = view
        self._decoded = _index_by_subject(statements.decoded)
        self._catalogued = _index_by_subject(statements.catalogued)
        concepts = graph.describe_concepts(graph.find_concepts((view.family,)))
        self._computed = _index_by_subject((*statements.computed, *concepts.computed))

    def about(self, name: Name) -> Statements:
        """Return the statements that describe a name.

        These are the statements on the name, its aliases, and all names nested under them, with
        records, copies, HTTP URIs and concepts; and the decoded layer of the names above it.
        """
        below = tuple(self.view.below(name))
        subjects = [f"<{each.iri}{end}>" for each in below for end in ("", RECORD_END)]
        if self.view.base is not None:
            subjects += [f"<{self.view.http_uri(each)}>" for each in below]
        # Targets that are described and are not LEX names belong to it.
        described = dict.fromkeys(subjects)
        while subjects:
            subject = subjects.pop()
            for index in (self._catalogued, self._computed):
                for _, _, target in index.get(subject, ()):
                    is_other = target.startswith("<") and not target.startswith(_LEX_PREFIX)
                    is_described = target in self._catalogued or target in self._computed
                    if is_other and is_described and target not in described:
                        described[target] = None
                        subjects.append(target)
        ancestors = (f"<{each.iri}>" for each in list_ancestors(name))
        return graph.Statements(
            decoded=_gather_triples(self._decoded, dict.fromkeys((*described, *ancestors))),
            catalogued=_gather_triples(self._catalogued, described),
            computed=_gather_triples(self._computed, described),
        )


def _index_by_subject(triples: Iterable[Triple]) -> Index:
    index: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples:
        index[triple[0]].append(triple)
    return index


def _gather_triples(index: Index, subjects: Iterable[str]) -> tuple[Triple, ...]:
    return tuple(triple for subject in subjects for triple in index.get(subject, ()))


# --- representations ------------------------------------------------------------------

_REFERENCES = (Representation.BIBTEX, Representation.RIS, Representation.CSL_JSON)
_TEXTS = {Representation.TEXT, Representation.HTML, Representation.LINKSET, *_REFERENCES}


@cache
def _load_writers() -> Mapping[Representation, Callable[[FamilyView, Name], str]]:
    """Load the writers of linksets and references: a text of `describe` needs none of them."""
    from lexurn.pages import links, references  # noqa: PLC0415 - see above

    return {
        Representation.LINKSET: links.write_linkset,
        Representation.BIBTEX: references.write_bibtex,
        Representation.RIS: references.write_ris,
        Representation.CSL_JSON: references.write_csl_json,
    }


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
    view, excerpt = excerpts.view, excerpts.about(name)
    context = None if inline_context else make_context_url(view.base)
    words = load_words(choose_language(name, language))
    return {
        each.file_name: graph.write(excerpt, form, context=context, root=name.iri)
        if (form := _find_format(each)) is not None
        else _write_text(each, view, name, words, links, _DATA_FILES).encode()
        for each in Representation
        if each.file_name is not None
    }


def _write_text(
    representation: Representation,
    view: FamilyView,
    name: Name,
    words: Words,
    links: SiteLinks,
    files: tuple[tuple[str, str], ...] = (),
) -> str:
    """Write a representation that is not RDF; a page links the files of data beside it."""
    if representation is Representation.TEXT:
        page = make_page(view, name, words=words, links=SiteLinks(find=lambda _: None))
        return render_template("describe.txt", page=page, words=words, sections=PART_SECTIONS)
    if representation is Representation.HTML:
        from lexurn.pages.head_tags import ELI_PREFIX, write_head  # noqa: PLC0415 - with the graph

        head = "" if view.base is None else write_head(view, name, is_own_page=True)
        return render_template(
            "page.html",
            page=make_page(view, name, words=words, links=links),
            words=words,
            root=links.root,
            head=Markup(head),  # noqa: S704 - escaped
            site_title=links.title,
            data=files,
            prefix=ELI_PREFIX,
            references=[
                (each.label, _load_writers()[each](view, view.family.canonical(name)))
                for each in _REFERENCES
            ],
        )
    return _load_writers()[representation](view, name)


def render_template(template: str, /, **values: object) -> str:
    """Fill in a template: values in HTML are escaped, a missing value is an error."""
    return _load_environment().get_template(template).render(values)


@cache
def _load_environment() -> Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data.find_folder("templates")),
        autoescape=jinja2.select_autoescape(disabled_extensions=("txt",), default=True),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
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
    statements = graph.statements_of(view.family, as_of=view.as_of, base=base)
    excerpt = Excerpts(view, statements).about(name)
    if not known:
        excerpt = graph.Statements(decoded=excerpt.decoded)
    context = None if inline_context else make_context_url(base)
    return graph.write(excerpt, form, context=context, root=name.iri).decode()


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
