"""Forms of citations: texts with stand-ins for their numbers and for the words of their subject.

Citations of one form are read once. "Loi n° 2019-222 du 23 mars 2019 relative à la réforme pour la
justice" has the form "Loi n° 1999-999 du 19 mars 1999 relative à la qqqqqq".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.characters import CleanText, load_spelling, quote_characters
from lexurn.minting.citation import CitationReader
from lexurn.minting.dates import COMPACT_DATE, YEAR, YEARS, get_date_vocabulary
from lexurn.minting.draft import Action
from lexurn.minting.mentions import Span, write_levels
from lexurn.minting.numbers import DATED_NUMBER
from lexurn.minting.words import get_vocabulary
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from lexurn.findings import Finding
    from lexurn.minting.draft import Context, Step
    from lexurn.minting.elements import CitationForm
    from lexurn.registry import Law, Words

# With its first digit apart, `re` finds a number in half the time.
_NUMBER_RUN, _LONG_RUN = re.compile("([0-9][0-9]*)"), re.compile("([0-9][0-9]{2,})")
# The number of a day in digits and in words, which are compared: "12 (twelve) May".
_DAY_TWICE = re.compile(r"[0-9]\s*[(\uff08]|[(\uff08]\s*[0-9]{1,2}\s*[)\uff09]")
_WORD = re.compile(r"[^\W\d_]+|[0-9]+")
# A word of a subject, with what may stand directly behind it.
_SUBJECT_WORD = re.compile(r"[^\W\d_]+(?=[,)]|\Z)")
_MARKS = ("gazettes", "date-marks", "act-marks", "number-endings")
# Before dots the day is first, except where dates in digits begin with the month.
_DAY_FIRST = re.compile(rf"\b([0-9]{{1,2}})[º°ª]?\. ?([0-9]{{1,2}})\. ?({YEAR})\b")
_MONTH_FIRST = frozenset(load_spelling()["month_first"].split())
_QUOTED = re.compile('[«"“„]([^«»"“”„]+)[»"”“][.\\s]*')
# A stroke between parts of a number: "10 / 2024"; "58/ 2019" and "10 /PRES/ 2024" before a year.
_STROKE = re.compile(
    rf"(?<=[0-9]) / (?=[0-9])|(?<=[0-9]) ?/ ?(?:[A-Z]+ ?/ ?)?(?={YEAR}\b(?![./-][0-9]))"
)
# A number that a stroke joins to its date: "nr. 114/28.12.2018".
_DATE_BEHIND = re.compile(rf"/(?=[0-9]{{1,2}}\.[0-9]{{1,2}}\.{YEAR}\b)")
_BEFORE_DATE = re.compile(
    r"((?<=[.º°] )[0-9]+|(?<![0-9./])[0-9]{3,}|[0-9]{1,3}\.[0-9]{3})" + _DATE_BEHIND.pattern
)
_MAX_FORMS, _MAX_TOKENS = 16_384, 4_096
# Short words may be numbers, marks or abbreviations: "art. l", "sez. iv".
_STAND_IN, _FEWEST_LETTERS, _ROMAN = "qqqqqq", 3, re.compile("[ivxlcdm]+")


@dataclass(slots=True)
class MaskedText:
    """Text with stand-ins; those of numbers are as long as these.

    Attributes:
        given: the citation.
        text: the text.
        end: the offset after the stand-in of a subject; that of the text if it has none.
    """

    given: str
    text: str
    end: int

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in the citation of a stretch of the text."""
        if end < self.end:
            return start, end
        shift = len(self.given) - len(self.text)
        return start + shift * (start >= self.end), end + shift

    def cut(self, span: tuple[int, int]) -> str:
        """Return the stretch of the citation that a stretch of the text stands for."""
        start, end = self.locate(*span)
        return self.given[start:end]


class _StandIns(dict[str, str]):
    """Stand-ins of numbers; one that is not listed has that of a whole date, or of its length."""

    def __missing__(self, number: str) -> str:
        is_date = len(number) == len("19991231") and COMPACT_DATE.fullmatch(number)
        return "19991231" if is_date else "9" * len(number)


