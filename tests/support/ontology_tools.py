"""What the tests of the ontology share: where its files lie, and the two judges from Java.

HermiT comes with PyPI's ``owlready2``, the OWL API with Debian's ``libowlapi-java``. Where one is
missing, the tests that need it are skipped and say why.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
from pathlib import Path

import pyoxigraph as ox
import pytest

from lexurn import vocabulary
from lexurn.data import find_folder

TOP = Path(__file__).resolve().parents[2]
DATA = Path(__file__).resolve().parents[1] / "data"
JAVA = Path(__file__).resolve().parents[1] / "java"
ONTOLOGY = find_folder("ontology") / "lexurn.ttl"
MAPPINGS = tuple(sorted((find_folder("ontology") / "mappings").glob("*.ttl")))
JARS = Path(os.environ.get("LEXURN_JARS", "/usr/share/java"))

LEXO = "https://w3id.org/lexurn/ns#"
OWL = "http://www.w3.org/2002/07/owl#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SKOS = "http://www.w3.org/2004/02/skos/core#"
XSD = "http://www.w3.org/2001/XMLSchema#"

# the OWL API and what it needs, by the stems of Debian's jars; one logger that says nothing
_JAR_STEMS = (
    *("owlapi-api", "owlapi-apibinding", "owlapi-impl", "owlapi-parsers", "owlapi-rio"),
    *("owlapi-tools", "atinject*", "caffeine*", "commons-*", "guava*", "hppcrt*", "httpc*"),
    *("jackson-*", "jsr305*", "rdf4j-*", "slf4j-api", "slf4j-nop", "xz*"),
)


def list_terms() -> frozenset[str]:
    """The IRIs of all terms in the vocabulary of the code."""
    values = (value for value in vars(vocabulary).values() if isinstance(value, str))
    return frozenset(value[1:-1] for value in values if value.startswith("<"))


def turtle(*paths: Path) -> list[ox.Triple]:
    """The triples of Turtle files together."""
    return [
        quad.triple
        for path in paths
        for quad in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE)
    ]


def statements(text: str) -> list[ox.Triple]:
    """The triples of a Turtle text in which the prefixes lexo:, frbr: and owl: are bound."""
    prefixes = (
        f"@prefix lexo: <{LEXO}> . @prefix owl: <{OWL}> . @prefix rdfs: <{RDFS}> ."
        "@prefix frbr: <http://purl.org/vocab/frbr/core#> . @prefix : <https://law.example/> .\n"
    )
    return [q.triple for q in ox.parse(input=prefixes + text, format=ox.RdfFormat.TURTLE)]


@functools.cache
def kinds(*paths: Path) -> dict[str, set[str]]:
    """For each declared IRI, the local names of its OWL kinds, such as ``ObjectProperty``."""
    found: dict[str, set[str]] = {}
    for triple in turtle(*paths):
        declared = isinstance(triple.subject, ox.NamedNode) and triple.predicate.value == RDF_TYPE
        if declared and triple.object.value.startswith(OWL):
            found.setdefault(triple.subject.value, set()).add(triple.object.value[len(OWL) :])
    return found


def _java() -> str:
    found = shutil.which("java")
    if found is None:
        pytest.skip("HermiT and the OWL API need Java: no `java` on PATH")
    return found


def empty_classes(triples: list[ox.Triple], place: Path) -> set[str] | None:
    """The named classes that HermiT finds to have no member ever; None for a contradiction.

    Days are read as times, since OWL 2 knows none.
    """
    _java()
    owlready2 = pytest.importorskip("owlready2", reason="HermiT comes with owlready2: pip install")
    lines = ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES).decode()
    lines = re.sub(rf'"([^"]*)"\^\^<{XSD}date>', rf'"\1T00:00:00"^^<{XSD}dateTime>', lines)
    file = place / "world.nt"
    file.write_text(lines, encoding="utf-8")
    world = owlready2.World()
    try:
        world.get_ontology(file.as_uri()).load()
        owlready2.sync_reasoner_hermit(world, debug=0)
        return {each.iri for each in world.inconsistent_classes() if each.name != "Nothing"}
    except owlready2.OwlReadyInconsistentOntologyError:
        return None
    finally:
        world.close()


@functools.cache
def _classpath() -> str:
    jars = {jar.resolve() for stem in _JAR_STEMS for jar in JARS.glob(f"{stem}.jar")}
    return os.pathsep.join(map(str, sorted(jars)))


def compiled_checker(place: Path) -> Path:
    """The profile checker of ``tests/java``, compiled into ``place``."""
    _java()
    javac = shutil.which("javac")
    if javac is None:
        pytest.skip("the profile checker is compiled here: no `javac` on PATH")
    if not list(JARS.glob("owlapi-api*.jar")):
        pytest.skip(f"no OWL API in {JARS}: apt install libowlapi-java, or set LEXURN_JARS")
    subprocess.run([javac, "-cp", _classpath(), "-d", place, JAVA / "OwlProfile.java"], check=True)
    return place


def profile_violations(files: list[Path], checker: Path) -> dict[Path, list[str]]:
    """What the OWL API has against each file being in OWL 2 DL."""
    path = os.pathsep.join([str(checker), _classpath()])
    command = [_java(), "-cp", path, "OwlProfile", *map(str, files)]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[Path, list[str]] = {}
    for line in run.stdout.splitlines():
        file, verdict = line.split("\t", 1)
        found.setdefault(Path(file), [])
        if verdict != "OWL 2 DL":
            found[Path(file)].append(verdict)
    assert set(found) == set(files), run.stderr
    return found
