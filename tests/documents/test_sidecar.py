"""Files beside a document say its name where it cannot; what comes later changes nothing there."""

from __future__ import annotations

import datetime as dt
import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sizes import examples
from strategies_model import records

from lexurn.documents import (
    DocumentError,
    EmbedOptions,
    EmbedRequest,
    OutcomeStatus,
    embed,
    embed_folder,
    extract,
    extract_folder,
    process_file,
    remove,
    remove_folder,
    sidecars,
)
from lexurn.documents.sidecars import (
    SIDECAR_SUFFIX,
    make_sidecar,
    parse_sidecar,
)
from lexurn.graph import Format, read
from lexurn.manifest import open_manifest
from lexurn.model import Item, LanguageText, Record, families_of, family_of
from lexurn.name import parse
from lexurn.shacl import check_triples

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.model import Family
    from lexurn.name import Name

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
SECOND = f"{ACT}@2005-01-01:it"
OLD = (
    Record(name=parse(ACT), titles=(LanguageText(value="Città", language="it"),)),
    Record(name=parse(f"{ACT}@originale:it"), in_force_from=dt.date(2003, 10, 1)),
    Record(name=parse(SECOND), items=(Item(url="https://law.example/2.bin"),)),
)
AMENDED = replace(OLD[0], modified=dt.date(2009, 7, 1), in_force_until=dt.date(2020, 1, 1))
LATER = (
    Record(name=parse(f"{ACT}@2009-07-01:it"), in_force_from=dt.date(2009, 7, 1)),
    Record(name=parse(f"{ACT}@2005-01-01:de")),
    Record(name=parse(f"{SECOND}$parlamento.it:application-pdf")),
)
BASE = "https://law.example"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "act.bin"
    path.write_bytes(b"\x01\x02")
    return path


def sidecar_of(file: Path) -> Path:
    return file.with_name(f"{file.name}{SIDECAR_SUFFIX}")


def test_a_file_that_takes_no_name_is_refused_without_sidecars(file: Path) -> None:
    with pytest.raises(DocumentError, match="LX313"):
        embed(file, SECOND)
    assert [each.name for each in file.parent.iterdir()] == ["act.bin"]


def test_sidecars_say_the_name_and_come_and_go(file: Path) -> None:
    outcome = embed(file, SECOND, OLD, sidecar=True, base=BASE)
    assert (outcome.status, outcome.is_written) == (OutcomeStatus.SIDECAR, True)
    assert file.read_bytes() == b"\x01\x02"
    again = embed(file, SECOND, OLD, sidecar=True, base=BASE)
    assert (again.status, again.is_written) == (OutcomeStatus.UNCHANGED, False)
    assert remove(file).status is OutcomeStatus.SIDECAR
    assert [each.name for each in file.parent.iterdir()] == ["act.bin"]
    assert remove(file).status is OutcomeStatus.UNCHANGED


def test_a_sidecar_says_what_is_true_for_ever(file: Path) -> None:
    embed(file, SECOND, (*OLD, *LATER), sidecar=True, base=BASE)
    text = sidecar_of(file).read_text("utf-8")
    said = read(text.encode(), Format.JSONLD).merged
    assert (f"<{ACT}>", "<http://purl.org/vocab/frbr/core#realization>", f"<{SECOND}>") in said
    assert "Città" in text
    for later in ("iana.org", "originale", "2009", "2.bin", "hasVersion"):
        assert not any(later in part for triple in said for part in triple)


GOLDEN = Path(__file__).parents[1] / "golden_sidecars"
EXAMPLES = Path(__file__).parents[2] / "examples"
# Two names of one act, and versions, a file form and a part under each.
TWINS = [
    Record(name=parse(ACT), titles=(LanguageText(value="Legge", language="it"),)),
    Record(name=parse(ACT.replace("stato", "parlamento")), alias_of=parse(ACT)),
    *(
        Record(name=parse(f"urn:lex:it:{authority}:legge:2003-09-21;456{rest}"))
        for authority in ("stato", "parlamento")
        for rest in (
            "@originale",
            "@2005-01-01",
            "@2005-01-01:it",
            "@2005-01-01:it$parlamento.it:text-html~art1;com2",
            "$parlamento.it:application-pdf",
            ":allegato.a@2005-01-01:it",
        )
    ),
]


def each_to_be_named() -> Iterable[tuple[Family, Name]]:
    twins = family_of(TWINS)
    yield from ((twins, record.name) for record in twins.records if record.name.parent is not None)
    with open_manifest(EXAMPLES / "acts.csv") as rows:
        family = max(rows.families(), key=lambda each: len(each.records))
    yield family, family.records[-1].name


