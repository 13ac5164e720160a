"""Command registry: entries shown, files checked, entries added."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from lexurn import registry
from lexurn.cli import shared
from lexurn.cli.shared import write_json, write_line
from lexurn.registry import Entry, Kind, Label, Registry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FORMAT_OPTION = shared.format_option("text", "jsonl", help="A table, or one JSON object per line.")
_MAX_CELL_WIDTH = 60
_LAW_COLUMNS = (
    *("code", "jurisdiction", "authorities", "measures", "bodies", "units", "obsolete"),
    *("languages", "no source", "checked", "no example", "enough"),
)

_TAGGED_TEXT = re.compile(r"(?:([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)=)?(.*)", re.DOTALL)
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]+")
_CODE = re.compile(r"[a-z0-9%][a-z0-9.%-]*", re.IGNORECASE)
_KINDS = {each.word: each for each in Kind} | {each.value: each for each in Kind}
# Kinds of words that share notations: their IRIs have the word in place of the notation.
_KINDS_NAMED_BY_WORD = {
    *("connective", "ordinal", "cardinal", "month", "weekday", "dateword", "marker"),
    *("abbreviation", "qualifier", "annex", "fold"),
}


@click.group("registry")
def registry_command() -> None:
    """Look up authorities, measures, units and words, and check and extend registries."""


@registry_command.command("show", short_help="Show entries.")
@click.argument("what", required=False, metavar="[CODE|LANGUAGE|IRI]")
@click.option("--find", metavar="TEXT", help="Only entries with this label, form or abbreviation.")
@click.option(
    "--kind",
    type=click.Choice([*_KINDS]),
    metavar="TEXT",
    help="Only entries of a kind: authority, measure, connective, ...",
)
@shared.REGISTRY
@_FORMAT_OPTION
def show_command(
    what: str | None,
    find: str | None,
    kind: str | None,
    registries: tuple[str, ...],
    form: str,
) -> bool:
    """Show the entries of a jurisdiction, a language or an IRI, or those with a text.

    If a code is also a language, the command shows the jurisdiction; words/it shows the words.

    \b
    lexurn registry show it --kind authority
    lexurn registry show words/it
    lexurn registry show --find "D.P.R."
    """
    known, good = shared.open_registries(registries)
    if what is None and find is None:
        _write_overview(known, form)
        return good
    entries = [
        entry
        for entry in _find_entries(known, what, find)
        if kind is None or entry.kind is _KINDS[kind]
    ]
    if not entries:
        sought = [each for each in (what, f"text {find!r}" if find else None, kind) if each]
        shared.echo_error(f"Nothing found for {', '.join(sought)}. lexurn registry show lists all.")
        return False
    _write_entries(entries, form, whole=what is not None and what.startswith("http"))
    return good


def _find_entries(known: Registry, what: str | None, find: str | None) -> Iterator[Entry]:
    """Yield the entries of an IRI, of a jurisdiction or language, or of all."""
    laws = known.jurisdictions()
    code = "" if what is None else what.lower()
    if what is None:
        scopes = [*((each, True) for each in laws), *((each, False) for each in known.languages())]
    elif what.startswith(("http:", "https:")):
        yield from filter(None, [known.entry(what)])
        return
    else:
        scopes = [(code.removeprefix("words/"), code in laws)]
    for scope, is_law in scopes:
        for kind in Kind:
            if kind.is_law is is_law:
                lexicon = known.lexicon(kind, scope)
                yield from lexicon if find is None else lexicon.find(find)


def _write_entries(entries: Sequence[Entry], form: str, *, whole: bool) -> None:
    if form == "jsonl":
        for entry in entries:
            write_json(asdict(entry) | {"kind": entry.kind.word})
    elif whole:
        for name, value in asdict(entries[0]).items():
            for line in _list_value_lines(value):
                write_line(f"{name:<14} {shared.escape_text(line)}")
    else:
        rows = []
        for entry in entries:
            labels = " | ".join(each.text for each in entry.labels)
            others = (each.text for each in (*entry.abbreviations, *entry.forms))
            also, issuer = " | ".join(dict.fromkeys(others)), entry.issuer or ""
            valid = f"{entry.valid_from or ''}..{entry.valid_until or ''}".removesuffix("..")
            state = "obsolete" if entry.obsolete else valid
            named = entry.kind.word, entry.scope, entry.notation, labels
            rows.append((*named, also, issuer, state, entry.checked or ""))
        _write_table(
            ("kind", "of", "notation", "labels", "also", "issuer", "valid", "checked"), rows
        )


def _list_value_lines(value: Any) -> Iterator[str]:
    """Yield a value of an entry, one line for each of several."""
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from _list_value_lines(each)
    elif isinstance(value, dict):
        yield value["text"] + (f"  ({value['language']})" if value["language"] else "")
    elif value not in {None, False}:
        yield str(value)


def _write_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Write columns as wide as their widest cell, up to 60 characters."""
    shown = [[shared.escape_text(cell) for cell in row] for row in (head, *rows)]
    widths = [min(_MAX_CELL_WIDTH, max(len(row[at]) for row in shown)) for at in range(len(head))]
    for row in shown:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        write_line("  ".join(cells).rstrip())


