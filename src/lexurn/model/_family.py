"""Families: the records of one alias set, whole in themselves (RFC 9676 sections 5.2 to 5.7)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from lexurn.model._chains import chains_of, contradictions_of
from lexurn.model._equality import equality_of, stated_aliases
from lexurn.model._findings import fault
from lexurn.model._values import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lexurn.model._chain import Chain
    from lexurn.model._findings import ModelError, ModelFinding
    from lexurn.name import Name

__all__ = ["Family", "families_of", "family_of"]

_LARGEST = 100_000
_NO_NAMES: Mapping[Name, Name] = MappingProxyType({})
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """All that is stated of one alias set: acts, annexes, expressions, manifestations, partitions.

    Two families are equal when their records are: all else follows from them.

    Attributes:
        key: the canonical act, by which families are sorted.
        records: by name, one for each; every ancestor and every canonical name has one, which
            states nothing where no row did.
        aliases: each alias that is stated, and its canonical name.
        computed_aliases: annexes, expressions and manifestations that differ from another only in
            which alias of the act (or of what stands above them) they are written with; each with
            the name that stands for it.
        chains: the versions, by work and language.
        findings: what is odd, but stops nothing.
        shared: URLs of copies that other families have too, as a gazette does in which several
            acts stand; what a family knows of others.
    """

    key: Name = field(compare=False)
    records: tuple[Record, ...]
    aliases: Mapping[Name, Name] = field(compare=False, repr=False)
    computed_aliases: Mapping[Name, Name] = field(compare=False, repr=False)
    chains: tuple[Chain, ...] = field(compare=False, repr=False)
    findings: tuple[ModelFinding, ...] = field(compare=False, repr=False)
    shared: frozenset[str] = field(compare=False, repr=False, default=_NONE)
    _by_name: Mapping[Name, Record] = field(compare=False, repr=False)
    _children: dict[Name | None, tuple[Name, ...]] = field(
        init=False, compare=False, repr=False, default_factory=dict
    )

    def __reduce__(self) -> tuple[Callable[..., Family], tuple[object, ...]]:
        """Pickle the records, and what others share; the rest follows from them."""
        return family_of, (self.records, self.shared)

    def record(self, name: Name) -> Record | None:
        """The record of ``name``, None where the family does not hold it."""
        return self._by_name.get(name)

    def canonical(self, name: Name) -> Name:
        """The name that ``name`` is an alias of, stated or computed; else ``name`` itself."""
        return self.aliases.get(name) or self.computed_aliases.get(name, name)

    def children(self, name: Name) -> tuple[Name, ...]:
        """The names straight under ``name``, sorted: those whose ``parent`` it is."""
        if not self._children and len(self.records) > 1:
            self._children.update(_children_of(self.records))
        return self._children.get(name, ())


def _children_of(records: Iterable[Record]) -> dict[Name | None, tuple[Name, ...]]:
    """The names straight under each name, the acts under None."""
    children: dict[Name | None, list[Name]] = defaultdict(list)
    for record in records:
        children[record.name.parent].append(record.name)
    return {parent: tuple(names) for parent, names in children.items()}


def families_of(records: Iterable[Record]) -> tuple[Family, ...]:
    """The families of any records, sorted by key.

    Two records belong together when their acts are the same, or are linked by aliases at any level.

    Raises:
        ModelError: as `family_of`.
    """
    roots: dict[Name, Name] = {}
    placed: list[tuple[Name, Record]] = []
    for record in records:
        act = record.name.act_name
        placed.append((act, record))
        if record.alias_of is not None:
            _join(roots, act, record.alias_of.act_name)
    groups: dict[Name, list[Record]] = defaultdict(list)
    for act, record in placed:
        groups[_root(roots, act)].append(record)
    shared = _shared_among(groups.values())
    families = (family_of(group, shared) for group in groups.values())
    return tuple(sorted(families, key=lambda family: str(family.key)))


def _shared_among(groups: Iterable[Iterable[Record]]) -> frozenset[str]:
    """The URLs of copies that records of several groups have."""
    holder: dict[str, int] = {}
    shared: set[str] = set()
    for place, group in enumerate(groups):
        for record in group:
            shared.update(i.url for i in record.items if holder.setdefault(i.url, place) != place)
    return frozenset(shared)


def _join(roots: dict[Name, Name], one: Name, other: Name) -> None:
    first, second = sorted((_root(roots, one), _root(roots, other)), key=str)
    if first != second:
        roots[second] = first


def _root(roots: dict[Name, Name], act: Name) -> Name:
    """The act that stands for all acts joined with ``act`` so far; paths are halved on the way."""
    while (above := roots.get(act)) is not None:
        further = roots.get(above)
        if further is None:
            return above
        roots[act] = further
        act = further
    return act


def family_of(records: Iterable[Record], shared: Iterable[str] = ()) -> Family:
    """The family of records that are known to be one alias set; their order does not matter.

    Args:
        records: the records.
        shared: URLs of copies that other families have too, those of this one or any.

    Raises:
        ModelError: no records, one name stated twice with different content, an alias that is in a
            loop or in a chain or across levels, more than 100,000 names.
    """
    known = _by_name(records)
    if len(known) == 1:
        (record,) = known.values()
        if record.alias_of is None and record.name.is_act:
            return _family(known, shared=shared)
    _complete(known)
    if len(known) > _LARGEST:
        message = f"{len(known)} names in one alias set, at most {_LARGEST} fit; take aliases out"
        raise fault("LX605", message, (min(known, key=str),), "one alias set is one unit of work")
    ordered = {name: known[name] for name in sorted(known, key=str)}
    aliases = stated_aliases(ordered.values())
    return _family(ordered, aliases, shared)


def _by_name(records: Iterable[Record]) -> dict[Name, Record]:
    known: dict[Name, Record] = {}
    for record in records:
        other = known.setdefault(record.name, record)
        if other is record:
            continue
        if other != record:
            raise _stated_twice(other, record)
        known[record.name] = min(other, record, key=_place_of)
    if not known:
        raise fault("LX606", "no records: a family has one at least", (), "a family is not empty")
    return known


def _place_of(record: Record) -> tuple[str, int]:
    """Where a record was read; those read nowhere stand last."""
    return ("\U0010ffff", 0) if record.source is None else (record.source.file, record.source.line)


def _stated_twice(one: Record, other: Record) -> ModelError:
    places = [f"{r.source.file}:{r.source.line}" for r in (one, other) if r.source is not None]
    where = f" ({' and '.join(sorted(places))})" if places else ""
    differing = [
        column
        for column in Record.__dataclass_fields__
        if column != "source" and getattr(one, column) != getattr(other, column)
    ]
    message = (
        f"{one.name} is described twice{where}, with different {', '.join(differing)}; "
        "keep one of the two"
    )
    return fault("LX601", message, (one.name,), "one row, one name")


def _complete(known: dict[Name, Record]) -> None:
    """Add what the records name without describing: canonical names, and all that is above."""
    targets = (record.alias_of for record in known.values() if record.alias_of is not None)
    for target in tuple(targets):
        if target not in known:
            known[target] = Record(name=target)
    for name in tuple(known):
        parent = name.parent
        while parent is not None and parent not in known:
            known[parent] = Record(name=parent)
            parent = parent.parent


def _key_of(names: Iterable[Name], aliases: Mapping[Name, Name]) -> Name:
    """The act at the centre: what aliases lead to and is no alias; the smallest of several.

    The names are sorted; since acts begin the names of all that is under them, one comes first.
    """
    if not aliases:
        return next(iter(names))
    centres = {target.act_name for target in aliases.values()} - aliases.keys()
    return min(centres or {name.act_name for name in names} - aliases.keys(), key=str)


def _family(
    records: dict[Name, Record],
    aliases: Mapping[Name, Name] = _NO_NAMES,
    shared: Iterable[str] = (),
) -> Family:
    """A family whose records are complete and sorted."""
    equality = equality_of(records, aliases)
    chains, odd = chains_of(records, equality) if len(records) > 1 else ((), ())
    findings = (*odd, *equality.findings, *contradictions_of(records, equality))
    return Family(
        key=_key_of(records, aliases),
        records=tuple(records.values()),
        aliases=MappingProxyType(dict(aliases)) if aliases else _NO_NAMES,
        computed_aliases=MappingProxyType(dict(equality.computed)) if aliases else _NO_NAMES,
        chains=chains,
        findings=tuple(sorted(findings, key=lambda finding: (finding.code, finding.message))),
        shared=_NONE if not shared else _own(shared, records.values()),
        _by_name=records,
    )


def _own(shared: Iterable[str], records: Iterable[Record]) -> frozenset[str]:
    """The shared URLs that are of copies of these records."""
    return frozenset(shared).intersection(item.url for record in records for item in record.items)
