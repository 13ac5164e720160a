"""Sites: ``publish`` beside a plain loop that renders the same pages and writes as many files.

The loop gets ready values for the templates of lexurn, and the bytes of all other files. Run by
itself (``publishing.py TABLE SITE LOOP``) it publishes a table, writes the same files to ``LOOP``,
and prints the processor seconds of the loop alone.
"""

from __future__ import annotations

import inspect
import statistics
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from measure import Figure, ended, run_command, seconds
from tables import AS_OF, write_acts

from lexurn import publish

if TYPE_CHECKING:
    from collections.abc import Iterator

    from measure import Run, Sizes

__all__ = ["publishing"]

_BASE = "https://law.example"
_MOST_TIME, _MOST_BYTES, _MOST_MEGABYTES = 3.0, 32_500, 300
_MOST_AGAIN, _MOST_CHANGED, _FLAT = 0.1, 0.02, 1.3
_NAMES = 3
"""Number of rows of an act."""


def publishing(sizes: Sizes) -> list[Figure]:
    """Compare publishing with the loop, and a second run with the first; then longer tables."""
    few, many = sizes.memory
    return [*_compare_loop(sizes), *_compare_change(few), *_compare_memory(few, many)]


def _compare_loop(sizes: Sizes) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = write_acts(folder / "acts.csv", sizes.acts * _NAMES)
        first, again, loop = [], [], []
        for number in range(sizes.heavy_runs):
            site = folder / f"site{number}"
            first.append(_publish(table, site))
            size = sum(each.stat().st_size for each in _list_files(site)) / sizes.acts
            again.append(_publish(table, site))
            copies = (str(folder / f"{kind}{number}") for kind in ("copy", "loop"))
            loop.append(float(ended([sys.executable, __file__, str(table), *copies])))
    ours, theirs, second = (
        statistics.median(each)
        for each in ([run.seconds for run in first], loop, [run.seconds for run in again])
    )
    what = f"`publish` of {sizes.acts:,} acts of three names"
    yield _limit(f"{what} / a plain loop with jinja2", ours, theirs, _MOST_TIME)
    yield Figure(
        what=f"{what}: bytes an act",
        ours=f"{size:,.0f}",
        other="",
        value="",
        aim=f"<= {_MOST_BYTES:,}",
        met=size <= _MOST_BYTES,
    )
    yield _limit(f"{what}, again / the first run", second, ours, _MOST_AGAIN)


def _compare_change(rows: int) -> Iterator[Figure]:
    """Publish a table, then the same table with another title of one act."""
    with tempfile.TemporaryDirectory() as name:
        site = Path(name, "site")
        first = _publish(write_acts(Path(name, "acts.csv"), rows), site)
        changed = rows // _NAMES // 2
        second = _publish(write_acts(Path(name, "acts.csv"), rows, changed), site)
    what = f"`publish` of {rows:,} rows of which one has changed / the first run"
    yield _limit(what, second.seconds, first.seconds, _MOST_CHANGED)


def _compare_memory(few: int, many: int) -> Iterator[Figure]:
    peaks = []
    for rows in (few, many):
        with tempfile.TemporaryDirectory() as name:
            table = write_acts(Path(name, "acts.csv"), rows)
            peaks.append(_publish(table, Path(name, "site")).megabytes)
    small, large = peaks
    what = f"peak memory of `publish`, {many:,} rows"
    yield Figure(
        what=what,
        ours=f"{large:.0f} MB",
        other="",
        value="",
        aim=f"< {_MOST_MEGABYTES} MB",
        met=large < _MOST_MEGABYTES,
    )
    yield Figure(
        what=f"{what} / {few:,}",
        ours=f"{large:.0f} MB",
        other=f"{small:.0f} MB",
        value=f"{large / small:.2f}",
        aim=f"flat: <= {_FLAT:g}",
        met=large / small <= _FLAT,
    )


def _limit(what: str, ours: float, other: float, most: float) -> Figure:
    return Figure(
        what=what,
        ours=seconds(ours),
        other=seconds(other),
        value=f"{ours / other:.3g}",
        aim=f"<= {most:g}",
        met=ours / other <= most,
    )


def _publish(table: Path, site: Path) -> Run:
    day = AS_OF.isoformat()
    options = ("--base", _BASE, "--as-of", day, "--jobs", "1")
    return run_command("publish", str(table), "--out", str(site), *options)


def _list_files(site: Path) -> Iterator[Path]:
    """List the files of a site, without those in which lexurn keeps its state."""
    for each in site.rglob("*"):
        if each.is_file() and not each.name.startswith(".lexurn"):
            yield each


# --- the loop -------------------------------------------------------------------------


class ReadyPage:
    """Values of a page, its links made: rendering it calls nothing of lexurn."""

    def __init__(self, page: Any) -> None:
        """Copy the values; links are made when the page is rendered for the first time."""
        for key in [each for each in dir(page) if not each.startswith("_")]:
            value = getattr(page, key)
            setattr(self, key, cache(value) if inspect.ismethod(value) else value)


def _time_loop(table: Path, site: Path, out: Path) -> float:
    """Publish a table; return the seconds of a loop that writes equal files to another folder."""
    render = jinja2.Template.render
    rendered: dict[str, tuple[jinja2.Template, dict[str, Any]]] = {}

    def record(template: jinja2.Template, *values: Any, **more: Any) -> str:
        ready = dict(*values, **more)
        if "page" in ready:
            ready["page"] = ReadyPage(ready["page"])
        text = render(template, ready)
        rendered[text] = template, ready
        return text

    jinja2.Template.render = record
    publish(str(table), site, base=_BASE, as_of=AS_OF, workers=1)
    jinja2.Template.render = render

    files = []
    for file in _list_files(site):
        content = file.read_bytes()
        text = content.decode("utf-8", "replace")
        files.append((file.relative_to(site), rendered.get(text), content))
    start = time.process_time()
    for path, page, content in files:
        goal = out / path
        goal.parent.mkdir(parents=True, exist_ok=True)
        if page is None:
            goal.write_bytes(content)
        else:
            template, values = page
            goal.write_bytes(template.render(values).encode())
    taken = time.process_time() - start
    for path, _, content in files:
        if (out / path).read_bytes() != content:
            raise SystemExit(f"{path} differs")
    return taken


if __name__ == "__main__":
    print(_time_loop(*map(Path, sys.argv[1:])))
