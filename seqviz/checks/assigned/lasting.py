"""Checks of assignment A2: how long a cell remembers, both ends of a sentence, and peepholes."""

from math import e, log

import torch
from torch import Tensor, cat

from seqviz.checks.assigned.gated import BATCHES, batch, states, weights
from seqviz.checks.cases import Case, Cases, check, slipped
from seqviz.checks.verdict import ramp


@check("right for four layers.")
def memory_bias() -> Cases:
    """Check `memory_bias(half_life)`: the bias (4 * hidden,) of an LSTM, blocks i, f, g, o.

    f has its half-life in steps, i is 1 - f.

    Source: Tallec and Ollivier (2018), "Can recurrent neural networks warp time?", i = 1 - f.
    """
    for numbers in ([1, 3], [12.5, 1, 0.5, 40, 3], [7], [50, 0.2, 20, 1.5, 0.03, 90, 1.5]):
        k = torch.tensor(numbers, dtype=torch.float64)
        f, zero = 0.5 ** (1 / k), 0 * k
        keep = torch.logit(f)

        def forgets(f: Tensor) -> Tensor:
            """Biases of a layer whose forget gates are f."""
            return cat([-torch.logit(f), torch.logit(f), zero, zero])

        right, rows = forgets(f), forgets(f).reshape(4, -1)
        slips = {
            "you gave the blocks as f, i, g, o; i, f, g, o is wanted": cat(
                [keep, -keep, zero, zero]
            ),
            "the input gate has the forget gate's bias; i is 1 - f": cat([keep, keep, zero, zero]),
            "the input gate's bias is missing": cat([zero, keep, zero, zero]),
            "these are the gates' values; the bias is what the sigmoid makes them of": (
                cat([1 - f, f, zero, zero])
            ),
            "this f leaves 1/e after k steps; one half is wanted": forgets(e ** (-1 / k)),
            "f is multiplied k times: f^k is one half, not k·f": forgets(0.5 / k),
            "the half is not lost in k equal parts: each step takes a share of what is left": (
                forgets(1 - 0.5 / k)
            ),
            "the log is the natural one": right / log(2),
            "f is 1 - 1/k here: then about 1/e is left after k steps": forgets(1 - 1 / k),
            "this f leaves one half to the k after one step": forgets(0.5**k),
            "a sigmoid of 0 is one half: g and o have a bias of 0": (
                cat([-keep, keep, zero + 0.5, zero + 0.5])
            ),
            "this is the forget gate's block alone; give all four": keep,
            "the blocks are rows; give one bias behind the other": rows,
            "the units alternate; a block holds one gate of all units": rows.T.flatten(),
        }
        yield Case(f" of half-lives {numbers}", {"half_life": k}, right, slips)


@check("right for five batches.")
def surviving() -> Cases:
    """Check `surviving(f, lengths)`: what is left of each c at the end, (time, batch, hidden)."""
    for what, f, lengths in _forgetting():
        time = torch.arange(len(f))[:, None, None]
        real, one = time < lengths[:, None], torch.ones_like(f[:1])

        def left(lengths: Tensor = lengths) -> Tensor:
            """The product of the later f of each word of a sentence; 0 at padding."""
            real = time < lengths[:, None]
            later = cat([f.where(real, 1.0)[1:], one])
            return later.flip(0).cumprod(dim=0).flip(0) * real

        right, longest = left(), lengths * 0 + lengths.max()
        slips = {
            "the word's own f is counted; it scales what came before": right * f,
            "the f of padding are counted": left(lengths * 0 + len(f)) * real,
            "padding holds nothing, 0": right.where(real, 1.0),
            "these are the products from the front; ask what comes after each word": (
                f.cumprod(dim=0) * real
            ),
            "the shares are upside down: the last word stands in front": right.flip(0),
            "after the last word all is left, 1": right * (time != lengths[:, None] - 1),
            "this is the next word's f alone; each later one counts": cat([f[1:], one]) * real,
            "this is the share that is lost": (1 - right) * real,
            "the f are added up; shares of shares are multiplied": (
                (1 + f.where(real, 0.0).flip(0).cumsum(dim=0).flip(0) - f) * real
            ),
            "all sentences end with the longest here": left(longest),
        }
        where = "0 stands exactly where nothing is left: at padding, and before a gate that is 0."
        said = {"zero": where, "tiny": where}
        nan = "a gate may be 0, and 0 / 0 or the log of 0 makes it."
        yield Case(f", {what},", {"f": f, "lengths": lengths}, right, slips, nan=nan, **said)


