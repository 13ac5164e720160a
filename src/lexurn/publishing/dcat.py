"""Description of a site for catalogues of data: what its publisher states, and ``catalogue.ttl``.

`Site` holds the statements of the publisher, which ``site.toml`` gives:

.. code-block:: toml

    language = "it"
    license = "https://creativecommons.org/publicdomain/zero/1.0/"
    contact = "law@example.org"

    [title]
    it = "Leggi d'esempio"
    en = "Laws of Example"

    [description]
    it = "Le leggi, versione per versione."

    [publisher]
    name = "Parliament of Example"
    iri = "https://parliament.example/"

``catalogue.ttl`` describes the site by DCAT 3 as DCAT-AP 3.0.0 asks, and by VoID (W3C, 2011).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from lexurn import data
from lexurn import vocabulary as v
from lexurn.errors import ManifestError, PublishError
from lexurn.graph import Format, Statements, format_integer, format_literal, format_text, write
from lexurn.manifest import is_linkable, is_web_url
from lexurn.name import parse
from lexurn.pages import (
    LANGUAGES,
    PageText,
    Representation,
    escape_controls,
    load_words,
    render_template,
)
from lexurn.store import find_ready_query, ready

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from lexurn.graph import Triple
    from lexurn.manifest import EntryLines
    from lexurn.pages import Words

_EMAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_LANGUAGE_TAG = re.compile(r"[a-z]{2,8}(?:-[a-z0-9]{1,8})*")
_KEYS = ("title", "description", "publisher", "license", "contact", "language")
_NO_LINE = "it must be one line of text in quotes"
_PUBLISHER_KEYS = {"name": "publisher", "iri": "publisher_iri"}

DESCRIPTION_FILE = "catalogue.ttl"
STATEMENTS_FILE = "catalogue.nq.gz"
CLASSES = (
    *(v.WORK, v.EXPRESSION, v.MANIFESTATION_CLASS, v.ITEM_CLASS),
    *(v.ANNEX_CLASS, v.PARTITION, v.CONCEPT_CLASS),
)
"""Classes whose members are counted; annexes are works, too."""
_NAME_CLASSES = (v.WORK, v.EXPRESSION, v.MANIFESTATION_CLASS, v.PARTITION)
_VOCABULARIES = (v.LEXO, v.FRBR, v.DCTERMS, v.DCAT, v.IANA, v.OWL, v.SKOS, v.FOAF, v.SPDX)
_COUNTING_QUERIES = ("count-by-jurisdiction", "count-by-language")
_STANDARDS = ("https://www.rfc-editor.org/rfc/rfc9676", "https://w3id.org/lexurn/ns")
_THEME = "http://publications.europa.eu/resource/authority/data-theme/JUST"
_THEME_LABEL = "Justice, legal system and public safety"


# --- statements of the publisher ------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Statements of a publisher about a site; an absent one is empty or None.

    Attributes:
        title: the title, by language tag.
        description: the description, by language tag.
        publisher: the name of the publisher.
        publisher_iri: the IRI of the publisher.
        license: the IRI of the licence of the data.
        contact: an e-mail address, or the URL of a page.
        language: the language of the home page, and of pages without a language of their own; one
            of `lexurn.pages.LANGUAGES`.

    Raises:
        PublishError: a value has the wrong type, is empty, or is not an IRI.
    """

    title: Mapping[str, str] = field(default_factory=dict)
    description: Mapping[str, str] = field(default_factory=dict)
    publisher: str | None = None
    publisher_iri: str | None = None
    license: str | None = None
    contact: str | None = None
    language: str | None = None

    def __post_init__(self) -> None:
        """Check and copy the values."""
        for key, message in _find_faults(
            {each.name: getattr(self, each.name) for each in fields(self)}
        ):
            raise PublishError(f"Site: {key}: {message}")
        # Other processes get the texts, too.
        for key in ("title", "description"):
            object.__setattr__(self, key, dict(getattr(self, key)))

    def choose_title(self, language: str, base: str) -> PageText:
        """Return the title in a language, else in that of the site, else any, else the host."""
        return self._choose(self.title, language) or PageText(urlsplit(base).netloc)

    def choose_description(self, language: str) -> PageText | None:
        """Return the description in a language, else as for the title; None without any."""
        return self._choose(self.description, language)

    def _choose(self, texts: Mapping[str, str], language: str) -> PageText | None:
        for tag in (language, self.language or "", *texts):
            if tag in texts:
                return PageText(texts[tag], None if tag == language else tag)
        return None

    def list_missing(self) -> tuple[str, ...]:
        """List the absent keys of ``site.toml`` that DCAT-AP requires or recommends."""
        return tuple(key for key in _KEYS if key != "language" and not getattr(self, key))


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSettings:
    """Settings that are the same for all pages of a run.

    Attributes:
        out: the folder of the site.
        state: the file of the state, with all names that are published.
        base: the base of HTTP URIs.
        as_of: the day for what is in force.
        inline_context: whether JSON-LD holds its context.
        language: the language of pages where neither version nor jurisdiction has one.
        site: the statements of the publisher.
        search: whether there is a page for a search.
    """

    out: Path
    state: Path
    base: str
    as_of: dt.date
    inline_context: bool
    language: str
    site: Site
    search: bool

    @property
    def words(self) -> Words:
        """Words of the language of the site."""
        return load_words(self.language)

    @property
    def title(self) -> PageText:
        """Title of the site."""
        return self.site.choose_title(self.language, self.base)

    def render_page(self, template: str, *, root: str | None, **values: object) -> bytes:
        """Fill in the template of a page of the site, which no single name is about.

        Args:
            template: the template.
            root: the link to the folder of the site; None for a page that links no other file.
            values: further values, or others for words, title and links to data.
        """
        known = {"words": self.words, "site_title": self.title, "search": self.search, "data": ()}
        return render_template(template, root=root, **known | values).encode()


