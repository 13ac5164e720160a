"""Groups `lexurn` and `lexurn catalogue`: commands, loaded when called, and how a run ends."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from lexurn import __version__
from lexurn.cli.shared import echo_error, escape_text
from lexurn.errors import CatalogueUsageError, LexurnError
from lexurn.lazy import keep_imports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_COMMANDS = {
    "catalogue": ("commands", "Store names and their graphs, and query and check them."),
    "compare": ("names", "Show whether two names are equivalent or how they differ."),
    "convert": ("names", "Convert names between RFC 9676 and older dialects."),
    "describe": (
        "metadata",
        "Write the metadata of a name or manifest as RDF, text, HTML or a reference.",
    ),
    "embed": ("documents", "Embed names in documents, or remove them again."),
    "extract": ("documents", "Extract names, versions, titles and dates from documents."),
    "head": ("metadata", "Write the HTML head tags of a name."),
    "http": ("names", "Convert names to HTTP URIs, and HTTP URIs to names."),
    "label": ("names", "Write names in words, in the citation style of their jurisdictions."),
    "map": ("map", "Propose a mapping file for the columns of your own table."),
    "mint": ("mint", "Mint names from metadata, given as options or as rows of a table."),
    "parse": ("names", "Parse names: show their parts, their canonical form and their faults."),
    "preview": ("site", "Serve a site on this machine, to view it in a browser."),
    "publish": ("site", "Publish a manifest or a catalogue as a site of linked data."),
    "registry": ("registry", "Look up authorities, measures and words, and extend the registry."),
    "resolve": ("resolve", "Find the acts and copies that a catalogue has for names."),
    "validate": ("metadata", "Validate manifests or RDF files against the SHACL shapes."),
}

_CATALOGUE_COMMANDS = {
    "check": ("catalogue", "Check all nodes against the shapes, and works against each other."),
    "dump": ("catalogue", "Write the whole catalogue as RDF, in canonical bytes."),
    "load": ("catalogue", "Load manifests or RDF files into a catalogue."),
    "optimize": ("catalogue", "Compact the files of the store, for faster reading."),
    "push": ("catalogue", "Mirror a catalogue on a SPARQL server."),
    "query": ("query", "Run a ready query, or SPARQL of your own."),
    "rebuild": ("catalogue", "Rebuild the index of names from the store."),
    "refresh": ("catalogue", "Compute the versions in force again, for another date."),
    "stats": ("catalogue", "Count the contents of a catalogue."),
    "withdraw": ("catalogue", "Withdraw names; the catalogue keeps them."),
}


class LazyGroup(click.Group):
    """Commands known by name and line of help, each imported only when it is called.

    The command ``parse`` of the module ``names`` is its attribute ``parse_command``.
    """

    def __init__(
        self, *arguments: Any, modules: Mapping[str, tuple[str, str]], **options: Any
    ) -> None:
        """Take the table of commands.

        Args:
            arguments: passed on to click.
            modules: for each command its module in this package, and its line of help.
            options: passed on to click.
        """
        super().__init__(*arguments, **options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the commands."""
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Return the command of a name, or None if there is none."""
        if cmd_name not in self._modules:
            return None
        with keep_imports():
            module = importlib.import_module(f"lexurn.cli.{self._modules[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands in the help without importing their modules."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in self._modules.items()])


INTERRUPTED: Final = 130
"""Exit code of a run that ended with Ctrl-C, as in shells."""


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether Ctrl-C was pressed; twice is a `KeyboardInterrupt`.

    A process that was started with Ctrl-C ignored continues to ignore it.
    """
    is_pressed = False  # no `Event`: a handler that interrupts its own `set` would wait for good

    def handle(_number: int, _frame: object) -> None:
        nonlocal is_pressed
        if is_pressed:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # until the clean-up is done
            raise KeyboardInterrupt
        is_pressed = True

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if not is_main or before is signal.SIG_IGN:
        yield lambda: is_pressed
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: is_pressed
    finally:
        signal.signal(signal.SIGINT, before)


class _TerminatedError(BaseException):
    """Request to end this process (SIGTERM), after the run has removed its temporary files."""


def _terminate(number: int, _frame: object) -> NoReturn:
    signal.signal(number, signal.SIG_DFL)
    raise _TerminatedError


class _MainGroup(LazyGroup):
    """Top group, which turns results, errors and signals into messages and exit codes."""

    def invoke(self, ctx: click.Context) -> None:
        """Run a command, with exit code 1 if it returns False; report Ctrl-C and wrong usage."""
        try:
            if super().invoke(ctx) is False:
                ctx.exit(1)
        except KeyboardInterrupt:
            click.echo("Interrupted. Not everything was done.", err=True)
            ctx.exit(INTERRUPTED)
        except CatalogueUsageError as fault:
            raise click.UsageError(escape_text(str(fault))) from None

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run a command; report an error in one line, with exit code 1."""
        is_main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGTERM, _terminate) if is_main else None
        try:
            return super().main(*arguments, **options)
        except _TerminatedError:
            os.kill(os.getpid(), signal.SIGTERM)
        except (LexurnError, OSError) as fault:
            echo_error(str(fault))
            sys.exit(1)
        finally:
            if before is not None:
                signal.signal(signal.SIGTERM, before)


@click.group(
    cls=_MainGroup,
    modules=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="lexurn")
def main() -> None:
    """Make linked data from legal identifiers: read, mint, check and publish RFC 9676 names.

    A NAME is an argument; - reads one name per line from standard input. Exit codes: 0 success, 1
    invalid or not found, 2 wrong usage, 130 ended with Ctrl-C.
    """


@click.group("catalogue", cls=LazyGroup, modules=_CATALOGUE_COMMANDS)
def catalogue_command() -> None:
    """Store names and their graphs, and query and check them.

    A catalogue is a folder on this machine. push mirrors it on a SPARQL 1.1 server. query, stats
    and lexurn resolve accept the URL of that server.
    """
