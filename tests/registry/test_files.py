from __future__ import annotations

import json
import os
from pathlib import Path

import pyoxigraph
import pytest

from lexurn import data, registry
from lexurn.findings import load_codes
from lexurn.registry import (
    Entry,
    Kind,
    Label,
    add_entry,
    compare_with_earlier,
    make_scheme_iri,
    open_registry,
    source,
)
from lexurn.registry.checks import PROPERTIES
from lexurn.shacl.bulk import run_bulk_engine
from lexurn.shacl.reference import run_reference_engine
from lexurn.shacl.shapes import load_shapes, parse_shapes

PREFIXES = " ".join(
    f"@prefix {prefix}: <{namespace}> ."
    for prefix, namespace in {
        "dcterms": "http://purl.org/dc/terms/",
        "owl": "http://www.w3.org/2002/07/owl#",
        "reg": registry.REGISTRY_BASE + "ns#",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
    }.items()
)
CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "registry_broken.jsonl")
    .read_text("utf-8")
    .splitlines()
]
SHAPES = parse_shapes(
    [(data.find_folder("shapes") / "registry" / "registry.ttl").read_text("utf-8")]
)
AUTHORITIES = make_scheme_iri(Kind.AUTHORITY, "it")
STATO = f"<{AUTHORITIES}/stato>"


def written(folder: Path, body: str, name: str = "own.ttl") -> Path:
    """A file whose body starts in line 1, behind the prefixes."""
    file = folder / name
    file.write_text(f"{PREFIXES} {body}", "utf-8")
    return file


def authority(slug: str, *lines: str, label: str = "") -> str:
    stated = (
        f'skos:notation "{slug}"',
        f'skos:prefLabel "{label or slug}"@it',
        "dcterms:source <https://law.example/>",
        *lines,
    )
    head = f"<{AUTHORITIES}/{slug}> a skos:Concept ;\n    skos:inScheme <{AUTHORITIES}> ;\n    "
    return head + " ;\n    ".join(stated) + " .\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["description"])
def test_what_is_wrong_is_said_with_its_line(case: dict[str, object], tmp_path: Path) -> None:
    file = written(tmp_path, str(case["body"]))
    known, findings = open_registry(file)
    assert [[each.code, each.line] for each in findings] == case["findings"]
    assert {each.file for each in findings} <= {str(file)}
    assert str(case.get("message", "")) in "".join(each.message for each in findings)
    assert (known is registry.load_registry()) == any(each.is_error for each in findings)
    for each in findings:
        assert each.severity == load_codes()[each.code].severity


def test_every_finding_has_a_case() -> None:
    of_files = {"LX901", "LX928", "LX929"}
    seen = {code for case in CASES for code, _ in case["findings"]}
    assert seen | of_files == {code for code in load_codes() if "LX901" <= code <= "LX929"}


def _violated(case: dict[str, object], *, quick: bool) -> set[str]:
    text = f"{PREFIXES} {case['body']}"
    quads = pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)
    triples = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.N_TRIPLES).decode()
    found = run_bulk_engine(triples, SHAPES) if quick else run_reference_engine(triples, SHAPES)
    return {each.shape.partition("#")[2] for each in found}


PARSED = [case for case in CASES if "LX902" not in {code for code, _ in case["findings"]}]


@pytest.mark.parametrize("case", PARSED, ids=lambda case: case["description"])
def test_shapes_see_what_is_wrong(case: dict[str, object]) -> None:
    assert _violated(case, quick=True) == set(case["shapes"])  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "case", [case for case in PARSED if case["shapes"]], ids=lambda case: case["description"]
)
def test_the_reference_engine_sees_the_same(case: dict[str, object]) -> None:
    assert _violated(case, quick=False) == set(case["shapes"])  # type: ignore[call-overload]


def test_every_shape_has_a_case() -> None:
    names = {iri.partition("#")[2] for iri in SHAPES.shapes}
    unseen = names - {shape for case in CASES for shape in case["shapes"]}
    assert unseen == set()


def test_shapes_of_the_registry_are_none_of_graphs() -> None:
    assert set(SHAPES.shapes).isdisjoint(load_shapes().shapes)
    assert "registry/shapes#" not in load_shapes().turtle


def test_every_property_of_the_vocabulary_is_known_to_checks_and_shapes() -> None:
    lead = registry.REGISTRY_BASE + "ns#"
    quads = pyoxigraph.parse(
        data.read_text("ontology/registry.ttl"), format=pyoxigraph.RdfFormat.TURTLE
    )
    facts: dict[str, set[str]] = {}
    for quad in quads:
        facts.setdefault(quad.subject.value, set()).add(quad.predicate.value.partition("#")[2])
    declared = {iri: stated for iri, stated in facts.items() if iri.startswith(lead)}
    of_entries = {each for each in PROPERTIES if each.startswith(lead)}
    assert set(declared) == of_entries | {f"{lead}language"}  # only a jurisdiction has a language
    for stated in declared.values():
        assert {"label", "comment", "isDefinedBy", "domain", "range", "type"} <= stated
    for iri in declared:
        own = f"reg:{iri.removeprefix(lead)}"  # in SPARQL
        assert f"<{iri}>" in SHAPES.turtle or own in SHAPES.turtle


