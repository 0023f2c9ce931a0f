"""Checks of notebook 05: a net from the right, two nets side by side, names in BIO tags."""

import operator

import torch
from torch import Tensor, cat, nn, stack

from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import Refused, ramp

TAGS = (  # well formed first, then those in which the rule for a stray I- decides
    "O B-ORG O",
    "O B-BIBLE I-BIBLE O B-LOC",  # a kind may be long, and begin with B or I
    "B-ORG I-ORG I-ORG I-ORG",
    "B-PER B-PER I-PER O",
    "O O",
    "B-LOC",
    "B-PER O I-PER",
    "O I-PER I-PER O",
    "B-LOC I-PER I-PER I-IDEA",
    "I-ORG B-ORG I-LOC",
)


@check("right for four sizes.")
def from_the_right() -> Cases:
    """Check `from_the_right(step, X, h)`: states (time, hidden) of a net that reads backward.

    Row t belongs to ``X[t]`` and has read the rows from the last one to t.

    Source: deck 003, "Bidirectional RNNs", equation 2 with t + 1 for the backward net.
    """
    for time, inputs, hidden in ((4, 2, 3), (6, 3, 2), (2, 1, 4), (1, 4, 2)):
        W = ramp(hidden, inputs, low=-0.8, high=0.9)
        V = ramp(hidden, hidden, low=0.7, high=-0.6)
        X, start = ramp(time, inputs, low=-0.9), ramp(hidden, low=0.1, high=0.5)

        def step(x, h):
            if x.shape != W.shape[1:] or h.shape != V.shape[1:]:
                raise Refused(
                    f"from_the_right: step reads one row of X, {tuple(W.shape[1:])}, and a state, "
                    f"{tuple(V.shape[1:])}; it was given {tuple(x.shape)} and {tuple(h.shape)}."
                )
            return torch.tanh(W @ x + V @ h)

        def run(rows: Tensor, h: Tensor = start) -> Tensor:
            states = []
            for x in rows:
                h = step(x, h)
                states.append(h)
            return stack(states)

        right = run(X.flip(0)).flip(0)
        slips = {
            "the states stand in the order of reading: the first row must belong to X[0]": (
                right.flip(0)
            ),
            "this net reads from the left": run(X),
            "this net reads from the left, and its states are turned round": run(X).flip(0),
            "the start h is not used": run(X.flip(0), 0 * start).flip(0),
            "the state is not carried: every step begins with the start h": (
                stack([step(x, start) for x in X])
            ),
            "the start h stands among the states": cat([right, start[None]]),
            "row t is the state before X[t] is read": cat([right[1:], start[None]]),
        }
        runs_on = f"from_the_right runs on: X has {time} rows, read each once."
        given = {"step": at_most(20 + time, step, runs_on), "X": X, "h": start}
        yield Case(f", {time} rows,", given, right, slips)


@check("right for four sizes.")
def two_directions() -> Cases:
    """Check `two_directions(ahead, back, X)`: one bidirectional layer made of two one-way RNNs.

    The reference is ``torch.nn.RNN(..., bidirectional=True)`` with the same weights, on X
    (time, batch, input).

    Source: deck 002, "Bidirectional RNNs", concatenated hidden states.
    """
    for time, batch, inputs, hidden in ((4, 2, 5, 3), (3, 4, 1, 2), (1, 3, 2, 4), (3, 1, 4, 2)):
        both = nn.RNN(inputs, hidden, bidirectional=True, dtype=torch.float64).requires_grad_(False)
        for k, weight in enumerate(both.parameters()):
            weight.copy_(ramp(*weight.shape, low=-0.9 + 0.1 * k, high=0.8 - 0.05 * k))
        ahead, back = (
            nn.RNN(inputs, hidden, dtype=torch.float64).requires_grad_(False) for _ in range(2)
        )
        for name, weight in both.named_parameters():
            net = back if name.endswith("_reverse") else ahead
            getattr(net, name.removesuffix("_reverse")).copy_(weight)
        X = ramp(time, batch, inputs, low=-0.7, high=0.9)
        fore, late, left = ahead(X)[0], back(X.flip(0))[0], back(X)[0]
        again = late.flip(0)
        slips = {
            "the states of back are not turned round again": cat([fore, late], dim=2),
            "back has read from the left: turn X round for it": cat([fore, left], dim=2),
            "back has read from the left, and its states are turned round": (
                cat([fore, left.flip(0)], dim=2)
            ),
            "ahead is used twice, back not at all": cat([fore, ahead(X.flip(0))[0].flip(0)], dim=2),
            "the backward half stands first": cat([again, fore], dim=2),
            "the two are added; they must stand side by side": fore + again,
            "the two are joined along time, not along the units": cat([fore, again], dim=0),
            "the two are joined along the batch, not along the units": cat([fore, again], dim=1),
        }
        yield Case(f", {time} steps,", {"ahead": ahead, "back": back, "X": X}, both(X)[0], slips)


@check(f"right for {len(TAGS)} rows of tags, stray I- included.")
def bio_names() -> Cases:
    """Check `bio_names(tags)`: the set of (kind, start, end) in BIO tags, by the rule of CoNLL.

    An I- that does not continue a name of its own kind begins one; `end` is exclusive.

    Source: Tjong Kim Sang and De Meulder (2003).
    """
    for line in TAGS:
        tags, asked = line.split(), f'("{line}".split())'
        right = _names(tags)

        def read(answer):
            try:
                found = {(kind, operator.index(a), operator.index(b)) for kind, a, b in answer}
                return {*sorted(found)}
            except (TypeError, ValueError):
                raise Refused(
                    f"bio_names{asked} must give a set of (kind, start, end), got {answer!r:.200}."
                ) from None

        slips = {
            "an I- that continues nothing is dropped; by this rule it begins a name": (
                _names(tags, stray=False)
            ),
            "an I- of another kind goes on with the open name": _names(tags, same_kind=False),
            "a B- does not close the name before it": _names(tags, closes=False),
            "a name at the end of the sentence is missing": _names(tags, last=False),
            "names of one word are missing": {n for n in right if n[2] - n[1] > 1},
            "the end is that of the last word; it must be one more": (
                {(kind, start, end - 1) for kind, start, end in right}
            ),
        }
        yield Case(asked, {"tags": tags}, right, slips, read=read)


def _names(tags: list, stray=True, same_kind=True, closes=True, last=True) -> set:
    """The names by the rule of CoNLL, or by one with a mistake in it."""
    found, start, kind = set(), None, None
    for t, tag in enumerate([*tags, "O"]):
        goes_on = tag.startswith("I-") and (tag[2:] == kind or not same_kind)
        goes_on = goes_on or (tag.startswith("B-") and not closes)
        if start is not None and not goes_on:
            if last or t < len(tags):
                found.add((kind, start, t))
            start = None
        if start is None and (tag.startswith("B-") or (stray and tag.startswith("I-"))):
            start, kind = t, tag[2:]
    return found
