"""Data files of lexurn: beside the package in a wheel, at the top of a checkout.

Law and vocabulary are files that a jurist can edit: ``ontology``, ``shapes``, ``templates``. An
absent or empty folder is an error at once, since a check against no shapes finds nothing.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from lexurn.errors import MissingDataError

__all__ = ["find_folder", "load_table", "read_text"]

_PACKAGE = Path(__file__).resolve().parent
_PACKAGED = _PACKAGE / "_data"
_ROOT = _PACKAGED if _PACKAGED.is_dir() else _PACKAGE.parents[1]


@cache
def find_folder(name: str) -> Path:
    """Return the path of a data folder: ``ontology``, ``shapes`` or ``templates``.

    Raises:
        MissingDataError: the folder is absent or empty.
    """
    path = _ROOT / name
    if not any(path.glob("*")):
        raise MissingDataError(path)
    return path


@cache
def read_text(path: str) -> str:
    """Read the text of one data file, for example ``ontology/context.jsonld``.

    Raises:
        MissingDataError: the file is absent.
    """
    file = _ROOT / path
    if not file.is_file():
        raise MissingDataError(file)
    return file.read_text(encoding="utf-8")


@cache
def load_table(name: str) -> Any:
    """Load a table compiled from the registry: ``ontology/tables/<name>.json``.

    Raises:
        MissingDataError: the table is absent.
    """
    return json.loads(read_text(f"ontology/tables/{name}.json"))
