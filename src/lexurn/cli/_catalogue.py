"""``lexurn catalogue``: names and their graphs kept, queried and checked."""

from __future__ import annotations

import importlib
from typing import Any

import click

from lexurn.cli._screen import visible
from lexurn.errors import CatalogueUsageError

__all__ = ["command"]

_COMMANDS = {
    "check": "Check all that a catalogue holds, and what no shape sees.",
    "dump": "Write all that a catalogue holds, in canonical bytes.",
    "load": "Take manifests or RDF files into a catalogue.",
    "query": "Ask a catalogue: ready questions, or SPARQL of one's own.",
    "rebuild": "Make the index of names again from the store.",
    "refresh": "Say anew what is in force, as of another day.",
    "stats": "Count what a catalogue holds.",
    "withdraw": "Withdraw names; they are never forgotten.",
}


class _Commands(click.Group):
    """The commands, each imported only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"lexurn.cli._catalogue_{cmd_name}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what no catalogue can answer is wrong usage, with exit code 2."""
        try:
            return super().invoke(ctx)
        except CatalogueUsageError as fault:
            raise click.UsageError(visible(str(fault))) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group("catalogue", cls=_Commands)
def command() -> None:
    """Keep names and their graphs: load them, ask for them, check them.

    A catalogue is a folder of this machine, or a SPARQL 1.1 server by its URL: the same commands.
    """
