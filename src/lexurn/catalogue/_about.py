"""The file that says that a folder is a catalogue: its format, and the base of its URIs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._durable import staged_beside, write_durably
from lexurn.errors import CatalogueError
from lexurn.name import http_of, parse

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "LOCK",
    "NAMES",
    "STORE",
    "base_of",
    "first_uri",
    "found",
    "is_catalogue",
    "made",
    "refuse_headless",
    "refuse_other_base",
]

_FORMAT: Final = 1
_ANY_NAME: Final = "urn:lex:it:stato:legge:2000-01-01;1"
_FILE: Final = "catalogue.json"
STORE: Final = "store"
NAMES: Final = "names.sqlite"
LOCK: Final = "lock"
_GIVEN: Final = "given."
"""What the files begin with that may be taken along from another catalogue, into an empty one."""
_OWN: Final = (_FILE, LOCK, STORE, NAMES, _GIVEN)
_FOREIGN: Final = "holds other things; name a new or an empty folder"
_MEND: Final = (
    'write {"format": 1, "base": null} into it, with the base of HTTP URIs in the place of null '
    "where the catalogue was made with one"
)


def is_catalogue(folder: Path) -> bool:
    """Whether a folder is a catalogue."""
    return (folder / _FILE).is_file()


def made(folder: Path) -> None:
    """Make a folder where there is none; nothing is written where other things are.

    Raises:
        CatalogueError: it cannot be made, or holds other things.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = () if is_catalogue(folder) else tuple(folder.iterdir())
    except FileExistsError:
        raise CatalogueError(f"{folder} is no folder; name a new or an empty one") from None
    except OSError as fault:
        raise CatalogueError(f"{folder} cannot be made: {fault.strerror}") from None
    if any(not path.name.lstrip(".").startswith(_OWN) for path in held):
        raise CatalogueError(f"{folder} {_FOREIGN}")


def found(folder: Path, base: str | None) -> None:
    """Make a folder a catalogue where it is none yet.

    Args:
        folder: the folder.
        base: what HTTP-URI equivalents begin with, or None.

    Raises:
        CatalogueError: it holds something else.
    """
    about = folder / _FILE
    if about.is_file():
        return
    refuse_headless(folder)
    ours = (LOCK, staged_beside(about).name)
    held = (path.name for path in folder.iterdir())
    if any(name not in ours and not name.startswith(_GIVEN) for name in held):
        raise CatalogueError(f"{folder} {_FOREIGN}")
    text = json.dumps({"format": _FORMAT, "base": base}, indent=1)
    write_durably(about, f"{text}\n")


def refuse_headless(folder: Path) -> None:
    """Refuse a folder that was a catalogue, but has lost the file that says so.

    Raises:
        CatalogueError: it has.
    """
    if any((folder / name).exists() for name in (STORE, NAMES)) and not is_catalogue(folder):
        raise CatalogueError(f"{folder} has lost its {_FILE}; {_MEND}")


def base_of(folder: Path) -> str | None:
    """What the HTTP-URI equivalents of a catalogue begin with, None where it has none.

    Raises:
        CatalogueError: the file cannot be read, or another version of lexurn wrote it.
    """
    try:
        about = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        version, base = about["format"], about["base"]
    except OSError as fault:
        raise CatalogueError(f"{folder / _FILE} cannot be read: {fault.strerror}") from None
    except (ValueError, TypeError, KeyError):
        raise _not_ours(folder) from None
    if type(version) is not int or not isinstance(base, str | None):
        raise _not_ours(folder)
    if version != _FORMAT:
        raise CatalogueError(
            f"{folder} was made by another version of lexurn (format {version}, not {_FORMAT}); "
            "dump it with that version, and load the dump into a new catalogue"
        )
    return base


def _not_ours(folder: Path) -> CatalogueError:
    return CatalogueError(f"{folder / _FILE} is not what lexurn wrote there; {_MEND}")


def refuse_other_base(place: str, held: str | None, asked: str | None) -> None:
    """Refuse a base that is not the one of a catalogue.

    Raises:
        CatalogueError: it is not.
    """
    if asked is not None and (held is None or first_uri(asked) != first_uri(held)):
        raise CatalogueError(
            f"{place} was made with {f'the base {held}' if held else 'no base'}, which stands in "
            "its graph; load into a new catalogue to have another"
        )


def first_uri(base: str) -> str:
    """A URI that a base makes: two that make the same one are the same base.

    Raises:
        ValueError: it is no base of HTTP URIs.
    """
    return http_of(parse(_ANY_NAME), base).uri
