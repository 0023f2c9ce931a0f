"""Bytes in a page, in letters that no page gives a meaning, some hundred kilobytes at a time."""

import zlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import sha256

import numpy as np

ROWS = 2**11  # of 13 bytes, that are written at a time: they stay in a cache
SIZE = 2**18  # bytes of a block: a browser takes a millisecond to begin with each
LETTERS = bytes(c for c in range(35, 127) if c != ord("<"))  # 91: two stand for 13 bits
DIGITS = np.stack(np.divmod(np.arange(8192), 91), axis=1)
PAIRS = np.frombuffer(LETTERS, np.uint8)[DIGITS].view("<u2")[:, 0]  # of each number of 13 bits
BYTE, BIT = np.divmod(13 * np.arange(8), 8)  # where each of the eight numbers in 13 bytes starts


class Blocks:
    """Pieces of bytes, one behind another; equal pieces stand there once, text in its own blocks.

    A full block is deflated by another thread while the next pieces are made. What it has not begun
    at the end, this thread deflates; two others would slow down the making of pieces on two cores.

    Parameters
    ----------
    deflate : bool
        Whether the blocks are deflated.
    """

    def __init__(self, deflate: bool) -> None:
        self.deflate = deflate
        self._places: dict[bytes, tuple[int, int, int]] = {}
        self._open: list[bytes] = []
        self._filled, self._text = 0, False
        self._pool = ThreadPoolExecutor(1)
        self._full: list[Future[bytes]] = []
        self._waiting: dict[int, tuple[list[bytes], bool]] = {}

    def place(self, *pieces: bytes, text: bool = False) -> tuple[int, int, int]:
        """Add pieces as one; return the number of its block, its start and its size in there."""
        whole = b"".join(pieces)
        key = sha256(whole).digest()
        if key not in self._places:
            if self._open and text != self._text:
                self._close()
            self._text = text
            self._places[key] = len(self._full), self._filled, len(whole)
            self._open += pieces
            self._filled += len(whole)
            if self._filled >= SIZE:
                self._close()
        return self._places[key]

    def elements(self) -> list[str]:
        """End the last block; return an element of a page for each."""
        if self._open:
            self._close()
        elements = []
        with self._pool:
            for number, block in reversed([*enumerate(self._full)]):
                elements.append(element(self._joined(number) if block.cancel() else block.result()))
        return elements[::-1]

    def _close(self) -> None:
        number = len(self._full)
        self._waiting[number] = self._open, self._text
        self._full.append(self._pool.submit(self._joined, number))
        self._open, self._filled = [], 0

    def _joined(self, number: int) -> bytes:
        pieces, text = self._waiting.pop(number)
        return b"".join(deflated(pieces, text) if self.deflate else pieces)


def element(data: bytes) -> str:
    """Return a block as an element of a page."""
    return f'<script type="text/plain" data-size="{len(data)}">{lettered(data)}</script>'


def deflated(pieces: list[bytes], text: bool) -> Iterator[bytes]:
    """Deflate pieces as one stream, none with a look at another: quicker, and as short.

    Bytes of numbers are filtered data in zlib's words: three that return by chance are no gain.
    """
    level, strategy = (6, zlib.Z_DEFAULT_STRATEGY) if text else (4, zlib.Z_FILTERED)
    packer = zlib.compressobj(level, zlib.DEFLATED, 15, 9, strategy)  # 5: a tenth longer for 0.2 %
    for piece in pieces:
        yield packer.compress(piece)
        yield packer.flush(zlib.Z_FULL_FLUSH)
    yield packer.flush()


def lettered(data: bytes) -> str:
    """Write 13 bits as two of 91 letters: a quarter longer than the bytes."""
    rows = np.frombuffer(data + bytes(-len(data) % 13), np.uint8).reshape(-1, 13)
    text = b"".join(_lettered(rows[k : k + ROWS]) for k in range(0, len(rows), ROWS))
    return text[: -(-len(data) * 8 // 13) * 2].decode("ascii")


def _lettered(rows: np.ndarray) -> bytes:
    last = np.minimum(BYTE + 2, 12)  # of the eighth number two bytes are all
    three = rows[:, BYTE].astype(np.int32)
    three <<= 8
    three |= rows[:, BYTE + 1]
    three <<= 8
    three |= rows[:, last]
    three >>= 11 - BIT
    three &= 8191
    return PAIRS[three].tobytes()
