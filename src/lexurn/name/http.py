"""HTTP-URI equivalents of LEX names: written, and read with each finding at its position.

``{base}/lex/{jurisdiction}/{authority}/{measure}/{details}[/{annex}]*[/@/{version}[/{language}]]
[/$/{editor}/{format}[/{component}[/{feature}]]][~{partition}]`` is the reversible form. Attachment
D of draft-spinosa-urn-lex has a shorter one, ``/$/`` and one segment, that drops parts of a
manifestation. RFC 9676 has no HTTP form.

To read a URI, its path is turned into the text of a name, and that text is checked. The findings
then get the positions of their pieces in the URI.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from lexurn.data import load_table
from lexurn.errors import HttpFormError
from lexurn.findings import Finding, make_finding
from lexurn.lazy import compile_late
from lexurn.name.name import Report, check, parse
from lexurn.name.parser import LONGEST_NAME, NAME_PREFIX, Reading, find_severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.name.name import Name, ReadingName
    from lexurn.name.values import ManifestationIdentifier

_FOLDER = "/lex/"
_SITE = compile_late(r"(https?)://([^/?#]*)", re.IGNORECASE)
_HOST = compile_late(
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)"
    r"(?::(?P<port>[0-9]{0,5}))?"
)
_PLAIN_PATH = compile_late(r"(?:/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})+)*")
_DOT_SEGMENT = compile_late(r"(?:\.|%2e){1,2}", re.IGNORECASE)
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_HIGHEST_PORT = 65535


class _Span(NamedTuple):
    """Part of the URI: an offset and the offset after it."""

    start: int
    end: int


class _UriError(Exception):
    """First fault of a URI, which makes the rest unreadable."""

    def __init__(self, code: str, component: str, span: _Span, *values: object) -> None:
        """Make the finding of the fault.

        Args:
            code: a key of `load_codes`.
            component: the production of RFC 9676 at fault.
            span: its position in the URI.
            values: the values in the message.
        """
        super().__init__(code)
        self.finding = make_finding(
            code,
            *values,
            named={"component": component},
            component=component,
            start=span.start,
            end=span.end,
        )


def _read_site(uri: str) -> tuple[str, int]:
    """Read normalised scheme, host and port of an http or https URI, and the offset of its path.

    Raises:
        _UriError: the URI has no usable scheme or host.
    """
    match = _SITE.match(uri)
    if match is None:
        span = _Span(0, len(uri.partition(":")[0]))
        raise _UriError("LX410", "scheme", span, "an absolute http or https URI is needed")
    host = _Span(*match.span(2))
    if "@" in match[2]:
        raise _UriError("LX410", "scheme", host, "a user name is not allowed in the URI of a law")
    found = _HOST.fullmatch(match[2])
    if found is None or int(found["port"] or 0) > _HIGHEST_PORT:
        raise _UriError("LX410", "scheme", host, f"{match[2]!r} is not a host")
    scheme = match[1].lower()
    port = "" if found["port"] in (None, "", _DEFAULT_PORTS[scheme]) else f":{found['port']}"
    return f"{scheme}://{found['host'].lower()}{port}", match.end()


def _is_plain_path(path: str) -> bool:
    """Return whether clients leave a path before ``/lex/`` as it is: no dots, nothing empty."""
    return _PLAIN_PATH.fullmatch(path) is not None and not any(
        map(_DOT_SEGMENT.fullmatch, path.split("/"))
    )


@lru_cache(maxsize=64)
def normalize_base(base: str) -> str:
    """Normalise a base: scheme and host in lower case, without a slash at its end.

    Raises:
        HttpFormError: the base is not an absolute http or https URL, or has a user name, query,
            fragment, or a path that a client would change.
    """
    try:
        origin, start = _read_site(base)
    except _UriError as error:
        problem = error.finding.message
        raise HttpFormError(f"the base {base!r} cannot be used: {problem}") from None
    trimmed = base[start:].removesuffix("/")
    if not _is_plain_path(trimmed):
        problem = "only a path may follow the host, without a query or fragment"
        raise HttpFormError(f"the base {base!r} cannot be used: {problem}")
    return origin + trimmed


# Files that a static server serves after the ``/`` of a folder; readers ignore them.
_SERVED_FILES = ("index.html", "index.ttl", "index.jsonld", "links.json")
_PATH_SEPARATORS = ((":", "/"), ("@", "/@/"), ("$", "/$/"), ("|", "%7C"))
# In a canonical name only encoded dots can be a whole component.
_DOT_COMPONENT = compile_late(r"(?<=[:@$])(?:%2E){1,2}(?=[:@$]|\Z)")


HttpStyle = Literal["reversible", "draft"]
"""Style of a manifestation: with all its parts, or shortened as in the drafts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpForm:
    """HTTP URI of a name, with the losses of the conversion.

    Attributes:
        uri: the URI.
        findings: the losses, as warnings; offsets are those of the canonical text of the name with
            its r-, q- and f-components.
    """

    uri: str
    findings: tuple[Finding, ...] = ()


