"""Where the file of a URL lies in the folder that a web server serves."""

from __future__ import annotations

import os
from typing import NamedTuple
from urllib.parse import SplitResult, unquote_to_bytes, urlsplit

__all__ = ["Site", "site_of"]

_INDEX = "index.html"


class Site(NamedTuple):
    """A folder on the web.

    Attributes:
        origin: its scheme and host, in lower case.
        path: its path, with ``/`` at the end.
    """

    origin: tuple[str, str]
    path: str

    def path_of(self, url: str) -> str | None:
        """The path of the file of a URL, from the folder down; None where it is elsewhere.

        A query makes another document of it, a fragment does not; what ends in ``/`` is its
        ``index.html``, as static servers have it.

        Raises:
            ValueError: it leads out of the folder, or is no path of a file.
        """
        split = urlsplit(url)
        if split.query or _origin(split) != self.origin or not _path(split).startswith(self.path):
            return None
        segments = _path(split)[len(self.path) :].split("/")
        if not segments[-1]:
            segments[-1] = _INDEX
        decoded = [_decoded(segment) for segment in segments]
        return "/".join(decoded)


def site_of(url: str) -> Site:
    """The folder that a URL is of.

    Raises:
        ValueError: it is no http or https URL, or has a query or fragment.
    """
    split = urlsplit(url)
    if split.scheme.lower() not in {"http", "https"} or not split.netloc:
        raise ValueError(f"{url!r} is no absolute http or https URL")
    if split.query or split.fragment:
        raise ValueError(f"{url!r} has a query or a fragment, which no folder has")
    return Site(_origin(split), f"{split.path.rstrip('/')}/")


def _origin(split: SplitResult) -> tuple[str, str]:
    return split.scheme.lower(), split.netloc.lower()


def _path(split: SplitResult) -> str:
    return split.path or "/"


def _decoded(segment: str) -> str:
    name = os.fsdecode(unquote_to_bytes(segment))
    if name in {"", ".", ".."} or "/" in name or "\0" in name or os.sep in name:
        raise ValueError(f"{segment!r} is no name of a file")
    return name
