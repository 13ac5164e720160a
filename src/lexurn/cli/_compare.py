"""``lexurn compare``: are two names equivalent?"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

import click

from lexurn.cli._names import READING
from lexurn.cli._parse import json_line
from lexurn.cli._screen import echo_findings, write
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.name import Name, Reading

__all__ = ["command"]


@click.command("compare")
@click.argument("first")
@click.argument("second")
@READING
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="A sentence, or one JSON object.",
)
@click.pass_context
def command(ctx: click.Context, first: str, second: str, reading: Reading, form: str) -> None:
    """Tell whether FIRST and SECOND are equivalent names, and if not, what differs.

    Equivalent are names whose canonical texts are equal (RFC 9676 section 3.3, RFC 8141 section 3).
    Aliases are a catalogue's knowledge, not the syntax's. Exit code 0 if equivalent, 1 if not.
    """
    reports = [check(text, reading=reading) for text in (first, second)]
    for report in reports:
        echo_findings(report.text, report.errors)
    if not all(report.valid for report in reports):
        ctx.exit(1)
    one, other = (report.unwrap() for report in reports)
    differing = list(_differing(one, other))
    if form == "json":
        write(
            json_line(
                {
                    "equivalent": one == other,
                    "first": str(one),
                    "second": str(other),
                    "differing": differing,
                }
            )
        )
    elif one == other:
        write(f"equivalent: {one}")
    else:
        write("different: " + ", ".join(differing))
    ctx.exit(0 if one == other else 1)


def _differing(one: Name, other: Name) -> Iterator[str]:
    """The names of the parts that differ, in the order of the name."""
    if one.jurisdiction != other.jurisdiction:
        yield "jurisdiction"
    for field in fields(one.work):
        if getattr(one.work, field.name) != getattr(other.work, field.name):
            yield field.name
    for label in ("expression", "manifestation", "partition"):
        if getattr(one, label) != getattr(other, label):
            yield label
