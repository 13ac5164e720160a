"""``lexurn catalogue withdraw``: names that are no longer to be used."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._manifests import AS_OF, day_of
from lexurn.cli._names import texts_of
from lexurn.cli._screen import echo_error, echo_findings, write
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue import Withdrawal
    from lexurn.name import Name

__all__ = ["command"]


def _past(_ctx: click.Context, _param: click.Parameter, value: str | None) -> dt.date | None:
    """A day that has come, wherever on earth."""
    day = None if value is None else day_of(value)
    if day is not None and day > (dt.datetime.now(tz=dt.UTC) + dt.timedelta(hours=14)).date():
        raise click.BadParameter(f"{day} has not come yet, and a withdrawal counts at once")
    return day


@click.command("withdraw")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@CATALOGUE
@click.option(
    "--on",
    metavar="DATE",
    callback=_past,
    help="Since when, YYYY-MM-DD, also of names withdrawn before.  [default: today, and what was "
    "withdrawn before keeps its day]",
)
@click.option(
    "--below", is_flag=True, help="Withdraw what is below a name too: annexes, versions, formats."
)
@AS_OF
@WAIT
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    place: str,
    on: dt.date | None,
    as_of: dt.date,
    wait: float,
    *,
    below: bool,
) -> None:
    """Withdraw each NAME: it stays, is never given again, and says that it is withdrawn.

    Nothing is deleted (RFC 9676 section 9.4). A wrong day is mended by withdrawing again with --on.
    To take a withdrawal back, load the name's row again; for the same reason, state it in the table
    too (the columns status and withdrawn_on) where the table is loaded again.

    \b
    lexurn catalogue withdraw "urn:lex:it:stato:legge:2003-09-21;456" --catalogue law
    lexurn catalogue withdraw - --on 2026-01-01 --catalogue law < names.txt
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import withdraw

    if not all(name.strip() for name in names):
        raise click.UsageError("a NAME is empty; leave it out, or give - for standard input")
    asked = _Asked(names)
    with opened_catalogue(place, write=True, wait=wait, is_known=True) as catalogue:
        done = [
            _show(each)
            for each in withdraw(catalogue, asked.names(), on=on, as_of=as_of, below=below)
        ]
    ctx.exit(0 if all(done) and asked.is_good else 1)


class _Asked:
    """The names that were asked for; what is none is said."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.is_good = True
        self._texts = texts

    def names(self) -> Iterator[Name]:
        """Those that are names."""
        for text in texts_of(self._texts):
            if not text.strip():
                continue
            report = check(text.strip())
            if report.name is not None:
                yield report.name
            else:
                self.is_good = False
                echo_findings(report.text, report.findings)


def _show(withdrawal: Withdrawal) -> bool:
    """Say what became of a name; False where it is not held."""
    from lexurn.catalogue import WithdrawalOutcome

    if withdrawal.outcome is WithdrawalOutcome.UNKNOWN:
        echo_error(f"{withdrawal.name} is not held, so that it cannot be withdrawn")
        return False
    since = f" on {withdrawal.on}" if withdrawal.on is not None else ""
    if withdrawal.outcome is WithdrawalOutcome.MOVED:
        was = f" from {withdrawal.before}" if withdrawal.before is not None else ""
        since = f"{was} to {withdrawal.on}"
    write(f"{withdrawal.name}: {withdrawal.outcome}{since}")
    return True
