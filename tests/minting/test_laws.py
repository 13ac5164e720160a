"""What holds for any metadata: answers parse, are canonical, the same each time, and explained."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from sizes import examples
from strategies import names

import lexurn
from lexurn.minting import FIELDS, Mode, Taken, try_mint

_WORDS = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "Ministero dell'Economia e delle Finanze",
            "Ministère de la Justice",
            "Bundesministerium für Verkehr",
            "Dipartimento IV",
            "Legge Regionale",
            "D.P.R.",
            "München",
            "государство",
            "1° Comitato",
        ]
    ),
)
_DATES = st.one_of(
    st.dates().map(str),
    st.sampled_from(["21 settembre 2003", "1er mai 1999", "03/04/2005", "2003", "31/02/2001"]),
    st.text(max_size=20),
)
_NUMBERS = st.one_of(
    st.integers(0, 10**6).map(str), st.sampled_from(["1/P/2000", "C-10/97, C-11/97", "n. 5", "?"])
)
_METADATA = st.fixed_dictionaries(
    {
        "jurisdiction": st.sampled_from(["it", "fr", "de", "br;sao.paulo", "eu", "zz", "IT", "jp"]),
        "authority": _WORDS,
        "measure": _WORDS,
        "date": _DATES,
        "number": st.one_of(_NUMBERS, st.text(max_size=12)),
    },
    optional={
        "language": st.sampled_from(["it", "fr", "de", "en", "tr", "ru", "xx"]),
        "mode": st.sampled_from([*Mode]),
        "annex": _WORDS,
        "version": st.one_of(_WORDS, _DATES),
        "partition": st.text(max_size=12),
        "title": _WORDS,
        "measure_specifications": _WORDS,
    },
)


@given(_METADATA)
def test_what_is_minted_parses_and_is_canonical(metadata: dict[str, str]) -> None:
    minted = try_mint(metadata)
    if minted.name is None:
        assert minted.errors
        return
    text = str(minted.name)
    assert str(lexurn.parse(text)) == text
    assert minted.name.text == text
    assert not minted.errors


@given(_METADATA)
def test_minting_is_the_same_each_time(metadata: dict[str, str]) -> None:
    assert try_mint(metadata) == try_mint(dict(reversed(metadata.items())))


@given(_METADATA)
def test_findings_point_into_the_text_of_their_field(metadata: dict[str, str]) -> None:
    for found in try_mint(metadata).findings:
        assert 0 <= found.start <= found.end <= len(found.text)


@given(names())
def test_the_parts_of_a_name_mint_the_name(name: lexurn.Name) -> None:
    """Minting is idempotent: what is in the form of a name already stays as it is."""
    work = name.work
    details = work.details
    if work.annexes or details.period or any(date.local for date in details.dates):
        return
    fields: dict[str, object] = {
        "jurisdiction": ";".join((name.jurisdiction.code, *name.jurisdiction.units)),
        "authority": [[each.institution, *each.functions] for each in work.authority.issuers],
        "measure": work.measure.type,
        "measure_specifications": [*work.measure.specifications],
        "date": [date.iso for date in details.dates],
        "number": [*details.numbers],
    }
    if "lex-" in str(details):
        return
    minted = try_mint(fields)
    again = minted.name and try_mint({**fields, **_parts(minted.name)})
    assert again is None or again.name == minted.name


def _parts(name: lexurn.Name) -> dict[str, object]:
    work = name.work
    return {
        "authority": [[each.institution, *each.functions] for each in work.authority.issuers],
        "measure": work.measure.type,
        "measure_specifications": [*work.measure.specifications],
        "number": [*work.details.numbers],
    }


@given(
    st.dictionaries(
        st.sampled_from(FIELDS),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
            ),
            max_leaves=6,
        ),
    )
)
def test_any_fields_give_a_name_or_errors(fields: dict[str, object]) -> None:
    minted = try_mint(fields)
    assert (minted.name is None) == bool(minted.errors)


@given(st.lists(st.dates(), max_size=30))
@examples(20)
def test_unnumbered_acts_never_share_a_name(days: list[object]) -> None:
    taken = Taken()
    fields = {"jurisdiction": "it", "measure": "Legge", "unnumbered": True}
    names = [str(try_mint({**fields, "date": day}, taken=taken)) for day in days]
    assert len(set(names)) == len(names)
    assert "" not in names
