"""Families: the records of one alias set, complete (RFC 9676 sections 5.2 to 5.7).

A family holds the acts that are one work under several names, their annexes, expressions,
manifestations and partitions. Families share no name, so each can be written and checked alone.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from lexurn.model.aliases import collect_aliases, find_equal_names
from lexurn.model.fields import (
    FIELDS,
    Record,
    Status,
    make_error,
    pack_records,
    unpack_records,
)
from lexurn.model.versions import build_chains, find_contradictions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lexurn.findings import Finding
    from lexurn.model.versions import Chain
    from lexurn.name import Name

T = TypeVar("T")

_MAX_NAMES = 100_000
_NO_NAMES: Mapping[Name, Name] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Records of one alias set: acts, annexes, expressions, manifestations, partitions.

    Two families are equal if their records are equal: all else follows from them.

    Attributes:
        key: the canonical act, by which families are sorted.
        records: one record for each name, by name, also for every ancestor and canonical name; it
            is empty if no row describes the name.
        aliases: the canonical name of each stated alias.
        computed_aliases: the canonical name of annexes, expressions and manifestations that differ
            from it only in the alias of the act, or of another name above them.
        same: the canonical name of each alias that is not withdrawn and does not follow from a
            withdrawn one.
        chains: the versions, by work and language.
        findings: warnings about the records.
        shared: URLs of copies that other families have too, such as a gazette with several acts.
    """

    key: Name = field(compare=False)
    records: tuple[Record, ...]
    aliases: Mapping[Name, Name] = field(compare=False, repr=False)
    computed_aliases: Mapping[Name, Name] = field(compare=False, repr=False)
    same: Mapping[Name, Name] = field(compare=False, repr=False)
    chains: tuple[Chain, ...] = field(compare=False, repr=False)
    findings: tuple[Finding, ...] = field(compare=False, repr=False)
    shared: frozenset[str] = field(compare=False, repr=False, default=frozenset())
    _by_name: Mapping[Name, Record] = field(compare=False, repr=False)
    _children: dict[Name | None, tuple[Name, ...]] = field(
        init=False, compare=False, repr=False, default_factory=dict
    )

    def __reduce__(self) -> tuple[Callable[..., Family], tuple[object, ...]]:
        """Pickle the records and the shared URLs; the rest follows from them."""
        return family_of, (self.records, self.shared)

    def record(self, name: Name) -> Record | None:
        """Return the record of a name, None if the family does not have it."""
        return self._by_name.get(name)

    def canonical(self, name: Name) -> Name:
        """Return the canonical name of a stated or computed alias, else the name itself."""
        return self.aliases.get(name) or self.computed_aliases.get(name, name)

    def children(self, name: Name) -> tuple[Name, ...]:
        """List the names whose parent is ``name``, sorted."""
        if not self._children and len(self.records) > 1:
            children: dict[Name | None, list[Name]] = defaultdict(list)
            for record in self.records:
                children[record.name.parent].append(record.name)
            self._children.update({parent: tuple(names) for parent, names in children.items()})
        return self._children.get(name, ())


def families_of(records: Iterable[Record]) -> tuple[Family, ...]:
    """Group any records into families, sorted by key.

    Two records are in one family if their acts are equal or linked by aliases at any level.
    `Family.shared` lists the URLs of its copies that other families have too.

    Raises:
        ModelError: see `family_of`.
    """
    roots: dict[Name, Name] = {}
    pairs: list[tuple[Name, Record]] = []  # each record with its act
    for record in records:
        act = record.name.act_name
        pairs.append((act, record))
        if record.alias_of is not None:
            both = find_root(roots, act), find_root(roots, record.alias_of.act_name)
            first, second = sorted(both, key=str)
            if first != second:
                roots[second] = first
    groups: dict[Name, list[Record]] = defaultdict(list)
    for act, record in pairs:
        groups[find_root(roots, act)].append(record)
    holder: dict[str, int] = {}  # the first group with a copy, by its URL
    shared: set[str] = set()
    for index, group in enumerate(groups.values()):
        for item in (item for record in group for item in record.items):
            if holder.setdefault(item.url, index) != index:
                shared.add(item.url)
    families = (family_of(group, shared) for group in groups.values())
    return tuple(sorted(families, key=lambda family: str(family.key)))


def find_root(roots: dict[T, T], item: T) -> T:
    """Return the root of all items joined with one so far (union-find).

    ``roots`` leads from each item to one nearer to its root. The path is shortened on the way.
    """
    while (above := roots.get(item)) is not None:
        further = roots.get(above)
        if further is None:
            return above
        roots[item] = further
        item = further
    return item


