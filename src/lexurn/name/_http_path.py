"""The path of an HTTP-URI equivalent, behind ``/lex/``, to the text of a name.

``{jurisdiction}/{authority}/{measure}/{details}[/{annex}]*[/@/{version}[/{language}]]
[/$/{editor}/{format}[/{component}[/{feature}]]][~{partition}]``, or behind ``/$/`` the one segment
of the drafts' form.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lexurn import data
from lexurn.name._http_base import is_dots
from lexurn.name._http_trace import Place, Problem
from lexurn.name._http_writing import is_served_file

if TYPE_CHECKING:
    from lexurn.name._http_trace import Trace

__all__ = ["build"]

_PRODUCTIONS = {
    "": ("jurisdiction", "authority", "measure", "details"),
    "@": ("version", "language"),
    "$": ("editor", "format", "component", "feature"),
}
_MAY_FOLLOW = {"": "@$", "@": "$", "$": ""}
_SEPARATOR = re.compile("[:@$]")
# What is written %7C in a URI: the "|" straight behind a date of details or version (RFC 9676 3.6).
_LOCAL_DATE = re.compile(r"((?:\A|(?<=[,;]))[0-9]{4}-[0-9]{2}-[0-9]{2})%7[Cc]")


class _Segment(NamedTuple):
    """A segment of the path, its offset in the URI, and the production that it stands for."""

    text: str
    start: int
    component: str = ""

    @property
    def place(self) -> Place:
        return Place(self.start, self.start + len(self.text))


class _Group(NamedTuple):
    """Segments behind a mark, ``@`` or ``$``, or those of the work behind none."""

    mark: _Segment
    segments: list[_Segment]


def build(trace: Trace, uri: str, path: Place, publisher: str | None) -> None:
    """Add to ``trace`` the text that a path stands for, without ``urn:lex:``.

    Raises:
        Problem: the path is not shaped like one of the two forms.
    """
    groups = _groups(_segments(uri, path), path)
    for group in groups:
        _check_count(group, path.end)
    for group in groups:
        mark = group.mark
        if mark.text:
            trace.put(mark.text, mark.start - 1, mark.place.end + 1)
        if mark.text == "$" and len(group.segments) == 1:
            _add_short(trace, group.segments[0], publisher)
        else:
            _add_all(trace, group.segments)


def _segments(uri: str, path: Place) -> list[_Segment]:
    """The segments, without what a server adds at the end."""
    texts = uri[path.start : path.end].split("/")
    if texts[-1] == "" or is_served_file(texts):
        texts.pop()
    found: list[_Segment] = []
    start = path.start
    for text in texts:
        found.append(_Segment(text, start))
        start += len(text) + 1
    return found


def _groups(segments: list[_Segment], path: Place) -> list[_Group]:
    """The segments by what they tell: the work, then ``@`` if it is there, then ``$``."""
    groups = [_Group(_Segment("", path.start), [])]
    for number, segment in enumerate(segments):
        if segment.text in ("@", "$"):
            if segment.text not in _MAY_FOLLOW[groups[-1].mark.text]:
                _fail_mark(segment)
            groups.append(_Group(segment, []))
            continue
        group = groups[-1]
        named = segment._replace(component=_production(group))
        _check_segment(named, last=number == len(segments) - 1)
        group.segments.append(named)
    return groups


def _production(group: _Group) -> str:
    """The production of the next segment of a group."""
    names = _PRODUCTIONS[group.mark.text]
    number = len(group.segments)
    return names[number] if number < len(names) else names[-1] if group.mark.text else "annex"


def _fail_mark(mark: _Segment) -> None:
    message = f'"/{mark.text}/" stands in a wrong place: "/@/" comes once, then "/$/" once'
    raise Problem("LX418", _PRODUCTIONS[mark.text][0], mark.place, message)


def _check_segment(segment: _Segment, *, last: bool) -> None:
    """Refuse what would make two paths one name, or what clients change on the way."""
    text, component = segment.text, segment.component
    if text == "":
        place = Place(segment.start - 1, segment.start)
        raise Problem("LX414", component, place, "a segment of the path is empty")
    if is_dots(text):
        message = f"{text} is no part of a name; clients take it for a folder"
        raise Problem("LX415", component, segment.place, message)
    tilde = text.find("~")
    if tilde >= 0 and not last:
        place = Place(segment.start + tilde, segment.place.end)
        raise Problem("LX420", "partition", place, "nothing may follow the partition")
    separator = _SEPARATOR.search(text, 0, len(text) if tilde < 0 else tilde)
    if separator is not None:
        place = Place(segment.start + separator.start(), segment.start + separator.end())
        message = f'"{separator[0]}" cannot stand here; elements are parted by "/", "/@/", "/$/"'
        raise Problem("LX416", component, place, message)


def _check_count(group: _Group, end: int) -> None:
    """Refuse too few and too many segments; annexes may be as many as there are."""
    mark, segments = group
    names = _PRODUCTIONS[mark.text]
    if not mark.text and len(segments) < len(names):
        end = segments[-1].place.end if segments else end
        message = f"the path ends before the {names[len(segments)]}"
        raise Problem("LX417", names[len(segments)], Place(end, end), message)
    if mark.text and not segments:
        message = f'nothing stands behind "/{mark.text}"'
        raise Problem("LX417", names[0], mark.place, message)
    if mark.text and len(segments) > len(names):
        place = Place(segments[len(names)].start, segments[-1].place.end)
        message = f'behind "/{mark.text}/" stand at most {len(names)} segments'
        raise Problem("LX419", names[-1], place, message)


def _add_all(trace: Trace, segments: list[_Segment]) -> None:
    for number, segment in enumerate(segments):
        if number:
            trace.put(":", segment.start - 1, segment.start)
        _add(trace, segment)


def _add(trace: Trace, segment: _Segment) -> None:
    """One segment as it is, but for the ``|`` of its local dates."""
    at = 0
    for date in _LOCAL_DATE.finditer(segment.text, 0, _dates_end(segment)):
        trace.add(segment.text[at : date.end(1)], segment.start + at)
        trace.put("|", segment.start + date.end(1), segment.start + date.end())
        at = date.end()
    trace.add(segment.text[at:], segment.start + at)


def _dates_end(segment: _Segment) -> int:
    """Where the dates of a segment end: elsewhere ``%7C`` is data."""
    if segment.component == "details":
        return len(segment.text.partition(";")[0].partition("~")[0])
    return len(segment.text.partition("~")[0]) if segment.component == "version" else 0


def _add_short(trace: Trace, segment: _Segment, publisher: str | None) -> None:
    """The drafts' ``[ component *(";" specification)] "." format``, the format as an extension."""
    if publisher is None:
        message = "this short form does not say whose manifestation it is: give the publisher"
        raise Problem("LX421", "publisher", segment.place, message)
    short, tilde, partition = segment.text.partition("~")
    end = segment.start + len(short)
    component, dot, extension = short.rpartition(".")
    mime = data.table("extensions")["formats"].get(extension.lower()) if dot else None
    if mime is None:
        place = Place(end - len(extension), end)
        message = f'"{extension}" is no file extension that stands for a format'
        raise Problem("LX422", "mime", place, message)
    trace.put(f"{publisher}:", *segment.place)
    trace.put(mime, end - len(extension), end)
    if component:
        trace.put(":", segment.start, segment.start)
        trace.add(component, segment.start)
    trace.add(tilde + partition, end)
