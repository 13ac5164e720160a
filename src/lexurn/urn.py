"""URNs of any namespace: RFC 8141 whole, and RFC 2141 as an older reading.

A LEX name with a local date is not a URN of RFC 8141 (its ``|`` is not a URN character), so
`lexurn.name` has a parser of its own.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from lexurn.errors import UrnSyntaxError
from lexurn.findings import make_finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lexurn.findings import Finding

__all__ = ["Note", "Urn", "UrnSyntaxError", "parse", "parse_2141"]

_TRIPLET = re.compile("%[0-9A-Fa-f]{2}")
_INFORMAL_NID = re.compile("urn-[1-9][0-9]*")
_NID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]")
_NID_LENGTHS = range(2, 33)
_NOT_IN_NID = re.compile(r"[^A-Za-z0-9-]")
_NOT_IN_NSS = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@%/]")
_NOT_IN_COMPONENT = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@%/?]")
_BAD_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}", re.DOTALL)
_PERCENT_PROBLEM = 'two hex digits must follow "%"; write "%" itself as %25'

# NID: a letter or digit, then up to 31 letters, digits and hyphens; never "urn".
_NID_2141 = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,31}")
# <trans>: letters, digits, <other> and <reserved>; "%" only as the beginning of a triplet.
_NOT_IN_NSS_2141 = re.compile(r"[^A-Za-z0-9()+,\-.:=@;$_!*'%/?#]+")
# Characters with the property White_Space of Unicode; `str.strip` also takes \x1c to \x1f.
_WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_BYTE_ORDER_MARK = "\ufeff"
# Faults of <NSS>: pattern, problem, section of RFC 2141, and the finding if it can be cleaned.
_FAULTS_2141 = (
    (_BAD_PERCENT, _PERCENT_PROBLEM, "§2.3.1", None),
    (re.compile("\0|%00"), "NUL is not allowed in a URN", "§2.4", None),
    (re.compile("[\ud800-\udfff]"), "half of a surrogate pair is not a character", "§2.2", None),
    (
        re.compile("[\1-\x20\x7f-\x9f]+"),
        "spaces and control characters are excluded from a URN; percent-encode them",
        "§2.4",
        "LX991",
    ),
    (
        re.compile(r'["&<>\[\\\]^`{|}~]+'),
        "this character is excluded from a URN; percent-encode it",
        "§2.4",
        "LX992",
    ),
    (
        re.compile("[\xa0-\ud7ff\ue000-\U0010ffff]+"),
        "only ASCII is allowed in a URN; percent-encode other characters",
        "§2.2",
        "LX993",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Remark on a namespace identifier by the rules for registration; never a syntax error.

    Attributes:
        message: the remark, a sentence.
        rule: the rule, for example ``RFC 8141 §5.1``.
    """

    message: str
    rule: str


# Remarks on namespace identifiers in lower case; the first pattern that fits decides.
_NID_NOTES = (
    ("urn", '"urn" is reserved: no namespace can have it', "RFC 2141 §2.1"),
    (
        r"urn-(?![1-9][0-9]*\Z).*",
        '"urn-" is for informal namespaces and needs a number without leading zeros',
        "RFC 8141 §5.2",
    ),
    (
        "x-.*",
        '"X-" was for experiments (RFC 3406): no namespace can have it now',
        "RFC 8141 §5.1",
    ),
    (
        "[a-z]{2}--.*",
        "two letters and two hyphens are reserved for names like A-labels of the DNS",
        "RFC 8141 §5.1",
    ),
    (
        "[a-z]{2}-.*",
        "two letters and a hyphen are reserved for namespaces of countries",
        "RFC 8141 §5.1",
    ),
    (".{0,2}", "a formal namespace has more than two characters", "RFC 8141 §5.1"),
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Urn:
    """Uniform Resource Name (RFC 8141), its parts as written.

    Two URNs are equal by URN-equivalence (section 3). The case of the scheme, of the namespace
    identifier and of hex digits in percent-encoding is ignored; everything else counts letter by
    letter. The r-, q- and f-components are ignored. `parse` makes URNs; parts given by hand are
    not checked.

    Attributes:
        nid: the namespace identifier.
        nss: the namespace specific string.
        r: the r-component without its ``?+``, or None.
        q: the q-component without its ``?=``, or None.
        f: the f-component without its ``#``, which may be empty, or None.
    """

    nid: str
    nss: str
    r: str | None = None
    q: str | None = None
    f: str | None = None

    def __str__(self) -> str:
        components = (("?+", self.r), ("?=", self.q), ("#", self.f))
        return self.assigned_name + "".join(
            mark + component for mark, component in components if component is not None
        )

    def __eq__(self, other: object) -> bool:
        return self.canonical == other.canonical if isinstance(other, Urn) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.canonical)

    @property
    def assigned_name(self) -> str:
        """Name without its r-, q- and f-components: ``urn:NID:NSS`` (section 2)."""
        return f"urn:{self.nid}:{self.nss}"

    @property
    def canonical(self) -> str:
        """Text that all equivalent URNs share (section 3), without components."""
        nss = _TRIPLET.sub(lambda triplet: triplet[0].upper(), self.nss)
        return f"urn:{self.nid.lower()}:{nss}"

    @property
    def informal(self) -> bool:
        """True if the namespace is informal: ``urn-`` and a number (section 5.2)."""
        return _INFORMAL_NID.fullmatch(self.nid.lower()) is not None

    @property
    def notes(self) -> tuple[Note, ...]:
        """Remarks on the namespace identifier by sections 5.1 and 5.2.

        These sections are rules for registering a namespace. A URN with an identifier that cannot
        be registered still has valid syntax.
        """
        for pattern, message, rule in _NID_NOTES:
            if re.fullmatch(pattern, self.nid.lower()):
                return (Note(message=message, rule=rule),)
        return ()


