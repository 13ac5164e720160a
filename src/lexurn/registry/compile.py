"""``python -m lexurn.registry.compile``: make the tables anew after an edit of the registry.

A code that was compiled before is neither renamed nor deleted (RFC 9676 section 2.2): it is marked
``owl:deprecated``. What was never published may go all the same, with ``--drop``.
"""

from __future__ import annotations

import sys

from lexurn.registry._overlay import lost_codes
from lexurn.registry._tables import drop_stale_tables, stale_tables, write_tables

__all__ = ["main"]


def main(arguments: tuple[str, ...] = ()) -> int:
    """Write the tables that differ and name them on standard output; returns the exit code."""
    if "--drop" in arguments:
        drop_stale_tables()
    elif not _whole():
        return 1
    written = write_tables()
    sys.stdout.write("".join(f"ontology/tables/{name}.json\n" for name in written))
    return 0


def _whole() -> bool:
    """Whether every code that was compiled is still there; if not, it is said."""
    lost = lost_codes()
    said = [f"{each.file}:{each.line}: {each.code}: {each.message}\n" for each in lost]
    said += [f"ontology/tables/{name}.json: its file is gone\n" for name in stale_tables()]
    if said:
        said.append("nothing was written; what was never published may go: --drop\n")
    sys.stderr.write("".join(said))
    return not said


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
