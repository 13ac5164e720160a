"""The command line: one command for each task, loaded when it is called.

Takes arguments, files and standard input.
Gives results on standard output, findings and progress on standard error, and an exit code.
Read in this order: commands, screen, options, names, mint, registry, publish, catalogue, query,
resolve, documents.
"""

from __future__ import annotations

from lexurn.cli.commands import main

__all__ = ["main"]
