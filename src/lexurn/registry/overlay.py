"""Overlays: files of a publisher that add to the built-in registry and override its entries."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.data import find_folder
from lexurn.files import open_for_writing
from lexurn.findings import Finding
from lexurn.registry.checks import (
    CheckedEntry,
    check_entry,
    check_replacements,
    find_ambiguities,
    find_contradictions,
    find_losses,
    find_renamed_or_deleted,
    find_taken_forms,
    find_unknown_codes,
)
from lexurn.registry.entries import LAW_KINDS, Label, make_scheme_iri, read_scheme_iri
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
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.registry.entries import Entry
    from lexurn.registry.source import Statement, StatementPlaces, Values


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
    read = [read_source(path) for path in dict.fromkeys(paths)]
    sources = [each for each in read if isinstance(each, SourceFile)]
    unread = [each for each in read if isinstance(each, Finding)]
    overlaid, findings = build_overlay(sources)
    found = _sort_findings((*unread, *findings), [str(path) for path in paths])
    return (load_registry() if unread else overlaid), found


def build_overlay(sources: Sequence[SourceFile]) -> tuple[Registry, tuple[Finding, ...]]:
    """Lay each file over those before it; see `open_registry`."""
    layers = [load_registry()]
    for source in sources:
        layers.append(_lay_over(source, layers[-1]))
    overlaid = layers[-1]
    findings = list(find_contradictions(sources))
    for source, before in zip(sources, layers, strict=False):
        findings += _check_file(source, overlaid, before)
        findings += find_ambiguities(source, overlaid)
        findings += find_taken_forms(source, overlaid)
    found = _sort_findings(findings, [source.file for source in sources])
    return (load_registry() if any(each.is_error for each in found) else overlaid), found


def compare_with_earlier(path: str | Path, before: str | Path) -> tuple[Finding, ...]:
    """Find codes that a file has renamed or deleted (RFC 9676 section 2.2).

    Args:
        path: the file.
        before: an earlier version of the file.
    """
    read = [read_source(each) for each in (path, before)]
    sources = [each for each in read if isinstance(each, SourceFile)]
    if len(sources) < len(read):
        return tuple(each for each in read if isinstance(each, Finding))
    return _sort_findings(find_renamed_or_deleted(*sources), [str(path)])


def list_built_in_files() -> tuple[Path, ...]:
    """List the built-in files of law, units and words, sorted."""
    folder = find_folder("ontology") / "registry"
    return tuple(sorted(folder.glob("*/*.ttl")))


def check_built_in() -> tuple[Finding, ...]:
    """Check the built-in files."""
    files = list_built_in_files()
    read = (read_source(file) for file in files)
    sources = [each for each in read if isinstance(each, SourceFile)]
    entries = (
        make_entry(iri, values, _list_replacements(values, source, load_registry()))
        for source in sources
        for iri, values in source.subjects.items()
    )
    known = Registry(filter(None, entries))
    findings = list(find_lost_codes())
    for source in sources:
        findings += _check_file(source, known, None)
        findings += find_ambiguities(source, known)
    return _sort_findings(findings, [str(file) for file in files])


def find_lost_codes() -> tuple[Finding, ...]:
    """Find codes that the built-in files have renamed or deleted since the last compilation."""
    findings: list[Finding] = []
    for file in list_built_in_files():
        source = read_source(file)
        if isinstance(source, SourceFile):
            findings += find_losses(source, file.parent.name, file.name.removesuffix(".ttl"))
        else:
            findings.append(source)
    return tuple(findings)


def _sort_findings(findings: Iterable[Finding], files: list[str]) -> tuple[Finding, ...]:
    """Sort findings by file as given, line and code, each once."""

    def place(found: Finding) -> tuple[int, int, str, str]:
        return files.index(found.file), found.line, found.code, found.message

    return tuple(sorted(dict.fromkeys(findings), key=place))


def _check_file(source: SourceFile, known: Registry, before: Registry | None) -> Iterator[Finding]:
    """Check the entries of a file.

    Args:
        source: the file.
        known: the registry with the file.
        before: the registry without the file; None for a built-in file.
    """
    for iri, values in source.subjects.items():
        over = before.entry(iri) if before else None
        yield from check_entry(
            CheckedEntry(source=source, iri=iri, values=values, known=over, registry=known)
        )
    yield from check_replacements(source, known)
    yield from find_unknown_codes(source)


def _lay_over(source: SourceFile, before: Registry) -> Registry:
    """Make the registry with a file over it."""
    merged = {entry.iri: entry for entry in before.own}
    for iri, values in source.subjects.items():
        if entry := _merge_entry(iri, values, source, before):
            merged[iri] = entry
    return Registry(merged.values())


def _merge_entry(iri: str, values: Values, source: SourceFile, before: Registry) -> Entry | None:
    """Merge the statements of a file about an IRI with the registered entry."""
    known = before.entry(iri)
    stated = dict(values)
    if known is not None:
        stated.setdefault(
            SKOS + "inScheme", [_make_label(make_scheme_iri(known.kind, known.scope))]
        )
        stated.setdefault(SKOS + "notation", [_make_label(known.notation)])
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
        stated = source.subjects.get(target.text, {}).get(SKOS + "notation")
        known = before.entry(target.text)
        if stated or known:
            found[target.text] = stated[0].text if stated else known.notation if known else ""
    return found


def _make_label(text: str) -> Label:
    return Label(text=text, language="")


_DEFAULT_PREFIXES = {"dcterms": DCTERMS, "owl": OWL, "reg": REG, "skos": SKOS, "xsd": XSD}
_HEADER = (
    "# Additions to the built-in registry; check them: lexurn registry check --registry FILE\n"
    "# Sorted. An entry is never deleted or renamed, but marked owl:deprecated (RFC 9676 section"
    " 2.2).\n\n"
)
_LOCAL_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_IRI_FIELDS = {"sources", "broader"}
_DATE_FIELDS = {"valid_from", "valid_until"}
_FLAG_FIELDS = {"titled", "obsolete"}


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
    lines = tuple(_write_lines(entry, source.places.prefixes if source.text else _DEFAULT_PREFIXES))
    if entry.iri in source.subjects:
        return _keep_entry(source, entry)
    if not source.text.strip():
        return (
            _HEADER
            + "".join(_write_prefixes())
            + _write_scheme(entry, _DEFAULT_PREFIXES)
            + _write_block(entry, lines)
        )
    return _insert_block(source, entry, _write_block(entry, lines))


def _keep_entry(source: SourceFile, entry: Entry) -> str | Finding:
    """Return the text if it has the entry with the same values, else the finding."""
    stated = source.subjects[entry.iri].get(SKOS + "notation")
    if stated and stated[0].text != entry.notation:
        at = (entry.iri, SKOS + "notation", None)
        return source.finding("LX909", at, f"<{entry.iri}>", stated[0].text, entry.notation)
    alone = "".join(_write_prefixes()) + _write_block(
        entry, tuple(_write_lines(entry, _DEFAULT_PREFIXES))
    )
    whole = parse_source(source.file, alone)
    if isinstance(whole, SourceFile) and _sort_values(whole, entry.iri) == _sort_values(
        source, entry.iri
    ):
        return source.text
    return source.finding("LX929", (entry.iri, None, None), f"<{entry.iri}>")


def _sort_values(source: SourceFile, iri: str) -> dict[str, list[Label]]:
    return {predicate: sorted(values) for predicate, values in source.subjects[iri].items()}


def _insert_block(source: SourceFile, entry: Entry, block: str) -> str:
    """Insert a block at its place in the sort order."""
    scheme = make_scheme_iri(entry.kind, entry.scope)
    at, declared = _find_place(source.places, scheme, entry.iri)
    # A comment at the end of the line belongs to the statement before it.
    line_end = source.text.find("\n", at)
    at = len(source.text) if line_end < 0 else line_end
    before, after = source.text[:at], source.text[at:].rstrip()
    if not declared:
        block = _write_scheme(entry, source.places.prefixes) + block
    return f"{before}\n{block.rstrip()}{after}\n"


def _find_place(places: StatementPlaces, scheme: str, iri: str) -> tuple[int, bool]:
    """Find the offset for an entry in the sort order, and whether its scheme is declared."""
    at, declared = places.body, False
    for statement in places.statements:
        mine = _find_scheme(statement)
        if mine == scheme:
            declared = True
        # Sorted as the built-in files: the scheme first, and by IRI with its bracket.
        mark = "" if statement.subject == mine else f"<{statement.subject}>"
        if mine is not None and (mine, mark) < (scheme, f"<{iri}>"):
            at = statement.end
    return at, declared


def _find_scheme(statement: Statement) -> str | None:
    """Return the scheme that a statement belongs to or declares, or None."""
    if read_scheme_iri(statement.subject):
        return statement.subject
    stated = (value for verb, value, _ in statement.values if verb == SKOS + "inScheme")
    found = next(stated, statement.subject.rpartition("/")[0])
    return found if read_scheme_iri(found) else None


def _write_prefixes() -> Iterator[str]:
    for prefix, namespace in sorted(_DEFAULT_PREFIXES.items()):
        yield f"@prefix {prefix}: <{namespace}> .\n"


def _write_scheme(entry: Entry, prefixes: dict[str, str]) -> str:
    title = _write_literal(f"{entry.kind.value.capitalize()}: {entry.scope}")
    concept, label = (_write_iri(SKOS + name, prefixes) for name in ("ConceptScheme", "prefLabel"))
    return (
        f"\n<{make_scheme_iri(entry.kind, entry.scope)}> a {concept} ;\n    {label} {title}@en .\n"
    )


def _write_block(entry: Entry, lines: tuple[str, ...]) -> str:
    """Write words in one line and everything else in a paragraph, as in the built-in files."""
    if entry.kind in LAW_KINDS:
        return "\n" + " ;\n    ".join((f"<{entry.iri}> {lines[0]}", *lines[1:])) + " .\n"
    return " ; ".join((f"<{entry.iri}> {lines[0]}", *lines[1:])) + " .\n"


def _write_lines(entry: Entry, prefixes: dict[str, str]) -> Iterator[str]:
    yield f"a {_write_iri(CONCEPT, prefixes)}"
    yield f"{_write_iri(SKOS + 'inScheme', prefixes)} <{make_scheme_iri(entry.kind, entry.scope)}>"
    for name in _FIELD_ORDER:
        values = tuple(_write_values(entry, name, prefixes))
        if values:
            yield f"{_write_iri(FIELD_PROPERTIES[name], prefixes)} {' , '.join(sorted(values))}"


_FIELD_ORDER = (
    *("notation", "labels", "forms", "abbreviations", "body", "issuer", "name", "numbering"),
    *("qualifies", "titled", "broader", "valid_from", "valid_until", "obsolete", "sources"),
    "examples",
)


def _write_values(entry: Entry, name: str, prefixes: dict[str, str]) -> Iterator[str]:
    value = getattr(entry, name)
    listed = value if isinstance(value, tuple) else () if value in {None, False} else (value,)
    for each in listed:
        if name in _IRI_FIELDS:
            yield f"<{each}>"
        elif name in _FLAG_FIELDS:
            yield "true"
        elif name in _DATE_FIELDS:
            yield f"{_write_literal(each)}^^{_write_iri(XSD + 'date', prefixes)}"
        elif isinstance(each, str):
            yield _write_literal(each)
        else:
            yield _write_literal(each.text) + (f"@{each.language}" if each.language else "")


def _write_literal(text: str) -> str:
    written = unicodedata.normalize("NFC", text)
    return '"' + "".join(_ESCAPES.get(each, each) for each in written) + '"'


def _write_iri(iri: str, prefixes: dict[str, str]) -> str:
    """Write an IRI with a prefix of the file."""
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and _LOCAL_NAME.fullmatch(iri.removeprefix(namespace)):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return f"<{iri}>"
