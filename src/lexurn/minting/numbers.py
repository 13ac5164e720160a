"""Document numbers (RFC 9676 section 6.3.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.minting.calendars.japanese import read_number
from lexurn.minting.dates import find_date
from lexurn.minting.metadata import Mode, make_field_finding
from lexurn.minting.steps import Action, Written, make_step
from lexurn.minting.text.cleaning import clean_text, compile_word_pattern, quote_characters
from lexurn.minting.text.letters import find_unwritable, lower_text, write_word
from lexurn.minting.text.ordinals import read_roman
from lexurn.minting.text.words import decode_triplets, get_vocabulary
from lexurn.registry import make_key

if TYPE_CHECKING:
    from lexurn.findings import Finding
    from lexurn.minting.steps import Step
    from lexurn.registry import Law, Words

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


def write_number(
    text: str,
    words: Words,
    law: Law,
    field: str,
    *,
    suffix: str | None = None,
    mode: Mode = Mode.ASCII,
) -> Written:
    """Return a document number as a name has it.

    It is in lower case, with "-" for what is not allowed or reserved. Markers ("n.", "No.") are
    dropped, and so are the separators of thousands where the jurisdiction has them. Roman numerals
    and words stay.

    Args:
        text: the number as it is written.
        words: the words of its language.
        law: the conventions of its jurisdiction.
        field: the field that it stands in.
        suffix: a word that tells it from another number that would be written the same.
        mode: ASCII letters, or percent-encoded UTF-8.

    Returns:
        The number with each step; no text where a finding is an error.
    """
    if suffix is None and _READY.fullmatch(text):
        return Written(text=text)
    return _NumberWriter(words, law, field, mode).write(text, suffix)


class _NumberWriter:
    """Writer of one document number; collects steps and findings."""

    def __init__(self, words: Words, law: Law, field: str, mode: Mode) -> None:
        self.words, self.law, self.field, self.mode = words, law, field, mode
        self.steps: list[Step] = []
        self.findings: list[Finding] = []

    def write(self, text: str, suffix: str | None) -> Written:
        found = self._write_part(text)
        if suffix is not None and found is not None:
            ending = self._write_part(suffix)
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

    def _write_part(self, text: str) -> str | None:
        code = self._find_refusal(text)
        if code is not None:
            hint = text.strip().partition(".")[0] if code == "LX730" and "E" not in text else None
            self._say(code, text, hint=hint)
            return None
        strange = self._find_strange(text)
        if strange is not None:
            shown = quote_characters(text[slice(*strange)])
            self.findings.append(make_field_finding("LX739", self.field, text, shown, span=strange))
            return None
        clean = clean_text(text, self.field, get_vocabulary(self.words).script)
        self.steps += clean.steps
        self.findings += clean.findings
        if clean.failed:
            return None
        marked = _LEADING.sub("", decode_triplets(clean.text)).strip()
        bare = drop_marker(marked, self.words)
        if bare != marked:
            source = get_vocabulary(self.words).source("markers")
            before = marked[: len(marked) - len(bare)].strip()
            self._step(Action.DROPPED, before, "", source)
        return self._fold_number(text, self._drop_separators(bare))

    def _find_refusal(self, text: str) -> str | None:
        """Return the code of a text that is not a number at all, or only a marker."""
        return _find_refusal(text) or ("LX729" if make_key(text) in self.words.markers else None)

    def _find_strange(self, text: str) -> tuple[int, int] | None:
        """Return the place of a footnote's mark, or of a date behind the number of a citation."""
        raised = _RAISED.search(text)
        if raised is not None:
            return raised.span()
        date = find_date(text, self.words) if " " in text.strip() else None
        if date is None:
            return None
        before = text[: date[0]].split()[-1:]
        is_stated = any(make_key(word) in self.words.connectives for word in before)
        return date if is_stated or any(map(str.isalpha, text[slice(*date)])) else None

    def _drop_separators(self, text: str) -> str:
        """Return the number without separators of thousands, where the jurisdiction has them."""
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

    def _fold_number(self, given: str, text: str) -> str | None:
        """Return lower case, letters folded, and "-" for all else that is not allowed."""
        lower = lower_text(text, self.words.language)
        if lower != text:
            self._step(Action.LOWERED, text, lower, None, "RFC 9676 §3.3")
        # A percent sign that is left encodes nothing that a name may decode.
        folded = self._fold_letters(given, lower.replace("%", "-"))
        dashed = _replace_forbidden(folded)
        if dashed != folded:
            self._step(Action.REPLACED, folded, dashed)
        code = self._find_refusal(dashed) if dashed else "LX731"
        if code is not None and not any(found.is_error for found in self.findings):
            self._say(code, given)
        elif dashed and not any(each.isdigit() for each in dashed) and not read_roman(text):
            self._say("LX738", given)
        return dashed or None

    def _fold_letters(self, given: str, lower: str) -> str:
        """Return the letters as a name has them, and blanks for signs beyond ASCII."""
        if lower.isascii():
            return lower

        def fold(match: re.Match[str]) -> str:
            written = write_word(match[0], self.words.folds, self.mode)
            strange = self.mode is Mode.ASCII and find_unwritable(match[0], self.words.folds)
            if not written or strange:
                self._say("LX719", given, strange or match[0])
            return written

        words = compile_word_pattern(lower)
        blanked = "".join(
            each if each.isascii() or words.fullmatch(each) else " " for each in lower
        )
        folded = words.sub(fold, blanked)
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
        self.steps.append(make_step(self.field, action, before, after, rule, source))

    def _say(self, code: str, text: str, fault: str | None = None, hint: str | None = None) -> None:
        shown = quote_characters(fault or text)
        self.findings.append(make_field_finding(code, self.field, text, shown, suggestion=hint))


