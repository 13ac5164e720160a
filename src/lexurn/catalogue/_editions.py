"""Versions, languages and manifestations that are named, compared with those that are held."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._elements import compared_parts, compared_word, knows_nothing
from lexurn.catalogue._reasons import Reason, reason
from lexurn.model import is_original

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.catalogue._normalised import Tongue
    from lexurn.model import Chain
    from lexurn.name import Component, Date, Feature, ManifestationIdentifier, Version

    Reasons = tuple[Reason, ...]

__all__ = ["chains_in", "compared_manifestation", "compared_version", "day_in"]

_YEAR: Final = re.compile(r"[0-9]{4}")


def compared_version(given: Version, held: Version, tongue: Tongue) -> Reasons | None:
    """In what two versions differ; None where they are others (section 7.1.2)."""
    if given == held:
        return ()
    head = _compared_head(given, held, tongue)
    if head is None or given.events == held.events:
        return head
    mine, theirs = list(map(str, given.events)), list(map(str, held.events))
    if all(event in theirs for event in mine):
        return (*head, reason("LX946", "", ";".join(theirs), component="event"))
    if all(event in mine for event in theirs):
        return (*head, reason("LX947", ";".join(mine), _WITHOUT, component="event"))
    return None


_WITHOUT: Final = "the version without it is"


def _compared_head(given: Version, held: Version, tongue: Tongue) -> Reasons | None:
    """In what two versions differ before their events."""
    if given.date is not None:
        return None if held.date is None else _compared_days(given.date, held.date)
    label = str(given.specification)
    if held.date is not None:
        is_its_year = _YEAR.fullmatch(label) and held.date.iso.startswith(f"{label}-")
        return (reason("LX950", label, held.date, component="version"),) if is_its_year else None
    other = str(held.specification)
    if is_original(given) and is_original(held):
        same = label == other
        return () if same else (reason("LX942", label, other, component="version"),)
    return compared_word(label, other, "version", tongue)


def _compared_days(given: Date, held: Date) -> Reasons | None:
    if given.iso != held.iso:
        return None
    return () if given == held else (reason("LX949", given, held, component="version"),)


def day_in(version: Version) -> dt.date | None:
    """The last day that a version names: what was in force on it may be meant.

    That of a bare year is its end.
    """
    dates = [event.date for event in version.events if event.date is not None]
    last = dates[-1] if dates else version.date
    return _end_of_year(str(version.specification)) if last is None else last.day


def _end_of_year(label: str) -> dt.date | None:
    """The last day of a label that is a year; None of another label, and of the year 0000."""
    if _YEAR.fullmatch(label) is None or int(label) < dt.MINYEAR:
        return None
    return dt.date(int(label), 12, 31)


def chains_in(
    chains: Sequence[Chain], wanted: str, tongue: Tongue
) -> tuple[Sequence[Chain], Reason | None]:
    """The versions in a language; all of them, and the reason, where there are none in it.

    A language finds its varieties, and a variety that is not held finds its language. What names
    no language is in the sole official one (section 5.6).
    """
    if not chains:
        return chains, None
    exact = [each for each in chains if _is_within(each.language, wanted)]
    if exact:
        return exact, None
    primary = wanted.partition("-")[0]
    if tongue.law.languages == (primary,):
        silent = [each for each in chains if each.language is None]
        if silent:
            return silent, None
    wider = [each for each in chains if _is_within(each.language, primary)]
    held = ", ".join(sorted({each.language or "none named" for each in wider or chains}))
    return wider or chains, reason("LX953", wanted, f"given is: {held}", component="language")


def _is_within(tag: str | None, wanted: str) -> bool:
    return tag is not None and (tag == wanted or tag.startswith(f"{wanted}-"))


def compared_manifestation(
    given: ManifestationIdentifier, held: ManifestationIdentifier, tongue: Tongue
) -> Reasons | None:
    """In what two manifestations differ; None where editor or format are others (section 5.7)."""
    if given == held:
        return ()
    if given.editor.publisher != held.editor.publisher:
        return None
    mime = _compared_mime(given.format.mime, held.format.mime)
    editor = _compared_behind(given.editor.specifications, held.editor.specifications, tongue)
    form = _compared_behind(given.format.specifications, held.format.specifications, tongue)
    component = _compared_optional(given.component, held.component, "component", tongue)
    feature = _compared_optional(given.feature, held.feature, "feature", tongue)
    found: list[Reason] = []
    for part in (mime, editor, form, component, feature):
        if part is None:
            return None
        found += part
    return tuple(found)


def _compared_mime(given: str, held: str) -> Reasons | None:
    """Two formats; the second half of a media type may stand for all of it."""
    if given == held:
        return ()
    return (
        (reason("LX942", given, held, component="format"),) if held.endswith(f"-{given}") else None
    )


def _compared_behind(given: Sequence[str], held: Sequence[str], tongue: Tongue) -> Reasons | None:
    return compared_parts(given, held, "specification", tongue, knows_nothing)


def _compared_optional(
    given: Component | Feature | None, held: Component | Feature | None, word: str, tongue: Tongue
) -> Reasons | None:
    if given == held:
        return ()
    if given is None:
        return (reason("LX946", "", held, component=word),)
    if held is None:
        return (reason("LX947", given, "the document without it is", component=word),)
    return compared_parts(str(given).split(";"), str(held).split(";"), word, tongue, knows_nothing)
