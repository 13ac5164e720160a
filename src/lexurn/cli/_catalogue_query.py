"""``lexurn catalogue query``: ready questions, or SPARQL of one's own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from lexurn.cli._catalogues import SECONDS, WAIT, catalogue_option
from lexurn.cli._screen import Output, visible, write
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from lexurn.catalogue import Parameter, ReadyQuery

__all__ = ["command"]

_FORMS = ("table", "csv", "tsv", "json", "xml", "turtle", "ntriples", "jsonld", "rdfxml")
_LONGEST = 1 << 22
_SECONDS, _MEGABYTES = 60.0, 2_000
_ALL_MEGABYTES = sys.maxsize >> 20


@click.command("query")
@click.argument("source", required=False, metavar="[NAME|FILE.rq|-]")
@catalogue_option()
@click.option("--sparql", metavar="TEXT", help="The query itself.")
@click.option(
    "--param",
    "-p",
    "params",
    multiple=True,
    metavar="NAME=VALUE",
    help="What a parameter is. One that the file does not declare: NAME:TYPE=VALUE.",
)
@click.option("--list", "is_list", is_flag=True, help="List the ready queries.")
@click.option("--show", metavar="NAME", help="Show what a ready query asks, and its SPARQL.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMS),
    help="[default: table; of CONSTRUCT and DESCRIBE: turtle]",
)
@click.option(
    "--timeout",
    type=SECONDS,
    metavar="SECONDS",
    help=f"How long it may take; 0 without end.  [default: {_SECONDS:g}; of an update, 0]",
)
@click.option(
    "--memory",
    type=click.IntRange(0, _ALL_MEGABYTES),
    default=_MEGABYTES,
    show_default=True,
    metavar="MEGABYTES",
    help="How much memory the query may take; 0 for all there is.",
)
@click.option("--limit", type=click.IntRange(1), help="How many rows or triples at most.")
@click.option(
    "--allow",
    type=click.Choice(["update", "service"]),
    multiple=True,
    help="What the text may do besides: change the catalogue, ask other servers.",
)
@WAIT
def command(
    source: str | None,
    place: str | None,
    sparql: str | None,
    params: tuple[str, ...],
    show: str | None,
    form: str | None,
    timeout: float | None,
    memory: int,
    limit: int | None,
    allow: tuple[str, ...],
    wait: float,
    *,
    is_list: bool,
) -> None:
    """Ask a catalogue: a ready query by its NAME, a FILE, or SPARQL text (- is standard input).

    \b
    lexurn catalogue query --list
    lexurn catalogue query version-at -c law -p work="urn:lex:it:stato:legge:2003-09-21;456"
    lexurn catalogue query -c law --sparql "SELECT * { ?s ?p ?o }" --limit 10 --format csv
    """  # noqa: D301 - click reads this backspace
    if is_list:
        _list(form)
        return
    if show is not None:
        _show(show)
        return
    if (source is None) == (sparql is None):
        raise click.UsageError("give the NAME of a ready query, a FILE, or --sparql; see --list")
    if place is None:
        raise click.UsageError("say with --catalogue which catalogue to ask")
    text = _query(source, sparql).bound(_given(params))
    _ask(place, text, form, limit, allow, timeout, memory or None, wait)


def _ask(
    place: str,
    text: str,
    form: str | None,
    limit: int | None,
    allow: tuple[str, ...],
    timeout: float | None,
    memory: int | None,
    wait: float,
) -> None:
    from lexurn.catalogue import (
        AnswerFormat,
        QueryForm,
        query_at,
        scan,
        update_at,
        write_answer,
    )

    asked = scan(text)
    if asked.form is QueryForm.UPDATE:
        # The names are indexed anew behind it, which takes its time in a large catalogue.
        counts = update_at(
            place, text, allow=allow, timeout=timeout or None, memory=memory, wait=wait
        )
        _tell_update(place, counts, says_graph=asked.says_graph)
        return
    seconds = _SECONDS if timeout is None else timeout or None
    answer = query_at(
        place, text, allow=allow, timeout=seconds, memory=memory, most=limit, wait=wait
    )
    written = None if form is None else AnswerFormat(form)
    if isinstance(answer, bool):
        write_answer(answer, written, cast("IO[bytes]", Output()))
        return
    with answer:
        write_answer(answer, written, cast("IO[bytes]", Output()))
        if answer.has_more:
            click.echo(f"there is more; this is the first {limit:,}", err=True)


def _tell_update(place: str, counts: tuple[int, int] | None, *, says_graph: bool) -> None:
    """Say on standard error what an update did, and what it was about if it does not say so."""
    from lexurn.graph import Layer

    if counts is not None:
        before, after = counts
        change = "more" if after > before else "fewer"
        told = "as many as" if after == before else f"{abs(after - before):,} {change} than"
        click.echo(f"{visible(place)}: {after:,} statements, {told} before", err=True)
    if not says_graph:
        click.echo(
            "the update names no graph, and its default graph is none of the three of a catalogue "
            f"(of a query it is all of them): write GRAPH <{Layer.CATALOGUED.iri}> {{ ... }}",
            err=True,
        )


def _query(source: str | None, sparql: str | None) -> ReadyQuery:
    """The query that is meant.

    Raises:
        CatalogueError: there is none of that name, or the file cannot be read.
    """
    from lexurn.catalogue import query_of, ready_query

    if sparql is not None:
        return query_of("the query", sparql)
    if source == "-":
        return query_of("the query", _decoded(sys.stdin.buffer.read(_LONGEST), "standard input"))
    if source is not None and (source.endswith(".rq") or "/" in source or "\\" in source):
        try:
            with Path(source).open("rb") as file:
                return query_of(source, _decoded(file.read(_LONGEST), source))
        except OSError as fault:
            raise CatalogueError(f"{source} cannot be opened: {fault.strerror}") from None
    return ready_query(source or "")


def _decoded(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise CatalogueError(f"{what} is no UTF-8 (at byte {fault.start})") from None


def _given(params: tuple[str, ...]) -> dict[str, str]:
    given: dict[str, str] = {}
    for each in params:
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--param {each!r} is no NAME=VALUE")
        if name.removeprefix("$").partition(":")[0] in {key.partition(":")[0] for key in given}:
            raise click.UsageError(f"--param {each!r}: {name} is given twice; a parameter is one")
        given[name.removeprefix("$")] = value
    return given


def _list(form: str | None) -> None:
    from lexurn.catalogue import ready_queries

    if form == "json":
        from lexurn.cli._parse import json_line

        for each in ready_queries():
            write(json_line(_json_of(each)))
        return
    width = max(len(each.name) for each in ready_queries())
    for each in ready_queries():
        write(f"{each.name:<{width}}  {each.title}")


def _json_of(query: ReadyQuery) -> dict[str, object]:
    return {
        "name": query.name,
        "title": query.title,
        "description": query.description,
        "parameters": [
            {
                "name": each.name,
                "type": str(each.kind),
                "about": each.about,
                "example": each.example,
                "default": each.default,
                "optional": each.is_optional,
            }
            for each in query.parameters
        ],
        "columns": dict(query.columns),
        "sparql": query.text,
    }


def _show(name: str) -> None:
    from lexurn.catalogue import ready_query

    query = ready_query(name)
    write(f"{query.name}: {query.title}\n{query.description}\n")
    if query.parameters:
        write("\n".join(["parameters", *(f"  {_about(each)}" for each in query.parameters), ""]))
    if query.columns:
        lines = (f"  {column}: {about}" for column, about in query.columns.items())
        write("\n".join(["columns", *lines, ""]))
    words = [f'-p {each.name}="{each.example}"' for each in query.parameters if _must(each)]
    write(visible(" ".join(["lexurn catalogue query", query.name, "-c CATALOGUE", *words])))
    write("")
    write(query.sparql.rstrip("\n"))


def _must(parameter: Parameter) -> bool:
    return parameter.default is None and not parameter.is_optional


def _about(parameter: Parameter) -> str:
    end = "" if _must(parameter) else "; may be left out"
    if parameter.default is not None:
        end = f"; {parameter.default} where it is not given"
    return f"{parameter.name} ({parameter.kind}): {parameter.about}{end}"
