"""``lexurn catalogue dump``: all that a catalogue holds, as one file of RDF."""

from __future__ import annotations

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._manifests import progress
from lexurn.cli._screen import Output, visible

__all__ = ["command"]

_FORMATS = ("nquads", "ntriples", "turtle", "trig", "jsonld")


@click.command("dump")
@click.argument("target", default="-", metavar="[FILE]")
@CATALOGUE
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="[default: by the name of the FILE; else nquads]",
)
@WAIT
def command(target: str, place: str, form: str | None, wait: float) -> None:
    """Write all that a catalogue holds to a FILE, or to standard output.

    The same catalogue gives the same bytes: N-Quads and N-Triples are sorted; Turtle, TriG and
    JSON-LD go work by work. A FILE that ends in .gz is packed. What is written can be loaded again.

    \b
    lexurn catalogue dump law.nq.gz --catalogue law
    lexurn catalogue dump --catalogue law --format turtle | less
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import dump

    with progress() as told, opened_catalogue(place, wait=wait) as catalogue:
        size = dump(
            catalogue.store,
            Output() if target == "-" else target,
            form,
            on_progress=lambda what, done: told(what, done, None),
        )
    if target != "-":
        click.echo(f"{size:,} bytes of {visible(place)} in {visible(target)}", err=True)
