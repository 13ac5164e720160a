"""References to a name in bibliographies: BibTeX, RIS and CSL-JSON.

Types of entries are those of biblatex (manual, section 2.1.3: ``@legislation`` are laws, bills and
legislative proposals, ``@jurisdiction`` court decisions, ``@legal`` treaties), of RIS (Research
Information Systems) and of CSL 1.0.2. `ontology/references.json` lists the types of measure that
are not legislation. Absent facts have no field.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from lexurn import data
from lexurn.labels import describe_issuer, make_label
from lexurn.pages.text import check_link, decode_part, escape_controls
from lexurn.pages.view import list_issuers
from lexurn.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.name import Name
    from lexurn.pages.view import FamilyView


class _Types(NamedTuple):
    """Types of an entry for one kind of act."""

    bibtex: str
    ris: str
    csl: str


_TYPES = {
    "legislation": _Types("legislation", "STAT", "legislation"),
    "bill": _Types("legislation", "BILL", "bill"),
    "judgment": _Types("jurisdiction", "CASE", "legal_case"),
    "treaty": _Types("legal", "STAT", "treaty"),
}
_RESOURCE_TYPE = "http://publications.europa.eu/resource/authority/resource-type/"
_YEAR = re.compile("[0-9]{4}")
# Braces must be balanced in a value, even those behind a backslash.
_TEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "$&#%_"},
        "\\": r"\textbackslash{}",
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)
_UNSAFE_IN_VERBATIM = re.compile(r"[{}\\\s]")
_UNSAFE_IN_KEY = re.compile("[^A-Za-z0-9.:;+-]")
_LONGEST_KEY = 100
_ENCODER = json.JSONEncoder(ensure_ascii=False)


class Reference(NamedTuple):
    """Reference to a name: each fact on one line, without control characters.

    Attributes:
        types: the types of its entries.
        name: the name.
        title: its title, else its label.
        label: its label in the citation style of its jurisdiction; None where it is the title.
        authority: its issuers; empty where they are not known.
        jurisdiction: its jurisdiction-code, and units.
        number: its numbers; empty where they were made for the name (RFC 9676 section 6.3.3).
        issued: the day or the year in which the act was issued, in ISO 8601.
        version: the date of the version, else what specifies it.
        language: the language tag of the version, else the only one of its versions.
        url: its HTTP URI, else a page or a copy.
    """

    types: _Types
    name: str
    title: str
    label: str | None
    authority: str
    jurisdiction: str
    number: str
    issued: str | None
    version: str | None
    language: str | None
    url: str | None


def make_reference(view: FamilyView, name: Name) -> Reference:
    """Make the reference to a name."""
    record, details, titles = view.record(name), name.work.details, view.titles(name)
    stated = (view.record(name.act_name).issued, record.issued)
    first, other = (None if day is None else day.isoformat() for day in stated)
    year = details.period if _YEAR.fullmatch(details.period or "") else None
    dates = (first, *(date.iso for date in details.dates), year, other)
    version = language = None
    if name.expression is not None:
        date, specification = name.expression.version.date, name.expression.version.specification
        version = decode_part(specification or "") if date is None else date.iso
        language = name.expression.language
    elif len(chains := view.chains(name)) == 1:
        language = chains[0].language
    numbers = () if details.is_lex_number else map(unquote, details.numbers)
    urls = (*record.pages, *(item.url for item in record.items))
    url = next((each for each in urls if check_link(each)), None)
    words = _clean(view.cite(name))
    return Reference(
        types=_TYPES[_find_kind(name.act_name)],
        name=str(name),
        title=_clean(titles[0].value) if titles else words,
        label=words if titles else None,
        authority=_label_authority(name.act_name),
        jurisdiction=str(name.jurisdiction),
        number=_clean(", ".join(numbers)),
        issued=next(filter(None, dates), None),
        version=version,
        language=language,
        url=url if view.base is None else view.http_uri(view.family.canonical(name)),
    )


@lru_cache(maxsize=1_024)
def _label_authority(act: Name) -> str:
    language = make_label(act).language
    return _clean("; ".join(describe_issuer(act, each, language) for each in list_issuers(act)))


@lru_cache(maxsize=1_024)
def _find_kind(name: Name) -> str:
    """Find the kind of an act by its type of measure, as the registry has it, and its issuer."""
    code, measure = name.jurisdiction.code, name.work.measure.type
    resource_types, kinds, courts = _load_kinds()
    for entry in load_registry().law(code).measures.by_notation(measure):
        for match in entry.matches:
            if match in resource_types:
                return resource_types[match]
    if (court := courts.get((code, measure))) is not None:
        issuers = (";".join((each.institution, *each.functions)) for each in list_issuers(name))
        if any(map(court.search, issuers)):
            return "judgment"
    return kinds.get((code, measure), "legislation")


@cache
def _load_kinds() -> tuple[
    Mapping[str, str], Mapping[tuple[str, str], str], Mapping[tuple[str, str], re.Pattern[str]]
]:
    """Load the kinds by matches of the registry, and by jurisdiction and type of measure.

    For types that are judgments of courts alone, the last mapping has the pattern of courts.
    """
    table = json.loads(data.read_text("ontology/references.json"))
    matches = {f"{_RESOURCE_TYPE}{key}": kind for key, kind in table["resource_types"].items()}
    measures = {
        (code, measure): kind
        for code, kinds in table["measures"].items()
        for kind, types in kinds.items()
        for measure in types.split()
    }
    courts = {
        (code, measure): re.compile(
            "|".join(
                rf"{re.escape(word[1:])}\b" if word.startswith("-") else rf"\b{re.escape(word)}\b"
                for word in each["authorities"].split()
            )
        )
        for code, each in table["courts"].items()
        for measure in each["measures"].split()
    }
    return matches, measures, courts


def _clean(text: str) -> str:
    """Return a text on one line, its control characters made visible."""
    return " ".join(escape_controls(text).split())


def write_bibtex(reference: Reference) -> str:
    """Write an entry for biblatex, in UTF-8 and escaped for TeX."""
    texts = (
        # Braces inside keep the capital letters of a title, and an "and" in the name of an issuer.
        ("title", f"{{{_escape_tex(reference.title)}}}"),
        ("shorttitle", reference.label and f"{{{_escape_tex(reference.label)}}}"),
        ("organization", reference.authority and f"{{{_escape_tex(reference.authority)}}}"),
        ("number", _escape_tex(reference.number)),
        ("date", reference.issued),
        ("version", _escape_tex(reference.version)),
        ("language", _escape_tex(reference.language)),
        ("jurisdiction", _escape_tex(reference.jurisdiction)),
        # biblatex reads both of these verbatim (manual, section 2.2.1).
        ("url", _escape_verbatim(reference.url)),
        ("eprinttype", "urn"),
        ("eprint", _escape_verbatim(reference.name)),
    )
    fields = "".join(f"  {key} = {{{value}}},\n" for key, value in texts if value)
    bare = reference.name.removeprefix("urn:lex:")
    key = _UNSAFE_IN_KEY.sub("-", bare)
    if len(key) > _LONGEST_KEY or key != bare.replace("@", "-"):
        # Characters were replaced: a digest keeps the keys of different names apart.
        key = f"{key[:_LONGEST_KEY]}-{sha256(reference.name.encode()).hexdigest()[:16]}"
    return f"@{reference.types.bibtex}{{{key},\n{fields}}}\n"


def _escape_tex(text: str | None) -> str:
    return (text or "").translate(_TEX)


def _escape_verbatim(text: str | None) -> str:
    return _UNSAFE_IN_VERBATIM.sub(lambda found: quote(found[0]), text or "")


def write_ris(reference: Reference) -> str:
    """Write a record of RIS: a tag a line, lines end in CR LF."""
    year, _, day = (reference.issued or "").partition("-")
    tags = (
        ("TY", reference.types.ris),
        ("TI", reference.title),
        ("ST", reference.label),
        ("PB", reference.authority),
        ("CY", reference.jurisdiction),
        ("M1", reference.number),
        ("PY", year),
        ("DA", day and f"{year}/{day.replace('-', '/')}/"),
        ("ET", reference.version),
        ("LA", reference.language),
        # Bare semicolons separate URLs (RIS specification, 2011, tag UR).
        ("UR", (reference.url or "").replace(";", "%3B")),
        ("AN", reference.name),
    )
    lines = [f"{tag}  - {value}\r\n" for tag, value in tags if value]
    return "".join((*lines, "ER  - \r\n"))


def write_csl_json(reference: Reference) -> str:
    """Write an item in CSL-JSON, a fact a line: a list of one."""
    issued = reference.issued
    item = {
        "id": reference.name,
        "type": reference.types.csl,
        "title": reference.title,
        "title-short": reference.label,
        "authority": reference.authority,
        "jurisdiction": reference.jurisdiction,
        "number": reference.number,
        "issued": issued and {"date-parts": [[int(part) for part in issued.split("-")]]},
        "version": reference.version,
        "language": reference.language,
        "URL": reference.url,
    }
    lines = [f'  "{key}": {_ENCODER.encode(value)}' for key, value in item.items() if value]
    return "[{\n" + ",\n".join(lines) + "\n}]\n"
