"""Checks of assignment A6: how likely a text is, and the loss of a reader."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import at_most, call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Refused, Verdict, check, ramp


def toy_net(tokens: int, seed: int) -> Callable[[Tensor], Tensor]:
    """(batch, time) to log-probabilities: a token hears all others, near ones more."""
    made = torch.Generator().manual_seed(seed)
    table = 2 * torch.randn(tokens, tokens, generator=made, dtype=torch.float64)

    def log_probs(ids):
        ids = torch.as_tensor(ids)
        if ids.dim() != 2:
            raise Refused(f"log_probs takes ids (batch, time); it got shape {tuple(ids.shape)}.")
        t = torch.arange(ids.shape[1]).double()
        near = 1 / (1 + (t[:, None] - t).abs()) * (1 + 0.3 * (t[:, None] > t))
        return (near @ table[ids]).log_softmax(dim=-1)

    return log_probs


@check
def pseudo_log_likelihood(student: Callable) -> Verdict:
    """Check `pseudo_log_likelihood(log_probs, ids, words, mask_id)`: a score a token, (time,).

    `ids` and `words` are (time,); `words` is -1 at special tokens, whose score is 0.

    Source: Salazar et al. (2020), equation 1; Kauf and Ivanova (2023), the rest of a word hidden.
    """
    for numbers, tokens, mask_id in TEXTS:
        words = torch.tensor(numbers)
        ids = (torch.arange(len(words)) * 7 + len(words)) % (tokens - 1)
        ids = torch.where(ids == mask_id, tokens - 1, ids)
        net = toy_net(tokens, len(numbers))
        right = scored(net, ids, words, mask_id, "rest of word")
        ordinary = words >= 0
        whole = torch.where(ordinary, net(ids[None])[0, torch.arange(len(ids)), ids], 0.0)
        at_once = ids.masked_fill(ordinary, mask_id)
        hidden = net(at_once[None])[0, torch.arange(len(ids)), ids]
        every = scored(net, ids, torch.arange(len(ids)), mask_id, "alone")
        before = scored(net, ids, words, mask_id, "earlier")
        wrong = {
            "later pieces of the same word give it away: hide them too": (
                scored(net, ids, words, mask_id, "alone")
            ),
            "earlier pieces of the word are known: hide the later ones only": (
                scored(net, ids, words, mask_id, "whole word")
            ),
            "nothing is hidden: each token sees itself": whole,
            "all tokens are hidden at once; hide one, or one and the rest of its word": (
                torch.where(ordinary, hidden, 0.0)
            ),
            "what follows is hidden to the end of the text, not of the word": (
                scored(net, ids, words, mask_id, "all later")
            ),
            "what follows is hidden, special tokens too; hide the rest of the word": (
                scored(net, ids, words, mask_id, "all that follows")
            ),
            "special tokens are scored too; they get 0": torch.where(ordinary, right, every),
            "the later pieces are hidden, not the earlier ones": before,
            "these are probabilities; take their log": torch.where(ordinary, right.exp(), 0.0),
            "the sign is turned round": -right,
            "this is the sum; give a score for each token": right.sum(),
            "this is the mean; give a score for each token": right[ordinary].mean(),
        }
        asked = f"pseudo_log_likelihood, words {numbers},"
        counted = at_most(200, net, "pseudo_log_likelihood calls log_probs again and again.")
        given = {"log_probs": counted, "ids": ids, "words": words, "mask_id": mask_id}
        values = compare(asked, call(student, **given), right, wrong)
        if (values[~ordinary] != 0).any():
            raise Refused(f"{asked} a special token's score is exactly 0.")
    return Verdict(True, f"pseudo_log_likelihood: right for {len(TEXTS)} texts.")


TEXTS = (
    ([-1, 0, 1, 1, 2, 3, 3, 3, -1], 11, 4),
    ([-1, 0, 0, 1, -1, 2, 2, -1], 8, 0),
    ([-1, 0, -1], 5, 2),
    ([0, 1, 1, 1], 9, 8),
)


def scored(net: Callable, ids: Tensor, words: Tensor, mask_id: int, hide: str) -> Tensor:
    """Log-probability of each token, one at a time, with `hide` of its word hidden."""
    scores = torch.zeros(len(ids), dtype=torch.float64)
    places = torch.arange(len(ids))
    for t in (words >= 0).nonzero().flatten().tolist():
        same = words == words[t]
        gone = {
            "alone": places == t,
            "whole word": same,
            "rest of word": same & (places >= t),
            "earlier": same & (places <= t),
            "all later": (words >= 0) & (places >= t),
            "all that follows": places >= t,
        }[hide]
        scores[t] = net(ids.masked_fill(gone, mask_id)[None])[0, t, ids[t]]
    return scores


@check
def span_loss(student: Callable) -> Verdict:
    """Check `span_loss(start, end, starts, ends, allowed) -> (loss, dstart, dend)`.

    `start`, `end` and `allowed` are (batch, time), `starts` and `ends` (batch,). Gradients are off
    while the function runs.

    Source: Devlin et al. (2019), section 4.2; the loss is the mean of that of start and end.
    """
    for (batch, time), starts, ends, open_from, scale in READ:
        start = scale * (7 * ramp(batch, time)).sin()
        end = scale * (5 * ramp(batch, time, low=-0.4)).cos()
        targets = torch.tensor(starts), torch.tensor(ends)
        place = torch.arange(time)
        allowed = (place == 0) | ((place >= torch.tensor(open_from)[:, None]) & (place < time - 1))
        loss, (ds, de), wrong = _span_truth((start, end), targets, allowed)
        given = {"start": start, "end": end, "starts": targets[0], "ends": targets[1]}
        with torch.no_grad():
            answer = call(student, **given, allowed=allowed)
        found = parts("span_loss", answer, "loss, dstart, dend")
        asked = f"{batch} texts of {time},"
        if _infinite(found[0]):
            raise Refused(
                f"span_loss's loss, {asked} is {float(found[0])}: exp of a large score is "
                "infinite, but a softmax sees only differences."
            )
        compare(f"span_loss's loss, {asked}", found[0], loss, wrong[0])
        for name, got, right, slips in (
            ("dstart", found[1], ds, wrong[1]),
            ("dend", found[2], de, wrong[2]),
        ):
            values = compare(f"span_loss's {name}, {asked}", got, right, slips)
            if (values[~allowed] != 0).any():
                raise Refused(
                    f"span_loss's {name}, {asked}: exactly 0 belongs where a place is not allowed."
                )
    return Verdict(True, f"span_loss: right, loss and gradients, for {len(READ)} batches.")


def _infinite(loss) -> bool:
    try:
        return not math.isfinite(float(loss))
    except Exception:  # no number
        return False


READ = (  # (batch, time), true starts and ends, where the passage begins, size of the scores
    ((3, 7), [3, 0, 4], [5, 0, 4], [3, 2, 4], 2.0),
    ((1, 4), [2], [2], [1], 1.0),
    ((2, 6), [0, 3], [0, 4], [4, 3], 900.0),
)


def _span_truth(scores, targets, allowed: Tensor) -> tuple[Tensor, list, list]:
    """Loss and gradients, and what slips make of each."""
    batch = len(allowed)
    losses, plain, zeros, right, slips = [], [], [], [], []
    for z, target in zip(scores, targets, strict=True):
        logs = z.masked_fill(~allowed, -torch.inf).log_softmax(dim=1)
        losses.append(-logs.gather(1, target[:, None])[:, 0])
        plain.append(-z.log_softmax(dim=1).gather(1, target[:, None])[:, 0])
        shown = z.masked_fill(~allowed, 0.0).log_softmax(dim=1)
        zeros.append(-shown.gather(1, target[:, None])[:, 0])
        hot = torch.zeros_like(z).scatter_(1, target[:, None], 1.0)
        g = logs.exp() - hot
        right.append(g / (2 * batch))
        slips.append(
            {
                "places that are not allowed still get a share": (
                    (z.softmax(dim=1) - hot) / (2 * batch)
                ),
                "the loss is a mean over the texts: divide by their number": g / 2,
                "the loss is the mean of two: halve the gradient": g / batch,
                "the loss is the mean over the texts, and of two": g,
                "the sign is turned round": -g / (2 * batch),
                "the 1 at the true place is not taken off": logs.exp() / (2 * batch),
                "only the true place gets a gradient; all scores move": g * hot / (2 * batch),
            }
        )
    loss = (losses[0] + losses[1]).mean() / 2
    of_loss = {
        "places that are not allowed still get a share": (plain[0] + plain[1]).mean() / 2,
        "a score of 0 still has a share: exp(0) is 1": (zeros[0] + zeros[1]).mean() / 2,
        "it is the mean of the loss of start and end, not their sum": 2 * loss,
        "it is a mean over the texts, not a sum": loss * batch,
        "mean over the texts, and of start and end: this is the sum of all": 2 * loss * batch,
        "the minus is missing": -loss,
        "only the start counts": losses[0].mean(),
    }
    return loss, right, [of_loss, *slips]
