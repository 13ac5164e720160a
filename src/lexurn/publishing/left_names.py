"""Names that have left the input of a site: their pages stay, and say that they are withdrawn.

A name is never deleted, only withdrawn (RFC 9676 section 9.4). If its row may be one of those that
were rejected, a name that is missing stays as it was. A name that was corrected can lead to the
right one, and one that was never valid can be removed.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import PublishError
from lexurn.model import ModelError, Record, Status, family_of, unpack_family
from lexurn.name import NameSyntaxError, parse
from lexurn.publishing.state import SourceSet, make_collision_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from lexurn.name import Name
    from lexurn.publishing.state import SiteState

ConfirmFunction = Callable[[Sequence[str]], Collection[str]]
"""Function that chooses, of names that have left the input, those to be removed."""


class LeftNames(NamedTuple):
    """Names of the site that are not in the input.

    Attributes:
        left_names: those that have left it since the last run.
        kept_names: those that stay as they were, because their rows may have been rejected.
        removed_names: those whose pages are removed.
        lost_aliases: those that were aliases, which the input contradicts: they lead nowhere now.
        emptied_names: names without a row of their own any more, which stay because names below
            them are in the input.
    """

    left_names: Sequence[str]
    kept_names: Sequence[str]
    removed_names: Sequence[str]
    lost_aliases: Sequence[str]
    emptied_names: Sequence[str]


def read_replaced(path: str | PathLike[str]) -> dict[Name, Name]:
    """Read names that were wrong, each with the right one: a CSV file, with columns old and new.

    Raises:
        PublishError: the file cannot be read, or a line has no two names; with the line.
    """
    replaced: dict[Name, Name] = {}
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            if not {"old", "new"} <= set(reader.fieldnames or ()):
                raise PublishError(f"{path}:1: the header needs the columns old and new")
            for row in reader:
                replaced[parse(row["old"] or "")] = parse(row["new"] or "")
    except NameSyntaxError as fault:
        raise PublishError(f"{path}:{reader.line_num}: {fault}") from None
    except (OSError, UnicodeError, csv.Error) as fault:
        raise PublishError(f"{path} cannot be read: {fault}") from None
    return replaced


class _Change:
    """Change of an alias set by names that have left.

    Attributes:
        records: the records that come to it, by name.
        left_names: those of their names that have left.
        lost_names: the names that it loses.
    """

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.left_names: set[str] = set()
        self.lost_names: set[str] = set()


def merge_left_names(
    state: SiteState,
    day: str,
    *,
    rejects: Iterable[tuple[bytes, int]],
    replaced: Mapping[Name, Name],
    confirm: ConfirmFunction | None,
    most: int | None,
) -> tuple[list[SourceSet], LeftNames]:
    """Merge the names that have left the input into the alias sets of the run.

    Args:
        state: the state, with the alias sets of the input.
        day: the day for what is in force, in ISO 8601.
        rejects: the digests of the rejected rows, each with the number of these rows.
        replaced: names that were wrong, with the right ones.
        confirm: is asked which names that have left are removed; None to keep them all.
        most: the number of names that may leave; None for any.

    Returns:
        The alias sets that change, for `lexurn.publishing.sources.check_sets`, and the names.

    Raises:
        PublishError: too many names leave, a replaced name is in the input or the right one is
            not, or two names have one path.
    """
    changes: dict[str, _Change] = defaultdict(_Change)
    emptied = _find_emptied(state)
    staying = state.add_rejects(rejects, emptied, replaced)
    for name in emptied.keys() & staying:
        key, record = emptied.pop(name)
        changes[key].records[name] = record
    left = _gather_leaving(state, day, changes, staying)
    left = [each for each in left if not replaced.keys() & list_above(parse(each))]
    if most is not None and len(left) > most:
        raise PublishError(
            f"{len(left)} of the {state.count_site_names()} names of the site have left the input; "
            "nothing was changed. Check the input, name corrected names with --replaced, or use "
            "--force to withdraw them."
        )
    for claimed, text, key, has_left in state.list_overlaps():
        if not has_left:
            raise make_collision_error(claimed, text)
        changes[key].lost_names.add(text)  # it is in the input again
    for old, new in replaced.items():
        _replace_name(state, changes, old, new)
    removed = set() if confirm is None else _remove_names(state, changes, confirm)
    left = [each for each in left if each not in removed]
    lost: list[str] = []
    merged = [_merge_change(state, key, change, lost) for key, change in changes.items()]
    return list(filter(None, merged)), LeftNames(
        left, sorted(staying), sorted(removed), sorted(lost), sorted(emptied)
    )


def _find_emptied(state: SiteState) -> dict[str, tuple[str, Record]]:
    """Find the names that follow from others in the input, and whose rows are missing.

    Returns:
        By name, its alias set and its record on the site.
    """
    emptied = {}
    for key, data, old_data in state.read_changed_data():
        stored = unpack_family(old_data)
        for record in unpack_family(data).records:
            before = stored.record(record.name)
            if before is not None and before != record == Record(name=record.name):
                emptied[str(before.name)] = (key, before)
    return emptied


def _gather_leaving(
    state: SiteState, day: str, changes: dict[str, _Change], staying: Collection[str]
) -> list[str]:
    """Gather the names that are not in the input; return those that have left it in this run."""
    homes: dict[Name, str] = {}
    left: list[str] = []
    for key, rows in groupby(state.list_leaving_names(day), key=itemgetter(1)):
        family = unpack_family(state.read_site_data(key))
        for text, _, has_left in rows:
            name = parse(text)
            record = family.record(name) or Record(name=name)
            act = name.act_name
            if act not in homes:
                homes[act] = state.find_home(record.alias_of or act) or state.find_home(act) or key
            change = changes[homes[act]]
            if has_left or text not in staying:
                record = replace(record, status=Status.WITHDRAWN)
                change.left_names.add(text)
                if not has_left:
                    left.append(text)
            change.records[text] = record
    return left


def _replace_name(state: SiteState, changes: dict[str, _Change], old: Name, new: Name) -> None:
    """Make a name that was wrong an alias of the right one, withdrawn.

    The names below it become aliases of those below the right one, where the input has them.
    """
    home = state.find_home(new)
    if home is None:
        raise PublishError(
            f"{new} is not in the input, so it cannot replace {old}. Correct the file."
        )
    if state.find_home(old) is not None:
        raise PublishError(
            f"{old} is still in the input, so nothing can replace it. Correct the file."
        )
    known = {old: Record(name=old)} | _take_names(state, changes, old, home)
    for name, record in known.items():
        right = parse(str(name).replace(str(old), str(new), 1))
        withdrawn = Record(name=name, titles=record.titles, status=Status.WITHDRAWN)
        if state.find_home(right) is not None:
            withdrawn = replace(withdrawn, alias_of=right)
        changes[home].records[str(name)] = withdrawn
        changes[home].left_names.add(str(name))


def _take_names(
    state: SiteState, changes: dict[str, _Change], top: Name, home: str
) -> dict[Name, Record]:
    """Take a name that has left, and those below it, from the alias sets that have them."""
    taken: dict[Name, Record] = {}
    for key, texts in state.list_left_names().items():
        for record in unpack_family(state.read_site_data(key)).records:
            if str(record.name) in texts and top in list_above(record.name):
                taken[record.name] = record
                if key != home:
                    changes[key].lost_names.add(str(record.name))
    for change in changes.values():
        for text, record in list(change.records.items()):
            if top in list_above(record.name):
                taken[record.name] = change.records.pop(text)
                change.left_names.discard(text)
    return taken


def _remove_names(
    state: SiteState, changes: dict[str, _Change], confirm: ConfirmFunction
) -> set[str]:
    """Remove names that have left and that no other replaces; return them."""
    places = {
        text: key
        for key, change in changes.items()
        for text in change.left_names
        if not _is_replaced(state, change.records[text])
    }
    for key, texts in state.list_left_names().items():
        family = unpack_family(state.read_site_data(key))
        kept = {str(each.name) for each in family.records if _is_replaced(state, each)}
        places |= dict.fromkeys(texts - kept - changes[key].lost_names, key)
    chosen = set(confirm(sorted(places))) & places.keys() if places else set()
    for text in chosen:
        key = places[text]
        change = changes[key]
        change.left_names.discard(text)
        if change.records.pop(text, None) is None:
            change.lost_names.add(text)
    return chosen


def _is_replaced(state: SiteState, record: Record) -> bool:
    """Return whether a name that has left leads to one that is in the input."""
    return record.alias_of is not None and state.find_home(record.alias_of) is not None


def list_above(name: Name) -> set[Name]:
    """List a name and those above it."""
    return {name, *name.ancestors()}


def _merge_change(
    state: SiteState, key: str, change: _Change, lost_aliases: list[str]
) -> SourceSet | None:
    """Merge a change with what the run has of an alias set; None where nothing changes or is left.

    Names that have left and are aliases against the input lose that; they are added to a list.

    Raises:
        PublishError: the records contradict each other.
    """
    stored = state.read_run_set(key)
    family = None if stored is None else unpack_family(stored.data)
    records = {str(each.name): each for each in (family.records if family else ())}
    records |= change.records
    for text in change.lost_names:
        records.pop(text, None)
    if not records:
        state.leave_set_out(key)
        return None
    shared = family.shared if family else frozenset()
    try:
        merged = family_of(records.values(), shared)
    except ModelError:
        aliases = [each for each in change.left_names if records[each].alias_of is not None]
        records |= {each: replace(records[each], alias_of=None) for each in aliases}
        lost_aliases += aliases
        try:
            merged = family_of(records.values(), shared)
        except ModelError as fault:
            raise PublishError(
                f"The names of {key} that have left the input contradict the others: {fault}"
            ) from None
    is_seen = stored is not None and stored.is_seen
    known = state.list_left_names_of(key) if is_seen else set()
    left = frozenset(known | change.left_names) - change.lost_names
    if merged == family and left == known:
        return None
    # Without a digest, the next run looks at it again: the missing rows may be gone for good.
    is_kept = bool(change.records.keys() - change.left_names)
    digest = b"" if stored is None or is_kept else stored.digest
    return SourceSet(key, digest, merged, len(merged.records), left)
