"""A disk that is full, as far as a process can tell."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["largest"]

resource = pytest.importorskip("resource", reason="files have no limits of size here")


@contextmanager
def largest(size: int) -> Iterator[None]:
    """No file of this process may grow larger, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
