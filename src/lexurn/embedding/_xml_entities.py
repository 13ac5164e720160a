"""Entities that a document declares: texts that are short, and nothing that explodes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.entities import html5

__all__ = ["Entities"]

_REFERENCE = re.compile(r"&([^#;&\s][^;&\s]*);")

# The entities of honest documents are letters and phrases.
_LARGEST = 1 << 16
_MOST = 10_000


@dataclass(slots=True)
class Entities:
    """The general entities of one document, while it is read.

    Attributes:
        fault: why they may not be expanded (too many, too large, in a circle), None where they may.
    """

    fault: str | None = None
    _values: dict[str, str | None] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)
    _unknown: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._values)

    def declare(self, name: str, value: str | None) -> None:
        """Take in a declaration; the first of a name counts (XML 1.0 section 4.2).

        Args:
            name: the entity.
            value: what it stands for; None where that lies outside of the document.
        """
        if name in self._values:
            return
        size = self._size(value or "")
        self._values[name] = value
        self._sizes[name] = min(size, _LARGEST + 1)
        if size > _LARGEST:
            self.fault = f"the entity {name[:60]} would be larger than {_LARGEST:,} characters"
        elif name in self._unknown:
            # A circle is made of such references, and hardly anything else is.
            self.fault = f"an entity refers to {name[:60]}, which is declared behind it"
        elif len(self._values) > _MOST:
            self.fault = f"it declares more than {_MOST:,} entities"

    def _size(self, value: str) -> int:
        """How large a value is when all in it is expanded."""
        names = _REFERENCE.findall(value)
        self._unknown.update(each for each in names if each not in self._sizes)
        return len(value) + sum(self._sizes.get(each, 0) for each in names)

    def text(self, name: str) -> str:
        """What to read for a reference: plain text where that is known, else the reference."""
        value = self._values[name] if name in self._values else html5.get(f"{name};")
        if value is None or "<" in value or "&" in value:
            return f"&{name};"
        return value