def _find_refusal(text: str) -> str | None:
    """Return the code of a text that is not a number at all, None where it may be one."""
    bare = text.strip()
    if not bare:
        return "LX710"
    if bare.lower() in _NOTHING or (bare.isascii() and _NO_LETTER.fullmatch(bare)):
        return "LX730" if set(bare) == {"#"} else "LX729"
    return "LX730" if _SPREADSHEET.fullmatch(bare) else None


def drop_marker(text: str, words: Words) -> str:
    """Return the number behind "n.", "No." and the like, the markers of the language.

    >>> from lexurn.registry import Words
    >>> drop_marker("No. 45", Words(language="en", markers=frozenset({"no"})))
    '45'
    """
    match = _IN_BRACKETS.fullmatch(text)
    if match is not None and {"", *words.markers} >= {match[1], match[3]} != {""}:
        return match[2] if match[2].isascii() else str(read_number(match[2]))
    match = _BEHIND.fullmatch(text)
    if match is not None and make_key(match[2]) in words.markers:
        return match[1]
    match = _MARKER.match(text)
    if match is None:
        return text
    mark, gap = match.groups()
    if mark in _MARKER_SIGNS or mark[-1] in _SIGNS:
        return drop_marker(text[match.end() :], words)
    if (gap or mark.endswith(".")) and make_key(mark) in words.markers:
        return drop_marker(text[match.end() :], words)
    return text


def _replace_forbidden(text: str) -> str:
    """Return a number with "-" for each run of forbidden characters, none at its ends."""
    dashed = re.sub(r"[^a-z0-9._'=()%A-F-]+", "-", text)
    dashed = re.sub(r"-{2,}", "-", dashed)
    dashed = re.sub(r"\.{2,}", ".", dashed)
    dashed = re.sub(r"^[^a-z0-9%]+|[-._'=(]+$", "", _replace_lone_brackets(dashed))
    return re.sub(r"-{2,}", "-", dashed)


def _replace_lone_brackets(text: str) -> str:
    """Return a text with "-" for brackets that have no partner."""
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
