"""Dumps: a whole catalogue as one file, in canonical bytes, which can be loaded again."""

from __future__ import annotations

import gzip
import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from catalogue_parts import AS_OF, families_in, lines_of
from click.testing import CliRunner

from lexurn.catalogue import LoadOptions, dump, load, open_catalogue, open_rdf_source
from lexurn.cli import main
from lexurn.errors import CatalogueError
from lexurn.graph import Format, read
from lexurn.name import parse
from lexurn.store.embedded import EmbeddedStore
from lexurn.vocabulary import CONTEXT_URL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.catalogue import Catalogue
    from lexurn.model import Family

ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
BASE = "https://law.example"
FORMATS = ["nquads", "ntriples", "turtle", "trig", "jsonld"]
LAW = "<urn:lex:it:stato:legge:2003-09-21;456>"


@pytest.fixture(scope="module")
def families() -> Sequence[Family]:
    return families_in(ACTS)


@pytest.fixture(scope="module")
def place(tmp_path_factory, families) -> str:
    place = tmp_path_factory.mktemp("dump") / "c"
    with open_catalogue(place, write=True, base=BASE) as catalogue:
        load(catalogue, families, LoadOptions(as_of=AS_OF))
    return str(place)


@pytest.fixture(scope="module")
def catalogue(place) -> Iterator[Catalogue]:
    with open_catalogue(place) as catalogue:
        yield catalogue


def written(store: object, form: str) -> bytes:
    target = io.BytesIO()
    size = dump(store, target, form)
    assert size == len(target.getvalue())
    return target.getvalue()


def store_of(*lines: str) -> EmbeddedStore:
    store = EmbeddedStore(None)
    store.fill("".join(f"{line}\n" for line in lines).encode())
    return store


def test_quads_are_sorted_and_none_is_lost(catalogue, families) -> None:
    assert written(catalogue.store, "nquads") == "".join(lines_of(families, BASE)).encode()


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_all_and_is_read_back(catalogue, families, form) -> None:
    data = written(catalogue.store, form)
    said = read(data, Format.from_name(form))
    assert said.merged == read("".join(lines_of(families, BASE)).encode(), Format.NQUADS).merged
    with open_rdf_source([io.BytesIO(data)], format=form) as source:
        assert tuple(source.families()) == families
    assert source.rejected == 0


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_store_gives_an_empty_document(form) -> None:
    data = written(EmbeddedStore(None), form)
    assert read(data, Format.from_name(form)).merged == ()
    assert data == b"" or form == "jsonld"


def test_works_stand_together_in_documents(catalogue, families) -> None:
    text = written(catalogue.store, "turtle").decode()
    heads = [line[1:-1] for line in text.split("\n") if line.startswith("<urn:lex:")]
    keys = {str(r.name): str(family.key) for family in families for r in family.records}
    order = [keys[str(parse(head))] for head in heads]
    assert list(dict.fromkeys(order)) == sorted(set(order))
    assert order == sorted(order)


def test_a_prefix_is_declared_once(catalogue) -> None:
    for form in ("turtle", "trig"):
        lines = written(catalogue.store, form).decode().split("\n")
        prefixes = [line for line in lines if line.startswith("@prefix")]
        assert len(prefixes) == len(set(prefixes)) > 5


def test_json_is_one_document_with_one_context(catalogue) -> None:
    document = json.loads(written(catalogue.store, "jsonld"))
    assert set(document) == {"@context", "@graph"}
    assert document["@context"] == CONTEXT_URL
    assert not any("@context" in node for node in document["@graph"])


def test_json_with_its_context_inside_reads_offline(catalogue) -> None:
    target = io.BytesIO()
    dump(catalogue.store, target, "jsonld", inline_context=True)
    found = pyoxigraph.parse(target.getvalue(), format=pyoxigraph.RdfFormat.JSON_LD)
    triples = {tuple(map(str, quad.triple)) for quad in found}
    assert triples == set(read(written(catalogue.store, "jsonld"), Format.JSONLD).merged)


def test_what_our_context_would_misread_goes_without_it() -> None:
    layer = "<https://w3id.org/lexurn/ns#catalogued>"
    page = "<http://xmlns.com/foaf/0.1/page>"
    store = store_of(
        f"{LAW} {page} <dcterms:title> {layer} .",
        f"{LAW.replace('456', '457')} {page} <https://example.org/> {layer} .",
    )
    data = written(store, "jsonld")
    assert read(data, Format.JSONLD).merged == (
        (LAW, page, "<dcterms:title>"),
        (LAW.replace("456", "457"), page, "<https://example.org/>"),
    )
    assert [node.get("@context", 1) for node in json.loads(data)["@graph"]] == [None, 1]


