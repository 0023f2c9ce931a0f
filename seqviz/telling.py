"""How a message tells what came."""

from typing import Any


def shown(value: Any) -> str:
    """Return what came as a message shows it: no longer than a line."""
    try:
        text = repr(value)
    except Exception:  # an integer of more digits than Python prints, an object that cannot
        text = f"a {type(value).__name__} that cannot be printed"
    return text if len(text) <= 120 else f"{text[:100]} ... ({len(text):,} characters)"
