"""Search in a browser: it asks the indexes of all languages, and the box leads to names."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from site_pages import TOP, serve_site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from site_pages import ServedSite

MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", TOP / "node_modules"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SCRIPT = TOP / "tests" / "support" / "search_browser.mjs"
CONSTITUTION = "/lex/it/stato/costituzione/1947-12-27;lex-1/"
GDPR = "/lex/eu/european.parliament+council/regulation/2016-04-27;2016-679/"


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    needed = {
        "node": shutil.which("node"),
        "Chromium": CHROMIUM,
        "playwright-core": (MODULES / "playwright-core").is_dir(),
        "pagefind": util.find_spec("pagefind"),
    }
    if missing := [what for what, is_there in needed.items() if not is_there]:
        pytest.skip(f"missing: {', '.join(missing)} (looked in {MODULES})")
    folder = tmp_path_factory.mktemp("search") / "site"
    with serve_site(TOP / "examples" / "acts.csv", folder, search=True) as site:
        yield site


def run(site: ServedSite, **asked: list[str]) -> dict[str, dict[str, object]]:
    done = subprocess.run(
        ["node", SCRIPT, MODULES, str(CHROMIUM), site.url],
        input=json.dumps({"searches": [], "names": []} | asked),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    found = json.loads(done.stdout)
    assert found["errors"] == []
    return found


def test_a_search_asks_all_languages(searched: ServedSite) -> None:
    queries = {
        "q=costituzione+repubblica+italiana": CONSTITUTION,
        "q=data+protection+regulation": GDPR,
        "q=&year=2016&jurisdiction=European+Union": GDPR,
        "q=Freistaates": "/lex/de;bayern/land/verfassung/1946-12-02;lex-1/",
    }
    found = run(searched, searches=list(queries))["searches"]
    for query, path in queries.items():
        status, paths = found[query]
        assert status.startswith("Results: ")
        assert path in paths, (query, paths)


def test_a_shortened_word_of_another_language_is_no_result(searched: ServedSite) -> None:
    _, paths = run(searched, searches=["q=verfassung"])["searches"]["q=verfassung"]
    assert paths
    assert all(path.startswith(("/lex/de", "/lex/at", "/lex/ch", "/lex/be")) for path in paths)


def test_the_boxes_lead_to_names(searched: ServedSite) -> None:
    names = {
        "urn:lex:it:stato:costituzione:1947-12-27;lex-1": f"{CONSTITUTION}index.html",
        f"https://law.example{CONSTITUTION}": f"{CONSTITUTION}index.html",
        "urn:lex:it:stato:costituzione:1947-12-27;lex-2": "This site has no page for this name.",
        "constitution": "/search.html",
    }
    found = run(searched, names=list(names))["names"]
    assert found == {name: [end, end] for name, end in names.items()}
