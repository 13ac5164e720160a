"""Names that differ in the zeros in front of their numbers only: probably those of one act."""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lexurn.name import Name

__all__ = ["acts_but_for_zeros"]

# Behind a dot a zero counts: 172.010 and 172.10 are two numbers.
_DIGITS: Final = re.compile(r"((?<![0-9.])[0-9]+)")
_WIDEST: Final = 6
_MOST: Final = 256


def acts_but_for_zeros(name: Name) -> tuple[str, ...]:
    """The names that the act of a name would have with other zeros in front of its numbers.

    Numbers are filled up to six digits, which is as far as offices go.

    >>> from lexurn.name import parse
    >>> acts_but_for_zeros(parse("urn:lex:it:stato:legge:2003-09-21;00456"))[:2]
    ('urn:lex:it:stato:legge:2003-09-21;456', 'urn:lex:it:stato:legge:2003-09-21;0456')
    """
    act = str(name.act_name)
    numbers = ",".join(name.work.details.numbers)
    before = act.removesuffix(numbers)
    pieces = (
        _filled(piece) if at % 2 else (piece,) for at, piece in enumerate(_DIGITS.split(numbers))
    )
    spelt = ("".join((before, *each)) for each in product(*pieces))
    return tuple(each for each in islice(spelt, _MOST) if each != act)


def _filled(digits: str) -> tuple[str, ...]:
    """A number with no zeros in front, with one, and so on."""
    bare = digits.lstrip("0") or "0"
    return tuple(bare.zfill(width) for width in range(len(bare), max(_WIDEST, len(bare)) + 1))
