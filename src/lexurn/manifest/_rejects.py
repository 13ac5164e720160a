"""The rejects file: the bad rows unchanged, so that they can be mended and read again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.errors import ManifestError
from lexurn.files import replacing
from lexurn.manifest._table import EXTENSIONS, TableFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.manifest._spool import Spool
    from lexurn.manifest._table import Table

__all__ = ["check_rejects", "check_rejects_name", "rejects_of", "write_rejects"]

_ROWS = "SELECT id, raw FROM reject WHERE file = ? ORDER BY id, rowid"
_LINES = "SELECT line FROM reject WHERE file = ? ORDER BY id"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """Tables whose bad rows fit into one file: the same format and the same header."""

    head: bytes
    tables: tuple[tuple[int, Table], ...]


def rejects_of(
    rejects: str | Path | Sequence[str | Path] | None, sources: Sequence[object]
) -> list[Path]:
    """The rejects files of some sources: none, one for all of them, or one for each.

    Raises:
        ManifestError: they are several, but not another one for each source, or one of them
            cannot be written (`check_rejects`).
    """
    if rejects is None:
        return []
    paths = [Path(rejects)] if isinstance(rejects, str | Path) else _one_each(rejects, len(sources))
    for path in paths:
        check_rejects(path, sources)
    return paths


def _one_each(rejects: Sequence[str | Path], sources: int) -> list[Path]:
    paths = [Path(each) for each in rejects]
    if not len({path.absolute() for path in paths}) == len(paths) == sources:
        raise ManifestError(
            f"{len(paths)} rejects files for {sources} sources; name one, or another for each"
        )
    return paths


def check_rejects(path: Path, sources: Iterable[object]) -> None:
    """Make sure, before anything is read, that a rejects file can be written.

    It is written anew each time, so its name has to say what it is: nothing else is overwritten by
    a slip, and what is good the first night is good the second.

    Raises:
        ManifestError: it is a source, named like something else, no file, or in no folder.
    """
    if not path.parent.is_dir():
        raise ManifestError(f"{path}: there is no folder {path.parent} for the rejects file")
    _refuse_no_file(path)
    for source in sources:
        if isinstance(source, str | Path) and Path(source).exists() and _is_same(path, source):
            raise ManifestError(f"{path}: the rejects file is the source itself; name another")
    check_rejects_name(path)


def check_rejects_name(path: Path) -> None:
    """Make sure that the name of a rejects file says what it is.

    Raises:
        ManifestError: it does not.
    """
    if "reject" not in path.name.lower():
        raise ManifestError(
            f"{path}: a rejects file is written anew each time, so its name must hold the word "
            f'"reject"; for example {path.with_name(f"{path.stem}.rejects{path.suffix}")}'
        )


def _refuse_no_file(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise ManifestError(f"{path}: no file, so no rejects file either; name another")


def _is_same(path: Path, source: str | Path) -> bool:
    return path.exists() and path.samefile(source)


def write_rejects(paths: Sequence[Path], tables: Sequence[Table], spool: Spool) -> tuple[Path, ...]:
    """Write the bad rows, in the order of the tables; files of an earlier run are removed.

    Args:
        paths: a file for each table; or one file for all of them, and then rows of tables with
            different headers or formats go to files of their own, numbered from 2, that end as
            their format does: ``rejects.csv``, ``rejects.2.jsonl``.
        tables: the tables.
        spool: where their bad rows are.

    Returns:
        The files that were written.

    Raises:
        ManifestError: a file cannot be written, or is a folder, a pipe or a device.
    """
    written = []
    for target, group in _targets(paths, tables):
        _refuse_no_file(target)
        try:
            if _write_group(target, group, spool):
                written.append(target)
            else:
                target.unlink(missing_ok=True)
        except OSError as full:
            raise ManifestError(
                f"{target}: the rejects file cannot be written: {full.strerror or full}"
            ) from None
    return tuple(written)


def _targets(paths: Sequence[Path], tables: Sequence[Table]) -> Iterator[tuple[Path, _Group]]:
    if len(paths) > 1:
        for place, (path, table) in enumerate(zip(paths, tables, strict=True)):
            yield path, _Group(head=table.head, tables=((place, table),))
        return
    (path,), first = paths, tables[0].format
    for number, group in enumerate(_groups(tables), start=1):
        kind = group.tables[0][1].format
        yield (path if number == 1 else _numbered(path, number, kind, is_same=kind is first)), group


def _numbered(path: Path, number: int, kind: TableFormat, *, is_same: bool) -> Path:
    """A further file: the name goes on saying that it is one of rejects."""
    if is_same:
        return path.with_name(f"{path.stem}.{number}{path.suffix}")
    stem = path.stem if path.suffix.lower() in EXTENSIONS else path.name
    return path.with_name(f"{stem}.{number}.{kind}")


def _groups(tables: Sequence[Table]) -> list[_Group]:
    groups: dict[tuple[object, ...], list[tuple[int, Table]]] = {}
    for place, table in enumerate(tables):
        alone = place if table.format is TableFormat.PARQUET else -1
        groups.setdefault((table.format, table.head, table.end, alone), []).append((place, table))
    return [_Group(head=group[0][1].head, tables=tuple(group)) for group in groups.values()]


def _write_group(path: Path, group: _Group, spool: Spool) -> bool:
    """Write the bad rows of one group; False where it has none."""
    counts = [spool.one("SELECT 1 FROM reject WHERE file = ?", p) for p, _ in group.tables]
    if not any(counts):
        return False
    (place, table), *_ = group.tables
    if table.format is TableFormat.PARQUET:
        lines = (line for (line,) in spool.query(_LINES, place))
        with replacing(path) as part:
            table.copy(lines, part)
    else:
        with replacing(path) as part:
            _write_bytes(part, group, spool)
    return True


def _write_bytes(path: Path, group: _Group, spool: Spool) -> None:
    with path.open("xb") as stream:
        stream.write(group.head)
        written, tail = 0, group.head
        for place, table in group.tables:
            for number, raw in spool.query(_ROWS, place):
                if number != written and tail and not tail.endswith(table.end):
                    stream.write(table.end)  # the last row of a file may lack its line end
                stream.write(raw)
                written, tail = number, raw or tail
