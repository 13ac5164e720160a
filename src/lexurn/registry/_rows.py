"""Entries as the compiled tables hold them: rows of JSON, made into values on demand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from lexurn.registry._concepts import Label
from lexurn.registry._entries import Entry, Kind, scheme_of

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Rows", "row_of"]

_TEXTS = ("labels", "forms", "abbreviations")
_LISTS = ("qualifies", "sources", "examples")
_PLAIN = ("issuer", "body", "titled", "numbering", "name", "broader")
_TIMES = ("valid_from", "valid_until", "obsolete", "replaced_by")


def row_of(entry: Entry) -> dict[str, Any]:
    """An entry as a row: what it does not have is left out, its IRI is cut behind its scheme."""
    lead = scheme_of(entry.kind, entry.scope) + "/"
    row: dict[str, Any] = {"id": entry.iri.removeprefix(lead), "notation": entry.notation}
    for name in _TEXTS:
        if texts := _by_language(getattr(entry, name)):
            row[name] = texts
    for name in (*_PLAIN, *_TIMES, *_LISTS):
        if value := getattr(entry, name):
            row[name] = list(value) if name in _LISTS else value
    return row


def _by_language(labels: Iterable[Label]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for label in sorted(labels, key=lambda each: (each.language, each.text)):
        found.setdefault(label.language, []).append(label.text)
    return found


class Rows(Sequence[Entry]):
    """The entries of one kind in a table, each made when it is first asked for."""

    __slots__ = ("_kind", "_made", "_rows", "_scope")

    def __init__(self, rows: Sequence[dict[str, Any]], kind: Kind, scope: str) -> None:
        """Keep the rows as they are."""
        self._rows = rows
        self._kind = kind
        self._scope = scope
        self._made: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        """The entry at a place."""
        if isinstance(at, slice):
            return tuple(self)[at]
        if at not in self._made:
            self._made[at] = self._entry(self._rows[at])
        return self._made[at]

    def _entry(self, row: dict[str, Any]) -> Entry:
        slug = row["id"]
        iri = slug if ":" in slug else f"{scheme_of(self._kind, self._scope)}/{slug}"
        given: dict[str, Any] = {name: row[name] for name in (*_PLAIN, *_TIMES) if name in row}
        given |= {name: tuple(row[name]) for name in _LISTS if name in row}
        given |= {name: _labels(row[name]) for name in _TEXTS if name in row}
        return Entry(kind=self._kind, iri=iri, scope=self._scope, notation=row["notation"], **given)


def _labels(texts: dict[str, list[str]]) -> tuple[Label, ...]:
    listed = (
        Label(text=text, language=language) for language, each in texts.items() for text in each
    )
    return tuple(sorted(listed))
