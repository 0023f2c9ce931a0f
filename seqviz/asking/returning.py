"""Questions of earlier lectures that come back: what is asked again is remembered."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from seqviz.asking.asked import Asked
from seqviz.asking.questions import Question

TABLE = Path(__file__).with_name("table.json")  # written by seqviz.publishing, of all recaps
BACK = ((1, 0), (1, 1), (2, 2))  # lectures before this one, and which question of its recap


@dataclass(frozen=True)
class Again(Asked):
    """Questions with the lecture that each is of."""

    questions: tuple[tuple[str, Question], ...]

    def __repr__(self) -> str:
        """All questions, without their answers."""
        return "\n".join(f"From {lecture}. {asked!r}" for lecture, asked in self.questions)

    def body(self) -> str:
        """The questions as HTML."""
        asked = "".join(one.body(f"From {lecture}.") for lecture, one in self.questions)
        return f'<section class="sv-again" aria-label="Questions that come back">{asked}</section>'


@cache
def table() -> Mapping[str, Sequence[Question]]:
    """Return the questions of each lecture's recap, by its number, in the order of the course."""
    read = json.loads(TABLE.read_text(encoding="utf-8"))
    return {
        lecture: tuple(Question(**one | {"options": tuple(one["options"])}) for one in asked)
        for lecture, asked in read.items()
    }


def again(lecture: str) -> Again:
    """Ask three questions of the lectures before: two of the last one, one of the one before it.

    Parameters
    ----------
    lecture : str
        The number of the lecture that begins, as "08" or "15a".

    Returns
    -------
    Again
        Shows itself when it is the last line of a cell, as a question of `ask` does.

    Raises
    ------
    TypeError
        If it is not a string.
    ValueError
        If there is no such lecture, or it is the first.

    Examples
    --------
    >>> import seqviz as sv
    >>> [lecture for lecture, _ in sv.again("08").questions]
    ['07', '07', '06']
    """
    if not isinstance(lecture, str):
        raise TypeError(f'lecture must be text, as "08", got {lecture!r}')
    lectures = list(table())
    if lecture not in lectures[1:]:
        raise ValueError(f"lecture must be one of {', '.join(lectures[1:])}, got {lecture!r}")
    at = lectures.index(lecture)
    places = ((lectures[max(at - back, 0)], number) for back, number in BACK)
    return Again(tuple((place, table()[place][number]) for place, number in places))
