"""``lexurn resolve``: from names, perfect or not, to what a catalogue has for them."""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import TYPE_CHECKING

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._manifests import day_of
from lexurn.cli._names import texts_of
from lexurn.cli._registries import REGISTRY, registry_of
from lexurn.cli._screen import visible, write

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.catalogue import Answer, Candidate, Document, Edition, Reason

__all__ = ["command"]

_TAG = re.compile(r"[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*")


def _tag(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is not None and _TAG.fullmatch(value) is None:
        raise click.BadParameter(f"{value!r} is no language tag; write de, or de-ch")
    return value


@click.command("resolve")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@CATALOGUE
@click.option(
    "--date",
    "day",
    metavar="DATE",
    callback=lambda _ctx, _param, value: None if value is None else day_of(value),
    help="The day on which a version is to be in force, YYYY-MM-DD.  [default: today]",
)
@click.option(
    "--language", metavar="TAG", callback=_tag, help="The language wanted.  [default: all]"
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl", "urls"]),
    default="text",
    show_default=True,
    help="For people, one JSON array, one JSON object a line, or where the copies lie.",
)
@click.option(
    "--dialect",
    type=click.Choice(["auto", "rfc9676", "lexml", "nir", "draft"]),
    default="auto",
    show_default=True,
    help="What names are written in; auto finds out, rfc9676 reads none as a dialect.",
)
@REGISTRY
@WAIT
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    place: str,
    day: dt.date | None,
    language: str | None,
    form: str,
    dialect: str,
    registries: tuple[str, ...],
    wait: float,
) -> None:
    """Find what a catalogue has for each NAME: the act, its best version, where copies lie.

    Imperfect names are found too, and how is always said: with acronyms or abbreviations, in a
    dialect, with parts left out, a year for a date, a slip of the pen. Another number, date or
    jurisdiction is never a match. Exit code 1 if a name has no single answer: it is not found, is
    withdrawn, or fits several acts equally well, which are all named; their copies are not mixed.

    \b
    lexurn resolve -c laws "urn:lex:it:stato:legge:2003-09-21;456~art3"
    lexurn resolve -c laws --date 2005-06-01 --format urls - < names.txt
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import resolve

    registry = registry_of(registries) if registries else None
    with opened_catalogue(place, wait=wait) as catalogue:
        answers = (
            resolve(
                text,
                catalogue.holdings,
                date=day,
                language=language,
                registry=registry,
                dialect=dialect,
                base=catalogue.base,
            )
            for text in texts_of(names)
        )
        ctx.exit(0 if _SHOW[form](answers) else 1)


def _show_text(answers: Iterable[Answer]) -> bool:
    good = True
    for answer in answers:
        good = good and _is_settled(answer)
        for candidate in answer.candidates:
            write("\n".join(_lines(candidate)))
        _tell(answer)
    return good


def _show_urls(answers: Iterable[Answer]) -> bool:
    """URLs alone; what is not as it was asked for is said beside them.

    Of several acts that fit none is given: copies of other acts are not to be told apart.
    """
    good = True
    for answer in answers:
        good = good and _is_settled(answer)
        for url in () if answer.is_ambiguous else answer.urls:
            write(url)
        _tell(answer, with_candidates=True)
        if _is_settled(answer) and not answer.urls:
            click.echo(f"no copies: {visible(answer.text)}", err=True)
    return good


def _show_jsonl(answers: Iterable[Answer]) -> bool:
    from lexurn.catalogue import answer_json
    from lexurn.cli._parse import json_line

    good = True
    for answer in answers:
        good = good and _is_settled(answer)
        write(json_line(answer_json(answer)))
    return good


def _show_json(answers: Iterable[Answer]) -> bool:
    """One array, written answer by answer."""
    from lexurn.catalogue import answer_json

    good, lead = True, "["
    for answer in answers:
        good = good and _is_settled(answer)
        write(lead + json.dumps(answer_json(answer), indent=2))
        lead = ","
    write("]" if lead == "," else "[]")
    return good


_SHOW: dict[str, Callable[[Iterable[Answer]], bool]] = {
    "text": _show_text,
    "json": _show_json,
    "jsonl": _show_jsonl,
    "urls": _show_urls,
}


def _is_settled(answer: Answer) -> bool:
    """Whether a name has an answer, and one alone."""
    return answer.found and not answer.is_ambiguous


def _tell(answer: Answer, *, with_candidates: bool = False) -> None:
    """Say on standard error what holds for a whole answer, and why there is none, or no single one.

    Args:
        answer: the answer.
        with_candidates: whether what is to be said of candidates is said nowhere else.
    """
    is_split = with_candidates and answer.is_ambiguous
    shown = answer.all_reasons() if with_candidates and not is_split else iter(answer.reasons)
    reasons = dict.fromkeys(shown)
    if not answer.found:
        label = click.style("withdrawn" if answer.candidates else "not found", fg="red", bold=True)
        click.echo(f"{label}: {visible(answer.text)}", err=True)
    elif answer.is_ambiguous:
        label = click.style("several", fg="yellow", bold=True)
        count = len(answer.candidates)
        click.echo(f"{label}: {count} match {visible(answer.text)} equally", err=True)
    elif reasons:
        click.echo(f"{answer.match}: {visible(answer.text)}", err=True)
    _tell_reasons(reasons)
    for each in answer.candidates if is_split else ():
        click.echo(f"  {each.name}", err=True)
        _tell_reasons(each.reasons, indent="    ")


def _tell_reasons(reasons: Iterable[Reason], indent: str = "  ") -> None:
    for each in reasons:
        click.echo(f"{indent}{each.code} {visible(each.message)}  {each.rule}", err=True)


def _lines(candidate: Candidate) -> Iterator[str]:
    """A candidate for people."""
    yield str(candidate.name)
    yield f"  {'match':<10} {candidate.match}, score {candidate.score:g}"
    for each in candidate.reasons:
        yield f"  {'why':<10} {visible(each.message)} ({each.code}, {each.rule})"
    for title in candidate.titles:
        language = f" ({title.language})" if title.language else ""
        yield f"  {'title':<10} {visible(title.value)}{language}"
    yield from (f"  {'version':<10} {_version(each)}" for each in candidate.editions)
    copies = (_copies(candidate, each) for each in candidate.documents)
    yield from chain.from_iterable(copies)
    if candidate.uri is not None:
        yield f"  {'uri':<10} {candidate.uri}"


def _version(edition: Edition) -> str:
    since = "" if edition.start is None else f" from {edition.start}"
    until = "" if edition.until is None else f" until {edition.until}"
    if edition.in_force is None:
        return f"{edition.name} (nothing says when in force)"
    if not edition.in_force and edition.start is None:
        return f"{edition.name} (withdrawn)"
    said = "" if edition.in_force else "not on this day: "
    return f"{edition.name} ({said}in force{since}{until})"


def _copies(candidate: Candidate, document: Document) -> Iterator[str]:
    """The copies of a document, with its name where it is another than the candidate's."""
    other = "" if document.name == candidate.name else f" ({document.name})"
    if not document.copies:
        yield f"  {'document':<10} {document.name}: no copy is known"
    for copy in document.copies:
        yield f"  {'copy':<10} {visible(copy.url)}{other}"
