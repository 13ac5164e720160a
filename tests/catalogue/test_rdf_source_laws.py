"""Laws of RDF sources: what was written is read back, and nothing that comes in is lost."""

from __future__ import annotations

import datetime as dt
import io
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from catalogue_parts import lines_of
from hypothesis import given
from hypothesis import strategies as st
from sizes import examples
from strategies import names
from strategies_model import days, tables

from lexurn.catalogue import open_rdf_source
from lexurn.catalogue.rdf_statements import find_act
from lexurn.graph import Format, Statements, nquads_of, statements_of, write
from lexurn.model import families_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.model import Family, Record

BASES = st.sampled_from([None, "https://law.example", "https://law.example/a/lex"])
DAY = dt.date(2026, 1, 1)
FOREIGN = (
    '<https://example.org/a> <https://example.org/p> "x" .',
    '<https://example.org/a> <https://example.org/p> "x" <https://w3id.org/lexurn/ns#catalogued> .',
    '<urn:lex:it:stato:legge:2003-09-21;456> <https://example.org/p> "\\"x\\""@it .',
    '<urn:lex:it:stato:legge:2003-09-21;456> <http://purl.org/dc/terms/title> "x" <x:other> .',
    '<urn:lex:it:stato> <http://purl.org/dc/terms/issued> "2003-09-21" .',
    '<https://example.org/b> <http://www.w3.org/ns/dcat#byteSize> "5" .',
    "<https://example.org/b> <http://purl.org/vocab/frbr/core#exemplarOf> <urn:lex:none> .",
    "<urn:lex:it:stato:legge:2003-09-21;456> <http://www.w3.org/2002/07/owl#sameAs> <x:y> .",
)


def written(families: Sequence[Family], form: Format, base: str | None) -> bytes:
    parts = (statements_of(family, as_of=DAY, base=base) for family in families)
    return write(Statements.union(parts), form)


def triples(families: Sequence[Family], base: str | None) -> set[str]:
    """What is said of families, whatever the layer."""
    return {line.rpartition(" <")[0] for line in lines_of(families, base)}


@given(tables(), days(), BASES, st.randoms(use_true_random=False))
@examples(15)
def test_quads_in_any_order_give_the_families(stated, day, base, random) -> None:
    families = families_of(stated)
    lines = [
        line
        for family in families
        for line in nquads_of(family, as_of=day, base=base).splitlines(keepends=True)
    ]
    random.shuffle(lines)
    findings: list[object] = []
    with open_rdf_source([lines], on_finding=findings.append) as source:
        found = tuple(source.families())
    assert found == families
    assert [family.shared for family in found] == [family.shared for family in families]
    assert (source.statements, source.rejected, findings) == (len(lines), 0, [])


@given(tables(), BASES, st.sampled_from([each for each in Format if each is not Format.RDFXML]))
@examples(15)
def test_every_format_gives_the_families(stated, base, form) -> None:
    families = families_of(stated)
    data = io.BytesIO(written(families, form, base))
    with open_rdf_source([data], format=form.name) as source:
        found = tuple(source.families())
    assert source.rejected == 0
    # Where layers are merged, nobody can tell an alias that follows from others from one stated.
    assert triples(found, base) == triples(families, base)
    assert found == families or not form.has_graphs


@given(tables(), st.lists(st.sampled_from(FOREIGN), unique=True), st.randoms())
@examples(15)
def test_what_is_not_ours_is_kept_unchanged(stated, foreign, random) -> None:
    families = families_of(stated)
    lines = [line.encode() + b"\n" for line in foreign] + [
        line.encode() for line in lines_of(families)
    ]
    random.shuffle(lines)
    with tempfile.TemporaryDirectory() as folder:
        rejects = Path(folder) / "rejects.nq"
        with open_rdf_source([lines], rejects=rejects) as source:
            assert tuple(source.families()) == families
        assert source.rejected == len(foreign)
        assert source.rejects == (rejects if foreign else None)
        kept = rejects.read_text("utf-8").splitlines() if foreign else []
        assert sorted(kept) == sorted(foreign)
        assert [file.name for file in Path(folder).iterdir()] == ["rejects.nq"] * bool(foreign)


def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """Some bytes with a few of them changed, taken out or put in."""
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data)))
        length = draw(st.sampled_from([0, 1, 3, 200]))
        data = data[:place] + draw(st.binary(max_size=8)) + data[place + length :]
    return data


@st.composite
def spoilt(draw: st.DrawFn) -> tuple[Format, bytes]:
    """A file that was right before something happened to it, or was never one."""
    form = draw(st.sampled_from(list(Format)))
    if draw(st.integers(0, 4)) == 0:
        return form, draw(st.binary())
    records: Sequence[Record] = draw(tables())
    able = Format.NTRIPLES if form is Format.RDFXML else form
    return form, mutated(draw, written(families_of(records), able, draw(BASES)))


@given(spoilt())
@examples(30)
def test_any_bytes_give_families_or_findings(case) -> None:
    form, data = case
    findings: list[object] = []
    with open_rdf_source(
        [io.BytesIO(data)], format=form.name, on_finding=findings.append
    ) as source:
        families = tuple(source.families())
    assert bool(findings) == bool(source.rejected or source.left_out)
    for family in families:
        assert nquads_of(family, as_of=DAY)


BARE = re.compile(rb"#record> <[^>]*(#type|/primaryTopic)> ")
"""The class and the topic of a record, which follow from its node."""


@given(tables(), st.data())
@examples(15)
def test_a_line_is_read_or_kept(stated, data) -> None:
    """A cut or broken file loses no line: each is in the families' graph, or in the rejects."""
    lines = [line.encode() for line in lines_of(families_of(stated))]
    text = mutated(data.draw, b"".join(lines))
    with tempfile.TemporaryDirectory() as folder:
        rejects = Path(folder) / "rejects.nq"
        with open_rdf_source([[text]], rejects=rejects) as source:
            graph = {line.encode() for line in lines_of(tuple(source.families()))}
        kept = set(rejects.read_bytes().splitlines(keepends=True)) if source.rejects else set()
    catalogued = b"<https://w3id.org/lexurn/ns#catalogued> .\n"
    there = set(text.split(b"\n"))
    whole = [line for line in lines if line[:-1] in there and line.endswith(catalogued)]
    lost = {line for line in whole if line not in graph and not BARE.search(line)}
    assert lost <= kept


@given(names())
def test_the_act_of_a_name_is_told_at_a_glance(name) -> None:
    assert find_act(f"<{name.iri}>") == str(name.act_name)