def read_site(path: str) -> Site:
    """Read the statements in a TOML file.

    Raises:
        PublishError: the file cannot be read, or an entry is wrong; with its line.
    """
    from lexurn.manifest import read_toml  # noqa: PLC0415 - the processes that write pages need none

    try:
        entries, lines = read_toml(path, "site file", _KEYS)
    except ManifestError as fault:
        raise PublishError(str(fault)) from None
    publisher = entries.pop("publisher", {})
    if not isinstance(publisher, dict) or not publisher.keys() <= _PUBLISHER_KEYS.keys():
        wanted = 'write a table: [publisher], name = "..." and iri = "..."'
        raise PublishError(f"{_locate(path, lines, 'publisher')}: {wanted}")
    values = entries | {_PUBLISHER_KEYS[key]: value for key, value in publisher.items()}
    names = {field: f"publisher.{key}" for key, field in _PUBLISHER_KEYS.items()}
    for key, message in _find_faults(values):
        name = names.get(key, key)
        raise PublishError(f"{_locate(path, lines, name)}: {name}: {message}")
    return Site(**values)


def _locate(path: str, lines: EntryLines, key: str) -> str:
    """Return file and line of an entry, else of its table."""
    table, _, entry = key.rpartition(".")
    line = lines.get((table, entry)) or lines.get((entry, "")) or lines.get((table, ""))
    return f"{path}:{line or 1}"


