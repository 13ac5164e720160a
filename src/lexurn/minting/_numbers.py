"""Document numbers and headings of annexes (RFC 9676 sections 6.3.4 and 6.4.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.minting._dates import find_date
from lexurn.minting._japanese import number_in
from lexurn.minting._letters import lowered, unwritable, written_word
from lexurn.minting._ordinals import roman
from lexurn.minting._steps import Action, MintFinding, Mode, Step, Written
from lexurn.minting._text_cleaning import clean, compile_words
from lexurn.minting._text_codes import Place, finding, step
from lexurn.minting._text_pieces import decoded_triplets
from lexurn.minting._text_scripts import shown
from lexurn.minting._text_sentence import Manner, written
from lexurn.minting._text_vocabulary import vocabulary_of
from lexurn.registry import key_of

if TYPE_CHECKING:
    from lexurn.registry import Law, Words

__all__ = ["annex_part", "document_id", "without_marker"]

_RULE = "RFC 9676 §6.3.4"
_READY = re.compile(r"[0-9a-z]*[0-9][0-9a-z]*(?:-[0-9a-z]+)*")
#: What says that there is no number, as databases and clerks write it. Keys.
_NOTHING = frozenset(
    [
        *("none", "null", "nil", "nan", "na", "n/a", "#n/a", "<na>", "nat", "inf", "-inf", "tbd"),
        *("undefined", "unknown", "true", "false", "s.n.", "s.n", "sn", "s/n", "n.d.", "nd"),
        *("s/n.", "s/nº", "s/n°", "s/no", "s/no.", "s./n.", "s.nº", "s.n°", "s.n.º"),
        *("#ref!", "#value!", "#name?"),
    ]
)
_NO_LETTER = re.compile(r"[^0-9A-Za-z]*")
_SPREADSHEET = re.compile(r"[0-9]+\.0+|[0-9](?:\.[0-9]+)?[eE]\+[0-9]+|#+")
_MARKER = re.compile(r"\s*([^\W\d_]+[.ºª°^'\u05f3]*|№|#)([.:\s]*)(?=[^\W_])")
_LEADING = re.compile(r"^[^\w№#]+")
#: Ideographs right before and behind a number: "第2号", "第五十七号".
_NUMERALS = "\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e"
_IN_BRACKETS = re.compile(
    rf"(\u7b2c?)([0-9][0-9A-Za-z./-]*|[{_NUMERALS}]+)([\u3400-\u9fff]{{0,2}})"
)
#: A marker behind the number: "663 sayili".
_BEHIND = re.compile(r"([0-9][^\s]*)\s+([^\W\d_]+\.?)")
#: A raised digit: the mark of a footnote that has come along.
_RAISED = re.compile(r"[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+")
_SIGNS = frozenset("°º^")
_MARKER_SIGNS = frozenset("№#")


def document_id(
    text: str,
    words: Words,
    law: Law,
    field: str,
    *,
    suffix: str | None = None,
    mode: Mode = Mode.ASCII,
) -> Written:
    """A document number as a name has it.

    Lower case; what is not allowed or reserved becomes "-"; markers ("n.", "No.") are dropped, and
    so are the separators of thousands where the jurisdiction has them; Roman numerals and words
    stay as they are.

    Args:
        text: the number as it is written.
        words: the words of its language.
        law: the conventions of its jurisdiction.
        field: the field that it stands in.
        suffix: what tells it from another that would be written the same ("removal").
        mode: ASCII letters, or percent-encoded UTF-8.

    Returns:
        The number with each step; no text where a finding is an error.
    """
    if suffix is None and _READY.fullmatch(text):
        return Written(text=text)
    number = _Number(words, law, field, mode)
    return number.written(text, suffix)


class _Number:
    """One document number that is being written; collects steps and findings."""

    def __init__(self, words: Words, law: Law, field: str, mode: Mode) -> None:
        self.words, self.law, self.field, self.mode = words, law, field, mode
        self.steps: list[Step] = []
        self.findings: list[MintFinding] = []

    def written(self, text: str, suffix: str | None) -> Written:
        found = self._one(text)
        if suffix is not None and found is not None:
            ending = self._one(suffix)
            self.findings = [each for each in self.findings if each.code != "LX738"]
            if ending is not None:
                whole = f"{found}-{ending}"
                self._step(Action.JOINED, f"{found} + {suffix}", whole)
                found = whole
        failed = any(each.is_error for each in self.findings)
        return Written(
            text=None if failed else found,
            steps=tuple(self.steps),
            findings=tuple(self.findings),
        )

    def _one(self, text: str) -> str | None:
        code = self._refusal(text)
        if code is not None:
            hint = text.strip().partition(".")[0] if code == "LX730" and "E" not in text else None
            self._say(code, text, hint)
            return None
        strange = self._foreign(text)
        if strange is not None:
            place = Place(self.field, text, *strange)
            value = shown(text[slice(*strange)])
            self.findings.append(finding("LX739", place, value))
            return None
        cleaned = clean(text, self.field, vocabulary_of(self.words).script)
        self.steps += cleaned.steps
        self.findings += cleaned.findings
        if cleaned.failed:
            return None
        bare = self._unmarked(_LEADING.sub("", decoded_triplets(cleaned.text)).strip())
        return self._spelt(text, self._ungrouped(bare))

    def _refusal(self, text: str) -> str | None:
        """As `_refusal`, and a marker alone is no number either."""
        return _refusal(text) or ("LX729" if key_of(text) in self.words.markers else None)

    def _foreign(self, text: str) -> tuple[int, int] | None:
        """Where a footnote's mark stands, or the date that a citation has behind its number."""
        raised = _RAISED.search(text)
        if raised is not None:
            return raised.span()
        date = find_date(text, self.words) if " " in text.strip() else None
        if date is None:
            return None
        before = text[: date[0]].split()[-1:]
        is_said = any(key_of(word) in self.words.connectives for word in before)
        return date if is_said or any(map(str.isalpha, text[slice(*date)])) else None

    def _unmarked(self, text: str) -> str:
        rest = without_marker(text, self.words)
        if rest != text:
            source = vocabulary_of(self.words).source("markers")
            self._step(Action.DROPPED, text[: len(text) - len(rest)].strip(), "", source)
        return rest

    def _ungrouped(self, text: str) -> str:
        """The number without separators of thousands, where the jurisdiction groups digits."""
        separator = self.law.conventions.get("thousands")
        if not separator or separator not in text:
            return text
        sign = re.escape(separator)
        match = re.match(rf"[1-9][0-9]{{0,2}}(?:{sign}[0-9]{{3}})+(?![0-9{sign}])", text)
        if match is None:
            return text
        digits = match[0].replace(separator, "")
        self._step(Action.REPLACED, match[0], digits)
        return digits + text[match.end() :]

    def _spelt(self, given: str, text: str) -> str | None:
        """Lower case, letters folded, everything else that is not allowed as "-"."""
        lower = lowered(text, self.words.language)
        if lower != text:
            self._step(Action.LOWERED, text, lower, None, "RFC 9676 §3.3")
        # A percent sign that is left encodes nothing that a name may decode.
        folded = self._folded(given, lower.replace("%", "-"))
        dashed = _trimmed(folded)
        if dashed != folded:
            self._step(Action.REPLACED, folded, dashed)
        code = self._refusal(dashed) if dashed else "LX731"
        if code is not None and not any(found.is_error for found in self.findings):
            self._say(code, given, None)
        elif dashed and not any(each.isdigit() for each in dashed) and not roman(text):
            self._say("LX738", given, None)
        return dashed or None

    def _folded(self, given: str, lower: str) -> str:
        """The letters as a name has them, signs beyond ASCII as blanks."""
        if lower.isascii():
            return lower
        pieces: list[str] = []
        at = 0
        for match in compile_words(lower).finditer(lower):
            piece = written_word(match[0], self.words.folds, self.mode)
            strange = self.mode is Mode.ASCII and unwritable(match[0], self.words.folds)
            if not piece or strange:
                self._say("LX719", given, None, strange or match[0])
            pieces += [_in_ascii(lower[at : match.start()]), piece]
            at = match.end()
        folded = "".join((*pieces, _in_ascii(lower[at:])))
        action = Action.FOLDED if self.mode is Mode.ASCII else Action.ENCODED
        self._step(action, lower, folded, None, "RFC 9676 §3.4")
        return folded

    def _step(
        self,
        action: Action,
        before: str,
        after: str,
        source: str | None = None,
        rule: str = _RULE,
    ) -> None:
        self.steps.append(step(self.field, action, before, after, rule, source))

    def _say(self, code: str, text: str, hint: str | None, what: str | None = None) -> None:
        place = Place(self.field, text, 0, len(text))
        self.findings.append(finding(code, place, shown(what or text), suggestion=hint))


