"""One page of each kind of a published site, and a server that has the site."""

from __future__ import annotations

import csv
import threading
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from lexurn import parse, publish
from lexurn.name import http_path
from lexurn.pages import locate_folder
from lexurn.publishing import Site

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

TOP = Path(__file__).parents[2]
PAGES = tomllib.loads((TOP / "tests" / "extras" / "pages.toml").read_text("utf-8"))
"""The kinds of pages of each table."""

ACTS = PAGES["acts"]
"""The kinds of pages of the example table, each with its name or file."""

NAMED = [kind for kind, page in ACTS.items() if page.startswith("urn:")]
STATED = Site(
    title={"en": "Laws of the example"},
    description={"en": "Acts of many jurisdictions, version by version."},
    publisher="Parliament",
    publisher_iri="https://parliament.example/",
    license="https://creativecommons.org/publicdomain/zero/1.0/",
    contact="law@parliament.example",
)
_TYPES = {
    ".js": "text/javascript",
    ".ttl": "text/turtle",
    ".jsonld": "application/ld+json",
    ".atom": "application/atom+xml",
    "links.json": "application/linkset+json",
}


@dataclass(frozen=True)
class ServedSite:
    """A folder of pages, the URL at which it is served, and its rows."""

    folder: Path
    url: str
    rows: dict[str, dict[str, str]]

    @cached_property
    def uris(self) -> dict[str, str]:
        """The name of each HTTP URI."""
        return {self.make_uri(name): name for name in self.rows}

    def read_page(self, kind: str) -> str:
        return (self.folder / locate_page(ACTS[kind])).read_text("utf-8")

    def make_uri(self, name: str) -> str:
        """Return the HTTP URI of a name."""
        return f"{self.url}{http_path(parse(name))}"

    def locate(self, url: str) -> Path:
        """Return the file of a URL without its fragment, as the settings of a server do."""
        if url in self.uris:
            return self.folder / locate_page(self.uris[url])
        path = self.folder / unquote(url.removeprefix(self.url)).strip("/")
        return path / "index.html" if path.is_dir() else path


class _Handler(SimpleHTTPRequestHandler):
    def guess_type(self, path: str | os.PathLike[str]) -> str:
        for end, kind in _TYPES.items():
            if str(path).endswith(end):
                return kind
        return super().guess_type(path)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


def locate_page(page: str) -> str:
    """Return the path of a page, given by its name or as a file."""
    if not page.startswith("urn:"):
        return page
    return "/".join([*locate_folder(parse(page)), "index.html"])


@contextmanager
def serve_site(table: Path, folder: Path, *, search: bool = False) -> Iterator[ServedSite]:
    """Publish a table at the URL of a server of its own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder))) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        report = publish(
            table,
            folder,
            base=url,
            as_of="2026-01-01",
            check=lambda _: (),
            workers=1,
            site=STATED,
            search=search,
        )
        assert report.published
        with table.open(encoding="utf-8", newline="") as file:
            rows = {row["urn"]: row for row in csv.DictReader(file)}
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield ServedSite(folder, url, rows)
        server.shutdown()
        thread.join()


def make_url(site: ServedSite, page: str) -> str:
    """Return the URL of a page, given by its name or as a file."""
    return f"{site.url}/{quote(locate_page(page), safe='/;+@$')}"
