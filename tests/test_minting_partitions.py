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