def _refusal(text: str) -> str | None:
    """The code of what is no number at all; None where it may be one."""
    bare = text.strip()
    if not bare:
        return "LX710"
    if bare.lower() in _NOTHING or (bare.isascii() and _NO_LETTER.fullmatch(bare)):
        return "LX730" if set(bare) == {"#"} else "LX729"
    return "LX730" if _SPREADSHEET.fullmatch(bare) else None


def without_marker(text: str, words: Words) -> str:
    """The number behind "n.", "No." and the like; markers are the registry's of the language.

    >>> from lexurn.registry import Words
    >>> without_marker("No. 45", Words(language="en", markers=frozenset({"no"})))
    '45'
    """
    match = _IN_BRACKETS.fullmatch(text)
    if match is not None and {"", *words.markers} >= {match[1], match[3]} != {""}:
        return match[2] if match[2].isascii() else str(number_in(match[2]))
    match = _BEHIND.fullmatch(text)
    if match is not None and key_of(match[2]) in words.markers:
        return match[1]
    match = _MARKER.match(text)
    if match is None:
        return text
    mark, gap = match.groups()
    if mark in _MARKER_SIGNS or mark[-1] in _SIGNS:
        return without_marker(text[match.end() :], words)
    if (gap or mark.endswith(".")) and key_of(mark) in words.markers:
        return without_marker(text[match.end() :], words)
    return text


