"""RDF files as a source of a catalogue: what is read, and what is kept aside and why."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import json
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF, families_in, held, lines_of
from click.testing import CliRunner

from lexurn.catalogue import build_rdf, open_catalogue, open_rdf_source
from lexurn.cli import main
from lexurn.errors import CatalogueError, LexurnError
from lexurn.graph import Format, Statements, statements_of, write
from lexurn.model import Record, Status, families_of
from lexurn.name import parse
from lexurn.vocabulary import CONTEXT_URL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.findings import Finding
    from lexurn.model import Family

ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
BASE = "https://law.example"
LAW = "urn:lex:it:stato:legge:2003-09-21;456"
ALIAS = "urn:lex:it:stato:legge:2003-09-21;lex-1"
PREFIXES = """
@prefix dc: <http://purl.org/dc/elements/1.1/> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix frbr: <http://purl.org/vocab/frbr/core#> .
@prefix lexo: <https://w3id.org/lexurn/ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix spdx: <http://spdx.org/rdf/terms#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
DIGEST = "ab" * 32
URL = "https://law.example/a.pdf"


class Read:
    """What came of some sources."""

    def __init__(self, *sources: object, rejects: Path | None = None, form: str | None = None):
        self.findings: list[Finding] = []
        with open_rdf_source(
            sources, format=form, rejects=rejects, on_finding=self.findings.append
        ) as source:
            self.families = tuple(source.families())
        self.source = source
        self.kept = [] if source.rejects is None else source.rejects.read_text("utf-8").split("\n")
        self.codes = sorted({finding.code for finding in self.findings})

    def names(self) -> list[str]:
        return [str(record.name) for family in self.families for record in family.records]


def turtle(text: str, rejects: Path | None = None) -> Read:
    return Read(io.BytesIO((PREFIXES + text).encode()), rejects=rejects, form="turtle")


def nquads(*lines: str, rejects: Path | None = None) -> Read:
    return Read([f"{line}\n".encode() for line in lines], rejects=rejects)


def line(subject: str, predicate: str, value: str, layer: str = "catalogued") -> str:
    return f"{subject} {predicate} {value} <https://w3id.org/lexurn/ns#{layer}> ."


TITLE = "<http://purl.org/dc/terms/title>"
ISSUED = "<http://purl.org/dc/terms/issued>"
SAME = "<http://www.w3.org/2002/07/owl#sameAs>"


@pytest.fixture(scope="module")
def families() -> Sequence[Family]:
    return families_in(ACTS)


@pytest.fixture(scope="module")
def statements(families: Sequence[Family]) -> Statements:
    return Statements.union(statements_of(each, as_of=AS_OF, base=BASE) for each in families)


@pytest.mark.parametrize("form", list(Format))
@pytest.mark.parametrize("packed", [False, True])
def test_files_of_every_format_are_read(tmp_path, families, statements, form, packed) -> None:
    data = write(statements, form)
    path = tmp_path / f"acts.{form.extension}{'.gz' * packed}"
    path.write_bytes(gzip.compress(data) if packed else data)
    read = Read(path, rejects=tmp_path / "rejects.nq")
    assert read.families == families
    assert [each.shared for each in read.families] == [each.shared for each in families]
    assert (read.findings, read.kept) == ([], [])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_standard_input_is_read(monkeypatch, families, statements) -> None:
    data = gzip.compress(write(statements, Format.NQUADS))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert Read("-").families == families


def test_several_sources_are_one(families, statements) -> None:
    lines = write(statements, Format.NQUADS).splitlines(keepends=True)
    halves = [io.BytesIO(b"".join(lines[start::2])) for start in (0, 1)]
    assert Read(*halves, form="nquads").families == families


def test_families_are_built_in_other_processes(families, statements) -> None:
    with open_rdf_source([[write(statements, Format.NQUADS)]]) as source:
        groups = pickle.loads(pickle.dumps(tuple(source.groups())))
        found = [family for group in groups for family in source.settle(build_rdf(group))]
        source.finish()
    assert tuple(found) == families


