"""Command resolve: acts, versions and copies in a catalogue for names, complete or not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from lexurn import resolver
from lexurn.cli import shared
from lexurn.cli.shared import escape_text, write_line
from lexurn.model import ForceBasis
from lexurn.name import is_language_tag

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator


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
