"""Document numbers (RFC 9676 sections 6.3.3, 6.3.4): written, given out, and compared."""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING, Protocol

from lexurn.minting import characters
from lexurn.minting.calendars.japanese import read_number
from lexurn.minting.characters import quote_characters
from lexurn.minting.dates import YEAR, find_date
from lexurn.minting.draft import Action, Log, Mode, Step, Written
from lexurn.minting.mentions import CitedText
from lexurn.minting.words import decode_triplets, get_vocabulary
from lexurn.registry import NUMBER_ADDITIONS, make_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from lexurn.minting.draft import Draft
    from lexurn.name import Name
    from lexurn.registry import Entry, Law, Words


def write_numbers(
    draft: Draft, before: str | None, taken: Taken | None, dates: str | None, measure: Entry | None
) -> str | None:
    """Return the numbers, or ``lex-N`` for an act without one (6.3.3).

    Args:
        draft: the metadata.
        before: the name up to its numbers, which the next free N follows; None if there is none.
        taken: names already given, or None.
        dates: the dates of the act, with which a year behind a number is compared.
        measure: the registry's entry of its type, or None.
    """
    words, law, mode = draft.words, draft.law, draft.mode
    given, count = draft.given.number, draft.given.unnumbered
    if given and count is not None:
        draft.on("unnumbered").say("LX703", "number")
        return None
    if count is not None:
        number = f"lex-{count}" if count else None
        if not count and before is not None:
            number = f"lex-{(taken or Taken()).next_after(before)}"
            draft.on("unnumbered").step(Action.ALLOCATED, "", number, "RFC 9676 §6.3.3")
        return number
    if not given:
        draft.on("number").say("LX702", suggestion="unnumbered")
        return None
    mark, _, ordinal = given[0].lower().rpartition("-")
    is_marked = len(given) == 1 and mark == law.conventions.get("unnumbered")
    if is_marked and ordinal.isascii() and ordinal.isdigit():
        number = f"lex-{ordinal}"
        draft.on("number").step(Action.REPLACED, given[0], number, "RFC 9676 §6.3.3")
        return number
    suffix, whole = draft.given.number_suffix, ", ".join(given)
    if len(given) > 1 and law.conventions.get("gazette-number") == "label":
        # The commas of a place in a gazette do not part numbers.
        given = (whole,) if CitedText(whole, words, law).find_gazette(0) == len(whole) else given
    bare = [
        _treat_year(draft, _drop_marks(draft, each, measure), dates or "", measure)
        if len(each) <= _LONGEST_NUMBER
        else each
        for each in (_drop_date(draft, each, dates, measure) for each in given)
    ]
    written = [
        (None if suffix else _write_cited(draft, each))
        or draft.take(write_number(each, words, law, "number", suffix=suffix, mode=mode))
        for each in bare
    ]
    if None in written:
        return None
    joined = ",".join(filter(None, written))
    if day := _WHOLE_DATE.match(joined):
        draft.on("number").say("LX788", day[1], joined)
    if len(written) > 1:
        draft.on("number").step(Action.JOINED, ", ".join(given), joined, _RULE)
    return joined


