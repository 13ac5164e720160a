"""Ready queries of a catalogue: its lists give the rows of the SPARQL, in the same order."""

from __future__ import annotations

import datetime as dt
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF
from hypothesis import given
from hypothesis import strategies as st
from query_store import ACTS
from ready_lists import LISTED, VALUES, compare, values_of
from sizes import examples
from strategies_model import tables

from lexurn import open_manifest
from lexurn.catalogue import LoadOptions, load, load_manifest, open_catalogue, rebuild, withdraw
from lexurn.catalogue.ready import ANSWERS
from lexurn.model import Item, LanguageText, LegalForce, ModelError, Record, Status, families_of
from lexurn.name import parse
from lexurn.store import Solutions, find_ready_query, query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.catalogue import Catalogue

_ACT = "urn:lex:it:stato:legge:2003-09-21;456"
_HEADS = ("it:stato:legge", "it:ministero.finanze:legge", "it;toscana:stato:legge;x", "br:a+b:lei")
_DETAILS = ("2003-09-21;456", "2003;456", "2003-09-21;007", "2003-09-21,2004-01-02;456,7")
_BELOW = (
    *("", "", "", ":annex.1", "~art1", "@original:it", "@2004-01-01:it", "@2004-01-01:de"),
    *("@testo.a:it", "@testo.b", "@testo.b;2005-01-01", ":annex.1@testo.c:fr"),
    *("@original:it$a.it:application-pdf", "$a.it:text-html", "@2004-01-01:it~art1"),
)
_DAYS = (None, None, dt.date(2003, 1, 1), dt.date(2004, 6, 1), dt.date(2005, 6, 30))
_URLS = ("https://a.example/1", "https://a.example/2", "https://a.example/3")
_TITLES = ("Legge sui tributi", "LEGGE", "acque", "İ ΟΔΟΣ")
_names = st.builds(
    lambda head, details, below: parse(f"urn:lex:{head}:{details}{below}"),
    st.sampled_from(_HEADS),
    st.sampled_from(_DETAILS),
    st.sampled_from(_BELOW),
)
_days = st.sampled_from(_DAYS)


@st.composite
def _dense_record(draw: st.DrawFn) -> Record:
    """A record that has much in common with others."""
    name = draw(_names)
    alias = None
    if draw(st.integers(0, 3)) == 0:
        other = draw(st.sampled_from(_HEADS)), draw(st.sampled_from(_DETAILS))
        alias = parse("urn:lex:{}:{}{}".format(*other, str(name)[len(str(name.act_name)) :]))
    titles = draw(st.lists(st.sampled_from(_TITLES), max_size=2, unique=True))
    language = draw(st.sampled_from((None, "it", "de")))
    return Record(
        name=name,
        alias_of=None if alias == name else alias,
        titles=tuple(LanguageText(value=each, language=language) for each in sorted(titles)),
        in_force_from=draw(_days),
        in_force_until=draw(_days),
        published=draw(_days),
        modified=draw(_days),
        force=draw(st.sampled_from((None, None, *LegalForce))),
        force_on=draw(_days),
        version_order=draw(st.sampled_from((None, 1, -2))),
        status=draw(st.sampled_from((None, None, None, Status.WITHDRAWN))),
        withdrawn_on=draw(_days),
        items=tuple(
            Item(url=each)
            for each in sorted(draw(st.lists(st.sampled_from(_URLS), max_size=2, unique=True)))
        ),
        pages=draw(st.sampled_from(((), (), ("https://a.example/page",)))),
        subjects=draw(
            st.sampled_from(((), ("tributi",), ("http://www.wikidata.org/entity/Q7755",)))
        ),
        amended_by=draw(st.lists(_names, max_size=1).map(tuple)),
    )


_dense_records = st.lists(_dense_record(), max_size=12, unique_by=lambda record: record.name)
_bases = st.sampled_from([None, "https://law.example"])


def _load(catalogue: Catalogue, records: Sequence[Record]) -> None:
    """Load records, as far as they do not contradict those that are held."""
    for record in records:
        try:
            families = families_of([record])
        except ModelError:
            continue
        load(catalogue, families, LoadOptions(as_of=AS_OF))


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Catalogue]:
    """The small catalogue of the ready queries."""
    with open_catalogue(tmp_path / "c", write=True) as catalogue:
        with open_manifest([str(ACTS)]) as manifest:
            load_manifest(catalogue, manifest, LoadOptions(as_of=AS_OF))
        yield catalogue


def test_each_listed_query_is_compared() -> None:
    assert set(ANSWERS) == set(LISTED)


def test_lists_give_the_rows_of_the_small_catalogue(small: Catalogue) -> None:
    assert compare(small, VALUES, most=200) > len(LISTED)


