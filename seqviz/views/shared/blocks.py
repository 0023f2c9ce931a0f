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
    there : set of str, optional
        Names of the blocks that other views of the page share; those of this one are added.
    """

    def __init__(self, deflate: bool, there: set[str] | None = None) -> None:
        self.deflate = deflate
        self._there = set() if there is None else there
        self._shared: list[str] = []
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

    def share(self, piece: bytes) -> str:
        """Add a block of its own, if the page has not got it; return its name."""
        name = name_of(piece)
        if name not in self._there:
            self._there.add(name)
            self._shared.append(element(packed_text(piece, self.deflate), name))
        return name

    def elements(self) -> list[str]:
        """End the last block; return an element of a page for each."""
        if self._open:
            self._close()
        return [*self._elements, *self._shared]

    def _close(self) -> None:
        block = b"".join(self._open)
        self._elements.append(element(packed_text(block, self.deflate)))
        self._open, self._filled = [], 0


def name_of(piece: bytes) -> str:
    """Return what a block that views share is called, by what is in it."""
    return sha256(piece).hexdigest()[:32]


def packed_text(data: bytes, deflate: bool) -> str:
    """Return bytes as a page has them."""
    packed = zlib.compress(data, LEVEL) if deflate else data
    return base64.b64encode(packed).decode("ascii")


def element(text: str, name: str = "") -> str:
    """Return a block as an element of a page; one that views share has a name."""
    named = f' data-block="{name}"' if name else ""
    return f'<script type="text/plain"{named}>{text}</script>'
