"""The common slips in values: languages, media types, days, and terms that there are not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.embedding._eli_terms import IN_FORCE, TERMS, meant_term
from lexurn.embedding._extraction_terms import FIELDS, normal, short
from lexurn.embedding._extraction_values import DAYS, day_in, day_of, is_partial_day, three_letters
from lexurn.embedding._language_tags import language_of, why_no_tag
from lexurn.embedding._media_types import is_media_type, meant_media_type
from lexurn.embedding._statement import Way
from lexurn.embedding._terms import (
    CANONICAL,
    DC,
    DCTERMS,
    ELI,
    PAGE_LANGUAGE,
    RDF_TYPE,
    SCHEMA,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lexurn.embedding._faults import Faults
    from lexurn.embedding._statement import Statement

__all__ = ["check_values"]

_FORCE: Final = ("InForce", "NotInForce", "PartiallyInForce")
_MEDIA_TYPES = re.compile(r"https?://www\.iana\.org/assignments/media-types/(.+)", re.IGNORECASE)
_EIGHT_DIGITS = re.compile(r"[0-9]{8}")
_WHOLE = re.compile(r"https?://[^/\s]+(?:/\S*)?", re.IGNORECASE)
_IANA_LIST = "http://www.iana.org/assignments/media-types/"


def check_values(statements: Sequence[Statement], faults: Faults) -> None:
    """Say what is wrong with the values of statements."""
    for each in statements:
        if faults.is_full:
            return
        term = normal(each.term)
        check = _CHECKS.get(term)
        if check is not None:
            check(each, faults)
        if FIELDS.get(term) in DAYS:
            _check_day(each, faults)
        elif FIELDS.get(term) == "languages":
            _check_language(each, faults)
        _check_eli(each, faults)
    _check_tags(statements, faults)


def _check_language(statement: Statement, faults: Faults) -> None:
    value = statement.value
    if statement.way is Way.AKOMA_NTOSO:
        value = three_letters(value)
    if value.startswith("_:") or language_of(value) is not None:
        return
    _check_tag(statement, value, faults)


def _check_tags(statements: Iterable[Statement], faults: Faults) -> None:
    """Say what is wrong with a tag where it stands first: it holds for all in an element."""
    tags: set[str] = set()
    for each in statements:
        tag = each.value if normal(each.term) == PAGE_LANGUAGE else each.language
        if tag and tag not in tags:
            tags.add(tag)
            _check_tag(each, tag, faults)


def _check_tag(statement: Statement, tag: str, faults: Faults) -> None:
    problem = why_no_tag(tag)
    if problem is not None:
        faults.find("LX378", statement.line, tag, suggestion=problem.suggestion, why=problem.why)


def _check_force(statement: Statement, faults: Faults) -> None:
    """``InForce-NotInForce`` is what ELI and schema.org make when they are mixed."""
    value = statement.value
    local = normal(value).removeprefix(SCHEMA)
    if local in _FORCE or value.startswith("_:"):
        return
    wanted = re.split(r"[-#/]", value)[-1].lower()
    meant = next((each for each in _FORCE if each.lower() == wanted), None)
    suggestion = None if meant is None else SCHEMA + meant
    faults.find("LX376", statement.line, value, suggestion=suggestion)


def _check_media_type(statement: Statement, faults: Faults) -> None:
    value = statement.value
    found = _MEDIA_TYPES.fullmatch(value)
    kind = value if found is None else found[1]
    # Words such as "paper" or "PDF" are formats as well, and links to lists of them.
    if "/" not in kind or "://" in kind or is_media_type(kind):
        return
    meant = meant_media_type(kind)
    start = "" if found is None or meant is None else _IANA_LIST
    faults.find("LX377", statement.line, value, suggestion=None if meant is None else start + meant)


def _check_day(statement: Statement, faults: Faults) -> None:
    value = statement.value
    if day_in(statement) is not None or is_partial_day(value) or not value:
        return
    suggestion = None
    if _EIGHT_DIGITS.fullmatch(value):
        written = f"{value[:4]}-{value[4:6]}-{value[6:]}"
        suggestion = written if day_of(written) is not None else None
    faults.find("LX384", statement.line, value, suggestion=suggestion)


def _check_coverage(statement: Statement, faults: Faults) -> None:
    for part in statement.value.split("/"):
        if part not in {"", ".."} and day_of(part) is None and not is_partial_day(part):
            faults.find("LX384", statement.line, part)


def _check_canonical(statement: Statement, faults: Faults) -> None:
    if _WHOLE.fullmatch(statement.value) is None:
        faults.find("LX382", statement.line, statement.value)


def _check_in_force(statement: Statement, faults: Faults) -> None:
    local = statement.value.removeprefix(ELI)
    if statement.value.startswith(ELI) and local not in IN_FORCE:
        _say_no_term(statement.value, statement, faults)


def _check_eli(statement: Statement, faults: Faults) -> None:
    """Terms and types that the ontology does not have."""
    said = [statement.term]
    if statement.term == RDF_TYPE:
        said.append(statement.value)
    for each in said:
        if each.startswith(ELI) and each[len(ELI) :] not in TERMS:
            _say_no_term(each, statement, faults)


def _say_no_term(term: str, statement: Statement, faults: Faults) -> None:
    meant = meant_term(term[len(ELI) :])
    faults.find(
        "LX383", statement.line, short(term), suggestion=None if meant is None else f"eli:{meant}"
    )


_CHECKS: Final[Mapping[str, Callable[[Statement, Faults], None]]] = {
    CANONICAL: _check_canonical,
    f"{SCHEMA}legislationLegalForce": _check_force,
    f"{SCHEMA}encodingFormat": _check_media_type,
    f"{SCHEMA}fileFormat": _check_media_type,
    f"{SCHEMA}temporalCoverage": _check_coverage,
    f"{DC}format": _check_media_type,
    f"{DCTERMS}format": _check_media_type,
    f"{ELI}format": _check_media_type,
    f"{ELI}media_type": _check_media_type,
    f"{ELI}in_force": _check_in_force,
}
