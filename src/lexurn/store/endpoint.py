"""Endpoint of a SPARQL 1.1 server: its URLs, and the credentials for it.

Credentials come from the environment or a netrc file, never from a command line.
"""

from __future__ import annotations

import netrc
import os
import threading
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lexurn.errors import CatalogueError, CatalogueUsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

_URLS: Final = ("query", "update", "store")
LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine."""

_MOST_VALUES: Final = {
    "timeout": min(366 * 86_400, threading.TIMEOUT_MAX),  # some systems wait no year
    "largest": 10**15,
    "lines": 10**9,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A SPARQL 1.1 server, and how we speak to it.

    Attributes:
        query: URL of the SPARQL 1.1 protocol's queries.
        update: URL of its updates; None where the catalogue is only read.
        store: URL of the SPARQL 1.1 graph store protocol (``?graph=``), for many quads at once;
            None where the server has none that we know of.
        timeout: seconds; for how long a server may be silent, or take to answer one query.
        largest: bytes; how big the answer to one query may be.
        lines: how many quads one update may name; a server that takes fewer gets fewer.
        cleartext: whether a password may go over http to another machine.
    """

    query: str
    update: str | None = None
    store: str | None = None
    timeout: float = 300
    largest: int = 1 << 30
    lines: int = 100_000
    cleartext: bool = False

    @property
    def urls(self) -> tuple[str, ...]:
        """All its URLs."""
        return tuple(url for url in (self.query, self.update, self.store) if url is not None)


def is_remote(place: str) -> bool:
    """Whether a place is a server's: an http(s) URL, or a ``.toml`` file that names endpoints."""
    return "://" in place or place.lower().endswith(".toml")


