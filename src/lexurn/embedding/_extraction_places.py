"""Where a page lies, by what it says itself, in whatever way a URL is written."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from lexurn.embedding._extraction_terms import NAMING, normal
from lexurn.embedding._terms import IANA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.embedding._statement import Statement

__all__ = ["Places", "is_placeless"]

_OWN = NAMING | {f"{IANA}self"}
_WEB = frozenset({"http", "https"})
_PORTS = frozenset({None, 80, 443})


class Places:
    """The places of a page.

    Attributes:
        own: where the page lies, each place as `of` gives it; empty where it does not say.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        """Take what a page says of itself.

        Args:
            statements: all that the page says.
        """
        links = [
            each.value for each in statements if each.subject is None and normal(each.term) in _OWN
        ]
        self._base = links[0] if links else ""
        self.own = frozenset(map(self.of, links))

    def of(self, url: str) -> str:
        """A URL in one way for all that lead to the same place."""
        try:
            parts = urlsplit(urljoin(self._base, url) if url.startswith("/") else url)
            port = "" if parts.port in _PORTS else f":{parts.port}"
        except ValueError:  # no URL after all, as with a port that is no number
            return url
        if parts.scheme not in _WEB:
            return url
        path = unquote(parts.path).rstrip("/")
        return f"//{parts.hostname}{port}{path}?{parts.query}#{parts.fragment}"

    def around(self, url: str) -> str:
        """The place that a URL is of or in, as a part of the page."""
        return self.of(url.partition("#")[0])

    def about(self, url: str) -> str:
        """The same without a query, which may be there for statistics alone."""
        return self.around(url).partition("?")[0]


def is_placeless(node: str) -> bool:
    """Whether something is only in the page, with no URL of its own."""
    return not node or node.startswith(("_:", "#"))
