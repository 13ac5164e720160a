"""``lexurn catalogue stats``: what a catalogue holds, in numbers."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._screen import visible, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue import Stats

__all__ = ["command"]

_PLURALS = {
    "work": "works",
    "annex": "annexes",
    "expression": "expressions",
    "manifestation": "manifestations",
    "partition": "partitions",
    "item": "items",
}


@click.command("stats")
@CATALOGUE
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="A table for people, or a JSON object.",
)
@WAIT
def command(place: str, form: str, wait: float) -> None:
    """Count what a catalogue holds: quads, names of each level, acts of each jurisdiction.

    \b
    lexurn catalogue stats --catalogue law
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import stats_of

    with opened_catalogue(place, wait=wait) as catalogue:
        stats = stats_of(catalogue.store)
    if form == "json":
        write(json.dumps(asdict(stats), ensure_ascii=False))
    else:
        write("\n".join(_lines(stats)))


def _lines(stats: Stats) -> Iterator[str]:
    counts = {
        **{_PLURALS[kind]: count for kind, count in stats.kinds.items()},
        "aliases": stats.aliases,
        "withdrawn": stats.withdrawn,
        **{f"quads, {layer}": count for layer, count in stats.quads.items()},
        **{f"acts of {visible(code)}": count for code, count in stats.jurisdictions.items()},
    }
    widest = max(map(len, counts))
    for what, count in counts.items():
        yield f"{what:<{widest}} {count:>14,}"
