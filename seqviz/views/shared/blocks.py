"""Bytes in a page: packed by zlib and written in base64, some hundred kilobytes at a time."""

import base64
import zlib
from hashlib import sha256

LEVEL = 4  # of zlib's nine: half the time of its usual one, 2 % more bytes at most
SIZE = 2**18  # bytes of a block: a browser takes a millisecond to begin with each


class Blocks:
    """Pieces of bytes, one behind another; equal pieces stand there once.

    Parameters
    ----------
    deflate : bool
        Whether the blocks are packed.
    """

    def __init__(self, deflate: bool) -> None:
        self.deflate = deflate
        self._places: dict[bytes, tuple[int, int, int]] = {}
        self._open: list[bytes] = []
        self._filled = 0
        self._elements: list[str] = []

    def place(self, piece: bytes) -> tuple[int, int, int]:
        """Add a piece; return the number of its block, its start and its size in there."""
        key = sha256(piece).digest()
        if key not in self._places:
            self._places[key] = len(self._elements), self._filled, len(piece)
            self._open.append(piece)
            self._filled += len(piece)
            if self._filled >= SIZE:
                self._close()
        return self._places[key]

    def elements(self) -> list[str]:
        """End the last block; return an element of a page for each."""
        if self._open:
            self._close()
        return self._elements

    def _close(self) -> None:
        block = b"".join(self._open)
        self._elements.append(element(zlib.compress(block, LEVEL) if self.deflate else block))
        self._open, self._filled = [], 0


def element(data: bytes) -> str:
    """Return bytes as an element of a page."""
    return f'<script type="text/plain">{base64.b64encode(data).decode("ascii")}</script>'
