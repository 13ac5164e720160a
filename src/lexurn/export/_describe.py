"""All that is known of one name, in any format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from lexurn.export._head import head_of
from lexurn.export._pages import page_of
from lexurn.export._select import Excerpts
from lexurn.export._templates import render
from lexurn.export._view import View, family_with
from lexurn.graph import Format, Statements, statements_of, write
from lexurn.model import Family, today

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from lexurn.model import Record
    from lexurn.name import Name

__all__ = ["DOCUMENT_FORMATS", "describe"]

DOCUMENT_FORMATS = ("text", "html")
"""The formats of `describe` that are no RDF."""


def describe(
    records: Family | Iterable[Record],
    name: Name,
    format: Format | str,
    *,
    as_of: dt.date | None = None,
    base: str | None = None,
) -> str:
    """What is known of a name, all that is nested under it, and what the names above it say.

    Without any record only the decoded layer: what the name itself says.

    Args:
        records: what is known: the family of the name, or any records.
        name: the name.
        format: a format of RDF, ``text`` or ``html``.
        as_of: the day for what is in force; today where it is left out.
        base: the base of HTTP URIs; without it there are none.

    Raises:
        ValueError: no such format, or the base is none.
        ModelError: the records contradict each other.
    """
    known = records if isinstance(records, Family) else tuple(records)
    view = View(
        family=family_with(name, known),
        as_of=as_of or today(),
        base=base,
    )
    if format == "text":
        return _text(view, name)
    if format == "html":
        return _html(view, name)
    statements = statements_of(view.family, as_of=view.as_of, base=base)
    excerpt = Excerpts.of(view, statements).about(name)
    if not known:
        excerpt = Statements(decoded=excerpt.decoded)
    form = format if isinstance(format, Format) else Format.from_name(format)
    return write(excerpt, form).decode()


def _address(view: View, name: Name) -> str | None:
    return None if view.base is None else view.served(name)


def _text(view: View, name: Name) -> str:
    return render("describe.txt", page=page_of(view, name, link=lambda _: None))


def _html(view: View, name: Name) -> str:
    page = page_of(view, name, link=lambda each: _address(view, each))
    tags = "" if view.base is None else head_of(view, name)
    return render("page.html", page=page, head=Markup(tags))  # noqa: S704 - rendered with autoescape
