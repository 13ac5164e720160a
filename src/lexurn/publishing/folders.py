"""Folders of names: the pages and files of alias sets, written by any process, in chunks."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from lexurn.graph import find_concepts
from lexurn.model import unpack_family
from lexurn.name import parse
from lexurn.pages import (
    Excerpts,
    FamilyView,
    SiteLinks,
    choose_language,
    locate_folder,
    make_relative_link,
    write_representations,
)
from lexurn.publishing import server
from lexurn.publishing.entries import find_change, list_entries, list_pages
from lexurn.publishing.site import SiteFolder
from lexurn.publishing.state import WAIT, WrittenSet, digest_bytes, digest_path
from lexurn.publishing.statements import pack_quads

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.publishing.dcat import SiteSettings
    from lexurn.publishing.state import StaleSet
    from lexurn.publishing.statements import Chunk, PackedChunk

_PATHS_QUERY = "SELECT name FROM name WHERE path = ?"


def write_chunk(
    chunk: Chunk, sets: Sequence[StaleSet], settings: SiteSettings
) -> tuple[list[WrittenSet], PackedChunk | None]:
    """Write the folders of the names of a chunk's alias sets, and its statements.

    Args:
        chunk: the chunk; its statements are written where it has no place in the file.
        sets: the alias sets; the folders of those that are stale are written.
        settings: the settings.

    Raises:
        PublishError: the disk refuses.
    """
    site = SiteFolder(settings.out)
    address = f"{settings.state.absolute().as_uri()}?mode=ro"
    written: list[WrittenSet] = []
    quads: list[bytes] = []
    families: list[Family] = []
    with closing(sqlite3.connect(address, uri=True, timeout=WAIT)) as state:
        for each in sets:
            family = unpack_family(each.data)
            view = FamilyView(family=family, as_of=settings.as_of, base=settings.base)
            excerpts = Excerpts(view)
            if each.is_stale:
                written.append(_write_set(each, excerpts, settings, site, state))
            if chunk.place is None:
                quads.append(excerpts.graph.write_nquads())
                families.append(family)
    if chunk.place is not None:
        return written, None
    return written, pack_quads(b"".join(quads), settings.base, find_concepts(families))


def _write_set(
    stale: StaleSet,
    excerpts: Excerpts,
    settings: SiteSettings,
    site: SiteFolder,
    state: sqlite3.Connection,
) -> WrittenSet:
    view, family, written = excerpts.view, excerpts.view.family, 0
    day = find_change(view)
    changed: list[str] = []
    files: dict[str, bytes] = {}
    pages = _SitePages(family, state, stale.amended)
    # Nested names come after those that hold them, so that each folder is new.
    for name in sorted(
        (record.name for record in family.records),
        key=lambda name: (len(locate_folder(name)), str(name)),
    ):
        segments = locate_folder(name)
        language = choose_language(name, settings.language)
        links = SiteLinks(
            find=partial(pages.link, name),
            root="../" * len(segments),
            list_amended=pages.list_amended,
            title=settings.site.choose_title(language, settings.base),
            search=settings.search,
        )
        made = write_representations(
            excerpts,
            name,
            links,
            language=settings.language,
            inline_context=settings.inline_context,
        )
        prefix = "/".join(segments)
        digests = {f"{prefix}/{file}": digest_bytes(content) for file, content in made.items()}
        new = {
            file: content
            for path, (file, content) in zip(digests, made.items(), strict=True)
            if stale.files.get(path) != digests[path]
        }
        if new:
            written += site.write_folder(prefix, new, is_whole=len(new) == len(made))
            changed += (f"{prefix}/{file}" for file in new)
        files |= digests
    return WrittenSet(
        key=stale.key,
        files=files,
        links=pages.links,
        entries=list(list_entries(view, day, settings.language)),
        pages=[(url, day) for url in list_pages(view)],
        exceptions=list(server.list_exceptions(view)),
        names=len(family.records),
        written=written,
        changed=changed,
    )


class _SitePages:
    """Pages of the site, as the pages of one alias set link them.

    Attributes:
        links: the answers for names of other alias sets, by the digests of their paths.
    """

    def __init__(
        self, family: Family, state: sqlite3.Connection, amended: Mapping[str, Sequence[str]]
    ) -> None:
        self.links: dict[bytes, bool] = {}
        self._family, self._state, self._amended = family, state, amended

    def link(self, origin: Name, name: Name) -> str | None:
        """Return the link from the page of ``origin`` to that of a name, None if it has no page."""
        if self._family.record(name) is None:
            path = digest_path(name)
            holders = self._state.execute(_PATHS_QUERY, (path,)).fetchall()
            self.links[path] = bool(holders)
            if holders != [(str(name),)]:
                return None
        return make_relative_link(locate_folder(origin), locate_folder(name))

    def list_amended(self, name: Name) -> list[Name]:
        """List the acts that a name amends, by the records of these."""
        return [parse(each) for each in self._amended.get(str(name), ())]
