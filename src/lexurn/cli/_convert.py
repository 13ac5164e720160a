"""``lexurn convert``: names of older dialects to RFC 9676, and back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from lexurn.cli._names import texts_of
from lexurn.cli._parse import json_line
from lexurn.cli._registries import REGISTRY, opened_registry
from lexurn.cli._screen import echo_findings, write
from lexurn.dialect import CHANGES, FINDINGS, Dialect, Standing, convert
from lexurn.dialect import json_of as conversion_json
from lexurn.name import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lexurn.dialect import Change, Conversion

__all__ = ["SaidChange", "command"]

_DIALECTS = [dialect.value for dialect in Dialect]


@click.command("convert")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--from",
    "source",
    type=click.Choice(["auto", *_DIALECTS]),
    default="auto",
    show_default=True,
    help="The dialect that names are read in; auto finds out, name by name.",
)
@click.option(
    "--to",
    "target",
    type=click.Choice(_DIALECTS),
    default="rfc9676",
    show_default=True,
    help="The dialect that names are written in.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl", "table"]),
    default="text",
    show_default=True,
    help="The converted names, one JSON object a line, or how many stand how and by which rule.",
)
@REGISTRY
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    source: str,
    target: str,
    form: str,
    registries: tuple[str, ...],
) -> None:
    """Convert each NAME between RFC 9676, LexML Brasil, Italian NIR and the drafts of the RFC.

    Each change is said on standard error, with what is lost by it. A name that no rule repairs is
    broken: nothing is written for it, and why is said. Exit code 1 if one is.

    \b
    lexurn convert "urn:nir:stato:legge:1990-08-07;241#art3-com2"
    lexurn convert --from lexml --format table - < names.txt
    """  # noqa: D301 - click reads this backspace
    registry, good = opened_registry(registries)
    results = (
        convert(text, source=Dialect(source) if source != "auto" else "auto",
                target=Dialect(target), registry=registry)
        for text in texts_of(names)
    )  # fmt: skip
    ctx.exit(0 if _SHOW[form](results) and good else 1)


def _show_text(results: Iterable[Conversion]) -> bool:
    good = True
    for conversion in results:
        if conversion.written is not None:
            write(conversion.written)
        good = good and conversion.written is not None
        echo_findings(conversion.text, [*map(SaidChange, conversion.changes), *conversion.findings])
    return good


def _show_jsonl(results: Iterable[Conversion]) -> bool:
    good = True
    for conversion in results:
        good = good and conversion.written is not None
        write(json_line(conversion_json(conversion)))
    return good


def _show_table(results: Iterable[Conversion]) -> bool:
    """How many names stand how, and how often each rule was used."""
    standings: Counter[str] = Counter({standing.value: 0 for standing in Standing})
    used: Counter[str] = Counter()
    good = True
    for conversion in results:
        standings[conversion.standing.value] += 1
        good = good and conversion.written is not None
        # A rule counts once a name, however often it was used in it.
        changed = {each.code for each in conversion.changes}
        used.update(changed.union(each.code for each in conversion.findings))
    total = standings.total()
    for standing, count in standings.items():
        write(f"{count:>9,} {count / max(total, 1):>7.2%}  {standing}")
    write(f"{total:>9,} {'':>7}  names")
    for code, count in sorted(used.items()):
        write(f"{count:>9,} {code:>7}  {_meaning(code)}")
    return good


def _meaning(code: str) -> str:
    """What a code stands for, without the place that its message would name."""
    if code in CHANGES:
        return f"{CHANGES[code].message} ({CHANGES[code].rule})"
    if code in FINDINGS:
        found = FINDINGS[code]
        return f"{found.severity}: {found.message.format('...', '...')} ({found.rule})"
    from lexurn.name import CODES

    return f"error: {CODES[code].message.format('...', '...', component='component')}"


_SHOW: dict[str, Callable[[Iterable[Conversion]], bool]] = {
    "text": _show_text,
    "jsonl": _show_jsonl,
    "table": _show_table,
}


@dataclass(frozen=True, slots=True)
class SaidChange:
    """A change as a finding is shown: a warning where something is lost, else a note."""

    change: Change

    @property
    def code(self) -> str:
        return self.change.code

    @property
    def severity(self) -> str:
        return Severity.WARNING if self.change.loss else Severity.NOTE

    @property
    def message(self) -> str:
        lost = self.change.lost
        return self.change.message if lost is None else f"{self.change.message}; lost: {lost}"

    @property
    def rule(self) -> str:
        return self.change.rule

    @property
    def start(self) -> int:
        return self.change.start

    @property
    def end(self) -> int:
        return self.change.end

    @property
    def suggestion(self) -> str | None:
        return None
