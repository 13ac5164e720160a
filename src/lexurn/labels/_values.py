"""What a label is: its text, its language, and what could not be said in that language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from lexurn.name import Severity

__all__ = ["LABEL_CODES", "LabelCode", "LabelFinding", "Labelled", "Notes"]


class LabelCode(NamedTuple):
    """What a code stands for.

    Attributes:
        severity: its weight; a label is never refused.
        rule: the rule behind it.
        message: what happened; ``{0}`` and so on are filled in.
    """

    severity: Severity
    rule: str
    message: str


_REGISTRY = "lexurn: words of the registry"

#: The codes of labels.
LABEL_CODES = {
    "LX790": LabelCode(
        Severity.NOTE, "RFC 9676 §5.6", "no words of {0} are registered; the label is in {1}"
    ),
    "LX791": LabelCode(
        Severity.NOTE, _REGISTRY, "{0} is not registered; it is written as it stands"
    ),
    "LX792": LabelCode(
        Severity.NOTE, _REGISTRY, "{0} has no label in {1}; its label in {2} stands"
    ),
    "LX793": LabelCode(
        Severity.NOTE,
        "RFC 9676 §5.8",
        "{0} is not understood as a part; it stands as it is",
    ),
    "LX794": LabelCode(
        Severity.NOTE, "RFC 9676 §5.6", "the language {0} has no name in {1}; its tag stands"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFinding:
    """One thing to know about a label.

    Attributes:
        code: ``LX79`` and a digit, stable.
        severity: a note, always.
        component: the component of the name that it is about, as in findings about names.
        text: that component, or the part of it.
        message: what happened, for people.
        rule: the rule behind it.
    """

    code: str
    severity: Severity
    component: str
    text: str
    message: str
    rule: str
    suggestion: str | None = None

    @property
    def start(self) -> int:
        """Where in ``text`` it is: at its beginning."""
        return 0

    @property
    def end(self) -> int:
        """Where in ``text`` it ends: at its end."""
        return len(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A name in words.

    Attributes:
        text: the label; no control characters, none that turn the direction of text.
        language: the tag of the language whose style it has.
        findings: what could not be said in that language, in the order of the name.
    """

    text: str
    language: str
    findings: tuple[LabelFinding, ...] = ()


class Notes:
    """Collects the findings of one label."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[LabelFinding, None] = {}

    def say(self, code: str, component: str, text: str, *values: str) -> None:
        """Note a finding, once."""
        known = LABEL_CODES[code]
        finding = LabelFinding(
            code=code,
            severity=known.severity,
            component=component,
            text=text,
            message=known.message.format(*(f'"{each}"' for each in values)),
            rule=known.rule,
        )
        self._found[finding] = None

    @property
    def findings(self) -> tuple[LabelFinding, ...]:
        """What was found, in order."""
        return tuple(self._found)
