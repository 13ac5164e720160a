"""Whose turn it is to write to a catalogue on a server: one process at a time, by SPARQL alone.

No server need have locks: whoever wants to write says so in a graph of its own, then looks who
else does. Alone with it, it has the turn; else it takes back what it said and waits. A turn ends by
itself unless it is renewed, so that a process that died stops nobody for long. Time is the
server's, so that it is the same to all. A server must show at once what was written.
"""

from __future__ import annotations

import datetime as dt
import os
import random
import socket
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._bookkeeping import KEPT, rows_of, text_of
from lexurn.catalogue._lock import InUseError
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.catalogue._protocols import Store

__all__ = ["TurnThere"]

_GRAPH: Final = f"<{KEPT}writing>"
_WHO: Final = f"<{KEPT}writer>"
_SINCE: Final = f"<{KEPT}writingSince>"
_UNTIL: Final = f"<{KEPT}writingUntil>"
_ASKED: Final = (
    f"SELECT ?turn ?who ?since ?until FROM {_GRAPH} "  # noqa: S608 - SPARQL of our own terms
    f"WHERE {{ ?turn {_WHO} ?who ; {_SINCE} ?since ; {_UNTIL} ?until }}"
)
_NOW: Final = "SELECT (NOW() AS ?now) WHERE {}"

_LEASE: Final = 60.0
_BEAT: Final = 15.0
_PATIENCE: Final = 10.0
_PAUSE: Final = 0.5
_ATTEMPTS: Final = 8
_COLLISION: Final = 0.05
_YEAR: Final = 366 * 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Turn:
    """What one process has said, or one renewal of it."""

    until: str
    node: str
    who: str
    since: str

    def lines(self) -> tuple[str, ...]:
        """Its quads."""
        stated = ((_WHO, self.who), (_SINCE, self.since), (_UNTIL, self.until))
        return tuple(
            f"<{self.node}> {each} {text_of(value)} {_GRAPH} .\n" for each, value in stated
        )


