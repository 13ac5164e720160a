"""Dialects: ``lexurn.dialect.convert`` on top of parsing, over the names of the wild.

Without the corpora (``LEXURN_CORPUS``) it measures the names beside this file, and the same acts as
LexML Brasil and NIR write them.
"""

from __future__ import annotations

import os
import statistics
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Figure, alternately, seconds

from lexurn import parse
from lexurn.dialect import convert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from measure import Sizes

__all__ = ["conversion"]

_FILES = ("names_lex.txt", "names_nir.txt")
_NAMES = Path(__file__).with_name("names.txt")
_MOST = 20e-6


def conversion(sizes: Sizes) -> list[Figure]:
    """Time of a name to convert, beside the time to parse what came of it."""
    figures = [_figure(what, texts, sizes.runs * 3) for what, texts in _given()]
    if os.environ.get("LEXURN_CORPUS"):
        return figures
    # Every name of these needs changing, which is not so in the wild, for which the aim is set.
    return [replace(figure, aim="", met=None) for figure in figures]


def _figure(what: str, texts: list[str], runs: int) -> Figure:
    """Measure the cost of converting a name beyond that of parsing it."""
    made = [convert(text).name for text in texts]
    names = [str(name) for name in made if name is not None]
    taken = [alternately(3, lambda: _each(convert, texts), lambda: _each(parse, names))
             for _ in range(runs)]  # fmt: skip
    ours = statistics.median(one / len(texts) for one, _ in taken)
    other = statistics.median(one / len(names) for _, one in taken)
    return Figure(
        what=f"convert {what} / parse what came of it",
        ours=seconds(ours),
        other=seconds(other),
        value=f"+{seconds(ours - other)}",
        aim=f"<= {seconds(_MOST)} on top",
        met=ours - other <= _MOST,
    )


def _each(work: Callable[[str], object], texts: Iterable[str]) -> None:
    for text in texts:
        work(text)


def _given() -> list[tuple[str, list[str]]]:
    """Return the names to convert, and a description of them."""
    if corpus := os.environ.get("LEXURN_CORPUS"):
        return [(file, _lines(Path(corpus, file))) for file in _FILES]
    names = _lines(_NAMES)
    return [
        ("names of LexML", [_lexml(name) for name in names]),
        ("names of NIR", [_nir(name) for name in names]),
    ]


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split()


def _lexml(name: str) -> str:
    """Write the act of a name, with its first article as LexML does."""
    return f"{_act(name)}!art1_par2"


def _nir(name: str) -> str:
    """Write the act of a name, with its first article as NIR does."""
    _, _, rest = _act(name).removeprefix("urn:lex:").partition(":")
    return f"urn:nir:{rest}#art1-com2"


def _act(name: str) -> str:
    return name.partition("@")[0].partition("$")[0].partition("~")[0]
