"""Names that contradict each other or the document, and broken chains of versions."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import is_related
from lexurn.embedding._extraction_terms import FIELDS, normal, short
from lexurn.embedding._extraction_values import tag_of
from lexurn.embedding._level import is_of_type, media_type_of
from lexurn.embedding._statement import Way
from lexurn.embedding._terms import PAGE_LANGUAGE
from lexurn.model import is_original
from lexurn.name import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.embedding._extraction import FoundName, FoundRelation
    from lexurn.embedding._extraction_own import Own
    from lexurn.embedding._faults import Faults
    from lexurn.embedding._statement import Statement
    from lexurn.name import Name

__all__ = ["check_language", "check_names", "check_relations"]

_CALLED: Final[Mapping[Level, str]] = {
    Level.WORK: "a work",
    Level.EXPRESSION: "a version",
    Level.MANIFESTATION: "a file form",
}
_ABOVE_FILES = frozenset({Level.WORK, Level.EXPRESSION})
_VERSIONS = frozenset({Level.EXPRESSION, Level.MANIFESTATION})
_LEVELS: Final[Mapping[str, frozenset[Level]]] = {
    "isVersionOf": frozenset({Level.WORK}),
    "isFormatOf": _ABOVE_FILES,
    "first": _VERSIONS,
    "previous": _VERSIONS,
    "next": _VERSIONS,
}
"""At which levels names stand that are in a relation; others may be at any."""

# Several languages, one that nobody knows, and none (ISO 639-2).
_NO_LANGUAGE = frozenset({"mul", "und", "zxx"})

_AKN_LEVELS: Final[Mapping[str, Level]] = {
    "FRBRWork": Level.WORK,
    "FRBRExpression": Level.EXPRESSION,
    "FRBRManifestation": Level.MANIFESTATION,
}
_PAGES = frozenset({Way.META, Way.RDFA, Way.MICRODATA, Way.JSON_LD})
_TOPIC = ", or, where it only speaks of the other, which one it is about (mainEntity)"
_AKN_TERM = re.compile(r".*#(FRBR[A-Za-z]+)\.FRBR.*")


def check_names(
    own: Own, relations: Sequence[FoundRelation], media_types: frozenset[str], faults: Faults
) -> None:
    """Say what is wrong with the names that a document says it has."""
    if own.name is None:
        return
    for each in own.names:
        _check_level_of_term(each, faults)
    _check_contradictions(own, relations, faults)
    _check_format(own.names[0], media_types, faults)


def _check_level_of_term(found: FoundName, faults: Faults) -> None:
    for said in found.said:
        term = _AKN_TERM.fullmatch(said.term)
        wanted = _AKN_LEVELS.get(term[1]) if term is not None else None
        if wanted is not None and found.name.level is not wanted:
            _say_level(found.name, short(said.term), _CALLED[wanted], said.line, faults)


def _say_level(name: Name, term: str, wanted: str, line: int, faults: Faults) -> None:
    faults.find("LX379", line, str(name), term=term, wanted=wanted, found=_CALLED[name.level])


def _check_contradictions(own: Own, relations: Sequence[FoundRelation], faults: Faults) -> None:
    """Names that are neither above each other nor said to be the same."""
    main = own.names[0]
    same = {each.name for each in relations if each.kind in {"sameAs", "citeAs", "canonical"}}
    # What stands there are names of one document, and of its versions.
    if _is_descriptor(main):
        same |= {each.name for each in own.names if _is_descriptor(each)}
    lineage = (main, *(each for each in own.names if is_related(each.name, main.name)))
    is_ours_alone = all(said.is_ours for each in lineage for said in each.said)
    for each in own.names[1:]:
        if each.name in same or is_related(each.name, main.name):
            continue
        line = next((said.line for said in each.said if not said.is_ours), 0)
        one, other = main.name, each.name
        if is_ours_alone and not each.is_ours and each.name in own.surely:
            faults.find("LX387", line, str(each.name), one=one, other=other)
        else:
            topic = _TOPIC if any(said.way in _PAGES for said in each.said) else ""
            faults.find("LX380", line, str(each.name), one=one, other=other, topic=topic)


def _is_descriptor(found: FoundName) -> bool:
    return any(said.way is Way.NIR for said in found.said)


def _check_format(main: FoundName, media_types: frozenset[str], faults: Faults) -> None:
    """Whether the file is of the form that its name says."""
    form = main.name.manifestation
    if form is None or not media_types:
        return
    if not is_of_type(form, media_types):
        line = main.said[0].line
        kinds = " or ".join(sorted(media_types))
        faults.find("LX386", line, str(main.name), said=media_type_of(form), format=kinds)


def check_language(own: Own, about: Iterable[Statement], faults: Faults) -> None:
    """Say where a document is in another language than its name says, as it says itself.

    Args:
        own: what it is.
        about: what it says of itself.
        faults: take in what is found.
    """
    expression = None if own.name is None else own.name.expression
    if expression is None or expression.language is None:
        return
    wanted = _primary(expression.language)
    said: dict[bool, dict[str, Statement]] = {False: {}, True: {}}
    for each in about:
        is_of_page = each.term == PAGE_LANGUAGE
        if each.is_ours or not (is_of_page or FIELDS.get(normal(each.term)) == "languages"):
            continue
        tag = tag_of(each)
        if tag is not None and _primary(tag) not in _NO_LANGUAGE:
            said[is_of_page].setdefault(_primary(tag), each)
    for languages in said.values():
        if languages and wanted not in languages:
            first = next(iter(languages.values()))
            values = {"said": first.value[:60], "language": expression.language}
            faults.find("LX337", first.line, first.value, **values)


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()


def check_relations(own: Own, relations: Iterable[FoundRelation], faults: Faults) -> None:
    """Say what is wrong with the relations of a document, above all with its chain of versions."""
    if own.name is None:
        return
    for each in relations:
        if each.name is None:
            continue
        levels = _LEVELS.get(each.kind)
        if levels is not None and each.name.level not in levels:
            wanted = _CALLED[Level.WORK if Level.WORK in levels else Level.EXPRESSION]
            _say_level(each.name, each.kind, wanted, each.said[0].line, faults)
        elif each.kind in {"first", "previous", "next"}:
            why = _why_broken(own.name, each.kind, each.name)
            if why is not None:
                faults.find("LX381", each.said[0].line, each.target, why=why)


def _why_broken(name: Name, kind: str, other: Name) -> str | None:
    """Why a link from one version to another breaks the chain, None where it does not."""
    if name.expression is None:
        return None
    if other.work_name != name.work_name:
        return f"the {kind} version is one of another act, {other.work_name}"
    if other.expression == name.expression:
        return None if kind == "first" else f"the {kind} version is this version itself"
    one, two = _day(name), _day(other)
    if one is None or two is None or one == two:
        return None
    if kind == "next":
        return None if two > one else "the next version is earlier than this one"
    return None if two < one else f"the {kind} version is later than this one"


def _day(name: Name) -> dt.date | None:
    """The day of a version; an original is before all others."""
    expression = name.expression
    if expression is None:
        return None
    if is_original(expression.version):
        return dt.date.min
    date = expression.version.date
    return None if date is None else date.day
