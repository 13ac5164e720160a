from __future__ import annotations

import json
from pathlib import Path
from unicodedata import normalize

import pyoxigraph
from hypothesis import given
from hypothesis import strategies as st
from sizes import one_in

from lexurn import data
from lexurn.registry import Entry, Kind, Label, Lexicon, load_registry, make_key, make_scheme_iri
from lexurn.registry.entries import EntryRows, make_keys, write_row
from lexurn.registry.overlay import build_overlay, insert_entry
from lexurn.registry.source import SourceFile, locate_statements, parse_source, read_entries

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
SLUGS = st.from_regex(r"\A[a-z]{1,4}(\.[a-z]{1,3})?\Z")
LABELS = st.lists(
    st.builds(Label, text=TEXTS, language=st.sampled_from(["it", "de", "pt-br"])), max_size=3
).map(lambda listed: tuple(sorted(set(listed))))


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    kind = draw(st.sampled_from([Kind.AUTHORITY, Kind.MEASURE, Kind.CONNECTIVE, Kind.MONTH]))
    scope, slug = draw(st.sampled_from(["it", "de"])), draw(SLUGS)
    return Entry(
        kind=kind,
        scope=scope,
        iri=f"{make_scheme_iri(kind, scope)}/{slug}",
        notation=draw(SLUGS),
        labels=draw(LABELS),
        forms=draw(LABELS),
        abbreviations=draw(LABELS),
        issuer=draw(st.none() | SLUGS),
        titled=draw(st.booleans()),
        obsolete=draw(st.booleans()),
        valid_from=draw(st.none() | st.dates().map(str)),
        qualifies=draw(st.lists(SLUGS, max_size=2).map(lambda listed: tuple(sorted(set(listed))))),
        sources=draw(st.sampled_from([(), ("https://law.example/a",)])),
    )


@given(st.text())
def test_a_key_is_its_own_key(text: str) -> None:
    key = make_key(text)
    assert make_key(key) == key
    assert key == " ".join(key.split())


@given(TEXTS)
def test_case_and_blanks_make_no_other_key(text: str) -> None:
    assert make_key(f" {text}  ") == make_key(text)
    assert make_key(text.casefold()) == make_key(text)


@given(st.lists(entries(), max_size=4))
def test_everything_an_entry_is_called_finds_it(listed: list[Entry]) -> None:
    lexicon = Lexicon(listed)
    for entry in listed:
        for text in entry.texts:
            if make_keys(text):
                assert entry in lexicon.find(text)


@given(entries())
def test_a_row_is_read_back(entry: Entry) -> None:
    assert EntryRows([write_row(entry)], entry.kind, entry.scope)[0] == entry


def _with(listed: list[Entry]) -> str:
    text = ""
    for entry in listed:
        source = (
            parse_source("own.ttl", text)
            if text
            else SourceFile(file="own.ttl", text="", subjects={})
        )
        assert isinstance(source, SourceFile)
        after = insert_entry(source, entry)
        assert isinstance(after, str)
        text = after
    return text


@given(st.lists(entries(), max_size=3, unique_by=lambda entry: entry.iri), st.randoms())
def test_what_is_added_is_read_back_sorted_in_any_order(
    listed: list[Entry], random: object
) -> None:
    text = _with(listed)
    assert set(read_entries(text)) == {_normal(entry) for entry in listed}
    shuffled = list(listed)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert _with(shuffled) == text


def _normal(entry: Entry) -> Entry:
    """The entry as Turtle has it: texts in NFC."""
    (read,) = read_entries(_with([entry]))
    assert read.labels == tuple(
        sorted({Label(text=normalize("NFC", e.text), language=e.language) for e in entry.labels})
    )
    for name in ("kind", "iri", "scope", "notation", "issuer", "titled", "obsolete", "valid_from"):
        assert getattr(read, name) == getattr(entry, name)
    return read


@given(entries())
def test_what_is_added_twice_changes_nothing(entry: Entry) -> None:
    assert _with([entry, entry]) == _with([entry])


def _files() -> list[Path]:
    ontology = data.find_folder("ontology")
    return [*sorted(ontology.rglob("*.ttl")), *sorted(data.find_folder("shapes").glob("*.ttl"))]


def test_places_agree_with_what_an_engine_reads() -> None:
    for file in _files()[:: one_in(3)]:
        text = file.read_text("utf-8")
        found = {
            (each.subject, verb, value)
            for each in locate_statements(text).statements
            for verb, value, _ in each.values
            if each.subject
        }
        read = {
            (quad.subject.value, quad.predicate.value, quad.object.value)
            for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)
            if isinstance(quad.subject, pyoxigraph.NamedNode)
            and isinstance(quad.object, pyoxigraph.NamedNode | pyoxigraph.Literal)
        }
        assert found == read, file


@given(st.text())
def test_places_are_found_in_any_text(text: str) -> None:
    for each in locate_statements(text).statements:
        assert 0 <= each.start < each.end <= len(text)
        assert 1 <= each.line <= text.count("\n") + 1


BODIES = [
    json.loads(line)["body"]
    for line in (Path(__file__).parents[1] / "cases" / "registry_broken.jsonl")
    .read_text("utf-8")
    .splitlines()
]
PREFIXES = "".join(
    f"@prefix {prefix}: <{namespace}> .\n"
    for prefix, namespace in [
        ("dcterms", "http://purl.org/dc/terms/"),
        ("owl", "http://www.w3.org/2002/07/owl#"),
        ("reg", "https://w3id.org/lexurn/registry/ns#"),
        ("skos", "http://www.w3.org/2004/02/skos/core#"),
        ("xsd", "http://www.w3.org/2001/XMLSchema#"),
    ]
)
PIECES = st.sampled_from(["", " ", "\n", '"', "<", ">", ".", ";", "[", "a", "%", "\\", "@it", "é"])


@given(st.lists(st.sampled_from(BODIES), min_size=1, max_size=3), st.data())
def test_any_file_is_read_or_refused_with_a_line(bodies: list[str], data: st.DataObject) -> None:
    text = PREFIXES + "\n".join(bodies)
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(len(PREFIXES), len(text)))
        text = text[:at] + data.draw(PIECES) + text[at + data.draw(st.integers(0, 2)) :]
    source = parse_source("own.ttl", text)
    if isinstance(source, SourceFile):
        known, findings = build_overlay([source])
        assert (known is load_registry()) == any(each.is_error for each in findings)
    else:
        findings = (source,)
    for each in findings:
        assert 1 <= each.line <= text.count("\n") + 1
        assert each.message
