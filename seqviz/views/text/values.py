"""A text as a model read it: tokens, values and forecasts that fit each other."""

from dataclasses import dataclass

import numpy as np

from seqviz.pieces import distinct, pieces_of
from seqviz.views.shared.checking import different, numbers, shares, strings

MOST_TOKENS = 5_000
MOST_VALUES = 4_000_000
TOP = 5  # next tokens kept


@dataclass(frozen=True)
class Forecast:
    """What was expected after each token: the likeliest, and the one that came."""

    words: list[str]  # every token that is among the likeliest somewhere
    likeliest: np.ndarray  # (T, k) indices into words, likeliest first
    probability: np.ndarray  # (T, k)
    came: np.ndarray  # (T, 2) probability and rank of the token that came; NaN where unknown

    def guesses(self, t: int) -> list[tuple[str, float]]:
        """The likeliest next tokens with their probabilities."""
        words = [self.words[k] for k in self.likeliest[t]]
        return list(zip(words, self.probability[t].tolist(), strict=True))


@dataclass(frozen=True)
class Reading:
    """A text as a model read it, checked; tokens without the marks of their tokenizer."""

    tokens: list[str]
    values: np.ndarray  # (T, U)
    forecast: Forecast | None
    joined: list[bool]  # which go on with the word before

    def strongest(self, unit: int) -> int:
        """Position, from 1, of the token where a unit is farthest from zero."""
        return int(np.abs(self.values[:, unit - 1]).argmax()) + 1


def check(tokens, values, probabilities, vocabulary: list[str] | None) -> Reading:
    """Check that tokens, values and probabilities fit; `vocabulary` is checked already."""
    tokens = strings("tokens", tokens)
    if not 0 < len(tokens) <= MOST_TOKENS:
        raise ValueError(
            f"tokens: expected 1 to {MOST_TOKENS:,}, came {len(tokens):,}: "
            f"show a stretch, such as tokens[:{MOST_TOKENS}] with values[:{MOST_TOKENS}]"
        )
    values = numbers("values", values)
    if values.ndim not in (1, 2) or len(values) != len(tokens) or not values.size:
        raise ValueError(
            f"values: expected shape ({len(tokens)},) or ({len(tokens)}, units), a row for each "
            f"token, came {values.shape}: pick one item of a batch, and the states after each token"
        )
    values = values.reshape(len(tokens), -1)
    if values.size > MOST_VALUES:
        raise ValueError(
            f"values: expected at most {MOST_VALUES:,} numbers, came {values.size:,}: "
            f"keep {MOST_VALUES // len(tokens)} units with values[:, :{MOST_VALUES // len(tokens)}]"
        )
    if (probabilities is None) != (vocabulary is None):
        missing = "probabilities" if probabilities is None else "vocabulary"
        raise ValueError(f"{missing}: missing; probabilities and vocabulary belong together")
    forecast = None if probabilities is None else expect(tokens, probabilities, vocabulary)
    if all(len(token) <= 1 for token in tokens):  # characters have no marks
        return Reading(tokens, values, forecast, [False] * len(tokens))
    found = pieces_of(tokens)
    return Reading(found.bare, values, forecast, [not start for start in found.starts])


def expect(tokens: list[str], probabilities, vocabulary: list[str]) -> Forecast:
    """Check the probabilities and keep what the view shows of them."""
    column = different("vocabulary", vocabulary, "give the tokenizer's own pieces, which differ")
    shape = len(tokens), len(vocabulary)
    what = ", a row for each token and a column for each vocabulary entry"
    fix = "the softmax over the last axis first"
    rows = shares("probabilities", probabilities, shape, fix, what)
    likeliest = largest(rows, TOP)
    came = np.full((len(tokens), 2), np.nan, dtype=np.float32)
    for t, token in enumerate(tokens[1:]):
        if token in column:
            v, row = column[token], rows[t]
            came[t] = row[v], 1 + (row > row[v]).sum() + (row[:v] == row[v]).sum()
    used, ids = np.unique(likeliest, return_inverse=True)
    return Forecast(
        words=distinct([vocabulary[v] for v in used]),
        likeliest=ids.reshape(likeliest.shape),
        probability=np.take_along_axis(rows, likeliest, axis=1),
        came=came,
    )


def largest(rows: np.ndarray, k: int) -> np.ndarray:
    """Columns of the k largest of each row, largest first; of equals, the first comes first."""
    rest, found, every = rows.copy(), [], np.arange(len(rows))
    for _ in range(min(k, rows.shape[1])):
        found.append(rest.argmax(axis=1))
        rest[every, found[-1]] = -np.inf
    return np.stack(found, axis=1)
