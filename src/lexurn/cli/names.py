"""Commands on names alone: parse, compare, http, convert and label."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from lexurn.cli import shared
from lexurn.cli.shared import echo_findings, read_names, write_json, write_line
from lexurn.findings import Finding, Severity, load_codes
from lexurn.name import check, split_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.dialect import Change, Conversion
    from lexurn.name import HttpStyle, Name, Reading


@click.command("parse")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@shared.READING
@shared.format_option(
    "text", "jsonl", "name", help="A table of parts, one JSON object per line, or canonical names."
)
def parse_command(names: tuple[str, ...], reading: Reading, form: str) -> bool:
    """Parse each NAME: show its parts, its canonical form and its faults.

    \b
    lexurn parse "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it"
    lexurn parse --format jsonl - < names.txt
    """
    good = True
    if form == "jsonl":
        from lexurn.name import encode_report

        # Written for all names that are there, before further ones are waited for.
        for texts in shared.read_name_lots(names):
            reports = [check(text, reading=reading) for text in texts]
            good = good and all(report.valid for report in reports)
            shared.write_bytes(b"".join(map(encode_report, reports)))
        return good
    for text in read_names(names):
        report = check(text, reading=reading)
        good = good and report.valid
        if report.name is not None:
            lines = [str(report.name)]
            if form == "text":
                rows = [("level", str(report.name.level)), *_list_parts(report.name)]
                lines += [
                    f"  {label:<14} {shared.escape_text(value)}" for label, value in rows if value
                ]
            write_line("\n".join(lines))
        echo_findings(report.text, report.findings)
    return good


def _list_parts(name: Name) -> Iterator[tuple[str, str]]:
    """Yield the parts of a name with their labels, in the order of the name."""
    # The classes of the parts would add a sixth to the time of a start.
    code, authority, measure, details, annexes, expression, manifestation, partition = split_name(
        str(name)
    )
    yield "jurisdiction", code.replace(";", " ")
    for issuer in authority.split("+"):
        yield "authority", issuer.replace(";", " / ")
    yield "measure", measure.replace(";", " / ")
    when, _, numbers = details.partition(";")
    if "-" in when:
        for date in when.split(","):
            iso, _, local = date.partition("|")
            yield "date", iso + (f" ({local})" if local else "")
    else:
        yield "period", when
    yield from (("number", number) for number in numbers.split(","))
    yield from (("annex", annex.replace(";", " / ")) for annex in annexes)
    version, _, language = expression.partition(":")
    yield from (("version", version), ("language", language))
    labels = ("editor", "format", "component", "feature")
    yield from zip(labels, manifestation.split(":"), strict=False)
    yield "partition", partition
    for label in ("r", "q", "f"):
        yield f"{label}-component", getattr(name.components, label) or ""


def read_name(text: str, *, reading: Reading, dialect: str | None) -> Name | None:
    """Read a name, by RFC 9676 or in a dialect, and print the findings on it."""
    if dialect is None:
        report = check(text, reading=reading)
        echo_findings(text, report.findings)
        return report.name
    from lexurn.dialect import Dialect, convert

    conversion = convert(text, source="auto" if dialect == "auto" else Dialect(dialect))
    echo_findings(text, [*map(describe_change, conversion.losses), *conversion.findings])
    return conversion.name


@click.command("compare")
@click.argument("first")
@click.argument("second")
@shared.READING
@shared.format_option("text", "json", help="A sentence, or one JSON object.")
def compare_command(first: str, second: str, reading: Reading, form: str) -> bool:
    """Show whether FIRST and SECOND are equivalent names or how they differ.

    Names are equivalent if their canonical forms are equal (RFC 9676 section 3.3, RFC 8141
    section 3). The command does not know aliases, because only a catalogue has them. Exit code 0 if
    the names are equivalent, 1 if not.
    """
    reports = [check(text, reading=reading) for text in (first, second)]
    for report in reports:
        echo_findings(report.text, report.errors)
    if not all(report.valid for report in reports):
        return False
    one, other = (report.unwrap() for report in reports)
    # The parts that differ, in the order of the name.
    details = (one.work.details, other.work.details)
    pairs = [
        (one, other, "jurisdiction"),
        (one.work, other.work, "authority"),
        (one.work, other.work, "measure"),
        *((*details, label) for label in ("dates", "period", "numbers")),
        (one.work, other.work, "annexes"),
        *((one, other, label) for label in ("expression", "manifestation", "partition")),
    ]
    values = [(label, getattr(a, label), getattr(b, label)) for a, b, label in pairs]
    differing = {label: (a, b) for label, a, b in values if a != b}
    if form == "json":
        names = {"first": str(one), "second": str(other)}
        write_json({"equivalent": one == other, **names, "differing": [*differing]})
    elif one == other:
        write_line(f"equivalent: {one}")
    else:
        shown = [f"{label} ({_show(a)}; {_show(b)})" for label, (a, b) in differing.items()]
        write_line(f"different: {', '.join(shown)}")
    return one == other


def _show(part: object) -> str:
    """Show a part of a name, or the parts of a list."""
    parts = part if isinstance(part, tuple) else (part,)
    return ", ".join(str(each) for each in parts if each is not None) or "none"


@click.command("http")
@click.argument("names", nargs=-1, required=True, metavar="NAME|URI...")
@shared.BASE
@click.option(
    "--style",
    type=click.Choice(["reversible", "draft"]),
    default="reversible",
    show_default=True,
    help="The form of manifestations. The form of the draft is shorter and loses parts.",
)
@click.option(
    "--publisher", help="The publisher of manifestations in the form of the draft, which lacks it."
)
@shared.READING
def http_command(
    names: tuple[str, ...],
    base: str | None,
    style: HttpStyle,
    publisher: str | None,
    reading: Reading,
) -> bool:
    """Convert each NAME to its HTTP URI, and each HTTP URI to its name.

    \b
    lexurn http --base https://law.example "urn:lex:it:stato:legge:2003-09-21;456"
    lexurn http https://law.example/lex/it/stato/legge/2003-09-21;456
    """
    from lexurn.name import check_http

    good = True
    for text in read_names(names):
        if text.lower().startswith(("http://", "https://")):
            report = check_http(text, base=base, publisher=publisher, reading=reading)
            echo_findings(text, report.findings)
            if report.name is not None:
                write_line(str(report.name))
            good = good and report.valid
        else:
            good = _write_uri(text, base, style, reading) and good
    return good


def _write_uri(text: str, base: str | None, style: HttpStyle, reading: Reading) -> bool:
    """Write the HTTP URI of a name; return whether it has one."""
    from lexurn.name import http_of

    if base is None:
        raise click.UsageError("An HTTP URI needs --base.")
    report = check(text, reading=reading)
    echo_findings(text, report.findings)
    if report.name is None:
        return False
    try:
        form = http_of(report.name, base, style=style)
    except ValueError as fault:
        shared.echo_error(str(fault))
        return False
    echo_findings(text, form.findings)
    write_line(form.uri)
    return True


@click.command("convert")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--from",
    "source",
    type=click.Choice(["auto", *shared.DIALECTS]),
    default="auto",
    show_default=True,
    help="The dialect of the names; auto detects it, name by name.",
)
@click.option(
    "--to",
    "target",
    type=click.Choice(shared.DIALECTS),
    default="rfc9676",
    show_default=True,
    help="The dialect to write.",
)
@shared.format_option(
    "text",
    "jsonl",
    "table",
    help="Converted names, one JSON object per line, or counts of results and rules.",
)
@shared.REGISTRY
def convert_command(
    names: tuple[str, ...],
    source: str,
    target: str,
    form: str,
    registries: tuple[str, ...],
) -> bool:
    """Convert each NAME between RFC 9676, LexML Brasil, Italian NIR and the drafts of the RFC.

    The command prints changes, with the information that they lose, on standard error. A name that
    no rule repairs is broken: the command prints its errors, and the exit code is 1.

    \b
    lexurn convert "urn:nir:stato:legge:1990-08-07;241#art3-com2"
    lexurn convert --from lexml --format table - < names.txt
    """
    from lexurn.dialect import Dialect, convert

    registry, good = shared.open_registries(registries)
    results = (
        convert(
            text,
            source=Dialect(source) if source != "auto" else "auto",
            target=Dialect(target),
            registry=registry,
        )
        for text in read_names(names)
    )
    is_table = form == "table"
    is_complete = _write_table(results) if is_table else _write_conversions(results, form)
    return good and is_complete


def _write_conversions(results: Iterable[Conversion], form: str) -> bool:
    from lexurn.dialect import conversion_to_json

    good = True
    for conversion in results:
        good = good and conversion.written is not None
        if form == "jsonl":
            write_json(conversion_to_json(conversion))
            continue
        if conversion.written is not None:
            write_line(conversion.written)
        changes = map(describe_change, conversion.changes)
        echo_findings(conversion.text, [*changes, *conversion.findings])
    return good


def _write_table(results: Iterable[Conversion]) -> bool:
    """Write how many names are valid, repairable or broken, and how often each rule applied."""
    from lexurn.dialect import Standing, load_changes

    standings: Counter[str] = Counter({standing.value: 0 for standing in Standing})
    used: Counter[str] = Counter()
    good = True
    for conversion in results:
        standings[conversion.standing.value] += 1
        good = good and conversion.written is not None
        # A rule counts once a name, however often it applies there.
        changed = {each.code for each in conversion.changes}
        used.update(changed.union(each.code for each in conversion.findings))
    total = standings.total()
    for standing, count in standings.items():
        write_line(f"{count:>9,} {count / max(total, 1):>7.2%}  {standing}")
    write_line(f"{total:>9,} {'':>7}  names")
    for code, count in sorted(used.items()):
        # The meaning of a code, without the text that a message names.
        if change := load_changes().get(code):
            meaning = f"{change.message} ({change.rule})"
        else:
            entry = load_codes()[code]
            message = entry.message.format("...", "...", component="component")
            meaning = f"error: {message}"
            if code.startswith("LX8"):
                meaning = f"{entry.severity}: {message} ({entry.rule})"
        write_line(f"{count:>9,} {code:>7}  {meaning}")
    return good


def describe_change(change: Change) -> Finding:
    """Return a change as a finding: a warning if information is lost, else a note."""
    lost = "" if change.lost is None else f"; lost: {change.lost}"
    return Finding(
        code=change.code,
        severity=Severity.WARNING if change.loss else Severity.NOTE,
        message=change.message + lost,
        rule=change.rule,
        start=change.start,
        end=change.end,
    )


# The label itself shows that a proper name has none in a foreign language.
_HIDDEN_CODES = frozenset({"LX792"})
_KEYS = ("code", "severity", "component", "message", "rule")


@click.command("label")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option(
    "--lang",
    "language",
    metavar="TAG",
    help="The language of the labels, for example it or pt-BR.  [default: the jurisdiction's]",
)
@shared.REGISTRY
@shared.READING
@shared.format_option("text", "jsonl", help="The label alone, or one JSON object per line.")
def label_command(
    names: tuple[str, ...],
    language: str | None,
    registries: tuple[str, ...],
    reading: Reading,
    form: str,
) -> bool:
    """Write each NAME in words, in the citation style of its jurisdiction.

    If the registry has no words for a part, it is written as in the name, with a finding.

    \b
    lexurn label "urn:lex:it:stato:legge:2003-09-21;456~art3;par2" --lang it
    lexurn label --format jsonl - < names.txt
    """
    from lexurn.labels import make_label

    registry, good = shared.open_registries(registries)
    for text in read_names(names):
        report = check(text, reading=reading)
        good = good and report.valid
        name = report.name
        label = None if name is None else make_label(name, language, registry=registry)
        if form == "jsonl":
            findings = report.findings if label is None else label.findings
            value = {
                "input": report.text,
                "name": None if name is None else str(name),
                "label": None if label is None else label.text,
                "language": None if label is None else label.language,
                "findings": [{key: getattr(each, key) for key in _KEYS} for each in findings],
            }
            write_json(value)
        elif label is None:
            echo_findings(text, report.findings)
        else:
            write_line(label.text)
            for finding in label.findings:
                if finding.code not in _HIDDEN_CODES:
                    echo_findings(finding.text, [finding])
    return good
