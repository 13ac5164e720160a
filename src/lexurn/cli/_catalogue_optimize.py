"""``lexurn catalogue optimize``: the files of the store, put together."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._manifests import progress
from lexurn.cli._screen import visible, write

__all__ = ["command"]


@click.command("optimize")
@CATALOGUE
@WAIT
def command(place: str, wait: float) -> None:
    """Put the files of the store together, so that checks, queries and dumps are quicker.

    It pays once, after a load of much. It changes nothing that is held, takes some minutes for a
    million documents, and as much room on the disk beside the store as the store has itself. What
    rows took that were replaced is not all given back: a dump that is loaded into a new catalogue
    is the smallest. A server looks after its own files.

    Ctrl-C is heard when it is done; to kill it at any moment does no harm.

    \b
    lexurn catalogue optimize --catalogue law
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import optimize

    with (
        progress() as told,
        opened_catalogue(place, write=True, wait=wait, is_known=True) as catalogue,
    ):
        told("putting the files of the store together", 0, None)
        before = _size(place)
        optimize(catalogue)
    write(f"{visible(place)}: {before:,} bytes before, {_size(place):,} bytes now")


def _size(place: str) -> int:
    """How many bytes a folder takes, and 0 for a server."""
    size = 0
    for path in Path(place).rglob("*"):
        with suppress(FileNotFoundError):  # the engine deletes what it has put together
            size += path.lstat().st_size
    return size
