"""A student's process and all that it starts: watched, and ended when it uses too much."""

import ctypes
import os
import signal
import stat
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from seqviz.grading.sandbox import Limits

ROUNDS = 100
THREADS = 32  # for each process that is allowed
PAUSE = 0.2  # seconds between two looks
DEATH, DUMPABLE, SUBREAPER = 1, 4, 36  # of Linux's prctl


def adopt() -> None:
    """Make orphans of our children our own, and our memory unreadable, where the system can."""
    if sys.platform == "linux":
        own = ctypes.CDLL(None)
        own.prctl(SUBREAPER, 1, 0, 0, 0)
        own.prctl(DUMPABLE, 0, 0, 0, 0)
        with suppress(OSError):  # where memory ends, the grader is the last to go
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


def end_with_parent() -> None:
    """Let this process end when the one that started it does, where the system can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH, signal.SIGKILL, 0, 0, 0)


def hold(memory: int) -> None:
    """Limit what this process itself may allocate, where the system can."""
    if sys.platform == "linux":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (memory, most))


def emptied(folder: Path) -> None:
    """Remove all that a folder holds, however deep it lies, and whatever its rights are."""
    folders = [folder]
    while folders:
        for one in list(os.scandir(inside := folders.pop())):
            if one.is_dir(follow_symlinks=False):
                os.chmod(one.path, 0o700)
                folders.append(folder / uuid.uuid4().hex)  # near, so that its path stays short
                os.rename(one.path, folders[-1])
            else:
                os.unlink(one.path)
        if inside != folder:
            os.rmdir(inside)


def family() -> list[psutil.Process]:
    """All processes that this one has started, and those started by them."""
    return psutil.Process().children(recursive=True)


def end_all() -> None:
    """End them, also those that are started meanwhile."""
    for _ in range(ROUNDS):
        if not (there := family()):
            return
        for one in there:
            try:
                one.kill()
            except psutil.Error:  # it has ended meanwhile, or has another owner
                continue
        psutil.wait_procs(there, timeout=1)


class Watch(threading.Thread):
    """Looks at the processes and the folder until it is told to stop, or calls `end` with why."""

    def __init__(self, work: Path, limits: Limits, end: Callable[[str], None]):
        super().__init__(daemon=True)
        self.work, self.limits, self.end = work, limits, end
        self.start_time, self.over = time.monotonic(), threading.Event()

    def run(self) -> None:
        """Look again and again."""
        while not self.over.wait(PAUSE):
            try:
                reason = self.excess()
            except Exception as error:  # what cannot be watched is not let go on
                reason = f"it could not be watched: {type(error).__name__}"
            if reason:
                self.end(reason)
                return

    def excess(self) -> str:
        """What is too much, or an empty text."""
        limits = self.limits
        if time.monotonic() - self.start_time > limits.seconds:
            return f"the whole notebook was stopped after {limits.seconds:g} seconds"
        there = family()
        if len(there) > limits.processes:
            return f"it started more than {limits.processes} processes"
        if sum(map(_threads, there)) > THREADS * limits.processes:
            return f"it started more than {THREADS * limits.processes} threads"
        if sum(map(memory_of, there)) > limits.memory:
            return f"it took more than {limits.memory / 2**30:g} GB of memory"
        size, count = sum(_unnamed(there).values()), 0
        for bytes_of_one in _sizes(self.work):
            size, count = size + bytes_of_one, count + 1
            if count > limits.files or size > limits.disk:
                most = f"{limits.files} files or {limits.disk / 2**20:.0f} MB"
                return f"it wrote more than {most}"
        return ""


def _threads(process: psutil.Process) -> int:
    try:
        return process.num_threads()
    except psutil.Error:  # it has ended meanwhile
        return 0


def memory_of(process: psutil.Process) -> int:
    """The bytes that a process holds, 0 where it has ended."""
    try:
        return process.memory_info().rss
    except psutil.Error:  # it has ended meanwhile
        return 0


def _unnamed(there: list[psutil.Process]) -> dict[tuple[int, int], int]:
    """The bytes of each open file that has no name any more, or never had one."""
    sizes = {}
    for process in there:
        with suppress(OSError):  # it has ended meanwhile, or is not ours to look at
            for one in os.scandir(f"/proc/{process.pid}/fd"):
                with suppress(OSError):
                    found = one.stat()
                    if stat.S_ISREG(found.st_mode) and not found.st_nlink:
                        sizes[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sizes


def _sizes(folder: Path) -> Iterator[int]:
    """The bytes of each file and folder inside; OSError where one cannot be looked into."""
    folders = [os.fspath(folder)]
    while folders:
        with suppress(FileNotFoundError), os.scandir(folders.pop()) as found:
            for one in found:
                with suppress(FileNotFoundError):  # it has been removed meanwhile
                    yield one.stat(follow_symlinks=False).st_size
                if one.is_dir(follow_symlinks=False):
                    folders.append(one.path)
