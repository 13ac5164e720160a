"""Descriptions of a name: the bytes of each of its representations, references among them.

Types of entries in bibliographies are those of biblatex (manual, section 2.1.3: ``@legislation``
are laws, bills and legislative proposals, ``@jurisdiction`` court decisions, ``@legal`` treaties),
of RIS (Research Information Systems) and of CSL 1.0.2. `ontology/references.json` lists the types
of measure that are not legislation. Absent facts have no field.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from functools import cache, lru_cache
from hashlib import sha256
from html import escape
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote

import jinja2
from markupsafe import Markup

from lexurn import data, graph
from lexurn.errors import GraphError
from lexurn.labels import describe_issuer, make_label
from lexurn.lazy import compile_late
from lexurn.model import Family, read_day
from lexurn.pages.page import PART_SECTIONS, Page, SiteLinks
from lexurn.pages.paths import Representation
from lexurn.pages.text import check_link, choose_language, decode_part, escape_controls, load_words
from lexurn.pages.view import (
    FamilyView,
    find_family,
    list_ancestors,
    list_issuers,
    make_context_url,
)
from lexurn.registry import load_registry
from lexurn.vocabulary import RECORD_END

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Mapping, Sequence

    from jinja2.bccache import Bucket

    from lexurn.graph import Excerpt, Format
    from lexurn.model import Record
    from lexurn.name import Name
    from lexurn.pages.head_tags import Link
    from lexurn.pages.text import Words

# --- references -----------------------------------------------------------------------


class _Types(NamedTuple):
    """Types of an entry for one kind of act."""

    bibtex: str
    ris: str
    csl: str


_TYPES = {
    "legislation": _Types("legislation", "STAT", "legislation"),
    "bill": _Types("legislation", "BILL", "bill"),
    "judgment": _Types("jurisdiction", "CASE", "legal_case"),
    "treaty": _Types("legal", "STAT", "treaty"),
}
_RESOURCE_TYPE = "http://publications.europa.eu/resource/authority/resource-type/"
_YEAR = compile_late("[0-9]{4}")
# Braces must be balanced in a value, even those behind a backslash.
_TEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "$&#%_"},
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
_UNSAFE_IN_VERBATIM = compile_late(r"[{}\\\s]")
_UNSAFE_IN_KEY = compile_late("[^A-Za-z0-9.:;+-]")
_LONGEST_KEY = 100
_ENCODER = json.JSONEncoder(ensure_ascii=False)


class Reference(NamedTuple):
    """Reference to a name: each fact on one line, without control characters.

    Attributes:
        types: the types of its entries.
        name: the name.
        title: its title, else its label.
        label: its label in the citation style of its jurisdiction; None where it is the title.
        authority: its issuers; empty where they are not known.
        jurisdiction: its jurisdiction-code, and units.
        number: its numbers; empty where they were made for the name (RFC 9676 section 6.3.3).
        issued: the day or the year in which the act was issued, in ISO 8601.
        version: the date of the version, else what specifies it.
        language: the language tag of the version, else the only one of its versions.
        url: its HTTP URI, else a page or a copy.
    """

    types: _Types
    name: str
    title: str
    label: str | None
    authority: str
    jurisdiction: str
    number: str
    issued: str | None
    version: str | None
    language: str | None
    url: str | None


def make_reference(view: FamilyView, name: Name) -> Reference:
    """Make the reference to a name."""
    record, details, titles = view.record(name), name.work.details, view.titles(name)
    stated = (view.record(name.act_name).issued, record.issued)
    first, other = (None if day is None else day.isoformat() for day in stated)
    year = details.period if _YEAR.fullmatch(details.period or "") else None
    dates = (first, *(date.iso for date in details.dates), year, other)
    version = language = None
    if name.expression is not None:
        date, specification = name.expression.version.date, name.expression.version.specification
        version = decode_part(specification or "") if date is None else date.iso
        language = name.expression.language
    elif len(chains := view.chains(name)) == 1:
        language = chains[0].language
    numbers = () if details.is_lex_number else map(unquote, details.numbers)
    urls = (*record.pages, *(item.url for item in record.items))
    url = next((each for each in urls if check_link(each)), None)
    words = _clean(view.cite(name))
    return Reference(
        types=_TYPES[_find_kind(name.act_name)],
        name=str(name),
        title=_clean(titles[0].value) if titles else words,
        label=words if titles else None,
        authority=_label_authority(name.act_name),
        jurisdiction=str(name.jurisdiction),
        number=_clean(", ".join(numbers)),
        issued=next(filter(None, dates), None),
        version=version,
        language=language,
        url=url if view.base is None else view.http_uri(view.family.canonical(name)),
    )


@lru_cache(maxsize=1_024)
def _label_authority(act: Name) -> str:
    language = make_label(act).language
    return _clean("; ".join(describe_issuer(act, each, language) for each in list_issuers(act)))


@lru_cache(maxsize=1_024)
def _find_kind(name: Name) -> str:
    """Find the kind of an act by its type of measure, as the registry has it, and its issuer."""
    code, measure = name.jurisdiction.code, name.work.measure.type
    resource_types, kinds, courts = _load_kinds()
    for entry in load_registry().law(code).measures.by_notation(measure):
        for match in entry.matches:
            if match in resource_types:
                return resource_types[match]
    if (court := courts.get((code, measure))) is not None:
        issuers = (";".join((each.institution, *each.functions)) for each in list_issuers(name))
        if any(map(court.search, issuers)):
            return "judgment"
    return kinds.get((code, measure), "legislation")


@cache
def _load_kinds() -> tuple[
    Mapping[str, str], Mapping[tuple[str, str], str], Mapping[tuple[str, str], re.Pattern[str]]
]:
    """Load the kinds by matches of the registry, and by jurisdiction and type of measure.

    For types that are judgments of courts alone, the last mapping has the pattern of courts.
    """
    table = json.loads(data.read_text("ontology/references.json"))
    matches = {f"{_RESOURCE_TYPE}{key}": kind for key, kind in table["resource_types"].items()}
    measures = {
        (code, measure): kind
        for code, kinds in table["measures"].items()
        for kind, types in kinds.items()
        for measure in types.split()
    }
    courts = {
        (code, measure): re.compile(
            "|".join(
                rf"{re.escape(word[1:])}\b" if word.startswith("-") else rf"\b{re.escape(word)}\b"
                for word in each["authorities"].split()
            )
        )
        for code, each in table["courts"].items()
        for measure in each["measures"].split()
    }
    return matches, measures, courts


def _clean(text: str) -> str:
    """Return a text on one line, its control characters made visible."""
    return " ".join(escape_controls(text).split())


def write_bibtex(reference: Reference) -> str:
    """Write an entry for biblatex, in UTF-8 and escaped for TeX."""
    texts = (
        # Braces inside keep the capital letters of a title, and an "and" in the name of an issuer.
        ("title", f"{{{_escape_tex(reference.title)}}}"),
        ("shorttitle", reference.label and f"{{{_escape_tex(reference.label)}}}"),
        ("organization", reference.authority and f"{{{_escape_tex(reference.authority)}}}"),
        ("number", _escape_tex(reference.number)),
        ("date", reference.issued),
        ("version", _escape_tex(reference.version)),
        ("language", _escape_tex(reference.language)),
        ("jurisdiction", _escape_tex(reference.jurisdiction)),
        # biblatex reads both of these verbatim (manual, section 2.2.1).
        ("url", _escape_verbatim(reference.url)),
        ("eprinttype", "urn"),
        ("eprint", _escape_verbatim(reference.name)),
    )
    fields = "".join(f"  {key} = {{{value}}},\n" for key, value in texts if value)
    bare = reference.name.removeprefix("urn:lex:")
    key = _UNSAFE_IN_KEY.sub("-", bare)
    if len(key) > _LONGEST_KEY or key != bare.replace("@", "-"):
        # Characters were replaced: a digest keeps the keys of different names apart.
        key = f"{key[:_LONGEST_KEY]}-{sha256(reference.name.encode()).hexdigest()[:16]}"
    return f"@{reference.types.bibtex}{{{key},\n{fields}}}\n"


def _escape_tex(text: str | None) -> str:
    return (text or "").translate(_TEX)


def _escape_verbatim(text: str | None) -> str:
    return _UNSAFE_IN_VERBATIM.sub(lambda found: quote(found[0]), text or "")


def write_ris(reference: Reference) -> str:
    """Write a record of RIS: a tag a line, lines end in CR LF."""
    year, _, day = (reference.issued or "").partition("-")
    tags = (
        ("TY", reference.types.ris),
        ("TI", reference.title),
        ("ST", reference.label),
        ("PB", reference.authority),
        ("CY", reference.jurisdiction),
        ("M1", reference.number),
        ("PY", year),
        ("DA", day and f"{year}/{day.replace('-', '/')}/"),
        ("ET", reference.version),
        ("LA", reference.language),
        # Bare semicolons separate URLs (RIS specification, 2011, tag UR).
        ("UR", (reference.url or "").replace(";", "%3B")),
        ("AN", reference.name),
    )
    lines = [f"{tag}  - {value}\r\n" for tag, value in tags if value]
    return "".join((*lines, "ER  - \r\n"))


def write_csl_json(reference: Reference) -> str:
    """Write an item in CSL-JSON, a fact a line: a list of one."""
    issued = reference.issued
    item = {
        "id": reference.name,
        "type": reference.types.csl,
        "title": reference.title,
        "title-short": reference.label,
        "authority": reference.authority,
        "jurisdiction": reference.jurisdiction,
        "number": reference.number,
        "issued": issued and {"date-parts": [[int(part) for part in issued.split("-")]]},
        "version": reference.version,
        "language": reference.language,
        "URL": reference.url,
    }
    lines = [f'  "{key}": {_ENCODER.encode(value)}' for key, value in item.items() if value]
    return "[{\n" + ",\n".join(lines) + "\n}]\n"


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

_REFERENCES = {
    Representation.BIBTEX: write_bibtex,
    Representation.RIS: write_ris,
    Representation.CSL_JSON: write_csl_json,
}
_TEXTS = {Representation.TEXT, Representation.HTML, Representation.LINKSET, *_REFERENCES}


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
    from lexurn.pages.head_tags import list_links  # noqa: PLC0415 - RDF and references need none

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
        return _REFERENCES[representation](make_reference(view, name))
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
    reference = make_reference(view, name) if name.manifestation is None else None
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
            for each, write in _REFERENCES.items()
            if reference is not None
            for text in (write(reference),)
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
