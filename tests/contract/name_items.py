"""Items about names: parse, compare, http, convert, label, mint, and the registry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recorder import Recorder

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
FULL = f"{ACT}@2005-01-01:it$parlamento.it:application-pdf;1.7~art3;par2"
BASE = "https://law.example"
READINGS = ("text", "grammar")
_TOML = "separator = ';'\n[columns]\nstato = 'jurisdiction'\natto = 'measure'\ndata = 'date'\n"


def rows_of(case_file: str) -> list[dict[str, Any]]:
    """Return the cases of a file of JSON Lines."""
    text = Path("cases", f"{case_file}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def lines(texts: Iterable[str]) -> str:
    """Return a line a text; those that do not fit on a line are left out."""
    return "".join(
        f"{text}\n" for text in texts if text == text.strip() and not set(text) & _BREAKS
    )


_BREAKS = set("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


def json_lines(values: Iterable[object]) -> str:
    """Return a JSON object a line."""
    return "".join(f"{json.dumps(value, ensure_ascii=False)}\n" for value in values)


def record(recorder: Recorder) -> None:
    """Record all items about names."""
    _parse(recorder)
    _compare(recorder)
    _http(recorder)
    _convert(recorder)
    _label(recorder)
    _mint(recorder)
    _mint_tables(recorder)
    _mint_refusals(recorder)
    _registry(recorder)
    _registry_files(recorder)


def _parse(recorder: Recorder) -> None:
    fields = {
        "name_valid": ("text",),
        "name_invalid": ("text",),
        "name_warnings": ("text",),
        "name_suggestions": ("text",),
        "name_equivalence": ("a", "b"),
        "http_reversible": ("name",),
        "dialect": ("text",),
        "urn_8141": ("text",),
        "urn_2141": ("text",),
    }
    for file, keys in fields.items():
        rows = rows_of(file)
        stdin = lines(row[key] for row in rows for key in keys)
        for reading in READINGS:
            for form in ("jsonl", "text", "name"):
                key = f"parse/{file}/{reading}/{form}"
                recorder.run(key, "parse", "--reading", reading, "--format", form, "-", stdin=stdin)
        broken = [row[key] for row in rows for key in keys if not lines([row[key]])]
        for number, text in enumerate(broken):
            recorder.run(f"parse/{file}/odd/{number:03}", "parse", "--format", "jsonl", "--", text)
    for form in ("jsonl", "text", "name"):
        recorder.run(f"parse/arguments/{form}", "parse", FULL, "urn:lex:x", "", "--format", form)
    recorder.run("parse/long", "parse", f"{ACT}{'9' * 9000}")
    recorder.run("parse/bytes", "parse", "-", stdin=b"urn:lex:it:stat\xff:legge:2003;1\n")
    recorder.run("parse/components", "parse", "--format", "jsonl", f"{ACT}?+a?=b#c", f"{ACT}#x")
    recorder.run("parse/nothing", "parse")
    recorder.run("parse/empty", "parse", "-", stdin="")
    recorder.run("parse/wrong-option", "parse", ACT, "--format", "yaml")
    recorder.run("parse/unknown-option", "parse", ACT, "--colour")


def _compare(recorder: Recorder) -> None:
    cases = [(f"names/{row['id']}", row["a"], row["b"]) for row in rows_of("name_equivalence")]
    cases += [
        (f"urns/{number:03}", row["first"], row["second"])
        for number, row in enumerate(rows_of("urn_equivalence"))
    ]
    cases += [
        ("other/language", f"{ACT}@2005-01-01:it", f"{ACT}@2005-01-01:de"),
        ("other/levels", ACT, FULL),
        ("other/not-a-name", ACT, "urn:lex:it"),
    ]
    for key, first, second in cases:
        for form in ("text", "json"):
            recorder.run(f"compare/{key}/{form}", "compare", first, second, "--format", form)
    recorder.run("compare/grammar", "compare", f"{ACT}~a", ACT, "--reading", "grammar")
    recorder.run("compare/one", "compare", ACT)


def _http(recorder: Recorder) -> None:
    names = lines(row["name"] for row in rows_of("http_reversible") + rows_of("http_draft"))
    for style in ("reversible", "draft"):
        key = f"http/write/{style}"
        recorder.run(key, "http", "--base", BASE, "--style", style, "-", stdin=names)
    for number, row in enumerate(rows_of("http_read")):
        more = ("--publisher", row["publisher"]) if "publisher" in row else ()
        style = ("--style", "draft") if more else ()
        recorder.run(f"http/read/{number:03}", "http", *more, *style, "--", row["uri"])
    for number, row in enumerate(rows_of("http_draft")):
        given = ("--style", "draft", "--publisher", row["publisher"], f"{BASE}{row['path']}")
        recorder.run(f"http/draft/{number:03}", "http", *given)
    recorder.run("http/components", "http", "--base", BASE, f"{ACT}?+r?=q#f")
    recorder.run("http/no-base", "http", ACT)
    recorder.run("http/bad-base", "http", ACT, "--base", "law")
    recorder.run("http/bad-name", "http", "--base", BASE, "urn:lex:it", ACT)


def _convert(recorder: Recorder) -> None:
    stdin = lines(row["text"] for row in rows_of("dialect"))
    for target in ("rfc9676", "lexml", "nir", "draft"):
        for form in ("text", "jsonl", "table"):
            key = f"convert/auto-to-{target}/{form}"
            recorder.run(key, "convert", "--to", target, "--format", form, "-", stdin=stdin)
    for source in ("rfc9676", "lexml", "nir", "draft"):
        key = f"convert/from-{source}"
        recorder.run(key, "convert", "--from", source, "--format", "jsonl", "-", stdin=stdin)
    recorder.run("convert/wrong-dialect", "convert", "--from", "akn", ACT)
    recorder.run("convert/no-registry", "convert", "--registry", "none.ttl", ACT)


def _label(recorder: Recorder) -> None:
    rows = rows_of("labels")
    for lang in sorted({row.get("lang", "") for row in rows}):
        stdin = lines(row["name"] for row in rows if row.get("lang", "") == lang)
        given = ("--lang", lang) if lang else ()
        for form in ("text", "jsonl"):
            key = f"label/{lang or 'own'}/{form}"
            recorder.run(key, "label", *given, "--format", form, "-", stdin=stdin)
    valid = lines(row["text"] for row in rows_of("name_valid"))
    recorder.run("label/valid", "label", "--format", "jsonl", "-", stdin=valid)
    for lang in ("it", "de", "fr", "ja", "ar", "xx", "not a tag"):
        recorder.run(f"label/full/{lang}", "label", FULL, "--lang", lang)
    recorder.run("label/bad-name", "label", "urn:lex:it", ACT)


def _mint_rows(file: str) -> list[dict[str, Any]]:
    return [row["fields"] for row in rows_of(file)]


def _mint(recorder: Recorder) -> None:
    act = {"jurisdiction": "it", "measure": "Legge", "number": "1"}
    phrases = [row for row in rows_of("minting_text") if row["do"] in {"phrase", "fold"}]
    numbers = [row for row in rows_of("minting_text") if row["do"] == "number"]
    annexes = [row for row in rows_of("minting_text") if row["do"] == "annex"]
    dated = act | {"date": "2001-02-03"}
    tables = {
        "rfc": _mint_rows("minting_rfc"),
        "languages": _mint_rows("minting_languages"),
        "dates": [
            act
            | {"date": row["text"], "language": row["language"]}
            | ({"date_order": row["order"]} if "order" in row else {})
            for row in rows_of("minting_dates")
        ],
        "phrases": [
            dated
            | {"authority": row["text"]}
            | {key: row[key] for key in ("language", "mode") if key in row}
            for row in phrases
        ],
        "numbers": [dated | {"number": row["text"]} for row in numbers],
        "annexes": [dated | {"annex": row["text"]} for row in annexes],
        "partitions": [dated | {"partition": row["text"]} for row in numbers],
        "citations": [
            {"jurisdiction": row["law"], "language": row["language"], "citation": row["text"]}
            for row in rows_of("minting_text_citations")
        ],
    }
    for name, rows in tables.items():
        stdin = json_lines(rows)
        recorder.run(f"mint/{name}/jsonl", "mint", "--format", "jsonl", "-", stdin=stdin)
        recorder.run(f"mint/{name}/text", "mint", "--explain", "-", stdin=stdin)
    given = ("-j", "it", "--measure", "D.P.R.", "--date", "28 dicembre 2000", "--number", "445")
    for form in ("text", "jsonl"):
        recorder.run(f"mint/options/{form}", "mint", *given, "--explain", "--format", form)
    more = {
        "annex": ("--annex", "Allegato A; tabella"),
        "version": ("--version", "originale", "--version-language", "it"),
        "amended": ("--amendment-date", "1.2.2005", "--date-order", "dmy"),
        "event": ("--event-date", "2005-03-01", "--event", "rettifica", "--version", "2005-01-01"),
        "file": ("--version", "originale", "--editor", "Parlamento.it", "--media-type", "text/xml"),
        "component": (
            "--editor",
            "x.it",
            "--media-type",
            "application/pdf; 1.7",
            "--component",
            "t",
        ),
        "feature": ("--editor", "x.it", "--media-type", "text/html", "--feature", "anonimo"),
        "partition": ("--partition", "art. 3, comma 2"),
        "hebrew": ("--calendar", "hebrew"),
        "hijri": ("--calendar", "hijri"),
        "japanese": ("--calendar", "japanese"),
        "local": ("--local-date", "21 Elul 5759"),
        "suffix": ("--number-suffix", "bis"),
        "unicode": ("--authority", "Città di Forlì", "--mode", "utf8"),
        "ascii": ("--authority", "Città di Forlì", "--mode", "ascii"),
        "specification": ("--measure-specifications", "speciale"),
        "wrong-calendar": ("--calendar", "maya"),
        "wrong-mode": ("--mode", "ebcdic"),
        "wrong-order": ("--date-order", "xyz"),
    }
    for name, options in more.items():
        recorder.run(f"mint/options/{name}", "mint", *given, *options, "--format", "jsonl")


def _mint_tables(recorder: Recorder) -> None:
    recorder.run(
        "mint/table/metadata", "mint", "examples/metadata.csv", "--map", "examples/metadata.toml"
    )
    recorder.run(
        "mint/table/metadata-jsonl",
        *("mint", "examples/metadata.csv", "--map", "examples/metadata.toml", "--format", "jsonl"),
    )
    recorder.run("mint/table/unnumbered", "mint", "examples/unnumbered.csv", "--explain")
    Path("taken.txt").write_text("urn:lex:it:stato:legge:2000-07-27;lex-1\n", "utf-8")
    recorder.run("mint/table/taken", "mint", "examples/unnumbered.csv", "--taken", "taken.txt")
    recorder.run(
        "mint/table/taken-manifest",
        "mint",
        "examples/unnumbered.csv",
        "--taken",
        "examples/acts.csv",
    )
    taken = ("-j", "it", "--measure", "Legge", "--date", "27 luglio 2000", "--unnumbered")
    recorder.run("mint/taken", "mint", *taken, "1", "--taken", "taken.txt")
    recorder.run("mint/next", "mint", *taken, "true", "--taken", "taken.txt")
    Path("own.toml").write_text(_TOML, "utf-8")
    Path("own.csv").write_text("stato;atto;data\nit;Legge;1.1.2000\nit;;\n", "utf-8")
    recorder.run("mint/table/bad-rows", "mint", "own.csv", "--map", "own.toml")
    Path("extra.csv").write_text("stato;atto;data;altro\nit;Legge;1.1.2000;x\n", "utf-8")
    recorder.run("mint/table/unknown-column", "mint", "extra.csv", "--map", "own.toml")
    load = ("catalogue", "load", "examples/acts.csv", "-c", "given", "--as-of", "2024-07-01")
    recorder.run("mint/table/load", *load, "--jobs", "1")
    recorder.run("mint/table/with-catalogue", "mint", "examples/unnumbered.csv", "-c", "given")
    recorder.run("mint/table/again", "mint", "examples/unnumbered.csv", "-c", "given")
    recorder.run("mint/table/resume", "mint", "examples/unnumbered.csv", "-c", "given", "--resume")
    recorder.run("mint/table/given", "mint", "-c", "given", "--given")
    recorder.run("mint/table/given-jsonl", "mint", "-c", "given", "--given", "--format", "jsonl")


def _mint_refusals(recorder: Recorder) -> None:
    recorder.run("mint/refused/nothing", "mint")
    recorder.run("mint/refused/no-measure", "mint", "-j", "it")
    recorder.run(
        "mint/refused/ambiguous", "mint", "-j", "it", "--measure", "Legge", "--date", "03/04/2005"
    )
    recorder.run("mint/refused/missing", "mint", "none.csv")
    recorder.run("mint/refused/no-map", "mint", "examples/metadata.csv", "--map", "none.toml")
    recorder.run("mint/refused/not-json", "mint", "-", stdin='{]\n[1]\n{"measure": 3, "x": 1}\n')
    recorder.run(
        "mint/refused/not-json-jsonl", "mint", "--format", "jsonl", "-", stdin="{]\n[1]\n{}\n"
    )


def _registry(recorder: Recorder) -> None:
    recorder.run("registry/check", "registry", "check", "--format", "jsonl")
    shown = recorder.run("registry/show/all/jsonl", "registry", "show", "--format", "jsonl")
    recorder.run("registry/show/all/text", "registry", "show")
    codes = [row["code"] for row in map(json.loads, shown.splitlines()) if "code" in row]
    for code in codes:
        recorder.run(f"registry/show/code/{code}", "registry", "show", code, "--format", "jsonl")
    for language in ("it", "de", "pt", "ar", "ja", "el"):
        recorder.run(f"registry/show/words/{language}", "registry", "show", f"words/{language}")
    for text in ("D.P.R.", "Ministero delle Finanze", "loi", "没有", "BGB"):
        for form in ("text", "jsonl"):
            key = f"registry/show/find/{text}/{form}"
            recorder.run(key, "registry", "show", "--find", text, "--format", form)
    recorder.run("registry/show/kind", "registry", "show", "it", "--kind", "measure")
    recorder.run("registry/show/unknown-kind", "registry", "show", "it", "--kind", "x")
    recorder.run("registry/show/unknown", "registry", "show", "zz")
    iri = "https://w3id.org/lexurn/registry/it/measures/legge"
    recorder.run("registry/show/iri", "registry", "show", iri)


_NAMESPACES = {
    "dcterms": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "reg": "https://w3id.org/lexurn/registry/ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_PREFIXES = " ".join(f"@prefix {prefix}: <{iri}> ." for prefix, iri in _NAMESPACES.items())


def _registry_files(recorder: Recorder) -> None:
    for number, row in enumerate(rows_of("registry_broken")[::2]):
        own = Path(f"broken-{number:03}.ttl")
        own.write_text(f"{_PREFIXES} {row['body']}", "utf-8")
        key = f"registry/broken/{number:03}"
        recorder.run(key, "registry", "check", "--registry", own, "--format", "jsonl")
    add = ("registry", "add", "--registry", "own.ttl")
    recorder.run(
        "registry/add/authority",
        *(*add, "authority", "it", "comune.montelupo", "--label", "it=Comune di Montelupo"),
        *("--abbreviation", "C.M.L.", "--source", "https://montelupo.example/statuto"),
        *("--example", "urn:lex:it:comune.montelupo:delibera:2020-01-01;1"),
        *("--from", "1900-01-01", "--until", "2030-01-01"),
    )
    recorder.run("registry/add/fold", *add, "fold", "de", "u", "--label", "ü")
    recorder.run("registry/add/again", *add, "fold", "de", "u", "--label", "ü")
    recorder.run(
        "registry/add/measure", *add, "measure", "it", "delibera.prova", "--label", "it=Prova"
    )
    recorder.run("registry/add/bad", *add, "authority", "it", "Not A Notation")
    recorder.run("registry/add/bad-kind", *add, "thing", "it", "x")
    recorder.run("registry/add/bad-day", *add, "authority", "it", "x", "--from", "yesterday")
    recorder.keep_file("registry/add/own.ttl", Path("own.ttl"))
    recorder.run("registry/own/check", "registry", "check", "--registry", "own.ttl")
    recorder.run(
        "registry/own/show",
        "registry",
        "show",
        "it",
        "--registry",
        "own.ttl",
        "--kind",
        "authority",
    )
    recorder.run(
        "registry/own/mint",
        *(
            "mint",
            "--registry",
            "own.ttl",
            "-j",
            "it",
            "--authority",
            "C.M.L.",
            "--measure",
            "Delibera",
        ),
        *("--date", "1.2.2020", "--date-order", "dmy", "--number", "7", "--format", "jsonl"),
    )
    name = "urn:lex:it:comune.montelupo:delibera:2020-02-01;7"
    recorder.run("registry/own/label", "label", name, "--registry", "own.ttl")
    Path("before.ttl").write_text(
        Path("own.ttl").read_text("utf-8").replace("montelupo", "x"), "utf-8"
    )
    recorder.run(
        "registry/own/renamed",
        "registry",
        "check",
        "--registry",
        "own.ttl",
        "--before",
        "before.ttl",
    )
    recorder.run("registry/own/missing", "registry", "check", "--registry", "none.ttl")
