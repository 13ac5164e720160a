"""Extractions as rows of a manifest, and as RDF by way of that."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from array import array
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO, cast

from lexurn.embedding._extraction_terms import SAME_AS
from lexurn.embedding._extraction_texts import FORBIDDEN
from lexurn.embedding._scratch import no_room

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.embedding._extraction import Extraction
    from lexurn.graph import Statements
    from lexurn.manifest import RowFinding
    from lexurn.model import Family
    from lexurn.name import Name

__all__ = ["Row", "csv_of", "rdf_of", "rows_of"]

Row = dict[str, str | list[str]]

# The columns that every table has; those of titles in a language stand behind ``title``.
_COLUMNS = (
    "urn",
    "title",
    "alias_of",
    "dialect_name",
    "issued",
    "published",
    "modified",
    "in_force_from",
    "in_force_until",
    "amended_by",
    "url",
    "file",
    "license",
    "publisher",
    "creator",
    "subject",
)
# The day on which a version is the current one, which is left out with it.
_AS_OF = "<https://w3id.org/lexurn/ns#asOf>"
_BETWEEN_BLANKS = frozenset({"amended_by", "license", "url"})
_CANONICAL = ("citeAs", "canonical")


def rows_of(extraction: Extraction) -> tuple[Row, ...]:
    """What is read of a document as rows: one for its name, one for each alias that it says.

    Their keys are the columns of a manifest; a document without a name gives none.
    """
    name = extraction.name
    if name is None:
        return ()
    canonical = _canonical(extraction, name)
    others = [each for each in extraction.named("sameAs") if _is_beside(each, name)]
    row: Row = {"urn": str(name), **_titles(extraction)}
    if canonical != name:
        row["alias_of"] = str(canonical)
    texts: dict[str, list[str]] = {
        "dialect_name": list(extraction.names[0].spellings),
        "amended_by": [str(each) for each in extraction.named("amendedBy")],
        "url": list(extraction.urls),
        "file": [extraction.file] if _is_below(extraction.file) else [],
        "license": list(extraction.licenses),
        "publisher": _lines(extraction.publishers),
        "creator": _lines(extraction.creators),
        "subject": _lines(extraction.subjects),
    }
    row |= {column: values for column, values in texts.items() if values}
    row |= _days(extraction)
    aliases: list[Row] = [
        {"urn": str(each), "alias_of": str(canonical)} for each in others if each != canonical
    ]
    return row, *aliases


def _canonical(extraction: Extraction, name: Name) -> Name:
    """The canonical name: what is to be cited, or what lexurn wrote that the name is an alias of.

    That two names are the same, as others say it, does not say which of them is the canonical one.
    """
    for kind in _CANONICAL:
        for each in extraction.named(kind):
            if _is_beside(each, name):
                return each
    for relation in extraction.relations:
        is_said = any(each.is_ours and each.term == SAME_AS for each in relation.said)
        if is_said and relation.name is not None and _is_beside(relation.name, name):
            return relation.name
    return name


def _is_beside(one: Name, other: Name) -> bool:
    """Whether one name may be another of the same thing: at its level, in its version."""
    return (
        one != other
        and one.level is other.level
        and one.expression == other.expression
        and one.manifestation == other.manifestation
        and one.partition == other.partition
    )


def _titles(extraction: Extraction) -> Row:
    """One title in each language, since a row has no room for more."""
    titles: Row = {}
    for each in extraction.titles:
        column = "title" if each.language is None else f"title@{each.language}"
        if text := _line(each.value):
            titles.setdefault(column, text)
    return titles


def _days(extraction: Extraction) -> Row:
    days: dict[str, dt.date | None] = {
        "issued": extraction.issued,
        "published": extraction.published,
        "modified": extraction.modified,
        "in_force_from": extraction.in_force_from,
        "in_force_until": extraction.in_force_until,
    }
    return {column: day.isoformat() for column, day in days.items() if day is not None}


def _lines(texts: Iterable[str]) -> list[str]:
    return [line for text in texts if (line := _line(text))]


def _line(text: str) -> str:
    """A text on one line, as a browser shows it."""
    return " ".join(text.split())


def _is_below(file: str) -> bool:
    """Whether a path is one that a manifest may have: of a file below a folder."""
    is_text = FORBIDDEN.search(file) is None
    is_text = is_text and file == file.strip() and file.isprintable()
    return bool(file) and is_text and not {"", ".", ".."}.intersection(file.split("/"))


@contextmanager
def _kept(rows: Iterable[Row], told: Callable[[Row, int], None]) -> Iterator[BinaryIO]:
    """Rows on disk as JSON Lines, to be read from the start; each is told, with its place.

    Raises:
        EmbeddingError: the disk does not hold them.
    """
    try:
        with ExitStack() as stack:
            stream = stack.enter_context(tempfile.TemporaryFile())
            for row in rows:
                told(row, stream.tell())
                stream.write(json.dumps(row).encode() + b"\n")
            stream.seek(0)
            held = stack.pop_all()
    except OSError as full:
        raise no_room(full) from None
    with held:
        yield cast("BinaryIO", stream)


def _at_document(found: RowFinding, stream: BinaryIO, places: array[int]) -> RowFinding:
    """A finding on a row as one on the document that the row was read from, or on its name."""
    if not 0 < found.line <= len(places):
        return found
    before = stream.tell()
    stream.seek(places[found.line - 1])
    row: Row = json.loads(stream.readline())
    stream.seek(before)
    files = row.get("file") or row["urn"]
    return replace(found, file=files if isinstance(files, str) else files[0], line=0)


def csv_of(rows: Iterable[Row]) -> Iterator[bytes]:
    """Rows as a manifest in CSV, some lines at a time.

    Which columns there are is known once all rows are: until then they are kept on disk.
    """
    columns: set[str] = set()
    with _kept(rows, lambda row, _: columns.update(row)) as stream:
        titles = sorted(column for column in columns if column.startswith("title@"))
        header = ["urn", "title", *titles, *_COLUMNS[2:]]
        yield _csv_line(header)
        for line in stream:
            row: Row = json.loads(line)
            yield _csv_line([_cell(column, row.get(column, "")) for column in header])


def _cell(column: str, value: str | list[str]) -> str:
    if isinstance(value, str):
        return value
    return (" " if column in _BETWEEN_BLANKS else "\n").join(value)


def _csv_line(cells: list[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue().encode("utf-8", "replace")


def rdf_of(
    rows: Iterable[Row],
    format: str,
    *,
    as_of: dt.date,
    on_finding: Callable[[RowFinding], None] | None = None,
) -> Iterator[bytes]:
    """Rows as RDF, as `lexurn describe` writes a manifest.

    Args:
        rows: the rows.
        format: ``nquads``, family by family; or ``turtle``, ``jsonld``, ..., in memory.
        as_of: the day for what is in force.
        on_finding: is told what keeps a row out.

    Raises:
        GraphError: two rows contradict each other.
    """
    from lexurn.graph import (  # noqa: PLC0415 - of no use to tables
        Format,
        Statements,
        write,
    )
    from lexurn.manifest import open_manifest  # noqa: PLC0415 - as above

    places = array("q")

    def tell(found: RowFinding) -> None:
        if on_finding is not None:
            on_finding(_at_document(found, stream, places))

    with (
        _kept(rows, lambda _, place: places.append(place)) as stream,
        open_manifest(stream, format="jsonl", on_finding=tell) as manifest,
    ):
        families = manifest.families()
        if format == "nquads":
            yield from (write(_as_found(each, as_of), Format.NQUADS) for each in families)
        else:
            every = Statements.union(_as_found(each, as_of) for each in families)
            yield write(every, Format.from_name(format))


def _as_found(family: Family, as_of: dt.date) -> Statements:
    """What is known of a family, but which versions are first and last: documents are not all."""
    from lexurn.embedding._lasting import CHAIN  # noqa: PLC0415 - of no use to tables
    from lexurn.graph import statements_of  # noqa: PLC0415 - as above

    statements = statements_of(family, as_of=as_of)
    left_out = (*CHAIN, _AS_OF)
    computed = (each for each in statements.computed if not each[1].startswith(left_out))
    return replace(statements, computed=tuple(computed))
