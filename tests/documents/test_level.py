"""The level of a name fits its file, or it is said which name would."""

from __future__ import annotations

import pytest

from lexurn.documents import Change, DocumentError, DocumentFormat, Reading
from lexurn.documents.names import check_level, is_allowed_in
from lexurn.model import Record, family_of
from lexurn.name import parse

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
VERSION = f"{ACT}@2005-01-01:it"


def format_of(*media_types: str, takes_partitions: bool = False) -> DocumentFormat:
    return DocumentFormat(
        key="x",
        label="X",
        suffixes=frozenset({".x"}),
        media_types=frozenset(media_types),
        takes_partitions=takes_partitions,
        embed=lambda _document, _marking, _is_forced: Change(),
        remove=lambda _document, _is_forced: Change(),
        read=lambda _document: Reading(),
    )


PDF = format_of("application/pdf")
HTML = format_of("text/html", takes_partitions=True)
XHTML = format_of("application/xhtml+xml")

CASES = {
    "a work": (ACT, PDF, True),
    "an annex": (f"{ACT}:allegato.a", PDF, True),
    "an expression": (VERSION, PDF, True),
    "a PDF": (f"{VERSION}$x.it:application-pdf", PDF, True),
    "a PDF of a work": (f"{ACT}$x.it:application-pdf", PDF, True),
    "a PDF with a version": (f"{VERSION}$x.it:application-pdf;1.7", PDF, True),
    "a page as a PDF": (f"{VERSION}$x.it:text-html", PDF, False),
    "a PDF as a page": (f"{VERSION}$x.it:application-pdf", HTML, False),
    "XHTML with a plus": (f"{VERSION}$x.it:application-xhtml+xml", XHTML, True),
    "XHTML with a hyphen": (f"{VERSION}$x.it:application-xhtml-xml", XHTML, True),
    "a part in a page": (f"{VERSION}~art3", HTML, True),
    "a part in a PDF": (f"{VERSION}~art3", PDF, False),
    "a part of a page": (f"{VERSION}$x.it:text-html~art3", HTML, True),
}


@pytest.mark.parametrize(("name", "format", "good"), CASES.values(), ids=CASES)
def test_names_fit_or_do_not(name: str, format: DocumentFormat, *, good: bool) -> None:
    assert is_allowed_in(parse(name), format) is good
    if good:
        check_level("a", parse(name), format)
    else:
        with pytest.raises(DocumentError) as error:
            check_level("a", parse(name), format)
        better = error.value.finding.suggestion
        assert better is not None
        assert is_allowed_in(parse(better), format)


def better(name: str, format: DocumentFormat, *others: str) -> tuple[str, str | None]:
    records = family_of([Record(name=parse(each)) for each in (name, *others)]).records
    with pytest.raises(DocumentError) as error:
        check_level("a", parse(name), format, records)
    return error.value.finding.message, error.value.finding.suggestion


def test_the_name_that_would_fit_is_said() -> None:
    page, pdf = f"{VERSION}$x.it:text-html", f"{VERSION}$x.it:application-pdf"
    message, suggestion = better(page, PDF)
    assert (suggestion, "name its expression" in message) == (VERSION, True)
    message, suggestion = better(page, PDF, pdf)
    assert (suggestion, "the manifest has a name" in message) == (pdf, True)
    assert better(f"{ACT}$x.it:text-html", PDF)[1] == ACT
    assert better(page, PDF, f"{ACT}@2009-01-01:it$x.it:application-pdf")[1] == VERSION
    assert better(f"{VERSION}~art3", PDF)[1] == VERSION
    assert better(f"{page}~art3", PDF, pdf)[1] == pdf
