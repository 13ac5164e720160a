"""The command line: arguments in, text and exit code out.

Results go to standard output, findings and progress to standard error. Exit codes: 0 all good, 1
something invalid or not found, 2 wrong usage, 130 ended with Ctrl-C. Each verb is a module of its
own, loaded when called.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import click

from lexurn import __version__
from lexurn.cli._interruption import INTERRUPTED
from lexurn.cli._lazy import LazyGroup
from lexurn.cli._screen import echo_error, visible
from lexurn.errors import CatalogueUsageError, LexurnError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["main"]

_VERBS = {
    "catalogue": "Keep names and their graphs: load, query, check.",
    "compare": "Tell whether two names are equivalent, and if not, what differs.",
    "convert": "Turn names of older dialects into names by RFC 9676, and back.",
    "describe": "Write what is known of a name, or of a whole manifest, as RDF, text or HTML.",
    "embed": "Put names into published documents, and take them out again.",
    "extract": "Read names, versions, titles and dates out of published documents.",
    "head": "Write the HTML head tags of a name.",
    "http": "Turn names into HTTP URIs, and HTTP URIs back into names.",
    "label": "Write names in words, as their jurisdictions cite acts.",
    "mint": "Make names from metadata: from options, or from the rows of a table.",
    "parse": "Read names: their parts, their canonical form, and what is wrong with them.",
    "publish": "Write a site of linked data from a manifest.",
    "registry": "Look up authorities, measures and words; check and fill registries.",
    "resolve": "Find what a catalogue has for names, perfect or not.",
    "validate": "Check manifests or RDF files against the SHACL shapes.",
}


class _StoppedError(BaseException):
    """Somebody asked this process to end."""


def _stop(_number: int, _frame: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise _StoppedError


@contextmanager
def _tidy_at_sigterm() -> Iterator[None]:
    """End by SIGTERM as ever, but only when what the run made for itself is put away."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    except _StoppedError:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


class _Verbs(LazyGroup):
    """The verbs; each run of one ends tidily."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; what no catalogue can answer is wrong usage, Ctrl-C is no failure of it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("interrupted; not everything was done", err=True)
            ctx.exit(INTERRUPTED)
        except CatalogueUsageError as fault:
            raise click.UsageError(visible(str(fault))) from None

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run a verb; what stands in its way is said in a line, with exit code 1."""
        with _tidy_at_sigterm():
            try:
                return super().main(*arguments, **options)
            except (LexurnError, OSError) as fault:
                echo_error(str(fault))
                sys.exit(1)


@click.group(
    cls=_Verbs,
    abouts=_VERBS,
    prefix="lexurn.cli._",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="lexurn")
def main() -> None:
    """Linked data for legal identifiers: RFC 9676 names, their graphs, their publication.

    A NAME is an argument, or - for one a line on standard input. Exit codes: 0 all good, 1
    something invalid or not found, 2 wrong usage, 130 ended with Ctrl-C.
    """
