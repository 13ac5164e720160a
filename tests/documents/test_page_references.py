"""References to characters that are none: pages have them, and every other word is read."""

from __future__ import annotations

import pytest
from reading_cases import DC, page, said

from lexurn.documents import Notation


@pytest.mark.parametrize(
    "text",
    ["&#2\u00b94;", "&#\u00b2;", "&#x\u0664;", "&#xA\uff11", "&#1\u0661;", "&#;", "&#x;", "&#12"],
)
@pytest.mark.parametrize("head", ["<title>{}</title>", '<meta name="a" content="{}">'])
def test_digits_of_other_scripts_are_no_references(text: str, head: str) -> None:
    text = f'{head.format(text)}<meta name="DC.identifier" content="a">'
    assert (f"{DC}identifier", "a") in {each[1:3] for each in said(page(text), Notation.META)}
