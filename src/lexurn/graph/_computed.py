"""The computed layer: what follows from everything that is known of a family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.graph import _vocabulary as v
from lexurn.name import http_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Container, Iterator, Mapping, Sequence

    from lexurn.graph._decoded import Kind
    from lexurn.model import Chain, Family
    from lexurn.name import Name

__all__ = [
    "Said",
    "alias_tails",
    "copy_tails",
    "equivalent_tails",
    "language_tails",
    "version_tails",
]

Said = tuple[str, str]
"""A node and a tail: what is said of it."""


def alias_tails(family: Family) -> Iterator[Said]:
    """Names that are equal because the names that they begin with are."""
    for name, target in family.computed_aliases.items():
        yield f"<{name.iri}>", f"{v.SAME_AS} <{target.iri}>"


def equivalent_tails(family: Family, names: Sequence[Name], base: str) -> Iterator[Said]:
    """The HTTP-URI equivalents; they point at the centre of the star, as aliases do."""
    for name in names:
        uri = http_of(name, base).uri
        yield f"<{uri}>", f"{v.SAME_AS} <{family.canonical(name).iri}>"


def copy_tails(
    holders: Mapping[str, Sequence[tuple[str, Kind]]], shared: Container[str]
) -> Iterator[Said]:
    """From copies back to what they are copies of.

    Args:
        holders: the node of each copy, and the nodes whose copy it is, each with its kind.
        shared: URLs of copies that other families have too: nobody's exemplar.
    """
    for item, nodes in holders.items():
        for node, _ in nodes:
            yield item, f"{v.ITEM_OF} {node}"
        if len(nodes) == 1 and nodes[0][1].embodies and item[1:-1] not in shared:
            node = nodes[0][0]
            yield node, f"{v.EXEMPLAR} {item}"
            yield item, f"{v.EXEMPLAR_OF} {node}"


def version_tails(chain: Chain, as_of: dt.date) -> Iterator[Said]:
    """The relations of RFC 9676 section 7.1.1 in one chain, and what is in force on ``as_of``."""
    work = f"<{chain.work.iri}>"
    nodes = [f"<{version.name.iri}>" for version in chain.versions]
    current = chain.current(as_of)
    shared = [
        f"{v.FIRST} {nodes[0]}",
        f"{v.LAST} {nodes[-1]}",
        f"{v.VERSION_HISTORY} {work}",
    ]
    if current.version is not None:
        shared.append(f"{v.CURRENT} <{current.version.iri}>")
        yield work, f"{v.HAS_CURRENT_VERSION} <{current.version.iri}>"
    if current.since is not None:
        yield work, f'{v.AS_OF} "{current.since.isoformat()}"^^{v.XSD_DATE}'
    for place, node in enumerate(nodes):
        yield work, f"{v.HAS_VERSION} {node}"
        for tail in shared:
            yield node, tail
        for tail in _neighbours(nodes, place):
            yield node, tail


def _neighbours(nodes: Sequence[str], place: int) -> Iterator[str]:
    if place + 1 < len(nodes):
        yield f"{v.NEXT} {nodes[place + 1]}"
    if place:
        yield f"{v.PREVIOUS} {nodes[place - 1]}"
    for earlier in nodes[:place]:
        yield f"{v.EARLIER_VERSION} {earlier}"


def language_tails(nodes: Mapping[str, str], tagged: Sequence[tuple[str, str]]) -> Iterator[Said]:
    """``@v:it`` and ``@v``, when both are known.

    Args:
        nodes: the node of each name, by its text.
        tagged: texts of expressions with a language, each with its language.
    """
    for text, language in tagged:
        plain = nodes.get(text[: -len(language) - 1])
        if plain is not None:
            yield plain, f"{v.LANGUAGE_VERSION} {nodes[text]}"
            yield nodes[text], f"{v.LANGUAGE_VERSION_OF} {plain}"
