"""A URN as a value, its equivalence, and what RFC 8141 says of namespace identifiers."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Note", "Urn"]

_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")
_INFORMAL = re.compile("urn-[1-9][0-9]*")
_TWO_LETTERS = re.compile("[a-z]{2}-")
_SHORTEST_FORMAL = 3
_A_LABEL = re.compile("[a-z]{2}--")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What the rules for registering a namespace say of its identifier; never an error of syntax.

    Attributes:
        message: what is to be known, a sentence.
        rule: the rule, for example ``RFC 8141 §5.1``.
    """

    message: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Urn:
    """A Uniform Resource Name (RFC 8141), its parts as written.

    Two are equal by URN-equivalence (section 3): scheme and namespace identifier in any case,
    percent-encoding in any case of its hex digits, everything else letter by letter; the r-, q-
    and f-components count for nothing. `lexurn.urn.parse` makes them; what is built by hand is
    not checked.

    Attributes:
        nid: the namespace identifier.
        nss: the namespace specific string.
        r: the r-component without its ``?+``; None where there is none.
        q: the q-component without its ``?=``; None where there is none.
        f: the f-component without its ``#``; it may be empty; None where there is none.
    """

    nid: str
    nss: str
    r: str | None = None
    q: str | None = None
    f: str | None = None

    def __str__(self) -> str:
        parts = (self.assigned_name, _behind("?+", self.r), _behind("?=", self.q))
        return "".join(parts) + _behind("#", self.f)

    def __eq__(self, other: object) -> bool:
        return self.canonical == other.canonical if isinstance(other, Urn) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.canonical)

    @property
    def assigned_name(self) -> str:
        """``urn:NID:NSS``: the name without its r-, q- and f-components (section 2)."""
        return f"urn:{self.nid}:{self.nss}"

    @property
    def canonical(self) -> str:
        """The text that all equivalent URNs share (section 3): no r-, q-, f-components."""
        nss = _TRIPLET.sub(lambda triplet: triplet[0].upper(), self.nss)
        return f"urn:{self.nid.lower()}:{nss}"

    @property
    def informal(self) -> bool:
        """Whether the namespace is informal: ``urn-`` and a number (section 5.2)."""
        return _INFORMAL.fullmatch(self.nid.lower()) is not None

    @property
    def notes(self) -> tuple[Note, ...]:
        """What sections 5.1 and 5.2 say against the namespace identifier.

        These are rules for registering a namespace. A URN under an identifier that could not be
        registered is still of the right syntax.
        """
        message = _nid_note(self.nid.lower())
        return () if message is None else (message,)


def _behind(mark: str, component: str | None) -> str:
    return "" if component is None else mark + component


def _nid_note(nid: str) -> Note | None:
    """The note on a namespace identifier in lower case, None if nothing is to be said."""
    if nid == "urn":
        return Note(message='"urn" is reserved, no namespace can have it', rule="RFC 2141 §2.1")
    if nid.startswith("urn-"):
        return _informal_note(nid)
    if nid.startswith("x-"):
        message = '"X-" was for experiments (RFC 3406), no namespace can have it any more'
        return Note(message=message, rule="RFC 8141 §5.1")
    return _short_note(nid)


def _informal_note(nid: str) -> Note | None:
    if _INFORMAL.fullmatch(nid):
        return None
    message = '"urn-" is for informal namespaces, with a number without leading zeros behind it'
    return Note(message=message, rule="RFC 8141 §5.2")


def _short_note(nid: str) -> Note | None:
    """The note on identifiers of two letters, or that begin with two letters and a hyphen."""
    message = None
    if _A_LABEL.match(nid):
        message = "two letters and two hyphens are reserved for names like A-labels of the DNS"
    elif _TWO_LETTERS.match(nid):
        message = "two letters and a hyphen are reserved for namespaces of countries"
    elif len(nid) < _SHORTEST_FORMAL:
        message = "a formal namespace has more than two characters"
    return None if message is None else Note(message=message, rule="RFC 8141 §5.1")
