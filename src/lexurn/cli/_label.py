"""``lexurn label``: names in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lexurn.cli._names import READING, texts_of
from lexurn.cli._parse import json_line
from lexurn.cli._registries import REGISTRY, opened_registry
from lexurn.cli._screen import echo_findings, write
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.labels import Labelled
    from lexurn.name import Reading, Report

__all__ = ["command"]

# That proper names have no label in a foreign language is seen in the label itself.
_SEEN = frozenset({"LX792"})


@click.command("label")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--lang",
    "language",
    metavar="TAG",
    help="The language of the labels, for example it or pt-BR.  [default: the jurisdiction's]",
)
@REGISTRY
@READING
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="The label alone, or one JSON object a line.",
)
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    language: str | None,
    registries: tuple[str, ...],
    reading: Reading,
    form: str,
) -> None:
    """Write each NAME in words, as its jurisdiction cites acts.

    What the registry has no words for is written as the name has it, and said.

    \b
    lexurn label "urn:lex:it:stato:legge:2003-09-21;456~art3;par2" --lang it
    lexurn label --format jsonl - < names.txt
    """  # noqa: D301 - click reads this backspace
    from lexurn.labels import label_of

    registry, good = opened_registry(registries)
    show = _SHOW[form]
    for text in texts_of(names):
        report = check(text, reading=reading)
        name = report.name
        show(report, None if name is None else label_of(name, language, registry=registry))
        good = good and report.valid
    ctx.exit(0 if good else 1)


def _show_text(report: Report, labelled: Labelled | None) -> None:
    """The label; of a name that is none, what is wrong with it."""
    if labelled is None:
        echo_findings(report.text, report.findings)
        return
    write(labelled.text)
    for finding in labelled.findings:
        if finding.code not in _SEEN:
            echo_findings(finding.text, [finding])


def _show_jsonl(report: Report, labelled: Labelled | None) -> None:
    findings = report.findings if labelled is None else labelled.findings
    write(
        json_line(
            {
                "input": report.text,
                "name": None if report.name is None else str(report.name),
                "label": None if labelled is None else labelled.text,
                "language": None if labelled is None else labelled.language,
                "findings": [
                    {
                        "code": each.code,
                        "severity": str(each.severity),
                        "component": each.component,
                        "message": each.message,
                        "rule": each.rule,
                    }
                    for each in findings
                ],
            }
        )
    )


_SHOW: dict[str, Callable[[Report, Labelled | None], None]] = {
    "text": _show_text,
    "jsonl": _show_jsonl,
}
