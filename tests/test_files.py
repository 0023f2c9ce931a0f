"""A file is written as a whole or not at all."""

import os
import stat
import time

import pytest

from seqviz.files import STALE, replacing


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
