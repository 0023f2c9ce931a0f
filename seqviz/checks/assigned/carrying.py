"""Checks of assignment A9: what a transfer brings, and a loss of two tasks."""

import math
from itertools import combinations, product

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp

RUNS = (  # right answers, those of the control, out of how many
    ([40, 31, 38, 35, 36, 30], [41, 37, 36, 41, 39, 33], 50),
    ([61, 70, 66, 58, 73], [52, 59, 61, 60, 55], 120),
    ([180, 160, 170], [150, 150, 155], 200),
    ([9, 7, 8, 7], [7, 9, 8, 7], 10),
)


@check("right, gain, error and p, for 4 comparisons.")
def paired_gain() -> Cases:
    """Check `paired_gain(right, control, total) -> (gain, error, p)`.

    Both are (draws,), whole numbers of right answers out of `total`. The error is the standard
    error of the mean difference; p is the share of all sign patterns of the differences whose sum
    is at least as far from 0.

    Source: Fisher (1935), section 21; Dror et al. (2018), 3.2.
    """
    for right, control, total in RUNS:
        ours, theirs = torch.tensor(right), torch.tensor(control)
        more, n = (ours - theirs).double(), len(right)
        sums = torch.tensor([*product((-1.0, 1.0), repeat=n)], dtype=torch.float64) @ more
        seen, error = more.sum(), more.std() / n**0.5 / total
        p = (sums.abs() >= seen.abs()).double().mean()
        mixed = torch.tensor([*right, *control]).double()
        halves = torch.tensor([mixed[[*k]].sum() for k in combinations(range(2 * n), n)])
        apart = (2 * halves - mixed.sum()).abs() >= seen.abs()
        own = {
            "gain": {
                "give shares: divide by total": more.mean(),
                "give shares, from 0 to 1": 100 * more.mean() / total,
                "it is ours minus the control": -more.mean() / total,
                "it is the mean of the differences, not their sum": seen / total,
                "it is the mean of the differences, not their median": more.median() / total,
                "it is a difference of shares, not a share of the control": seen / theirs.sum(),
            },
            "error": {
                "give shares: divide by total": error * total,
                "this is the deviation of a draw; that of the mean is smaller by the root of n": (
                    error * n**0.5
                ),
                "the root of n belongs here, not n": error / n**0.5,
                "the draws are pairs: take the deviation of the differences": (
                    (ours.double().var() + theirs.double().var()).div(n).sqrt() / total
                ),
                "divide by n - 1 in the variance: the mean comes from the same draws": (
                    error * ((n - 1) / n) ** 0.5
                ),
            },
            "p": {
                "a sum as far below 0 counts as well": (sums >= seen).double().mean(),
                "what is exactly as far counts: the pattern that was seen is one of them": (
                    (sums.abs() > seen.abs()).double().mean()
                ),
                "count the patterns that are as far from 0, not the nearer ones": 1 - p,
                "the draws are pairs: turn the signs of differences, do not mix all numbers": (
                    apart.double().mean()
                ),
                "give the share of all patterns, not their number": p * 2**n,
                "the pattern that was seen is among them already": (p * 2**n + 1) / (2**n + 1),
            },
        }
        given = {"right": ours, "control": theirs, "total": total}
        answer = {"gain": more.mean() / total, "error": error, "p": p}
        yield Case(f" of {n} draws out of {total}", given, answer, by_part(own))


TEXTS = (  # lengths, vocabulary, classes; labels, lambda
    ((5, 3, 3), 6, 2, (1, -1, 0), 0.5),
    ((2, 4, 1, 4), 5, 3, (2, 0, 1, -1), 2.0),
    ((3, 2), 7, 4, (-1, -1), 0.3),
    ((1, 1, 1), 4, 2, (0, 1, -1), 1.5),
    ((4, 6), 5, 2, (1, 1), 0.0),
)


@check("right, both losses and their sum, for 6 batches.")
def joint_loss() -> Cases:
    """Check `joint_loss(logits, heads, ids, padding, labels, lam) -> (total, task, lm)`.

    `logits` is (batch, time, vocab), `heads` (batch, time, classes), `ids` and `padding` (batch,
    time), `labels` (batch,), -1 without one. total = task + lam * lm.

    Source: deck 003, "OpenAI GPT"; Radford et al. (2018), equation 5.
    """
    for lengths, vocab, classes, labels, lam in TEXTS:
        yield _batch(lengths, vocab, classes, labels, lam)
    yield _batch((2, 5, 3), 4, 3, (0, -1, 2), 0.7, junk=torch.nan)


