"""Hypothesis strategies for names as the dialects write them: LexML Brasil, NIR, the drafts."""

from __future__ import annotations

import calendar

from hypothesis import strategies as st
from strategies import name_texts

__all__ = ["draft_texts", "lexml_texts", "near_texts", "nir_texts"]

# fmt: off
_WORDS = (
    "lei", "decreto", "resolucao", "federal", "estadual", "senado", "camara",
    "deputados", "legge", "reale", "ministero", "finanze", "comune", "firenze",
    "consiglio", "de", "do", "da", "di", "del", "della",
    "e", "a", "turma.1", "secao", "allegato", "anexo", "tabella",
    "emenda.constitucional", "decreto-lei", "comunità", "são", "Stato", "1", "codice.civile",
    "costituzione",
)
# fmt: on


def _word() -> st.SearchStrategy[str]:
    return st.sampled_from(_WORDS) | st.text("abcdefgz", min_size=1, max_size=6)


def _dotted() -> st.SearchStrategy[str]:
    return st.lists(_word(), min_size=1, max_size=4).map(".".join)


def _series(separator: str = ";", most: int = 2) -> st.SearchStrategy[str]:
    return st.lists(_dotted(), min_size=1, max_size=most).map(separator.join)


@st.composite
def _days(draw: st.DrawFn) -> str:
    year = draw(st.integers(1800, 2030) | st.integers(1, 9999))
    month = draw(st.integers(1, 12))
    day = draw(st.integers(1, calendar.monthrange(year, month)[1]))
    form = draw(st.sampled_from(("{:04}-{:02}-{:02}",) * 5 + ("{:04}-{}-{}", "{:04}{:02}{:02}")))
    return form.format(year, month, day)


def _when() -> st.SearchStrategy[str]:
    years = st.integers(1800, 2030).map(str)
    ranges = st.builds("[{},{}]".format, _days(), _days())
    odd = st.sampled_from(("", "194_-05-23", "00000-0000", "8026212-05-04", "maria.penha"))
    return _days() | years | ranges | odd | st.just("19.legislatura")


def _numbers() -> st.SearchStrategy[str]:
    number = st.integers(1, 99999).map(str)
    made = st.sampled_from(("seq-sf-1", "nir-1", "lex-2", "88/1", "None", "042U0262", "art145"))
    return number | st.lists(number, min_size=2, max_size=3).map(",".join) | made


def _levels(joint: str) -> st.SearchStrategy[str]:
    level = st.builds(
        "{}{}".format,
        st.sampled_from(("art", "par", "inc", "ali", "com", "let", "num", "cpt", "art_")),
        st.sampled_from(("", "1", "12", "1u", "4-3", "3-bis", "3bis", "a", "A")),
    )
    return st.lists(level, min_size=1, max_size=3).map(joint.join)


def _events() -> st.SearchStrategy[str]:
    keyword = st.sampled_from(
        ("inicio.vigencia", "multivigente", "data.evento", "leitura", "originale", "vigente")
    )
    timed = st.builds("{}t{:02}.{:02}".format, _days(), st.integers(0, 25), st.integers(0, 61))
    stamps = st.sampled_from(("200504040101", "20050404010159", "209904049901"))
    event = keyword | _days() | timed | stamps | st.sampled_from(("retificacao.1", "t10.00"))
    return st.lists(event, min_size=1, max_size=3).map(";".join)


def _maybe(sign: str, text: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.just("") | text.map(sign.__add__)


@st.composite
def lexml_texts(draw: st.DrawFn) -> str:
    """Names as LexML Brasil writes them, well or badly."""
    authorities = st.sampled_from(("federal", "estadual")) | _series(",")
    places = st.sampled_from(("br", "br;sao.paulo", "br;federal", "br;rio.de.janeiro", "us"))
    elements = [draw(places), draw(authorities | _series()), draw(_series())]
    if draw(st.integers(0, 9)) == 0:
        elements.pop(1)
    annex = draw(
        st.sampled_from(("", "", "", ";anexo.1", ";anexo.1,titulo", ";retificacao.2", ":"))
    )
    text = f"{draw(st.sampled_from(('urn:lex:', 'urn:lex:urn:lex:')))}{':'.join(elements)}"
    text += f":{draw(_when())};{draw(_numbers())}{annex}"
    text += draw(_maybe("@", _events()))
    forms = st.sampled_from(("texto;pt-br", "texto", "pdf;pt-br,en", "art1;par2"))
    ranges = st.builds("[{},{}]".format, _levels("_"), _levels("_"))
    return text + draw(_maybe("~", forms)) + draw(_maybe("!", _levels("_") | ranges))


@st.composite
def nir_texts(draw: st.DrawFn) -> str:
    """Names as NIR and Normattiva write them, well or badly."""
    signs = st.sampled_from((";", ";", ";", ":", ""))
    text = f"urn:nir:{draw(_series('+'))}:{draw(_series())}"
    text += f":{draw(_when())}{draw(signs)}{draw(_numbers())}"
    text += draw(_maybe(":", _series() | st.just("2")) | st.just(";9;allegato.1"))
    tails = [
        draw(_maybe("@", _events())),
        draw(_maybe("*", st.builds("errata.corrige;{}".format, _days()))),
        draw(_maybe("~", _levels("-")) | _maybe("#", _levels("-"))),
        draw(st.just("") | st.sampled_from(("!vig", "!vig=", "!vig=2024-10-31", "!vig=x"))),
        draw(st.just("") | st.sampled_from(("$it", "$de", "$it:x"))),
    ]
    return text + "".join(draw(st.permutations(tails)) if draw(st.booleans()) else tails)


@st.composite
def draft_texts(draw: st.DrawFn) -> str:
    """Manifestations in the order of the drafts: the format before the editor."""
    work = draw(name_texts()).partition("@")[0].partition("$")[0].partition("~")[0]
    work = work.partition("?")[0].partition("#")[0]
    mime = draw(st.sampled_from(("application-pdf;1.7", "text-xml", "text-html;5")))
    editor = draw(st.sampled_from(("parlamento.it", "senato.it;banca.dati")))
    rest = draw(st.sampled_from(("", ":testo", ":todo:anonimo")))
    return f"{work}${mime}:{editor}{rest}"


@st.composite
def near_texts(draw: st.DrawFn) -> str:
    """Texts an edit or two away from a name of a dialect."""
    text = draw(lexml_texts() | nir_texts() | draft_texts())
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(min(len(text), draw(st.sampled_from((0, 8, 8, 8)))), len(text)))
        size = draw(st.integers(0, 2))
        odd = draw(st.sampled_from((*":;@$~!#*?[](),+/_-.% \t\n\0\u202e\ud800éZ", "%41", "")))
        text = text[:at] + odd + text[at + size :]
    return text
