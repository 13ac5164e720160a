"""Extraction of names, relations, titles and dates from files and folders; as rows, CSV, RDF."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import tempfile
from array import array
from collections import defaultdict
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from itertools import chain, groupby, islice
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, cast

from lexurn.documents.document import open_document
from lexurn.documents.findings import (
    DocumentError,
    FindingList,
    is_reading_code,
    make_crash_finding,
    make_disk_error,
    make_finding,
    shorten_text,
)
from lexurn.documents.identification import (
    find_documents,
    identify_format,
    is_document,
    relative_path,
)
from lexurn.documents.names import NameReader, classify_identifier
from lexurn.documents.results import Extraction, FoundIdentifier, FoundRelation
from lexurn.documents.sidecars import find_sidecar, find_sidecar_document
from lexurn.documents.subject import find_subject, make_occurrence
from lexurn.documents.terms import (
    ALIAS_TERMS,
    FORBIDDEN_CHARACTERS,
    RELATION_KINDS,
    SAME_AS,
    VERSION_CHAIN_TERMS,
    is_identifier_term,
    normalize_term,
)
from lexurn.documents.values import (
    check_document_language,
    check_names,
    check_relations,
    check_values,
    clean_statements,
    collect_fields,
)
from lexurn.errors import LexurnError
from lexurn.files import is_leftover
from lexurn.workers import Workers

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from typing import BinaryIO

    from lexurn.documents.document import Document, Reading, Statement
    from lexurn.documents.results import Occurrence
    from lexurn.documents.sidecars import Sidecar
    from lexurn.findings import Finding
    from lexurn.graph import Statements
    from lexurn.model import Family
    from lexurn.name import Name

    Named = tuple[Path, str]

# That a document was read in part alone is nobody's fault.
_PARTLY_READ_CODE = "LX370"


def extract(
    path: str | Path, *, name: str | None = None, is_embedded_only: bool = False
) -> Extraction:
    """What a file says of itself; one that cannot be read says nothing but why, whatever that is.

    Args:
        path: the file.
        name: what to call it; its path where left out.
        is_embedded_only: whether only what lexurn wrote counts.

    Raises:
        MissingExtraError: a package that reads its format is not installed.
    """
    called, place = str(path) if name is None else name, Path(path)
    said = None
    try:
        said = find_sidecar(place)
        if said is not None and said[0] == place:
            return _extract_lost_sidecar(place, called, said[1])
        with open_document(place) as document:
            made = extract_document(
                replace(document, name=called), is_embedded_only=is_embedded_only
            )
    except DocumentError as fault:
        found = fault.finding
        # What is said of a member has that behind the name of the file.
        made = _make_unread_extraction(
            called, replace(found, file=called) if found.file == str(place) else found
        )
    except LexurnError:
        raise
    except Exception as fault:  # noqa: BLE001 - one file does not stop a thousand others
        made = _make_unread_extraction(called, make_crash_finding(called, fault))
    return made if said is None else _add_sidecar(made, *said)


def _make_unread_extraction(file: str, found: Finding) -> Extraction:
    return Extraction(file=file, format=None, findings=(found,))


def _extract_lost_sidecar(path: Path, called: str, sidecar: Sidecar) -> Extraction:
    """What a sidecar says of its document, which should be there."""
    made = sidecar.extraction(str(find_sidecar_document(called)))
    document = str(find_sidecar_document(path.name))
    if lexists(path.with_name(document)):
        return made
    return replace(made, findings=(make_finding("LX397", called, document=document),))


def _add_sidecar(made: Extraction, path: Path, sidecar: Sidecar) -> Extraction:
    """What a document says, or the file beside it where it says no name itself."""
    if made.name is None:
        # That it cannot be read, or says nothing, is why its name is beside it.
        kept = (each for each in made.findings if each.severity != "error" or each.code < "LX310")
        return replace(sidecar.extraction(made.file), findings=tuple(kept))
    if made.name == sidecar.name:
        return made
    other = sidecar.name
    found = make_finding(
        "LX317", made.file, text=str(other), name=made.name, other=other, beside=path.name
    )
    return replace(made, findings=(*made.findings, found))


def extract_document(document: Document, *, is_embedded_only: bool = False) -> Extraction:
    """What a document says of itself, whatever its format.

    Args:
        document: the document.
        is_embedded_only: whether only what lexurn wrote counts.

    Raises:
        DocumentError: it cannot be read, or is of no format that says anything.
        MissingExtraError: a package that reads its format is not installed.
    """
    found = identify_format(document)
    if found.format is None:
        raise DocumentError(make_finding("LX388", document.name, what=found.what))
    made = interpret_reading(
        found.format.read(document),
        file=document.name,
        format=found.format.key,
        media_types=found.format.media_types,
        is_embedded_only=is_embedded_only,
    )
    return replace(made, findings=(*found.findings, *made.findings))


def interpret_reading(
    reading: Reading,
    *,
    file: str,
    format: str,
    media_types: frozenset[str] = frozenset(),
    is_embedded_only: bool = False,
) -> Extraction:
    """What a reading means.

    Args:
        reading: what a document says.
        file: its path or name.
        format: the key of its format.
        media_types: what the file may be, by media type; empty where that is not known.
        is_embedded_only: whether only what lexurn wrote counts.
    """
    faults = FindingList(file)
    meant = (each for each in reading.statements if each.is_embedded or not is_embedded_only)
    every = list(clean_statements(meant, faults))
    # What lexurn wrote comes first, wherever it stands.
    every.sort(key=lambda each: not each.is_embedded)
    names = NameReader(faults)
    own = find_subject(every, names)
    about = [each for each in every if each.subject in own.nodes]
    relations = _find_relations(about, names)
    check_values(every, faults)
    check_names(own, relations, media_types, faults)
    check_relations(own, relations, faults)
    check_document_language(own, about, faults)
    return Extraction(
        file=file,
        format=format,
        name=own.name,
        names=own.names,
        relations=relations,
        identifiers=_find_identifiers(about, names),
        findings=(
            *_select_reading_findings(reading, is_embedded_only=is_embedded_only),
            *faults.all(),
        ),
        **collect_fields(about, every),
    )


def _select_reading_findings(reading: Reading, *, is_embedded_only: bool) -> Iterator[Finding]:
    """What is wrong with a document; what is with others, only where they count."""
    for each in reading.findings:
        if not is_embedded_only or each.code == _PARTLY_READ_CODE or not is_reading_code(each.code):
            yield each


def _find_relations(
    statements: Iterable[Statement], names: NameReader
) -> tuple[FoundRelation, ...]:
    """What the document has to do with others, each once."""
    found: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for each in statements:
        term = normalize_term(each.term)
        kind = "sameAs" if term in ALIAS_TERMS else RELATION_KINDS.get(term)
        if kind is not None and each.value and not each.value.startswith("_:"):
            found[kind, each.value].append(each)
    made = []
    for (kind, target), said in found.items():
        read = names.read(target, said[0].line)
        name = None if read is None else read.name
        made.append(
            FoundRelation(kind=kind, target=target, name=name, occurrences=_list_occurrences(said))
        )
    return tuple(made)


def _find_identifiers(
    statements: Sequence[Statement], names: NameReader
) -> tuple[FoundIdentifier, ...]:
    """What the document is called that is no LEX name, as it stands."""
    found: dict[str, list[Statement]] = defaultdict(list)
    for each in statements:
        term = normalize_term(each.term)
        if (
            (is_identifier_term(term) or term in ALIAS_TERMS)
            and each.value
            and each.value[:2] != "_:"
        ):
            found[each.value].append(each)
        if each.subject is not None and each.subject[:2] != "_:":
            # Its IRI, for which what is said of it first stands.
            found.setdefault(each.subject, [each])
    return tuple(
        FoundIdentifier(
            scheme=classify_identifier(value), value=value, occurrences=_list_occurrences(said)
        )
        for value, said in found.items()
        if names.read(value, 0) is None
    )


def _list_occurrences(statements: Iterable[Statement]) -> tuple[Occurrence, ...]:
    return tuple(dict.fromkeys(map(make_occurrence, statements)))


# What all processes hold at a time is bounded by the sizes of files, not by their number alone.
_LOT_SIZE = 32
_LARGEST_LOT = 1 << 23
# As many files as are read in the time that it takes to start another process.
_FILES_PER_WORKER = 64
_MOST_WORKERS = 16


def extract_folder(
    folder: str | Path, *, is_embedded_only: bool = False, workers: int | None = None
) -> Generator[Extraction]:
    """What the documents below a folder say of themselves, one after the other, sorted.

    These are documents by their suffixes, or by what is in them; what is hidden is left out. A
    document that cannot be read says nothing but why. Paths are as seen from the folder, with
    ``/``.

    Args:
        folder: the folder.
        is_embedded_only: whether only what lexurn wrote counts.
        workers: how many processes work; by default one for each processor.

    Raises:
        MissingExtraError: a package that reads a format is not installed.
    """
    place = Path(folder)
    closed: list[OSError] = []
    paths = (
        path
        for path in find_documents(place, is_document=is_document, on_error=closed.append)
        if not is_leftover(path.name)
    )
    named = ((path, relative_path(path, place)) for path in paths)
    yield from _extract_each(named, is_embedded_only=is_embedded_only, workers=workers)
    for fault in closed:
        found = make_finding("LX301", str(fault.filename), why=fault.strerror)
        yield Extraction(file=str(fault.filename), format=None, findings=(found,))


def extract_files(
    paths: Iterable[str | Path], *, is_embedded_only: bool = False, workers: int | None = None
) -> Generator[Extraction]:
    """What files say of themselves, in their order; as `extract_folder`.

    Args:
        paths: the files.
        is_embedded_only: whether only what lexurn wrote counts.
        workers: how many processes work; by default one for each processor.

    Raises:
        MissingExtraError: a package that reads a format is not installed.
    """
    named = ((Path(path), str(path)) for path in paths)
    yield from _extract_each(named, is_embedded_only=is_embedded_only, workers=workers)


def _extract_each(
    files: Iterator[Named], *, is_embedded_only: bool, workers: int | None
) -> Iterator[Extraction]:
    first = list(islice(files, _FILES_PER_WORKER))
    count = _count_workers(workers) if len(first) == _FILES_PER_WORKER else 1
    every = chain(first, files)
    if count == 1:
        yield from (
            extract(path, name=name, is_embedded_only=is_embedded_only) for path, name in every
        )
        return
    with Workers(count) as started:
        tasks = ((lot, is_embedded_only) for lot in _split_lots(every))
        yield from chain.from_iterable(started.map(_extract_lot, tasks))


def _count_workers(workers: int | None) -> int:
    return max(workers, 1) if workers is not None else min(os.cpu_count() or 1, _MOST_WORKERS)


def _split_lots(files: Iterable[Named]) -> Iterator[list[Named]]:
    """Some files at a time, few where they are large."""
    lot: list[Named] = []
    size = 0
    for path, name in files:
        lot.append((path, name))
        with suppress(OSError, ValueError):
            size += path.stat().st_size
        if len(lot) == _LOT_SIZE or size >= _LARGEST_LOT:
            yield lot
            lot, size = [], 0
    if lot:
        yield lot


def _extract_lot(lot: list[Named], is_embedded_only: bool) -> list[Extraction]:  # noqa: FBT001 - a task
    return [extract(path, name=name, is_embedded_only=is_embedded_only) for path, name in lot]


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
_BLANK_SEPARATED = frozenset({"amended_by", "license", "url"})
_CANONICAL_RELATIONS = ("citeAs", "canonical")


def extraction_to_rows(extraction: Extraction) -> tuple[Row, ...]:
    """What is read of a document as rows: one for its name, one for each alias that it says.

    Their keys are the columns of a manifest; a document without a name gives none.
    """
    name = extraction.name
    if name is None:
        return ()
    canonical = _find_canonical(extraction, name)
    others = [each for each in extraction.named("sameAs") if _is_possible_alias(each, name)]
    row: Row = {"urn": str(name), **_title_cells(extraction)}
    if canonical != name:
        row["alias_of"] = str(canonical)
    texts: dict[str, list[str]] = {
        "dialect_name": list(extraction.names[0].spellings),
        "amended_by": [str(each) for each in extraction.named("amendedBy")],
        "url": list(extraction.urls),
        "file": [extraction.file] if _is_relative_path(extraction.file) else [],
        "license": list(extraction.licenses),
        "publisher": _join_each_line(extraction.publishers),
        "creator": _join_each_line(extraction.creators),
        "subject": _join_each_line(extraction.subjects),
    }
    row |= {column: values for column, values in texts.items() if values}
    row |= _day_cells(extraction)
    aliases: list[Row] = [
        {"urn": str(each), "alias_of": str(canonical)} for each in others if each != canonical
    ]
    return row, *aliases


def _find_canonical(extraction: Extraction, name: Name) -> Name:
    """The canonical name: what is to be cited, or what lexurn wrote that the name is an alias of.

    That two names are the same, as others say it, does not say which of them is the canonical one.
    """
    for kind in _CANONICAL_RELATIONS:
        for each in extraction.named(kind):
            if _is_possible_alias(each, name):
                return each
    for relation in extraction.relations:
        is_said = any(each.is_embedded and each.term == SAME_AS for each in relation.occurrences)
        if is_said and relation.name is not None and _is_possible_alias(relation.name, name):
            return relation.name
    return name


def _is_possible_alias(one: Name, other: Name) -> bool:
    """Whether one name may be another of the same thing: at its level, in its version."""
    return (
        one != other
        and one.level is other.level
        and one.expression == other.expression
        and one.manifestation == other.manifestation
        and one.partition == other.partition
    )


def _title_cells(extraction: Extraction) -> Row:
    """One title in each language, since a row has no room for more."""
    titles: Row = {}
    for each in extraction.titles:
        column = "title" if each.language is None else f"title@{each.language}"
        if text := _join_lines(each.value):
            titles.setdefault(column, text)
    return titles


def _day_cells(extraction: Extraction) -> Row:
    days: dict[str, dt.date | None] = {
        "issued": extraction.issued,
        "published": extraction.published,
        "modified": extraction.modified,
        "in_force_from": extraction.in_force_from,
        "in_force_until": extraction.in_force_until,
    }
    return {column: day.isoformat() for column, day in days.items() if day is not None}


def _join_each_line(texts: Iterable[str]) -> list[str]:
    return [line for text in texts if (line := _join_lines(text))]


def _join_lines(text: str) -> str:
    """A text on one line, as a browser shows it."""
    return " ".join(text.split())


def _is_relative_path(file: str) -> bool:
    """Whether a path is one that a manifest may have: of a file below a folder."""
    is_text = FORBIDDEN_CHARACTERS.search(file) is None
    is_text = is_text and file == file.strip() and file.isprintable()
    return bool(file) and is_text and not {"", ".", ".."}.intersection(file.split("/"))


@contextmanager
def _spool_rows(rows: Iterable[Row], told: Callable[[Row, int], None]) -> Iterator[BinaryIO]:
    """Rows on disk as JSON Lines, to be read from the start; each is told, with its place.

    Raises:
        DocumentError: the disk does not hold them.
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
        raise make_disk_error(full) from None
    with held:
        yield cast("BinaryIO", stream)


