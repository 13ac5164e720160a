"""Preview of a site: a server for a look at a folder, on this machine alone."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexurn.errors import PublishError
from lexurn.publishing.server import TYPES
from lexurn.publishing.site import is_site

if TYPE_CHECKING:
    from os import PathLike


class _Handler(SimpleHTTPRequestHandler):
    """Handler of requests for files; it writes no log."""

    extensions_map = {  # noqa: RUF012 - the base class has a dict
        f".{ending}": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
        for ending, kind in TYPES
    }

    def __init__(self, *arguments: Any, directory: str) -> None:
        """Answer one request; the page of the site for missing addresses stands for errors."""
        page = Path(directory, "404.html")
        if page.is_file():
            self.error_message_format = page.read_text("utf-8").replace("%", "%%")
        super().__init__(*arguments, directory=directory)

    def log_message(self, format: str, *arguments: object) -> None:
        """Write nothing."""


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
        return ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(folder)))
    except OSError as fault:
        raise PublishError(
            f"The port {port} cannot be used: {fault.strerror or fault}. Name another with --port."
        ) from None
