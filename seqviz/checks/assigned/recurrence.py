"""Checks of assignment 1: states, loss and gradients of an RNN over a batch with padding."""

import torch
from torch import Tensor, tanh, zeros_like

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.comparing import number, parts
from seqviz.checks.verdict import Refused, ramp

BEHIND = ((1, 1, 1), (1, 1, 1), (1, 0, 1), (1, 0, 0), (0, 0, 0))  # (time, batch)
GAPS = ((0, 1), (1, 1), (1, 0), (0, 0), (1, 1), (1, 0))
WHOLE = ((1,), (1,), (1,))
EMPTY = ((0, 1), (0, 0), (0, 1))
SINGLE = ((1,), (0,), (1,))


def mask_of(rows: tuple) -> Tensor:
    """A mask from rows of ones and zeros."""
    return torch.tensor(rows, dtype=torch.bool)


@check("right for padding behind, in front, within, and none.")
def masked_states() -> Cases:
    """Check `masked_states(x, mask, h_0, W_xh, W_hh, b)`: states that padding does not move.

    Source: deck 003, "Update Equations"; padding is not on the slides.
    """
    for what, rows, size, hidden, scale in (
        ("padding in front and within", GAPS, 3, 1, 1.5),
        ("padding behind", BEHIND, 2, 3, 1.0),
        ("no padding", WHOLE, 4, 2, 3.0),
        ("a single sentence", (*SINGLE, (0,)), 2, 3, 2.0),
        ("a sentence without a token", EMPTY, 3, 3, 0.7),
    ):
        mask = mask_of(rows)
        given = {
            "x": scale * ramp(*mask.shape, size, low=-0.9, high=1.1),
            "mask": mask,
            "h_0": ramp(mask.shape[1], hidden, low=0.4, high=-0.7),
            "W_xh": ramp(hidden, size, low=0.9, high=-0.5),
            "W_hh": ramp(hidden, hidden, low=-0.6, high=0.8),
            "b": ramp(hidden, low=0.3, high=0.1),
        }

        def states(padded=lambda h, new, h_0, real: h, **other) -> Tensor:
            return _states(**(given | other), padded=padded)

        right, moved = states(), lambda h, new, h_0, real: new
        at_end = right.clone()
        at_end[1:][~mask] = 0
        slips = {
            "each sentence has its own mask; here one token moves them all": (
                states(lambda h, new, h_0, real: new if real.any() else h)
            ),
            "padding is read like a token; the mask is not used": states(moved),
            "a padded step is a step with x = 0 here; it must change nothing": (
                states(moved, x=given["x"].where(mask[..., None], 0))
            ),
            "the state is set to zero at padding": states(lambda h, *_: zeros_like(h)),
            "the state goes back to h_0 at padding": states(lambda h, new, h_0, real: h_0),
            "padded steps are zeros in the result; the state stays what it was": at_end,
            "the mask is read the wrong way round; it is True where a token stands": (
                states(mask=~mask)
            ),
            "h_0 is missing; it is row 0": right[1:],
            "h_0 is not used": states(h_0=0 * given["h_0"]),
            "tanh is missing": states(squash=lambda a: a),
            "the bias b is missing": states(b=0 * given["b"]),
            "W_hh is transposed": states(W_hh=given["W_hh"].T),
            "only the last state is given": right[-1],
            "the batch comes first; time is the first dimension": right.transpose(0, 1),
        }
        if hidden == mask.shape[1]:
            slips["the mask chose units; it chooses sentences: which dimension is the batch?"] = (
                states(units=True)
            )
        yield Case(f", {what},", given, right, slips)


def _states(
    x, mask, h_0, W_xh, W_hh, b, squash=tanh, padded=lambda h, new, h_0, real: h, units=False
) -> Tensor:
    """The states; `padded` says what a padded step makes of them."""
    h, states = h_0, [h_0]
    for x_t, real in zip(x, mask, strict=True):
        new = squash(h @ W_hh.T + x_t @ W_xh.T + b)
        h = new.where(real if units else real[:, None], padded(h, new, h_0, real))
        states.append(h)
    return torch.stack(states)