def http_of(name: Name | str, base: str, *, style: HttpStyle = "reversible") -> HttpForm:
    """Return the HTTP-URI equivalent of a name.

    Args:
        name: the name, or its text.
        base: the site that publishes it, for example ``https://law.example``.
        style: ``reversible``, from which the name can be read again, or ``draft``.

    Raises:
        HttpFormError: the base cannot be used, the style is unknown, or the draft's style has no
            extension for the format.
        NameSyntaxError: a text is not a name.
    """
    if style not in get_args(HttpStyle):
        raise HttpFormError(f"the style {style!r} is unknown; use reversible or draft")
    site = normalize_base(base)
    read = parse(name) if isinstance(name, str) else name
    path, fragment, lost = _write_draft(read) if style == "draft" else (http_path(read), "", ())
    findings = list(lost)
    # A path has no components, and clients resolve dots in it.
    text, given = str(read), read.components
    start = len(text)
    for key, value, mark in (("r", given.r, 2), ("q", given.q, 2), ("f", given.f, 1)):
        if value is not None:
            end, component = start + mark + len(value), f"{key}-component"
            findings.append(make_finding("LX401", key, component=component, start=start, end=end))
            start = end
    document, tilde, _ = text.partition("~")
    for dots in _DOT_COMPONENT.finditer(document + tilde, len(NAME_PREFIX)):
        start, end = dots.span()
        component = "percent-encoding"
        findings.append(make_finding("LX407", dots[0], component=component, start=start, end=end))
    return HttpForm(
        uri=site + _add_slash(path) + fragment,
        findings=tuple(sorted(findings, key=lambda each: each.start)),
    )


def http_path(name: Name) -> str:
    """Return the path of the reversible form of a name, without a slash at its end.

    ``/lex/it/stato/legge/2000-04-03;56/@/original/it/$/senato.it/text-xml/testo~art3``
    """
    return _write_path(str(name))


def _write_path(text: str) -> str:
    document, tilde, partition = text.removeprefix(NAME_PREFIX).partition("~")
    for separator, written in _PATH_SEPARATORS:
        document = document.replace(separator, written)
    return _FOLDER + document + tilde + partition


def _is_served_file(segments: list[str]) -> bool:
    """Return whether the last segment was added by a server, and is not part of the name."""
    return segments[-1] in _SERVED_FILES and segments[-2:-1] not in (["@"], ["$"])


def _add_slash(path: str) -> str:
    """Add a slash to a path that ends like a file of a server."""
    return f"{path}/" if _is_served_file(path.split("/")) else path


def _write_draft(name: Name) -> tuple[str, str, tuple[Finding, ...]]:
    """Write path and fragment in the style of the drafts, and list the losses.

    A manifestation is ``[component *(";" specification)] "." format``, the format an extension.
    """
    document, tilde, partition = str(name).partition("~")
    head, dollar, _ = document.partition("$")
    lost: list[Finding] = []
    path = _write_path(head)
    if (manifestation := name.manifestation) is not None:
        mime, table = manifestation.format.mime, load_table("extensions")
        extensions = table["shared"] | {each: key for key, each in table["formats"].items()}
        if mime not in extensions:
            raise HttpFormError(f"the draft's style has no extension for {mime}; use reversible")
        path += f"/$/{manifestation.component or ''}.{extensions[mime]}"
        lost += _find_losses(manifestation, len(head) + len(dollar))
    if tilde:
        end = len(document) + 1 + len(partition)
        lost.append(make_finding("LX406", component="partition", start=len(document), end=end))
    return path, f"#{partition}" if tilde else "", tuple(lost)


