"""Runs of ``embed`` over a small site in a folder, with a manifest of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from embedding_runs import PAGE

from lexurn.documents import EmbedOptions, Outcome, embed_folder
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SITE = "https://law.example/acts"
WRITES = EmbedOptions(writes=True)


def make_site(tmp_path: Path) -> Path:
    """A site of three pages and a picture."""
    place = tmp_path / "site"
    (place / "a b").mkdir(parents=True)
    for path in ("1.html", "a b/2.html", "3/index.html"):
        (place / path).parent.mkdir(exist_ok=True)
        (place / path).write_bytes(PAGE)
    (place / "x.png").write_bytes(b"\x89PNG")
    return place


def name(number: object) -> str:
    return f"urn:lex:it:stato:legge:2003-09-21;{number}"


def run(
    folder: Path,
    rows: Iterable[tuple[str, str, str]],
    manner: EmbedOptions = WRITES,
    **options: object,
) -> dict[str, Outcome]:
    """What becomes of each file, with a manifest of names, URLs and files."""
    table = folder.with_name("m.csv")
    lines = [f'"{urn}","{url}","{file}"' for urn, url, file in rows]
    table.write_text("\n".join(("urn,url,file", *lines, "")), encoding="utf-8")
    options = {"site": SITE, "workers": 1, **options}
    with open_manifest(table) as manifest:
        outcomes = list(embed_folder(manifest.families(), folder, options=manner, **options))
    assert len({each.file for each in outcomes}) == len(outcomes)
    return {each.file: each for each in outcomes}


def kinds(outcomes: Mapping[str, Outcome]) -> dict[str, str]:
    return {file: str(each.status) for file, each in outcomes.items()}


def many(folder: Path, count: int) -> list[tuple[str, str, str]]:
    for number in range(count):
        (folder / f"{number}.htm").write_bytes(PAGE)
    return [(name(number), "", f"{number}.htm") for number in range(count)]