# What is said of a law, and what is read of it: the rest is kept, with the codes of its findings.
FOREIGN = [
    ("a class", "a <https://schema.org/Legislation>", "LX981"),
    ("a property", 'dcterms:abstract "x"', "LX981"),
    ("an identifier of somebody else's", 'dcterms:identifier "L. 456/2003"', "LX987"),
    ("a date that the name does not have", 'lexo:date "2003-09-22"^^xsd:date', "LX987"),
    ("a class that the name is not of", "a lexo:Expression", "LX987"),
    ("a version that nobody describes", f"frbr:realization <{LAW}@2005-01-01>", "LX987"),
    ("a page that is the same", "owl:sameAs <https://example.org/456>", "LX981"),
    ("a node without a name", "frbr:part [ ]", "LX981"),
    ("a law that replaces it", f"dcterms:isReplacedBy <{ALIAS}>", "LX981"),
    ("a page that replaces it", "dcterms:isReplacedBy <https://example.org/456>", "LX981"),
    ("a term of older graphs", f"lexo:annexOf <{LAW}>", "LX981"),
]


@pytest.mark.parametrize(
    ("text", "code"), [each[1:] for each in FOREIGN], ids=[each[0] for each in FOREIGN]
)
def test_what_is_not_ours_is_kept_aside(tmp_path, text, code) -> None:
    read = turtle(f'<{LAW}> dcterms:title "Legge"@it ; {text} .', tmp_path / "rejects.nq")
    (family,) = read.families
    assert [title.value for title in family.records[0].titles] == ["Legge"]
    assert read.codes == [code]
    assert (read.source.rejected, len(read.kept)) == (1, 2)
    assert read.kept[0].startswith(f"<{LAW}> ")


# What is said of the record of a law.
RECORD = f"<{LAW}#record>"
MODIFIED = (
    '<http://purl.org/dc/terms/modified> "2024-01-02"^^<http://www.w3.org/2001/XMLSchema#date>'
)
TOPIC = "<http://xmlns.com/foaf/0.1/primaryTopic>"
RECORDS = [
    ("its type", f"{RECORD} a dcat:CatalogRecord", []),
    ("its topic", f"{RECORD} {TOPIC} <{LAW}>", []),
    ("another topic", f"{RECORD} {TOPIC} <{ALIAS}>", ["LX987"]),
    ("a property of the law", f'{RECORD} dcterms:title "Legge"', ["LX981"]),
    ("another class", f"{RECORD} a lexo:Work", ["LX981"]),
]


@pytest.mark.parametrize(
    ("text", "codes"), [each[1:] for each in RECORDS], ids=[each[0] for each in RECORDS]
)
def test_a_record_is_read_with_its_name(tmp_path, text, codes) -> None:
    read = turtle(f"{RECORD} {MODIFIED} . {text} .", tmp_path / "rejects.nq")
    (family,) = read.families
    (record,) = family.records
    assert record == Record(name=parse(LAW), modified=dt.date(2024, 1, 2))
    assert read.codes == codes
    assert read.source.rejected == len(codes)


@pytest.mark.parametrize("form", list(Format))
def test_a_withdrawn_alias_is_read_with_what_replaces_it(form) -> None:
    records = (
        Record(name=parse(LAW)),
        Record(name=parse(f"{LAW}@original")),
        Record(name=parse(ALIAS), alias_of=parse(LAW), status=Status.WITHDRAWN),
        Record(name=parse(f"{ALIAS}@original")),
    )
    (family,) = families_of(records)
    data = write(statements_of(family, as_of=AS_OF, base=BASE), form)
    read = Read(io.BytesIO(data), form=form.extension)
    assert (read.families, read.findings) == ((family,), [])


