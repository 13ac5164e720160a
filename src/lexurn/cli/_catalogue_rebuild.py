"""``lexurn catalogue rebuild``: the index of names, made again from the store."""

from __future__ import annotations

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT
from lexurn.cli._manifests import Teller, progress
from lexurn.cli._screen import visible, write

__all__ = ["command"]


@click.command("rebuild")
@CATALOGUE
@click.option(
    "--jobs", type=click.IntRange(1), help="How many processes.  [default: one a processor]"
)
@WAIT
@click.pass_context
def command(ctx: click.Context, place: str, jobs: int | None, wait: float) -> None:
    """Make the index of names again, which is needed where its file was lost or is damaged.

    All that it holds follows from the store. A catalogue on a server has none. What the store holds
    that cannot be read is said, and the run ends with exit code 1.

    \b
    lexurn catalogue rebuild --catalogue law
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import rebuild

    teller = Teller()
    with progress() as told:
        works = rebuild(
            place,
            wait=wait,
            on_progress=lambda done: told("indexing works", done, None),
            on_finding=teller,
            jobs=jobs,
        )
    write(f"{works:,} works in the index of {visible(place)}")
    if teller.counts:
        click.echo(f"not all can be read: {teller.summary()}", err=True)
        ctx.exit(1)
