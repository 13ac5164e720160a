"""What XML says of itself, put beside what is put into it, and read again: one rule for both."""

from __future__ import annotations

import pytest
from xml_documents import AKOMA_NTOSO, NIR, change, embedded

from lexurn.documents import DocumentError, document_from_bytes, extract_document

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
VERSION = f"{ACT}@2005-01-01:it"
OTHER = f"{ACT}@2006-01-01:it"
OLD_ACT, OLD_OTHER = "urn:nir:stato:legge:2003-09-21;456", "urn:nir:stato:legge:1999-01-01;1"
URN = '<urn valore="{}"/>'


def akoma_ntoso(level: str, said: str) -> bytes:
    """A document whose level says something behind its own reference."""
    end = AKOMA_NTOSO.index("/>", AKOMA_NTOSO.index("<FRBRuri", AKOMA_NTOSO.index(f"<{level}>")))
    return f"{AKOMA_NTOSO[: end + 2]}{said}{AKOMA_NTOSO[end + 2 :]}".encode()


def nir(said: str) -> bytes:
    return NIR.replace("<alias", f"{said}<alias").encode()


def alias(value: str, name: str) -> str:
    return f'<FRBRalias value="{value}" name="{name}"/>'


SAME = {
    "version, as lexurn says it": akoma_ntoso("FRBRExpression", alias(VERSION, "urn:lex")),
    "version, in a dialect": akoma_ntoso(
        "FRBRExpression", alias(f"{OLD_ACT}@2005-01-01", "urn:nir")
    ),
    "act, in a dialect": akoma_ntoso("FRBRWork", alias(OLD_ACT, "urn:nir")),
    "version, of the act": akoma_ntoso("FRBRWork", alias(f"{OLD_ACT}@2005-01-01", "urn:nir")),
    "act, as its reference": akoma_ntoso("FRBRWork", f'<FRBRthis value="{ACT}"/>'),
    "act, with a component": akoma_ntoso("FRBRWork", f'<FRBRthis value="{ACT}/!main"/>'),
    "act, with components everywhere": akoma_ntoso(
        "FRBRWork", f'<FRBRthis value="{ACT}/!main"/><FRBRuri value="{ACT}/!main"/>'
    ),
    "act, as a URL": akoma_ntoso(
        "FRBRWork", alias("https://law.example/lex/it/stato/legge/2003-09-21;456", "urn:lex")
    ),
    "act, with a slash": akoma_ntoso("FRBRWork", f'<FRBRuri value="{ACT}/"/>'),
    "nothing that is a name": akoma_ntoso("FRBRWork", alias("urn:nir:legge:2015-05-22;68", "x")),
    "act": nir(URN.format(OLD_ACT)),
    "act and two versions": nir(
        "".join(map(URN.format, (OLD_ACT, OTHER, f"{OLD_ACT}@2005-01-01")))
    ),
    "act by two numbers": nir(URN.format(OLD_ACT) + URN.format(OLD_OTHER)),
}


@pytest.mark.parametrize("case", SAME)
def test_names_of_the_same_are_read_with_the_one_that_is_put_in(case: str) -> None:
    key = "nir" if b"<NIR" in SAME[case] else "akoma-ntoso"
    found = extract_document(document_from_bytes(embedded(key, SAME[case], VERSION)))
    assert found.name is not None
    assert str(found.name).startswith(f"{ACT}@2005-01-01")
    assert {"LX380", "LX387"}.isdisjoint(each.code for each in found.findings)


OTHERS = {
    "another act": akoma_ntoso("FRBRWork", alias(OLD_OTHER, "urn:nir")),
    "another version": akoma_ntoso("FRBRExpression", alias(f"{OLD_ACT}@2006-01-01", "urn:nir")),
    "another act, as its reference": akoma_ntoso("FRBRWork", f'<FRBRthis value="{OLD_OTHER}"/>'),
    "a file form of another act": akoma_ntoso(
        "FRBRManifestation", alias("urn:lex:it:stato:legge:1999-01-01;1", "urn:lex")
    ),
    "a part": akoma_ntoso("FRBRWork", f'<FRBRthis value="{ACT}~art1"/>'),
    "another component": akoma_ntoso("FRBRWork", f'<FRBRuri value="{ACT}/annex1"/>'),
    "another act, by the address of a resolver": akoma_ntoso(
        "FRBRWork", alias(f"https://www.example/uri-res/N2Ls?{OLD_OTHER}", "x")
    ),
    "an annex": akoma_ntoso("FRBRWork", f'<FRBRthis value="{ACT}:1"/><FRBRuri value="{ACT}:1"/>'),
    "a part of the version": akoma_ntoso("FRBRExpression", f'<FRBRthis value="{VERSION}~art1"/>'),
    "another number": akoma_ntoso("FRBRWork", f'<FRBRuri value="{ACT}/2003"/>'),
    "another version alone": nir(URN.format(f"{OLD_ACT}@2006-01-01")),
    "another act alone": nir(URN.format(OLD_OTHER)),
}


def test_a_name_of_another_level_is_not_advised_in_a_circle() -> None:
    data = akoma_ntoso("FRBRWork", alias(VERSION, "urn:lex"))
    for name in (ACT, VERSION):
        with pytest.raises(DocumentError) as caught:
            change("akoma-ntoso", data, name)
        assert "embed that name" not in caught.value.finding.message


@pytest.mark.parametrize("other", [f"{ACT}~art1", OLD_OTHER, f"{ACT}:1"])
def test_what_stands_beside_the_name_is_told_of_and_is_not_the_name(other: str) -> None:
    data = akoma_ntoso("FRBRWork", alias(other, "related") + alias(ACT, "urn:lex"))
    (found,) = change("akoma-ntoso", data, ACT).findings
    assert (found.code, "mainEntity" in found.message) == ("LX380", False)
    assert str(extract_document(document_from_bytes(data)).name) == ACT


def test_a_name_that_no_such_document_can_have_is_not_advised() -> None:
    with pytest.raises(DocumentError) as caught:
        change("akoma-ntoso", OTHERS["a part"], VERSION)
    assert "embed that name" not in caught.value.finding.message
    with pytest.raises(DocumentError) as caught:
        change("akoma-ntoso", OTHERS["another number"], VERSION)
    assert "embed that name" in caught.value.finding.message


@pytest.mark.parametrize("case", OTHERS)
def test_another_name_is_refused_and_stays(case: str) -> None:
    key = "nir" if b"<NIR" in OTHERS[case] else "akoma-ntoso"
    with pytest.raises(DocumentError, match="LX336"):
        change(key, OTHERS[case], VERSION)


def test_what_a_document_says_against_itself_is_not_said_of_lexurn() -> None:
    said = alias(ACT, "urn:lex") + alias("urn:lex:it:stato:legge:1999-01-01;1", "urn:lex")
    data = embedded("akoma-ntoso", akoma_ntoso("FRBRWork", said), VERSION)
    found = extract_document(document_from_bytes(data))
    assert str(found.name) == VERSION
    assert [each.code for each in found.findings] == ["LX380"]
