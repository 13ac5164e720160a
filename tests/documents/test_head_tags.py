"""What a page says against the name that is put in: the same of HTML and of XHTML."""

from __future__ import annotations

import pytest

from lexurn.documents import apply_edits, document_from_bytes, identify_format
from lexurn.name import parse
from lexurn.pages import make_document_metadata

WORK = "urn:lex:it:stato:legge:2003-09-21;456"
VERSION = f"{WORK}@2005-01-01:it"
OTHER = "urn:lex:it:stato:legge:1990-08-07;241"
UNFORCED = False
PAGES = {
    "page.html": "<!doctype html>\n<html{root}><head><title>x</title>\n{head}</head><body>",
    "page.xhtml": (
        '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"{root}>'
        "<head><title>x</title>\n{head}</head><body/></html>"
    ),
}


def said(file: str, root: str, head: str, name: str) -> list[tuple[str, int, str]]:
    """What is said of a page that takes a name; of one that has it the same is said."""
    document = document_from_bytes(PAGES[file].format(root=root, head=head).encode(), file)
    form, marking = identify_format(document).format, make_document_metadata(parse(name))
    assert form is not None
    assert form.key == file.rpartition(".")[2]
    change = form.embed(document, marking, UNFORCED)
    again = document_from_bytes(apply_edits(document, change.edits), file)
    assert form.embed(again, marking, UNFORCED).findings == change.findings
    return [(each.code, each.line, each.text) for each in change.findings]


LANGUAGES = {
    "it": [],
    "it-IT": [],
    "IT": [],
    "ita": [],
    "xx": [],  # what is no language contradicts none
    "": [],
    "de": [("LX337", 2, "de")],
    "deu": [("LX337", 2, "deu")],
    "EN_GB": [("LX337", 2, "EN_GB")],
}


@pytest.mark.parametrize("file", PAGES)
@pytest.mark.parametrize("attribute", ["lang", "xml:lang"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_that_contradicts_is_said(file: str, attribute: str, language: str) -> None:
    root = f' {attribute}="{language}"'
    assert said(file, root, "", VERSION) == LANGUAGES[language]
    assert said(file, root, "", WORK) == []


@pytest.mark.parametrize("file", PAGES)
@pytest.mark.parametrize(
    "tag",
    [
        f'<meta name="DC.identifier" content="{OTHER}"/>',
        f'<meta name="dcterms.Identifier" content=" {OTHER.upper()} "/>',
        f'<meta name="DC.Identifier.URN" content="{OTHER}"/>',
        f'<meta name="identifier" content="{OTHER}"/>',
        f'<meta name="urn:lex" content="{OTHER}"/>',
        '<meta name="DC.identifier" content="urn:nir:stato:legge:1990-08-07;241"/>',
        '<meta name="DC.identifier" content="urn:lex:nonsense"/>',
        f'<meta name="DC.identifier" about="{OTHER}" content="{OTHER}"/>',
        f'<meta property="dc:identifier" content="{OTHER}"/>',
        f'<meta property="eli:id_local" content="{OTHER}"/>',
        f'<meta about="" property="eli:id_local" content="{OTHER}"/>',
        f'<meta property="schema:legislationIdentifier" content="{OTHER}"/>',
        f'<link rel="x canonical" href="{OTHER}"/>',
        f'<link rel="cite-as" href="{OTHER}"/>',
        f'<link rel="DCTERMS.identifier" href="{OTHER}"/>',
        f'<link rel="cite-as" href="{WORK}@2010-01-01:it"/>',
    ],
)
def test_another_name_is_said(file: str, tag: str) -> None:
    ((code, line, text),) = said(file, "", tag, VERSION)
    assert (code, line) == ("LX327", 3)
    assert text in tag


@pytest.mark.parametrize("file", PAGES)
@pytest.mark.parametrize(
    "tag",
    [
        f'<meta name="DC.identifier" content="{VERSION}"/>',
        f'<meta name="DC.identifier" content="{VERSION.upper()}"/>',
        f'<meta name="DC.identifier" content="{WORK}"/>',
        '<meta name="DC.identifier" content="urn:nir:stato:legge:2003-09-21;456@2005-01-01"/>',
        '<meta name="DC.identifier" content="an identifier"/>',
        f'<meta name="DC.relation" content="{OTHER}"/>',
        f'<meta about="{OTHER}" property="eli:id_local" content="{OTHER}"/>',
        f'<meta itemprop="x" content="{OTHER}"/>',
        f'<link rel="DCTERMS.isVersionOf" href="{OTHER}"/>',
        '<link rel="canonical" href="https://law.example/456"/>',
    ],
)
def test_what_is_no_other_name_of_the_page_is_not_said(file: str, tag: str) -> None:
    assert said(file, "", tag, VERSION) == []


@pytest.mark.parametrize("file", PAGES)
@pytest.mark.parametrize(
    ("name", "there"),
    [
        (WORK, VERSION),
        (f"{VERSION}$x.it:text-html", "urn:nir:stato:legge:2003-09-21;456@2005-01-01"),
    ],
)
def test_names_above_and_below_are_no_others(file: str, name: str, there: str) -> None:
    assert said(file, "", f'<meta name="DC.identifier" content="{there}"/>', name) == []


@pytest.mark.parametrize("file", PAGES)
def test_each_other_name_is_said_once_and_not_more_than_are_read(file: str) -> None:
    tags = [f'<meta name="DC.identifier" content="{OTHER}-{at}"/>\n' for at in range(1_200)]
    assert [at for _, at, _ in said(file, "", "".join(tags[:2] * 3), WORK)] == [3, 4]
    assert len(said(file, "", "".join(tags), WORK)) == 1_000
