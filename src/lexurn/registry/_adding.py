"""An entry added to a publisher's file: sorted in, everything else kept as it is."""

from __future__ import annotations

import os
import re
import tempfile
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.registry._entries import LAW_KINDS, Entry, kind_of_scheme, scheme_of
from lexurn.registry._findings import RegistryFinding
from lexurn.registry._overlay import overlay_of
from lexurn.registry._source import Source, read_source, source_of
from lexurn.registry._turtle import CONCEPT, DCTERMS, FIELDS, OWL, REG, SKOS, XSD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.registry._concepts import Label
    from lexurn.registry._statements import Places, Statement

__all__ = ["add_entry", "with_entry"]

_PREFIXES = {"dcterms": DCTERMS, "owl": OWL, "reg": REG, "skos": SKOS, "xsd": XSD}
_HEADER = (
    "# A registry of one's own, laid over the built-in one: lexurn registry check --registry FILE\n"
    "# Sorted; an entry is never deleted or renamed, but marked owl:deprecated (RFC 9676 section"
    " 2.2).\n\n"
)
_LOCAL = re.compile("[A-Za-z][A-Za-z0-9_]*")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_IRIS = {"sources", "broader"}
_DATES = {"valid_from", "valid_until"}
_FLAGS = {"titled", "obsolete"}


def add_entry(path: str | Path, entry: Entry) -> tuple[RegistryFinding, ...]:
    """Write an entry into a publisher's file, which is made where there is none.

    The file is replaced at once or not at all: with an error among the findings it stays as it was.

    Returns:
        What is to be said of the entry and of the file as it would be with it.

    Raises:
        OSError: the file cannot be written.
    """
    file = Path(path)
    source = read_source(file) if file.exists() else Source(file=str(path), text="", subjects={})
    if isinstance(source, RegistryFinding):
        return (source,)
    text = with_entry(source, entry)
    if isinstance(text, RegistryFinding):
        return (text,)
    after = source_of(str(path), text)
    if isinstance(after, RegistryFinding):
        return (after,)
    _, findings = overlay_of([after])
    if text != source.text and not any(each.is_error for each in findings):
        _replace(file, text)
    return findings


def with_entry(source: Source, entry: Entry) -> str | RegistryFinding:
    """The text of a file with an entry in it, or why it cannot be added.

    An entry that is there with the same values changes nothing; one with others is refused.
    """
    lines = tuple(_lines(entry, source.places.prefixes if source.text else _PREFIXES))
    if entry.iri in source.subjects:
        return _same(source, entry)
    if not source.text.strip():
        return _HEADER + "".join(_declared()) + _scheme(entry, _PREFIXES) + _block(entry, lines)
    return _inserted(source, entry, _block(entry, lines))


def _same(source: Source, entry: Entry) -> str | RegistryFinding:
    stated = source.subjects[entry.iri].get(SKOS + "notation")
    if stated and stated[0].text != entry.notation:
        at = (entry.iri, SKOS + "notation", None)
        return source.finding("LX909", at, f"<{entry.iri}>", stated[0].text, entry.notation)
    alone = "".join(_declared()) + _block(entry, tuple(_lines(entry, _PREFIXES)))
    whole = source_of(source.file, alone)
    if isinstance(whole, Source) and _plain(whole, entry.iri) == _plain(source, entry.iri):
        return source.text
    return source.finding("LX929", (entry.iri, None, None), f"<{entry.iri}>")


def _plain(source: Source, iri: str) -> dict[str, list[Label]]:
    return {predicate: sorted(values) for predicate, values in source.subjects[iri].items()}


def _inserted(source: Source, entry: Entry, block: str) -> str:
    """The text with a block in it, behind what sorts before it."""
    scheme = scheme_of(entry.kind, entry.scope)
    at, declared = _place(source.places, scheme, entry.iri)
    # A comment behind the statement before it stays in that statement's line.
    line_end = source.text.find("\n", at)
    at = len(source.text) if line_end < 0 else line_end
    before, after = source.text[:at], source.text[at:].rstrip()
    if not declared:
        block = _scheme(entry, source.places.prefixes) + block
    return f"{before}\n{block.rstrip()}{after}\n"


