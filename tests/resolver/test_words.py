"""Connectives in names: which words are set aside, and which number a section or an annex."""

from __future__ import annotations

from itertools import compress

import pytest

from lexurn.catalogue.collisions import ActElements, ActWording
from lexurn.catalogue.normalisation import load_vocabulary, mark_meaningful_words
from lexurn.registry import load_registry


@pytest.mark.parametrize(
    ("words", "borne"),
    [
        ("ministero dell interno", "ministero interno"),
        ("ministero lavoro e politiche sociali", "ministero lavoro politiche sociali"),
        ("direzione per l impiego", "direzione impiego"),
        ("sezione e", "sezione e"),
        ("sezione e i", "sezione e i"),
        ("a", "a"),
        ("di", "di"),
        ("", ""),
        ("allegato a b", "allegato a b"),
        ("allegato i 12", "allegato i 12"),
        ("allegato i ii", "allegato i ii"),
        ("allegato e b civile", "allegato e b civile"),
        ("sezione per", "sezione per"),
    ],
)
def test_connectives_are_set_aside_before_words_alone(words: str, borne: str) -> None:
    given = words.split()
    assert " ".join(
        compress(given, mark_meaningful_words(given, {"a", "di", "dell", "e", "i", "l", "per"}))
    ) == (borne)


@pytest.mark.parametrize(
    ("code", "one", "other"),
    [
        ("it", "sezione.a", "sezione.e"),
        ("it", "commissione.o", "commissione"),
        ("es", "seccion.a", "seccion.y"),
        ("eu", "annex.i", "annex.v"),
        ("eu", "annex.k", "annex.s"),
        ("it", "sezione.a.civile", "sezione.e.civile"),
        ("it", "sezione.a.civile", "sezione.civile"),
        ("es", "seccion.a.civil", "seccion.y.civil"),
        ("it", "allegato.a.tecnico", "allegato.e.tecnico"),
    ],
)
def test_letters_and_numerals_tell_elements_apart(code: str, one: str, other: str) -> None:
    tongue, wording = load_vocabulary(load_registry(), code), ActWording(load_registry())
    assert tongue.key(one) != tongue.key(other)
    assert tongue.expanded(one) != tongue.expanded(other)
    stages = (
        wording.write_stages(ActElements(code, each, "x", "2003-09-21;456"))
        for each in (one, other)
    )
    assert all(mine != theirs for mine, theirs in zip(*stages, strict=True))


@pytest.mark.parametrize(
    ("code", "one", "other", "told"),
    [
        ("it", "ministero.lavoro.e.politiche", "ministero.lavoro.politiche", "same"),
        ("br", "ministerio.ciencia.e.tecnologia", "ministerio.ciencia.tecnologia", "same"),
        ("it", "l.assemblea", "assemblea", "same"),
        ("br", "secao.a.civel", "secao.e.civel", "other"),
        ("it", "turma.e.civile", "turma.civile", "alike"),
        ("it", "turma.a.civile", "turma.e.civile", "other"),
        ("it", "sezione.d.appello", "sezione.appello", "alike"),
        ("it", "sezione.e.appello", "sezione.appello", "other"),
        ("it", "sezione.d.appello", "sezione.a.appello", "other"),
        ("it", "confini.e.parco", "confini.del.parco", "alike"),
    ],
)
def test_a_letter_is_told_by_the_word_before_it(code: str, one: str, other: str, told: str) -> None:
    tongue = load_vocabulary(load_registry(), code)
    for mine, theirs in ((one, other), (other, one)):
        assert tongue.is_same(mine, theirs) == (told == "same")
        assert told == "same" or tongue.is_alike(mine, theirs) == (told == "alike")
