"""Text before its words are read: composed, unescaped, without what is no part of any word.

What has no business in a text (control characters, turned directions, letters of two scripts in
one word) is an error that says where; what is only another way to type the same (full-width
letters, digits of other scripts, typographic quotes and dashes) is made one way to type it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import NamedTuple

from lexurn.minting._steps import Action, MintFinding, Step
from lexurn.minting._text_characters import carries_mark, fault_of, needs_joiner, one_way
from lexurn.minting._text_codes import Place, finding, step
from lexurn.minting._text_scripts import lookalike, script_of, scripts_of, shown

__all__ = ["Cleaned", "clean", "compile_words"]

_PLAIN = re.compile(r"[ -%'-~]*")
_ENTITY = re.compile(r"&(?:amp;)*(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_MOST_MARKS = 4
_PASSES = 4


class _Cell(NamedTuple):
    """A character, and the stretch of the given text that it comes from."""

    text: str
    start: int
    end: int


class Cleaned(NamedTuple):
    """A text whose words can be read.

    Attributes:
        given: the text as it was given.
        text: what it became.
        places: for each character of ``text`` its place in ``given``; None where they are equal.
        steps: what was done.
        findings: what is to be said.
    """

    given: str
    text: str
    places: tuple[tuple[int, int], ...] | None = None
    steps: tuple[Step, ...] = ()
    findings: tuple[MintFinding, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether a finding is an error."""
        return any(found.is_error for found in self.findings)

    def place(self, field: str, start: int, end: int) -> Place:
        """The place in the given text of a stretch of the cleaned one."""
        if self.places is None or not self.places:
            return Place(field, self.given, start, end)
        first = self.places[min(start, len(self.places) - 1)][0]
        return Place(field, self.given, first, self.places[max(end - 1, 0)][1] if end else first)


def clean(text: str, field: str, script: str | None = None) -> Cleaned:
    """The text with its words typed in one way.

    Args:
        text: any text.
        field: the field that it stands in.
        script: the script that words of its language are written in, if that is known.
    """
    if _PLAIN.fullmatch(text):
        if text.strip() and script in {None, "LATIN"}:
            return Cleaned(text, text)
        if not text.strip():
            return Cleaned(text, "", findings=(finding("LX710", Place(field, text, 0, len(text))),))
    return _Cleaning(text, field).cleaned(script)