def read_endpoint(place: str) -> Endpoint:
    """The server that a place names.

    Args:
        place: the URL of a query endpoint, or the path of a TOML file with ``query``, ``update``,
            ``store`` and the other attributes of `Endpoint`. A URL whose path ends in ``/query``
            has ``/update`` and ``/store`` beside it (Oxigraph's layout, and that of many others);
            at any other URL updates go where queries go.

    Raises:
        CatalogueError: the URL is none of http or https, or has a password in it; the file cannot
            be read, or says what no endpoint has.
    """
    if "://" in place:
        try:
            return _make_from_url(_check_url(place, "the catalogue"))
        except CatalogueError as fault:
            raise CatalogueUsageError(str(fault)) from None
    try:
        said = tomllib.loads(Path(place).read_text(encoding="utf-8"))
    except OSError as fault:
        raise CatalogueError(f"{place} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise CatalogueError(f"{place} is not UTF-8, which TOML files are") from None
    except (ValueError, RecursionError) as fault:
        raise CatalogueError(f"{place} is not TOML: {fault}") from None
    return _make_from_table(place, said)


def redact_url(url: str) -> str:
    """A URL as it may stand in a message: without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(no URL)"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def is_private(url: str, *, cleartext: bool) -> bool:
    """Whether what is sent to a URL is read by nobody on the way (or may be, by ``cleartext``)."""
    parts = urlsplit(url)
    return cleartext or parts.scheme == "https" or parts.hostname in LOCAL_HOSTS


def _make_from_url(url: str) -> Endpoint:
    base, slash, last = url.rpartition("/")
    if last != "query":
        return Endpoint(query=url, update=url)
    return Endpoint(query=url, update=f"{base}{slash}update", store=f"{base}{slash}store")


def _make_from_table(place: str, said: Mapping[str, Any]) -> Endpoint:
    for key in said:
        if key not in Endpoint.__dataclass_fields__:
            known = ", ".join(Endpoint.__dataclass_fields__)
            raise CatalogueError(f"{place}: no endpoint has {key!r}; known are {known}")
    if "query" not in said:
        raise CatalogueError(f'{place}: the query endpoint is missing: query = "https://..."')
    for key, most in _MOST_VALUES.items():
        if key in said and not _is_number(said[key], most):
            raise CatalogueError(f"{place}: {key} is a number above 0, and {most:,.0f} at most")
        if key in said and key != "timeout" and not isinstance(said[key], int):
            raise CatalogueError(f"{place}: {key} is a whole number")
    if not isinstance(said.get("cleartext", False), bool):
        raise CatalogueError(f"{place}: cleartext is true or false")
    urls = {key: _check_url(said[key], f"{place}: {key}") for key in _URLS if key in said}
    return Endpoint(**{**said, **urls})


def _is_number(value: object, most: float) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 < value <= most


def _check_url(url: object, what: str) -> str:
    """A URL that can be asked.

    Raises:
        CatalogueError: it cannot.
    """
    if not isinstance(url, str):
        raise CatalogueError(f"{what}: a URL is a text")
    try:
        parts = urlsplit(url)
        valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid, parts = False, urlsplit("")
    if "@" in parts.netloc:
        raise CatalogueError(
            f"{what}: {redact_url(url)} has a user or a password in it, which others would see; "
            "put them into LEXURN_USER and LEXURN_PASSWORD (or LEXURN_TOKEN), or into a netrc file"
        )
    if not valid or parts.fragment or any(c <= " " or c == "\x7f" for c in url):
        raise CatalogueError(
            f"{what}: {redact_url(url)!r} is not the http(s) URL of an endpoint; write it as "
            "https://HOST/PATH; a folder has no :// in its name"
        )
    return url


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What proves who we are; no ``repr`` shows it.

    Attributes:
        token: a bearer token (RFC 6750).
        user: a user's name, for Basic (RFC 7617) or Digest (RFC 7616) as the server asks.
        password: the user's password.
    """

    token: str | None = field(default=None, repr=False)
    user: str | None = field(default=None, repr=False)
    password: str = field(default="", repr=False)


NO_CREDENTIALS = Credentials()


def find_credentials(url: str, environment: Mapping[str, str] | None = None) -> Credentials:
    """The credentials for a server.

    ``LEXURN_TOKEN``, else ``LEXURN_USER`` and ``LEXURN_PASSWORD``, else the netrc file's entry for
    the host (``NETRC``, else ``~/.netrc``), else nobody's.

    Raises:
        CatalogueError: a user without a password or the other way round, characters that no header
            can hold, or a netrc file that cannot be read.
    """
    known = os.environ if environment is None else environment
    token, user = known.get("LEXURN_TOKEN"), known.get("LEXURN_USER")
    password = known.get("LEXURN_PASSWORD")
    if token:
        if not (token.isascii() and token.isprintable() and " " not in token):
            raise CatalogueError("LEXURN_TOKEN has characters that no token has; set it again")
        return Credentials(token=token)
    if user or password:
        if not user or password is None:
            raise CatalogueError("LEXURN_USER and LEXURN_PASSWORD go together; one is missing")
        return _make_for_user(user, password, "LEXURN_USER", "LEXURN_PASSWORD")
    return _read_netrc(url, known)


def _make_for_user(user: str, password: str, *called: str) -> Credentials:
    """A user and the password, as Basic and Digest can tell them: in UTF-8, on one line.

    Raises:
        CatalogueError: they cannot; the message says what ``called`` names, and shows neither.
    """
    for name, text in zip(called, (user, password), strict=True):
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise CatalogueError(f"{name} is not UTF-8; set it again")
        if any(character < " " or character == "\x7f" for character in text):
            raise CatalogueError(f"{name} has characters that cannot be sent; set it again")
    if ":" in user:
        raise CatalogueError(f"{called[0]} has a colon, which no user's name may have")
    return Credentials(user=user, password=password)


def _read_netrc(url: str, known: Mapping[str, str]) -> Credentials:
    host, file = urlsplit(url).hostname or "", _find_netrc(known)
    if file is None:
        return NO_CREDENTIALS
    try:
        entry = netrc.netrc(file).authenticators(host)
    except netrc.NetrcParseError as fault:
        # The fault's own message may quote what stands in the file.
        raise CatalogueError(f"{file}, line {fault.lineno}: not as netrc files are") from None
    except OSError as fault:
        raise CatalogueError(f"{file} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise CatalogueError(f"{file} is not UTF-8") from None
    if entry is None:
        return NO_CREDENTIALS
    user, _, password = entry
    called = (f"{file}: the {what} for {host}" for what in ("login", "password"))
    return _make_for_user(user, password or "", *called)


def _find_netrc(known: Mapping[str, str]) -> Path | None:
    """The netrc file that is named, else the one at home if there is one."""
    if known.get("NETRC"):
        return Path(known["NETRC"])
    try:
        file = Path(known.get("HOME", "~")).expanduser() / ".netrc"
        return file if file.is_file() else None
    except (OSError, RuntimeError):
        return None  # a user without a home, or one that is closed to this process
