"""The catalogue as the command line has it: named by an option or the environment, and opened."""

from __future__ import annotations

import math
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from lexurn.cli._screen import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lexurn.catalogue import Catalogue

__all__ = ["CATALOGUE", "SECONDS", "WAIT", "catalogue_option", "opened_catalogue"]

_Command = TypeVar("_Command", bound="Callable[..., object]")


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


def _named(_: click.Context, __: click.Parameter, place: str | None) -> str | None:
    """Refuse a place that is no name: an empty one would be the folder that the command runs in."""
    if place is not None and not place.strip():
        raise click.UsageError("no catalogue is named: --catalogue is empty")
    return place


_PLACES: Final = "A folder; or the URL of a SPARQL server, or a TOML file with its endpoints."


def catalogue_option(
    about: str = _PLACES, *, required: bool = False
) -> Callable[[_Command], _Command]:
    """The option that names a catalogue; the environment may do it as well.

    Args:
        about: its line of help.
        required: whether there is nothing to do without one.
    """
    return click.option(
        "--catalogue",
        "-c",
        "place",
        required=required,
        callback=_named,
        envvar="LEXURN_CATALOGUE",
        show_envvar=True,
        metavar="PLACE",
        help=about,
    )


CATALOGUE = catalogue_option(required=True)
WAIT = click.option(
    "--wait",
    type=SECONDS,
    default=0.0,
    metavar="SECONDS",
    help="How long to wait for others that use the catalogue.  [default: not at all]",
)


@contextmanager
def opened_catalogue(
    place: str,
    *,
    write: bool = False,
    base: str | None = None,
    wait: float = 0.0,
    is_known: bool = False,
) -> Iterator[Catalogue]:
    """Open a catalogue for one run.

    Args:
        place: where it is.
        write: whether it may be changed.
        base: what HTTP URIs begin with, for a new one.
        wait: how many seconds to wait for others.
        is_known: whether it must be there already: a place that is mistyped becomes none.

    Raises:
        LexurnError: it cannot be opened; the message says what to do.
    """
    from lexurn.catalogue import is_catalogue, open_catalogue

    if is_known and not is_catalogue(Path(place)):
        open_catalogue(place, wait=wait).close()  # which says what is wrong, but for a server
    try:
        catalogue = open_catalogue(place, write=write, base=base, wait=wait)
    except ValueError as fault:
        raise click.UsageError(visible(str(fault))) from None
    with catalogue:
        yield catalogue
