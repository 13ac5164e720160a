"""Where the file of a URL lies in the folder that a web server serves."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import SplitResult, unquote_to_bytes, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Site", "site_of"]

_INDEX = "index.html"
_SILENT = frozenset({"", ".", ".."})
_PORTS = {"http": 80, "https": 443}


class Site(NamedTuple):
    """A folder on the web.

    Attributes:
        origin: its scheme, host and port.
        path: the segments of its path, decoded.
    """

    origin: tuple[str, str, int | None]
    path: tuple[str, ...]

    def path_of(self, url: str) -> str | None:
        """The path of the file of a URL, from the folder down; None where it is elsewhere.

        A query makes another document of it, a fragment does not; what ends in ``/`` is its
        ``index.html``, as static servers have it. Segments that are ``.``, ``..`` or empty are
        taken out, as browsers and servers do.

        Raises:
            ValueError: it leads out of the folder, or is no path of a file, or its port is none.
        """
        split = urlsplit(url)
        return None if split.query else self._path_of(split)

    def has_query(self, url: str) -> bool:
        """Whether a URL would be that of a file, but for its query."""
        split = urlsplit(url)
        return bool(split.query) and self._path_of(split) is not None

    def _path_of(self, split: SplitResult) -> str | None:
        # Of another host not even the port has to be one.
        if (split.hostname or "") != self.origin[1] or _origin(split) != self.origin:
            return None
        raw = split.path.split("/")
        segments, count = _resolved(raw), len(self.path)
        if tuple(segments[:count]) != self.path:
            if tuple(map(_plain, raw[1 : count + 1])) == self.path:
                raise ValueError("it leads out of the site")
            return None
        below = segments[count:]
        if _plain(raw[-1]) in _SILENT:
            below.append(_INDEX)
        return "/".join(map(_checked, below or [_INDEX]))


def site_of(url: str) -> Site:
    """The folder that a URL is of.

    Raises:
        ValueError: it is no http or https URL, or has a query or fragment.
    """
    split = urlsplit(url)
    if split.scheme.lower() not in _PORTS or not split.hostname:
        raise ValueError(f"{url!r} is no absolute http or https URL")
    if split.query or split.fragment:
        raise ValueError(f"{url!r} has a query or a fragment, which no folder has")
    return Site(_origin(split), tuple(_resolved(split.path.split("/"))))


def _origin(split: SplitResult) -> tuple[str, str, int | None]:
    scheme = split.scheme.lower()
    return scheme, split.hostname or "", split.port or _PORTS.get(scheme)


def _resolved(segments: Iterable[str]) -> list[str]:
    """Decoded segments without those that only lead on or back (RFC 3986 section 5.2.4)."""
    found: list[str] = []
    for segment in map(_plain, segments):
        if segment == "..":
            found = found[:-1]
        elif segment not in _SILENT:
            found.append(segment)
    return found


def _plain(segment: str) -> str:
    return os.fsdecode(unquote_to_bytes(segment))


def _checked(name: str) -> str:
    if "/" in name or "\0" in name or os.sep in name:
        raise ValueError(f"{name!r} is no name of a file")
    return name
