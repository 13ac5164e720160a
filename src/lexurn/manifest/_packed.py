"""What rows and alias sets look like on their way: plain values that any process can be sent."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["GroupedRow", "PackedGroup", "PackedRow", "RejectedRow"]


class PackedRow(NamedTuple):
    """A good row, read by itself.

    Attributes:
        number: its number among all rows of all tables, bad ones included, from 1.
        act: the canonical text of the act that its name belongs to.
        name: the canonical text of the name that it describes.
        place: the number of its table, from 0.
        line: its first line, from 1; in Parquet the row's number.
        data: what it says, for this version of Python.
        raw: its bytes, where they are kept for a rejects file.
        alias_of: the canonical name of which its name is stated as an alias.
        alias_act: the act that this one belongs to.
        urls: where the copies lie that it names.
    """

    number: int
    act: str
    name: str
    place: int
    line: int
    data: bytes
    raw: bytes | None = None
    alias_of: str | None = None
    alias_act: str | None = None
    urls: tuple[str, ...] = ()


class RejectedRow(NamedTuple):
    """A bad row for a rejects file.

    Attributes:
        place: the number of its table, from 0.
        number: its number among all rows.
        line: its first line; in Parquet the row's number.
        raw: its bytes, or a piece of them; empty in Parquet.
    """

    place: int
    number: int
    line: int
    raw: bytes


class GroupedRow(NamedTuple):
    """A row in its alias set: its number, its file and line, what it says."""

    number: int
    file: str
    line: int
    data: bytes


class PackedGroup(NamedTuple):
    """The rows of one alias set, from which `build_family` makes its family.

    Attributes:
        act: the act at its centre.
        rows: its rows, in the order of the input.
        shared: URLs of copies that it has, and other alias sets too.
    """

    act: str
    rows: tuple[GroupedRow, ...]
    shared: tuple[str, ...] = ()
