"""One file over the network: a progress bar, a retry, and limits of time and of size."""

import hashlib
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import BinaryIO

import pooch

from seqviz.files import replacing

RETRIES = 1
TIMEOUT = 5  # seconds without an answer; a silent server is given up after about 11
SECONDS = 60  # for all of a file, however slowly it comes
WEB_PAGE = re.compile(rb"\s*<(!doctype html|html|head|meta|script|body)", re.IGNORECASE)


class WrongContent(Exception):
    """What came is not the file."""


def download(url: str, path: Path, size: int, sha256: str) -> None:
    """Bring a file from an address, or leave what is at `path` as it was.

    Parameters
    ----------
    url : str
    path : Path
        Where to put it.
    size : int
        Its bytes. More are not read.
    sha256 : str
        Its checksum.

    Raises
    ------
    OSError
        If nothing comes, not all of it in time, or a web page, which is what a network sends to
        someone who has not logged in to it.
    WrongContent
        If something else comes.
    """
    with replacing(path) as file:
        try:
            _in_time(lambda: _try(url, _Limited(file, size)))
        except WrongContent:
            _refuse_page(file, url)
            raise
        file.seek(0)
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            _refuse_page(file, url)
            raise WrongContent(f"its sha256 differs from the registered {sha256}")


class _Limited:
    """A file that takes only so many bytes."""

    def __init__(self, file: BinaryIO, size: int):
        self.file, self.size, self.flush = file, size, file.flush

    def write(self, chunk: bytes) -> None:
        room = self.size - self.file.tell()
        self.file.write(chunk[:room])
        if len(chunk) > room:
            raise WrongContent(f"it is longer than the registered {self.size:,} bytes")


def _try(url: str, file: _Limited) -> None:
    """Ask for the file, and ask again if the network fails."""
    bring = pooch.HTTPDownloader(progressbar=True, timeout=TIMEOUT)
    for left in reversed(range(1 + RETRIES)):
        file.file.seek(0)
        file.file.truncate()
        try:
            return bring(url, file, None)
        except OSError:
            if not left:
                raise
            time.sleep(1)


def _in_time(work: Callable[[], None]) -> None:
    """Do the work in a thread, which is left behind if it hangs: a socket has no limit in all."""
    outcome = SimpleQueue()

    def run() -> None:
        try:
            outcome.put(work())
        except BaseException as error:
            outcome.put(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        error = outcome.get(timeout=SECONDS)
    except Empty:
        raise TimeoutError(f"not all of it came within {SECONDS} seconds") from None
    if error is not None:
        raise error


def _refuse_page(file: BinaryIO, url: str) -> None:
    file.seek(0)
    if WEB_PAGE.match(file.read(1024)):
        raise ConnectionError(
            f"a web page came in the place of {url}: open one in a browser, the network may ask "
            "you to log in"
        )