def _write_overview(known: Registry, form: str) -> None:
    laws = registry.measure_law_coverage(known)
    words = tuple(registry.measure_word_coverage(known))
    if form == "jsonl":
        for law in laws:
            counts = {kind.value: count for kind, count in law.counts.items()}
            write_json(asdict(law) | {"counts": counts, "enough": law.enough})
        for each in words:
            counts = {kind.value: count for kind, count in each.counts.items()}
            write_json(asdict(each) | {"counts": counts})
        return
    rows = []
    for law in laws:
        listed = registry.load_jurisdictions().get(law.code)
        shown = (Kind.AUTHORITY, Kind.MEASURE, Kind.BODY, Kind.UNIT)
        numbers = map(str, (*(law.counts[kind] for kind in shown), law.obsolete))
        sourced = map(str, (law.unsourced, law.checked, law.unexampled))
        label, enough = listed.label if listed else "?", "yes" if law.enough else "no"
        rows.append((law.code, label, *numbers, " ".join(law.languages), *sourced, enough))
    _write_table(_LAW_COLUMNS, rows)
    write_line("")
    kinds = tuple(words[0].counts) if words else ()
    rows = [(each.language, *(str(each.counts[kind]) for kind in kinds)) for each in words]
    _write_table(("words", *(kind.value for kind in kinds)), rows)


@registry_command.command("check", short_help="Check registry files.")
@shared.REGISTRY
@click.option(
    "--before",
    type=click.Path(),
    metavar="FILE",
    help="An earlier version of the --registry file; renamed or deleted entries are errors.",
)
@_FORMAT_OPTION
def check_command(registries: tuple[str, ...], before: str | None, form: str) -> bool:
    """Check the built-in registry, or your own files, and print their coverage.

    Exit code 1 if a finding is an error; warnings and notes do not count.

    \b
    lexurn registry check
    lexurn registry check --registry my.ttl --before my-of-last-year.ttl
    """
    if before is not None and len(registries) != 1:
        raise click.UsageError("--before needs exactly one --registry.")
    known, good = shared.open_registries(registries)
    findings = () if registries else registry.check_built_in()
    if before is not None:
        findings = registry.compare_with_earlier(registries[0], before)
    for finding in findings:
        shared.echo_finding(finding)
    _write_overview(known, form)
    if form == "text":
        enough = [each.code for each in registry.measure_law_coverage(known) if each.enough]
        count = registry.GOOD_COVERAGE
        least = f"at least {count} authorities and {count} measures"
        write_line(f"\n{len(enough)} jurisdictions with {least}: {' '.join(enough)}")
    return good and not any(each.is_error for each in findings)


def _check_code(_ctx: object, parameter: click.Parameter, value: str) -> str:
    if not _CODE.fullmatch(value):
        raise click.BadParameter(f"{value!r} is not a code.", param=parameter)
    return value.lower()


