"""What travels to the page: words, and beside them numbers as float32."""

import numpy as np

from seqviz.views.embedding.questions import Answer
from seqviz.views.embedding.senses import Senses
from seqviz.views.embedding.word_map import WordMap
from seqviz.views.shared.words_and_numbers import packed


def map_part(shown: WordMap, group_of: list[int]) -> bytes:
    """All words with their points; the neighbours of the first of them; the groups of the map's."""
    words = [shown.lexicon.words[k] for k in shown.ids]
    near = np.vectorize(shown.local.__getitem__)(shown.near)
    return packed(words, shown.points, near, shown.cosines, group_of)


def word_part(shown: WordMap, place: int) -> bytes:
    """A word and its neighbours: points, cosines of the neighbours."""
    ids, cosines = shown.ten(place)
    all_ids = [place, *ids]
    return packed([shown.lexicon.words[k] for k in all_ids], *map(shown.at, all_ids), cosines)


def answer_part(shown: WordMap, answer: Answer) -> bytes:
    """The rows of an answer, then the points of its words, the three inputs first."""
    own = shown.lexicon.words
    ids = [*answer.question.inputs, *(k for k in answer.ids if k not in answer.question.inputs)]
    rows = [ids.index(k) for k in answer.ids]
    points = np.stack([shown.at(k) for k in ids])
    return packed([own[k] for k in ids], points, rows, answer.ranks, answer.cosines)


def senses_part(senses: Senses) -> bytes:
    """Shares, points and cosines, layer by layer."""
    return packed([], senses.shares, senses.points, senses.cosines)
