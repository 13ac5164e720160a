"""Settings of web servers that `publish` writes, in nginx and Apache of Debian."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import time
import tomllib
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import pytest

from lexurn import parse, publish
from lexurn.name import http_path
from lexurn.pages import locate_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
ACTS = HERE.parents[1] / "examples" / "acts.csv"
CASES = tomllib.loads((HERE / "servers.toml").read_text("utf-8"))["case"]
MODULES = Path("/usr/lib/apache2/modules")
ACT = "/lex/it/stato/costituzione/1947-12-27;lex-1"
_ESCAPED_NAME = parse(
    "urn:lex:jp:%E5%9B%BD:%E6%86%B2%E6%B3%95:1946-11-03|%E6%98%AD%E5%92%8C21%E5%B9%B411%E6%9C%883%E6%97%A5;lex-1"
)
PATHS = {
    "ESCAPED_FOLDER": "/" + quote("/".join(locate_folder(_ESCAPED_NAME)), safe="/;"),
    "ESCAPED": http_path(_ESCAPED_NAME),
    "VERSION": f"{ACT}/@/2023-09-26/it",
    "WITHDRAWN": "/lex/it/stato/costituzione/1948-01-01;lex-1",
    "ACT": ACT,
}
HOSTILE = [
    f"urn:lex:it:stato:legge:2001-01-01;{number}"
    for number in ("a%22%7D%5C", "b%24uri", "c%3Fx%23y", "d%25", "e%20f", "g%3C%7C%27", "h%0A%7D")
]
"""Names whose paths could end a word or a block of the settings."""

NGINX = """
daemon off; master_process off; pid {run}/pid; error_log {run}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {run}; proxy_temp_path {run}; fastcgi_temp_path {run};
    uwsgi_temp_path {run}; scgi_temp_path {run};
    server {{
        listen 127.0.0.1:{port};
        root {root};
        include {site}/server/nginx.conf;
    }}
}}
"""
APACHE = """
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile {run}/pid
ErrorLog {run}/error.log
{modules}
TypesConfig /dev/null
DocumentRoot {root}
<Directory {root}>
    Require all granted
    Options FollowSymLinks
    AllowOverride FileInfo Indexes
</Directory>
"""
APACHE_MODULES = ["mpm_event", "authz_core", "dir", "mime", "rewrite", "headers"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("servers") / "site"
    table = folder.with_name("hostile.csv")
    table.write_text("urn\n" + "\n".join(HOSTILE) + "\n", "utf-8")
    report = publish(
        [ACTS, table],
        folder,
        base="https://law.example",
        as_of="2026-01-01",
        check=lambda _: (),
        workers=1,
    )
    assert report.published
    return folder


@pytest.fixture(scope="module", params=["nginx", "apache2"])
def program(request: pytest.FixtureRequest) -> str:
    """The program of a server."""
    program = shutil.which(request.param, path=f"{os.environ['PATH']}:/usr/sbin")
    return program or pytest.skip(f"{request.param} is not installed")


@pytest.fixture(scope="module")
def port(program: str, site: Path) -> Iterator[int]:
    """The port of a running server with the site."""
    with serve(program, site, site) as port:
        yield port


@contextmanager
def serve(program: str, root: Path, site: Path) -> Iterator[int]:
    """Run a server; give its port."""
    run = root.with_name(f"{root.name}-{Path(program).name}")
    run.mkdir()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = run / "settings"
    modules = "\n".join(
        f"LoadModule {each}_module {MODULES}/mod_{each}.so" for each in APACHE_MODULES
    )
    if program.endswith("nginx"):
        text, options = NGINX, ["-c", str(settings), "-e", str(run / "error.log")]
    else:
        text, options = APACHE, ["-f", str(settings), "-X"]
        shutil.copy(site / "server" / ".htaccess", site / ".htaccess")
    settings.write_text(text.format(run=run, port=port, root=root, site=site, modules=modules))
    server = subprocess.Popen([program, *options])
    try:
        wait_for(port, server, run)
        yield port
    finally:
        server.terminate()
        server.wait(20)


def wait_for(port: int, server: subprocess.Popen[bytes], run: Path) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        assert server.poll() is None, (run / "error.log").read_text()
        time.sleep(0.05)
    pytest.fail("the server does not listen")


def request(port: int, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response, content


def fill_in(text: str) -> str:
    for key, path in PATHS.items():
        text = text.replace(key, path)
    return text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_server_answers(case: dict[str, str], port: int, site: Path) -> None:
    headers = {"Accept": case["accept"]} if "accept" in case else {}
    path = fill_in(case["path"])
    response, content = request(port, path, **headers)
    assert response.status == case["status"]
    if "type" in case:
        assert response.headers.get_content_type() == case["type"]
    if "file" in case:
        assert content == (site / path.strip("/") / case["file"]).read_bytes()
    if "location" in case:
        location = response.headers["Location"].removeprefix(f"http://127.0.0.1:{port}")
        assert unquote(location.partition("?")[0]) == unquote(fill_in(case["location"]))
    if "vary" in case:
        assert response.headers["Vary"] == case["vary"]
    if "text" in case:
        assert case["text"] in content.decode()


@pytest.mark.parametrize("name", HOSTILE[:-1])
def test_a_hostile_name_has_its_page(name: str, port: int) -> None:
    first, _ = request(port, http_path(parse(name)))
    assert first.status == 303
    location = first.headers["Location"].removeprefix(f"http://127.0.0.1:{port}")
    second, content = request(port, location, Accept="text/turtle")
    assert second.status == 200, location
    assert name in content.decode()


def test_there_are_enough_cases() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) >= 40


def test_links_lead_to_the_data(port: int) -> None:
    response, _ = request(port, f"{ACT}/")
    links = response.headers["Link"]
    assert '<index.ttl>; rel="describedby"; type="text/turtle"' in links
    assert '<links.json>; rel="linkset"; type="application/linkset+json"' in links


@pytest.mark.parametrize("accept", ["text/html", "text/turtle"])
def test_an_unchanged_file_is_not_sent_again(accept: str, port: int) -> None:
    first, _ = request(port, f"{ACT}/", Accept=accept)
    headers = {"If-None-Match": first.headers["ETag"], "Accept": accept}
    second, content = request(port, f"{ACT}/", **headers)
    assert (second.status, content) == (304, b"")
    assert second.headers["Vary"] == "Accept"


def test_text_has_its_encoding(port: int) -> None:
    for path in ("/", f"{ACT}/index.ttl", "/style.css"):
        assert request(port, path)[0].headers.get_content_charset() == "utf-8"


def test_a_site_may_lie_below_the_root(program: str, tmp_path: Path) -> None:
    table, path = tmp_path / "acts.csv", "/le%C3%ACs/it"
    table.write_text("urn\nurn:lex:it:stato:legge:2003-09-21;456\n")
    site = tmp_path / "root" / unquote(path).strip("/")
    publish(table, site, base=f"https://law.example{path}", check=lambda _: ())
    address = f"{path}/lex/it/stato/legge/2003-09-21;456"
    with serve(program, tmp_path / "root", site) as port:
        first, _ = request(port, address)
        assert first.status == 303
        location = first.headers["Location"].removeprefix(f"http://127.0.0.1:{port}")
        assert unquote(location) == unquote(f"{address}/")
        second, content = request(port, location, Accept="text/turtle")
        assert (second.status, second.headers.get_content_type()) == (200, "text/turtle")
        assert b"2003-09-21;456" in content
        third, content = request(port, f"{path}/nothing")
        assert third.status == 404
        assert b"Page not found" in content
