"""View of one family: equal names, positions in chains, titles, and the URLs of pages."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lexurn import vocabulary as v
from lexurn.labels import make_label
from lexurn.model import (
    Family,
    ForceBasis,
    LegalForce,
    Record,
    families_of,
    make_translation_key,
    read_stated_force,
)
from lexurn.name import Level, http_of, normalize_base
from lexurn.pages.paths import is_path_exact, locate_folder, quote_path
from lexurn.registry import Kind, load_registry

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

    from lexurn.model import Chain, ChainVersion, LanguageText, StatedForce
    from lexurn.name import Issuer, Name

_Answer = TypeVar("_Answer")
_VersionKey = tuple["Name", "Hashable"]
# Real names have some six levels. Without a limit, one name of thousands of annexes would be
# written out with thousands of others on each of thousands of pages.
_MAX_DEPTH = 16


class VersionPosition(NamedTuple):
    """Position of a version in its chain.

    Attributes:
        chain: the chain.
        number: the number of versions before it in the chain.
        previous: the version before it, None for the first.
        version: the version itself.
        next: the version after it, None for the last.
    """

    chain: Chain
    number: int
    previous: ChainVersion | None
    version: ChainVersion
    next: ChainVersion | None


def _remember(find: Callable[[FamilyView, Name], _Answer]) -> Callable[[FamilyView, Name], _Answer]:
    """Make a method remember its answer for each name."""
    method = find.__name__

    @wraps(find)
    def answer(view: FamilyView, name: Name) -> _Answer:
        answers = view._answers[method]  # noqa: SLF001 - a method of the view
        if name not in answers:
            answers[name] = find(view, name)
        found: _Answer = answers[name]
        return found

    return answer


@dataclass(frozen=True, kw_only=True)
class FamilyView:
    """View of a family on a day, with the base of its HTTP URIs.

    Attributes:
        family: the family.
        as_of: the day for what is in force.
        base: the base of HTTP URIs, None where the names have none.
        is_lasting: whether the view is for a document that is not written again. It leaves out
            all that an amendment, a translation or a new file would change: names below, beside or
            after a name.
        bands: the drawings of chains that were made, by work and language.
    """

    family: Family
    as_of: dt.date
    base: str | None = None
    is_lasting: bool = False
    bands: dict[tuple[Name, str | None], Any] = field(
        default_factory=dict, repr=False, compare=False
    )
    _answers: dict[str, dict[Name, Any]] = field(
        default_factory=lambda: defaultdict(dict), repr=False, compare=False
    )

    def record(self, name: Name) -> Record:
        """Return the record of a name, an empty one where the family does not hold it."""
        return self.family.record(name) or Record(name=name)

    def equals(self, name: Name) -> tuple[Name, ...]:
        """Return all names of the same thing, the canonical one first."""
        canonical = self.family.canonical(name)
        return (canonical, *self._aliases.get(canonical, ()))

    def same(self, name: Name) -> tuple[Name, ...]:
        """Return the names of the same thing without those withdrawn or below a withdrawn alias."""
        same = self.family.same
        target = same.get(name, name)
        return tuple(each for each in self.equals(name) if same.get(each, each) == target)

    @cached_property
    def _aliases(self) -> Mapping[Name, list[Name]]:
        aliases: dict[Name, list[Name]] = defaultdict(list)
        for record in self.family.records:
            canonical = self.family.canonical(record.name)
            if canonical != record.name:
                aliases[canonical].append(record.name)
        return aliases

    def position(self, name: Name) -> VersionPosition | None:
        """Return the position of the version that a name is, or is a file or a part of."""
        version = name.expression_name
        return None if version is None else self._positions.get(version)

    @cached_property
    def _positions(self) -> Mapping[Name, VersionPosition]:
        positions: dict[Name, VersionPosition] = {}
        for chain in self.family.chains:
            versions = chain.versions
            around = zip((None, *versions), versions, (*versions[1:], None), strict=False)
            for number, (previous, version, following) in enumerate(around):
                position = VersionPosition(chain, number, previous, version, following)
                positions |= dict.fromkeys(version.names, position)
        return positions

    def chains(self, name: Name) -> tuple[Chain, ...]:
        """Return the chains of a work, one for each language; none for other names."""
        if self.is_lasting or name.level is not Level.WORK or name.partition is not None:
            return ()
        return self._chains.get(self.family.canonical(name), ())

    @cached_property
    def _chains(self) -> Mapping[Name, tuple[Chain, ...]]:
        chains: dict[Name, tuple[Chain, ...]] = {}
        for chain in self.family.chains:
            chains[chain.work] = (*chains.get(chain.work, ()), chain)
        return chains

    def translations(self, position: VersionPosition) -> tuple[tuple[str, Name], ...]:
        """Return the same version in other languages: tags and names, sorted by tag."""
        if self.is_lasting:
            return ()
        same = self._versions.get(_make_version_key(position.chain.work, position.version.name), ())
        return tuple(
            (chain.language, version.name)
            for chain, version in same
            if chain.language is not None and chain.language != position.chain.language
        )

    @cached_property
    def _versions(self) -> Mapping[_VersionKey, list[tuple[Chain, ChainVersion]]]:
        versions: dict[_VersionKey, list[tuple[Chain, ChainVersion]]] = defaultdict(list)
        for chain in self.family.chains:
            for version in chain.versions:
                versions[_make_version_key(chain.work, version.name)].append((chain, version))
        return versions

    def below(self, name: Name) -> Iterator[Name]:
        """Yield the name, its aliases and all names nested under any of them, 16 levels deep."""
        seen: set[Name] = set()
        waiting = [(name, 0)]
        while waiting:
            current, depth = waiting.pop()
            if current in seen:
                continue
            seen.add(current)
            yield current
            waiting.extend((each, depth) for each in self.equals(current))
            if depth < _MAX_DEPTH:
                waiting.extend((each, depth + 1) for each in self.family.children(current))

    @_remember
    def children(self, name: Name) -> tuple[Name, ...]:
        """Return the names directly under a name or its aliases, each canonical name once."""
        if self.is_lasting:
            return ()
        every = (child for equal in self.equals(name) for child in self.family.children(equal))
        return tuple(dict.fromkeys(map(self.family.canonical, every)))

    def same_parts(self, name: Name) -> tuple[Name, ...]:
        """Return the names of the same part of the act and of its other versions, without files."""
        if self.is_lasting or name.partition is None:
            return ()
        work, own = self.family.canonical(name.work_name), self.family.canonical(name)
        return tuple(each for each in self._same_parts[work, name.partition] if each != own)

    @cached_property
    def _same_parts(self) -> Mapping[tuple[Name, str], list[Name]]:
        parts: dict[tuple[Name, str], list[Name]] = defaultdict(list)
        names = (self.family.canonical(record.name) for record in self.family.records)
        for name in dict.fromkeys(names):
            if name.partition is not None and name.manifestation is None:
                parts[self.family.canonical(name.work_name), name.partition].append(name)
        return parts

    @_remember
    def formats(self, name: Name) -> tuple[Name, ...]:
        """Return the formats directly under a name or its aliases."""
        return tuple(filter(is_format, self.children(name)))

    @_remember
    def titles(self, name: Name) -> tuple[LanguageText, ...]:
        """Return the titles of a name, else of an alias, else of its version or work.

        A name inherits no title from what it is merely a part of. A title is inherited only in the
        language of the version, where that has one.
        """
        levels: list[Name | None] = [name]
        if name.partition is None:
            levels += [name.expression_name, name.work_name]
        for level in levels:
            if level is None:
                continue
            for each in (level, *self.equals(level)):
                titles = self.own_titles(each)
                if titles:
                    language = None if name.expression is None else name.expression.language
                    matching = tuple(title for title in titles if title.language == language)
                    return matching if language is not None and matching else titles
        return ()

    def own_titles(self, name: Name) -> tuple[LanguageText, ...]:
        """Return the titles that are stated of a name itself.

        A title whose language has the code of the jurisdiction comes first: mostly the act's own.
        """
        home, titles = name.jurisdiction.code, self.record(name).titles
        return tuple(sorted(titles, key=lambda title: title.language != home))

    def cite(self, name: Name, language: str | None = None) -> str:
        """Return the citation of a name as its publisher writes it, else its label.

        The words for a part or a version of an act stand behind the citation of that.

        Args:
            name: the name, of this family or of another.
            language: the language of labels, as in `make_label`.
        """
        label = _label_name(name, language)
        for each in (name, name.act_name):
            record = self.family.record(each)
            if record is not None and record.cited_as is not None:
                words = _label_name(each, language)
                if label.startswith(words):
                    return f"{record.cited_as}{label.removeprefix(words)}"
        return label

    def find_force(self, name: Name) -> LegalForce | None:
        """Return the state of force of a work or a version on the day; None where it is not known.

        It is known only if a record states a day or a state of force, for the name or for the act
        of a version. A state wins over days. A work without them is in force if a version is known
        to be.
        """
        if self.is_lasting or name.partition is not None or name.level is Level.MANIFESTATION:
            return None
        position = self.position(name)
        if position is not None:
            return position.chain.find_force(position.version, self.as_of)
        # A withdrawn version is in no chain.
        return self._find_work_force(name) if name.level is Level.WORK else None

    def _find_work_force(self, name: Name) -> LegalForce | None:
        stated = self._read_stated_force(name)
        if (state := stated.find_state(self.as_of)) is not None:
            return state
        start, until = stated.in_force_from, stated.in_force_until
        if (start and self.as_of < start) or (until and until <= self.as_of):
            return LegalForce.NOT_IN_FORCE
        current = [chain.current(self.as_of).version for chain in self.chains(name)]
        forces = {self.find_force(each) for each in current if each is not None}
        for force in (LegalForce.IN_FORCE, LegalForce.PARTLY_IN_FORCE):
            if force in forces or (not current and (start or until)):
                return force
        return None

    def find_stated_force(self, name: Name) -> tuple[dt.date | None, dt.date | None]:
        """Return the first day in force and the first day after it, as stated under any name.

        The days of a version are those of its span. Inferred ones are left out, so that no page
        claims them. A lasting view takes those of the version's own records, since an amendment
        may shorten the span.
        """
        if name.level is Level.EXPRESSION and name.partition is None and not self.is_lasting:
            position = self.position(name)
            if position is None or not position.version.has_span:
                return None, None  # a withdrawn version, or one that is never in force
            version, basis = position.version, ForceBasis.STATED
            return (
                version.start if version.start_basis is basis else None,
                version.until if version.until_basis is basis else None,
            )
        stated = self._read_stated_force(name)
        return stated.in_force_from, stated.in_force_until

    def _read_stated_force(self, name: Name) -> StatedForce:
        """Read what is stated of the force of a name, under any of its names."""
        names: tuple[Name, ...] = (name,)
        if name.level is Level.WORK and name.partition is None:
            # An annex is part of its act (RFC 9676 section 6.4.1), which supplies missing dates.
            names = (name, *name.ancestors())
        return read_stated_force(
            self.record(equal) for each in names for equal in self.equals(each)
        )

    def rdf_iri(self, name: Name) -> str:
        """Return the IRI of a name in the RDF of a page: its HTTP URI, the name without a base."""
        return name.iri if self.base is None else self.http_uri(name)

    @_remember
    def http_uri(self, name: Name) -> str:
        """Return the HTTP URI of a name.

        Raises:
            ValueError: the view has no base, or the base is invalid.
        """
        return http_of(name, self.base or "").uri

    @_remember
    def page_url(self, name: Name) -> str:
        """Return the URL under which a static server has the name's page; mostly its HTTP URI.

        Without a base it is the name itself.
        """
        if self.base is None:
            return name.iri
        if is_path_exact(name):
            return self.http_uri(name)
        return f"{self.base.rstrip('/')}/{quote_path(locate_folder(name))}"


@lru_cache(maxsize=2_048)
def _label_name(name: Name, language: str | None) -> str:
    """Return the label of a name in a language."""
    return make_label(name, language).text


@cache
def _load_state_words(code: str) -> frozenset[str]:
    """Load the words for the state that are issuers in a jurisdiction."""
    conventions = load_registry().lexicon(Kind.CONVENTION, code)
    states = (entry for entry in conventions if entry.notation == "state")
    return frozenset(label.text for entry in states for label in entry.labels)


def list_issuers(name: Name) -> tuple[Issuer, ...]:
    """Return the issuers of an act, without the state.

    The state stands by convention for any legislator (RFC 9676 section 6.1.6).
    """
    states = _load_state_words(name.jurisdiction.code)
    return tuple(each for each in name.work.authority.issuers if str(each) not in states)


def list_legal_authors(name: Name) -> tuple[Issuer, ...]:
    """Return the issuers of an act that have passed it; none where that is not known.

    They are not known for bills without a date, nor where the issuer is the state.
    """
    return list_issuers(name) if name.work.details.dates else ()


def is_format(name: Name) -> bool:
    """Return whether a name is a manifestation, and not a part of one."""
    return name.level is Level.MANIFESTATION and name.partition is None


def list_ancestors(name: Name) -> tuple[Name, ...]:
    """Return the names above a name, nearest first: 16 levels, and the act if there are more."""
    found: list[Name] = []
    parent = name.parent
    while parent is not None and len(found) < _MAX_DEPTH:
        found.append(parent)
        parent = parent.parent
    return (*found, name.act_name) if parent is not None else tuple(found)


def _make_version_key(work: Name, name: Name) -> _VersionKey:
    """Return the key that a version shares with its translations: the same but for the language."""
    expression = name.expression
    return work, None if expression is None else make_translation_key(expression.version)


def list_records(records: Family | Iterable[Record]) -> tuple[Record, ...]:
    """Return the records of a family, or any records as they are."""
    return records.records if isinstance(records, Family) else tuple(records)


def find_family(name: Name, records: Family | Iterable[Record]) -> Family:
    """Return the family of a name among any records; the name is added where it is missing.

    Raises:
        ModelError: the records contradict each other.
    """
    if isinstance(records, Family) and records.record(name) is not None:
        return records
    known = list_records(records)
    if all(record.name != name for record in known):
        known = (*known, Record(name=name))
    return next(each for each in families_of(known) if each.record(name) is not None)


def make_context_url(base: str | None) -> str:
    """Return the URL of the context of JSON-LD: that of a site by its base, else that of lexurn.

    Raises:
        ValueError: the base is invalid.
    """
    return v.CONTEXT_URL if base is None else f"{normalize_base(base)}/context.jsonld"


def find_last_day(until: dt.date | None) -> dt.date | None:
    """Return the last day in force, as ELI and schema.org count, of an end that is the day after.

    None without an end, and where no day comes before it.
    """
    return None if until is None or until == dt.date.min else until - dt.timedelta(days=1)
