"""Commands that ask a catalogue: query, by ready queries or SPARQL, and resolve, by names."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from lexurn import catalogue, resolver, store
from lexurn.cli import shared
from lexurn.cli.shared import escape_text, write_line
from lexurn.errors import CatalogueError
from lexurn.model import ForceBasis
from lexurn.name import is_language_tag

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator


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


def _check_language_tag(
    _ctx: click.Context, _param: click.Parameter, value: str | None
) -> str | None:
    if value is not None and not is_language_tag(value.lower()):
        raise click.BadParameter(f"{value!r} is not a language tag. Write de, or de-ch.")
    return value


@click.command("resolve")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@shared.catalogue_option(is_url_allowed=True, required=True)
@click.option(
    "--date",
    "day",
    metavar="DATE",
    callback=shared.read_day,
    help="The date on which the version is in force, YYYY-MM-DD.  [default: today]",
)
@click.option(
    "--language",
    metavar="TAG",
    callback=_check_language_tag,
    help="The language of the version.  [default: all]",
)
@shared.format_option(
    *("text", "json", "jsonl", "urls"),
    help="Text, one JSON array, one JSON object per line, or the URLs of the copies.",
)
@click.option(
    "--dialect",
    type=click.Choice(["auto", *shared.DIALECTS]),
    default="auto",
    show_default=True,
    help="The dialect of the names; auto detects it, rfc9676 turns detection off.",
)
@shared.REGISTRY
@shared.WAIT
def resolve_command(
    names: tuple[str, ...],
    location: str,
    day: dt.date | None,
    language: str | None,
    form: str,
    dialect: str,
    registries: tuple[str, ...],
    wait: float,
) -> bool:
    """Find what a catalogue has for each NAME: the act, its best version, its copies.

    A name also matches if it has an abbreviation, a spelling error, missing parts or a year for a
    date, or is in a dialect. The answer explains how it was found. An act with another number, date
    or jurisdiction never matches. Exit code 1 if a name has no single answer: it is not found, is
    withdrawn, or matches several acts equally well. In the last case, the command lists all of
    them, but not their copies.

    \b
    lexurn resolve -c laws "urn:lex:it:stato:legge:2003-09-21;456~art3"
    lexurn resolve -c laws --date 2005-06-01 --format urls - < names.txt
    """
    from lexurn.catalogue import open_readable

    registry = shared.require_registry(registries) if registries else None
    good, lead = True, "["
    with open_readable(location, wait=wait) as catalogue:
        for text in shared.read_names(names):
            answer = resolver.resolve(
                text,
                catalogue.holdings,
                date=day,
                language=language,
                registry=registry,
                dialect=dialect,
                base=catalogue.base,
            )
            good = good and _is_settled(answer)
            if form == "json":
                write_line(lead + json.dumps(resolver.make_answer_json(answer), indent=2))
                lead = ","
            elif form == "jsonl":
                shared.write_json(resolver.make_answer_json(answer))
            elif form == "urls":
                # Copies of several acts could not be distinguished.
                for url in () if answer.is_ambiguous else answer.urls:
                    write_line(url)
                _report_answer(answer, with_candidates=True)
                if _is_settled(answer) and not answer.urls:
                    click.echo(f"no copies: {escape_text(answer.text)}", err=True)
            else:
                for candidate in answer.candidates:
                    write_line("\n".join(_describe_candidate(candidate)))
                _report_answer(answer)
    if form == "json":
        write_line("]" if lead == "," else "[]")
    return good


def _is_settled(answer: resolver.Answer) -> bool:
    """Return whether a name has one answer."""
    return answer.found and not answer.is_ambiguous


def _report_answer(answer: resolver.Answer, *, with_candidates: bool = False) -> None:
    """Report on standard error the reasons for an answer, or for none or several.

    Args:
        answer: the answer.
        with_candidates: whether to report the candidates too.
    """
    is_split = with_candidates and answer.is_ambiguous
    reported = answer.all_reasons() if with_candidates and not is_split else iter(answer.reasons)
    reasons = dict.fromkeys(reported)
    if not answer.found:
        label = click.style("withdrawn" if answer.candidates else "not found", fg="red", bold=True)
        click.echo(f"{label}: {escape_text(answer.text)}", err=True)
    elif answer.is_ambiguous:
        label = click.style("several", fg="yellow", bold=True)
        count = len(answer.candidates)
        click.echo(f"{label}: {count} match {escape_text(answer.text)} equally", err=True)
    elif reasons:
        click.echo(f"{answer.match}: {escape_text(answer.text)}", err=True)
    _report_reasons(reasons)
    for each in answer.candidates if is_split else ():
        click.echo(f"  {each.name}", err=True)
        _report_reasons(each.reasons, indent="    ")


def _report_reasons(reasons: Iterable[resolver.Reason], indent: str = "  ") -> None:
    for each in reasons:
        click.echo(f"{indent}{each.code} {escape_text(each.message)} ({each.rule})", err=True)


def _describe_force(edition: resolver.Edition) -> str:
    """Describe whether a version is in force, its days, and the source of inferred ones."""
    if edition.is_withdrawn:
        return "withdrawn"
    days = [
        f"{word} {day}" if basis is ForceBasis.STATED else f"{word} {day}, the {basis.label}"
        for word, day, basis in (
            ("from", edition.start, edition.start_basis),
            ("until", edition.until, edition.until_basis),
        )
        if day is not None and basis is not None
    ]
    if not days:
        return "not known when it is in force"
    if edition.in_force is None:
        return f"{', '.join(days)}; no other date is stated; not known whether it is in force"
    state = "in force" if edition.in_force else "not on this day: in force"
    return f"{state} {', '.join(days)}"


def _describe_candidate(candidate: resolver.Candidate) -> Iterator[str]:
    """Yield the lines that describe a candidate."""
    yield str(candidate.name)
    yield f"  {'match':<10} {candidate.match}, score {candidate.score:g}"
    for each in candidate.reasons:
        yield f"  {'why':<10} {escape_text(each.message)} ({each.code}, {each.rule})"
    for title in candidate.titles:
        language = f" ({title.language})" if title.language else ""
        yield f"  {'title':<10} {escape_text(title.value)}{language}"
    for edition in candidate.editions:
        yield f"  {'version':<10} {edition.name} ({_describe_force(edition)})"
    for document in candidate.documents:
        # The name of the document is shown unless it is the candidate's.
        other = "" if document.name == candidate.name else f" ({document.name})"
        if not document.copies:
            yield f"  {'document':<10} {document.name}: no copy known"
        for copy in document.copies:
            yield f"  {'copy':<10} {escape_text(copy.url)}{other}"
    if candidate.uri is not None:
        yield f"  {'uri':<10} {candidate.uri}"
