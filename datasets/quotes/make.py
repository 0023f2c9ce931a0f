"""Draws `quotes`: who spoke first, and is this word inside or outside of quotation marks?"""

import random
from pathlib import Path

from seqviz.data.items import Quoted
from seqviz.data.json_lines import write_parts

NAMES = ("Anna", "Ben", "Cora", "Dan")
THINGS = ("tea", "soup", "bread", "cake")
STATES = ("cold", "warm", "old", "gone")
MARK = '"'
SIZES = {"train": 600, "val": 150, "test": 150}


def make() -> dict[str, list[Quoted]]:
    """Talks such as 'Anna said " tea was cold " and soup was old and ... who began ?'.

    Two speeches and two remarks outside of them, in any order, all of one length. Both are made
    of the same clauses, so that a word alone does not tell where it stands. The names of the two
    speakers are drawn without regard to each other, so that the last name does not tell the
    first. No talk comes twice.
    """
    draw, talks = random.Random(0), {}
    while len(talks) < sum(SIZES.values()):
        talks[_talk(draw)] = None
    rest = iter(talks)
    return {part: [_answered(next(rest)) for _ in range(size)] for part, size in SIZES.items()}


def _answered(talk: str) -> Quoted:
    words, labels, inside = tuple(talk.split()), [], False
    for word in words:
        inside ^= word == MARK
        labels.append("inside" if inside else "outside")
    labels[-1] = next(word for word in words if word in NAMES)
    return Quoted(words, tuple(labels))


def _talk(draw: random.Random) -> str:
    turns = [_clause(draw), _clause(draw)]
    turns += [f"{draw.choice(NAMES)} said {MARK} {_clause(draw)} {MARK}" for _ in range(2)]
    draw.shuffle(turns)
    return f"{' and '.join(turns)} who began ?"


def _clause(draw: random.Random) -> str:
    return f"{draw.choice(THINGS)} was {draw.choice(STATES)}"


if __name__ == "__main__":
    write_parts(Path(__file__).parent, make())
