"""A run of publish in a process of its own, for tests that stop it in the middle."""

from __future__ import annotations

import datetime as dt
import os
import sys
from typing import TYPE_CHECKING, Any

from lexurn.model import Item, LanguageText, Record, families_of
from lexurn.name import parse
from lexurn.publishing import publish
from lexurn.shacl import Result, Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.model import Family

BASE = "https://law.example"
AS_OF = dt.date(2024, 7, 1)


def fault(severity: str, focus: str, message: str, **more: Any) -> Result:
    """A result that a check might give."""
    return Result(
        severity=Severity(severity),
        focus=focus,
        message=message,
        shape="https://w3id.org/lexurn/shapes#Title",
        component="http://www.w3.org/ns/shacl#MinCountConstraintComponent",
        rule="",
        **more,
    )


def sound(families: Sequence[Family]) -> Sequence[Result]:
    """A check that finds nothing wrong."""
    assert families
    return ()


def many(count: int) -> list[Record]:
    """Records of ``count`` acts, seven names each."""
    found: list[Record] = []
    for number in range(count):
        act = f"urn:lex:it:stato:legge:{1900 + number % 100}-01-01;{number}"
        title = LanguageText(value=f"Legge {number}", language="it")
        found.append(Record(name=parse(act), titles=(title,), published=dt.date(2000, 1, 1)))
        for version in ("originale:it", "2021-01-01:it"):
            found.append(Record(name=parse(f"{act}@{version}")))
            for form in ("application-pdf", "text-xml"):
                item = Item(url=f"https://files.example/{number}/{version[:4]}.{form[-3:]}")
                text = f"{act}@{version}$stato.it:{form}"
                found.append(Record(name=parse(text), items=(item,)))
    return found


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which a new process finds what this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **more}


if __name__ == "__main__":
    families = families_of(many(int(sys.argv[2])))
    print("ready", flush=True)  # noqa: T201 - read by the test
    workers = int(sys.argv[3])
    publish(families, sys.argv[1], base=BASE, as_of=AS_OF, check=sound, workers=workers)