def parse(text: str) -> Urn:
    """Read a URN by RFC 8141 section 2.

    namestring = assigned-name [ rq-components ] [ "#" f-component ]

    Args:
        text: the URN, nothing before or after it.

    Raises:
        UrnSyntaxError: the text is not a URN; the error has the position and the reason.
    """
    colon = _find_nid_end(text, rule="RFC 8141 §2")
    _check_nid(text, colon)
    nss_end = _find_nss_end(text, colon + 1)
    hash_mark = text.find("#", nss_end)
    end = len(text) if hash_mark < 0 else hash_mark
    r, q = _read_rq_components(text, nss_end, end)
    f = None
    if hash_mark >= 0:  # f-component = *( pchar / "/" / "?" )
        f = text[end + 1 :]
        _check_component(text, end + 1, len(text), "RFC 8141 §2.3.3")
    return Urn(nid=text[4:colon], nss=text[colon + 1 : nss_end], r=r, q=q, f=f)


def _fail(problem: str, text: str, start: int, end: int, rule: str) -> NoReturn:
    """Raise the error for ``text`` between two offsets."""
    raise UrnSyntaxError(problem, text=text, start=start, end=end, rule=rule)


def _find_nid_end(text: str, *, rule: str) -> int:
    """Return the offset of the colon after the namespace identifier.

    Raises:
        UrnSyntaxError: the text does not begin with ``urn:`` and an identifier.
    """
    if text[:4].lower() != "urn:":
        _fail('a URN begins with "urn:"', text, 0, min(4, len(text)), rule)
    colon = text.find(":", 4)
    if colon < 0:
        _fail("no colon ends the namespace identifier", text, 4, len(text), rule)
    return colon


def _check_nid(text: str, colon: int) -> None:
    """Check NID = (alphanum) 0*30(ldh) (alphanum)."""
    if _NID.fullmatch(text, 4, colon):
        return
    rule = "RFC 8141 §2.1"
    if foreign := _NOT_IN_NID.search(text, 4, colon):
        problem = f"{foreign[0]!r} is not allowed in a namespace identifier"
        _fail(problem, text, *foreign.span(), rule)
    if colon - 4 not in _NID_LENGTHS:
        _fail("a namespace identifier has 2 to 32 characters", text, 4, colon, rule)
    at = 4 if text[4] == "-" else colon - 1
    problem = "a namespace identifier begins and ends with a letter or digit"
    _fail(problem, text, at, at + 1, rule)


def _find_nss_end(text: str, start: int) -> int:
    """Return the offset after NSS = pchar *(pchar / "/")."""
    rule = "RFC 8141 §2.2"
    foreign = _NOT_IN_NSS.search(text, start)
    end = foreign.start() if foreign else len(text)
    if foreign and not text.startswith(("#", "?+", "?="), end):
        problem = f"{foreign[0]!r} is not allowed in a URN; percent-encode it"
        if foreign[0] == "?":
            problem = 'a "?" is only allowed before "+" or "="; write %3F'
        _fail(problem, text, end, end + 1, rule)
    if end == start:
        _fail("the namespace specific string is empty", text, start, end, rule)
    if text[start] == "/":
        _fail('"/" cannot begin the namespace specific string', text, start, start + 1, rule)
    _check_percent(text, start, end)
    return end


def _read_rq_components(text: str, start: int, end: int) -> tuple[str | None, str | None]:
    """Read rq-components = [ "?+" r-component ] [ "?=" q-component ]; "?=" ends an r-component."""
    r_end = start
    r = None
    if text.startswith("?+", start):
        mark = text.find("?=", start + 2, end)
        r_end = end if mark < 0 else mark
        r = _read_component(text, start + 2, r_end, "r-component")
    if r_end == end:
        return r, None
    return r, _read_component(text, r_end + 2, end, "q-component")


