"""Manifests to N-Quads on a real cluster on loopback: a master and two workers of Apache Spark.

``LEXURN_SPARK_ROWS`` says how many rows the long manifest has (3,000 where it says nothing).
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from servers import free_port
from spark_runs import DAY, OneRun, nameless, one_process

import lexurn.spark
from lexurn.errors import LexurnError, ManifestError
from lexurn.manifest import open_manifest
from lexurn.shacl import Result, check_families
from lexurn.spark import Job, Report

pyspark = pytest.importorskip("pyspark.sql", reason="no pyspark here: pip install 'lexurn[spark]'")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("no Java here, which Apache Spark needs", allow_module_level=True)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.findings import Finding

ROWS = int(os.environ.get("LEXURN_SPARK_ROWS", "3000"))
HOME = Path(pyspark.__file__).parents[1]
PROGRAM = Path(lexurn.spark.__file__).with_name("__main__.py")
LOOPBACK = {
    **os.environ,
    "SPARK_LOCAL_IP": "127.0.0.1",
    "SPARK_HOME": str(HOME),
    "PYSPARK_PYTHON": sys.executable,
    "PYSPARK_DRIVER_PYTHON": sys.executable,
    # What finds lexurn here finds it in the tasks.
    "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry),
}
ONE_CORE_OF_EACH = {
    "spark.cores.max": "2",
    "spark.executor.cores": "1",
    "spark.executor.memory": "1g",
    "spark.log.level": "ERROR",
}
PATIENCE = 120


@dataclass(frozen=True)
class Cluster:
    """A master and its workers."""

    url: str
    workers: tuple[int, ...]


@contextlib.contextmanager
def started(folder: Path, kind: str, *options: str) -> Iterator[int]:
    """A daemon of Spark; its process id. It ends with the block, and its children with it."""
    name = f"org.apache.spark.deploy.{kind.lower()}.{kind}"
    command = [str(HOME / "bin" / "spark-class"), name, "--host", "127.0.0.1", *options]
    with (
        (folder / f"{kind}.log").open("ab") as log,
        subprocess.Popen(command, cwd=folder, env=LOOPBACK, stdout=log, stderr=log) as process,
    ):
        try:
            yield process.pid
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    port, page = free_port(), free_port()
    url = f"spark://127.0.0.1:{port}"
    # Each has room for two applications, which have a core of each.
    worker = ("--webui-port", "0", "--cores", "2", "--memory", "2g", "--work-dir", str(folder), url)
    with contextlib.ExitStack() as stack:
        stack.enter_context(
            started(folder, "Master", "--port", str(port), "--webui-port", str(page))
        )
        workers = tuple(stack.enter_context(started(folder, "Worker", *worker)) for _ in range(2))
        _wait_for_workers(f"http://127.0.0.1:{page}/json/", folder)
        yield Cluster(url, workers)


def _wait_for_workers(page: str, folder: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        # A master that starts has the page for people before the one in JSON, a ValueError.
        with (
            contextlib.suppress(OSError, ValueError),
            urllib.request.urlopen(page) as answer,  # noqa: S310 - our own
        ):
            if json.load(answer)["aliveworkers"] == 2:
                return
        time.sleep(0.3)
    logs = "\n".join(log.read_text(errors="replace") for log in folder.glob("*.log"))
    raise RuntimeError(f"no two workers came:\n{logs[-4000:]}")


@pytest.fixture(scope="module")
def session(cluster: Cluster) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in LOOPBACK.items():
            patch.setenv(name, value)
        builder = pyspark.SparkSession.builder.master(cluster.url).appName("tests of lexurn")
        for name, value in {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "4",
            **ONE_CORE_OF_EACH,
        }.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        try:
            yield session
        finally:
            session.stop()


@dataclass(frozen=True)
class ClusterRun:
    quads: bytes
    findings: Counter[Finding]
    results: list[Result]
    report: Report


def on_cluster(session: Any, job: Job) -> ClusterRun:
    findings: list[Finding] = []
    results: list[Result] = []
    report = lexurn.spark.run(job, session, on_finding=findings.append, on_result=results.append)
    return ClusterRun(quads_in(Path(job.target)), nameless(findings), results, report)


def quads_in(folder: Path) -> bytes:
    """The quads as they come: file after file, as `cat` would read them."""
    return b"".join(path.read_bytes() for path in sorted(folder.glob("part-*")))


def _agrees(run: ClusterRun, one: OneRun) -> None:
    assert run.quads == one.quads
    assert run.findings == one.findings
    report = run.report
    assert (report.rows, report.rejected) == (one.rows, one.rejected)
    assert b"".join(path.read_bytes() for path in report.rejects) == one.rejects
    assert (report.families, report.names, report.refused) == (one.families, one.names, 0)


def long_manifest(path: Path, rows: int) -> Path:
    """Acts, versions and aliases of four jurisdictions; copies that several acts share; faults."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write("urn,title@it,alias_of,issued,url,in_force_until\r\n")
        for number in range(rows):
            stream.write(f"{_row(number)}\r\n")
    return path


