"""Sidecars: JSON-LD files that state the names of documents that cannot contain them.

The sidecar of ``act.bin`` is ``act.bin.lexurn.jsonld``. Such a file is a sidecar if it is RDF that
identifies one document and the names above it. Changes made by hand are overwritten; other files
stay untouched. Like `lexurn.pages.DocumentMetadata`, the sidecar of an old version does not change
with later amendments, translations or files, or with the day.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from functools import partial
from os.path import islink, lexists
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn import graph, pages
from lexurn import vocabulary as v
from lexurn.documents import results
from lexurn.documents.changes import diff_texts, write_file
from lexurn.documents.document import DocumentError, Notation, make_error, open_document
from lexurn.documents.terms import SAME_AS, VERSION_CHAIN_TERMS
from lexurn.errors import LexurnError
from lexurn.model import Family, Record, families_of, family_of
from lexurn.name import Name, check, http_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lexurn.graph import Statements

SIDECAR_SUFFIX = ".lexurn.jsonld"
"""Suffix appended to the file name of the document."""

_RECORD_FIELDS = (
    *("issued", "published", "modified", "in_force_from", "in_force_until"),
    *("publishers", "creators", "subjects", "licenses"),
)
_MAX_SIDECAR_SIZE = 1 << 22
# An amendment changes these properties of the work.
_CHANGING_FIELDS: dict[str, Any] = dict.fromkeys(
    ("modified", "in_force_until", "force", "force_on")
)


class SidecarChange(NamedTuple):
    """New content of a sidecar, with its path for messages; None where it is to be deleted."""

    path: Path
    shown_path: str
    text: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sidecar:
    """Name of a document, the records of it and of the names above it, and all statements."""

    name: Name
    records: tuple[Record, ...]
    statements: Statements

    def extraction(self, file: str) -> results.Extraction:
        """Return the metadata of the document beside it, which has some path or name."""
        record = next(each for each in self.records if each.name == self.name)
        metadata = pages.make_document_metadata(self.name, self.records)
        relations = [(kind, iri, f"{v.DCTERMS}{kind}") for kind, iri in metadata.relations]
        if record.alias_of is not None and record.status is None:
            relations.append(("sameAs", record.alias_of.iri, SAME_AS))
        kind = "amendedBy" if self.name.expression is None else "consolidates"
        relations += ((kind, each.iri, f"{v.LEXO}{kind}") for each in record.amended_by)
        occurrence = partial(
            results.Occurrence, notation=Notation.SIDECAR, line=0, is_embedded=True
        )
        called = results.FoundName(
            name=self.name,
            spellings=record.dialect_names,
            occurrences=(occurrence(term=f"{v.DCTERMS}identifier"),),
        )
        return results.Extraction(
            file=file,
            format="sidecar",
            name=self.name,
            names=(called,),
            relations=tuple(
                results.FoundRelation(
                    kind=kind,
                    target=iri,
                    name=check(iri).name,
                    occurrences=(occurrence(term=term),),
                )
                for kind, iri, term in relations
            ),
            identifiers=tuple(
                results.FoundIdentifier(
                    scheme="http", value=subject[1:-1], occurrences=(occurrence(term=SAME_AS),)
                )
                for subject, term, _ in self.statements.merged
                if term == f"<{SAME_AS}>" and subject.startswith("<http")
            ),
            titles=metadata.titles,
            languages=() if metadata.language is None else (metadata.language,),
            force=record.force if record.force_on is None else None,
            **{field: getattr(record, field) for field in _RECORD_FIELDS},
        )


def find_sidecar_document(file: str) -> str | None:
    """Return the file name of the document that a sidecar belongs to, or None for other files."""
    document = file.removesuffix(SIDECAR_SUFFIX)
    return None if document in {file, ""} or document.endswith("/") else document


def find_sidecar(path: Path) -> tuple[Path, Sidecar] | None:
    """Read the sidecar of a file, or the file itself if it is one; return its path and content."""
    if find_sidecar_document(path.name) is None:
        if not path.name:  # a folder such as "." or "/"
            return None
        path = path.with_name(path.name + SIDECAR_SUFFIX)
    sidecar = parse_sidecar(_read_content(path))
    return None if sidecar is None else (path, sidecar)


def plan_sidecar(path: Path, shown_path: str, text: bytes | None) -> SidecarChange | None:
    """Return the change that the sidecar of a file needs, or None if it is right already.

    A text of None means that the file must have none.

    Raises:
        DocumentError: another file has the path of the sidecar.
    """
    if not path.name:
        return None
    sidecar, shown_path = path.with_name(path.name + SIDECAR_SUFFIX), shown_path + SIDECAR_SUFFIX
    if text is None:
        return plan_sidecar_removal(sidecar, shown_path)
    content = _read_content(sidecar)
    if content == text:
        return None
    if content is not None and not _is_sidecar(sidecar, content):
        raise make_error("LX316", shown_path)
    return SidecarChange(sidecar, shown_path, text)


def plan_sidecar_removal(path: Path, shown_path: str) -> SidecarChange | None:
    """Return the change that deletes a sidecar, or None where a path is not one."""
    is_sidecar = _is_sidecar(path, _read_content(path))
    return SidecarChange(path, shown_path, None) if is_sidecar else None


def write_sidecar(change: SidecarChange | None) -> None:
    """Write or delete a sidecar."""
    if change is None:
        return
    path, shown_path, text = change
    if text is not None:
        write_file(path, text, shown_path, path.with_name(str(find_sidecar_document(path.name))))
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as fault:
        raise make_error("LX304", shown_path, why=fault.strerror) from None


def diff_sidecar(change: SidecarChange | None) -> bytes:
    """Return the change of a sidecar as a unified diff."""
    if change is None:
        return b""
    return diff_texts(change.shown_path, _read_content(change.path), change.text)


def _is_sidecar(path: Path, content: bytes | None) -> bool:
    """Return whether a path is a sidecar; a symbolic link never is."""
    return not islink(path) and parse_sidecar(content) is not None  # noqa: PTH114 - Path.is_symlink raises for a name that is too long


def _read_content(path: Path) -> bytes | None:
    """Return the content of a file: None without a file, empty where it cannot be a sidecar."""
    if not lexists(path):
        return None
    try:
        with open_document(path) as document:
            return document.read() if document.size <= _MAX_SIDECAR_SIZE else b""
    except DocumentError:
        return b""


def make_sidecar(name: Name, records: Family | Iterable[Record], base: str | None) -> bytes:
    """Return the content of the sidecar of a file with a name, by records of related names.

    It states what later versions do not change of the name, and of the names above it.
    """
    if not isinstance(records, Family) or records.record(name) is None:
        known = records.records if isinstance(records, Family) else tuple(records)
        if all(record.name != name for record in known):
            known = (*known, Record(name=name))
        records = next(each for each in families_of(known) if each.record(name) is not None)
    names: set[Name] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each not in names:
            names.add(each)
            targets = (records.same.get(each), records.aliases.get(each))
            waiting += (*each.ancestors(), *filter(None, targets))
    kept = family_of(
        replace(record, items=(), **({} if record.name == name else _CHANGING_FIELDS))
        for record in records.records
        if record.name in names
    )
    made = graph.statements_of(kept, as_of=dt.date.min, base=base)
    lineage = {f"<{each.iri}>" for each in names}
    subjects = lineage if base is None else {*lineage, f"<{http_of(name, base).uri}>"}
    computed = (
        (subject, term, value)
        for subject, term, value in made.computed
        if subject in subjects and value in lineage and not term.startswith(VERSION_CHAIN_TERMS)
    )
    return graph.write(replace(made, computed=tuple(computed)), graph.Format.JSONLD)


def parse_sidecar(content: bytes | None) -> Sidecar | None:
    """Read a sidecar; return None where the content is not one."""
    if not content:
        return None
    try:
        statements = graph.read(content, graph.Format.JSONLD)
        records = graph.records_of(statements)
    except LexurnError:
        return None
    known = {each.name for each in records}
    identified = {s for s, term, _ in statements.merged if term == f"<{v.DCTERMS}identifier>"}
    # The document has the one name that is neither above another one nor the target of an alias.
    above = {name for each in known for name in each.ancestors()}
    above |= {
        name
        for subject, term, target in statements.merged
        if term in graph.ALIAS_PROPERTIES and subject.startswith("<urn:")
        if (name := check(target[1:-1]).name) is not None
    }
    lowest = known - above
    if len(lowest) != 1 or identified != {f"<{name.iri}>" for name in known}:
        return None
    return Sidecar(name=lowest.pop(), records=records, statements=statements)
