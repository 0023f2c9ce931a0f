"""Tokens and labels as people read them; texts.js says the same."""

import re
from unicodedata import category

MOST_LETTERS = 40
MARKS = {"\n": "↵", "\t": "⇥", "\ufffe": "\ufffd", "\uffff": "\ufffd"}
MARKS |= {chr(c): chr(0x2400 + c) for c in range(32) if chr(c) not in "\n\t"}
TURNED = re.compile(  # letters and signs that change the direction of what stands beside them
    "[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]"
)


def readable(text: str, most: int = MOST_LETTERS) -> str:
    """Give white space and control characters a mark, an empty text one, and cut a long one.

    What is written from right to left, or would turn its neighbours, is isolated.
    """
    if text and not text.strip(" "):
        text = "␣" * len(text)
    text = "".join(MARKS.get(c, c) for c in text) or "∅"
    if all(category(c) in ("Cc", "Cf", "Zl", "Zp", "Zs") for c in text):
        return f"U+{ord(text[0]):04X}"
    if category(text[0]).startswith("M"):
        text = "◌" + text
    text = text if len(text) <= most else text[: most - 1] + "…"
    return f"\u2068{text}\u2069" if TURNED.search(text) else text
