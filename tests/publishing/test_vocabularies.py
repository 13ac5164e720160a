"""Pages of the ontology and the shapes: each of our terms, with its label and its definition."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from lxml import html
from pyoxigraph import NamedNode, RdfFormat, parse

from lexurn import data
from lexurn.pages import LANGUAGES, load_words
from lexurn.publishing import Site
from lexurn.publishing.dcat import SiteSettings
from lexurn.publishing.vocabularies import write_vocabularies

RDF_TYPE = NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


def write(language: str) -> dict[str, bytes]:
    settings = SiteSettings(
        out=Path(),
        state=Path(),
        base="https://law.example",
        as_of=dt.date(2026, 1, 1),
        inline_context=False,
        language=language,
        site=Site(title={language: "Law"}),
        search=False,
    )
    return dict(write_vocabularies(settings))


@pytest.mark.parametrize("folder", ["ontology", "shapes"])
def test_the_page_has_each_term_of_its_files(folder: str) -> None:
    files = write("en")
    namespace = "https://w3id.org/lexurn/" + {"ontology": "ns#", "shapes": "shapes#"}[folder]
    terms = set()
    for path, content in files.items():
        if path.startswith(f"{folder}/") and path.endswith(".ttl"):
            assert content.decode() == data.read_text(path)
            terms |= {
                each.subject.value.removeprefix(namespace)
                for each in parse(content, format=RdfFormat.TURTLE)
                if each.predicate == RDF_TYPE
                and getattr(each.subject, "value", "").startswith(namespace)
            }
    page = html.fromstring(files[f"{folder}/index.html"].decode())
    shown = {each.get("id") for each in page.xpath("//main//li")}
    assert shown == terms
    assert all(
        each.findtext("b") or each.find("b/bdi") is not None for each in page.xpath("//main//li")
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_in_the_language_of_the_site(language: str) -> None:
    files = write(language)
    for folder in ("ontology", "shapes"):
        page = html.fromstring(files[f"{folder}/index.html"].decode())
        assert page.get("lang") == language
        assert page.findtext(".//h1") == load_words(language)(f"vocabulary.{folder}")
