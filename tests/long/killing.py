"""Commands that are killed at a moment, for the tests of kills in this folder."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_numbers(description: str | None, **defaults: int) -> argparse.Namespace:
    """Read options of the command line that are numbers."""
    parser = argparse.ArgumentParser(description=description)
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()


def run_or_kill(arguments: Sequence[str], most: float | None = None) -> bool:
    """Run lexurn, and kill its process group after so many seconds; whether it ended before.

    Raises:
        SystemExit: it failed by itself, which is no kill.
    """
    command = [sys.executable, "-m", "lexurn", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          start_new_session=True) as run:  # fmt: skip
        try:
            _, errors = run.communicate(timeout=most)
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return False
    if run.returncode:
        raise SystemExit(f"{arguments[0]} failed by itself: {errors.decode()[-500:]}")
    return True
