"""Command catalogue query: ready queries, and SPARQL of the user."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from lexurn import catalogue, store
from lexurn.cli import shared
from lexurn.cli.shared import escape_text, write_line
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_QUERY_BYTES = 1 << 22
_DEFAULT_SECONDS, _DEFAULT_MEGABYTES = 60.0, 2_000
_MAX_MEGABYTES = sys.maxsize >> 20


@click.command("query")
@click.argument("source", required=False, metavar="[NAME|FILE.rq|-]")
@shared.catalogue_option(is_url_allowed=True)
@click.option("--sparql", metavar="TEXT", help="The query itself.")
@click.option(
    "--param",
    "-p",
    "params",
    multiple=True,
    metavar="NAME=VALUE",
    help="The value of a parameter; NAME:TYPE=VALUE if the file does not declare it.",
)
@click.option("--list", "is_list", is_flag=True, help="List ready queries and their parameters.")
@click.option("--show", metavar="NAME", help="Show a ready query: description and SPARQL.")
@shared.format_option(
    *("table", "csv", "tsv", "json", "xml", "turtle", "ntriples", "jsonld", "rdfxml"),
    help="[default: table; of CONSTRUCT and DESCRIBE: turtle]",
    has_default=False,
)
@click.option(
    "--timeout",
    type=shared.SECONDS,
    metavar="SECONDS",
    help=f"The time limit; 0 for none.  [default: {_DEFAULT_SECONDS:g}; of an update, 0]",
)
@click.option(
    "--memory",
    type=click.IntRange(0, _MAX_MEGABYTES),
    default=_DEFAULT_MEGABYTES,
    show_default=True,
    metavar="MEGABYTES",
    help="The memory limit of the query; 0 for none.",
)
@click.option("--limit", type=click.IntRange(1), help="The maximum number of rows or triples.")
@click.option(
    "--allow",
    type=click.Choice(["update", "service"]),
    multiple=True,
    help="Allow the query to change the catalogue, or to ask other servers.",
)
@shared.WAIT
def query_command(
    source: str | None,
    location: str | None,
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
    """Run a ready query by its NAME, a FILE, or SPARQL text (- is standard input).

    \b
    lexurn catalogue query --list
    lexurn catalogue query version-at -c law -p work="urn:lex:it:stato:legge:2003-09-21;456"
    lexurn catalogue query -c law --sparql "SELECT * { ?s ?p ?o }" --limit 10 --format csv
    """
    if is_list:
        _list_queries(form)
        return
    if show is not None:
        _show_query(show)
        return
    if (source is None) == (sparql is None):
        raise click.UsageError("Give the NAME of a ready query, a FILE, or --sparql; see --list.")
    if location is None:
        raise click.UsageError("Missing option: --catalogue.")
    text = _find_query(source, sparql).bound(_read_params(params))
    if memory and not store.CAN_LIMIT_MEMORY:
        shared.echo_note(store.NO_MEMORY_LIMIT)
        memory = 0
    asked = store.scan_query(text)
    if asked.form is store.QueryForm.UPDATE:
        # The index of names is rebuilt afterwards, which takes time in a large catalogue.
        before, after = catalogue.update_at(
            location, text, allow=allow, timeout=timeout or None, memory=memory or None, wait=wait
        )
        change = f"{abs(after - before):,} {'more' if after > before else 'fewer'} than"
        change = "as many as" if after == before else change
        click.echo(f"{escape_text(location)}: {after:,} statements, {change} before", err=True)
        if not asked.says_graph:
            from lexurn.graph import Layer

            click.echo(
                "The update names no graph, and its default graph is not part of the catalogue. "
                f"Write GRAPH <{Layer.CATALOGUED.iri}> {{ ... }}.",
                err=True,
            )
        return
    seconds = _DEFAULT_SECONDS if timeout is None else timeout or None
    answer = catalogue.query_at(
        location,
        text,
        allow=allow,
        timeout=seconds,
        memory=memory or None,
        most=limit,
        wait=wait,
        may_fork=True,
    )
    output = cast("IO[bytes]", shared.StandardOutput())
    if isinstance(answer, bool):
        store.write_answer(answer, form, output)
        return
    with answer:
        store.write_answer(answer, form, output)
        if answer.has_more:
            click.echo(f"there are more results; these are the first {limit:,}", err=True)


def _list_queries(form: str | None) -> None:
    queries = store.list_ready_queries()
    width = max(len(each.name) for each in queries)
    for each in queries:
        if form == "json":
            shared.write_json(_make_query_json(each))
        else:
            names = [p.name if _is_required(p) else f"[{p.name}]" for p in each.parameters]
            listed = f" ({', '.join(names)})" if names else ""
            write_line(f"{each.name:<{width}}  {each.title}{listed}")


def _read_params(params: Iterable[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for param in params:
        name, equals, value = param.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--param {param!r} is not NAME=VALUE.")
        if name.removeprefix("$").partition(":")[0] in {key.partition(":")[0] for key in values}:
            raise click.UsageError(f"--param {param!r}: {name} is given twice.")
        values[name.removeprefix("$")] = value
    return values


def _find_query(source: str | None, sparql: str | None) -> store.ReadyQuery:
    """Return the query that the arguments name or hold.

    Raises:
        CatalogueError: there is no ready query of that name, or the file cannot be read.
    """
    if sparql is not None:
        return store.parse_query_file("the query", sparql)
    if source == "-":
        data = sys.stdin.buffer.read(_MAX_QUERY_BYTES)
        return store.parse_query_file("the query", _decode_query(data, "standard input"))
    source = source or ""
    is_file = source.endswith(".rq")
    if not is_file and ("{" in source or "<" in source):
        raise click.UsageError("This is SPARQL, not a NAME. Write --sparql in front of it.")
    if is_file or "/" in source or "\\" in source:
        try:
            with Path(source).open("rb") as file:
                text = _decode_query(file.read(_MAX_QUERY_BYTES), source)
                return store.parse_query_file(source, text)
        except OSError as fault:
            raise CatalogueError(f"{source} cannot be opened: {fault.strerror}") from None
    return store.find_ready_query(source)


def _decode_query(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise CatalogueError(f"{what} is not UTF-8 (at byte {fault.start})") from None


def _make_query_json(query: store.ReadyQuery) -> dict[str, object]:
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


def _show_query(name: str) -> None:
    query = store.find_ready_query(name)
    write_line(f"{query.name}: {query.title}\n{query.description}\n")
    if query.parameters:
        write_line("parameters")
        for each in query.parameters:
            end = "" if _is_required(each) else "; optional"
            if each.default is not None:
                end = f"; default {each.default}"
            write_line(f"  {each.name} ({each.kind}): {each.about}{end}")
        write_line("")
    if query.columns:
        lines = (f"  {column}: {about}" for column, about in query.columns.items())
        write_line("\n".join(["columns", *lines, ""]))
    options = [
        f' -p {each.name}="{each.example}"' for each in query.parameters if _is_required(each)
    ]
    call = f"lexurn catalogue query {query.name} -c CATALOGUE{''.join(options)}"
    sparql = query.sparql.rstrip("\n")
    write_line(f"{escape_text(call)}\n\n{sparql}")


def _is_required(parameter: store.Parameter) -> bool:
    return parameter.default is None and not parameter.is_optional
