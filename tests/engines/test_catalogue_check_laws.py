"""Laws of the check of a catalogue: however it is cut, the findings are the whole graph's."""

from __future__ import annotations

import string
from itertools import pairwise

from check_graphs import BASE, NAMES, PREFIXES
from check_links import LINKS, NODES, SOUND
from check_runs import as_a_whole, in_chunks, store_of
from hypothesis import example, given
from hypothesis import strategies as st
from sizes import examples

from lexurn.catalogue.check import find_loops
from lexurn.graph import Statements
from lexurn.name import http_of, parse


def http_node(name: str) -> str:
    return f"<{http_of(parse(NAMES[name]), BASE).uri}>"


SAME = f"<{PREFIXES['owl']}sameAs>"
ENDS = [*NODES, '"a text"', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>']


@examples(8)
@example(  # the way to a licence leads over a name that is read for another reason, too
    added={
        (f"<{NAMES['alias']}>", f"<{PREFIXES['lexo']}item>", f"<{NAMES['version']}>"),
        (
            f"<{http_of(parse(NAMES['later']), BASE).uri}>",
            SAME,
            f"<{http_of(parse(NAMES['act']), BASE).uri}>",
        ),
    },
    removed=set(),
    most=1,
)
@given(
    added=st.sets(
        st.tuples(st.sampled_from(NODES), st.sampled_from(LINKS), st.sampled_from(ENDS)),
        max_size=12,
    ),
    removed=st.sets(st.integers(0, len(SOUND.merged) - 1), max_size=6),
    most=st.sampled_from([1, 7, 40]),
)
def test_links_across_works_are_seen_from_every_chunk(added, removed, most) -> None:
    gone = {SOUND.merged[place] for place in removed}
    statements = Statements(catalogued=tuple((set(SOUND.merged) - gone) | added))
    assert in_chunks(store_of(statements), most) == as_a_whole(statements)


@given(
    st.dictionaries(
        st.sampled_from(string.ascii_lowercase),
        st.lists(st.sampled_from(string.ascii_lowercase), max_size=4),
    )
)
def test_loops_are_what_leads_back(edges) -> None:
    def reached(node: str) -> set[str]:
        found: set[str] = set()
        ahead = list(edges.get(node, ()))
        while ahead:
            other = ahead.pop()
            if other not in found:
                found.add(other)
                ahead += edges.get(other, ())
        return found

    assert find_loops(edges) == {node for node in edges if node in reached(node)}


def test_a_loop_of_100_000_is_found_and_a_chain_is_none() -> None:
    names = [str(number) for number in range(100_000)]
    chain = {one: [other] for one, other in pairwise(names)}
    assert find_loops(chain) == set()
    assert find_loops(chain | {names[-1]: [names[0]]}) == set(names)