def _batch(lengths: tuple, vocab: int, classes: int, labels: tuple, lam: float, junk=6.0) -> Case:
    sizes, n = (len(lengths), max(lengths)), torch.tensor(lengths)
    place = torch.arange(sizes[1])
    padding = place >= n[:, None]
    ids = torch.where(padding, 0, (7 * place + 3 * n[:, None] + place**2) % vocab)
    logits = 2 * (9 * ramp(*sizes, vocab, low=-0.6)).sin()
    heads = 2 * (6 * ramp(*sizes, classes, low=-0.9)).cos()
    logits[padding], heads[padding] = junk * logits[padding], junk * heads[padding]
    told, texts = torch.tensor(labels), torch.arange(sizes[0])

    def losses(here: Tensor, target: Tensor) -> Tensor:
        return cross_entropy(here.flatten(0, 1), target.flatten(), reduction="none").view_as(target)

    def averaged(loss: Tensor, counted: Tensor, by: float = 0) -> Tensor:
        return loss[counted].sum() / max(by or int(counted.sum()), 1)

    ahead, seen, known = losses(logits[:, :-1], ids[:, 1:]), ~padding[:, 1:], told >= 0
    class_loss = -heads.log_softmax(dim=2)[texts[:, None], place, told[:, None]]  # (batch, time)
    lm, task = averaged(ahead, seen), averaged(class_loss[texts, n - 1], known)
    each = torch.stack([averaged(a, s) for a, s in zip(ahead, seen, strict=True)])
    own = {
        "task": {
            "the last token of a text is read, not the end of its padding": (
                averaged(class_loss[:, -1], known)
            ),
            "the last token is read, it has read the others; this is the first": (
                averaged(class_loss[:, 0], known)
            ),
            "places count from 0: this is the token before the last": (
                averaged(class_loss[texts, n - 2], known)
            ),
            "the last token alone is read, not all of them": (
                averaged(class_loss, known[:, None] & ~padding)
            ),
            "-1 is no class: a text without a label does not count": (
                class_loss[texts, n - 1].mean()
            ),
            "a text without a label does not count, not even in the number of texts": (
                averaged(class_loss[texts, n - 1], known, len(n))
            ),
            "it is the mean over the texts with a label, not the sum": task * known.sum(),
        },
        "lm": {
            "a token is asked of the place before it; here each place is asked for its own": (
                averaged(losses(logits, ids), ~padding)
            ),
            "a place is asked for the token behind it, not before it": (
                averaged(losses(logits[:, 1:], ids[:, :-1]), seen)
            ),
            "padding was asked for as well": ahead.mean(),
            "padding is not asked for, so it does not count in the number of tokens": (
                averaged(ahead, seen, seen.numel())
            ),
            "the first token of a text is not asked for: do not count it": (
                averaged(ahead, seen, int(n.sum()))
            ),
            "it is the mean over all tokens: a long text counts more than a short one": each.mean(),
            "it is the mean over the tokens, not the sum": lm * seen.sum(),
            "texts without a label count here, too": averaged(ahead, seen & known[:, None]),
            "texts with a label count here, too": averaged(ahead, seen & ~known[:, None]),
            "these are bits; take the natural logarithm": lm / math.log(2),
        },
        "total": {
            "lam stands before the language model's loss, not the task's": lam * task + lm,
            "lam is missing": task + lm,
            "the task's loss counts in full, not 1 - lam times": (1 - lam) * task + lam * lm,
            "lam comes in once, not twice": task + lam**2 * lm,
        },
    }
    finite = {
        part: {text: slip for text, slip in slips.items() if slip.isfinite()}
        for part, slips in own.items()
    }
    nan = (
        "a mean over nothing is 0 here."
        if junk == junk
        else "what stands at padding comes through."
    )
    given = {"logits": logits, "heads": heads, "ids": ids, "padding": padding}
    right = {"total": task + lam * lm, "task": task, "lm": lm}
    asked = f" of {sizes[0]} texts of {', '.join(map(str, lengths))} tokens, lam {lam},"
    slips, nans = by_part(finite), dict.fromkeys(right, nan)
    given |= {"labels": told, "lam": lam}
    return Case(asked, given, right, slips, "task, lm, total", nan=nans)