# What is said of a law that cannot be read, next to an issue that can: the name is kept aside.
PAGE = "<http://xmlns.com/foaf/0.1/page>"
LICENSE = "<http://purl.org/dc/terms/license>"
OTHER_DAY = '"2003-09-22"^^<http://www.w3.org/2001/XMLSchema#date>'
BROKEN = [
    ("a day that is none", line(f"<{LAW}>", ISSUED, '"2003-02-30"'), "LX983"),
    ("two days", line(f"<{LAW}>", ISSUED, OTHER_DAY), "LX983"),
    ("an IRI with a blank", line(f"<{LAW}>", PAGE, "<http://a b>"), "LX980"),
    ("an IRI that is none", line(f"<{LAW}>", PAGE, "<http://a:b>"), "LX980"),
    ("half a line", f'<{LAW}> {TITLE} "Legge', "LX980"),
    ("a text as a licence", line(f"<{LAW}>", LICENSE, '"free"'), "LX983"),
    ("an alias of nothing", line(f"<{LAW}>", SAME, "<urn:lex:it:stato>"), "LX983"),
]


@pytest.mark.parametrize(
    ("text", "code"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN]
)
def test_a_name_that_cannot_be_read_stops_no_other(tmp_path, text, code) -> None:
    day = '"2003-09-21"^^<http://www.w3.org/2001/XMLSchema#date>'
    issued = line(f"<{LAW}>", ISSUED, day)
    other = line(f"<{LAW}@2005-01-01>", TITLE, '"Testo"@it')
    read = nquads(issued, text, other, rejects=tmp_path / "rejects.nq")
    (family,) = read.families
    assert read.names() == [LAW, f"{LAW}@2005-01-01"]
    assert family.record(parse(LAW)).issued is None
    assert code in read.codes
    assert sorted(filter(None, read.kept)) == sorted([issued, text])


def test_a_name_that_is_none_is_said_once(tmp_path) -> None:
    lines = [line("<urn:lex:it:stato>", TITLE, f'"{n}"') for n in range(3)]
    read = nquads(*lines, rejects=tmp_path / "rejects.nq")
    assert read.codes == ["LX982"]
    assert (len(read.findings), read.source.counts["LX982"]) == (1, 3)
    assert read.kept == [*lines, ""]


def test_bytes_that_are_no_text_are_kept_as_they_are(tmp_path) -> None:
    raw = b'<urn:lex:it:stato:legge:2003-09-21;1> <http://purl.org/dc/terms/title> "\xff" .\r\n'
    rejects = tmp_path / "rejects.nq"
    read = Read([raw * 2, b"\n# a comment\n"], rejects=None)
    assert (read.source.rejected, read.families) == (2, ())
    with open_rdf_source([[raw]], rejects=rejects) as source:
        assert tuple(source.families()) == ()
    assert rejects.read_bytes() == raw


def test_a_source_with_a_line_without_end_is_left_out_and_fills_no_memory(tmp_path) -> None:
    piece = b'<urn:lex:it:stato:legge:2003-09-21;1> <x:p> "' + b"x" * (1 << 20)
    good = f'<{LAW}> {TITLE} "Legge" .\n'.encode()
    source = io.BytesIO(good + piece * 40 + b"\n" + good.replace(b"456", b"457"))
    read = Read(source, form="nquads", rejects=tmp_path / "rejects.nq")
    assert (read.families, read.codes, read.kept) == ((), ["LX986"], [])
    assert "a line of more than" in read.findings[0].message
    assert source.tell() < 20 * (1 << 20)


# Sources that cannot be read to the end are left out whole.
UNREADABLE = [
    ("turtle", f'<{LAW}> <http://purl.org/dc/terms/title> "a" , <x y> .', "line 1"),
    ("jsonld", json.dumps({"@id": LAW, "x:p": "a"})[:-1], "not application/ld"),
    ("jsonld", "[" * 600 + "]" * 600, "deep"),
    (
        "jsonld",
        '{"@context": "https://example.org/c", "@id": "x:a", "p": "v"}',
        "nothing is fetched",
    ),
    ("rdfxml", f'<!DOCTYPE a [<!ENTITY b "{"c" * 300}">]><a/>', "entity"),
    ("rdfxml", '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a/>', "entity"),
    ("trig", "<x:g> { <x:a> <x:b> ", "application/trig"),
]