def _place_finding(found: Finding, stream: BinaryIO, places: array[int]) -> Finding:
    """A finding on a row as one on the document that the row was read from, or on its name."""
    if not 0 < found.line <= len(places):
        return found
    before = stream.tell()
    stream.seek(places[found.line - 1])
    row: Row = json.loads(stream.readline())
    stream.seek(before)
    files = row.get("file") or row["urn"]
    return replace(found, file=files if isinstance(files, str) else files[0], line=0)


def rows_to_csv(rows: Iterable[Row]) -> Iterator[bytes]:
    """Rows as a manifest in CSV, some lines at a time.

    Which columns there are is known once all rows are: until then they are kept on disk.
    """
    columns: set[str] = set()
    with _spool_rows(rows, lambda row, _: columns.update(row)) as stream:
        titles = sorted(column for column in columns if column.startswith("title@"))
        header = ["urn", "title", *titles, *_COLUMNS[2:]]
        yield _format_csv_line(header)
        for line in stream:
            row: Row = json.loads(line)
            yield _format_csv_line([_format_cell(column, row.get(column, "")) for column in header])


def _format_cell(column: str, value: str | list[str]) -> str:
    if isinstance(value, str):
        return value
    return (" " if column in _BLANK_SEPARATED else "\n").join(value)


