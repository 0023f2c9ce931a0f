"""Checks of notebook 06: inputs and targets, the likelihood of a sequence, one step of mixing."""

from collections.abc import Callable

import torch
from torch import Tensor, cat, where

from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.comparing import same
from seqviz.checks.verdict import Refused, ramp


@check("right, each target one step ahead.")
def inputs_and_targets() -> Cases:
    """Check `inputs_and_targets(symbols, start, stop)`: two tensors, (time + 1, batch) each.

    Source: deck 003, "Output Recurrence", (b) Teacher Forcing.
    """
    for rows, start, stop in (
        ([[4, 1], [7, 0], [2, 2], [9, 5]], 10, 11),
        ([[3, 9, 4], [1, 8, 2], [5, 5, 6]], 7, 0),
        ([[5, 2, 8]], 1, 300),
    ):
        symbols = torch.tensor(rows)
        first, last = torch.full_like(symbols[:1], start), torch.full_like(symbols[:1], stop)
        inputs, targets = cat([first, symbols]), cat([symbols, last])
        of_inputs = {
            "inputs and targets are the wrong way round": targets,
            "the last symbol is not read, but after it the net must say stop": inputs[:-1],
            "start and stop are exchanged": cat([last, symbols]),
            "start is missing: what does the net read before there is any symbol?": symbols,
            "stop is the last target; nobody reads it": cat([inputs, last]),
            "start stands last; it is read first": cat([symbols, first]),
            "batch and time are exchanged": inputs.T,
        }
        of_targets = {
            "stop is missing: how does the net say that it is done?": symbols,
            "start and stop are exchanged": cat([symbols, first]),
            "start is read, never said": cat([first, targets]),
            "these are the inputs, nothing was shifted: it would learn to copy": inputs,
            "batch and time are exchanged": targets.T,
        }
        given = {"symbols": symbols, "start": start, "stop": stop}
        right = {"inputs": inputs, "targets": targets}
        yield Case("", given, right, by_part({"inputs": of_inputs, "targets": of_targets}))


@check("right for three sizes.")
def sequence_log_likelihood() -> Cases:
    """Check `sequence_log_likelihood(scores, symbols)`: log p(y | x) of each sequence, (batch,).

    Source: deck 003, "Conditional likelihood of Teacher Forcing".
    """
    for rows, vocab, far in (
        ([[0, 3], [2, 1], [1, 1]], 4, 1000.0),
        ([[2, 0, 1], [0, 0, 2], [1, 0, 2]], 3, 0.0),
        ([[4, 0, 5]], 6, -1000.0),
    ):
        symbols = torch.tensor(rows)
        scores = ramp(*symbols.shape, vocab).pow(3) + ramp(*symbols.shape, vocab).flip(2)
        scores[0, 1, 0] += far  # after a softmax the others, or this one, would be 0

        def of(x: Tensor) -> Tensor:
            """The entries of the symbols, (time, batch)."""
            return x.gather(-1, symbols[..., None])[..., 0]

        log_p = of(scores.log_softmax(dim=-1))
        right = log_p.sum(dim=0)
        slips = {
            "the sign is turned round: this is the loss": -right,
            "this is the mean over time, not the sum": log_p.mean(dim=0),
            "these are the logs of each step; add them over time": log_p,
            "a probability is too small to be told from 0; take log_softmax in one": (
                of(scores.softmax(dim=-1).log()).sum(dim=0)
            ),
            "the sum runs over the batch; add over time": log_p.sum(dim=1),
            "the sum runs over the batch as well: one number for each sequence": log_p.sum(),
            "scores were added as they are; take log_softmax first": of(scores).sum(dim=0),
            "probabilities were added, not their logs": log_p.exp().sum(dim=0),
            "this is the probability; take its log": right.exp(),
            "the softmax runs over the batch, not over the symbols": (
                of(scores.log_softmax(1)).sum(0)
            ),
            "the softmax runs over time, not over the symbols": of(scores.log_softmax(0)).sum(0),
            "the last symbol is left out": log_p[:-1].sum(dim=0),
            "the first symbol is left out": log_p[1:].sum(dim=0),
        }
        yield Case(f", {len(rows)} steps,", {"scores": scores, "symbols": symbols}, right, slips)


@check("right for ratios 0, 0.25, 0.5 and 1.")
def mixed_step() -> Cases:
    """Check one step of scheduled sampling.

    `mixed_step(step, before, state, true, coin, ratio, draw) -> (scores, state, next_before)`:
    `step(before, state) -> (scores, state)`; the next step reads the true symbol where the coin is
    below `ratio`, else what `draw(scores)` gives. Each sequence has its own coin.

    Source: deck 003, "Discussion on Output Recurrence"; Bengio et al. (2015).
    """
    for (batch, units), ratio in (
        (size, ratio) for size in ((5, 2), (3, 4), (1, 3)) for ratio in (0.25, 0.5, 0.0, 1.0)
    ):
        before, true = torch.tensor([3, 1, 0, 2, 4])[:batch], torch.tensor([0, 4, 2, 1, 3])[:batch]
        state, coin = ramp(batch, units), torch.tensor([0.25, 0.9, 0.4, 0.1, 0.6]).double()[:batch]
        scores, after = _mixed_model(before, state)
        own = _drawn(scores)
        of_next = {
            "true and own are the wrong way round: true where coin < ratio": (
                where(coin < ratio, own, true)
            ),
            "this is what was read at this step": before,
            "the highest score is taken; call draw(scores)": (
                where(coin < ratio, true, scores.argmax(dim=1))
            ),
            "coin < ratio, not <=": where(coin <= ratio, true, own),
            "all read the true symbol; each sequence has its own coin": true,
            "all read their own symbol; each sequence has its own coin": own,
        }
        of_scores = {
            "these are the logs of a softmax": scores.log_softmax(dim=1),
            "these are probabilities; give the scores": scores.softmax(dim=1),
        }
        of_state = {"this is the state before the step": state}
        step, draw = _used_once(scores, batch)
        given = {"step": step, "before": before, "state": state, "true": true, "coin": coin}
        right = {"scores": scores, "state": after, "next input": where(coin < ratio, true, own)}
        slips = by_part({"scores": of_scores, "state": of_state, "next input": of_next})
        asked = f", a batch of {batch}, ratio {ratio},"
        yield Case(asked, given | {"ratio": ratio, "draw": draw}, right, slips)


def _mixed_model(before: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    state = torch.tanh(state + before[:, None])
    return cat([state, state * before[:, None], -state], dim=1), state


def _drawn(scores: Tensor) -> Tensor:
    return (scores + 0.5).abs().argmin(dim=1)  # seldom the highest


def _used_once(scores: Tensor, batch: int) -> tuple[Callable, Callable]:
    """A step and a draw that say when they are used wrongly or twice."""

    def draw(given):
        if not same(given, scores):
            raise Refused(f"mixed_step: draw takes the scores as they are, all {batch} at once.")
        return _drawn(scores)

    twice = "mixed_step calls {} more than once; {}."
    keep, anew = "keep both things that it gives", "each call draws all anew"
    step = at_most(1, _mixed_model, twice.format("step", keep))
    return step, at_most(1, draw, twice.format("draw", anew))
