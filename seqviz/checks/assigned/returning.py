"""Check of assignment A8: a head, set by hand, that finds a motif again however high it stands."""

from itertools import pairwise

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check

TUNES = (  # name, pitches, k
    ("a motif that returns two half-tones higher", [60, 62, 64, 60, 67, 62, 64, 66, 62], 2),
    ("a motif that returns in its own pitches", [70, 67, 72, 55, 70, 67, 72], 1),
    ("a scale, which is its own return", [50, 52, 54, 56, 58, 60], 3),
    ("a note that is held", [64, 64, 64, 65, 65, 65, 64], 1),
    ("too few notes for k steps", [60, 65], 2),
    ("three returns, each at another height", [5, 9, 6, 1, 5, 2, 8, 12, 9, 0, 4, 1], 2),
)


@check("right, weights and guesses, for 6 tunes.")
def motif_head() -> Cases:
    """Check `motif_head(pitches, k) -> (weights, guess)`: attends to what followed the same steps.

    Step j leads from note j - 1 to note j. Query i attends evenly to the notes j <= i that came
    after the same k steps as its own last k; a row without any is 0. The guess is pitch i plus the
    weighted steps.

    Source: notebook 13; Olsson et al. (2022) for heads that find what came after.
    """
    for name, pitches, k in TUNES:
        weights, guess = _answer(pitches, k)
        shown = torch.tensor(pitches, dtype=torch.float64)
        n = len(pitches)
        found, earlier = weights.any(dim=1, keepdim=True), torch.ones(n, n).tril()
        of_weights = {
            "these are the copies themselves; attend to the note after each": (
                _even(_matches(pitches, k, after=0).tril(-1))
            ),
            "pitches are compared; a motif that moves keeps its steps alone": _even(
                _matches(pitches, k, of="pitches")
            ),
            "k steps are compared, between k + 1 notes: yours are k - 1": (
                _even(_matches(pitches, k - 1))
            ),
            "k steps are compared, between k + 1 notes: yours are k + 1": (
                _even(_matches(pitches, k + 1))
            ),
            "no step leads to the first note: 0 there is taken for a note that is held": (
                _even(_matches(pitches, k, pad=True))
            ),
            "all matches share the weight, not the last one alone": _one(weights, last=True),
            "all matches share the weight, not the first one alone": _one(weights, last=False),
            "a row that finds nothing must be all 0; you spread the weight over it": (
                torch.where(found, weights, _even(earlier))
            ),
            "the weights of a row add up to 1: share them out": (weights > 0).double(),
            "a query has not heard the note after its own yet": _even(_matches(pitches, k, late=1)),
            "a step has a sign: up is not down": _even(_matches(pitches, k, of="sizes")),
        }
        whole = {text: (slip, _guess(pitches, slip)) for text, slip in of_weights.items()}
        of_guess = {
            "this is the mean of the pitches attended to; it is their step that is carried over": (
                weights @ shown
            ),
            "these are the steps alone: add them to the pitch of the query": guess - shown,
            "the step leads to the note attended to, not away from it": (
                shown + weights @ torch.cat([shown.diff(), shown.new_zeros(1)])
            ),
        }
        asked = f" of {name}, k = {k},"
        given = {"pitches": torch.tensor(pitches), "k": k}
        right = {"weights": weights, "guess": guess}
        zero = {"weights": "a note that is not meant gets a little; it must be exactly 0."}
        nan = {"weights": "0 divided by 0 in a row that finds nothing? It must be all 0."}
        slips = {t: dict(zip(right, both, strict=True)) for t, both in whole.items()}
        yield Case(asked, given, right, slips | by_part({"guess": of_guess}), zero=zero, nan=nan)


def _matches(pitches: list[int], k: int, of="steps", after=1, pad=False, late=0) -> Tensor:
    """(n, n), True where the `k` things up to note j - after are those up to note i."""
    n, steps = len(pitches), [None, *(b - a for a, b in pairwise(pitches))]
    steps[0] = 0 if pad else None
    things = {"pitches": pitches, "sizes": [s if s is None else abs(s) for s in steps]}
    things, found = things.get(of, steps), torch.zeros(n, n, dtype=torch.bool)
    for i in range(k - 1, n):
        own = things[i - k + 1 : i + 1]
        for j in range(k - 1, min(i + 1 - after + late, n - after)):
            found[i, j + after] = None not in own and things[j - k + 1 : j + 1] == own
    return found


def _even(found: Tensor) -> Tensor:
    """Weights that share each row evenly."""
    return found.double() / found.sum(dim=1, keepdim=True).clamp(min=1)


def _one(weights: Tensor, last: bool) -> Tensor:
    """All of a row's weight on one of its places."""
    found = weights > 0
    order = found.flip(1).cumsum(1).flip(1) if last else found.cumsum(1)
    return (found & (order == 1)).double()


def _guess(pitches: list[int], weights: Tensor) -> Tensor:
    shown = torch.tensor(pitches, dtype=torch.float64)
    return shown + weights @ torch.cat([shown.new_zeros(1), shown.diff()])


def _answer(pitches: list[int], k: int) -> tuple[Tensor, Tensor]:
    weights = _even(_matches(pitches, k))
    return weights, _guess(pitches, weights)
