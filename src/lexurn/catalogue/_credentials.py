"""Who we are to a server: from the environment or a netrc file, never from a command line."""

from __future__ import annotations

import netrc
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NOBODY", "Credentials", "credentials_for"]


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


NOBODY = Credentials()


def credentials_for(url: str, environment: Mapping[str, str] | None = None) -> Credentials:
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
        return _of_user(user, password, "LEXURN_USER", "LEXURN_PASSWORD")
    return _of_netrc(url, known)


def _of_user(user: str, password: str, *called: str) -> Credentials:
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


def _of_netrc(url: str, known: Mapping[str, str]) -> Credentials:
    host, file = urlsplit(url).hostname or "", _netrc_file(known)
    if file is None:
        return NOBODY
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
        return NOBODY
    user, _, password = entry
    called = (f"{file}: the {what} for {host}" for what in ("login", "password"))
    return _of_user(user, password or "", *called)


def _netrc_file(known: Mapping[str, str]) -> Path | None:
    """The netrc file that is named, else the one at home if there is one."""
    if known.get("NETRC"):
        return Path(known["NETRC"])
    try:
        file = Path(known.get("HOME", "~")).expanduser() / ".netrc"
        return file if file.is_file() else None
    except (OSError, RuntimeError):
        return None  # a user without a home, or one that is closed to this process