def _row(number: int) -> str:
    code = ("it", "br", "fr", "de")[number // 3 % 4]
    day = f"{1900 + number // 3 % 120}-{1 + number // 3 % 12:02}-{1 + number // 3 % 28:02}"
    act = f"urn:lex:{code}:stato:legge:{day};{number // 3}"
    if number % 97 == 5:
        return f"{act}:allegato.1,twice" if number % 2 else "urn:lex:it:nowhere,,,,,"
    if number % 101 == 7:
        return f'{act}@original,"Un titolo\r\nin due righe, con ""virgolette""",,{day},,'
    if number % 3 == 0:
        return f"{act},Legge {number},,{day},,"
    if number % 3 == 1:
        return f"{act}@2001-01-01:it,,,,https://law.example/{number}.html,"
    copy = f"https://law.example/gazette-{number % 50}.pdf"
    return f"{act}.bis,,{act},,{copy},"


def test_a_long_manifest_is_the_same_by_one_process_and_by_the_cluster(
    session: Any, tmp_path: Path
) -> None:
    path = long_manifest(tmp_path / "acts.csv", ROWS)
    one = one_process([path], tmp_path / "one.rejects.csv")
    portion = path.stat().st_size // 5
    run = on_cluster(
        session,
        Job(
            sources=(str(path),),
            target=str(tmp_path / "quads"),
            rejects=str(tmp_path / "many.rejects.csv"),
            as_of=DAY,
            portion=portion,
        ),
    )
    _agrees(run, one)
    assert one.rejected > ROWS // 100
    assert one.quads.count(b"\n") > 10 * ROWS
    executors = session.sparkContext._jsc.sc().statusTracker().getExecutorInfos()
    assert len(executors) == 3, "the driver and two workers"


FIRST = """urn,alias_of,title@it,url,bytes,in_force_until
urn:lex:it:stato:legge:2003-09-21;456,,Una legge,,,
urn:lex:it:stato:legge:2003-09-21;456@2005-01-01,,,,,2008-01-01
urn:lex:it:stato:legge:2003-09-21;456@2006-01-01,,,https://law.example/g.pdf,7,
urn:lex:it:stato:legge:2003-09-21;456@testo.presentato,,,,,
urn:lex:it:stato:legge:2003-09-21;456.bis,urn:lex:it:stato:legge:2003-09-21;456,,,,
urn:lex:it:stato:legge:2004-01-01;1,urn:lex:it:stato:legge:2004-01-01;2,,,,
urn:lex:it:stato:legge:2004-01-01;9:allegato.1,urn:lex:it:stato:legge:2004-01-01;9,,,,
"""
ACT = "urn:lex:br:federal:lei:2004-01-01;"
SECOND = (
    {"urn": "urn:lex:it:stato:legge:2004-01-01;2", "alias_of": f"{ACT}3"},
    {"urn": "urn:lex:it:stato:legge:2003-09-21;456", "title@it": "twice"},
    {"urn": f"{ACT}3", "url": ["https://law.example/g.pdf"]},
    "no object",
    {"urn": f"{ACT}4@testo.approvato:pt", "urls": ""},
    {"urn": f"{ACT}4@testo.approvato:pt", "title@pt": "perch\u00e9 \U0001d11e"},
)


def two_manifests(folder: Path) -> list[Path]:
    """What only rows of several tables beside each other show."""
    first, second = folder / "first.csv", folder / "second.jsonl"
    first.write_text(FIRST, encoding="utf-8")
    second.write_text("\n".join(map(json.dumps, SECOND)), encoding="utf-8")
    return [first, second]


@pytest.mark.parametrize("portion", [1, 1 << 20])
def test_what_rows_say_only_beside_each_other(session: Any, tmp_path: Path, portion: int) -> None:
    sources = two_manifests(tmp_path)
    one = one_process(sources, tmp_path / "one.rejects.csv", base="https://law.example")
    run = on_cluster(
        session,
        Job(
            sources=tuple(map(str, sources)),
            target=str(tmp_path / "quads"),
            rejects=str(tmp_path / "many.rejects.csv"),
            as_of=DAY,
            base="https://law.example",
            portion=portion,
            partitions=3,
        ),
    )
    _agrees(run, one)
    codes = {found.code for found in one.findings}
    assert codes >= {"LX507", "LX509", "LX531", "LX535", "LX538", "LX611"}
    assert len(run.report.rejects) == 2


def test_works_that_break_a_shape_are_left_out(session: Any, tmp_path: Path) -> None:
    good = "urn:lex:it:stato:legge:2003-09-21;456"
    bad = "urn:lex:it:stato:legge:2004-01-01;1"
    path = tmp_path / "acts.csv"
    rows = (f"{good},2004-01-01,", f"{bad}@2005-01-01:it,2009-01-01,2008-01-01")
    path.write_text("\n".join(("urn,in_force_from,in_force_until", *rows)), encoding="utf-8")
    with open_manifest(path) as manifest:
        families = list(manifest.families())
    expected = check_families(families, as_of=DAY)
    job = Job(sources=(str(path),), target=str(tmp_path / "quads"), as_of=DAY, checks=True)
    run = on_cluster(session, job)
    told = [(result.severity, result.focus, result.shape) for result in run.results]
    assert told == [(result.severity, result.focus, result.shape) for result in expected]
    assert "Violation" in {result.severity for result in expected}
    assert (run.report.families, run.report.refused) == (1, 1)
    assert good.encode() in run.quads
    assert bad.encode() not in run.quads


def test_a_folder_for_each_jurisdiction_and_quads_as_they_come(
    session: Any, tmp_path: Path
) -> None:
    sources = two_manifests(tmp_path)
    one = one_process(sources, tmp_path / "one.rejects.csv")
    for number, sorts in enumerate([True, False]):
        target = tmp_path / f"quads{number}"
        job = Job(
            sources=tuple(map(str, sources)),
            target=str(target),
            as_of=DAY,
            parts=True,
            sorts=sorts,
        )
        on_cluster(session, job)
        folders = sorted(path for path in target.iterdir() if path.is_dir())
        assert [folder.name for folder in folders] == ["jurisdiction=br", "jurisdiction=it"]
        lines = [quads_in(folder).splitlines(keepends=True) for folder in folders]
        assert {line for part in lines for line in part} == {*one.quads.splitlines(keepends=True)}
        assert not sorts or all(part == sorted(set(part)) for part in lines)
        assert all(b'/jurisdictionCode> "it"' not in line for line in lines[0])


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("urn\n", {"target": "."}, "exists already"),
        ("urn\n", {"target": "nowhere://host/quads"}, "nowhere"),
        ("urn\n", {"sources": ("-",)}, "name a file"),
        ("urn\n", {"sources": ("absent.csv",)}, "cannot be opened"),
        ("urn\n", {"dialect": "klingon"}, "unknown dialect"),
        ("urn\n", {"rejects": "absent/rejects.csv"}, "no folder"),
        ("urm\n", {}, "unknown column"),
        ("", {}, "empty"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    session: Any, tmp_path: Path, text: str, options: dict[str, Any], told: str
) -> None:
    path = tmp_path / "acts.csv"
    path.write_text(text, encoding="utf-8")
    given = {"sources": (str(path),), "target": str(tmp_path / "quads"), **options}
    with pytest.raises(LexurnError, match=told) as raised:
        lexurn.spark.run(Job(**given), session)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "quads").exists()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no /proc/self/fd on this system")