# --- overlays ---------------------------------------------------------------------------------


def test_nothing_given_is_the_built_in_registry() -> None:
    assert open_registry() == (registry.load_registry(), ())


def test_an_own_entry_is_added(tmp_path: Path) -> None:
    known, findings = open_registry(written(tmp_path, authority("ufficio.prova", label="UPQ")))
    assert findings == ()
    assert [each.notation for each in known.law("it").authorities.find("U.P.Q.")] == [
        "ufficio.prova"
    ]
    built_in = registry.load_registry().law("it").authorities
    assert built_in.find("upq") == ()
    assert known.law("it").authorities.by_notation("stato") == built_in.by_notation("stato")


def test_an_override_keeps_what_it_does_not_state(tmp_path: Path) -> None:
    before = registry.load_registry().entry(f"{AUTHORITIES}/stato")
    assert before is not None
    known, findings = open_registry(
        written(tmp_path, f'{STATO} reg:abbreviation "Sttt."@it .'),
    )
    after = known.entry(f"{AUTHORITIES}/stato")
    assert findings == ()
    assert after is not None
    assert after.abbreviations == (Label(text="Sttt.", language="it"),)
    assert (after.labels, after.notation, after.sources) == (
        before.labels,
        before.notation,
        before.sources,
    )
    assert known.law("it").authorities.find("sttt") == (after,)


def test_what_an_own_entry_is_called_stands_for_it_alone(tmp_path: Path) -> None:
    form = (
        next(iter(registry.load_registry().law("it").authorities.by_notation("stato")))
        .labels[0]
        .text
    )
    known, findings = open_registry(written(tmp_path, authority("ufficio.prova", label=form)))
    assert [each.code for each in findings] == ["LX924"]
    assert [each.notation for each in known.law("it").authorities.find(form)] == ["ufficio.prova"]


def test_an_own_fold_takes_the_place_of_the_built_in_one(tmp_path: Path) -> None:
    fold = f"<{make_scheme_iri(Kind.FOLD, 'de')}/%C3%BC>"
    known, findings = open_registry(written(tmp_path, f'{fold} skos:notation "u" .'))
    assert findings == ()
    assert registry.load_registry().words("de").folds["ü"] == "ue"
    assert known.words("de").folds == registry.load_registry().words("de").folds | {"ü": "u"}


def test_a_word_and_a_whole_jurisdiction_can_be_added(tmp_path: Path) -> None:
    scheme = make_scheme_iri(Kind.CONNECTIVE, "tlh")
    body = (
        f"<{scheme}/je> a skos:Concept ; skos:inScheme <{scheme}> ;"
        ' skos:notation "je" ; skos:prefLabel "je"@tlh .'
    )
    known, findings = open_registry(written(tmp_path, body))
    assert findings == ()
    assert known.words("tlh").connectives == {"je"}
    assert "tlh" in known.languages()
    assert "tlh" not in registry.load_registry().languages()


def test_an_entry_may_be_closed_and_replaced(tmp_path: Path) -> None:
    body = (
        f"{STATO} owl:deprecated true ; dcterms:isReplacedBy <{AUTHORITIES}/repubblica.prova> .\n"
    )
    known, findings = open_registry(written(tmp_path, body + authority("repubblica.prova")))
    after = known.entry(f"{AUTHORITIES}/stato")
    assert findings == ()
    assert after is not None
    assert (after.obsolete, after.replaced_by) == (True, "repubblica.prova")


def test_files_lie_one_over_the_other(tmp_path: Path) -> None:
    one = written(tmp_path, authority("ufficio.prova"), "one.ttl")
    more = f'<{AUTHORITIES}/ufficio.prova> reg:abbreviation "UfPQ"@it .'
    two = written(tmp_path, more, "two.ttl")
    known, findings = open_registry(one, two)
    (found,) = known.law("it").authorities.find("ufpq")
    assert [each.code for each in findings] == []
    assert found.labels == (Label(text="ufficio.prova", language="it"),)


def test_files_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    one = written(tmp_path, authority("ufficio.prova", label="Uno"), "one.ttl")
    two = written(tmp_path, "\n" + authority("ufficio.prova", label="Due"), "two.ttl")
    known, findings = open_registry(one, two)
    assert [(each.code, each.file, each.line) for each in findings] == [("LX928", str(two), 5)]
    assert known is registry.load_registry()


@pytest.mark.parametrize(
    ("octets", "line", "words"),
    [(None, 1, "No such file"), (b"\n\n\xff", 3, "UTF-8")],
)
def test_a_file_that_cannot_be_read_is_said(
    octets: bytes | None, line: int, words: str, tmp_path: Path
) -> None:
    file = tmp_path / "own.ttl"
    if octets is not None:
        file.write_bytes(octets)
    known, (found,) = open_registry(file)
    assert (found.code, found.line) == ("LX901", line)
    assert words in found.message
    assert known is registry.load_registry()