@check("loss and gradient right with padding, and without a token.")
def token_loss() -> Cases:
    """Check `token_loss(scores, targets, mask)`: the mean over real tokens, and its gradient.

    Source: deck 003, the softmax and its loss, with the minus and the exp that its slide lacks.
    """
    for what, rows, vocab, scale in (
        ("padding behind", BEHIND, 4, 2.0),
        ("padding in front and within", GAPS, 3, 5.0),
        ("scores up to 1,000", WHOLE, 2, 1000.0),
        ("no token at all", ((0,), (0,)), 3, 1.0),
        ("one token", ((0, 0), (0, 0), (1, 0)), 5, 2.0),
        ("a single sentence", SINGLE, 6, 3.0),
    ):
        mask, asked = mask_of(rows), f", {what},"
        scores = scale * ramp(*mask.shape, vocab, low=-1.0, high=0.9).sin()
        targets = (torch.arange(mask.numel()).reshape(mask.shape) ** 2 + 1) % vocab
        behind = ~mask & (torch.arange(len(mask)) > 1)[:, None]
        targets[behind] = -100  # where nothing stands; elsewhere the mask alone says it
        given = {"scores": scores.float(), "targets": targets, "mask": mask}  # 1 / N may be float32

        def read(answer):
            loss, d_scores = parts(f"token_loss{asked}", answer, "loss, d_scores")
            if number(loss) in (torch.inf, -torch.inf):
                raise Refused(
                    f"token_loss{asked} the loss is infinite: a probability has become 0 by "
                    "rounding before its log was taken."
                )
            return loss, d_scores

        count, everything = mask.sum().clamp(min=1), mask.numel()
        log_p, wanted = given["scores"].double().log_softmax(dim=-1), targets.clamp(min=0)
        p, onehot = log_p.exp(), torch.eye(vocab, dtype=torch.float64)[wanted]
        off, each, known = p - onehot, -(log_p * onehot).sum(dim=2), targets >= 0  # (time, batch)
        total, d_scores = (each * mask).sum(), off * mask[..., None] / count
        loss = total / count
        by_row = ((each * mask).sum(dim=0) / mask.sum(dim=0).clamp(min=1)).mean()
        padded = "padding is counted in the number you divide by"
        own = {
            "loss": {
                "this is the sum over the tokens, not their mean": total,
                padded: total / everything,
                "padding is counted as if it were tokens": each.mean(),
                "the mask alone says what counts, not the -100": (
                    (each * known).sum() / known.sum().clamp(1)
                ),
                "this is a mean over sentences of their means; every token counts alike": by_row,
                "the sum is divided by the number of sentences": total / mask.shape[1],
                "the sign is wrong; a loss is minus a log probability": -loss,
                "this is the perplexity": loss.exp(),
                "this is a loss for each token, not one number": each * mask,
                "the log is missing": ((p * onehot).sum(dim=2) * mask).sum() / -count,
            },
            "d_scores": {
                "this is the gradient of the sum, not of the mean": d_scores * count,
                padded: d_scores * count / everything,
                "padding gets a gradient": off / count,
                "it is the mean's: divide by the number of tokens, and padding gets none": off,
                "the right token's 1 is not taken off": p * mask[..., None] / count,
                "the sign is wrong": -d_scores,
                "these are the probabilities": p,
            },
        }
        yield Case(asked, given, {"loss": loss, "d_scores": d_scores}, by_part(own), read=read)


