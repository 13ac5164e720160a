"""A small family with one of everything, and its graph in every format under ``tests/golden``.

Run as a script, it writes the golden files anew, and the context in ``ontology/frame.jsonld``:
``PYTHONPATH=src python tests/support/graph_sample.py``.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from lexurn import data
from lexurn.graph import Format, Statements, statements_of, write
from lexurn.model import Item, LanguageText, LegalForce, Record, Status, family_of
from lexurn.name import parse

GOLDEN = Path(__file__).parents[1] / "golden"
AS_OF = dt.date(2010, 6, 1)
BASE = "https://law.example"

ACT = (
    "urn:lex:it;veneto:giunta;finanze+consiglio:decreto;urgente:"
    "1999-09-02|21-elul-5759,1999-09-03;3,bis-4"
)
ALIAS = "urn:lex:it:stato:decreto:1999-09-02;3"
WITHDRAWN = "urn:lex:it:stato:decreto:1999;3"
ORIGINAL = f"{ACT}@original:it"
AMENDED = f"{ACT}@2004-01-01;2005-06-30|23-siwan-5765;rettifica:it"
PLAIN = f"{ACT}@2004-01-01;2005-06-30|23-siwan-5765;rettifica"
PDF = f"{ORIGINAL}$parlamento.it;archivio:application-pdf;1.7:testo;a:anonimo;b"
TEXT = f"{AMENDED}$parlamento.it:text-xml"
SHA256 = "0f" * 32

_CC_BY = "https://creativecommons.org/licenses/by/4.0/"


def _record(text: str, **stated: object) -> Record:
    return Record(name=parse(text), **stated)


RECORDS = (
    _record(
        ACT,
        titles=(
            LanguageText(value="Decreto sul bilancio", language="it"),
            LanguageText(value='Decreto sul bilancio\n«seconda riga»\t\\ "x" <b>&amp;</b>'),
            LanguageText(value="Haushaltsdekret", language="de"),
        ),
        cited_as="D.G.R. 2 settembre 1999, n. 3 «bis»",
        also_named=(parse("urn:lex:fr:etat:decret:1999-09-02;3"),),
        dialect_names=("urn:nir:ministero.delle.finanze:decreto:1999-09-02;3",),
        issued=dt.date(1999, 9, 2),
        published=dt.date(1999, 9, 10),
        modified=dt.date(2005, 7, 1),
        in_force_from=dt.date(1999, 10, 1),
        force=LegalForce.PARTLY_IN_FORCE,
        force_on=dt.date(1999, 10, 1),
        amended_by=(parse("urn:lex:it:stato:legge:2004-01-01;1"),),
        pages=("https://example.org/decreto?n=3&anno=1999",),
        licenses=(_CC_BY,),
        publishers=("Ministero delle finanze", "https://example.org/id/ministero"),
        creators=("https://example.org/id/ufficio",),
        subjects=("Umwelt:Wasser",),
        items=(Item(url="https://example.org/tutto.html"),),
    ),
    _record(f"{ACT}:allegato.a;tabella:nota.1", titles=(LanguageText(value="Nota"),)),
    _record(f"{ACT}$gazzetta.it:image-tiff"),
    _record(ORIGINAL, in_force_until=dt.date(2005, 6, 30)),
    _record(PDF, items=(Item(url="https://example.org/a.pdf", bytes=4096, sha256=SHA256),)),
    _record(f"{PDF}~art15;par3", titles=(LanguageText(value="Articolo 15"),)),
    _record(f"{ACT}~art1"),
    _record(PLAIN),
    _record(f"{PLAIN}~art1"),
    _record(AMENDED, amended_by=(parse("urn:lex:it:stato:legge:2004-01-01;2"),)),
    _record(TEXT, items=(Item(url="https://example.org/tutto.html"),)),
    _record(f"{ACT}@bozza;2006-01-01:it", version_order=-2),
    _record(f"{ACT}@1500-02-29:la"),
    _record(ALIAS, alias_of=parse(ACT)),
    _record(
        WITHDRAWN,
        alias_of=parse(ACT),
        status=Status.WITHDRAWN,
        withdrawn_on=dt.date(2001, 1, 1),
    ),
    _record(f"{WITHDRAWN}@original:it"),
    _record(f"{ALIAS}@original:it"),
)
FAMILY = family_of(RECORDS)


def sample(base: str | None = BASE) -> Statements:
    """The graph of the family."""
    return statements_of(FAMILY, as_of=AS_OF, base=base)


def golden(form: Format) -> Path:
    """The golden file of a format."""
    return GOLDEN / f"sample.{form.extension}"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in Format:
        golden(each).write_bytes(write(sample(), each))
    ontology = data.find_folder("ontology")
    context, frame = ontology / "context.jsonld", ontology / "frame.jsonld"
    _, begin, rest = frame.read_text("utf-8").partition(',\n  "type": "Work"')
    head = context.read_text("utf-8").removesuffix("\n}\n")
    frame.write_text(f"{head}{begin}{rest}", encoding="utf-8")
