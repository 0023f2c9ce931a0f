"""Calls that must be refused, each by a message that names the argument and the fix."""

import re
from collections.abc import Callable, Mapping


def refused(kind: type[Exception], calls: Mapping[str, Callable[[], object]]) -> None:
    """Check that each call raises such an error, whose message has the pattern before it."""
    for words, call in calls.items():
        told = _told(kind, call)
        assert re.search(words, told, re.DOTALL), f"expected {words!r}, came {told}"


def _told(kind: type[Exception], call: Callable[[], object]) -> str:
    try:
        return f"no error, but {call()}"
    except kind as error:
        return str(error)
