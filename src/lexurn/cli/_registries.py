"""What the verbs that look words up share: the option for a publisher's own registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lexurn.cli._screen import echo_findings
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.registry import Registry

__all__ = ["REGISTRY", "registry_of"]

REGISTRY = click.option(
    "--registry",
    "registries",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Your own registry in Turtle, which adds to the built-in one; may be given again.",
)


def registry_of(files: Sequence[str]) -> Registry:
    """The built-in registry with a publisher's files laid over it; findings are shown.

    Raises:
        LexurnError: a file has an error; nothing is done with half a registry.
    """
    from lexurn.registry import open_registry, registry

    if not files:
        return registry()
    opened, findings = open_registry(*files)
    bad = 0
    for found in findings:
        echo_findings("", [found], place=f"{found.file}:{found.line}")
        bad += found.severity == "error"
    if bad:
        raise LexurnError(f"{bad} error{'s' * (bad > 1)} in the registry file; mend it first")
    return opened