def test_each_sidecar_stands_alone() -> None:
    wrong: list[tuple[Name, str]] = []
    for family, name in each_to_be_named():
        said = read(make_sidecar(name, family, BASE), Format.JSONLD)
        found = check_triples("".join(f"{' '.join(triple)} .\n" for triple in said.merged))
        wrong += [(name, each.message) for each in found if "has a title" not in each.message]
    assert wrong == []


@pytest.mark.parametrize("base", [None, BASE])
def test_what_comes_later_changes_nothing(file: Path, base: str | None) -> None:
    later = (AMENDED, *OLD[1:], *LATER)
    for name, known in ((ACT, (*OLD, *LATER)), (SECOND, later)):
        embed(file, name, family_of(OLD), sidecar=True, base=base)
        outcome = embed(file, name, family_of(known), sidecar=True, base=base)
        assert outcome.status is OutcomeStatus.UNCHANGED


def mode(file: Path) -> int:
    """The mode of the sidecar of a file."""
    return stat.S_IMODE(sidecar_of(file).stat().st_mode)


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize(
    ("of_document", "of_new"), [(0o600, 0o600), (0o640, 0o640), (0o666, 0o666), (0o6755, 0o755)]
)
def test_who_may_not_read_a_document_may_not_read_what_stands_beside_it(
    file: Path, tmp_path: Path, of_document: int, of_new: int
) -> None:
    file.chmod(of_document)
    embed(file, SECOND, OLD, sidecar=True)
    assert mode(file) == of_new
    copy = tmp_path / "copy.bin"
    embed(file, SECOND, OLD, sidecar=True, output=copy)
    assert mode(copy) == of_new


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away"
)
@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_sidecar_is_of_the_group_of_its_document_or_of_none(
    file: Path, monkeypatch: pytest.MonkeyPatch, *, is_allowed: bool
) -> None:
    file.chmod(0o640)
    os.chown(file, 1_000, 2_000)
    if not is_allowed:

        def refused(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr("os.chown", refused)
    embed(file, SECOND, OLD, sidecar=True)
    status = sidecar_of(file).stat()
    found = (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode))
    assert found == ((1_000, 2_000, 0o640) if is_allowed else (0, os.getegid(), 0o600))


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_sidecar_that_is_there_keeps_its_mode(file: Path) -> None:
    embed(file, SECOND, OLD, sidecar=True)
    sidecar_of(file).chmod(0o604)
    file.chmod(0o600)
    assert embed(file, ACT, OLD, sidecar=True).is_written
    assert mode(file) == 0o604


@pytest.mark.parametrize("is_copy", [True, False])
@pytest.mark.parametrize("where", ["away", "here"])
def test_a_sidecar_that_is_a_link_is_left_alone(file: Path, where: str, *, is_copy: bool) -> None:
    embed(file, SECOND, OLD, sidecar=True)
    away, here = file.with_name("away"), file.with_name("here")
    for folder in (away, here):
        folder.mkdir()
    beside = here / "act.bin"
    (file if is_copy else file.rename(beside)).touch()
    said = sidecar_of(file).rename(file.with_name(where) / f"x{SIDECAR_SUFFIX}")
    sidecar_of(beside).symlink_to(said)
    before = {each: (each.is_symlink(), each.read_bytes()) for each in here.glob("*.lexurn.*")}
    document = file if is_copy else beside
    output = here if is_copy else None
    assert extract(beside).name == parse(SECOND)
    with pytest.raises(DocumentError, match="LX316") as error:
        embed(document, ACT, OLD, sidecar=True, output=output)
    assert error.value.finding.file == f"{beside}.lexurn.jsonld"
    assert remove(document, output=output).status is OutcomeStatus.UNCHANGED
    embed(document, SECOND, OLD, sidecar=True, output=output)
    after = {each: (each.is_symlink(), each.read_bytes()) for each in here.glob("*.lexurn.*")}
    assert after == before


@pytest.mark.parametrize("had_one", [True, False])
def test_a_sidecar_that_cannot_be_written_is_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch, *, had_one: bool
) -> None:
    if had_one:
        embed(file, SECOND, OLD, sidecar=True)
    before = {each.name: each.read_bytes() for each in file.parent.iterdir()}
    for function in ("replace", "unlink"):
        real = getattr(Path, function)

        def refuse(path: Path, *rest: object, _real: object = real, **options: object) -> None:
            if str((path, *rest)[-1 if rest else 0]).endswith(".jsonld"):
                raise PermissionError(1, "Operation not permitted")
            _real(path, *rest, **options)

        monkeypatch.setattr(Path, function, refuse)
    with pytest.raises(DocumentError, match="LX304"):
        embed(file, ACT, OLD, sidecar=True)
    assert before == {each.name: each.read_bytes() for each in file.parent.iterdir()}
    if had_one:
        with pytest.raises(DocumentError, match="LX304"):
            remove(file)
        assert before == {each.name: each.read_bytes() for each in file.parent.iterdir()}