_DAYS_AND_YEARS = {
    "0": "0",
    **{f"{day:02}": "19" for day in range(1, 32)},
    **{str(year): "1999" for year in YEARS},
}


class CitationForms:
    """Forms of the citations of one jurisdiction in one language.

    Attributes:
        words: the words of the language.
        law: the entries and conventions of the jurisdiction.
    """

    def __init__(self, words: Words, law: Law) -> None:
        self.words, self.law = words, law
        lexicons = law.measures, law.authorities, law.bodies, law.units
        keys = frozenset[str]().union(*(each.keys for each in lexicons))
        # The numbers in the names of entries, for example "Agenda 2030"; not those of "4. Gesetz",
        # which all have their entry.
        self._stand_ins = _StandIns(_DAYS_AND_YEARS)
        single = (each for each in keys if self._mask_numbers(each) not in keys)
        listed = " ".join((*single, *law.conventions.values()))
        self._stand_ins.update({each: each for each in _NUMBER_RUN.findall(listed)})
        self.beginnings = frozenset[str]().union(*(each.beginnings for each in lexicons))
        is_subject_first = law.conventions.get("subject-place") == "before-measure"
        self.openings = frozenset() if is_subject_first else words.subject_words - words.markers
        self.types_of_titles = tuple(law.list_values("title-types"))
        self.fillers, dates = get_vocabulary(words).fillers, get_date_vocabulary(words)
        marks = (each.replace(".", " ") for kind in _MARKS for each in law.list_values(kind))
        kept = *words.markers, *dates.months, *dates.days, *dates.weekdays, *map(make_key, marks)
        self.kept = frozenset(text.partition(" ")[0] for text in kept)
        amended = "|".join(law.list_values("amendment-marks")).replace(".", r"\W+")
        clause = rf"\W(?:{amended})\b(?:[^()]|\([^()]*\))*"  # up to the bracket around it
        self.tokens = _Tokens(self)
        self._amended = re.compile(clause, re.IGNORECASE) if amended else None

    def drop_amendment(self, text: str) -> tuple[str, tuple[int, int] | None]:
        """Return a text with blanks for the words on later amendments, and the span of these.

        They end with their brackets: "Companies Act 2006 (as amended), c. 46". Without brackets
        they end with the text, since a number in it may be that of an amending act. If they name
        none, they end at a comma or bracket.
        """
        found = self._amended.search(text) if self._amended else None
        if found is None:
            return text, None
        start, end = found.start() + 1, found.end()
        if text[end : end + 1] != ")":
            clause = re.split("[,(]", text[start:], maxsplit=1)[0]
            words, types = map(make_key, _WORD.findall(clause)), self.law.measures.keys
            is_type = (each in types or each[:-1] in types for each in words)  # or a plural
            names_act = re.search(YEAR, clause) or any(is_type)
            end = len(text) if names_act else start + len(clause)
        before = text[:start].rstrip(" ,;")
        is_opened = before.endswith("(")
        after = end + (is_opened and text[end : end + 1] == ")")
        kept = before.removesuffix("(").ljust(after) + text[after:]
        return kept.rstrip(), (start, end)

    def mask(self, text: str) -> MaskedText:
        """Return a text of the same form, the same one for all citations of this form.

        A number is read by its length, and as a day, a year or a whole date. The words after one
        that begins a subject mean nothing up to a word of dates, the marker of a number or a sign,
        nor up to a type of measure if a number follows.
        """
        has_brackets = "(" in text or "\uff08" in text
        pattern = _LONG_RUN if has_brackets and _DAY_TWICE.search(text) else _NUMBER_RUN
        masked = self._mask_numbers(text, pattern)
        start, end = _find_subject(masked, self)
        if start == end:
            return MaskedText(text, masked, len(text))
        return MaskedText(text, masked[:start] + _STAND_IN + masked[end:], start + len(_STAND_IN))

    def _mask_numbers(self, text: str, pattern: re.Pattern[str] = _NUMBER_RUN) -> str:
        parts = pattern.split(text)
        parts[1::2] = [self._stand_ins[number] for number in parts[1::2]]
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class _SubjectWord:
    """Word of a subject.

    Attributes:
        length: its length.
        after: what follows it in its token.
        begins_type: True if it may begin a type of measure.
        is_filler: True if it stands between the parts of a citation.
    """

    length: int
    after: str
    begins_type: bool
    is_filler: bool


