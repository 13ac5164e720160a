"""The rules of conversion as a table: what each code does, by which rule; what is found besides."""

from __future__ import annotations

from typing import NamedTuple

from lexurn.name import Severity

__all__ = ["CHANGES", "FINDINGS", "ChangeRule", "FindingRule"]


class ChangeRule(NamedTuple):
    """What a change does.

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


class FindingRule(NamedTuple):
    """What is found of a text.

    Attributes:
        code: ``LX8`` and two digits.
        severity: an error breaks the name.
        component: the production of RFC 9676 it is about.
        rule: the rule behind it.
        message: a template; ``{0}`` is what stands there. It says what to do.
    """

    code: str
    severity: Severity
    component: str
    rule: str
    message: str


_NIR, _LEXML = "NIR (circular AIPA/CR/35)", "LexML Brasil, part 2 (2008)"
_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE

# fmt: off
_CHANGES = (
    ChangeRule("LX801", "RFC 9676 §2.1", "the namespace nir is jurisdiction it of namespace lex"),
    ChangeRule("LX802", "RFC 9676 §8", "the prefix stands once", 'the prefix "{0}" too many'),
    ChangeRule("LX803", "RFC 9676 §5.8", 'a partition follows "~"'),
    ChangeRule("LX804", "RFC 9676 §5.8", 'a partition follows "~", not "#"', 'the sign "#"'),
    ChangeRule("LX805", "RFC 9676 §5.8", 'levels of a partition are parted by ";"'),
    ChangeRule("LX806", _LEXML, "label and number of a partition are one word",
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

_FINDINGS = (
    FindingRule("LX850", _NOTE, "authority", "RFC 9676 §2.4",
                "{0} is the registrar's own authority; 6.1.6 would have the word for state"),
    FindingRule("LX851", _NOTE, "period", "RFC 9676 §6.3.1",
                "the year {0} alone reads as a period; look up the full date"),
    FindingRule("LX852", _NOTE, "date", "RFC 9676 §3.6",
                "{0} often stands for a year whose day is not known; look it up"),
    FindingRule("LX853", _NOTE, "date", "RFC 9676 §3.6",
                "{0} is a day, but hardly the one that is meant; look it up"),
    FindingRule("LX854", _WARNING, "partition", "RFC 9676 §5.8",
                "{0} can be read in two ways: a partition by RFC 9676, form and language by LexML"),
    FindingRule("LX855", _WARNING, "period", "RFC 9676 §6.3.1",
                "{0} is no date and reads as a period; write the date or the period that is meant"),
    FindingRule("LX856", _NOTE, "f-component", "RFC 9676 §5.8",
                '{0} is a fragment, which no resolver sees; a partition follows "~"'),
    FindingRule("LX857", _WARNING, "editor", "RFC 9676 §5.7",
                "{0} can be read in two ways: the drafts had the format before the editor"),
    FindingRule("LX858", _NOTE, "numbers", "RFC 9676 §6.3.1",
                "{0} has no digit; see whether it is a number at all"),
    FindingRule("LX870", _ERROR, "nid", "limit of lexurn",
                "the name has {0} characters, more than a name may have; check what was pasted"),
    FindingRule("LX871", _ERROR, "nid", "RFC 9676 §3.1",
                "{0} can stand nowhere in a name; take it out where the name comes from"),
    FindingRule("LX872", _ERROR, "nid", "RFC 9676 §8",
                '{0} is not how a name of this dialect starts; it starts with "{1}"'),
    FindingRule("LX873", _ERROR, "measure", "RFC 9676 §5.3",
                "authority, type of measure and details are not all there; write all three"),
    FindingRule("LX874", _ERROR, "authority", "RFC 9676 §6.1.1",
                "the {0} is empty; nobody can know it from the rest"),
    FindingRule("LX875", _ERROR, "measure", "RFC 9676 §6.2.1",
                "{0} stands where the type of measure should; an element is missing before it"),
    FindingRule("LX876", _ERROR, "dates", "RFC 9676 §6.3.1",
                "there is no date; look it up, it is not guessed"),
    FindingRule("LX877", _ERROR, "numbers", "RFC 9676 §6.3.3",
                'there is no number; look it up, or have the registrar give a "lex-" number'),
    FindingRule("LX878", _ERROR, "date", "RFC 9676 §3.6",
                "{0} has digits that are not known; look them up"),
    FindingRule("LX879", _ERROR, "date", "RFC 9676 §3.6",
                "{0} stands for a date that is not known; look it up"),
    FindingRule("LX880", _ERROR, "date", "RFC 9676 §3.6", "there is no day {0}; look it up"),
    FindingRule("LX881", _ERROR, "period", "RFC 9676 §6.3.1",
                "{0} stands where the date should; look up the date"),
    FindingRule("LX882", _ERROR, "numbers", "RFC 9676 §6.3.3",
                "{0} is what a program writes when it has no number; look it up"),
    FindingRule("LX883", _ERROR, "numbers", "RFC 9676 §6.3.1",
                "{0} behind the number is no annex that the registry knows; say what it is"),
    FindingRule("LX884", _ERROR, "numbers", "RFC 9676 §6.3.1",
                "{0} is an article, and no number is there; look the number up"),
    FindingRule("LX885", _ERROR, "nid", "RFC 9676 §8",
                "{0} stands there a second time; only one can be meant"),
    FindingRule("LX886", _ERROR, "nid", "RFC 9676 §8", "{0} means nothing in this dialect"),
    FindingRule("LX887", _ERROR, "jurisdiction", "RFC 9676 §2.1",
                "{0} cannot be said in the dialect asked for"),
)
# fmt: on

CHANGES = {row.code: row for row in _CHANGES}
"""Each change by its code."""
FINDINGS = {row.code: row for row in _FINDINGS}
"""Each finding by its code."""
