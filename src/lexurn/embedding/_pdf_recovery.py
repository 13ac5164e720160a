"""What a PDF says although it is broken or encrypted, as far as pypdf can find it.

It is for reading alone: what is found so is a guess, and nothing is written on a guess.
"""

from __future__ import annotations

import io
import logging
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pypdf import PdfReader

    from lexurn.embedding._document import Document

__all__ = ["LostError", "Recovered", "recovered"]

# All of the file is read into memory and searched.
_LARGEST = 1 << 24
_MOST_SECONDS = 10.0
_MOST_ENTRIES = 1_000
_LONGEST_VALUE = 1 << 16

_LARGE = f"it is larger than {_LARGEST >> 20} megabytes, too large to be searched"
_LATE = f"it takes more than {_MOST_SECONDS:.0f} seconds to be searched"
_LOCKED = "its password is not empty"
_DAMAGED = "pypdf finds nothing in it"

# What pypdf needs for AES, and says that it needs.
_CRYPTOGRAPHY = "cryptography"
_NEEDED = (
    f"it is encrypted by AES, which needs the Python package {_CRYPTOGRAPHY}; "
    'pip install "lexurn[embed]" brings it'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """What was found.

    Attributes:
        packet: the XMP metadata; empty where none was found.
        information: the keys of the information dictionary, without slashes, and their texts.
    """

    packet: bytes
    information: tuple[tuple[str, str], ...]


class LostError(Exception):
    """Nothing is found in a file; as a text it is why."""


class _TooLateError(BaseException):
    """It takes too long; nothing that waits for exceptions of other kinds stops it."""


class _Patient(io.BufferedReader):
    """A document as a file that can be read for so long: some faults are slow to be searched."""

    def __init__(self, document: Document) -> None:
        super().__init__(cast("io.BufferedReader", document.stream()).detach())
        self._end = time.monotonic() + _MOST_SECONDS

    def read(self, size: int | None = -1, /) -> bytes:
        if time.monotonic() > self._end:
            raise _TooLateError
        return super().read(size)


def recovered(document: Document) -> Recovered:
    """What is found in a file.

    Raises:
        LostError: nothing is found, or the file is too large to be searched.
        EmbeddingError: the file cannot be read; or a package is not installed that is needed to.
        MissingExtraError: pypdf is not installed.
    """
    if document.size > _LARGEST:
        raise LostError(_LARGE)
    try:
        import pypdf  # noqa: PLC0415 - heavy, and for broken files only
    except ImportError:
        raise MissingExtraError("embed") from None
    with _silent():
        try:
            return _found(pypdf.PdfReader(_Patient(document), strict=False))
        except (EmbeddingError, LostError):
            raise
        except _TooLateError:
            raise LostError(_LATE) from None
        except Exception as fault:  # noqa: BLE001 - whatever a broken file makes of its reader
            if isinstance(fault, pypdf.errors.DependencyError) and _CRYPTOGRAPHY in str(fault):
                raise EmbeddingError(finding("LX357", document.name, why=_NEEDED)) from None
            raise LostError(_DAMAGED) from None


def _found(reader: PdfReader) -> Recovered:
    if reader.is_encrypted and not reader.decrypt(""):
        raise LostError(_LOCKED)
    return Recovered(packet=_packet(reader), information=tuple(_information(reader)))


def _packet(reader: PdfReader) -> bytes:
    metadata = reader.root_object.get("/Metadata")
    stream = None if metadata is None else metadata.get_object()
    data = getattr(stream, "get_data", bytes)()
    return data if isinstance(data, bytes) and len(data) <= _LARGEST else b""


def _information(reader: PdfReader) -> Iterator[tuple[str, str]]:
    entries = list((reader.metadata or {}).items())[:_MOST_ENTRIES]
    for key, value in entries:
        text = value.strip("\0 \t\r\n") if isinstance(value, str) else ""
        if text:
            yield key.removeprefix("/"), text[:_LONGEST_VALUE]


@contextmanager
def _silent() -> Iterator[None]:
    """Without the remarks of pypdf: what is wrong with the file is said in a finding."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
