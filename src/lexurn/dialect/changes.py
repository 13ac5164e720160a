"""Changes of conversion: the table of their rules, and one change as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class ChangeRule(NamedTuple):
    """Rule of a change.

    Attributes:
        code: ``LX8`` and two digits.
        rule: the rule behind it.
        message: what is done, for people.
        lost: what is lost by it (``{0}`` is what stood there), None where it can be undone.
    """

    code: str
    rule: str
    message: str
    lost: str | None = None


_LEXML_RULE = "LexML Brasil, part 2 (2008)"

# fmt: off
_CHANGES = (
    ChangeRule("LX801", "RFC 9676 §2.1", "the namespace nir is jurisdiction it of namespace lex"),
    ChangeRule("LX802", "RFC 9676 §8", "the prefix stands once", 'the prefix "{0}" too many'),
    ChangeRule("LX803", "RFC 9676 §5.8", 'a partition follows "~"'),
    ChangeRule("LX804", "RFC 9676 §5.8", 'a partition follows "~", not "#"', 'the sign "#"'),
    ChangeRule("LX805", "RFC 9676 §5.8", 'levels of a partition are parted by ";"'),
    ChangeRule("LX806", _LEXML_RULE, "label and number of a partition are one word",
               'the spelling "{0}"'),
    ChangeRule("LX807", "RFC 9676 §5.8", "parentheses mark a range of partitions"),
    ChangeRule("LX808", "RFC 9676 §5.8", "the partition stands last", 'the order "{0}"'),
    ChangeRule("LX809", "RFC 9676 §7.1.2", "the text in force is a version"),
    ChangeRule("LX810", "RFC 9676 §7.1.2", "a communication is an event of the version"),
    ChangeRule("LX811", "RFC 9676 §7.1.2", "the time of day is an event behind its date"),
    ChangeRule("LX812", "RFC 9676 §3.6", "dates are written YYYY-MM-DD", 'the spelling "{0}"'),
    ChangeRule("LX813", "RFC 9676 §3.6", "months and days have two digits", 'the spelling "{0}"'),
    ChangeRule("LX814", "RFC 9676 §8", "an empty annex is none", "the empty annex"),
    ChangeRule("LX815", "RFC 9676 §5.7", "a form alone is no manifestation: the editor is unknown",
               'the form "{0}"'),
    ChangeRule("LX816", "RFC 9676 §5.6", "the language follows the version"),
    ChangeRule("LX817", "RFC 9676 §5.6", "no version, so no place for its language",
               'the language "{0}"'),
    ChangeRule("LX818", "RFC 9676 §6.1.2", 'joint issuers are joined by "+"'),
    ChangeRule("LX819", "RFC 9676 §5.3", "the authority follows the jurisdiction",
               'the spelling "{0}"'),
    ChangeRule("LX820", "RFC 9676 §4.1", "words are joined by dots", 'the spelling "{0}"'),
    ChangeRule("LX821", "RFC 9676 §4.1", "connectives are dropped", 'the words "{0}"'),
    ChangeRule("LX822", "RFC 9676 §3.4", "letters are written in ASCII", 'the letters "{0}"'),
    ChangeRule("LX823", "RFC 9676 §3.3", "names are written in lower case",
               'the capital letters of "{0}"'),
    ChangeRule("LX824", "RFC 9676 §3.2", '"/" in a number is "-"', 'the "/" of "{0}"'),
    ChangeRule("LX825", "RFC 9676 §6.3.3", 'a number made for the system starts with "lex-"'),
    ChangeRule("LX826", "RFC 9676 §6.3.1", 'the number follows ";"', 'the ":" before the number'),
    ChangeRule("LX827", "RFC 9676 §6.4.1", 'an annex follows ":"'),
    ChangeRule("LX828", "RFC 9676 §7.1.2", "a rectification is a version"),
    ChangeRule("LX829", "RFC 9676 §5.3", "the registry knows the full name of the reference",
               'the short reference "{0}"'),
    ChangeRule("LX830", "RFC 9676 §5.8", "an article is a partition, no number",
               'the place of "{0}"'),
    ChangeRule("LX831", "RFC 9676 §6.2.1", "a known misspelling is put right",
               'the spelling "{0}"'),
    ChangeRule("LX832", "RFC 9676 §6.3.2", 'two dates are parted by ","'),
    ChangeRule("LX833", "RFC 9676 §5.7", "the editor stands before the format"),
    ChangeRule("LX834", "RFC 9676 §5.3", 'the type of measure follows ":"',
               'the ";" before the type of measure'),
    ChangeRule("LX835", "RFC 9676 §3.3", "the same name in its canonical spelling",
               'the spelling "{0}"'),
    ChangeRule("LX840", "RFC 9676 §3.6", "the dialect has no local dates",
               'the local date "{0}"'),
    ChangeRule("LX841", "RFC 9676 §5.7", "the dialect has no manifestations",
               'the manifestation "{0}"'),
    ChangeRule("LX842", "RFC 9676 §5.6", "the dialect has a language only behind a form",
               'the language "{0}"'),
    ChangeRule("LX843", "RFC 9676 §6.4.1", "the dialect has one title for an annex",
               'the specifications "{0}"'),
    ChangeRule("LX844", "RFC 8141 §2.3", "components are no part of the name",
               'the components "{0}"'),
    ChangeRule("LX845", "RFC 9676 §5.8", "the dialect reads its own separator there",
               'the spelling "{0}"'),
)
# fmt: on

CHANGES = {row.code: row for row in _CHANGES}
"""Rules of changes by code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing that a conversion changed.

    Attributes:
        code: ``LX8`` and two digits, stable; a key of `CHANGES`.
        before: what stood there.
        after: what stands there now; empty where it was dropped.
        start: offset (code points) of the place in the text as given.
        end: offset behind the place.
        lost: what the way back cannot restore, None where nothing is lost.
    """

    code: str
    before: str
    after: str
    start: int
    end: int
    lost: str | None = None

    @property
    def loss(self) -> bool:
        """Whether something is lost."""
        return self.lost is not None

    @property
    def message(self) -> str:
        """What was done and why, for people."""
        after = f'becomes "{self.after}"' if self.after else "is dropped"
        return f'"{self.before}" {after}: {CHANGES[self.code].message}'

    @property
    def rule(self) -> str:
        """The rule that it follows, of the RFC or of the dialect."""
        return CHANGES[self.code].rule