@check("all six gradients right, with padding in every place.")
def bptt() -> Cases:
    """Check `bptt(d_scores, x, mask, states, W_hh, W_hy)`: all gradients, back through padding.

    Source: deck 003, the gradients of BPTT, for a batch with padding and a start state.
    """
    for what, rows, (size, hidden, vocab) in (
        ("padding in front and within", GAPS, (4, 3, 1)),
        ("padding behind", BEHIND, (2, 4, 3)),
        ("no padding", WHOLE, (3, 2, 4)),
        ("one unit", BEHIND, (2, 1, 4)),
        ("a sentence without a token", (*EMPTY, (0, 1)), (3, 3, 2)),
        ("a single sentence", (*SINGLE, (0,)), (2, 3, 3)),
    ):
        mask = mask_of(rows)
        x = ramp(*mask.shape, size, low=-0.8, high=1.4)
        W_xh, W_hh = ramp(hidden, size, low=0.7), ramp(hidden, hidden, low=-0.9, high=1.2)
        h_0 = ramp(mask.shape[1], hidden, low=-0.6, high=1.3)
        states = _states(x, mask, h_0, W_xh, W_hh, ramp(hidden, low=0.2))
        d_scores = ramp(*mask.shape, vocab, low=1.2, high=-0.7).cos() - 0.6
        d_scores[1] = 0  # a step may have no loss of its own
        given = {"d_scores": d_scores, "x": x, "mask": mask, "states": states, "W_hh": W_hh}
        given["W_hy"] = ramp(vocab, hidden, low=-0.5, high=0.9)
        right = _gradients(**given)
        whole = {text: _gradients(**given, **slip) for text, slip in SLIPS.items()}
        of_any = {
            "it is transposed": {part: g.mT for part, g in right.items() if g.dim() == 2},
            "this is the mean over the batch; add the rows up": (
                {part: g / x.shape[1] for part, g in right.items()}
            ),
            "this is the mean over the steps; add them up": (
                {part: g / len(x) for part, g in right.items()}
            ),
            "this is summed over the batch; each row has its own": {"dh_0": right["dh_0"].sum(0)},
        }
        order = "db_y, dW_hy, db, dW_xh, dW_hh, dh_0"
        yield Case(f", {what},", given, right, whole | of_any, order)


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
) -> dict[str, Tensor]:
    """The six gradients; the options are what a slip changes."""
    real, d_scores = mask[..., None], used(d_scores, mask)
    slopes, dh, da = real_slope(slope(states), real), zeros_like(states[0]), []
    for t in reversed(range(len(x))):
        dh = dh + d_scores[t] @ W_hy
        da.insert(0, dh * slopes[t])
        dh = back(da[0], W_hh) + passed(dh, real[t])
    da = torch.stack(da)

    def outer(left, right):
        return torch.einsum("tbi,tbj->ij", left, right)

    own = {"dW_xh": outer(da, x), "dW_hh": outer(da, before(states)), "db": da.sum((0, 1))}
    of_output = {"dW_hy": outer(d_scores, states[1:]), "db_y": d_scores.sum((0, 1))}
    return own | of_output | {"dh_0": dh}


NOTHING = {"passed": lambda dh, real: zeros_like(dh)}
SLIPS = {
    "a padded step stops the gradient; it must go on to the step before": NOTHING,
    "padding is treated like a token": NOTHING | {"real_slope": lambda slope, real: slope},
    "the gradient also goes past the real steps": {"passed": lambda dh, real: dh},
    "padded steps add to the weights' gradients": {"real_slope": lambda slope, real: slope},
    "d_scores at padding is left out; a loss may read the state there": {
        "used": lambda d, mask: d * mask[..., None]
    },
    "nothing comes back from the next step": NOTHING | {"back": lambda da, W: zeros_like(da)},
    "only padding passes a gradient on, no real step does": {"back": lambda da, W: zeros_like(da)},
    "W_hh is transposed on the way back": {"back": lambda da, W: da @ W.T},
    "the slope of tanh is missing": {"slope": lambda states: torch.ones_like(states[1:])},
    "the slope is taken at the state before": {"slope": lambda states: 1 - states[:-1] ** 2},
    "the slope of tanh is not 1 - h": {"slope": lambda states: 1 - states[1:]},
    "the state after the step stands for the one before it": {"before": lambda states: states[1:]},
}
