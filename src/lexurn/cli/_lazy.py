"""Commands in modules of their own, each imported only when it is called."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LazyGroup"]


class LazyGroup(click.Group):
    """Commands that are known by their names alone: a cold start pays for one of them."""

    def __init__(
        self, *arguments: Any, abouts: Mapping[str, str], prefix: str, **options: Any
    ) -> None:
        """Know the commands.

        Args:
            arguments: click's.
            abouts: a line on each command, by its name.
            prefix: what stands before its name in that of its module.
            options: click's.
        """
        super().__init__(*arguments, **options)
        self._abouts, self._prefix = abouts, prefix

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the commands."""
        return list(self._abouts)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command of a name, None where there is none."""
        if cmd_name not in self._abouts:
            return None
        module = importlib.import_module(f"{self._prefix}{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands in the help, with no need of their modules."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._abouts.items()))
