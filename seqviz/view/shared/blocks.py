"""Bytes in a page, in letters that no page gives a meaning, some hundred kilobytes at a time."""

import zlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from hashlib import sha256

import numpy as np

ROWS = 2**11  # of 23 bytes, that are written at a time: they stay in a cache
SIZE = 2**18  # bytes of a block: a browser takes a millisecond to begin with each
LETTERS = b"\t\n" + bytes(c for c in range(32, 127) if c != ord("<"))  # 96: seven hold 46 bits
BYTE, BIT = np.divmod(23 * np.arange(8), 8)  # where each number of 23 bits in 23 bytes starts
DIGITS = np.stack(np.divmod(np.arange(96**2), 96), axis=1)
PAIRS = np.frombuffer(LETTERS, np.uint8)[DIGITS].view("<u2")[:, 0]
SEVEN = np.dtype([("first", "u1"), ("second", "<u2"), ("fourth", "<u2"), ("sixth", "<u2")])


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
    """Write 46 bits as seven of 96 letters: 22 % longer than the bytes.

    They are what HTML takes as it is and one byte holds: what is printed, tab and newline.
    """
    rows = np.frombuffer(data + bytes(-len(data) % 23), np.uint8).reshape(-1, 23)
    text = b"".join(_lettered(rows[k : k + ROWS]) for k in range(0, len(rows), ROWS))
    return text[: -(-len(data) * 8 // 46) * 7].decode("ascii")


def _lettered(rows: np.ndarray) -> bytes:
    numbers = np.zeros((len(rows), 8), np.uint32)
    for k in range(4):  # of the last number three bytes are all
        numbers <<= 8
        numbers |= rows[:, np.minimum(BYTE + k, 22)]
    numbers >>= 9 - BIT.astype(np.uint32)
    numbers &= 2**23 - 1
    left = numbers[:, ::2] * 2.0**23 + numbers[:, 1::2]
    letters = np.empty(left.shape, SEVEN)
    for name in ("sixth", "fourth", "second"):
        above = np.floor(left / 96**2)
        letters[name] = PAIRS[(left - 96**2 * above).astype(np.intp)]
        left = above
    letters["first"] = np.frombuffer(LETTERS, np.uint8)[left.astype(np.intp)]
    return letters.tobytes()
