"""Settings of all tests.

HYPOTHESIS_PROFILE=long tries thirty times as many examples of each law. The processes that tests
start write the bytecode of lexurn once, and do not compile it each time. Temporary folders are in
memory where there is enough, since tests else wait for disks most of their time.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile

from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=30, **_COMMON)
settings.register_profile("ci", max_examples=30, derandomize=True, **_COMMON)
settings.register_profile("long", max_examples=1_000, **_COMMON)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

_MEMORY = "/dev/shm"  # noqa: S108 - pytest makes folders of its own there
if os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > 4 << 30:
    os.environ.setdefault("TMPDIR", _MEMORY)
    tempfile.tempdir = os.environ["TMPDIR"]


def pytest_collection_finish() -> None:
    """Leave the tests themselves, which stay to the end, out of each search for garbage."""
    gc.freeze()
