"""Checks of the whole table: names that each row makes well, and that are probably wrong.

A row that fails such a check is rejected, unless the mapping file accepts the code.
"""

from __future__ import annotations

from typing import Final

TABLE_CHECKS: Final = ("LX541", "LX542", "LX543", "LX544", "LX545", "LX546", "LX547")
"""Codes of the checks, which a mapping file may accept."""
