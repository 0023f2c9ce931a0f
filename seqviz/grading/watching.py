"""A student's process and all that it starts: watched, and ended when it uses too much."""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from seqviz.grading.sandbox import Limits

ROUNDS = 100
PAUSE = 0.2  # seconds between two looks
DEATH, DUMPABLE, SUBREAPER = 1, 4, 36  # of Linux's prctl


def adopt() -> None:
    """Make orphans of our children our own, and our memory unreadable, where the system can."""
    if sys.platform == "linux":
        own = ctypes.CDLL(None)
        own.prctl(SUBREAPER, 1, 0, 0, 0)
        own.prctl(DUMPABLE, 0, 0, 0, 0)


def end_with_parent() -> None:
    """Let this process end when the one that started it does, where the system can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH, signal.SIGKILL, 0, 0, 0)


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
            except psutil.NoSuchProcess:
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
            if reason := self.excess():
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
        if sum(map(_memory, there)) > limits.memory:
            return f"it took more than {limits.memory / 2**30:g} GB of memory"
        size = count = 0
        for path in _files(self.work):
            size, count = size + path.stat(follow_symlinks=False).st_size, count + 1
            if count > limits.files or size > limits.disk:
                most = f"{limits.files} files or {limits.disk / 2**20:.0f} MB"
                return f"it wrote more than {most}"
        return ""


def _memory(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss
    except psutil.Error:  # it has ended meanwhile
        return 0


def _files(folder: Path):
    """All files and folders inside, as they are found."""
    folders = [folder]
    while folders:
        try:
            with os.scandir(folders.pop()) as found:
                for one in found:
                    yield one
                    if one.is_dir(follow_symlinks=False):
                        folders.append(one.path)
        except OSError:  # it has been removed meanwhile
            continue
