"""``python -m lexurn.registry.compile``: make the tables anew after an edit of the registry."""

from __future__ import annotations

import sys

from lexurn.registry._tables import write_tables

__all__ = ["main"]


def main() -> int:
    """Write the tables that differ and name them on standard output; returns the exit code."""
    written = write_tables()
    sys.stdout.write("".join(f"ontology/tables/{name}.json\n" for name in written))
    return 0


if __name__ == "__main__":
    sys.exit(main())
