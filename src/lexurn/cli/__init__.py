"""Command line: one command for each task, loaded when it is called.

The input is arguments, files and standard input. Results go to standard output, findings and
progress to standard error; the exit code says whether all is well.
Read in this order: commands, shared, names, mint, registry, publish, catalogue, query, resolve,
documents.
"""

from __future__ import annotations

from lexurn.cli.commands import main

__all__ = ["main"]
