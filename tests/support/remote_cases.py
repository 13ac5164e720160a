"""What every SPARQL server must do for us, whoever made it: cases over a store that is empty."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import graph_sample
import pyoxigraph
import pytest

from lexurn.catalogue.keys import find_years, make_number_key
from lexurn.catalogue.server import ServerHoldings
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of
from lexurn.model import Family, Item, Record, families_of
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lexurn.store.remote import RemoteStore

LEXO = "https://w3id.org/lexurn/ns#"
LAYERS = tuple(f"{LEXO}{layer}" for layer in ("decoded", "catalogued", "computed"))
STATED = f"<{LEXO}catalogued>"
DECODED = f"<{LEXO}decoded>"
GAZETTE = "https://law.example/gazette.pdf"
WIDE = "https://law.example/year-book.pdf"
AS_OF = dt.date(2010, 6, 1)

TEXTS = [
    *('""', '"a\\tb\\nc\\rd"', '"\\"quoted\\" \\\\ back"', '"\\\\u0041"', '"\\\\\\\\u0041"'),
    *("\"it's '''x'''\"", '"{ ?x $y } # no comment"', '"<script>&amp;"', '"é😀\u2028ﬁ"'),
    *('"\u05d3\u05d9\u05df"@he', '"x"@de-ch', '"zh"@zh-hant', '"%41 %C3%A9"', '" x "', '"1"'),
    f'"{"long text " * 2000}"',
    *('"2004-02-29"^^<http://www.w3.org/2001/XMLSchema#date>',),
    *('"0001-01-01"^^<http://www.w3.org/2001/XMLSchema#date>',),
    *('"9999-12-31"^^<http://www.w3.org/2001/XMLSchema#date>',),
    *('"de-ch"^^<http://www.w3.org/2001/XMLSchema#language>',),
    *('"-17"^^<http://www.w3.org/2001/XMLSchema#integer>',),
    *('"0f0F"^^<http://www.w3.org/2001/XMLSchema#hexBinary>',),
    *("<urn:lex:it:stato:legge:2003-09-21%7C24-elul;456~art3;par2>",),
    *("<https://law.example/a%20b/?x=1&y='(2)'#ä>", "<urn:lex:xn--p1ai:%D1%8F:a:2000-01-01;1>"),
]


def line(subject: str, value: str, graph: str = STATED) -> str:
    return f"<http://x.example/{subject}> <http://x.example/p> {value} {graph} .\n"


def held(store: RemoteStore) -> list[str]:
    return sorted(lines_of(b"".join(store.dump())))


def lines_of(data: bytes) -> list[str]:
    """Lines end at line feeds only."""
    return [f"{each}\n" for each in data.decode().split("\n") if each]


def emptied(store: RemoteStore) -> None:
    """Take everything out, other people's graph included."""
    graphs = (*LAYERS, "http://x.example/mine")
    store.update(" ;\n".join(f"CLEAR SILENT GRAPH <{graph}>" for graph in graphs))


def nquads(families: Iterable[Family]) -> bytes:
    made = (nquads_of(each, as_of=AS_OF, base="https://law.example") for each in families)
    return b"".join(made)


def sample() -> tuple[Family, ...]:
    """Alias sets of all shapes: joined by names of acts, by names below acts, or by none."""
    acts = [f"urn:lex:br;sao.paulo:estado:lei:{1990 + n % 3}-05-01;{n:03d}" for n in range(12)]
    records = list(graph_sample.RECORDS)
    for place, act in enumerate(acts):
        url = f"https://law.example/{place}.pdf"
        copies = (Item(url=url, bytes=place), Item(url=GAZETTE), Item(url=WIDE, bytes=9))
        copies = copies[: 2 + place % 2] if place else copies[:1]
        records.append(Record(name=parse(f"{act}@original:pt$x.br:application-pdf"), items=copies))
    for act in acts[:4]:
        alias = act.replace(":lei:", ":lei.complementar:")
        records.append(Record(name=parse(alias), alias_of=parse(act), dialect_names=(f"x {act}",)))
    below = f"{acts[5]}@original:pt", f"{acts[6]}@original:pt"
    records.append(Record(name=parse(below[1]), alias_of=parse(below[0])))
    period = "urn:lex:br;sao.paulo:estado:lei:legislature.1990;1"
    records.append(Record(name=parse("urn:lex:br:federal:lei:1990-05-01;1")))
    records.append(Record(name=parse(period)))
    return families_of(records)


