"""Laws of words, numbers and citations for any text."""

# Letters that look alike are what these laws are about.

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from minting_text_words import LAWS, WORDS, fresh, make_context
from sizes import examples

import lexurn
from lexurn.minting import Action, Mode, Written
from lexurn.minting.characters import (
    CleanText,
    compile_word_pattern,
    lower_text,
    write_word,
)
from lexurn.minting.forms import read_citation
from lexurn.minting.numbers import write_number
from lexurn.minting.phrases import TextKind, write_phrase
from lexurn.registry import make_key

_LANGUAGES = st.sampled_from(sorted(WORDS))
_MODES = st.sampled_from(Mode)
_MIXED = """
    Ministry of the a A I V IV XVI Annex annex B 1° 2^ 3ª 1st 2-й 5 n. No. nº dell' L' d’ - – / . ,
    ( ) & &quot; &amp; FAO Reg. Min. OECD CdA third twenty-first décima primeira ü ß İ ı Σ ΟΣ ж ъ
    法 ที่ वि é e\u0301 \u0301 \u200b \u202e \u00ad ª º ﬁ Ａ １ ४ ' " ״ · % %C3%BC 1999 dicembre
    20 21/09/2003 decreto legge 1/P/2000 bis s.n. 1.508-19 Pará para a.b. S.p.A. G. x y
"""
_PIECES = st.sampled_from(_MIXED.split())
_TEXTS = st.one_of(
    st.text(max_size=30),
    st.lists(st.one_of(_PIECES, st.text(max_size=4)), max_size=7).map(" ".join),
    st.lists(_PIECES, max_size=6).map("".join),
)


def _check_written(text: str, written: Written) -> None:
    assert (written.text is None) == any(found.is_error for found in written.findings)
    for found in written.findings:
        assert 0 <= found.start <= found.end <= len(found.text)
        assert found.message
    for step in written.steps:
        assert step.before != step.after
    assert written.text != ""
    del text


def _check_name(name: str) -> None:
    """A whole name parses without findings but notes, and is canonical."""
    report = lexurn.check(name)
    assert report.name is not None
    assert not report.errors
    assert str(report.name) == name


@examples(60)
@given(_TEXTS, _LANGUAGES, _MODES)
def test_a_phrase_is_a_part_of_a_canonical_name(text: str, language: str, mode: Mode) -> None:
    words = WORDS[language]
    for written in (
        write_phrase(text, words, mode, "authority"),
        write_phrase(text, words, mode, "title", TextKind.SENTENCE),
        write_phrase(text, words, mode, "annexes", TextKind.ANNEX),
    ):
        _check_written(text, written)
        if written.text is not None:
            part = written.text
            _check_name(f"urn:lex:it:{part}:{part};{part}:2003-09-21;1:{part}")


@examples(60)
@given(_TEXTS, _LANGUAGES, _MODES)
def test_a_phrase_of_a_phrase_is_itself(text: str, language: str, mode: Mode) -> None:
    words = WORDS[language]
    once = write_phrase(text, words, mode, "authority").text
    if once is not None and "." in once:
        assert write_phrase(once, words, mode, "authority").text == once


@examples(60)
@given(_TEXTS, _LANGUAGES)
def test_dots_read_as_blanks_change_nothing(text: str, language: str) -> None:
    """But for letters that designate and names like connectives, which only their place tells."""
    words = WORDS[language]
    once = write_phrase(text, words, Mode.ASCII, "authority").text
    parts = (once or "").split(".")
    told = words.connectives | words.markers
    short = any(len(part) == 1 or make_key(part) in told for part in parts)
    if once is not None and not short and "%" not in once:
        assert write_phrase(once.replace(".", " "), words, Mode.ASCII, "authority").text == once


@examples(60)
@given(_TEXTS, _LANGUAGES, _MODES)
def test_what_was_kept_is_what_is_written_anew(text: str, language: str, mode: Mode) -> None:
    kept = write_phrase(text, WORDS[language], mode, "authority")
    assert write_phrase(text, fresh(language), mode, "authority") == kept


@examples(60)
@given(_TEXTS, _LANGUAGES, _MODES, st.sampled_from(sorted(LAWS)))
def test_a_number_is_one_of_a_canonical_name_and_its_own(
    text: str, language: str, mode: Mode, law: str
) -> None:
    words = WORDS[language]
    written = write_number(text, words, LAWS[law], "number", mode=mode)
    _check_written(text, written)
    if written.text is not None:
        _check_name(f"urn:lex:it:stato:legge:2003-09-21;{written.text}")
        assert (
            write_number(written.text, words, LAWS[law], "number", mode=mode).text == written.text
        )


@examples(60)
@given(_TEXTS, _LANGUAGES, _MODES)
def test_folded_words_are_ascii_and_their_own(text: str, language: str, mode: Mode) -> None:
    words = WORDS[language]
    for word in compile_word_pattern(text).findall(lower_text(text, language)):
        written = write_word(word, words.folds, mode)
        assert written.isascii()
        if mode is Mode.ASCII:
            assert write_word(written, words.folds, mode) == written


@examples(60)
@given(_TEXTS, _LANGUAGES, st.sampled_from(sorted(LAWS)))
def test_nothing_in_a_citation_is_lost_in_silence(text: str, language: str, law: str) -> None:
    words = WORDS[language]
    cited = read_citation(text, make_context(language, law))
    assert all(cited.fields.values())
    if any(found.is_error for found in cited.findings) or "&" in text:
        return
    left = [*text]
    for each in cited.findings:
        left[each.start : each.end] = " " * (each.end - each.start)
    rest = CleanText("".join(left), "citation").text
    for step in cited.steps:
        for word in step.after.split() if step.action is Action.READ else ():
            rest = rest.replace(word, " ", 1)
    known = words.connectives | words.datewords | words.markers | {"n", "no", "ns", "nos"}
    keys = [make_key(word) for word in re.findall(r"[^\W_]+", rest)]
    assert all(key in known or not key for key in keys), (cited.fields, keys)
