"""Data files of lexurn: beside the package in a wheel, at the top of a checkout.

Law and vocabulary are files that a jurist can edit: ``ontology``, ``shapes``, ``templates``. An
absent or empty folder is an error at once, since a check against no shapes finds nothing.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import TYPE_CHECKING, Any

from lexurn.errors import MissingDataError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["find_folder", "load_table", "read_text"]

_PACKAGE = os.path.dirname(os.path.realpath(__file__))
_PACKAGED = os.path.join(_PACKAGE, "_data")
_ROOT = _PACKAGED if os.path.isdir(_PACKAGED) else os.path.dirname(os.path.dirname(_PACKAGE))


@cache
def find_folder(name: str) -> Path:
    """Return the path of a data folder: ``ontology``, ``shapes`` or ``templates``.

    Raises:
        MissingDataError: the folder is absent or empty.
    """
    from pathlib import Path  # noqa: PLC0415 - parse reads no data file

    path = Path(_ROOT, name)
    if not any(path.glob("*")):
        raise MissingDataError(path)
    return path


@cache
def read_text(path: str) -> str:
    """Read the text of one data file, for example ``ontology/context.jsonld``.

    Raises:
        MissingDataError: the file is absent.
    """
    file = os.path.join(_ROOT, path)
    try:
        with open(file, encoding="utf-8") as stream:
            return stream.read()
    except FileNotFoundError:
        raise MissingDataError(file) from None


@cache
def load_table(name: str) -> Any:
    """Load a table compiled from the registry: ``ontology/tables/<name>.json``.

    Raises:
        MissingDataError: the table is absent.
    """
    return json.loads(read_text(f"ontology/tables/{name}.json"))
