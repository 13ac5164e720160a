"""Issuers and measures (RFC 9676 sections 2.1, 6.1 and 6.2).

A type of measure may name its issuer ("legge regionale", "D.P.R.", "Deliberazione CdA"). These
words belong to the authority (6.2.1), and are moved or dropped by the registry. The registry also
lists the types that a subject specifies ("regulations;accounting"), and the nouns that open their
titles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn import registry
from lexurn.minting import phrases
from lexurn.minting.characters import quote_characters
from lexurn.minting.dates import find_date
from lexurn.minting.draft import Action, Draft, Metadata, Mode, split_parts
from lexurn.minting.mentions import CitedText, find_numbered_body, write_levels
from lexurn.minting.phrases import TextKind, choose_entries, look_up_phrase, write_phrase
from lexurn.name import Severity
from lexurn.registry import Lexicon, make_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from lexurn.findings import Finding
    from lexurn.minting.draft import Context, Step
    from lexurn.registry import Entry, Law


_CODE = re.compile(r"[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*")
_SHORTEST_CODE = 2
_NO_ENTRIES = Lexicon()
_UNIT_LETTER = re.compile(r"[0-9][/-]([A-Z])\s*$")


def write_code(draft: Draft) -> str | None:
    """Return the jurisdiction-code as a name has it, None if it is absent or not a code."""
    text = (draft.given.jurisdiction or "").partition(";")[0].strip()
    if not text:
        draft.on("jurisdiction").say("LX702")
        return None
    lowered = text.lower()
    if len(text) < _SHORTEST_CODE or not _CODE.fullmatch(lowered):
        draft.on("jurisdiction", text).say("LX772")
        return None
    if lowered != text:
        draft.on("jurisdiction").step(Action.LOWERED, text, lowered, "RFC 9676 §3.3")
    return lowered


@dataclass(frozen=True, slots=True)
class Units:
    """Units of a jurisdiction.

    Attributes:
        text: as they stand after the code, each with its ``;``.
        issuer: the authority that acts of the last one have by default; None if the registry
            has none.
    """

    text: str
    issuer: str | None = None


def write_units(draft: Draft) -> Units | None:
    """Return the given units, from the larger to the smaller; None if one is unreadable.

    Each is registered within those before it, or written by rule. If each unit has authorities
    of one name, a registered letter at the end of the number is the unit: "21/2010/M".
    """
    _, _, rest = (draft.given.jurisdiction or "").partition(";")
    given = (*split_parts(rest, ";"), *draft.given.units)
    lexicon, language = draft.law.units, draft.words.language
    if not given and draft.given.number and "local" in draft.law.conventions:
        letter = _UNIT_LETTER.search(draft.given.number[0])
        given = (letter[1],) if letter and lexicon.find(letter[1]) else ()
    units = Units("")
    for text in given:
        within = units.text.removeprefix(";")
        before = f"{within};" if within else ""
        found = (*lexicon.find(text), *lexicon.by_notation(before + text.lower()))
        inside = (each for each in found if each.notation.rpartition(";")[0] == within)
        known = {each.notation: each for each in choose_entries(inside, language)}
        if len(known) == 1:
            notation, entry = known.popitem()
            unit, issuer = notation.removeprefix(before), entry.issuer
            draft.on("units").step(Action.LOOKED_UP, text, unit, "RFC 9676 §2.1", entry.iri)
        else:
            written, _ = look_up_phrase(text, _NO_ENTRIES, draft.words, draft.mode, "units")
            by_rule = draft.take(written)
            if by_rule is None:
                return None
            unit, issuer = by_rule, None
        units = Units(f"{units.text};{unit}", issuer)
    return units


_ASSUMED = 'the issuer is not given, and every unit has such acts; "{}" is assumed'


class Issuers(NamedTuple):
    """Issuers that were given.

    Attributes:
        text: as a name has them; None if none was given or one cannot be read.
        plain: the same in ASCII, by which the registry knows them.
        entries: the registry's entries of those that it knows.
    """

    text: str | None = None
    plain: str | None = None
    entries: tuple[Entry, ...] = ()


def write_issuers(draft: Draft) -> Issuers:
    """Return the issuers as given, each level looked up or written by rule."""
    given = [issuer for levels in draft.given.authority for issuer in _split_joint(levels, draft)]
    entries: list[Entry] = []
    written = [_write_issuer(draft, levels, entries) for levels in given]
    found = [each for each in written if each is not None]
    if len(found) < len(given) or not found:
        return Issuers()
    text, plain = ("+".join(dict.fromkeys(each)) for each in zip(*found, strict=True))
    if len(found) > 1:
        joined = " + ".join("; ".join(levels) for levels in given)
        draft.on("authority").step(Action.JOINED, joined, text, "RFC 9676 §6.1.2")
    return Issuers(text, plain, tuple(entries))


def _split_joint(levels: tuple[str, ...], draft: Draft) -> tuple[tuple[str, ...], ...]:
    """Return the issuers of a text that names several: "European Parliament and Council".

    A name alone is completed by an adjective of the type: "legge regionale" of "Veneto".
    """
    text = levels[0].strip()
    if len(levels) > 1 or draft.law.authorities.find(text):
        return (levels,)
    cited = CitedText(text, draft.words, draft.law)
    for word in (draft.given.measure or "").split() if cited.pieces else ():
        qualified = cited.find_qualified(make_key(word), 0)
        if qualified is not None and qualified[1] == len(cited.pieces):
            return ((qualified[0],),)
    found = cited.find_issuers(0) if cited.pieces else None
    if found is None or cited.find_end(found[1]) < len(text):
        return (levels,)
    return write_levels(found[0], cited.cut)


def _write_issuer(
    draft: Draft, levels: tuple[str, ...], entries: list[Entry]
) -> tuple[str, str] | None:
    """Return one issuer with its levels, as a name has it and in ASCII."""
    written: list[tuple[str, str]] = []
    for at, level in enumerate(levels):  # the institution or office, then its parts
        lexicon = draft.law.bodies if at else draft.law.authorities
        found, entry = look_up_phrase(level, lexicon, draft.words, draft.mode, "authority")
        if entry is not None:
            entries.append(entry)
        elif at and find_numbered_body(lexicon, found.text):
            # A numbered body of a registered kind is as good as registered.
            kept = tuple(each for each in found.findings if each.severity is not Severity.NOTE)
            found = found._replace(findings=kept)
        text = draft.take(found)
        if text is not None:
            plain, _ = look_up_phrase(level, lexicon, draft.words, Mode.ASCII, "authority")
            written.append((text, plain.text or text))
    if len(written) < len(levels):
        return None
    texts, plains = zip(*written, strict=True)
    return ";".join(texts), ";".join(plains)


def write_authority(
    draft: Draft, units: Units | None, given: Issuers, measure: Measure
) -> str | None:
    """Return the whole authority: the given one, completed by what belongs to the measure.

    The body that a type of measure names is added to the issuer (6.1.4). If no issuer is given,
    that of the type stands (6.1.6), or that of the unit.
    """
    authority, entry = given.plain, measure.entry
    owner = entry.issuer if entry else None
    if entry and owner and _stands_behind(entry, given.plain, draft.law, units):
        # The issuer of the type stands for them, so that one act has one name.
        if not _may_make(entry, str(given.plain), draft.law):
            proposers = " + ".join("; ".join(levels) for levels in draft.given.authority)
            draft.on("authority").say("LX709", quote_characters(proposers), owner)
        draft.on("authority").step(Action.REPLACED, str(given.plain), owner, "RFC 9676 §6.1.6")
        given = Issuers(_write_registered_notation(draft, draft.law.authorities, owner), owner)
    plain = given.plain or measure.issuer or _find_implied_issuer(draft, measure, units)
    if plain is None:
        if not draft.given.authority:
            draft.on("authority").say("LX702")
        return None
    # A type whose words name its issuer ("D.P.R.") has no other issuer.
    is_other = units is None and owner not in {None, plain, plain.partition(";")[0]}
    if measure.issuer not in {None, plain} or (is_other and _names_issuer(draft, measure)):
        draft.on("authority", plain).say("LX760", measure.text, str(measure.issuer or owner))
        return None
    if units is None and given.plain and entry and not _may_make(entry, given.plain, draft.law):
        draft.on("measure").say(
            "LX775", draft.given.measure or measure.text, f'"{entry.issuer}"', given.plain
        )
    elif units is None and given.plain:
        # An adjective or compound ("legge regionale") may name another issuer.
        words, where = draft.given.measure or "", (draft.context.registry, draft.law.code)
        types = (_choose_type(each, draft.context, authority) for each in _list_heads(words))
        stated = registry.find_stated_issuer(next(filter(None, types), None), words, *where)
        has_its_word = not set(make_key(words).split()).isdisjoint(re.split(r"[.;+]", plain))
        may_be = stated.is_empty or has_its_word
        known = None if may_be else registry.collect_authority_words(*where)
        if known is not None and not stated.may_be(plain, known.select_kinds(stated)):
            draft.on("measure", words).say("LX775", words, " or ".join(stated.describe()), plain)
    text = given.text or _write_registered_notation(draft, draft.law.authorities, plain)
    return text if measure.body is None else _add_body(draft, plain, text, measure)


def _add_body(draft: Draft, plain: str, text: str, measure: Measure) -> str | None:
    """Return an issuer with the body that a type of measure names; None if it is another's.

    A level that both have stands once: "giunta" or "presidente" of "giunta;presidente". The body
    belongs to any other issuer, unless the registry lists it as part of none: an office
    (``offices``) has no bodies, and a body that decides (``organs``) has no other such body.
    """
    law, body = draft.law, str(measure.body)
    given, whole = plain.rpartition("+")[2].split(";"), body.split(";")
    if f";{body};" in f";{';'.join(given)};" or given[-1].startswith(f"{whole[-1]}."):
        return text
    kept = given[:-1] if given[-1] == whole[-1] else given  # the office alone, of that body
    last = kept[-1] if kept else ""
    named = {last, *(each.notation for each in law.bodies.find(last.replace(".", " ")))}
    if body in named:
        return text
    is_part = whole[0] in named or last.startswith(f"{whole[0]}.")
    offices, organs = law.list_values("offices"), law.list_values("organs")
    others = offices | organs if whole[0] in organs else offices
    if not is_part and not named.isdisjoint(others):
        draft.on("authority", plain).say("LX760", draft.given.measure or measure.text, body)
        return None
    added = _write_registered_notation(draft, law.bodies, body).split(";")[is_part:]
    before, plus, issuer = text.rpartition("+")
    levels = issuer.split(";")[: len(kept)] + added
    completed = before + plus + ";".join(levels)
    source = measure.entry.iri if measure.entry else None
    draft.on("authority").step(Action.SUPPLIED, text, completed, "RFC 9676 §6.1.4", source)
    return completed


def _stands_behind(entry: Entry, issuer: str | None, law: Law, units: Units | None) -> bool:
    """Return True for the legislature of the state, or the departments that proposed an act.

    Gazettes list an act of the state, or of its head, by the department that proposed it, which the
    convention ``proposers`` lists, by its kind.
    """
    is_of_state = entry.issuer == law.conventions.get("state")
    if is_of_state and issuer in law.list_values("legislature"):
        return True
    kinds, makers = law.list_values("proposers"), law.list_values("state-makers")
    if not issuer or units is not None or not kinds:
        return False
    if is_of_state:
        is_made = entry.notation in law.list_values("state-measures")
    else:
        is_made = issuer != entry.issuer and _is_of_kind(str(entry.issuer), makers)
    return is_made and all(_is_of_kind(each.partition(";")[0], kinds) for each in issuer.split("+"))


def _is_of_kind(issuer: str, kinds: Collection[str]) -> bool:
    """Return True for an issuer that is one of some bodies, or of their kinds."""
    return any(issuer == each or issuer.startswith(f"{each}.") for each in kinds)


def _may_make(entry: Entry, issuer: str, law: Law) -> bool:
    """Return True unless it is a type of act of the state that this issuer does not make.

    The convention ``state-measures`` lists these types, ``state-makers`` the bodies that make them
    for the state, or the kinds of such bodies; so do the units of the country.
    """
    if entry.issuer is None or entry.notation not in law.list_values("state-measures"):
        return True
    state = law.list_values("legislature") | {entry.issuer}
    makers = {*state, *law.list_values("state-makers"), *law.units.notations}
    for joint in issuer.split("+"):
        head, _, body = joint.partition(";")
        if body and head in state:
            return False  # a committee makes no law
        if not _is_of_kind(head, makers):
            return False
    return True


def _write_registered_notation(draft: Draft, lexicon: Lexicon, notation: str) -> str:
    """Return a notation of the registry as a name has it in the mode."""
    known = choose_entries(lexicon.by_notation(notation), draft.words.language)
    if draft.mode is Mode.ASCII or not known:
        return notation
    return phrases.write_notation(known[0], draft.words, draft.mode, "authority")


def _find_implied_issuer(draft: Draft, measure: Measure, units: Units | None) -> str | None:
    """Return the authority of a unit, or the one that a type of measure belongs to.

    The words of some types name their issuer ("Act of the Scottish Parliament"). Others ("Act")
    belong to the state, which is not the issuer of what a unit enacts.
    """
    if draft.given.authority:
        return None
    entry, is_local = measure.entry, "local" in draft.law.conventions
    names_issuer = (units is not None or is_local) and _names_issuer(draft, measure)
    if units is not None and not names_issuer:
        if units.issuer is not None:
            draft.on("authority").step(Action.SUPPLIED, "", units.issuer, "RFC 9676 §2.1")
        return units.issuer
    if entry is None or entry.issuer is None or measure.qualified:
        return None
    if is_local and not names_issuer and any(each.issuer for each in draft.law.units):
        draft.on("authority").say("LX774", _ASSUMED.format(entry.issuer))
    draft.on("authority").step(Action.SUPPLIED, "", entry.issuer, "RFC 9676 §6.1.6", entry.iri)
    return entry.issuer


def _names_issuer(draft: Draft, measure: Measure) -> bool:
    """Return True for a type whose label says more than the type: whose it is."""
    entry = measure.entry
    if entry is None or entry.issuer is None:
        return False
    return ";" not in entry.notation and not any(
        phrases.is_whole_label(each, entry, draft.words, "measure") for each in entry.labels
    )


_MEASURE_RULE = "RFC 9676 §6.2.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """Type of measure as a name has it, with its entry in the registry.

    Attributes:
        text: the type; registered specifications after ``;``.
        entry: the registry's entry, or None.
        issuer: the notation of the authority that the words of the measure name; or None.
        body: the notation of the body that they name; or None.
        qualified: words that only describe the kind of issuer, which must then be given; or None.
    """

    text: str
    entry: Entry | None = None
    issuer: str | None = None
    body: str | None = None
    qualified: str | None = None


def write_measure(draft: Draft, authority: str | None) -> Measure | None:
    """Return the measure, None if it is absent or cannot be read.

    The authority, in ASCII, decides among types of one spelling.
    """
    text = draft.given.measure
    if text is None:
        draft.on("measure").say("LX702")
        return None
    entry = _choose_type(text, draft.context, authority)
    found = None
    if entry is not None:
        found = _write_registered(draft, text, entry)
    elif (found := _split_measure(draft, text, authority)) is None:
        where = draft.law.measures, draft.words, draft.mode
        written, entry = look_up_phrase(text, *where, "measure")
        if (notation := draft.take(written)) is not None:
            found = Measure(text=notation, entry=entry, body=entry.body if entry else None)
    return found


def _list_heads(text: str) -> Iterator[str]:
    """List the text and its beginnings, the longest first; the registered one is the type."""
    words = text.split()
    return (" ".join(words[:at]) for at in range(len(words), 0, -1))


def _choose_type(text: str, context: Context, authority: str | None) -> Entry | None:
    """Return the one registered type of these words; among several, that of the issuer.

    A type that qualifies some kinds of issuers is theirs: the D.D. of a comune is no "decreto".
    """
    found = choose_entries(context.law.measures.find(text), context.words.language)
    if len(found) > 1:
        own = tuple(each for each in found if _is_of_kind(str(authority), each.qualifies))
        own = own or tuple(each for each in found if not each.qualifies)
        found = tuple(each for each in own if each.issuer == authority) or own
    if len({(each.notation, each.issuer, each.body) for each in found}) == 1:
        return found[0]
    return None


def _write_registered(draft: Draft, text: str, entry: Entry) -> Measure:
    written = phrases.write_notation(entry, draft.words, draft.mode, "measure")
    draft.on("measure").step(Action.LOOKED_UP, text, written, _MEASURE_RULE, entry.iri)
    return Measure(text=written, entry=entry, body=entry.body)


def _split_measure(draft: Draft, text: str, authority: str | None) -> Measure | None:
    """Split a measure into a registered type and the words for its issuer, or return None.

    These words are an adjective of the issuer, a body, or an authority.
    """
    heads = ((each, _choose_type(each, draft.context, authority)) for each in _list_heads(text))
    head, entry = next((each for each in heads if each[1] is not None), ("", None))
    if entry is None:
        return None
    rest = " ".join(text.split()[len(head.split()) :])
    institutions = draft.words.qualifiers.get(make_key(rest))
    if institutions is not None:
        if authority is not None and re.split("[;+.]", authority)[0] not in institutions:
            return None
        draft.on("measure").step(Action.DROPPED, rest, "", _MEASURE_RULE)
        measure = _write_registered(draft, head, entry)
        if entry.issuer in institutions:
            return replace(measure, issuer=entry.issuer)  # "Ley estatal" names the state
        return replace(measure, qualified=rest)
    key = write_phrase(rest, draft.words, Mode.ASCII, "measure").text or ""
    for role, lexicon in (("body", draft.law.bodies), ("issuer", draft.law.authorities)):
        named = lexicon.find(rest) or lexicon.by_notation(key)
        if named:
            notation, iri = named[0].notation, named[0].iri
            draft.on("authority").step(Action.READ, rest, notation, _MEASURE_RULE, iri)
            measure = _write_registered(draft, head, entry)
            return replace(measure, **{role: notation})  # type: ignore[arg-type]  # text fields
    return None


@dataclass(frozen=True, slots=True)
class Head:
    """Authority and measure, which thousands of names share.

    Attributes:
        authority: as a name has it; None if it cannot be written.
        types: the measure with its specifications, as a name has it; or None.
        entry: the registry's entry of the measure.
        issuers: the registry's entries of the issuers.
        steps: the steps to them.
        findings: the findings on them.
    """

    authority: str | None
    types: str | None
    entry: Entry | None
    issuers: tuple[Entry, ...]
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]


@lru_cache(maxsize=8192)
def write_head(
    context: Context,
    authority: tuple[tuple[str, ...], ...],
    measure: str | None,
    specifications: tuple[str, ...],
    units: Units | None,
) -> Head:
    """Return authority and measure from their words; cached, since they recur."""
    given = Metadata(authority=authority, measure=measure, measure_specifications=specifications)
    draft = Draft(given=given)
    draft.enter(context)
    stated = write_issuers(draft)
    found = write_measure(draft, stated.plain)
    written = types = None
    if found is not None:
        written = write_authority(draft, units, stated, found)
        field, kind = "measure_specifications", TextKind.SENTENCE
        more = [
            draft.take(write_phrase(each, context.words, context.mode, field, kind))
            for each in specifications
        ]
        types = None if None in more else ";".join((found.text, *filter(None, more)))
    # RFC 9676 leaves open whether "Regione Liguria" is an issuer of ``it`` or of ``it;liguria``.
    jurisdiction = context.law.code + (units.text if units else "")
    for issuer in stated.entries:
        usual = {each.removeprefix("urn:lex:").partition(":")[0] for each in issuer.examples}
        known = (each.rpartition(";")[2] for each in (*usual, jurisdiction) if ";" in each)
        names_unit = any(issuer.notation.endswith(f".{each}") for each in known)
        if usual and jurisdiction not in usual and names_unit:
            draft.on("jurisdiction").say("LX786", issuer.notation, min(usual), jurisdiction)
    entry = found.entry if found else None
    return Head(written, types, entry, stated.entries, tuple(draft.steps), tuple(draft.findings))


def warn_of_units(draft: Draft, entry: Entry) -> None:
    """Warn of an act without an issuer that units make too, and may have made.

    The convention ``local-measures`` lists types of units alone, ``unit-measures`` those that the
    state makes as well: "Ley de Educación de Extremadura" names a unit.
    """
    law, given = draft.law, draft.given
    may_be = entry.notation in law.list_values("local-measures")
    if entry.notation in law.list_values("unit-measures"):
        for text in filter(None, (given.citation, given.title)):
            keys = (key for word in text.split() for key in make_key(word).split())
            if law.units.beginnings.isdisjoint(keys):
                continue
            cited = CitedText(text, draft.words, law)
            may_be = may_be or any(
                cited.find_entries(law.units, at) for at in range(1, len(cited.pieces))
            )
    if may_be:
        draft.on("authority").say("LX774", _ASSUMED.format(entry.issuer))


# The dot before a small letter or a digit is that of an abbreviation, and so is that of a short
# word with a capital: "dell'art. 12", "della Prov. di Milano", "di S. Lorenzo".
_ENDED = re.compile(
    r"(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})\.\s+(?![0-9a-zß-öø-ÿ])|[;:(§]"
)
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\s,]+")
#: A title is cut at what is longer than any subject that is cited by its words.
_LONGEST = 8


def _cut_title(title: str, draft: Draft) -> str:
    """Return the part of a title before a date or number; empty if the number has a subject."""
    cited, date = CitedText(title, draft.words, draft.law), find_date(title, draft.words)
    before = title[: date[0] if date else None]
    for at, piece in enumerate(cited.pieces):  # "Regolamento n. 12"; not "Piano dei 100 giorni"
        number = cited.find_number(at)
        if number is not None and (number.is_marked or "/" in cited.cut(number.span)):
            after = title[number.end :]
            start, end = find_date(after, draft.words) or (0, 0)
            words = map(make_key, _LETTERS.findall(after[:start] + after[end:]))
            return "" if {*words} - draft.words.connectives else before[: piece.start]
    return before


def read_subject(draft: Draft, entry: Entry, issuers: tuple[Entry, ...]) -> str:
    """Return the specification that a title gives, as a name has it; "" if it gives none.

    The type of measure, the issuer's own name and the nouns listed as ``title-heads`` are dropped
    from the title. A date, a number or a word listed in ``title-ends`` ends the subject. The
    subject is certain only in a title that begins with the type or such a noun.
    """
    title = draft.given.title
    if title is None:
        return ""
    body = _ENDED.split(_cut_title(title, draft).strip(), maxsplit=1)[0]
    words, connectives = [*_WORD.finditer(body)], draft.words.connectives
    keys = [make_key(word[0]) for word in words]
    offsets = [*(word.start() for word in words), len(body)]
    heads = {each.replace(".", " ") for each in draft.law.list_values("title-heads")}
    heads |= {make_key(form.text) for form in (*entry.labels, *entry.forms)}

    def skip_connectives(at: int) -> int:
        return next((e for e in range(at, len(keys)) if keys[e] not in connectives), len(keys))

    first = start = skip_connectives(0)
    while ends := [at for at in range(start, start + 4) if " ".join(keys[start:at]) in heads]:
        start = skip_connectives(min(ends[-1], len(keys)))
    found = None
    if start > first:
        last = draft.law.list_values("title-ends")
        end = next((at for at in range(start, len(keys)) if keys[at] in last), len(keys))
        own = {make_key(text) for each in issuers for text in each.texts}
        begins = (" ".join(keys[skip_connectives(at) : end]) in own for at in range(start, end))
        end = next((start + at for at, is_own in enumerate(begins) if is_own), end)
        subject = body[offsets[start] : offsets[end]]
        found = write_phrase(subject, draft.words, draft.mode, "title", TextKind.SENTENCE)
    if found is None or not found.text or found.text.count(".") >= _LONGEST:
        # Nobody asked for the subject, so an unreadable one keeps no name from being minted.
        draft.on("title", title).say("LX769", entry.labels[0].text)
        return ""
    written = draft.take(found) or ""
    draft.on("title").step(Action.READ, title, written, "RFC 9676 §6.2.2", entry.iri)
    return written
