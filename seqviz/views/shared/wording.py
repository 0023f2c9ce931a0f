"""Tokens, labels and numbers as people read them; base.js says the same."""

import re
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from unicodedata import bidirectional, category

MOST_LETTERS = 40
MARKS = {"\n": "↵", "\t": "⇥", "\ufffe": "\ufffd", "\uffff": "\ufffd"}
MARKS |= {chr(c): chr(0x2400 + c) for c in range(32) if chr(c) not in "\n\t"}
NAME = re.compile(r"[<\[].+[>\]]", re.DOTALL)  # of a token that is of no text
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


def runs_left(tokens: Iterable[str]) -> bool:
    """Whether most letters are of a script from right to left; `runsLeft` in direction.js."""
    letters = [c for token in tokens if not NAME.fullmatch(token) for c in token if c.isalpha()]
    turned = [c for c in letters if bidirectional(c) in ("R", "AL")]
    return 2 * len(turned) > len(letters)


def two(value: float) -> str:
    """Two decimals and a real minus; `signed` in base.js."""
    text = str(Decimal(float(value)).quantize(Decimal("0.01"), ROUND_HALF_UP, Context(prec=60)))
    return "0.00" if text == "-0.00" else text.replace("-", "−")


def share(p: float) -> str:
    """A probability, never a round 0 or 1 for one that is not."""
    if 0 < p < 0.005:
        return "<.01"
    return ">.99" if 0.995 <= p < 1 else two(p).removeprefix("0")
