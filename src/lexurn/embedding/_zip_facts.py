"""What a container says of a name: properties that people see, and what they mean.

Word, LibreOffice and others show properties that anybody can define. Those of lexurn are
``urn:lex`` (the name), and with a word behind it ``urn:lex isVersionOf``, ``urn:lex previous`` ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from lexurn.embedding._agreement import conflict, has_name, means_name
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._level import is_of_type, media_type_of
from lexurn.embedding._statement import Statement
from lexurn.embedding._terms import DC, DCTERMS, IANA, PRISM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._statement import Way
    from lexurn.export import Marking
    from lexurn.model import LanguageText

__all__ = [
    "NAME",
    "Fact",
    "check_type",
    "facts_of",
    "missing",
    "property_statement",
    "title_of",
]

NAME: Final = "urn:lex"
"""The property that has the name."""

_TERMS: Final[Mapping[str, str]] = {
    NAME: f"{DC}identifier",
    "urn:lex isPartOf": f"{DCTERMS}isPartOf",
    "urn:lex isFormatOf": f"{DCTERMS}isFormatOf",
    "urn:lex isVersionOf": f"{DCTERMS}isVersionOf",
    "urn:lex first": f"{IANA}first",
    "urn:lex previous": f"{IANA}previous",
    "urn:lex version": f"{PRISM}versionIdentifier",
}
_TEXTS = frozenset({NAME, "urn:lex version"})


class Fact(NamedTuple):
    """A property of a document: its name and its value."""

    key: str
    value: str


def check_type(document: Document, marking: Marking, kind: str | None) -> None:
    """Make sure that a name of a file form is of the type that a document says it has.

    Args:
        document: the document.
        marking: the name.
        kind: the media type of the document; None where it says none.

    Raises:
        EmbeddingError: the name is of another type.
    """
    manifestation = marking.name.manifestation
    if manifestation is None or kind is None or is_of_type(manifestation, [kind.strip()]):
        return
    raise EmbeddingError(
        finding(
            "LX310",
            document.name,
            text=str(marking.name),
            said=media_type_of(manifestation),
            label=kind.strip()[:100],
            remedy="name its expression",
        )
    )


def facts_of(marking: Marking) -> tuple[Fact, ...]:
    """The properties of a document with a name."""
    facts = [Fact(NAME, str(marking.name))]
    facts += [Fact(f"{NAME} {kind}", iri) for kind, iri in marking.relations]
    if marking.version is not None:
        facts.append(Fact(f"{NAME} version", marking.version))
    return tuple(facts)


def title_of(marking: Marking) -> LanguageText | None:
    """The title for a place that has room for one: in the language of the name, else the first."""
    fitting = (each for each in marking.titles if each.language == marking.language)
    return next(fitting, marking.titles[0] if marking.titles else None)


def property_statement(way: Way, space: str, fact: Fact, *, is_ours: bool) -> Statement:
    """A property as a statement.

    Args:
        way: how it is said.
        space: the namespace for properties that are not of lexurn.
        fact: the property.
        is_ours: whether lexurn wrote it.
    """
    term = _TERMS.get(fact.key)
    return Statement(
        way=way,
        subject=None,
        term=f"{space}{quote(fact.key, safe='')}" if term is None else term,
        value=fact.value,
        is_iri=term is not None and fact.key not in _TEXTS,
        is_ours=is_ours,
    )


def missing(
    document: Document, member: str, marking: Marking, there: Iterable[Fact]
) -> tuple[tuple[Fact, ...], tuple[DocumentFinding, ...]]:
    """The properties of a name that a document does not have.

    Args:
        document: the document.
        member: the member that has its properties, for messages.
        marking: the name.
        there: the properties that it has, none of lexurn's.

    Returns:
        the properties, and a finding for each that has another value there.

    Raises:
        EmbeddingError: it has the property of the name, and that is another name.
    """
    known: dict[str, list[str]] = {}
    for fact in there:
        known.setdefault(fact.key.casefold(), []).append(fact.value)
    wanted, findings = [], []
    for fact in facts_of(marking):
        values = known.get(fact.key.casefold())
        if values is None:
            wanted.append(fact)
            continue
        is_name = fact.key == NAME
        if is_name and not any(map(means_name, values)):
            raise conflict(document, member, marking, values[0])
        if fact.value not in values and not (
            is_name and has_name(document, member, marking, values)
        ):
            findings.append(finding("LX368", document.name, text=values[0], member=member))
    return tuple(wanted), tuple(findings)
