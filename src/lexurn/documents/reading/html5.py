"""HTML5 parser of JustHTML with a limit: a short page can have more elements than memory holds.

At each paragraph, HTML opens all unclosed ``<b>``, ``<i>`` and the like again with their
attributes. Their number grows as the square of the length of the page.

JustHTML comes with the extra ``embed``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from justhtml.parser import engine

if TYPE_CHECKING:
    from collections.abc import Mapping

# So many attributes weigh as much as an element.
_ATTRIBUTES_PER_NODE = 8


class _TooManyNodesError(Exception):
    """Error of a page that has too many nodes."""


def parse_html5(text: str, most: int) -> tuple[Any, bool]:
    """Return the root of the tree of a page, and whether it has all elements and comments."""
    parser = _Engine(text, most)
    try:
        return parser.parse(), True
    except _TooManyNodesError:
        return parser.root, False


class _Engine(engine.ParseEngine):
    """Parser of JustHTML that stops at a number of nodes."""

    __slots__ = ("_left",)

    def __init__(self, text: str, most: int) -> None:
        # With positions, JustHTML itself keeps ``<?`` and ``<!`` as text, and so ends the head of a
        # page with an XML declaration.
        super().__init__(
            text,
            fragment=False,
            fragment_context=None,
            scripting_enabled=False,
            plan=engine.compile_raw_engine_plan(fragment=False, scripting_enabled=False),
            track_node_locations=True,
            track_tag_spans=False,
        )
        self._left = most

    @property
    def root(self) -> Any:
        """Root of the tree as far as it has grown."""
        return self._doc

    # All nodes but texts go through these three methods.
    def _insert_raw_element(
        self, name: str, attrs: dict[str, str | None], *others: Any, **spans: Any
    ) -> Any:
        self._count(attrs)
        return super()._insert_raw_element(name, attrs, *others, **spans)

    def _clone_formatting_entry(self, entry: Any) -> Any:
        self._count(entry.attrs)
        return super()._clone_formatting_entry(entry)

    def _append_misc_node(self, node: Any, source_pos: int | None = None) -> None:
        self._count({})
        super()._append_misc_node(node, source_pos)

    def _count(self, attributes: Mapping[str, str | None]) -> None:
        self._left -= 1 + len(attributes) // _ATTRIBUTES_PER_NODE
        if self._left < 0:
            raise _TooManyNodesError
