"""The catalogue as the command line has it: named by an option or the environment, and opened."""

from __future__ import annotations

import math
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue import Catalogue

__all__ = ["CATALOGUE", "SECONDS", "WAIT", "opened_catalogue"]


class _Seconds(click.FloatRange):
    """A number of seconds."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Refuse what is no number: it is in every range."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail("nan is no number of seconds", param, ctx)
        return seconds


_YEAR: Final = 366 * 86_400
SECONDS: Final = _Seconds(0, min(_YEAR, threading.TIMEOUT_MAX))  # some systems wait no year
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
    type=SECONDS,
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

    if not place.strip():
        raise click.UsageError("no catalogue is named: --catalogue is empty")
    try:
        catalogue = open_catalogue(place, write=write, base=base, wait=wait)
    except ValueError as fault:
        raise CatalogueError(str(fault)) from None
    with catalogue:
        yield catalogue
