"""Citations: measure, authority, date and number of an act, read from one line of text.

"Ministero delle Finanze, decreto 20 dicembre 1999, n. 1/P/2000", "Lei nº 9.847, de 26 de Outubro
de 1999", "Regulation (EU) 2016/679 of the European Parliament and of the Council of 27 April 2016".

A citation is the type of measure with issuer, date and number beside it, in any order. The first
word that is none of them begins the subject. It is left out, with the acts that it names. The forms
that differ by country are conventions of the registry (`lexurn.registry.checks`).
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from lexurn import data
from lexurn.minting.dates import YEAR
from lexurn.minting.elements import QUOTES, CitationForm, ElementReader
from lexurn.minting.mentions import Span, write_levels
from lexurn.minting.parts import is_article_citation, is_partition
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.minting.mentions import NumberMention
    from lexurn.registry import Entry, Law

# Identifiers that are not citations, with their names.
_IDENTIFIERS = {
    "an ECLI": re.compile(r"ECLI:[A-Z]{2}:.+", re.IGNORECASE),
    "a CELEX number": re.compile(r"[0-9EC][0-9]{4}[A-Z]{1,2}[0-9]{4}(?:\([0-9]{2}\))?"),
    "text with marks of HTML": re.compile("[^<]*+</?[a-z][^<>]*>.*", re.IGNORECASE | re.DOTALL),
    "a URI": re.compile(r"(?:https?://|urn:)\S+", re.IGNORECASE),
}
_YEAR = re.compile(YEAR)
_SHORT_NUMBER = re.compile("[0-9]{1,3}")
# More of a number behind the part that is read: "10 / PRES", "5 - 2019"; not "5 - 2. Änderung".
_REST_OF_NUMBER = re.compile(r" ?(?:/ ?[A-Z]{2}|- ?[0-9]+(?![0-9º°ª]|\.(?![0-9])))")
_ABBREVIATED = re.compile(r"[^\W\d_]\. [^\W\d_]")
_YEAR_AFTER = re.compile(rf"[^/]*[0-9]\s*/\s*{YEAR}")
# "(n. 5)"; before the mark of a collection also short titles: "(Datenschutzgesetz, DSG; SR 235.1)".
_LAST_BRACKET = re.compile(
    r"\((?:(?:[A-Z][^\W\d_]*[,;] )+(?=[A-Z]{2} [0-9.]+\)))?([^()]*)\)[\s.]*$"
)
_LABELLED = re.compile(r"[^\W\d]+(?:-[^\W\d]+)*: *[0-9]+")
_SESSION = re.compile("C?(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_LAST_PART = re.compile(r",\s*([^,]*[0-9][^,]*)$")
# Signs that part the subject from the act.
_OPENING = frozenset("(«\"“„'-:*[")
_EDGES = " \t,;:.([{)]}-/*"
_EDGES_OF_ARTICLE = " \t,;:.'"
# A nickname in quotation marks, with a word before it.
_QUOTED_NAME = re.compile(r"\s*(?:[^\W\d_]+ )?[«\"“„] ?[^«»\"“”„]{2,40} ?[»\"”“]\s*")
_FEWEST_LETTERS, _LONGEST_NICKNAME = 4, 6
_LONGEST_ARTICLE = 120
_FURTHEST_TYPE = 4
_JUDGMENT = "http://publications.europa.eu/resource/authority/resource-type/JUDG"


class _Courts(NamedTuple):
    """Judgments of a jurisdiction, other types that only courts make, and a pattern of courts."""

    judgments: frozenset[str]
    types: frozenset[str]
    pattern: re.Pattern[str]


@lru_cache(maxsize=256)
def _load_courts(code: str) -> _Courts:
    """Load the courts of a jurisdiction."""
    table = json.loads(data.read_text("ontology/references.json"))
    types, courts = (table[key].get(code, {}) for key in ("measures", "courts"))
    words = "|".join(courts.get("authorities", "(?!)").replace("-", r"\w*").split())
    pattern = re.compile(rf"\b(?:{words})\w{{0,2}}\b".replace(".", " "))
    judgments = frozenset(types.get("judgment", "").split())
    return _Courts(judgments, frozenset(courts.get("measures", "").split()), pattern)


def has_court(issuers: Iterable[str], law: Law) -> bool:
    """Return True if one of some issuers is registered as a court, or begins like one."""
    pattern = _load_courts(law.code).pattern
    return any(
        pattern.match(make_key(issuer))
        or any(pattern.search(e.notation.replace(".", " ")) for e in law.authorities.find(issuer))
        for issuer in issuers
    )


class CitationReader(ElementReader):
    """Reader of one citation, which may lack the fields that are given beside it."""

    def read(self) -> CitationForm:
        """Read the citation."""
        text, whole = self.text.strip(), Span(0, len(self.text))
        kinds = (kind for kind, pattern in _IDENTIFIERS.items() if pattern.fullmatch(text))
        kind, first = next(kinds, None), self.pieces[0].text if self.pieces else ""
        is_part = first[:1].isdigit() or is_partition(first, self.words)
        if kind is None and is_part and is_article_citation(text, self.words):
            kind = "a reference to an article"
        if kind is not None:
            self._say("LX777", whole, whole, kind)
        else:
            at = self._read_unparted()
            at = at or self._skip_nickname(self._read_measure(self._read_front(self._skip_title())))
            while (after := self._read_element(at)) is not None:
                at = after
            self._read_rest(at)
            stated, number = {*self.found, *self.given}, self.found.get("number", Span(0, 0))
            if "measure" not in stated:
                self._say("LX732", whole, whole, "measure")
            elif stated.isdisjoint({"date", "number"}) and not any(e.name for e in self.entries):
                self._say("LX732", whole, whole, "date or number beside its type")
            elif "date" not in stated and _YEAR_AFTER.fullmatch(self.text, *number):
                self._say("LX735", number)
        return CitationForm(self.found, self.levels, self.year, tuple(self.notes))

    def _read_unparted(self) -> int | None:
        """Read a citation in a script without blanks; None if it is not one."""
        found = self.find_unparted()
        if not found:
            return None
        if (title := found.pop("title", None)) is not None:
            self._say("LX778", title)
        self.found |= found
        self.entries = self.law.measures.find(self.cut(found["measure"]))
        if (span := found.get("authority")) is not None:
            self._take_issuers(((("", span),),), span)
        return len(self.pieces)

    # --- the front: words before the type of measure, and the type --------------------

    def _skip_title(self) -> int:
        """Return the index of an act behind its title: "Código do Trabalho (Lei n.º 7/2009, ...)".

        It stands in brackets, with the one type of the title, or behind "approved by" (convention
        ``approval-marks``). An issuer or unit is no title.
        """
        marks = self.law.list_values("approval-marks")
        is_bracketed = self.text.endswith(")") and self.text.count("(") == 1
        if not is_bracketed and marks.isdisjoint(piece.key for piece in self.pieces):
            return 0
        types, end = set[str](), 0
        for each, piece in enumerate(self.pieces[:-1]):
            is_approved = piece.key in marks
            if self.find_entries(self.law.units, each) or self._is_element(each):
                return 0
            is_subject = piece.key in self.words.subject_words and not is_approved
            if is_subject or self.find_issuers(each):
                return 0
            if each and (is_approved or (is_bracketed and piece.after.strip() == "(")):
                at = self.find_type(each + 1, min(each + _FURTHEST_TYPE, len(self.pieces)))
                found = None if at is None else self.find_entries(self.law.measures, at)
                own = {entry.notation for entry in found[0]} if found else set()
                if at is None or not (is_approved or types <= own):
                    return 0
                self._say("LX733", self.strip(0, each + 1))
                return at
            entries, end = (each >= end and self.find_entries(self.law.measures, each)) or ((), end)
            types |= {e.name.split(":")[4] if e.name else e.notation for e in entries}
        return 0

    def _read_front(self, at: int) -> int:
        """Read issuer, date or number in front of the type, and return the index after them."""
        while at < len(self.pieces):
            if (after := self._read_partial_date(at)) is not None:
                at = after  # in "22/2012. (V. 11.) AB határozat" V is a month, not a type
                continue
            issuers = None if self.levels else self.find_issuers(at)
            if self._begins_type(at, issuers[1] if issuers else None):
                return at
            if issuers is not None:
                # "Tribunale di Milano, sentenza" names one of many courts of a registered kind.
                levels, after = issuers
                end = self._find_end_of_name(at)
                end = self.drop_fillers(at, self.find_type(after, end) or end)
                if end > after and self.pieces[end - 1].text[0].isupper():
                    at = self._take_unregistered(self.strip(at, end))
                else:
                    at = self._take_issuers(levels, self.find_span(at, after))
            elif (after := self._skip_articles(at) or self._read_part(at)) is not None:
                at = after
            elif self.pieces[at].key in self.fillers:
                at += 1
            else:
                return at
        return at

    def _begins_type(self, at: int, end: int | None) -> bool:
        """Return True for a type, not for an issuer that ends before an index.

        An issuer is longer than the type, or stands before it: "Council Regulation" may be a type,
        too. In the title of an act of the state it belongs to the title: "Central Bank Act". The
        type stands behind it there, since it may begin with another: "Anayasa Mahkemesi".
        """
        found = self.find_entries(self.law.measures, at)
        if found is not None and (end is None or end <= found[1]):
            behind = self.find_entries(self.law.measures, end) if end and end < found[1] else None
            if behind is None or behind[1] != found[1]:
                return True
        if end is None or not self.is_subject_first:
            return False
        state, (start, titled) = self.law.conventions.get("state"), self._find_measure(at)
        return titled is not None and start >= end and all(e.issuer == state for e in titled[0])

    def _skip_articles(self, at: int) -> int | None:
        """Return the index of type or issuer behind a reference to an article, or None.

        The last one counts, since "lettera" and the "L." of "article L. 121-1" are types too.
        """
        start, found, first = self.find_end(at), None, self.pieces[at].text
        is_number = first[0].isdigit() or self._skip_marker(at) > at  # "n.º 1 do artigo 3.º"
        if not (is_number or is_partition(first, self.words)):
            return None
        for each in range(at + 1, len(self.pieces)):
            if self.pieces[each].start - start > _LONGEST_ARTICLE:
                break
            if not self.find_entries(self.law.measures, each) and not self.find_issuers(each):
                continue
            # A sign is not a word: "§ 35 odst. 1", "3 §".
            span = Span(start, self.pieces[self.drop_fillers(at, each)].start)
            if is_article_citation(self.cut(span).strip(_EDGES_OF_ARTICLE), self.words):
                found = each, span
        if found is None:
            return None
        self._say("LX733", found[1])
        return found[0]

    def _read_measure(self, at: int) -> int:
        """Read the type of measure, and return the index after it."""
        if at >= len(self.pieces):
            return at
        start, found = self._find_measure(at)
        if found is None:
            return self._read_compound(at) or self._read_unregistered_measure(at)
        self.entries, after = found
        issuer = self.found.get("authority")
        if start > at and (issuer is None or issuer.start < self.pieces[at].start):
            # A title, or another act: "Data Protection Act 2018 (No. 7 of 2018) and ...".
            first = self.find_type(at + 1, start)
            is_other = first is not None and self._has_number(first, start)
            code = "LX778" if issuer is None else "LX733"
            self._say("LX734" if is_other else code, self.strip(at, start))
        adjective = self.pieces[after].key if after < len(self.pieces) else ""
        if adjective in self.words.qualifiers and self.find_issuers(after) is None:
            after += 1  # "Decreto (municipal)" has the adjective of an issuer
        end = self.find_end(after)
        is_bracketed = self.text[end : end + 1] == ")" and "(" in self.text[:end]
        self.found["measure"] = Span(self.pieces[start].start, end + is_bracketed)
        # "L.P. Trento" has the adjective of "Legge provinciale".
        labels = (make_key(label.text).split()[-1] for e in self.entries for label in e.labels)
        adjectives = dict.fromkeys((self.pieces[after - 1].key, *labels))
        names = (self.find_qualified(adjective, after) for adjective in adjectives)
        qualified = next(filter(None, names), None)
        if qualified is None or self.levels:
            return after
        return self._take_issuers((((qualified[0], None),),), self.find_span(after, qualified[1]))

    def _find_measure(self, at: int) -> tuple[int, tuple[tuple[Entry, ...], int] | None]:
        """Return the index of the type, its entries and the index after it."""
        found = self.find_entries(self.law.measures, at)
        if self.is_subject_first:
            for start in range(len(self.pieces) - 1, at, -1):
                last = self.find_entries(self.law.measures, start)
                if last and (found is None or self._ends_title(found[1], start, last[1])):
                    return start, last
        if found is None and not self.levels and at < len(self.pieces):
            # An issuer that is not registered, a comma, and a type.
            words = range(at + 1, len(self.pieces))
            start = next((each for each in words if "," in self.pieces[each - 1].after), at)
            found = self.find_entries(self.law.measures, start)
            if found is not None:
                self._take_unregistered(self.strip(at, start))
                return start, found
        return at, found

    def _ends_title(self, at: int, start: int, after: int) -> bool:
        """Return True for the type at the end of a title: "Constitution (Amendment) Act, 1931".

        The words between it and another type have capitals, and the one year is behind it.
        """
        if start < at or after >= len(self.pieces) or not _YEAR.fullmatch(self.pieces[after].text):
            return False
        return all(
            each.text[0].isupper() or each.key in self.fillers or _SHORT_NUMBER.fullmatch(each.text)
            for each in self.pieces[at:start]
        )

    def _read_compound(self, at: int) -> int | None:
        """Read a title that is one word and ends with its type: "Skollagen (2010:800)"."""
        start = self.pieces[at].start
        while self.pieces[at].after.strip() == "-" and at + 2 < len(self.pieces):
            at += 2  # "Maankäyttö- ja rakennuslaki"
        piece, types = self.pieces[at], self.law.list_values("title-types")
        sizes = (size for size in range(len(piece.text) - 1, 1, -1) if types)
        size = next((size for size in sizes if make_key(piece.text[-size:]) in types), None)
        if size is None:
            return None
        self.entries = self.law.measures.find(piece.text[-size:])
        self.found["measure"] = Span(piece.end - size, piece.end)
        self._say("LX778", Span(start, piece.end))
        return at + 1

    def _read_unregistered_measure(self, at: int) -> int:
        """Read the words up to date and number as a type that is not registered."""
        after = at
        while after < len(self.pieces) and not self._is_element(after):
            after += 1
        after = self.drop_fillers(at, after)
        head = self.strip(at, after)
        letters = sum(map(str.isalpha, self.cut(head)))
        is_part = is_partition(self.pieces[at].text, self.words)  # "Capitolo IV n. 9"
        if not letters or is_part or after >= len(self.pieces) or self._is_subject(at, after):
            return at
        # "Cass. civ., sez. un., 11 novembre 2008" has no type; one is a plain word behind a comma.
        is_apart = "," in self.text[self.find_end(at) : head.start] and not (
            letters < _FEWEST_LETTERS or {",", "."} & {*self.cut(head)}
        )
        if self.levels and not is_apart:
            return at
        first, comma, last = self.cut(head).rpartition(",")
        if comma and not self.levels:
            start = head.end - len(last.lstrip())
            self.found["measure"] = Span(start, head.end)
            issuer = Span(head.start, head.start + len(first))
            self._take_issuers(((("", issuer),),), issuer)
            self._say("LX737", Span(start, head.end), issuer, Span(start, head.end))
        else:
            self.found["measure"] = head
        return after

    def _is_subject(self, at: int, after: int) -> bool:
        """Return True for words that hold more than the type of an act."""
        lexicons = self.law.authorities, self.law.units, self.law.measures
        return any(
            self.pieces[each].key in self.words.subject_words
            or any(self.find_entries(lexicon, each) for lexicon in lexicons)
            for each in range(at, after)
        )

    def _skip_nickname(self, at: int) -> int:
        """Return the index after a name between a type of the state and the date or number.

        "Loi Veil n° 75-17", "Loi dite « Veil » n° 75-17": a few words with a capital first, which
        are not registered. It is left out, with a warning unless it stands in quotation marks.
        """
        is_of_state = self.entries and all(each.issuer for each in self.entries)
        if self.levels or not is_of_state:
            return at
        limit = min(len(self.pieces), at + _LONGEST_NICKNAME + 1)
        after = next((each for each in range(at, limit) if self._is_element(each)), limit)
        if after in {limit, at}:
            return at
        number = self.find_number(after)
        last = self.drop_fillers(at, after)
        name = self.strip(at, last)
        if _QUOTED_NAME.fullmatch(self.text, self.find_end(at), self.pieces[after].start):
            self._say("LX778", name)
            return after
        is_apart = re.search(r"[,;:()]", self.text[self.find_end(at) : name.end]) is not None
        is_name = not self._is_subject(at, last) and all(
            (each.text[0].isupper() or each.key in self.fillers)
            and each.key not in self.words.qualifiers
            for each in self.pieces[at:last]
        )
        if last == at or is_apart or not is_name or (number is not None and not number.is_marked):
            return at
        self._say("LX733", name)
        return after

    # --- the rest: the subject, and a date or number behind it ------------------------

    def _read_rest(self, at: int) -> None:
        """Read date and number at the end, and report the subject or what was not understood."""
        rest = self.strip(at, len(self.pieces))
        if is_article_citation(self.cut(rest).strip(_EDGES), self.words):
            self._say("LX733", rest)
            return
        if rest.start >= rest.end or "measure" not in {*self.found, *self.given}:
            return
        corrected = self.law.list_values("corrigenda")
        if any(each.notation in corrected for each in self.entries):
            self._say("LX778", rest)
            return
        if self._find_second_act(at):
            self._say("LX734", rest)
            return
        if self._find_second_number(at):
            self._say("LX734", rest, rest, "number")
            return
        is_opened = self._is_opened(at)
        end = self._read_late_number(at)
        end = self._read_late_date(at, end)
        last = self._read_late_issuer(at, self.find_piece(end))
        subject = self.strip(at, last)
        if all(piece.key in self.fillers for piece in self.pieces[at:last]):
            return
        if not is_opened:  # a reference with another number: "Doc. parl., Sénat, n° 12/1"
            is_opened = self._is_opened(at) and not _ABBREVIATED.search(self.cut(subject))
        self._say("LX778" if is_opened else "LX733", subject)

    def _is_opened(self, at: int) -> bool:
        """Return True for a word that begins a subject, not an issuer, date or number."""
        first, stated = self.pieces[at], {*self.found, *self.given}
        before, number = self.text[self.find_end(at) : first.start], self.found.get("number")
        rest = _REST_OF_NUMBER.match(self.text, number.end) if number is not None else None
        if rest is not None and not any(each in range(*rest.span()) for each in self.dates):
            return False
        if self.is_subject_first:
            # A title in quotation marks: "määrus nr 5 „Hea ...“"; but "Act 1992 (No. 1 of 1992)".
            return not QUOTES.isdisjoint(before)
        is_before = self.law.conventions.get("issuer-place") == "before-measure"
        if is_before or not _OPENING.isdisjoint(before) or first.key in self.words.subject_words:
            return True
        # After all elements nothing but the subject follows: no unit ("Ley 3/2010, de Cataluña"),
        # annex or article, and no more of a number that no comma ends.
        # No more an issuer with its place: "Lei n.º 5/2019, ..., da Câmara Municipal de Lisboa".
        start = self.skip(at, self.words.issuer_words.keys())
        if start < len(self.pieces):
            issuers = self.find_issuers(start)
            is_longer = issuers is not None and self._find_end_of_name(start) > issuers[1]
            if is_longer or self.find_entries(self.law.units, start):
                return False
        if self.words.annexes.find(first.text) or is_partition(first.text, self.words):
            return False
        has_issuer = "authority" in stated or any(each.issuer for each in self.entries)
        is_whole = has_issuer and stated >= {"measure", "date", "number"}
        is_cut = number is not None and not self.text[number.end : first.start].strip(" -&.")
        is_near = is_cut or first.key in self.words.issuer_words
        return is_whole and ("," in before or not is_near)

    def _find_second_act(self, at: int) -> bool:
        """Return True for an act beside the first: at once, or after "and" and no other act.

        The number of one may stand behind its subject: "Laki ... (1/2018) ja laki ... (3/2019)".
        """
        first = self.find_type(at)
        found = None if first is None else self.find_entries(self.law.measures, first)
        if first is None or found is None:
            return False
        after, marks = self.skip(found[1], self.fillers), self.law.list_values("act-marks")
        while after < len(self.pieces) and self.pieces[after].text in marks:
            after += 1  # "... and Directive (EU) 2016/680"
        is_cited = after < len(self.pieces) and self._is_element(after)
        # "... and Commission Regulation": issuer and date of the second may stand before its type.
        leads = (each for each in range(at, first) if self._leads_to(each, first))
        start = next(leads, first)
        before = self.drop_fillers(at, start)
        is_joined = self.joining in {piece.key for piece in self.pieces[before:start]}
        is_numbered = any(map(self.find_number, range(at, first + 1)))
        is_subject = self.pieces[at].key in self.words.subject_words  # "conv. in l. 25 febbraio"
        is_named = any(each.name for each in self.entries)
        is_next = is_cited and (before == at or is_named) and not is_subject
        return is_next or (is_joined and (is_cited or is_numbered))

    def _leads_to(self, at: int, end: int) -> bool:
        """Return True for issuers, a date, or both, and no more, between two words."""
        issuers = self.find_issuers(at)
        after = issuers[1] if issuers else at
        date = self.dates.get(self.get_offset(after))
        after = self.skip(self.find_piece(date.end), self.fillers) if date else after
        return at < after == end

    def _find_second_number(self, at: int) -> bool:
        """Return True for a number that a comma or "and" joins to the first, as in joint cases."""
        start = self.skip(at, {self.joining})
        number = self.found.get("number")
        if number is None or start >= len(self.pieces):
            return False
        between = self.text[number.end : self.pieces[start].start].strip()
        second = self.find_number(start)
        if second is None:
            return False
        is_like = second.is_marked or "/" in self.cut(second.span)
        # "lois n° 83-8 du 7 janvier 1983 et n° 83-663 du 22 juillet 1983" has a date between.
        is_joined = start > at and (make_key(between) == self.joining or second.is_marked)
        return is_joined or (between == "," and is_like)

    def _read_late_number(self, at: int) -> int:
        """Read a number behind the subject; return the offset at which the subject ends."""
        end = len(self.text)
        if "number" in self.found:
            return end
        for each in range(at, len(self.pieces)):
            gazette = self.find_gazette(each)
            if gazette is not None and self._is_of_act(each, gazette):
                self._read_gazette(each, gazette)
                end = self.pieces[each].start
                break
        for pattern in (_LAST_BRACKET, _LAST_PART):
            match = pattern.search(self.text, self.find_end(at), end)
            if match is None or "number" in self.found:
                continue
            if _LABELLED.fullmatch(match[1].strip()):
                start = match.end(1) - len(match[1].lstrip())
                self.found["number"] = Span(start, start + len(match[1].strip()))
                return match.start()
            first = self.find_piece(match.start(1))
            number = self.find_number(first) if first < len(self.pieces) else None
            # "reg. Corte dei conti 12 gennaio 2001, n. 5"
            is_of_other = pattern is _LAST_PART and any(map(self._is_element, range(at, first)))
            if number is None or is_of_other or self.text[number.end : match.end(1)].strip():
                continue
            is_doubtful = self._is_doubtful(first, number, at)
            # "nr. 28 (sak 19/401)" has the number in front; another may be stated.
            is_other = is_doubtful and ("number" in self.given or self._has_number(at, first))
            if (number.is_marked or "/" in self.cut(number.span)) and not is_other:
                self.found["number"] = number.span
                end = match.start()
                if is_doubtful:
                    self._say("LX781", number.span)
        return end

    def _is_of_act(self, at: int, end: int) -> bool:
        """Return True for a gazette apart from the subject, where it has the number of the act.

        "mit dem das X-Gesetz, BGBl. Nr. 5/2010, geändert wird" has the number of another act.
        """
        if "gazette-number" not in self.law.conventions:
            return True
        before = self.text[self.find_end(at) : self.pieces[at].start]
        is_apart = re.search("[,;()]", before) is not None
        return is_apart and not re.sub(r"\([^()]*\)", "", self.text[end:]).strip(_EDGES)

    def _read_late_date(self, at: int, end: int) -> int:
        """Read a date behind the subject; return the offset at which the subject ends."""
        # "vom 25. September 2020 (SR 235.1)" has the date and number of one act: it is compared.
        first = self.find_piece(self.found["number"].start) - 1 if "number" in self.found else at
        is_collection = first > at and self.pieces[first].key in self.law.list_values("collections")
        is_listed = is_collection and not {"date", "period"}.isdisjoint(self.given)
        is_late = is_listed or self.law.conventions.get("subject-place") == "before-date"
        marks = self.law.list_values("date-marks")
        if "date" in self.found or not (is_late or marks):
            return end
        spans = [
            span
            for span in self.dates.values()
            if self.get_offset(at) <= span.start
            and span.end <= end
            and self.text.count("(", 0, span.start) == self.text.count(")", 0, span.start)
        ]
        if not spans:
            return end
        before = self.drop_fillers(at, self.find_piece(spans[-1].start))
        number = self._find_number_behind(spans[-1], at, before)
        after = self.text[number.end if number else spans[-1].end : end].partition("(")[0]
        if after.strip(_EDGES):
            return end
        if before > at and self._names_type(before - 1):
            return end
        is_marked = before > at and self.pieces[before - 1].key in marks
        if not (is_late or is_marked):
            return end
        self.found["date"] = spans[-1]
        if number is not None:
            self.found["number"] = number.span
        # "Gesetz zur Umsetzung der Richtlinie 2010/5/EU vom 3. Mai 2010" has the date of either,
        # but "om ändring i brottsbalken; utfärdad den ..." that of the act.
        sign = self.text[self.find_end(before - 1) : self.find_end(before)] if is_marked else ""
        is_apart = not {",", ";"}.isdisjoint(sign)
        names_type = self.find_type(at + 1, before) is not None
        if not is_listed and (len(spans) > 1 or (names_type and not is_apart)):
            self._say("LX781", spans[-1])
        return self.get_offset(before)

    def _read_late_issuer(self, at: int, last: int) -> int:
        """Read an issuer behind the subject, "..., fastsatt av ...", and return where this ends.

        If the subject names a type, the issuer may be that of the other act.
        """
        marks = self.law.list_values("date-marks")
        places = (each for each in range(at, last) if self.pieces[each].key in marks)
        mark = next(places, last)
        start = self.skip(mark + 1, self.words.issuer_words)
        issuers = self.find_issuers(start) if mark + 1 < start < last and not self.levels else None
        is_apart = "," in self.text[self.find_end(mark) : self.get_offset(mark)]
        if issuers is None or issuers[1] != last or not is_apart:
            return last
        if any(e.issuer for e in self.entries) or any(map(self._names_type, range(at, mark))):
            return last
        self._take_issuers(issuers[0], self.find_span(start, last))
        return mark

    def _find_number_behind(self, date: Span, at: int, before: int) -> NumberMention | None:
        """Return the number behind a date at the end: "Lov om straff av 20. mai 2005 nr. 28".

        The date has none if the subject names a type, whose number it may be.
        """
        after = self.find_piece(date.end)
        number = self.find_number(after) if after < len(self.pieces) else None
        if "number" in self.found or number is None or not number.is_marked:
            return None
        if self._is_file(after, number, at):
            return None
        return None if any(map(self._names_type, range(at, before))) else number

    def _has_number(self, at: int, end: int) -> bool:
        """Return True if a number with a marker begins at a word from ``at`` to before ``end``."""
        numbers = (self.find_number(each) for each in range(at, end))
        return any(each is not None and each.is_marked for each in numbers)

    def _is_doubtful(self, at: int, number: NumberMention, subject: int) -> bool:
        """Return True for a number behind a subject that may be of another act, or of a file.

        "modifiant la loi du 20 mai 1990 (RS 235.1)", "Änderung der Bundesverfassung (SR 101)" and
        "(KH/40/2019)" are examples; "(XLV/340/19)" is the number of a council's act.
        """
        written = self.cut(number.span)
        before = self.find_end(self.drop_fillers(subject, at))  # "z dnia 5 czerwca 2010 r. (nr 12)"
        is_dated = any(each.end == before for each in self.dates.values())
        names_type = any(map(self._names_type, range(subject, at)))
        if (is_dated and "date" in self.found) or (names_type and (is_dated or "/" not in written)):
            return True
        first = "" if number.is_marked else written.partition("/")[0]
        is_file = first.isalpha() and not _SESSION.fullmatch(first)
        return is_file or self._is_file(at, number, subject)

    def _is_file(self, at: int, number: NumberMention, subject: int) -> bool:
        """Return True for the number of a file behind a subject: "(sak 19/401)".

        A judgment has the number of its file, and so has what names the parties before a number
        with letters: "Order ..., Inuit Tapiriit Kanatami, Case T-18/10".
        """
        written = self.cut(number.span)
        mark = make_key(self.text[self.get_offset(at) : number.span.start])
        if mark not in self.words.file_marks:
            return False
        types = {each.notation for each in self.entries}
        courts, matches = _load_courts(self.law.code), [m for e in self.entries for m in e.matches]
        if types & courts.judgments or _JUDGMENT in matches:
            return False
        is_of_court = (
            "court" in self.given
            or courts.pattern.search(make_key(self.text[: self.get_offset(subject)]))
            or has_court(chain(*write_levels(self.levels, self.cut)), self.law)
        )
        if types & courts.types and is_of_court:
            return False
        before = self.text[self.find_end(subject) : self.get_offset(subject)]
        is_party = "," in before and self.pieces[subject].key not in self.words.subject_words
        return not (is_party and any(map(str.isalpha, written)))

    def _names_type(self, at: int) -> bool:
        """Return True for a type of measure, or a title of one word that ends with it.

        The title may be in the genitive: "straffelovens § 5". One in brackets is the short title
        of the act: "Lov om straff (straffeloven) av ...".
        """
        before, key = self.text[: self.pieces[at].start], self.pieces[at].key
        types = tuple(self.law.list_values("title-types"))
        is_named = self.find_entries(self.law.measures, at) or key.removesuffix("s").endswith(types)
        return bool(is_named) and before.count("(") == before.count(")")