def _find_losses(manifestation: ManifestationIdentifier, start: int) -> Iterator[Finding]:
    """List the losses of the draft's segment, for a manifestation at an offset of the name."""
    editor, form = str(manifestation.editor), manifestation.format
    end = start + len(editor)
    yield make_finding("LX402", editor, component="editor", start=start, end=end)
    start, end = end + 1, end + 1 + len(form.mime)
    table = load_table("extensions")
    if shared := table["shared"].get(form.mime):
        values = shared, table["formats"][shared]
        yield make_finding("LX405", *values, component="mime", start=start, end=end)
    start, end = end, end - len(form.mime) + len(str(form))
    if form.specifications:
        yield make_finding("LX403", component="format", start=start, end=end)
    if manifestation.feature is not None:
        start = end + len(str(manifestation.component)) + 2
        end = start + len(str(manifestation.feature))
        yield make_finding("LX404", component="feature", start=start, end=end)


class _TracedText:
    """Text of a name made of pieces of a URI, with the position in the URI of each character."""

    def __init__(self) -> None:
        """Begin with an empty text."""
        self.text = ""
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, text: str, start: int) -> None:
        """Add a piece of the URI unchanged."""
        self.text += text
        self._starts += range(start, start + len(text))
        self._ends += range(start + 1, start + len(text) + 1)

    def replace(self, text: str, start: int, end: int) -> None:
        """Add a text that replaces a piece of the URI."""
        self.text += text
        self._starts += [start] * len(text)
        self._ends += [end] * len(text)

    def locate(self, start: int, end: int) -> _Span:
        """Return the position in the URI of a part of the text."""
        first = self._starts[start] if start < len(self._starts) else self._ends[-1]
        return _Span(first, first if end <= start else max(first, self._ends[end - 1]))


_PRODUCTIONS = {
    "": ("jurisdiction", "authority", "measure", "details"),
    "@": ("version", "language"),
    "$": ("editor", "format", "component", "feature"),
}
_FOLLOWING_MARKS = {"": "@$", "@": "$", "$": ""}
_NAME_SEPARATOR = compile_late("[:@$]")
# No character of a name takes more than three in a path.
_LONGEST_PATH = 3 * LONGEST_NAME
# A URI has %7C for the "|" straight after a date of details or version (RFC 9676 section 3.6).
_LOCAL_DATE = compile_late(r"((?:\A|(?<=[,;]))[0-9]{4}-[0-9]{2}-[0-9]{2})%7[Cc]")


class _Segment(NamedTuple):
    """Segment of the path, its offset in the URI, and its production."""

    text: str
    start: int
    component: str = ""

    @property
    def span(self) -> _Span:
        return _Span(self.start, self.start + len(self.text))


# A mark, ``@`` or ``$``, and the segments after it; those of the work have an empty mark.
_Group = tuple[_Segment, list[_Segment]]


def _trace_path(trace: _TracedText, uri: str, path: _Span, publisher: str | None) -> None:
    """Add the text that a path stands for, without ``urn:lex:``.

    Raises:
        _UriError: the path has neither of the two forms, or is too long.
    """
    if path.end - path.start > _LONGEST_PATH:
        raise _UriError("LX424", "nid", path, path.end - path.start)
    texts = uri[path.start : path.end].split("/")
    if texts[-1] == "" or _is_served_file(texts):
        texts.pop()  # a server has added it
    found: list[_Segment] = []
    start = path.start
    for text in texts:
        found.append(_Segment(text, start))
        start += len(text) + 1
    for mark, segments in _group_segments(found, path):
        if mark.text:
            trace.replace(mark.text, mark.start - 1, mark.span.end + 1)
        if mark.text == "$" and len(segments) == 1:
            _trace_draft_segment(trace, segments[0], publisher)
            continue
        for number, segment in enumerate(segments):
            if number:
                trace.replace(":", segment.start - 1, segment.start)
            _trace_segment(trace, segment)


