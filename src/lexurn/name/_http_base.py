"""Where an HTTP-URI equivalent lies: the part of it before ``/lex/``."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lexurn.errors import HttpFormError

__all__ = ["Fault", "Site", "is_dots", "is_plain", "read_base", "read_site"]

_SITE = re.compile(r"(https?)://([^/?#]*)", re.IGNORECASE)
_HOST = re.compile(
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)"
    r"(?::(?P<port>[0-9]{0,5}))?"
)
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})+)*")
_DOTS = re.compile(r"(?:\.|%2e){1,2}", re.IGNORECASE)
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_HIGHEST_PORT = 65535


class Fault(NamedTuple):
    """What is wrong with a URI: from one offset to another, and why."""

    start: int
    end: int
    message: str


class Site(NamedTuple):
    """Scheme, host and port of a URI, in the form that equal ones share; where its path starts."""

    origin: str
    path_start: int


def is_dots(segment: str) -> bool:
    """Whether clients take a segment of a path for the folder itself or the one above."""
    return _DOTS.fullmatch(segment) is not None


def is_plain(path: str) -> bool:
    """Whether a path before ``/lex/`` is one that no client changes: no dots, nothing empty."""
    return _PATH.fullmatch(path) is not None and not any(map(is_dots, path.split("/")))


def read_site(uri: str) -> Site | Fault:
    """The site of an absolute http or https URI, or what is wrong with it."""
    match = _SITE.match(uri)
    if match is None:
        return Fault(0, len(uri.partition(":")[0]), "an absolute http or https URI is needed")
    if "@" in match[2]:
        return Fault(*match.span(2), "a user name has no place in the URI of a law")
    found = _HOST.fullmatch(match[2])
    if found is None or int(found["port"] or 0) > _HIGHEST_PORT:
        return Fault(*match.span(2), f"{match[2]!r} is no host")
    scheme = match[1].lower()
    port = "" if found["port"] in (None, "", _DEFAULT_PORTS[scheme]) else f":{found['port']}"
    return Site(f"{scheme}://{found['host'].lower()}{port}", match.end())


@lru_cache(maxsize=64)
def read_base(base: str) -> str:
    """A base as it stands before ``/lex/``: scheme and host in lower case, no slash at its end.

    Raises:
        HttpFormError: it is no absolute http or https URL, or has a user name, query, fragment,
            or a path that a client would change.
    """
    site = read_site(base)
    if isinstance(site, Fault):
        raise HttpFormError(f"the base {base!r} cannot be used: {site.message}")
    path = base[site.path_start :]
    trimmed = path.removesuffix("/")
    if not is_plain(trimmed):
        problem = "behind the host there may be a plain path, no query and no fragment"
        raise HttpFormError(f"the base {base!r} cannot be used: {problem}")
    return site.origin + trimmed
