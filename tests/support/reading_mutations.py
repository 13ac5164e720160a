"""Damaged pages for fuzzing: those of tests, or real ones, cut, doubled, mixed and spoilt."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from lexurn.documents import (
    document_from_bytes,
    extraction_to_json,
    extraction_to_rows,
    rows_to_csv,
)
from lexurn.documents.extraction import interpret_reading
from lexurn.documents.reading.html import read_html, read_xhtml
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import make_document_metadata

if TYPE_CHECKING:
    from collections.abc import Sequence

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
RECORDS = (
    Record(name=parse(ACT), titles=(LanguageText(value="Città <b>", language="it"),)),
    Record(name=parse(f"{ACT}@originale:it"), licenses=("https://l.example/",)),
    Record(name=parse(f"{ACT}@2005-01-01:it")),
)
_HEADS = [
    make_document_metadata(each.name, RECORDS, base="https://a.example").head(is_xml=True)
    for each in RECORDS
]
PAGES = tuple(
    f"""<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" lang="it" xmlns:eli="http://data.europa.eu/eli/ontology#">
<head><title>x</title><link rel="schema.DC" href="http://purl.org/dc/elements/1.1/" />
<meta name="DC.identifier" content="urn:nir:stato:legge:2003-09-21;456" />
<!-- lexurn:begin -->
{head}<!-- lexurn:end -->
<link rel="canonical" href="/a" /></head>
<body prefix="dct: http://purl.org/dc/terms/" vocab="https://schema.org/">
<div about="{ACT}" typeof="eli:LegalResource" rel="eli:is_realized_by">
<p resource="{ACT}@originale:it"><b property="eli:title dct:title">Legge</b>
<time property="dct:issued" datetime="2003-09-22">x</time></p></div>
<div itemscope="" itemtype="https://schema.org/Legislation" itemid="{ACT}" itemref="r"><i id="r"
itemprop="legislationIdentifier">{ACT}</i><meta itemprop="inLanguage" content="ita" /></div>
</body></html>
""".encode()
    for head in _HEADS
)
_SPOILS = (
    *(b"<", b">", b'"', b"&#0;", b"\0", b"\xff", b"\xc3", b"]]>", b"<!--", b"-->", b"</script>"),
    *(b" about=''", b" property='a:b c'", b" rel=''", b" typeof", b" itemscope", b" itemref='r r'"),
    *(b" prefix='a: b'", b" vocab='x'", b" inlist", b"_:a", b"[x:y]", b"http://[", b"urn:lex:"),
    *(b"<base href='//['>", b"@context", b'{"@id":', b"@", b"!", b"~art1", b"InForce-NotInForce"),
)


def sample(seed: int, pages: Sequence[bytes] = PAGES) -> bytes:
    """A damaged page; the same for the same seed."""
    source = random.Random(seed)
    page = bytearray(source.choice(pages))
    for _ in range(source.randint(1, 8)):
        _damage(page, source, pages)
    return bytes(page)


def _damage(page: bytearray, source: random.Random, pages: Sequence[bytes]) -> None:
    start = source.randint(0, len(page))
    end = min(len(page), start + source.choice((0, 1, 5, 80)))
    kind = source.randrange(4)
    if kind == 0:
        del page[start:end]
    elif kind == 1:
        page[start:start] = page[start:end] * source.randint(1, 3)
    elif kind == 2:
        page[start:end] = source.choice(_SPOILS)
    else:
        other = source.choice(pages)
        at = source.randint(0, len(other))
        page[start:end] = other[at : at + source.choice((5, 80, 400))]


def check(data: bytes) -> int:
    """Read a page in both ways, whatever it is; how many names it has."""
    names = 0
    for kind, read in (("html", read_html), ("xhtml", read_xhtml)):
        try:
            reading = read(document_from_bytes(data, "a.html"))
        except ValueError as fault:
            assert kind == "xhtml", fault  # noqa: PT017 - any bytes are HTML
            continue
        found = interpret_reading(reading, file="a.html", format=kind)
        assert len(extraction_to_json(found)["names"]) == len(found.names)
        b"".join(rows_to_csv(extraction_to_rows(found)))
        names += len(found.names)
    return names