def _find_faults(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the key of each wrong value, and what is wrong and what to write."""
    for key in ("title", "description"):
        texts = values.get(key, {})
        if not hasattr(texts, "items"):
            yield key, f'it has a text for each language; write a table: [{key}], en = "..."'
            continue
        for tag, text in texts.items():
            if not isinstance(tag, str) or not _LANGUAGE_TAG.fullmatch(tag):
                yield f"{key}.{tag}", f"{tag!r} is not a language tag in lower case, such as en"
            elif not _is_line(text):
                yield f"{key}.{tag}", _NO_LINE
    for key in ("publisher", "publisher_iri", "license", "contact", "language"):
        fault = None if values.get(key) is None else _find_fault(key, values[key])
        if fault is not None:
            yield key, fault
    if values.get("publisher_iri") is not None and values.get("publisher") is None:
        yield "publisher", 'the publisher needs a name, too; write name = "..."'


def _find_fault(key: str, text: object) -> str | None:
    """Find what is wrong with the single value of a key."""
    if not isinstance(text, str) or not _is_line(text):
        return _NO_LINE
    if key in {"publisher_iri", "license"} and not _is_link(text):
        return f"{text!r} is not an absolute IRI; write one such as https://law.example/"
    if key == "contact" and not (_is_link(text) or _EMAIL.fullmatch(text)):
        return f"{text!r} is neither an e-mail address nor an absolute IRI"
    if key == "language" and text not in LANGUAGES:
        return f"{text!r} is not a language of pages; use one of {', '.join(LANGUAGES)}"
    return None


def _is_line(text: object) -> bool:
    return (
        isinstance(text, str)
        and bool(text.strip())
        and escape_controls(text) == text
        and "\n" not in text
    )


def _is_link(text: str) -> bool:
    return is_web_url(text) and is_linkable(text)


# --- catalogue.ttl --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteContent:
    """Figures of a site.

    Attributes:
        summary: the numbers of acts and jurisdictions, in words.
        triples: the number of statements.
        classes: the number of members of each of `CLASSES`.
        modified: the day of the newest change, in ISO 8601; empty where none is known.
        examples: the names of some acts.
        size: the size of ``catalogue.nq.gz`` in bytes.
        sha256: the digest of that file.
    """

    summary: str
    triples: int
    classes: Mapping[str, int]
    modified: str
    examples: Sequence[str]
    size: int
    sha256: str


def write_description(settings: SiteSettings, content: SiteContent) -> bytes:
    """Write ``catalogue.ttl``: the catalogue, its data set, the files, and example queries."""
    description = _Description(settings)
    description.describe_site(content)
    description.describe_data(content)
    description.describe_files(content)
    description.describe_queries(content)
    return write(Statements(catalogued=tuple(description.triples)), Format.TURTLE)


class _Description:
    """Triples of a description, while they are listed."""

    def __init__(self, settings: SiteSettings) -> None:
        self.base, self.language, self.site = settings.base, settings.language, settings.site
        self.words, self.title = settings.words, settings.title
        self.triples: dict[Triple, None] = {}
        self.catalogue, self.dataset = self.node("catalogue"), self.node("dataset")

    def add(self, subject: str, predicate: str, value: str, *classes: str) -> None:
        """Add a triple, and the classes of its value: DCAT-AP asks for them at each link."""
        self.triples[subject, _term(predicate), value] = None
        for each in classes:
            self.triples[value, v.TYPE, _term(each)] = None

    def node(self, name: str) -> str:
        """Return the node of a thing that the file describes."""
        return f"<{self.base}/{DESCRIPTION_FILE}#{name}>"

    def page(self, path: str) -> str:
        """Return the node of a file of the site."""
        return f"<{self.base}/{path}>"

    def text(self, text: str) -> str:
        """Write a text in the language of the site."""
        return format_literal(text, self.language)

    def describe_site(self, content: SiteContent) -> None:
        """Describe the catalogue and the data set: texts, publisher, licence, contact and day."""
        site, document = self.site, self.page(DESCRIPTION_FILE)
        self.add(document, "foaf:primaryTopic", self.catalogue, "dcat:Catalog")
        self.add(document, "rdf:type", _term("void:DatasetDescription"))
        self.add(self.catalogue, "dcat:dataset", self.dataset, "dcat:Dataset", "void:Dataset")
        self.add(self.catalogue, "foaf:homepage", self.page("index.html"), "foaf:Document")
        code = data.load_table("languages")["authority"][self.language]
        language = f"<{v.LANGUAGE}{code}>"
        self.add(self.catalogue, "dcterms:language", language, "dcterms:LinguisticSystem")
        titles = tuple(site.title.items()) or ((None, self.title.value),)
        descriptions = site.description or {self.language: content.summary}
        license_ = None if site.license is None else f"<{site.license}>"
        for node in (self.catalogue, self.dataset):
            for tag, text in titles:
                self.add(node, "dcterms:title", format_literal(text, tag))
            for tag, text in descriptions.items():
                self.add(node, "dcterms:description", format_literal(text, tag))
            if content.modified:
                self.add(node, "dcterms:modified", f'"{content.modified}"^^{v.XSD_DATE}')
            if license_ is not None:
                self.add(node, "dcterms:license", license_, "dcterms:LicenseDocument")
            if site.publisher is not None:
                iri = site.publisher_iri
                publisher = "_:publisher" if iri is None else f"<{iri}>"
                self.add(node, "dcterms:publisher", publisher, "foaf:Agent")
                self.add(publisher, "foaf:name", format_text(site.publisher))
        if site.contact is not None:
            is_email = _EMAIL.fullmatch(site.contact)
            address = f"mailto:{quote(site.contact, safe='@')}" if is_email else site.contact
            contact = self.node("contact")
            self.add(self.dataset, "dcat:contactPoint", contact, "vcard:Kind")
            self.add(contact, "vcard:fn", format_text(site.publisher or site.contact))
            self.add(contact, "vcard:hasEmail" if is_email else "vcard:hasURL", f"<{address}>")

    def describe_data(self, content: SiteContent) -> None:
        """Describe what is in the data set, by VoID."""
        add, dataset, classes = self.add, self.dataset, content.classes
        add(dataset, "foaf:page", self.page("about.html"), "foaf:Document")
        add(dataset, "dcat:landingPage", self.page("index.html"), "foaf:Document")
        add(dataset, "dcat:theme", f"<{_THEME}>", "skos:Concept")
        add(f"<{_THEME}>", "skos:prefLabel", format_literal(_THEME_LABEL, "en"))
        for iri in _STANDARDS:
            add(dataset, "dcterms:conformsTo", f"<{iri}>", "dcterms:Standard")
        add(dataset, "void:triples", _count(content.triples))
        names = sum(classes.get(each, 0) for each in _NAME_CLASSES)
        add(dataset, "void:entities", _count(names))
        add(dataset, "void:uriSpace", format_text("urn:lex:"))
        add(dataset, "void:uriRegexPattern", format_text("^urn:lex:"))
        add(dataset, "void:dataDump", self.page(STATEMENTS_FILE))
        for namespace in _VOCABULARIES:
            add(dataset, "void:vocabulary", f"<{namespace}>")
        for number, class_ in enumerate(CLASSES):
            if classes.get(class_):
                part = f"_:class{number}"
                add(dataset, "void:classPartition", part)
                add(part, "void:class", class_)
                add(part, "void:entities", _count(classes[class_]))
        for name in content.examples:
            add(dataset, "void:exampleResource", f"<{parse(name).iri}>")

    def describe_files(self, content: SiteContent) -> None:
        """Describe the files to download, and the folders of names as a service."""
        add = self.add
        quads, feed, service = self.node("quads"), self.node("feed"), self.node("files")
        for node, title, path, media_type in (
            (quads, self.words("about.all-data"), STATEMENTS_FILE, "application/n-quads"),
            (feed, self.words("site.news"), "feed.atom", "application/atom+xml"),
        ):
            add(self.dataset, "dcat:distribution", node, "dcat:Distribution")
            add(node, "dcterms:title", self.text(title))
            for term in ("dcat:accessURL", "dcat:downloadURL"):
                add(node, term, self.page(path), "rdfs:Resource")
            add(node, "dcat:mediaType", f"<{v.MEDIA_TYPES}{media_type}>", "dcterms:MediaType")
            if self.site.license is not None:
                add(node, "dcterms:license", f"<{self.site.license}>")
        gzip = f"<{v.MEDIA_TYPES}application/gzip>"
        add(quads, "dcat:compressFormat", gzip, "dcterms:MediaType")
        size = format_integer(content.size, v.XSD_NON_NEGATIVE_INTEGER)
        add(quads, "dcat:byteSize", size)
        add(quads, "spdx:checksum", "_:checksum", "spdx:Checksum")
        add("_:checksum", "spdx:algorithm", v.SHA256, "spdx:ChecksumAlgorithm")
        add("_:checksum", "spdx:checksumValue", f'"{content.sha256}"^^{v.XSD_HEX_BINARY}')

        add(self.catalogue, "dcat:service", service, "dcat:DataService")
        add(service, "dcat:servesDataset", self.dataset)
        add(service, "dcterms:title", self.text(self.words("about.files")))
        add(service, "dcterms:description", self.text(self.words("about.files-text")))
        add(service, "dcat:endpointURL", self.page("lex/"), "rdfs:Resource")
        add(service, "foaf:page", self.page("about.html"))
        for each in Representation:
            if each.file_name is not None:
                format_ = f"<{v.MEDIA_TYPES}{each.media_type}>"
                add(service, "dcterms:format", format_, "dcterms:MediaTypeOrExtent")

    def describe_queries(self, content: SiteContent) -> None:
        """Describe queries to run on the data, as other publishers of RDF do."""
        queries = [(name, find_ready_query(name).sparql) for name in _COUNTING_QUERIES]
        queries += [("versions", ready("versions", work=name)) for name in content.examples[:1]]
        for name, sparql in queries:
            node = self.node(f"query-{name}")
            for class_ in ("rdfs:Resource", "sh:SPARQLExecutable", "sh:SPARQLSelectExecutable"):
                self.add(self.dataset, "dcterms:relation", node, class_)
            title = find_ready_query(name).title
            self.add(node, "rdfs:comment", format_literal(title, "en"))
            self.add(node, "sh:select", format_text(sparql.strip()))


def _term(name: str) -> str:
    """Return the term of a prefixed name."""
    prefix, _, local = name.partition(":")
    return f"<{v.TURTLE_PREFIXES[prefix]}{local}>"


def _count(number: int) -> str:
    return format_integer(number, v.XSD_INTEGER)