def _group_segments(segments: list[_Segment], path: _Span) -> list[_Group]:
    """Group the segments: the work, then those after ``@``, then those after ``$``.

    Raises:
        _UriError: a group has too few or too many segments, or one that clients change.
    """
    groups: list[_Group] = [(_Segment("", path.start), [])]
    for number, segment in enumerate(segments):
        mark, members = groups[-1]
        names = _PRODUCTIONS[mark.text]
        if segment.text in ("@", "$"):
            if segment.text not in _FOLLOWING_MARKS[mark.text]:
                component = _PRODUCTIONS[segment.text][0]
                raise _UriError("LX418", component, segment.span, segment.text)
            groups.append((segment, []))
            continue
        further = names[-1] if mark.text else "annex"
        component = names[len(members)] if len(members) < len(names) else further
        members.append(segment._replace(component=component))
        _check_segment(members[-1], last=number == len(segments) - 1)
    for mark, members in groups:  # the number of annexes is free
        names = _PRODUCTIONS[mark.text]
        if not mark.text and len(members) < len(names):
            end = members[-1].span.end if members else path.end
            raise _UriError("LX417", names[len(members)], _Span(end, end))
        if mark.text and not members:
            raise _UriError("LX417", names[0], mark.span)
        if mark.text and len(members) > len(names):
            span = _Span(members[len(names)].start, members[-1].span.end)
            raise _UriError("LX419", names[-1], span, mark.text, len(names))
    return groups


def _check_segment(segment: _Segment, *, last: bool) -> None:
    """Refuse a segment that clients change, or that would give one name two paths."""
    text, component = segment.text, segment.component
    if text == "":
        raise _UriError("LX414", component, _Span(segment.start - 1, segment.start))
    if _DOT_SEGMENT.fullmatch(text):
        raise _UriError("LX415", component, segment.span, text)
    tilde = text.find("~")
    if tilde >= 0 and not last:
        raise _UriError("LX420", "partition", _Span(segment.start + tilde, segment.span.end))
    separator = _NAME_SEPARATOR.search(text, 0, len(text) if tilde < 0 else tilde)
    if separator is not None:
        span = _Span(segment.start + separator.start(), segment.start + separator.end())
        raise _UriError("LX416", component, span, separator[0])


def _trace_segment(trace: _TracedText, segment: _Segment) -> None:
    """Add one segment, with the ``|`` of its local dates."""
    dates, at = "", 0  # elsewhere ``%7C`` is data
    if segment.component == "details":
        dates = segment.text.partition(";")[0].partition("~")[0]
    elif segment.component == "version":
        dates = segment.text.partition("~")[0]
    for date in _LOCAL_DATE.finditer(segment.text, 0, len(dates)):
        trace.add(segment.text[at : date.end(1)], segment.start + at)
        trace.replace("|", segment.start + date.end(1), segment.start + date.end())
        at = date.end()
    trace.add(segment.text[at:], segment.start + at)


def _trace_draft_segment(trace: _TracedText, segment: _Segment, publisher: str | None) -> None:
    """Add the drafts' ``[ component *(";" specification)] "." format`` as a manifestation."""
    if publisher is None:
        raise _UriError("LX421", "publisher", segment.span)
    short, tilde, partition = segment.text.partition("~")
    end = segment.start + len(short)
    component, dot, extension = short.rpartition(".")
    mime = load_table("extensions")["formats"].get(extension.lower()) if dot else None
    if mime is None:
        raise _UriError("LX422", "mime", _Span(end - len(extension), end), extension)
    trace.replace(f"{publisher}:", *segment.span)
    trace.replace(mime, end - len(extension), end)
    if component:
        trace.replace(":", segment.start, segment.start)
        trace.add(component, segment.start)
    trace.add(tilde + partition, end)


# The path of a URI may hold the folder several times; only the first ones are tried.
_FOLDERS, _MOST_FOLDERS = re.compile(f"(?={_FOLDER})"), 8
_PUBLISHER_SEPARATORS = frozenset(":@$~?#")
_SAMPLE_NAME = "urn:lex:it:a:b:2000-01-01;1${}:text-html"


