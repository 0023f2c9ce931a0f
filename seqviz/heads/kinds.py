"""Kinds of heads: rules with a threshold, of which none is met by chance."""

from dataclasses import dataclass

import numpy as np

from seqviz.heads.scores import SCORES, Scores
from seqviz.heads.sentences import RELATIONS

SENTENCES = 10  # in which such a key was seen: fewer are no habit
TIMES = 2  # as much as an even spread
OF_TOKEN = 2  # the same again for what draws by what it is, and as much as any word does
ERRORS = 3  # by how many standard errors it must be above that


@dataclass(frozen=True)
class Kind:
    """A kind of head: its mean score is at least so much."""

    name: str
    score: str
    least: float
    of_token: bool = False  # that draws weight by what it is, as any word may in a random net

    @property
    def times(self) -> int:
        """How many times as much as an even spread it asks for."""
        return TIMES * OF_TOKEN if self.of_token else TIMES


KINDS = (
    Kind("previous word", "previous", 0.3),
    Kind("next word", "next", 0.3),
    Kind("fixed distance", "apart", 0.3),
    Kind("by position", "position", 0.5),
    Kind("first token", "first", 0.4, of_token=True),
    Kind("separator", "separator", 0.12, of_token=True),
    Kind("itself", "itself", 0.12),
    Kind("same word", "same", 0.12),
    Kind("induction", "induction", 0.3),
    Kind("punctuation", "punctuation", 0.1, of_token=True),
)


def kinds_of(scores: Scores, sentences: int) -> np.ndarray:
    """Return which heads (head, kind) are of which of `KINDS`.

    A head is of a kind if its score reaches the rule's, is twice that of an even spread, and above
    that by three standard errors, in ten sentences at least. A random net, too, may prefer one
    token: where that would make the kind, as of a separator, it is four times an even spread, and
    twice as much as the word that draws most.
    """
    columns = []
    for kind in KINDS:
        k = SCORES.index(kind.score)
        value, floor = np.nan_to_num(scores.values[:, k]), TIMES * np.nan_to_num(scores.even[k])
        of_relation = kind.score in RELATIONS
        error = scores.error[:, k] if of_relation else 0
        enough = (scores.having[k] if of_relation else sentences) >= SENTENCES
        if kind.of_token:
            floor = OF_TOKEN * np.maximum(floor, np.nan_to_num(scores.even[k]) * scores.drawn)
        sure = value - ERRORS * np.nan_to_num(error) > floor
        columns.append((value >= kind.least) & sure & enough)
    return np.stack(columns, axis=1)
