"""Checks of notebook 13: notes as numbers of events, scores by distance, skewing to both sides."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional as F

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp

ON, OFF, SHIFT = 0, 128, 255  # a shift of one tick is 256
LONGEST = 100  # ticks of one shift


@check("right, with pauses and with long notes.")
def note_events() -> Cases:
    """Check `note_events(notes)`: the numbers of the events of one voice.

    `notes` is a list of (pitch, start, end) in ticks, no two at once. Down is the pitch, up
    128 + pitch, a shift of t ticks 255 + t, for t from 1 to 100; longer times are several shifts,
    the longest first. Time begins at tick 0.

    Source: deck 002, "Raw representations in music and language"; Huang et al. (2019), 4.2.
    """
    for name, notes in (
        ("a rest without notes", []),
        ("two notes, one after the other", [(60, 0, 50), (67, 50, 80)]),
        ("two notes with a pause between", [(64, 0, 30), (62, 45, 65)]),
        ("a note that lasts 2.5 seconds", [(72, 0, 250)]),
        ("a pause of 1.2 seconds, then a note of one", [(55, 120, 220), (55, 220, 221)]),
    ):
        right = _events(notes)
        slips = {
            "the time between two notes is missing": _events(notes, waited=lambda *_: 0),
            "the time for which a key is held is missing": _events(notes, held=False),
            "a key that goes down goes up again, 128 + pitch": _events(notes, up=False),
            "one shift spans 100 ticks at most": _events(notes, lambda t: [SHIFT + t] * (t > 0)),
            "a shift of 0 ticks is no event": _events(notes, lambda t: _shifts(t) or [SHIFT]),
            "a shift of t ticks is 255 + t: the first one, 256, spans one tick": (
                [x + (x > SHIFT) for x in right]
            ),
            "the longest shifts come first": _events(notes, lambda t: _shifts(t)[::-1]),
            "shift to the start of a note by the time since the one before has ended": (
                _events(notes, waited=lambda start, _: start)
            ),
        }
        yield Case(f" of {name}", {"notes": notes}, right, slips)


def _shifts(ticks: int) -> list[int]:
    """The shifts that span so many ticks, the longest ones first."""
    full, rest = divmod(ticks, LONGEST)
    return [SHIFT + LONGEST] * full + [SHIFT + rest] * (rest > 0)


def _events(
    notes: list[tuple[int, int, int]],
    shifts: Callable[[int], list[int]] = _shifts,
    waited: Callable[[int, int], int] = lambda start, now: start - now,
    held: bool = True,
    up: bool = True,
) -> list[int]:
    """The notes of one voice as numbers of events, or with one thing left out."""
    numbers, now = [], 0
    for pitch, start, end in notes:
        numbers += [*shifts(waited(start, now)), ON + pitch, *(shifts(end - start) if held else [])]
        numbers += [OFF + pitch] if up else []
        now = end
    return numbers


@check("right, within the reach and beyond it.")
def clipped_scores() -> Cases:
    """Check `clipped_scores(q, e)`: q_i . e_(i-j) for each key j up to i, 0 for later ones.

    `q` is (n, d); `e` (reach + 1, d): row r is the vector of r places back, the last one that of
    all distances from there on.

    Source: deck 002, "relative self-attention"; Shaw et al. (2018), 3.2.
    """
    for n, d, reach in ((7, 3, 2), (5, 4, 6), (9, 2, 1), (4, 4, 3), (3, 2, 0)):
        q, e = ramp(n, d).sin() + 0.3, (5 * ramp(reach + 1, d)).cos()
        i = torch.arange(n)
        back = i[:, None] - i

        def scores(rows: Tensor) -> Tensor:
            return (q[:, None] * e[rows]).sum(-1)

        clipped = back.clamp(0, reach)
        right = scores(clipped).tril()
        slips = {
            "keys after the query have the score 0": scores(clipped),
            "row r of e is r places back; you took it from the end": scores(reach - clipped).tril(),
            "row i is a query, column j a key": right.T,
            "beyond the reach the last vector counts, not none": right * (back <= reach),
            "beyond the reach the last vector counts, not the first again": (
                scores(back.clamp(min=0) % (reach + 1)).tril()
            ),
            "the distance counts in absolute value here: later keys have 0": (
                scores(back.abs().clamp(max=reach))
            ),
            "do not divide by the square root of d: q . e alone is asked for": right / d**0.5,
            "the query's vector meets e, not the key's": (q[None] * e[clipped]).sum(-1).tril(),
        }
        asked, zero = f" of {n} queries, reach {reach}", "keys after the query have exactly 0."
        yield Case(asked, {"q": q, "e": e}, right, slips, zero=zero)


@check("right for three sizes.")
def two_sided_skew() -> Cases:
    """Check `two_sided_skew(products)`: from a column a distance to a column a key, (n, n).

    `products` is (n, 2n - 1); its column c is the distance j - i = c - (n - 1).

    Source: Huang et al. (2019), 3.4.1, for a head that also attends to later keys.
    """
    for n in (4, 7, 2):
        products = (n * ramp(n, 2 * n - 1)).sin()
        far = torch.arange(n) - torch.arange(n)[:, None]  # from query i to key j
        right = products.gather(1, far + n - 1)
        late = (far + n).clamp(max=2 * n - 2)
        slips = {
            "the distance is j - i: you took i - j": products.gather(1, n - 1 - far),
            "row i is a query, column j a key": right.T,
            "keys after the query count as well": right.tril(),
            "this is the skewing of Build, for keys up to the query; here there are later ones": (
                F.pad(products[:, :n], (1, 0)).flatten()[n:].view(n, n)
            ),
            "the rows are not shifted: a column is still a distance": products[:, n - 1 :],
            "the rows are not shifted: the first n columns are distances": products[:, :n],
            "the distance 0 stands in column n - 1": products.gather(1, late),
        }
        yield Case(f" of {n} queries", {"products": products}, right, slips)
