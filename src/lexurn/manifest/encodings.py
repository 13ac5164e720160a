"""Encodings and languages of texts, found by their letters and words."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import ManifestError
from lexurn.manifest.columns import find_header, find_roles, load_header_words
from lexurn.manifest.mapping_draft import Guess
from lexurn.manifest.tables import find_mark
from lexurn.registry import Kind, load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BLOCK = 1 << 20  # bytes read at once
_MOST_BLOCKS = 20
_ENCODINGS = {
    "ca da de en es et eu fi fr ga gl is it la nb nl no pt sv": (
        *("cp1252", "iso8859-15", "mac_roman", "cp850", "cp437"),
    ),
    "cs hr hu pl ro sk sl sr": ("cp1250", "iso8859-2", "cp852"),
    "et fi lt lv": ("cp1257", "iso8859-13", "cp775"),
    "bg ru sr uk": ("cp1251", "koi8-u", "cp866", "iso8859-5", "mac_cyrillic"),
    "el": ("cp1253", "iso8859-7", "cp737"),
    "tr": ("cp1254", "iso8859-9", "cp857"),
    "": (
        *("cp1255", "cp862", "cp1256", "iso8859-6", "cp864", "cp874", "cp1258"),
        *("cp932", "euc_jp", "gb18030", "big5", "euc_kr"),
    ),
}
"""Encodings besides Unicode by their languages, if words in ASCII can tell these.

Those of Windows are first: they are the most likely of equal ones.
"""

_FOREIGN_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_CELL_END = re.compile(r"[,;|\t]")
_MOST_ROWS, _MOST_WORDS, _LONGEST_SCORED = 500, 2_000, 1 << 13


def find_encoding(file: str) -> tuple[str, tuple[Guess, ...]]:
    """Find the encoding of a text: Unicode, or the one whose letters fit its language best.

    Returns:
        The encoding, and the line for a mapping file; none for UTF-8 and byte order marks.

    Raises:
        ManifestError: the file is not a text.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    samples: list[bytes] = []
    at, broken = 0, -1
    with Path(file).open("rb") as stream:
        head = stream.read(BLOCK)
        if marked := find_mark(head):
            return marked, ()
        if (zero := head.find(b"\0")) >= 0:
            raise ManifestError(
                f"{file}: byte {zero} is zero, so it is neither a text in UTF-8 nor a workbook; "
                "save it as CSV, or name its encoding, such as --encoding utf-16-le"
            )
        stream.seek(0)
        while True:
            block = stream.read(BLOCK)
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as fault:
                broken = at + fault.start if broken < 0 else broken
                decoder.reset()
            if not block:
                samples = samples or [head]
                break
            if broken >= 0 and len(samples) < _MOST_BLOCKS:
                samples.append(block)
            at += len(block)
    if broken < 0:
        return "utf-8", ()
    return _choose_encoding(b"".join(samples), broken)


class _Reading(NamedTuple):
    """Reading of the words outside ASCII in one encoding, with its score."""

    encoding: str
    score: float
    words: tuple[str, ...]


def _choose_encoding(data: bytes, broken: int) -> tuple[str, tuple[Guess, ...]]:
    """Choose the encoding of a text that is not UTF-8 by the letters of its language.

    A text that is nearly all UTF-8 has broken rows: it stays UTF-8, and these rows are rejected.
    """
    good = sum(len(each) for each in re.findall(rb"(?:[\xc2-\xf4][\x80-\xbf]+)", data))
    bad = sum(byte > 0x7F for byte in data) - good  # beyond ASCII
    if good > 10 * bad:
        reason = f"{bad} bytes are not UTF-8, the first at byte {broken}: correct these rows"
        return "utf-8", (Guess("", "encoding", "utf-8", reason, is_decided=False),)
    counts = Counter(_FOREIGN_WORD.findall(data))
    tokens = [each for each, _ in counts.most_common(_MOST_WORDS)]
    lines = (line for line in data.splitlines(keepends=True) if not line.isascii())
    text = b"".join(islice(lines, 500))[:_LONGEST_SCORED]
    readings = [_score_encoding(name, tokens, text) for name in chain(*_ENCODINGS.values())]
    ranked = sorted(filter(None, readings), key=lambda each: -each.score)
    # Other cells may be in another language: English types, URLs.
    cells = b" ".join(cell for cell in re.split(rb"[,;|\t\r\n]", text) if not cell.isascii())
    plain = _FOREIGN_WORD.sub(b" ", cells).decode("ascii")
    is_latin = 5 * sum(byte > 0x7F for byte in cells) < len(cells)
    language = guess_language(plain) if is_latin else None
    usual = {*chain(*(each for tags, each in _ENCODINGS.items() if language in tags.split()))}
    ranked = [each for each in ranked if each.encoding in usual] or ranked
    if not ranked:
        return "cp1252", (
            Guess("", "encoding", "", f"not UTF-8 at byte {broken}", is_decided=False),
        )
    rows = data.splitlines()[:_MOST_ROWS]
    header = rows[find_header([_CELL_END.split(row.decode("latin-1")) for row in rows])]
    known = {each.encoding: _count_headers(header, each.encoding) for each in ranked}
    ranked.sort(key=lambda each: -known[each.encoding])
    best = ranked[0]
    others = [each for each in ranked[1:] if each.words != best.words]
    if others and best.score > 0 and known[best.encoding] > known[others[0].encoding]:
        others = []  # the words of the headers decide
    second = others[0] if others else None
    changed = f"not UTF-8 at byte {broken}; {len(counts)} words need it: {_show(best.words)}"
    if second is None or (best.score > 0 and second.score < 0.8 * best.score):
        return best.encoding, (Guess("", "encoding", best.encoding, changed),)
    return (
        best.encoding,
        tuple(
            Guess("", "encoding", each.encoding, f"so that words are: {words}", is_decided=False)
            for each in (best, *others[:2])
            for words in (_show(each.words),)
        ),
    )


