"""Checks of assignment A6: how likely a text is, and the loss of a reader."""

import math
from collections.abc import Callable

import torch
from torch import Tensor, where

from seqviz.checks.calling import at_most
from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.comparing import number, parts
from seqviz.checks.verdict import Refused, ramp


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


@check("right for 4 texts.")
def pseudo_log_likelihood() -> Cases:
    """Check `pseudo_log_likelihood(log_probs, ids, words, mask_id)`: a score a token, (time,).

    `ids` and `words` are (time,); `words` is -1 at special tokens, whose score is 0.

    Source: Salazar et al. (2020), equation 1; Kauf and Ivanova (2023), the rest of a word hidden.
    """
    for numbers, tokens, mask_id in (
        ([-1, 0, 1, 1, 2, 3, 3, 3, -1], 11, 4),
        ([-1, 0, 0, 1, -1, 2, 2, -1], 8, 0),
        ([-1, 0, -1], 5, 2),
        ([0, 1, 1, 1], 9, 8),
    ):
        words, place = torch.tensor(numbers), torch.arange(len(numbers))
        ids = (place * 7 + len(words)) % (tokens - 1)
        ids = where(ids == mask_id, tokens - 1, ids)
        net, ordinary = toy_net(tokens, len(numbers)), words >= 0

        def scored(hide: Callable[[Tensor, int], Tensor], words=words) -> Tensor:
            """Log-probability of each token, one at a time, with some of the text hidden."""
            scores = torch.zeros(len(ids), dtype=torch.float64)
            for t in (words >= 0).nonzero().flatten().tolist():
                gone = hide(words == words[t], t)
                scores[t] = net(ids.masked_fill(gone, mask_id)[None])[0, t, ids[t]]
            return scores

        def at_once(read: Tensor) -> Tensor:
            return where(ordinary, net(read[None])[0, place, ids], 0.0)

        right = scored(lambda same, t: same & (place >= t))
        every = scored(lambda same, t: place == t, words=place)
        slips = {
            "later pieces of the same word give it away: hide them too": (
                scored(lambda same, t: place == t)
            ),
            "earlier pieces of the word are known: hide the later ones only": (
                scored(lambda same, t: same)
            ),
            "nothing is hidden: each token sees itself": at_once(ids),
            "all tokens are hidden at once; hide one, or one and the rest of its word": (
                at_once(ids.masked_fill(ordinary, mask_id))
            ),
            "what follows is hidden to the end of the text, not of the word": (
                scored(lambda same, t: ordinary & (place >= t))
            ),
            "what follows is hidden, special tokens too; hide the rest of the word": (
                scored(lambda same, t: place >= t)
            ),
            "special tokens are scored too; they get 0": where(ordinary, right, every),
            "the later pieces are hidden, not the earlier ones": (
                scored(lambda same, t: same & (place <= t))
            ),
            "these are probabilities; take their log": where(ordinary, right.exp(), 0.0),
            "the sign is turned round": -right,
            "this is the sum; give a score for each token": right.sum(),
            "this is the mean; give a score for each token": right[ordinary].mean(),
        }
        counted = at_most(200, net, "pseudo_log_likelihood calls log_probs again and again.")
        given = {"log_probs": counted, "ids": ids, "words": words, "mask_id": mask_id}
        zero = "a special token's score is exactly 0."
        yield Case(f", words {numbers},", given, right, slips, zero=zero)


@check("right, loss and gradients, for 3 batches.", gradients=False)
def span_loss() -> Cases:
    """Check `span_loss(start, end, starts, ends, allowed) -> (loss, dstart, dend)`.

    `start`, `end` and `allowed` are (batch, time), `starts` and `ends` (batch,). Gradients are off
    while the function runs.

    Source: Devlin et al. (2019), section 4.2; the loss is the mean of that of start and end.
    """
    for (batch, time), starts, ends, open_from, scale in READ:
        asked, place = f", {batch} texts of {time},", torch.arange(time)
        allowed = (place == 0) | ((place >= torch.tensor(open_from)[:, None]) & (place < time - 1))
        given = {
            "start": scale * (7 * ramp(batch, time)).sin(),
            "end": scale * (5 * ramp(batch, time, low=-0.4)).cos(),
            "starts": torch.tensor(starts),
            "ends": torch.tensor(ends),
            "allowed": allowed,
        }

        def read(answer):
            found = parts("span_loss", answer, "loss, dstart, dend")
            value = number(found[0])
            if value is not None and not math.isfinite(value):
                raise Refused(
                    f"span_loss's loss{asked} is {value}: exp of a large score is "
                    "infinite, but a softmax sees only differences."
                )
            return found

        sides = (given["start"], given["starts"]), (given["end"], given["ends"])
        (right_start, of_start), (right_end, of_end) = (_gradient(*s, allowed) for s in sides)

        def loss(hidden: float = -torch.inf, which=sides) -> Tensor:
            """The mean over texts and sides, where places that are not allowed get a score."""
            seen = [(z.masked_fill(~allowed, hidden), at) for z, at in which]
            return sum(_cross_entropy(*side).mean() for side in seen) / len(which)

        unmasked = sum(_cross_entropy(*side).mean() for side in sides) / 2
        right = {"loss": loss(), "dstart": right_start, "dend": right_end}
        of_loss = {
            "places that are not allowed still get a share": unmasked,
            "a score of 0 still has a share: exp(0) is 1": loss(hidden=0.0),
            "it is the mean of the loss of start and end, not their sum": 2 * loss(),
            "it is a mean over the texts, not a sum": loss() * batch,
            "mean over the texts, and of start and end: this is the sum of all": 2 * loss() * batch,
            "the minus is missing": -loss(),
            "only the start counts": loss(which=sides[:1]),
        }
        zero = "exactly 0 belongs where a place is not allowed."
        slips = by_part({"loss": of_loss, "dstart": of_start, "dend": of_end})
        zeros = {"dstart": zero, "dend": zero}
        yield Case(asked, given, right, slips, zero=zeros, read=read)


READ = (  # (batch, time), true starts and ends, where the passage begins, size of the scores
    ((3, 7), [3, 0, 4], [5, 0, 4], [3, 2, 4], 2.0),
    ((1, 4), [2], [2], [1], 1.0),
    ((2, 6), [0, 3], [0, 4], [4, 3], 900.0),
)


def _cross_entropy(z: Tensor, target: Tensor) -> Tensor:
    return -z.log_softmax(dim=1).gather(1, target[:, None])[:, 0]


def _gradient(z: Tensor, target: Tensor, allowed: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
    """The gradient at the scores of one side, and what slips make of it."""
    batch, p = len(z), z.masked_fill(~allowed, -torch.inf).softmax(dim=1)
    hot = torch.zeros_like(z).scatter_(1, target[:, None], 1.0)
    g = p - hot
    return g / (2 * batch), {
        "places that are not allowed still get a share": (z.softmax(dim=1) - hot) / (2 * batch),
        "the loss is a mean over the texts: divide by their number": g / 2,
        "the loss is the mean of two: halve the gradient": g / batch,
        "the loss is the mean over the texts, and of two": g,
        "the sign is turned round": -g / (2 * batch),
        "the 1 at the true place is not taken off": p / (2 * batch),
        "only the true place gets a gradient; all scores move": g * hot / (2 * batch),
    }
