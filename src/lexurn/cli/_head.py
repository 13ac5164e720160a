"""``lexurn head``: HTML head tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lexurn.cli._manifests import AS_OF, DIALECT, MANIFEST, MAP, Tables, read_family
from lexurn.cli._names import READING
from lexurn.cli._registries import REGISTRY
from lexurn.cli._screen import echo_error, echo_findings, write
from lexurn.errors import LexurnError
from lexurn.name import check

if TYPE_CHECKING:
    import datetime as dt

    from lexurn.name import Reading

__all__ = ["command"]


@click.command("head")
@click.argument("name")
@click.option(
    "--base", required=True, help="What HTTP URIs begin with, for example https://law.example"
)
@MANIFEST
@MAP
@REGISTRY
@DIALECT
@AS_OF
@READING
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    base: str,
    manifests: tuple[str, ...],
    mapping: str | None,
    registries: tuple[str, ...],
    dialect: str | None,
    as_of: dt.date,
    reading: Reading,
) -> None:
    """Write the HTML head tags of NAME, with what a manifest knows of it.

    \b
    lexurn head "urn:lex:it:stato:legge:2003-09-21;456" --base https://law.example
    """  # noqa: D301 - click reads this backspace
    from lexurn.export import head

    report = check(name, reading=reading)
    echo_findings(name, report.findings)
    if report.name is None:
        ctx.exit(1)
    try:
        family = read_family(
            report.name,
            Tables(files=manifests, mapping=mapping, registries=registries, dialect=dialect),
        )
        write(head(report.name, family, base=base, as_of=as_of).rstrip("\n"))
    except (LexurnError, ValueError) as fault:
        echo_error(str(fault))
        ctx.exit(1)
    if manifests and family is None:
        echo_error(f"{report.name} is not in the manifest: its own tags alone")
        ctx.exit(1)
