"""Rejects files: the bad rows unchanged, so that they can be corrected and read again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import chain, count
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.errors import ManifestError
from lexurn.files import replace_atomically
from lexurn.manifest.tables import EXTENSIONS, TableFormat

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from lexurn.manifest.alias_sets import Spool
    from lexurn.manifest.tables import Table

_SELECT_ROWS = "SELECT id, raw FROM reject WHERE file = ? ORDER BY id, rowid"
_SELECT_LINES = "SELECT line FROM reject WHERE file = ? ORDER BY id"


@dataclass(frozen=True, slots=True, kw_only=True)
class _RejectsGroup:
    """Tables with the same format and header, whose bad rows fit into one file."""

    head: bytes
    tables: tuple[tuple[int, Table], ...]


def choose_rejects_files(
    rejects: str | Path | Sequence[str | Path] | None, sources: Sequence[object]
) -> list[Path]:
    """Choose the rejects files of some sources: none, one for all of them, or one for each.

    Raises:
        ManifestError: there are several, but not another one for each source, or one of them cannot
            be written (`check_rejects_file`).
    """
    if rejects is None:
        return []
    paths = (
        [Path(rejects)]
        if isinstance(rejects, str | Path)
        else _match_sources(rejects, len(sources))
    )
    for path in paths:
        check_rejects_file(path, sources)
    return paths


def suggest_rejects_files(sources: Sequence[str], format: str | None = None) -> list[str]:
    """Suggest a rejects file for each table, as `suggest_rejects_file`."""
    paths: list[str] = []
    for source in sources:
        taken = {Path(path).absolute() for path in paths}
        paths.append(suggest_rejects_file(source, format, taken=taken))
    return paths


def suggest_rejects_file(
    source: str, format: str | None = None, *, taken: Collection[Path] = ()
) -> str:
    """Suggest a rejects file beside a table: ``acts.rejects.csv`` beside ``acts.csv``.

    A file that exists is never suggested, since somebody may be correcting it: then
    ``acts.rejects-2.csv``. Where the folder of the table cannot be written, the file is in the
    current folder.

    Args:
        source: a path; ``-`` is standard input.
        format: the format of the table where that was given.
        taken: absolute paths that are suggested for other tables.
    """
    path = Path(f"rejects.{format or 'csv'}")
    if source != "-":
        path = Path(f"{Path(source).stem}.rejects{Path(source).suffix}")
        if os.access(Path(source).parent, os.W_OK):
            path = Path(source).with_name(path.name)
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    free = (each for each in chain((path,), others) if each.absolute() not in taken)
    return str(next(each for each in free if not lexists(each)))


def _match_sources(rejects: Sequence[str | Path], sources: int) -> list[Path]:
    paths = [Path(each) for each in rejects]
    if not len({path.absolute() for path in paths}) == len(paths) == sources:
        raise ManifestError(
            f"{len(paths)} rejects files for {sources} sources; name one, or another for each"
        )
    return paths


def check_rejects_file(path: Path, sources: Iterable[object]) -> None:
    """Check, before anything is read, that a rejects file can be written.

    Each run writes it anew, so its name has to show that it is a rejects file: no other file is
    overwritten by mistake, and a command that works the first night works the second.

    Raises:
        ManifestError: it is a source, has another name, is not a regular file, or has no folder.
    """
    if not path.parent.is_dir():
        raise ManifestError(f"{path}: there is no folder {path.parent} for the rejects file")
    _refuse_special_file(path)
    for source in sources:
        if isinstance(source, str | Path) and Path(source).exists() and _is_same(path, source):
            raise ManifestError(f"{path}: the rejects file is the source itself; name another")
    check_rejects_name(path)


def check_rejects_name(path: Path) -> None:
    """Check that the name of a rejects file holds the word "reject".

    Raises:
        ManifestError: it does not.
    """
    if "reject" not in path.name.lower():
        raise ManifestError(
            f"{path}: a rejects file is written anew each time, so its name must hold the word "
            f'"reject"; for example {path.with_name(f"{path.stem}.rejects{path.suffix}")}'
        )


def _refuse_special_file(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise ManifestError(f"{path}: no file, so no rejects file either; name another")


def _is_same(path: Path, source: str | Path) -> bool:
    return path.exists() and path.samefile(source)


def write_rejects(paths: Sequence[Path], tables: Sequence[Table], spool: Spool) -> tuple[Path, ...]:
    """Write the bad rows, in the order of the tables; remove files of an earlier run.

    Args:
        paths: a file for each table, or one file for all of them. Then rows of tables with other
            headers or formats go to files of their own, numbered from 2, with the extension of
            their format: ``rejects.csv``, ``rejects.2.jsonl``.
        tables: the tables.
        spool: their bad rows.

    Returns:
        The files that were written.

    Raises:
        ManifestError: a file cannot be written, or is a folder, a pipe or a device.
    """
    written = []
    for target, group in _list_targets(paths, tables):
        _refuse_special_file(target)
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


def _list_targets(
    paths: Sequence[Path], tables: Sequence[Table]
) -> Iterator[tuple[Path, _RejectsGroup]]:
    if len(paths) > 1:
        for place, (path, table) in enumerate(zip(paths, tables, strict=True)):
            yield path, _RejectsGroup(head=table.head, tables=((place, table),))
        return
    (path,), first = paths, tables[0].format
    for number, group in enumerate(_group_tables(tables), start=1):
        kind = group.tables[0][1].format
        yield (
            (path if number == 1 else _number_path(path, number, kind, is_same=kind is first)),
            group,
        )


def _number_path(path: Path, number: int, kind: TableFormat, *, is_same: bool) -> Path:
    """Name a further file so that it still shows that it is one of rejects."""
    if is_same:
        return path.with_name(f"{path.stem}.{number}{path.suffix}")
    stem = path.stem if path.suffix.lower() in EXTENSIONS else path.name
    return path.with_name(f"{stem}.{number}.{kind}")


def _group_tables(tables: Sequence[Table]) -> list[_RejectsGroup]:
    groups: dict[tuple[object, ...], list[tuple[int, Table]]] = {}
    for place, table in enumerate(tables):
        alone = place if table.format is TableFormat.PARQUET else -1
        groups.setdefault((table.format, table.head, table.end, alone), []).append((place, table))
    return [_RejectsGroup(head=group[0][1].head, tables=tuple(group)) for group in groups.values()]


def _write_group(path: Path, group: _RejectsGroup, spool: Spool) -> bool:
    """Write the bad rows of one group; return False where it has none."""
    counts = [spool.one("SELECT 1 FROM reject WHERE file = ?", p) for p, _ in group.tables]
    if not any(counts):
        return False
    (place, table), *_ = group.tables
    if table.format is TableFormat.PARQUET:
        lines = (line for (line,) in spool.query(_SELECT_LINES, place))
        with replace_atomically(path) as part:
            table.copy_rows(lines, part)
    else:
        with replace_atomically(path) as part:
            _write_bytes(part, group, spool)
    return True


def _write_bytes(path: Path, group: _RejectsGroup, spool: Spool) -> None:
    with path.open("xb") as stream:
        stream.write(group.head)
        written, tail = 0, group.head
        for place, table in group.tables:
            for number, raw in spool.query(_SELECT_ROWS, place):
                if number != written and tail and not tail.endswith(table.end):
                    stream.write(table.end)  # the last row of a file may lack its line end
                stream.write(raw)
                written, tail = number, raw or tail
