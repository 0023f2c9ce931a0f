"""Fewer cases than all combinations, in which any two values still meet."""

from itertools import combinations, product


def pairwise(*options):
    """Rows with one value of each list, so that every pair of values of two lists is in a row.

    Greedy: the row that brings most new pairs comes next.
    """
    places = list(product(*(range(len(values)) for values in options)))

    def pairs(row):
        return set(combinations(enumerate(row), 2))

    missing, rows = set().union(*map(pairs, places)), []
    while missing:
        best = max(places, key=lambda row: len(pairs(row) & missing))
        missing -= pairs(best)
        rows.append(tuple(values[k] for values, k in zip(options, best, strict=True)))
    return rows