def _format_csv_line(cells: list[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow(cells)
    return text.getvalue().encode("utf-8", "replace")


def rows_to_rdf(
    rows: Iterable[Row],
    format: str,
    *,
    as_of: dt.date,
    on_finding: Callable[[Finding], None] | None = None,
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

    def tell(found: Finding) -> None:
        if on_finding is not None:
            on_finding(_place_finding(found, stream, places))

    with (
        _spool_rows(rows, lambda _, place: places.append(place)) as stream,
        open_manifest(stream, format="jsonl", on_finding=tell) as manifest,
    ):
        families = manifest.families()
        if format == "nquads":
            yield from (write(_describe_family(each, as_of), Format.NQUADS) for each in families)
        else:
            every = Statements.union(_describe_family(each, as_of) for each in families)
            yield write(every, Format.from_name(format))


def _describe_family(family: Family, as_of: dt.date) -> Statements:
    """What is known of a family, but which versions are first and last: documents are not all."""
    from lexurn.graph import statements_of  # noqa: PLC0415 - of no use to tables

    statements = statements_of(family, as_of=as_of)
    left_out = (*VERSION_CHAIN_TERMS, _AS_OF)
    computed = (each for each in statements.computed if not each[1].startswith(left_out))
    return replace(statements, computed=tuple(computed))


# What a document says of another name than its own.
_ALIAS_ROW_COLUMNS = {"urn", "alias_of"}
# Two names that are the same by what both of their documents say: one of them is the canonical one.
_DROP_REVERSED_ALIASES = """
DELETE FROM kept WHERE is_other AND EXISTS (
  SELECT 1 FROM kept AS other
  WHERE other.urn = kept.alias_of AND other.alias_of = kept.urn
  AND (NOT other.is_other OR kept.urn < other.urn)
)
"""


def merge_rows(
    rows: Iterable[Row], on_finding: Callable[[Finding], None] | None = None
) -> Iterator[Row]:
    """Rows with one row a name, sorted by names: an HTML page and a PDF may be of one version.

    Lists are joined; of single values that differ the first one is kept, and that is said. All rows
    are kept on disk until the last one is there.

    Args:
        rows: the rows.
        on_finding: is told where documents with one name say different things.
    """
    # A database without a name is a file that nobody sees, and goes with the connection.
    with closing(sqlite3.connect("")) as kept, _report_full_disk():
        kept.execute(
            "CREATE TABLE kept "
            "(urn TEXT, place INTEGER PRIMARY KEY, row TEXT, alias_of TEXT, is_other INTEGER)"
        )
        kept.executemany(
            "INSERT INTO kept (urn, row, alias_of, is_other) VALUES (?, ?, ?, ?)",
            map(_make_table_row, rows),
        )
        kept.execute("CREATE INDEX aliases ON kept (urn, alias_of)")
        kept.execute(_DROP_REVERSED_ALIASES)
        found = kept.execute("SELECT urn, row FROM kept ORDER BY urn, place")
        for _, group in groupby(found, key=lambda pair: pair[0]):
            yield _merge_group((json.loads(text) for _, text in group), on_finding)


@contextmanager
def _report_full_disk() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as full:
        raise make_disk_error(full) from None


def _make_table_row(row: Row) -> tuple[str | list[str], str, str | list[str] | None, bool]:
    return row["urn"], json.dumps(row), row.get("alias_of"), row.keys() == _ALIAS_ROW_COLUMNS


def _merge_group(rows: Iterator[Row], on_finding: Callable[[Finding], None] | None) -> Row:
    first = next(rows)
    files = dict.fromkeys(first, _find_file(first))
    joined: dict[str, dict[str, None]] = {}
    for other in rows:
        for column, value in other.items():
            one = first.setdefault(column, value)
            file = files.setdefault(column, _find_file(other))
            if isinstance(one, list) and isinstance(value, list):
                joined.setdefault(column, dict.fromkeys(one)).update(dict.fromkeys(value))
            elif one != value and on_finding is not None:
                on_finding(_make_difference(first, file, other, column))
    return first | {column: list(values) for column, values in joined.items()}


def _make_difference(first: Row, file: str, other: Row, column: str) -> Finding:
    """What two documents with one name say; nobody knows here which of them is right."""
    two = str(other[column])
    return make_finding(
        "LX371",
        _find_file(other),
        text=two,
        first=file or "another document",
        name=first["urn"],
        column=column,
        one=shorten_text(str(first[column])),
        two=shorten_text(two),
    )


def _find_file(row: Row) -> str:
    """The file that a row was read from; empty where that is not known."""
    file = row.get("file", "")
    return file[0] if isinstance(file, list) else file
