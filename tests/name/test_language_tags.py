"""Language tags: what the engine takes for none comes in nowhere, and no store ever holds it."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from catalogue_parts import AS_OF, held, lines_of
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from lexurn.catalogue import LoadOptions, load, open_catalogue, open_rdf_source
from lexurn.cli import main
from lexurn.errors import GraphError, LexurnError
from lexurn.graph import Format, nquads_of, read
from lexurn.graph.statements import format_literal
from lexurn.manifest import open_manifest
from lexurn.model import LanguageText, Record, families_of, family_of
from lexurn.name import parse

if TYPE_CHECKING:
    from lexurn.manifest import Finding

LAW = "urn:lex:it:stato:legge:2003-09-21;456"
TITLE = "<http://purl.org/dc/terms/title>"
LAYER = "<https://w3id.org/lexurn/ns#catalogued>"
TAGS = ["it", "de-ch", "zh-hant", "es-419", "de-ch-1901", "x-house", "en-gb-oed", "i-klingon"]
NO_TAGS = ["it-a", "de-de-de", "abcd-abc", "a", "x", "en-x", "abcdefghi", "en-gb-us"]
PARTS = ["a", "x", "i", "it", "de", "abc", "latn", "1901", "rozaj", "419", "12", "gb", "oed"]


def family_titled(tag: str | None):
    title = LanguageText(value="Legge", language=tag)
    return family_of([Record(name=parse(LAW), titles=(title,))])


def line(tag: str) -> str:
    return f'<{LAW}> {TITLE} "Legge"@{tag} {LAYER} .'


def is_tag(text: str) -> bool:
    try:
        pyoxigraph.Literal("", language=text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("tag", [*NO_TAGS, "", "it-", "it_ch", "it\n", "it--ltr", "\ud800"])
def test_no_graph_is_written_with_what_is_no_tag(tag) -> None:
    with pytest.raises(GraphError, match="is not a language tag"):
        nquads_of(family_titled(tag), as_of=AS_OF)


@pytest.mark.parametrize("tag", NO_TAGS)
def test_a_line_with_what_is_no_tag_is_kept_aside(tmp_path, tag) -> None:
    findings: list[Finding] = []
    lines = [line("it").replace("456", "457"), line(tag), line("de").replace("456", "458")]
    data = io.BytesIO("".join(f"{each}\n" for each in lines).encode())
    rejects = tmp_path / "rejects.nq"
    with open_rdf_source(
        [data], format="nquads", rejects=rejects, on_finding=findings.append
    ) as source:
        keys = [str(family.key) for family in source.families()]
    assert keys == [LAW.replace("456", "457"), LAW.replace("456", "458")]
    # Of a name of which a line cannot be read nothing is read, and that is said too.
    assert [(each.code, each.line) for each in findings] == [("LX980", 2), ("LX983", 0)]
    assert f'"{tag}" is not a language tag' in findings[0].message
    assert rejects.read_text("utf-8") == f"{lines[1]}\n"


OTHER = LAW.replace("456", "457")
MAP = {"@id": TITLE[1:-1], "@container": "@language"}
JSON = {
    "a value": {TITLE[1:-1]: {"@value": "Legge", "@language": "it-a"}},
    "a map": {"@context": {"t": MAP}, "t": {"it-a": "Legge"}},
    "a default": {"@context": {"@language": "it-a"}, TITLE[1:-1]: "Legge"},
}


@pytest.mark.parametrize("node", JSON.values(), ids=JSON)
@pytest.mark.parametrize("size", [1, 17], ids=["small", "large"])
def test_json_with_what_is_no_tag_is_kept_aside(tmp_path, node, size) -> None:
    titles = [{"@value": f"{n:01000000}", "@language": "DE"} for n in range(size)]
    other = {"@id": OTHER, TITLE[1:-1]: titles}
    relative = {"@id": "no-iri", TITLE[1:-1]: "x"}
    data = json.dumps([{**node, "@id": LAW}, relative, other]).encode()
    findings: list[Finding] = []
    rejects = tmp_path / "rejects.nq"
    with open_rdf_source(
        [io.BytesIO(data)], format="jsonld", rejects=rejects, on_finding=findings.append
    ) as source:
        (family,) = source.families()
    assert (str(family.key), family.records[0].titles[0].language) == (OTHER, "de")
    assert source.left_out == ()
    assert [each.code for each in findings] == ["LX980", "LX983"]
    assert '"it-a" is not a language tag' in findings[0].message
    assert rejects.read_text("utf-8") == f'<{LAW}> {TITLE} "Legge"@it-a .\n'


@pytest.mark.parametrize("node", JSON.values(), ids=JSON)
def test_no_reader_drops_json_with_what_is_no_tag_in_silence(tmp_path, node) -> None:
    data = json.dumps({**node, "@id": LAW}).encode()
    said = f'"it-a" is not a language tag .*<{LAW}> {TITLE} "Legge"'
    with pytest.raises(GraphError, match=said):
        read(data, Format.JSONLD)
    path = tmp_path / "acts.jsonld"
    path.write_bytes(data)
    done = CliRunner().invoke(main, ["validate", str(path)])
    assert done.exit_code == 1
    assert f'error: {path}: not application/ld+json: "it-a" is not a language tag' in done.stderr


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("-".join))
def test_a_tag_is_one_in_json_where_it_is_one_in_turtle(tag) -> None:
    said = []
    for data, form in (
        (json.dumps({"@id": LAW, TITLE[1:-1]: {"@value": "x", "@language": tag}}), Format.JSONLD),
        (f'<{LAW}> {TITLE} "x"@{tag} .', Format.TURTLE),
    ):
        try:
            said.append(read(data.encode(), form).merged)
        except GraphError:
            said.append(None)
    assert said[0] == said[1]


def test_json_with_a_datatype_that_is_none_is_left_out() -> None:
    data = json.dumps({"@id": LAW, TITLE[1:-1]: {"@value": "x", "@type": "x:a b"}}).encode()
    with open_rdf_source([io.BytesIO(data)], format="jsonld") as source:
        assert tuple(source.families()) == ()
    assert source.left_out == ("-",)


@pytest.mark.parametrize("tag", TAGS)
def test_a_line_with_a_tag_is_read(tag) -> None:
    with open_rdf_source([[f"{line(tag)}\n".encode()]]) as source:
        assert tuple(source.families()) == (family_titled(tag),)
    assert source.rejected == 0


def test_a_load_says_what_is_no_tag_and_what_is_held_can_be_put_in_again(tmp_path) -> None:
    source, place = tmp_path / "acts.nq", str(tmp_path / "law")
    lines = [line(tag).replace("456", str(n)) for n, tag in enumerate([*NO_TAGS, *TAGS], 1)]
    source.write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
    done = CliRunner().invoke(main, ["catalogue", "load", str(source), "-c", place])
    assert done.exit_code == 1
    assert "Traceback" not in done.output
    assert f"{len(NO_TAGS)} of {len(lines)} statements rejected" in done.stderr
    with open_catalogue(place) as catalogue:
        stored = "".join(held(catalogue))
    assert sum(f'"Legge"@{tag} ' in stored for tag in TAGS) == len(TAGS)
    quads = list(pyoxigraph.parse(stored, format=pyoxigraph.RdfFormat.N_QUADS))
    assert len(quads) == stored.count("\n")


@pytest.mark.parametrize("tag", NO_TAGS)
def test_a_record_with_what_is_no_tag_is_refused_and_nothing_is_held_of_it(tmp_path, tag) -> None:
    with open_catalogue(tmp_path / "law", write=True) as catalogue:
        with pytest.raises(LexurnError, match="is not a language tag"):
            load(catalogue, [family_titled(tag)], LoadOptions(as_of=AS_OF))
        assert held(catalogue) == []
        load(catalogue, [family_titled("it")], LoadOptions(as_of=AS_OF))
        assert held(catalogue) == lines_of([family_titled("it")])


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("-".join))
@example("it")
@example("a")
def test_lines_literals_and_tables_know_the_same_tags(tag) -> None:
    right = is_tag(tag)
    try:
        assert format_literal("Legge", tag.upper()) == f'"Legge"@{tag}'
        written = True
    except GraphError:
        written = False
    with open_rdf_source([[f"{line(tag)}\n".encode()]]) as source:
        read = len(tuple(source.families()))
    table = f"urn,title@{tag}\n{LAW},Legge\n".encode()
    try:
        with open_manifest(io.BytesIO(table)) as manifest:
            found = families_of(
                record for family in manifest.families() for record in family.records
            )
        assert found == (family_titled(tag),)
        taken = True
    except LexurnError:
        taken = False
    assert (written, bool(read), taken) == (right, right, right)
