"""Preview of a site: a server for a look at a folder, on this machine alone."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.errors import PublishError
from lexurn.publishing.server import TYPES
from lexurn.publishing.site import is_site

if TYPE_CHECKING:
    from io import BytesIO
    from os import PathLike
    from typing import BinaryIO

_ADDRESS = "127.0.0.1"
_MISSING_PAGE = "404.html"


class _Handler(SimpleHTTPRequestHandler):
    """Handler of requests for files; it writes no log."""

    extensions_map = {  # noqa: RUF012 - as in the base class
        f".{ending}": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        for ending, kind in TYPES
    }

    def log_message(self, format: str, *arguments: object) -> None:
        """Write nothing."""

    def send_head(self) -> BytesIO | BinaryIO | None:
        """Open a file; hidden ones, and paths that no file can have, are not there."""
        if "/." not in self.path:
            with suppress(ValueError):
                return super().send_head()
        self.send_error(HTTPStatus.NOT_FOUND)
        return None

    def list_directory(self, path: str) -> None:  # type: ignore[override]  # noqa: ARG002 - of the base class
        """Answer 404 for a folder without a page."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the page of the site for missing addresses."""
        page = Path(self.directory, _MISSING_PAGE)
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        content = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def open_preview(folder: str | PathLike[str], port: int = 0) -> ThreadingHTTPServer:
    """Open a server for the files of a site; `serve_forever` runs it until it is interrupted.

    It has pages and files, and not the redirects and the choice by ``Accept`` of a server with the
    settings in ``server/``.

    Args:
        folder: the folder of the site.
        port: the port; 0 for any that is free. ``server_port`` of the server is the one in use.

    Raises:
        PublishError: the folder is not a site, or the port is taken.
    """
    if not is_site(Path(folder)):
        raise PublishError(f"{folder} is not a site that lexurn has published.")
    try:
        return ThreadingHTTPServer((_ADDRESS, port), partial(_Handler, directory=str(folder)))
    except OSError as fault:
        raise PublishError(
            f"The port {port} cannot be used: {fault.strerror or fault}. Name another with --port."
        ) from None
