"""How a message tells what came."""

import re
from typing import Any


def count(n: int, one: str, many: str | None = None) -> str:
    """1 layer, 2 layers."""
    return f"{n} {one}" if n == 1 else f"{n} {many or one + 's'}"


# Letters and marks that Unicode lets pass for printed, and no font draws; a selector where there is
# nothing to select. What the views make of them: shared/texts.js.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0]"
    "|(?<![^\x00-\x7f])[\ufe00-\ufe0f\U000e0100-\U000e01ef](?!\u20e3)"
)


def printable(text: str) -> str:
    """The text with the number of each character that has no shape, "U+202E", in its place."""
    return "".join(
        f"U+{ord(c):04X}" if UNSEEN.match(text, k) or not c.isprintable() else c
        for k, c in enumerate(text)
    )


def shown(value: Any) -> str:
    """Return what came as a message shows it: no longer than a line."""
    try:
        text = repr(value)
    except Exception:  # an integer of more digits than Python prints, an object that cannot
        text = f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= 120 else f"{text[:100]} ... ({len(text):,} characters)"
