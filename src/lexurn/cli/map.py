"""Command map: a mapping file for a publisher's own table, proposed from its columns."""

from __future__ import annotations

import tempfile
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import click

from lexurn.cli import shared
from lexurn.cli.shared import escape_line
from lexurn.errors import LexurnError, ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.manifest import Proposal
    from lexurn.registry import Registry

_SHOWN_FIELDS: Final = ("citation", "measure", "number", "date", "period", "authority", "title")
_SHOWN_ROWS: Final = 5
_MINTED_ROWS: Final = 100
_LONGEST_CELL: Final = 40
_MISSING_VALUE: Final = "LX702"
_OTHER_JURISDICTION: Final = "LX786"
_CENTURY: Final = "two_digit_years"
_OTHER_KEYS: Final = {
    "measure": ("citation",),
    "number": ("citation", "unnumbered"),
    "date": ("citation", "period"),
}


@click.command("map")
@click.argument("table", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="The mapping file to write; it must not exist.  [default: standard output]",
)
@click.option("-j", "--jurisdiction", help="The code, with its units: it, or br;sao.paulo.")
@click.option("--authority", help="The issuer of all acts in the table.")
@click.option("--measure", help="The type of all acts in the table.")
@click.option("--encoding", help="The encoding of the table, if map does not find it.")
@click.option("--sheet", help="The sheet, if several sheets of a workbook contain tables.")
@click.option("--rows", help="The place of the list, if the JSON has several, such as docs.*")
@shared.REGISTRY
def map_command(
    table: str,
    output: str | None,
    jurisdiction: str | None,
    authority: str | None,
    measure: str | None,
    encoding: str | None,
    sheet: str | None,
    rows: str | None,
    registries: tuple[str, ...],
) -> None:
    """Propose a mapping file for the columns of TABLE, and show the names that it gives.

    TABLE is CSV, a workbook (XLSX, XLS, ODS), JSON, JSON Lines or Parquet. Each line of the mapping
    file has its reason. A line that begins with # is not decided: choose, and remove the #. Then
    the command prints five rows with their names, and lists what is missing.

    \b
    lexurn map acts.csv -o columns.toml
    lexurn map acts.csv -o columns.toml --jurisdiction fr --authority "Ville de Paris"
    lexurn map acts.xlsx -o columns.toml --jurisdiction "ch;basel.stadt" --sheet Acts
    """
    from lexurn.manifest import propose_mapping, read_sample, write_mapping
    from lexurn.registry import load_jurisdictions

    if output is not None and Path(output).exists():
        raise click.BadParameter(
            f"{output} exists, and is not overwritten. Name another file.", param_hint="-o"
        )
    registry = shared.require_registry(registries)
    code = (jurisdiction or "").partition(";")[0].strip().lower()
    if code and "." not in code and code not in {*load_jurisdictions(), *registry.jurisdictions()}:
        codes = registry.jurisdictions()
        units = [(each, unit) for each in codes for unit in registry.law(each).units.find(code)]
        known = " or ".join(f'"{each};{unit.notation}"' for each, unit in units)
        hint = (
            f"It is a unit: write {known}."
            if known
            else ("Name another one, such as it, or describe it in a registry file (--registry).")
        )
        raise click.BadParameter(
            f"{code} is not a registered jurisdiction. {hint}",
            param_hint="-j",
        )
    sample = read_sample(table, encoding=encoding, sheet=sheet, rows=rows)
    stated = {"jurisdiction": jurisdiction, "authority": authority, "measure": measure}
    constants = {name: value for name, value in stated.items() if value}
    proposal = propose_mapping(sample, constants, registry=registry)
    text = write_mapping(proposal)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(output or f"{folder}/columns.toml")
        try:
            with file.open("x", encoding="utf-8") as stream:
                stream.write(text)
        except OSError as fault:
            raise LexurnError(f"{file}: cannot be written: {fault.strerror}") from None
        if output is None:
            shared.write_bytes(text.encode())
        trial = _try_rows(proposal, file, registry)
    if authority and (issuers := _list_open_lines(proposal, "authority")):
        shown = "; ".join(f"[{name}] {', '.join(keys)}" for name, keys in issuers.items())
        trial.lines.append(
            f"note: the issuer may differ from row to row: see {shown} in "
            f"{output or 'the mapping file'}."
        )
    for line in [*trial.lines, _describe_next(proposal, trial, table, output)]:
        click.echo(escape_line(line), err=output is None)


class _Trial(NamedTuple):
    """Names of the first rows by the lines that are decided.

    Attributes:
        lines: five rows with their names, each reason for which rows have none, once, and notes.
        lacking: the parts of a name that some rows lack.
        tried: the number of these rows.
        unnamed: the number of those that get no name.
    """

    lines: list[str]
    lacking: tuple[str, ...] = ()
    tried: int = 0
    unnamed: int = 0


