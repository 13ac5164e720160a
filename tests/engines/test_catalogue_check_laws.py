"""Laws of the check of a catalogue: however it is cut, the findings are the whole graph's."""

from __future__ import annotations

from check_graphs import BASE, NAMES, PREFIXES
from check_links import LINKS, NODES, SOUND
from check_runs import as_a_whole, in_chunks, store_of
from hypothesis import example, given
from hypothesis import strategies as st
from sizes import examples

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
