"""Documents in the XML formats, small ones, and how they are written in the wild."""

from __future__ import annotations

from lexurn.documents import Change, apply_edits, document_from_bytes
from lexurn.documents.identification import load_format
from lexurn.name import parse
from lexurn.pages import DocumentMetadata, make_document_metadata

WORK = "urn:lex:it:stato:legge:2003-09-21;456"
OTHER = "urn:lex:it:stato:legge:2004-01-07;3"
VERSION = f"{WORK}@2005-01-01:it"
FILE = f"{VERSION}$gazzetta.example:text-xml"

AKOMA_NTOSO = """<?xml version="1.0" encoding="UTF-8"?>
<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0">
  <act name="act" contains="originalVersion">
    <meta>
      <identification source="#publisher">
        <FRBRWork>
          <FRBRthis value="/akn/it/act/2003-09-21/456/!main"/>
          <FRBRuri value="/akn/it/act/2003-09-21/456"/>
          <FRBRalias value="Legge è" name="title"/>
          <FRBRdate date="2003-09-21" name="Generation"/>
          <FRBRauthor href="#parliament"/>
          <FRBRcountry value="it"/>
        </FRBRWork>
        <FRBRExpression>
          <FRBRthis value="/akn/it/act/2003-09-21/456/ita@2005-01-01/!main"/>
          <FRBRuri value="/akn/it/act/2003-09-21/456/ita@2005-01-01"/>
          <FRBRdate date="2005-01-01" name="Generation"/>
          <FRBRauthor href="#parliament"/>
          <FRBRlanguage language="ita"/>
        </FRBRExpression>
        <FRBRManifestation>
          <FRBRthis value="/akn/it/act/2003-09-21/456/ita@2005-01-01/!main.xml"/>
          <FRBRuri value="/akn/it/act/2003-09-21/456/ita@2005-01-01.akn"/>
          <FRBRdate date="2005-01-02" name="Generation"/>
          <FRBRauthor href="#publisher"/>
        </FRBRManifestation>
      </identification>
      <references source="#publisher">
        <TLCOrganization eId="parliament" href="/ontology/organization/parliament" showAs="P"/>
        <TLCOrganization eId="publisher" href="/ontology/organization/publisher" showAs="G"/>
      </references>
    </meta>
    <body>
      <section eId="sec_1"><num>1</num><content><p>Text &lt; text.</p></content></section>
    </body>
  </act>
</akomaNtoso>
"""

XHTML = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="it">
  <head>
    <title>Legge è</title>
    <script>// &lt;!-- lexurn:begin --></script>
  </head>
  <body><p>Text<br/></p><!-- lexurn:end --></body>
</html>
"""

LEXML = """<?xml version="1.0" encoding="UTF-8"?>
<LexML xmlns="http://www.lexml.gov.br/1.0" xmlns:xlink="http://www.w3.org/1999/xlink">
  <Metadado>
    <CicloDeVida><Evento id="e1" data="2004-01-01" tipo="publicação"/></CicloDeVida>
  </Metadado>
  <Norma><ParteInicial><Epigrafe id="epi1">LEI</Epigrafe></ParteInicial></Norma>
</LexML>
"""

NIR = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE NIR SYSTEM "nirflessibile.dtd">
<NIR xmlns="http://www.normeinrete.it/nir/2.2/" tipo="originale">
\t<Legge>
\t\t<meta>
\t\t\t<descrittori>
\t\t\t\t<pubblicazione norm="20030930" num="227" tipo="GU"/>
\t\t\t\t<entratainvigore norm="20031015"/>
\t\t\t\t<redazione id="red1" nome="ittig" norm="20040101"/>
\t\t\t\t<alias valore="Legge di prova"/>
\t\t\t\t<materie vocabolario="v"><materia valore="traffico"/></materie>
\t\t\t</descrittori>
\t\t</meta>
\t\t<intestazione><tipoDoc>LEGGE</tipoDoc>, perché&nbsp;è</intestazione>
\t</Legge>
</NIR>
"""

DOCUMENTS = {"akoma-ntoso": AKOMA_NTOSO, "xhtml": XHTML, "lexml": LEXML, "nir": NIR}


def minified(text: str) -> str:
    """A document without the blanks between its lines."""
    return "".join(line.strip() for line in text.split("\n"))


WRITTEN = {
    "as it is": lambda text: text.encode(),
    "with a mark of order": lambda text: text.encode("utf-8-sig"),
    "in UTF-16": lambda text: text.replace("UTF-8", "UTF-16").encode("utf-16"),
    "in UTF-16 without a mark": lambda text: text.replace(' encoding="UTF-8"', "").encode(
        "utf-16-be"
    ),
    "in Latin 1": lambda text: text.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
    "in windows-1252": lambda text: text.replace("UTF-8", "windows-1252").encode("cp1252"),
    "in lines of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "in lines of old": lambda text: text.replace("\n", "\r").encode(),
    "in one line": lambda text: minified(text).encode(),
}


def marking(name: str, **values: str) -> DocumentMetadata:
    return make_document_metadata(parse(name), **values)


def change(key: str, data: bytes, name: str, *, is_forced: bool = False) -> Change:
    return load_format(key).embed(document_from_bytes(data, "a.xml"), marking(name), is_forced)


def embedded(key: str, data: bytes, name: str, *, is_forced: bool = False) -> bytes:
    return apply_edits(
        document_from_bytes(data), change(key, data, name, is_forced=is_forced).edits
    )


def removed(key: str, data: bytes, *, is_forced: bool = False) -> bytes:
    document = document_from_bytes(data, "a.xml")
    return apply_edits(document, load_format(key).remove(document, is_forced).edits)
