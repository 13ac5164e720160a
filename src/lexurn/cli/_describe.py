"""``lexurn describe``: what is known of names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import click

from lexurn.cli._manifests import (
    AS_OF,
    BASE,
    DIALECT,
    MANIFEST,
    MAP,
    REJECTS,
    Tables,
    Teller,
    opened,
    progress,
    read_family,
)
from lexurn.cli._names import READING, texts_of
from lexurn.cli._registries import REGISTRY
from lexurn.cli._screen import echo_error, echo_findings, write_bytes
from lexurn.errors import LexurnError
from lexurn.name import check

if TYPE_CHECKING:
    import datetime as dt

    from lexurn.name import Name, Reading

__all__ = ["command"]

_FORMATS = ("text", "turtle", "jsonld", "rdfxml", "ntriples", "nquads", "trig", "html")


@click.command("describe")
@click.argument("names", nargs=-1, metavar="[NAME...]")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), help="[default: text; of a manifest: nquads]"
)
@MANIFEST
@MAP
@REGISTRY
@DIALECT
@REJECTS
@BASE
@AS_OF
@READING
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    form: str | None,
    manifests: tuple[str, ...],
    mapping: str | None,
    registries: tuple[str, ...],
    dialect: str | None,
    rejects: str | None,
    base: str | None,
    as_of: dt.date,
    reading: Reading,
) -> None:
    """Write what is known of each NAME, or of a whole manifest where no NAME is given.

    Of a name alone, only what the name itself says, and how it is spelt in a --dialect. A whole
    manifest is written in bounded memory as nquads or ntriples; the other formats hold it in
    memory.

    \b
    lexurn describe "urn:lex:it:stato:legge:2003-09-21;456" --format turtle
    lexurn describe --manifest acts.csv > acts.nq
    """  # noqa: D301 - click reads this backspace
    tables = Tables(
        files=manifests, mapping=mapping, registries=registries, dialect=dialect, rejects=rejects
    )
    setting = Setting(base=base, as_of=as_of)
    try:
        if names:
            asked = [_asked(text, reading, dialect) for text in texts_of(names)]
            good = [_describe(each, form or "text", tables, setting) for each in asked]
            ctx.exit(0 if all(good) else 1)
        if not manifests:
            raise click.UsageError("give a NAME, or --manifest")
        ctx.exit(0 if _describe_all(form or "nquads", tables, setting) else 1)
    except (LexurnError, ValueError) as fault:
        echo_error(str(fault))
        ctx.exit(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What HTTP URIs begin with, if there are any, and the day for what is in force."""

    base: str | None
    as_of: dt.date


class _Asked(NamedTuple):
    """A name that is asked for: None where the text is none; its spelling in a dialect."""

    name: Name | None
    spelling: str | None = None


def _asked(text: str, reading: Reading, dialect: str | None) -> _Asked:
    """The name of a text, by RFC 9676 or in a dialect; what is to be said of it is shown."""
    if dialect is None:
        report = check(text, reading=reading)
        echo_findings(report.text, report.findings)
        return _Asked(report.name)
    from lexurn.dialect import Dialect, convert

    conversion = convert(text, source="auto" if dialect == "auto" else Dialect(dialect))
    echo_findings(text, conversion.findings)
    name = conversion.name
    return _Asked(name, None if name is None or text == str(name) else text)


def _describe(asked: _Asked, form: str, tables: Tables, setting: Setting) -> bool:
    from lexurn.export import describe
    from lexurn.model import Record

    name = asked.name
    if name is None:
        return False
    family = read_family(name, tables)
    spelt = (Record(name=name, dialect_names=(asked.spelling,)),) if asked.spelling else ()
    known = spelt if family is None else family
    write_bytes(describe(known, name, form, as_of=setting.as_of, base=setting.base).encode())
    if tables.files and family is None:
        echo_error(f"{name} is not in the manifest: this is what the name itself says")
        return False
    return True


def _describe_all(form: str, tables: Tables, setting: Setting) -> bool:
    from lexurn.graph import Format, Statements, nquads_of, statements_of, write

    as_of, base = setting.as_of, setting.base
    with progress() as told, opened(tables, Teller(), told) as rows:
        if form == "nquads":
            for done, family in enumerate(rows.families(), 1):
                write_bytes(nquads_of(family, as_of=as_of, base=base))
                told("writing", done, None)
        elif form == "ntriples":
            for family in rows.families():
                statements = statements_of(family, as_of=as_of, base=base)
                write_bytes(write(statements, Format.NTRIPLES))
        else:
            families = rows.families()
            every = Statements.union(statements_of(f, as_of=as_of, base=base) for f in families)
            write_bytes(write(every, Format.from_name(form)))
    return rows.rejected == 0
