"""A view as a page of its own: the same drawing over a small stand-in for the kernel's model."""

import html
import json
import zlib
from pathlib import Path

import numpy as np

STUB = Path(__file__).with_name("stub.js")
LETTERS = bytes(c for c in range(35, 127) if c != ord("<"))  # 91: two stand for 13 bits


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
    parts = {name: numbers.setdefault(view.part(name), len(numbers)) for name in view.parts}
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


def packed(part: bytes, deflate: bool) -> str:
    """Return bytes as an element of a page, in letters that no page gives a meaning."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 15, 9, zlib.Z_FILTERED)  # small, noisy numbers
    data = packer.compress(part) + packer.flush() if deflate else part
    return f'<script type="text/plain" data-size="{len(data)}">{lettered(data)}</script>'


def lettered(data: bytes) -> str:
    """Write 13 bits as two of 91 letters: a quarter longer than the bytes."""
    rows = np.frombuffer(data + bytes(-len(data) % 13), np.uint8).reshape(-1, 13)
    rows = np.pad(rows, ((0, 0), (0, 2))).astype(np.int32)
    letters = np.frombuffer(LETTERS, np.uint8)
    text = np.empty((len(rows), 16), np.uint8)
    for k in range(8):
        at, shift = divmod(13 * k, 8)
        three = rows[:, at] << 16 | rows[:, at + 1] << 8 | rows[:, at + 2]
        high, low = np.divmod(three >> (11 - shift) & 8191, 91)
        text[:, 2 * k], text[:, 2 * k + 1] = letters[high], letters[low]
    return text.tobytes().decode("ascii")[: -(-len(data) * 8 // 13) * 2]