@dataclass(frozen=True, slots=True)
class _Token:
    """Text between blanks and apostrophes of a citation.

    Attributes:
        size: its length, with the blank or apostrophe behind it.
        openings: the words in it that may begin a subject: their keys, ends, and what follows.
        key: the key of the word that it begins with.
        word: this word, as one of a subject; None if it may be more.
    """

    size: int
    openings: tuple[tuple[str, int, str], ...]
    key: str
    word: _SubjectWord | None


class _Tokens(dict[str, _Token]):
    """Tokens of citations by their text; each made on first use."""

    def __init__(self, forms: CitationForms) -> None:
        self._forms = forms

    def __missing__(self, text: str) -> _Token:
        if len(self) > _MAX_TOKENS:
            self.clear()
        forms, word = self._forms, None
        words = ((make_key(each[0]), each.end()) for each in _WORD.finditer(text))
        openings = ((*each, text[each[1] :]) for each in words if each[0] in forms.openings)
        found = _SUBJECT_WORD.match(text)
        first = found[0] if found else ""
        key, size = make_key(first), len(first)
        is_plain = size >= _FEWEST_LETTERS and not _ROMAN.fullmatch(key) and first[1:].islower()
        is_filler = key in forms.fillers
        if found and key not in forms.kept and (is_plain or is_filler):
            is_named = key.removesuffix("s").endswith(forms.types_of_titles)
            begins_type = is_named or key in forms.law.measures.beginnings
            word = _SubjectWord(size, text[size:], begins_type, is_filler)
        self[text] = token = _Token(len(text) + 1, tuple(openings), key, word)
        return token


@lru_cache(maxsize=_MAX_FORMS)
def _choose_signs(text: str, forms: CitationForms) -> frozenset[str] | None:
    """Return the signs behind the words of a subject that the last word of a text begins.

    A comma is one of them if one stands before the subject. It is None if this word begins no
    subject, and empty if the name of an entry goes on.
    """
    *others, opening = _WORD.finditer(text)
    keys = ["", *(make_key(each[0]) for each in others)]
    before = text[others[-1].end() if others else 0 : opening.start()]
    if not (keys[-1].isdigit() or keys[-1] in forms.law.measures.keys or "," in before):
        return None
    firsts = (first for first in range(1, len(keys)) if keys[first] in forms.beginnings)
    chains = (" ".join((*keys[first:], make_key(opening[0]))) for first in firsts)
    if opening[0].isupper() or not forms.beginnings.isdisjoint(chains):
        return frozenset()
    return frozenset({"", ","} if "," in text else {""})


@lru_cache(maxsize=_MAX_FORMS)
def _find_subject(text: str, forms: CitationForms) -> tuple[int, int]:
    """Return the span of the words of the subject that mean nothing; an empty one if none."""
    start = 0
    tokens = [forms.tokens[each] for each in text.replace("'", " ").split(" ")]
    for at, token in enumerate(tokens, start=1):
        for key, end, after in token.openings:
            signs = _choose_signs(text[: start + end], forms)
            if signs is not None:
                first, following = start + token.size, tokens[at:]
                goes_on = following and f"{key} {following[0].key}" in forms.beginnings
                if after not in signs or goes_on:
                    return first, first
                return first, _find_end(following, first, len(text), signs)
        start += token.size
    return 0, 0


def _find_end(tokens: list[_Token], first: int, whole: int, signs: frozenset[str]) -> int:
    """Return the offset after the words of a subject, which begin at an offset with some tokens."""
    start = last = end = first
    limit = whole
    for token in tokens:
        word = token.word
        if word is None:
            break
        if word.begins_type:
            limit = min(limit, end)
        last = start + word.length
        end = end if word.is_filler else last
        if word.after not in signs:
            break
        start += token.size
    return last if last == whole else max(first, min(end, limit))