# Longer texts are refused, so that no pattern runs long on them.
_LONGEST_NUMBER = 100
#: A number behind a whole date.
DATED_NUMBER = re.compile(
    r"(?<![\w-])(?:(?P<type>[^\W\d_]+)[-/])?(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})-(?P<number>[0-9]+)"
    r"(?![\w-])"
)
#: At the start: "26-2022-06-24-00001" is a number of a French prefecture.
_WHOLE_DATE = re.compile(r"(?:[a-z]+-)?([0-9]{4}-(?:0[1-9]|1[0-2])-[0-3][0-9])-")
_YEAR_OF_DATE = re.compile(r"(?:^|,)([0-9]{4})")
#: The year of a date at its end, or without a month: the number may be of the next year.
_LATE_YEAR = re.compile(r"(?:^|,)([0-9]{4})(?!-(?:0[1-9]|10))")
_YEAR_BEHIND = re.compile(
    rf"(?P<number>[0-9][0-9.]*(?:[ -]?(?:{'|'.join(NUMBER_ADDITIONS)}))?)"
    rf"\s*[/-]\s*(?P<year>{YEAR})\s*(?:/[A-Z]{{1,2}})?$"
)
_WORDED_YEAR = re.compile(rf"(?P<number>.*[0-9].*)\s(?P<word>[^\W\d_]+)\s+(?P<year>{YEAR})\s*")
_SHORT_YEAR_BEHIND = re.compile(r"(?P<number>[0-9.]+)/(?P<year>[0-9]{2})")
#: A number with letters before its year: "137/CM/2022", "EFP/1300/2018"; not a file "S/0482/2013".
_YEAR_BEHIND_LETTERS = re.compile(
    rf"(?<!\S)(?P<number>(?:[A-Z]+ ?/ ?[1-9][0-9.]*|[0-9.]+ ?/ ?[A-Z]+)(?: ?/ ?[A-Z]+)* ?/ ?"
    rf"(?P<year>{YEAR}))$"
)
#: A number with the session of a council before it: "XI/141/18".
_SESSION = re.compile(rf"[IVXLC]+/(?P<number>[0-9.]+)/(?P<year>{YEAR}|[0-9]{{2}})")
_YEAR_IN_FRONT = re.compile(rf"(?P<year>{YEAR})\. [^\W\d_]+ (?P<number>[IVXLCDM]+)\.?")
_ACT_MARK = re.compile(r"(\()?([^\W\d_]+(?:, [^\W\d_]+)*)(?(1)\))\s+")
_ROUND = re.compile(r"[1-9][0-9]{0,2}(?:\.000)+")
_YEAR_BEFORE = re.compile(rf"(?P<year>{YEAR}|[0-9]{{2}}) ?- ?[0-9].*")


def _write_cited(draft: Draft, number: str) -> str | None:
    """Write a number that the citation has, such as "10.000" or "(SR 923.0)"; else return None.

    No spreadsheet has made such a number.
    """
    law, citation = draft.law, draft.given.citation or ""
    if not number.endswith((".0", ".000")) or number not in citation:
        return None
    if _ROUND.fullmatch(number):
        return number.replace("." if "." in law.list_values("thousands") else " ", "")
    mark = re.search(rf"\b([A-Z]+) {re.escape(number)}(?![0-9])", citation)
    is_listed = mark is not None and make_key(mark[1]) in law.list_values("collections")
    return drop_marker(number, draft.words) if is_listed else None


def _drop_date(draft: Draft, text: str, dates: str | None, measure: Entry | None) -> str:
    """Return the number of an identifier that has type and date before it: "LOV-2005-05-20-28".

    The convention ``dated-number`` of the jurisdiction says that it has such identifiers.
    """
    if "dated-number" not in draft.law.conventions:
        return text
    found = DATED_NUMBER.fullmatch(text)
    if found is None:
        return text
    types = {each.notation for each in draft.law.measures.find(found["type"] or "")}
    is_type = found["type"] is None or (measure is not None and measure.notation in types)
    if not is_type or found["date"] != dates:
        return text
    draft.on("number").step(Action.DROPPED, text[: found.start("number")], "", _RULE)
    return found["number"]


def _drop_marks(draft: Draft, text: str, measure: Entry | None) -> str:
    """Return a number without the type of the act or a mark before it, or a gazette beside it.

    "Ley 24.430", "(EU) 2019/790", "215/1995 Sb.". If the number of an act is not that in the
    gazette, its place there stays, to be refused.
    """
    if " " not in text:
        return text
    heads = [text[: match.start()] for match in re.finditer(" ", text)]
    head = next(filter(draft.law.measures.find, reversed(heads)), "")
    types = draft.law.measures.find(head)
    # Letters of a register are abbreviations, as in "PLX 2/2020".
    labels = {make_key(each.text) for entry in types for each in entry.labels}
    if make_key(head) in labels and measure in types:
        draft.on("number").step(Action.DROPPED, head, "", _RULE)
        text = text[len(head) :].lstrip()
    elif make_key(head) in labels:
        draft.on("number", text).say("LX739", quote_characters(head), span=(0, len(head)))
    mark = _ACT_MARK.match(text)
    if mark and draft.law.list_values("act-marks").issuperset(mark[2].split(", ")):
        draft.on("number").step(Action.DROPPED, mark[0], "", _RULE)
        text = text[mark.end() :]
    gazettes = draft.law.list_values("gazettes")
    words = text.split()
    rule = draft.law.conventions.get("gazette-number")
    if not gazettes or rule == "label" or len(words) < 2:  # a name and a number
        return text
    for at in range(1, len(words)):
        gazette = " ".join(words[at:])
        if make_key(gazette).replace(" ", ".") in gazettes:
            draft.on("number").step(Action.DROPPED, gazette, "", _RULE)
            return " ".join(words[:at])
    cited = CitedText(text, draft.words, draft.law)
    if cited.find_gazette(0) is None:
        return text
    found = (cited.find_number(at) for at in range(1, len(cited.pieces)))
    number = next((each for each in found if each is not None and each.is_marked), None)
    if number is None or rule != "act":
        draft.on("number", text).say("LX783")
        return text
    draft.on("number").step(Action.DROPPED, text[: number.span.start], "", _RULE)
    return cited.cut(number.span)


