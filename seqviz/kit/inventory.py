"""Twenty questions on attention; wrong options are answers that students' code has given."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class Item:
    """A question; `slips` name the recorded mistake behind a wrong option."""

    question: str
    options: Sequence[str]
    answer: str
    slips: dict[str, str]

    @property
    def right(self) -> int:
        """The place of the answer among the options."""
        return self.options.index(self.answer)


@cache
def items() -> tuple[Item, ...]:
    """Return the questions in their order."""
    return tuple(Item(**one) for one in json.loads(FILE.read_text(encoding="utf-8")))


def version() -> str:
    """Name the questions: answers to other ones are not mixed with them."""
    return hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]
