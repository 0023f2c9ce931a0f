"""A file that is written as a whole or not at all."""

import glob
import os
import stat
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

LONGEST = 230  # bytes of a name before ".*.part", of the 255 that disks allow
STALE = 3600  # seconds without a write, after which the writer of a part must have been killed


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a new file beside `path` that takes its place when the block ends without an error.

    Each writer has a file of its own, PATH.*.part, so that of several the last one wins. It is
    gone after an error, and if the process was killed, when `path` is written next. Its mode is
    that of the file it replaces, of a new one the ordinary one that the umask leaves.

    Parameters
    ----------
    path : Path
        The file to write. Until the block ends it is as it was.

    Yields
    ------
    file
        Open for writing and reading, in bytes.
    """
    name = path.name.encode()[:LONGEST].decode(errors="ignore")
    for part in path.parent.glob(f"{glob.escape(name)}.*.part"):
        with suppress(FileNotFoundError):  # another writer's, which has just taken its place
            if part.stat().st_mtime < time.time() - STALE:
                part.unlink()
    part = path.with_name(f"{name}.{uuid.uuid4().hex[:12]}.part")
    try:
        with part.open("x+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if path.is_file():
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write(path: str | Path, content: str | bytes) -> None:
    """Write a file as a whole: on a full disk, or after an interrupt, the old one still stands.

    Parameters
    ----------
    path : str or Path
        The file; its folder must exist. A link stays one, and what is no ordinary file, as
        /dev/stdout, is written to directly.
    content : str or bytes
        A text is written in UTF-8, its line ends as they are.

    Raises
    ------
    TypeError, ValueError
        If it is no path, or one that no disk can have.
    FileNotFoundError
        If the folder does not exist; names both.
    IsADirectoryError, NotADirectoryError
        If a folder stands where the file should, or a file where its folder should.
    """
    path = _checked(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: give the path of a file, such as one in it")
    if path.parent.exists() and not path.parent.is_dir():
        raise NotADirectoryError(f"{path.parent} is a file: {path} needs a folder there")
    data = content.encode() if isinstance(content, str) else content
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path} has no folder: make {path.parent} first")
    with replacing(path.resolve()) as file:
        file.write(data)


def _checked(path: str | Path) -> Path:
    """A path that a disk can have."""
    wanted = "path must be the path of a file"
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise TypeError(f"{wanted}, got {path!r:.60}")
    if not os.fspath(path):
        raise ValueError(f"{wanted}, got ''")
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError) as error:  # too long, in a circle, half a character, a null
        raise ValueError(f"{wanted}, got {path!r:.60}: {error}") from None
    return Path(path)
