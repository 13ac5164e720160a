"""Command line: one command for each task, loaded when it is called.

In: arguments, files and standard input.
Out: results on standard output, findings and progress on standard error, and an exit code.
Read in this order: commands, shared, tables, names, map, mint, registry, metadata, site,
catalogue, query, resolve, documents.
"""

from __future__ import annotations

import atexit
import gc

from lexurn.lazy import keep_imports

atexit.register(gc.freeze)  # a process that ends need not look for garbage
gc.set_threshold(50_000)  # nor often before: most objects live until the end
with keep_imports():
    from lexurn.cli.commands import main

__all__ = ["main"]
