"""Mentions: dates, numbers, types, issuers and gazettes in the text of a citation.

`CitedText` finds the mention that begins at a word of the text. It uses the words of the language,
and the entries and conventions of the jurisdiction.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.calendars import japanese
from lexurn.minting.dates import (
    COMPACT_DATE,
    YEAR,
    find_partial_dates,
    get_date_vocabulary,
    scan_dates,
)
from lexurn.minting.draft import Mode
from lexurn.minting.phrases import write_phrase
from lexurn.minting.words import get_vocabulary, split_text
from lexurn.registry import NUMBER_ADDITIONS, Lexicon, make_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lexurn.minting.words import Piece
    from lexurn.registry import Entry, Law, Words

# A law of Japan, whose words no blank parts: 平成15年法律第57号, in brackets behind its title.
_NUMERAL = f"(?:[0-9]+|[\u5143{japanese.NUMERALS}]+)"
_UNPARTED_DATE = rf"(?:[^\W\d]{{2}})?{_NUMERAL}年(?:{_NUMERAL}月{_NUMERAL}日)?"
_UNPARTED = re.compile(
    rf"\s*(?:(?P<title>[^()\uff08\uff09]+)[(\uff08])?(?P<date>{_UNPARTED_DATE})?"
    rf"(?P<type>[^\W\d]+?)(?P<number>第{_NUMERAL}号)[)\uff09]?"
    rf"(?:[(\uff08](?P<late>{_UNPARTED_DATE})[)\uff09])?\s*"
)
# A number, the letters that may stand before it, and the additions after it: "12 bis", "1 / P".
_NUMBER = re.compile(
    # Neutral citations: "[2019] UKSC 41".
    rf"(?<=\[){YEAR}\] [^\W\d_]{{2,}}(?: \(?[^\W\d_]+\)?)? [0-9]+"
    # A letter in quotation marks before the number: Comunicación "A" 6.770.
    r'|(?<=")[A-Z]" ?[0-9][0-9.]*'
    # A Roman number behind its year: "2011. évi CXII. törvény".
    rf"|{YEAR}\. [^\W\d_]+ [IVXLCDM]+(?=\.|$)"
    # Numbers of a collection: "FFFS 2014:1", and of papers of a committee: "PeVL 1/2020".
    rf"|[^\W\d_]+[^\W\d_a-z](?:-[^\W\d_]+)? {YEAR}:[0-9]+(?![\w:])"
    rf"|[A-Z][a-z]{{1,2}}[A-Z]+ [0-9]+/{YEAR}(?![\w/])"
    # File numbers with the letter of the court before and a register behind: "B 11 AL 21/16 R";
    # and behind a comma or bracket the letter of a register alone: "G 47/2012", "Ra 2019/01/0001".
    r"|[A-Z] [0-9]{1,3}[a-z]? [A-Z]{1,3} [0-9]+/[0-9]{2}(?: [A-Z]{1,3}(?![\w.])){0,2}"
    r"|(?:(?<=[,(-] )|(?<=\())[A-Z][a-z]? [0-9]+(?:/[0-9]+)+(?![\w/])"
    r"|[^\s,;:()\[\]«»\"]*[0-9](?:[^\s,;:()\[\]«»\"]|(?<=[0-9]):(?=[^\W_]))*"
)
_SIGNATURE = re.compile(r"[^\W\d_]{1,4}\.? [^\s,;:()\[\]]*[0-9][^\s,;:()\[\]]*")
# File numbers of other courts: "25 Cdo 1/2019", "II SA/Wa 1/19", "Pl. ÚS 27/09".
_FILE = re.compile(
    r"(?:[0-9]+|[IVX]+|[^\W\d_]{1,4}\.) (?P<court>[^\W\d_]+)(?:/[^\W\d_]+)?(?: \([a-z]{2,5}\))? "
    r"[0-9]+[/.][0-9]+(?:-[0-9]+|[a-z]\b)?"
)
# A file number with a register in the middle: "Zl. 2009/12/0123".
_FILE_OF_YEAR = re.compile(rf"{YEAR}/[0-9]+/[0-9]{{3,}}")
_GAP = re.compile(r"[.:º° ]*+([^\w\"()\[\]]*[/?_…][\W_]*)$")
_OPEN_YEAR = re.compile(rf"{YEAR}[-/][.'/-]*")
_LETTER = re.compile(r'[A-Z]"? ?[0-9]')
_INITIAL = re.compile(r"[^\W\d_]\.[^\W\d_]")
_ADDITION = re.compile(
    rf"\s+(?:{'|'.join(NUMBER_ADDITIONS)})\b"
    r"|\s*/\s*(?=[^\s/]*[0-9]|[^\W\d_]{1,3}\b)[^\W_][^\s,;:()\[\]]*",
    re.IGNORECASE,
)
# Ordinals and years are not numbers of an act unless a marker says so.
_NO_NUMBER = re.compile(rf"[0-9]+[ºª°^]|{YEAR}|[0-9]+[.)]")
_YEAR_OF_NUMBER = re.compile(rf"\s+(?P<word>[^\W\d_]+)\s+{YEAR}\b")
# The number of a case or session behind a marker, not a date: "asjas nr 3-18-2019", "Nr 5/II/2018".
_SERIAL = re.compile("[0-9]{1,2}(?:-[0-9]{1,2}-|/[IVX]+/)")
_TWO_INITIALS = re.compile(r"[A-Z]\. ?[A-Z]\.(?! ?[A-MO-Z]\.)")  # not three: "C.D.A."
# A marker after the number: "663 sayili".
_MARKER_BEHIND = re.compile(r" ([^\W\d_]+)\b(?!\.? ?[0-9])")
# Thousands that blanks part: "Decreto-Lei n.º 47 344".
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9])")
_BOUNDARY = re.compile(r"[,;()]")
# The place in a gazette: "RT I 2001, 81, 487", "RT I, 04.01.2019, 11".
_PLACE = re.compile(r"(?:,? [0-9](?:[0-9.-]*[0-9])?)+")
_REST = re.compile(r"[^,;()]*")
_INITIALS = re.compile(r"(?<!\w)(?:[^\W\d_]\.){2,4} ?$")
_JOINING_SIGNS = frozenset({"-", ",", "/"})
_LONGEST_CHAIN, _LONGEST_MARKER, _LONGEST_REGISTER = 6, 3, 2
_MAX_WORDS = 16_384
_BODY_NUMBER = re.compile(r"^[0-9]+\.|\.[0-9]+(?=\.|$)")


class Span(NamedTuple):
    """Stretch of a text."""

    start: int
    end: int


class NumberMention(NamedTuple):
    """Number of an act.

    Attributes:
        span: the number.
        end: the offset after it and all that belongs to its mention.
        is_marked: True if a marker stands before it.
    """

    span: Span
    end: int
    is_marked: bool


#: An issuer or a part of it: a label or notation, and the place of its words.
Level = tuple[str, Span | None]
#: The words of each of some issuers, from the institution to its parts.
Levels = tuple[tuple[Level, ...], ...]
FoundIssuer = tuple[tuple[Level, ...], int]


class CitedText:
    """Clean text of a citation, with the mentions at each of its words.

    Attributes:
        text: the clean text.
        words: the words of its language.
        law: the entries and conventions of its jurisdiction.
        fillers: the keys of the words that stand between the parts of a citation.
        pieces: the words of the text.
        is_mixed: True if it has small letters, so that words in capitals stand out.
        joining: the key of "and".
        dates: the dates by their start.
        partial_dates: days and months without a year, by their start.
    """

    def __init__(self, text: str, words: Words, law: Law) -> None:
        self.text, self.words, self.law = text, words, law
        vocabulary, self.fillers = get_date_vocabulary(words), get_vocabulary(words).fillers
        self.joining = vocabulary.joining
        self.pieces, _, self.is_mixed = split_text(text, elides=True)
        self._starts = [piece.start for piece in self.pieces]
        self._gazettes = law.list_values("gazettes")
        self._numbers: dict[int, NumberMention | None] = {}
        self._entries: dict[tuple[int, int], tuple[tuple[Entry, ...], int] | None] = {}
        self._scan = scan_dates(text, vocabulary, shared=True)
        is_behind = law.conventions.get("day-place") == "behind-month"
        partial = find_partial_dates(self._scan, is_day_behind=is_behind)
        self.partial_dates = {start: Span(start, end) for start, end in partial}
        self.dates = self._find_dates()

    def cut(self, span: Span) -> str:
        """Return the text of a stretch."""
        return self.text[span.start : span.end]

    def find_piece(self, offset: int) -> int:
        """Return the index of the first word at or after an offset."""
        return bisect_left(self._starts, offset)

    def get_offset(self, at: int) -> int:
        """Return the offset of a word, that of the end for the index after the last one."""
        return self.pieces[at].start if at < len(self.pieces) else len(self.text)

    def _find_dates(self) -> dict[int, Span]:
        """Find dates by their start; those that a dash, a comma or "and" joins are one stretch."""
        text, scan = self.text, self._scan
        spans = [
            Span(each.start, each.end)
            for each in scan.dates
            if not text[each.end : each.end + 1].isalnum()
            and not _FILE_OF_YEAR.fullmatch(text, each.start, each.end)
            and not (_SERIAL.match(text, each.start) and self._is_behind_marker(each.start))
        ]
        if "L" in scan.kinds:
            spans += [Span(*match.span()) for match in COMPACT_DATE.finditer(text)]
        if not text.isascii():
            spans += [Span(*each) for each in japanese.find_dates(text)]
        # In "22 October/4 November 1946" the first day has no year of its own.
        partial = self.partial_dates.values()
        spans += [each for each in partial if self._is_joined(each, spans)]
        joined: list[Span] = []
        for span in sorted(set(spans)) if len(spans) > 1 else spans:
            last = joined[-1] if joined else None
            if last and (span.start < last.end or self._is_joined(last, {span})):
                joined[-1] = Span(last.start, max(last.end, span.end))
            else:
                joined.append(span)
        found: dict[int, Span] = {}
        for span in joined:  # from the initials that lead to it on: "d.d. 10 mei"
            before = _INITIALS.search(text, 0, span.start)
            is_dateword = before is not None and make_key(before[0]) in self.words.datewords
            found[before.start() if before and is_dateword else span.start] = span
        return found

    def _is_behind_marker(self, offset: int) -> bool:
        at = self.find_piece(offset)
        return at > 0 and self.pieces[at - 1].key in self.words.markers

    def _is_joined(self, before: Span, spans: Iterable[Span]) -> bool:
        """Return True if a dash, a comma, a stroke or "and" joins a stretch to one before it."""
        between = (self.text[before.end : each.start].strip() for each in spans if each > before)
        return any(
            sign in _JOINING_SIGNS or make_key(sign) == self.joining != "" for sign in between
        )

    def find_type(self, at: int, after: int | None = None) -> int | None:
        """Return the index of the first type of measure from a word on, and before another."""
        places = range(at, len(self.pieces) if after is None else after)
        return next((each for each in places if self.find_entries(self.law.measures, each)), None)

    def find_entries(self, lexicon: Lexicon, at: int) -> tuple[tuple[Entry, ...], int] | None:
        """Return the entries whose words are the longest at a word, and the index after them.

        Acronyms are read in the language of the citation alone, and not in words in small letters:
        "Art." is not an acronym.
        """
        piece = self.pieces[at]
        if piece.key not in lexicon.beginnings and len(piece.text) > 1 and piece.after[:1] != ".":
            return None
        key = id(lexicon), at
        if key not in self._entries:
            self._entries[key] = self._find_entries(lexicon, at)
        return self._entries[key]

    def _find_entries(self, lexicon: Lexicon, at: int) -> tuple[tuple[Entry, ...], int] | None:
        pieces, chain = self.pieces, 1
        while at + chain < len(pieces) and chain < _LONGEST_CHAIN:
            before, following = pieces[at + chain - 1 : at + chain + 1]
            is_short = before.dotted or len(before.text) == 1
            if not is_short or following.text[0].isdigit():
                break
            chain += 1
        plain = lexicon.count_words(pieces[each].key for each in range(at, len(pieces)))
        initials = pieces[at + plain : at + plain + 2] if plain else ()
        if initials[1:] and _TWO_INITIALS.match(self.text, initials[0].start):
            plain += 2  # "Deliberazione C.C."
        if plain <= chain == 1 and pieces[at].key not in lexicon.keys:
            return None
        is_type = lexicon is self.law.measures
        for count in range(max(plain, chain if chain > 1 else 0), 0, -1):
            start, last = pieces[at].start, pieces[at + count - 1]
            end = last.end + last.dotted
            text = self.text[start:end]
            unclosed = text.count("(") - text.count(")")
            if unclosed > 0 and self.text[end : end + 1] == ")":
                text, unclosed = f"{text})", unclosed - 1
            if unclosed or ";" in text:
                continue
            key = self._make_key(at, at + count, text)
            is_connective = key in self.words.connectives and "." not in text
            if len(text) == 1 or (is_connective and not text.isupper()):
                continue  # "G 164/2017" is a file number, "di" is not D.I., "l." is L.
            language = self.words.language
            found = key in lexicon.keys and _look_up(
                lexicon, key, text, language, is_mixed=self.is_mixed, is_type=is_type
            )
            if found:
                return found, at + count
        return None

    def _make_key(self, at: int, after: int, text: str) -> str:
        """Make the key of some words; that of plain words is made of theirs."""
        pieces = self.pieces[at:after]
        is_plain = "." not in text[:-1] and '"' not in text
        if is_plain and not any(len(each.text) == 1 for each in pieces):
            return " ".join([each.key for each in pieces])
        return make_key(text)

    def find_number(self, at: int) -> NumberMention | None:
        """Return the number at a word, with the marker before it and additions after it."""
        if at not in self._numbers:
            self._numbers[at] = self._find_number(at)
        return self._numbers[at]

    def _find_number(self, at: int) -> NumberMention | None:
        first = self.pieces[at]
        start = self._skip_marker(at)
        is_marked = start > at or self.text[: first.start].rstrip().endswith(("№", "#"))
        is_plain = first.text.isalpha() and not first.text[-1].isupper() and first.after[:1] == " "
        is_plain = is_plain and len(first.text) > _LONGEST_REGISTER  # "Ra 2019/01/0001"
        offset = self.pieces[start].start
        is_paragraph = self.text[:offset].rstrip().endswith("§")
        if is_paragraph or (is_plain and not is_marked):
            return None
        match = self._match_number(start, is_marked=start > at)
        is_day = offset in self.partial_dates  # "Orden de 4 de abril"
        if match is None or not (is_marked or (not is_day and self._may_be_number(match))):
            return None
        end = match.end()
        if not is_marked and self.text[end : end + 1] == "(":
            return None  # "2009/2123(INI)" is the number of a procedure
        if start > at and "_" in self.law.list_values("thousands"):
            thousands = _THOUSANDS.match(self.text, offset)
            end = thousands.end() if thousands else end
        end = self._find_end_of_number(offset, end)
        # An empty number stays, to be refused: "n. /2019", "n. ___/2019".
        gap = _GAP.match(self.text, self.pieces[start - 1].end, offset) if start > at else None
        offset = gap.start(1) if gap else offset
        behind = _MARKER_BEHIND.match(self.text, end)
        if behind is not None and make_key(behind[1]) in self.words.markers:
            return NumberMention(Span(offset, end), behind.end(), is_marked=True)
        if any(
            offset < each.end and each.start < end
            for each in self.dates.values()
            if not is_marked or each.start <= offset
        ):
            return None
        gazette = self.find_gazette(self.find_piece(end), end)
        return NumberMention(Span(offset, end), gazette or end, is_marked)

    def _find_end_of_number(self, start: int, end: int) -> int:
        """Return the offset after a number with its additions, year and registered ending."""
        whole = end
        while (addition := _ADDITION.match(self.text, end)) is not None:
            word = addition[0].strip(" /")
            is_plain = word.islower() or not self.is_mixed
            is_plain = is_plain or self.get_offset(self.find_piece(addition.end())) in self.dates
            if is_plain and len(word) > 1 and make_key(word) in self.fillers:
                break  # "12 / del 3 maggio 2019"
            whole = end = addition.end()
        while end > start and self.text[end - 1] in ".'-/":
            end -= 1
        if _OPEN_YEAR.fullmatch(self.text, start, whole):
            end = whole  # "2019-..." was left open
        year = _YEAR_OF_NUMBER.match(self.text, end)
        if year is not None and make_key(year["word"]) in self.words.connectives:
            end = year.end()
        following = self.find_piece(end)
        if following < len(self.pieces):
            last = self.pieces[following]
            is_mark = last.text in self.law.list_values("act-marks")  # "2008/124 / CFSP"
            is_joined = is_mark and self.text[end : last.start].strip() == "/"
            if is_joined or last.text in self.law.list_values("number-endings"):
                end = last.end
        return end

    def _may_be_number(self, match: re.Match[str]) -> bool:
        """Return False for an ordinal, and a year without another: "Ley 1581 de 2012" has one."""
        if _NO_NUMBER.fullmatch(match[0]) is None:
            return True
        first = self.find_piece(match.end())
        following = self.skip(first, self.words.connectives)
        return (
            match[0].isdigit()
            and following > first
            and not any(piece.dotted for piece in self.pieces[first:following])  # "2019 (L. 30 ..."
            and (
                self.get_offset(following) in self.dates
                or _YEAR_OF_NUMBER.match(self.text, match.end()) is not None
            )
        )

    def _skip_marker(self, at: int) -> int:
        """Return the index after the marker of a number at a word, or that of the word."""
        first, markers = self.pieces[at], self.words.markers
        is_short = len(first.text) == 1 or first.after == "."
        if not is_short and not _begins_any(markers, first.key):
            return at
        after = min(at + _LONGEST_MARKER, len(self.pieces) - 1)
        after = next((i for i in range(at, after) if self.pieces[i].text[0].isdigit()), after)
        for end in range(after, at, -1):
            last = self.pieces[end - 1]
            text = self.text[first.start : last.end]
            # In "n° S/RES/661" the letter belongs to the number.
            if last.after not in {"-", "/"} and self._make_key(at, end, text) in markers:
                return end
        return at

    def _match_number(self, at: int, *, is_marked: bool) -> re.Match[str] | None:
        """Return the number at a word; a file number has several words after a marker."""
        offset = self.pieces[at].start
        file = _FILE.match(self.text, offset)
        if file is not None and file["court"][0].isupper():
            no_courts = self.words.connectives | self.words.datewords
            if self.is_mixed or make_key(file["court"]) not in no_courts:
                return file
        found = _NUMBER.match(self.text, offset)
        if found is None and is_marked:
            word = self.pieces[at]  # "n. del 3 maggio 2019" has no number
            is_word = word.text.islower() or (len(word.text) > 1 and not self.is_mixed)
            if not (is_word and word.key in self.fillers):
                return _SIGNATURE.match(self.text, offset)
        return found

    def find_unparted(self) -> dict[str, Span]:
        """Return the parts of a citation in a script without blanks; none if it is not one.

        The type is the end of the words before the number, which has the issuer before it:
        大蔵省令 is 省令 of 大蔵省.
        """
        match = _UNPARTED.fullmatch(self.text) if "号" in self.text else None
        if match is None:
            return {}
        start, end = match.span("type")
        law = self.law
        at = next((at for at in range(start, end) if law.measures.find(self.text[at:end])), end)
        ends = (each for each in (at, at + 1) if law.authorities.find(self.text[start:each]))
        after = next(ends, start) if at > start else start
        if at == end or after == start < at:
            return {}
        found = {"measure": Span(at, end), "number": Span(*match.span("number"))}
        date = self.dates.get(match.start("date")) or self.dates.get(match.start("late"))
        if date is not None:
            found["date"] = date
        if at > start:
            found["authority"] = Span(start, after)
        if match["title"] is not None:
            found["title"] = Span(*match.span("title"))
        return found

    def find_gazette(self, at: int, start: int | None = None) -> int | None:
        """Return the end of the reference to a gazette at a word, or None.

        Args:
            at: the index of a word.
            start: an offset that only blanks part from the word, for a name after a number.
        """
        gazettes = self._gazettes
        if not gazettes or at >= len(self.pieces):
            return None
        first = self.pieces[at]
        if not _begins_any(gazettes, first.key):
            return None
        if start is not None and self.text[start : first.start].strip():
            return None
        for count in range(min(_LONGEST_CHAIN, len(self.pieces) - at), 0, -1):
            last = self.pieces[at + count - 1]
            name = make_key(self.text[first.start : last.end + last.dotted]).replace(" ", ".")
            if name in gazettes:
                end = last.end + last.dotted
                # "Riigi Teataja seadus" names a gazette, but no place in it.
                is_label = self.law.conventions.get("gazette-number") == "label"
                place = (_PLACE if is_label else _REST).match(self.text, end)
                return end if start is not None else place and place.end()
        return None

    def find_issuers(self, at: int) -> tuple[Levels, int] | None:
        """Return the registered issuers at a word, joined or one alone, and the index after."""
        found = self._find_issuer(at)
        if found is None:
            return None
        head, issuers, after = self.pieces[at], [found[0]], found[1]
        while more := self._find_joint(head, after):
            issuers.append(more[0])
            after = more[1]
        if len(issuers) == 1 and head.key in self.law.list_values("shared-heads"):
            return None  # a plural whose other issuers are not registered
        return tuple(issuers), after

    def _find_joint(self, head: Piece, after: int) -> FoundIssuer | None:
        """Return the issuer that a comma or "and" joins to others, and the index after it.

        It may share the first word of these: "Υπουργών Οικονομικών και Υγείας".
        """
        last = self.skip(after, self.words.connectives)
        for following in range(after, min(last + 1, len(self.pieces))):
            more = self._find_issuer(following)
            if more is None and following == last:
                more = self._find_sharing(head, self.skip(after, {self.joining}), last)
            if more is None:
                continue
            between = self.text[self.pieces[after - 1].end : self.pieces[following].start]
            is_joined = self.joining in make_key(between).split() or "," in between
            measure = self.find_entries(self.law.measures, following)
            is_type = measure is not None and measure[1] > more[1]
            return more if is_joined and not is_type else None
        return None

    def _find_sharing(self, head: Piece, at: int, last: int) -> FoundIssuer | None:
        """Return an issuer that shares the plural of others: "Ministérios das Finanças e da Saúde".

        Its own words begin between two indexes; connectives may be the first of them.
        """
        is_shared = head.key in self.law.list_values("shared-heads")
        for start in range(at, last + 1) if is_shared else ():
            for end in range(min(len(self.pieces), last + _LONGEST_CHAIN), last, -1):
                name = self.find_span(start, end)
                if self.law.authorities.find(f"{head.text} {self.cut(name)}"):
                    return ((head.text, name),), end
        return None

    def _find_issuer(self, at: int) -> FoundIssuer | None:
        """Return the levels of one issuer at a word, and the index after it."""
        found = self.find_entries(self.law.authorities, at)
        if found is None:
            return self._find_body_of_issuer(at)
        after = found[1]
        levels: list[Level] = [("", self.find_span(at, after))]
        while after < len(self.pieces) and self.pieces[after - 1].after.strip() in {",", "("}:
            comma = _BOUNDARY.search(self.text, self.pieces[after].start)
            part = Span(self.pieces[after].start, comma.start() if comma else len(self.text))
            text = self.cut(part).strip()
            if not self.law.bodies.find(text) and not find_numbered_body(
                self.law.bodies, write_phrase(text, self.words, Mode.ASCII, "authority").text
            ):
                break
            levels.append(("", Span(part.start, part.start + len(text))))
            after = self.find_piece(part.end)
        return tuple(levels), after

    def _find_body_of_issuer(self, at: int) -> FoundIssuer | None:
        """Return a body and the issuer after it: "Giunta regionale del Veneto"."""
        found = self.find_entries(self.law.bodies, at)
        if found is None:
            return None
        after = self.skip(found[1], self.words.issuer_words)
        # "Marszałka Sejmu": a genitive needs no word between, in languages that have none.
        if (after == found[1] and self.words.issuer_words) or after >= len(self.pieces):
            return None
        body = "", Span(self.pieces[at].start, self.pieces[found[1] - 1].end)
        adjective = self.pieces[found[1] - 1].key
        issuer = self.find_entries(self.law.authorities, after)
        if issuer is not None:
            return (("", self.find_span(after, issuer[1])), body), issuer[1]
        qualified = self.find_qualified(adjective, after)
        return None if qualified is None else (((qualified[0], None), body), qualified[1])

    def find_qualified(self, adjective: str, at: int) -> tuple[str, int] | None:
        """Return the notation of the issuer that an adjective and a name make.

        "legge regionale toscana": "regionale" stands for "regione", so ``regione.toscana``.
        """
        for first in self.words.qualifiers.get(adjective, ()):
            for count in range(min(4, len(self.pieces) - at), 0, -1):
                phrase = self.text[self.pieces[at].start : self.pieces[at + count - 1].end]
                words = write_phrase(phrase, self.words, Mode.ASCII, "authority").text
                if words and self.law.authorities.by_notation(f"{first}.{words}"):
                    return f"{first}.{words}", at + count
        return None

    def drop_fillers(self, at: int, after: int) -> int:
        """Return the index after some words, without the fillers at their end."""
        while after > at and self.pieces[after - 1].key in self.fillers:
            after -= 1
        return after

    def find_end(self, after: int) -> int:
        """Return the offset after the word before an index, with the dot of an abbreviation."""
        if not after:
            return 0
        last = self.pieces[after - 1]
        is_short = last.dotted and re.fullmatch(r"[^\W\d_]{1,5}", last.text) is not None
        return last.end + is_short

    def find_span(self, at: int, after: int) -> Span:
        """Return the stretch of some words, with the dot of an abbreviation."""
        return Span(self.pieces[at].start, self.find_end(after))

    def strip(self, at: int, after: int) -> Span:
        """Return the stretch of some words, with the brackets that it closes."""
        if at >= after:
            return Span(len(self.text), len(self.text))
        start, end = span = self.find_span(at, after)
        is_open = self.cut(span).count("(") > self.cut(span).count(")")
        return Span(start, end + (is_open and self.text[end : end + 1] == ")"))

    def skip(self, at: int, keys: Iterable[str]) -> int:
        """Return the index after words with some keys."""
        while at < len(self.pieces) and self.pieces[at].key in keys:
            piece = self.pieces[at]
            is_letter = self.is_mixed and _LETTER.match(self.text, piece.start)
            if piece.after in {"-", "/"} or is_letter or _INITIAL.match(self.text, piece.start):
                break  # "A/RES/1661", '"A" 6770', "V 15/2020": a letter of the number; "D.O."
            at += 1
        return at


def _drop_signs(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


@lru_cache(maxsize=_MAX_WORDS)
def _begins_any(texts: frozenset[str], key: str) -> bool:
    """Return True for a word that one of some texts begins with."""
    return any(each.startswith(key) for each in texts)


@lru_cache(maxsize=_MAX_WORDS)
def _look_up(
    lexicon: Lexicon, key: str, text: str, language: str, *, is_mixed: bool, is_type: bool
) -> tuple[Entry, ...]:
    """Return the entries with a key, those of the language before others.

    A text that is not a type is a name, or an acronym in capitals.
    """
    found = lexicon.find_key(key)
    own = lexicon.select(found, key, language)
    found = own if own or (text.isupper() and is_mixed) else found
    if "," in text:  # a spelling has the commas of the text, or the text has none
        found = tuple(
            entry
            for entry in found
            if any(
                make_key(each) == key and each.count(",") == text.count(",")
                for each in entry.spellings
            )
        )
    if is_type:
        return found
    key, acronym = make_key(text), _drop_signs(text)
    for entry in found:
        acronyms = {_drop_signs(each.text) for each in entry.abbreviations}
        if not is_mixed:
            acronyms = set(map(str.upper, acronyms))
        if acronym in acronyms or key not in {make_key(each) for each in acronyms}:
            return found
    return ()


def find_numbered_body(bodies: Lexicon, written: str | None) -> tuple[Entry, ...]:
    """Return the registered bodies that a notation names, with a number ("turma.1") or without."""
    return bodies.by_notation(_BODY_NUMBER.sub("", written or ""))


def write_levels(levels: Levels, cut: Callable[[Span], str]) -> tuple[tuple[str, ...], ...]:
    """Return the words of issuers, whose places a function turns into text."""
    return tuple(
        tuple([f"{label} {cut(place)}".lstrip() if place else label for label, place in each])
        for each in levels
    )