class _Cleaning:
    """One text on its way; collects steps and findings."""

    def __init__(self, text: str, field: str) -> None:
        self.given, self.field = text, field
        self.steps: list[Step] = []
        self.findings: list[MintFinding] = []

    def cleaned(self, script: str | None) -> Cleaned:
        cells = self._composed(self._unescaped())
        kept = self._judged(cells)
        text = "".join(cell.text for cell in kept)
        if not text.strip() and not self.findings:
            self._say("LX710", 0, len(self.given))
        places = tuple((cell.start, cell.end) for cell in kept for _ in cell.text)
        found = Cleaned(self.given, text, places)
        self._judge_scripts(found, script)
        return found._replace(steps=tuple(self.steps), findings=tuple(self.findings))

    def _say(self, code: str, start: int, end: int, *values: str, hint: str | None = None) -> None:
        place = Place(self.field, self.given, start, end)
        self.findings.append(finding(code, place, *values, suggestion=hint))

    def _step(self, before: str, after: str, rule: str) -> None:
        self.steps.append(step(self.field, Action.REPLACED, before, after, rule))

    def _unescaped(self) -> list[_Cell]:
        """The characters, entities of HTML read."""
        cells: list[_Cell] = []
        at = 0
        for match in _ENTITY.finditer(self.given) if "&" in self.given else ():
            meant = _meant(match[0])
            if meant == match[0]:
                continue
            cells += _cells(self.given, at, match.start())
            cells += [_Cell(each, *match.span()) for each in meant]
            at = match.end()
            self._step(match[0], meant, "RFC 9676 §4.1")
            self._say("LX728", *match.span(), shown(match[0]), shown(meant))
        return cells + _cells(self.given, at, len(self.given))

    def _composed(self, cells: list[_Cell]) -> list[_Cell]:
        """The characters in NFC."""
        text = "".join(cell.text for cell in cells)
        composed = unicodedata.normalize("NFC", text)
        if composed == text:
            return cells
        self._step(text, composed, "RFC 9676 §3.4")
        found: list[_Cell] = []
        for cluster in _clusters(cells):
            whole = unicodedata.normalize("NFC", "".join(cell.text for cell in cluster))
            found += [_Cell(each, cluster[0].start, cluster[-1].end) for each in whole]
        if "".join(cell.text for cell in found) == composed:
            return found
        return [_Cell(each, 0, len(self.given)) for each in composed]

    def _judged(self, cells: list[_Cell]) -> list[_Cell]:
        """The characters that stay, in one spelling; what may not stand is said."""
        kept: list[_Cell] = []
        faults: list[tuple[str, _Cell]] = []
        marks = 0
        for cell in cells:
            code = fault_of(cell.text)
            before = kept[-1].text if kept else ""
            is_mark = unicodedata.category(cell.text)[0] == "M"
            marks = marks + 1 if is_mark else 0
            if code is None and is_mark and (marks > _MOST_MARKS or not carries_mark(before)):
                code = "LX715"
            if code is None or needs_joiner(before, cell.text):
                kept += [cell._replace(text=each) for each in one_way(cell.text)]
            else:
                faults.append((code, cell))
        self._say_faults(faults, kept)
        given, typed = ("".join(cell.text for cell in each) for each in (cells, kept))
        if not faults and _worth_a_step(given, typed):
            self._step(given, typed, "RFC 9676 §3.4")
        return kept

    def _say_faults(self, faults: list[tuple[str, _Cell]], kept: list[_Cell]) -> None:
        hint = "".join(cell.text for cell in kept).strip() or None
        for code, cell in faults:
            self._say(code, cell.start, cell.end, shown(cell.text), hint=hint)

    def _judge_scripts(self, found: Cleaned, script: str | None) -> None:
        """Say where a word mixes scripts, or is typed in look-alikes of another script."""
        words = list(compile_words(found.text).finditer(found.text))
        scripts = [scripts_of(word[0]) for word in words]
        known = script == "LATIN" or any(script in own for own in scripts)
        reference = script if known else _commonest(scripts)
        for word, own in zip(words, scripts, strict=True):
            if len(own) > 1:
                self._say_mixed(found, word)
            elif own and reference and own != {reference}:
                self._say_lookalike(found, word, next(iter(own)), reference)

    def _say_mixed(self, found: Cleaned, word: re.Match[str]) -> None:
        letters = [(at, script_of(each)) for at, each in enumerate(word[0]) if script_of(each)]
        scripts = [script for _, script in letters]
        rare = min(dict.fromkeys(scripts), key=scripts.count)
        most = next(script for script in scripts if script != rare)
        at = word.start() + next(at for at, script in letters if script == rare)
        place = found.place(self.field, at, at + 1)
        shown_letter = _named(found.text[at])
        self._say("LX716", place.start, place.end, shown_letter, str(most).capitalize())

    def _say_lookalike(self, found: Cleaned, word: re.Match[str], own: str, reference: str) -> None:
        meant = lookalike(word[0], own, reference)
        if meant is None or set(word[0]) <= set("IVX"):
            return
        place = found.place(self.field, word.start(), word.end())
        seen = _named(word[0]) if len(word[0]) == 1 else shown(word[0])
        fixed = found.text[: word.start()] + meant + found.text[word.end() :]
        self._say("LX717", place.start, place.end, seen, shown(meant), hint=fixed)


def compile_words(text: str) -> re.Pattern[str]:
    """What a word of a text is: letters and digits, with the marks that occur in the text."""
    if text.isascii():
        return _ASCII_WORD
    marks = "".join(sorted({each for each in text if unicodedata.category(each)[0] == "M"}))
    return re.compile(f"(?:[^\\W_]|[{re.escape(marks)}])+") if marks else _WORD


_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_WORD = re.compile(r"[^\W_]+")


def _cells(text: str, start: int, end: int) -> list[_Cell]:
    return [_Cell(text[at], at, at + 1) for at in range(start, end)]


def _meant(entity: str) -> str:
    """What an entity stands for; escaped twice is read twice."""
    text = entity
    for _ in range(_PASSES):
        read = html.unescape(text)
        if read == text:
            break
        text = read
    return text


def _clusters(cells: list[_Cell]) -> list[list[_Cell]]:
    """Letters with what composes with them: marks, and the parts of a Hangul syllable."""
    found: list[list[_Cell]] = []
    for cell in cells:
        follows = unicodedata.category(cell.text)[0] == "M" or "\u1160" <= cell.text <= "\u11ff"
        if follows and found:
            found[-1].append(cell)
        else:
            found.append([cell])
    return found


def _worth_a_step(before: str, after: str) -> bool:
    """Whether letters or digits changed, not only how blanks, dashes and quotes are typed."""
    return [each for each in before if each.isalnum()] != [each for each in after if each.isalnum()]


def _commonest(scripts: list[frozenset[str]]) -> str | None:
    """The script of most words; None where two are as frequent."""
    counted: dict[str, int] = {}
    for each in scripts:
        if len(each) == 1:
            counted[next(iter(each))] = counted.get(next(iter(each)), 0) + 1
    ranked = sorted(counted.items(), key=lambda item: -item[1])
    if not ranked or (len(ranked) > 1 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


def _named(letter: str) -> str:
    """A letter with its name, also where it is ASCII."""
    name = unicodedata.name(letter, "no name")
    return f'"{letter}" U+{ord(letter):04X} ({name})'
