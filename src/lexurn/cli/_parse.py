"""``lexurn parse``: read names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from lexurn.cli._names import READING, texts_of
from lexurn.cli._screen import echo_findings, visible, write
from lexurn.name import check, json_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lexurn.name import Parts, Reading, Report

__all__ = ["command"]


@click.command("parse")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@READING
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl", "name"]),
    default="text",
    show_default=True,
    help="Part by part for people, one JSON object a line, or the canonical name alone.",
)
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], reading: Reading, form: str) -> None:
    """Read each NAME: its parts, its canonical form, and what is wrong with it.

    \b
    lexurn parse "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it"
    lexurn parse --format jsonl - < names.txt
    """  # noqa: D301 - click reads this backspace
    show = _SHOW[form]
    good = True
    for text in texts_of(names):
        report = check(text, reading=reading)
        good = good and report.valid
        show(report)
    ctx.exit(0 if good else 1)


def _show_text(report: Report) -> None:
    if report.name is not None:
        write("\n".join([str(report.name), *_lines(report)]))
    echo_findings(report.text, report.findings)


def _show_name(report: Report) -> None:
    if report.name is not None:
        write(str(report.name))
    echo_findings(report.text, report.findings)


def _show_jsonl(report: Report) -> None:
    write(json_line(json_of(report)))


_SHOW: dict[str, Callable[[Report], None]] = {
    "text": _show_text,
    "name": _show_name,
    "jsonl": _show_jsonl,
}


def json_line(value: object) -> str:
    """JSON on one line, in UTF-8; lone surrogates, which have no UTF-8, as escapes."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def _lines(report: Report) -> Iterator[str]:
    level = "" if report.name is None else str(report.name.level)
    rows = [("level", level), *_work(report.parts), *_rest(report.parts)]
    for label, value in rows:
        if value:
            yield f"  {label:<14} {visible(value)}"


def _work(parts: Parts) -> Iterator[tuple[str, str]]:
    if parts.jurisdiction is not None:
        yield "jurisdiction", " ".join((parts.jurisdiction.code, *parts.jurisdiction.units))
    for issuer in parts.authority.issuers if parts.authority else ():
        yield "authority", " / ".join((issuer.institution, *issuer.functions))
    if parts.measure is not None:
        yield "measure", " / ".join((parts.measure.type, *parts.measure.specifications))
    if parts.details is not None:
        for date in parts.details.dates:
            yield "date", date.iso + (f" ({date.local})" if date.local else "")
        yield "period", parts.details.period or ""
        for number in parts.details.numbers:
            yield "number", number
    for annex in parts.annexes:
        yield "annex", " / ".join((annex.id, *annex.specifications))


def _rest(parts: Parts) -> Iterator[tuple[str, str]]:
    if parts.expression is not None:
        yield "version", str(parts.expression.version)
        yield "language", parts.expression.language or ""
    if parts.manifestation is not None:
        for label in ("editor", "format", "component", "feature"):
            part = getattr(parts.manifestation, label)
            yield label, "" if part is None else str(part)
    yield "partition", parts.partition or ""
    yield "r-component", parts.components.r or ""
    yield "q-component", parts.components.q or ""
    yield "f-component", parts.components.f or ""
