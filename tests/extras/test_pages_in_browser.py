"""Pages in a browser: nothing overflows, axe finds no fault, and no file or script fails.

Every kind of page is opened on a phone and a desktop. With ``LEXURN_FULL=1`` all views are opened;
``LEXURN_SCREENSHOTS`` names a folder for a picture of each.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lexurn import parse, publish
from lexurn.pages import locate_folder

TOP = Path(__file__).parents[2]
MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", TOP / "node_modules"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SCRIPT = TOP / "tests" / "support" / "page_browser.mjs"
VIEWS = ["phone320", "phone-light", "phone-dark", "desktop-light", "desktop-dark"]
NAMES = {
    "work": "urn:lex:it:stato:costituzione:1947-12-27;lex-1",
    "version": "urn:lex:it:stato:costituzione:1947-12-27;lex-1@2022-02-11:it",
    "part": "urn:lex:it:stato:costituzione:1947-12-27;lex-1~art3",
    "withdrawn": "urn:lex:it:stato:costituzione:1948-01-01;lex-1",
    "file": (
        "urn:lex:eu:european.parliament+council:regulation:2016-04-27;2016-679@original:en"
        "$eur-lex.europa.eu:application-pdf"
    ),
    "languages": "urn:lex:eu:european.parliament+council:regulation:2016-04-27;2016-679",
    "right-to-left": (
        "urn:lex:un.org:united.nations;general.assembly:resolution:1948-12-10;217-a-iii@original:ar"
    ),
}
FILES = {
    "home": "index.html",
    "browse": "lex/index.html",
    "list": "lex/it/stato/legge.costituzionale/index.html",
    "about": "about.html",
    "report": "report.html",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site")
    table = TOP / "examples" / "acts.csv"
    publish(table, out, base="https://law.example", as_of="2026-01-01", check=lambda _: ())
    return out


def test_pages_fit_and_are_accessible(site: Path) -> None:
    missing = [
        what
        for what, is_there in (
            ("node", shutil.which("node")),
            ("Chromium", CHROMIUM),
            ("playwright-core", (MODULES / "playwright-core").is_dir()),
            ("axe-core", (MODULES / "axe-core").is_dir()),
        )
        if not is_there
    ]
    if missing:
        pytest.skip(f"missing: {', '.join(missing)} (looked in {MODULES})")
    pages = {kind: site / file for kind, file in FILES.items()}
    for kind, name in NAMES.items():
        pages[kind] = site.joinpath(*locate_folder(parse(name)), "index.html")
    views = VIEWS if os.environ.get("LEXURN_FULL") else ["phone320", "desktop-dark"]
    out = os.environ.get("LEXURN_SCREENSHOTS", "-")
    arguments = [f"{kind}={page.as_uri()}" for kind, page in pages.items()]
    run = subprocess.run(
        ["node", SCRIPT, MODULES, str(CHROMIUM), out, ",".join(views), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2_000:]
    found = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(found) == len(pages) * len(views)
    for each in found:
        faults = each["overflow"] + each["violations"] + each["errors"]
        assert faults == [], (each["name"], each["view"])
