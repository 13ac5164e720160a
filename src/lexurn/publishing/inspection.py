"""Inspection of a site: files that are missing, that have changed, and that are not lexurn's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import PublishError
from lexurn.publishing.folders import digest_bytes
from lexurn.publishing.site import MARKER, STAGING_FOLDER, explain_disk_errors, is_site
from lexurn.publishing.state import STATE_FILE, read_file_digests

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

_OWN_FILES = {MARKER, STATE_FILE, f"{STATE_FILE}-journal"}


class SiteInspection(NamedTuple):
    """Files of a site that are not as `publish` left them, by their paths below it; sorted.

    Attributes:
        missing: those that are gone.
        changed: those whose content is another.
        foreign: those that `publish` did not write.
    """

    missing: Sequence[str]
    changed: Sequence[str]
    foreign: Sequence[str]

    @property
    def is_sound(self) -> bool:
        """True if no file is missing or changed; foreign ones do no harm."""
        return not self.missing and not self.changed


def inspect_site(out: str | PathLike[str]) -> SiteInspection:
    """Compare the files of a site with those that the last run of `publish` left.

    Raises:
        PublishError: the folder is not a site, or cannot be read.
    """
    folder = Path(out)
    if not is_site(folder):
        raise PublishError(f"{folder} is not a site that lexurn has published.")
    known = read_file_digests(folder)
    changed: list[str] = []
    foreign: list[str] = []
    with explain_disk_errors(folder):
        for place, folders, files in os.walk(folder):
            folders[:] = [each for each in folders if each != STAGING_FOLDER]
            for file in files:
                path = Path(place, file)
                shown = path.relative_to(folder).as_posix()
                if shown not in known:
                    foreign.append(shown)
                elif digest_bytes(path.read_bytes()) != known.pop(shown):
                    changed.append(shown)
    foreign = sorted(set(foreign) - _OWN_FILES)
    return SiteInspection(sorted(known), sorted(changed), foreign)
