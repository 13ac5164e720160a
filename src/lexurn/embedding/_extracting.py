"""From what a document says to what it means: names in any dialect, relations, findings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.embedding._codes_reading import CODES
from lexurn.embedding._document import opened
from lexurn.embedding._extraction import Extraction, FoundIdentifier, FoundRelation
from lexurn.embedding._extraction_checks import check_values
from lexurn.embedding._extraction_links import check_language, check_names, check_relations
from lexurn.embedding._extraction_names import Names, scheme_of
from lexurn.embedding._extraction_own import own_of, said_of
from lexurn.embedding._extraction_terms import ALIAS, RELATIONS, is_identifier, normal
from lexurn.embedding._extraction_texts import texts_of
from lexurn.embedding._extraction_values import fields_of
from lexurn.embedding._faults import Faults
from lexurn.embedding._findings import EmbeddingError, broken_down, finding
from lexurn.embedding._sidecar import read_beside
from lexurn.embedding._sidecar_names import document_beside
from lexurn.embedding._sniff import sniffed
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._extraction import Said
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._sidecar_reading import Sidecar
    from lexurn.embedding._statement import Reading, Statement

__all__ = ["extract", "extract_document", "extracted"]

# That a document was read in part alone is nobody's fault.
_IN_PART = "LX370"


def extract(path: str | Path, *, name: str | None = None, is_ours_only: bool = False) -> Extraction:
    """What a file says of itself; one that cannot be read says nothing but why, whatever that is.

    Args:
        path: the file.
        name: what to call it; its path where left out.
        is_ours_only: whether only what lexurn wrote counts.

    Raises:
        MissingExtraError: a package that reads its format is not installed.
    """
    called, place = str(path) if name is None else name, Path(path)
    said = None
    try:
        said = read_beside(place)
        if said is not None and said[0] == place:
            return _left_behind(place, called, said[1])
        with opened(place) as document:
            made = extract_document(replace(document, name=called), is_ours_only=is_ours_only)
    except EmbeddingError as fault:
        found = fault.finding
        # What is said of a member has that behind the name of the file.
        made = _unread(called, replace(found, file=called) if found.file == str(place) else found)
    except LexurnError:
        raise
    except Exception as fault:  # noqa: BLE001 - one file does not stop a thousand others
        made = _unread(called, broken_down(called, fault))
    return made if said is None else _with_sidecar(made, *said)


def _unread(file: str, found: DocumentFinding) -> Extraction:
    return Extraction(file=file, format=None, findings=(found,))


def _left_behind(path: Path, called: str, sidecar: Sidecar) -> Extraction:
    """What a sidecar says of its document, which should be there."""
    made = sidecar.extraction(str(document_beside(called)))
    document = str(document_beside(path.name))
    if lexists(path.with_name(document)):
        return made
    return replace(made, findings=(finding("LX397", called, document=document),))


def _with_sidecar(made: Extraction, path: Path, sidecar: Sidecar) -> Extraction:
    """What a document says, or the file beside it where it says no name itself."""
    if made.name is None:
        # That it cannot be read, or says nothing, is why its name is beside it.
        kept = (each for each in made.findings if each.severity != "error" or each.code < "LX310")
        return replace(sidecar.extraction(made.file), findings=tuple(kept))
    if made.name == sidecar.name:
        return made
    other = sidecar.name
    found = finding(
        "LX317", made.file, text=str(other), name=made.name, other=other, beside=path.name
    )
    return replace(made, findings=(*made.findings, found))


def extract_document(document: Document, *, is_ours_only: bool = False) -> Extraction:
    """What a document says of itself, whatever its format.

    Args:
        document: the document.
        is_ours_only: whether only what lexurn wrote counts.

    Raises:
        EmbeddingError: it cannot be read, or is of no format that says anything.
        MissingExtraError: a package that reads its format is not installed.
    """
    found = sniffed(document)
    if found.format is None:
        raise EmbeddingError(finding("LX388", document.name, what=found.what))
    made = extracted(
        found.format.read(document),
        file=document.name,
        format=found.format.key,
        media_types=found.format.media_types,
        is_ours_only=is_ours_only,
    )
    return replace(made, findings=(*found.findings, *made.findings))


def extracted(
    reading: Reading,
    *,
    file: str,
    format: str,
    media_types: frozenset[str] = frozenset(),
    is_ours_only: bool = False,
) -> Extraction:
    """What a reading means.

    Args:
        reading: what a document says.
        file: its path or name.
        format: the key of its format.
        media_types: what the file may be, by media type; empty where that is not known.
        is_ours_only: whether only what lexurn wrote counts.
    """
    faults = Faults(file)
    meant = (each for each in reading.statements if each.is_ours or not is_ours_only)
    every = list(texts_of(meant, faults))
    # What lexurn wrote comes first, wherever it stands.
    every.sort(key=lambda each: not each.is_ours)
    names = Names(faults)
    own = own_of(every, names)
    about = [each for each in every if each.subject in own.nodes]
    relations = _relations(about, names)
    check_values(every, faults)
    check_names(own, relations, media_types, faults)
    check_relations(own, relations, faults)
    check_language(own, about, faults)
    return Extraction(
        file=file,
        format=format,
        name=own.name,
        names=own.names,
        relations=relations,
        identifiers=_identifiers(about, names),
        findings=(*_of_reading(reading, is_ours_only=is_ours_only), *faults.all()),
        **fields_of(about, every),
    )


def _of_reading(reading: Reading, *, is_ours_only: bool) -> Iterator[DocumentFinding]:
    """What is wrong with a document; what is with others, only where they count."""
    for each in reading.findings:
        if not is_ours_only or each.code == _IN_PART or each.code not in CODES:
            yield each


def _relations(statements: Iterable[Statement], names: Names) -> tuple[FoundRelation, ...]:
    """What the document has to do with others, each once."""
    found: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for each in statements:
        term = normal(each.term)
        kind = "sameAs" if term in ALIAS else RELATIONS.get(term)
        if kind is not None and each.value and not each.value.startswith("_:"):
            found[kind, each.value].append(each)
    made = []
    for (kind, target), said in found.items():
        read = names.read(target, said[0].line)
        name = None if read is None else read.name
        made.append(FoundRelation(kind=kind, target=target, name=name, said=_said(said)))
    return tuple(made)


def _identifiers(statements: Sequence[Statement], names: Names) -> tuple[FoundIdentifier, ...]:
    """What the document is called that is no LEX name, as it stands."""
    found: dict[str, list[Statement]] = defaultdict(list)
    for each in statements:
        term = normal(each.term)
        if (is_identifier(term) or term in ALIAS) and each.value and each.value[:2] != "_:":
            found[each.value].append(each)
        if each.subject is not None and each.subject[:2] != "_:":
            # Its IRI, for which what is said of it first stands.
            found.setdefault(each.subject, [each])
    return tuple(
        FoundIdentifier(scheme=scheme_of(value), value=value, said=_said(said))
        for value, said in found.items()
        if names.read(value, 0) is None
    )


def _said(statements: Iterable[Statement]) -> tuple[Said, ...]:
    return tuple(dict.fromkeys(map(said_of, statements)))
