"""One site of the example table for all tests of this lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from site_pages import TOP, ServedSite, serve_site

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedSite]:
    with serve_site(TOP / "examples" / "acts.csv", tmp_path_factory.mktemp("site") / "out") as site:
        yield site
