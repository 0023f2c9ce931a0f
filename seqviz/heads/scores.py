"""Scores of heads from the sums of a survey, each beside what an even spread would score."""

from dataclasses import dataclass

import numpy as np

from seqviz.heads.sentences import RELATIONS
from seqviz.heads.survey import LONGEST, Survey

SCORES = (*RELATIONS, "apart", "distance", "entropy", "evenness", "position", "usual")
AROUND = 12  # words to each side, of the weights by offset
REACH = 17  # words and more, of the distances
PAIRS = 30  # that a mean of one offset needs, and a tenth of those of the most frequent one
LISTED, USED = 7, 8  # words of a list; how often a word must stand there


@dataclass(frozen=True)
class Scores:
    """What heads do.

    Attributes
    ----------
    values : array (head, score)
        In the order of `SCORES`; NaN where nothing was seen that could be scored.
    even : array (score,)
        What an even spread of the weights would score.
    error : array (head, relation)
        The standard error of a mean over sentences.
    drawn : array (head,)
        How many times as much as evenly the word draws that draws most; a mark is none.
    having : array (relation,)
        In how many sentences such a key was seen.
    most : array (head, place)
        In how many sentences the head gave most of its weight to each of `PLACES`.
    profile : array (head, 2 * AROUND + 1)
        The mean weight to a word so many words away.
    reach : array (head, REACH + 1)
        The share of the weight from word to word by distance; the last one has all that is beyond.
    """

    values: np.ndarray
    even: np.ndarray
    error: np.ndarray
    drawn: np.ndarray
    having: np.ndarray
    most: np.ndarray
    profile: np.ndarray
    reach: np.ndarray


def scores_of(survey: Survey) -> Scores:
    """Return the scores of a survey's heads."""
    sight = int(survey.causal)
    heads = [*range(survey.heads), survey.heads + sight]  # and what spreads its weight evenly
    sums = {name: array[heads] for name, array in survey.arrays.items()}
    count = survey.counts[:, sight]
    related = _over(sums["weight"], count)
    offset = np.arange(-LONGEST, LONGEST + 1)
    pairs = np.where((offset > 0) & survey.causal, 0, survey.pairs)
    profile = _over(sums["by_offset"], pairs)
    near = slice(LONGEST - AROUND, LONGEST + AROUND + 1)
    columns = {
        "apart": _apart(profile[:, near], pairs[near]),
        "distance": _over(sums["by_offset"] @ np.abs(offset), sums["by_offset"].sum(axis=1)),
        "entropy": sums["entropy"] / survey.words,
        "evenness": _over(sums["evenness"][:, sight], survey.queries[sight]),
        "position": _explained(sums["by_offset"], sums["squares"].sum(axis=1), pairs),
        "usual": sums["most"].max(axis=1) / len(survey),
    }
    values = np.column_stack([related, *(columns[name] for name in SCORES[len(RELATIONS) :])])
    having = survey.having[:, sight]
    return Scores(
        values[:-1],
        values[-1],
        _errors(sums, related, survey.count_squares[:, sight], count, having, sight)[:-1],
        drawn_of(survey).max(axis=0, initial=0),
        having,
        sums["most"][:-1].astype(int),
        profile[:-1, near],
        _reach(sums["by_offset"][:-1]),
    )


def _over(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Means; NaN where nothing was counted."""
    return np.divide(sums, counts, where=counts > 0, out=np.full(np.shape(sums), np.nan))


def _errors(sums, mean, squares, count, having, sight) -> np.ndarray:
    """Standard errors of means of which each sentence gives some of the queries."""
    rest = sums["square"] - 2 * mean * sums["cross"][..., sight] + mean**2 * squares
    few = having / np.maximum(having - 1, 1)
    return _over(np.sqrt(np.maximum(rest, 0) * few), count)


def _apart(profile: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """The largest mean weight at one distance of two words or more, to either side."""
    far = np.abs(np.arange(-AROUND, AROUND + 1)) > 1
    known = far & (pairs >= max(PAIRS, pairs.max() / 10))
    return profile[:, known].max(axis=1) if known.any() else np.full(len(profile), np.nan)


def _explained(by_offset: np.ndarray, squares: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """The share of the variance of all weights from word to word that the offset explains."""
    if not pairs.any():
        return np.full(len(by_offset), np.nan)
    seen = pairs > 0
    common = by_offset.sum(axis=1) ** 2 / pairs.sum()
    between = (by_offset[:, seen] ** 2 / pairs[seen]).sum(axis=1) - common
    whole = squares - common
    alike = whole <= 1e-9 * np.maximum(squares, 1e-300)
    return np.where(alike, 0, between / np.where(alike, 1, whole))


def _reach(by_offset: np.ndarray) -> np.ndarray:
    """Shares of the weight by distance."""
    back = by_offset[:, LONGEST::-1].copy()  # 0, 1, 2 ... words away
    back[:, 1:] += by_offset[:, LONGEST + 1 :]
    reach = np.column_stack([back[:, :REACH], back[:, REACH:].sum(axis=1)])
    whole = reach.sum(axis=1, keepdims=True)
    return reach / np.where(whole > 0, whole, 1)


def drawn_of(survey: Survey, marks: bool = False) -> np.ndarray:
    """How many times as much as evenly each frequent word draws (word, head), with marks or not."""
    frequent = _frequent(survey)
    words = list(survey.vocabulary)
    kept = [k for k in frequent if marks or any(map(str.isalnum, words[k]))]
    even = survey.received[kept, survey.heads + int(survey.causal)][:, None]
    drawn = survey.received[kept, : survey.heads]
    return _over(drawn, np.broadcast_to(even, drawn.shape))


def _frequent(survey: Survey) -> np.ndarray:
    used = survey.used[: len(survey.vocabulary)]
    return np.flatnonzero(used >= min(USED, max(1, used.max(initial=0) / 2)))


def words_of(survey: Survey) -> dict[str, list[list]]:
    """For each head the words that link strongest, and those that get most over an even spread.

    Returns
    -------
    dict
        "queries": (word, its mean strongest weight to another word); "keys": (word, how many times
        as much as evenly); the strongest first.
    """
    heads, words, frequent = survey.heads, list(survey.vocabulary), _frequent(survey)
    tables = {
        "queries": survey.links[frequent, :heads] / survey.used[frequent, None],
        "keys": drawn_of(survey, marks=True),
    }
    listed = {}
    for name, table in tables.items():
        order = np.argsort(-np.nan_to_num(table), axis=0, kind="stable")[:LISTED]
        listed[name] = [
            [(words[frequent[k]], round(float(table[k, head]), 4)) for k in order[:, head]]
            for head in range(heads)
        ]
    return listed
