"""``lexurn catalogue optimize``: the files of the store, written anew."""

from __future__ import annotations

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._manifests import progress
from lexurn.cli._screen import visible, write

__all__ = ["command"]


@click.command("optimize")
@CATALOGUE
@WAIT
def command(place: str, wait: float) -> None:
    """Write the files of the store anew, so that checks, queries and dumps are quicker.

    It pays once, after a load of much. It changes nothing that is held, takes some minutes for a
    million documents, and as much room on the disk beside the store as the store has itself. A
    server looks after its own files.

    \b
    lexurn catalogue optimize --catalogue law
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import optimize

    with (
        progress() as told,
        opened_catalogue(place, write=True, wait=wait, is_known=True) as catalogue,
    ):
        told("writing the store anew", 0, None)
        optimize(catalogue)
    write(f"{visible(place)} is written anew")
