"""Endpoint of a SPARQL 1.1 server: its URLs, and the credentials for it.

Credentials come from the environment or a netrc file, never from a command line.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from lexurn.errors import CatalogueError, CatalogueUsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine."""

_MOST_VALUES: Final = {
    "timeout": min(366 * 86_400, threading.TIMEOUT_MAX),  # some systems wait no year
    "largest": 10**15,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """SPARQL 1.1 server and the settings for it.

    Attributes:
        query: URL for queries (SPARQL 1.1 Protocol).
        update: URL for updates; None if nothing is ever pushed to it.
        timeout: seconds; for how long a server may be silent, or take for one answer.
        largest: bytes; the maximum size of one answer.
        cleartext: True if a password may go over http to another machine.
    """

    query: str
    update: str | None = None
    timeout: float = 300
    largest: int = 1 << 30
    cleartext: bool = False


def is_remote(location: str) -> bool:
    """Return whether a location is a server: a URL, or a ``.toml`` file that names endpoints."""
    return "://" in location or location.lower().endswith(".toml")


def read_endpoint(location: str) -> Endpoint:
    """Return the server that a location names.

    Args:
        location: the URL of a query endpoint, or the path of a TOML file with the attributes of
            `Endpoint`. A URL whose path ends in ``/query`` has ``/update`` beside it (Oxigraph
            and others do it so); at any other URL updates go where queries go.

    Raises:
        CatalogueError: the URL is not http(s), or has a password in it; the file cannot be read,
            or is wrong.
    """
    if "://" in location:
        try:
            url = _check_url(location, "the catalogue")
        except CatalogueError as fault:
            raise CatalogueUsageError(str(fault)) from None
        base, slash, last = url.rpartition("/")
        return Endpoint(query=url, update=f"{base}{slash}update" if last == "query" else url)
    import tomllib  # noqa: PLC0415 - only for a file

    try:
        table = tomllib.loads(Path(location).read_text(encoding="utf-8"))
    except OSError as fault:
        raise CatalogueError(f"{location} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise CatalogueError(f"{location} is not UTF-8. Save it as UTF-8.") from None
    except (ValueError, RecursionError) as fault:
        raise CatalogueError(f"{location} is not TOML: {fault}") from None
    return _make_from_table(location, table)


def redact_url(url: str) -> str:
    """Return a URL for a message: without user, password, query and fragment."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "(no URL)"
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _make_from_table(location: str, table: Mapping[str, Any]) -> Endpoint:
    for key in table:
        if key not in Endpoint.__dataclass_fields__:
            known = ", ".join(Endpoint.__dataclass_fields__)
            raise CatalogueError(f"{location}: unknown key {key!r}; use one of {known}")
    if "query" not in table:
        raise CatalogueError(f'{location}: the query endpoint is missing: query = "https://..."')
    for key, most in _MOST_VALUES.items():
        value = table.get(key, 1)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= most:
            raise CatalogueError(f"{location}: {key} must be a number above 0, at most {most:,.0f}")
    if not isinstance(table.get("largest", 1), int):
        raise CatalogueError(f"{location}: largest must be a whole number")
    if not isinstance(table.get("cleartext", False), bool):
        raise CatalogueError(f"{location}: cleartext must be true or false")
    keys = [key for key in ("query", "update") if key in table]
    return Endpoint(**{**table, **{k: _check_url(table[k], f"{location}: {k}") for k in keys}})


def _check_url(url: object, what: str) -> str:
    """Return a URL that can be asked.

    Raises:
        CatalogueError: it cannot; the message shows no secrets.
    """
    if not isinstance(url, str):
        raise CatalogueError(f"{what}: the URL must be a text in quotes")
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid, parts = False, urlsplit("")
    if "@" in parts.netloc:
        raise CatalogueError(
            f"{what}: {redact_url(url)} contains a user or a password, which others would see; "
            "put them into LEXURN_USER and LEXURN_PASSWORD (or LEXURN_TOKEN), or into a netrc file"
        )
    if not is_valid or parts.fragment or any(c <= " " or c == "\x7f" for c in url):
        raise CatalogueError(
            f"{what}: {redact_url(url)!r} is not the http(s) URL of an endpoint; write it as "
            "https://HOST/PATH; a folder has no :// in its name"
        )
    return url


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """Credentials for a server; no ``repr`` shows them.

    Attributes:
        token: a bearer token (RFC 6750).
        user: a user's name, for Basic (RFC 7617) or Digest (RFC 7616) as the server asks.
        password: the user's password.
    """

    token: str | None = field(default=None, repr=False)
    user: str | None = field(default=None, repr=False)
    password: str = field(default="", repr=False)


NO_CREDENTIALS: Final = Credentials()


def find_credentials(url: str, environment: Mapping[str, str] | None = None) -> Credentials:
    """Return the credentials for a server.

    ``LEXURN_TOKEN``, else ``LEXURN_USER`` and ``LEXURN_PASSWORD``, else the netrc file's entry for
    the host (``NETRC``, else ``~/.netrc``), else none.

    Raises:
        CatalogueError: a user without a password or the other way round, characters that no header
            can hold, or a netrc file that cannot be read.
    """
    known = os.environ if environment is None else environment
    token, user = known.get("LEXURN_TOKEN"), known.get("LEXURN_USER")
    password = known.get("LEXURN_PASSWORD")
    if token:
        if not (token.isascii() and token.isprintable() and " " not in token):
            raise CatalogueError("LEXURN_TOKEN has characters that no token may have; set it again")
        return Credentials(token=token)
    if user or password:
        if not user or password is None:
            raise CatalogueError("LEXURN_USER and LEXURN_PASSWORD go together; one is missing")
        return _make_credentials({"LEXURN_USER": user, "LEXURN_PASSWORD": password})
    return _read_netrc(urlsplit(url).hostname or "", known)


def _make_credentials(texts: Mapping[str, str]) -> Credentials:
    """Return a user and a password (by their labels for messages) if they can be sent.

    Raises:
        CatalogueError: they cannot; the message shows neither.
    """
    for label, text in texts.items():
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise CatalogueError(f"{label} is not UTF-8; set it again")
        if any(character < " " or character == "\x7f" for character in text):
            raise CatalogueError(f"{label} has characters that cannot be sent; set it again")
    user, password = texts.values()
    if ":" in user:
        raise CatalogueError(
            f"{next(iter(texts))} has a colon, which is not allowed in a user name"
        )
    return Credentials(user=user, password=password)


def _read_netrc(host: str, known: Mapping[str, str]) -> Credentials:
    file = Path(known.get("NETRC") or Path(known.get("HOME", "~"), ".netrc"))
    try:
        file = file.expanduser()
        if not known.get("NETRC") and not file.is_file():
            return NO_CREDENTIALS
    except (OSError, RuntimeError):
        return NO_CREDENTIALS  # a user without a home, or one that is closed to this process
    import netrc  # noqa: PLC0415 - only where there is such a file

    try:
        entry = netrc.netrc(file).authenticators(host)
    except netrc.NetrcParseError as fault:
        # The fault's own message may quote the file.
        raise CatalogueError(f"{file}, line {fault.lineno}: not valid in a netrc file") from None
    except OSError as fault:
        raise CatalogueError(f"{file} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError:
        raise CatalogueError(f"{file} is not UTF-8") from None
    if entry is None:
        return NO_CREDENTIALS
    user, _, password = entry
    return _make_credentials(
        {f"{file}: the login for {host}": user, f"{file}: the password for {host}": password or ""}
    )
