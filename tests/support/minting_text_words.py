"""Words of some languages for tests of minting, small enough to see what follows from what."""

# Letters of other scripts are data here.

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lexurn.minting.draft import Context, Mode
from lexurn.registry import Entry, Kind, Label, Law, Lexicon, Words, load_registry, make_key

__all__ = ["LAWS", "WORDS", "entry", "fresh", "make_context"]


def entry(kind: Kind, notation: str, label: str, *forms: str, **more: object) -> Entry:
    """An entry with a label and other forms; the IRI is made of kind and label."""
    scope = str(more.pop("scope", "en"))
    return Entry(
        kind=kind,
        iri=f"https://example.org/{scope}/{kind}/{make_key(label)}",
        scope=scope,
        notation=notation,
        labels=(Label(text=label, language=scope),),
        forms=tuple(Label(text=form, language=scope) for form in forms),
        **more,  # type: ignore[arg-type]
    )


def _abbreviations(*entries: Entry) -> dict[str, tuple[Entry, ...]]:
    found: dict[str, tuple[Entry, ...]] = {}
    for each in entries:
        for key in {make_key(form.text) for form in each.forms}:
            found[key] = (*found.get(key, ()), each)
    return found


def _abbreviation(notation: str, *forms: str) -> Entry:
    return entry(Kind.ABBREVIATION, notation, notation.replace(".", " "), *forms)


def _keys(text: str) -> frozenset[str]:
    return frozenset(make_key(each) for each in text.split())


def _leading(text: str) -> dict[str, str]:
    return dict.fromkeys(_keys(text), "plain")


def _numbers(text: str) -> dict[str, int]:
    pairs = (each.split("=") for each in text.split())
    return {make_key(word): int(number) for word, number in pairs}


_ENGLISH = Words(
    language="en",
    connectives=_keys("the a an of for and to in on by with"),
    ordinals=_numbers("first=1 second=2 third=3 fourth=4 ninth=9 twentieth=20"),
    cardinals=_numbers("one=1 two=2 twenty=20 thirty=30"),
    months=_numbers("january=1 september=9 december=12"),
    datewords=_keys("of the"),
    markers=_keys("no nr number"),
    issuer_words=_leading("of the"),
    abbreviations=_abbreviations(
        _abbreviation("ministry", "Min."),
        _abbreviation("department", "Dept."),
        _abbreviation("article", "Art."),
        _abbreviation("regulation", "Reg."),
        _abbreviation("registry", "Reg."),
        _abbreviation("food.agriculture.organization", "FAO"),
        _abbreviation("royal.decree", "R.D."),
    ),
    annexes=Lexicon(
        [entry(Kind.ANNEX, "annex", "annex", "Ann."), entry(Kind.ANNEX, "table", "table", "Tab.")]
    ),
    partitions=(entry(Kind.PARTITION, "sec", "section"),),
)
_ITALIAN = Words(
    language="it",
    connectives=_keys("il lo la i gli le di del della delle dei a al in per e ed l d dell un"),
    elided=_keys("dell l d"),
    ordinals=_numbers("primo=1 terzo=3 terza=3 decimo=10"),
    months=_numbers("gennaio=1 settembre=9 dicembre=12"),
    datewords=_keys("del"),
    markers=_keys("n num"),
    issuer_words=_leading("di del della delle dell"),
    formats={"and": " e "},
    annexes=Lexicon([entry(Kind.ANNEX, "allegato", "allegato", "All.", scope="it")]),
)
_PORTUGUESE = Words(
    language="pt",
    connectives=_keys("o a os as de do da dos das e no na em para"),
    ordinals=_numbers("primeira=1 segundo=2 décima=10 vigésima=20"),
    months=_numbers("janeiro=1 setembro=9 outubro=10"),
    datewords=_keys("de"),
    markers=_keys("n no"),
    issuer_words=_leading("de do da"),
    qualifiers={"municipal": ("municipio",)},
)
_FRENCH = Words(
    language="fr",
    connectives=_keys("le la les du de des et à d l") | {"ainsi que"},
    elided=_keys("d l"),
    ordinals=_numbers("premier=1 première=1"),
    months=_numbers("septembre=9 mai=5"),
    datewords=_keys("le du"),
    markers=_keys("n no"),
)
_GERMAN = Words(
    language="de",
    connectives=_keys("der die das für und über des von"),
    ordinals=_numbers("erste=1 zweiter=2"),
    folds={"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"},
)
_RUSSIAN = Words(
    language="ru",
    connectives=_keys("и в на о об"),
    ordinals=_numbers("первый=1 второй=2"),
    months=_numbers("мая=5"),
)

WORDS = {
    "en": _ENGLISH,
    "it": _ITALIAN,
    "pt": _PORTUGUESE,
    "fr": _FRENCH,
    "de": _GERMAN,
    "ru": _RUSSIAN,
    "es": Words(
        language="es",
        connectives=_keys("el la de y a"),
        annexes=Lexicon([entry(Kind.ANNEX, "anexo", "anexo", scope="es")]),
    ),
    "el": Words(language="el", connectives=_keys("του της και"), ordinals=_numbers("πρώτος=1")),
    "tr": Words(language="tr", connectives=_keys("ve ile"), markers=_keys("sayılı")),
    "nl": Words(language="nl", connectives=_keys("de het van en")),
    "sv": Words(language="sv", connectives=_keys("om och")),
    "he": Words(language="he", connectives=_keys("של")),
    "ja": Words(language="ja", markers=_keys("第 号")),
    "und": Words(language="und"),
}


def _measures(scope: str, *names: str) -> Lexicon:
    return Lexicon(
        [entry(Kind.MEASURE, make_key(name).replace(" ", "."), name, scope=scope) for name in names]
    )


LAWS = {
    "it": Law(code="it", measures=_measures("it", "decreto", "legge")),
    "br": Law(
        code="br",
        conventions={"thousands": ".", "unnumbered": "seq-sf"},
        measures=_measures("pt", "lei", "decreto", "resolução", "medida provisória"),
    ),
    "en": Law(code="uk", measures=_measures("en", "measure", "judgment", "royal decree")),
    "none": Law(code="zz"),
}


def fresh(language: str) -> Words:
    """The words of a language, with nothing kept of what was written with them before."""
    return replace(WORDS[language])


@cache
def make_context(language: str, law: str) -> Context:
    """Make the context of texts in a language, under a law."""
    return Context(registry=load_registry(), law=LAWS[law], words=WORDS[language], mode=Mode.ASCII)
