"""HTTP URI to LEX name: both forms, with every finding at its place in the URI.

The URI is turned into the text of a name, the name's own parser judges that text, and its findings
are put back to where their pieces stood in the URI.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from lexurn.errors import HttpFormError
from lexurn.name._findings import Finding, Reading, Report, Severity
from lexurn.name._http_base import Fault, is_plain, read_base, read_site
from lexurn.name._http_path import build
from lexurn.name._http_trace import Place, Problem, Trace
from lexurn.name._http_writing import http_location
from lexurn.name._values import Parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.name._name import Name
    from lexurn.name._parser import ReadingName

__all__ = ["check_http", "parse_http"]

_RULE = "lexurn HTTP form"
_FOLDER = "/lex/"
# A URI without a base may hold the folder several times; a name is sought behind the first ones.
_MOST_FOLDERS = 8
# A name has 8,192 characters at most, and none of them takes more than three in a path.
_LONGEST_PATH = 3 * 8192
_BAR = re.compile(r"\|")
_SEPARATORS = frozenset(":@$~?#")
_PROBE = "urn:lex:it:a:b:2000-01-01;1${}:text-html"


def parse_http(
    uri: str,
    *,
    base: str | None = None,
    publisher: str | None = None,
    reading: ReadingName = "text",
) -> Name:
    """The name whose HTTP-URI equivalent is ``uri``; the arguments are those of `check_http`.

    Raises:
        NameSyntaxError: the URI is the equivalent of no name.
        HttpFormError: the base or the publisher cannot be used.
    """
    return check_http(uri, base=base, publisher=publisher, reading=reading).unwrap()


def check_http(
    uri: str,
    *,
    base: str | None = None,
    publisher: str | None = None,
    reading: ReadingName = "text",
) -> Report:
    """Read an HTTP-URI equivalent, in the reversible form or the drafts'; any text gives a report.

    Args:
        uri: the URI; offsets in the findings are offsets into it.
        base: the site that it must lie under; None accepts any, and a name is then sought behind
            each ``/lex/`` of the path, from the left.
        publisher: whose manifestation a URI of the drafts' form names, for example ``senato.it``
            or ``juradmin.eu;jurifast``; the form itself does not say.
        reading: by what the name is read.

    Raises:
        HttpFormError: the base or the publisher cannot be used.
    """
    chosen = Reading(reading)
    prefix = None if base is None else read_base(base)
    if publisher is not None:
        _check_publisher(publisher)
    try:
        folders = _folders(uri, prefix)
    except Problem as problem:
        return _failed(uri, problem, chosen)
    reports: list[Report] = []
    for path in folders:
        reports.append(_report(uri, path, publisher, chosen))
        if reports[-1].valid:
            return reports[-1]
    return reports[0]


def _check_publisher(publisher: str) -> None:
    probe = _check(_PROBE.format(publisher), Reading.TEXT)
    if not probe.valid or not _SEPARATORS.isdisjoint(publisher):
        raise HttpFormError(f"{publisher!r} is no publisher; one is written like senato.it")


def _check(text: str, reading: Reading) -> Report:
    from lexurn.name._parser import check  # noqa: PLC0415  the parser needs no HTTP, so ask late

    return check(text, reading)


def _failed(uri: str, problem: Problem, reading: Reading) -> Report:
    finding = Finding(
        code=problem.code,
        severity=Severity.ERROR,
        component=problem.component,
        start=problem.place.start,
        end=problem.place.end,
        message=problem.message,
        rule=_RULE,
    )
    return Report(text=uri, reading=reading, name=None, parts=Parts(), findings=(finding,))


def _folders(uri: str, prefix: str | None) -> list[Place]:
    """Each stretch of the path behind a ``/lex/`` that a name may stand in; one at least."""
    end = _path_end(uri)
    site = read_site(uri[:end])
    if isinstance(site, Fault):
        raise Problem("LX410", "scheme", Place(site.start, site.end), site.message)
    if prefix is not None:
        path = uri[site.path_start : end]
        if not f"{site.origin}{path}/".startswith(f"{prefix}/"):
            message = f"the URI does not lie under {prefix}"
            raise Problem("LX411", "scheme", Place(0, site.path_start), message)
        start = site.path_start + len(prefix) - len(site.origin)
        found = [start] if uri.startswith(_FOLDER, start, end) else []
    else:
        start = site.path_start
        found = list(_found(uri, start, end))
        if found and not is_plain(uri[start : found[0]]):
            message = "the path before /lex/ is not one that can be kept as it is"
            raise Problem("LX410", "scheme", Place(start, found[0]), message)
    if not found:
        raise Problem("LX412", "nid", Place(start, end), "the path has no /lex/")
    return [Place(each + len(_FOLDER), end) for each in found]


def _found(uri: str, start: int, end: int) -> Iterator[int]:
    for _ in range(_MOST_FOLDERS):
        start = uri.find(_FOLDER, start, end)
        if start < 0:
            return
        yield start
        start += 1


def _path_end(uri: str) -> int:
    """Where the path of a URI ends; a query is refused."""
    fragment = uri.find("#")
    end = len(uri) if fragment < 0 else fragment
    query = uri.find("?", 0, end)
    if query >= 0:
        raise Problem("LX413", "q-component", Place(query, end), "an HTTP form has no query")
    return end


def _report(uri: str, path: Place, publisher: str | None, reading: Reading) -> Report:
    """The report on the name that a path behind one ``/lex/`` stands for."""
    folder = path.start - len(_FOLDER)
    trace = Trace()
    trace.put("urn:lex:", folder, path.start)
    try:
        _check_length(path)
        build(trace, uri, path, publisher)
    except Problem as problem:
        return _failed(uri, problem, reading)
    trace.add(uri[path.end :], path.end)
    report = _check(trace.text, reading)
    bars = tuple(_bars(uri, path, reading))
    placed = [_placed(each, trace, uri[:folder]) for each in report.findings]
    return replace(
        report,
        text=uri,
        name=None if bars and reading is Reading.GRAMMAR else report.name,
        findings=tuple(sorted((*bars, *placed), key=lambda each: each.start)),
    )


def _check_length(path: Place) -> None:
    length = path.end - path.start
    if length > _LONGEST_PATH:
        message = f"the path has {length} characters, more than any name has"
        raise Problem("LX424", "nid", path, message)


def _bars(uri: str, path: Place, reading: Reading) -> Iterator[Finding]:
    """The ``|`` of local dates that are written as in a name: no character of a URI."""
    severity = Severity.ERROR if reading is Reading.GRAMMAR else Severity.WARNING
    for bar in _BAR.finditer(uri, path.start, path.end):
        yield Finding(
            code="LX423",
            severity=severity,
            component="date-loc",
            start=bar.start(),
            end=bar.end(),
            message='"|" is no character of a URI; write "%7C"',
            rule="RFC 3986 §2",
        )


def _placed(finding: Finding, trace: Trace, site: str) -> Finding:
    """A finding about the text of the name as one about the URI."""
    start, end = trace.place(finding.start, finding.end)
    return replace(finding, start=start, end=end, suggestion=_suggestion(finding, site))


def _suggestion(finding: Finding, site: str) -> str | None:
    """A repaired name as the URI that it has on the same site."""
    if finding.suggestion is None:
        return None
    name = _check(finding.suggestion, Reading.TEXT).name
    return None if name is None else site + http_location(name)
