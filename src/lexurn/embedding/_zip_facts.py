"""What a container says of a name: properties that people see, and what they mean.

Word, LibreOffice and others show properties that anybody can define. Those of lexurn are
``urn:lex`` (the name), and with a word behind it ``urn:lex isVersionOf``, ``urn:lex previous`` ...
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, unquote

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._statement import Statement
from lexurn.embedding._xml_agreement import language_findings
from lexurn.name import NameSyntaxError, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._statement import Way
    from lexurn.export import Marking
    from lexurn.model import LanguageText

__all__ = [
    "DC",
    "DCTERMS",
    "NAME",
    "Fact",
    "check_type",
    "facts_of",
    "has_name",
    "language_remarks",
    "missing",
    "names_that_stay",
    "property_statement",
    "title_of",
]

DC: Final = "http://purl.org/dc/elements/1.1/"
DCTERMS: Final = "http://purl.org/dc/terms/"
_IANA = "http://www.iana.org/assignments/relation/"
_PRISM = "http://prismstandard.org/namespaces/basic/2.0/"

NAME: Final = "urn:lex"
"""The property that has the name."""

_TERMS: Final[Mapping[str, str]] = {
    NAME: f"{DC}identifier",
    "urn:lex isPartOf": f"{DCTERMS}isPartOf",
    "urn:lex isFormatOf": f"{DCTERMS}isFormatOf",
    "urn:lex isVersionOf": f"{DCTERMS}isVersionOf",
    "urn:lex first": f"{_IANA}first",
    "urn:lex previous": f"{_IANA}previous",
    "urn:lex version": f"{_PRISM}versionIdentifier",
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
    if manifestation is None or kind is None:
        return
    said = unquote(manifestation.format.mime).replace("-", "/", 1)
    label = kind.strip()[:100]
    if said.lower() != label.lower():
        text, remedy = str(marking.name), "name its expression"
        values = {"said": said, "label": label, "remedy": remedy}
        raise _error("LX310", document, text, values)


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
        elif fact.key == NAME:
            if not has_name(document, member, marking, values):
                raise _conflict(document, member, marking, values[0])
        elif fact.value not in values:
            findings.append(finding("LX368", document.name, text=values[0], member=member))
    return tuple(wanted), tuple(findings)


def has_name(document: Document, member: str, marking: Marking, values: Sequence[str]) -> bool:
    """Whether a name is one of the identifiers of a document.

    Args:
        document: the document.
        member: the member that has the identifiers, for messages.
        marking: the name.
        values: the identifiers; an alias of the name may be one of them.

    Raises:
        EmbeddingError: the name is not, and another LEX name is.
    """
    names = [(value, _name(value)) for value in values]
    if any(name == str(marking.name) for _, name in names):
        return True
    aliases = {str(alias) for alias in marking.aliases}
    for value, name in names:
        if name is not None and name not in aliases:
            raise _conflict(document, member, marking, value)
    return False


def _conflict(document: Document, member: str, marking: Marking, said: str) -> EmbeddingError:
    values = {"member": member, "said": said[:200], "name": str(marking.name)}
    return _error("LX362", document, said, values)


def _error(
    code: str, document: Document, text: str, values: Mapping[str, object]
) -> EmbeddingError:
    return EmbeddingError(finding(code, document.name, text=text, **dict[str, Any](values)))


def language_remarks(
    document: Document, marking: Marking, values: Sequence[str]
) -> tuple[DocumentFinding, ...]:
    """What to say where a document is in another language than its name says.

    Args:
        document: the document.
        marking: the name.
        values: the languages that the document says, none of lexurn's.
    """
    told = language_findings(document, ((0, value) for value in values), marking)
    # One that agrees, or that nobody knows, is none too many.
    return told[:1] if len(told) == len(values) else ()


def names_that_stay(
    document: Document, member: str, values: Iterable[str]
) -> Iterator[DocumentFinding]:
    """Findings for LEX names that are to be taken out, and that lexurn did not mark as its own."""
    for value in values:
        if _name(value) is not None:
            yield finding("LX368", document.name, text=value, member=member)


def _name(value: str) -> str | None:
    """A LEX name as it is written; None where a text is none."""
    if not value.lower().startswith("urn:lex:"):
        return None
    try:
        return str(parse(value))
    except NameSyntaxError:
        return value
