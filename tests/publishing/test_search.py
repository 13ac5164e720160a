"""Search: pages of acts state what to filter by, and pagefind indexes them with home and lists."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import sqlite3
import subprocess
from importlib import util
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner
from lxml import html

from lexurn import parse, publish
from lexurn.cli import main
from lexurn.errors import PublishError
from lexurn.pages import LANGUAGES, locate_folder, quote_path
from lexurn.publishing import Site, search
from lexurn.publishing.dcat import SiteSettings
from lexurn.publishing.entries import SCHEMA
from lexurn.publishing.lists import ListWriter

BASE = "https://law.example"
ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"


needs_pagefind = pytest.mark.skipif(
    util.find_spec("pagefind") is None, reason="pagefind is not installed"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("search") / "site"
    publish(ACTS, out, base=BASE, as_of="2026-01-01", check=lambda _: (), workers=1)
    return out


def read_main(page: Path) -> html.HtmlElement:
    return html.fromstring(page.read_text("utf-8")).find(".//main")


@pytest.mark.parametrize(
    ("path", "is_indexed"),
    [
        ("index.html", True),
        ("lex/index.html", True),
        ("lex/it/stato/index.html", True),
        ("lex/it/stato/legge/1990-08-07;241/index.html", True),
        ("lex/it/stato/legge/1990-08-07;241/@/original/it/index.html", False),
        ("lex/2003.html", False),
        ("lex/it/stato/legge/1990-08-07;241/index.ttl", False),
        ("about.html", False),
    ],
)
def test_home_lists_and_acts_are_indexed(path: str, *, is_indexed: bool) -> None:
    assert search.is_indexed(path) == is_indexed


@needs_pagefind
def test_pages_of_acts_alone_have_filters(site: Path, tmp_path: Path) -> None:
    file = Path("lex", "it", "stato", "legge", "1990-08-07;241", "index.html")
    assert read_main(site / file).get("data-pagefind-body") is None
    site = tmp_path / "site"
    publish(ACTS, site, base=BASE, check=lambda _: (), workers=1, search=True)
    folder = site / "lex" / "it" / "stato"
    main = read_main(folder / "costituzione" / "1947-12-27;lex-1" / "index.html")
    names = [each.strip() for each in main.get("data-pagefind-filter").split(",")]
    assert [main.get(name.partition("[")[2][:-1]) for name in names] == [
        "Italia",
        "Costituzione",
        "1947",
    ]
    for page in (site / "lex").rglob("index.html"):
        segments = page.parent.relative_to(site).parts
        if len(segments) > 5 or "~" in segments[-1]:
            assert read_main(page).get("data-pagefind-body") is None, page
    withdrawn = folder / "costituzione" / "1948-01-01;lex-1" / "index.html"
    assert read_main(withdrawn).get("data-pagefind-body") is None
    for page in ("report.html", "ontology/index.html", "shapes/index.html", "about.html"):
        assert html.parse(site / page).find(".//header//form") is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_search_page_has_the_values_of_the_filters(language: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    lists = [("lex/de/", "Deutschland"), ("lex/de/staat/", "Staat"), ("lex/de/staat/g/", "Gesetz")]
    connection.executemany("INSERT INTO folder VALUES (?, ?, 'de')", lists)
    settings = SiteSettings(
        out=Path(),
        state=Path(),
        base=BASE,
        as_of=dt.date(2026, 1, 1),
        inline_context=False,
        language=language,
        site=Site(),
        search=True,
    )
    writer = ListWriter(connection, settings)
    files = dict(writer.write())
    page = html.fromstring(files[search.SEARCH_PAGE].decode())
    assert page.get("lang") == language
    options = {
        each.get("name"): [option.get("value") for option in each.iter("option")]
        for each in page.iter("select")
    }
    assert options == {"jurisdiction": ["", "Deutschland"], "type": ["", "Gesetz"], "year": [""]}
    home = html.fromstring(files["index.html"].decode()).find(".//form")
    assert home.get("hidden") is None
    assert home.get("action") == "search.html"


def test_without_search_the_box_is_for_names_and_hidden_until_a_script_shows_it(site: Path) -> None:
    for page in ("index.html", "404.html"):
        form = read_main(site / page).find(".//form")
        assert form.get("hidden") == ""
        assert form.get("data-search") is None
    assert not (site / search.SEARCH_PAGE).exists()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_script_finds_the_folder_of_a_name() -> None:
    names = [
        "urn:lex:it:stato:legge:2003-09-21;456",
        "urn:lex:it:stato:legge:2003-09-21;456:allegato;1@2005-01-01;2005-03-01:it$a.example:pdf",
        "urn:lex:it:stato:legge:2003-09-21;456@original:it~art3;par2",
        f"urn:lex:it:stato:legge:2003-09-21;{'4' * 201}",
        "urn:lex:it:con:legge:2003-09-21;1",
        "urn:lex:it:stato:a%2Fb:2003-09-21;1",
        "urn:lex:il:%D7%9B%D7%A0%D7%A1%D7%AA:x:1992-01-01;1",
    ]
    texts = {name: f"{quote_path(locate_folder(parse(name)))}/" for name in names}
    folder = texts[names[0]]
    texts |= {
        f"{names[0].upper()}?+x": folder,
        f"{BASE}/{folder}": folder,
        f"{BASE}/base/{folder}index.html#x": folder,
        f"/{folder[:-1]}": folder,
    }
    script = Path(__file__).parents[2] / "templates" / "site.js"
    code = f"""
    const document = {{ querySelector() {{ return null; }}, querySelectorAll() {{ return []; }} }};
    {script.read_text("utf-8")}
    const texts = {json.dumps(list(texts))};
    Promise.all(texts.map(locateFolder)).then((found) => console.log(JSON.stringify(found)));
    """
    done = subprocess.run(["node", "-e", code], capture_output=True, check=True)
    found = dict(zip(texts, map(unquote, json.loads(done.stdout)), strict=True))
    assert found == {text: unquote(each) for text, each in texts.items()}


def test_a_missing_pagefind_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "find_spec", lambda _: None)
    with pytest.raises(PublishError, match=r"lexurn\[search\].*without --search"):
        search.require_pagefind()


@needs_pagefind
def test_the_index_has_the_languages_of_the_pages(site: Path, tmp_path: Path) -> None:
    search.require_pagefind()
    files = dict(search.make_index(site, tmp_path))
    entry = files["pagefind/pagefind-entry.json"].decode()
    assert all(f'"{language}"' in entry for language in LANGUAGES)
    fragments = [path for path in files if path.startswith("pagefind/fragment/")]
    indexed = [
        path
        for path in site.rglob("*.html")
        if search.is_indexed(path.relative_to(site).as_posix())
        and "data-pagefind-body" in path.read_text("utf-8")
    ]
    assert len(fragments) == len(indexed)


@needs_pagefind
def test_a_failure_of_pagefind_is_explained(tmp_path: Path) -> None:
    with pytest.raises(PublishError, match="pagefind cannot index the site"):
        list(search.make_index(tmp_path / "absent", tmp_path))


@needs_pagefind
def test_the_index_follows_the_pages(tmp_path: Path) -> None:
    table, site = tmp_path / "acts.csv", tmp_path / "site"
    names = [f"urn:lex:it:stato:legge:2001-01-01;{number}" for number in (1, 2)]

    def run(*rows: str, **options: bool) -> tuple[int, int | None]:
        """Publish acts; return the number of files written, and when the index was made."""
        table.write_text("\n".join(["urn,title@it", *rows, ""]), "utf-8")
        written = publish(
            table, site, base=BASE, as_of="2026-01-01", check=lambda _: (), workers=1, **options
        ).written
        entry = site / "pagefind" / "pagefind-entry.json"
        return written, entry.stat().st_mtime_ns if entry.exists() else None

    _, first = run(f"{names[0]},Una", search=True)
    assert first is not None
    assert run(f"{names[0]},Una", search=True) == (0, first)
    _, second = run(f"{names[0]},Una", f"{names[1]},Due", search=True)
    assert second != first
    assert len(list((site / "pagefind" / "fragment").iterdir())) == 7
    _, none = run(f"{names[0]},Una", f"{names[1]},Due")
    assert none is None
    assert not (site / search.SEARCH_PAGE).exists()


def test_a_missing_pagefind_stops_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "find_spec", lambda _: None)
    command = ["publish", str(ACTS), "--out", str(tmp_path / "site"), "--base", BASE]
    done = CliRunner().invoke(main, [*command, "--search", "pagefind"])
    assert done.exit_code == 1
    assert "pip install 'lexurn[search]'" in done.stderr
    assert not (tmp_path / "site").exists()
