"""Checks of assignment A4: a masked softmax, attention of a batch, its gradients, its window."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.variants import Draw
from seqviz.checks.verdict import ramp

USUAL = Draw()


def weights_of(e: Tensor, hidden: Tensor) -> Tensor:
    """Softmax over the last dimension of what is not hidden; 0 elsewhere."""
    return e.masked_fill(hidden, -torch.inf).softmax(dim=-1).masked_fill(hidden, 0.0)


def truth(*rows: str) -> Tensor:
    """Truth values from rows such as "..xx": x is True."""
    return torch.tensor([[mark == "x" for mark in row] for row in rows])


@check("right for 9 masks, exactly 0 where hidden.")
def masked_softmax(draw: Draw = USUAL) -> Cases:
    """Check `masked_softmax(e, hidden)`: weights over the last dimension, 0 where hidden.

    `hidden` has the shape of `e` or broadcasts to it. A row that is all hidden is all 0.
    """
    for name, e, hidden in _masks():
        given = draw.of({"e": e, "hidden": hidden}, ["e"], e="bti", hidden="bti")
        e, hidden = given.values()
        low, everywhere = e.masked_fill(hidden, -torch.inf), e.softmax(dim=-1)
        slips = {
            "what is hidden still gets weight": everywhere,
            "a score of 0 is not a weight of 0: exp(0) is 1": (
                e.masked_fill(hidden, 0.0).softmax(dim=-1)
            ),
            "the rows no longer add up to 1: mask before the softmax": (
                everywhere.masked_fill(hidden, 0.0)
            ),
            "a row that is all hidden must be all 0; you spread the weight over it": (
                e.masked_fill(hidden, torch.finfo(e.dtype).min).softmax(dim=-1)
            ),
            "the mask is the wrong way round": weights_of(e, ~hidden),
            "these are masked scores; take their softmax": low,
            "these are the logs of the weights": low.log_softmax(dim=-1),
        }
        if e.dim() > 1:
            for where, dim in (("dimension -2", -2), ("the first dimension", 0)):
                text = f"the softmax runs over {where}; it runs over the last"
                slips[text] = low.softmax(dim=dim).nan_to_num(0.0)
        nan = "0 divided by 0 in a row that is all hidden? It must be all 0."
        if not hidden.all(dim=-1).any():
            nan = "exp of a large score is inf, but weights see only differences of scores."
        if not e.isfinite().all():
            nan = "what stands at a hidden place comes through: 0 times NaN or inf is NaN."
        zero = "what is hidden gets a little; it must be exactly 0."
        asked = f" of {name.format(' × '.join(map(str, e.shape)))}"
        yield Case(asked, given, weights_of(e, hidden), slips, zero=zero, nan=nan)


def _masks() -> list[tuple[str, Tensor, Tensor]]:
    """(name, scores, what is hidden) of each case."""
    e = 3 * (5 * ramp(2, 3, 5)).sin()
    rows = 2 * (7 * ramp(4, 6)).cos()
    each = truth("......", "xxxx.x", "xxxxxx", ".x.x.x")
    large = (1000 * (4 * ramp(3, 4)).sin()).round()  # whole, so that float32 holds them
    junk = ramp(2, 5, low=-2, high=1)
    junk[0, 1], junk[1, 0], junk[1, 4] = torch.nan, torch.inf, torch.nan
    small = torch.where(truth("..x.", "x...", ".x.x"), 1000.0, ramp(3, 4))
    return [
        ("{} scores, a mask for each sentence", e, truth("...xx", "x....")[:, None]),
        ("{} scores, each row with a mask of its own", rows, each),
        ("{} scores, rows hidden as a whole", rows, truth(".", "x", "x", ".")),
        ("a single row of {}", ramp(7, low=2, high=-1), truth("..x...x")[0]),
        ("{} scores around 1000", large, truth("...x", "x...", "....")),
        ("{} scores around -1,000,000", large - 2.0**20, truth("...x", "x...", "xx..")),
        ("{} scores, one in each row", ramp(3, 1, 1), truth(".", "x", ".")[:, None]),
        ("{} scores, NaN and inf at hidden places", junk, truth(".x...", "x...x")),
        ("{} scores, the hidden ones by far the largest", small, truth("..x.", "x...", ".x.x")),
    ]


def sentences(sizes: tuple[int, ...], padding: Tensor) -> tuple[Tensor, ...]:
    """(s, h, W) of some sentences; at padding h is large, as if a net had been careless."""
    batch, steps, time, m, n = sizes
    s = (3 * ramp(batch, steps, m)).sin()
    h = (5 * ramp(batch, time, n)).cos() * ramp(time, 1, low=1.5, high=-1)
    W = (4 * ramp(m, n, low=-0.7)).sin()
    return s, torch.where(padding[:, :, None], 7.0, h), W


def read(draw: Draw, sizes: tuple[int, ...], padding: Tensor) -> dict[str, Tensor]:
    """The arguments of `attend` in a variant."""
    given = dict(zip(("s", "h", "W"), sentences(sizes, padding), strict=True))
    axes = {"s": "btM", "h": "biN", "W": "MN", "padding": "bi"}
    return draw.of(given | {"padding": padding}, ["s", "h", "W"], **axes)


BATCHES = (  # (batch, steps, time, query, hidden), where padding stands
    ((2, 3, 4, 5, 3), truth("....", "..xx")),
    ((4, 1, 5, 2, 6), truth("xx...", ".x.x.", "xxxxx", ".....")),
    ((1, 4, 1, 3, 2), truth(".")),
    ((3, 2, 2, 4, 4), truth("..", ".x", "x.")),
)


@check("right, context and weights, for 4 batches.")
def attend(draw: Draw = USUAL) -> Cases:
    """Check `attend(s, h, W, padding) -> (context, weights)`: the general score, all steps at once.

    `s` is (batch, steps, query), `h` (batch, time, hidden), `W` (query, hidden) and `padding`
    (batch, time); the context is (batch, steps, hidden), the weights (batch, steps, time).
    """
    for usual, hides in BATCHES:
        given = read(draw, usual, hides)
        s, h, W, padding = given.values()
        sizes = (*s.shape[:2], *h.shape[1:2], *W.shape)
        hidden, e = padding[:, None], s @ W @ h.mT
        a = weights_of(e, hidden)
        context = a @ h
        of_weights = {
            "padding still gets weight": e.softmax(dim=2),
            "these are the scores; take their softmax": e,
            "the softmax runs over the French words; it runs over the English ones": (
                e.masked_fill(hidden, -torch.inf).softmax(dim=1).nan_to_num(0.0)
            ),
            "the mask is the wrong way round": weights_of(e, ~hidden),
            "the scores are divided by the root of the size of h; the general ones are not": (
                weights_of(e / sizes[4] ** 0.5, hidden)
            ),
            "the scores are divided by the root of the size of s; the general ones are not": (
                weights_of(e / sizes[3] ** 0.5, hidden)
            ),
            "this is the context; it comes first": context,
        }
        of_context = {
            "the mean is of W h; it is of h": a @ (h @ W.T),
            "the scores weigh here, not their softmax": e @ h,
            "this is the plain mean of h; weigh each": h.mean(1, keepdim=True).expand_as(context),
            "the French words are added up; each has a context of its own": context.sum(dim=1),
            "the weighted h are averaged; their weights already add up to 1": context / sizes[2],
        }
        asked = ", batch {}, steps {}, time {},".format(*sizes)
        right = {"context": context, "weights": a}
        slips = by_part({"weights": of_weights, "context": of_context})
        yield Case(asked, given, right, slips, "weights, context")


@check("right, all three gradients, for 4 batches.", gradients=False)
def attend_backward(draw: Draw = USUAL) -> Cases:
    """Check `attend_backward(dc, s, h, W, a) -> (ds, dh, dW)`: the gradients of `attend` by hand.

    `dc` is the loss's gradient at the context. Gradients are off while the function runs.
    """
    for usual, hides in BATCHES:
        s, h, W, padding = read(draw, usual, hides).values()
        sizes = (*s.shape[:2], *h.shape[1:2], *W.shape)
        a = weights_of(s @ W @ h.mT, padding[:, None])
        dc = (6 * ramp(sizes[0], sizes[1], sizes[4], low=-0.4)).cos() * 2
        leaves = [x.clone().requires_grad_() for x in (s, h, W)]
        e = leaves[0] @ leaves[2] @ leaves[1].mT
        context = weights_of(e, padding[:, None]) @ leaves[1]
        right = dict(zip(("ds", "dh", "dW"), torch.autograd.grad(context, leaves, dc), strict=True))
        given = {"dc": dc, "s": s, "h": h, "W": W, "a": a}
        asked = ", batch {}, steps {}, time {},".format(*sizes)
        yield Case(asked, given, right, _slips_back(**given))


def _slips_back(dc: Tensor, s: Tensor, h: Tensor, W: Tensor, a: Tensor) -> dict:
    """What a slip makes of ds, dh and dW."""
    da = dc @ h.mT
    mean = (a * da).sum(dim=2, keepdim=True)
    right = a * (da - mean)
    scores = {  # gradients at the scores
        "the softmax is missing on the way back: this takes da for de": da,
        "raising one score lowers the weights of the others: the mean is not taken off": a * da,
        "the softmax has a slope for each pair of words, not a_i (1 - a_i) alone": a * (1 - a) * da,
        "the sign is turned round": -right,
        "the plain mean is taken off; the weighted one belongs there": (
            a * (da - da.mean(dim=2, keepdim=True))
        ),
        "the sum runs over the French words; it runs over the English ones": (
            a * (da - (a * da).sum(dim=1, keepdim=True))
        ),
    }
    each = s.mT @ right @ h
    own = {
        "ds": {"W is missing on the way to s": right @ h},
        "dh": {
            "h is read as well: its first way, through the context, is missing": right.mT @ s @ W,
            "h is scored as well: its second way, through the scores, is missing": a.mT @ dc,
        },
        "dW": {
            "all sentences share W: add their gradients up": each,
            "all sentences share W: add their gradients up, no mean": each.mean(dim=0),
            "all French words share W: add their gradients up, no mean": each.sum(0) / s.shape[1],
            "this is its transpose": each.sum(dim=0).T,
        },
    }
    return by_part(own) | {
        text: (de @ h @ W.T, a.mT @ dc + de.mT @ s @ W, (s.mT @ de @ h).sum(dim=0))
        for text, de in scores.items()
    }


@check("right for 3 windows.")
def local_weights(draw: Draw = USUAL) -> Cases:
    """Check `local_weights(e, p, D, padding)`: softmax in a window around p, times a Gaussian.

    `e` is (batch, steps, time), `p` (batch, steps), `padding` (batch, time).

    Source: Luong et al. (2015), section 3.2, equation 10.
    """
    for name, *arguments in _windows():
        given = dict(zip(("e", "p", "D", "padding"), arguments, strict=True))
        given = draw.of(given, ["e"], e="bt.", p="bt", padding="b.")
        e, p, D, padding = given.values()
        place, hidden = torch.arange(e.shape[2]), padding[:, None]
        far = place - p[:, :, None]
        outside, apart = far.abs() > D, (place - p.round()[:, :, None]).abs() > D
        bell, inside = torch.exp(-(far**2) / (2 * (D / 2) ** 2)), weights_of(e, outside | hidden)
        right, whole = inside * bell, weights_of(e, hidden.expand_as(e)) * bell
        slips = {
            "the Gaussian is missing": inside,
            "this is the Gaussian alone; the softmax is missing": (
                bell.masked_fill(outside | hidden, 0.0)
            ),
            "there is no window: words farther than D still get weight": whole,
            "the softmax runs over the whole sentence; only the window counts": (
                whole.masked_fill(outside, 0.0)
            ),
            "padding in the window still gets weight": weights_of(e, outside) * bell,
            "the rows were made to add up to 1 again; the Gaussian takes weight away for good": (
                (right / right.sum(dim=2, keepdim=True)).nan_to_num(0.0)
            ),
            "sigma is D; it is half of D": inside * torch.exp(-(far**2) / (2 * D**2)),
            "the 2 under the square of the distance is missing": (
                inside * torch.exp(-(far**2) / (D / 2) ** 2)
            ),
            "the distance is not squared": inside * torch.exp(-far.abs() / (2 * (D / 2) ** 2)),
            "sigma is not squared": inside * torch.exp(-(far**2) / D),
            "the ends of the window belong to it": weights_of(e, (far.abs() >= D) | hidden) * bell,
            "p was rounded for the window; it is any number": weights_of(e, apart | hidden) * bell,
        }
        zero = "a word outside gets a little; it must be exactly 0."
        nan = "a window with no word in it gets weights of 0."
        yield Case(f", {name},", given, right, slips, zero=zero, nan=nan)


def _windows() -> list[tuple]:
    """(name, e, p, D, padding) of each case."""
    first, second = (2 * (6 * ramp(*shape)).sin() for shape in ((2, 3, 7), (3, 2, 5)))
    return [
        (
            "D 2.5 and p between the words",
            first,
            torch.tensor([[0.5, 3.25, 5.75], [1.75, 2.0, 6.5]]).double(),
            2.5,
            truth(".......", ".....xx"),
        ),
        (
            "D 1 and p beyond both ends",
            second,
            torch.tensor([[-0.5, 4.0], [-3.0, 2.5], [1.0, 6.0]]).double(),
            1,
            truth(".....", "xx...", "..xxx"),
        ),
        ("D 3 and a word", ramp(1, 4, 1), ramp(1, 4, low=-4, high=2), 3, truth(".")),
    ]