def family_of(records: Iterable[Record], shared: Iterable[str] = ()) -> Family:
    """Make the family of the records of one alias set, in any order.

    Args:
        records: the records.
        shared: URLs of copies that other families have too; URLs not of this family are ignored.

    Raises:
        ModelError: there is no record, one name has two different records, an alias is in a loop or
            in a chain or across levels, or there are more than 100,000 names.
    """
    known = _index_records(records)
    # A canonical name or ancestor without a record gets an empty one.
    targets = [record.alias_of for record in known.values() if record.alias_of is not None]
    for target in targets:
        if target not in known:
            known[target] = Record(name=target)
    for name in tuple(known):
        parent = name.parent
        while parent is not None and parent not in known:
            known[parent] = Record(name=parent)
            parent = parent.parent
    if len(known) > _MAX_NAMES:
        raise make_error("LX605", (min(known, key=str),), len(known), _MAX_NAMES)
    ordered = {name: known[name] for name in sorted(known, key=str)}
    aliases = collect_aliases(ordered.values())
    gone = {name for name, record in ordered.items() if record.status is Status.WITHDRAWN}
    gone_aliases = gone & aliases.keys()
    equality = find_equal_names(ordered, aliases, gone_aliases)
    same = {**aliases, **equality.computed}
    if gone:
        lasting = {name: target for name, target in aliases.items() if name not in gone}
        computed = find_equal_names(ordered, lasting).computed
        both = {**lasting, **computed}
        same = {
            name: target
            for name, target in both.items()
            if name not in gone and target not in gone_aliases
        }
    chains, odd = build_chains(ordered, equality) if len(ordered) > 1 else ((), ())
    findings = (*odd, *equality.findings, *find_contradictions(ordered, equality))
    urls = frozenset(shared)
    if urls:
        urls &= {item.url for record in ordered.values() for item in record.items}
    # The names are sorted, and the name of an act begins all names below it, so it comes first.
    key = next(iter(ordered))
    if aliases:
        centres = {target.act_name for target in aliases.values()} - aliases.keys()
        key = min(centres or {name.act_name for name in ordered} - aliases.keys(), key=str)
    return Family(
        key=key,
        records=tuple(ordered.values()),
        aliases=MappingProxyType(aliases) if aliases else _NO_NAMES,
        computed_aliases=MappingProxyType(dict(equality.computed)) if aliases else _NO_NAMES,
        same=MappingProxyType(same) if same else _NO_NAMES,
        chains=chains,
        findings=tuple(sorted(findings, key=lambda finding: (finding.code, finding.message))),
        shared=urls,
        _by_name=ordered,
    )


def pack_family(family: Family) -> str:
    """Pack all statements of a family into a text, for `unpack_family`."""
    return f"{pack_records(family.records)}\n{json.dumps(sorted(family.shared))}"


def unpack_family(data: str) -> Family:
    """Return the family that `pack_family` packed.

    Raises:
        ValueError: `pack_family` did not write the text.
    """
    records, _, shared = data.partition("\n")
    return family_of(unpack_records(records), json.loads(shared))


def _index_records(records: Iterable[Record]) -> dict[Name, Record]:
    """Index records by name; of equal ones keep the first in the order of their sources."""

    def make_source_key(record: Record) -> tuple[bool, str, int]:
        source = record.source
        return (True, "", 0) if source is None else (False, source.file, source.line)

    known: dict[Name, Record] = {}
    for record in records:
        other = known.setdefault(record.name, record)
        if other is record:
            continue
        if other != record:
            sources = [each.source for each in (other, record) if each.source is not None]
            lines = sorted(f"{each.file}:{each.line}" for each in sources)
            where = f" ({' and '.join(lines)})" if lines else ""
            differing = [
                column
                for field in FIELDS
                if getattr(other, field.name) != getattr(record, field.name)
                for column in field.columns
            ]
            name = record.name
            raise make_error("LX601", (name,), name, where, ", ".join(differing))
        known[record.name] = min(other, record, key=make_source_key)
    if not known:
        raise make_error("LX606", ())
    return known


def split_families(families: Iterable[Family], names: int = 1_000) -> Iterator[tuple[Family, ...]]:
    """Split families into tuples of about ``names`` names, each of at least one whole family."""
    return split_by_size(families, lambda family: len(family.records), names)


def split_by_size(
    items: Iterable[T], size: Callable[[T], int], enough: int
) -> Iterator[tuple[T, ...]]:
    """Split items into tuples, in their order; each ends when its size reaches ``enough``."""
    portion: list[T] = []
    total = 0
    for item in items:
        portion.append(item)
        total += size(item)
        if total >= enough:
            yield tuple(portion)
            portion, total = [], 0
    if portion:
        yield tuple(portion)
