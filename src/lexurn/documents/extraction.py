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
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, groupby, islice
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from lexurn import graph, manifest
from lexurn.documents import terms, values
from lexurn.documents.document import (
    Document,
    DocumentError,
    FindingList,
    Reading,
    Statement,
    make_crash_finding,
    make_disk_error,
    make_finding,
    open_document,
    shorten_text,
)
from lexurn.documents.identification import find_documents, identify_format
from lexurn.documents.names import NameReader, classify_identifier
from lexurn.documents.results import Extraction, FoundIdentifier, FoundRelation
from lexurn.documents.sidecars import find_sidecar, find_sidecar_document
from lexurn.documents.subject import find_subject, list_occurrences
from lexurn.errors import LexurnError
from lexurn.files import is_leftover
from lexurn.workers import Workers

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from lexurn.findings import Finding
    from lexurn.graph import Statements
    from lexurn.model import Family
    from lexurn.name import Name

    Named = tuple[Path, str]

_PARTLY_READ_CODE, _LAST_READING_CODE = "LX370", "LX389"


def extract(
    path: str | Path, *, name: str | None = None, is_embedded_only: bool = False
) -> Extraction:
    """Return the metadata that a file or its sidecar states; the finding alone if unreadable.

    Args:
        path: the file.
        name: its name in the result; by default its path.
        is_embedded_only: whether only lexurn's own blocks count.

    Raises:
        MissingExtraError: a package that reads its format is not installed.
    """
    shown, location = str(path) if name is None else name, Path(path)
    beside = None
    try:
        beside = find_sidecar(location)
        if beside is not None and beside[0] == location:
            # The document of a sidecar should be beside it.
            made = beside[1].extraction(str(find_sidecar_document(shown)))
            owner = str(find_sidecar_document(location.name))
            if lexists(location.with_name(owner)):
                return made
            return replace(made, findings=(make_finding("LX397", shown, document=owner),))
        with open_document(location) as document:
            named = replace(document, name=shown)
            made = extract_document(named, is_embedded_only=is_embedded_only)
    except DocumentError as fault:
        found = fault.finding
        # A finding on a member has the name of the member after that of the file.
        found = replace(found, file=shown) if found.file == str(location) else found
        made = Extraction(file=shown, format=None, findings=(found,))
    except LexurnError:
        raise
    except Exception as fault:  # noqa: BLE001 - one file does not stop a thousand others
        found = make_crash_finding(shown, fault)
        made = Extraction(file=shown, format=None, findings=(found,))
    if beside is None or made.name == beside[1].name:
        return made
    path, sidecar = beside
    if made.name is None:
        # Faults of the file say why its name is in a sidecar.
        kept = (each for each in made.findings if each.severity != "error" or each.code < "LX310")
        return replace(sidecar.extraction(shown), findings=tuple(kept))
    other = sidecar.name
    found = make_finding(
        "LX317", shown, text=str(other), name=made.name, other=other, beside=path.name
    )
    return replace(made, findings=(*made.findings, found))


