"""What the engine of a store says went wrong, in words that say what to do."""

from __future__ import annotations

from typing import Final

__all__ = ["explained_fault"]

_DAMAGED: Final = (
    "{place} is damaged ({message}); load the sources into a new catalogue (take given.sqlite "
    "along, which says what names are given out)"
)
_SENTENCES: Final = (
    (("corruption",), _DAMAGED),
    (("no space",), "{place}: the disk is full; free space, then run the same again"),
    (("lock file", "lock hold"), "{place} is in use by another process; wait until it is done"),
    (("read-write",), "{place} was opened for reading only and cannot be written"),
    (("read-only", "permission"), "{place} cannot be used: {message}"),
    (("no such file", "invalid argument"), _DAMAGED),
)
"""What the engine may say, the surest first, and what that means."""


def explained_fault(place: str, message: str) -> str:
    """A fault of the engine as a sentence.

    Args:
        place: the folder of the store, or what it is called.
        message: what the engine says; the paths in it say nothing of the fault.

    >>> explained_fault("law/store", "Corruption: block checksum mismatch in law/store/1.sst")[:20]
    'law/store is damaged'
    """
    said = message.replace(f"{place}/", "").lower()
    for words, sentence in _SENTENCES:
        if any(each in said for each in words):
            return sentence.format(place=place, message=message)
    return f"{place}: {message}"
