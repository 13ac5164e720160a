"""Names put into single files, and taken out again."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._links import followed
from lexurn.embedding._treating import Manner, Wish, treat
from lexurn.model import Family
from lexurn.name import http_of, parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.embedding._outcome import Outcome
    from lexurn.model import Record
    from lexurn.name import Name

__all__ = ["check_base", "embed", "remove", "target_of"]

_ANY_NAME = "urn:lex:it:stato:legge:2003-09-21;456"


def embed(  # noqa: PLR0913 - options by name, each with a default
    file: str | Path,
    name: Name | str,
    records: Family | Iterable[Record] = (),
    *,
    base: str | None = None,
    output: str | Path | None = None,
    write: bool = True,
    force: bool = False,
    sidecar: bool = False,
    keep_times: bool = False,
) -> Outcome:
    """Put a name into a document: HTML, XHTML, Akoma Ntoso, LexML, NIR, PDF, DOCX, ODT, EPUB.

    Only the bytes of lexurn's own block change; where the name is there already, nothing does. The
    file is replaced in one step, and stays as it was wherever anything goes wrong.

    Args:
        file: the document.
        name: its name; at a level that fits its format.
        records: what is known of the name and its kin, for titles, versions, licences: the family
            of the name, or any records.
        base: the base of HTTP URIs, for example ``https://law.example``; None for none.
        output: the file or the folder where the result goes; None for the place of the document
            itself. A link is followed inside its folder.
        write: whether anything is written; else the outcome only says what would change.
        force: whether the signature of a signed document may be broken.
        sidecar: whether a file that cannot take a name gets others beside it that say the name.
        keep_times: whether the file keeps its times.

    Raises:
        EmbeddingError: the document cannot be read, cannot take the name, or cannot be written.
        NameSyntaxError: the name is none.
        TypeError: there is no name at all; `remove` takes one out.
        ModelError: the records contradict each other.
        ValueError: the base is none.
    """
    check_base(base)
    if name is None:
        raise TypeError("there is no name to put in; remove takes one out")
    known = records if isinstance(records, Family) else tuple(records)
    wish = Wish(name=parse(name) if isinstance(name, str) else name, records=known, base=base)
    manner = Manner(
        writes=write,
        target=target_of(file, output),
        is_forced=force,
        takes_sidecars=sidecar,
        keeps_times=keep_times,
        shows_diff=not write,
    )
    return treat(Path(file), wish, manner)


def remove(
    file: str | Path,
    *,
    output: str | Path | None = None,
    write: bool = True,
    force: bool = False,
    keep_times: bool = False,
) -> Outcome:
    """Take a name out of a document that `embed` put in, and restore the bytes that were there.

    Args:
        file: the document.
        output: the file or the folder where the result goes; None for the place of the document
            itself. A link is followed inside its folder.
        write: whether anything is written; else the outcome only says what would change.
        force: whether a signature that came later may be broken.
        keep_times: whether the file keeps its times.

    Raises:
        EmbeddingError: the document cannot be read, restored or written.
    """
    manner = Manner(
        writes=write,
        target=target_of(file, output),
        is_forced=force,
        keeps_times=keep_times,
        shows_diff=not write,
    )
    return treat(Path(file), Wish(name=None), manner)


def target_of(file: str | Path, output: str | Path | None) -> Path | None:
    """Where a result goes; None for the place of the document itself, whatever it is called.

    Args:
        file: the document.
        output: a file or a folder; None for the place of the document itself.

    Raises:
        EmbeddingError: it is neither; or a link that leads out of its folder, as ``/dev/stdout``.
    """
    if output is None:
        return None
    text, place = os.fspath(output), Path(output)
    is_folder = os.path.isdir(place)  # noqa: PTH112 - for names too long, too
    if not _is_path(text):
        raise EmbeddingError(finding("LX304", text, why="that is no name of a file"))
    if text.endswith("/") and not is_folder:
        raise EmbeddingError(finding("LX304", text, why="there is no such folder"))
    place = place / Path(file).name if is_folder else place
    if os.path.exists(place) and not place.is_file():  # noqa: PTH110 - as above
        raise EmbeddingError(finding("LX304", str(place), why="it is no regular file"))
    target = followed(place)
    return None if _is_path(os.fspath(file)) and _is_own(target, Path(file)) else target


def _is_own(target: Path, file: Path) -> bool:
    """Whether a path is the document's own place, whatever leads there.

    Another name of the same file (a hard link) is another place: the document keeps its own. The
    same name may be in a folder that is mounted twice, or on a disk that knows no case of letters.
    """
    place, own = Path(os.path.realpath(target)), Path(os.path.realpath(file))
    if place == own:
        return True
    if place.name.casefold() != own.name.casefold():
        return False
    with suppress(OSError):
        is_one_name = place.name == own.name or own.stat().st_nlink == 1
        return is_one_name and place.parent.samefile(own.parent) and place.samefile(own)
    return False


def _is_path(text: str) -> bool:
    try:
        return bool(text) and b"\0" not in os.fsencode(text)
    except UnicodeEncodeError:
        return False


def check_base(base: str | None) -> None:
    """Make sure that a base is one.

    Raises:
        ValueError: it is none.
    """
    if base is not None:
        http_of(parse(_ANY_NAME), base)