def _treat_year(draft: Draft, text: str, dates: str, measure: Entry | None) -> str:
    """Return a number with the year of its date behind it, or without; report another year.

    The convention ``number-year`` of the jurisdiction decides. A word for "of" before the year is
    dropped ("720 de 2024"), and a year before a Roman number ("2011. évi CXII.").
    """
    rule, words = draft.law.conventions.get("number-year"), draft.words
    if rule is None or text.isalnum():
        return text
    worded = _WORDED_YEAR.fullmatch(text) if " " in text else None
    # A year that is kept makes another number, so "1 a 2000" stays; "din 1990" is a date.
    leading = words.issuer_words if rule.startswith("keep") else words.datewords
    if worded is not None and make_key(worded["word"]) in leading:
        joined = f"{worded['number']}/{worded['year']}"
        draft.on("number").step(Action.REPLACED, text, joined, _RULE)
        text = joined
    years = _YEAR_OF_DATE.findall(dates)
    if not years:
        return text
    is_of_state = measure is not None and measure.issuer is not None
    drops = rule == "drop" or (rule == "drop-of-state" and is_of_state)
    front = _YEAR_IN_FRONT.fullmatch(text)
    if front is not None or rule == "keep-first":
        found = front or _YEAR_BEFORE.fullmatch(text)
    else:
        is_short = drops or (is_of_state and "short-years" in draft.law.conventions)
        short = _SHORT_YEAR_BEHIND.fullmatch(text) if is_short else None
        session = _SESSION.fullmatch(text) if rule == "keep" else None
        # Elsewhere it may be that of a file: "VN/1234/2018" of Finland, "1/P/2000" of 1999-12-20.
        is_dated = draft.law.conventions.get("date-year") == "lettered-number"
        lettered = _YEAR_BEHIND_LETTERS.search(text) if is_dated else None
        found = session or lettered or _YEAR_BEHIND.search(text) or short
    # Behind letters the year belongs to the number of a file or register: "PLx 2/2020".
    before = drop_marker(text[: found.start()] + "0", words) if found and found.start() else "0"
    if found is None or any(map(str.isalnum, before[:-1])):
        return text
    year = found["year"]
    is_same = any(each.endswith(year) for each in years)
    # The file of a court has the year in which the case began, a collection that in which the act
    # was published: "2/1993 Sb." of 16 December 1992.
    is_file = rule == "keep-first" and not is_of_state
    late = _LATE_YEAR.findall(dates) if rule == "keep" and not is_same else []
    is_next = any(str(int(each) + 1).endswith(year) for each in late)
    if not (is_same or is_file or is_next):
        draft.on("number", text).say("LX782", text, " or ".join(sorted({*years})))
    is_last = text.rstrip().endswith(year)  # not in "1/2019/A"
    if front is None and not (is_same and drops and is_last):
        return text
    kept = found["number"] if front else text[: found.end("number")]
    draft.on("number").step(Action.REPLACED, text, kept, _RULE)
    return kept


