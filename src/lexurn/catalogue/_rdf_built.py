"""What is said of an alias set becomes its family; what does not fit is set apart, never lost."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lexurn.catalogue import _rdf_vocabulary as v
from lexurn.catalogue._rdf_sieve import Refused, is_name
from lexurn.catalogue._rdf_spool import Tails, Voice, unpacked_tails
from lexurn.errors import GraphError
from lexurn.graph import Layer, Statements, records_of
from lexurn.model import ModelError, families_of, family_of
from lexurn.name import check, http_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue._rdf_spool import RdfGroup
    from lexurn.graph import Triple
    from lexurn.model import Family, Record

__all__ = ["RdfBuilt", "build_rdf", "statements_in"]

_ATTEMPTS: Final = 20
_PATH: Final = re.compile("/(?=lex/)")
_ANY_BASE: Final = "https://law.example"
_GRAPHS: Final = {
    Voice.DECODED: f"<{Layer.DECODED.iri}>",
    Voice.CATALOGUED: f"<{Layer.CATALOGUED.iri}>",
    Voice.COMPUTED: f"<{Layer.COMPUTED.iri}>",
}

Rejected = tuple[Tails, Refused]


@dataclass(slots=True, kw_only=True)
class RdfBuilt:
    """What became of an alias set.

    Attributes:
        families: its family; several, sorted by key, where an alias between them was turned down,
            none where nothing is left.
        rejected: what was turned down, and why.
        oversize: the act at its centre, where it is turned down as a whole since it is too large.
    """

    families: tuple[Family, ...] = ()
    rejected: list[Rejected] = field(default_factory=list)
    oversize: str | None = None


def statements_in(said: Tails) -> Iterator[tuple[str, str, str, str]]:
    """The statements of some tails; of a node that is only described, that it is there."""
    for tail in said.tails:
        voice, (predicate, _, value) = Voice(tail[0]), tail[1:].partition(" ")
        if voice is not Voice.BROKEN:
            yield said.node, predicate, value, _GRAPHS.get(voice, "")
    if not said.tails:
        yield said.node, v.IDENTIFIER, f'"{said.node[1:-1]}"', _GRAPHS[Voice.DECODED]


def build_rdf(group: RdfGroup) -> RdfBuilt:
    """The family of an alias set; a function of its argument alone, in any process.

    Args:
        group: what is said of it, of `RdfSource.groups`.
    """
    if group.is_oversize:
        return RdfBuilt(oversize=group.act)
    built = RdfBuilt()
    parts, records = _read([unpacked_tails(*part) for part in group.parts], built)
    parts = _build(parts, records, frozenset(group.shared), built)
    if built.rejected:
        parts = _without_orphans(parts, built)
    _check_claims(parts, built)
    return built


def _read(parts: Sequence[Tails], built: RdfBuilt) -> tuple[Sequence[Tails], Sequence[Record]]:
    """The records of what can be read, and what they were read from."""
    parts = _without_broken(parts, built)
    try:
        return parts, _records(parts)
    except GraphError:
        parts = _readable(parts, built)
    try:
        return parts, _records(parts)
    except GraphError as fault:
        built.rejected += [(part, Refused("LX983", str(fault))) for part in parts]
        return (), ()


def _build(
    parts: Sequence[Tails], records: Sequence[Record], shared: frozenset[str], built: RdfBuilt
) -> Sequence[Tails]:
    """Make the family, or several; gives back the parts that it was made from."""
    if records and not built.rejected:
        try:
            built.families = (family_of(records, shared),)
        except ModelError:
            pass
        else:
            return parts
    for _ in range(_ATTEMPTS):
        try:
            found = families_of(records)
        except ModelError as torn:
            fewer = _without_aliases(parts, torn, built)
            if fewer is parts:
                break
            parts, records = fewer, _records(fewer)
        else:
            several = [family_of(each.records, shared | each.shared) for each in found]
            built.families = tuple(sorted(several, key=lambda family: str(family.key)))
            return parts
    reason = Refused("LX984", f"{parts[0].node}: its aliases contradict each other")
    built.rejected += [(part, reason) for part in parts]
    return ()


def _records(parts: Iterable[Tails]) -> tuple[Record, ...]:
    """The records of some parts.

    Raises:
        GraphError: a node that is no name, or a value that a record cannot hold.
    """
    names: list[Triple] = []
    stated: list[Triple] = []
    is_merged = False
    for part in parts:
        if is_name(part.node):
            names.append((part.node, v.IDENTIFIER, '""'))
        for tail in part.tails:
            if tail[0] in _STATING:
                predicate, _, value = tail[1:].partition(" ")
                stated.append((part.node, predicate, value))
                is_merged |= predicate == v.SAME_AS and tail[0] == Voice.MERGED
    if is_merged:
        return records_of([*names, *stated])
    return records_of(Statements(decoded=tuple(names), catalogued=tuple(stated)))


_STATING: Final = frozenset({Voice.MERGED, Voice.CATALOGUED})


def _without_broken(parts: Sequence[Tails], built: RdfBuilt) -> Sequence[Tails]:
    broken = {part.node for part in parts if Voice.BROKEN in part.tails}
    if not broken:
        return parts
    reason = "a statement on {0} cannot be read"
    built.rejected += [
        (part, Refused("LX983", reason.format(part.node))) for part in parts if part.node in broken
    ]
    return [part for part in parts if part.node not in broken]


def _readable(parts: Sequence[Tails], built: RdfBuilt) -> Sequence[Tails]:
    """The parts of nodes that can be read."""
    by_node: dict[str, list[Tails]] = {}
    by_name: dict[str, list[Tails]] = {}
    for part in parts:
        if is_name(part.node):
            by_name.setdefault(_canonical(part.node), []).append(part)
        else:
            by_node.setdefault(part.node, []).append(part)
    broken: dict[str, str] = {}
    for own in by_name.values():
        broken |= _faults(own, by_node)
    built.rejected += [
        (part, Refused("LX983", broken[part.node])) for part in parts if part.node in broken
    ]
    return [part for part in parts if part.node not in broken]


def _canonical(node: str) -> str:
    """What is the same for all nodes that are one name."""
    name = check(node[1:-1]).name
    return node if name is None else str(name)


def _faults(own: Sequence[Tails], by_node: dict[str, list[Tails]]) -> dict[str, str]:
    """What is wrong with a name, or else with its copies: nodes, and why."""
    copies = [part for url in _objects(own, v.ITEM) for part in by_node.get(url, ())]
    digests = [part for each in _objects(copies, v.CHECKSUM) for part in by_node.get(each, ())]
    try:
        _records([*own, *copies, *digests])
    except GraphError as fault:
        try:
            _records(own)
        except GraphError as worse:
            return {part.node: str(worse) for part in own}
        return {part.node: str(fault) for part in (*copies, *digests)}
    return {}


def _objects(parts: Iterable[Tails], predicate: str) -> list[str]:
    start = f"{predicate} "
    return [
        tail.removeprefix(tail[0] + start)
        for part in parts
        for tail in part.tails
        if tail.startswith(start, 1)
    ]


def _without_aliases(parts: Sequence[Tails], torn: ModelError, built: RdfBuilt) -> Sequence[Tails]:
    """The parts without the aliases of the names at fault; the same where they have none."""
    names = () if torn.finding is None else torn.finding.names
    nodes = {f"<{name.iri}>" for name in names}
    start = f"{v.SAME_AS} "
    fewer: list[Tails] = []
    is_changed = False
    for part in parts:
        links = [tail for tail in part.tails if tail.startswith(start, 1)]
        if links and part.node in nodes:
            is_changed = True
            built.rejected.append((part._replace(tails=links), Refused("LX984", str(torn))))
            kept = [tail for tail in part.tails if tail not in links]
            fewer.append(part._replace(tails=kept))
        else:
            fewer.append(part)
    return fewer if is_changed else parts


def _without_orphans(parts: Sequence[Tails], built: RdfBuilt) -> Sequence[Tails]:
    """The parts without copies, and digests of copies, that no name is left to have."""
    known = set(_known(built.families))
    copies = [part for part in parts if part.node in known]
    known.update(_objects(copies, v.CHECKSUM))
    kept: list[Tails] = []
    for part in parts:
        facts = [tail for tail in part.tails if tail[0] != Voice.CLAIMED]
        if is_name(part.node) or part.node in known or not facts:
            kept.append(part)
        else:
            why = Refused("LX985", part.node)
            built.rejected.append((part._replace(tails=facts), why))
            kept.append(part._replace(tails=[tail for tail in part.tails if tail not in facts]))
    return kept


def _check_claims(parts: Iterable[Tails], built: RdfBuilt) -> None:
    """Turn down what is said to follow from what is stated, and does not."""
    known: set[str] | None = None
    for part in parts:
        claims = [tail for tail in part.tails if tail[0] == Voice.CLAIMED]
        if not claims:
            continue
        if known is None:
            known = set(_known(built.families))
        for tail in claims:
            predicate, _, value = tail[1:].partition(" ")
            if not _follows(part.node, value, known):
                why = Refused("LX987", f"{part.node} {predicate} {value}")
                built.rejected.append((part._replace(tails=[tail]), why))


def _known(families: Iterable[Family]) -> Iterator[str]:
    """The nodes of families: names, copies, HTTP-URI equivalents without their base."""
    for family in families:
        for record in family.records:
            yield f"<{record.name.iri}>"
            yield http_of(record.name, _ANY_BASE).uri.removeprefix(_ANY_BASE)
            yield from (f"<{item.url}>" for item in record.items)


def _follows(node: str, value: str, known: set[str]) -> bool:
    if value[0] != '"' and value not in known:
        return False
    # The path of an HTTP-URI equivalent begins somewhere behind its base.
    starts = (found.start() for found in _PATH.finditer(node))
    return node in known or any(node[start:-1] in known for start in starts)
