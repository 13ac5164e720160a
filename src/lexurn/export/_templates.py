"""The templates: files beside the code, so that the words of a page need no Python."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import jinja2

from lexurn import data

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["render"]


def render(template: str, /, **values: object) -> str:
    """A template filled in: values of HTML are escaped, a value that is not there is an error."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(data.folder("templates")),
        autoescape=jinja2.select_autoescape(disabled_extensions=("txt",), default=True),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
