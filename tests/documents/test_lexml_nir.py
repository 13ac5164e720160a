"""Names in LexML and NIR: where, in which form, and what is there already in a dialect."""

from __future__ import annotations

from pathlib import Path

import pytest
from xml_documents import LEXML, NIR, OTHER, VERSION, WORK, change, embedded, removed

from lexurn.dialect import convert
from lexurn.documents import DocumentError, document_from_bytes
from lexurn.documents.identification import load_format
from lexurn.documents.terms import LEXML as LEXML_TERMS
from lexurn.documents.terms import NIR as NIR_TERMS

GOLDEN = Path(__file__).parents[1] / "golden_embedding"
NIR_NAME = "urn:nir:stato:legge:2003-09-21;456"
BRAZIL = "urn:lex:br:federal:lei:2004-01-01;1"


def fault(key: str, text: str, name: str) -> str:
    with pytest.raises(DocumentError) as caught:
        embedded(key, text.encode(), name)
    return caught.value.finding.code


@pytest.mark.parametrize(("key", "text"), [("lexml", LEXML), ("nir", NIR)])
def test_the_block_is_the_golden_one(key: str, text: str) -> None:
    golden = (GOLDEN / f"xml_{key}.xml").read_text("utf-8")
    assert embedded(key, text.encode(), VERSION).decode() == golden


def lexml(metadata: str) -> str:
    start, end = LEXML.index("<Metadado>"), LEXML.index("</Metadado>") + len("</Metadado>")
    return LEXML[:start] + metadata + LEXML[end:]


@pytest.mark.parametrize("metadata", ["", "<Metadado/>", "<!-- c -->"])
def test_lexml_without_metadata_is_refused(metadata: str) -> None:
    assert fault("lexml", lexml(metadata), BRAZIL) == "LX333"


@pytest.mark.parametrize("metadata", ["<Metadado></Metadado>", "<Metadado><!-- c --></Metadado>"])
@pytest.mark.parametrize("prefix", ["", "l:"])
def test_lexml_without_a_name_gets_one(metadata: str, prefix: str) -> None:
    text = lexml(metadata)
    if prefix:
        text = text.replace("xmlns=", "xmlns:l=")
        for name in ("LexML", "Metadado", "Norma"):
            text = text.replace(f"<{name}", f"<l:{name}").replace(f"</{name}", f"</l:{name}")
    once = embedded("lexml", text.encode(), BRAZIL)
    assert f'<{prefix}Identificacao URN="{BRAZIL}"/>'.encode() in once
    assert removed("lexml", once) == text.encode()
    assert not change("lexml", once, BRAZIL).edits
    statement, *_ = load_format("lexml").read(document_from_bytes(once)).statements
    assert (statement.term, statement.value, statement.is_embedded) == (
        f"{LEXML_TERMS}Identificacao.URN",
        BRAZIL,
        True,
    )


@pytest.mark.parametrize(
    ("said", "name", "code"),
    [
        (BRAZIL, BRAZIL, None),
        ("urn:lex:br:federal:lei:2004-01-01;1@2005-01-01", f"{BRAZIL}@2005-01-01", None),
        ("urn:lex:br:federal:lei:2004-01-01;2", BRAZIL, "LX336"),
        ("nonsense", BRAZIL, "LX336"),
        ("", BRAZIL, "LX342"),
    ],
)
def test_lexml_has_room_for_one_name(said: str, name: str, code: str | None) -> None:
    text = lexml(f'<Metadado><Identificacao URN="{said}"/></Metadado>')
    if code is None:
        assert not change("lexml", text.encode(), name).edits
    else:
        assert fault("lexml", text, name) == code


def test_lexml_of_a_version_in_its_dialect_is_there_already() -> None:

    said = (
        "urn:lex:br:federal:medida.provisoria:2021-12-27;1085@data.evento;leitura;2021-12-28t13.42"
    )
    name = convert(said).name
    assert name is not None
    text = lexml(f'<Metadado><Identificacao URN="{said}"/></Metadado>')
    assert not change("lexml", text.encode(), str(name)).edits


def nir(urns: str) -> str:
    return NIR.replace("<alias", f"{urns}<alias")


