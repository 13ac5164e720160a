"""``lexurn http``: names and their HTTP-URI equivalents."""

from __future__ import annotations

import click

from lexurn.cli._names import READING, texts_of
from lexurn.cli._screen import echo_error, echo_findings, write
from lexurn.name import HttpStyle, Reading, check, check_http, http_of

__all__ = ["command"]


@click.command("http")
@click.argument("names", nargs=-1, required=True, metavar="NAME|URI...")
@click.option("--base", help="What the HTTP URIs begin with, for example https://law.example")
@click.option(
    "--style",
    type=click.Choice(["reversible", "draft"]),
    default="reversible",
    show_default=True,
    callback=lambda _ctx, _param, value: HttpStyle(value),
    help="The draft's shorter form of manifestations loses parts, which are reported.",
)
@click.option("--publisher", help="The publisher of manifestations read in the draft's form.")
@READING
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    base: str | None,
    style: HttpStyle,
    publisher: str | None,
    reading: Reading,
) -> None:
    """Turn each NAME into its HTTP URI, and each HTTP URI back into its name.

    \b
    lexurn http --base https://law.example "urn:lex:it:stato:legge:2003-09-21;456"
    lexurn http https://law.example/lex/it/stato/legge/2003-09-21;456
    """  # noqa: D301 - click reads this backspace
    good = True
    for text in texts_of(names):
        if text.lower().startswith(("http://", "https://")):
            good &= _read(text, base, publisher, reading)
        else:
            good &= _write(text, base, style, reading)
    ctx.exit(0 if good else 1)


def _read(text: str, base: str | None, publisher: str | None, reading: Reading) -> bool:
    report = check_http(text, base=base, publisher=publisher, reading=reading)
    echo_findings(text, report.findings)
    if report.name is not None:
        write(str(report.name))
    return report.valid


def _write(text: str, base: str | None, style: HttpStyle, reading: Reading) -> bool:
    if base is None:
        raise click.UsageError("--base is needed to write an HTTP URI")
    report = check(text, reading=reading)
    echo_findings(text, report.findings)
    if report.name is None:
        return False
    try:
        form = http_of(report.name, base, style=style)
    except ValueError as fault:
        echo_error(str(fault))
        return False
    echo_findings(text, form.findings)
    write(form.uri)
    return True
