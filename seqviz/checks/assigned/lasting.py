"""Checks of assignment A2: how long a cell remembers, both ends of a sentence, and peepholes."""

from collections.abc import Callable
from math import e, log

import torch
from torch import Tensor

from seqviz.checks.assigned.gated import BATCHES, batch, states, weights
from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Refused, Verdict, check, ramp


@check
def memory_bias(student: Callable) -> Verdict:
    """Check `memory_bias(half_life)`: the bias (4 * hidden,) of an LSTM, blocks i, f, g, o.

    f has its half-life in steps, i is 1 - f.

    Source: Tallec and Ollivier (2018), "Can recurrent neural networks warp time?", i = 1 - f.
    """
    for numbers in ([1, 3], [12.5, 1, 0.5, 40, 3], [7], [50, 0.2, 20, 1.5, 0.03, 90, 1.5]):
        k = torch.tensor(numbers, dtype=torch.float64)
        f = 0.5 ** (1 / k)
        keep, zero = torch.logit(f), 0 * k
        wrong = {
            "you gave the blocks as f, i, g, o; i, f, g, o is wanted": (keep, -keep, zero, zero),
            "the input gate has the forget gate's bias; i is 1 - f": (keep, keep, zero, zero),
            "the input gate's bias is missing": (zero, keep, zero, zero),
            "these are the gates' values; the bias is what the sigmoid makes them of": (
                (1 - f, f, zero, zero)
            ),
            "this f leaves 1/e after k steps; one half is wanted": _blocks(e ** (-1 / k)),
            "f is multiplied k times: f^k is one half, not k·f": _blocks(0.5 / k),
            "the half is not lost in k equal parts: each step takes a share of what is left": (
                _blocks(1 - 0.5 / k)
            ),
            "the log is the natural one": tuple(v / log(2) for v in _blocks(f)),
            "f is 1 - 1/k here: then about 1/e is left after k steps": _blocks(1 - 1 / k),
            "this f leaves one half to the k after one step": _blocks(0.5**k),
            "a sigmoid of 0 is one half: g and o have a bias of 0": (
                (-keep, keep, zero + 0.5, zero + 0.5)
            ),
        }
        asked = f"memory_bias of half-lives {numbers}"
        right = torch.cat([-keep, keep, zero, zero])
        slips = {text: torch.cat(blocks) for text, blocks in wrong.items()}
        slips["this is the forget gate's block alone; give all four"] = keep
        slips["the blocks are rows; give one bias behind the other"] = right.reshape(4, -1)
        slips["the units alternate; a block holds one gate of all units"] = right.reshape(
            4, -1
        ).T.flatten()
        compare(asked, call(student, half_life=k), right, slips)
    return Verdict(True, "memory_bias: right for four layers.")


def _blocks(f: Tensor) -> tuple[Tensor, ...]:
    """Biases of a layer whose forget gates are f."""
    keep = torch.logit(f)
    return -keep, keep, 0 * f, 0 * f


@check
def surviving(student: Callable) -> Verdict:
    """Check `surviving(f, lengths)`: what is left of each c at the end, (time, batch, hidden)."""
    for what, f, lengths in _forgetting():
        time = torch.arange(len(f))[:, None, None]
        real = time < lengths[:, None]
        right = _left(f, lengths)
        wrong = {
            "the word's own f is counted; it scales what came before": _left(f, lengths) * f,
            "the f of padding are counted": _left(f, lengths * 0 + len(f)) * real,
            "padding holds nothing, 0": torch.where(real, right, 1.0),
            "these are the products from the front; ask what comes after each word": (
                f.cumprod(dim=0) * real
            ),
            "the shares are upside down: the last word stands in front": _left(f, lengths).flip(0),
            "after the last word all is left, 1": torch.where(
                time == lengths[:, None] - 1, 0.0, right
            ),
            "this is the next word's f alone; each later one counts": (
                torch.cat([f[1:], 1 + 0 * f[:1]]) * real
            ),
            "this is the share that is lost": (1 - right) * real,
            "the f are added up; shares of shares are multiplied": (
                (1 + f.where(real, 0.0).flip(0).cumsum(dim=0).flip(0) - f) * real
            ),
            "all sentences end with the longest here": _left(f, lengths * 0 + lengths.max()),
        }
        asked, answer = f"surviving, {what},", call(student, f=f, lengths=lengths)
        if isinstance(answer, Tensor) and answer.is_floating_point() and answer.isnan().any():
            raise Refused(
                f"{asked} holds nan: a gate may be 0, and 0 / 0 or the log of 0 makes it."
            )
        values = compare(asked, answer, right, wrong)
        if not torch.equal(values == 0, right == 0):
            raise Refused(
                f"{asked}: 0 stands exactly where nothing is left: at padding, and before a gate "
                "that is 0."
            )
    return Verdict(True, f"surviving: right for {len(_forgetting())} batches.")


