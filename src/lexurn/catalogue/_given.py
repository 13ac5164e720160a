"""Names given out by a catalogue: none twice, however many processes mint (RFC 9676 6.3.3, 9.3).

A name that is minted is taken from that moment on, long before its document is loaded. What was
given out stands beside the catalogue and is never forgotten: a number that nobody uses is listed
by `Given.waiting`, never given again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import random
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, Self

from lexurn.errors import CatalogueError
from lexurn.minting import Action, Minted, Taken, series_of, try_mint
from lexurn.name import check, parse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from contextlib import AbstractContextManager
    from types import TracebackType

    from lexurn.catalogue._catalogue import Catalogue
    from lexurn.name import Name
    from lexurn.registry import Registry

__all__ = ["Claim", "Claims", "Given", "GivenName", "given_in", "moment", "series_before"]

_ATTEMPTS: Final = 12
_PAUSE: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One name for one document.

    Attributes:
        name: the name without a partition, canonical.
        place: where the document's metadata stand, ``acts.csv:17``; may be empty.
        digest: of its metadata.
    """

    name: Name
    place: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class GivenName:
    """A name that was given out.

    Attributes:
        name: the name, canonical.
        given_on: when, in UTC.
        place: where the metadata stood, ``acts.csv:17``; empty where that was not said.
    """

    name: str
    given_on: dt.datetime
    place: str


class Claims(Protocol):
    """Where names that were given out are written down; everybody who mints sees the same."""

    def turn(self) -> AbstractContextManager[None]:
        """What is claimed within is claimed for good at the end, or not at all; or each at once."""
        ...

    def has(self, name: Name) -> bool:
        """Whether a name (of any level, no partition) is held by the catalogue or given out."""
        ...

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts, by their canonical texts, are held or given out."""
        ...

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` that stands behind ``before``, held or given out; else 0."""
        ...

    def claim(self, claim: Claim) -> bool:
        """Write a claim down; False where another process was quicker."""
        ...

    def earlier(self, place: str, digest: str) -> str | None:
        """The name that was given to the same metadata at the same place."""
        ...

    def waiting(self) -> Iterator[GivenName]:
        """Names given out that the catalogue does not hold, sorted."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


class Given:
    """What mints for a catalogue; a context manager.

    No two processes are given the same name, whenever they end and however.
    """

    def __init__(self, claims: Claims, *, also: Taken | None = None) -> None:
        """Mint with ``claims``; ``also`` holds names that are taken besides."""
        self._claims = claims
        self._also = also if also is not None else Taken()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._claims.close()

    def together(self) -> AbstractContextManager[None]:
        """Several names at once, which keeps others waiting while they are minted.

        In a folder they are given out at the end of the block, or none of them; on a server each at
        once.
        """
        return self._claims.turn()

    def has(self, name: Name) -> bool:
        """Whether a name, its partition aside, is taken."""
        return name in self._also or self._claims.has(name.document)

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts, by their canonical texts, are taken."""
        return {*self._also.known(acts), *self._claims.known(acts)}

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` ever seen behind a name up to its numbers; 0 without any."""
        return max(self._also.next_after(before) - 1, self._claims.highest(before))

    def mint(
        self,
        fields: Mapping[str, object],
        *,
        registry: Registry | None = None,
        place: str = "",
        again: bool = False,
    ) -> Minted:
        """Mint a name that nobody has, and give it out.

        Args:
            fields: the metadata, as `lexurn.mint` has them.
            registry: the registry to look words up in; None: the built-in one.
            place: where the metadata stand, so that it can be found out what a name was for.
            again: whether the same metadata at the same place, seen before, keep their name.

        Returns:
            The name with its steps; a name that is taken is a finding (LX770).

        Raises:
            CatalogueError: the names cannot be read or written, or others were always quicker.
        """
        digest = _digest_of(fields)
        kept = self._claims.earlier(place, digest) if again else None
        if kept is not None:
            return _minted_again(fields, kept, registry)
        for attempt in range(_ATTEMPTS):
            with self._claims.turn():
                minted = try_mint(fields, registry=registry, taken=Taken(register=self))
                if minted.name is None:
                    if not _is_overtaken(minted):
                        return minted
                elif self._claims.claim(
                    Claim(name=minted.name.document, place=place, digest=digest)
                ):
                    return minted
            # Two that wait for equally long would meet again.
            time.sleep(random.uniform(0, _PAUSE * 2**attempt))  # noqa: S311 - no secret
        raise CatalogueError(
            "too many processes mint names of this kind at once; nothing was given out, try again"
        )

    def waiting(self) -> Iterator[GivenName]:
        """Names given out that the catalogue does not hold, sorted.

        Raises:
            CatalogueError: the names cannot be read.
        """
        return self._claims.waiting()


@contextmanager
def given_in(catalogue: Catalogue, *, also: Taken | None = None) -> Iterator[Given]:
    """What mints for a catalogue; it need not be open for writing, nor be free.

    Args:
        catalogue: the catalogue.
        also: names that are taken besides.

    Raises:
        CatalogueError: the names that were given out cannot be opened.
    """
    with Given(_claims_of(catalogue), also=also) as given:
        yield given


def _claims_of(catalogue: Catalogue) -> Claims:
    from lexurn.catalogue._folder import FolderCatalogue  # noqa: PLC0415  (loads an engine)

    if isinstance(catalogue, FolderCatalogue):
        from lexurn.catalogue._given_here import ClaimsHere  # noqa: PLC0415 - only one is needed

        return ClaimsHere(catalogue.place, catalogue.holdings)
    from lexurn.catalogue._given_there import ClaimsThere  # noqa: PLC0415 - needs an extra

    return ClaimsThere(catalogue.store)


def series_before(before: str) -> str | None:
    """The canonical text of a name up to its numbers; None where no name begins so."""
    name = check(f"{before}lex-1").name
    found = None if name is None else series_of(str(name.act_name))
    return None if found is None else found[0]


def moment() -> str:
    """This moment in UTC, to the second."""
    return dt.datetime.now(tz=dt.UTC).isoformat(timespec="seconds")


def _is_overtaken(minted: Minted) -> bool:
    """Whether a number was free when it was allocated, and had gone when the name was ready."""
    is_allocated = any(step.action is Action.ALLOCATED for step in minted.steps)
    return is_allocated and {found.code for found in minted.errors} == {"LX770"}


def _digest_of(fields: Mapping[str, object]) -> str:
    text = json.dumps(fields, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _minted_again(fields: Mapping[str, object], kept: str, registry: Registry | None) -> Minted:
    """The name that was given before, with the steps to it where they still lead there."""
    taken = Taken(unique=False)
    found = series_of(str(parse(kept).act_name))
    if found is not None and found[1] > 1:
        taken.add(parse(f"{found[0]}lex-{found[1] - 1}"))
    minted = try_mint(fields, registry=registry, taken=taken)
    if minted.name is not None and str(minted.name.document) == kept:
        return minted
    return Minted(name=parse(kept))
