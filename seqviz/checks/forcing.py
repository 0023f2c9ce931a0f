"""Checks of notebook 06: inputs and targets, the likelihood of a sequence, one step of mixing."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.verdict import Verdict, call, compare, ramp


def inputs_and_targets(student: Callable) -> Verdict:
    """Check `inputs_and_targets(symbols, start, stop)`: two tensors, (time + 1, batch) each.

    Source: deck 003, "Output Recurrence", (b) Teacher Forcing.
    """
    symbols, start, stop = torch.tensor([[4, 1], [7, 0], [2, 2], [9, 5]]), 10, 11
    first, last = torch.full_like(symbols[:1], start), torch.full_like(symbols[:1], stop)
    inputs, targets = torch.cat([first, symbols]), torch.cat([symbols, last])
    answer = call(student, symbols=symbols, start=start, stop=stop)
    if isinstance(answer, Verdict):
        return answer
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        return Verdict(False, "inputs_and_targets must return two tensors: inputs, targets.")
    if any(isinstance(x, Tensor) and x.is_floating_point() for x in answer):
        return Verdict(False, "inputs_and_targets gives floats; symbols are numbers of places.")
    mistakes = {
        "inputs and targets are the wrong way round": targets,
        "the last symbol is not read, but after it the net must say stop": inputs[:-1],
        "start and stop are exchanged": torch.cat([last, symbols]),
        "start is missing: what does the net read before there is any symbol?": symbols,
        "stop is the last target; nobody reads it": torch.cat([inputs, last]),
    }
    verdict = compare("the first tensor (inputs)", answer[0], inputs.double(), _double(mistakes))
    if not verdict:
        return verdict
    mistakes = {
        "stop is missing: how does the net say that it is done?": symbols,
        "start and stop are exchanged": torch.cat([symbols, first]),
        "start is read, never said": torch.cat([first, targets]),
        "these are the inputs, nothing was shifted: it would learn to copy": inputs,
    }
    verdict = compare("the second tensor (targets)", answer[1], targets.double(), _double(mistakes))
    return verdict and Verdict(True, "inputs_and_targets: right, each target one step ahead.")


def sequence_log_likelihood(student: Callable) -> Verdict:
    """Check `sequence_log_likelihood(scores, symbols)`: log p(y | x) of each sequence, (batch,).

    Source: deck 003, "Conditional likelihood of Teacher Forcing".
    """
    scores = ramp(3, 2, 4).pow(3) + ramp(3, 2, 4).flip(2)
    scores[0, 1, 0] = 1000  # the softmax of the others is 0 in any precision
    symbols = torch.tensor([[0, 3], [2, 1], [1, 1]])

    def of(log_p: Tensor) -> Tensor:
        return log_p.gather(-1, symbols.unsqueeze(-1)).squeeze(-1)

    log_p = of(scores.log_softmax(dim=-1))
    mistakes = {
        "the sign is turned round: this is the loss": -log_p.sum(dim=0),
        "this is the mean over time, not the sum": log_p.mean(dim=0),
        "these are the logs of each step; add them over time": log_p,
        "a probability is too small to be told from 0; take log_softmax in one": (
            of(scores.softmax(dim=-1).log()).sum(dim=0)
        ),
        "the sum runs over the batch; add over time": log_p.sum(dim=1),
        "the sum runs over the batch as well: one number for each sequence": log_p.sum(),
        "scores were added as they are; take log_softmax first": of(scores).sum(dim=0),
        "probabilities were added, not their logs": log_p.exp().sum(dim=0),
        "this is the probability; take its log": log_p.sum(dim=0).exp(),
        "the softmax runs over the batch, not over the symbols": (
            of(scores.log_softmax(dim=1)).sum(dim=0)
        ),
        "the softmax runs over time, not over the symbols": of(scores.log_softmax(dim=0)).sum(0),
    }
    answer = call(student, scores=scores, symbols=symbols)
    return compare("sequence_log_likelihood", answer, log_p.sum(dim=0), mistakes)


def mixed_step(student: Callable) -> Verdict:
    """Check one step of scheduled sampling.

    `mixed_step(step, before, state, true, coin, ratio, draw) -> (scores, state, next_before)`:
    `step(before, state) -> (scores, state)`; the next step reads the true symbol where the coin is
    below `ratio`, else what `draw(scores)` gives. Each sequence has its own coin.

    Source: deck 003, "Discussion on Output Recurrence"; Bengio et al. (2015).
    """
    before, state = torch.tensor([3, 1, 0, 2, 4]), ramp(5, 2)
    true, coin = torch.tensor([0, 4, 2, 1, 3]), torch.tensor([0.1, 0.9, 0.4, 0.25, 0.6]).double()

    def step(before, state):
        state = torch.tanh(state + before.unsqueeze(1))
        return torch.cat([state, state * before.unsqueeze(1), -state], dim=1), state

    def draw(scores):  # neither the highest score nor one that a softmax leaves in its place
        return (scores + 0.5).abs().argmin(dim=1)

    scores, after = step(before, state)
    own = draw(scores)
    for ratio in (0.5, 0.25, 0.0, 1.0):
        inputs = {"before": before, "state": state, "true": true, "coin": coin}
        answer = call(student, step=step, **inputs, ratio=ratio, draw=draw)
        if isinstance(answer, Verdict):
            return answer
        if not isinstance(answer, tuple | list) or len(answer) != 3:
            return Verdict(
                False, "mixed_step must return three things: scores, the new state, the next input."
            )
        read = torch.where(coin < ratio, true, own)
        not_run = {"this is the state before the step": state}
        mistakes = {
            "true and own are the wrong way round: true where coin < ratio": torch.where(
                coin < ratio, own, true
            ),
            "this is what was read at this step": before,
            "the highest score is taken; call draw(scores)": torch.where(
                coin < ratio, true, scores.argmax(dim=1)
            ),
            "coin < ratio, not <=": torch.where(coin <= ratio, true, own),
            "draw takes the scores as they are": torch.where(
                coin < ratio, true, draw(scores.softmax(dim=1))
            ),
            "always the true symbol; each sequence has its own coin": true,
            "always its own symbol; each sequence has its own coin": own,
        }
        for verdict in (
            compare("mixed_step's scores", answer[0], scores, {}),
            compare("mixed_step's state", answer[1], after, not_run),
            compare(
                f"mixed_step's next input at ratio {ratio}",
                answer[2],
                read.double(),
                _double(mistakes),
            ),
        ):
            if not verdict:
                return verdict
    return Verdict(True, "mixed_step: right for ratios 0, 0.25, 0.5 and 1.")


def _double(mistakes: dict[str, Tensor]) -> dict[str, Tensor]:
    return {text: tensor.double() for text, tensor in mistakes.items()}
