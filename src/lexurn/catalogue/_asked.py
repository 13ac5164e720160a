"""What a text may ask for: a name, what is missing in it, and how it was read (RFC 9676 10.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._reasons import reason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._reasons import Reason
    from lexurn.name import Name

__all__ = ["Asked", "asked_of"]

_YEAR: Final = re.compile(r"[0-9]{4}")
_NOTHING: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a text may ask for.

    Attributes:
        name: the name, without partition; what is missing in it stands there as ``x``.
        partition: the partition, or None.
        missing: those of ``authority``, ``measure`` and ``numbers`` that are missing.
        prefix: what stands for a date where only its year or month was given.
        reasons: how the text was read.
    """

    name: Name
    partition: str | None = None
    missing: frozenset[str] = _NOTHING
    prefix: str | None = None
    reasons: tuple[Reason, ...] = ()


def asked_of(name: Name, *reasons: Reason) -> Asked:
    """What a name that is whole asks for."""
    period = name.work.details.period
    return Asked(
        name=name.document,
        partition=name.partition,
        prefix=period if period is not None and _YEAR.fullmatch(period) else None,
        reasons=(*reasons, *_left_out(name)),
    )


def _left_out(name: Name) -> Iterator[Reason]:
    """What stands behind a name and is no part of it (RFC 8141 section 2.3)."""
    r, q, f = name.components.r, name.components.q, name.components.f
    for word, text in (("r-component", r and f"?+{r}"), ("q-component", q and f"?={q}")):
        if text:
            yield reason("LX938", word, text, component=word)
    if f:
        yield reason("LX939", f"#{f}", component="f-component")
