"""Runs of publish in this process for tests, and the files that they leave."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from export_cases import AS_OF, BASE, name, records
from publish_run import sound

from lexurn.model import families_of
from lexurn.pages.paths import locate_folder
from lexurn.publishing import publish
from lexurn.publishing.state import STATE_FILE

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.model import Record
    from lexurn.publishing import PublishReport


def run(out: Path, found: list[Record] | None = None, **options: object) -> PublishReport:
    families = families_of(records() if found is None else found)
    settings: dict[str, object] = {
        "base": BASE,
        "as_of": AS_OF,
        "check": sound,
        "workers": 1,
    }
    return publish(families, out, **{**settings, **options})  # type: ignore[arg-type]


def tree(out: Path) -> dict[str, str]:
    """Every file but the state, and its digest; every folder as well."""
    return {
        str(path.relative_to(out)): (
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        )
        for path in sorted(out.rglob("*"))
        if path.name != STATE_FILE
    }


def folder(out: Path, text: str) -> Path:
    return out.joinpath(*locate_folder(name(text)))
