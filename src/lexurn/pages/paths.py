"""Paths of a site: the folder of each HTTP URI, safe on any disk, and the files in it.

A static server looks a URL up by its percent-decoded path, so that is where `publish` writes. A
segment that some disk cannot hold, or that would leave the folder, is written escaped.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from lexurn.name import http_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.name import Name


class Representation(Enum):
    """Representation of a name. The last one is the page, by which people find the others.

    `describe`, sites, head tags, linksets and servers read this one table; `descriptions` writes
    the bytes of each row. An RDF format has the name that `lexurn.Format` gives it.

    Attributes:
        kind: its key, as in ``describe --format csl-json``.
        label: its name for people.
        media_type: its media type.
        suffix: the end of the names of its files, without a dot.
        file_name: the name of its file in the folder of a name on a site; None if it has none.
        relations: the relations of that file to the page (RFC 8288).
    """

    TEXT = ("Text", "text/plain", "txt")
    TURTLE = ("Turtle", "text/turtle", "ttl", "index.ttl", ("describedby",))
    TRIG = ("TriG", "application/trig", "trig")
    NTRIPLES = ("N-Triples", "application/n-triples", "nt")
    NQUADS = ("N-Quads", "application/n-quads", "nq")
    JSONLD = (
        *("JSON-LD", "application/ld+json", "jsonld", "index.jsonld"),
        ("alternate", "describedby"),
    )
    RDFXML = ("RDF/XML", "application/rdf+xml", "rdf")
    LINKSET = ("Linkset", "application/linkset+json", "json", "links.json", ("linkset",))
    BIBTEX = ("BibTeX", "application/x-bibtex", "bib")
    RIS = ("RIS", "application/x-research-info-systems", "ris")
    CSL_JSON = ("CSL-JSON", "application/vnd.citationstyles.csl+json", "json")
    HTML = ("HTML", "text/html", "html", "index.html")

    def __init__(
        self,
        label: str,
        media_type: str,
        suffix: str,
        file_name: str | None = None,
        relations: tuple[str, ...] = (),
    ) -> None:
        self.kind = self.name.lower().replace("_", "-")
        self.label = label
        self.media_type = media_type
        self.suffix = suffix
        self.file_name = file_name
        self.relations = relations


WRITTEN_FILES = frozenset(
    {
        *(".lexurn", ".lexurn-new", ".lexurn-site.sqlite", "catalogue.nq.gz", "catalogue.ttl"),
        *(each.file_name for each in Representation if each.file_name is not None),
        *("context.jsonld", "feed.atom", "sitemap.xml", "robots.txt", "style.css", "site.js"),
        *("404.html", "about.html", "report.html", "report.ttl"),
    }
)
_LONGEST_SEGMENT = 200
# Disks hold paths of 4,096 bytes (Linux), the folder of the site and the file's name included.
_LONGEST_PATH = 3_000
# Programs that walk folders give up on deep ones; no real name comes near to this.
_MOST_SEGMENTS = 100
_KEPT_CHARACTERS = 40
_UNSAFE_CHARACTERS = re.compile(r"[^A-Za-z0-9.;,@$=-]")
_REFUSED = re.compile(
    r"[/\\<>:\"|?*\x00-\x1f\x7f-\x9f]"  # characters
    r"|^_|^\.{0,2}$|[. ]$"  # our own escapes, this folder and the one above, ends
    # devices of Windows, whatever their extension
    r"|^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)",
    re.IGNORECASE,
)
_LINK_SAFE = "!$()*+,;=:@"


def escape_segment(segment: str) -> str:
    r"""Return a decoded segment of a path as it is written to disk.

    It is escaped (``_``, its first 40 safe characters, ``-``, 16 hex digits of its SHA-256) where
    it is longer than 200 bytes, starts with ``_``, is the name of a file that `publish` writes, or
    cannot be the name of a folder on Linux, macOS and Windows: ``.`` or ``..``, a device such as
    ``con``, one of ``/ \ < > : " | ? *`` or a control character in it, a dot or blank at its end.
    """
    if (
        len(segment.encode()) <= _LONGEST_SEGMENT
        and segment.casefold() not in WRITTEN_FILES
        and not _REFUSED.search(segment)
    ):
        return segment
    return _digest_segment(segment)


def _digest_segment(segment: str) -> str:
    digest = hashlib.sha256(segment.encode()).hexdigest()[:16]
    return f"_{_UNSAFE_CHARACTERS.sub('', segment)[:_KEPT_CHARACTERS]}-{digest}"


@lru_cache(maxsize=2_048)
def locate_folder(name: Name) -> tuple[str, ...]:
    """Return the folder of a name below the site's folder, segment by segment.

    A path that would be too long or too deep for disks and programs is cut. Its last segment is
    then the rest, joined by slashes and escaped.
    """
    decoded = _decode_segments(name)
    segments = [escape_segment(segment) for segment in decoded]
    room = _LONGEST_PATH
    for index, segment in enumerate(segments):
        room -= len(segment.encode()) + 1
        if room < 0 or index == _MOST_SEGMENTS:
            return (*segments[:index], _digest_segment("/".join(decoded[index:])))
    return tuple(segments)


def _decode_segments(name: Name) -> tuple[str, ...]:
    return tuple(unquote(segment) for segment in http_path(name).removeprefix("/").split("/"))


def is_path_exact(name: Name) -> bool:
    """Return whether the name's HTTP URI leads to its folder: no segment of it is escaped."""
    return locate_folder(name) == _decode_segments(name)


def make_collision_key(segments: Sequence[str]) -> str:
    """Return a key that paths share if a disk that ignores case or Unicode form mixes them up."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", "/".join(segments)).casefold())


def quote_path(segments: Sequence[str]) -> str:
    """Return the percent-encoded path of the URL under which a static server has a folder."""
    return "/".join(map(_quote_segment, segments))


@lru_cache(maxsize=4_096)
def _quote_segment(segment: str) -> str:
    return quote(segment, safe=_LINK_SAFE)


def make_relative_link(origin: Sequence[str], target: Sequence[str]) -> str:
    """Return the link from the page in one folder to that in another; it also works on disk."""
    shared = 0
    while shared < min(len(origin), len(target)) and origin[shared] == target[shared]:
        shared += 1
    up = "../" * (len(origin) - shared) or "./"
    down = "".join(f"{_quote_segment(segment)}/" for segment in target[shared:])
    return f"{up}{down}index.html"
