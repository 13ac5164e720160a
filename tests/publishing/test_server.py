"""Settings of web servers as texts; `tests/extras/test_servers.py` runs the servers."""

from __future__ import annotations

import re
import threading
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn import publish
from lexurn.publishing.preview import open_preview
from lexurn.publishing.server import list_accept_patterns

if TYPE_CHECKING:
    from pathlib import Path

NAME = "urn:lex:it:stato:legge:2003-09-21;456"
TYPES = {
    "text/html": "index.html",
    "text/turtle": "index.ttl",
    "application/ld+json": "index.jsonld",
    "application/linkset+json": "links.json",
}
RANGES = (*TYPES, "text/*", "application/*", "*/*", "image/png", "text/plain")


def choose_by_patterns(accept: str) -> str | None:
    for pattern, file in list_accept_patterns():
        if re.search(pattern, accept, re.IGNORECASE):
            return file
    return None


def choose_by_weights(weights: dict[str, float]) -> str | None:
    """Choose a file as RFC 9110 section 12.5.1 says."""
    best, found = 0.0, None
    for media_type, file in TYPES.items():
        ranges = (media_type, f"{media_type.partition('/')[0]}/*", "*/*")
        weight = next((weights[each] for each in ranges if each in weights), 0.0)
        if weight > best:
            best, found = weight, file
    return found


@given(
    st.dictionaries(st.sampled_from(RANGES), st.integers(0, 10), min_size=1),
    st.sampled_from([",", ", ", " , "]),
    st.booleans(),
)
def test_the_choice_is_that_of_the_rfc(weights: dict[str, int], comma: str, has_one: bool) -> None:
    parts = [
        f"{each};q={weight / 10}" if weight < 10 else f"{each};q=1.0" if has_one else each
        for each, weight in weights.items()
    ]
    exact = {each: weight / 10 for each, weight in weights.items()}
    assert choose_by_patterns(comma.join(parts)) == choose_by_weights(exact)


def build(folder: Path, base: str) -> Path:
    table = folder / "acts.csv"
    table.write_text(f"urn\n{NAME}\n", "utf-8")
    publish(table, folder / "site", base=base, check=lambda _: ())
    return folder / "site" / "server"


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ("https://law.example", "https://law.example/$1"),
        ("https://law.example/it", "https://law.example/it/$1"),
        ("https://w3id.org/law", "https://server.invalid/law/$1"),
    ],
)
def test_the_name_space_leads_to_the_site(base: str, target: str, tmp_path: Path) -> None:
    text = (build(tmp_path, base) / "w3id.htaccess").read_text("utf-8")
    assert f'RewriteRule "^(.*)$" "{target}"' in text
    assert ("Replace https://server.invalid" in text) == ("invalid" in target)


def test_settings_tell_nothing_of_the_machine(tmp_path: Path) -> None:
    for file in build(tmp_path, "https://law.example").iterdir():
        assert str(tmp_path) not in file.read_text("utf-8")


def test_the_preview_serves_files_and_the_page_for_missing_addresses(tmp_path: Path) -> None:
    site = build(tmp_path, "https://law.example").parent
    wanted = {
        "/index.html": (200, "text/html; charset=utf-8", (site / "index.html").read_bytes()),
        "/catalogue.ttl": (
            200,
            "text/turtle; charset=utf-8",
            (site / "catalogue.ttl").read_bytes(),
        ),
        "/none": (404, "text/html;charset=utf-8", (site / "404.html").read_bytes()),
    }
    with open_preview(site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for path, answer in wanted.items():
            connection = HTTPConnection("127.0.0.1", server.server_port, timeout=10)
            connection.request("GET", path)
            found = connection.getresponse()
            assert (found.status, found.headers["Content-Type"], found.read()) == answer
        server.shutdown()