FAMILIES = sample()


def quads_go_in_and_come_out(store: RemoteStore) -> None:
    lines = sorted(line(f"s{place}", text) for place, text in enumerate(TEXTS))
    store.fill("".join(lines).encode())
    store.fill(lines[0].encode())
    assert held(store) == lines
    store.change(lines, [])
    assert held(store) == []


def changes_say_the_same_as_many_at_once(store: RemoteStore) -> None:
    lines = sorted(line(f"s{place}", text) for place, text in enumerate(TEXTS))
    store.change([], lines)
    assert held(store) == lines
    store.change(lines[1:], lines[:3])
    assert held(store) == lines[:3]


def a_family_comes_out_as_it_went_in(store: RemoteStore) -> None:
    data = nquads([graph_sample.FAMILY])
    store.fill(data)
    wanted = {_with_integers(each) for each in lines_of(data)}
    assert {_with_integers(each) for each in held(store)} == wanted
    store.change(held(store), [])
    assert held(store) == []


def _with_integers(text: str) -> str:
    """Some engines keep one kind of whole numbers."""
    return text.replace("#nonNegativeInteger>", "#integer>")


def quads_of_nodes_are_those_of_the_layers(store: RemoteStore) -> None:
    mine = line("a", '"mine"', "<http://x.example/mine>")
    ours = [line("a", '"1"'), line("a", '"2"', DECODED), line("b", '"3"')]
    store.change([], [*ours, mine, line("c", '"4"')])
    names = [f"http://x.example/{name}" for name in ("b", "none", "a", "b")]
    assert sorted(store.quads(names)) == sorted(ours)
    assert list(store.quads([])) == []
    assert mine not in held(store)


def more_nodes_than_fit_into_one_question(store: RemoteStore) -> None:
    lines = sorted(line(f"s{place}", f'"{place}"') for place in range(901))
    store.change([], lines)
    assert sorted(store.quads([f"http://x.example/s{n}" for n in range(1200)])) == lines


def large_changes_are_done_whole(store: RemoteStore) -> None:
    lines = sorted(line(f"s{place}", f'"{place}"') for place in range(9_000))
    store.change([], lines)
    assert held(store) == lines
    store.change(lines, lines[:1])
    assert held(store) == lines[:1]


def each_form_of_query_has_its_answer(store: RemoteStore) -> None:
    store.change([], [line("a", '"1"'), line("b", '"2"@it', DECODED)])
    rows = store.query("SELECT ?s ?none ?o { ?s ?p ?o OPTIONAL { ?s <http://x/no> ?none } }")
    assert isinstance(rows, pyoxigraph.QuerySolutions)
    assert [variable.value for variable in rows.variables] == ["s", "none", "o"]
    assert sorted((str(row["o"]), row["none"]) for row in rows) == [('"1"', None), ('"2"@it', None)]
    answer = store.query("ASK { ?s ?p '1' }")
    assert isinstance(answer, pyoxigraph.QueryBoolean)
    assert answer
    assert not store.query("ASK { ?s ?p '3' }")
    triples = store.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?o = '1') }")
    assert isinstance(triples, pyoxigraph.QueryTriples)
    assert [str(triple.object) for triple in triples] == ['"1"']
    described = store.query("DESCRIBE <http://x.example/a>")
    assert isinstance(described, pyoxigraph.QueryTriples)
    assert [str(triple.object) for triple in described] == ['"1"']


def the_default_graph_is_the_three_layers(store: RemoteStore) -> None:
    mine = line("a", '"mine"', "<http://x.example/mine>")
    store.change([], [line("a", '"1"'), line("a", '"2"', DECODED), mine])

    def texts(query: str) -> list[str]:
        return sorted(row["o"].value for row in store.query(query))  # type: ignore[union-attr]

    assert texts("SELECT ?o { <http://x.example/a> ?p ?o }") == ["1", "2"]
    assert texts("SELECT ?o { GRAPH ?g { <http://x.example/a> ?p ?o } }") == ["1", "2"]
    assert texts(f"SELECT ?o {{ GRAPH {DECODED} {{ ?s ?p ?o }} }}") == ["2"]
    mine_only = "SELECT ?o FROM <http://x.example/mine> { <http://x.example/a> ?p ?o }"
    assert texts(mine_only) == ["mine"]


