"""``lexurn registry``: what is known of law and words, and whether it is right."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from lexurn.cli._parse import json_line
from lexurn.cli._registries import REGISTRY, echo_registry_findings, opened_registry
from lexurn.cli._registry_add import add
from lexurn.cli._screen import echo_error, visible, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.registry import Entry, LawCoverage, Registry, WordCoverage

__all__ = ["command"]

_FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="A table for people, or one JSON object a line.",
)
_WIDEST = 60


@click.group("registry")
def command() -> None:
    """Look up authorities, measures, units and words; check and fill registries."""


@command.command("show")
@click.argument("what", required=False, metavar="[CODE|LANGUAGE|IRI]")
@click.option("--find", metavar="TEXT", help="Only what is called so: label, form, abbreviation.")
@click.option("--kind", help="Only entries of a kind: authority, measure, connective, ...")
@REGISTRY
@_FORMAT
@click.pass_context
def show(
    ctx: click.Context,
    what: str | None,
    find: str | None,
    kind: str | None,
    registries: tuple[str, ...],
    form: str,
) -> None:
    """Show what is known of a jurisdiction, of a language, of one IRI, or of a text.

    A code that is a language as well shows the jurisdiction; words/it shows the words.

    \b
    lexurn registry show it --kind authority
    lexurn registry show words/it
    lexurn registry show --find "D.P.R."
    """  # noqa: D301 - click reads this backspace
    from lexurn.registry import Kind

    words = {each.word: each for each in Kind} | {each.value: each for each in Kind}
    if kind is not None and kind not in words:
        raise click.UsageError(f"there is no kind {kind!r}; kinds are " + ", ".join(_kinds()))
    known, good = opened_registry(registries)
    if what is None and find is None:
        _write_overview(known, form)
        ctx.exit(0 if good else 1)
    entries = [
        entry for entry in _entries(known, what, find) if kind is None or entry.kind is words[kind]
    ]
    if not entries:
        echo_error(_nothing(what, find, kind))
        ctx.exit(1)
    _write_entries(entries, form, whole=what is not None and what.startswith("http"))
    ctx.exit(0 if good else 1)


def _kinds() -> Iterator[str]:
    from lexurn.registry import Kind

    return (each.word for each in Kind)


def _nothing(what: str | None, find: str | None, kind: str | None) -> str:
    sought = [each for each in (what, f"called {find!r}" if find else None, kind) if each]
    return "nothing is known of " + ", ".join(sought) + "; lexurn registry show lists what there is"


def _entries(known: Registry, what: str | None, find: str | None) -> Iterator[Entry]:
    if what is not None and what.startswith(("http:", "https:")):
        entry = known.entry(what)
        if entry is not None:
            yield entry
        return
    from lexurn.registry import Kind

    for scope, words in _scopes(known, what):
        for kind in Kind:
            if kind.is_law is not words:
                lexicon = known.lexicon(kind, scope)
                yield from lexicon if find is None else lexicon.find(find)


def _scopes(known: Registry, what: str | None) -> Iterator[tuple[str, bool]]:
    """The jurisdictions and languages that are meant, each with whether its words are."""
    laws, languages = known.jurisdictions(), known.languages()
    if what is None:
        yield from ((code, False) for code in laws)
        yield from ((language, True) for language in languages)
    elif what.startswith("words/"):
        yield what.removeprefix("words/").lower(), True
    elif what.lower() in laws:
        yield what.lower(), False
    else:
        yield what.lower(), True


def _write_entries(entries: Sequence[Entry], form: str, *, whole: bool) -> None:
    if form == "jsonl":
        for entry in entries:
            write(json_line(asdict(entry) | {"kind": entry.kind.word}))
    elif whole:
        for name, value in asdict(entries[0]).items():
            for line in _lines(value):
                write(f"{name:<14} {visible(line)}")
    else:
        _write_table(
            ("kind", "of", "notation", "labels", "also", "issuer", "valid"),
            [_row(entry) for entry in entries],
        )


def _lines(value: Any) -> Iterator[str]:
    """A value of an entry, a line for each of several."""
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from _lines(each)
    elif isinstance(value, dict):
        yield value["text"] + (f"  ({value['language']})" if value["language"] else "")
    elif value not in {None, False}:
        yield str(value)


def _row(entry: Entry) -> tuple[str, ...]:
    labels = " | ".join(each.text for each in entry.labels)
    also = " | ".join(dict.fromkeys(each.text for each in (*entry.abbreviations, *entry.forms)))
    valid = f"{entry.valid_from or ''}..{entry.valid_until or ''}".removesuffix("..")
    state = "obsolete" if entry.obsolete else valid
    return entry.kind.word, entry.scope, entry.notation, labels, also, entry.issuer or "", state


def _write_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as their widest cell, none wider than 60 characters but the last of a row."""
    shown = [[visible(cell) for cell in row] for row in (head, *rows)]
    widths = [min(_WIDEST, max(len(row[at]) for row in shown)) for at in range(len(head))]
    for row in shown:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        write("  ".join(cells).rstrip())


