"""The registry as the command line has it: built in, or with a publisher's files over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lexurn.cli._screen import visible
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.registry import Registry, RegistryFinding

__all__ = ["REGISTRY", "echo_registry_findings", "opened_registry", "registry_of"]

_COLOURS = {"error": "red", "warning": "yellow", "note": "blue"}

REGISTRY = click.option(
    "--registry",
    "registries",
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A Turtle file of one's own, laid over the built-in registry; may be given again.",
)


def opened_registry(registries: Iterable[str]) -> tuple[Registry, bool]:
    """The registry with some files over it, and whether they are good; findings are shown.

    With an error the built-in registry stays in force.
    """
    paths = tuple(registries)
    if not paths:
        from lexurn.registry import registry  # no engine for the built-in one

        return registry(), True
    from lexurn.registry import open_registry

    known, findings = open_registry(*paths)
    echo_registry_findings(findings)
    return known, not any(each.is_error for each in findings)


def registry_of(registries: Iterable[str]) -> Registry:
    """The same for verbs that give names: they do nothing with half a registry.

    Raises:
        LexurnError: a file has an error.
    """
    known, is_good = opened_registry(registries)
    if not is_good:
        raise LexurnError("the registry file has errors; mend it, or leave it out")
    return known


def echo_registry_findings(findings: Iterable[RegistryFinding]) -> None:
    """Show findings on standard error, a line each, with file and line in front."""
    for found in findings:
        label = click.style(
            f"{found.severity} {found.code}", fg=_COLOURS[str(found.severity)], bold=True
        )
        place = f"{visible(found.file)}:{found.line}"
        click.echo(f"{place}: {label}: {visible(found.message)}  {found.rule}", err=True)
        if found.suggestion is not None:
            click.echo(f"  try: {visible(found.suggestion)}", err=True)
