"""Values that documents state: days, languages, titles, agents, links, and findings about them."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from lexurn.documents import terms
from lexurn.documents.document import Notation, Statement
from lexurn.documents.names import decode_media_type, is_of_media_type, is_related
from lexurn.documents.terms import FIELDS_BY_TERM, abbreviate_term, normalize_term
from lexurn.manifest import is_linkable, is_web_url
from lexurn.model import LanguageText, is_likely_iri, is_original
from lexurn.name import Level, Name
from lexurn.vocabulary import DC, DCTERMS, ELI, ELI_MEDIA_TYPES, LANGUAGE, SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lexurn.documents.document import FindingList
    from lexurn.documents.results import FoundRelation
    from lexurn.documents.subject import Subject

_DAY_FIELDS: Final = ("issued", "published", "modified", "in_force_from", "in_force_last")
_CHECKED_DAYS: Final = (*_DAY_FIELDS, "document_date", "version_date")
_DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T[0-9:.,]+)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?")
_EIGHT_DIGITS = re.compile(r"\A([0-9]{4})([0-9]{2})([0-9]{2})\Z")
_HYPHENATED = r"\1-\2-\3"
_THREE_LETTERS = re.compile("[a-z]{3}", re.IGNORECASE)
# A year or a month, which is correct.
_PARTIAL_DATE = re.compile(r"[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")
_LINK_FIELDS = ("licenses", "urls")
_AGENT_FIELDS = ("publishers", "creators", "subjects")
_LONGEST_TERM = 80
_MOST_TITLES = 100
_AUTHOR_SEPARATOR = re.compile("[;,]")
# Statements on the file, and not on the act: ``dcterms:modified`` is the time of the last save, and
# ``dc:creator`` of ODF the last editor (ODF 1.3 part 3 section 4.3.2). Programs write the user
# account there, in DOCX and as ``Author`` of a PDF.
_FILE_ONLY_NOTATIONS: Final[Mapping[str, frozenset[Notation]]] = {
    "modified": frozenset({Notation.OOXML, Notation.OPF}),
    "creators": frozenset({Notation.ODF, Notation.OOXML, Notation.PDF_INFO}),
}


def _parse_day(value: str) -> dt.date | None:
    """Return the day of a date, or of a date and time; None for other texts.

    >>> _parse_day("2005-01-31T10:00:00Z")
    datetime.date(2005, 1, 31)
    """
    found = _DATE.fullmatch(value)
    try:
        return None if found is None else dt.date.fromisoformat(found[1])
    except ValueError:
        return None


def _read_day(statement: Statement) -> dt.date | None:
    """Return the day that a statement gives, or None; NIR has days of eight digits."""
    value = statement.value
    is_nir = statement.notation is Notation.NIR
    return _parse_day(_EIGHT_DIGITS.sub(_HYPHENATED, value) if is_nir else value)


def _read_language_tag(statement: Statement) -> str | None:
    """Return the language tag that a statement of a language means, or None."""
    value = statement.value
    # Akoma Ntoso uses codes of three letters (ISO 639-2).
    if statement.notation is Notation.AKOMA_NTOSO and _THREE_LETTERS.fullmatch(value):
        tag = terms.resolve_language_tag(f"{LANGUAGE}{value.upper()}")
        if tag is not None:
            return tag
    return terms.resolve_language_tag(value)


def collect_fields(own: Sequence[Statement], every: Iterable[Statement]) -> dict[str, Any]:
    """Return the fields of an extraction, from the statements about the document, ours first.

    All statements together give the names of agents.
    """
    said: dict[str, list[Statement]] = defaultdict(list)
    for each in own:
        field = FIELDS_BY_TERM.get(each.term, "")
        if field and each.value and each.notation not in _FILE_ONLY_NOTATIONS.get(field, ()):
            said[field].append(each)
    # PDF programs copy authors from the user account to XMP.
    authors = {
        name.strip()
        for each in own
        if each.notation is Notation.PDF_INFO and FIELDS_BY_TERM.get(each.term) == "creators"
        for name in (each.value, *_AUTHOR_SEPARATOR.split(each.value))
    }
    said["creators"] = [
        each
        for each in said["creators"]
        if each.notation is not Notation.XMP or each.value not in authors
    ]
    # The names of the things that have no IRI.
    labels: dict[str, str] = {}
    for each in every:
        if (each.subject or "")[:2] == "_:" and each.term in terms.LABEL_TERMS and not each.is_iri:
            labels.setdefault(each.subject or "", each.value)
    tags = map(_read_language_tag, said["languages"])
    # A value of ELI or schema.org, perhaps without its namespace.
    values = (normalize_term(each.value) for each in said["force"])
    forces = (terms.FORCES.get(each) or terms.FORCES.get(SCHEMA + each) for each in values)
    fields: dict[str, Any] = {
        "titles": _collect_titles(said["titles"]),
        "languages": tuple(dict.fromkeys(tag.lower() for tag in tags if tag is not None)),
        **_collect_days(said),
        "force": next(filter(None, forces), None),
    }
    for field in _AGENT_FIELDS:
        agents = (
            labels.get(each.value, "") if each.value.startswith("_:") else each.value
            for each in said[field]
        )
        # Some programs write "()" for an unknown agent.
        fields[field] = tuple(dict.fromkeys(each for each in agents if any(map(str.isalnum, each))))
    for field in _LINK_FIELDS:
        # A relative URL leads nowhere outside of the page.
        fields[field] = tuple(dict.fromkeys(e.value for e in said[field] if is_web_url(e.value)))
    return fields


def _collect_titles(statements: Iterable[Statement]) -> tuple[LanguageText, ...]:
    titles = [
        LanguageText(value=each.value, language=tag and tag.lower())
        for each in statements
        if not each.is_iri
        for tag in [each.language and terms.resolve_language_tag(each.language)]
    ]
    # A title with a language replaces the same title without one.
    tagged = {each.value for each in titles if each.language is not None}
    kept = (each for each in titles if each.language is not None or each.value not in tagged)
    return tuple(dict.fromkeys(kept))[:_MOST_TITLES]


def _collect_days(said: Mapping[str, Sequence[Statement]]) -> dict[str, dt.date | None]:
    days = {
        field: next((day for day in map(_read_day, said.get(field, ())) if day is not None), None)
        for field in _DAY_FIELDS
    }
    start, last = days["in_force_from"], days.pop("in_force_last")
    for each in said.get("in_force_during", ()):
        one, other = map(_parse_day, each.value.partition("/")[::2])
        # An interval that contradicts the days is left out.
        if one is not None or other is not None:
            if start in {None, one or start} and last in {None, other or last}:
                start, last = start or one, last or other
            break
    # Others state the last day in force.
    until = None if last in {None, dt.date.max} else last + dt.timedelta(days=1)
    return {**days, "in_force_from": start, "in_force_until": until}


_HTTP_SCHEME = re.compile("https?:", re.IGNORECASE)


def clean_statements(statements: Iterable[Statement], faults: FindingList) -> Iterator[Statement]:
    """Yield the statements with normalized terms, and values as a manifest and RDF take them.

    Forbidden characters are removed from texts, and broken links are left out, with a finding.
    Names and other identifiers stay unchanged: `names` reports their faults.
    """
    for each in statements:
        term, value = normalize_term(each.term), each.value
        field = FIELDS_BY_TERM.get(term)
        is_meant = field is not None or term in terms.LABEL_TERMS
        found = terms.FORBIDDEN_CHARACTERS.search(value) if is_meant else None
        # Values that are meant as links, and cannot be followed.
        is_broken = field in _LINK_FIELDS and _HTTP_SCHEME.match(value) and not is_web_url(value)
        if field in _AGENT_FIELDS and ":" in value and len(value.split()) == 1:
            is_broken = is_likely_iri(value) and not is_linkable(value)
        if is_broken or (each.is_iri and found is not None):
            faults.find("LX389", each.line, value)
            continue
        if found is not None:
            values = {"character": f"U+{ord(found[0]):04X}", "term": abbreviate_term(term)}
            faults.find("LX319", each.line, value, **values)
            value = terms.FORBIDDEN_CHARACTERS.sub("", value).strip()
        is_same = term == each.term and found is None
        yield each if is_same else replace(each, term=term, value=value)


_IANA_MEDIA_TYPE = re.compile(
    r"https?://www\.iana\.org/assignments/media-types/(.+)", re.IGNORECASE
)

_ABSOLUTE_URL = re.compile(r"https?://[^/\s]+(?:/\S*)?", re.IGNORECASE)


def check_values(statements: Sequence[Statement], faults: FindingList) -> None:
    """Report the faults in the values of statements."""
    known = frozenset(terms.load_vocabulary("eli_terms"))
    for each in statements:
        if faults.is_full:
            return
        check = _CHECKS_BY_TERM.get(each.term)
        if check is not None:
            check(each, faults)
        for iri in (each.term, each.value if each.term in _ELI_VALUED_TERMS else ""):
            if iri.startswith(ELI) and iri[len(ELI) :] not in known:
                meant = terms.suggest_eli_term(iri[len(ELI) :][:_LONGEST_TERM])
                suggestion = None if meant is None else f"eli:{meant}"
                faults.find("LX383", each.line, abbreviate_term(iri), suggestion=suggestion)
    # A wrong tag is reported at its first occurrence: it holds for a whole element.
    tags: set[str] = set()
    for each in statements:
        tag = each.value if each.term == terms.PAGE_LANGUAGE else each.language
        if tag and tag not in tags:
            tags.add(tag)
            _check_tag(each, tag, faults)


def _check_language(statement: Statement, faults: FindingList) -> None:
    if not statement.value.startswith("_:") and _read_language_tag(statement) is None:
        _check_tag(statement, statement.value, faults)


def _check_tag(statement: Statement, tag: str, faults: FindingList) -> None:
    problem = terms.check_language_tag(tag)
    if problem is not None:
        faults.find("LX378", statement.line, tag, suggestion=problem.suggestion, why=problem.why)


def _check_force(statement: Statement, faults: FindingList) -> None:
    """Report a wrong value of force, as ``InForce-NotInForce``, a mixture of ELI and schema.org."""
    value = statement.value
    local = normalize_term(value).removeprefix(SCHEMA)
    if SCHEMA + local in terms.FORCES or value.startswith("_:"):
        return
    wanted = re.split(r"[-#/]", value)[-1].lower()
    values = (each for each in terms.FORCES if each.startswith(SCHEMA))
    suggestion = next((each for each in values if each[len(SCHEMA) :].lower() == wanted), None)
    faults.find("LX376", statement.line, value, suggestion=suggestion)


def _check_media_type(statement: Statement, faults: FindingList) -> None:
    value = statement.value
    start, kind = "", value
    if (found := _IANA_MEDIA_TYPE.fullmatch(value)) is not None:
        start, kind = ELI_MEDIA_TYPES, found[1]
    # Words such as "paper" are formats as well, and links to lists of formats.
    if "/" not in kind or "://" in kind or terms.is_media_type(kind):
        return
    meant = terms.suggest_media_type(kind)
    faults.find("LX377", statement.line, value, suggestion=None if meant is None else start + meant)


def _check_day(statement: Statement, faults: FindingList) -> None:
    value = statement.value
    if _read_day(statement) is None and value and not _PARTIAL_DATE.fullmatch(value):
        written = _EIGHT_DIGITS.sub(_HYPHENATED, value)
        suggestion = written if _parse_day(written) is not None else None
        faults.find("LX384", statement.line, value, suggestion=suggestion)


def _check_coverage(statement: Statement, faults: FindingList) -> None:
    for part in statement.value.split("/"):
        is_open = part in {"", ".."}
        if not is_open and _parse_day(part) is None and not _PARTIAL_DATE.fullmatch(part):
            faults.find("LX384", statement.line, part)


def _check_canonical(statement: Statement, faults: FindingList) -> None:
    if _ABSOLUTE_URL.fullmatch(statement.value) is None:
        faults.find("LX382", statement.line, statement.value)


_CHECKS_BY_TERM: Final[Mapping[str, Callable[[Statement, FindingList], None]]] = {
    **{term: _check_day for term, field in FIELDS_BY_TERM.items() if field in _CHECKED_DAYS},
    **{term: _check_language for term, field in FIELDS_BY_TERM.items() if field == "languages"},
    terms.CANONICAL: _check_canonical,
    f"{SCHEMA}legislationLegalForce": _check_force,
    f"{SCHEMA}temporalCoverage": _check_coverage,
    **{f"{prefix}format": _check_media_type for prefix in (DC, DCTERMS, ELI)},
    **{f"{SCHEMA}{local}": _check_media_type for local in ("encodingFormat", "fileFormat")},
    f"{ELI}media_type": _check_media_type,
}
_ELI_VALUED_TERMS: Final = frozenset({terms.RDF_TYPE, f"{ELI}in_force"})
"""Terms whose value may be a term of ELI as well."""
_LEVEL_LABELS: Final[Mapping[Level, str]] = {
    Level.WORK: "a work",
    Level.EXPRESSION: "a version",
    Level.MANIFESTATION: "a file form",
}
_VERSION_RELATIONS = ("first", "previous", "next")
_RELATION_LEVELS: Final[Mapping[str, frozenset[Level]]] = {
    "isVersionOf": frozenset({Level.WORK}),
    "isFormatOf": frozenset({Level.WORK, Level.EXPRESSION}),
    **dict.fromkeys(_VERSION_RELATIONS, frozenset({Level.EXPRESSION, Level.MANIFESTATION})),
}
"""Levels of the targets of a relation; other relations lead to any level."""

# Several languages, an unknown one, and none (ISO 639-2).
_NO_LANGUAGE = frozenset({"mul", "und", "zxx"})

_AKN_LEVELS: Final[Mapping[str, Level]] = {
    "FRBRWork": Level.WORK,
    "FRBRExpression": Level.EXPRESSION,
    "FRBRManifestation": Level.MANIFESTATION,
}
_PAGE_NOTATIONS = frozenset({Notation.META, Notation.RDFA, Notation.MICRODATA, Notation.JSON_LD})
_TOPIC_REMEDY = ", or state the act of the page (mainEntity)"
_AKN_TERM = re.compile(r".*#(FRBR[A-Za-z]+)\.FRBR.*")


def check_names(
    own: Subject,
    relations: Sequence[FoundRelation],
    media_types: frozenset[str],
    faults: FindingList,
) -> None:
    """Report the faults in the names of a document."""
    if own.name is None:
        return
    for found in own.names:
        for occurrence in found.occurrences:
            term = _AKN_TERM.fullmatch(occurrence.term)
            wanted = _AKN_LEVELS.get(term[1]) if term is not None else None
            if wanted is not None and found.name.level is not wanted:
                label = abbreviate_term(occurrence.term)
                _report_level(found.name, label, wanted, occurrence.line, faults)
    _check_contradictions(own, relations, faults)
    main = own.names[0]
    form = main.name.manifestation
    if form is not None and media_types and not is_of_media_type(form, media_types):
        line, kinds = main.occurrences[0].line, " or ".join(sorted(media_types))
        faults.find("LX386", line, str(main.name), said=decode_media_type(form), format=kinds)


def _check_contradictions(
    own: Subject, relations: Sequence[FoundRelation], faults: FindingList
) -> None:
    """Report the names that are neither above each other nor aliases."""
    main = own.names[0]
    same = {each.name for each in relations if each.kind in {"sameAs", "citeAs", "canonical"}}
    # The names in the descriptors of NIR are those of one document, and of its versions.
    if Notation.NIR in main.notations:
        same |= {each.name for each in own.names if Notation.NIR in each.notations}
    lineage = (main, *(each for each in own.names if is_related(each.name, main.name)))
    is_embedded_alone = all(
        occurrence.is_embedded for each in lineage for occurrence in each.occurrences
    )
    for each in own.names[1:]:
        if each.name in same or is_related(each.name, main.name):
            continue
        line = next(
            (occurrence.line for occurrence in each.occurrences if not occurrence.is_embedded), 0
        )
        one, other = main.name, each.name
        if is_embedded_alone and not each.is_embedded and each.name in own.surely:
            faults.find("LX387", line, str(each.name), one=one, other=other)
        else:
            topic = "" if each.notations.isdisjoint(_PAGE_NOTATIONS) else _TOPIC_REMEDY
            faults.find("LX380", line, str(each.name), one=one, other=other, topic=topic)


def check_document_language(own: Subject, about: Iterable[Statement], faults: FindingList) -> None:
    """Report a document that states another language than its name."""
    expression = None if own.name is None else own.name.expression
    if expression is None or expression.language is None:
        return
    wanted = expression.language.partition("-")[0].lower()
    said: dict[bool, dict[str, Statement]] = {False: {}, True: {}}
    for each in about:
        is_of_page = each.term == terms.PAGE_LANGUAGE
        if each.is_embedded or not (is_of_page or FIELDS_BY_TERM.get(each.term) == "languages"):
            continue
        primary = (_read_language_tag(each) or "und").partition("-")[0].lower()
        if primary not in _NO_LANGUAGE:
            said[is_of_page].setdefault(primary, each)
    for languages in said.values():
        if languages and wanted not in languages:
            first = next(iter(languages.values()))
            values = {"said": first.value[:60], "language": expression.language}
            faults.find("LX337", first.line, first.value, **values)


def _report_level(name: Name, term: str, wanted: Level, line: int, faults: FindingList) -> None:
    one, other = _LEVEL_LABELS[wanted], _LEVEL_LABELS[name.level]
    faults.find("LX379", line, str(name), term=term, wanted=one, found=other)


def check_relations(own: Subject, relations: Iterable[FoundRelation], faults: FindingList) -> None:
    """Report the faults in the relations of a document, above all in its chain of versions."""
    if own.name is None:
        return
    for each in relations:
        if each.name is None:
            continue
        levels = _RELATION_LEVELS.get(each.kind)
        if levels is not None and each.name.level not in levels:
            wanted = Level.WORK if Level.WORK in levels else Level.EXPRESSION
            _report_level(each.name, each.kind, wanted, each.occurrences[0].line, faults)
        elif each.kind in _VERSION_RELATIONS:
            why = _explain_broken_link(own.name, each.kind, each.name)
            if why is not None:
                faults.find("LX381", each.occurrences[0].line, each.target, why=why)


def _explain_broken_link(name: Name, kind: str, other: Name) -> str | None:
    """Return why a link between versions breaks the chain; None if it does not."""
    if name.expression is None:
        return None
    if other.work_name != name.work_name:
        return f"the {kind} version is one of another act, {other.work_name}"
    if other.expression == name.expression:
        return None if kind == "first" else f"the {kind} version is this version itself"
    one, two = _find_version_day(name), _find_version_day(other)
    if one is None or two is None or one == two:
        return None
    if kind == "next":
        return None if two > one else "the next version is earlier than this one"
    return None if two < one else f"the {kind} version is later than this one"


def _find_version_day(name: Name) -> dt.date | None:
    """Return the day of a version; an original is before all others."""
    expression = name.expression
    if expression is None:
        return None
    if is_original(expression.version):
        return dt.date.min
    date = expression.version.date
    return None if date is None else date.day
