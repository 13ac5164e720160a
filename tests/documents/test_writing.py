"""Files are replaced whole, or stay as they were: whatever goes wrong, at whatever moment."""

from __future__ import annotations

import datetime as dt
import errno
import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from embedding_runs import PAGE

import lexurn
from lexurn.cli import main
from lexurn.documents import (
    DocumentError,
    EmbedOptions,
    EmbedRequest,
    OutcomeStatus,
    changes,
    embed,
    process_file,
    remove,
)
from lexurn.errors import MissingExtraError
from lexurn.files import find_leftovers
from lexurn.model import LanguageText, Record, Status
from lexurn.name import parse

NAME = "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it"
OTHER = "urn:lex:it:stato:legge:2003-09-21;457@2005-01-01:it"
is_root = getattr(os, "geteuid", lambda: 1)() == 0


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "act.html"
    path.write_bytes(PAGE)
    return path


def code_of(error: pytest.ExceptionInfo[DocumentError]) -> str:
    return error.value.finding.code


def untouched(path: Path, data: bytes = PAGE) -> bool:
    """Whether a file is as it was, and nothing lies beside it."""
    return path.read_bytes() == data and [each.name for each in path.parent.iterdir()] == [
        path.name
    ]


def test_a_name_goes_in_and_out_again(page: Path) -> None:
    outcome = embed(page, NAME)
    assert (outcome.status, outcome.is_written, outcome.format) == (
        OutcomeStatus.EMBEDDED,
        True,
        "html",
    )
    assert NAME.encode() in page.read_bytes()
    assert embed(page, NAME).status is OutcomeStatus.UNCHANGED
    assert remove(page).status is OutcomeStatus.REMOVED
    assert untouched(page)
    assert remove(page).status is OutcomeStatus.UNCHANGED


def test_another_name_takes_the_place_of_the_first(page: Path) -> None:
    embed(page, NAME)
    embed(page, OTHER)
    replaced = page.read_bytes()
    page.write_bytes(PAGE)
    embed(page, OTHER)
    assert page.read_bytes() == replaced
    assert NAME.encode() not in replaced


def test_what_is_known_is_said(page: Path) -> None:
    titles = (LanguageText(value="Legge quadro", language="it"),)
    embed(page, parse(NAME), [Record(name=parse(NAME), titles=titles)])
    assert b"Legge quadro" in page.read_bytes()


def test_nothing_is_written_when_it_is_only_asked_for(page: Path) -> None:
    outcome = embed(page, NAME, write=False)
    assert (outcome.status, outcome.is_written) == (OutcomeStatus.EMBEDDED, False)
    assert f'+<meta name="DC.identifier" content="{NAME}">'.encode() in outcome.diff
    assert untouched(page)


def test_a_base_that_is_none_is_refused(page: Path) -> None:
    with pytest.raises(ValueError, match="ftp"):
        embed(page, NAME, base="ftp://law.example")


def test_mode_owner_and_attributes_stay(page: Path) -> None:
    page.chmod(0o640)
    attributes = {"user.note": b"mine"}
    try:
        os.setxattr(page, "user.note", b"mine")
    except (AttributeError, OSError):
        attributes = {}
    before = page.stat()
    embed(page, NAME)
    after = page.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (
        before.st_mode,
        before.st_uid,
        before.st_gid,
    )
    for name, value in attributes.items():
        assert os.getxattr(page, name) == value


@pytest.mark.skipif(not is_root, reason="only root gives files away")
def test_the_owner_stays_where_root_writes(page: Path) -> None:
    os.chown(page, 12_345, 12_346)
    page.chmod(0o4755)
    embed(page, NAME)
    status = page.stat()
    assert (status.st_uid, status.st_gid) == (12_345, 12_346)
    assert stat.S_IMODE(status.st_mode) == 0o4755


