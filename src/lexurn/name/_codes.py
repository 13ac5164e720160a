"""All findings about a name, as a table: code, weight in each reading, rule and words.

Components are read without regard to the reading: what they find is a `Fault`, and this table alone
says how much it weighs in which reading. One code has one severity per reading.
"""

from __future__ import annotations

from typing import NamedTuple

from lexurn.name._findings import Reading, Severity

__all__ = ["CODES", "Code", "Fault", "Fix"]

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


class Fix(NamedTuple):
    """A repair: the text between two offsets is replaced."""

    start: int
    end: int
    text: str

    def shifted(self, by: int) -> Fix:
        """The same repair, in a text that starts ``by`` characters further left."""
        return Fix(self.start + by, self.end + by, self.text)


class Fault(NamedTuple):
    """Something found in a text, before a reading weighs it; offsets are relative to that text.

    Attributes:
        code: a key of `CODES`.
        component: the production of RFC 9676 at fault.
        start: offset of the place.
        end: offset behind the place.
        values: what the message shows.
        fix: how to repair it, where the repair is certain in form.
    """

    code: str
    component: str
    start: int
    end: int
    values: tuple[str, ...] = ()
    fix: Fix | None = None

    def shifted(self, by: int) -> Fault:
        """The same fault, in a text that starts ``by`` characters further left."""
        fix = self.fix and self.fix.shifted(by)
        return self._replace(start=self.start + by, end=self.end + by, fix=fix)


class Code(NamedTuple):
    """What a code stands for.

    Attributes:
        code: ``LX`` and three digits.
        grammar: its severity in the reading ``grammar``.
        text: its severity in the reading ``text``.
        component: the component it is about, ``*`` where it may be any.
        rule: the rule behind it.
        message: a template; ``{0}`` is what was found, ``{component}`` where.
    """

    code: str
    grammar: Severity
    text: Severity
    component: str
    rule: str
    message: str

    def severity(self, reading: Reading) -> Severity:
        """How much it weighs in a reading."""
        return self.grammar if reading is Reading.GRAMMAR else self.text


