"""Items about catalogues: load, dump, stats, check, query, withdraw, refresh, rebuild, resolve."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from name_items import ACT, BASE, json_lines, lines, rows_of
from site_items import ACTS, BAD_ROWS, DAY, NIR, PORTAL, SUFFIXES, UNTITLED

if TYPE_CHECKING:
    from recorder import Recorder

JOBS = ("--jobs", "1")
DUMPS = ("nquads", "ntriples", "turtle", "trig", "jsonld")
ROWS = ("table", "csv", "tsv", "json", "xml")
GRAPHS = ("turtle", "ntriples", "jsonld", "rdfxml")
NAME = "urn:lex:it:stato:costituzione:1947-12-27;lex-1"
CONVENTION = "urn:lex:coe.int:council.europe:convention:1950-11-04;ets-5"
FOREIGN = f"""<{ACT}> <http://purl.org/dc/terms/title> "Legge"@it .
<{ACT}> <http://purl.org/dc/terms/abstract> "x" .
<{ACT}> <http://purl.org/dc/terms/issued> "yesterday" .
<urn:lex:it> <http://purl.org/dc/terms/title> "No name" .
<https://x.example/a.pdf> <http://www.w3.org/ns/dcat#byteSize> "1" .
<{ACT}~art1> <http://purl.org/dc/terms/title> "Articolo 1" .
"""


def record(recorder: Recorder) -> None:
    """Record all items about catalogues."""
    Path("bad.csv").write_text(BAD_ROWS, "utf-8")
    Path("untitled.csv").write_text(UNTITLED, "utf-8")
    Path("foreign.nt").write_text(FOREIGN, "utf-8")
    Path("no.ttl").write_text("this is not Turtle\n", "utf-8")
    _load(recorder)
    _load_rdf(recorder)
    _check(recorder)
    _collisions(recorder)
    _query(recorder)
    _query_texts(recorder)
    _resolve(recorder)
    _resolve_forms(recorder)
    _upkeep(recorder)
    _wrong(recorder)


def _loaded(recorder: Recorder, key: str, place: str, *given: str) -> None:
    """Load into a catalogue, and keep its dump."""
    load = ("catalogue", "load", *given, "-c", place, *JOBS, *DAY, "--base", BASE)
    recorder.run(f"catalogue/load/{key}", *load)
    recorder.run(f"catalogue/load/{key}-dump", "catalogue", "dump", "-c", place)


def _load(recorder: Recorder) -> None:
    _loaded(recorder, "acts", "law", ACTS)
    _loaded(recorder, "acts-again", "law", ACTS)
    _loaded(recorder, "nir", "nir", *NIR)
    _loaded(recorder, "portal", "nir", *PORTAL)
    _loaded(recorder, "bad", "bad", "bad.csv")
    _loaded(recorder, "bad-rejects", "bad", "bad.csv", "--rejects", "my-rejects.csv")
    recorder.keep_file("catalogue/load/my-rejects.csv", Path("my-rejects.csv"))
    _loaded(recorder, "checked", "checked", "untitled.csv", "--check")
    _loaded(recorder, "two", "two", "cases/query_acts.csv", "untitled.csv")
    changed = Path("examples/acts.csv").read_text("utf-8").splitlines(keepends=True)
    Path("changed.csv").write_text("".join(changed[:12]).replace("Costituzione", "Carta"), "utf-8")
    _loaded(recorder, "changed", "law2", ACTS)
    _loaded(recorder, "changed-after", "law2", "changed.csv")
    for form in DUMPS:
        recorder.run(f"catalogue/dump/{form}", "catalogue", "dump", "-c", "law", "--format", form)
    for name in ("law.nq", "law.nq.gz", "law.ttl", "law.trig", "law.jsonld", "law.nt"):
        recorder.run(f"catalogue/dump/file/{name}", "catalogue", "dump", name, "-c", "law")
        recorder.keep_file(f"catalogue/dump/files/{name}", Path(name))


def _load_rdf(recorder: Recorder) -> None:
    for suffix in SUFFIXES:
        _loaded(recorder, f"golden-{suffix}", f"golden-{suffix}", f"golden/sample.{suffix}")
    for name in ("law.nq.gz", "law.ttl", "law.jsonld"):
        _loaded(recorder, f"dump-{name}", f"from-{name}", name)
    _loaded(recorder, "over", "over", "golden/sample.nq")
    _loaded(recorder, "over-again", "over", "golden/sample.ttl")
    _loaded(recorder, "foreign", "foreign", "foreign.nt")
    _loaded(recorder, "no-turtle", "none", "no.ttl")
    _loaded(recorder, "sidecar", "sidecar", "golden_sidecars/act.bin.lexurn.ttl")
    _loaded(recorder, "published", "published", "golden_export/describe_version.ttl")


def _check(recorder: Recorder) -> None:
    check = ("catalogue", "check", *JOBS)
    for form in ("text", "html", "json", "sarif", "turtle"):
        recorder.run(f"catalogue/check/bad/{form}", *check, "-c", "bad", "--format", form)
    for place in ("law", "nir", "two", "foreign", "golden-nq"):
        recorder.run(f"catalogue/check/{place}", *check, "-c", place, "--format", "json")
    recorder.run("catalogue/check/list", *check, "-c", "law", "--list")
    recorder.run("catalogue/check/only", *check, "-c", "law", "--only", "License")
    recorder.run("catalogue/check/skip", *check, "-c", "law", "--skip", "License")
    recorder.run("catalogue/check/sample", *check, "-c", "law", "--sample", "10")
    recorder.run("catalogue/check/unknown-rule", *check, "-c", "law", "--only", "LX000")
    recorder.run("catalogue/check/out", *check, "-c", "law", "--out", "c.html", "--format", "html")
    recorder.keep_file("catalogue/check/c.html", Path("c.html"))


def _collisions(recorder: Recorder) -> None:
    """All acts of all cases in one catalogue."""
    acts = {act["urn"]: act for row in rows_of("collisions") for act in row["acts"]}
    Path("collisions.jsonl").write_text(json_lines(acts.values()), "utf-8")
    _loaded(recorder, "collisions", "collisions", "collisions.jsonl")
    for form in ("text", "json"):
        key = f"catalogue/check/collisions/{form}"
        recorder.run(key, "catalogue", "check", *JOBS, "-c", "collisions", "--format", form)


def _query(recorder: Recorder) -> None:
    _loaded(recorder, "queries", "queries", "cases/query_acts.csv")
    query = ("catalogue", "query", "-c", "queries")
    for form in ("table", "json"):
        recorder.run(f"catalogue/query/list/{form}", *query, "--list", "--format", form)
    asked: Counter[str] = Counter()
    for row in rows_of("queries"):
        # Each run is a process: two of each query at most.
        asked[row["query"]] += 1
        if asked[row["query"]] > 2:
            continue
        given = [part for pair in row["given"].items() for part in ("-p", "=".join(pair))]
        key = f"catalogue/query/ready/{row['query']}-{asked[row['query']]}"
        plain = isinstance(row["answer"], list) and row["query"] not in {"about", "tree"}
        recorder.run(key, *query, row["query"], *given, "--format", "csv" if plain else "table")
    recorder.run("catalogue/query/show", *query, "--show", "version-at")


def _query_texts(recorder: Recorder) -> None:
    query = ("catalogue", "query", "-c", "law")
    select = "SELECT ?s ?o { ?s <http://purl.org/dc/terms/title> ?o } ORDER BY ?s ?o"
    construct = f"CONSTRUCT {{ <{NAME}> ?p ?o }} WHERE {{ <{NAME}> ?p ?o }}"
    for form in ROWS:
        arguments = (*query, "--sparql", select, "--limit", "20", "--format", form)
        recorder.run(f"catalogue/query/select/{form}", *arguments)
        recorder.run(
            f"catalogue/query/ask/{form}", *query, "--sparql", "ASK { ?s ?p ?o }", "--format", form
        )
    for form in GRAPHS:
        arguments = (*query, "--sparql", construct, "--format", form)
        recorder.run(f"catalogue/query/construct/{form}", *arguments)
    recorder.run("catalogue/query/construct/csv", *query, "--sparql", construct, "--format", "csv")
    recorder.run("catalogue/query/describe", *query, "--sparql", f"DESCRIBE <{NAME}>")
    Path("own.rq").write_text(select, "utf-8")
    recorder.run("catalogue/query/file", *query, "own.rq", "--limit", "3")
    recorder.run("catalogue/query/stdin", *query, "-", "--limit", "3", stdin=select)
    parameter = ("--sparql", "SELECT ?p ?o { $x ?p ?o } ORDER BY ?p ?o", "-p", f"x:name={NAME}")
    recorder.run("catalogue/query/parameter", *query, *parameter, "--format", "tsv")
    wrong = {
        "syntax": ("--sparql", "SELECT {"),
        "service": ("--sparql", "SELECT * { SERVICE <http://x.example/> { ?s ?p ?o } }"),
        "update": ("--sparql", "DELETE WHERE { ?s ?p ?o }"),
        "load": ("--sparql", "LOAD <http://x.example/>"),
        "unknown": ("no-such-query",),
        "missing-parameter": ("version-at",),
        "bad-parameter": ("version-at", "-p", "work=urn:lex:it"),
        "other-parameter": ("version-at", "-p", f"work={NAME}", "-p", "colour=red"),
        "bad-date": ("acts-on", "-p", "date=2003-02-30"),
        "nothing": (),
        "both": ("acts-on", "--sparql", "ASK {}"),
        "show": ("--show", "no-such-query"),
        "graph-as-rows": ("about", "-p", f"name={NAME}", "--format", "csv"),
    }
    for key, given in wrong.items():
        recorder.run(f"catalogue/query/wrong/{key}", *query, *given)


def _resolve(recorder: Recorder) -> None:
    load = ("catalogue", "load", "cases/resolve_acts.csv", "-c", "resolve", *JOBS)
    recorder.run("resolve/load", *load, "--as-of", "2026-01-01", "--dialect", "auto")
    for number, row in enumerate(rows_of("resolve")):
        ask = {"date": "2026-01-01"} | row["ask"]
        name = ask.pop("name")
        ask.pop("base", None)
        options = [part for option, value in ask.items() for part in (f"--{option}", value)]
        given = (*options, "--format", "jsonl", "--", name)
        recorder.run(f"resolve/{number:03}-{row['id']}", "resolve", "-c", "resolve", *given)


def _resolve_forms(recorder: Recorder) -> None:
    names = {
        "exact": NAME,
        "partition": f"{NAME}~art3",
        "alias": "urn:lex:coe.int:conseil.europe:convention:1950-11-04;ste-5",
        "file": f"{CONVENTION}@2013-06-24;2021-08-01:en",
        "dialect": "urn:nir:stato:lege:1990;241#art2",
        "partial": "urn:lex:it:stato:legge:1990-08-07",
        "not-found": "urn:lex:it:stato:legge:1800-01-01;1",
        "bad": "urn:lex",
    }
    for key, name in names.items():
        for form in ("text", "json", "jsonl", "urls"):
            given = ("-c", "law", "--date", "2024-07-01", "--format", form, name)
            recorder.run(f"resolve/forms/{key}/{form}", "resolve", *given)
    stdin = lines(names.values())
    for form in ("text", "json"):
        given = ("-c", "law", "--date", "2024-07-01", "--format", form, "-")
        recorder.run(f"resolve/forms/all/{form}", "resolve", *given, stdin=stdin)
    given = ("-c", "law", "--date", "1950-01-01", "--language", "it", NAME)
    recorder.run("resolve/forms/day-and-language", "resolve", *given)
    recorder.run("resolve/wrong/date", "resolve", "-c", "law", "--date", "1950-13-01", NAME)
    recorder.run("resolve/wrong/language", "resolve", "-c", "law", "--language", "%", NAME)
    recorder.run("resolve/wrong/no-catalogue", "resolve", "-c", "nowhere", NAME)
    recorder.run("resolve/wrong/none", "resolve", NAME)


def _upkeep(recorder: Recorder) -> None:
    for form in ("text", "json"):
        for place in ("law", "resolve", "golden-nq"):
            key = f"catalogue/stats/{place}/{form}"
            recorder.run(key, "catalogue", "stats", "-c", place, "--format", form)
    later = ("-c", "law", "--as-of", "2010-01-01")
    _changed(recorder, "refresh", "refresh", *later)
    day = ("-c", "law", "--on", "2024-01-01", *DAY)
    _changed(recorder, "withdraw", "withdraw", f"{NAME}@2022-11-07:it", *day)
    _changed(recorder, "withdraw-again", "withdraw", f"{NAME}@2022-11-07:it", *day)
    _changed(recorder, "withdraw-below", "withdraw", NAME, "--below", *day)
    _changed(recorder, "withdraw-stdin", "withdraw", "-", *day, stdin="urn:lex:it\n")
    _changed(recorder, "withdraw-unknown", "withdraw", f"{NAME}-bis", *day)
    recorder.run("catalogue/upkeep/resolved", "resolve", "-c", "law", "--date", "2024-07-01", NAME)
    for path in Path("law").glob("*.sqlite*"):
        path.unlink()
    _changed(recorder, "rebuild", "rebuild", "-c", "law", *JOBS)
    recorder.run("catalogue/upkeep/found", "resolve", "-c", "law", "--date", "2024-07-01", NAME)
    _changed(recorder, "optimize", "optimize", "-c", "law")
    _changed(recorder, "load-over", "load", ACTS, "-c", "law", *JOBS, *DAY)
    recorder.run("catalogue/upkeep/mint", "mint", "-c", "law", "examples/unnumbered.csv")
    recorder.run("catalogue/upkeep/given", "mint", "-c", "law", "--given", "--format", "jsonl")


def _changed(recorder: Recorder, key: str, *arguments: str, stdin: str | None = None) -> None:
    """Run a command that changes a catalogue, and keep the dump behind it."""
    recorder.run(f"catalogue/upkeep/{key}", "catalogue", *arguments, stdin=stdin)
    recorder.run(f"catalogue/upkeep/{key}-dump", "catalogue", "dump", "-c", "law")


def _wrong(recorder: Recorder) -> None:
    for command in ("stats", "check", "dump", "rebuild", "refresh", "optimize"):
        recorder.run(f"catalogue/wrong/{command}/nowhere", "catalogue", command, "-c", "nowhere")
        recorder.run(f"catalogue/wrong/{command}/none", "catalogue", command)
    Path("full").mkdir()
    Path("full", "mine.txt").write_text("x", "utf-8")
    load = ("catalogue", "load", *JOBS, *DAY)
    recorder.run("catalogue/wrong/load/foreign-folder", *load, ACTS, "-c", "full")
    recorder.run("catalogue/wrong/load/missing", *load, "none.csv", "-c", "none")
    recorder.run("catalogue/wrong/load/format", *load, ACTS, "-c", "none", "--format", "xlsx")
    recorder.run("catalogue/wrong/load/no-rdf", *load, ACTS, "-c", "none", "--format", "nquads")
    recorder.run("catalogue/wrong/load/bad-day", *load, ACTS, "-c", "none", "--as-of", "x")
    recorder.run("catalogue/wrong/withdraw/none", "catalogue", "withdraw", "-c", "law")
    recorder.run(
        "catalogue/wrong/withdraw/day", "catalogue", "withdraw", NAME, "-c", "law", "--on", "x"
    )
    recorder.run("catalogue/wrong/unknown", "catalogue", "forget")
    for path in sorted(Path().glob("*.rejects*")):
        recorder.keep_file(f"catalogue/rejects/{path.name}", path)
