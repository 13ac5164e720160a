"""Forms of citations: texts in which stand-ins replace numbers and words that mean nothing in them.

Citations of one form are read once. "Loi n° 2019-222 du 23 mars 2019 de programmation et de réforme
pour la justice" has the form "Loi n° 1999-999 du 19 mars 1999 de qqqqqq".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.characters import fold_to_ascii, lower_text
from lexurn.minting.dates import get_date_vocabulary
from lexurn.minting.words import get_vocabulary
from lexurn.registry import NUMBER_ADDITIONS, make_key

if TYPE_CHECKING:
    from lexurn.registry import Law, Words

#: Years from 1500 to 2099.
YEAR = "(?:1[5-9]|20)[0-9]{2}"
COMPACT_DATE = re.compile(
    rf"(?<![\w/.-]){YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![\w/-]|\.[0-9])"
)
_NUMBER_RUN, _LONG_RUN = re.compile("[0-9]+"), re.compile("[0-9]{3,}")
# The number of a day in digits and in words, which are compared: "12 (twelve) May".
_DAY_TWICE = re.compile(r"[0-9]\s*[(\uff08]|[(\uff08]\s*[0-9]{1,2}\s*[)\uff09]")
_NUMBER_KINDS = {
    2: ((re.compile("0[1-9]|[12][0-9]|3[01]"), "19"),),
    4: ((re.compile(YEAR), "1999"),),
    8: ((COMPACT_DATE, "19991231"),),
}
_WORD = re.compile(r"[^\W\d_]+|[0-9]+")
# Short words may be numbers, marks or abbreviations: "art. l", "sez. iv".
_STAND_IN, _FEWEST_LETTERS, _ROMAN = "qqqqqq", 3, re.compile("[ivxlcdm]+")
_BEFORE, _AFTER, _BETWEEN = frozenset(" '(,"), frozenset(" '),"), frozenset(" '")
_QUOTES = re.compile('["«»“”„]')


class MaskedText(NamedTuple):
    """Text with stand-ins.

    Attributes:
        text: the text.
        ends: the end in it of each stand-in that has another length than its words.
        shifts: the number of characters from an offset to that in the citation, before the first
            of these ends and behind each.
    """

    text: str
    ends: tuple[int, ...]
    shifts: tuple[int, ...]

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the citation of a stretch of the text."""
        if not self.ends:
            return start, end
        first, last = bisect_right(self.ends, start), bisect_right(self.ends, end)
        return start + self.shifts[first], end + self.shifts[last]


class _KnownWord(NamedTuple):
    """Word, and what it may be in a citation.

    Attributes:
        key: its key.
        stand_in: its stand-in; empty for a word that stays.
        leads: True if words that are part of the name of an issuer may follow.
        is_named: True if it is part of such a name.
        is_filler: True for a connective, or a word that begins a subject.
        opens: True for a word that begins a subject.
    """

    key: str
    stand_in: str
    leads: bool
    is_named: bool
    is_filler: bool
    opens: bool