def parse_http(
    uri: str,
    *,
    base: str | None = None,
    publisher: str | None = None,
    reading: ReadingName = "text",
) -> Name:
    """Read the name whose HTTP-URI equivalent is ``uri``; for the arguments see `check_http`.

    Raises:
        NameSyntaxError: the URI is not the equivalent of a name.
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
    """Check an HTTP-URI equivalent, in the reversible form or the drafts'; any text gives a report.

    Args:
        uri: the URI; offsets in the findings are offsets into it.
        base: the site of the URI; with None any site is accepted, and a name is sought after each
            ``/lex/`` of the path, from the left.
        publisher: the publisher of a manifestation in the drafts' form, which does not state it,
            for example ``senato.it`` or ``juradmin.eu;jurifast``.
        reading: the reading of the name.

    Raises:
        HttpFormError: the base or the publisher cannot be used.
    """
    chosen = Reading(reading)
    prefix = None if base is None else normalize_base(base)
    if publisher is not None:
        sample = check(_SAMPLE_NAME.format(publisher), Reading.TEXT)
        if not sample.valid or not _PUBLISHER_SEPARATORS.isdisjoint(publisher):
            raise HttpFormError(f"{publisher!r} is not a publisher; write one such as senato.it")
    try:
        paths = _find_paths(uri, prefix)
    except _UriError as error:
        return _report_error(uri, error, chosen)
    reports: list[Report] = []
    for path in paths:
        reports.append(_check_path(uri, path, publisher, chosen))
        if reports[-1].valid:
            return reports[-1]
    return reports[0]


def _report_error(uri: str, error: _UriError, reading: Reading) -> Report:
    from lexurn.name.values import Parts  # noqa: PLC0415 - few names are taken apart

    return Report(text=uri, reading=reading, name=None, parts=Parts(), findings=(error.finding,))


def _find_paths(uri: str, prefix: str | None) -> list[_Span]:
    """Find each part of the path after a ``/lex/`` that may be a name, at least one.

    Raises:
        _UriError: the URI has a query, an unusable site, another base, or no ``/lex/``.
    """
    fragment = uri.find("#")
    end = len(uri) if fragment < 0 else fragment
    query = uri.find("?", 0, end)
    if query >= 0:
        raise _UriError("LX413", "q-component", _Span(query, end))
    origin, start = _read_site(uri[:end])
    if prefix is not None:
        if not f"{origin}{uri[start:end]}/".startswith(f"{prefix}/"):
            raise _UriError("LX411", "scheme", _Span(0, start), prefix)
        start += len(prefix) - len(origin)
        found = [start] if uri.startswith(_FOLDER, start, end) else []
    else:
        folders = islice(_FOLDERS.finditer(uri, start, end), _MOST_FOLDERS)
        found = [folder.start() for folder in folders]
        if found and not _is_plain_path(uri[start : found[0]]):
            problem = "clients may change the path before /lex/"
            raise _UriError("LX410", "scheme", _Span(start, found[0]), problem)
    if not found:
        raise _UriError("LX412", "nid", _Span(start, end))
    return [_Span(each + len(_FOLDER), end) for each in found]


def _check_path(uri: str, path: _Span, publisher: str | None, reading: Reading) -> Report:
    """Check the name that a path after one ``/lex/`` stands for."""
    folder = path.start - len(_FOLDER)
    trace = _TracedText()
    trace.replace(NAME_PREFIX, folder, path.start)
    try:
        _trace_path(trace, uri, path, publisher)
    except _UriError as error:
        return _report_error(uri, error, reading)
    trace.add(uri[path.end :], path.end)
    report = check(trace.text, reading)
    # A ``|`` of a local date that is written as in a name.
    severity = find_severity("LX423", reading)
    bars = [
        replace(
            make_finding("LX423", component="date-loc", start=at, end=at + 1), severity=severity
        )
        for at in range(path.start, path.end)
        if uri[at] == "|"
    ]
    placed = []
    for finding in report.findings:
        suggestion = None
        if finding.suggestion and (name := check(finding.suggestion, Reading.TEXT).name):
            suggestion = uri[:folder] + _add_slash(http_path(name))
        start, end = trace.locate(finding.start, finding.end)
        placed.append(replace(finding, start=start, end=end, suggestion=suggestion))
    return replace(
        report,
        text=uri,
        name=None if bars and reading is Reading.GRAMMAR else report.name,
        findings=tuple(sorted((*bars, *placed), key=lambda each: each.start)),
    )
