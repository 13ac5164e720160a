"""``lexurn catalogue rebuild``: the index of names, made again from the store."""

from __future__ import annotations

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT
from lexurn.cli._manifests import progress
from lexurn.cli._screen import visible, write

__all__ = ["command"]


@click.command("rebuild")
@CATALOGUE
@WAIT
def command(place: str, wait: float) -> None:
    """Make the index of names again, which is needed where its file was lost or is damaged.

    All that it holds follows from the store. A catalogue on a server has none.

    \b
    lexurn catalogue rebuild --catalogue law
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import rebuild

    with progress() as told:
        works = rebuild(
            place, wait=wait, on_progress=lambda done: told("indexing works", done, None)
        )
    write(f"{works:,} works in the index of {visible(place)}")
