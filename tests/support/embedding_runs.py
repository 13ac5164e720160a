"""What tests of runs over files share: a page that takes a name, and ``lexurn embed`` itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from lexurn.cli import main

if TYPE_CHECKING:
    from click.testing import Result

PAGE = b"<!DOCTYPE html>\n<html>\n<head>\n<title>Legge</title>\n</head>\n<body></body>\n</html>\n"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["embed", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result