@pytest.mark.parametrize(("form", "text", "said"), UNREADABLE)
def test_a_source_that_cannot_be_read_is_left_out_whole(tmp_path, form, text, said) -> None:
    bad = tmp_path / f"bad.{Format.from_name(form).extension}"
    bad.write_text(text, encoding="utf-8")
    good = tmp_path / "good.nq"
    good.write_text(f'<{LAW}> {TITLE} "Legge" .\n', encoding="utf-8")
    read = Read(bad, good)
    assert read.names() == [LAW]
    assert read.codes == ["LX986"]
    assert said in read.findings[0].message
    assert read.source.left_out == (str(bad),)


def test_findings_name_nodes_and_only_invalid_lines_have_a_number(tmp_path) -> None:
    files = [tmp_path / name for name in ("a.nq", "b.ttl", "c.jsonld", "d.ttl", "e.nq.gz")]
    line = "<urn:x:s{0}> <urn:x:{0}> <urn:x:{0}> .\n"
    files[0].write_text("\n" + line.format(0) + "no statement\n", encoding="utf-8")
    files[1].write_text("\n\n" + line.format(1), encoding="utf-8")
    wrong = {"@id": LAW, "http://purl.org/dc/terms/title": {"@value": "a", "@language": "it_IT"}}
    files[2].write_text(json.dumps(wrong), encoding="utf-8")
    files[3].write_text(line.format(3) + "<urn:x", encoding="utf-8")
    files[4].write_bytes(gzip.compress(line.format(4).encode(), mtime=0)[:12])
    findings = Read(*files).findings
    assert [(each.code, each.location) for each in findings] == [
        ("LX981", str(files[0])),
        ("LX980", f"{files[0]}:3"),
        ("LX981", str(files[1])),
        ("LX980", str(files[2])),
        ("LX981", str(files[3])),
        ("LX986", str(files[3])),
        ("LX986", str(files[4])),
        ("LX983", str(files[2])),
    ]
    assert [each.text[:9] for each in findings] == [
        "<urn:x:s0", "no statem", "<urn:x:s1", f"<{LAW}"[:9], "<urn:x:s3", "", "", ""
    ]  # fmt: skip


