"""Hypothesis strategies for records: coherent lists of what a publisher may state.

`records` gives the records of one alias set, `tables` those of several, in any order. No two
records contradict each other: names are unique, aliases are stars at one level, a copy has the same
size and digest wherever it is named, and force ends after it starts.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from functools import cache
from pathlib import Path

from hypothesis import strategies as st
from strategies import names

from lexurn.model import Item, LanguageText, LegalForce, Record, Status
from lexurn.name import parse

__all__ = ["days", "plain_texts", "records", "tables"]

_CASES = Path(__file__).parents[1] / "cases" / "name_valid.jsonl"
_ANNEXES = ("annex.1", "allegato.a;confini.parco", "%C3%A9tat", "tabella.1")
_VERSIONS = (
    *("original", "originale", "originel", "original;2004-01-01", "%D7%9E%D7%A7%D7%95%D7%A8"),
    *("1999-12-31", "2004-01-01", "2004-01-01;2005-06-30", "2004-01-01;2005-06-30;2006-01-01"),
    *("2004-01-01;rettifica", "2004-01-01;errata", "2004-01-01;2005-06-30|1-tammuz-5765"),
    *("2010-02-28", "0001-01-01", "9999-12-31", "testo.presentato", "approvato.senato;2011-05-05"),
)
_LANGUAGES = (None, "it", "fr", "de-ch", "zh-hant")
_MANIFESTATIONS = (
    *("parlamento.it:application-pdf", "parlamento.it:application-pdf;1.7"),
    *("senato.it;archivio:text-xml:testo", "senato.it:text-html:testo;a:anonimo;b"),
)
_PARTITIONS = ("art1", "art1;par2", "art1;par2;let.a", "Art-3_(b)", "sez:1,2")
_HOSTS = ("https://example.org/", "http://law.example/dir/", "https://example.org:8443/a%20b/")
_AGENTS = (
    "https://example.org/id/parliament",
    "http://publications.europa.eu/resource/authority/corporate-body/PUBL",
)
_LICENSES = (
    "https://creativecommons.org/licenses/by/4.0/",
    "https://creativecommons.org/publicdomain/zero/1.0/",
)
_PLACES = 10**18 - 1  # the shapes know places of 18 digits
_TAGS = (None, "it", "fr", "de-ch", "zh-hant", "x-own")

# XML has no U+FFFE and U+FFFF; control characters and surrogates are no text of a manifest.
_CHARACTERS = st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff")
_NASTY = st.sampled_from(
    [
        *("<script>alert('1')</script>", "]]>", "&amp;", '"""', "'''", "\\", "\\u0041", "a\tb\nc"),
        *(
            "\u202eabc\u202c",
            "e\u0301",
            "\ufeffbom",
            "\u2028",
            "\U0001f600",
            "{{ x }}",
            "@it",
            "^^",
        ),
        *("%3Cb%3E", "*/", "-->", "0", "\N{NO-BREAK SPACE}x", "\u200d"),
    ]
)


@cache
def plain_texts() -> st.SearchStrategy[str]:
    """Texts as a manifest may hold them: anything visible, tabs and newlines inside."""
    free = st.text(st.one_of(_CHARACTERS, st.sampled_from("\t\n")), min_size=1, max_size=20)
    return st.one_of(_NASTY, free).map(str.strip).filter(bool)


@cache
def days() -> st.SearchStrategy[dt.date]:
    """Days, near each other more often than not, so that they meet."""
    return st.one_of(st.dates(dt.date(2003, 12, 1), dt.date(2006, 12, 31)), st.dates())


def _sorted_sets(values, most=2):
    return st.lists(values, max_size=most, unique=True).map(sorted).map(tuple)


_TAILS = st.sampled_from(["a.pdf", "b.xml?x=1&y=2", "c.html#art1", "d'(e);f", "%C3%A0", ""])
_URLS = st.builds(str.__add__, st.sampled_from(_HOSTS), _TAILS)


@cache
def _items():
    """Copies; what is known of one depends on its URL alone."""
    return _sorted_sets(_URLS).map(lambda urls: tuple(map(_item, urls)))


def _item(url: str) -> Item:
    digest = hashlib.sha256(url.encode())
    known = digest.digest()[0]
    return Item(
        url=url,
        bytes=known * 1000 if known % 2 else None,
        sha256=digest.hexdigest() if known % 3 else None,
    )


def _titles():
    titles = st.builds(LanguageText, value=plain_texts(), language=st.sampled_from(_TAGS))
    return st.lists(titles, max_size=2, unique=True).map(
        lambda some: tuple(sorted(some, key=lambda title: (title.value, title.language or "")))
    )


