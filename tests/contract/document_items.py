"""Items about documents: extract, embed, embed again, remove, sidecars, folders by manifest.

The documents are those of ``documents.jsonl`` (a line a file, as text or in base64), the golden
documents, and small ones made here.
"""

from __future__ import annotations

import base64
import json
import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from name_items import ACT, BASE
from recorder import files_in
from site_items import ACTS, DAY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from recorder import Recorder

VERSION = f"{ACT}@2005-01-01:it"
FILE = f"{VERSION}$parlamento.it:text-html"
OTHER = "urn:lex:it:stato:legge:2004-01-07;3"
JOBS = ("--jobs", "1")
PAGE = b"<!DOCTYPE html>\n<html>\n<head>\n<title>Legge</title>\n</head>\n<body></body>\n</html>\n"
MANIFEST = f"""urn,title@it,url,alias_of,in_force_from,published,license
{ACT},Legge quadro,,,2003-10-01,2003-09-25,https://x.example/l
{ACT}@originale:it,,https://law.example/pages/0.html,,,,
{VERSION},,https://law.example/pages/1.html,,,,
{FILE},,https://law.example/pages/2.html,,,,
{VERSION}$parlamento.it:application-pdf,,https://law.example/pages/a.pdf,,,,
{VERSION}~art3,,https://law.example/pages/3.html,,,,
urn:lex:it:parlamento:legge:2003-09-21;456,,https://law.example/pages/4.html,{ACT},,,
{OTHER},Altra,https://law.example/pages/none.html https://law.example/pages/data.bin,,,,
"""
QUERY_ACTS = "cases/query_acts.csv"
FORMATS = ("jsonl", "csv", "turtle", "jsonld", "nquads")


def record(recorder: Recorder) -> None:
    """Record all items about documents."""
    Path("m.csv").write_text(MANIFEST, "utf-8")
    _write_documents(Path("documents"))
    _extract_documents(recorder)
    _embed_documents(recorder)
    _golden(recorder)
    _options(recorder)
    _folder(recorder)
    _sidecars(recorder)
    _published(recorder)
    _wrong(recorder)