def test_a_packed_file_that_was_cut_is_left_out_whole(tmp_path, statements) -> None:
    path, rejects = tmp_path / "acts.nq.gz", tmp_path / "rejects.nq"
    foreign = b'<x:a> <x:b> "c" .\n' * 100_000
    data = gzip.compress(foreign + write(statements, Format.NQUADS), mtime=0)
    path.write_bytes(data[: len(data) // 2])
    read = Read(path, rejects=rejects)
    assert (read.families, read.codes, read.source.rejected) == ((), ["LX981", "LX986"], 0)
    assert "too early" in read.findings[-1].message
    assert not rejects.exists()


def test_large_json_is_read_as_it_comes(tmp_path) -> None:
    node = {
        "@id": LAW,
        TITLE[1:-1]: ["x" * 1000 + str(n) for n in range(17000)],
    }
    path = tmp_path / "large.jsonld"
    path.write_text(json.dumps({"@graph": [node]}), encoding="utf-8")
    (family,) = Read(path).families
    assert len(family.records[0].titles) == 17000
    linked = {"@context": CONTEXT_URL, "@graph": [{"id": LAW, "title": {"it": node[TITLE[1:-1]]}}]}
    path.write_text(json.dumps(linked), encoding="utf-8")
    assert len(Read(path).families[0].records[0].titles) == 17000


def test_json_with_our_context_by_its_url(tmp_path, families, statements) -> None:
    path = tmp_path / "acts.jsonld"
    path.write_bytes(write(statements, Format.JSONLD, context=CONTEXT_URL))
    assert Read(path).families == families
    own = {"x": "https://example.org/x"}
    text = {"@context": [own, "https://w3id.org/lexurn/context.jsonld"], "id": LAW, "x": "y"}
    read = Read(io.BytesIO(json.dumps(text).encode()), form="jsonld")
    assert read.codes == ["LX981"]


def test_digests_without_a_name_are_read() -> None:
    text = f"""
    <{LAW}> lexo:item <https://law.example/a.pdf> .
    <https://law.example/a.pdf> a lexo:Item ; dcat:byteSize 5 ; spdx:checksum [
      a spdx:Checksum ; spdx:algorithm spdx:checksumAlgorithm_sha256 ;
      spdx:checksumValue "{DIGEST}"^^xsd:hexBinary ] .
    """
    (family,) = turtle(text).families
    (item,) = family.records[0].items
    assert (item.url, item.bytes, item.sha256) == ("https://law.example/a.pdf", 5, DIGEST)


def test_a_broken_digest_leaves_the_name_in_peace(tmp_path) -> None:
    text = f"""
    <{LAW}> lexo:item <https://law.example/a.pdf> ; dcterms:title "Legge"@it .
    <https://law.example/a.pdf> a lexo:Item ; spdx:checksum <x:sum> .
    <x:sum> a spdx:Checksum ; spdx:checksumValue "ab" .
    """
    read = turtle(text, tmp_path / "rejects.nq")
    (family,) = read.families
    assert family.records[0].titles
    assert [item.url for item in family.records[0].items] == ["https://law.example/a.pdf"]
    assert read.codes == ["LX983"]
    assert len(read.kept) == 5


@pytest.mark.parametrize("digits", [str(1 << 63), "9" * 23, "9" * 5000])
@pytest.mark.parametrize(
    ("node", "predicate", "kind"),
    [
        (URL, "<http://www.w3.org/ns/dcat#byteSize>", "nonNegativeInteger"),
        (LAW, "<https://w3id.org/lexurn/ns#versionOrder>", "integer"),
    ],
)
def test_numbers_too_large_to_be_kept_are_kept_aside(
    tmp_path, node, predicate, kind, digits
) -> None:
    other = line(f"<{LAW}@2005-01-01>", "<https://w3id.org/lexurn/ns#item>", f"<{URL}>")
    value = f'"{digits}"^^<http://www.w3.org/2001/XMLSchema#{kind}>'
    wrong = line(f"<{node}>", predicate, value)
    file = tmp_path / "acts.nq"
    file.write_text(f"{other}\n{wrong}\n", encoding="utf-8")
    said = loaded(file)
    assert "LX983" in said
    assert "Traceback" not in said
    rejects = (tmp_path / "acts.rejects.nq").read_text("utf-8")
    assert rejects == f"{wrong}\n"
    with open_catalogue(tmp_path / "law") as catalogue:
        assert "".join(held(catalogue)).count(f"<{URL}>") > 0


def test_copies_that_no_name_has_are_kept_aside(tmp_path) -> None:
    size = line("<https://law.example/a.pdf>", "<http://www.w3.org/ns/dcat#byteSize>", '"5"')
    read = nquads(line(f"<{LAW}>", TITLE, '"Legge"'), size, rejects=tmp_path / "rejects.nq")
    assert (read.codes, read.kept) == (["LX985"], [size, ""])


def test_a_copy_of_two_works_is_shared() -> None:
    item, url = "<https://w3id.org/lexurn/ns#item>", "https://law.example/gazette.pdf"
    size = line(
        f"<{url}>",
        "<http://www.w3.org/ns/dcat#byteSize>",
        '"5"^^<http://www.w3.org/2001/XMLSchema#integer>',
    )
    laws = [f"urn:lex:it:stato:legge:2003-09-21;{n}" for n in (1, 2)]
    read = nquads(size, *(line(f"<{law}>", item, f"<{url}>") for law in laws))
    assert [str(family.key) for family in read.families] == laws
    assert {family.shared for family in read.families} == {frozenset({url})}
    assert {family.records[0].items[0].bytes for family in read.families} == {5}


# Aliases that contradict each other are kept aside; the names that they join are read.
TORN = [
    ("a loop", [(LAW, ALIAS), (ALIAS, LAW)]),
    ("a chain", [(LAW, ALIAS), (ALIAS, f"{LAW}bis")]),
    ("to itself", [(LAW, LAW)]),
    ("across levels", [(LAW, f"{ALIAS}@2005-01-01")]),
]


@pytest.mark.parametrize("pairs", [each[1] for each in TORN], ids=[each[0] for each in TORN])
@pytest.mark.parametrize("layer", [True, False])
def test_aliases_that_cannot_be(tmp_path, pairs, layer) -> None:
    lines = [f"<{one}> {SAME} <{two}> ." for one, two in pairs]
    if layer:
        lines = [line(f"<{one}>", SAME, f"<{two}>") for one, two in pairs]
    read = nquads(*lines, rejects=tmp_path / "rejects.nq")
    assert read.codes == ["LX984"]
    assert {one for one, _ in pairs} <= set(read.names())
    graph = {each.rstrip("\n") for each in lines_of(read.families)}
    assert set(filter(None, read.kept)) == set(lines) - graph
    assert read.kept


def test_a_long_loop_of_aliases_ends() -> None:
    laws = [f"urn:lex:it:stato:legge:2003-09-21;{n}" for n in range(3000)]
    pairs = zip(laws, [*laws[1:], laws[0]], strict=True)
    read = nquads(*(line(f"<{one}>", SAME, f"<{two}>") for one, two in pairs))
    assert read.codes == ["LX984"]
    assert read.source.rejected > 0


def test_an_alias_set_that_is_too_large_is_kept_aside() -> None:
    identifier = "<http://purl.org/dc/terms/identifier>"
    names = (f"{LAW}~art{n}" for n in range(100_001))
    pieces = (
        f"{line(f'<{name}>', identifier, '0', 'decoded')}\n".replace(" 0 ", ' "0" ').encode()
        for name in names
    )
    with open_rdf_source([pieces]) as source:
        assert tuple(source.families()) == ()
    assert source.counts == {"LX984": 100_001}


def test_names_in_other_spellings_are_one(tmp_path) -> None:
    upper = LAW.replace("urn:lex:it", "URN:LEX:IT")
    text = f'<{upper}> dcterms:title "Legge"@it . <{LAW}> dcterms:issued "2003-09-21"^^xsd:date .'
    (family,) = turtle(text).families
    assert (len(family.records), family.records[0].issued.year) == (1, 2003)
    torn = text.replace("dcterms:title", 'dcterms:issued "2003-09-22"^^xsd:date ; dcterms:title')
    read = turtle(torn, tmp_path / "rejects.nq")
    assert (read.families, read.codes, len(read.kept)) == ((), ["LX983"], 4)


def test_blank_nodes_of_two_sources_are_not_one() -> None:
    def source(number: int) -> io.BytesIO:
        law, url = f"<{LAW}{number}>", f"<https://law.example/{number}>"
        spdx = "http://spdx.org/rdf/terms#"
        said = [
            f"{law} <https://w3id.org/lexurn/ns#item> {url} .",
            f"{url} <{spdx}checksum> _:sum .",
            f"_:sum <{spdx}algorithm> <{spdx}checksumAlgorithm_sha256> .",
            f'_:sum <{spdx}checksumValue> "{str(number) * 64}" .',
        ]
        return io.BytesIO("\n".join(said).encode())

    read = Read(source(1), source(2), form="ntriples")
    digests = [record.items[0].sha256 for family in read.families for record in family.records]
    assert digests == ["1" * 64, "2" * 64]


@pytest.mark.parametrize(
    ("sources", "options", "said"),
    [
        ([], {}, "no source"),
        (["nowhere.nq"], {}, "nowhere.nq: cannot be opened"),
        (["acts.xyz"], {}, "acts.xyz: unknown format"),
        (["acts"], {}, "unknown format"),
        (["acts.nq"], {"rejects": "acts.nq"}, "the source itself"),
        (["acts.nq"], {"rejects": "nowhere/rejects.nq"}, "no folder"),
        (["acts.nq"], {"rejects": "acts.xyz"}, 'must contain the word "reject"'),
        (["acts.nq"], {"rejects": "."}, "not a regular file"),
        (["acts.nq"], {"format": "csv"}, "unknown format"),
    ],
)
def test_what_cannot_be_opened_is_said(tmp_path, monkeypatch, sources, options, said) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("acts.nq", "acts.xyz", "acts"):
        Path(name).write_text("<x:a> <x:b> <x:c> .\n", encoding="utf-8")
    with pytest.raises(LexurnError, match=said):
        open_rdf_source(sources, **options)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["acts", "acts.nq", "acts.xyz"]


def test_sources_are_read_once() -> None:
    with open_rdf_source([[b""]]) as source:
        assert tuple(source.families()) == ()
        with pytest.raises(CatalogueError, match="Open them again"):
            tuple(source.families())


def test_a_rejects_file_of_an_earlier_run_is_replaced_or_removed(tmp_path) -> None:
    rejects = tmp_path / "rejects.nq"
    foreign = "<x:a> <x:b> <x:c> ."
    assert nquads(foreign, rejects=rejects).kept == [foreign, ""]
    assert nquads(f"<{LAW}> {TITLE} 'x' .".replace("'", '"'), rejects=rejects).kept == []
    assert list(tmp_path.iterdir()) == []


def test_two_runs_with_one_rejects_file_do_not_meet(tmp_path) -> None:
    rejects, mine = tmp_path / "rejects.nq", tmp_path / "mine"
    mine.write_bytes(b"mine")
    (tmp_path / ".rejects.nq.part").symlink_to(mine)
    lines = [b'<x:a> <x:b> "one" .\n', b'<x:a> <x:b> "other" .\n']
    with (
        open_rdf_source([lines[:1]], rejects=rejects) as one,
        open_rdf_source([lines[1:]], rejects=rejects) as other,
    ):
        for source, kept in ((one, lines[0]), (other, lines[1])):
            assert tuple(source.families()) == ()
            assert rejects.read_bytes() == kept
    assert mine.read_bytes() == b"mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == [".rejects.nq.part", "mine", "rejects.nq"]


def test_progress_is_told(statements) -> None:
    told: list[int] = []
    data = write(statements, Format.NQUADS)
    with open_rdf_source([[data] * 3], on_progress=told.append) as source:
        tuple(source.families())
    assert told == [10_000, 3 * data.count(b"\n")]


def loaded(*files: Path) -> str:
    place = str(files[0].parent / "law")
    done = CliRunner().invoke(main, ["catalogue", "load", *map(str, files), "-c", place])
    assert done.exit_code == 1
    return done.stderr


def test_lines_that_are_no_statements_count_among_all(tmp_path) -> None:
    table = tmp_path / "acts.nq"
    table.write_text("name,title\n" * 50, encoding="utf-8")
    read = Read(table)
    assert (read.source.rejected, read.source.statements) == (50, 50)
    mixed = tmp_path / "mixed.nq"
    mixed.write_text(f'name,title\n<{LAW}> {TITLE} "Legge" .\n', encoding="utf-8")
    read = Read(mixed)
    assert (read.source.rejected, read.source.statements) == (1, 2)
    assert "51 of 52 statements rejected: 51 errors" in loaded(table, mixed)


def test_files_that_were_left_out_are_counted_apart(tmp_path) -> None:
    cut, bad = tmp_path / "acts.nq.gz", tmp_path / "bad.nq"
    cut.write_bytes(gzip.compress(b"no statement\n" * 10_000, mtime=0)[:-9])
    bad.write_text("no statement\n", encoding="utf-8")
    assert "\n1 of 1 files left out: " in loaded(cut)
    assert "1 of 1 statements rejected, 1 of 2 files left out: " in loaded(cut, bad)


def test_families_come_by_their_keys_whatever_their_aliases_are_called() -> None:
    """Of acts that are aliases at several levels the canonical one counts, local dates or not."""
    canonical, alias = "urn:lex:it:a:a:a;lex-1", "urn:lex:aa:a:a:0001-01-01|;a"
    records = [
        Record(name=parse("urn:lex:it:a:a:0001-01-01;1")),
        Record(name=parse(alias), alias_of=parse(canonical)),
        Record(name=parse(f"{canonical}@original"), alias_of=parse(f"{alias}@original")),
    ]
    families = families_of(records)
    assert nquads(*(each.rstrip() for each in lines_of(families))).families == families
