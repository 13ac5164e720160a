"""The wall around the process of a query: it can open no connection, whatever its engine reads.

Refusing texts that call out rests on reading them as the engine does. This does not: where the
system is Linux on a processor that is known here, the kernel refuses each new socket to the thread
that asks and to all that it starts. Elsewhere there is no wall.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys
from typing import Final

__all__ = ["has_wall", "wall_in"]

_SOCKET: Final = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""For a processor: what the kernel calls it, and the number of the call that opens a socket."""

_NO_NEW_PRIVILEGES: Final = 38
_SECCOMP: Final = 22
_BY_FILTER: Final = 2
_ALLOWED: Final = 0x7FFF0000
_REFUSED: Final = 0x00050000 | errno.EACCES
_LOAD: Final = 0x20
_JUMP_IF_EQUAL: Final = 0x15
_RETURN: Final = 0x06
_NUMBER: Final = 0
_PROCESSOR: Final = 4


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_void_p))


def has_wall() -> bool:
    """Whether this system can build the wall."""
    is_wide = sys.maxsize > 1 << 32  # a narrow interpreter asks the kernel by other numbers
    return sys.platform == "linux" and is_wide and platform.machine() in _SOCKET


def wall_in() -> bool:
    """Refuse each new connection to this thread, and to those it starts, until they end.

    Returns:
        Whether the wall stands; on other systems, and where the kernel takes no such rule, not.
    """
    if not has_wall():
        return False
    processor, socket = _SOCKET[platform.machine()]
    steps = b"".join(
        struct.pack("=HBBI", *step)
        for step in (
            (_LOAD, 0, 0, _PROCESSOR),
            (_JUMP_IF_EQUAL, 0, 3, processor),
            (_LOAD, 0, 0, _NUMBER),
            (_JUMP_IF_EQUAL, 0, 1, socket),
            (_RETURN, 0, 0, _REFUSED),
            (_RETURN, 0, 0, _ALLOWED),
        )
    )
    held = ctypes.create_string_buffer(steps, len(steps))
    program = _Program(len(steps) // 8, ctypes.addressof(held))
    control = ctypes.CDLL(None).prctl
    control.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    if control(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return False
    return bool(control(_SECCOMP, _BY_FILTER, ctypes.addressof(program), 0, 0) == 0)
