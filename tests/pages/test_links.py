"""Links of a name: said once, in the head of its page and in its linkset."""

from __future__ import annotations

import datetime as dt
import json
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import jsonschema
import pytest
from export_cases import (
    ACT,
    BASE,
    FIRST,
    GERMAN,
    HOSTILE,
    NAMES,
    PDF,
    SECOND,
    THIRD,
    describe_name,
    golden,
    name,
    records,
    url,
    write_head,
)
from lxml import html
from site_runs import folder, run

from lexurn.graph import Format
from lexurn.model import Item, Record
from lexurn.pages import Representation, make_document_metadata
from lexurn.pages.paths import WRITTEN_FILES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DCTERMS = "http://purl.org/dc/terms/"
MINISTRY = "urn:lex:it:ministero.interno:decreto:2020-02-02;7"
REGISTERED = frozenset(
    {
        *("alternate", "author", "canonical", "cite-as", "collection", "current", "describedby"),
        *("describes", "first", "item", "last", "latest-version", "license", "linkset", "next"),
        *("predecessor-version", "prev", "previous", "self", "successor-version", "type"),
        "version-history",
    }
)
"""Relations of https://www.iana.org/assignments/link-relations/ that a linkset may have."""
TARGETS = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "required": ["href"],
        "properties": {
            "href": {"type": "string", "pattern": "^[a-z]+:[!-~]+$"},
            "type": {"type": "string", "pattern": "^[^/]+/[^/]+$"},
            "hreflang": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
        "additionalProperties": False,
    },
}
LINKSET = {
    "type": "object",
    "required": ["linkset"],
    "additionalProperties": False,
    "properties": {
        "linkset": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["anchor"],
                "properties": {"anchor": {"type": "string", "pattern": "^[a-z]+:[!-~]+$"}},
                "patternProperties": {f"^({'|'.join(REGISTERED)}|https?:.+)$": TARGETS},
                "additionalProperties": False,
            },
        }
    },
}
"""Form of a linkset in JSON (RFC 9264 section 4.2)."""


def linkset(text: str, base: str | None = BASE, found: list[Record] | None = None) -> dict:
    """Return the contexts of a linkset by their anchors."""
    document = json.loads(describe_name(text, "linkset", found, base=base))
    jsonschema.validate(document, LINKSET)
    contexts = {each.pop("anchor"): each for each in document["linkset"]}
    assert len(contexts) == len(document["linkset"])
    return contexts


def hrefs(context: dict, relation: str) -> list[str]:
    return [target["href"] for target in context.get(relation, ())]


def head_links(text: str, known: list[Record] | None = None) -> list[tuple[str, str]]:
    """Return the relations and targets in a head, but for those of Dublin Core."""
    tags = html.fromstring(f"<html><head>{write_head(text, known)}</head>")
    return [
        (relation.replace("DCTERMS.replaces", f"{DCTERMS}replaces"), link.get("href"))
        for link in tags.xpath("//link[@rel]")
        for relation in link.get("rel").split()
        if not relation.startswith(("schema.", "DCTERMS.")) or relation == "DCTERMS.replaces"
    ]


def test_a_linkset_as_it_is_written() -> None:
    golden("links_version.json", describe_name(SECOND, "linkset"))


@pytest.mark.parametrize("text", NAMES)
def test_a_linkset_has_the_links_of_the_head(text: str) -> None:
    found = linkset(text)[url(text)]
    pairs = {(relation, href) for relation in found for href in hrefs(found, relation)}
    shown = head_links(text)
    assert len(shown) == len(set(shown))
    # The head alone links the linkset itself, the page from the page, and a target again.
    page = url(text)
    only = {("linkset", f"{page}/links.json"), ("canonical", page)}
    linked = {href for relation, href in pairs if relation != "alternate"}
    only |= {("alternate", href) for relation, href in shown if href in linked}
    assert set(shown) - only <= pairs
    assert not only & pairs
    assert {relation for relation, _ in pairs - set(shown)} <= {f"{DCTERMS}hasVersion"}