_RULE = "RFC 9676 §6.3.4"
_READY = re.compile(
    r"(?!0+(?:$|/)|[0-9]+0{9}$|[0-9]{4}[/-][0x]+$|(?:.*[0-9])?[lo]+[0-9])"
    r"[0-9](?:[0-9a-z]*(?:-[0-9a-z]+)*|[0-9]*(?:[/-][0-9a-z]+)+)"
)
_ROMAN = re.compile(r"(?=.)M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})")
#: Words for the absence of a number, as databases and clerks write it.
_NOTHING = frozenset(characters.load_spelling()["absent_numbers"].split())
_LETTERS = re.compile(r"[^\W\d_]+")
_NO_LETTER = re.compile(r"[^1-9A-Za-z]*")
#: Numbers that were left open: "/2019", "XX/.../2019", "n. ___/2019", "2019:000".
_OPEN = re.compile(rf"(?:.*/|([^\W\d_]+)[.º°]+)?[\W_]*/.*|0+[/:]{YEAR}|{YEAR}[:/-][\W_0]*")
#: A year with letters in place of the number, which may also be Roman: "XX/2019".
_LETTERS_FOR_NUMBER = re.compile(rf"(?:{YEAR}[/-])?([Xx]{{2,}})(?:[/-]{YEAR})?")
#: Letters typed for digits: "1O/2019", "l0/2019", "1.2O7"; not "12/I", "7l" or "6 O 3/19".
_LETTERS_FOR_DIGITS = re.compile(r"(?<=[0-9])[OolI]+(?=[0-9])|(?<=[0-9])O+(?=/|$)|^l(?=[0-9])")
_DIGITS_MEANT = str.maketrans("OolI", "0011")
_MONTH_CELL = re.compile(r"([^\W\d_]{3,4})-[0-9]{2}")
_SPREADSHEET = re.compile(r"[0-9]+\.0+|[0-9](?:\.[0-9]+)?[eE]\+[0-9]+|[0-9]+0{9}|#+")
#: Words of papers: "HE 9/2018 vp", "COM(2010) 123 final", "19/12 (neu)", and Latin additions.
_ENDINGS = frozenset((*characters.load_spelling()["number_endings"].split(), *NUMBER_ADDITIONS))
#: A remark behind the number: "15 (abrogata)", "12?".
_REMARK = re.compile(r"\?|(?<=.)\((?=[^\W\d_]{2})[^()]*\)$")
_MARKER = re.compile(r"\s*([^\W\d_]+[.ºª°^'\u05f3]*|№|#)([.:\s]*)(?=[^\W_])")
#: A marker right before the number: "nr12/2019", "NrXVI/233/20"; not "n15" or "NR15".
_GLUED = re.compile(r"\s*([^\W\d_]+[^\W\d_A-Z])(?=[0-9]|[IVXLCDM]+\b)")
#: Markers of two words: "sp. zn.", "sygn. akt", "pourvoi n°".
_TWO_WORDS = re.compile(r"\s*([^\W\d_]+(?:\.\s*|\s+)[^\W\d_]+(?:[.º°]|(?=[:\s])))[.:\s]*(?=[^\W_])")
_LEADING = re.compile(r"^[^\w№#]+")
#: The quotation mark behind the letter of a number: Comunicación "A" 6.770.
_LETTERED = re.compile(r'(?<=^[^\W\d_])" ?(?=[0-9])')
#: Ideographs right before and after a number: "第2号", "第五十七号", and in Korean "제2호".
_ORDINAL_MARKS = frozenset(("", "\u7b2c", "\u53f7", "\u865f", "\uc81c", "\ud638"))
_NUMERALS = "\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341\u767e"
_IN_BRACKETS = re.compile(
    rf"([\u7b2c\uc81c]?)([0-9][0-9A-Za-z./-]*|[{_NUMERALS}]+)([\u3400-\u9fff]{{0,2}}|\ud638)"
)
#: A marker after the number: "663 sayili".
_MARKER_AFTER = re.compile(r"([0-9][^\s]*)\s+([^\W\d_]+\.?)")
#: A raised digit: the mark of a footnote that has come along.
_RAISED = re.compile(r"[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+")
#: A day joined to the number: "907/29.11.2016", "335/2005. (XII. 29.)".
_DAY_BEHIND = re.compile(
    rf"(?<=/)[0-9]{{1,2}}\.[0-9]{{1,2}}\.{YEAR}$|(?<= )\([IVX]+\. ?[0-9]{{1,2}}\.\)$"
)
_SIGNS = frozenset("°º^")
_FORBIDDEN = re.compile(r"[^a-z0-9._'=()%A-F]+")
_PAIR = re.compile(r"(?<=.)\(([^()]*)\)")
_EDGES = re.compile(r"^[^a-z0-9%]+|[-._'=(]+$")
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
    A suffix tells it from another number that would be written the same.
    """
    if suffix is None and len(text) <= _LONGEST_NUMBER and _READY.fullmatch(text):
        dashed = text.replace("/", "-")
        step = Step(field, Action.REPLACED, text, dashed, _RULE)
        return Written(dashed, (step,) if dashed != text else ())
    log = Log(field, text)
    written = _write_part(text, words, law, field, mode)
    if suffix is None or written.text is None:
        return written
    number, ending = log.take(written), log.take(_write_part(suffix, words, law, field, mode))
    log.findings = [each for each in log.findings if each.code != "LX738"]
    whole = f"{number}-{ending}"
    log.step(Action.JOINED, f"{number} + {suffix}", whole, _RULE)
    return log.finish(whole)


def _write_part(text: str, words: Words, law: Law, field: str, mode: Mode) -> Written:
    """Return a number or its suffix: lower case, letters folded, "-" for what is not allowed."""
    vocabulary, signs = get_vocabulary(words), law.list_values("thousands")
    clean = characters.CleanText(text, field, vocabulary.script)
    code = _find_refusal(text, words, signs)
    if code is not None:
        hint = text.strip().partition(".")[0] if code == "LX730" and "E" not in text else None
        return Log(field, text).refuse(code, quote_characters(text), suggestion=hint)
    strange = _find_strange(text, words)
    if strange is not None:
        shown = quote_characters(text[slice(*strange)])
        return Log(field, text).refuse("LX739", shown, span=strange)
    if clean.failed:
        return clean.finish()
    marked = _LETTERED.sub("", _LEADING.sub("", decode_triplets(clean.clean)).strip())
    bare = drop_marker(marked, words)
    before = marked[: len(marked) - len(bare)].strip()
    clean.step(Action.DROPPED, before, "", _RULE, vocabulary.source("markers"))
    if not signs.isdisjoint(bare.replace(" ", "_")):
        sign = re.escape("".join(signs).replace("_", " "))
        whole = re.match(
            rf"[^\W\d_]?[1-9][0-9]{{0,2}}(?:[{sign}][0-9]{{3}})+(?![0-9]|[{sign}][0-9])", bare
        )
        if whole is not None:
            digits = re.sub(f"[{sign}]", "", whole[0])
            clean.step(Action.REPLACED, whole[0], digits, _RULE)
            bare = digits + bare[whole.end() :]
    lower = characters.lower_text(bare, words.language)
    clean.step(Action.LOWERED, bare, lower, "RFC 9676 §3.3")
    doubt = _find_doubt(bare, words, law)
    if doubt is not None:
        clean.say("LX788", quote_characters(doubt), text)
    digits = _LETTERS_FOR_DIGITS.sub(lambda found: found[0].translate(_DIGITS_MEANT), bare)
    if digits != bare:
        clean.say("LX771", text, digits, suggestion=digits)
    # A percent sign that is left encodes nothing that a name may decode.
    folded = _fold_letters(clean, lower.replace("%", "-"), words, mode)
    dashed = _replace_forbidden(folded)
    clean.step(Action.REPLACED, folded, dashed, _RULE)
    code = _find_refusal(dashed, words, signs) if dashed else "LX731"
    if code is None and not any(map(str.isdigit, dashed)) and not _ROMAN.fullmatch(bare):
        code = "LX738"
    if code is not None and not clean.failed:
        clean.say(code, quote_characters(text))
    return clean.finish(dashed)


def _find_refusal(text: str, words: Words, thousands: Collection[str]) -> str | None:
    """Return the code of a text that is not a number at all, or only a marker."""
    bare = text.strip()
    if bare.lower() in _NOTHING or (bare.isascii() and _NO_LETTER.fullmatch(bare)):
        empty = "LX729" if bare else "LX710"
        return "LX730" if set(bare) == {"#"} else empty
    # If a dot separates thousands, a spreadsheet writes decimals with a comma.
    if _SPREADSHEET.fullmatch(bare) and not ("." in thousands and bare.endswith(".000")):
        return "LX730"
    month = _MONTH_CELL.fullmatch(bare)  # "5/19" that became "mag-19"
    if month is not None and make_key(month[1]) in words.months:
        return "LX730"
    is_open = _OPEN.fullmatch(bare)
    if is_open is not None and (is_open[1] is None or make_key(is_open[1]) in words.markers):
        return "LX766"
    return "LX729" if make_key(text) in words.markers else None


def _find_strange(text: str, words: Words) -> tuple[int, int] | None:
    """Return the span of a footnote's mark, a remark, or a date after the number."""
    if len(text) > _LONGEST_NUMBER:
        return 0, len(text)
    behind = _RAISED.search(text) or _DAY_BEHIND.search(text)
    if behind is not None:
        return behind.span()
    remark = _REMARK.search(text) if "?" in text or ")" in text else None
    is_ending = remark is not None and remark[0].strip("()") in _ENDINGS
    if remark is not None and not is_ending and not any(map(str.isupper, remark[0])):
        return remark.span()
    date = find_date(text, words) if " " in text.strip() else None
    if date is None:
        return None
    before = text[: date[0]].split()[-1:]
    is_stated = any(make_key(word) in words.connectives for word in before)
    # "BGE 145 II 12" has a volume in Roman numerals, not a month.
    words_of_date = (each[0] for each in _LETTERS.finditer(text, *date))
    is_worded = not all(map(_ROMAN.fullmatch, words_of_date))
    return date if is_stated or is_worded else None


