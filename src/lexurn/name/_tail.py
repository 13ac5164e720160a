"""The r-, q- and f-components behind a name (RFC 8141 section 2.3): read, kept, no part of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.name._characters import encoded, is_unwritable, preserved, quoted
from lexurn.name._codes import Fault, Fix
from lexurn.name._leaf import Parsed, shifted
from lexurn.name._values import Components

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_tail", "tail_start", "written"]

_START = re.compile(r"\?[+=]|#")
# "?=" ends an r-component (RFC 8141 section 2.3.1), and "#" whatever stands before it.
_TAIL = re.compile(
    r"(?:\?\+(?P<r>[^#]*?)(?=\?=|#|\Z))?(?:\?=(?P<q>[^#]*))?(?:#(?P<f>.*))?\Z", re.DOTALL
)
_TOKEN = re.compile(
    r"(?P<good>(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})+)"
    r"|(?P<raw>[^\x00-\x7f])|(?P<bad>.)",
    re.DOTALL,
)


def tail_start(text: str) -> int:
    """Offset of the first component in a text, its length where there is none."""
    match = _START.search(text)
    return match.start() if match else len(text)


def read_tail(text: str) -> Parsed[Components]:
    """Read ``["?+" r-component] ["?=" q-component] ["#" f-component]``."""
    match = _TAIL.match(text)
    if match is None:
        return Parsed(Components(), "")
    values: dict[str, str | None] = {}
    faults: list[Fault] = []
    for key in ("r", "q", "f"):
        found = match[key]
        values[key] = None if found is None else _preserved(found)
        if found is not None:
            faults += shifted(tuple(_faults(found, f"{key}-component")), match.start(key))
    return Parsed(Components(**values), "", tuple(faults))


def _preserved(text: str) -> str | None:
    """The component in ASCII, None where it cannot be encoded (half a surrogate pair)."""
    try:
        return preserved(text) if not text.isascii() else text
    except UnicodeEncodeError:
        return None


def written(components: Components) -> str:
    """Components as they stand behind a name."""
    marked = (("?+", components.r), ("?=", components.q), ("#", components.f))
    return "".join(f"{mark}{value}" for mark, value in marked if value is not None)


def _faults(text: str, component: str) -> Iterator[Fault]:
    """What is found in one component: all that is not ASCII once, and the first error."""
    if component != "f-component" and not text:
        yield Fault("LX119", component, 0, 0, (), Fix(-2, 0, ""))
    if component != "f-component" and text[:1] in ("/", "?") and text:
        yield Fault("LX120", component, 0, 1, (quoted(text[0]),))
        return
    fix = Fix(0, len(text), _encoded(text))
    raw = False
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        if token.lastgroup == "bad" or (token["raw"] and is_unwritable(token["raw"])):
            if token[0] == "%":
                yield Fault("LX104", "percent-encoding", start, min(start + 3, len(text)))
            else:
                yield Fault("LX120", component, start, end, (quoted(token[0]),), fix)
            return
        if token["raw"] and not raw:
            raw = True
            yield Fault("LX109", component, start, end, (quoted(token[0]),), fix)


def _encoded(text: str) -> str:
    """A component with all that may not stand in it percent-encoded."""

    def written(token: re.Match[str]) -> str:
        if token["good"]:
            return token[0]
        if "\ud800" <= token[0] <= "\udfff":
            return ""
        return encoded(token[0]) if token["raw"] else f"%{ord(token[0]):02X}"

    return _TOKEN.sub(written, text)
