"""Items about help texts and the Python names of ``lexurn`` itself."""

from __future__ import annotations

import datetime as dt
import inspect
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from name_items import ACT, BASE, rows_of
from site_items import ACTS

import lexurn
from lexurn.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from recorder import Recorder

FULL = (
    f"{ACT}@2005-01-01;2005-03-01;rettifica:it$parlamento.it:application-pdf;1.7:testo:a~art3;par2"
)
FORMATS = {
    "ttl": lexurn.Format.TURTLE,
    "nq": lexurn.Format.NQUADS,
    "jsonld": lexurn.Format.JSONLD,
    "rdf": lexurn.Format.RDFXML,
}
DAY = dt.date(2024, 7, 1)


def record(recorder: Recorder) -> None:
    """Record help texts and what Python gives."""
    for path, command in _commands((), main):
        key = "/".join(("help", *path))
        result = recorder.help(*path)
        recorder.keep(f"{key}.txt", result, is_message=True)
        recorder.keep_value(f"{key}.options", _options(command))
    recorder.run("version", "--version")
    recorder.run("no-command")
    recorder.run("unknown-command", "frobnicate")
    _names(recorder)
    _graphs(recorder)
    _documents(recorder)
    _catalogue(recorder)
    _signatures(recorder)


def _commands(
    path: tuple[str, ...], command: click.Command
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from _commands((*path, name), below)


def _options(command: click.Command) -> list[dict[str, Any]]:
    """Describe the parameters of a command, without their help texts."""
    return [
        {
            "opts": [*parameter.opts, *parameter.secondary_opts],
            "type": parameter.type.name,
            "range": [getattr(parameter.type, limit, None) for limit in ("min", "max")],
            "choices": list(getattr(parameter.type, "choices", ())),
            "required": parameter.required,
            "multiple": parameter.multiple or parameter.nargs,
            "envvar": parameter.envvar,
        }
        for parameter in command.params
    ]


def _names(recorder: Recorder) -> None:
    name = lexurn.parse(FULL)
    recorder.keep("python/name", f"{name}\n{name.iri}\n{name!r}\n".encode())
    above = [str(name.parent), *map(str, name.ancestors()), str(name.document), str(name.work_name)]
    recorder.keep_value("python/name-above", above)
    texts = [row["text"] for row in rows_of("name_valid") + rows_of("name_warnings")]
    reports = list(lexurn.parse_many(texts))
    found = [
        {
            "name": str(report.name),
            "level": report.name and report.name.level.value,
            "findings": [
                (each.code, each.severity.value, each.start, each.end, each.suggestion)
                for each in report.findings
            ],
        }
        for report in reports
    ]
    recorder.keep_value("python/parse-many", found)
    names = [report.name for report in reports if report.name is not None]
    written = [lexurn.http_of(each, base=BASE) for each in names]
    found_codes = [(each.uri, [found.code for found in each.findings]) for each in written]
    recorder.keep_value("python/http", found_codes)
    labels = [lexurn.label(each, tag) for each in names[:100] for tag in ("it", "de")]
    recorder.keep_value("python/labels", labels)
    converted = [lexurn.convert(row["text"]) for row in rows_of("dialect")]
    recorder.keep_value(
        "python/convert", [(str(each.name), each.standing.value) for each in converted]
    )
    detected = [str(lexurn.detect(row["text"])) for row in rows_of("dialect")]
    recorder.keep_value("python/detect", detected)
    minted = [lexurn.try_mint(row["fields"]) for row in rows_of("minting_rfc")]
    recorder.keep_value(
        "python/mint", [(str(each.name), [step.after for step in each.steps]) for each in minted]
    )
    for key, call in {
        "parse": lambda: lexurn.parse("urn:lex:it"),
        "mint": lambda: lexurn.mint(jurisdiction="it"),
        "open-manifest": lambda: lexurn.open_manifest("none.csv").families(),
    }.items():
        recorder.keep(f"python/raises/{key}", _raised(call).encode())


def _raised(call: Any) -> str:
    try:
        call()
    except (ValueError, OSError, lexurn.LexurnError) as fault:
        return " ".join(each.__name__ for each in type(fault).__mro__)
    return "nothing"


def _graphs(recorder: Recorder) -> None:
    with lexurn.open_manifest(ACTS) as manifest:
        families = list(manifest.families())
    records = [record for family in families for record in family.records]
    graph = lexurn.graph_of(records, as_of=DAY, base=BASE)
    for form in lexurn.Format:
        data = lexurn.serialize(graph, form)
        data = data.encode() if isinstance(data, str) else data
        recorder.keep(f"python/serialize/{form.name.lower()}", data)
    report = lexurn.validate(graph)
    results = sorted((each.shape, str(each.focus)) for each in report.results)
    recorder.keep_value("python/validate", results)
    statements = lexurn.statements_of(families[0], as_of=DAY, base=BASE)
    recorder.keep_value("python/statements", sorted(statements.merged))
    dataset = lexurn.dataset_of(records[:40], as_of=DAY, base=BASE)
    recorder.keep_value(
        "python/dataset", sorted(" ".join(map(str, quad)) for quad in dataset.quads())
    )
    for suffix, form in FORMATS.items():
        data = Path(f"golden/sample.{suffix}").read_bytes()
        again = lexurn.read(data, form)
        back = lexurn.records_of(again)
        recorder.keep_value(f"python/records/{suffix}", sorted(map(repr, back)))
    for number in range(0, len(records), 40):
        name = records[number].name
        head = lexurn.head(records[number], base=BASE, as_of=DAY)
        recorder.keep(f"python/head/{number:03}", str(head).encode())
        recorder.keep(f"python/describe/{number:03}", _described(name, records))


def _described(name: lexurn.Name, records: list[lexurn.Record]) -> bytes:
    return lexurn.describe(records, name, "turtle", as_of=DAY, base=BASE).encode()


def _documents(recorder: Recorder) -> None:
    page = Path("page.html")
    page.write_bytes(b"<!DOCTYPE html><title>Legge 456</title>")
    name = lexurn.parse(ACT)
    title = lexurn.LanguageText(value="Legge quadro", language="it")
    row = lexurn.Record(name=name, titles=(title,))
    for key in ("first", "again"):
        outcome = lexurn.embed(page, name, [row], base=BASE)
        recorder.keep_value(
            f"python/embed/{key}", [outcome.status.value, outcome.is_written, outcome.format]
        )
    recorder.keep_file("python/embed/page.html", page)
    found = lexurn.extract(page)
    recorder.keep_value("python/extract", [str(each.name) for each in found.names])


def _catalogue(recorder: Recorder) -> None:
    recorder.run("python/load", "catalogue", "load", ACTS, "-c", "law", "--as-of", "2024-07-01")
    with lexurn.open_catalogue("law") as catalogue:
        for key, text in {
            "exact": f"{NAME}",
            "partial": "urn:nir:stato:lege:1990;241#art2",
        }.items():
            answer = lexurn.resolve(text, catalogue.holdings, date=DAY)
            names = [(str(each.name), each.match.value, each.score) for each in answer.candidates]
            recorder.keep_value(f"python/resolve/{key}", names)


NAME = "urn:lex:it:stato:costituzione:1947-12-27;lex-1"


def _signatures(recorder: Recorder) -> None:
    found = {}
    for name in lexurn.__all__:
        value = getattr(lexurn, name)
        found[name] = _signature(value)
    recorder.keep("python/signatures", json.dumps(found, indent=1, sort_keys=True).encode())


def _signature(value: Any) -> list[str]:
    """Return the parameters of a function or class, without their types."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        f"{each.kind.name} {each.name}"
        + ("" if each.default is inspect.Parameter.empty else f" = {each.default}")
        for each in parameters
        if not each.name.startswith("_")
    ]