def _find_doubt(number: str, words: Words, law: Law) -> str | None:
    """Return what may belong to no number: "12 e seguenti", "7 e 8", "21 c.c.", "16*", "XX/2019".

    Numbers have capitals or single letters as words of their own: "23 Cdo 1/2015", "T 17785".
    """
    if number.endswith("*"):
        return "*"
    last = number.rpartition("-")[2]
    if last != number and law.bodies.find(last):
        return last
    stand_in = _LETTERS_FOR_NUMBER.fullmatch(number)
    if stand_in and stand_in[1] != number:
        return stand_in[1]
    parts = [each for each in number.split() if each not in _ENDINGS]
    for at, word in enumerate(parts if len(parts) > 1 else ()):
        letters = word.replace(".", "")
        is_between = 0 < at < len(parts) - 1 and parts[at + 1][0].isdigit()
        is_long = len(letters) > 1 or (is_between and parts[at - 1][-1].isdigit())
        # "RRB Nr. 12/2020"; not "23 C 12/2019", the register of a court
        is_marker = at > 0 and parts[at - 1][0].isalpha() and make_key(letters) in words.markers
        if is_long and letters.isalpha() and (letters.islower() or is_marker):
            return word
    return None


def _fold_letters(log: Log, lower: str, words: Words, mode: Mode) -> str:
    """Return the letters as a name has them, and blanks for signs beyond ASCII."""
    if lower.isascii():
        return lower

    def fold(match: re.Match[str]) -> str:
        written = characters.write_word(match[0], words.folds, mode)
        strange = mode is Mode.ASCII and characters.find_unwritable(match[0], words.folds)
        if not written or strange:
            log.say("LX719", quote_characters(strange or match[0]))
        return written

    pattern = characters.compile_word_pattern(lower)
    blanked = "".join(each if each.isascii() or pattern.fullmatch(each) else " " for each in lower)
    folded = pattern.sub(fold, blanked)
    action = Action.ENCODED if "%" in folded else Action.FOLDED
    log.step(action, lower, folded, "RFC 9676 §3.4")
    return folded