def test_links_of_a_version() -> None:
    found = linkset(SECOND)[url(SECOND)]
    assert {relation: hrefs(found, relation) for relation in found} == {
        "self": [url(SECOND)],
        "cite-as": [url(SECOND)],
        "describedby": [f"{url(SECOND)}/index.ttl", f"{url(SECOND)}/index.jsonld"],
        "type": ["https://schema.org/AboutPage", "https://schema.org/Legislation"],
        "first": [url(FIRST)],
        **{key: [url(FIRST)] for key in ("prev", "previous", "predecessor-version")},
        **{key: [url(THIRD)] for key in ("next", "successor-version")},
        "last": [url(THIRD)],
        **{key: [url(SECOND)] for key in ("current", "latest-version")},
        "version-history": [url(ACT)],
        f"{DCTERMS}replaces": [url(FIRST)],
        "item": ["https://files.example/456.pdf", "https://mirror.example/456.pdf"],
    }
    assert {target["type"] for target in found["item"]} == {"application/pdf"}


def test_targets_have_types_and_languages() -> None:
    found = linkset(FIRST)[url(FIRST)]
    assert {"href": url(GERMAN), "hreflang": ["de"]} in found["alternate"]
    assert found["describedby"][0] == {
        "href": f"{url(FIRST)}/index.ttl",
        "type": "text/turtle",
    }


def test_files_and_data_lead_back_to_the_page() -> None:
    found = linkset(SECOND)
    page = {"href": url(SECOND), "type": "text/html"}
    for file in ("https://files.example/456.pdf", "https://mirror.example/456.pdf"):
        assert found[file] == {"collection": [page], "cite-as": [{"href": url(PDF)}]}
    for file in (f"{url(SECOND)}/index.ttl", f"{url(SECOND)}/index.jsonld"):
        assert found[file] == {"describes": [page]}
    # The page of a file is already about the name of the file.
    assert linkset(PDF)["https://files.example/456.pdf"].keys() == {"collection"}


def test_authors_are_creators_with_an_iri_else_issuers_of_the_registry() -> None:
    concept = "https://w3id.org/lexurn/registry/it/authorities/ministero.interno"
    assert hrefs(linkset(MINISTRY, found=[])[url(MINISTRY)], "author") == [concept]
    creator = Record(name=name(MINISTRY), creators=("https://person.example/1", "Ufficio"))
    found = linkset(MINISTRY, found=[creator])[url(MINISTRY)]
    assert hrefs(found, "author") == ["https://person.example/1"]
    assert "author" not in linkset(ACT)[url(ACT)]  # the state stands for any legislator


def test_a_file_is_a_legislation_object() -> None:
    assert hrefs(linkset(PDF)[url(PDF)], "type")[1] == "https://schema.org/LegislationObject"


def test_the_work_has_all_versions_and_a_version_the_last_hundred() -> None:
    first = dt.date(2000, 1, 1).toordinal()
    days = [dt.date.fromordinal(first + each) for each in range(203)]
    versions = [f"{MINISTRY}@{day}:it" for day in days]
    known = [Record(name=name(text)) for text in (MINISTRY, *versions)]
    replaces, urls = f"{DCTERMS}replaces", list(map(url, versions))
    last = linkset(versions[-1], found=known)[urls[-1]]
    assert hrefs(last, replaces) == urls[-101:-1]
    shown = [href for relation, href in head_links(versions[-1], known) if relation == replaces]
    assert shown == urls[-101:-1]
    # The work has the others, and each version leads to it.
    work = linkset(MINISTRY, found=known)[url(MINISTRY)]
    assert hrefs(work, f"{DCTERMS}hasVersion") == urls
    assert hrefs(last, "version-history") == [url(MINISTRY)]


def test_without_a_base_links_are_names() -> None:
    found = linkset(SECOND, base=None)
    assert found.keys() == {
        SECOND,
        "https://files.example/456.pdf",
        "https://mirror.example/456.pdf",
    }
    assert hrefs(found[SECOND], "first") == [FIRST]
    assert not {"cite-as", "describedby", "linkset"} & found[SECOND].keys()
    assert found["https://files.example/456.pdf"] == {"collection": [{"href": SECOND}]}


