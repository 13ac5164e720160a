"""Texts without the characters that no text has."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lexurn.embedding._extraction_terms import FIELDS, LABELS, normal, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.embedding._faults import Faults
    from lexurn.embedding._statement import Statement

__all__ = ["FORBIDDEN", "texts_of"]

FORBIDDEN: Final = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no cell of a manifest may hold and no RDF; the controls that are blanks aside."""

_LINKS = frozenset({"licenses", "urls"})


def texts_of(statements: Iterable[Statement], faults: Faults) -> Iterator[Statement]:
    """The statements, the texts of fields without such characters, of which each is told.

    A link that holds one leads nowhere, and goes. Names and other identifiers stay as they are, and
    it is told elsewhere what is wrong with them.
    """
    for each in statements:
        term = normal(each.term)
        found = FORBIDDEN.search(each.value) if term in FIELDS or term in LABELS else None
        if found is None:
            yield each
        elif each.is_iri or FIELDS.get(term) in _LINKS:
            faults.find("LX389", each.line, each.value)
        else:
            values = {"character": f"U+{ord(found[0]):04X}", "term": short(term)}
            faults.find("LX319", each.line, each.value, **values)
            yield replace(each, value=FORBIDDEN.sub("", each.value).strip())