@cache
def _stated():
    """What a record states besides its name, its aliases and its force, but for other names."""
    agents = st.one_of(st.sampled_from(_AGENTS), plain_texts().filter(_no_iri))
    return {
        "titles": _titles(),
        "cited_as": plain_texts(),
        "dialect_names": _sorted_sets(
            st.sampled_from(["urn:nir:stato:legge:1999;2#art1", "urn:lex:br:federal:lei:2002;1!a3"])
        ),
        "issued": days(),
        "modified": days(),
        "items": _items(),
        "pages": _sorted_sets(st.sampled_from([host + "page" for host in _HOSTS])),
        "licenses": _sorted_sets(st.sampled_from(_LICENSES)),
        "publishers": _sorted_sets(agents),
        "creators": _sorted_sets(agents),
        "subjects": _sorted_sets(agents),
    }


def _contents(named):
    others = _sorted_sets(st.sampled_from(named).map(lambda name: name.document))
    optional = _stated() | {"also_named": others, "amended_by": others}
    return st.fixed_dictionaries({}, optional=optional)


_WITHDRAWN = st.fixed_dictionaries(
    {"status": st.just(Status.WITHDRAWN)}, optional={"withdrawn_on": days()}
)


_IN_FORCE = st.fixed_dictionaries(
    {},
    optional={
        "in_force_from": days(),
        "in_force_until": days(),
        "published": days(),
        "force": st.sampled_from(LegalForce),
        "force_on": days(),
        "version_order": st.one_of(st.integers(-3, 3), st.integers(-_PLACES, _PLACES)),
    },
)


@st.composite
def _force(draw):
    """When a thing is in force, where it is published, ordered, withdrawn; often nothing."""
    if draw(st.integers(0, 2)) == 0:
        return {}
    stated = draw(_IN_FORCE)
    start, until = stated.get("in_force_from"), stated.get("in_force_until")
    if start is not None and until is not None and until <= start:
        del stated["in_force_until"]
    return stated if draw(st.integers(0, 5)) else stated | draw(_WITHDRAWN)


def _no_iri(text: str) -> bool:
    return ":" not in text


def _suffixes(others):
    """What may stand behind the name of an act, as a text; some of it from names of all kinds."""
    annexes = [""] * 3 + [f":{annex}" for annex in _ANNEXES]
    expressions = [""] * 4 + [
        f"@{version}" + (f":{language}" if language else "")
        for version in _VERSIONS
        for language in _LANGUAGES
    ]
    manifestations = [""] * 8 + [f"${manifestation}" for manifestation in _MANIFESTATIONS]
    partitions = [""] * 24 + [f"~{partition}" for partition in _PARTITIONS]
    for other in others:
        expressions += [f"@{other.expression}"] * 4 if other.expression else []
        manifestations += [f"${other.manifestation}"] * 2 if other.manifestation else []
        partitions += [f"~{other.partition}"] if other.partition else []
    choices = (annexes, annexes, expressions, manifestations, partitions)
    return st.tuples(*map(st.sampled_from, choices)).map("".join)


@cache
def _names():
    """Names of every level; most are valid cases, as a draw from the grammar takes long."""
    lines = _CASES.read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["canonical"] for line in lines]
    cases = st.sampled_from([parse(text) for text in texts if not set("?#") & set(text)])
    return st.one_of(cases, cases, cases, names(tails=False))


@st.composite
def records(draw):
    """The records of one alias set, in any order; at least one."""
    others = draw(st.lists(_names(), min_size=1, max_size=3))
    acts = list({name.act_name: None for name in others})
    suffixes = draw(st.lists(_suffixes(others), max_size=8, unique=True))
    texts = {f"{draw(st.sampled_from(acts))}{suffix}" for suffix in suffixes}
    texts |= {f"{act}{suffix}" for act in acts for suffix in suffixes[:2]}
    described = {parse(text) for text in sorted(texts)} | {acts[0]}
    links = dict.fromkeys(acts[1:], acts[0])
    links |= _further_links(draw, sorted(described | set(acts)), links)
    known = sorted(described | set(links))
    if len(known) > 1 and draw(st.booleans()):
        known.remove(acts[0])
    stated = st.sampled_from([{}, *draw(st.lists(_contents(others), max_size=2))])
    made = [
        Record(name=name, alias_of=links.get(name), **draw(stated), **draw(_force()))
        for name in known
    ]
    return draw(st.permutations(made))


def _further_links(draw, known, links):
    """At times one alias more, between two names that are in no link yet, at one level."""
    free = [name for name in known if name not in links and name not in links.values()]
    if len(free) < 2 or draw(st.integers(0, 2)):
        return {}
    canonical, alias = draw(st.permutations(free))[:2]
    return {alias: canonical} if _rank(alias) == _rank(canonical) else {}


def _rank(name):
    """What an alias and its canonical name share: level, and depth so that none holds itself."""
    return name.level, name.partition is None, len(name.work.annexes)


@st.composite
def tables(draw):
    """The records of several alias sets, in any order, each name once."""
    made = draw(st.lists(records(), min_size=1, max_size=3))
    taken: set[object] = set()
    chosen = []
    for family in made:
        acts = {
            name.act_name for record in family for name in (record.name, record.alias_of) if name
        }
        if not acts & taken:
            taken |= acts
            chosen.extend(family)
    return draw(st.permutations(chosen))