def drop_marker(text: str, words: Words) -> str:
    """Return the number after "n.", "No." and the like, the markers of the language.

    >>> from lexurn.registry import Words
    >>> drop_marker("No. 45", Words(language="en", markers=frozenset({"no"})))
    '45'
    """
    glued = _GLUED.match(text)
    if glued is not None and make_key(glued[1]) in words.markers:
        text = text[glued.end() :]
    match = _IN_BRACKETS.fullmatch(text)
    marks = {match[1], match[3]} if match is not None else {""}
    if match is not None and marks != {""} and marks <= words.markers | _ORDINAL_MARKS:
        return match[2] if match[2].isascii() else str(read_number(match[2]))
    match = _MARKER_AFTER.fullmatch(text)
    if match is not None and make_key(match[2]) in words.markers:
        return match[1]
    match = _TWO_WORDS.match(text)
    key = make_key(match[1]) if match is not None else ""
    # In "n. R 12" the letter belongs to the number.
    if match is not None and key in words.markers and (" " in key or match[1][-2:].islower()):
        return drop_marker(text[match.end() :], words)
    match = _MARKER.match(text)
    if match is None:
        return text
    mark, gap = match.groups()
    is_sign = mark in _MARKER_SIGNS or mark[-1] in _SIGNS
    if is_sign or ((gap or mark.endswith(".")) and make_key(mark) in words.markers):
        return drop_marker(text[match.end() :], words)
    return text


