"""Publishing: a static site of linked data, a folder for the HTTP URI of each name.

In: tables, a manifest or families of records, and the base of HTTP URIs.
Out: a folder of files that any web server can serve, and a report of the check.
Read in this order: site, dcat, search, vocabularies, entries, lists, server, tables, state,
sources, left_names, statements, folders, report, publication; preview.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.publishing.dcat import Site
    from lexurn.publishing.publication import publish
    from lexurn.publishing.report import PublishReport
    from lexurn.publishing.state import SiteInspection, inspect_site

__all__ = ["PublishReport", "Site", "SiteInspection", "inspect_site", "publish"]

__getattr__, __dir__ = attach(__name__)
