"""Lazy packages: public names are imported on first use (PEP 562), so that commands start quickly.

A package imports its public names under ``if TYPE_CHECKING``, for type checkers and editors, and
lists them in ``__all__``. `attach` reads these imports at run time: no table repeats them.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["attach"]


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package.

    The attributes of the package are its public names, and its modules.

    Args:
        package: the ``__name__`` of the package.
    """

    def get_attribute(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if name in sys.modules[package].__all__:
            value = getattr(import_module(_read_imports(package)[name]), name)
            setattr(sys.modules[package], name, value)
            return value
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as fault:
            if fault.name != f"{package}.{name}":
                raise
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    def list_names() -> list[str]:
        return sorted(sys.modules[package].__all__)

    return get_attribute, list_names


@cache
def _read_imports(package: str) -> dict[str, str]:
    """Return the module of each name that the source of a package imports."""
    import ast  # noqa: PLC0415 - not with `import lexurn`

    loader: Any = sys.modules[package].__loader__
    source = loader.get_source(package)
    if source is None:
        raise ImportError(f"the source of {package} is missing; install lexurn with its .py files")
    return {
        alias.name: statement.module
        for statement in ast.walk(ast.parse(source))
        if isinstance(statement, ast.ImportFrom) and statement.module
        for alias in statement.names
    }