@pytest.mark.parametrize("form", FORMATS)
def test_what_belongs_to_no_name_is_written_too(form) -> None:
    layer = "<https://w3id.org/lexurn/ns#catalogued>"
    store = store_of(
        f'<https://example.org/a> <http://www.w3.org/ns/dcat#byteSize> "5" {layer} .',
        f"{LAW} <https://w3id.org/lexurn/ns#item> <https://example.org/b> {layer} .",
        f"<https://example.org/b> <http://purl.org/vocab/frbr/core#exemplarOf> {LAW} {layer} .",
        f'<urn:lex:none> <http://purl.org/dc/terms/title> "none" {layer} .',
    )
    expected = read(b"".join(store.dump()), Format.NQUADS).merged
    assert read(written(store, form), Format.from_name(form)).merged == expected


@pytest.mark.parametrize("form", ["turtle", "trig", "jsonld"])
def test_a_store_with_what_no_document_can_hold_is_dumped_as_quads(form) -> None:
    layer = "<https://w3id.org/lexurn/ns#catalogued>"
    title = f'{LAW} <http://purl.org/dc/terms/title> "a"@it-a {layer} .'
    store = store_of(title)
    with pytest.raises(CatalogueError, match=r'"it-a" is not a language tag.*Dump it as N-Quads'):
        written(store, form)
    assert written(store, "nquads") == f"{title}\n".encode()


def test_packed_files_have_no_time_and_no_name(tmp_path, catalogue) -> None:
    one, two = tmp_path / "one.nq.gz", tmp_path / "two.nq.gz"
    for path in (one, two):
        dump(catalogue.store, path)
        os.utime(path, (0, 0))
    assert one.read_bytes() == two.read_bytes()
    assert one.read_bytes()[3:8] == bytes(5)  # no flags, no time
    assert gzip.decompress(one.read_bytes()) == written(catalogue.store, "nquads")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.nq.gz", "two.nq.gz"]


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.nq", "nquads"), ("a.nt", "ntriples"), ("a.ttl", "turtle"), ("a", "nquads")],
)
def test_the_name_says_the_format(tmp_path, catalogue, name, form) -> None:
    dump(catalogue.store, tmp_path / name)
    assert (tmp_path / name).read_bytes() == written(catalogue.store, form)


@pytest.mark.parametrize(
    ("name", "form", "said"),
    [
        ("a.csv", None, "unknown format"),
        ("a.nq", "rdfxml", "not a format for a catalogue"),
        ("none/a.nq", None, "its folder does not exist"),
        (".", "nquads", "its folder does not exist"),
    ],
)
def test_what_cannot_be_written_is_said(tmp_path, catalogue, name, form, said) -> None:
    with pytest.raises(CatalogueError, match=said):
        dump(catalogue.store, tmp_path / name, form)
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_fails_leaves_no_half_file(tmp_path) -> None:
    class Failing(EmbeddedStore):
        def dump(self) -> Iterator[bytes]:
            yield f'{LAW} <http://purl.org/dc/terms/title> "a" .\n'.encode()
            raise CatalogueError("the store is damaged")

    (tmp_path / "a.nq").write_bytes(b"before")
    with pytest.raises(CatalogueError, match="damaged"):
        dump(Failing(None), tmp_path / "a.nq")
    assert [file.name for file in tmp_path.iterdir()] == ["a.nq"]
    assert (tmp_path / "a.nq").read_bytes() == b"before"


class Meeting(EmbeddedStore):
    """A store that somebody else dumps to the same file meanwhile."""

    def __init__(self, target: Path, other: EmbeddedStore) -> None:
        super().__init__(None)
        self._target, self._other = target, other

    def dump(self) -> Iterator[bytes]:
        yield f'{LAW} <http://purl.org/dc/terms/title> "one" .\n'.encode()
        dump(self._other, self._target)
        yield f'{LAW} <http://purl.org/dc/terms/title> "two" .\n'.encode()


def test_two_dumps_to_one_file_are_each_whole(tmp_path) -> None:
    target = tmp_path / "a.ttl"
    title = "<http://purl.org/dc/terms/title>"
    other = store_of(f'{LAW} {title} "other" <https://w3id.org/lexurn/ns#catalogued> .')

    class Store(Meeting):
        def dump(self) -> Iterator[bytes]:
            for piece in super().dump():
                yield piece.replace(b" .\n", b" <https://w3id.org/lexurn/ns#catalogued> .\n")

    dump(Store(target, other), target)
    found = read(target.read_bytes(), Format.TURTLE).merged
    assert [value for _, _, value in found] == ['"one"', '"two"']
    assert [file.name for file in tmp_path.iterdir()] == ["a.ttl"]