def _replace_forbidden(text: str) -> str:
    """Return a number with "-" for each run of forbidden characters, none at its ends.

    Brackets without a partner, and one that begins the number, are forbidden too.
    """
    dashed = _FORBIDDEN.sub("-", text)
    if "." in dashed:
        # The dot of an abbreviation parts it from the next word: "Pl. ÚS 27/09".
        # Before digits it says nothing: "K. 16/2000" is "K 16/2000".
        dashed = re.sub(r"(?<=[a-z])\.-(?=[a-z])", ".", dashed)
        dashed = re.sub(r"\.{2,}", ".", re.sub(r"(?<=[a-z])\.-(?=[0-9])", "-", dashed))
    if "(" in dashed or ")" in dashed:
        while (paired := _PAIR.sub(r"<\1>", dashed)) != dashed:
            dashed = paired
        dashed = re.sub("[()-]+", "-", dashed).replace("<", "(").replace(">", ")")
    return _EDGES.sub("", dashed)


# After a dot a zero counts: 172.010 and 172.10 are two numbers.
_DIGITS = re.compile(r"((?<![0-9.])[0-9]+)")
_THOUSANDS = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9.])")
_YEAR = re.compile(r"[0-9]{4}")
_WIDTH = 6
_LONG = range(4, 2 * _WIDTH + 1)
_MAX_SIMILAR = 256


def list_similar_acts(name: Name) -> tuple[str, ...]:
    """Return the names of the act with its numbers written in other ways.

    Numbers are filled up to six digits, which is as far as offices go.

    >>> from lexurn.name import parse
    >>> list_similar_acts(parse("urn:lex:it:stato:legge:2003-09-21;00456"))[:2]
    ('urn:lex:it:stato:legge:2003-09-21;456', 'urn:lex:it:stato:legge:2003-09-21;456-2003')
    """
    act = str(name.act_name)
    details = name.work.details
    before = act.removesuffix(",".join(details.numbers))
    days = [details.period or "", *(date.iso for date in details.dates)]
    years = {found[0] for day in days if (found := _YEAR.match(day))}
    most = max(2, int(_MAX_SIMILAR ** (1 / len(details.numbers))))  # so that each of several varies
    written = [tuple(islice(_vary_number(number, years), most)) for number in details.numbers]
    names = (f"{before}{','.join(numbers)}" for numbers in product(*written))
    return tuple(dict.fromkeys(each for each in islice(names, _MAX_SIMILAR) if each != act))


def drop_thousands(number: str) -> str:
    """Return a number without the dots that separate its thousands.

    >>> drop_thousands("11.340"), drop_thousands("0.101"), drop_thousands("172.10")
    ('11340', '0.101', '172.10')
    """
    return _THOUSANDS.sub(lambda found: found[0].replace(".", ""), number)


def drop_year(number: str, years: Collection[str]) -> str:
    """Return a number without the year after it if that is a year of its date.

    >>> drop_year("241-1990", {"1990"}), drop_year("241-1991", {"1990"})
    ('241', '241-1991')
    """
    before, _, year = number.rpartition("-")
    is_own_year = year in years and year.isdecimal() and any(map(str.isdecimal, before))
    return before if is_own_year else number


