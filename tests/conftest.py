"""Hypothesis profiles: HYPOTHESIS_PROFILE=long tries thirty times as many examples.

The processes that tests start write the bytecode of lexurn once, and do not compile it each time.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=30, **_COMMON)
settings.register_profile("ci", max_examples=30, derandomize=True, **_COMMON)
settings.register_profile("long", max_examples=1_000, **_COMMON)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))
