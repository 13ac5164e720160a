"""Settings of web servers for a site: nginx, Apache, and the redirects of w3id.org.

A name is not a file, so its address without a slash at its end answers 303 with that of its
folder. The folder answers 200 with one of four files, chosen by ``Accept`` (RFC 9110 section
12.5.1), else 406. A file answers 200 whatever is asked for; a withdrawn name 410 with its page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from lexurn.model import Status
from lexurn.name import http_path
from lexurn.pages import Representation, locate_folder, render_template

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from lexurn.pages import FamilyView

SCHEMA = """
CREATE TABLE exception (
    path TEXT PRIMARY KEY, folder TEXT NOT NULL, is_withdrawn INTEGER NOT NULL,
    alias_set TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX exception_alias_set ON exception (alias_set);
"""
TYPES = (
    ("html", "text/html"),
    ("ttl", "text/turtle"),
    ("jsonld", "application/ld+json"),
    ("json", "application/json"),
    ("css", "text/css"),
    ("js", "text/javascript"),
    ("txt", "text/plain"),
    ("xml", "application/xml"),
    ("atom", "application/atom+xml"),
    ("gz", "application/gzip"),
    ("wasm", "application/wasm"),
)
"""File extensions of a site, and their media types."""
_LONGEST_PATH = 2_000
"""Length from which a path is left out: nginx reads words of at most 4,096 bytes."""
_CONTROL = re.compile("[\x00-\x1f\x7f]")
_W3ID = "w3id.org"
_UNKNOWN_TARGET = "https://server.invalid"
_DATA = tuple(each for each in Representation if each.file_name and each.relations)
_NAME_FILES = (Representation.HTML, *_DATA)
"""Representations in the folder of a name, the preferred one first."""


class ServerException(NamedTuple):
    """Path that a server cannot look up as a folder with pages in force.

    Attributes:
        path: the decoded path of the name's address, without a slash at either end.
        folder: the path of its folder, below the site.
        is_withdrawn: whether the name was withdrawn.
    """

    path: str
    folder: str
    is_withdrawn: bool


def list_exceptions(view: FamilyView) -> Iterator[ServerException]:
    """Yield the names of a family whose folders have escaped paths, and those withdrawn."""
    for record in view.family.records:
        path = unquote(http_path(record.name)).removeprefix("/")
        folder = "/".join(locate_folder(record.name))
        is_withdrawn = record.status is Status.WITHDRAWN
        is_writable = len(path.encode()) <= _LONGEST_PATH and not _CONTROL.search(path)
        if path != folder and is_writable:
            yield ServerException(path, folder, is_withdrawn=False)
        if is_withdrawn:
            yield ServerException(folder, folder, is_withdrawn=True)


def write_server_files(connection: sqlite3.Connection, base: str) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of the files in ``server/``.

    Args:
        connection: the database with the table of `SCHEMA`.
        base: the base of HTTP URIs, normalized.
    """
    parts = urlsplit(base)
    path = unquote(parts.path)
    rows = connection.execute("SELECT path, folder, is_withdrawn FROM exception ORDER BY path")
    names = [ServerException(*row) for row in rows]
    values = {
        "host": parts.hostname,
        "path": path,
        "pattern": re.escape(path),
        "raw_pattern": re.escape(parts.path),
        "types": TYPES,
        "patterns": list(list_accept_patterns()),
        "links": ", ".join(
            f'<{each.file_name}>; rel="{" ".join(each.relations)}"; type="{each.media_type}"'
            for each in _DATA
        ),
    }
    nginx, apache = [], []
    for each in names:
        word = f"{path}/{each.path}".replace("\\", "\\\\").replace('"', '\\"')
        # A dollar sign would begin a variable.
        target = quote(f"{path}/{each.folder}/", safe="/!()*+,;=:@")
        pattern = re.escape(each.path).replace('"', "\\x22")  # in quotation marks
        common = {"is_withdrawn": each.is_withdrawn}
        nginx.append(common | {"paths": [f'"{word}"', f'"{word}/"'], "target": target})
        # A percent sign would begin the group of a condition.
        apache.append(common | {"pattern": f"^{pattern}/?$", "target": target.replace("%", "\\%")})
    text = render_template("server/nginx.txt", names=nginx, **values)
    yield "server/nginx.conf", text.encode()
    text = render_template("server/htaccess.txt", names=apache, **values)
    yield "server/.htaccess", text.encode()
    is_w3id = parts.hostname == _W3ID
    target = f"{_UNKNOWN_TARGET}{parts.path}" if is_w3id else base
    text = render_template("server/w3id.txt", target=target, is_target_unknown=is_w3id)
    yield "server/w3id.htaccess", text.encode()


# --- Accept ---------------------------------------------------------------------------


def list_accept_patterns() -> Iterator[tuple[str, str]]:
    """Yield regular expressions of ``Accept``, each with the file to serve; the first match wins.

    Weights are read to one digit. Of the same weight, the first of `_NAME_FILES` is preferred. The
    most specific range that matches a media type gives its weight, as RFC 9110 requires.
    """
    weights = [r"(?:; *q=1(?:\.0*)? *)?"]
    weights += [rf"; *q=0\.{digit}[0-9]* *" for digit in range(9, 0, -1)]
    weights.append(r"; *q=0\.0[0-9]*[1-9] *")
    for weight in weights:
        for each in _NAME_FILES:
            main = each.media_type.partition("/")[0]
            exact, several, every = re.escape(each.media_type), rf"{main}/\*", r"\*/\*"
            by_range = f"{_has(several, weight)}|{_has_not(several)}{_has(every, weight)}"
            pattern = f"^(?:{_has(exact, weight)}|{_has_not(exact)}(?:{by_range}))"
            yield pattern, str(each.file_name)


def _has(range_: str, weight: str) -> str:
    return rf"(?=(?:.*,)? *{range_} *(?:;(?! *q=)[^,;]*)*{weight}(?:,|$))"


def _has_not(range_: str) -> str:
    return rf"(?!(?:.*,)? *{range_} *(?:[,;]|$))"
