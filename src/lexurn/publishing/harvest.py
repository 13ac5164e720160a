"""Files by which machines find the pages of a site: sitemaps, the feed and ``robots.txt``."""

from __future__ import annotations

from html import escape
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from lexurn.pages import quote_path, render_template
from lexurn.publishing.entries import ACT_COLUMNS, ActEntry

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

    from lexurn.publishing.dcat import SiteSettings

_SITEMAP_SIZE = 50_000
"""Number of URLs that a sitemap may have (sitemaps.org)."""
_FEED_SIZE, _FEED_PAGE = 500, 100
_SITEMAP_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write_harvest_files(
    connection: sqlite3.Connection, settings: SiteSettings
) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of the files.

    Args:
        connection: the database with the tables of `lexurn.publishing.entries.SCHEMA`.
        settings: the settings of the site.
    """
    base = settings.base
    (total,) = connection.execute("SELECT count(*) FROM page").fetchone()
    rows = connection.execute("SELECT url, changed FROM page ORDER BY url")
    if total <= _SITEMAP_SIZE:
        yield "sitemap.xml", _write_sitemap("urlset", "url", rows)[0]
    else:
        files: list[tuple[str, str]] = []
        for number in range(1, -(-total // _SITEMAP_SIZE) + 1):
            content, changed = _write_sitemap("urlset", "url", islice(rows, _SITEMAP_SIZE))
            files.append((f"{base}/sitemap-{number}.xml", changed))
            yield f"sitemap-{number}.xml", content
        yield "sitemap.xml", _write_sitemap("sitemapindex", "sitemap", files)[0]
    yield from _write_feed(connection, settings)
    yield "robots.txt", f"User-agent: *\nAllow: /\nSitemap: {base}/sitemap.xml\n".encode()


def _write_sitemap(root: str, element: str, urls: Iterable[tuple[str, str]]) -> tuple[bytes, str]:
    """Write a sitemap; return it with the latest day of its URLs."""
    text, latest = BytesIO(), ""
    text.write(b'<?xml version="1.0" encoding="utf-8"?>\n')
    text.write(f'<{root} xmlns="{_SITEMAP_NAMESPACE}">\n'.encode())
    for url, changed in urls:
        modified = f"<lastmod>{changed}</lastmod>" if changed else ""
        text.write(
            f"<{element}><loc>{escape(url, quote=False)}</loc>{modified}</{element}>\n".encode()
        )
        latest = max(latest, changed)
    text.write(f"</{root}>\n".encode())
    return text.getvalue(), latest


def _write_feed(
    connection: sqlite3.Connection, settings: SiteSettings
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
            words=settings.words,
            base=settings.base,
            title=settings.title.value,
            file=file,
            links=[each for each in links if each[1]] if len(files) > 1 else [],
            updated=acts[0].changed if acts else "1970-01-01",
            acts=[(act, f"{settings.base}/{quote_path(act.path.split('/'))}") for act in page],
        )
        yield file, text.encode()
