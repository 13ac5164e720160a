"""Recorder of outputs: runs commands in one process and keeps what they give by key."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import zipfile
from contextlib import chdir, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from click.testing import CliRunner

import lexurn
from lexurn.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Fields of JSON objects that hold sentences for people.
SENTENCES = frozenset({"advice", "message", "notes", "reason"})
_CODES = re.compile(rb"(?:(error|warning|note|violation|info)\s+)?\b(LX\d{3})\b")
_NUMBER = lexurn.__version__.encode()
_VERSION = re.compile(rb"(lexurn\b[^\n\d]{0,20})" + re.escape(_NUMBER))
_CHANGING = {
    re.compile(rb"\t\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00\t"): b"\tWHEN\t",
    re.compile(rb'"given_on": "[^"]*"'): b'"given_on": "WHEN"',
    re.compile(rb"[\d,]+ bytes before, [\d,]+ bytes now"): b"BYTES bytes before, BYTES bytes now",
}
_NOTHING: Mapping[str, bytes] = MappingProxyType({})


class Recorder:
    """Outputs and messages by key, as bytes.

    Attributes:
        output: standard output, files that were written, exit codes, codes of findings.
        messages: standard error and help texts.
        corpus: counts over the corpora.
    """

    def __init__(self, scratch: Path) -> None:
        """Keep nothing yet.

        Args:
            scratch: the folder below which all commands run; its path is normalised.
        """
        self.output: dict[str, bytes] = {}
        self.messages: dict[str, bytes] = {}
        self.corpus: dict[str, bytes] = {}
        data = Path(lexurn.__file__).parents[2]
        self._places = ((str(scratch).encode(), b"SCRATCH"), (str(data).encode(), b"DATA"))
        self._runner = CliRunner()

    def run(self, key: str, *arguments: object, stdin: str | bytes | None = None) -> str:
        """Run a command and keep its output, messages, codes and exit code.

        Returns:
            Standard output.
        """
        data = stdin.encode("utf-8", "surrogatepass") if isinstance(stdin, str) else stdin
        result = self._runner.invoke(main, [str(each) for each in arguments], input=data)
        failure = result.exception
        code = str(result.exit_code)
        if failure is not None and not isinstance(failure, SystemExit):
            code += f" {type(failure).__name__}: {failure}"
        self.keep(f"{key}.exit", code.encode())
        if result.stdout_bytes:
            self.keep_text(f"{key}.stdout", result.stdout_bytes)
        if result.stderr_bytes:
            self.keep(f"{key}.stderr", result.stderr_bytes, is_message=True)
            codes = [b" ".join(found).strip() for found in _CODES.findall(result.stderr_bytes)]
            if codes:
                self.keep(f"{key}.codes", b"\n".join(codes) + b"\n")
        return result.stdout

    def only_run(self, *arguments: str, stdin: str | None = None) -> str:
        """Run a command, keep nothing, and return its standard output."""
        return self._runner.invoke(main, arguments, input=stdin).stdout

    def help(self, *path: str) -> bytes:
        """Return the help text of a command."""
        return self._runner.invoke(main, [*path, "--help"]).stdout_bytes

    def keep(self, key: str, data: bytes, *, is_message: bool = False) -> None:
        """Keep bytes under a new key, normalised."""
        kept = self.messages if is_message else self.output
        if key in kept:
            raise ValueError(f"two items have the key {key}")
        for text, instead in self._places:
            data = data.replace(text, instead)
        for pattern, instead in _CHANGING.items():
            data = pattern.sub(instead, data)
        kept[key] = _VERSION.sub(rb"\1VERSION", data) if _NUMBER in data else data

    def keep_text(self, key: str, data: bytes) -> None:
        """Keep text; of JSON with sentences for people, keep what is no sentence as output."""
        facts = _facts(data.decode("utf-8", "replace"))
        self.keep(key, data, is_message=facts is not None)
        if facts is not None:
            self.keep(f"{key}.facts", facts.encode())

    def keep_value(self, key: str, value: object) -> None:
        """Keep a value that JSON can hold."""
        text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, default=str)
        self.keep(key, f"{text}\n".encode())

    def keep_file(self, key: str, path: Path) -> None:
        """Keep a file: packed ones unpacked, those of ZIP containers with a list of members."""
        if not path.is_file():
            self.keep(key, b"no file\n")
            return
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        self.keep(key, data)
        if data.startswith(b"PK\x03\x04"):
            self.keep(f"{key}.members", _members(data))

    def keep_folder(self, key: str, folder: Path, unlike: Mapping[str, bytes] = _NOTHING) -> None:
        """Keep each file below a folder, and the list of them.

        Args:
            key: what the keys begin with.
            folder: the folder; one that is not there has no files.
            unlike: files as they were, by path: those that are still so are not kept.
        """
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        names = [path.relative_to(folder).as_posix() for path in files]
        self.keep(f"{key}.files", "".join(f"{name}\n" for name in names).encode())
        for name, path in zip(names, files, strict=True):
            # The tables of a site are not the same bytes from run to run.
            if path.suffix == ".sqlite" or unlike.get(name) == path.read_bytes():
                continue
            self.keep_file(f"{key}/{name}", path)


def _facts(text: str) -> str | None:
    """Return JSON, or lines of JSON, without sentences; None where there are none in it."""
    if not text.startswith(("{", "[")):
        return None
    try:
        values = [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError:
        try:
            values = [json.loads(text)]
        except ValueError:
            return None
    plain = [without_sentences(value) for value in values]
    if plain == values:
        return None
    return "".join(f"{json.dumps(value)}\n" for value in plain)


def without_sentences(value: Any) -> Any:
    """Return a value of JSON without the fields that hold sentences for people."""
    if isinstance(value, dict):
        return {key: without_sentences(each) for key, each in value.items() if key not in SENTENCES}
    if isinstance(value, list):
        return [without_sentences(each) for each in value]
    return value


def _members(data: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as container:
            lines = [
                f"{hashlib.sha256(container.read(member)).hexdigest()}  {member.filename}"
                for member in container.infolist()
            ]
    except (zipfile.BadZipFile, OSError, RuntimeError, ValueError, NotImplementedError) as fault:
        lines = [f"cannot be read: {type(fault).__name__}"]
    return "".join(f"{line}\n" for line in lines).encode()


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by their paths there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def list_of(kept: Mapping[str, bytes]) -> str:
    """Return a list of digests: a line a key, sorted."""
    return "".join(f"{_digest(data)}  {key}\n" for key, data in sorted(kept.items()))


def counts_of(kept: Mapping[str, bytes]) -> str:
    """Return a list of digests with the counts behind the keys."""
    return "".join(
        f"{_digest(data)}  {key}  {data.decode()}\n" for key, data in sorted(kept.items())
    )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def working_in(folder: Path) -> Iterator[Path]:
    """Make a folder and work in it."""
    folder.mkdir(parents=True)
    with chdir(folder):
        yield folder
