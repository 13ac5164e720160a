"""Names into web pages and out of them, beside copying, rewriting and reading by others."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import extruct
import lxml.html
from measure import alternately, ratio

from lexurn.documents import EmbedOptions, OutcomeStatus, embed_folder, extract
from lexurn.model import LanguageText, Record, family_of
from lexurn.name import parse

if TYPE_CHECKING:
    from measure import Figure, Sizes

    from lexurn.model import Family

__all__ = ["embedding"]

# As much as an act of some sixty articles has.
_ARTICLES = 64
_COMMA = """<p class="comma" id="art{article}-com{number}"><span class="num">{number}.</span> Le
disposizioni di cui all'<a href="#art{article}">articolo {article}</a> si applicano a decorrere
dalla data indicata nel <em>decreto</em>.</p>
"""
_COMMAS = 9
_READ_RUNS = 40
_BASE = "https://law.example"


def embedding(sizes: Sizes) -> list[Figure]:
    """Compare embedding names in pages with copying the pages and with rewriting them."""
    with tempfile.TemporaryDirectory() as place:
        pages = _pages(Path(place, "pages"), sizes.documents)
        families = [_family(number) for number in range(sizes.documents)]
        names = [str(number) for number in range(sizes.runs)]
        sites = iter([shutil.copytree(pages, Path(place, f"site{each}")) for each in names])
        targets = (Path(place, f"copy{number}") for number in range(3 * sizes.runs))
        os.sync()
        unread, unread_too = iter(sorted(pages.iterdir())), iter(sorted(pages.iterdir()))
        read, other = alternately(
            min(_READ_RUNS, sizes.documents),
            lambda: extract(next(unread)),
            lambda: extruct.extract(next(unread_too).read_text("utf-8"), base_url=_BASE),
        )
        ours, copied, kept, anew = alternately(
            sizes.runs,
            lambda: _embed(next(sites), families),
            lambda: _copy(pages, next(targets), is_kept=False),
            lambda: _copy(pages, next(targets), is_kept=True),
            lambda: _write_anew(pages, next(targets)),
        )
    what = f"names into {sizes.documents:,} pages of 100 KB"
    return [
        ratio("statements of a page of 100 KB / extruct", read, other, most=0.15),
        ratio(f"{what} / read and copy them", ours, copied, most=5),
        ratio(f"{what} / copy them, each down to the disk", ours, kept),
        ratio(f"{what} / lxml parses and writes them", ours, anew, most=1),
    ]


def _pages(folder: Path, count: int) -> Path:
    folder.mkdir()
    articles = "".join(map(_article, range(_ARTICLES)))
    for number in range(count):
        head = f'<head>\n<meta charset="utf-8">\n<title>Legge {number}</title>\n</head>\n'
        page = f'<!DOCTYPE html>\n<html lang="it">\n{head}<body>\n{articles}</body>\n</html>\n'
        folder.joinpath(f"{number}.html").write_text(page, "utf-8")
    return folder


def _article(article: int) -> str:
    commas = (_COMMA.format(article=article, number=number) for number in range(1, _COMMAS))
    return f'<h2 id="art{article}">Art. {article}</h2>\n{"".join(commas)}'


def _family(number: int) -> Family:
    work = parse(f"urn:lex:it:stato:legge:2003-09-21;{number + 1}")
    title = LanguageText(value=f"Legge {number}", language="it")
    version = Record(name=parse(f"{work}@2005-01-01:it"), files=(f"{number}.html",))
    return family_of([Record(name=work, titles=(title,)), version])


def _embed(folder: Path, families: list[Family]) -> None:
    for outcome in embed_folder(families, folder, base=_BASE, options=EmbedOptions(writes=True)):
        if outcome.status is not OutcomeStatus.EMBEDDED:
            raise SystemExit(f"{outcome.file}: {outcome.findings}")


def _copy(pages: Path, target: Path, *, is_kept: bool) -> None:
    target.mkdir()
    for page in sorted(pages.iterdir()):
        with target.joinpath(page.name).open("wb") as copy:
            copy.write(page.read_bytes())
            if is_kept:
                copy.flush()
                os.fsync(copy.fileno())


def _write_anew(pages: Path, target: Path) -> None:
    target.mkdir()
    for page in sorted(pages.iterdir()):
        tree = lxml.html.document_fromstring(page.read_bytes())
        target.joinpath(page.name).write_bytes(lxml.html.tostring(tree, doctype="<!DOCTYPE html>"))
