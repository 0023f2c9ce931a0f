"""Talk with quotation marks: who spoke first, and is this word inside or outside?"""

import random
from dataclasses import dataclass

from seqviz.arguments import checked_integer, checked_type
from seqviz.data.text import check_columns

NAMES = ("Anna", "Ben", "Cora", "Dan")
THINGS = ("tea", "soup", "bread", "cake")
STATES = ("cold", "warm", "old", "gone")
MARK = '"'
OUTSIDE, INSIDE = "outside", "inside"
TALKS = {"train": 600, "val": 150, "test": 150}


@dataclass(frozen=True)
class Quoted:
    """A short talk with the right answer at each word.

    Parameters
    ----------
    words : tuple of str
        The talk, split. An opening and a closing quotation mark are the same word.
    labels : tuple of str
        "inside" or "outside" of quotation marks, at a mark what holds after it; at the last word,
        the question mark, the name of who spoke first.
    """

    words: tuple[str, ...]
    labels: tuple[str, ...]

    def __post_init__(self):
        check_columns(words=self.words, labels=self.labels)

    @classmethod
    def from_line(cls, line: str) -> "Quoted":
        """The talk of a line of the data set's file; its words decide its labels.

        Raises
        ------
        ValueError
            If the line is no such talk.
        """
        checked_type("line", line, str, "a line of the data set's file")
        words, labels, inside = tuple(line.split()), [], False
        for word in words:
            inside ^= word == MARK
            labels.append(INSIDE if inside else OUTSIDE)
        names = [word for word in words if word in NAMES]
        if not names or inside or words[-1] != "?":
            raise ValueError(
                f"line must be a talk that names one of {', '.join(NAMES)}, closes every {MARK} "
                f"and ends in ' ?', got {line!r}"
            )
        labels[-1] = names[0]
        return cls(words, tuple(labels))

    @property
    def line(self) -> str:
        """The talk as a line of the data set's file."""
        return " ".join(self.words)


def talks(seed: int = 0) -> tuple[list[Quoted], list[Quoted], list[Quoted]]:
    """Talks such as 'Anna said " tea was cold " and soup was old and ... who began ?'.

    Two speeches and two remarks outside of them, in any order, all of one length. Both are made
    of the same clauses, so that a word alone does not tell where it stands. The names of the two
    speakers are drawn without regard to each other, so that the last name does not tell the
    first. No talk comes twice.

    Parameters
    ----------
    seed : int
        0 or more. Seed of the choice and the order.

    Returns
    -------
    tuple of three lists of Quoted
        600, 150 and 150 talks to train, to validate and to test.
    """
    draw = random.Random(checked_integer("seed", seed, 0))
    lines = {}
    while len(lines) < sum(TALKS.values()):
        lines[_talk(draw)] = None
    rest = iter([Quoted.from_line(line) for line in lines])
    return tuple([next(rest) for _ in range(count)] for count in TALKS.values())


def _talk(draw: random.Random) -> str:
    turns = [_clause(draw), _clause(draw)]
    turns += [f"{draw.choice(NAMES)} said {MARK} {_clause(draw)} {MARK}" for _ in range(2)]
    draw.shuffle(turns)
    return f"{' and '.join(turns)} who began ?"


def _clause(draw: random.Random) -> str:
    return f"{draw.choice(THINGS)} was {draw.choice(STATES)}"
