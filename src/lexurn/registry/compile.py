"""Compiled tables: JSON for run time, written by ``python -m lexurn.registry.compile``.

A code that was compiled before is neither renamed nor deleted (RFC 9676 section 2.2): it is marked
``owl:deprecated``. An unpublished code may go, with ``--drop``.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.registry.entries import REGISTRY_BASE, Kind, index_entries, sort_entries, write_row
from lexurn.registry.overlay import find_lost_codes, list_built_in_files
from lexurn.registry.source import load_concepts, load_jurisdictions, read_entries
from lexurn.vocabulary import LANGUAGE, MEDIA_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lexurn.registry.entries import Entry
    from lexurn.registry.source import Concept

# Command to compile the tables after an edit of the registry.
COMPILE_COMMAND = "python -m lexurn.registry.compile"

_SUBTAG_KINDS = ("languages", "extlangs", "scripts", "regions", "variants", "grandfathered")

_Table = dict[
    str, "Sequence[str] | Mapping[str, Sequence[str] | str] | Mapping[str, Mapping[str, str]]"
]


def compile_tables() -> dict[str, str]:
    """Compile the text of each ``ontology/tables/<name>.json``, by its name."""
    extensions, known = load_concepts("extensions"), load_jurisdictions()
    subtags: dict[str, list[Concept]] = {kind: [] for kind in _SUBTAG_KINDS}
    for concept in load_concepts("languages"):
        subtags[concept.scheme.removeprefix(REGISTRY_BASE + "languages/")].append(concept)
    names: dict[str, dict[str, str]] = {}
    for concept in subtags["languages"]:
        for label in concept.labels:
            names.setdefault(label.language, {})[concept.notation] = label.text
    tables: dict[str, _Table] = {
        # The format that each extension is read as, and formats that share an extension.
        "extensions": {
            "formats": {each.notation: _encode_mime(each.matches[0]) for each in extensions},
            "shared": {
                _encode_mime(iri): each.notation for each in extensions for iri in each.near_matches
            },
        },
        "jurisdictions": {"codes": sorted(known)},
        # The labels of jurisdiction-codes by language, their official languages, the same
        # countries in other tables, their sources, and the codes that are no places.
        "jurisdiction_concepts": {
            "labels": {
                code: {each.language: each.text for each in known[code].labels} for code in known
            },
            "languages": {code: known[code].languages for code in known if known[code].languages},
            "matches": {code: known[code].matches for code in known if known[code].matches},
            "sources": {code: known[code].sources for code in known if known[code].sources},
            "organisations": sorted(
                code for code in known if (known[code].kind or "").endswith("/organisation")
            ),
        },
        # The names of languages by the language of the name, then by primary subtag.
        "language_names": {language: names[language] for language in sorted(names)},
        # The subtags by kind, and the codes of the EU's table by primary subtag.
        "languages": {
            **{kind: [each.notation for each in listed] for kind, listed in subtags.items()},
            "authority": {
                each.notation: match.removeprefix(LANGUAGE)
                for each in subtags["languages"]
                for match in reversed(each.matches)
                if match.startswith(LANGUAGE)
            },
        },
        # The words for "original", each with the primary subtags of its languages.
        "original": {
            "words": {
                each.notation: sorted({label.language.partition("-")[0] for label in each.labels})
                for each in load_concepts("original")
            }
        },
    }
    texts = {name: _write_table(table) for name, table in tables.items()}
    for file in list_built_in_files():
        name = f"{file.parent.name}/{file.name.removesuffix('.ttl')}"
        texts[name] = _write_entries(read_entries(file.read_text("utf-8")))
    return texts


def write_tables() -> tuple[str, ...]:
    """Write the tables that differ from the registry, and return their names."""
    written = []
    for name, text in compile_tables().items():
        file = data.find_folder("ontology") / "tables" / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_bytes() != text.encode():
            file.write_bytes(text.encode())
            written.append(name)
    return tuple(written)


def _encode_mime(iri: str) -> str:
    """Write a media type as in names (RFC 9676 section 5.7): ``/`` as ``-``, ``+`` encoded."""
    return iri.removeprefix(MEDIA_TYPES).replace("/", "-", 1).replace("+", "%2B")


def _write_table(table: _Table) -> str:
    """Write JSON with one entry a line, so that a change of one entry changes one line."""
    sections = []
    for key, value in table.items():
        if isinstance(value, dict):
            lines = [f"{_write_value(each)}: {_write_value(value[each])}" for each in sorted(value)]
        else:
            lines = [_write_value(each) for each in value]
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        sections.append(f'"{key}": {opening}\n' + ",\n".join(lines) + f"\n{closing}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _write_entries(entries: Sequence[Entry]) -> str:
    """Write the entries of one file by kind, with their keys, one a line."""
    sections = []
    for kind in Kind:
        if listed := sort_entries(each for each in entries if each.kind is kind):
            index = {} if kind in _UNINDEXED_KINDS else index_entries(listed)
            rows = ",\n".join(_write_value(write_row(each)) for each in listed)
            keys = ",\n".join(f"{_write_value(key)}: {index[key]}" for key in index)
            sections.append(f'"{kind.value}": {{"entries": [\n{rows}\n], "keys": {{\n{keys}\n}}}}')
    return "{\n" + ",\n".join(sections) + "\n}\n"


def _write_value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# Letters, templates and settings are found by their notation, never by words.
_UNINDEXED_KINDS = frozenset({Kind.CONVENTION, Kind.FOLD, Kind.FORMAT})


def main(arguments: tuple[str, ...] = ()) -> int:
    """Write the tables that differ, list them on standard output, and return the exit code."""
    folder = data.find_folder("ontology") / "tables"
    tables = (file.relative_to(folder).with_suffix("") for file in folder.glob("*/*.json"))
    built_in = {(file.parent.name, file.stem) for file in list_built_in_files()}
    stale = sorted(table.as_posix() for table in tables if table.parts not in built_in)
    if "--drop" in arguments:
        for name in stale:
            (folder / f"{name}.json").unlink()
    elif (lost := find_lost_codes()) or stale:
        lines = [f"{each.file}:{each.line}: {each.code}: {each.message}\n" for each in lost]
        lines += [f"ontology/tables/{name}.json: no source file\n" for name in stale]
        lines.append("nothing was written; use --drop if these codes were never published\n")
        sys.stderr.write("".join(lines))
        return 1
    written = write_tables()
    sys.stdout.write("".join(f"ontology/tables/{name}.json\n" for name in written))
    return 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
