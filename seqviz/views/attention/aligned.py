"""Two lists of words lined up where they are equal; step by step as aligned.js."""

from collections.abc import Sequence
from functools import lru_cache

Column = tuple[int | None, int | None]


def aligned(first: Sequence[str], second: Sequence[str]) -> list[Column]:
    """Line up two texts by a longest common subsequence of their words.

    Between equal words stand those that differ: opposite each other if there are as many in both
    texts, else first those of the first text, then those of the second, each opposite a gap.

    Returns
    -------
    list of (int or None, int or None)
        Columns: which word of either text stands there, from 0; None for a gap.

    Examples
    --------
    >>> aligned("it was tired".split(), "it was too wide".split())
    [(0, 0), (1, 1), (2, None), (None, 2), (None, 3)]
    """
    return list(_aligned(tuple(first), tuple(second)))


@lru_cache(maxsize=8)  # a long text takes a while, and every sentence asks
def _aligned(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[Column, ...]:
    common = _common(first, second)
    columns: list[Column] = []
    i = j = 0
    for row, column in [*_matches(first, second, common), (len(first), len(second))]:
        columns += _between(range(i, row), range(j, column))
        if row < len(first):
            columns.append((row, column))
        i, j = row + 1, column + 1
    return tuple(columns)


def _common(first: Sequence[str], second: Sequence[str]) -> list[list[int]]:
    """How many words are common to the texts from word i and from word j on."""
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i in range(len(first) - 1, -1, -1):
        for j in range(len(second) - 1, -1, -1):
            table[i][j] = (
                table[i + 1][j + 1] + 1
                if first[i] == second[j]
                else max(table[i + 1][j], table[i][j + 1])
            )
    return table


def _matches(first: Sequence[str], second: Sequence[str], common: list[list[int]]) -> list[Column]:
    """The pairs of equal words."""
    pairs: list[Column] = []
    i = j = 0
    while i < len(first) and j < len(second):
        if first[i] == second[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif common[i + 1][j] >= common[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _between(first: range, second: range) -> list[Column]:
    """The words between two that are equal."""
    if len(first) == len(second):
        return list(zip(first, second, strict=True))
    return [(i, None) for i in first] + [(None, j) for j in second]


def opposite(columns: Sequence[Column], place: int) -> int | None:
    """Which word of the second text stands opposite one of the first; None for a gap."""
    return next(j for i, j in columns if i == place)