def test_a_manifest_that_only_one_machine_sees(session: Any, tmp_path: Path) -> None:
    path = tmp_path / "acts.csv"
    path.write_text("urn\nurn:lex:it:stato:legge:2003-09-21;456\n", encoding="utf-8")
    with path.open() as mine:
        # What this process has open is at another place, or nowhere, for the processes of a task.
        hidden = f"/proc/self/fd/{os.dup2(mine.fileno(), 200)}"
        try:
            job = Job(sources=(hidden,), target=str(tmp_path / "quads"), format="csv")
            with pytest.raises(ManifestError, match="every node"):
                lexurn.spark.run(job, session)
        finally:
            os.close(200)


def test_a_manifest_without_rows(session: Any, tmp_path: Path) -> None:
    path = tmp_path / "acts.csv"
    path.write_text("urn\n", encoding="utf-8")
    run = on_cluster(session, Job(sources=(str(path),), target=str(tmp_path / "quads")))
    assert run.quads == b""
    assert run.report == Report()
    assert (tmp_path / "quads").is_dir()


def test_a_node_that_dies_changes_nothing(session: Any, tmp_path: Path, cluster: Cluster) -> None:
    path = long_manifest(tmp_path / "acts.csv", 2_000)
    one = one_process([path], tmp_path / "one.rejects.csv")
    target = tmp_path / "quads"
    killed: list[int] = []

    def kill_one() -> None:
        """Once something is done, end what does the tasks of a worker; it starts another."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not target.exists():
            time.sleep(0.05)
        for child in _children(cluster.workers[0]):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
                killed.append(child)

    killer = threading.Thread(target=kill_one)
    killer.start()
    run = on_cluster(
        session,
        Job(
            sources=(str(path),),
            target=str(target),
            rejects=str(tmp_path / "many.rejects.csv"),
            as_of=DAY,
            portion=path.stat().st_size // 8,
        ),
    )
    killer.join()
    assert killed
    _agrees(run, one)


def _children(process: int) -> list[int]:
    found = Path(f"/proc/{process}/task/{process}/children")
    if not found.exists():
        pytest.skip("no /proc here that tells the children of a process")
    direct = [int(each) for each in found.read_text().split()]
    # A daemon starts its executors in threads of its own.
    for task in Path(f"/proc/{process}/task").iterdir():
        direct += (int(each) for each in (task / "children").read_text().split())
    return sorted(set(direct))


def test_the_program_under_spark_submit(cluster: Cluster, tmp_path: Path) -> None:
    sources = two_manifests(tmp_path)
    one = one_process(sources, tmp_path / "one.rejects.csv")
    settings = {"spark.driver.host": "127.0.0.1", **ONE_CORE_OF_EACH}
    submit = [str(HOME / "bin" / "spark-submit"), "--master", cluster.url]
    for name, value in settings.items():
        submit += ("--conf", f"{name}={value}")
    told = tmp_path / "findings.jsonl"
    options = ["--out", "quads", "--as-of", DAY.isoformat(), "--findings", str(told)]
    done = subprocess.run(
        [*submit, str(PROGRAM), *(source.name for source in sources), *options],
        cwd=tmp_path,
        env=LOOPBACK,
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert f"{one.rejected} of {one.rows} rows rejected" in done.stdout
    assert quads_in(tmp_path / "quads") == one.quads
    findings = [json.loads(line) for line in told.read_text(encoding="utf-8").splitlines()]
    assert len(findings) == one.findings.total()
    assert Counter(found["code"] for found in findings) == Counter(
        found.code for found in one.findings.elements()
    )
    assert "Traceback" not in done.stderr
    (message,) = {found["message"] for found in findings if found["code"] == "LX611"}
    assert message in done.stdout, "spark-submit sends both streams there"
