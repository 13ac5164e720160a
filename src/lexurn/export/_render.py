"""From a chunk of families to the folders of their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from lexurn.export._disk import put_folder
from lexurn.export._head import head_of
from lexurn.export._pages import page_of
from lexurn.export._paths import relative_link, segments_of
from lexurn.export._select import Excerpts
from lexurn.export._spool import families_in, is_published
from lexurn.export._templates import render
from lexurn.export._view import View
from lexurn.graph import Format, Statements, nquads_of, statements_of, write

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable
    from pathlib import Path

    from lexurn.model import Family
    from lexurn.name import Name

__all__ = ["Setting", "Written", "write_chunk"]

_DATA = (("Turtle", "index.ttl"), ("JSON-LD", "index.jsonld"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is the same for all pages of a run.

    Attributes:
        out: the folder of the site.
        staging: the folder where things are made.
        table: the table of all names that are published.
        base: the base of HTTP URIs.
        as_of: the day for what is in force.
    """

    out: Path
    staging: Path
    table: Path
    base: str
    as_of: dt.date


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What became of a chunk.

    Attributes:
        nodes: how many names it has.
        families: how many families.
        written: how many files had to be written.
        quads: its statements as N-Quads.
    """

    nodes: int
    families: int
    written: int
    quads: bytes


def write_chunk(chunk: bytes, setting: Setting) -> Written:
    """Write the folders of all names of a chunk.

    Raises:
        PublishError: the disk refuses.
    """
    families = families_in(chunk)
    written, quads = 0, bytearray()
    for family in families:
        view = View(family=family, as_of=setting.as_of, base=setting.base)
        statements = statements_of(family, as_of=setting.as_of, base=setting.base)
        quads += nquads_of(family, as_of=setting.as_of, base=setting.base)
        written += _write_family(Excerpts.of(view, statements), setting)
    return Written(
        nodes=sum(len(family.records) for family in families),
        families=len(families),
        written=written,
        quads=bytes(quads),
    )


def _write_family(excerpts: Excerpts, setting: Setting) -> int:
    """The folder of each name; what is nested comes after what holds it, so that each is new."""
    names = sorted(
        (record.name for record in excerpts.view.family.records),
        key=lambda name: (len(segments_of(name)), str(name)),
    )
    written = 0
    for name in names:
        folder = setting.out.joinpath(*segments_of(name))
        written += put_folder(folder, _files(excerpts, name, setting), setting.staging)
    return written


def _files(excerpts: Excerpts, name: Name, setting: Setting) -> dict[str, bytes]:
    """The files of one name; the page, by which people find the others, comes last."""
    view = excerpts.view
    excerpt = excerpts.about(name)
    page = page_of(view, name, link=_linker(view.family, name, setting), data=_DATA)
    tags = Markup(head_of(view, name))  # noqa: S704 - rendered with autoescape
    return {
        "index.ttl": write(excerpt, Format.TURTLE),
        "index.jsonld": _jsonld(excerpt),
        "index.html": render("page.html", page=page, head=tags).encode(),
    }


def _jsonld(excerpt: Statements) -> bytes:
    """JSON-LD with the context inside, whose text is the same on all pages and made only once."""
    written = write(excerpt, Format.JSONLD, context="url")
    return written.replace(*_context_texts(), 1)


@cache
def _context_texts() -> tuple[bytes, bytes]:
    """How JSON-LD begins with the context's URL, and how it begins with the context inside."""
    begins = [
        write(Statements(), Format.JSONLD, context=style).partition(b'"@graph"')[0]
        for style in ("url", "inline")
    ]
    return begins[0], begins[1]


def _linker(family: Family, origin: Name, setting: Setting) -> Callable[[Name], str | None]:
    """Links from the page of ``origin``, only to names that are published."""
    start = segments_of(origin)

    def link(name: Name) -> str | None:
        if family.record(name) is None and not is_published(setting.table, name):
            return None
        return relative_link(start, segments_of(name))

    return link