def _place(places: Places, scheme: str, iri: str) -> tuple[int, bool]:
    """The offset behind the statement that sorts before an entry; whether its scheme is there."""
    at, declared = places.body, False
    for statement in places.statements:
        mine = _scheme_of(statement)
        if mine == scheme:
            declared = True
        # As the built-in files sort: the scheme itself first; with its bracket, "a.b" before "a".
        mark = "" if statement.subject == mine else f"<{statement.subject}>"
        if mine is not None and (mine, mark) < (scheme, f"<{iri}>"):
            at = statement.end
    return at, declared


def _scheme_of(statement: Statement) -> str | None:
    """The scheme that a statement belongs to or declares, or None."""
    if kind_of_scheme(statement.subject):
        return statement.subject
    stated = (value for verb, value, _ in statement.values if verb == SKOS + "inScheme")
    found = next(stated, statement.subject.rpartition("/")[0])
    return found if kind_of_scheme(found) else None


def _declared() -> Iterator[str]:
    for prefix, namespace in sorted(_PREFIXES.items()):
        yield f"@prefix {prefix}: <{namespace}> .\n"


def _scheme(entry: Entry, prefixes: dict[str, str]) -> str:
    title = _literal(f"{entry.kind.value.capitalize()}: {entry.scope}")
    concept, label = (_term(SKOS + name, prefixes) for name in ("ConceptScheme", "prefLabel"))
    return f"\n<{scheme_of(entry.kind, entry.scope)}> a {concept} ;\n    {label} {title}@en .\n"


def _block(entry: Entry, lines: tuple[str, ...]) -> str:
    """Words stand in a line each, everything else in a paragraph, as in the built-in files."""
    if entry.kind in LAW_KINDS:
        return "\n" + " ;\n    ".join((f"<{entry.iri}> {lines[0]}", *lines[1:])) + " .\n"
    return " ; ".join((f"<{entry.iri}> {lines[0]}", *lines[1:])) + " .\n"


def _lines(entry: Entry, prefixes: dict[str, str]) -> Iterator[str]:
    yield f"a {_term(CONCEPT, prefixes)}"
    yield f"{_term(SKOS + 'inScheme', prefixes)} <{scheme_of(entry.kind, entry.scope)}>"
    for name in _ORDER:
        values = tuple(_values(entry, name, prefixes))
        if values:
            yield f"{_term(FIELDS[name], prefixes)} {' , '.join(sorted(values))}"


_ORDER = (
    *("notation", "labels", "forms", "abbreviations", "body", "issuer", "name", "numbering"),
    *("qualifies", "titled", "broader", "valid_from", "valid_until", "obsolete", "sources"),
    "examples",
)


def _values(entry: Entry, name: str, prefixes: dict[str, str]) -> Iterator[str]:
    value = getattr(entry, name)
    listed = value if isinstance(value, tuple) else () if value in {None, False} else (value,)
    for each in listed:
        if name in _IRIS:
            yield f"<{each}>"
        elif name in _FLAGS:
            yield "true"
        elif name in _DATES:
            yield f"{_literal(each)}^^{_term(XSD + 'date', prefixes)}"
        elif isinstance(each, str):
            yield _literal(each)
        else:
            yield _literal(each.text) + (f"@{each.language}" if each.language else "")


def _literal(text: str) -> str:
    written = unicodedata.normalize("NFC", text)
    return '"' + "".join(_ESCAPES.get(each, each) for each in written) + '"'


def _term(iri: str, prefixes: dict[str, str]) -> str:
    """An IRI as the file's own prefixes have it."""
    for prefix, namespace in prefixes.items():
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri.removeprefix(namespace)):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return f"<{iri}>"


def _replace(file: Path, text: str) -> None:
    """Write the file beside itself and put it in its place at once; a device is written into."""
    if file.exists() and not file.is_file():
        file.write_bytes(text.encode())
        return
    file = Path(os.path.realpath(file))  # a link stays one
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(file.stat().st_mode & 0o7777 if file.exists() else 0o644)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
