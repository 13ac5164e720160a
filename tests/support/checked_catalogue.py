"""A catalogue with faults of many kinds, and its checks and reports."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from catalogue_parts import AS_OF
from collision_cases import CASES, record

from lexurn.catalogue import (
    CatalogueReport,
    CheckFormat,
    CheckOptions,
    LoadOptions,
    check_catalogue,
    load,
    open_catalogue,
    write_check_report,
)
from lexurn.model import LanguageText, Record, families_of
from lexurn.name import parse

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.catalogue import CheckFinding
    from lexurn.model import Family

BAD_URL = "ftp://law.example/a.pdf"
SCRIPT = "<script>alert(1)</script>"


def families() -> tuple[Family, ...]:
    """The acts of all cases, one more with a copy at no web address, and a title with a tag."""
    bad = Record(
        name=parse("urn:lex:it:stato:legge:1989-01-01;1"),
        titles=(LanguageText(value=SCRIPT, language="it"), LanguageText(value="b", language="it")),
        items=(record({"urn": "urn:lex:it:stato:legge:1989-01-01;1", "url": BAD_URL}).items),
    )
    return families_of([bad, *(record(act) for case in CASES for act in case["acts"])])


def fill(folder: Path) -> str:
    """Load the acts into a new catalogue; return its place."""
    with open_catalogue(folder, write=True, base="https://law.example") as catalogue:
        load(catalogue, families(), LoadOptions(as_of=AS_OF))
    return str(folder)


def written(report: CatalogueReport, form: CheckFormat) -> bytes:
    target = io.BytesIO()
    write_check_report(report, target, form)
    return target.getvalue()


def all_of(place: str, **options: Any) -> list[CheckFinding]:
    reopen = options.pop("reopen", None)
    with (
        open_catalogue(place) as catalogue,
        check_catalogue(catalogue, CheckOptions(**options), reopen=reopen) as found,
    ):
        return list(found.findings())
