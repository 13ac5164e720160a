"""``lexurn catalogue refresh``: what is in force, as of another day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._manifests import AS_OF, progress
from lexurn.cli._screen import visible, write

if TYPE_CHECKING:
    import datetime as dt

__all__ = ["command"]


@click.command("refresh")
@CATALOGUE
@AS_OF
@WAIT
def command(place: str, as_of: dt.date, wait: float) -> None:
    """Say anew which version of each work is in force, and change nothing else.

    The graph says it as of the day of loading; run this every night. The resolver and the ready
    queries ask for the day themselves, and do not need it.

    \b
    lexurn catalogue refresh --catalogue law
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import refresh

    with (
        progress() as told,
        opened_catalogue(place, write=True, wait=wait, is_known=True) as catalogue,
    ):
        changed = refresh(
            catalogue, as_of=as_of, on_progress=lambda done: told("looking at works", done, None)
        )
    write(f"{changed:,} works changed in {visible(place)}, as of {as_of}")
