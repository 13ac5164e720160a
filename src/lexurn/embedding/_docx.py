"""Office Open XML: names in Word documents (ECMA-376 part 2, ISO/IEC 29500-2).

The name is the property ``urn:lex`` of ``docProps/custom.xml``, which Word and LibreOffice show,
and ``dc:identifier`` of ``docProps/core.xml`` where no other identifier is there; title and
language come into ``docProps/core.xml`` where there are none.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import has_name, language_remarks, names_that_stay
from lexurn.embedding._docx_parts import LABEL, parts_of
from lexurn.embedding._findings import EmbeddingError
from lexurn.embedding._format import Format
from lexurn.embedding._statement import Reading, Statement, Way
from lexurn.embedding._terms import DC, DCTERMS
from lexurn.embedding._xml_writing import escaped
from lexurn.embedding._zip import State, change_of, needed
from lexurn.embedding._zip_facts import (
    NAME,
    Fact,
    check_type,
    missing,
    property_statement,
    title_of,
)
from lexurn.embedding._zip_members import container_of
from lexurn.embedding._zip_whole import check_whole, whole_findings
from lexurn.embedding._zip_xml import new_member, page_of, tag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._docx_parts import Parts
    from lexurn.embedding._edit import Change
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._zip_xml import Element, Page, Place
    from lexurn.export import Marking

__all__ = ["FORMAT"]

_CORE: Final = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_ROOT: Final = (_CORE, "coreProperties")
_XSI: Final = "http://www.w3.org/2001/XMLSchema-instance"
# What all properties that people define have ([MS-OSHARED] section 2.3.3.2.2).
_FMTID: Final = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"
_FIRST_PID: Final = 2
# A number is one of 32 bits (xsd:int); behind the highest there is none.
_FIRST_UNUSUAL: Final = 1 << 30
_PID: Final = re.compile(r"\s*\+?0*(\d{1,10})\s*", re.ASCII)
# The others count words and lines.
_APP: Final = frozenset({"Application", "AppVersion", "Company", "HyperlinkBase", "Manager"})
_WORD: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml"
_MACROS: Final = "application/vnd.ms-word"


def _embed(document: Document, marking: Marking, is_forced: bool) -> Change:  # noqa: FBT001
    parts = parts_of(container_of(document))
    check_type(document, marking, parts.media_type)
    base = parts.custom_base()
    there = () if base is None else _facts(parts, page_of(document, parts.custom, base))
    facts, findings = missing(document, parts.custom, marking, there)
    parts.app_page()
    findings += check_whole(parts.container)
    wanted = _custom_with(parts, base, facts)
    states = {parts.custom: State(base=base, wanted=wanted), **parts.registry(base, wanted)}
    if parts.core is not None:
        core = _core_base(parts, parts.core)
        states[parts.core] = State(base=core, wanted=_core_with(parts, parts.core, core, marking))
        elements = page_of(document, parts.core, core).named(_ROOT, (DC, "language"))
        languages = [each.text for each in elements if each.text]
        findings += language_remarks(document, marking, languages)
    return change_of(parts.container, states, findings, parts.signature, is_forced=is_forced)


def _core_base(parts: Parts, name: str) -> bytes:
    """The core properties without ours; they stay, even if all were ours."""
    data = needed(parts.container, name, LABEL)
    page = page_of(parts.container.document, name, data)
    parts.check_root(page, name, *_ROOT)
    return page.base or data


def _core_with(parts: Parts, name: str, base: bytes, marking: Marking) -> bytes:
    """The core properties with what is not taken there."""
    document = parts.container.document
    page = page_of(document, name, base)
    known = {each.path[-1]: each for each in page.below(_ROOT)}
    identifier = known.get((DC, "identifier"))
    if identifier is not None and identifier.text:
        has_name(document, name, marking, [identifier.text])
    title = title_of(marking)
    new: list[str] = []
    places: list[Place] = []
    for local, value in (
        ("identifier", str(marking.name)),
        ("title", "" if title is None else title.value),
        ("language", marking.language or ""),
    ):
        element = known.get((DC, local))
        written = tag(page.root.opening, ("dc", DC, local), escaped(value))
        if value and element is None:
            new.append(written)
        elif value and element is not None and not element.text:
            places.append((element.opening.start, element.closing.end, written))
    if new:
        places.append(page.within(page.root, new))
    return page.with_blocks(places)


def _facts(parts: Parts, page: Page) -> tuple[Fact, ...]:
    """The custom properties."""
    return tuple(Fact(each.opening.get("name") or "", each.text) for each in _own(parts, page))


def _own(parts: Parts, page: Page) -> Iterator[Element]:
    space = parts.custom_space
    return page.named((space, "Properties"), (space, "property"))


def _custom_with(parts: Parts, base: bytes | None, facts: Sequence[Fact]) -> bytes | None:
    """The custom properties with more of them; a part that is all ours where there is none."""
    if not facts:
        return base
    if base is None:
        root = f'<Properties xmlns="{parts.custom_space}" xmlns:vt="{parts.value_space}"/>'
        page = page_of(parts.container.document, parts.custom, root.encode())
        text = page.within(page.root, _properties(parts, page, facts))[2]
        return new_member(text)
    page = page_of(parts.container.document, parts.custom, base)
    return page.with_blocks([page.within(page.root, _properties(parts, page, facts))])


def _properties(parts: Parts, page: Page, facts: Sequence[Fact]) -> list[str]:
    opening = page.root.opening
    tags = []
    for number, fact in zip(_free_numbers(parts, page), facts, strict=False):
        value = tag(opening, ("vt", parts.value_space, "lpwstr"), escaped(fact.value))
        values = {"fmtid": _FMTID, "pid": str(number), "name": fact.key}
        tags.append(tag(opening, ("p", parts.custom_space, "property"), value, values))
    return tags


def _free_numbers(parts: Parts, page: Page) -> Iterator[int]:
    """Numbers that no property has, from behind those that are usual."""
    said = (_PID.fullmatch(each.opening.get("pid") or "") for each in _own(parts, page))
    taken = {int(each[1]) for each in said if each is not None}
    usual = (number for number in taken if _FIRST_PID <= number < _FIRST_UNUSUAL)
    first = max(usual, default=_FIRST_PID - 1) + 1
    return (number for number in count(first) if number not in taken)


def _remove(document: Document, is_forced: bool) -> Change:  # noqa: FBT001
    parts = parts_of(container_of(document))
    base = parts.custom_base()
    states = {parts.custom: State(base=base, wanted=base), **parts.registry(base, base)}
    findings: list[DocumentFinding] = []
    if base is not None:
        facts = _facts(parts, page_of(document, parts.custom, base))
        values = [fact.value for fact in facts if fact.key == NAME]
        findings += names_that_stay(document, parts.custom, values)
    if parts.core is not None:
        core = _core_base(parts, parts.core)
        states[parts.core] = State(base=core, wanted=core)
        elements = page_of(document, parts.core, core).below(_ROOT)
        values = [each.text for each in elements if each.path[-1] == (DC, "identifier")]
        findings += names_that_stay(document, parts.core, values)
    return change_of(parts.container, states, findings, parts.signature, is_forced=is_forced)


def _read(document: Document) -> Reading:
    parts = parts_of(container_of(document))
    statements: list[Statement] = []
    if parts.core is not None:
        data = needed(parts.container, parts.core, LABEL)
        page = page_of(document, parts.core, data)
        statements += map(_core_statement, page.below(_ROOT))
    custom = parts.custom_page()
    if custom is not None:
        space = f"{parts.custom_space}#"
        statements += (
            property_statement(
                Way.OOXML,
                space,
                Fact(each.opening.get("name") or "", each.text),
                is_ours=each.is_ours,
            )
            for each in _own(parts, custom)
        )
    findings = (*_part_findings(parts), *whole_findings(parts.container))
    try:
        statements += _app_statements(parts.app_page())
    except EmbeddingError as fault:
        findings = (*findings, fault.finding)
    return Reading(
        statements=tuple(each for each in statements if each.value),
        findings=tuple(dict.fromkeys(findings)),
    )


def _part_findings(parts: Parts) -> tuple[DocumentFinding, ...]:
    """What is wrong where the properties should be, which keeps a name out."""
    try:
        parts.custom_base()
        if parts.core is not None:
            _core_base(parts, parts.core)
    except EmbeddingError as fault:
        return (fault.finding,)
    return ()


def _core_statement(element: Element) -> Statement:
    uri, local = element.path[-1]
    space = uri if uri in {DC, DCTERMS} else f"{uri}#"
    kind = element.opening.get("type", _XSI)
    return Statement(
        way=Way.OOXML,
        subject=None,
        term=f"{space}{local}",
        value=element.text,
        language=element.opening.language,
        datatype=f"{DCTERMS}W3CDTF" if kind and kind.endswith(":W3CDTF") else None,
        is_ours=element.is_ours,
    )


def _app_statements(page: Page | None) -> Iterator[Statement]:
    for each in () if page is None else page.below(page.root.path[0]):
        uri, local = each.path[-1]
        if local in _APP:
            yield Statement(way=Way.OOXML, subject=None, term=f"{uri}#{local}", value=each.text)


FORMAT: Final = Format(
    key="docx",
    label=LABEL,
    suffixes=frozenset({".docx", ".docm", ".dotx", ".dotm"}),
    media_types=frozenset(
        {
            f"{_WORD}.document",
            f"{_WORD}.template",
            f"{_MACROS}.document.macroEnabled.12",
            f"{_MACROS}.template.macroEnabled.12",
        }
    ),
    embed=_embed,
    remove=_remove,
    read=_read,
)