def _read_component(text: str, start: int, end: int, which: str) -> str:
    """Read r-component or q-component = pchar *( pchar / "/" / "?" )."""
    rule = "RFC 8141 §2.3.1" if which == "r-component" else "RFC 8141 §2.3.2"
    if start == end:
        _fail(f"the {which} is empty", text, start - 2, end, rule)
    if text[start] in "/?":
        _fail(f"{text[start]!r} cannot begin the {which}", text, start, start + 1, rule)
    _check_component(text, start, end, rule)
    return text[start:end]


def _check_component(text: str, start: int, end: int, rule: str) -> None:
    """Check the characters of a component."""
    if foreign := _NOT_IN_COMPONENT.search(text, start, end):
        problem = f"{foreign[0]!r} is not allowed in a URN; percent-encode it"
        _fail(problem, text, *foreign.span(), rule)
    _check_percent(text, start, end)


def _check_percent(text: str, start: int, end: int) -> None:
    if bad := _BAD_PERCENT.search(text, start, end):
        _fail(_PERCENT_PROBLEM, text, *bad.span(), "RFC 3986 §2.1")


def parse_2141(text: str, *, on_cleaning: Callable[[Finding], None] | None = None) -> Urn:
    """Read a URN by RFC 2141 section 2.

    ``/``, ``?`` and ``#`` are reserved without a meaning: they stay in the namespace specific
    string. There are no r-, q- and f-components.

    >>> parse_2141("urn:ab:a b", on_cleaning=lambda found: print(found.message)).nss
    " " is a space or control character; it is written percent-encoded
    'a%20b'

    Args:
        text: the URN; nothing before or after it unless ``on_cleaning`` is given.
        on_cleaning: asks for cleaning, and receives a finding for each kind of it. White space
            and byte order marks at both ends are left out. Each other character outside the set,
            a control character for example, becomes the octets of its UTF-8 form as ``%XX``
            (section 2.2). None: nothing is cleaned.

    Raises:
        UrnSyntaxError: the text is not a URN of RFC 2141, or cannot be cleaned into one.
    """
    given = text
    if on_cleaning is not None:
        text = text.strip(_WHITE_SPACE + _BYTE_ORDER_MARK)
    colon = _find_nid_end(text, rule="RFC 2141 §2")
    rule = "RFC 2141 §2.1"
    if text[4:colon].lower() == "urn":
        _fail('the namespace identifier "urn" is reserved', text, 4, colon, rule)
    if not _NID_2141.fullmatch(text, 4, colon):
        problem = "a namespace identifier has 1 to 32 letters, digits and hyphens, no hyphen first"
        _fail(problem, text, 4, colon, rule)
    if colon + 1 == len(text):
        _fail("the namespace specific string is empty", text, colon + 1, colon + 1, "RFC 2141 §2.2")
    found = [
        (match, problem, section, code)
        for pattern, problem, section, code in _FAULTS_2141
        if (match := pattern.search(text, colon + 1))
    ]
    refused = [fault for fault in found if on_cleaning is None or fault[3] is None]
    if refused:
        match, problem, section, _ = min(refused, key=lambda fault: fault[0].start())
        _fail(problem, text, *match.span(), f"RFC 2141 {section}")
    nss = text[colon + 1 :]
    if on_cleaning is not None:
        cleaned = [(match, code) for match, _, _, code in found if code is not None]
        _report_cleaning(given, text, cleaned, on_cleaning)
        nss = _NOT_IN_NSS_2141.sub(
            lambda run: "".join(f"%{octet:02X}" for octet in run[0].encode()), nss
        )
    return Urn(nid=text[4:colon], nss=nss)


def _report_cleaning(
    given: str,
    text: str,
    cleaned: Iterable[tuple[re.Match[str], str]],
    on_cleaning: Callable[[Finding], None],
) -> None:
    """Report what was left out around the text of the URN, and the runs that were encoded."""
    before, _, after = given.partition(text)
    if (before + after).strip(_BYTE_ORDER_MARK):
        on_cleaning(make_finding("LX990", end=len(given), text=given))
    if _BYTE_ORDER_MARK in before + after:
        on_cleaning(make_finding("LX994", end=len(given), text=given))
    for match, code in cleaned:
        first = match[0][0]
        shown = json.dumps(first, ensure_ascii=not first.isprintable())
        at = len(before) + match.start()
        on_cleaning(make_finding(code, shown, start=at, end=at + len(match[0]), text=given))