def test_links_are_uris() -> None:
    record = Record(name=name(ACT), items=(Item(url="https://files.example/l\u00e9i%20(1).pdf"),))
    assert "https://files.example/l%C3%A9i%20(1).pdf" in linkset(ACT, found=[record])


def test_unsafe_links_are_left_out() -> None:
    found = linkset(HOSTILE)[url(HOSTILE)]
    assert hrefs(found, "item") == ["https://files.example/%22a%22.pdf"]
    assert "license" not in found


def test_a_document_has_no_links_of_a_page() -> None:
    tags = make_document_metadata(name(SECOND), records(), base=BASE).head()
    assert 'rel="linkset"' in tags
    for relation in ("type", "author", "alternate item", "self"):
        assert f'rel="{relation}"' not in tags


# --- representations ------------------------------------------------------------------


def test_representations_are_those_of_rdf_and_others() -> None:
    rdf = {each for each in Representation if each.name in Format.__members__}
    assert len(rdf) == len(Format)
    for each in rdf:
        form = Format[each.name]
        assert (each.media_type, each.suffix) == (form.media_type, form.extension)
    kinds = "text turtle trig ntriples nquads jsonld rdfxml linkset bibtex ris csl-json html"
    assert [each.kind for each in Representation] == kinds.split()
    assert list(Representation)[-1].file_name == "index.html"


def test_files_of_representations_are_never_folders() -> None:
    files = {each.file_name for each in Representation if each.file_name}
    assert files == {"index.html", "index.ttl", "index.jsonld", "links.json"}
    assert files <= WRITTEN_FILES


@pytest.mark.parametrize("representation", Representation)
def test_each_representation_goes_by_kind_and_media_type(representation: Representation) -> None:
    by_kind, by_type = (
        describe_name(SECOND, text) for text in (representation.kind, representation.media_type)
    )
    assert by_kind == by_type != ""


# --- FAIR Signposting -----------------------------------------------------------------


class Quiet(SimpleHTTPRequestHandler):
    """Server of a site with the media types of its files."""

    extensions_map = {  # noqa: RUF012 - as the class above has it
        ".html": "text/html; charset=utf-8",
        ".json": "application/linkset+json",
        "": "application/octet-stream",
    }

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@contextmanager
def served(site: Path) -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_signposting_finds_its_links_in_head_and_linkset(tmp_path: Path) -> None:
    pytest.importorskip("signposting", reason="PyPI signposting is missing")
    from signposting.htmllinks import find_signposting_html  # noqa: PLC0415 - optional
    from signposting.linkset import find_signposting_linkset  # noqa: PLC0415 - optional

    terms, author = "https://license.example/1", "https://person.example/1"
    pdf = f"{MINISTRY}$ministero.it:application-pdf"
    file = "https://files.example/7.pdf"
    known = [
        Record(name=name(MINISTRY), licenses=(terms,), creators=(author,)),
        Record(name=name(pdf), items=(Item(url=file),)),
    ]
    with served(tmp_path) as port:
        base = f"http://127.0.0.1:{port}"
        run(tmp_path, known, base=base)
        page = f"{base}/lex/{'/'.join(folder(tmp_path, MINISTRY).relative_to(tmp_path).parts[1:])}"
        found = find_signposting_html(f"{page}/")
        (links,) = found.linksets
        whole = find_signposting_linkset(links.target)
    assert links.type == "application/linkset+json"
    for each in (found, whole.for_context(page)):
        assert each.citeAs.target == page
        assert each.license.target == terms
        assert {author_.target for author_ in each.authors} == {author}
        assert {item.target: item.type for item in each.items} == {file: "application/pdf"}
        assert {kind.target for kind in each.types} == {
            "https://schema.org/AboutPage",
            "https://schema.org/Legislation",
        }
        described = {metadata.target: metadata.type for metadata in each.describedBy}
        assert described[f"{page}/index.ttl"] == "text/turtle"
        assert described[f"{page}/index.jsonld"] == "application/ld+json"
    assert whole.for_context(file).collection.target == page
    assert {each.target for each in whole.for_context(f"{page}/index.ttl").describes} == {page}
