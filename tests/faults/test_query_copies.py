"""Queries from the command line: a copy of its process answers them, within the same limits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from query_store import nquads

from lexurn.catalogue import open_catalogue

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").is_dir(), reason="only Linux counts the threads of a process"
)

# A second interpreter would be an error of Python.
PROGRAM = "import subprocess; subprocess.Popen = None; from lexurn.cli import main; main()"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }"
LARGE = "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a"
ALL = "SELECT * { ?s ?p ?o }"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("copies") / "law")
    with open_catalogue(place, write=True) as catalogue:
        catalogue.store.fill(nquads())
    return place


def make_command(place: str, *arguments: str) -> list[str]:
    return [sys.executable, "-P", "-c", PROGRAM, "catalogue", "query", "-c", place, *arguments]


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (["is-known", "-p", "name=urn:lex:xx:none:law:2000-01-01;1"], "false\n"),
        (["--sparql", "ASK {}"], "true\n"),
        (["--sparql", "SELECT (1 AS ?n) {}", "--format", "csv"], "n\r\n1\r\n"),
        (["--sparql", "CONSTRUCT { <a:b> <a:c> 1 } {}", "--format", "ntriples"], None),
    ],
)
def test_a_copy_answers(place: str, arguments: list[str], output: str | None) -> None:
    run = subprocess.run(make_command(place, *arguments), capture_output=True, check=True)
    triple = '<a:b> <a:c> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
    assert run.stdout.decode() == (output or triple)
    assert run.stderr == b""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sparql", ENDLESS, "--timeout", "1"], "longer than 1 seconds"),
        (["--sparql", LARGE, "--memory", "50"], "more memory than 50 megabytes"),
        (["--sparql", f"SELECT * {{ FILTER({'1+' * 60_000}1) }}"], "too deeply nested"),
        (["--sparql", "SELECT * { ?s ?p"], "not SPARQL: line 1, column 17"),
        (["--sparql", "SELECT * { SERVICE <http://127.0.0.1:9/> {} }"], "--allow service"),
        (
            ["--sparql", "SELECT * { SERVICE <http://127.0.0.1:9/> {} }", "--allow", "service"],
            "port 9",
        ),
    ],
)
def test_a_copy_is_held_to_limits(place: str, arguments: list[str], message: str) -> None:
    run = subprocess.run(make_command(place, *arguments), capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (1, b"")
    assert message in run.stderr.decode()
    assert run.stderr.count(b"\n") == 1


def find_copies(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split()


def has_ended(process: str) -> bool:
    """Return whether a process ends; the system may take a moment on a busy machine."""
    deadline = time.monotonic() + 30
    while Path("/proc", process).exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not Path("/proc", process).exists()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_a_signal_ends_a_copy_too(place: str, number: signal.Signals, code: int) -> None:
    command = make_command(place, "--sparql", ENDLESS, "--timeout", "0")
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as process:
        deadline = time.monotonic() + 30
        while not find_copies(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        copies = find_copies(process.pid)
        assert len(copies) == 1
        os.killpg(process.pid, number)  # as a terminal does
        _, errors = process.communicate(timeout=30)
    assert process.returncode == code
    assert b"Traceback" not in errors
    assert has_ended(copies[0])


def test_a_copy_ends_with_its_caller(place: str) -> None:
    command = make_command(place, "--sparql", ENDLESS, "--timeout", "0")
    with subprocess.Popen(command) as process:
        deadline = time.monotonic() + 30
        while not find_copies(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        (copy,) = find_copies(process.pid)
        time.sleep(1)
        process.kill()
    assert has_ended(copy)


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
def test_standard_streams_may_be_closed(place: str, closed: str) -> None:
    shell = f'exec "$@" {closed}'
    command = ["sh", "-c", shell, "sh", *make_command(place, "--sparql", "ASK {}")]
    assert subprocess.run(command, capture_output=True, check=True).stdout == b"true\n"


def test_a_reader_may_stop(place: str) -> None:
    command = make_command(place, "--sparql", f"{ALL} ORDER BY ?s", "--format", "tsv")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(timeout=30) in {0, 1}


def test_a_process_with_threads_is_not_copied(place: str) -> None:
    code = (
        "import os, sys, threading, time\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "os.fork = None\n"  # an error of Python, if it is called
        "from lexurn.cli import main; main()"
    )
    command = [sys.executable, "-P", "-c", code, "catalogue", "query", "-c", place]
    run = subprocess.run([*command, "--sparql", "ASK {}"], capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (0, b"true\n")
