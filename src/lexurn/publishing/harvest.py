"""Files by which machines find the pages of a site: sitemaps, the feed and ``robots.txt``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from lexurn.pages import load_words, quote_path, render_template
from lexurn.publishing.lists import ACT_COLUMNS, ActEntry

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

_SITEMAP_SIZE = 50_000
"""Number of URLs that a sitemap may have (sitemaps.org)."""
_FEED_SIZE, _FEED_PAGE = 500, 100
_SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write_harvest_files(
    connection: sqlite3.Connection, *, base: str, title: str, language: str
) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of the files.

    Args:
        connection: the database with the tables of `lexurn.publishing.lists.SCHEMA`.
        base: the base of HTTP URIs, normalized.
        title: the title of the site.
        language: the language of the site.
    """
    yield from _write_sitemaps(connection, base)
    yield from _write_feed(connection, base, title, language)
    yield "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n".encode()


def _write_sitemaps(connection: sqlite3.Connection, base: str) -> Iterator[tuple[str, bytes]]:
    """Write one sitemap, or an index of several where there are more than 50,000 pages."""
    (total,) = connection.execute("SELECT count(*) FROM page").fetchone()
    rows = connection.execute("SELECT url, changed FROM page ORDER BY url")
    if total <= _SITEMAP_SIZE:
        yield "sitemap.xml", _write_sitemap("urlset", "url", rows)
        return
    files: list[tuple[str, str]] = []
    while urls := list(islice(rows, _SITEMAP_SIZE)):
        file = f"sitemap-{len(files) + 1}.xml"
        files.append((f"{base}/{file}", max(changed for _, changed in urls)))
        yield file, _write_sitemap("urlset", "url", urls)
    yield "sitemap.xml", _write_sitemap("sitemapindex", "sitemap", files)


def _write_sitemap(root: str, element: str, urls: Iterable[tuple[str, str]]) -> bytes:
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<{root} xmlns="{_SITEMAP_NAMESPACE}">']
    for url, changed in urls:
        modified = f"<lastmod>{changed}</lastmod>" if changed else ""
        lines.append(f"<{element}><loc>{escape(url)}</loc>{modified}</{element}>")
    return "\n".join((*lines, f"</{root}>\n")).encode()


def _write_feed(
    connection: sqlite3.Connection, base: str, title: str, language: str
) -> Iterator[tuple[str, bytes]]:
    """Write the feed of the newest changes, in pages (RFC 5005 section 3)."""
    query = (
        f"SELECT {ACT_COLUMNS} FROM act"  # noqa: S608 - a constant
        " WHERE is_counted AND changed != '' ORDER BY changed DESC, path LIMIT ?"
    )
    acts = [ActEntry(*row) for row in connection.execute(query, (_FEED_SIZE,))]
    pages = [acts[at : at + _FEED_PAGE] for at in range(0, len(acts), _FEED_PAGE)] or [[]]
    files = ["feed.atom", *(f"feed-{number}.atom" for number in range(2, len(pages) + 1))]
    around = zip([None, *files], files, [*files[1:], None], pages, strict=False)
    for before, file, after, page in around:
        links = [("first", files[0]), ("last", files[-1]), ("previous", before), ("next", after)]
        text = render_template(
            "feed.xml",
            words=load_words(language),
            base=base,
            title=title,
            file=file,
            links=[each for each in links if each[1]] if len(files) > 1 else [],
            updated=acts[0].changed if acts else "1970-01-01",
            acts=[(act, f"{base}/{quote_path(act.path.split('/'))}") for act in page],
        )
        yield file, text.encode()
