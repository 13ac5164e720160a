"""``lexurn catalogue``: names and their graphs kept, queried and checked."""

from __future__ import annotations

import click

from lexurn.cli._lazy import LazyGroup

__all__ = ["command"]

_COMMANDS = {
    "check": "Check all that a catalogue holds, and what no shape sees.",
    "dump": "Write all that a catalogue holds, in canonical bytes.",
    "load": "Take manifests or RDF files into a catalogue.",
    "optimize": "Put the files of the store together, for quicker reading.",
    "query": "Ask a catalogue: ready questions, or SPARQL of one's own.",
    "rebuild": "Make the index of names again from the store.",
    "refresh": "Say anew what is in force, as of another day.",
    "stats": "Count what a catalogue holds.",
    "withdraw": "Withdraw names; they are never forgotten.",
}


@click.group("catalogue", cls=LazyGroup, abouts=_COMMANDS, prefix="lexurn.cli._catalogue_")
def command() -> None:
    """Keep names and their graphs: load them, ask for them, check them.

    A catalogue is a folder of this machine, or a SPARQL 1.1 server by its URL: the same commands.
    """
