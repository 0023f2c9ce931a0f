"""A file is written as a whole or not at all."""

import os
import signal
import stat
import time

import pytest

import seqviz as sv
from seqviz.files import STALE, replacing, write


def test_until_the_end_the_old_file_stands(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    with pytest.raises(TypeError), replacing(path) as file:
        file.write("half way a mistake")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_on_a_full_disk_the_old_page_stands(tmp_path):
    resource = pytest.importorskip("resource")
    path = tmp_path / "page.html"
    shown = sv.view.curves({"a": [1, 2]})
    shown.to_html(path)
    before = path.read_bytes()
    limit, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # else the process ends
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, hard))
        with pytest.raises(OSError, match="File too large"):
            sv.view.curves({"b": [2, 3]}).to_html(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_two_writers_do_not_share_a_file(tmp_path):
    path = tmp_path / "a.bin"
    with replacing(path) as one:
        one.write(b"one, ")
        with replacing(path) as other:
            other.write(b"two")
        assert path.read_bytes() == b"two"
        one.write(b"to the end")
    assert path.read_bytes() == b"one, to the end"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.parametrize("umask", [0o022, 0o027])
def test_the_mode_is_what_the_umask_leaves(tmp_path, umask):
    before = os.umask(umask)
    try:
        with replacing(tmp_path / "a.bin") as file:
            file.write(b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.bin").stat().st_mode) == 0o666 & ~umask
    (tmp_path / "a.bin").chmod(0o600)  # and what was private stays it
    write(tmp_path / "a.bin", "y")
    assert stat.S_IMODE((tmp_path / "a.bin").stat().st_mode) == 0o600


def test_a_name_may_be_as_long_as_disks_allow(tmp_path):
    names = {"a" * 255, "a" * 251 + ".txt", "é" * 127, "猫" * 85}
    for name in names:
        write(tmp_path / name, "x")
    assert {path.name for path in tmp_path.iterdir()} == names


def test_what_is_no_place_for_a_file_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to("loop")
    for path, kind, told in (
        (".", IsADirectoryError, "is a folder: give the path of a file"),
        ("file/page.html", NotADirectoryError, "file is a file: .* needs a folder there"),
        ("no/page.html", FileNotFoundError, "has no folder: make"),
        ("", ValueError, "path must be the path of a file, got ''"),
        ("a\0b", ValueError, "path must be the path of a file"),
        ("a" * 300, ValueError, "path must be the path of a file"),
        ("loop", ValueError, "path must be the path of a file.*loop"),
        (5, TypeError, "path must be the path of a file"),
    ):
        with pytest.raises(kind, match=told):
            write(path, "x")


def test_what_a_killed_writer_left_is_removed(tmp_path):
    path = tmp_path / "a[1].bin"
    killed, writing = (path.with_name(f"{path.name}.{n}.part") for n in ("dead", "alive"))
    other = tmp_path / "b.bin.dead.part"
    for part in (killed, writing, other):
        part.write_bytes(b"half")
    old = time.time() - STALE - 60
    for part in (killed, other):
        os.utime(part, (old, old))
    with replacing(path) as file:
        file.write(b"whole")
    assert {p.name for p in tmp_path.iterdir()} == {path.name, writing.name, other.name}
