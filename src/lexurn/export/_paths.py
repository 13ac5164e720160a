"""Where the file of an HTTP URI lies: the percent-decoded path, safe on any disk.

A static server looks a URL up by its percent-decoded path, so that is where `publish` writes. A
segment that no disk can hold, or that would leave the folder, is written escaped.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from lexurn.name import http_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.name import Name

__all__ = [
    "WRITTEN_FILES",
    "collision_key",
    "file_segment",
    "is_served_exactly",
    "relative_link",
    "segments_of",
    "served_path",
]

WRITTEN_FILES = frozenset(
    {
        ".lexurn",
        ".lexurn-new",
        "catalogue.nq.gz",
        "catalogue.ttl",
        "context.jsonld",
        "feed.atom",
        "index.html",
        "index.jsonld",
        "index.ttl",
        "links.json",
        "report.html",
        "report.ttl",
        "sitemap.xml",
    }
)
_LONGEST_SEGMENT = 200
# Disks hold paths of 4,096 bytes (Linux), the folder of the site and the file's name included.
_LONGEST_PATH = 3_000
# Programs that walk folders give up on deep ones; no name in earnest comes near to this.
_MOST_SEGMENTS = 100
_KEPT = 40
_UNSAFE = re.compile(r"[^A-Za-z0-9.;,@$=-]")
_REFUSED = re.compile(r"[/\\\x00-\x1f\x7f-\x9f]")
_LINK_SAFE = "!$()*+,;=:@"


def file_segment(segment: str) -> str:
    """One decoded segment of a path as it is written to disk.

    Escaped (``_``, its first 40 safe characters, ``-``, 16 hex digits of its SHA-256) where it is
    longer than 200 bytes, is ``.`` or ``..``, holds a slash, a backslash or a control character,
    starts with ``_``, or is a file that `publish` itself writes.
    """
    if (
        len(segment.encode()) <= _LONGEST_SEGMENT
        and segment not in {"", ".", ".."}
        and not segment.startswith("_")
        and segment.casefold() not in WRITTEN_FILES
        and not _REFUSED.search(segment)
    ):
        return segment
    return _escaped(segment)


def _escaped(segment: str) -> str:
    digest = hashlib.sha256(segment.encode()).hexdigest()[:16]
    return f"_{_UNSAFE.sub('', segment)[:_KEPT]}-{digest}"


@lru_cache(maxsize=8_192)
def segments_of(name: Name) -> tuple[str, ...]:
    """The folder of a name below the site's folder, segment by segment.

    Where the whole path would be longer or deeper than disks and programs bear, its end is written
    as one segment: what is left, joined by slashes, and therefore escaped.
    """
    decoded = _decoded(name)
    segments = [file_segment(segment) for segment in decoded]
    room = _LONGEST_PATH
    for place, segment in enumerate(segments):
        room -= len(segment.encode()) + 1
        if room < 0 or place == _MOST_SEGMENTS:
            return (*segments[:place], _escaped("/".join(decoded[place:])))
    return tuple(segments)


def _decoded(name: Name) -> tuple[str, ...]:
    return tuple(unquote(segment) for segment in http_path(name).removeprefix("/").split("/"))


def is_served_exactly(name: Name) -> bool:
    """Whether the name's HTTP URI leads to its folder: no segment of it had to be escaped."""
    return segments_of(name) == _decoded(name)


def collision_key(segments: Sequence[str]) -> str:
    """What paths share that are one on a disk which knows neither case nor the form of accents."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", "/".join(segments)).casefold())


def served_path(segments: Sequence[str]) -> str:
    """The path of a URL that leads a static server to a folder, percent-encoded."""
    return "/".join(quote(segment, safe=_LINK_SAFE) for segment in segments)


def relative_link(origin: Sequence[str], target: Sequence[str]) -> str:
    """The link from the page in one folder to the page in another; it works from a disk as well."""
    shared = 0
    while shared < min(len(origin), len(target)) and origin[shared] == target[shared]:
        shared += 1
    up = "../" * (len(origin) - shared) or "./"
    down = "".join(f"{quote(segment, safe=_LINK_SAFE)}/" for segment in target[shared:])
    return f"{up}{down}index.html"
