"""Overlays: files of a publisher that add to the built-in registry and override its entries."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.files import open_for_writing
from lexurn.findings import Finding
from lexurn.registry import checks
from lexurn.registry.entries import (
    LAW_KINDS,
    Label,
    get_table_name,
    make_scheme_iri,
    read_scheme_iri,
)
from lexurn.registry.registry import Registry, load_registry
from lexurn.registry.source import (
    CONCEPT,
    FIELD_PROPERTIES,
    REG,
    SourceFile,
    make_entry,
    parse_source,
    read_source,
)
from lexurn.vocabulary import DCTERMS, OWL, SKOS, XSD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.registry.entries import Entry
    from lexurn.registry.source import StatementPositions, Values

_NOTATION, _SCHEME = SKOS + "notation", SKOS + "inScheme"


def open_registry(*paths: str | Path) -> tuple[Registry, tuple[Finding, ...]]:
    """Open the built-in registry with files of a publisher (Turtle) over it.

    A file adds entries. A statement about the IRI of a registered entry replaces the same property
    there; all its other properties stay. The labels and forms in a file find only its entries from
    then on. A code is never renamed or deleted (RFC 9676 section 2.2). If any finding is an error,
    no file is used, and the registry is the built-in one.

    Returns:
        The registry, and the findings about the files, in the order of files and lines.
    """
    if not paths:
        return load_registry(), ()
    sources, unread = _read_sources(dict.fromkeys(paths))
    overlaid, findings = build_overlay(sources)
    found = _sort_findings((*unread, *findings), paths)
    return (load_registry() if unread else overlaid), found


def build_overlay(sources: Sequence[SourceFile]) -> tuple[Registry, tuple[Finding, ...]]:
    """Lay each file over those before it; see `open_registry`."""
    layers = [load_registry()]
    for source in sources:
        before = layers[-1]
        merged = {entry.iri: entry for entry in before.own}
        for iri, values in source.subjects.items():
            if entry := _merge_entry(iri, values, source, before):
                merged[iri] = entry
        layers.append(Registry(merged.values()))
    overlaid = layers[-1]
    findings = list(checks.find_contradictions(sources))
    for source, before in zip(sources, layers, strict=False):
        findings += _check_file(source, overlaid, before)
        findings += checks.find_taken_forms(source, overlaid)
    found = _sort_findings(findings, [source.file for source in sources])
    return (load_registry() if any(each.is_error for each in found) else overlaid), found


def compare_with_earlier(path: str | Path, before: str | Path) -> tuple[Finding, ...]:
    """Find codes that a file has renamed or deleted (RFC 9676 section 2.2).

    Args:
        path: the file.
        before: an earlier version of the file.
    """
    sources, unread = _read_sources((path, before))
    if unread:
        return tuple(unread)
    source, earlier = sources
    codes = {
        iri: values[_NOTATION][0].text if _NOTATION in values else ""
        for iri, values in earlier.subjects.items()
    }
    return _sort_findings(checks.find_changed_codes(source, codes, earlier.file), [path])


def list_built_in_files() -> tuple[Path, ...]:
    """List the built-in files of law, units and words, sorted."""
    folder = data.find_folder("ontology") / "registry"
    return tuple(sorted(folder.glob("*/*.ttl")))


def check_built_in() -> tuple[Finding, ...]:
    """Check the built-in files."""
    files = list_built_in_files()
    sources, findings = _read_sources(files)
    entries = (
        make_entry(iri, values, _list_replacements(values, source, load_registry()))
        for source in sources
        for iri, values in source.subjects.items()
    )
    known = Registry(filter(None, entries))
    findings += _find_lost_codes(sources)
    for source in sources:
        findings += _check_file(source, known, None)
    return _sort_findings(findings, files)


def find_lost_codes() -> tuple[Finding, ...]:
    """Find codes that the built-in files have renamed or deleted since the last compilation."""
    sources, findings = _read_sources(list_built_in_files())
    return (*findings, *_find_lost_codes(sources))


def _find_lost_codes(sources: Iterable[SourceFile]) -> Iterator[Finding]:
    """Yield the codes that files have renamed or deleted since the last compilation."""
    for source in sources:
        file = Path(source.file)
        table = f"{file.parent.name}/{file.name.removesuffix('.ttl')}"
        codes = {
            entry.iri: entry.notation
            for kind in checks.CODE_KINDS
            if get_table_name(kind, table.partition("/")[2]) == table
            for entry in load_registry().lexicon(kind, table.partition("/")[2])
        }
        yield from checks.find_changed_codes(source, codes, "the compiled table")


def _read_sources(paths: Iterable[str | Path]) -> tuple[list[SourceFile], list[Finding]]:
    """Read files, with a finding for each that cannot be read."""
    read = [read_source(path) for path in paths]
    sources = [each for each in read if isinstance(each, SourceFile)]
    return sources, [each for each in read if isinstance(each, Finding)]


def _sort_findings(findings: Iterable[Finding], paths: Iterable[str | Path]) -> tuple[Finding, ...]:
    """Sort findings by file as given, line and code, each once."""
    files = [str(path) for path in paths]

    def make_sort_key(found: Finding) -> tuple[int, int, str, str]:
        return files.index(found.file), found.line, found.code, found.message

    return tuple(sorted(dict.fromkeys(findings), key=make_sort_key))


def _check_file(source: SourceFile, known: Registry, before: Registry | None) -> Iterator[Finding]:
    """Check the entries of a file.

    Args:
        source: the file.
        known: the registry with the file.
        before: the registry without the file; None for a built-in file.
    """
    for iri, values in source.subjects.items():
        over = before.entry(iri) if before else None
        entry = checks.CheckedEntry(
            source=source, iri=iri, values=values, known=over, registry=known
        )
        yield from entry.check()
    yield from checks.check_replacements(source, known)
    yield from checks.find_unknown_codes(source)
    yield from checks.find_ambiguities(source, known)


def _merge_entry(iri: str, values: Values, source: SourceFile, before: Registry) -> Entry | None:
    """Merge the statements of a file about an IRI with the registered entry."""
    known = before.entry(iri)
    stated = dict(values)
    if known is not None:
        scheme = make_scheme_iri(known.kind, known.scope)
        stated.setdefault(_SCHEME, [Label(text=scheme, language="")])
        stated.setdefault(_NOTATION, [Label(text=known.notation, language="")])
    entry = make_entry(iri, stated, _list_replacements(values, source, before))
    if entry is None or known is None:
        return entry
    given = {
        name: getattr(entry, name)
        for name, stated_by in FIELD_PROPERTIES.items()
        if stated_by in values
    }
    return replace(known, **given)


def _list_replacements(values: Values, source: SourceFile, before: Registry) -> dict[str, str]:
    """List the notations of the replacements of an entry, from the file or the registry."""
    found = {}
    for target in values.get(DCTERMS + "isReplacedBy", ()):
        stated = source.subjects.get(target.text, {}).get(_NOTATION)
        if stated:
            found[target.text] = stated[0].text
        elif known := before.entry(target.text):
            found[target.text] = known.notation
    return found


_DEFAULT_PREFIXES = {"dcterms": DCTERMS, "owl": OWL, "reg": REG, "skos": SKOS, "xsd": XSD}
_HEADER = (
    "# Additions to the built-in registry; check them: lexurn registry check --registry FILE\n"
    "# Sorted. An entry is never deleted or renamed, but marked owl:deprecated (RFC 9676 section"
    " 2.2).\n\n"
    + "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in _DEFAULT_PREFIXES.items())
)
_LOCAL_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_FIELD_ORDER = (
    *("notation", "labels", "forms", "abbreviations", "translations", "body", "issuer", "name"),
    *("numbering", "qualifies", "titled", "broader", "valid_from", "valid_until", "obsolete"),
    *("matches", "sources", "checked", "examples"),
)


def add_entry(path: str | Path, entry: Entry) -> tuple[Finding, ...]:
    """Write an entry into a publisher's file, or make a new file with it.

    The file is replaced atomically. If any finding is an error, the file stays as it was.

    Returns:
        The findings about the file with the entry.

    Raises:
        OSError: the file cannot be written.
    """
    file = Path(path)
    source = (
        read_source(file) if file.exists() else SourceFile(file=str(path), text="", subjects={})
    )
    if isinstance(source, Finding):
        return (source,)
    text = insert_entry(source, entry)
    if isinstance(text, Finding):
        return (text,)
    after = parse_source(str(path), text)
    if isinstance(after, Finding):
        return (after,)
    _, findings = build_overlay([after])
    if text != source.text and not any(each.is_error for each in findings):
        with open_for_writing(file) as stream:
            stream.write(text.encode())
    return findings


def insert_entry(source: SourceFile, entry: Entry) -> str | Finding:
    """Return the text of a file with an entry, or the finding why it cannot be added.

    An entry that exists with the same values changes nothing; one with other values is refused.
    """
    known = source.subjects.get(entry.iri)
    if known is not None:
        stated = known.get(_NOTATION)
        if stated and stated[0].text != entry.notation:
            at = (entry.iri, _NOTATION, None)
            return source.finding("LX909", at, f"<{entry.iri}>", stated[0].text, entry.notation)
        alone = parse_source(source.file, _HEADER + _write_entry(entry, _DEFAULT_PREFIXES))
        given = alone.subjects[entry.iri] if isinstance(alone, SourceFile) else None
        if given is not None and _sort_values(given) == _sort_values(known):
            return source.text
        return source.finding("LX929", (entry.iri, None, None), f"<{entry.iri}>")
    scheme = make_scheme_iri(entry.kind, entry.scope)
    if not source.text.strip():
        declared = _write_scheme(entry, _DEFAULT_PREFIXES)
        return _HEADER + declared + _write_entry(entry, _DEFAULT_PREFIXES)
    offset, is_declared = _find_offset(source.positions, scheme, entry.iri)
    prefixes = source.positions.prefixes
    block = ("" if is_declared else _write_scheme(entry, prefixes)) + _write_entry(entry, prefixes)
    # A comment at the end of the line belongs to the statement before it.
    line_end = source.text.find("\n", offset)
    offset = len(source.text) if line_end < 0 else line_end
    return f"{source.text[:offset]}\n{block.rstrip()}{source.text[offset:].rstrip()}\n"


def _sort_values(values: Values) -> dict[str, list[Label]]:
    return {predicate: sorted(listed) for predicate, listed in values.items()}


def _find_offset(positions: StatementPositions, scheme: str, iri: str) -> tuple[int, bool]:
    """Find the offset for an entry in the sort order, and whether its scheme is declared."""
    at, is_declared = positions.body, False
    for statement in positions.statements:
        subject = statement.subject
        stated = (value for verb, value, _ in statement.values if verb == _SCHEME)
        mine = subject if read_scheme_iri(subject) else next(stated, subject.rpartition("/")[0])
        if not read_scheme_iri(mine):
            continue
        is_declared |= mine == scheme
        # Sorted as the built-in files: the scheme first, and by IRI with its bracket.
        if (mine, "" if subject == mine else f"<{subject}>") < (scheme, f"<{iri}>"):
            at = statement.end
    return at, is_declared


def _write_scheme(entry: Entry, prefixes: Mapping[str, str]) -> str:
    title = _write_literal(f"{entry.kind.value.capitalize()}: {entry.scope}")
    concept, label = (_write_iri(SKOS + name, prefixes) for name in ("ConceptScheme", "prefLabel"))
    return (
        f"\n<{make_scheme_iri(entry.kind, entry.scope)}> a {concept} ;\n    {label} {title}@en .\n"
    )


def _write_entry(entry: Entry, prefixes: Mapping[str, str]) -> str:
    """Write words in one line and everything else in a paragraph, as in the built-in files."""
    scheme = make_scheme_iri(entry.kind, entry.scope)
    values = {name: sorted(_write_values(entry, name, prefixes)) for name in _FIELD_ORDER}
    lines = (
        f"<{entry.iri}> a {_write_iri(CONCEPT, prefixes)}",
        f"{_write_iri(_SCHEME, prefixes)} <{scheme}>",
        *(
            f"{_write_iri(FIELD_PROPERTIES[name], prefixes)} {' , '.join(written)}"
            for name, written in values.items()
            if written
        ),
    )
    if entry.kind in LAW_KINDS:
        return "\n" + " ;\n    ".join(lines) + " .\n"
    return " ; ".join(lines) + " .\n"


def _write_values(entry: Entry, name: str, prefixes: Mapping[str, str]) -> Iterator[str]:
    value = getattr(entry, name)
    listed = value if isinstance(value, tuple) else () if value in {None, False} else (value,)
    for each in listed:
        if name in {"sources", "broader", "matches"}:
            yield f"<{each}>"
        elif each is True:
            yield "true"
        elif isinstance(each, Label):
            yield _write_literal(each.text) + (f"@{each.language}" if each.language else "")
        elif name in {"valid_from", "valid_until", "checked"}:
            yield f"{_write_literal(each)}^^{_write_iri(XSD + 'date', prefixes)}"
        else:
            yield _write_literal(each)


def _write_literal(text: str) -> str:
    written = unicodedata.normalize("NFC", text)
    return '"' + "".join(_ESCAPES.get(each, each) for each in written) + '"'


def _write_iri(iri: str, prefixes: Mapping[str, str]) -> str:
    """Write an IRI with a prefix of the file."""
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and _LOCAL_NAME.fullmatch(iri.removeprefix(namespace)):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return f"<{iri}>"