def _count_headers(line: bytes, encoding: str) -> int:
    """Count the headers that have known words in an encoding."""
    cells = _CELL_END.split(line.decode(encoding, "replace"))
    return sum(bool(find_roles(cell.strip(' "')).words) for cell in cells)


def _show(words: Sequence[str]) -> str:
    return ", ".join(words[:4])


_WIDE = frozenset({"cp932", "euc_jp", "gb18030", "big5", "euc_kr"})


def _score_encoding(name: str, tokens: Sequence[bytes], text: bytes) -> _Reading | None:
    """Score the words outside ASCII in one encoding, None where it cannot read them."""
    lines = text.decode(name, "replace").splitlines()[:-1] or [text.decode(name, "replace")]
    if name in _WIDE:
        # A byte of a letter may be ASCII, so that words are found in the decoded text.
        if any("\ufffd" in line for line in lines):
            return None
        words = tuple(re.findall(r"[^\x00-\x7f]+", "\n".join(lines))[:_MOST_WORDS])
        scores = [_score_wide_word(each) for each in words]
        return _Reading(name, sum(scores) / max(1, len(scores)), words)
    try:
        words = tuple(each.decode(name) for each in tokens)
    except UnicodeDecodeError:
        return None
    if any("\x80" <= each <= "\x9f" for word in words for each in word):
        return None  # no text has the control characters of ISO 8859
    ranked = _rank_languages("\n".join(lines))
    language, weight = ranked[0]
    known = _collect_letters(language)
    scores = [_score_word(each, known) for each in words]
    return _Reading(name, sum(scores) / max(1, len(scores)) + 5 * weight, words)


def _score_wide_word(word: str) -> float:
    """Score a word of an East Asian script: kana and hangul show its language."""
    names = [unicodedata.name(each, "?") for each in word]
    plain = sum(name.startswith(("HIRAGANA", "KATAKANA LETTER", "HANGUL S")) for name in names)
    shared = sum(name.startswith(("CJK UNIFIED", "IDEOGRAPHIC", "FULLWIDTH")) for name in names)
    return (plain + 0.5 * shared - (len(word) - plain - shared)) / len(word)


def _score_word(word: str, known: frozenset[str]) -> float:
    """Score a word: letters of the language count for it; signs and odd capitals against it."""
    score = 0.0
    scripts: set[str] = set()
    has_small = any(each.islower() for each in word)
    for at, letter in enumerate(word):
        category = unicodedata.category(letter)
        if letter.isascii():
            scripts |= {"LATIN"} if letter.isalpha() else set()
        elif category[0] == "L":
            scripts.add(unicodedata.name(letter, "?").partition(" ")[0])
            score += 1.0 if letter.lower() in known else -0.5
            score -= 1.5 * (category == "Lu" and at > 0 and has_small)
        elif category in {"Mn", "Mc"}:
            score += 0.5
        else:
            is_inside = 0 < at < len(word) - 1
            score -= 4.0 if category in {"Cc", "Cn", "Co"} else 1.5 if is_inside else 0.1
    is_mixed = len(scripts & {"LATIN", "CYRILLIC", "GREEK", "HEBREW", "ARABIC"}) > 1
    return score / sum(not each.isascii() for each in word) - 3.0 * is_mixed