def test_a_bare_name_is_enough(file: Path) -> None:
    embed(file, SECOND, sidecar=True)
    assert SECOND in sidecar_of(file).read_text("utf-8")


def test_only_asked_for_it_is_shown_what_would_come(file: Path) -> None:
    outcome = embed(file, SECOND, sidecar=True, write=False)
    assert b"+++ " in outcome.diff
    assert b"lexurn.jsonld" in outcome.diff
    assert [each.name for each in file.parent.iterdir()] == ["act.bin"]


def test_with_an_output_they_stand_beside_the_copy(file: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    embed(file, SECOND, sidecar=True, output=tmp_path / "out" / "copy.bin")
    names = sorted(each.name for each in (tmp_path / "out").iterdir())
    assert names == ["copy.bin", "copy.bin.lexurn.jsonld"]
    assert (tmp_path / "out" / "copy.bin").read_bytes() == b"\x01\x02"


def test_a_document_that_takes_names_gets_no_sidecar(tmp_path: Path) -> None:
    page = tmp_path / "act.html"
    page.write_bytes(b"<!DOCTYPE html><title>x</title>")
    assert embed(page, SECOND, sidecar=True).status is OutcomeStatus.EMBEDDED
    assert [each.name for each in tmp_path.iterdir()] == ["act.html"]


def test_what_others_have_put_there_stays(file: Path) -> None:
    for text in (
        b"notes of mine",
        b'{"@id": "http://a.example/", "@type": "http://a.example/b"}',
        b"\xff",
    ):
        other = sidecar_of(file)
        other.write_bytes(text)
        with pytest.raises(DocumentError, match="LX316"):
            embed(file, SECOND, sidecar=True)
        assert remove(file).status is OutcomeStatus.UNCHANGED
        assert other.read_bytes() == text
        assert extract(other).name is None
        assert [each.code for each in extract(file).findings] == ["LX388"]


DCTERMS = "http://purl.org/dc/terms/"
OWL = "http://www.w3.org/2002/07/owl#"
NS = "https://w3id.org/lexurn/ns#"


def test_a_graph_that_does_not_say_each_name_is_somebody_elses(file: Path) -> None:
    title = {"@value": "Legge", "@language": "it"}
    assert parse_sidecar(json.dumps({"@id": ACT, f"{DCTERMS}title": title}).encode()) is None
    embed(file, SECOND, OLD, sidecar=True)
    graph = json.loads(sidecar_of(file).read_text("utf-8"))
    assert parse_sidecar(json.dumps(graph).encode()) is not None
    del next(each for each in graph["@graph"] if each["id"] == ACT)["identifier"]
    assert parse_sidecar(json.dumps(graph).encode()) is None


def test_a_sidecar_that_somebody_has_edited_is_still_lexurns(file: Path) -> None:
    embed(file, SECOND, OLD, sidecar=True, base=BASE)
    beside = sidecar_of(file)
    text = beside.read_text("utf-8")
    beside.write_text(text.replace("Città", "Comune"), "utf-8")
    assert embed(file, SECOND, OLD, sidecar=True, base=BASE).status is OutcomeStatus.SIDECAR
    assert beside.read_text("utf-8") == text


@pytest.mark.parametrize("base", [None, BASE, "https://law.example:8443/a%20b/"])
@given(rows=records())
@examples(8)
def test_what_lexurn_writes_beside_a_file_it_knows_again(
    base: str | None, rows: list[Record]
) -> None:
    for family in families_of(rows):
        for record in family.records:
            found = parse_sidecar(make_sidecar(record.name, family, base))
            assert found is not None
            assert found.name == record.name


def test_what_lexurn_0_1_wrote_beside_a_file_is_known_for_ever() -> None:
    found = parse_sidecar(sidecar_of(GOLDEN / "act.bin").read_bytes())
    assert found is not None
    assert found.name == parse(SECOND)


def test_a_sidecar_gets_no_sidecar(file: Path) -> None:
    embed(file, SECOND, sidecar=True)
    beside = sidecar_of(file)
    with pytest.raises(DocumentError, match="LX315"):
        embed(beside, SECOND, sidecar=True)
    with pytest.raises(DocumentError, match="LX315"):
        remove(beside)
    assert len(list(file.parent.iterdir())) == 2


def test_a_document_that_takes_names_now_has_none_beside_it(file: Path) -> None:
    embed(file, SECOND, sidecar=True)
    file.write_bytes(b"<!DOCTYPE html><title>x</title>")
    assert [each.code for each in extract(file).findings] == ["LX314"]
    shown = embed(file, ACT, write=False).diff
    assert shown.count(b"+++ /dev/null") == 1
    embed(file, ACT)
    assert [each.name for each in file.parent.iterdir()] == ["act.bin"]
    assert extract(file).name == parse(ACT)


def test_a_name_beside_a_document_that_has_another_is_told_of(file: Path) -> None:
    embed(file, SECOND, sidecar=True)
    texts_there = {each: each.read_bytes() for each in file.parent.iterdir() if each != file}
    file.write_bytes(b"<!DOCTYPE html><title>x</title>")
    embed(file, ACT)
    for path, text in texts_there.items():
        path.write_bytes(text)
    assert [each.code for each in extract(file).findings] == ["LX314", "LX317"]
    assert remove(file).status is OutcomeStatus.REMOVED
    assert [each.name for each in file.parent.iterdir()] == ["act.bin"]


def test_what_a_sidecar_says_is_read_of_the_document_and_of_itself(file: Path) -> None:
    embed(file, SECOND, OLD, sidecar=True, base=BASE)
    found = extract(file)
    assert (found.file, found.format, found.name) == (str(file), "sidecar", parse(SECOND))
    assert found.titles == (LanguageText(value="Città", language="it"),)
    assert found.named("isVersionOf") == (parse(ACT),)
    assert (found.languages, found.findings) == (("it",), ())
    assert [each.scheme for each in found.identifiers] == ["http"]
    assert extract(sidecar_of(file)) == found
    assert extract(file, is_embedded_only=True) == found


@pytest.mark.parametrize("base", [None, BASE])
def test_each_name_is_read_again(file: Path, base: str | None) -> None:
    for family, name in each_to_be_named():
        embed(file, name, family, sidecar=True, base=base)
        assert extract(file).name == name


def test_sidecars_whose_document_is_gone_are_told_of_and_taken_away(file: Path) -> None:
    embed(file, SECOND, sidecar=True)
    file.unlink()
    folder = file.parent
    for found in extract_folder(folder):
        assert (found.file, found.name) == ("act.bin", parse(SECOND))
        assert [each.code for each in found.findings] == ["LX397"]
    record = Record(name=parse(ACT), files=("x.html",))
    said = [
        each.code for done in embed_folder([family_of([record])], folder) for each in done.findings
    ]
    assert said == ["LX390", "LX397"]
    outcomes = list(remove_folder(folder, options=EmbedOptions(writes=True)))
    assert [each.status for each in outcomes] == [OutcomeStatus.SIDECAR]
    assert list(folder.iterdir()) == []


@given(st.binary(max_size=200))
def test_any_bytes_are_a_sidecar_or_none(data: bytes) -> None:
    assert parse_sidecar(data) is None


@pytest.mark.parametrize("is_pipe", [True, False])
@pytest.mark.skipif(os.name != "posix", reason="pipes with names are those of POSIX")
def test_what_is_no_file_in_the_place_of_a_sidecar_is_left_alone(
    tmp_path: Path, *, is_pipe: bool
) -> None:
    page = tmp_path / "act.html"
    page.write_bytes(b"<!DOCTYPE html><title>x</title>")
    beside = sidecar_of(page)
    os.mkfifo(beside) if is_pipe else beside.mkdir()
    assert embed(page, ACT).status is OutcomeStatus.EMBEDDED
    assert extract(page).name == parse(ACT)
    assert remove(page).status is OutcomeStatus.REMOVED
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_too_large_for_a_sidecar_is_not_read(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed(file, ACT, sidecar=True)
    monkeypatch.setattr(sidecars, "_MAX_SIDECAR_SIZE", 10)
    with pytest.raises(DocumentError, match="LX316"):
        embed(file, SECOND, sidecar=True)
    assert remove(file).status is OutcomeStatus.UNCHANGED


def test_a_sidecar_is_called_as_its_document_is(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    (file.parent / "link.bin").symlink_to(file.name)
    manner = EmbedOptions(shows_diff=True, takes_sidecars=True)
    wish = EmbedRequest(name=parse(ACT))
    again = f"../{file.parent.name}/act.bin"
    places = {"act.bin": "act.bin", again: again, "link.bin": str(file.resolve())}
    for document, place in places.items():
        for folder in (None, Path()):
            diff = process_file(Path(document), wish, manner, folder).diff
            assert f"+++ {place}.lexurn.jsonld\n".encode() in diff
    sidecar_of(file).write_bytes(b"theirs")
    (found,) = process_file(Path("act.bin"), wish, manner, Path()).findings
    assert (found.code, found.file) == ("LX316", "act.bin.lexurn.jsonld")
