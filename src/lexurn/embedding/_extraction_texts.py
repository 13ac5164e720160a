"""Texts without the characters that no text has."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lexurn.embedding._extraction_terms import FIELDS, LABELS, normal, short
from lexurn.manifest import is_absolute_iri, is_web_url, means_iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.embedding._faults import Faults
    from lexurn.embedding._statement import Statement

__all__ = ["FORBIDDEN", "texts_of"]

FORBIDDEN: Final = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no cell of a manifest may hold and no RDF; the controls that are blanks aside."""

_LINKS = frozenset({"licenses", "urls"})
_AGENTS = frozenset({"creators", "publishers", "subjects"})
_HTTP = re.compile("https?:", re.IGNORECASE)


def texts_of(statements: Iterable[Statement], faults: Faults) -> Iterator[Statement]:
    """The statements, with the values of fields as a manifest and RDF take them.

    What no text holds is left out of texts, and told; a link that is none leads nowhere, and goes.
    Names and other identifiers stay as they are, and it is told elsewhere what is wrong with them.
    """
    for each in statements:
        term = normal(each.term)
        field = FIELDS.get(term)
        is_meant = field is not None or term in LABELS
        found = FORBIDDEN.search(each.value) if is_meant else None
        if (each.is_iri and found is not None) or _is_broken_link(each.value, field):
            faults.find("LX389", each.line, each.value)
        elif found is None:
            yield each
        else:
            values = {"character": f"U+{ord(found[0]):04X}", "term": short(term)}
            faults.find("LX319", each.line, each.value, **values)
            yield replace(each, value=FORBIDDEN.sub("", each.value).strip())


def _is_broken_link(value: str, field: str | None) -> bool:
    """Whether a value is meant as a link, and cannot be followed."""
    if field in _LINKS:
        return _HTTP.match(value) is not None and not is_web_url(value)
    is_word = field in _AGENTS and ":" in value and len(value.split()) == 1
    return is_word and means_iri(value) and not is_absolute_iri(value)
