"""Laws of queries: what is in force by SPARQL is in force by the model; texts cannot break out."""

from __future__ import annotations

import datetime as dt

import pyoxigraph
from hypothesis import example, given
from hypothesis import strategies as st
from sizes import examples

from lexurn import parse
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of
from lexurn.model import Record, Status, families_of
from lexurn.store import QueryForm, parse_query_file, query, ready, scan_query
from lexurn.store.embedded import EmbeddedStore

_ACT = "urn:lex:it:stato:legge:2000-05-05;7"
_WORKS = (_ACT, f"{_ACT}:allegato.a", f"{_ACT}:allegato.a:tabella.1")
_DAYS = [
    dt.date(year, 1, 1) + dt.timedelta(days=step) for year in range(1999, 2008) for step in (0, 100)
]
_TRIPLE = pyoxigraph.Quad(
    pyoxigraph.NamedNode("urn:a"), pyoxigraph.NamedNode("urn:p"), pyoxigraph.Literal("x")
)

days = st.none() | st.sampled_from(_DAYS)


@st.composite
def spans(draw: st.DrawFn) -> dict[str, dt.date | None]:
    return {
        "in_force_from": draw(days),
        "in_force_until": draw(days),
        "published": draw(days),
    }


@st.composite
def chains(draw: st.DrawFn) -> list[Record]:
    """A work and its versions, which start in the order of their chain (see the next test)."""
    work = draw(st.sampled_from(_WORKS))
    status = st.sampled_from([None, None, None, Status.WITHDRAWN])
    records = [
        Record(name=parse(each), status=draw(status), **draw(spans()))
        for each in _WORKS
        if draw(st.booleans())
    ]
    labels = draw(st.lists(st.sampled_from(_DAYS), max_size=4, unique=True))
    versions = ["original"] if draw(st.booleans()) else []
    for day in sorted(labels):
        event = draw(st.sampled_from(["", f";{day + dt.timedelta(days=30)}", ";rettifica"]))
        versions.append(f"{day}{event}")
    for version in versions:
        record = Record(
            name=parse(f"{work}@{version}:it"),
            in_force_until=draw(days),
            published=draw(days),
            status=draw(status),
        )
        records.append(record)
    return [*records, Record(name=parse(f"{work}@testo.a:fr"))]


_NEAREST = [
    Record(name=parse(_ACT), in_force_from=dt.date(2005, 1, 1)),
    Record(name=parse(_WORKS[1]), in_force_from=dt.date(2001, 1, 1)),
    Record(name=parse(f"{_WORKS[2]}@original:it")),
]


@examples(60)
@example(_NEAREST, dt.date(2002, 1, 1))
@given(chains(), st.sampled_from(_DAYS))
def test_what_is_in_force_agrees_with_the_model(records: list[Record], day: dt.date) -> None:
    (family,) = families_of(records)
    store = EmbeddedStore(None, write=True)
    store.fill(nquads_of(family, as_of=dt.date(1990, 1, 1)))
    expected = {
        (
            *(str(chain.work), chain.language or "", str(version.name)),
            version.start and version.start.isoformat(),
            version.start_basis and version.start_basis.label,
        )
        for chain in family.chains
        for version in chain.versions
        if version.name == chain.current(day).version
    }
    found = {
        (work, *row)
        for work in _WORKS
        for row in _rows(store, ready("version-at", work=work, date=day))
    }
    assert found == expected
    of_acts = _rows(store, ready("versions-in-force", authority="stato", date=day))
    assert set(of_acts) == {row for row in expected if row[0] == _ACT}
    store.close()


def _rows(store: EmbeddedStore, text: str) -> list[tuple[str | None, ...]]:
    answer = query(store, text)
    assert not isinstance(answer, bool)
    return [tuple(None if term is None else term.value for term in row) for row in answer]


@given(st.text())
@example('" } UNION { ?s ?p ?o } #')
@example('\\" . ?s ?p ?o')
@example("$x ?x \n\r\t\\n")
def test_a_text_stays_a_text(text: str) -> None:
    try:
        bound = parse_query_file("mine", "SELECT ?given { BIND($text AS ?given) }").bound(
            {"text:text": text}
        )
    except CatalogueError:
        assert any(each == "\0" or "\ud800" <= each <= "\udfff" for each in text)
        return
    ((term,),) = pyoxigraph.Store().query(bound)
    assert term.value == text


@given(st.text(alphabet=st.sampled_from("SELECTserviceLOAD {}()<>#?$\"'\\\n:.-@u0053ASK")))
@example("ASK { FILTER(?a<?b#x>'''\n) SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } #'''\n }")
@example("ASK { ?s <a#b> ?o } # SERVICE")
def test_whatever_an_engine_takes_for_a_service_is_seen(text: str) -> None:
    try:
        found = scan_query(text)
    except CatalogueError:
        return
    if found.calls_out or found.form is QueryForm.UPDATE:
        return
    store = pyoxigraph.Store()
    store.add(_TRIPLE)
    try:
        answer = store.query(text)
        if not isinstance(answer, pyoxigraph.QueryBoolean):
            list(answer)
    except SyntaxError:
        return
    except OSError as fault:  # what calling out fails with
        raise AssertionError(text) from fault