def what_is_wrong_with_a_query_is_said(store: RemoteStore) -> None:
    for text in ("SELECT", "SELECT * { ?s ?p", "SELECT ?x WHERE { ?x ?y }"):
        with pytest.raises(CatalogueError, match="answered 400"):
            store.query(text)
    with pytest.raises(CatalogueError, match="only a query has an answer"):
        store.query("CLEAR ALL")
    with pytest.raises(CatalogueError, match=r"answered (400|500)"):
        store.update("INSERT DATA { ?s ?p ?o }")


def a_broken_change_changes_nothing(store: RemoteStore) -> None:
    kept = line("a", '"1"')
    store.change([], [kept])
    with pytest.raises(CatalogueError):
        store.change([kept], [line("a", '"2"'), "<http://x/a b> <http://x/c> <d:e> <f:g> .\n"])
    assert held(store) == [kept]


def blank_nodes_are_refused(store: RemoteStore) -> None:
    for text in ("_:a <http://x/p> '1' <http://x/g> .\n", line("a", "_:b"), "<a:b> <c:d> '1' .\n"):
        with pytest.raises(CatalogueError, match="blank node"):
            store.change([], [text])
        with pytest.raises(CatalogueError, match="blank node"):
            store.fill(text.encode())


def alias_sets_are_read_as_they_were_written(store: RemoteStore) -> None:
    store.fill(nquads(FAMILIES))
    holdings = ServerHoldings(store)
    acts = [str(record.name) for family in FAMILIES for record in family.records]
    found = holdings.families([act for act in acts if parse(act).parent is None])
    assert found == list(FAMILIES)
    assert [family.shared for family in found] == [family.shared for family in FAMILIES]
    assert any(family.shared for family in found)
    for family in FAMILIES:
        for record in family.records:
            if record.name.parent is None:
                one = holdings.family(str(record.name))
                assert one is not None
                assert (one, one.shared) == (family, family.shared)
    assert list(holdings.keys()) == [str(family.key) for family in FAMILIES]
    for place in range(0, len(acts), 10):
        assert holdings.is_any(["urn:lex:it:stato:legge:1861-03-17;4671", acts[place]])


def what_is_not_held_is_not_there(store: RemoteStore) -> None:
    holdings = ServerHoldings(store)
    assert list(holdings.keys()) == []
    assert holdings.is_empty()
    store.change([], [line("a", '"mine"', "<http://x.example/mine>")])
    assert holdings.is_empty()
    store.fill(nquads(FAMILIES))
    assert not holdings.is_empty()
    assert holdings.family("urn:lex:br;sao.paulo:estado:lei:1990-05-01;9999") is None
    assert holdings.families(["urn:lex:br", "no name", ""]) == []
    assert not holdings.is_any(["urn:lex:it:stato:legge:1861-03-17;4671", "no name"])
    assert holdings.near("br;sao.paulo", "9999") == []
    assert holdings.near("br", "1", "1985") == []
    assert not holdings.dated("urn:lex:br:federal:lei", "1985-01-01")
    assert not holdings.dated("urn:lex:br:federal:lei", "1985-02-30")
    assert holdings.spelled("no spelling 'of' \"anything\"") == []
    assert holdings.holders(["https://law.example/none"]) == {}
    assert holdings.copies("https://law.example/none", []) == frozenset()


def acts_are_found_by_number_and_year(store: RemoteStore) -> None:
    store.fill(nquads(FAMILIES))
    holdings = ServerHoldings(store)
    names = [record.name for family in FAMILIES for record in family.records]
    acts = [name for name in names if name.parent is None]
    places = {str(act.jurisdiction) for act in acts}
    numbers = {make_number_key(number) for act in acts for number in act.work.details.numbers}
    for place in sorted(places):
        for number in sorted(numbers):
            for year in (None, "1990", "1999", "1991"):
                wanted = sorted(str(act) for act in acts if _is_near(act, place, number, year))
                assert holdings.near(place, number, year) == wanted


def _is_near(act, place: str, number: str, year: str | None) -> bool:
    details = act.work.details
    return (
        str(act.jurisdiction) == place
        and number in map(make_number_key, details.numbers)
        and (year is None or year in find_years(details))
    )


