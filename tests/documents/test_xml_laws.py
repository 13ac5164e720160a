"""Laws of embedding, for every XML format, in every encoding and style."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from sizes import examples, size
from xml_documents import (
    DOCUMENTS,
    FILE,
    OTHER,
    VERSION,
    WORK,
    WRITTEN,
    change,
    embedded,
    removed,
)
from xml_mutations import check, sample

from lexurn.documents import DocumentError, apply_edits, document, document_from_bytes
from lexurn.documents.containers import xml
from lexurn.documents.identification import load_format

MANY = size(300, 1_000)
NAMES = [WORK, OTHER, VERSION, FILE, f"{WORK}:allegato.a"]
CASES = [(key, how) for key in DOCUMENTS for how in WRITTEN]


@pytest.mark.parametrize(("key", "how"), CASES)
def test_what_is_put_in_can_be_put_in_again_replaced_and_taken_out(key: str, how: str) -> None:
    data = WRITTEN[how](DOCUMENTS[key])
    assert removed(key, data) == data
    for name in NAMES:
        once = embedded(key, data, name)
        assert once != data
        assert not change(key, once, name).edits
        assert removed(key, once) == data
        for other in NAMES:
            assert embedded(key, once, other) == embedded(key, data, other)


@pytest.mark.parametrize(("key", "how"), CASES)
def test_only_the_block_is_new(key: str, how: str) -> None:
    data = WRITTEN[how](DOCUMENTS[key])
    edits = change(key, data, FILE).edits
    assert edits
    assert all(each.start == each.end for each in edits)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=key == "nir")
    before, after = (etree.fromstring(each, parser) for each in (data, embedded(key, data, FILE)))
    assert len(list(after.iter())) > len(list(before.iter()))


@pytest.mark.parametrize(("key", "how"), [each for each in CASES if each[0] != "xhtml"])
def test_what_was_put_in_is_read_and_is_ours(key: str, how: str) -> None:
    data = embedded(key, WRITTEN[how](DOCUMENTS[key]), FILE)
    statements = load_format(key).read(document_from_bytes(data)).statements
    ours = [each.value for each in statements if each.is_embedded]
    assert ours == ([WORK, VERSION, FILE] if key == "akoma-ntoso" else [FILE])
    others = load_format(key).read(document_from_bytes(removed(key, data))).statements
    assert [each.term for each in statements if not each.is_embedded] == [
        each.term for each in others
    ]


@pytest.mark.parametrize("key", DOCUMENTS)
@pytest.mark.parametrize("scheme", ["http", "&#104;&#x74;tp"])
def test_a_signed_document_is_refused_unless_it_is_forced(key: str, scheme: str) -> None:
    signature = f'<s:Signature xmlns:s="{scheme}://www.w3.org/2000/09/xmldsig#"/>'
    text = DOCUMENTS[key]
    at = text.rindex("</")
    data = (text[:at] + signature + text[at:]).encode()
    with pytest.raises(DocumentError) as caught:
        change(key, data, WORK)
    assert caught.value.finding.code == "LX339"
    once = change(key, data, WORK, is_forced=True)
    assert [each.code for each in once.findings] == ["LX340"]
    signed = apply_edits(document_from_bytes(data), once.edits)
    with pytest.raises(DocumentError):
        removed(key, signed)
    assert removed(key, signed, is_forced=True) == data
    assert not change(key, signed, WORK).edits
    other = '<s:Signature xmlns:s="http://www.w3.org/2000/09/xmldsig"/>'
    assert change(key, (text[:at] + other + text[at:]).encode(), WORK).edits


@pytest.mark.parametrize("size", range(40, 120))
def test_a_signature_is_seen_wherever_the_pieces_end_that_are_read(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"/>'
    data = DOCUMENTS["lexml"].replace("</LexML>", f"{signature}</LexML>").encode()
    monkeypatch.setattr(document, "_PIECE_SIZE", size)
    with pytest.raises(DocumentError, match="LX339"):
        change("lexml", data, WORK)


def test_behind_a_tag_that_does_not_end_a_signature_may_stand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tag = f"<Signature a='{'x' * 2_000}'/>"
    text = DOCUMENTS["lexml"].replace("</LexML>", f"{tag}</LexML>")
    assert change("lexml", text.encode(), WORK).edits
    monkeypatch.setattr(document, "_PIECE_SIZE", 64)
    data = document_from_bytes(text.encode())
    assert xml.find_signature(data) is None
    monkeypatch.setattr(xml, "_LONGEST_TOKEN", 500)
    assert xml.find_signature(data) is not None


@pytest.mark.parametrize("key", DOCUMENTS)
def test_blocks_that_are_not_one_are_refused(key: str) -> None:
    data = embedded(key, DOCUMENTS[key].encode(), WORK)
    for broken in (
        data.replace(b"<!-- lexurn:begin -->", b""),
        data.replace(b"<!-- lexurn:begin -->", b"<!-- lexurn:begin --><!-- lexurn:begin -->"),
        data.replace(b"<!-- lexurn:end -->", b"", 1),
        data.replace(
            b"<!-- lexurn:begin -->",
            b"<!-- lexurn:begin --><!-- lexurn:end --><!-- lexurn:begin -->",
        ),
    ):
        for done in (lambda each: embedded(key, each, WORK), lambda each: removed(key, each)):
            with pytest.raises(DocumentError) as caught:
                done(broken)
            assert caught.value.finding.code == "LX334"


@pytest.mark.parametrize("key", DOCUMENTS)
@pytest.mark.parametrize(
    "strange",
    ["text", "&amp;", "<![CDATA[x]]>", "<!-- c -->", "<?do it?>", "<title/>", "<x xmlns='u'/>"],
)
@pytest.mark.parametrize("mark", [b"<!-- lexurn:begin -->", b"<!-- lexurn:end -->"])
def test_what_others_put_into_a_block_is_not_lost(key: str, strange: str, mark: bytes) -> None:
    data = embedded(key, DOCUMENTS[key].encode(), WORK)
    at = data.index(mark) + (len(mark) if b"begin" in mark else 0)
    mixed = data[:at] + strange.encode() + data[at:]
    for done in (lambda: embedded(key, mixed, OTHER), lambda: removed(key, mixed)):
        with pytest.raises(DocumentError) as caught:
            done()
        assert caught.value.finding.code == "LX343"


@pytest.mark.parametrize("key", DOCUMENTS)
def test_a_block_whose_blanks_somebody_took_away_goes_alone(key: str) -> None:
    data = embedded(key, DOCUMENTS[key].encode(), WORK)
    at = data.index(b"<!-- lexurn:begin -->")
    start = len(data[:at].rstrip())
    assert removed(key, data[:start] + data[at:]) == DOCUMENTS[key].encode()


@pytest.mark.parametrize("key", DOCUMENTS)
@examples(30)
@given(places=st.data())
def test_damaged_documents_are_changed_in_the_block_alone_or_refused(
    key: str, places: st.DataObject
) -> None:
    data = bytearray(embedded(key, DOCUMENTS[key].encode(), VERSION))
    for _ in range(places.draw(st.integers(1, 4))):
        at = places.draw(st.integers(0, len(data) - 1))
        size = places.draw(st.integers(0, 30))
        data[at : at + size] = places.draw(st.binary(max_size=5))
    with suppress(DocumentError):
        load_format(key).read(document_from_bytes(bytes(data)))
    try:
        bare = removed(key, bytes(data))
        once = embedded(key, bare, WORK)
    except DocumentError:
        return
    assert not change(key, once, WORK).edits
    assert removed(key, once) == bare


REST = {
    "cut off between tags": (lambda data: data[: data.rindex(b"</")], "LX330"),
    "cut off in a tag": (lambda data: data[: data.rindex(b">")], "LX330"),
    "no UTF-8": (lambda data: data[: data.rindex(b"</")] + b"\xff" + b"</", "LX330"),
    "two roots": (lambda data: data + b"<a/>", "LX330"),
    "too deep": (
        lambda data: data.replace(data[data.rindex(b"</") :], b"<a>" * 2_000),
        "LX332",
    ),
}


@pytest.mark.parametrize("key", DOCUMENTS)
@pytest.mark.parametrize("how", REST)
def test_a_document_that_is_broken_behind_its_name_takes_none_and_is_read(
    key: str, how: str
) -> None:
    breaking, code = REST[how]
    whole = embedded(key, DOCUMENTS[key].encode(), VERSION)
    for data in (breaking(DOCUMENTS[key].encode()), breaking(whole)):
        with pytest.raises(DocumentError) as caught:
            embedded(key, data, VERSION)
        assert (caught.value.finding.code, caught.value.finding.line > 5) == (code, True)
    reading = load_format(key).read(document_from_bytes(breaking(whole)))
    assert VERSION in {each.value for each in reading.statements if each.is_embedded}
    assert [each.code for each in reading.findings] == [code]
    assert removed(key, breaking(whole)) == breaking(DOCUMENTS[key].encode())


@pytest.mark.parametrize("key", [each for each in DOCUMENTS if each != "xhtml"])
def test_what_is_not_read_of_a_very_large_document_is_said(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = DOCUMENTS[key].encode() + b" " * 100
    monkeypatch.setattr(xml, "_LONGEST_CHECKED", len(data) - 100)
    for bytes_ in (data, data + b"<"):
        assert [each.code for each in change(key, bytes_, WORK).findings] == ["LX344"]
        reading = load_format(key).read(document_from_bytes(bytes_))
        assert [each.code for each in reading.findings] == ["LX344"]
    assert not change(key, data[:-100], WORK).findings


@pytest.mark.parametrize(
    ("key", "other"),
    [pair for pair in product(DOCUMENTS, [*DOCUMENTS, "", "<a/>", "text"]) if pair[0] != pair[1]],
)
def test_documents_of_other_formats_are_refused(key: str, other: str) -> None:
    data = DOCUMENTS.get(other, other).encode()
    with pytest.raises(DocumentError):
        embedded(key, data, WORK)
    with suppress(DocumentError):
        assert removed(key, data) == data


def test_damaged_documents_do_no_harm() -> None:
    took = sum(check(*sample(seed)) for seed in range(MANY))
    assert took > MANY * 0.03