@lru_cache(maxsize=256)
def get_forms(context: Context) -> CitationForms:
    """Return the forms of citations in a context, made once for each."""
    return CitationForms(context.words, context.law)


class Citation(NamedTuple):
    """Parts of a citation.

    Attributes:
        fields: the words of those that it has, as fields of metadata; two dates of one act are one
            text, with a dash or comma between them.
        steps: the steps of the reading.
        findings: the findings on the citation.
    """

    fields: Mapping[str, Any] = {}
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()


def _separate_numbers(text: str, law: Law) -> str:
    """Return a citation without quotation marks around it, its numbers apart from dates."""
    text = " ".join(text.split())
    if " /" in text or "/ " in text:
        text = _STROKE.sub(lambda found: found[0].replace(" ", ""), text)
    if _DATE_BEHIND.search(text):
        text = _BEFORE_DATE.sub(r"\1 ", text)
    if "dated-number" in law.conventions:
        text = DATED_NUMBER.sub(r"\g<type> \g<date> \g<number>", text)
    quoted = _QUOTED.fullmatch(text)
    return quoted[1] if quoted else text


def read_citation(text: str, context: Context, given: Collection[str] = ()) -> Citation:
    """Read a citation.

    Args:
        text: one line that cites one act.
        context: the words of its language, the entries and conventions of its jurisdiction.
        given: the fields that are given beside the citation, so that it may lack them;
            ``court`` if a court is among the issuers.

    Returns:
        Its parts. An error finding says that it states something twice, or nothing.
    """
    text = _separate_numbers(text, context.law)
    log = CleanText(text, "citation", get_vocabulary(context.words).script)
    fields: dict[str, Any] = {}
    if not log.failed:
        forms = get_forms(context)
        cited, amended = forms.drop_amendment(log.clean)
        if amended is not None:
            log.say("LX778", quote_characters(log.clean[slice(*amended)]), span=amended)
        masked = forms.mask(cited)
        form = read_form(masked.text, forms, frozenset(given))
        may_begin_with_day = "date_order" not in given and context.law.code not in _MONTH_FIRST
        for name, span in form.found.items():
            text = masked.cut(span)
            if name == "date" and form.year is not None:
                year = masked.cut(form.year)
                if len(year) == 2:  # without its century: "Lei n.º 67/98"
                    first, _, last = context.law.conventions["short-years"].partition("-")
                    years = map(str, range(int(first), int(last) + 1))
                    year = next((each for each in years if each.endswith(year)), year)
                is_behind = context.law.conventions.get("day-place") == "behind-month"
                text = f"{year}. {text}" if is_behind else f"{text} {year}"
            log.step(Action.READ, log.text, f"{name}: {text}", "RFC 9676 §6.3.1")
            if name == "date" and text.count(".") > 1 and may_begin_with_day:
                written, text = text, _DAY_FIRST.sub(r"\3-\2-\1", text)
                log.step(Action.SUPPLIED, written, text, "RFC 9676 §3.6")
            fields[name] = text if name == "measure" else (text,)
        if "body" in fields:  # "Decreto n. 7 del Sindaco" is a "Decreto del Sindaco"
            fields["measure"] += f" {fields.pop('body')[0]}"
        if form.levels:
            fields["authority"] = write_levels(form.levels, masked.cut)
        for code, span, values in form.notes:
            shown = (quote_characters(masked.cut(v)) if isinstance(v, Span) else v for v in values)
            log.say(code, *shown, span=masked.locate(*span))
    return Citation(fields, tuple(log.steps), tuple(log.findings))


@lru_cache(maxsize=_MAX_FORMS)
def read_form(text: str, forms: CitationForms, given: frozenset[str]) -> CitationForm:
    """Read a citation that stands for all of its form."""
    return CitationReader(text, forms.words, forms.law, given).read()