def _try_rows(proposal: Proposal, mapping: Path, registry: Registry) -> _Trial:
    """Mint names of the first rows."""
    from lexurn.manifest import read_fields
    from lexurn.minting import try_mint

    used = proposal.find("columns")
    if "urn" in used.values():
        at = next(at for at, each in enumerate(proposal.sample.headers) if used.get(each) == "urn")
        return _Trial([row[at] for row in proposal.sample.rows[:_SHOWN_ROWS]])
    lines: list[str] = []
    examples: dict[str, str] = {}
    times: Counter[str] = Counter()
    lacking: dict[str, None] = {}
    notes: dict[str, None] = {}
    count = unnamed = 0
    try:
        for row in islice(read_fields(proposal.sample.file, mapping=mapping), _MINTED_ROWS):
            fields = row.fields or {}
            minted = try_mint(fields, registry=registry) if row.fields is not None else None
            findings = [each for each in row.findings if each.is_error]
            findings += minted.errors if minted is not None else ()
            for each in minted.findings if minted is not None else ():
                if each.code == _OTHER_JURISDICTION:
                    notes[each.message] = None
            if count < _SHOWN_ROWS:
                name = minted and minted.name
                shown = [fields[name] for name in _SHOWN_FIELDS if name in fields]
                cells = _join_cells(shown) or f"row at line {row.line}"
                lines.append(f"{cells} -> {name or 'no name'}")
            count += 1
            unnamed += bool(findings)
            for each in findings:
                key = f"{each.code}{each.component}"
                place = each.column or each.component
                examples.setdefault(key, f"{place}: {each.message}" if place else each.message)
                if each.code == _MISSING_VALUE:
                    lacking[str(each.component)] = None
            times.update({f"{each.code}{each.component}" for each in findings})
    except ManifestError as fault:
        # The columns that are decided make no name yet.
        places = [at for at, header in enumerate(proposal.sample.headers) if header in used]
        shown_rows = proposal.sample.rows[:_SHOWN_ROWS]
        stated = {key: str(value) for key, value in proposal.find("constants").items()}
        tried = try_mint(
            {"measure": "x", "number": "1", "period": "2000"} | stated, registry=registry
        )
        notes = {each.message: None for each in tried.findings if each.code == _OTHER_JURISDICTION}
        lines += [f"{_join_cells(row[at] for at in places)} -> no name" for row in shown_rows]
        count = unnamed = len(shown_rows)
        if "measure" not in proposal.missing:
            lines.append(str(fault))
    lines += [f"{number} of {count} rows: {examples[key]}" for key, number in times.most_common()]
    lines += [
        f"note: {each}. Decide before the first publish: later, names would be withdrawn."
        for each in notes
    ]
    return _Trial(lines, tuple(lacking), count, unnamed)


def _join_cells(cells: Iterable[object]) -> str:
    shown = (" ".join(str(cell).split()) for cell in cells)
    return " | ".join(
        each if len(each) <= _LONGEST_CELL else f"{each[:_LONGEST_CELL]}…" for each in shown
    )


def _describe_next(proposal: Proposal, trial: _Trial, table: str, output: str | None) -> str:
    """Describe what a name still needs, or the command that comes next."""
    file = output or "the mapping file"
    asked = proposal.find("", is_decided=False)
    is_broken = asked.get("encoding") == "utf-8"  # some rows are, and stay rejected
    settings = [key for key in asked if key != "distinct" and not (key == "encoding" and is_broken)]
    is_rare = 2 * trial.unnamed < trial.tried and settings == [_CENTURY]
    settings = [] if is_rare else settings
    # A part that a decided line gives lacks only in the cells of these rows.
    lacking = [each for each in trial.lacking if _list_open_lines(proposal, each)]
    if missing := [*dict.fromkeys([*proposal.missing, *lacking]), *settings]:
        lines = _list_open_lines(proposal, *missing)
        shown = "; ".join(f"[{name}] {', '.join(keys)}" for name, keys in lines.items())
        is_open = bool(shown or settings)
        decide = f" Decide the lines with # in {file}{shown and ': '}{shown}." * is_open
        parts = [each for each in proposal.missing if not _list_open_lines(proposal, each)]
        if parts:
            decide += (
                f" No line gives the {' or '.join(parts)}: add it to the table, or read it from"
            )
            decide += " a cell with [patterns]."
        return f"Missing: {', '.join(missing)}.{decide}"
    publish = f"lexurn publish {table} --map {output or 'FILE'} --out my-site --base URL"
    if is_rare:
        publish += f". Rows with a year of two digits are rejected until you decide {_CENTURY}"
    if not trial.unnamed:
        return f"Next: {publish}"
    if trial.unnamed == trial.tried:
        return f"No row that was tried ({trial.tried}) gets a name: correct {file} or the table."
    rows = f"{trial.unnamed} of {trial.tried} rows that were tried"
    tables = {"values.measure", "values.authority"}
    words = [e.key for e in proposal.guesses if e.table in tables and not e.is_decided]
    see = f" (see the lines with #: {', '.join(words)})" if words else ""
    return f"Next: correct {rows}{see}, or leave them rejected: {publish}"


def _list_open_lines(proposal: Proposal, *parts: str) -> dict[str, list[str]]:
    """List the keys of the lines that are not decided and may give a part of a name, by table."""
    accepted = {*parts, *(key for part in parts for key in _OTHER_KEYS.get(part, ()))}
    found: dict[str, list[str]] = {}
    for each in proposal.guesses:
        if not each.is_decided and each.parts & accepted:
            found.setdefault(each.table, []).append(each.key)
    return found