class KnownWords:
    """Words that a citation of one jurisdiction in one language can consist of.

    Attributes:
        words: the words of the language.
        law: the entries and conventions of the jurisdiction.
        dates: the words of dates.
        fillers: the keys of the words that stand between the parts of a citation.
        numbers: the numbers in the names of entries: "Agenda 2030".
    """

    def __init__(self, words: Words, law: Law) -> None:
        self.words, self.law, self.dates = words, law, get_date_vocabulary(words)
        self._known: dict[str, _KnownWord] = {}
        self.fillers = get_vocabulary(words).fillers
        lexicons = law.measures, law.authorities, law.bodies, law.units
        keys = [key for lexicon in lexicons for key in lexicon.keys]
        values = " ".join(law.conventions.values()).replace(".", " ")
        self.numbers = frozenset(_NUMBER_RUN.findall(" ".join((*keys, values))))
        self._beginnings = frozenset[str]().union(*(each.beginnings for each in lexicons))
        self._leading = frozenset(key.partition(" ")[0] for key in law.authorities.keys)
        self._leading |= {*words.qualifiers, *law.list_values("shared-heads")}
        named = (*law.authorities.keys, *law.authorities.notations)
        self._named = frozenset(re.split("[ .;+]", " ".join(named)))
        self._dropped = (words.connectives | words.subject_words) - words.markers
        self._is_titled = law.conventions.get("subject-place") == "before-measure"
        self._types = tuple(law.list_values("title-types"))
        kept = (
            (*words.markers, *words.subject_words, *words.issuer_words, *words.qualifiers),
            (*words.datewords, *words.months, *words.weekdays, *words.ordinals, *words.cardinals),
            (*words.abbreviations, *words.annexes.keys, *NUMBER_ADDITIONS, make_key(values)),
            (make_key(text) for entry in words.partitions for text in entry.spellings),
        )
        self._kept = frozenset(word for texts in kept for text in texts for word in text.split())

    def _read_word(self, text: str) -> _KnownWord:
        if len(self._known) > _MAX_WORDS:
            self._known.clear()
        key = make_key(text)
        is_plain = (
            len(text) >= _FEWEST_LETTERS
            and text[1:].islower()
            and key not in self._kept
            and key not in self.words.connectives
            and key.isalpha()
            and not _ROMAN.fullmatch(key)
            and not key.endswith(self._types)
        )
        stand_in = _STAND_IN[: len(text)] if is_plain else ""
        folded = text if text.isascii() else lower_text(text, self.words.language)
        is_named = is_plain and not self._named.isdisjoint(
            {key, fold_to_ascii(folded, self.words.folds)}
        )
        self._known[text] = word = _KnownWord(
            key,
            stand_in if text[0].islower() else stand_in.capitalize(),
            key in self._leading,
            is_named,
            key in self._dropped,
            key in self.words.subject_words and key not in self.words.markers,
        )
        return word

    def mask_numbers(self, text: str) -> str:
        """Return a text of the same form, in which one number stands for all of its kind.

        A number is read by its length, and as a day, a year or a whole date.
        """
        pattern = _LONG_RUN if _DAY_TWICE.search(text) else _NUMBER_RUN
        return pattern.sub(self._mask_number, text)

    def _mask_number(self, match: re.Match[str]) -> str:
        number, length = match[0], len(match[0])
        if number in self.numbers or number == "0":
            return number
        for kind, any_number in _NUMBER_KINDS.get(length, ()):
            if kind.fullmatch(number):
                return any_number
        return "9" * length

    def mask_words(self, text: str) -> MaskedText:
        """Return a text of the same form, in which one word stands for all that mean nothing in it.

        One stand-in replaces several words in small letters and the connectives between them. A
        word stays that begins an entry, goes on with one, or has a meaning in the language.
        """
        if _QUOTES.search(text):
            return MaskedText(text, (), (0,))  # a nickname, whose length counts
        runs: list[tuple[int, int, str]] = []
        beginnings, known = list[str](), self._beginnings
        is_led = is_open = is_opened = is_subject = has_type = False
        last = 0
        for match in _WORD.finditer(text):
            start, end = match.span()
            word = self._known.get(match[0]) or self._read_word(match[0])
            key = word.key
            if beginnings:
                longer = [f"{each} {key}" for each in beginnings]
                beginnings = [each for each in longer if each in known]
            # In a subject another act may be cited, but no issuer is read.
            known = self.law.measures.beginnings if is_subject else self._beginnings
            if key in known:
                beginnings.append(key)
            # A type behind a comma or a title may be that of the act. A date may hold the word.
            is_type = self._is_titled or not has_type or "," in text[last:start]
            if key.isdigit() or (beginnings and is_type):
                is_subject = False
            has_type = has_type or key in self.law.measures.keys
            is_led = is_led or word.leads
            is_near = is_open and start == last + 1 and text[last] in _BETWEEN
            is_plain = (
                word.stand_in != ""
                and not beginnings
                and (is_subject or not (is_led and word.is_named))
                and (start == 0 or text[start - 1] in _BEFORE)
                and (end == len(text) or text[end] in _AFTER)
                and not text[end + 1 : end + 2].isdigit()  # the court of a file: "25 Cdo 1/2019"
            )
            is_joining = is_led and key == self.dates.joining  # of issuers, which are counted
            is_filler = word.is_filler and (is_subject or not (word.opens or is_joining))
            is_subject = is_subject or (is_opened and is_plain)
            is_opened = (is_opened or word.opens) and not (beginnings or key.isdigit())
            is_small = is_subject or word.stand_in[:1].islower()
            if is_plain and is_near and is_small:
                runs[-1] = runs[-1][0], end, _STAND_IN
            elif is_plain:
                runs.append((start, end, word.stand_in.lower() if is_small else word.stand_in))
            is_open = is_small if is_plain else is_near and is_filler
            last = end
        return _replace_runs(text, runs)


def _replace_runs(text: str, runs: list[tuple[int, int, str]]) -> MaskedText:
    """Return a text with the stand-in of each run, from its start to its end."""
    parts: list[str] = []
    ends, shifts = [], [0]
    last = shift = 0
    for start, end, stand_in in runs:
        parts += text[last:start], stand_in
        last = end
        if shift != (shift := end - (start - shift + len(stand_in))):
            ends.append(end - shift)
            shifts.append(shift)
    return MaskedText("".join((*parts, text[last:])), tuple(ends), tuple(shifts))


_MAX_WORDS = 16_384
_KNOWN: dict[tuple[int, int], KnownWords] = {}
_MAX_KNOWN = 256


def get_known_words(words: Words, law: Law) -> KnownWords:
    """Return the words of a citation, listed once for each language and jurisdiction."""
    key = id(words), id(law)  # of objects that `_KNOWN` holds
    if key not in _KNOWN:
        if len(_KNOWN) >= _MAX_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = KnownWords(words, law)
    return _KNOWN[key]
