"""The questions that are asked of word vectors: a is to b as c is to d."""

import random
from dataclasses import dataclass
from itertools import permutations

from seqviz.arguments import checked_type
from seqviz.data.generators.relations.lexicon import COUNTRIES, NOUNS, VERBS

# Which two forms of a family are the pair, for each relation; families of which table.
RELATIONS = {
    "gender": (NOUNS, ((0, 1), (2, 3))),
    "plural": (NOUNS, ((0, 2), (1, 3))),
    "past": (VERBS, ((0, 1),)),
    "capital": (COUNTRIES, ((0, 1),)),
}


@dataclass(frozen=True)
class Quadruple:
    """A question: a is to b as c is to d.

    Parameters
    ----------
    relation : {"gender", "plural", "past", "capital"}
        What b is to a, and d to c.
    a, b, c, d : str
        The words. The last one is to be found.
    """

    relation: str
    a: str
    b: str
    c: str
    d: str

    @classmethod
    def from_line(cls, line: str) -> "Quadruple":
        """The question of a line of the data set's file.

        Raises
        ------
        ValueError
            If the line is no such question.
        """
        checked_type("line", line, str, "a line of the data set's file")
        words = line.split()
        if len(words) != 5 or words[0] not in RELATIONS:
            raise ValueError(
                f"line must be one of {', '.join(RELATIONS)} and four words, got {line!r}"
            )
        return cls(*words)

    @property
    def line(self) -> str:
        """The question as a line of the data set's file."""
        return " ".join((self.relation, self.a, self.b, self.c, self.d))


def questions(draw: random.Random) -> tuple[list[Quadruple], list[Quadruple]]:
    """Questions about half of each table's families, then about the other half; both directions."""
    halves = {id(table): draw.sample([*table], len(table)) for table in (NOUNS, VERBS, COUNTRIES)}
    asked: tuple[list[Quadruple], list[Quadruple]] = [], []
    for relation, (table, forms) in RELATIONS.items():
        families = halves[id(table)]
        half = len(families) // 2
        for part, mine in zip(asked, (families[:half], families[half:]), strict=True):
            for one, other in permutations(mine, 2):
                for x, y in forms:
                    part.append(Quadruple(relation, one[x], one[y], other[x], other[y]))
                    part.append(Quadruple(relation, one[y], one[x], other[y], other[x]))
    return asked
