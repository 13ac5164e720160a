"""Lazy names and patterns: made on first use, so that commands start quickly.

A package imports its public names under ``if TYPE_CHECKING``, for type checkers and editors, and
lists them in ``__all__``. `attach` reads these imports at run time: no table repeats them (PEP
562).
"""

from __future__ import annotations

import gc
import re
import sys
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, AnyStr, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["attach", "compile_late", "keep_imports"]


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


class _LatePattern:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __reduce__(self) -> tuple[Any, ...]:
        return re.compile, (self.pattern, self._flags)

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, value)
        return value


def compile_late(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled when it is first used; see `re.compile`."""
    return cast("re.Pattern[AnyStr]", _LatePattern(pattern, flags))


@contextmanager
def keep_imports() -> Iterator[None]:
    """Exclude what is imported here from garbage collection."""
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if is_enabled:
            gc.enable()
