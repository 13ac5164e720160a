"""Annexes, and annexes of annexes (RFC 9676 section 6.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.minting._numbers import annex_part
from lexurn.minting._phrase import specification

if TYPE_CHECKING:
    from lexurn.minting._draft import Context, Draft
    from lexurn.minting._metadata import Annexed

__all__ = ["annexes_of"]


def annexes_of(draft: Draft, context: Context) -> str | None:
    """What stands behind the act: ``:annex.a;borders.park:table.1``; "" where it has no annex."""
    written = [_annex(draft, context, annex) for annex in draft.given.annexes]
    return None if None in written else "".join(f":{each}" for each in written)


def _annex(draft: Draft, context: Context, annex: Annexed) -> str | None:
    words, law, mode = context.words, context.law, context.mode
    heading = draft.take(annex_part(annex.heading, words, law, mode, "annexes"))
    if heading is None or annex.title is None:
        return heading
    title = draft.take(specification(annex.title, words, mode, "annexes"))
    return None if title is None else f"{heading};{title}"