def _vary_number(number: str, years: Collection[str]) -> Iterator[str]:
    """Yield a number as it is, then with other zeros, dots of thousands and years."""
    plain = drop_year(number, years)
    bare = drop_thousands(plain)
    is_long = bare.isascii() and bare.isdecimal() and len(bare.lstrip("0")) in _LONG
    dotted = f"{int(bare):,}".replace(",", ".") if is_long else bare
    for each in dict.fromkeys((plain, bare, dotted)):
        varied: list[list[str]] = []
        for at, piece in enumerate(_DIGITS.split(each)):
            digits = piece.lstrip("0") or "0"
            widths = range(len(digits), max(_WIDTH, len(digits)) + 1)
            varied.append([digits.zfill(width) for width in widths] if at % 2 else [piece])
        for filled in map("".join, product(*varied)):
            yield filled
            yield from (f"{filled}-{year}" for year in sorted(years))


# No authority counts to a number of 19 digits: such a one is an identifier of its own.
_UNNUMBERED = re.compile(r"(.*;)lex-([0-9]{1,18})", re.DOTALL)


def split_lex_number(act: str) -> tuple[str, int] | None:
    """Return the name before the ``lex-N`` of an act, and the N; None for other numbers.

    >>> split_lex_number("urn:lex:it:stato:decreto:1999-12-20;lex-3")
    ('urn:lex:it:stato:decreto:1999-12-20;', 3)
    """
    found = _UNNUMBERED.fullmatch(act)
    return None if found is None else (found[1], int(found[2]))


class Register(Protocol):
    """Register of names that are kept elsewhere, such as a catalogue."""

    def has(self, name: Name) -> bool:
        """Return True for a name that is taken, its partition aside."""
        ...

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Return those of some acts, by their canonical texts, that are taken."""
        ...

    def highest(self, before: str) -> int:
        """Return the highest N of ``lex-N`` after a name up to its numbers, or 0."""
        ...


class Taken:
    """Names that are taken, and the next free ``lex-N``.

    A number is never given again, even where the name that had it is gone: the next one is one
    more than the highest that was ever seen.

    >>> taken = Taken()
    >>> taken.next_after("urn:lex:it:stato:decreto:1999-12-20;")
    1
    """

    def __init__(
        self, names: Iterable[Name] = (), *, unique: bool = True, register: Register | None = None
    ) -> None:
        """Remember ``names``.

        Args:
            names: the names already given.
            unique: True to refuse every name that is taken, False only a ``lex-N`` that was given
                out here.
            register: a register of more names; it is read only.
        """
        self.unique = unique
        self._names: set[str] = set()
        self._highest: dict[str, int] = {}
        self._register = register
        for name in names:
            self.add(name)

    def __contains__(self, name: Name) -> bool:
        """Return True for a name that is taken, its partition aside."""
        if str(name.document) in self._names:
            return True
        return self._register is not None and self._register.has(name)

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Return those of some acts, by their canonical texts, that are taken."""
        elsewhere = () if self._register is None else self._register.known(acts)
        return {*self._names.intersection(acts), *elsewhere}

    def alike(self, name: Name) -> str | None:
        """Return a taken act that differs from that of a name only in how numbers are written.

        The act of a new version or annex that is itself taken is the one that is meant.
        """
        if name != name.act_name and name.act_name in self:
            return None
        return min(
            self.known(list_similar_acts(name)), key=lambda act: (len(act), act), default=None
        )

    def add(self, name: Name, *, given_out: bool = False) -> None:
        """Remember a name, and the number of its act if that is a ``lex-N``.

        Args:
            name: the name.
            given_out: True if its number is one of `next_after`, which nobody else may have.
        """
        if self.unique or given_out:
            self._names.add(str(name.document))
        if ";lex-" not in name.text.lower():
            return
        found = split_lex_number(str(name.act_name))
        if found is not None:
            before, number = found
            self._highest[before] = max(self._highest.get(before, 0), number)

    def next_after(self, before: str) -> int:
        """Return the next free N of ``lex-N`` after a name up to its numbers."""
        elsewhere = 0 if self._register is None else self._register.highest(before)
        return max(self._highest.get(before, 0), elsewhere) + 1
