"""Fields of an HTML form as bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["form_of"]

_UNRESERVED: Final = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)


def form_of(fields: Mapping[str, str | Sequence[str]]) -> bytes:
    """Fields as an HTML form; large ones many times sooner than the standard library does it."""
    every = (
        (name, value)
        for name, values in fields.items()
        for value in ((values,) if isinstance(values, str) else values)
    )
    return b"&".join(b"%b=%b" % (_quoted(name), _quoted(value)) for name, value in every)


def _quoted(text: str) -> bytes:
    data = text.encode().replace(b"%", b"%25")
    for octet in sorted(set(data) - _UNRESERVED - {0x25}):
        data = data.replace(bytes((octet,)), b"%%%02X" % octet)
    return data