def _check_iris(_ctx: object, parameter: click.Parameter, value: Any) -> Any:
    for each in value if isinstance(value, tuple) else filter(None, [value]):
        if not _IRI.fullmatch(each):
            raise click.BadParameter(f"{each!r} is not a URL.", param=parameter)
    return value


@registry_command.command("add", short_help="Add an entry to a registry file.")
@click.argument("kind", type=click.Choice([each.word for each in Kind]), metavar="KIND")
@click.argument("code", callback=_check_code, metavar="CODE|LANGUAGE")
@click.argument("notation")
@click.option("--registry", "file", required=True, type=click.Path(), help="The Turtle file.")
@click.option("--label", "labels", multiple=True, help='A full name: it="Ministero della salute".')
@click.option("--form", "forms", multiple=True, help="Another full spelling.")
@click.option("--abbreviation", "abbreviations", multiple=True, help="An abbreviation or acronym.")
@click.option("--issuer", help="The authority that a measure belongs to.")
@click.option("--body", help="The body that a measure adds to its issuer.")
@click.option("--titled", is_flag=True, help="The measure's specification comes from the title.")
@click.option(
    "--qualifies", multiple=True, help="The first word of authorities that an adjective stands for."
)
@click.option("--numbering", help="The numbering of a partition: arabic, roman, letter, ordinal.")
@click.option("--name", help="The full name of the one act that the entry denotes.")
@click.option("--broader", callback=_check_iris, help="The IRI of the unit above a unit.")
@click.option("--from", "valid_from", help="The first day of its existence, YYYY-MM-DD.")
@click.option("--until", "valid_until", help="The first day after its end, YYYY-MM-DD.")
@click.option("--obsolete", is_flag=True, help="Keep it for old names, but refuse it for new ones.")
@click.option(
    "--source",
    "sources",
    multiple=True,
    callback=_check_iris,
    help="A public page that confirms it.",
)
@click.option("--checked", help="The day on which you compared it with its sources, YYYY-MM-DD.")
@click.option("--example", "examples", multiple=True, help="A whole name that uses it.")
@click.option("--id", "slug", help="The last part of its IRI, if two entries share a notation.")
def add_command(
    kind: str,
    code: str,
    notation: str,
    file: str,
    slug: str | None,
    labels: tuple[str, ...],
    forms: tuple[str, ...],
    abbreviations: tuple[str, ...],
    **facts: Any,
) -> bool:
    """Add an entry of KIND to a new or existing file; names contain its NOTATION.

    The command never renames, deletes or contradicts an entry of the file.

    \b
    lexurn registry add --registry my.ttl authority it autorita.esempio \\
        --label it="Autorità d'esempio" --abbreviation A.E. --source https://www.example.it/
    lexurn registry add --registry my.ttl fold de u --label ü
    """
    own = _KINDS[kind]
    # A text without a language has the first of its jurisdiction, or that of the words.
    default = next(iter(registry.load_registry().law(code).languages), "") if own.is_law else code
    for name, given in (("labels", labels), ("forms", forms), ("abbreviations", abbreviations)):
        pairs = [_TAGGED_TEXT.findall(each)[0] for each in given]
        labels_given = (Label(text=text, language=tag.lower() or default) for tag, text in pairs)
        facts[name] = tuple(sorted(labels_given))
    facts["qualifies"] = tuple(sorted(facts["qualifies"]))
    if not slug and own.word in _KINDS_NAMED_BY_WORD:
        word = facts["labels"][0].text if labels else notation
        slug = re.sub(r"[\s'\u2019.]+", ".", word.strip().lower()).strip(".") or word
    last = quote((slug or notation).replace(";", "_").replace(" ", "-"), safe="._-~%")
    iri = f"{registry.make_scheme_iri(own, code)}/{last}"
    entry = Entry(kind=own, iri=iri, scope=code, notation=notation, **facts)
    findings = registry.add_entry(file, entry)
    for finding in findings:
        shared.echo_finding(finding)
    return not any(each.is_error for each in findings)
