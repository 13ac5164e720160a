"""Parts of a document by the words that cite them (RFC 9676 section 5.8)."""

from __future__ import annotations

import pytest

from lexurn.minting import try_mint

CITED = {
    ("it", "articolo 3, comma 2"): "art3;com2",
    ("it", "art. 3-bis, comma 2, lettera c)"): "art3bis;com2;letc",
    ("it", "art. 3 bis comma 2"): "art3bis;com2",
    ("fr", "article 15, paragraphe 3"): "art15;par3",
    ("en", "Article 15, paragraph 3"): "art15;par3",
    ("de", "Artikel 3 Absatz 2"): "art3;par2",
    ("pt", "art. 5º, inciso II"): "art5;incii",
    ("it", "art15;par3"): "art15;par3",
    ("it", "Sezione_A"): "Sezione_A",
}


@pytest.mark.parametrize(("cited", "part"), CITED.items(), ids=map(str, CITED))
def test_words_become_ids(cited: tuple[str, str], part: str) -> None:
    language, words = cited
    fields = {"jurisdiction": "it", "authority": "Stato", "measure": "Legge", "number": 1}
    minted = try_mint({**fields, "date": "2003-09-21", "language": language, "partition": words})
    assert (str(minted).partition("~")[2], minted.errors) == (part, ())


@pytest.mark.parametrize(
    "words",
    [
        "in fondo",
        "articolo 3 e mezzo",
        "art. 3 § x y",
        "art. 3 | 4",
        "~",
        "comma due",
        "comma di art. 5",
    ],
)
def test_what_is_not_understood_is_refused(words: str) -> None:
    fields = {"jurisdiction": "it", "authority": "Stato", "measure": "Legge", "number": 1}
    minted = try_mint({**fields, "date": "2003-09-21", "language": "it", "partition": words})
    assert [found.code for found in minted.errors] == ["LX765"]


ACTS_WITH_ARTICLES = {
    ("it", "L. 7 agosto 1990, n. 241, art. 2, comma 3"): "it:stato:legge:1990-08-07;241",
    ("it", "Art. 2, comma 3, legge 7 agosto 1990, n. 241"): "it:stato:legge:1990-08-07;241",
    ("it", "7 agosto 1990, n. 241, art. 2, comma 3"): None,
    ("br", "Art. 5º, § 2º, Lei nº 8.666, de 21 de junho de 1993"): "br:federal:lei:1993-06-21;8666",
}


@pytest.mark.parametrize(
    ("cited", "act"), ACTS_WITH_ARTICLES.items(), ids=[text for _, text in ACTS_WITH_ARTICLES]
)
def test_an_article_is_neither_issuer_nor_measure(cited: tuple[str, str], act: str | None) -> None:
    jurisdiction, text = cited
    minted = try_mint({"jurisdiction": jurisdiction, "citation": text})
    assert "LX733" in [found.code for found in minted.findings]
    assert (minted.name and str(minted.name)) == (act and f"urn:lex:{act}")


def test_a_numbered_body_stays_with_its_issuer() -> None:
    text = "Consiglio di Stato, sez. IV, sentenza 3 maggio 2010, n. 2500"
    minted = try_mint({"jurisdiction": "it", "citation": text})
    assert str(minted.name) == "urn:lex:it:consiglio.stato;sezione.4:sentenza:2010-05-03;2500"
