"""Command line: one command for each task, loaded when it is called.

In: arguments, files and standard input.
Out: results on standard output, findings and progress on standard error, and an exit code.
Read in this order: commands, shared, tables, names, map, mint, registry, metadata, site,
catalogue, query, resolve, documents.
"""

from __future__ import annotations

from lexurn.lazy import keep_imports

with keep_imports():
    from lexurn.cli.commands import main

__all__ = ["main"]
