"""Which of the things that a document speaks of stand by themselves: nothing else leads to them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lexurn.embedding._extraction_edges import WITHIN, is_above, leads
from lexurn.embedding._extraction_mentions import mentioned
from lexurn.embedding._extraction_terms import RELATIONS, is_identifier, normal

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Mapping, Sequence

    from lexurn.embedding._statement import Statement

__all__ = ["roots"]


def roots(statements: Sequence[Statement], nodes: Collection[str]) -> frozenset[str]:
    """Those that nothing else leads to; the first of those that all lead to each other.

    Args:
        statements: all that a document says.
        nodes: the things that count, in their order.
    """
    linked = {each.value for each in statements if each.subject is None and leads(each)}
    # What a page says it is called it is, whatever leads there.
    own = {
        each.value
        for each in statements
        if each.subject is None and is_identifier(normal(each.term))
    }
    first = _first(nodes, _between(statements, frozenset(nodes)))
    told, listed = mentioned(statements, frozenset(nodes))
    back = _leading_back(statements, own)
    free = [
        node
        for node in nodes
        if node in own or (node in first and node not in linked and node not in back)
    ]
    told_of = (told | listed) - own
    left = [node for node in free if node not in told_of]
    if left or back or not linked.isdisjoint(nodes):
        return frozenset(left)
    # A list of links, as that at the top of a page, may have the page itself in it; one of several
    # acts says of none of them that the page is it.
    return frozenset(free if len(free) == 1 and free[0] not in told else ())


def _between(
    statements: Iterable[Statement], nodes: Container[str | None]
) -> Mapping[str, list[str]]:
    """What leads from the things that count to others.

    What has several versions or parts of which each leads to it is what they all are, and leads
    to them.
    """
    found: dict[str, dict[str, None]] = defaultdict(dict)
    within: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in statements:
        subject, kind = each.subject, RELATIONS.get(normal(each.term))
        if subject is None or subject not in nodes or each.value == subject or not leads(each):
            continue
        if kind in WITHIN:
            within[each.value, kind].append(subject)
        else:
            found[subject][each.value] = None
    for (whole, _), parts in within.items():
        if whole in nodes and len(set(parts)) > 1:
            found[whole].update(dict.fromkeys(parts))
        else:
            for part in parts:
                found[part][whole] = None
    return {node: list(targets) for node, targets in found.items()}


def _first(nodes: Iterable[str], between: Mapping[str, list[str]]) -> set[str]:
    """What nothing leads to, or only what it leads to itself: of those, the first."""
    back: dict[str, list[str]] = defaultdict(list)
    for node, targets in between.items():
        for target in targets:
            back[target].append(node)
    finished: list[str] = []
    seen: set[str] = set()
    for node in nodes:
        finished += _reached(node, between, seen)
    # Whoever finishes last leads to all of its group (Kosaraju's algorithm).
    groups: dict[str, int] = {}
    for number, node in enumerate(reversed(finished)):
        if node not in groups:
            for each in _reached(node, back, set(), groups):
                groups[each] = number
    led_to = {
        groups[target]
        for node, targets in between.items()
        for target in targets
        if groups[target] != groups[node]
    }
    heads: dict[int, str] = {}
    for node in nodes:
        heads.setdefault(groups[node], node)
    return {node for number, node in heads.items() if number not in led_to}


def _reached(
    node: str,
    between: Mapping[str, list[str]],
    seen: set[str],
    others: Container[str] = (),
) -> list[str]:
    """What a thing leads to and has not been seen, each behind all that it leads to."""
    found: list[str] = []
    waiting = [(node, False)]
    while waiting:
        current, is_done = waiting.pop()
        if is_done:
            found.append(current)
        elif current not in seen and current not in others:
            seen.add(current)
            waiting.append((current, True))
            waiting += ((each, False) for each in between.get(current, ()))
    return found


def _leading_back(statements: Iterable[Statement], own: Container[str]) -> set[str]:
    """What leads to what the page says that it is called: the other acts of a list, its versions.

    A single version may be what the page is, for which it says the name of the act as well.
    """
    called: set[str] = set()
    leading: set[str] = set()
    versions: set[str] = set()
    for each in statements:
        if each.subject is None or each.value not in own:
            continue
        if is_identifier(normal(each.term)):
            called.add(each.subject)
        elif leads(each):
            leading.add(each.subject)
            if is_above(each):
                versions.add(each.subject)
    itself = {each for each in leading if each in called or each in own}
    return leading - itself - (versions if len(versions) == 1 else set())
