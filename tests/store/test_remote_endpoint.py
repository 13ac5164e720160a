"""Endpoints and credentials, read from URLs, files and the environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lexurn.catalogue import open_catalogue
from lexurn.errors import CatalogueError
from lexurn.store.endpoint import (
    NO_CREDENTIALS,
    Credentials,
    Endpoint,
    find_credentials,
    is_remote,
    read_endpoint,
    redact_url,
)

if TYPE_CHECKING:
    from pathlib import Path

HIDDEN = "s3cret-word"
LAW = "https://law.example/sparql"


@pytest.mark.parametrize(
    ("url", "update"),
    [
        ("http://x.example/query", "http://x.example/update"),
        ("https://x.example/a/query", "https://x.example/a/update"),
        (LAW, LAW),
        ("http://[::1]:7878/sparql?x=1", "http://[::1]:7878/sparql?x=1"),
        ("http://x.example", "http://x.example"),
    ],
)
def test_a_url_is_a_query_endpoint(url: str, update: str) -> None:
    assert read_endpoint(url) == Endpoint(query=url, update=update)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("ftp://x.example/query", "not the http"),
        ("http:///query", "not the http"),
        ("http://x.example:99999/query", "not the http"),
        ("http://x.example:0/query", "not the http"),
        ("http://[::1/query", "not the http"),
        ("http://x.example/query#a", "not the http"),
        ("http://x.example/a b", "not the http"),
        ("http://x.example/a\nb", "not the http"),
        (f"http://me:{HIDDEN}@x.example/query", "LEXURN_PASSWORD"),
        (f"http://{HIDDEN}@x.example/query", "LEXURN_PASSWORD"),
    ],
)
def test_a_url_that_is_none(url: str, words: str) -> None:
    with pytest.raises(CatalogueError, match=words) as fault:
        read_endpoint(url)
    assert HIDDEN not in str(fault.value)


@pytest.mark.parametrize(
    ("place", "is_a_server"),
    [
        ("https://x.example/query", True),
        ("HTTP://x.example/query", True),
        ("law.toml", True),
        ("dir/LAW.TOML", True),
        ("law", False),
        ("./toml", False),
        ("C:\\law", False),
    ],
)
def test_folders_and_servers_are_told_apart(place: str, is_a_server: bool) -> None:
    assert is_remote(place) is is_a_server


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("HTTP://localhost:1/query", "only be queried.*catalogue push"),
        ("ftp://law.example/query", "not the http.* URL of an endpoint; write it as https://"),
        ("LAW.TOML", "LAW.TOML cannot be read"),
    ],
)
def test_what_names_a_server_makes_no_folder(
    place: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CatalogueError, match=words), open_catalogue(place, write=True):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_file_names_what_a_url_cannot(tmp_path: Path) -> None:
    file = tmp_path / "law.toml"
    file.write_text(
        f'query = "{LAW}"\nupdate = "https://law.example/data"\ntimeout = 1.5\nlargest = 1000\n'
        "cleartext = true\n",
        encoding="utf-8",
    )
    assert read_endpoint(str(file)) == Endpoint(
        query=LAW,
        update="https://law.example/data",
        timeout=1.5,
        largest=1000,
        cleartext=True,
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "query endpoint is missing"),
        ("query = 1", "the URL must be a text in quotes"),
        ("query = ", "is not TOML"),
        (f'query = "{LAW}"\nupdate = "law"', "update: 'law' is not the http"),
        (f'query = "{LAW}"\nquerry = "x"', "unknown key 'querry'"),
        (f'query = "{LAW}"\npassword = "{HIDDEN}"', "unknown key 'password'"),
        (f'query = "{LAW}"\ntimeout = 0', "timeout must be a number above 0"),
        (f'query = "{LAW}"\ntimeout = "1"', "timeout must be a number above 0"),
        (f'query = "{LAW}"\ntimeout = true', "timeout must be a number above 0"),
        (f'query = "{LAW}"\nlargest = inf', "largest must be a number above 0"),
        (f'query = "{LAW}"\nlargest = nan', "largest must be a number above 0"),
        (f'query = "{LAW}"\nlargest = 0.5', "largest must be a whole number"),
        (f'query = "{LAW}"\ncleartext = 1', "cleartext must be true or false"),
        (f'query = "{LAW}"\ntimeout = 1e10', "timeout must be a number above 0, at most"),
        pytest.param(
            f'query = "{LAW}"\nlargest = {10**400}', "largest must be a number above 0", id="huge"
        ),
        pytest.param(f'query = "{LAW}"\nlargest = 1{"0" * 5000}', "is not TOML", id="longest"),
        pytest.param("query = " + "[" * 50_000, "is not TOML", id="deep"),
    ],
)
def test_a_file_that_names_no_endpoint(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "law.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CatalogueError, match=words) as fault:
        read_endpoint(str(file))
    assert HIDDEN not in str(fault.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="cannot be read"):
        read_endpoint(str(tmp_path / "none.toml"))
    (tmp_path / "law.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(CatalogueError, match="UTF-8"):
        read_endpoint(str(tmp_path / "law.toml"))


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("https://me:secret@x.example:8080/a?key=secret#f", "https://x.example:8080/a"),
        ("http://x.example/query", "http://x.example/query"),
        ("http://[", "(no URL)"),
        ("/elsewhere?token=secret", "/elsewhere"),
    ],
)
def test_messages_show_no_secrets_of_a_url(url: str, wanted: str) -> None:
    assert redact_url(url) == wanted


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, NO_CREDENTIALS),
        ({"LEXURN_TOKEN": ""}, NO_CREDENTIALS),
        ({"LEXURN_TOKEN": HIDDEN, "LEXURN_USER": "me"}, Credentials(token=HIDDEN)),
        (
            {"LEXURN_USER": "me", "LEXURN_PASSWORD": HIDDEN},
            Credentials(user="me", password=HIDDEN),
        ),
        ({"LEXURN_USER": "me", "LEXURN_PASSWORD": ""}, Credentials(user="me", password="")),
    ],
)
def test_the_environment_says_who_we_are(
    environment: dict[str, str], wanted: Credentials, tmp_path: Path
) -> None:
    assert find_credentials(LAW, environment | {"HOME": str(tmp_path)}) == wanted


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"LEXURN_USER": "me"}, "one is missing"),
        ({"LEXURN_PASSWORD": HIDDEN}, "one is missing"),
        ({"LEXURN_USER": "me:you", "LEXURN_PASSWORD": HIDDEN}, "colon"),
        ({"LEXURN_TOKEN": f"{HIDDEN}\r\nX: y"}, "LEXURN_TOKEN has characters"),
        ({"LEXURN_TOKEN": f"{HIDDEN}é"}, "LEXURN_TOKEN has characters"),
        ({"LEXURN_USER": "me", "LEXURN_PASSWORD": f"{HIDDEN}\udce9"}, "LEXURN_PASSWORD .* UTF-8"),
        ({"LEXURN_USER": "me", "LEXURN_PASSWORD": f"{HIDDEN}\n"}, "LEXURN_PASSWORD has char"),
        ({"LEXURN_USER": "m\udce9", "LEXURN_PASSWORD": HIDDEN}, "LEXURN_USER .* UTF-8"),
        ({"LEXURN_USER": "me\r\nX: y", "LEXURN_PASSWORD": HIDDEN}, "LEXURN_USER has char"),
        ({"NETRC": "/nowhere/netrc"}, "cannot be read"),
    ],
)
def test_credentials_that_are_none(environment: dict[str, str], words: str) -> None:
    with pytest.raises(CatalogueError, match=words) as fault:
        find_credentials(LAW, environment)
    assert HIDDEN not in str(fault.value)
    assert str(fault.value).isprintable()


def test_a_password_in_another_writing_is_one() -> None:
    hidden = "pass wörd 密"
    environment = {"LEXURN_USER": "zoë", "LEXURN_PASSWORD": hidden}
    assert find_credentials(LAW, environment) == Credentials(user="zoë", password=hidden)


def test_a_netrc_file_says_who_we_are(tmp_path: Path) -> None:
    file = tmp_path / ".netrc"
    file.write_text(f"machine law.example\nlogin me\npassword {HIDDEN}\n", encoding="utf-8")
    file.chmod(0o600)
    wanted = Credentials(user="me", password=HIDDEN)
    assert find_credentials(LAW, {"HOME": str(tmp_path)}) == wanted
    assert find_credentials(LAW, {"NETRC": str(file), "HOME": "/nowhere"}) == wanted
    assert find_credentials("https://other.example/", {"HOME": str(tmp_path)}) == NO_CREDENTIALS
    assert HIDDEN not in repr(wanted)


def test_a_user_without_a_home_has_no_netrc_file() -> None:
    assert find_credentials(LAW, {"HOME": "~no-such-user-anywhere"}) == NO_CREDENTIALS


def test_a_netrc_file_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / ".netrc"
    file.write_text(f"password {HIDDEN} machine", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"line [0-9]+: not valid in a netrc") as fault:
        find_credentials(LAW, {"HOME": str(tmp_path)})
    assert HIDDEN not in str(fault.value)


def test_a_netrc_entry_that_no_header_can_hold(tmp_path: Path) -> None:
    file = tmp_path / ".netrc"
    file.write_text(f'machine law.example login "m\nX: y" password {HIDDEN}', encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(CatalogueError, match=r"the login for law\.example has char") as fault:
        find_credentials(LAW, {"HOME": str(tmp_path)})
    assert HIDDEN not in str(fault.value)
