"""JSON of a report, by the schema ``ontology/name.schema.json``."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any, cast

from lexurn.name.grammar import cache_short, split_name
from lexurn.name.values import (
    Authority,
    split_annex,
    split_authority,
    split_details,
    split_expression,
    split_jurisdiction,
    split_manifestation,
    split_measure,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.name.name import Report
    from lexurn.name.values import Date

_FINDING_KEYS = ("code", "severity", "component", "start", "end", "message", "rule", "suggestion")


def report_to_json(report: Report) -> dict[str, Any]:
    """Convert a report to a JSON object, by the schema ``ontology/name.schema.json``.

    Absent parts are null, lists never are. Each part is an object with the fields of its class.
    """
    return cast("dict[str, Any]", json.loads(encode_report(report)))


def encode_report(report: Report) -> bytes:
    """Return the JSON object of a report as one line in UTF-8.

    If the text has half of a surrogate pair, which has no UTF-8, all characters beyond ASCII are
    escaped.
    """
    name, quote = report.name, encode_basestring
    if name is not None:
        components, texts = name.components, split_name(str(name))
        start = f'"valid": true, "reading": "{report.reading}", "name": "{name}"'
        start = f'{start}, "iri": "{name.iri}", "level": "{name.level}"'
    else:
        components, texts = report.parts.components, report.parts.list_texts()
        start = f'"valid": false, "reading": "{report.reading}"'
        start = f'{start}, "name": null, "iri": null, "level": null'
    r, q, f = (
        "null" if text is None else quote(text)
        for text in (components.r, components.q, components.f)
    )
    findings = [{key: getattr(each, key) for key in _FINDING_KEYS} for each in report.findings]
    # Canonical texts have nothing to escape.
    line = (
        f'{{"input": {quote(report.text)}, {start}'
        f', "jurisdiction": {_write_jurisdiction(texts[0])}'
        f', "authority": {_write_authority(texts[1])}, "measure": {_write_measure(texts[2])}'
        f', "details": {_write_details(texts[3])}'
        f', "annexes": [{", ".join(map(_write_annex, texts[4]))}]'
        f', "expression": {_write_expression(texts[5])}'
        f', "manifestation": {_write_manifestation(texts[6])}'
        f', "partition": {_quote(texts[7] or None)}'
        f', "r_component": {r}, "q_component": {q}, "f_component": {f}'
        f', "findings": {json.dumps(findings, ensure_ascii=False) if findings else "[]"}}}\n'
    )
    try:
        return line.encode()
    except UnicodeEncodeError:
        return json.dumps(json.loads(line)).encode() + b"\n"


def _quote(text: str | None) -> str:
    return "null" if text is None else f'"{text}"'


def _make_writer(split: Callable[[str], object]) -> Callable[[str], str]:
    """Return a function that writes the text of a part that recurs as JSON."""
    return cache_short(lambda text: json.dumps(_part_to_json(split(text))) if text else "null")


_write_jurisdiction, _write_authority, _write_measure, _write_annex, _write_manifestation = map(
    _make_writer,
    (split_jurisdiction, split_authority, split_measure, split_annex, split_manifestation),
)


def _part_to_json(part: Any) -> Any:
    if part is None or isinstance(part, str):
        return part
    if isinstance(part, tuple):
        return [_part_to_json(each) for each in part]
    if isinstance(part, Authority):
        return [[issuer.institution, *issuer.functions] for issuer in part.issuers]
    return {field: _part_to_json(getattr(part, field)) for field in part.__slots__}


def _write_date(date: Date | None) -> str:
    return "null" if date is None else f'{{"iso": "{date.iso}", "local": {_quote(date.local)}}}'


def _write_details(text: str) -> str:
    if not text:
        return "null"
    details = split_details(text)
    numbers = '", "'.join(details.numbers)
    return (
        f'{{"dates": [{", ".join(map(_write_date, details.dates))}]'
        f', "period": {_quote(details.period)}, "numbers": ["{numbers}"]'
        f', "number_lex": {"true" if details.is_lex_number else "false"}}}'
    )


def _write_expression(text: str) -> str:
    if not text:
        return "null"
    expression = split_expression(text)
    version = expression.version
    events = (
        f'{{"date": {_write_date(each.date)}}}' if each.date else f'{{"event": "{each.event}"}}'
        for each in version.events
    )
    return (
        f'{{"version": {{"date": {_write_date(version.date)}'
        f', "specification": {_quote(version.specification)}, "events": [{", ".join(events)}]}}'
        f', "language": {_quote(expression.language)}}}'
    )