def test_many_acts_are_read_in_order(small: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("_FEW", "_FEW_BEGUN"):
        monkeypatch.setattr(f"lexurn.catalogue.ready.{limit}", 0)
    assert compare(small, VALUES, most=200) > len(LISTED)


@given(_dense_records, _dense_records, _bases)
@examples(20)
def test_lists_follow_loads_changes_and_rebuilds(
    records: Sequence[Record], later: Sequence[Record], base: str | None
) -> None:
    values = values_of([*records, *later])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "c"
        with open_catalogue(place, write=True, base=base) as catalogue:
            try:
                load(catalogue, families_of(records), LoadOptions(as_of=AS_OF))
            except ModelError:
                _load(catalogue, records)
            compare(catalogue, values, most=8)
            _load(catalogue, later)
            compare(catalogue, values, most=8)
            names = [each.name for each in records[:2]]
            list(withdraw(catalogue, names, as_of=AS_OF, on=AS_OF, below=True))
            compare(catalogue, values, most=8)
            before = _dump(catalogue)
        rebuild(str(place))
        with open_catalogue(place, write=True) as catalogue:
            assert _dump(catalogue) == before
            compare(catalogue, values, most=4)


def _dump(catalogue: Catalogue) -> list[list[tuple[object, ...]]]:
    """The lists of a catalogue, without numbers that have no meaning."""
    rows = catalogue.holdings.rows
    return [
        list(rows("SELECT list, a, b, c, d, e, text FROM listed ORDER BY 1, 2, 3, 4")),
        list(rows("SELECT act, text, language, name FROM title ORDER BY 1, 2, 3, 4")),
        list(rows("SELECT * FROM tally WHERE count <> 0")),
        list(rows("SELECT text, names, acts FROM head WHERE names <> 0 ORDER BY 1")),
    ]


@given(tables(), st.lists(st.integers(0, 1000), max_size=1))
@examples(12)
def test_lists_give_the_rows_of_any_records(
    records: Sequence[Record], places: Sequence[int]
) -> None:
    cut = places[0] % (len(records) + 1) if places else len(records)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_catalogue(Path(folder) / "c", write=True) as catalogue,
    ):
        for some in (records[:cut], records[cut:]):
            load(catalogue, families_of(some), LoadOptions(as_of=AS_OF))
        changed = [replace(record, items=(), titles=()) for record in records[:2]]
        compare(catalogue, values_of(records), most=6)
        load(catalogue, families_of(changed), LoadOptions(as_of=AS_OF))
        compare(catalogue, values_of(records), most=6)


def test_an_update_leaves_the_answers_to_sparql(small: Catalogue, tmp_path: Path) -> None:
    asked = find_ready_query("count-by-jurisdiction").bound({})
    assert small.answer_from_lists(asked) is not None
    small.update(
        "PREFIX lexo: <https://w3id.org/lexurn/ns#> INSERT DATA { GRAPH lexo:decoded "
        '{ <urn:x> lexo:jurisdictionCode "xx" } }'
    )
    assert small.answer_from_lists(asked) is None
    assert {"jurisdiction": "xx", "acts": 1} in list(small.ready("count-by-jurisdiction"))
    small.close()
    rebuild(str(tmp_path / "c"))
    with open_catalogue(tmp_path / "c") as opened:
        assert {"jurisdiction": "xx", "acts": 1} in list(opened.ready("count-by-jurisdiction"))


def test_an_update_that_fails_changes_nothing(small: Catalogue) -> None:
    asked = find_ready_query("count-by-jurisdiction").bound({})
    with pytest.raises(Exception, match="not SPARQL"):
        small.update("INSERT {")
    assert small.answer_from_lists(asked) is not None


def test_an_older_index_is_answered_by_sparql_until_a_rebuild(
    small: Catalogue, tmp_path: Path
) -> None:
    for table in ("head", "listed", "title", "tally", "title_text"):
        small.holdings.run(f"DROP TABLE {table}")
    small.holdings.run("DELETE FROM setting WHERE name = 'lists'")
    record = Record(name=parse("urn:lex:it:stato:legge:2007;1"))
    load(small, families_of([record]), LoadOptions(as_of=AS_OF))
    asked = find_ready_query("count-by-jurisdiction").bound({})
    assert small.answer_from_lists(asked) is None
    before = list(small.ready("count-by-jurisdiction"))
    small.close()
    rebuild(str(tmp_path / "c"))
    with open_catalogue(tmp_path / "c") as opened:
        assert opened.answer_from_lists(asked) is not None
        assert list(opened.ready("count-by-jurisdiction")) == before


def test_a_reader_keeps_the_state_of_its_first_query(small: Catalogue, tmp_path: Path) -> None:
    asked = find_ready_query("withdrawn").bound({})
    small.close()
    with open_catalogue(tmp_path / "c") as reader:
        before = list(reader.query("SELECT ?s { ?s ?p ?o }"))
        listed = reader.answer_from_lists(asked)
        assert listed is not None
        with open_catalogue(tmp_path / "c", write=True) as writer:
            list(withdraw(writer, [parse(_ACT)], as_of=AS_OF))
            assert len(list(writer.ready("withdrawn"))) == 2
        assert len(list(listed)) == 1  # it reads what was held when it was asked
        assert reader.answer_from_lists(asked) is None
        assert len(list(reader.ready("withdrawn"))) == 1
        assert len(list(reader.query("SELECT ?s { ?s ?p ?o }"))) == len(before)


def test_an_answer_ends_where_it_is_cut(small: Catalogue) -> None:
    asked = find_ready_query("acts-without-copies").bound({"jurisdiction": "it"})
    whole = small.answer_from_lists(asked)
    cut = small.answer_from_lists(asked, most=2)
    assert isinstance(whole, Solutions)
    assert isinstance(cut, Solutions)
    assert list(cut) == list(whole)[:2]
    assert cut.has_more
    assert not whole.has_more
    cut.close()


def test_a_rare_text_is_found_by_its_letters(
    small: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexurn.catalogue.ready._ENOUGH", 1)
    monkeypatch.setattr("lexurn.catalogue.ready._RARE", 1_000_000)
    for text in ("tributi", "LEGGE", "ä", "Ä", "a", "e ", "zz", 'x"y', "sui", "regionale"):
        asked = find_ready_query("titles-with").bound({"jurisdiction": "it", "text": text})
        listed = small.answer_from_lists(asked)
        assert isinstance(listed, Solutions)
        answer = query(small.store, str(asked))
        assert isinstance(answer, Solutions)
        assert [*map(str, listed)] == [*map(str, answer)]
