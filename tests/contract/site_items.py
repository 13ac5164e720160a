"""Items about tables and graphs: describe, head, validate, publish."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pyoxigraph
from name_items import ACT, BASE, json_lines, rows_of
from recorder import files_in

if TYPE_CHECKING:
    from recorder import Recorder

DAY = ("--as-of", "2024-07-01")
ACTS = "examples/acts.csv"
NIR = ("examples/nir.tsv", "--map", "examples/nir.toml", "--dialect", "nir")
PORTAL = ("examples/portal.csv", "--map", "examples/portal.toml", "--dialect", "lexml")
FORMATS = ("text", "turtle", "jsonld", "rdfxml", "ntriples", "nquads", "trig", "html")
SUFFIXES = ("ttl", "nt", "nq", "trig", "rdf", "jsonld")
NAMES = {
    "act": "urn:lex:it:stato:costituzione:1947-12-27;lex-1",
    "version": "urn:lex:it:stato:costituzione:1947-12-27;lex-1@2022-11-07:it",
    "alias": "urn:lex:coe.int:conseil.europe:convention:1950-11-04;ste-5",
    "file": (
        "urn:lex:coe.int:council.europe:convention:1950-11-04;ets-5"
        "@2013-06-24;2021-08-01:en$echr.coe.int:application-pdf"
    ),
    "partition": "urn:lex:it:stato:costituzione:1947-12-27;lex-1~art3",
    "unknown": ACT,
}
BAD_ROWS = f"""urn,title@it,issued,url,bytes,alias_of,version_order,status,license
{ACT},Tutela delle acque,2003-09-21,https://x.example/a.html,,,,,https://x.example/l
{ACT}@2005-01-01:it,,,https://x.example/b.html,12,,,,
urn:lex:it:stato:legge:2003-9-21;1,Senza data,,,,,,,
urn:lex:it:stato:legge:2004-01-01;2,Giorno,2004-02-30,,,,,,
urn:lex:it:stato:legge:2004-01-01;3,Indirizzo,,javascript:alert(1),,,,,
urn:lex:it:stato:legge:2004-01-01;4,Byte,,https://x.example/c.html,many,,,,
urn:lex:it:stato:legge:2004-01-01;5,Alias,,,,not a name,,,
urn:lex:it:stato:legge:2004-01-01;6,Ordine,,,,,first,,
urn:lex:it:stato:legge:2004-01-01;7,Stato,,,,,,lost,
urn:lex:it:stato:legge:2004-01-01;8,"Due
righe",2004-01-01,,,,,,
urn:lex:it:stato:legge:2004-01-01;9,Troppe,,,,,,,,,,
,Nessun nome,,,,,,,
{ACT},Di nuovo,2003-09-22,,,,,,
urn:lex:it:stato:legge:2004-01-01;10,Sé stesso,,,,urn:lex:it:stato:legge:2004-01-01;10,,,
"""
UNTITLED = "urn,url\nurn:lex:it:stato:legge:2004-01-01;1,https://x.example/a.pdf\n"
HOSTILE_TITLE = """</title><script>alert('x')</script> & ""più"" <!-- --"""
ODD_NAMES = """urn,title
urn:lex:it:stato:legge:2003-09-21;con,Nome di dispositivo
urn:lex:it:stato:legge:2003-09-21;NUMBER,Lungo
urn:lex:it:stato:legge:2003-09-21;a%C3%A0%E4%B8%80,Altre lettere
urn:lex:it:stato:legge:2003-09-21|1-tishri-5764;7,Data locale
urn:lex:it;veneto:giunta;finanze+consiglio:decreto;urgente:1999-09-02;3,Diversi
"urn:lex:it:stato:legge:2003-09-21;456:allegato.1;tabella~Art1;par2","TITLE"
urn:lex:it:stato:legge:2003-09-21;456@bozza;2006-01-01:it,Bozza
""".replace("NUMBER", "1" * 230).replace("TITLE", HOSTILE_TITLE)


def record(recorder: Recorder) -> None:
    """Record all items about tables and graphs."""
    Path("bad.csv").write_text(BAD_ROWS, "utf-8")
    Path("untitled.csv").write_text(UNTITLED, "utf-8")
    Path("odd.csv").write_text(ODD_NAMES, "utf-8")
    Path("latin.csv").write_bytes("urn,title\nurn:lex:it:x:y:2000;1,Sé\n".encode("cp1252"))
    Path("unknown.csv").write_text(f"urn,colour\n{ACT},red\n", "utf-8")
    Path("empty.csv").write_text("urn,title\n", "utf-8")
    Path("rows.jsonl").write_text(
        json_lines([{"urn": ACT, "title@it": "Acque"}, {"urn": 3}, {"urn": f"{ACT}@x:it"}, [1]])
        + "{]\n",
        "utf-8",
    )
    _describe(recorder)
    _versions(recorder)
    _head(recorder)
    _validate(recorder)
    _broken(recorder)
    _publish(recorder)


def _describe(recorder: Recorder) -> None:
    for key, name in NAMES.items():
        for form in FORMATS:
            arguments = ("describe", name, "--format", form, *DAY)
            recorder.run(f"describe/name/{key}/{form}", *arguments)
            given = ("--manifest", ACTS, "--base", BASE)
            recorder.run(f"describe/manifest/{key}/{form}", *arguments, *given)
    recorder.run("describe/two", "describe", *list(NAMES.values())[:2], "--format", "trig")
    recorder.run("describe/two-html", "describe", *list(NAMES.values())[:2], "--format", "html")
    tables: dict[str, tuple[str, ...]] = {
        "acts": (ACTS,),
        "nir": NIR,
        "portal": PORTAL,
        "queries": ("cases/query_acts.csv",),
        "resolve": ("cases/resolve_acts.csv", "--dialect", "auto"),
        "odd": ("odd.csv",),
        "parquet": ("acts.parquet",),
        "minted": ("examples/metadata.csv", "--map", "examples/metadata.toml"),
    }
    with Path(ACTS).open(encoding="utf-8", newline="") as file:
        rows = [{key: cell or None for key, cell in row.items()} for row in csv.DictReader(file)]
    pq.write_table(pa.Table.from_pylist(rows), "acts.parquet")
    for key, given in tables.items():
        for form in FORMATS[1:]:
            arguments = ("describe", "--manifest", *given, "--format", form, "--base", BASE, *DAY)
            recorder.run(f"describe/table/{key}/{form}", *arguments)
    for key in ("bad", "latin", "unknown", "empty"):
        more = ("--rejects", f"{key}.rejects-described.csv", *DAY)
        recorder.run(f"describe/table/{key}", "describe", "--manifest", f"{key}.csv", *more)
    recorder.run("describe/table/jsonl", "describe", "--manifest", "rows.jsonl", *DAY)
    recorder.run(
        "describe/dialect",
        "describe",
        "urn:nir:stato:legge:1990-08-07;241#art2",
        "--dialect",
        "nir",
    )
    recorder.run("describe/bad-name", "describe", "urn:lex:it")
    recorder.run("describe/nothing", "describe")
    recorder.run("describe/missing", "describe", ACT, "--manifest", "none.csv")
    recorder.run("describe/bad-day", "describe", ACT, "--as-of", "tomorrow")
    recorder.run("describe/bad-base", "describe", ACT, "--base", "ftp:x")


def _versions(recorder: Recorder) -> None:
    for row in rows_of("versions"):
        days = {day for chain in row.get("chains", ()) for day in chain["current"]}
        days.add("2026-01-01")
        for day in sorted(days)[:: max(1, len(days) // 2)]:
            recorder.run(
                f"versions/{row['id']}/{day}",
                *("describe", "--manifest", "-", "--as-of", day),
                stdin=json_lines(row["records"]),
            )


def _head(recorder: Recorder) -> None:
    for key, name in NAMES.items():
        recorder.run(f"head/name/{key}", "head", name, "--base", BASE, *DAY)
        given = ("--base", BASE, "--manifest", ACTS, *DAY)
        recorder.run(f"head/manifest/{key}", "head", name, *given)
    for number, line in enumerate(ODD_NAMES.splitlines()[1:]):
        name = line.split(",")[0].strip('"')
        recorder.run(
            f"head/odd/{number}", "head", name, "--base", BASE, "--manifest", "odd.csv", *DAY
        )
    recorder.run("head/bad-name", "head", "urn:lex:it", "--base", BASE)
    recorder.run("head/no-base", "head", ACT)
    recorder.run("head/bad-base", "head", ACT, "--base", "law")


def _validate(recorder: Recorder) -> None:
    targets: dict[str, tuple[str, ...]] = {
        "acts": (ACTS,),
        "nir": NIR,
        "untitled": ("untitled.csv",),
        "bad": ("bad.csv",),
        "odd": ("odd.csv",),
        "latin": ("latin.csv",),
        "unknown": ("unknown.csv",),
        "empty": ("empty.csv",),
        "rows": ("rows.jsonl",),
        "missing": ("none.csv",),
        "two": ("untitled.csv", "odd.csv"),
        "no-rdf": ("bad.csv", "--input", "turtle"),
    }
    for key, given in targets.items():
        for form in ("text", "json", "turtle"):
            arguments = ("validate", *given, "--format", form, "--base", BASE, *DAY)
            recorder.run(f"validate/{key}/{form}", *arguments)
    for suffix in SUFFIXES:
        for engine in ("bulk", "reference") if suffix == "nq" else ("bulk",):
            arguments = ("validate", f"golden/sample.{suffix}", "--engine", engine)
            recorder.run(f"validate/golden/{suffix}/{engine}", *arguments, "--format", "json")
    packed = Path("sample.nq.gz")
    packed.write_bytes(gzip.compress(Path("golden/sample.nq").read_bytes(), mtime=0))
    recorder.run("validate/packed", "validate", packed)
    recorder.run("validate/nothing", "validate")
    recorder.keep_folder("validate/rejects", _rejects("validated"))


def _rejects(name: str) -> Path:
    """Move all rejects files that commands have left to a folder."""
    folder = Path(name)
    folder.mkdir()
    for path in sorted([*Path().glob("*.rejects*"), *Path("examples").glob("*.rejects*")]):
        path.rename(folder / path.name)
    return folder


def _broken(recorder: Recorder) -> None:
    sound = json.loads(Path(__file__).with_name("sound.json").read_text("utf-8"))
    families = [_triples(sound, "\n".join(family)) for family in sound["families"]]
    # A tenth of the cases: each is a run of the engine.
    for row in rows_of("broken")[::10]:
        remove, add = _triples(sound, row["remove"]), _triples(sound, row["add"])
        touched = {node for subject, _, value in remove | add for node in (subject, value)}
        parts = [part for part in families if touched & {subject for subject, _, _ in part}]
        merged = (set().union(*(parts or families[:1])) - remove) | add
        file = Path(f"{row['id']}.nt")
        file.write_text("".join(f"{' '.join(each)} .\n" for each in sorted(merged)), "utf-8")
        recorder.run(f"validate/broken/{row['id']}", "validate", file, "--format", "json")


def _triples(sound: dict[str, Any], text: str) -> set[tuple[str, str, str]]:
    head = "".join(f"@prefix {prefix}: <{iri}> .\n" for prefix, iri in sound["prefixes"].items())
    records = {f"{key}_record": f"{node[:-1]}#record>" for key, node in sound["nodes"].items()}
    turtle = head + Template(text).safe_substitute(sound["nodes"] | records)
    quads = pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE)
    return {(str(quad.subject), str(quad.predicate), str(quad.object)) for quad in quads}


def _publish(recorder: Recorder) -> None:
    base = ("--base", BASE, "--jobs", "1")
    tables: dict[str, tuple[str, ...]] = {
        "acts": (ACTS,),
        "nir": NIR,
        "portal": PORTAL,
        "queries": ("cases/query_acts.csv",),
        "odd": ("odd.csv",),
        "minted": ("examples/metadata.csv", "--map", "examples/metadata.toml", "--force"),
        "unnumbered": ("examples/unnumbered.csv",),
        "bad": ("bad.csv",),
        "bad-forced": ("bad.csv", "--force"),
        "untitled": ("untitled.csv",),
        "untitled-forced": ("untitled.csv", "--force"),
        "two": ("odd.csv", "cases/query_acts.csv"),
    }
    for key, given in tables.items():
        recorder.run(f"publish/{key}", "publish", *given, "--out", f"site-{key}", *base, *DAY)
        recorder.keep_folder(f"publish/{key}", Path(f"site-{key}"))
    again = ("publish", ACTS, "--out", "site-acts", *base)
    recorder.run("publish/acts-again", *again, *DAY)
    before = files_in(Path("site-acts"))
    recorder.run("publish/acts-later", *again, "--as-of", "2010-01-01")
    recorder.keep_folder("publish/acts-later", Path("site-acts"), unlike=before)
    before = files_in(Path("site-two"))
    recorder.run("publish/fewer", "publish", "odd.csv", "--out", "site-two", *base, *DAY)
    recorder.keep_folder("publish/fewer", Path("site-two"), unlike=before)
    recorder.run("publish/empty", "publish", "empty.csv", "--out", "site-odd", *base, *DAY)
    recorder.run("publish/empty-new", "publish", "empty.csv", "--out", "site-none", *base, *DAY)
    recorder.run("publish/missing", "publish", "none.csv", "--out", "site-none", *base, *DAY)
    recorder.run("publish/unknown", "publish", "unknown.csv", "--out", "site-none", *base, *DAY)
    recorder.run("publish/rows", "publish", "rows.jsonl", "--out", "site-rows", *base, *DAY)
    Path("other").mkdir()
    Path("other", "mine.txt").write_text("x", "utf-8")
    recorder.run("publish/foreign", "publish", "odd.csv", "--out", "other", *base, *DAY)
    recorder.run("publish/no-base", "publish", ACTS, "--out", "site-none")
    recorder.run("publish/bad-base", "publish", ACTS, "--out", "site-none", "--base", "law")
    text = json_lines([{"urn": ACT, "title@it": "Acque"}])
    recorder.run("publish/stdin", "publish", "-", "--out", "site-stdin", *base, *DAY, stdin=text)
    recorder.keep_folder("publish/rejects", _rejects("published"))
