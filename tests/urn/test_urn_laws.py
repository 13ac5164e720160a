from __future__ import annotations

from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lexurn import urn
from lexurn.findings import Finding

UNRESERVED = "abcXYZ019-._~!$&'()*+,;=:@"
pieces = st.one_of(
    st.sampled_from(UNRESERVED), st.sampled_from(["%2f", "%C3%a9", "%00", "%25", "%fF"])
)


def texts(extra: str, minimum: int) -> st.SearchStrategy[str]:
    more = st.one_of(pieces, st.sampled_from(extra))
    behind = st.lists(more, max_size=12).map("".join)
    return st.tuples(pieces, behind).map("".join) if minimum else behind


nids = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]", fullmatch=True)
r_components = texts("/?", 1).filter(lambda text: "?=" not in text)
urns = st.builds(
    urn.Urn,
    nid=nids,
    nss=texts("/", 1),
    r=st.none() | r_components,
    q=st.none() | texts("/?", 1),
    f=st.none() | texts("/?", 0),
)
urnish = st.lists(
    st.sampled_from(["urn:", "ab", ":", "a", "/", "?+", "?=", "?", "#", "%41", "%", "%4", "é", "|"])
).map("".join)


@given(urns)
def test_what_is_written_is_read_again(name: urn.Urn) -> None:
    again = urn.parse(str(name))
    assert (again.nid, again.nss, again.r, again.q, again.f) == (
        name.nid,
        name.nss,
        name.r,
        name.q,
        name.f,
    )
    assert again == name
    assert hash(again) == hash(name)


@given(urns)
def test_the_canonical_text_is_a_urn_equal_to_the_first(name: urn.Urn) -> None:
    canonical = urn.parse(name.canonical)
    assert canonical == name
    assert str(canonical) == canonical.canonical == name.canonical


@given(urns)
def test_case_of_hex_digits_and_identifier_does_not_matter(name: urn.Urn) -> None:
    other = urn.Urn(
        nid=name.nid.swapcase(), nss=name.nss.replace("%2f", "%2F").replace("%fF", "%Ff")
    )
    assert other == name
    assert len({other, name}) == 1


@given(st.text() | urnish | urnish.map("urn:ab:c".__add__))
@example("urn:ab:\ud800")
@example("urn:ab:c?+")
def test_any_text_is_read_or_refused(text: str) -> None:
    readings = (
        urn.parse,
        urn.parse_2141,
        partial(urn.parse_2141, on_cleaning=list[Finding]().append),
    )
    for reading in readings:
        try:
            assert reading(text).nss
        except urn.UrnSyntaxError as error:
            assert 0 <= error.start <= error.end <= len(text)  # noqa: PT017 - many texts are read


@given(st.text(min_size=1).map("urn:ab:".__add__) | st.text())
@example(" urn:ab:c")
def test_the_older_reading_changes_nothing_unless_asked(text: str) -> None:
    findings: list[Finding] = []
    try:
        cleaned = urn.parse_2141(text, on_cleaning=findings.append)
    except urn.UrnSyntaxError:
        with pytest.raises(urn.UrnSyntaxError):
            urn.parse_2141(text)
        return
    again = urn.parse_2141(str(cleaned))
    assert (again.nid, again.nss) == (cleaned.nid, cleaned.nss)
    if findings:
        with pytest.raises(urn.UrnSyntaxError):
            urn.parse_2141(text)
    else:
        assert str(urn.parse_2141(text))[4:] == text[4:] == str(cleaned)[4:]


@given(urns)
def test_without_components_both_readings_agree(name: urn.Urn) -> None:
    bare = urn.parse(name.assigned_name)
    if bare.nid.lower() != "urn" and "%00" not in bare.nss:
        older = urn.parse_2141(str(bare), on_cleaning=list[Finding]().append)
        assert older.nss == bare.nss.replace("~", "%7E").replace("&", "%26")