@pytest.mark.skipif(not is_root, reason="only root gives files away")
@pytest.mark.parametrize("group", [2_000, None])
@pytest.mark.parametrize("number", [errno.EPERM, errno.EINVAL])  # not allowed; no such owner here
def test_a_file_that_cannot_keep_its_owner_is_refused(
    page: Path, monkeypatch: pytest.MonkeyPatch, *, group: int | None, number: int
) -> None:
    os.chown(page, 1_000, os.getegid() if group is None else group)
    page.chmod(0o6775)

    def refused(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.chown", refused)
    with pytest.raises(DocumentError, match=r"LX300: the owner \(user 1000, group") as error:
        embed(page, NAME)
    assert error.value.finding.is_error
    assert (page.stat().st_uid, stat.S_IMODE(page.stat().st_mode)) == (1_000, 0o6775)
    assert untouched(page)
    assert embed(page, NAME, output=page.with_name("copy.html")).is_written


ANYBODY = 0xFFFF_FFFF


def access_list(
    *, group: int, others: int = 0, user: int | None = None, named_group: int | None = None
) -> bytes:
    """Version 2; the owner, user 1234, the group, group 1234, the mask, others: what they may do.

    The mask is what anybody has of the group, and of those by name.
    """
    mask = group | (user or 0) | (named_group or 0)
    entries = [(1, 7), (2, user), (4, group), (8, named_group), (16, mask), (32, others)]
    return struct.pack("<L", 2) + b"".join(
        struct.pack("<HHL", kind, files, 1234 if kind in {2, 8} else ANYBODY)
        for kind, files in entries
        if files is not None
    )


ACCESS_LIST = access_list(user=4, group=4)


@pytest.mark.skipif(not is_root, reason="only root gives files away")
@pytest.mark.parametrize(
    ("mode", "has_list", "left"),
    [(0o664, False, 0o644), (0o640, False, 0o600), (0o604, False, 0o600), (0o644, True, 0o600)],
)
def test_nobody_gains_a_right_by_a_sidecar_where_a_group_cannot_be_kept(
    page: Path, monkeypatch: pytest.MonkeyPatch, *, mode: int, has_list: bool, left: int
) -> None:
    file = page.with_name("act.bin")
    file.write_bytes(b"x")
    os.chown(file, 0, 2_000)
    if has_list:
        grant(file, "system.posix_acl_access")
    file.chmod(mode)
    monkeypatch.setattr(changes, "_copy_owner", lambda _part, _status: False)
    assert embed(file, NAME, sidecar=True).findings == ()
    sidecar = file.with_name("act.bin.lexurn.jsonld")
    assert stat.S_IMODE(sidecar.stat().st_mode) == left


@pytest.mark.skipif(not is_root, reason="only root gives files away")
@pytest.mark.parametrize(("mode", "left"), [(0o640, 0o600), (0o644, 0o644), (0o604, 0o600)])
def test_nobody_gains_a_right_by_a_copy(page: Path, mode: int, left: int) -> None:
    os.chown(page, 0, 2_000)
    page.chmod(mode)
    copy = page.with_name("copy.html")
    embed(page, NAME, output=copy)
    assert stat.S_IMODE(copy.stat().st_mode) == left
    grant(page, "system.posix_acl_access")
    embed(page, NAME, output=copy)
    assert stat.S_IMODE(copy.stat().st_mode) & 0o77 == 0


def test_a_sidecar_of_a_document_with_an_access_list_is_its_owner_s_alone(page: Path) -> None:
    file = page.with_name("act.bin")
    file.write_bytes(b"x")
    grant(file, "system.posix_acl_access")
    embed(file, NAME, sidecar=True)
    sidecar = file.with_name("act.bin.lexurn.jsonld")
    assert stat.S_IMODE(sidecar.stat().st_mode) & 0o077 == 0
    assert "system.posix_acl_access" not in os.listxattr(sidecar)


def grant(path: Path, attribute: str, granted: bytes = ACCESS_LIST) -> None:
    try:
        os.setxattr(path, attribute, granted)
    except (AttributeError, OSError):
        pytest.skip("there are no access lists here")


def refuse_lists(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def refused(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("os.setxattr", refused)


ACCESS_LISTS = {
    "user": access_list(user=6, group=0),
    "user, all": access_list(user=6, group=4, others=4),
    "group": access_list(named_group=6, group=0),
    "user refused": access_list(user=0, group=6, others=4),
    "user less": access_list(user=4, group=6, others=6),
    "group refused": access_list(named_group=0, group=6, others=4),
}


@pytest.mark.parametrize("place", ["elsewhere", "beside"])
@pytest.mark.parametrize("granted", ACCESS_LISTS.values(), ids=ACCESS_LISTS)
def test_nobody_but_the_owner_has_a_new_file_where_an_access_list_is_lost(
    page: Path, monkeypatch: pytest.MonkeyPatch, *, place: str, granted: bytes
) -> None:
    is_sidecar = place == "beside"
    file = page.with_name("act.bin") if is_sidecar else page
    file.write_bytes(b"x" if is_sidecar else PAGE)
    new = page.with_name("act.bin.lexurn.jsonld" if is_sidecar else "copy.html")
    grant(file, "system.posix_acl_access", granted)
    refuse_lists(monkeypatch, errno.ENOTSUP)
    outcome = embed(file, NAME, sidecar=is_sidecar, output=None if is_sidecar else new)
    assert stat.S_IMODE(new.stat().st_mode) == 0o700
    assert outcome.findings == ()


@pytest.mark.parametrize("is_sidecar", [True, False])
def test_a_file_that_cannot_keep_its_access_list_is_refused(
    page: Path, monkeypatch: pytest.MonkeyPatch, *, is_sidecar: bool
) -> None:
    file = page.with_name("act.bin") if is_sidecar else page
    file.write_bytes(b"x" if is_sidecar else PAGE)
    embed(file, OTHER, sidecar=True)
    there = page.with_name("act.bin.lexurn.jsonld") if is_sidecar else page
    grant(there, "system.posix_acl_access")
    before = there.read_bytes()
    refuse_lists(monkeypatch, errno.ENOTSUP)
    with pytest.raises(DocumentError, match="LX300: the access list of the file cannot be kept"):
        embed(file, NAME, sidecar=is_sidecar)
    assert there.read_bytes() == before
    assert os.getxattr(there, "system.posix_acl_access") == ACCESS_LIST


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_too_full_for_attributes_leaves_the_file(
    page: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    grant(page, "system.posix_acl_access")
    refuse_lists(monkeypatch, number)
    with pytest.raises(DocumentError, match="LX304"):
        embed(page, NAME)
    assert untouched(page)
    assert os.getxattr(page, "system.posix_acl_access") == ACCESS_LIST


@pytest.mark.skipif(not is_root, reason="only root gives files away")
def test_nobody_has_a_right_for_a_moment(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the list says of the group is of another group, until the mode says nothing of it."""
    os.chown(page, 0, 2_000)
    grant(page, "system.posix_acl_access", access_list(user=0, group=6))
    seen: list[int] = []
    real = os.fchmod

    def look(descriptor: int, mode: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode) & 0o77)
        real(descriptor, mode)

    monkeypatch.setattr("os.fchmod", look)
    embed(page, NAME, output=page.with_name("copy.html"))
    assert seen == [0]


@pytest.mark.parametrize("place", ["its own", "elsewhere", "beside"])
def test_what_others_put_in_the_place_of_a_part_gets_none_of_its_rights(
    page: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
) -> None:
    file = page.with_name("act.bin") if place == "beside" else page
    page.rename(file)
    file.chmod(0o666)
    secret = tmp_path_factory.mktemp("away") / "secret"
    secret.write_bytes(b"secret")
    secret.chmod(0o600)
    before = file.read_bytes()
    real = os.fsync

    def put_link(descriptor: int) -> None:
        real(descriptor)
        (part,) = page.parent.glob(".*.part")
        part.unlink()
        part.symlink_to(secret)

    monkeypatch.setattr("os.fsync", put_link)
    with pytest.raises(DocumentError, match="LX303"):
        embed(
            file,
            NAME,
            sidecar=place == "beside",
            output=page.with_name("copy.html") if place == "elsewhere" else None,
        )
    monkeypatch.undo()
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert secret.read_bytes() == b"secret"
    assert untouched(file, before)


def run_apart(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command by ``unshare``, which gives it disks and users of its own."""
    if (
        shutil.which("unshare") is None
        or subprocess.run(
            ["unshare", *arguments[:2], "true"], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("no command has users or disks of its own here")
    source = str(Path(lexurn.__path__[0]).parent)
    return subprocess.run(
        ["unshare", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": source},
    )


EMBED = [sys.executable, "-c", "from lexurn.cli import main\nmain()", "embed"]


@pytest.mark.skipif(not is_root, reason="only root gives files away")
def test_a_container_that_does_not_know_an_owner_leaves_the_file(page: Path) -> None:
    file = page.with_name("act.bin")
    file.write_bytes(b"x")
    grant(page, "system.posix_acl_access", access_list(user=6, group=0))
    os.chown(file, 1_500, 1_500)
    file.chmod(0o666)
    runs = [
        run_apart(
            "--user", "--map-root-user", *EMBED, str(each), "--urn", NAME, "--sidecar", "--in-place"
        )
        for each in (page, file)
    ]
    assert [run.returncode for run in runs] == [1, 0]
    assert "error LX300: the access list of the file cannot be kept" in runs[0].stderr
    assert page.read_bytes() == PAGE
    os.chown(page, 1_500, 1_500)
    page.chmod(0o666)
    run = run_apart("--user", "--map-root-user", *EMBED, str(page), "--urn", NAME, "--in-place")
    assert "error LX300: the owner (user 65534, group 65534) of the file" in run.stderr
    assert page.read_bytes() == PAGE


@pytest.mark.parametrize("is_sidecar", [True, False])
def test_what_a_folder_grants_is_not_granted_to_a_file_in_the_place_of_one(
    page: Path, *, is_sidecar: bool
) -> None:
    file = page.with_name("act.bin") if is_sidecar else page
    file.write_bytes(b"x" if is_sidecar else PAGE)
    file.chmod(0o640)
    grant(page.parent, "system.posix_acl_default")
    embed(file, NAME, sidecar=is_sidecar, output=page.with_name("copy.html"))
    embed(file, NAME, sidecar=is_sidecar)
    for each in page.parent.iterdir():
        assert "system.posix_acl_access" not in os.listxattr(each)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.parametrize("keeps", [True, False])
def test_times_stay_on_request(page: Path, *, keeps: bool) -> None:
    os.utime(page, ns=(10**18, 10**18 + 7))
    embed(page, NAME, keep_times=keeps)
    assert (page.stat().st_mtime_ns == 10**18 + 7) is keeps
    os.utime(page, ns=(10**18, 10**18 + 7))
    remove(page, keep_times=keeps)
    assert (page.stat().st_mtime_ns == 10**18 + 7) is keeps


def test_what_is_unchanged_is_not_touched(page: Path) -> None:
    embed(page, NAME)
    before = page.stat()
    embed(page, NAME)
    after = page.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_copy_is_written_elsewhere(page: Path, tmp_path: Path) -> None:
    page.chmod(0o640)
    target = tmp_path / "out.html"
    target.write_bytes(b"old")
    outcome = embed(page, NAME, output=target)
    assert outcome.is_written
    assert page.read_bytes() == PAGE
    assert NAME.encode() in target.read_bytes()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    remove(target)
    assert target.read_bytes() == PAGE
    assert remove(page, output=target).is_written, "a copy is there even where nothing changes"


@pytest.mark.parametrize("old", [b"old", None])
def test_a_link_for_a_copy_is_followed(page: Path, tmp_path: Path, old: bytes | None) -> None:
    (tmp_path / "out").mkdir()
    target, link = tmp_path / "out" / "copy.html", tmp_path / "link.html"
    if old is not None:
        target.write_bytes(old)
    link.symlink_to(target)
    assert embed(page, NAME, output=link).is_written
    assert NAME.encode() in target.read_bytes()
    assert remove(page, output=link).is_written
    assert target.read_bytes() == page.read_bytes() == PAGE
    assert link.is_symlink()


def test_a_link_for_a_copy_that_leads_out_of_its_folder_is_refused(
    page: Path, tmp_path: Path
) -> None:
    log, link = tmp_path / "log", tmp_path / "out" / "link.html"
    log.write_bytes(b"kept")
    link.parent.mkdir()
    link.symlink_to(log)
    with pytest.raises(DocumentError, match="LX306"):
        embed(page, NAME, output=link)
    result = CliRunner().invoke(main, ["embed", str(page), "--urn", NAME, "-o", str(link)])
    assert (result.exit_code, "LX306" in result.stderr) == (2, True)
    assert (log.read_bytes(), page.read_bytes()) == (b"kept", PAGE)


@pytest.mark.parametrize("is_named", [True, False])
def test_a_link_for_a_copy_that_leads_to_the_document_elsewhere_is_refused(
    page: Path, tmp_path: Path, *, is_named: bool
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    link = folder / page.name
    link.symlink_to(f"../{page.name}")
    embed(page, OTHER)
    before = page.read_bytes()
    output = link if is_named else folder
    with pytest.raises(DocumentError, match="LX306"):
        embed(page, NAME, output=output)
    with pytest.raises(DocumentError, match="LX306"):
        remove(page, output=output)
    result = CliRunner().invoke(main, ["embed", str(page), "--urn", NAME, "-o", str(output)])
    assert (result.exit_code, "LX306" in result.stderr) == (2, True)
    assert page.read_bytes() == before
    assert link.is_symlink()


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are those of POSIX")
def test_a_copy_takes_the_place_of_nothing_but_a_file(page: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "out" / page.name).mkdir(parents=True)
    for output in (pipe, tmp_path / "out", "", f"{tmp_path}/new/"):
        with pytest.raises(DocumentError, match="LX304"):
            embed(page, NAME, output=output)
        with pytest.raises(DocumentError, match="LX304"):
            remove(page, output=output)
    assert pipe.is_fifo()
    assert page.read_bytes() == PAGE


def test_a_name_that_no_disk_takes_is_said(page: Path, tmp_path: Path) -> None:
    long = tmp_path / f"{'x' * 300}.html"
    with pytest.raises(DocumentError, match="LX304"):
        embed(page, NAME, output=long)
    with pytest.raises(DocumentError, match="LX301"):
        embed(long, NAME)
    for arguments in ([page, "-o", long], [page, long, "--in-place"]):
        result = CliRunner().invoke(main, ["embed", *map(str, arguments), "--urn", NAME])
        assert result.exit_code == 1
        assert "error LX30" in result.stderr
        assert "LX308" not in result.stderr


def test_a_copy_goes_into_a_folder_by_its_own_name(page: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert embed(page, NAME, output=tmp_path / "out").is_written
    assert NAME.encode() in (tmp_path / "out" / page.name).read_bytes()
    assert page.read_bytes() == PAGE


def test_an_output_that_is_the_document_itself_is_its_own_place(page: Path) -> None:
    link = page.with_name("link.html")
    link.symlink_to(page.name)
    for output in (page, link, page.parent):
        embed(page, NAME, output=output)
        assert embed(page, NAME, output=output).is_written is False
    assert link.is_symlink()
    assert NAME.encode() in page.read_bytes()


def test_a_link_is_followed_in_its_folder(page: Path) -> None:
    link = page.with_name("link.html")
    link.symlink_to("act.html")
    embed(link, NAME)
    assert link.is_symlink()
    assert NAME.encode() in page.read_bytes()


def test_a_link_out_of_its_folder_is_refused(page: Path) -> None:
    folder = page.with_name("site")
    folder.mkdir()
    link = folder / "link.html"
    link.symlink_to(page)
    with pytest.raises(DocumentError) as error:
        embed(link, NAME)
    assert code_of(error) == "LX306"
    assert str(page) in error.value.finding.message
    assert page.read_bytes() == PAGE


def test_a_link_to_nowhere_and_in_circles_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.html").symlink_to("b.html")
    with pytest.raises(DocumentError, match="LX301"):
        embed(tmp_path / "a.html", NAME)
    (tmp_path / "b.html").symlink_to("a.html")
    with pytest.raises(DocumentError, match="LX30"):
        embed(tmp_path / "a.html", NAME)


@pytest.mark.parametrize("is_in_folder", [True, False])
def test_another_name_of_the_document_is_another_place(page: Path, *, is_in_folder: bool) -> None:
    folder = page.with_name("copies")
    folder.mkdir()
    other = folder / page.name
    other.hardlink_to(page)
    embed(page, NAME, output=folder if is_in_folder else other)
    assert page.read_bytes() == PAGE
    assert NAME.encode() in other.read_bytes()


def test_other_names_of_a_file_keep_the_old_content(page: Path) -> None:
    other = page.with_name("other.html")
    other.hardlink_to(page)
    outcome = embed(page, NAME)
    assert [found.code for found in outcome.findings] == ["LX307"]
    assert other.read_bytes() == PAGE
    assert NAME.encode() in page.read_bytes()


@pytest.mark.parametrize("is_sidecar", [True, False])
def test_other_names_of_what_a_copy_replaces_are_told_of(page: Path, *, is_sidecar: bool) -> None:
    file = page.with_name("act.bin") if is_sidecar else page
    file.write_bytes(b"x" if is_sidecar else PAGE)
    copy, other = page.with_name("copy"), page.with_name("other")
    copy.write_bytes(b"old")
    other.hardlink_to(copy)
    (found,) = embed(file, NAME, output=copy, sidecar=is_sidecar).findings
    assert (found.code, found.file) == ("LX307", str(copy))
    assert other.read_bytes() == b"old"
    assert embed(file, NAME, output=copy, sidecar=is_sidecar).findings == ()


@pytest.mark.parametrize("what", ["longer", "same size", "replaced", "gone", "shorter"])
def test_what_somebody_changes_meanwhile_is_left_alone(
    page: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    new = {
        "longer": PAGE + b"x",
        "same size": PAGE.replace(b"Legge", b"LEGGE"),
        "shorter": PAGE[:30],
        "replaced": PAGE,
    }.get(what)

    def change(part: int, *arguments: object, **options: object) -> None:
        dress(part, *arguments, **options)
        if what in {"gone", "replaced"}:
            page.unlink()
        if new is not None:
            page.write_bytes(new)
            os.utime(page, ns=(10**18, 10**18))

    dress = changes._copy_attributes
    monkeypatch.setattr(changes, "_copy_attributes", change)
    with pytest.raises(DocumentError) as error:
        embed(page, NAME)
    assert code_of(error) == "LX303"
    if new is None:
        assert list(page.parent.iterdir()) == []
    else:
        assert untouched(page, new)


@pytest.mark.parametrize(
    ("function", "number"),
    [("write", errno.ENOSPC), ("fsync", errno.EIO), ("write", errno.EDQUOT), ("open", errno.EROFS)],
)
def test_a_disk_that_refuses_leaves_the_file(
    page: Path, monkeypatch: pytest.MonkeyPatch, function: str, number: int
) -> None:
    real = getattr(os, function)

    def refuse(first: object, *rest: object) -> object:
        if function == "open" and not str(first).endswith(".part"):
            return real(first, *rest)
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, function, refuse)
    with pytest.raises(DocumentError) as error:
        embed(page, NAME)
    monkeypatch.undo()
    assert code_of(error) == "LX304"
    assert os.strerror(number) in error.value.finding.message
    assert untouched(page)


def test_a_disk_that_is_full_in_the_middle_leaves_the_file(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.write_bytes(PAGE + b" " * 3_000_000)
    real, written = os.write, 0

    def write(descriptor: int, data: bytes) -> int:
        nonlocal written
        if written > 2_000_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        done = real(descriptor, bytes(data)[:100_000])
        written += done
        return done

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(DocumentError, match="No space left"):
        embed(page, NAME)
    monkeypatch.undo()
    assert untouched(page, PAGE + b" " * 3_000_000)


def test_short_writes_are_gone_on_with(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda number, data: real(number, bytes(data)[:7]))
    embed(page, NAME)
    monkeypatch.undo()
    whole = page.read_bytes()
    page.write_bytes(PAGE)
    embed(page, NAME)
    assert page.read_bytes() == whole


def test_a_file_that_may_only_be_read_is_left(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page.chmod(0o444)
    if is_root:
        monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).stat().st_mode & 2)
    with pytest.raises(DocumentError) as error:
        embed(page, NAME)
    assert code_of(error) == "LX305"
    assert untouched(page)


@pytest.mark.skipif(is_root, reason="root may write everywhere")
def test_a_folder_that_may_only_be_read_leaves_the_file(page: Path) -> None:
    page.parent.chmod(0o555)
    try:
        with pytest.raises(DocumentError, match="LX304"):
            embed(page, NAME)
    finally:
        page.parent.chmod(0o755)
    assert untouched(page)


def test_a_part_is_nobody_elses_business(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page.chmod(0o600)
    seen: list[int] = []
    real = os.fsync

    def look(descriptor: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", look)
    embed(page, NAME)
    assert seen == [0o600]


def test_one_broken_file_is_a_finding(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object) -> None:
        raise RecursionError("too deep\nreally")

    monkeypatch.setattr("lexurn.documents.embedding.identify_format", break_down)
    outcome = process_file(page, EmbedRequest(name=parse(NAME)), EmbedOptions(writes=True))
    assert (outcome.status, [found.code for found in outcome.findings]) == (
        OutcomeStatus.REFUSED,
        ["LX308"],
    )
    assert "RecursionError: too deep really" in outcome.findings[0].message
    assert untouched(page)


def test_what_is_not_installed_is_said(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lack(*_: object) -> None:
        raise MissingExtraError("embed")

    monkeypatch.setattr("lexurn.documents.embedding.identify_format", lack)
    (found,) = process_file(
        page, EmbedRequest(name=parse(NAME)), EmbedOptions(writes=True)
    ).findings
    assert found.code == "LX309"
    assert (
        '(in a checkout: python -m pip install -c constraints.txt ".[embed]"); nothing was changed'
        in found.message
    )


def test_leftovers_are_known_by_their_names(page: Path) -> None:
    part = page.with_name(f".act.html.{'0' * 16}.part")
    for each in (part, page.with_name(".act.html.0.part"), page.with_name(".b.html.part")):
        each.touch()
    assert list(find_leftovers(page)) == [part]
    long = page.with_name("x" * 100 + ".html")
    other = page.with_name(f".{'x' * 40}.{'0' * 16}.part")
    other.touch()
    assert list(find_leftovers(long)) == [other]
    assert sorted(find_leftovers(page, long, page.parent / "no" / "b")) == sorted([part, other])


KILLED = """
import sys
from lexurn.documents import embed, remove
print("ready", flush=True)
while True:
    embed(sys.argv[1], {name!r})
    remove(sys.argv[1])
"""


def test_a_run_that_is_killed_leaves_whole_files(page: Path) -> None:
    embed(page, NAME)
    named = page.read_bytes()
    source = str(Path(lexurn.__path__[0]).parent)
    for wait in (0.005, 0.02, 0.03, 0.011, 0.017):
        run = subprocess.Popen(
            [sys.executable, "-c", KILLED.format(name=NAME), str(page)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": source},
        )
        assert run.stdout is not None
        run.stdout.readline()
        time.sleep(wait)
        run.send_signal(signal.SIGKILL)
        run.wait()
        run.stdout.close()
        assert page.read_bytes() in {PAGE, named}
        assert embed(page, NAME).status in {OutcomeStatus.EMBEDDED, OutcomeStatus.UNCHANGED}
        assert page.read_bytes() == named


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="memory is told by Linux")
def test_a_gigabyte_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.html"
    path.write_bytes(PAGE)
    os.truncate(path, 1 << 30)
    code = (
        "import re, sys\nfrom pathlib import Path\nfrom lexurn.documents import embed\n"
        f"print(embed(sys.argv[1], {NAME!r}, write=False).status)\n"
        # What getrusage says counts the process that this one was split off from.
        "print(re.search(r'VmHWM:\\s*(\\d+)', Path('/proc/self/status').read_text())[1])\n"
    )
    source = str(Path(lexurn.__path__[0]).parent)
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": source},
    )
    done, memory = run.stdout.split()
    assert done == "embedded"
    assert int(memory) < 200_000


@pytest.mark.parametrize("withdrawn", [NAME, str(parse(NAME).ancestors()[0])])
def test_that_a_name_is_withdrawn_is_said(page: Path, withdrawn: str) -> None:
    status = {"status": Status.WITHDRAWN, "withdrawn_on": dt.date(2020, 1, 31)}
    outcome = embed(page, NAME, [Record(name=parse(withdrawn), **status)])
    found = outcome.findings[0]
    assert (outcome.status, found.code, str(found.severity)) == (
        OutcomeStatus.EMBEDDED,
        "LX399",
        "note",
    )
    assert "2020-01-31" in found.message
    assert (
        embed(page, NAME, [Record(name=parse(f"{NAME}$x.it:text-html"), **status)]).findings == ()
    )
