"""A publisher's own Turtle laid over the built-in registry, and the registry's files checked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.registry._checks import check_subject
from lexurn.registry._concepts import Label
from lexurn.registry._entries import scheme_of
from lexurn.registry._findings import RegistryFinding
from lexurn.registry._registry import Registry, registry
from lexurn.registry._relations import (
    ambiguities,
    contradictions,
    deletions,
    losses,
    replacements,
    takings,
    unknown_codes,
)
from lexurn.registry._source import Source, read_source
from lexurn.registry._subject import Subject
from lexurn.registry._turtle import DCTERMS, FIELDS, SKOS, entry_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from lexurn.registry._entries import Entry
    from lexurn.registry._turtle import Values

__all__ = [
    "built_in_files",
    "check_built_in",
    "deleted",
    "lost_codes",
    "open_registry",
    "overlay_of",
]


def open_registry(*paths: str | Path) -> tuple[Registry, tuple[RegistryFinding, ...]]:
    """The built-in registry with a publisher's files (Turtle) over it.

    A file adds entries; what it states of an IRI that is known takes the place of the same
    property there, and everything else of that entry stays. What a file's entries are called stands
    for them alone from then on. A code is never renamed or deleted (RFC 9676 section 2.2). Where a
    finding is an error, no file is used: the built-in registry stays in force.

    Returns:
        The registry, and what is to be said of the files, in the order of files and lines.
    """
    if not paths:
        return registry(), ()
    read = [read_source(path) for path in dict.fromkeys(paths)]
    sources = [each for each in read if isinstance(each, Source)]
    unread = [each for each in read if isinstance(each, RegistryFinding)]
    overlaid, findings = overlay_of(sources)
    found = _in_order((*unread, *findings), [str(path) for path in paths])
    return (registry() if unread else overlaid), found


def overlay_of(sources: Sequence[Source]) -> tuple[Registry, tuple[RegistryFinding, ...]]:
    """As `open_registry`, for files that have been read; each lies over those before it."""
    layers = [registry()]
    for source in sources:
        layers.append(_laid(source, layers[-1]))
    overlaid = layers[-1]
    findings = list(contradictions(sources))
    for source, before in zip(sources, layers, strict=False):
        findings += _checked(source, overlaid, before)
        findings += ambiguities(source, overlaid)
        findings += takings(source, overlaid)
    found = _in_order(findings, [source.file for source in sources])
    return (registry() if any(each.is_error for each in found) else overlaid), found


def deleted(path: str | Path, before: str | Path) -> tuple[RegistryFinding, ...]:
    """What a file has renamed or deleted of what stood in it before (RFC 9676 section 2.2).

    Args:
        path: the file.
        before: the file as it was.
    """
    read = [read_source(each) for each in (path, before)]
    sources = [each for each in read if isinstance(each, Source)]
    if len(sources) < len(read):
        return tuple(each for each in read if isinstance(each, RegistryFinding))
    return _in_order(deletions(*sources), [str(path)])


def built_in_files() -> tuple[Path, ...]:
    """The Turtle of law, units and words that come with lexurn, sorted."""
    folder = data.folder("ontology") / "registry"
    return tuple(sorted(folder.glob("*/*.ttl")))


def check_built_in() -> tuple[RegistryFinding, ...]:
    """What is to be said of the built-in files themselves, as they are now."""
    files = built_in_files()
    read = (read_source(file) for file in files)
    sources = [each for each in read if isinstance(each, Source)]
    known = Registry(filter(None, map(_own_entry, _stated(sources))))
    findings = list(lost_codes())
    for source in sources:
        findings += _checked(source, known, None)
        findings += ambiguities(source, known)
    return _in_order(findings, [str(file) for file in files])


def _stated(sources: Iterable[Source]) -> Iterator[tuple[str, Values, Source]]:
    for source in sources:
        for iri, values in source.subjects.items():
            yield iri, values, source


def _own_entry(stated: tuple[str, Values, Source]) -> Entry | None:
    iri, values, source = stated
    return entry_of(iri, values, _notations(values, source, registry()))


def lost_codes() -> tuple[RegistryFinding, ...]:
    """What the built-in files have renamed or deleted since they were compiled."""
    findings: list[RegistryFinding] = []
    for file in built_in_files():
        source = read_source(file)
        if isinstance(source, Source):
            findings += losses(source, file.parent.name, file.name.removesuffix(".ttl"))
        else:
            findings.append(source)
    return tuple(findings)


def _in_order(findings: Iterable[RegistryFinding], files: list[str]) -> tuple[RegistryFinding, ...]:
    """By file as given, line and code, each once."""

    def place(found: RegistryFinding) -> tuple[int, int, str, str]:
        return files.index(found.file), found.line, found.code, found.message

    return tuple(sorted(dict.fromkeys(findings), key=place))


def _checked(source: Source, known: Registry, before: Registry | None) -> Iterator[RegistryFinding]:
    """What is to be said of the entries of a file.

    Args:
        source: the file.
        known: the registry with the file in it.
        before: the registry that the file lies over; None for a built-in file.
    """
    for iri, values in source.subjects.items():
        over = before.entry(iri) if before else None
        yield from check_subject(
            Subject(source=source, iri=iri, values=values, known=over, registry=known)
        )
    yield from replacements(source, known)
    yield from unknown_codes(source)


def _laid(source: Source, before: Registry) -> Registry:
    """The registry with a file over it."""
    merged = {entry.iri: entry for entry in before.own}
    for iri, values in source.subjects.items():
        if entry := _entry(iri, values, source, before):
            merged[iri] = entry
    return Registry(merged.values())


def _entry(iri: str, values: Values, source: Source, before: Registry) -> Entry | None:
    """The entry that a file makes of an IRI, over what is known of it."""
    known = before.entry(iri)
    stated = dict(values)
    if known is not None:
        stated.setdefault(SKOS + "inScheme", [_label(scheme_of(known.kind, known.scope))])
        stated.setdefault(SKOS + "notation", [_label(known.notation)])
    entry = entry_of(iri, stated, _notations(values, source, before))
    if entry is None or known is None:
        return entry
    given = {
        name: getattr(entry, name) for name, stated_by in FIELDS.items() if stated_by in values
    }
    return replace(known, **given)


def _notations(values: Values, source: Source, before: Registry) -> dict[str, str]:
    """The notations of what replaces an entry, in the file or in what is known."""
    found = {}
    for target in values.get(DCTERMS + "isReplacedBy", ()):
        stated = source.subjects.get(target.text, {}).get(SKOS + "notation")
        known = before.entry(target.text)
        if stated or known:
            found[target.text] = stated[0].text if stated else known.notation if known else ""
    return found


def _label(text: str) -> Label:
    return Label(text=text, language="")
