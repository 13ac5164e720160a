"""Records that the tests of documents, head tags, pages and sites share."""

from __future__ import annotations

import datetime as dt
import os
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.model import Item, LanguageText, Record, Status
from lexurn.name import Name, parse
from lexurn.pages import describe, head

if TYPE_CHECKING:
    from lexurn.graph import Format

GOLDEN = Path(__file__).parents[1] / "golden_export"
BASE = "https://law.example"
AS_OF = dt.date(2024, 7, 1)
DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
FIRST = f"{ACT}@originale:it"
SECOND = f"{ACT}@2005-01-01;2005-03-01:it"
THIRD = f"{ACT}@2030-01-01:it"
GERMAN = f"{ACT}@originale:de"
PDF = f"{SECOND}$parlamento.it:application-pdf;1.7"
ANNEX = f"{ACT}:allegato.a"
PARTITION = f"{ACT}~art3"
SWISS = "urn:lex:ch:staat:gesetz:2006-05-14;22"
SWISS_FRENCH = "urn:lex:ch:etat:loi:2006-05-14;22"
HOSTILE = "urn:lex:it:comune.prova:delibera:2020-02-02;7"
HOSTILE_TITLE = "</title></script><script>alert('x')</script> & \"quoted\" <!-- -->"
NAMES = (ACT, FIRST, SECOND, THIRD, GERMAN, PDF, ANNEX, PARTITION, SWISS, SWISS_FRENCH, HOSTILE)


def name(text: str) -> Name:
    """The name of a text."""
    return parse(text)


def titles(**texts: str) -> tuple[LanguageText, ...]:
    """Titles by language; ``none`` stands for no language."""
    return tuple(
        LanguageText(value=value, language=None if language == "none" else language)
        for language, value in sorted(texts.items())
    )


def _italian() -> list[Record]:
    return [
        Record(
            name=name(ACT),
            titles=titles(it="Norme sulla tutela delle acque", de="Gewässerschutz"),
            issued=dt.date(2003, 9, 21),
            published=dt.date(2003, 10, 1),
            modified=dt.date(2024, 5, 5),
            in_force_from=dt.date(2003, 10, 16),
            amended_by=(name("urn:lex:it:stato:legge:2005-01-01;1"),),
            licenses=("https://creativecommons.org/publicdomain/zero/1.0/",),
            publishers=("https://publisher.example/office", "Ufficio pubblicazioni"),
            creators=("Parlamento",),
            subjects=("acque",),
            pages=("https://portal.example/acts/456",),
            also_named=(name("urn:lex:at:bund:gesetz:2003-09-21;99"),),
        ),
        Record(name=name(FIRST)),
        Record(name=name(GERMAN), titles=titles(de="Gesetz zum Schutz der Gewässer")),
        Record(name=name(SECOND), in_force_until=dt.date(2031, 1, 1)),
        Record(name=name(THIRD)),
        Record(
            name=name(PDF),
            items=(
                Item(url="https://files.example/456.pdf", bytes=123_456, sha256=DIGEST),
                Item(url="https://mirror.example/456.pdf"),
            ),
        ),
        Record(
            name=name(f"{ACT}$senato.it:text-xml"),
            items=(Item(url="https://files.example/456.xml", bytes=9),),
        ),
        Record(name=name(ANNEX), titles=titles(it="Tabella dei corsi d'acqua")),
        Record(name=name(f"{ANNEX}@originale:it")),
        Record(name=name(PARTITION), titles=titles(it="Definizioni")),
        Record(name=name(f"{ACT}~art3;par2")),
        Record(name=name(f"{SECOND}~art3")),
    ]


def _swiss() -> list[Record]:
    return [
        Record(name=name(SWISS), titles=titles(de="Bundesgesetz über die Prüfung")),
        Record(
            name=name(SWISS_FRENCH),
            alias_of=name(SWISS),
            titles=titles(fr="Loi fédérale sur l'essai"),
        ),
        Record(name=name(f"{SWISS}@original:de")),
        Record(name=name(f"{SWISS_FRENCH}@originel:fr")),
        Record(name=name(f"{SWISS}@2008-03-12:de")),
        Record(name=name(f"{SWISS_FRENCH}@2008-03-12:de")),
    ]


def _others() -> list[Record]:
    return [
        Record(
            name=name(HOSTILE),
            titles=titles(none=HOSTILE_TITLE, ar="قرار البلدية"),
            items=(Item(url="javascript:alert(1)"), Item(url="https://files.example/%22a%22.pdf")),
            pages=("javascript:alert(2)", "https://portal.example/?a=1&b=2"),
            licenses=("data:text/html,alert(3)",),
            publishers=("<b>bold</b>", "javascript:alert(4)"),
            status=Status.WITHDRAWN,
            withdrawn_on=dt.date(2021, 1, 1),
        ),
        Record(name=name("urn:lex:us:congress:bill:107;hr.3162@introduced:en"), version_order=1),
        Record(name=name("urn:lex:us:congress:bill:107;hr.3162@enrolled:en"), version_order=2),
        Record(name=name("urn:lex:il:knesset:chok:1999-09-02|21-elul.5759;3")),
        Record(
            name=name(
                "urn:lex:ru:%D0%B4%D1%83%D0%BC%D0%B0:%D0%B7%D0%B0%D0%BA%D0%BE%D0%BD:2001-02-03;4-%D1%84%D0%B7"
            )
        ),
        Record(name=name("urn:lex:it:stato:legge:2005-01-01;1"), titles=titles(it="Modifiche")),
        Record(name=name("urn:lex:it:stato:decreto:2001-01-01;lex-5@vigente:qaa-x-test")),
        Record(
            name=name(
                "urn:lex:un.org:general.assembly+security.council:resolution:2000-01-01,2000-01-02;55-2,56-3"
            )
        ),
    ]


def records() -> list[Record]:
    """Records of several families, with everything that a record can state."""
    return [*_italian(), *_swiss(), *_others()]


def describe_name(
    text: str,
    form: Format | str,
    known: list[Record] | None = None,
    *,
    base: str | None = BASE,
) -> str:
    """Describe a name by the records above, or by others."""
    return describe(
        records() if known is None else known, parse(text), form, base=base, as_of=AS_OF
    )


def write_head(text: str, known: list[Record] | None = None, as_of: dt.date = AS_OF) -> str:
    """Write the head tags of a name by the records above, or by others."""
    return head(parse(text), records() if known is None else known, base=BASE, as_of=as_of)


def url(text: str) -> str:
    """Return the address of a name, written here anew."""
    rest = text.removeprefix("urn:lex:").replace("@", "/@/").replace("$", "/$/")
    return f"{BASE}/lex/{rest.replace(':', '/')}"


def golden(file: str, text: str) -> None:
    """Hold a text to the agreed one; ``LEXURN_WRITE_GOLDEN=1`` agrees to what it is now."""
    path = GOLDEN / file
    if os.environ.get("LEXURN_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="")
    assert text == path.read_text(encoding="utf-8")