def _in_ascii(signs: str) -> str:
    return signs if signs.isascii() else "".join(c if c.isascii() else " " for c in signs)


def _trimmed(text: str) -> str:
    """The text with "-" for each run of what may not stand in a number, and none at its ends."""
    dashed = re.sub(r"[^a-z0-9._'=()%A-F-]+", "-", text)
    dashed = re.sub(r"-{2,}", "-", dashed)
    dashed = re.sub(r"\.{2,}", ".", dashed)
    dashed = re.sub(r"^[^a-z0-9%]+|[-._'=(]+$", "", _balanced(dashed))
    return re.sub(r"-{2,}", "-", dashed)


def _balanced(text: str) -> str:
    """The text with "-" for brackets that have no partner."""
    found, open_at = list(text), []
    for at, each in enumerate(text):
        if each == "(":
            open_at.append(at)
        elif each == ")" and open_at and open_at[-1] > 0:
            open_at.pop()
        elif each == ")":
            found[at] = "-"
    for at in open_at:
        found[at] = "-"
    return "".join(found)


def annex_part(text: str, words: Words, law: Law, mode: Mode, field: str) -> Written:
    """The heading of an annex as a name has it: "Annex 1/A" is ``annex.1.a``.

    As `phrase`, but abbreviations of annexes count, and "/" and what is reserved part words.

    Args:
        text: the heading.
        words: the words of its language.
        law: the conventions of its jurisdiction.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.
    """
    del law  # no convention of any jurisdiction bears on headings so far
    return written(text, vocabulary_of(words), mode, field, Manner.ANNEX)
