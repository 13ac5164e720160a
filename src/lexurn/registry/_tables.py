"""The JSON tables that are read at run time, compiled from the registry.

The small ones are for `lexurn.name` and `lexurn.model`; those of law and words, one of each
jurisdiction or language, for `Registry`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.registry._concepts import BASE, Concept, concepts, jurisdictions
from lexurn.registry._entries import Kind
from lexurn.registry._lexicon import index_of, ordered
from lexurn.registry._rows import row_of
from lexurn.registry._turtle import entries_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.registry._entries import Entry

__all__ = [
    "COMMAND",
    "PARTS",
    "compiled_tables",
    "drop_stale_tables",
    "stale_tables",
    "write_tables",
]

#: The folders of files by jurisdiction or language.
PARTS = ("law", "units", "words")

#: How the tables are made anew after an edit of the registry.
COMMAND = "python -m lexurn.registry.compile"

_KINDS = ("languages", "extlangs", "scripts", "regions", "variants", "grandfathered")
_AUTHORITY = "http://publications.europa.eu/resource/authority/language/"
_MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"

_Table = dict[str, "Sequence[str] | Mapping[str, Sequence[str] | str]"]


def compiled_tables() -> dict[str, str]:
    """The text of each ``ontology/tables/<name>.json``, by its name, from the registry as it is."""
    tables = {
        "extensions": _extensions(),
        "jurisdictions": _jurisdictions(),
        "language_names": _language_names(),
        "languages": _languages(),
        "original": _original(),
    }
    texts = {name: _json(table) for name, table in tables.items()}
    for part in PARTS:
        folder = data.folder("ontology") / "registry" / part
        for file in sorted(folder.glob("*.ttl")):
            texts[f"{part}/{file.name.removesuffix('.ttl')}"] = _entries_json(
                entries_of(file.read_text("utf-8"))
            )
    return texts


def write_tables() -> tuple[str, ...]:
    """Write the tables that differ from the registry; returns their names."""
    folder = data.folder("ontology") / "tables"
    folder.mkdir(exist_ok=True)
    written = []
    for name, text in compiled_tables().items():
        file = folder / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        if not file.is_file() or file.read_bytes() != text.encode():
            file.write_bytes(text.encode())
            written.append(name)
    return tuple(written)


def stale_tables() -> tuple[str, ...]:
    """The names of tables of jurisdictions and languages whose file is gone, sorted."""
    ontology = data.folder("ontology")
    return tuple(
        f"{part}/{table.name.removesuffix('.json')}"
        for part in PARTS
        for table in sorted((ontology / "tables" / part).glob("*.json"))
        if not (ontology / "registry" / part / f"{table.name.removesuffix('.json')}.ttl").is_file()
    )


def drop_stale_tables() -> None:
    """Delete the tables whose file is gone."""
    for name in stale_tables():
        (data.folder("ontology") / "tables" / f"{name}.json").unlink()


def _extensions() -> _Table:
    """The one format that each extension is read as, and the formats that share an extension."""
    listed = concepts("extensions")
    shared = {_mime(iri): each.notation for each in listed for iri in each.near_matches}
    return {"formats": {each.notation: _mime(each.matches[0]) for each in listed}, "shared": shared}


def _mime(iri: str) -> str:
    """A media type as names have it (RFC 9676 section 5.7): ``/`` as ``-``, ``+`` encoded."""
    return iri.removeprefix(_MEDIA_TYPES).replace("/", "-", 1).replace("+", "%2B")


def _jurisdictions() -> _Table:
    return {"codes": sorted(jurisdictions())}


def _original() -> _Table:
    """The words for "original", each with the primary subtags of the languages that have it."""
    return {"words": {each.notation: _primary(each) for each in concepts("original")}}


def _primary(concept: Concept) -> list[str]:
    return sorted({label.language.partition("-")[0] for label in concept.labels})


def _languages() -> _Table:
    """The subtags by kind, and the codes of the EU's authority table by primary subtag."""
    found: dict[str, list[Concept]] = {kind: [] for kind in _KINDS}
    for concept in concepts("languages"):
        found[concept.scheme.removeprefix(BASE + "languages/")].append(concept)
    table: _Table = {kind: [each.notation for each in found[kind]] for kind in _KINDS}
    codes = {each.notation: _codes(each) for each in found["languages"]}
    return table | {"authority": {subtag: code[0] for subtag, code in codes.items() if code}}


def _language_names() -> _Table:
    """What languages are called: by the language of the name, then by primary subtag."""
    names: dict[str, dict[str, str]] = {}
    for concept in concepts("languages"):
        if concept.scheme == BASE + "languages/languages":
            for label in concept.labels:
                names.setdefault(label.language, {})[concept.notation] = label.text
    return {language: names[language] for language in sorted(names)}


def _codes(language: Concept) -> list[str]:
    matches = (match for match in language.matches if match.startswith(_AUTHORITY))
    return [match.removeprefix(_AUTHORITY) for match in matches]


def _json(table: _Table) -> str:
    """JSON with one entry a line, so that a change of one entry is a change of one line."""
    return "{\n" + ",\n".join(_section(key, value) for key, value in table.items()) + "\n}\n"


def _section(key: str, value: Sequence[str] | Mapping[str, Sequence[str] | str]) -> str:
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f'"{key}": {opening}\n' + ",\n".join(_entries(value)) + f"\n{closing}"


def _entries(value: Sequence[str] | Mapping[str, Sequence[str] | str]) -> Iterator[str]:
    if isinstance(value, dict):
        return (f"{_line(key)}: {_line(value[key])}" for key in sorted(value))
    return (_line(each) for each in value)


def _entries_json(entries: Sequence[Entry]) -> str:
    """The entries of one file by kind, each with the keys that find it; one a line."""
    kinds = [kind for kind in Kind if any(each.kind is kind for each in entries)]
    sections = (_kind_json(kind, [e for e in entries if e.kind is kind]) for kind in kinds)
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _kind_json(kind: Kind, entries: Sequence[Entry]) -> str:
    listed = ordered(entries)
    index = {} if kind in _NEVER_FOUND else index_of(listed)
    rows = ",\n".join(_line(row_of(each)) for each in listed)
    keys = ",\n".join(f"{_line(key)}: {_line(places)}" for key, places in index.items())
    return f'"{kind.value}": {{"entries": [\n{rows}\n], "keys": {{\n{keys}\n}}}}'


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# Letters, templates and settings are taken by their notation, never looked up as words.
_NEVER_FOUND = frozenset({Kind.CONVENTION, Kind.FOLD, Kind.FORMAT})