def spellings_and_copies_are_found(store: RemoteStore) -> None:
    store.fill(nquads(FAMILIES))
    holdings = ServerHoldings(store)
    spelled = [(t, r.name) for f in FAMILIES for r in f.records for t in r.dialect_names]
    for text, name in spelled:
        assert holdings.spelled(text) == [str(name)]
    for url in (GAZETTE, WIDE, "https://law.example/0.pdf"):
        keys = [str(f.key) for f in FAMILIES if url in {i.url for r in f.records for i in r.items}]
        assert list(holdings.holders([url], 99)[url]) == keys
        assert len(holdings.holders([url], 1)[url]) == 1
        assert holdings.copies(url, keys) == frozenset()
    assert holdings.copies(WIDE, []) == {Item(url=WIDE, bytes=9)}


def a_copy_that_very_many_have(store: RemoteStore) -> None:
    acts = [f"urn:lex:it:stato:legge:2000-01-01;{n}" for n in range(150)]
    records = [Record(name=parse(act), items=(Item(url=GAZETTE),)) for act in acts]
    links = [Record(name=parse(act), alias_of=parse(acts[0])) for act in ALIASES]
    store.fill(nquads(families_of([*records, *links])))
    holdings = ServerHoldings(store)
    assert len(holdings.holders([GAZETTE], 2)[GAZETTE]) == 2
    assert len(holdings.holders([GAZETTE], 1000)[GAZETTE]) == 150
    one = holdings.family(acts[7])
    assert one is not None
    assert one.shared == {GAZETTE}


ALIASES = [f"urn:lex:it:stato:decreto:2000-01-01;{n}" for n in range(5)]


def names_that_are_not_ours_are_not_followed(store: RemoteStore) -> None:
    act = "urn:lex:it:stato:legge:2000-01-01;1"
    frbr = "http://purl.org/vocab/frbr/core#realizationOf"
    other = f"<urn:lex:it:stato:legge:2001-01-01;1@x> <{frbr}> <{act}> {DECODED} .\n"
    broken = f"<{act}@a@b@c> <{frbr}> <{act}> {DECODED} .\n"
    loop = f"<{act}> <{frbr}> <{act}> {DECODED} .\n"
    outside = f"<https://x.example/e> <{frbr}> <{act}> {DECODED} .\n"
    same = f"<{act}> <http://www.w3.org/2002/07/owl#sameAs> <https://x.example/e> {STATED} .\n"
    family = families_of([Record(name=parse(f"{act}@original"))])
    store.fill(nquads(family) + f"{other}{broken}{loop}{outside}{same}".encode())
    assert ServerHoldings(store).families([act]) == list(family)


def aliases_in_loops_and_chains_are_said(store: RemoteStore) -> None:
    acts = [f"urn:lex:it:stato:legge:2000-01-01;{n}" for n in range(300)]
    for count, words in ((1, "alias"), (2, "alias"), (300, "64 aliases lead on")):
        emptied(store)
        loop = zip(acts[:count], [*acts[1:count], acts[0]], strict=True)
        same = "http://www.w3.org/2002/07/owl#sameAs"
        lines = [f"<{alias}> <{same}> <{act}> {STATED} .\n" for alias, act in loop]
        store.fill(nquads(families_of(Record(name=parse(act)) for act in acts[:count])))
        store.change([], lines)
        with pytest.raises(CatalogueError, match=words):
            ServerHoldings(store).family(acts[0])


CASES: tuple[Callable[[RemoteStore], None], ...] = (
    quads_go_in_and_come_out,
    changes_say_the_same_as_many_at_once,
    a_family_comes_out_as_it_went_in,
    quads_of_nodes_are_those_of_the_layers,
    more_nodes_than_fit_into_one_question,
    large_changes_are_done_whole,
    each_form_of_query_has_its_answer,
    the_default_graph_is_the_three_layers,
    what_is_wrong_with_a_query_is_said,
    a_broken_change_changes_nothing,
    blank_nodes_are_refused,
    alias_sets_are_read_as_they_were_written,
    what_is_not_held_is_not_there,
    acts_are_found_by_number_and_year,
    spellings_and_copies_are_found,
    a_copy_that_very_many_have,
    names_that_are_not_ours_are_not_followed,
    aliases_in_loops_and_chains_are_said,
)
