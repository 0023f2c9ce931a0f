"""How a message tells what came."""

from typing import Any


def count(n: int, one: str, many: str | None = None) -> str:
    """1 layer, 2 layers."""
    return f"{n} {one}" if n == 1 else f"{n} {many or one + 's'}"


def printable(text: str) -> str:
    """The text with the number of each character that cannot be printed, "U+202E", in its place."""
    return "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in text)


def shown(value: Any) -> str:
    """Return what came as a message shows it: no longer than a line."""
    try:
        text = repr(value)
    except Exception:  # an integer of more digits than Python prints, an object that cannot
        text = f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= 120 else f"{text[:100]} ... ({len(text):,} characters)"
