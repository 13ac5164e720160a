"""RDF that is packed with gzip is validated like what is not; what was not copied whole is said."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF
from click.testing import CliRunner

from lexurn.cli import main
from lexurn.graph import Format, statements_of, write
from lexurn.model import LanguageText, Record, family_of
from lexurn.name import parse

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

NAME = parse("urn:lex:it:stato:legge:2003-09-21;456")
TITLES = tuple(LanguageText(value=f"Legge {number}", language="it") for number in range(40))
STATEMENTS = statements_of(family_of([Record(name=NAME, titles=TITLES)]), as_of=AS_OF)


def validated(*arguments: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["validate", *arguments], input=data)


@pytest.mark.parametrize("form", list(Format))
def test_what_is_packed_has_the_report_of_what_is_not(tmp_path: Path, form: Format) -> None:
    plain, packed = tmp_path / f"acts.{form.extension}", tmp_path / f"ACTS.{form.extension}.GZ"
    plain.write_bytes(write(STATEMENTS, form))
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    expected = validated(str(plain), "--format", "json")
    assert expected.exit_code == 0
    for done in (
        validated(str(packed), "--format", "json"),
        validated("-", "--input", form.extension, "--format", "json", data=packed.read_bytes()),
    ):
        assert (done.exit_code, done.stdout, done.stderr) == (0, expected.stdout, "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data[:-9], "it ends too early; copy the whole file"),
        (lambda data: data[:12], "it ends too early; copy the whole file"),
        (lambda data: data[:-8] + bytes(8), "it cannot be read: CRC check failed"),
        (lambda data: data[:20] + bytes(20) + data[40:], "it cannot be read: "),
        (lambda data: data + b"more", "it cannot be read: Not a gzipped file"),
        (lambda _: gzip.compress(b"<a> <b>"), "not application/n-quads: line 1"),
    ],
)
def test_what_was_not_copied_whole_is_said(tmp_path: Path, change, said) -> None:
    path = tmp_path / "acts.nq.gz"
    path.write_bytes(change(gzip.compress(write(STATEMENTS, Format.NQUADS))))
    done = validated(str(path))
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith(f"error: {path}: {said}")


def test_a_table_that_is_packed_is_not_guessed_at(tmp_path: Path) -> None:
    path = tmp_path / "acts.csv.gz"
    path.write_bytes(gzip.compress(b"urn\n"))
    done = validated(str(path))
    assert done.exit_code == 1
    why = "tables must not be compressed. Decompress it first (gunzip)."
    assert done.stderr == f"error: {path}: {why}\n"