def _left(f: Tensor, lengths: Tensor) -> Tensor:
    """The product of the later f of each word of a sentence; 0 at padding."""
    real = torch.arange(len(f))[:, None, None] < lengths[:, None]
    later = torch.cat([f.where(real, 1.0)[1:], torch.ones_like(f[:1])])
    return later.flip(0).cumprod(dim=0).flip(0) * real


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


def turned(x: Tensor, lengths: Tensor) -> Tensor:
    """Each sentence turned round within its own length."""
    rows = [torch.cat([x[:n, k].flip(0), x[n:, k]]) for k, n in enumerate(lengths.tolist())]
    return torch.stack(rows, dim=1)


@check
def both_ends(student: Callable) -> Verdict:
    """Check `both_ends(x, lengths, ahead, back)`: the last real h of both directions.

    `ahead` and `back` are (W, b) each, blocks i, f, g, o; the result is (batch, both sizes).

    Source: deck 002, "Bidirectional RNNs"; padding is not on the slides.
    """
    for sizes, units in ((BATCHES[0], 3), (BATCHES[1], 2), (BATCHES[2], 3)):
        made = batch(*sizes)
        x, lengths = made["x"], made["lengths"]
        ahead = made["W"], made["b"]
        back = tuple(weights(sizes[2], units).values())
        back = back[0].flip(0), back[1] - 0.2
        there, round_ = _end(x, lengths, ahead), turned(x, lengths)
        whole = torch.full_like(lengths, len(x))
        wrong = {
            "the backward half reads from left to right": (there, _end(x, lengths, back)),
            "the whole batch is turned round, so the backward net begins in the padding": (
                (there, _end(x.flip(0), whole, back))
            ),
            "the whole batch is turned round: the first words are padding, the last are cut": (
                (there, _end(x.flip(0), lengths, back))
            ),
            "the backward net has read one word here, the last; it is asked at the first": (
                (there, _end(round_, lengths, back, row=1))
            ),
            "padding is read: both nets go on after the end": (
                (_end(x, whole, ahead), _end(round_, whole, back))
            ),
            "the forward net reads padding": (_end(x, whole, ahead), _end(round_, lengths, back)),
            "the backward half stands first": (_end(round_, lengths, back), there),
            "the nets are exchanged": (_end(x, lengths, back), _end(round_, lengths, ahead)),
            "both halves are the forward net's; back has weights of its own": (
                (there, _end(round_, lengths, ahead))
            ),
            "this is c; give h": (
                (_end(x, lengths, ahead, kind=1), _end(round_, lengths, back, kind=1))
            ),
        }
        asked = f"both_ends, lengths {list(sizes[0])} of {sizes[1]},"
        right = torch.cat([there, _end(round_, lengths, back)], dim=1)
        answer = call(student, x=x, lengths=lengths, ahead=ahead, back=back)
        slips = {text: torch.cat(halves, dim=1) for text, halves in wrong.items()}
        compare(asked, answer, right, slips)
    return Verdict(True, "both_ends: right for three batches.")


def peepholes(x, h, c, W, b, p, slip: str = "") -> tuple[Tensor, Tensor]:
    """One step of a cell whose gates see c; `slip` names what is done wrong."""
    rows = torch.cat([h, x], dim=1) @ W.T + b
    if slip == "x first":
        rows = torch.cat([x, h], dim=1) @ W.T + b
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


@check
def peephole_step(student: Callable) -> Verdict:
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
        right = peepholes(**given)
        wrong = {text: peepholes(**given, slip=slip) for slip, text in PEEPHOLES.items()}
        wrong["h and c stand in the wrong order, give (h, c)"] = right[::-1]
        found = parts("peephole_step", call(student, **given), "h, c")
        for k, name in enumerate(("c", "h")):  # an error in c is one in h as well
            asked = f"peephole_step's {name}, a batch of {size} and {hidden} units,"
            slips = {text: pair[1 - k] for text, pair in wrong.items()}
            compare(asked, found[1 - k], right[1 - k], slips)
    return Verdict(True, "peephole_step: right for four sizes.")