def _write_documents(folder: Path) -> None:
    text = Path(__file__).with_name("documents.jsonl").read_text("utf-8")
    for line in text.split("\n"):
        if not line:
            continue
        row = json.loads(line)
        path = folder / row["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        data = base64.b64decode(row["base64"]) if "base64" in row else row["text"].encode()
        path.write_bytes(data)


def _extract_documents(recorder: Recorder) -> None:
    for folder in sorted(Path("documents").iterdir()):
        key = f"extract/{folder.name}"
        text = recorder.run(key, "extract", "--folder", folder, *JOBS, *DAY)
        for line in filter(None, text.split("\n")):
            recorder.keep_text(f"{key}/{json.loads(line)['file']}.json", f"{line}\n".encode())
        for form in ("csv", "nquads"):
            recorder.run(
                f"{key}/{form}", "extract", "--folder", folder, "--format", form, *JOBS, *DAY
            )


def _embed_documents(recorder: Recorder) -> None:
    """Embed in each document, embed again, embed another name, remove."""
    for folder in sorted(Path("documents").iterdir()):
        before = files_in(folder)
        files = [folder / name for name in sorted(before)]
        key = f"embed/{folder.name}"
        given = (*files, "--in-place", *JOBS)
        more = ("--manifest", "m.csv", "--base", BASE)
        _embed(recorder, f"{key}/first", folder, before, *given, "--urn", VERSION, *more)
        first = files_in(folder)
        _embed(recorder, f"{key}/again", folder, first, *given, "--urn", VERSION, *more)
        _embed(recorder, f"{key}/other", folder, first, *given, "--urn", ACT)
        recorder.run(f"{key}/extracted", "extract", "--folder", folder, "--ours", *JOBS, *DAY)
        _embed(recorder, f"{key}/removed", folder, before, *given, "--remove")


def _embed(
    recorder: Recorder, key: str, folder: Path, before: Mapping[str, bytes], *given: object
) -> None:
    """Run embed with a report, and keep the files that are not as before."""
    recorder.run(key, "embed", *given, "--report", "report.jsonl")
    if Path("report.jsonl").exists():
        recorder.keep_text(f"{key}.report", Path("report.jsonl").read_bytes())
        Path("report.jsonl").unlink()
    recorder.keep_folder(key, folder, unlike=before)


def _golden(recorder: Recorder) -> None:
    for name in ("golden_embedding", "golden_export", "golden_sidecars"):
        for form in FORMATS:
            given = ("extract", "--folder", name, "--format", form, *JOBS, *DAY)
            recorder.run(f"golden/{name}/extract/{form}", *given)
    for path in sorted(Path("golden_embedding").iterdir()):
        before = files_in(path.parent)
        given = (path, "--in-place", *JOBS)
        key = f"golden/embed/{path.name}"
        _embed(recorder, f"{key}/version", path.parent, before, *given, "--urn", VERSION)
        _embed(recorder, f"{key}/other", path.parent, before, *given, "--urn", OTHER)
        _embed(recorder, f"{key}/removed", path.parent, before, *given, "--remove")
    for path in sorted(Path("golden_export").glob("head_*.html")):
        page = Path(f"page-{path.name}")
        page.write_bytes(PAGE.replace(b"</head>", path.read_bytes() + b"</head>"))
        for form in FORMATS:
            recorder.run(
                f"golden/heads/{path.name}/{form}", "extract", page, "--format", form, *DAY
            )


def _options(recorder: Recorder) -> None:
    page = Path("act.html")
    page.write_bytes(PAGE)
    given = ("embed", page, "--urn", VERSION)
    recorder.run("embed/options/diff", *given)
    recorder.run("embed/options/diff-asked", *given, "--diff", "--manifest", "m.csv")
    recorder.run("embed/options/out", *given, "-o", "out.html", "--base", BASE)
    recorder.keep_file("embed/options/out.html", Path("out.html"))
    Path("out").mkdir()
    recorder.run("embed/options/out-folder", "embed", page, "out.html", "--urn", ACT, "-o", "out")
    recorder.keep_folder("embed/options/out-folder", Path("out"))
    for report in ("report", "stdout"):
        place = "-" if report == "stdout" else "options.jsonl"
        recorder.run(f"embed/options/{report}", *given, "--in-place", "--report", place)
    recorder.keep_file("embed/options/act.html", page)
    recorder.run("embed/options/remove-diff", "embed", "--remove", page)
    recorder.run("embed/options/remove", "embed", "--remove", page, "--in-place")
    recorder.run("embed/options/remove-again", "embed", "--remove", page, "--in-place")
    dialect = ("--urn", "urn:nir:stato:legge:2003-09-21;456", "--dialect", "nir")
    recorder.run("embed/options/dialect", "embed", page, *dialect)
    reading = ("--urn", f"{ACT}@x:de-ch", "--reading", "grammar")
    recorder.run("embed/options/reading", "embed", page, *reading)
    recorder.run("embed/options/force", *given, "--force", "--diff")


def _folder(recorder: Recorder) -> None:
    folder = Path("pages")
    folder.mkdir()
    for number in range(5):
        folder.joinpath(f"{number}.html").write_bytes(PAGE)
    shutil.copy("golden_embedding/pdf_metadata.pdf", folder / "a.pdf")
    folder.joinpath("data.bin").write_bytes(b"\x00\x01")
    folder.joinpath("stranger.html").write_bytes(PAGE)
    before = files_in(folder)
    given = ("--manifest", "m.csv", "--folder", folder, "--site", f"{BASE}/pages", *JOBS)
    _embed(recorder, "folder/shown", folder, before, *given)
    _embed(recorder, "folder/written", folder, before, *given, "--in-place", "--base", BASE)
    first = files_in(folder)
    _embed(recorder, "folder/again", folder, first, *given, "--in-place", "--base", BASE)
    _embed(recorder, "folder/sidecars", folder, first, *given, "--in-place", "--sidecar")
    for form in FORMATS:
        for whose in ("--ours", "--all"):
            arguments = ("extract", "--folder", folder, "--format", form, whose, *JOBS, *DAY)
            recorder.run(f"folder/extract{whose}/{form}", *arguments)
    recorder.run("folder/validate", "validate", "found.csv", *DAY)
    recorder.run("folder/other-site", "embed", *given[:4], "--site", "https://x.example", *JOBS)
    _embed(recorder, "folder/removed", folder, before, *given, "--remove", "--in-place")
    recorder.run("folder/remove-all", "embed", "--remove", "--folder", folder, "--in-place", *JOBS)


def _sidecars(recorder: Recorder) -> None:
    folder = Path("sidecars")
    folder.mkdir()
    path = folder / "act.bin"
    path.write_bytes(b"\x00\x01")
    before = files_in(folder)
    given = (path, "--in-place", "--sidecar", *JOBS)
    more = ("--manifest", "m.csv", "--base", BASE)
    _embed(recorder, "sidecars/without", folder, before, path, "--urn", VERSION, "--in-place")
    _embed(recorder, "sidecars/shown", folder, before, path, "--urn", VERSION, "--sidecar")
    _embed(recorder, "sidecars/work", folder, before, *given, "--urn", ACT)
    _embed(recorder, "sidecars/version", folder, before, *given, "--urn", VERSION, *more)
    _embed(recorder, "sidecars/again", folder, before, *given, "--urn", VERSION, *more)
    for form in FORMATS:
        recorder.run(f"sidecars/extract/{form}", "extract", path, "--format", form, *DAY)
        recorder.run(
            f"sidecars/extract-folder/{form}", "extract", "--folder", folder, "--format", form, *DAY
        )
    _embed(recorder, "sidecars/removed", folder, before, path, "--remove", "--in-place")


def _published(recorder: Recorder) -> None:
    """Read back what publish wrote."""
    for key, table, formats in (("acts", ACTS, ("jsonl", "csv")), ("queries", QUERY_ACTS, FORMATS)):
        publish = ("publish", table, "--out", f"site-{key}", "--base", BASE, *JOBS, *DAY)
        recorder.run(f"published/{key}", *publish)
        # Pages of one jurisdiction.
        for form in formats:
            arguments = ("extract", "--folder", f"site-{key}/lex/it", "--format", form, *JOBS, *DAY)
            recorder.run(f"published/{key}/{form}", *arguments)


def _wrong(recorder: Recorder) -> None:
    Path("empty.html").write_bytes(b"")
    Path("broken.pdf").write_bytes(b"%PDF-1.7\nx")
    Path("page.php").write_bytes(b"<?php echo 1; ?>" + PAGE)
    Path("code.html").write_bytes(b"<?php echo 1; ?>" + PAGE)
    with zipfile.ZipFile("plain.zip", "w") as container:
        container.writestr(zipfile.ZipInfo("a.txt"), "x")
    Path("link.html").symlink_to("act.html")
    files = ("empty.html", "broken.pdf", "page.php", "code.html", "plain.zip", "link.html")
    for name in (*files, "none.html", "pages"):
        recorder.run(f"embed/wrong/file/{name}", "embed", name, "--urn", VERSION, "--in-place")
        recorder.run(f"extract/wrong/file/{name}", "extract", name, *DAY)
    page = ("embed", "act.html")
    recorder.run("embed/wrong/nothing", "embed")
    recorder.run("embed/wrong/no-name", *page)
    recorder.run("embed/wrong/bad-name", *page, "--urn", "urn:lex:it")
    recorder.run(
        "embed/wrong/not-in-manifest", *page, "--urn", OTHER + "-bis", "--manifest", "m.csv"
    )
    recorder.run("embed/wrong/both", *page, "--urn", ACT, "--in-place", "-o", "x.html")
    recorder.run("embed/wrong/remove-and-name", *page, "--urn", ACT, "--remove")
    recorder.run("embed/wrong/level", *page, "--urn", f"{VERSION}$x.it:application-pdf")
    recorder.run("embed/wrong/base", *page, "--urn", ACT, "--base", "law")
    recorder.run("embed/wrong/folder", "embed", "--folder", "pages", "--in-place")
    recorder.run("embed/wrong/no-folder", "embed", "--folder", "nowhere", "--manifest", "m.csv")
    recorder.run("embed/wrong/manifest", *page, "--urn", ACT, "--manifest", "none.csv")
    recorder.run("extract/wrong/nothing", "extract")
    recorder.run("extract/wrong/no-folder", "extract", "--folder", "nowhere")
    recorder.run("extract/wrong/both", "extract", "act.html", "--folder", "pages")
    recorder.run("extract/wrong/format", "extract", "act.html", "--format", "rdfxml")