def extract_document(document: Document, *, is_embedded_only: bool = False) -> Extraction:
    """Return the metadata that a document of any format states.

    Args:
        document: the document.
        is_embedded_only: whether only lexurn's own blocks count.

    Raises:
        DocumentError: it cannot be read, or has another format.
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
    """Return the metadata in the statements of a document, perhaps of lexurn's own blocks alone.

    The media types of its format are empty if they are unknown.
    """
    faults = FindingList(file)
    meant, findings = list(reading.statements), list(reading.findings)
    if is_embedded_only:
        meant = [each for each in meant if each.is_embedded]
        # Other findings on the content are about the statements of others.
        findings = [
            each
            for each in findings
            if each.code != "LX319" and not _PARTLY_READ_CODE < each.code <= _LAST_READING_CODE
        ]
    # lexurn's own statements come first, wherever they stand.
    every = sorted(values.clean_statements(meant, faults), key=lambda each: not each.is_embedded)
    names = NameReader(faults)
    own = find_subject(every, names)
    about = [each for each in every if each.subject in own.nodes]
    relations = _find_relations(about, names)
    values.check_values(every, faults)
    values.check_names(own, relations, media_types, faults)
    values.check_relations(own, relations, faults)
    values.check_document_language(own, about, faults)
    return Extraction(
        file=file,
        format=format,
        name=own.name,
        names=own.names,
        relations=relations,
        identifiers=_find_identifiers(about, names),
        findings=(*findings, *faults.all()),
        **values.collect_fields(about, every),
    )


def _find_relations(
    statements: Iterable[Statement], names: NameReader
) -> tuple[FoundRelation, ...]:
    """Return the relations of the document to others, each once."""
    found: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for each in statements:
        kind = "sameAs" if each.term in terms.ALIAS_TERMS else terms.RELATION_KINDS.get(each.term)
        if kind is not None and each.value and not each.value.startswith("_:"):
            found[kind, each.value].append(each)
    return tuple(
        FoundRelation(
            kind=kind,
            target=target,
            name=None if read is None else read.name,
            occurrences=list_occurrences(said),
        )
        for (kind, target), said in found.items()
        for read in [names.read(target, said[0].line)]
    )


def _find_identifiers(
    statements: Sequence[Statement], names: NameReader
) -> tuple[FoundIdentifier, ...]:
    """Return the identifiers of the document that are not LEX names, as written."""
    found: dict[str, list[Statement]] = defaultdict(list)
    for each in statements:
        is_meant = terms.is_identifier_term(each.term) or each.term in terms.ALIAS_TERMS
        if is_meant and each.value and not each.value.startswith("_:"):
            found[each.value].append(each)
        if each.subject is not None and not each.subject.startswith("_:"):
            # The first statement gives the position of its IRI.
            found.setdefault(each.subject, [each])
    return tuple(
        FoundIdentifier(
            scheme=classify_identifier(value), value=value, occurrences=list_occurrences(said)
        )
        for value, said in found.items()
        if names.read(value, 0) is None
    )


_LOT_SIZE = 8
# As many files as are read in the time that it takes to start another process.
_FILES_PER_WORKER = 64
_MOST_WORKERS = 16


def extract_folder(
    folder: str | Path, *, is_embedded_only: bool = False, workers: int | None = None
) -> Generator[Extraction]:
    """Yield the metadata that the documents below a folder state, sorted by path.

    Suffixes or content show which files are documents; hidden files are left out. An unreadable
    document gives a finding. Paths are relative to the folder, with ``/``.

    Args:
        folder: the folder.
        is_embedded_only: whether only lexurn's own blocks count.
        workers: the number of processes; by default one for each processor.

    Raises:
        MissingExtraError: a package that reads a format is not installed.
    """
    root = Path(folder)
    closed: list[OSError] = []
    paths = (
        path
        for path in find_documents(root, closed.append, is_by_content=True)
        if not is_leftover(path.name)
    )
    named = ((path, path.relative_to(root).as_posix()) for path in paths)
    yield from _extract_each(named, is_embedded_only=is_embedded_only, workers=workers)
    for fault in closed:
        found = make_finding("LX301", str(fault.filename), why=fault.strerror)
        yield Extraction(file=str(fault.filename), format=None, findings=(found,))


def extract_files(
    paths: Iterable[str | Path], *, is_embedded_only: bool = False, workers: int | None = None
) -> Generator[Extraction]:
    """Yield the metadata that files state, in their order, as `extract_folder` does.

    Args:
        paths: the files.
        is_embedded_only: whether only lexurn's own blocks count.
        workers: the number of processes; by default one for each processor.

    Raises:
        MissingExtraError: a package that reads a format is not installed.
    """
    named = ((Path(path), str(path)) for path in paths)
    yield from _extract_each(named, is_embedded_only=is_embedded_only, workers=workers)


def _extract_each(
    files: Iterator[Named], *, is_embedded_only: bool, workers: int | None
) -> Iterator[Extraction]:
    first = list(islice(files, _FILES_PER_WORKER))
    count = min(os.cpu_count() or 1, _MOST_WORKERS) if workers is None else max(workers, 1)
    count = count if len(first) == _FILES_PER_WORKER else 1
    every = chain(first, files)
    if count == 1:
        yield from (
            extract(path, name=name, is_embedded_only=is_embedded_only) for path, name in every
        )
        return
    with Workers(count) as started:
        lots = iter(lambda: list(islice(every, _LOT_SIZE)), [])
        work = partial(_extract_lot, is_embedded_only=is_embedded_only)
        yield from chain.from_iterable(started.map(work, ((lot,) for lot in lots)))


def _extract_lot(lot: Sequence[Named], *, is_embedded_only: bool) -> list[Extraction]:
    return [extract(path, name=name, is_embedded_only=is_embedded_only) for path, name in lot]


Row = dict[str, str | list[str]]

# The columns after ``urn`` and ``title``, and those of titles in a language.
_DAY_COLUMNS = ("issued", "published", "modified", "in_force_from", "in_force_until")
_COLUMNS = (
    *("alias_of", "dialect_name", *_DAY_COLUMNS, "force", "amended_by", "url", "file"),
    *("license", "publisher", "creator", "subject"),
)
_BLANK_SEPARATED = frozenset({"amended_by", "license", "url"})


def extraction_to_rows(extraction: Extraction) -> tuple[Row, ...]:
    """Return the rows of a document: one for its name, and one for each alias.

    The keys are the columns of a manifest. A document without a name gives no rows.
    """
    name = extraction.name
    if name is None:
        return ()
    # The canonical name is the one to cite, or the one that lexurn wrote as such. A ``sameAs`` of
    # others does not show which of two names is the canonical one.
    cited = [*extraction.named("citeAs"), *extraction.named("canonical")]
    cited += [
        each.name
        for each in extraction.relations
        if each.name is not None
        and any(every.is_embedded and every.term == terms.SAME_AS for every in each.occurrences)
    ]
    canonical = next((each for each in cited if _is_possible_alias(each, name)), name)
    others = [each for each in extraction.named("sameAs") if _is_possible_alias(each, name)]
    row: Row = {"urn": str(name)}
    for title in extraction.titles:
        # A row has room for one title in each language.
        if text := " ".join(title.value.split()):
            row.setdefault(f"title@{title.language}" if title.language else "title", text)
    if canonical != name:
        row["alias_of"] = str(canonical)
    file = extraction.file
    is_text = terms.FORBIDDEN_CHARACTERS.search(file) is None and file.isprintable()
    # A manifest may have the path of a file below a folder.
    is_path = is_text and file == file.strip() and not {"", ".", ".."} & set(file.split("/"))
    # A version is consolidated from its act and from the acts that amend it.
    amending = [*extraction.named("amendedBy"), *extraction.named("consolidates")]
    amending = [each for each in amending if each.act_name != name.act_name]
    texts: dict[str, list[str]] = {
        "dialect_name": list(extraction.names[0].spellings),
        "amended_by": list(dict.fromkeys(map(str, amending))),
        "url": list(extraction.urls),
        "file": [file] if is_path else [],
        "license": list(extraction.licenses),
        "publisher": _join_lines(extraction.publishers),
        "creator": _join_lines(extraction.creators),
        "subject": _join_lines(extraction.subjects),
    }
    row |= {column: cells for column, cells in texts.items() if cells}
    days = {column: getattr(extraction, column) for column in _DAY_COLUMNS}
    row |= {column: day.isoformat() for column, day in days.items() if day is not None}
    # A state wins over days, but that of a document ends with the stated end.
    if extraction.force is not None and extraction.in_force_until is None:
        row["force"] = str(extraction.force)
    aliases: list[Row] = [
        {"urn": str(each), "alias_of": str(canonical)} for each in others if each != canonical
    ]
    return row, *aliases


def _is_possible_alias(one: Name, other: Name) -> bool:
    """Return whether two names may be aliases: they have the same level and version."""
    parts = ("level", "expression", "manifestation", "partition")
    return one != other and all(getattr(one, each) == getattr(other, each) for each in parts)


def _join_lines(texts: Iterable[str]) -> list[str]:
    """Return texts on one line each, as a browser shows them, without empty ones."""
    return [line for text in texts if (line := " ".join(text.split()))]


@contextmanager
def _spool_rows(rows: Iterable[Row], report: Callable[[Row, int], None]) -> Iterator[BinaryIO]:
    """Write rows to disk as JSON Lines, and call a function with each row and its offset."""
    try:
        with ExitStack() as stack:
            stream = stack.enter_context(tempfile.TemporaryFile())
            for row in rows:
                report(row, stream.tell())
                stream.write(json.dumps(row).encode() + b"\n")
            stream.seek(0)
            held = stack.pop_all()
    except OSError as full:
        raise make_disk_error(full) from None
    with held:
        yield cast("BinaryIO", stream)


def rows_to_csv(rows: Iterable[Row]) -> Iterator[bytes]:
    """Yield rows as a manifest in CSV.

    The header needs the columns of all rows: until then the rows are kept on disk.
    """
    columns: set[str] = set()
    with _spool_rows(rows, lambda row, _: columns.update(row)) as stream:
        titles = sorted(column for column in columns if column.startswith("title@"))
        header = ["urn", "title", *titles, *_COLUMNS]
        yield _format_csv_line(header)
        for line in stream:
            row: Row = json.loads(line)
            cells = []
            for column in header:
                cell = row.get(column, "")
                separator = " " if column in _BLANK_SEPARATED else "\n"
                cells.append(cell if isinstance(cell, str) else separator.join(cell))
            yield _format_csv_line(cells)


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
    """Yield rows as RDF, as `lexurn describe` writes a manifest, without the order of versions.

    Args:
        rows: the rows.
        format: ``nquads``, family by family; or ``turtle``, ``jsonld``, ..., in memory.
        as_of: the day for what is in force.
        on_finding: called with each finding on a row.

    Raises:
        GraphError: two rows contradict each other.
    """
    offsets = array("q")

    def report(found: Finding) -> None:
        """Report a finding on a row as one on the document that the row comes from."""
        if 0 < found.line <= len(offsets):
            before = stream.tell()
            stream.seek(offsets[found.line - 1])
            row: Row = json.loads(stream.readline())
            stream.seek(before)
            found = replace(found, file=_find_file(row) or str(row["urn"]), line=0)
        if on_finding is not None:
            on_finding(found)

    with (
        _spool_rows(rows, lambda _, offset: offsets.append(offset)) as stream,
        manifest.open_manifest(stream, format="jsonl", on_finding=report) as source,
    ):
        described = _describe_families(source.families(), as_of)
        if format == "nquads":
            yield from (graph.write(each, graph.Format.NQUADS) for each in described)
        else:
            yield graph.write(graph.Statements.union(described), graph.Format.from_name(format))


def _describe_families(families: Iterable[Family], as_of: dt.date) -> Iterator[Statements]:
    """Yield the statements of each family, without the order of versions; concepts come last."""
    concepts: set[str] = set()
    for family in families:
        concepts.update(graph.find_concepts((family,)))
        made = graph.statements_of(family, as_of=as_of)
        kept = (each for each in made.computed if not each[1].startswith(terms.VERSION_CHAIN_TERMS))
        yield replace(made, computed=tuple(kept))
    yield graph.describe_concepts(concepts)


# Keys of the rows for other names than that of the document.
_ALIAS_KEYS = {"urn", "alias_of"}
# If two documents state that their names are aliases, one name is the canonical one.
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
    """Yield one row for each name, sorted: an HTML page and a PDF may be of one version.

    Lists are joined. Of single values that differ, the first one is kept, with a finding. All rows
    are kept on disk until the last one is there.

    Args:
        rows: the rows.
        on_finding: called where documents with the same name differ.
    """
    try:
        # A database without a name is a temporary file.
        with closing(sqlite3.connect("")) as kept:
            kept.execute(
                "CREATE TABLE kept "
                "(urn TEXT, position INTEGER PRIMARY KEY, row TEXT, alias_of TEXT, is_other "
                "INTEGER)"
            )
            kept.executemany(
                "INSERT INTO kept (urn, row, alias_of, is_other) VALUES (?, ?, ?, ?)",
                (
                    (row["urn"], json.dumps(row), row.get("alias_of"), row.keys() == _ALIAS_KEYS)
                    for row in rows
                ),
            )
            kept.execute("CREATE INDEX aliases ON kept (urn, alias_of)")
            kept.execute(_DROP_REVERSED_ALIASES)
            found = kept.execute("SELECT urn, row FROM kept ORDER BY urn, position")
            for _, group in groupby(found, key=lambda pair: pair[0]):
                yield _merge_group((json.loads(text) for _, text in group), on_finding)
    except sqlite3.Error as full:
        raise make_disk_error(full) from None


def _merge_group(rows: Iterator[Row], on_finding: Callable[[Finding], None] | None) -> Row:
    """Return one row for all rows of a name."""
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
                found = make_finding(
                    "LX371",
                    _find_file(other),
                    text=str(value),
                    first=file or "another document",
                    name=first["urn"],
                    column=column,
                    one=shorten_text(str(one)),
                    two=shorten_text(str(value)),
                )
                on_finding(found)
    return first | {column: list(cells) for column, cells in joined.items()}


def _find_file(row: Row) -> str:
    """Return the file that a row comes from; an empty text if unknown."""
    file = row.get("file", "")
    return file[0] if isinstance(file, list) else file