@lru_cache(maxsize=64)
def _collect_letters(language: str) -> frozenset[str]:
    """Collect the letters outside ASCII in the registered words of a language and its law."""
    registry = load_registry()
    scopes = [(kind, language) for kind in Kind if not kind.is_law]
    laws = [code for code in registry.jurisdictions() if language in registry.law(code).languages]
    scopes += [(kind, code) for code in laws for kind in (Kind.MEASURE, Kind.AUTHORITY)]
    texts = (text for scope in scopes for entry in registry.lexicon(*scope) for text in entry.texts)
    return frozenset(
        each for text in texts for each in text.lower() if not each.isascii() and each.isalpha()
    )


_FEWEST_HITS, _MARGIN, _RIVAL = 0.03, 1.5, 4
_MOST_ODD, _MOST_ODD_MARKED = 0.01, 0.1  # shares of all letters, and of those outside ASCII
_LONGEST_GUESSED = 1 << 15
_VOCABULARY = (
    *(Kind.CONNECTIVE, Kind.DATEWORD, Kind.MONTH, Kind.WEEKDAY, Kind.ISSUER_WORD),
    *(Kind.SUBJECT_WORD, Kind.QUALIFIER, Kind.CARDINAL, Kind.ORDINAL, Kind.ANNEX),
    *(Kind.PARTITION, Kind.ABBREVIATION),
)


class _Vocabulary(NamedTuple):
    """Words of a language with their weights, and its letters outside ASCII."""

    words: Mapping[str, float]
    letters: frozenset[str]


def guess_language(text: str) -> str | None:
    """Guess the language of a text by its words and letters, None where that is not certain."""
    (best, most), (other, second), *_ = _rank_languages(text)
    text = text[:_LONGEST_GUESSED]
    vocabularies = _load_vocabularies()
    hits = {*make_key(text).split()} & vocabularies[best].words.keys()
    foreign = [each for each in text.lower() if each.isalpha() and not each.isascii()]
    odd = [each for each in foreign if each not in vocabularies[best].letters]
    # Persian has the letters of Arabic and some more; so have Slovak and Croatian beside Czech.
    letters = [each for each in text if each.isalpha()]
    most_odd = min(_MOST_ODD * len(letters), _MOST_ODD_MARKED * len(foreign))
    is_like = len({*odd}) > 1 and len(odd) > most_odd
    is_like |= bool(odd) and _RIVAL * second > most and {*foreign} <= vocabularies[other].letters
    if len(hits) > 1 and most >= _FEWEST_HITS and most >= _MARGIN * second and not is_like:
        return best
    scripts = Counter(unicodedata.name(each, "?").partition(" ")[0] for each in letters)
    script, count = scripts.most_common(1)[0] if scripts else ("", 0)
    return load_header_words().scripts.get(script) if 2 * count > scripts.total() else None


def _rank_languages(text: str) -> list[tuple[str, float]]:
    """Rank the registered languages by the share of a text's words and letters that they have.

    A word weighs less the more languages have it.
    """
    text = text[:_LONGEST_GUESSED]
    words = Counter(make_key(text).split())
    letters = Counter(each for each in text.lower() if each.isalpha() and not each.isascii())
    found: dict[str, float] = {}
    for language, known in _load_vocabularies().items():
        weight = sum(times * known.words.get(word, 0) for word, times in words.items())
        odd = sum(times for each, times in letters.items() if each not in known.letters)
        share = weight / max(1, words.total())
        found[language] = share * (1 - odd / max(1, letters.total()))
    return sorted(found.items(), key=lambda each: -each[1])


@lru_cache(maxsize=1)
def _load_vocabularies() -> dict[str, _Vocabulary]:
    registry = load_registry()
    found: dict[str, tuple[set[str], frozenset[str]]] = {}
    for language in registry.languages():
        texts = [
            text
            for kind in _VOCABULARY
            for entry in registry.lexicon(kind, language)
            for text in entry.texts
        ]
        keys = {key for text in texts for key in make_key(text).split() if len(key) > 2}  # "art"
        letters = {each for text in texts for each in text.lower() if each.isalpha()}
        words = keys | registry.words(language).connectives
        found[language] = words, frozenset(each for each in letters if not each.isascii())
    shared = Counter(word for words, _ in found.values() for word in words)
    return {
        language: _Vocabulary({word: 1 / shared[word] for word in words}, letters)
        for language, (words, letters) in found.items()
    }
