"""Head tags of a published site, held to the ELI ontology 1.5.

``LEXURN_ELI`` is the file of the ontology (http://data.europa.eu/eli/ontology, RDF/XML). The RDFa
of each page of the example acts is read by pyRdfa, and each use of an ELI term is checked against
the classes, the domains, the ranges and the cardinalities that the ontology states.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from eli_ontology import ELI, Ontology, find_faults, read_pages
from export_cases import AS_OF, BASE, name, records
from publish_run import sound

from lexurn import open_manifest, publish
from lexurn.model import Item, Record, families_of

if TYPE_CHECKING:
    from typing import Any

ONTOLOGY = os.environ.get("LEXURN_ELI")
ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
VERSION = "urn:lex:it:stato:legge:2003-09-21;457@2005-01-01"
GAZETTE = "https://files.example/gazette.pdf"
SEVERAL = [
    *records(),
    *(Record(name=name(f"{VERSION}:{tag}"), items=(Item(url=GAZETTE),)) for tag in ("it", "de")),
    Record(name=name(f"{VERSION}:it$a.it:x"), licenses=("https://a.example/l",), publishers=("A",)),
]


@pytest.fixture(scope="module")
def ontology() -> Ontology:
    return Ontology(ONTOLOGY or "")


@pytest.mark.skipif(ONTOLOGY is None, reason="LEXURN_ELI names no file with the ELI ontology")
@pytest.mark.parametrize("source", [ACTS, families_of(SEVERAL)], ids=["examples", "records"])
def test_each_use_of_eli_is_inside_its_ontology(
    source: Any, ontology: Ontology, tmp_path: Path
) -> None:
    _check(source, ontology, tmp_path)


@pytest.mark.skipif(ONTOLOGY is None, reason="LEXURN_ELI names no file with the ELI ontology")
def test_a_portal_uses_eli_inside_its_ontology(ontology: Ontology, tmp_path: Path) -> None:
    corpus = os.environ.get("LEXURN_CORPUS")
    if corpus is None:
        pytest.skip("LEXURN_CORPUS names no folder")
    with open_manifest(Path(corpus) / "lexml_portal.csv") as manifest:
        sample = list(manifest.families())[::8]
    _check(sample, ontology, tmp_path)


def _check(source: Any, ontology: Ontology, tmp_path: Path) -> None:
    publish(source, tmp_path, base=BASE, as_of=AS_OF, check=sound, workers=1)
    graph = read_pages(tmp_path)
    assert list(find_faults(graph, ontology)) == []
    subjects = {subject for subject, term, _ in graph if term.startswith(str(ELI))}
    assert {each for each in subjects if not each.startswith(f"{BASE}/lex/")} == set()