class TurnThere:
    """The turn of this process; renewed by a thread until it is let go of."""

    def __init__(self, store: Store, *, wait: float) -> None:
        """Take the turn.

        Args:
            store: the store on the server.
            wait: how many seconds to wait for others.

        Raises:
            InUseError: another process has it.
            CatalogueError: the server cannot be asked or written to, or shows old data.
        """
        self._store = store
        self._clock = _Clock(store)
        self._guard, self._over = threading.Lock(), threading.Event()
        self._lost: str | None = None
        self._turn = self._taken(time.monotonic() + wait)
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    def hold(self) -> None:
        """Make sure that it is still this process's turn.

        Raises:
            CatalogueError: it is not: for too long it could not be renewed, and another has it.
        """
        with self._guard:
            if self._lost is not None:
                raise CatalogueError(self._lost)
            if self._clock.now() >= self._turn.until:
                self._renew()

    def release(self) -> None:
        """Let go of it; where the server does not answer it ends by itself."""
        self._over.set()
        self._thread.join(_PATIENCE)
        with suppress(CatalogueError):
            self._forget(self._turn.node)

    def _taken(self, end: float) -> _Turn:
        ties = 0
        while True:
            others = self._others()
            turn = None if others else self._claimed()
            if turn is not None:
                return turn
            ties += not others
            may_try = not others and ties < _ATTEMPTS
            if time.monotonic() >= end and not may_try:
                raise InUseError(self._refusal(others))
            # Two that wait for equally long would meet again.
            longest = _PAUSE if others else _COLLISION * 2 ** min(ties, _ATTEMPTS)
            time.sleep(random.uniform(0, longest))  # noqa: S311 - no secret

    def _refusal(self, others: Sequence[_Turn]) -> str:
        if not others:
            return (
                f"{self._store.place} is in use: several processes want to write to it at once; "
                "try again, or use --wait"
            )
        turn = max(others)
        left = dt.datetime.fromisoformat(turn.until) - dt.datetime.fromisoformat(self._clock.now())
        return (
            f"{self._store.place} is in use: {turn.who} writes to it since {turn.since}; try again "
            "when it is done, or use --wait (if it died, its turn ends by itself in "
            f"{max(1, round(left.total_seconds()))} seconds)"
        )

    def _claimed(self) -> _Turn | None:
        """The turn, None where another process wants it at the same moment.

        Raises:
            CatalogueError: the server does not show what was just written.
        """
        who = f"process {os.getpid()} on {socket.gethostname()}"
        now, until = self._clock.now(), self._clock.now(_LEASE)
        turn = _Turn(node=uuid.uuid4().urn, who=who, since=now, until=until)
        self._store.change((), turn.lines())
        is_ours = False
        try:
            self._refuse_unless_shown(turn)
            is_ours = not self._others(turn.node)
        finally:
            if not is_ours:
                self._forget(turn.node)
        if not is_ours:
            return None
        for dead in {each.node for each in self._said() if each.until <= now}:
            self._forget(dead)
        return turn

    def _refuse_unless_shown(self, turn: _Turn) -> None:
        if all(each.node != turn.node for each in self._said()):
            raise CatalogueError(
                f"{self._store.place} does not show what was just written, so that nobody can be "
                "sure to write alone; load where it is written first"
            )

    def _others(self, own: str = "") -> list[_Turn]:
        """The turns of others that have not ended."""
        self._clock = _Clock(self._store)
        now = self._clock.now()
        return [each for each in self._said() if each.node != own and each.until > now]

    def _said(self) -> list[_Turn]:
        rows = rows_of(self._store, _ASKED, "turn", "who", "since", "until")
        return [_Turn(node=n, who=w, since=s, until=u) for n, w, s, u in rows]

    def _forget(self, node: str) -> None:
        """Take out all that was said of a turn."""
        said = f"{{ GRAPH {_GRAPH} {{ <{node}> ?property ?value }} }}"
        self._store.update(f"DELETE {said} WHERE {said}")

    def _keep(self) -> None:
        while not self._over.wait(_BEAT):
            with self._guard, suppress(CatalogueError):
                if not self._over.is_set():
                    self._renew()

    def _renew(self) -> None:
        """Say that it goes on.

        Raises:
            CatalogueError: the server does not answer; or it ended, and another process has had it.
        """
        old, self._clock = self._turn, _Clock(self._store)
        new = _Turn(node=old.node, who=old.who, since=old.since, until=self._clock.now(_LEASE))
        # First in, then out: nobody shall see a moment without.
        self._store.change((), new.lines())
        if self._over.is_set():
            # It was let go of while the server took its time.
            self._forget(new.node)
            return
        if old.until <= self._clock.now():
            self._refuse_if_lost(old)
        self._turn = new
        self._store.change(set(old.lines()) - set(new.lines()), ())

    def _refuse_if_lost(self, old: _Turn) -> None:
        """Make sure that nobody came while the turn had ended.

        Who takes a turn forgets those that have ended: what this process said before is then gone,
        even if the other has written and left.

        Raises:
            CatalogueError: somebody came, so that what is held is not what it was.
        """
        others = self._others(old.node)
        if not others and old in self._said():
            return
        done = "another process wrote to it; do it again"
        if others:
            done = f"{max(others).who} writes to it; do it again when it is done"
        self._lost = f"{self._store.place} could not be reached for too long, and meanwhile {done}"
        self._over.set()
        self._forget(old.node)
        raise CatalogueError(self._lost)


class _Clock:
    """The time of a server, as texts that are sorted like the moments."""

    def __init__(self, store: Store) -> None:
        """Ask for it.

        Raises:
            CatalogueError: the server does not know it.
        """
        rows = rows_of(store, _NOW, "now")
        try:
            ((said,),) = rows
            moment = dt.datetime.fromisoformat(said)
            zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)
            self._start, self._started = zoned.astimezone(dt.UTC), _elapsed()
            self.now(_YEAR)
        except (ValueError, OverflowError):
            raise CatalogueError(
                f"{store.place} does not say what time it is (NOW() in SPARQL), so that processes "
                "cannot take turns to write to it"
            ) from None

    def now(self, later: float = 0.0) -> str:
        """This moment, or one some seconds later, in UTC."""
        passed = max(b - a for a, b in zip(self._started, _elapsed(), strict=True))
        moment = self._start + dt.timedelta(seconds=passed + later)
        return moment.isoformat(timespec="milliseconds")


def _elapsed() -> tuple[float, float]:
    """Two ways to tell how much time passed: one stops while a machine sleeps, one may be set."""
    return time.monotonic(), time.time()