def _forgetting() -> list[tuple[str, Tensor, Tensor]]:
    """(name, forget gates, lengths) of each case."""
    closed = ramp(5, 2, 3, low=0.95, high=0.2)
    closed[2, 0, 1] = closed[4, 1] = 0.0
    opened = ramp(6, 3, 3, low=0.1, high=0.9).round()
    opened = torch.where(opened == 0, 2e-4, opened)
    return [
        ("lengths 4, 2 and 0 of 4", (3 * ramp(4, 3, 2)).sin() ** 2, torch.tensor([4, 2, 0])),
        ("gates that are 0", closed, torch.tensor([5, 5])),
        ("a single sentence of 3 in 6", ramp(6, 1, 1, low=0.3, high=0.9), torch.tensor([3])),
        ("gates that are 1, or next to 0", opened, torch.tensor([6, 3, 5])),
        ("sentences without a word", ramp(3, 2, 1, low=0.3, high=0.9), torch.tensor([0, 0])),
    ]


def _end(x: Tensor, lengths: Tensor, net: tuple, row: int = -1, kind: int = 0) -> Tensor:
    """A state of a net that starts with zeros: h of the last row, unless told otherwise."""
    W, b = net
    zero = torch.zeros(len(lengths), len(b) // 4, dtype=x.dtype)
    return states(x, lengths, zero, zero, W, b)[kind][row]


@check("right for three batches.")
def both_ends() -> Cases:
    """Check `both_ends(x, lengths, ahead, back)`: the last real h of both directions.

    `ahead` and `back` are (W, b) each, blocks i, f, g, o; the result is (batch, both sizes).

    Source: deck 002, "Bidirectional RNNs"; padding is not on the slides.
    """
    for sizes, units in ((BATCHES[0], 3), (BATCHES[1], 2), (BATCHES[2], 3)):
        made = batch(*sizes)
        x, lengths, ahead = made["x"], made["lengths"], (made["W"], made["b"])
        W, b = weights(sizes[2], units).values()
        back = W.flip(0), b - 0.2
        turned = [cat([x[:n, k].flip(0), x[n:, k]]) for k, n in enumerate(sizes[0])]
        turned, whole = torch.stack(turned, dim=1), torch.full_like(lengths, len(x))
        there, here = _end(x, lengths, ahead), _end(turned, lengths, back)
        halves = {
            "the backward half reads from left to right": (there, _end(x, lengths, back)),
            "the whole batch is turned round, so the backward net begins in the padding": (
                (there, _end(x.flip(0), whole, back))
            ),
            "the whole batch is turned round: the first words are padding, the last are cut": (
                (there, _end(x.flip(0), lengths, back))
            ),
            "the backward net has read one word here, the last; it is asked at the first": (
                (there, _end(turned, lengths, back, row=1))
            ),
            "padding is read: both nets go on after the end": (
                (_end(x, whole, ahead), _end(turned, whole, back))
            ),
            "the forward net reads padding": (_end(x, whole, ahead), here),
            "the backward half stands first": (here, there),
            "the nets are exchanged": (_end(x, lengths, back), _end(turned, lengths, ahead)),
            "both halves are the forward net's; back has weights of its own": (
                (there, _end(turned, lengths, ahead))
            ),
            "this is c; give h": (
                (_end(x, lengths, ahead, kind=1), _end(turned, lengths, back, kind=1))
            ),
        }
        slips = {text: cat(two, dim=1) for text, two in halves.items()}
        given = {"x": x, "lengths": lengths, "ahead": ahead, "back": back}
        asked = f", lengths {list(sizes[0])} of {sizes[1]},"
        yield Case(asked, given, cat([there, here], dim=1), slips)


def peepholes(x, h, c, W, b, p, slip: str = "") -> tuple[Tensor, Tensor]:
    """One step of a cell whose gates see c; `slip` names what is done wrong."""
    rows = cat([h, x], dim=1) @ W.T + b
    if slip == "x first":
        rows = cat([x, h], dim=1) @ W.T + b
    i, f, g, o = rows.chunk(4, dim=1)
    if slip == "blocks":
        g, o = o, g
    p_i, p_f, p_o = {"order": p[[0, 2, 1]], "no p": 0 * p}.get(slip, p)
    seen = {"tanh": c.tanh(), "h": h, "no c": 1.0}.get(slip, c)
    i, f = (i + p_i * seen).sigmoid(), (f + p_f * seen).sigmoid()
    if slip == "outside":
        i, f, _, _ = (v.sigmoid() for v in rows.chunk(4, dim=1))
        i, f = i + p_i * c, f + p_f * c
    g = g if slip == "plain g" else (g + p_i * c if slip == "candidate" else g).tanh()
    new = f * c + i * g
    at_last = {"old c": c, "tanh": new.tanh(), "h": h, "no c": 1.0, "no p_o": 0.0}.get(slip, new)
    o = o.sigmoid() + p_o * new if slip == "outside" else (o + p_o * at_last).sigmoid()
    shown = {"no tanh": new, "h of old c": c.tanh()}.get(slip, new.tanh())
    return o * shown, new


PEEPHOLES = {
    "no p": "the gates do not see c: p is not used",
    "old c": "the output gate sees the old c; it sees the new one",
    "order": "the rows of p are i, f, o; yours of f and o are swapped",
    "tanh": "the gates see tanh(c); they see c itself",
    "outside": "p times c stands outside the sigmoid; it belongs into it",
    "candidate": "the candidate sees c too; only the gates do",
    "no tanh": "h lacks the tanh around the new c",
    "h": "the peepholes meet h; they meet c",
    "no c": "p is added as it is; it is the weight of c",
    "no p_o": "the output gate has a peephole too",
    "h of old c": "h is made of the old c",
    "plain g": "the candidate g has no tanh",
    "blocks": "the blocks are read as i, f, o, g; W has them as i, f, g, o",
    "x first": "x is stacked on h; the columns of W belong to h first",
}


@check("right for four sizes.")
def peephole_step() -> Cases:
    """Check `peephole_step(x, h, c, W, b, p) -> (h, c)`; W and b as in torch, i, f, g, o.

    p (3, hidden) holds the peepholes of i, f and o; o sees the new c.

    Source: Gers and Schmidhuber (2000); in this form Graves (2013), equations 7 to 11.
    """
    for size, inputs, hidden in ((3, 2, 4), (2, 3, 1), (1, 1, 5), (4, 3, 3)):
        given = {
            "x": 1.6 * (6 * ramp(size, inputs, low=-0.9)).sin(),
            "h": ramp(size, hidden, low=0.6, high=-0.8),
            "c": ramp(size, hidden, low=-2.0, high=1.5),
        }
        if size == 4:  # gates that are fully open or closed, and a c of 0
            given |= {"x": 400 * given["x"], "c": (5 * given["c"]).round()}
            given["c"][1] = 0
        given |= weights(inputs, hidden) | {"p": 1.4 * (8 * ramp(3, hidden, low=-0.6)).cos()}
        h, c = peepholes(**given)
        slips = slipped(peepholes, PEEPHOLES, given)
        slips["h and c stand in the wrong order, give (h, c)"] = (c, h)
        asked = f", a batch of {size} and {hidden} units,"
        yield Case(asked, given, {"h": h, "c": c}, slips, "c, h")  # an error in c is one in h too
