"""Items about the corpora: counts of parse, convert, mint, describe and resolve, with digests."""

from __future__ import annotations

import csv
import hashlib
import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from name_items import json_lines, lines
from recorder import without_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from recorder import Recorder

DAY = ("--as-of", "2024-07-01")
NIR = ("--map", "nir.toml", "--dialect", "nir")
PORTAL = ("--map", "portal.toml", "--dialect", "lexml")


def record(recorder: Recorder) -> None:
    """Record counts over the folder that LEXURN_CORPUS names."""
    corpus = Path(os.environ["LEXURN_CORPUS"])
    for name in ("names_lex", "names_nir"):
        names = corpus.joinpath(f"{name}.txt").read_text("utf-8")
        _parse(recorder, name, names)
        _convert(recorder, name, names)
    _mint(recorder, corpus)
    _tables(recorder, corpus)
    _resolve(recorder, corpus)


def _objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n") if line]


def _keep(recorder: Recorder, key: str, text: str, counts: Counter[str]) -> None:
    """Keep counts, and a digest of what was counted without its sentences."""
    if text.startswith("{"):
        text = json_lines(map(without_sentences, _objects(text)))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    recorder.corpus[key] = json.dumps(dict(sorted(counts.items())) | {"digest": digest}).encode()


def _codes(findings: Iterable[dict[str, Any]]) -> Counter[str]:
    return Counter(f"{each['severity']} {each['code']}" for each in findings)


def _parse(recorder: Recorder, name: str, names: str) -> None:
    for reading in ("text", "grammar"):
        arguments = ("parse", "--reading", reading, "--format", "jsonl", "-")
        text = recorder.only_run(*arguments, stdin=names)
        counts: Counter[str] = Counter()
        for row in _objects(text):
            counts["valid" if row["valid"] else "invalid"] += 1
            counts += _codes(row["findings"])
        _keep(recorder, f"parse/{name}/{reading}", text, counts)


def _convert(recorder: Recorder, name: str, names: str) -> None:
    for target in ("rfc9676", "lexml", "nir", "draft"):
        arguments = ("convert", "--to", target, "--format", "jsonl", "-")
        text = recorder.only_run(*arguments, stdin=names)
        counts: Counter[str] = Counter()
        for row in _objects(text):
            counts[f"{row['dialect']} {row['standing']}"] += 1
            counts.update(f"change {each['code']}" for each in row["changes"])
            counts += _codes(row["findings"])
        _keep(recorder, f"convert/{name}/{target}", text, counts)


def _count_minted(recorder: Recorder, key: str, rows: Iterable[object]) -> None:
    arguments = ("mint", "--format", "jsonl", "-")
    text = recorder.only_run(*arguments, stdin=json_lines(rows))
    counts: Counter[str] = Counter()
    for row in _objects(text):
        counts["minted" if row["name"] else "refused"] += 1
        counts += _codes(row["findings"])
    _keep(recorder, key, text, counts)


def _mint(recorder: Recorder, corpus: Path) -> None:
    rows = _objects(corpus.joinpath("citations", "citations.jsonl").read_text("utf-8"))
    _count_minted(recorder, "mint/citations", [row["input"] for row in rows])
    with corpus.joinpath("lexml_portal.csv").open(encoding="utf-8", newline="") as file:
        titles = [row["title"] for row in csv.DictReader(file)]
    portal = [{"jurisdiction": "br", "language": "pt", "citation": title} for title in titles]
    _count_minted(recorder, "mint/portal-titles", portal)
    with corpus.joinpath("nir_documents.tsv").open(encoding="utf-8", newline="") as file:
        acts = list(csv.DictReader(file, delimiter="\t"))
    documents = [
        {
            "jurisdiction": "it",
            "authority": act["emanante"],
            "measure": act["tipoDoc"],
            "date": act["dataDoc"],
            "number": act["numDoc"],
        }
        for act in acts
    ]
    _count_minted(recorder, "mint/nir-documents", documents)
    _mint_tables(recorder, corpus / "tables")


def _mint_tables(recorder: Recorder, tables: Path) -> None:
    """Mint from the cells of tables of publishers, as they stand."""
    fields = {
        "us-executive-orders.csv": ("us", "executive order", "signing_date", "number"),
        "fr-paris-arretes.csv": ("fr", "arrêté", "date_signature", "numero_arrete"),
        "fr-arretes-secheresse.csv": (
            "fr",
            "arrêté préfectoral",
            "date_signature",
            "numero_arrete",
        ),
        "ar-villa-mercedes-ordenanzas.csv": ("ar", "ordenanza", "year", "number"),
        "br-planalto-leis.csv": ("br", "citation", "lei", ""),
        "bd-ordinances.csv": ("bd", "ordinance", "enactment_date", "act_id"),
    }
    for file, (jurisdiction, measure, date, number) in fields.items():
        with tables.joinpath(file).open(encoding="utf-8-sig", newline="") as handle:
            rows = list(csv.DictReader(handle))[:200]
        if measure == "citation":
            asked = [{"jurisdiction": jurisdiction, "citation": row[date]} for row in rows]
        else:
            asked = [
                {
                    "jurisdiction": jurisdiction,
                    "measure": measure,
                    "date": row[date],
                    "number": row[number],
                }
                for row in rows
            ]
        _count_minted(recorder, f"mint/tables/{file}", asked)


def _tables(recorder: Recorder, corpus: Path) -> None:
    for name in ("nir", "portal"):
        Path(f"{name}.toml").write_bytes(Path(f"examples/{name}.toml").read_bytes())
    for file, given in (("nir_documents.tsv", NIR), ("lexml_portal.csv", PORTAL)):
        Path(file).write_bytes((corpus / file).read_bytes())  # rejects are written beside it
        text = recorder.only_run("validate", file, *given, *DAY, "--format", "json")
        report = json.loads(text) if text else {"counts": {}}
        counts = Counter({f"validate {key}": value for key, value in report["counts"].items()})
        counts.update(each["shape"] for each in report.get("results", ()))
        quads = recorder.only_run("describe", "--manifest", file, *given, *DAY)
        counts["quads"] = quads.count("\n")
        _keep(recorder, f"tables/{file}", quads, counts)


def _resolve(recorder: Recorder, corpus: Path) -> None:
    load = ("catalogue", "load", "-c", "law", *DAY, "--jobs", "1")
    for file, given in (("nir_documents.tsv", NIR), ("lexml_portal.csv", PORTAL)):
        recorder.only_run(*load, file, *given)
    stats = recorder.only_run("catalogue", "stats", "-c", "law", "--format", "json")
    kinds = Counter(json.loads(stats)["kinds"])
    _keep(recorder, "catalogue", recorder.only_run("catalogue", "dump", "-c", "law"), kinds)
    for name in ("names_lex", "names_nir"):
        names = corpus.joinpath(f"{name}.txt").read_text("utf-8").split("\n")[::5]
        arguments = ("resolve", "-c", "law", "--date", "2024-07-01", "--format", "jsonl", "-")
        text = recorder.only_run(*arguments, stdin=lines(filter(None, names)))
        counts: Counter[str] = Counter()
        for row in _objects(text):
            counts[str(row["match"])] += 1
            counts[f"candidates {len(row['candidates'])}"] += 1
            reasons = [each for found in row["candidates"] for each in found["reasons"]]
            counts.update(each["code"] for each in [*reasons, *row["reasons"]])
        _keep(recorder, f"resolve/{name}", text, counts)
