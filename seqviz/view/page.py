"""A view as a page of its own: the same drawing over a small stand-in for the kernel's model."""

import html
import json
import zlib
from pathlib import Path

import numpy as np

STUB = Path(__file__).with_name("stub.js")
LETTERS = bytes(c for c in range(35, 127) if c != ord("<"))  # 91: two stand for 13 bits
DIGITS = np.stack(np.divmod(np.arange(8192), 91), axis=1)
PAIRS = np.frombuffer(LETTERS, np.uint8)[DIGITS].view("<u2")[:, 0]  # of each number of 13 bits
BYTE, BIT = np.divmod(13 * np.arange(8), 8)  # where each of the eight numbers in 13 bytes starts


def whole(view, deflate: bool = True) -> str:
    """Return a complete page with the view in it."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{html.escape(view.alt)}</title>"
        "<style>html{color-scheme:light dark}body{margin:0}</style></head>\n"
        f"<body>{fragment(view, deflate)}</body></html>\n"
    )


def fragment(view, deflate: bool = True) -> str:
    """Return the view as a piece of a page; pieces on one page know nothing of each other.

    Equal parts stand in it once.
    """
    numbers: dict[bytes, int] = {}
    parts = {
        name: numbers.setdefault(sent(part), len(numbers)) for name, part in view.parts.items()
    }
    code = [str(view._esm).encode(), str(view._css).encode()]
    content = {
        "script": len(numbers),
        "style": len(numbers) + 1,
        "state": {"facts": view.facts, **view.controls()},
        "first": view.needs(),
        "parts": parts,
        "deflated": deflate,
    }
    safe = json.dumps(content, ensure_ascii=False).replace("<", "\\u003c")
    return (
        '<div class="seqviz-page">'
        f"<noscript><p>{html.escape(view.alt)}</p></noscript>"
        f'<script type="application/json">{safe}</script>'
        f"{''.join(packed(part, deflate) for part in [*numbers, *code])}"
        f"<script>{STUB.read_text(encoding='utf-8')}</script></div>"
    )


def sent(part) -> bytes:
    """What travels of a part: bytes as they are, an array as float32."""
    return part if isinstance(part, bytes) else np.asarray(part, dtype="<f4").tobytes()


def packed(part: bytes, deflate: bool) -> str:
    """Return bytes as an element of a page, in letters that no page gives a meaning."""
    packer = zlib.compressobj(5, zlib.DEFLATED, 15, 9)  # 6: a fifth longer for 0.2 %
    data = packer.compress(part) + packer.flush() if deflate else part
    return f'<script type="text/plain" data-size="{len(data)}">{lettered(data)}</script>'


def lettered(data: bytes) -> str:
    """Write 13 bits as two of 91 letters: a quarter longer than the bytes."""
    rows = np.frombuffer(data + bytes(-len(data) % 13), np.uint8).reshape(-1, 13).astype(np.int32)
    last = np.minimum(BYTE + 2, 12)  # of the eighth number two bytes are all
    three = rows[:, BYTE] << 16 | rows[:, BYTE + 1] << 8 | rows[:, last]
    text = PAIRS[three >> (11 - BIT) & 8191].tobytes()
    return text[: -(-len(data) * 8 // 13) * 2].decode("ascii")
