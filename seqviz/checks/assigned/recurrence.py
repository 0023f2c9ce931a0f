"""Checks of assignment 1: states, loss and gradients of an RNN over a batch with padding."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Refused, Verdict, check, ramp

BEHIND = ((1, 1, 1), (1, 1, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0))  # (time, batch)
GAPS = ((0, 1), (1, 1), (1, 0), (0, 0), (1, 1), (1, 0))
WHOLE = ((1,), (1,), (1,))


def mask_of(rows: tuple) -> Tensor:
    """A mask from rows of ones and zeros."""
    return torch.tensor(rows, dtype=torch.bool)


@check
def masked_states(student: Callable) -> Verdict:
    """Check `masked_states(x, mask, h_0, W_xh, W_hh, b)`: states that padding does not move.

    Source: deck 003, "Update Equations"; padding is not on the slides.
    """
    cases = (
        ("padding in front and within", GAPS, 3, 1, 1.5),
        ("padding behind", BEHIND, 2, 3, 1.0),
        ("no padding", WHOLE, 4, 2, 3.0),
        ("a single sentence", ((1,), (0,), (1,), (0,)), 2, 3, 2.0),
        ("a sentence without a token", ((0, 1), (0, 0), (0, 1)), 3, 3, 0.7),
    )
    for what, rows, size, hidden, scale in cases:
        mask = mask_of(rows)
        x = scale * ramp(*mask.shape, size, low=-0.9, high=1.1)
        h_0 = ramp(mask.shape[1], hidden, low=0.4, high=-0.7)
        W_xh, W_hh = (
            ramp(hidden, size, low=0.9, high=-0.5),
            ramp(hidden, hidden, low=-0.6, high=0.8),
        )
        given = {"x": x, "mask": mask, "h_0": h_0, "W_xh": W_xh, "W_hh": W_hh}
        given["b"] = ramp(hidden, low=0.3, high=0.1)
        right = _states(**given)
        answer = call(student, **given)
        compare(f"masked_states, {what},", answer, right, _slips_of_states(given, right))
    return Verdict(True, "masked_states: right for padding behind, in front, within, and none.")


def _states(x, mask, h_0, W_xh, W_hh, b, *, squash=torch.tanh, padded=lambda h, new, h_0: h):
    """The states; `padded` says what a padded step makes of them."""
    h, states = h_0, [h_0]
    for x_t, real in zip(x, mask, strict=True):
        new = squash(h @ W_hh.T + x_t @ W_xh.T + b)
        h = new.where(real[:, None], padded(h, new, h_0))
        states.append(h)
    return torch.stack(states)


def _slips_of_states(given: dict, right: Tensor) -> dict[str, Tensor]:
    mask, W_hh = given["mask"], given["W_hh"]
    blank = {**given, "x": given["x"].where(mask[..., None], 0)}
    at_end = right.clone()
    at_end[1:][~mask] = 0
    steps = zip(given["x"], mask, strict=True)
    states, W_xh, b = [given["h_0"]], given["W_xh"], given["b"]
    for x_t, real in steps:
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(new if real.any() else states[-1])
    together = torch.stack(states)
    return {
        "each sentence has its own mask; here one token moves them all": together,
        "padding is read like a token; the mask is not used": _states(
            **given, padded=lambda h, new, h_0: new
        ),
        "a padded step is a step with x = 0 here; it must change nothing": _states(
            **blank, padded=lambda h, new, h_0: new
        ),
        "the state is set to zero at padding": _states(
            **given, padded=lambda h, new, h_0: torch.zeros_like(h)
        ),
        "the state goes back to h_0 at padding": _states(**given, padded=lambda h, new, h_0: h_0),
        "padded steps are zeros in the result; the state stays what it was": at_end,
        "the mask is read the wrong way round; it is True where a token stands": _states(
            **{**given, "mask": ~mask}
        ),
        "h_0 is missing; it is row 0": right[1:],
        "h_0 is not used": _states(**{**given, "h_0": torch.zeros_like(given["h_0"])}),
        "tanh is missing": _states(**given, squash=lambda a: a),
        "the bias b is missing": _states(**{**given, "b": torch.zeros_like(given["b"])}),
        "W_hh is transposed": _states(**{**given, "W_hh": W_hh.T}),
        "only the last state is given": right[-1],
        "the mask chose units; it chooses sentences: which dimension is the batch?": (
            _by_units(given)
        ),
        "the batch comes first; time is the first dimension": right.transpose(0, 1),
    }


def _by_units(given: dict) -> Tensor:
    """The states if the mask of a step lies along the units, where there are as many."""
    x, mask, h, W_xh, W_hh, b = given.values()
    states = [h]
    for x_t, real in zip(x, mask, strict=True):
        new = torch.tanh(states[-1] @ W_hh.T + x_t @ W_xh.T + b)
        states.append(new.where(real, states[-1]) if h.shape[0] == h.shape[1] else h)
    return torch.stack(states)


@check
def token_loss(student: Callable) -> Verdict:
    """Check `token_loss(scores, targets, mask)`: the mean over real tokens, and its gradient.

    Source: deck 003, the softmax and its loss, with the minus and the exp that its slide lacks.
    """
    cases = (
        ("padding behind", BEHIND, 4, 2.0),
        ("padding in front and within", GAPS, 3, 5.0),
        ("scores up to 1,000", WHOLE, 2, 1000.0),
        ("no token at all", ((0,), (0,)), 3, 1.0),
        ("one token", ((0, 0), (0, 0), (1, 0)), 5, 2.0),
        ("a single sentence", ((1,), (0,), (1,)), 6, 3.0),
    )
    for what, rows, vocab, scale in cases:
        mask = mask_of(rows)
        scores = scale * ramp(*mask.shape, vocab, low=-1.0, high=0.9).sin()
        targets = (torch.arange(mask.numel()).reshape(mask.shape) ** 2 + 1) % vocab
        behind = ~mask & (torch.arange(len(mask)) > 1)[:, None]
        targets[behind] = -100  # where nothing stands; elsewhere the mask alone says it
        scores = scores.float()  # so that 1 / N may be a float32 as well
        answer = call(student, scores=scores, targets=targets, mask=mask)
        scores = scores.double()
        loss, d_scores = parts(f"token_loss, {what},", answer, "loss, d_scores")
        slips, d_slips = _slips_of_loss(scores, targets, mask)
        right = _loss_and_gradient(scores, targets, mask)
        if isinstance(loss, float | Tensor) and torch.as_tensor(loss).isinf().any():
            raise Refused(
                f"token_loss, {what}: the loss is infinite: a probability has become 0 by rounding "
                "before its log was taken."
            )
        compare(f"token_loss, {what}: the loss", loss, right[0], slips)
        compare(f"token_loss, {what}: d_scores", d_scores, right[1], d_slips)
    return Verdict(True, "token_loss: loss and gradient right with padding, and without a token.")


def _loss_and_gradient(scores: Tensor, targets: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    share = mask[..., None].to(scores) / mask.sum().clamp(min=1)
    onehot = torch.eye(scores.shape[-1], dtype=scores.dtype)[targets.where(mask, 0)]
    log_p = scores.log_softmax(dim=-1)
    loss = 0.0 - (log_p * onehot * share).sum()  # 0 without a token, not -0
    return loss, (log_p.exp() - onehot) * share


def _slips_of_loss(scores: Tensor, targets: Tensor, mask: Tensor) -> tuple[dict, dict]:
    loss, right = _loss_and_gradient(scores, targets, mask)
    count, everything = mask.sum().clamp(min=1), mask.numel()
    log_p, wanted = scores.log_softmax(dim=-1), targets.clamp(min=0)
    each = -log_p.gather(2, wanted[..., None])[..., 0]  # (time, batch)
    by_row = (each * mask).sum(dim=0) / mask.sum(dim=0).clamp(min=1)
    known = targets >= 0
    onehot = torch.eye(scores.shape[-1], dtype=scores.dtype)[wanted]
    p = log_p.exp()
    losses = {
        "this is the sum over the tokens, not their mean": loss * count,
        "padding is counted in the number you divide by": loss * count / everything,
        "padding is counted as if it were tokens": each.mean(),
        "the mask alone says what counts, not the -100": (each * known).sum()
        / known.sum().clamp(1),
        "this is a mean over sentences of their means; every token counts alike": by_row.mean(),
        "the sum is divided by the number of sentences": loss * count / mask.shape[1],
        "the sign is wrong; a loss is minus a log probability": -loss,
        "this is the perplexity": loss.exp(),
        "this is a loss for each token, not one number": each * mask,
        "the log is missing": (p.gather(2, wanted[..., None])[..., 0] * mask).sum() / -count,
    }
    gradients = {
        "this is the gradient of the sum, not of the mean": right * count,
        "padding is counted in the number you divide by": right * count / everything,
        "padding gets a gradient": (p - onehot) / count,
        "it is the mean's: divide by the number of tokens, and padding gets none": p - onehot,
        "the right token's 1 is not taken off": p * mask[..., None] / count,
        "the sign is wrong": -right,
        "these are the probabilities": p,
    }
    return losses, gradients


@check
def bptt(student: Callable) -> Verdict:
    """Check `bptt(d_scores, x, mask, states, W_hh, W_hy)`: all gradients, back through padding.

    Source: deck 003, the gradients of BPTT, for a batch with padding and a start state.
    """
    cases = (
        ("padding in front and within", GAPS, (4, 3, 1)),
        ("padding behind", BEHIND, (2, 4, 3)),
        ("no padding", WHOLE, (3, 2, 4)),
        ("one unit", BEHIND, (2, 1, 4)),
        ("a sentence without a token", ((0, 1), (0, 0), (0, 1), (0, 1)), (3, 3, 2)),
        ("a single sentence", ((1,), (0,), (1,), (0,)), (2, 3, 3)),
    )
    names = {"db_y": 4, "dW_hy": 3, "db": 2, "dW_xh": 0, "dW_hh": 1, "dh_0": 5}
    for what, rows, (size, hidden, vocab) in cases:
        mask = mask_of(rows)
        x = ramp(*mask.shape, size, low=-0.8, high=1.4)
        W_xh, W_hh = ramp(hidden, size, low=0.7), ramp(hidden, hidden, low=-0.9, high=1.2)
        h_0 = ramp(mask.shape[1], hidden, low=-0.6, high=1.3)
        states = _states(x, mask, h_0, W_xh, W_hh, ramp(hidden, low=0.2))
        d_scores = ramp(*mask.shape, vocab, low=1.2, high=-0.7).cos() - 0.6
        d_scores[1] = 0  # a step may have no loss of its own
        given = {"d_scores": d_scores, "x": x, "mask": mask, "states": states, "W_hh": W_hh}
        given["W_hy"] = ramp(vocab, hidden, low=-0.5, high=0.9)
        answer = call(student, **given)
        found = parts(f"bptt, {what},", answer, "dW_xh, dW_hh, db, dW_hy, db_y, dh_0")
        right = _gradients(**given)
        slips = {text: _gradients(**given, **slip) for text, slip in SLIPS.items()}
        for name, k in names.items():
            mistakes = {text: slip[k] for text, slip in slips.items()}
            mistakes["it is transposed"] = right[k].mT if right[k].dim() == 2 else right[k]
            mistakes["this is the mean over the batch; add the rows up"] = right[k] / x.shape[1]
            mistakes["this is the mean over the steps; add them up"] = right[k] / len(x)
            mistakes["this is summed over the batch; each row has its own"] = right[k].sum(dim=0)
            compare(f"bptt, {what}: {name}", found[k], right[k], mistakes)
    return Verdict(True, "bptt: all six gradients right, with padding in every place.")


def _gradients(
    d_scores,
    x,
    mask,
    states,
    W_hh,
    W_hy,
    *,
    passed=lambda dh, real: dh * ~real,
    real_slope=lambda slope, real: slope * real,
    slope=lambda states: 1 - states[1:] ** 2,
    back=lambda da, W: da @ W,
    used=lambda d, mask: d,
    before=lambda states: states[:-1],
) -> tuple[Tensor, ...]:
    """The six gradients; the options are what a slip changes."""
    real, d_scores = mask[..., None], used(d_scores, mask)
    slopes, dh, da = real_slope(slope(states), real), torch.zeros_like(states[0]), []
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da.insert(0, dh * slopes[t])
        dh = back(da[0], W_hh) + passed(dh, real[t])
    da = torch.stack(da)

    def outer(left, right):
        return torch.einsum("tbi,tbj->ij", left, right)

    weights = (outer(da, x), outer(da, before(states)), da.sum((0, 1)))
    return (*weights, outer(d_scores, states[1:]), d_scores.sum((0, 1)), dh)


SLIPS = {
    "a padded step stops the gradient; it must go on to the step before": {
        "passed": lambda dh, real: torch.zeros_like(dh)
    },
    "padding is treated like a token": {
        "passed": lambda dh, real: torch.zeros_like(dh),
        "real_slope": lambda slope, real: slope,
    },
    "the gradient also goes past the real steps": {"passed": lambda dh, real: dh},
    "padded steps add to the weights' gradients": {"real_slope": lambda slope, real: slope},
    "d_scores at padding is left out; a loss may read the state there": {
        "used": lambda d, mask: d * mask[..., None]
    },
    "nothing comes back from the next step": {
        "back": lambda da, W: torch.zeros_like(da),
        "passed": lambda dh, real: torch.zeros_like(dh),
    },
    "only padding passes a gradient on, no real step does": {
        "back": lambda da, W: torch.zeros_like(da)
    },
    "W_hh is transposed on the way back": {"back": lambda da, W: da @ W.T},
    "the slope of tanh is missing": {"slope": lambda states: torch.ones_like(states[1:])},
    "the slope is taken at the state before": {"slope": lambda states: 1 - states[:-1] ** 2},
    "the slope of tanh is not 1 - h": {"slope": lambda states: 1 - states[1:]},
    "the state after the step stands for the one before it": {"before": lambda states: states[1:]},
}
