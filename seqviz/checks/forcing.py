"""Checks of notebook 06: inputs and targets, the likelihood of a sequence, one step of mixing."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts, same
from seqviz.checks.verdict import Refused, Verdict, check, ramp


@check
def inputs_and_targets(student: Callable) -> Verdict:
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
        inputs, targets = torch.cat([first, symbols]), torch.cat([symbols, last])
        answer = call(student, symbols=symbols, start=start, stop=stop)
        answer = parts("inputs_and_targets", answer, "inputs, targets")
        mistakes = {
            "inputs and targets are the wrong way round": targets,
            "the last symbol is not read, but after it the net must say stop": inputs[:-1],
            "start and stop are exchanged": torch.cat([last, symbols]),
            "start is missing: what does the net read before there is any symbol?": symbols,
            "stop is the last target; nobody reads it": torch.cat([inputs, last]),
            "start stands last; it is read first": torch.cat([symbols, first]),
            "batch and time are exchanged": inputs.T,
        }
        compare("the first tensor (inputs)", answer[0], inputs, mistakes)
        mistakes = {
            "stop is missing: how does the net say that it is done?": symbols,
            "start and stop are exchanged": torch.cat([symbols, first]),
            "start is read, never said": torch.cat([first, targets]),
            "these are the inputs, nothing was shifted: it would learn to copy": inputs,
            "batch and time are exchanged": targets.T,
        }
        compare("the second tensor (targets)", answer[1], targets, mistakes)
    return Verdict(True, "inputs_and_targets: right, each target one step ahead.")


@check
def sequence_log_likelihood(student: Callable) -> Verdict:
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
        log_p = _of(scores.log_softmax(dim=-1), symbols)
        mistakes = {
            "the sign is turned round: this is the loss": -log_p.sum(dim=0),
            "this is the mean over time, not the sum": log_p.mean(dim=0),
            "these are the logs of each step; add them over time": log_p,
            "a probability is too small to be told from 0; take log_softmax in one": (
                _of(scores.softmax(dim=-1).log(), symbols).sum(dim=0)
            ),
            "the sum runs over the batch; add over time": log_p.sum(dim=1),
            "the sum runs over the batch as well: one number for each sequence": log_p.sum(),
            "scores were added as they are; take log_softmax first": (
                _of(scores, symbols).sum(dim=0)
            ),
            "probabilities were added, not their logs": log_p.exp().sum(dim=0),
            "this is the probability; take its log": log_p.sum(dim=0).exp(),
            "the softmax runs over the batch, not over the symbols": (
                _of(scores.log_softmax(dim=1), symbols).sum(dim=0)
            ),
            "the softmax runs over time, not over the symbols": (
                _of(scores.log_softmax(dim=0), symbols).sum(dim=0)
            ),
            "the last symbol is left out": log_p[:-1].sum(dim=0),
            "the first symbol is left out": log_p[1:].sum(dim=0),
        }
        answer = call(student, scores=scores, symbols=symbols)
        asked = f"sequence_log_likelihood, {len(rows)} steps,"
        compare(asked, answer, log_p.sum(dim=0), mistakes)
    return Verdict(True, "sequence_log_likelihood: right for three sizes.")


@check
def mixed_step(student: Callable) -> Verdict:
    """Check one step of scheduled sampling.

    `mixed_step(step, before, state, true, coin, ratio, draw) -> (scores, state, next_before)`:
    `step(before, state) -> (scores, state)`; the next step reads the true symbol where the coin is
    below `ratio`, else what `draw(scores)` gives. Each sequence has its own coin.

    Source: deck 003, "Discussion on Output Recurrence"; Bengio et al. (2015).
    """
    for batch, units in ((5, 2), (3, 4), (1, 3)):
        before, true = torch.tensor([3, 1, 0, 2, 4])[:batch], torch.tensor([0, 4, 2, 1, 3])[:batch]
        state = ramp(batch, units)
        coin = torch.tensor([0.25, 0.9, 0.4, 0.1, 0.6]).double()[:batch]
        scores, after = _mixed_model(before, state)
        own = _drawn(scores)
        for ratio in (0.25, 0.5, 0.0, 1.0):
            step, draw = _used_once(scores, batch)
            inputs = {"before": before, "state": state, "true": true, "coin": coin}
            answer = call(student, step=step, **inputs, ratio=ratio, draw=draw)
            answer = parts("mixed_step", answer, "scores, the new state, the next input")

            def mixed(other, heard=coin < ratio, true=true):
                return torch.where(heard, true, other)

            mistakes = {
                "true and own are the wrong way round: true where coin < ratio": torch.where(
                    coin < ratio, own, true
                ),
                "this is what was read at this step": before,
                "the highest score is taken; call draw(scores)": mixed(scores.argmax(dim=1)),
                "coin < ratio, not <=": torch.where(coin <= ratio, true, own),
                "all read the true symbol; each sequence has its own coin": true,
                "all read their own symbol; each sequence has its own coin": own,
            }
            asked = f"a batch of {batch}, ratio {ratio}"
            logs = {"these are the logs of a softmax": scores.log_softmax(dim=1)}
            shares = {"these are probabilities; give the scores": scores.softmax(dim=1)}
            compare(f"mixed_step's scores, {asked},", answer[0], scores, logs | shares)
            not_run = {"this is the state before the step": state}
            compare(f"mixed_step's state, {asked},", answer[1], after, not_run)
            compare(f"mixed_step's next input, {asked},", answer[2], mixed(own), mistakes)
    return Verdict(True, "mixed_step: right for ratios 0, 0.25, 0.5 and 1.")


def _of(log_p: Tensor, symbols: Tensor) -> Tensor:
    """The entries of the symbols, (time, batch)."""
    return log_p.gather(-1, symbols.unsqueeze(-1)).squeeze(-1)


def _mixed_model(before: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
    state = torch.tanh(state + before.unsqueeze(1))
    return torch.cat([state, state * before.unsqueeze(1), -state], dim=1), state


def _drawn(scores: Tensor) -> Tensor:
    return (scores + 0.5).abs().argmin(dim=1)  # seldom the highest


def _used_once(scores: Tensor, batch: int) -> tuple[Callable, Callable]:
    """A step and a draw that say when they are used wrongly or twice."""
    steps, draws = [], []

    def step(before, state):
        steps.append(before)
        if len(steps) > 1:
            raise Refused("mixed_step calls step more than once; keep both things that it gives.")
        return _mixed_model(before, state)

    def draw(given):
        draws.append(given)
        if len(draws) > 1:
            raise Refused("mixed_step calls draw more than once; each call draws all anew.")
        if not same(given, scores):
            raise Refused(f"mixed_step: draw takes the scores as they are, all {batch} at once.")
        return _drawn(scores)

    return step, draw
