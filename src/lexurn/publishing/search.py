"""Search without a server: pagefind indexes the finished pages, ``search.html`` reads the index.

The home page, the lists and the pages of acts have the attributes that pagefind reads
(``data-pagefind-body``, ``data-pagefind-filter``). It makes an index for each language of pages.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from lexurn.errors import PublishError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

INDEX_FOLDER = "pagefind"
SEARCH_PAGE = "search.html"
_DEPTH = 5
"""Number of segments of the folder of an act."""
_PAGES = re.compile(rf"(?:lex/(?:[^/]+/){{0,{_DEPTH - 1}}})?index\.html")
_PATTERN = f"{{index.html,lex/<*/:0,{_DEPTH - 1}>index.html}}"
"""The same paths, as pagefind writes patterns."""
_IGNORED = "details, .timeline, .parts, .chart, .list, form, button"
_UNUSED = re.compile(r".*(?:-ui\.|-highlight\.)(?:js|css)")
"""Files of pagefind for other search boxes than ours."""


def is_indexed(path: str) -> bool:
    """Return whether the index is out of date when the file at a path of the site has changed."""
    return _PAGES.fullmatch(path) is not None


def require_pagefind() -> None:
    """Check that pagefind is installed.

    Raises:
        PublishError: it is not.
    """
    if find_spec("pagefind") is None:
        raise PublishError(
            "The search needs pagefind, which is not installed; nothing was written. Install it "
            "(pip install 'lexurn[search]'), or publish without --search."
        )


def make_index(site: Path, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the paths and contents of the files of the index of a finished site.

    Args:
        site: the folder of the site.
        folder: a new folder for the index, to be removed by the caller.

    Raises:
        PublishError: pagefind fails.
    """
    folder = folder.absolute()
    command = [sys.executable, "-m", "pagefind", "--silent"]
    command += ["--site", str(site.absolute()), "--output-path", str(folder)]
    command += ["--glob", _PATTERN, "--exclude-selectors", _IGNORED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - this Python and its module
    if done.returncode or not folder.is_dir():
        reason = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise PublishError(
            f"pagefind cannot index the site: {reason}. The pages are complete: publish again, or "
            "without --search."
        )
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not _UNUSED.fullmatch(file.name):
            yield f"{INDEX_FOLDER}/{file.relative_to(folder).as_posix()}", file.read_bytes()
