"""Where a catalogue on a server lies: the endpoints of its SPARQL 1.1 protocols."""

from __future__ import annotations

import threading
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from lexurn.errors import CatalogueError, CatalogueUsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LOCAL", "Endpoint", "endpoint_of", "is_remote", "shown"]

_URLS: Final = ("query", "update", "store")
LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""The names of this machine."""

_MOST: Final = {
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


def endpoint_of(place: str) -> Endpoint:
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
            return _of_url(_checked(place, "the catalogue"))
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
    return _of_table(place, said)


def shown(url: str) -> str:
    """A URL as it may stand in a message: without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(no URL)"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def is_private(url: str, *, cleartext: bool) -> bool:
    """Whether what is sent to a URL is read by nobody on the way (or may be, by ``cleartext``)."""
    parts = urlsplit(url)
    return cleartext or parts.scheme == "https" or parts.hostname in LOCAL


def _of_url(url: str) -> Endpoint:
    base, slash, last = url.rpartition("/")
    if last != "query":
        return Endpoint(query=url, update=url)
    return Endpoint(query=url, update=f"{base}{slash}update", store=f"{base}{slash}store")


def _of_table(place: str, said: Mapping[str, Any]) -> Endpoint:
    for key in said:
        if key not in Endpoint.__dataclass_fields__:
            known = ", ".join(Endpoint.__dataclass_fields__)
            raise CatalogueError(f"{place}: no endpoint has {key!r}; known are {known}")
    if "query" not in said:
        raise CatalogueError(f'{place}: the query endpoint is missing: query = "https://..."')
    for key, most in _MOST.items():
        if key in said and not _is_number(said[key], most):
            raise CatalogueError(f"{place}: {key} is a number above 0, and {most:,.0f} at most")
        if key in said and key != "timeout" and not isinstance(said[key], int):
            raise CatalogueError(f"{place}: {key} is a whole number")
    if not isinstance(said.get("cleartext", False), bool):
        raise CatalogueError(f"{place}: cleartext is true or false")
    urls = {key: _checked(said[key], f"{place}: {key}") for key in _URLS if key in said}
    return Endpoint(**{**said, **urls})


def _is_number(value: object, most: float) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 < value <= most


def _checked(url: object, what: str) -> str:
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
            f"{what}: {shown(url)} has a user or a password in it, which others would see; put "
            "them into LEXURN_USER and LEXURN_PASSWORD (or LEXURN_TOKEN), or into a netrc file"
        )
    if not valid or parts.fragment or any(c <= " " or c == "\x7f" for c in url):
        raise CatalogueError(
            f"{what}: {shown(url)!r} is not the http(s) URL of an endpoint; write it as "
            "https://HOST/PATH; a folder has no :// in its name"
        )
    return url
