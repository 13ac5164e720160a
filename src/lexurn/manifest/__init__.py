"""Manifests: tables of acts, one row one name, read into families in bounded memory."""

from __future__ import annotations

from lexurn.manifest._faults import RowFinding
from lexurn.manifest._manifest import Manifest, open_manifest
from lexurn.manifest._table import TableFormat

__all__ = ["Manifest", "RowFinding", "TableFormat", "open_manifest"]
