"""The catalogue as the command line has it: named by an option or the environment, and opened."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue import Catalogue

__all__ = ["CATALOGUE", "WAIT", "opened_catalogue"]

CATALOGUE = click.option(
    "--catalogue",
    "-c",
    "place",
    required=True,
    envvar="LEXURN_CATALOGUE",
    show_envvar=True,
    metavar="PLACE",
    help="A folder; or the URL of a SPARQL server, or a TOML file with its endpoints.",
)
WAIT = click.option(
    "--wait",
    type=click.FloatRange(0),
    default=0.0,
    metavar="SECONDS",
    help="How long to wait for others that use the catalogue.  [default: not at all]",
)


@contextmanager
def opened_catalogue(
    place: str, *, write: bool = False, base: str | None = None, wait: float = 0.0
) -> Iterator[Catalogue]:
    """Open a catalogue for one run.

    Raises:
        LexurnError: it cannot be opened; the message says what to do.
    """
    from lexurn.catalogue import open_catalogue
    from lexurn.errors import CatalogueError

    try:
        catalogue = open_catalogue(place, write=write, base=base, wait=wait)
    except ValueError as fault:
        raise CatalogueError(str(fault)) from None
    with catalogue:
        yield catalogue