# fmt: off
_ROWS = (
    # The URN and its characters.
    Code("LX101", _ERROR, _ERROR, "scheme", "RFC 8141 §2", 'a LEX name starts with "urn:"'),
    Code("LX102", _ERROR, _ERROR, "nid", "RFC 9676 §8", 'the namespace is {0}, not "lex"'),
    Code("LX103", _ERROR, _ERROR, "nid", "limit of lexurn",
         "the name has {0} characters, more than {1}"),
    Code("LX104", _ERROR, _ERROR, "percent-encoding", "RFC 9676 §8",
         '"%" is not followed by two hex digits'),
    Code("LX105", _ERROR, _ERROR, "percent-encoding", "RFC 9676 §3.4",
         "the encoded octets {0} are not UTF-8"),
    Code("LX106", _ERROR, _ERROR, "percent-encoding", "RFC 9676 §3.4",
         "an encoded control character, {0}"),
    Code("LX107", _ERROR, _ERROR, "percent-encoding", "RFC 9676 §3.4",
         "an encoded character that turns the direction of text, {0}"),
    Code("LX108", _WARNING, _WARNING, "percent-encoding", "RFC 9676 §3.2",
         "{0} stands encoded; it stays as it is, since encoded ASCII is never decoded"),
    Code("LX109", _ERROR, _WARNING, "*", "RFC 9676 §3.4",
         "{0} is not ASCII; it is written percent-encoded"),
    Code("LX110", _ERROR, _ERROR, "*", "RFC 9676 §3.1", "{0} can stand nowhere in a name"),
    Code("LX111", _WARNING, _WARNING, "*", "RFC 9676 §3.4",
         "{0} cannot be seen, or means nothing to others"),
    Code("LX112", _WARNING, _WARNING, "*", "RFC 9676 §4.1",
         "{0} is a special character; names do without"),
    Code("LX113", _WARNING, _WARNING, "*", "RFC 9676 §3.4",
         "{0} is not in Unicode's composed form (NFC): it differs from the name that looks alike"),
    Code("LX114", _WARNING, _WARNING, "*", "RFC 9676 §3.4",
         "{0} is a variant of another character: it differs from the name that looks alike"),
    Code("LX115", _WARNING, _WARNING, "*", "RFC 9676 §3.3",
         "{0} has a lower case of its own in some languages; here it is {1}"),
    Code("LX116", _ERROR, _ERROR, "*", "RFC 9676 §3.2", '"/" is not used in names'),
    Code("LX117", _ERROR, _ERROR, "*", "RFC 9676 §3.2", "{0} is reserved for the future"),
    Code("LX118", _ERROR, _ERROR, "*", "RFC 8141 §2",
         '"?" stands only in "?+" (r-component) and "?=" (q-component)'),
    Code("LX119", _ERROR, _ERROR, "*", "RFC 8141 §2", "the {component} is empty"),
    Code("LX120", _ERROR, _ERROR, "*", "RFC 8141 §2", "{0} cannot stand in the {component}"),
    Code("LX121", _WARNING, _WARNING, "*", "RFC 9676 §4.1",
         "dots stand between words, one at a time"),
    # The components of RFC 9676.
    Code("LX201", _ERROR, _ERROR, "*", "RFC 9676 §8", "here the {component} should stand"),
    Code("LX202", _ERROR, _ERROR, "*", "RFC 9676 §8", "{0} cannot stand here in the {component}"),
    Code("LX203", _ERROR, _ERROR, "language", "RFC 9676 §5.6", "{0} is not a language tag"),
    Code("LX204", _ERROR, _WARNING, "language", "RFC 9676 §5.6",
         "{0} is a language tag of RFC 5646 that the grammar of section 8 has no room for"),
    Code("LX205", _WARNING, _WARNING, "language", "RFC 9676 §5.6",
         "{0} has more extended languages than the three of RFC 5646"),
    Code("LX206", _WARNING, _WARNING, "language", "RFC 9676 §5.6",
         "{0} is not registered as a language subtag"),
    Code("LX207", _WARNING, _WARNING, "language", "RFC 9676 §5.6",
         "{0} is for private use: others cannot know the language"),
    Code("LX208", _ERROR, _ERROR, "jurisdiction-code", "RFC 9676 §8",
         "a jurisdiction code has two characters or more"),
    Code("LX209", _ERROR, _WARNING, "jurisdiction-code", "RFC 9676 §2.2",
         "a hyphen, as in domain names; the grammar of section 8 has no room for it"),
    Code("LX210", _ERROR, _ERROR, "jurisdiction-code", "RFC 9676 §3.4",
         "{0} is the DNS form of a name; names have its letters, as UTF-8 percent-encoded"),
    Code("LX211", _WARNING, _WARNING, "jurisdiction-code", "RFC 9676 §2.1",
         "a jurisdiction code is plain ASCII"),
    Code("LX212", _WARNING, _WARNING, "jurisdiction-code", "RFC 9676 §2.2",
         "{0} is neither a country code nor a domain name"),
    Code("LX213", _NOTE, _NOTE, "jurisdiction-code", "RFC 9676 §2.2",
         "the registry does not know the jurisdiction {0}"),
    Code("LX214", _ERROR, _ERROR, "date", "RFC 9676 §3.6",
         "{0} is not a date; dates are written YYYY-MM-DD"),
    Code("LX215", _ERROR, _ERROR, "date", "RFC 9676 §3.6", "there is no day {0}"),
    Code("LX216", _WARNING, _WARNING, "date", "RFC 9676 §3.6",
         "the year 0000 is a date by mutual agreement only"),
    Code("LX217", _WARNING, _WARNING, "date", "RFC 9676 §3.6",
         "{0} is a day of the Julian calendar only"),
    Code("LX218", _ERROR, _WARNING, "date-loc", "RFC 9676 §3.6",
         '"%7C" is read as the "|" before a local date'),
    Code("LX219", _WARNING, _WARNING, "date-loc", "RFC 9676 §3.6",
         'nothing follows the "|" of the local date'),
    Code("LX220", _WARNING, _WARNING, "period", "RFC 9676 §3.6",
         "{0} reads as a period; a date is written YYYY-MM-DD"),
    Code("LX221", _WARNING, _WARNING, "dates", "RFC 9676 §6.3.2", "the date {0} stands twice"),
    Code("LX222", _WARNING, _WARNING, "numbers", "RFC 9676 §6.3.4", "the number {0} stands twice"),
    Code("LX223", _WARNING, _WARNING, "numbers", "RFC 9676 §6.3.3",
         '{0} is a plain number: a number made for the system is "lex-" and digits, alone'),
    Code("LX224", _ERROR, _ERROR, "*", "RFC 9676 §8", "nothing may follow the {component}"),
    Code("LX225", _ERROR, _WARNING, "specification", "RFC 9676 §5.7",
         "a hyphen, as in the example of section 5.7; the grammar of section 8 has no room for it"),
    Code("LX226", _ERROR, _WARNING, "mime", "RFC 9676 §5.7", '"+" is written "%2B"'),
    Code("LX227", _WARNING, _WARNING, "editor", "RFC 9676 §5.7",
         "the format seems to stand before the editor, as in drafts of the RFC"),
    Code("LX228", _WARNING, _WARNING, "partition", "RFC 9676 §5.8",
         '{0} in a partition: version and format stand before the "~"'),
    Code("LX229", _WARNING, _WARNING, "partition", "RFC 9676 §5.8",
         '"+" in a partition: nothing is said of several partitions'),
    Code("LX230", _WARNING, _WARNING, "authority", "RFC 9676 §3.4",
         "{0} is notation; read as it stands, its plus sign parts two issuers"),
)
# fmt: on

CODES = {row.code: row for row in _ROWS}
