"""Manifests as a publishing office has them: made by rule, of any length, the same every time.

An act has ten rows: itself, three versions, and a PDF and an XML file of each version with the copy
and its digest. Every twentieth act has an alias and an annex besides.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["AS_OF", "act_of", "names", "write_acts", "write_documents", "write_manifest"]

AS_OF = dt.date(2026, 1, 1)
"""The day on which these tables are looked at."""

_COLUMNS = (
    *("urn", "title@it", "alias_of", "issued", "published", "in_force_from", "in_force_until"),
    *("amended_by", "url", "bytes", "sha256", "license", "publisher"),
)
_ISSUERS = (
    *("it:stato:legge", "it:presidente.repubblica:decreto", "it:stato:decreto.legislativo"),
    *("it;toscana:regione.toscana:legge", "it:ministero.giustizia:regolamento"),
)
_FORMATS = {"pdf": "application-pdf;1.7", "xml": "text-xml;akn-3.0"}
_TOPICS = (
    *("servizi", "scuola", "acque", "energia", "lavoro", "salute", "strade", "porti", "musei"),
    *("boschi", "pesca", "edilizia", "giustizia", "turismo", "trasporti", "agricoltura"),
)
_LICENSE = "https://creativecommons.org/licenses/by/4.0/"
_FIRST_DAY = dt.date(1950, 1, 2)

Row = dict[str, str]


def write_manifest(path: Path, rows: int) -> Path:
    """Write a manifest of exactly ``rows`` rows as CSV.

    Args:
        path: the file.
        rows: how many rows, without the header.

    Returns:
        ``path``.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(itertools.islice(_rows(), rows))
    return path


def names(count: int) -> list[str]:
    """Return the first ``count`` names of such a manifest, all different."""
    return [row["urn"] for row in itertools.islice(_rows(), count)]


def _rows() -> Iterator[Row]:
    for number in itertools.count(1):
        yield from _act(number)


def _act(number: int) -> Iterator[Row]:
    day = _FIRST_DAY + dt.timedelta(days=number % 25_000)
    act = f"urn:lex:{_ISSUERS[number % len(_ISSUERS)]}:{day};{number}"
    title = f"Disposizioni n. {number} in materia di servizi pubblici e amministrazione digitale"
    stated = {"issued": str(day), "published": str(day + dt.timedelta(days=10))}
    yield {"urn": act, "title@it": title, "license": _LICENSE, "publisher": "Ufficio", **stated}
    for place, start in enumerate((day, *_later(day))):
        yield from _version(act, place, start, title)
    if number % 20 == 0:
        yield {"urn": f"{act}:allegato.1", "title@it": f"Allegato delle disposizioni n. {number}"}
        yield {"urn": act.replace(":legge:", ":testo.unico:"), "alias_of": act}


def _later(day: dt.date) -> tuple[dt.date, dt.date]:
    return day + dt.timedelta(days=700), day + dt.timedelta(days=1900)


def _version(act: str, place: int, start: dt.date, title: str) -> Iterator[Row]:
    name = f"{act}@{start if place else 'original'}:it"
    row = {"urn": name, "title@it": title, "in_force_from": str(start + dt.timedelta(days=15))}
    if place:
        row["amended_by"] = f"urn:lex:it:stato:legge:{start};{place}"
    yield row
    for ending, form in _FORMATS.items():
        url = f"https://gazette.example/{act.removeprefix('urn:lex:')}/{place}.{ending}"
        yield {
            "urn": f"{name}$gazette.example:{form}",
            "url": url,
            "bytes": str(20_000 + len(url)),
            "sha256": hashlib.sha256(url.encode()).hexdigest(),
            "license": _LICENSE,
        }


def write_documents(path: Path, documents: int) -> Path:
    """Write a manifest of many small works, as a nation's catalogue has them.

    A document has two rows, the act and a copy of its original text: about forty quads.

    Args:
        path: the file.
        documents: how many works.

    Returns:
        ``path``.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        for number in range(1, documents + 1):
            writer.writerows(_document(number))
    return path


def act_of(number: int) -> str:
    """Return the name of the act of a document, from 1."""
    day = _FIRST_DAY + dt.timedelta(days=number % 25_000)
    return f"urn:lex:{_ISSUERS[number % len(_ISSUERS)]}:{day};{number}"


def _document(number: int) -> Iterator[Row]:
    act, day = act_of(number), _FIRST_DAY + dt.timedelta(days=number % 25_000)
    title = f"Disposizioni n. {number} in materia di servizi pubblici e amministrazione digitale"
    yield {"urn": act, "title@it": title, "issued": str(day)}
    yield {
        "urn": f"{act}@originale:it$parlamento.it:{_FORMATS['pdf']}",
        "url": f"https://www.parlamento.example/acts/{number}.pdf",
    }


def write_acts(path: Path, rows: int, changed: int = -1) -> Path:
    """Write a manifest of acts of three rows: the act, its original text, and a PDF of that.

    Args:
        path: the file.
        rows: how many rows, without the header.
        changed: the number of an act with another title, from 0.
    """
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        every = (row for number in itertools.count() for row in _small_act(number, changed))
        writer.writerows(itertools.islice(every, rows))
    return path


def _small_act(number: int, changed: int) -> Iterator[Row]:
    day = _FIRST_DAY + dt.timedelta(days=number * 11 % 25_000)
    topics = " e ".join(_TOPICS[each % len(_TOPICS)] for each in (number, number // len(_TOPICS)))
    title = f"Disposizioni in materia di {topics} per l'anno {day.year + 1}, n. {number}"
    act = f"urn:lex:{_ISSUERS[number % len(_ISSUERS)]}:{day};{number}"
    url = f"https://gazette.example/{day.year}/{number}.pdf"
    yield {
        "urn": act,
        "title@it": f"{title} (nuovo titolo)" if number == changed else title,
        "published": str(day + dt.timedelta(days=10)),
        "license": _LICENSE,
        "publisher": "Ufficio",
    }
    start = str(day + dt.timedelta(days=15))
    yield {"urn": f"{act}@original:it", "title@it": title, "in_force_from": start}
    yield {
        "urn": f"{act}@original:it$gazette.example:application-pdf",
        "url": url,
        "bytes": str(20_000 + number),
        "sha256": hashlib.sha256(url.encode()).hexdigest(),
        "license": _LICENSE,
    }
