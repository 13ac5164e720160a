"""Behaviour that every SPARQL server must show: cases over a store that is empty."""

from __future__ import annotations

import datetime as dt
from contextlib import contextmanager
from typing import TYPE_CHECKING

import graph_sample
import pyoxigraph
import pytest

from lexurn.catalogue.catalogue import find_years, make_number_key
from lexurn.catalogue.server import ServerHoldings
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of
from lexurn.model import Family, Item, Record, families_of
from lexurn.name import parse
from lexurn.store.remote import RemoteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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


def insert(store: RemoteStore, lines: Iterable[str]) -> None:
    """Put N-Quads lines on a server, as a user may do there."""
    for each in lines:
        triple, _, graph = each.removesuffix(" .\n").rpartition(" ")
        store.update(f"INSERT DATA {{ GRAPH {graph} {{ {triple} }} }}")


def fill(store: RemoteStore, families: Iterable[Family]) -> None:
    """Put families on a server at once."""
    lines = b"".join(nquads_of(each, as_of=AS_OF, base="https://law.example") for each in families)
    for layer in LAYERS:
        end = f" <{layer}> .\n".encode()
        triples = [
            each.removesuffix(end) for each in lines.splitlines(keepends=True) if each.endswith(end)
        ]
        for start in range(0, len(triples), 1_000):
            some = b" .\n".join(triples[start : start + 1_000]).decode()
            store.update(f"INSERT DATA {{ GRAPH <{layer}> {{ {some} }} }}")


@contextmanager
def open_emptied(url: str) -> Iterator[RemoteStore]:
    """Open a server after all that it holds is removed."""
    store = RemoteStore(url)
    emptied(store)
    yield store
    store.close()


def emptied(store: RemoteStore) -> None:
    """Take everything out, other people's graph and the mark of pushes included."""
    mirror = "https://w3id.org/lexurn/catalogue#mirror"
    graphs = (*LAYERS, "http://x.example/mine", mirror)
    store.update(" ;\n".join(f"CLEAR SILENT GRAPH <{graph}>" for graph in graphs))


def held(store: RemoteStore) -> list[str]:
    """All lines of the three layers, with one type for whole numbers, as some engines have."""
    found = []
    for layer in LAYERS:
        text = f"SELECT ?s ?p ?o WHERE {{ GRAPH <{layer}> {{ ?s ?p ?o }} }}"
        found += [f"{s} {p} {o} <{layer}> .\n" for s, p, o in store.select(text, "s", "p", "o")]
    return sorted(map(with_integers, found))


def with_integers(text: str) -> str:
    return text.replace("#nonNegativeInteger>", "#integer>")


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


def texts_go_in_and_come_out(store: RemoteStore) -> None:
    lines = sorted(line(f"s{place}", text) for place, text in enumerate(TEXTS))
    insert(store, lines)
    insert(store, lines[:1])
    assert held(store) == lines


def each_form_of_query_has_its_answer(store: RemoteStore) -> None:
    insert(store, [line("a", '"1"'), line("b", '"2"@it', DECODED)])
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
    insert(store, [line("a", '"1"'), line("a", '"2"', DECODED), mine])

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


def alias_sets_are_read_as_they_were_written(store: RemoteStore) -> None:
    fill(store, FAMILIES)
    holdings = ServerHoldings(store)
    acts = [str(record.name) for family in FAMILIES for record in family.records]
    found = holdings.families([act for act in acts if parse(act).parent is None])
    assert found == list(FAMILIES)
    for family in FAMILIES:
        for record in family.records:
            if record.name.parent is None:
                assert holdings.family(str(record.name)) == family


def what_is_not_held_is_not_there(store: RemoteStore) -> None:
    holdings = ServerHoldings(store)
    assert holdings.family("urn:lex:br;sao.paulo:estado:lei:1990-05-01;1") is None
    fill(store, FAMILIES)
    assert holdings.family("urn:lex:br;sao.paulo:estado:lei:1990-05-01;9999") is None
    assert holdings.families(["urn:lex:br", "no name", ""]) == []
    assert holdings.near("br;sao.paulo", "9999") == []
    assert holdings.near("br", "1", "1985") == []
    assert not holdings.dated("urn:lex:br:federal:lei", "1985-01-01")
    assert not holdings.dated("urn:lex:br:federal:lei", "1985-02-30")
    assert holdings.spelled("no spelling 'of' \"anything\"") == []
    assert not holdings.spelled("\udcff")


def acts_are_found_by_number_year_and_date(store: RemoteStore) -> None:
    fill(store, FAMILIES)
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
    head = "urn:lex:br;sao.paulo:estado:lei"
    wanted = sorted(act for act in map(str, acts) if act.startswith(f"{head}:1991-05-01;"))
    assert holdings.dated(head, "1991-05-01") == wanted
    assert wanted


def _is_near(act, place: str, number: str, year: str | None) -> bool:
    details = act.work.details
    return (
        str(act.jurisdiction) == place
        and number in map(make_number_key, details.numbers)
        and (year is None or year in find_years(details))
    )


def spellings_are_found(store: RemoteStore) -> None:
    fill(store, FAMILIES)
    spelled = [(t, r.name) for f in FAMILIES for r in f.records for t in r.dialect_names]
    assert spelled
    for text, name in spelled:
        assert ServerHoldings(store).spelled(text) == [str(name)]


def names_that_are_not_ours_are_not_followed(store: RemoteStore) -> None:
    act = "urn:lex:it:stato:legge:2000-01-01;1"
    frbr = "http://purl.org/vocab/frbr/core#realizationOf"
    other = f"<urn:lex:it:stato:legge:2001-01-01;1@x> <{frbr}> <{act}> {DECODED} .\n"
    broken = f"<{act}@a@b@c> <{frbr}> <{act}> {DECODED} .\n"
    loop = f"<{act}> <{frbr}> <{act}> {DECODED} .\n"
    outside = f"<https://x.example/e> <{frbr}> <{act}> {DECODED} .\n"
    same = f"<{act}> <http://www.w3.org/2002/07/owl#sameAs> <https://x.example/e> {STATED} .\n"
    families = families_of([Record(name=parse(f"{act}@original"))])
    fill(store, families)
    insert(store, [other, broken, loop, outside, same])
    assert ServerHoldings(store).families([act]) == list(families)


def aliases_in_loops_and_chains_are_said(store: RemoteStore) -> None:
    acts = [f"urn:lex:it:stato:legge:2000-01-01;{n}" for n in range(20)]
    for count in (1, 2, 20):
        emptied(store)
        loop = zip(acts[:count], [*acts[1:count], acts[0]], strict=True)
        same = "http://www.w3.org/2002/07/owl#sameAs"
        fill(store, families_of(Record(name=parse(act)) for act in acts[:count]))
        insert(store, [f"<{alias}> <{same}> <{act}> {STATED} .\n" for alias, act in loop])
        with pytest.raises(CatalogueError, match="alias"):
            ServerHoldings(store).family(acts[0])


CASES: tuple[Callable[[RemoteStore], None], ...] = (
    texts_go_in_and_come_out,
    each_form_of_query_has_its_answer,
    the_default_graph_is_the_three_layers,
    what_is_wrong_with_a_query_is_said,
    alias_sets_are_read_as_they_were_written,
    what_is_not_held_is_not_there,
    acts_are_found_by_number_year_and_date,
    spellings_are_found,
    names_that_are_not_ours_are_not_followed,
    aliases_in_loops_and_chains_are_said,
)
