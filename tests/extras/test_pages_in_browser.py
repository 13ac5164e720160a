"""Pages in a browser: they fit, axe finds nothing, the keyboard suffices, text and links suffice.

With ``LEXURN_FULL=1`` each kind of page is opened in all sizes and colours. ``LEXURN_SCREENSHOTS``
names a folder for a picture of each, also of the LexML portal in ``LEXURN_CORPUS``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from site_pages import PAGES, TOP, make_url, serve_site

if TYPE_CHECKING:
    from site_pages import ServedSite

MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", TOP / "node_modules"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SCRIPT = TOP / "tests" / "support" / "page_browser.mjs"
SIZES = [
    f"{size}-{colours}"
    for size in ("phone320", "phone390", "desktop")
    for colours in ("light", "dark")
]
FEW = ["phone320-light", "desktop-dark"]
CORPUS = os.environ.get("LEXURN_CORPUS")
SCREENSHOTS = os.environ.get("LEXURN_SCREENSHOTS", "-")


@pytest.fixture(scope="module")
def browser() -> list[str]:
    """The start of the command that opens pages."""
    needed = {
        "node": shutil.which("node"),
        "Chromium": CHROMIUM,
        "playwright-core": (MODULES / "playwright-core").is_dir(),
        "axe-core": (MODULES / "axe-core").is_dir(),
    }
    if missing := [what for what, is_there in needed.items() if not is_there]:
        pytest.skip(f"missing: {', '.join(missing)} (looked in {MODULES})")
    return ["node", str(SCRIPT), str(MODULES), str(CHROMIUM), SCREENSHOTS]


def open_pages(browser: list[str], site: ServedSite, table: str, views: list[str]) -> None:
    """Open each kind of page in each view; no view has a fault."""
    pages = [f"{kind}={make_url(site, page)}" for kind, page in PAGES[table].items()]
    run = subprocess.run(
        [*browser, ",".join(views), *pages], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    found = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(found) == len(pages) * len(views)
    assert [each for each in found if each["faults"]] == []


def test_pages_fit_and_are_accessible(browser: list[str], site: ServedSite) -> None:
    everything = "LEXURN_FULL" in os.environ or SCREENSHOTS != "-"
    open_pages(browser, site, "acts", SIZES if everything else FEW)


def test_the_keyboard_reaches_and_copies(browser: list[str], site: ServedSite) -> None:
    open_pages(browser, site, "acts", ["keyboard"])


def test_pages_read_without_css_and_scripts(browser: list[str], site: ServedSite) -> None:
    open_pages(browser, site, "acts", ["bare"])


@pytest.mark.skipif(CORPUS is None, reason="LEXURN_CORPUS names no folder")
@pytest.mark.skipif(SCREENSHOTS == "-", reason="LEXURN_SCREENSHOTS names no folder")
def test_pages_of_the_portal(browser: list[str], tmp_path: Path) -> None:
    with serve_site(Path(str(CORPUS)) / "lexml_portal.csv", tmp_path / "site") as site:
        open_pages(browser, site, "portal", SIZES)