def _write_overview(known: Registry, form: str) -> None:
    from lexurn.registry import law_coverage, word_coverage

    if form == "jsonl":
        laws, words = law_coverage(known), word_coverage(known)
        for line in (*map(_coverage_json, laws), *map(_coverage_json, words)):
            write(json_line(line))
        return
    _write_table(_LAW_HEAD, [_law_row(each) for each in law_coverage(known)])
    write("")
    _write_words(word_coverage(known))


_LAW_HEAD = (
    *("code", "jurisdiction", "authorities", "measures", "bodies", "units", "obsolete"),
    *("languages", "no source", "no example", "enough"),
)


def _law_row(of: LawCoverage) -> tuple[str, ...]:
    from lexurn.registry import Kind, jurisdictions

    listed = jurisdictions().get(of.code)
    kinds = (Kind.AUTHORITY, Kind.MEASURE, Kind.BODY, Kind.UNIT)
    counts = (*(of.counts[kind] for kind in kinds), of.obsolete)
    lacking = (of.unsourced, of.unexampled)
    return (
        of.code,
        listed.label if listed else "?",
        *map(str, counts),
        " ".join(of.languages),
        *map(str, lacking),
        "yes" if of.enough else "no",
    )


def _write_words(coverage: Iterable[WordCoverage]) -> None:
    listed = tuple(coverage)
    kinds = tuple(listed[0].counts) if listed else ()
    rows = [(each.language, *(str(each.counts[kind]) for kind in kinds)) for each in listed]
    _write_table(("words", *(kind.value for kind in kinds)), rows)


def _coverage_json(of: LawCoverage | WordCoverage) -> dict[str, object]:
    counts = {kind.value: count for kind, count in of.counts.items()}
    extra = {"enough": of.enough} if hasattr(of, "enough") else {}
    return asdict(of) | {"counts": counts} | extra


@command.command("check")
@REGISTRY
@click.option(
    "--before",
    type=click.Path(),
    metavar="FILE",
    help="The one --registry file as it was: what it has renamed or deleted since is an error.",
)
@_FORMAT
@click.pass_context
def check(ctx: click.Context, registries: tuple[str, ...], before: str | None, form: str) -> None:
    """Check the built-in registry, or files of one's own, and print what they cover.

    Exit code 1 where a finding is an error; warnings and notes do not count.

    \b
    lexurn registry check
    lexurn registry check --registry my.ttl --before my-of-last-year.ttl
    """  # noqa: D301 - click reads this backspace
    from lexurn.registry import check_built_in, deleted, registry

    if before is not None and len(registries) != 1:
        raise click.UsageError("--before needs exactly one --registry")
    known, good = opened_registry(registries) if registries else (registry(), True)
    findings = () if registries else check_built_in()
    if before is not None:
        findings = deleted(registries[0], before)
    echo_registry_findings(findings)
    _write_overview(known, form)
    if form == "text":
        _write_demand(known)
    ctx.exit(0 if good and not any(each.is_error for each in findings) else 1)


def _write_demand(known: Registry) -> None:
    from lexurn.registry import ENOUGH, law_coverage

    enough = [each.code for each in law_coverage(known) if each.enough]
    write("")
    write(
        f"{len(enough)} jurisdictions with at least {ENOUGH} authorities and {ENOUGH} measures: "
        + " ".join(enough)
    )


command.add_command(add)
