"""What a sidecar says of the document that it lies beside, and whether it is lexurn's own.

A sidecar has no mark: it is one if it says of one name and of what stands above it what
`lexurn.embedding._lasting` would, and nothing else. So files of others with such a suffix are left
alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.embedding._extraction import (
    Extraction,
    FoundIdentifier,
    FoundName,
    FoundRelation,
    Said,
)
from lexurn.embedding._lasting import lasting_statements
from lexurn.embedding._sidecar_names import LARGEST, SUFFIXES
from lexurn.embedding._statement import Way
from lexurn.embedding._terms import DCTERMS
from lexurn.errors import LexurnError
from lexurn.export import marking_of
from lexurn.graph import Format, read, records_of
from lexurn.model import families_of
from lexurn.name import check, http_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.graph import Statements, Triple
    from lexurn.model import Record
    from lexurn.name import Name

__all__ = ["Sidecar", "sidecar_of"]

_OWL_SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
_AMENDED_BY = "https://w3id.org/lexurn/ns#amendedBy"
_IDENTIFIER = f"<{DCTERMS}identifier>"
_ANY_BASE = "https://law.example"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sidecar:
    """What a sidecar says.

    Attributes:
        name: the name of the document.
        records: what it says of that name and of those above it.
        statements: all that it says.
    """

    name: Name
    records: tuple[Record, ...]
    statements: Statements

    def extraction(self, file: str) -> Extraction:
        """What it says of the document beside it.

        Args:
            file: the path or name of the document.
        """
        record = next(each for each in self.records if each.name == self.name)
        marking = marking_of(self.name, self.records)
        called = FoundName(
            name=self.name, spellings=record.dialect_names, said=_said(f"{DCTERMS}identifier")
        )
        return Extraction(
            file=file,
            format="sidecar",
            name=self.name,
            names=(called,),
            relations=tuple(self._relations(record, marking.relations)),
            identifiers=tuple(self._identifiers()),
            titles=marking.titles,
            languages=() if marking.language is None else (marking.language,),
            issued=record.issued,
            published=record.published,
            modified=record.modified,
            in_force_from=record.in_force_from,
            in_force_until=record.in_force_until,
            publishers=record.publishers,
            creators=record.creators,
            subjects=record.subjects,
            licenses=record.licenses,
        )

    def _relations(
        self, record: Record, above: tuple[tuple[str, str], ...]
    ) -> Iterator[FoundRelation]:
        for kind, iri in above:
            yield _relation(kind, iri, f"{DCTERMS}{kind}")
        if record.alias_of is not None:
            yield _relation("sameAs", record.alias_of.iri, _OWL_SAME_AS)
        for each in record.amended_by:
            yield _relation("amendedBy", each.iri, _AMENDED_BY)

    def _identifiers(self) -> Iterator[FoundIdentifier]:
        """The HTTP-URI equivalent."""
        for subject, term, _ in self.statements.merged:
            if term == f"<{_OWL_SAME_AS}>" and subject.startswith("<http"):
                yield FoundIdentifier(scheme="http", value=subject[1:-1], said=_said(_OWL_SAME_AS))


def _relation(kind: str, iri: str, term: str) -> FoundRelation:
    return FoundRelation(kind=kind, target=iri, name=check(iri).name, said=_said(term))


def _said(term: str) -> tuple[Said, ...]:
    return (Said(way=Way.SIDECAR, term=term, line=0, is_ours=True),)


def sidecar_of(data: bytes, file: str) -> Sidecar | None:
    """What a sidecar says; None where lexurn did not write it.

    Args:
        data: its bytes.
        file: its path or name, which ends in one of `SUFFIXES`.
    """
    form = next((form for suffix, form in SUFFIXES.items() if file.endswith(suffix)), None)
    if form is None or len(data) > LARGEST:
        return None
    try:
        statements = read(data, Format.from_name(form))
        records = records_of(statements)
        name = _named(records, statements)
        if name is None or not _is_written(name, records, statements):
            return None
    except LexurnError:
        return None
    return Sidecar(name=name, records=records, statements=statements)


def _named(records: tuple[Record, ...], statements: Statements) -> Name | None:
    """The one name that no other stands under, nor is an alias of."""
    known = {each.name for each in records}
    above = {name for each in known for name in each.ancestors()}
    for subject, term, target in statements.merged:
        if term == f"<{_OWL_SAME_AS}>" and subject.startswith("<urn:"):
            name = check(target[1:-1]).name
            above |= set() if name is None else {name}
    lowest = known - above
    return lowest.pop() if len(lowest) == 1 else None


def _is_written(name: Name, records: tuple[Record, ...], statements: Statements) -> bool:
    """Whether lexurn would write all that is said there, going by the records that it gives.

    It may say less than lexurn would today, since what lexurn knows of names grows; but each name
    has to say itself, as no graph does by chance.

    Raises:
        LexurnError: the records contradict each other, or no graph can hold them.
    """
    said = set(statements.merged)
    called = {subject for subject, term, _ in said if term == _IDENTIFIER}
    if called != {f"<{record.name.iri}>" for record in records}:
        return False
    family = next(each for each in families_of(records) if each.record(name) is not None)
    return said <= set(lasting_statements(family, name, _base_in(name, said)).merged)


def _base_in(name: Name, said: Iterable[Triple]) -> str | None:
    """The base of the HTTP-URI equivalent of a name; None where there is none."""
    path = http_of(name, _ANY_BASE).uri.removeprefix(_ANY_BASE)
    ends = f"{path}>"
    uris = (subject for subject, term, _ in said if term == f"<{_OWL_SAME_AS}>")
    return next((uri[1:].removesuffix(ends) for uri in uris if uri.endswith(ends)), None)
