"""The day on which somebody asks what is in force, where nobody names one."""

from __future__ import annotations

import datetime as dt

__all__ = ["today"]


def today() -> dt.date:
    """The day of today by UTC: one day for all who ask at once, wherever on earth they are."""
    return dt.datetime.now(tz=dt.UTC).date()