@pytest.mark.parametrize(
    ("urns", "name", "code"),
    [
        (f'<urn valore="{NIR_NAME}"/>', WORK, None),
        (f'<urn valore="{WORK}"/>', WORK, None),
        (f'<urn valore="{OTHER}"/><urn valore="{NIR_NAME}"/>', WORK, None),
        (f'<urn valore="{NIR_NAME}"/>', VERSION, ""),
        (f'<urn valore="{NIR_NAME}@2005-01-01"/>', VERSION, ""),
        (f'<urn valore="{VERSION}"/>', WORK, ""),
        ('<urn valore=""/>', WORK, ""),
        ("<urn/>", WORK, ""),
        (f'<urn valore="{NIR_NAME}"/>', OTHER, "LX336"),
        ('<urn valore="urn:nir:autorita:provvedimento:aaaa-mm-gg;nnn"/>', WORK, "LX336"),
    ],
)
def test_nir_takes_versions_beside_their_act(urns: str, name: str, code: str | None) -> None:
    text = nir(urns)
    if code:
        assert fault("nir", text, name) == code
        return
    once = embedded("nir", text.encode(), name)
    assert (once == text.encode()) == (code is None)
    assert removed("nir", once) == text.encode()
    if code == "":
        assert once.index(b"lexurn:begin") > once.index(b"<urn")
        assert once.index(b"lexurn:end") < once.index(b"<alias")


@pytest.mark.parametrize(
    ("namespace", "sibling", "form"),
    [
        ("http://www.normeinrete.it/nir/2.2/", "", f'<urn valore="{WORK}"/>'),
        ("http://www.normeinrete.it/nir/2.1", "", f'<urn value="{WORK}"/>'),
        ("http://www.normeinrete.it/nir/1.0", "", f"<urn>{WORK}</urn>"),
        ("http://www.normeinrete.it/disegnilegge/1.0", "", f"<urn>{WORK}</urn>"),
        ("http://www.normeinrete.it/nir/2.2/", "<urn/>", f'<urn valore="{WORK}"/>'),
        ("http://www.normeinrete.it/nir/2.0", "<alias valore='x'/>", f'<urn valore="{WORK}"/>'),
        ("", "", f'<urn valore="{WORK}"/>'),
        ("", "<urn></urn>", f"<urn>{WORK}</urn>"),
        ("", '<alias value="x"/>', f'<urn value="{WORK}"/>'),
        ("", "<alias>x</alias>", f"<urn>{WORK}</urn>"),
    ],
)
def test_nir_is_written_in_the_form_of_its_release(namespace: str, sibling: str, form: str) -> None:
    text = (
        f'<NIR xmlns="{namespace}"><Legge><meta><descrittori><redazione/>{sibling}'
        "</descrittori></meta></Legge></NIR>"
    )
    once = embedded("nir", text.encode(), WORK)
    assert form.encode() in once
    assert removed("nir", once) == text.encode()
    statements = load_format("nir").read(document_from_bytes(once)).statements
    assert (f"{NIR_TERMS}urn", WORK) in {(each.term, each.value) for each in statements}


def test_nir_with_prefixes_of_a_dtd_is_read() -> None:
    text = NIR.replace("<intestazione>", "<h:p xlink:href='x'/><intestazione>")
    assert removed("nir", embedded("nir", text.encode(), WORK)) == text.encode()


def test_what_nir_says_is_read() -> None:
    statements = load_format("nir").read(document_from_bytes(NIR.encode())).statements
    assert {each.term.removeprefix(NIR_TERMS): each.value for each in statements} == {
        "pubblicazione.norm": "20030930",
        "pubblicazione.num": "227",
        "pubblicazione.tipo": "GU",
        "entratainvigore.norm": "20031015",
        "redazione.id": "red1",
        "redazione.nome": "ittig",
        "redazione.norm": "20040101",
        "alias": "Legge di prova",
        "materie.vocabolario": "v",
        "materia": "traffico",
    }


@pytest.mark.parametrize(
    "text",
    ["<NIR/>", "<NIR><Legge/></NIR>", "<NIR><Legge><meta><x/><descrittori/></meta></Legge></NIR>"],
)
def test_nir_without_descriptors_is_refused(text: str) -> None:
    assert fault("nir", text, WORK) == "LX333"