def test_a_folder_and_a_huge_file_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [each.code for each in open_registry(tmp_path)[1]] == ["LX901"]
    monkeypatch.setattr(source, "_MAX_BYTES", 10)
    assert [each.code for each in open_registry(written(tmp_path, ""))[1]] == ["LX901"]


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    known, findings = open_registry(written(tmp_path, ""))
    assert (known.own, findings) == ((), ())


def test_what_a_file_has_deleted_or_renamed_is_said(tmp_path: Path) -> None:
    before = written(tmp_path, authority("aa.prova") + authority("bb.prova"), "before.ttl")
    renamed = authority("aa.prova").replace('"aa.prova"', '"cc.prova"', 1)
    after = written(tmp_path, renamed, "after.ttl")
    found = compare_with_earlier(after, before)
    assert sorted((each.code, each.line) for each in found) == [("LX909", 3), ("LX910", 1)]
    assert compare_with_earlier(before, before) == ()
    assert [each.code for each in compare_with_earlier(after, tmp_path / "none.ttl")] == ["LX901"]


# --- adding -----------------------------------------------------------------------------------


def office(slug: str, **facts: object) -> Entry:
    given = {
        "notation": slug,
        "labels": (Label(text=f"Office {slug}", language="it"),),
        "sources": ("https://law.example/",),
    } | facts
    return Entry(kind=Kind.AUTHORITY, scope="it", iri=f"{AUTHORITIES}/{slug}", **given)  # type: ignore[arg-type]


def test_entries_are_sorted_in_and_comments_stay(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    for slug in ("mm.prova", "zz.prova"):
        assert add_entry(file, office(slug)) == ()
    text = file.read_text("utf-8")
    kept = text.replace(f"\n<{AUTHORITIES}/zz", f"\n# ours, since 1990\n<{AUTHORITIES}/zz", 1)
    kept = kept.replace("/> .\n", "/> . # seen\n", 1)
    file.write_text(kept, "utf-8")
    for slug in ("nn.prova", "aa.prova"):
        assert add_entry(file, office(slug)) == ()
    after = file.read_text("utf-8")
    assert [
        after.index(f"/{slug}> a ") for slug in ("aa.prova", "mm.prova", "nn.prova", "zz.prova")
    ] == sorted(
        after.index(f"/{slug}> a ") for slug in ("aa.prova", "mm.prova", "nn.prova", "zz.prova")
    )
    assert f"# ours, since 1990\n<{AUTHORITIES}/zz.prova>" in after
    assert set(kept.splitlines()) < set(after.splitlines())
    assert len(after.splitlines()) == len(kept.splitlines()) + 12


def test_links_and_devices_stay_what_they_are(tmp_path: Path) -> None:
    link, nothing = tmp_path / "link.ttl", tmp_path / "nothing.ttl"
    link.symlink_to(tmp_path / "own.ttl")
    nothing.symlink_to("/dev/null")
    for file in (link, nothing):
        assert add_entry(file, office("aa.prova")) == ()
        assert file.is_symlink()
    assert "aa.prova" in (tmp_path / "own.ttl").read_text("utf-8")
    assert nothing.is_char_device()


def test_the_prefixes_of_the_file_are_used(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    file.write_text("@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n", "utf-8")
    assert add_entry(file, office("aa.prova")) == ()
    assert "s:notation" in file.read_text("utf-8")
    assert "<http://purl.org/dc/terms/source>" in file.read_text("utf-8")
    assert open_registry(file)[1] == ()


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        (office("mm.prova", notation="nn.prova"), "LX909"),
        (office("mm.prova", labels=(Label(text="Another", language="it"),)), "LX929"),
        (office("stato", notation="repubblica"), "LX909"),
        (office("Bad..prova"), "LX908"),
        (office("nn.prova", labels=()), "LX906"),
        (office("nn.prova", valid_from="2001-13-01"), "LX915"),
        (office("nn.prova", examples=("urn:lex:it:x",)), "LX917"),
        (office("nn.prova", labels=(Label(text="Ufficio\u202e", language="it"),)), "LX919"),
        (office("nn.prova", sources=("https://law.example/> .",)), "LX902"),
    ],
)
def test_what_cannot_be_added_leaves_the_file_as_it_was(
    entry: Entry, code: str, tmp_path: Path
) -> None:
    file = tmp_path / "own.ttl"
    add_entry(file, office("mm.prova"))
    before = file.read_bytes()
    assert code in [each.code for each in add_entry(file, entry)]
    assert file.read_bytes() == before
    assert os.listdir(tmp_path) == ["own.ttl"]  # noqa: PTH208 - names only


def test_nothing_is_added_to_a_file_with_errors(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    file.write_text("no Turtle", "utf-8")
    assert [each.code for each in add_entry(file, office("mm.prova"))] == ["LX902"]
    assert file.read_text("utf-8") == "no Turtle"


def test_the_rights_of_the_file_stay(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    add_entry(file, office("mm.prova"))
    file.chmod(0o640)
    add_entry(file, office("nn.prova"))
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_file_that_cannot_be_written_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "own.ttl"
    add_entry(file, office("mm.prova"))
    before = file.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        add_entry(file, office("nn.prova"))
    assert file.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["own.ttl"]