@pytest.mark.parametrize("name", [".a.nq.part", "a.nq.part"])
def test_no_other_file_is_written_on_the_way(tmp_path, place, catalogue, name) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / name).symlink_to("mine")
    dump(catalogue.store, tmp_path / "a.nq")
    out = str(tmp_path / "a.nq")
    CliRunner().invoke(main, ["catalogue", "check", "-c", place, "--out", out])
    assert (tmp_path / "mine").read_bytes() == b"mine"
    assert (tmp_path / name).is_symlink()


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are those of POSIX")
@pytest.mark.parametrize("packed", [False, True])
def test_a_pipe_is_written_into(tmp_path, families, packed) -> None:
    lines = lines_of(families[:1])
    pipe = tmp_path / f"pipe.nq{'.gz' * packed}"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        dump(store_of(*(each.rstrip("\n") for each in lines)), pipe)
        data = os.read(reader, 1 << 16)
    finally:
        os.close(reader)
    assert (gzip.decompress(data) if packed else data) == "".join(lines).encode()
    assert pipe.is_fifo()


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are those of POSIX")
def test_a_report_is_written_into_a_pipe(tmp_path, place) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    arguments = ["catalogue", "check", "-c", place, "--format", "json", "--only", "LX970"]
    try:
        done = CliRunner().invoke(main, [*arguments, "--out", str(pipe)])
        data = os.read(reader, 1 << 16)
    finally:
        os.close(reader)
    assert done.exit_code == 0, done.output
    assert isinstance(json.loads(data), dict)
    assert pipe.is_fifo()
    done = CliRunner().invoke(main, [*arguments, "--out", str(tmp_path)])
    assert (done.exit_code, "is a folder. Name a file in it." in done.stderr) == (1, True)


def test_progress_is_told(catalogue) -> None:
    told: list[tuple[str, int]] = []
    size = dump(catalogue.store, io.BytesIO(), on_progress=lambda *what: told.append(what))
    assert [what for what, _ in told] == sorted(what for what, _ in told)
    assert told[-1] == ("writing", size)


def test_the_command_writes_to_standard_output_or_a_file(tmp_path, place, catalogue) -> None:
    data = written(catalogue.store, "nquads")
    result = CliRunner().invoke(main, ["catalogue", "dump", "-c", place])
    assert (result.exit_code, result.stdout_bytes) == (0, data)
    file = str(tmp_path / "a.ttl.gz")
    result = CliRunner().invoke(main, ["catalogue", "dump", file, "--catalogue", place])
    assert (result.exit_code, result.stdout) == (0, "")
    assert gzip.decompress(Path(file).read_bytes()) == written(catalogue.store, "turtle")
    result = CliRunner().invoke(main, ["catalogue", "dump", "-c", place, "--format", "turtle"])
    assert result.stdout_bytes == written(catalogue.store, "turtle")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["a.foo"], 2, "unknown format"),
        (["a.rdf"], 2, "not a format for a catalogue"),
        (["a.nq", "--format", "rdfxml"], 2, "rdfxml"),
        (["none/a.nq"], 1, "its folder does not exist"),
    ],
)
def test_the_command_says_what_is_wrong(
    tmp_path, monkeypatch, place, arguments, code, said
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["catalogue", "dump", "-c", place, *arguments])
    assert result.exit_code == code
    assert said in result.stderr
    assert list(tmp_path.iterdir()) == []


def files_in(folder: str) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    "name", ["given.sqlite", "store/CURRENT", "new.nq", "link/names.sqlite", "linked.nq"]
)
@pytest.mark.parametrize("verb", ["dump", "check"])
def test_no_file_of_a_catalogue_is_overwritten(tmp_path, families, verb, name) -> None:
    place = str(tmp_path / "law")
    with open_catalogue(place, write=True) as made:
        load(made, families[:2], LoadOptions(as_of=AS_OF))
    (tmp_path / "link").symlink_to(place, target_is_directory=True)
    (tmp_path / "linked.nq").symlink_to(Path(place) / "names.sqlite")
    file = str((tmp_path if name.startswith("link") else Path(place)) / name)
    before = files_in(place)
    target = [file, "--format", "nquads"] if verb == "dump" else ["--out", file]
    result = CliRunner().invoke(main, ["catalogue", verb, "-c", place, *target])
    assert result.exit_code == 1
    assert "is a catalogue" in result.stderr
    assert "Traceback" not in result.output
    after = files_in(place)
    assert {each: after.get(each) for each in before} == before
    assert Path(file).exists() is (file in before or name.startswith("link"))


def test_a_file_beside_a_catalogue_is_written(tmp_path, catalogue) -> None:
    (tmp_path / "catalogue.json").write_text("{}", encoding="utf-8")  # that alone is no catalogue
    dump(catalogue.store, tmp_path / "a.nq")
    assert (tmp_path / "a.nq").read_bytes() == written(catalogue.store, "nquads")
