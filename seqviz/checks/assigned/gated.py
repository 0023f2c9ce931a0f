"""Checks of assignment A2: an LSTM over a padded batch, and its gradients by hand."""

import torch
from torch import Tensor, arange, cat, stack

from seqviz.checks.cases import Case, Cases, by_part, check, slipped
from seqviz.checks.verdict import ramp


def gates(x: Tensor, h: Tensor, W: Tensor, b: Tensor) -> tuple[Tensor, ...]:
    """The gates i, f, g, o; the blocks of W and b stand in this order."""
    i, f, g, o = (cat([h, x], dim=-1) @ W.T + b).chunk(4, dim=-1)
    return i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()


def weights(inputs: int, hidden: int) -> dict[str, Tensor]:
    """W and b of an LSTM."""
    W = 1.2 * (7 * ramp(4 * hidden, hidden + inputs, low=-0.8)).sin()
    return {"W": W, "b": (5 * ramp(4 * hidden, low=-0.3)).cos()}


BATCHES = (  # lengths, time, inputs, hidden
    ((4, 2, 0), 4, 2, 5),
    ((1, 5), 5, 4, 1),
    ((2,), 3, 1, 3),
    ((3, 0, 1), 4, 3, 3),
    ((0, 0), 2, 3, 2),
)


def batch(lengths: tuple, time: int, inputs: int, hidden: int) -> dict[str, Tensor]:
    """A padded batch, its first states and weights; at padding x is 7."""
    rows = torch.tensor(lengths)
    x = 1.5 * (9 * ramp(time, len(rows), inputs)).sin()
    x = torch.where((arange(time)[:, None] >= rows)[:, :, None], 7.0, x)
    h = ramp(len(rows), hidden, low=0.7, high=-0.5)
    c = ramp(len(rows), hidden, low=-1.6, high=1.3)
    return {"x": x, "lengths": rows, "h": h, "c": c} | weights(inputs, hidden)


def states(x, lengths, h, c, W, b, slip: str = "") -> tuple[Tensor, Tensor]:
    """All states, the first in front; `slip` names what is done wrong."""
    start = (0 * h, 0 * c) if slip == "no start" else (h, c)
    H, C = [start[0]], [start[1]]
    late = {"longer": 1, "shorter": -1, "zeros": len(x)}.get(slip, 0)
    if slip == "zeros":
        x = x * (arange(len(x))[:, None] < lengths)[:, :, None]
    if slip == "shortest":
        lengths = lengths.min().expand(len(lengths))
    for t in range(len(x)):
        i, f, g, o = gates(x[t], H[-1], W, b)
        i, f = (f, i) if slip == "i and f" else (i, f)
        new = f * C[-1] + i * g
        real = (t < lengths + late)[:, None]
        shown = o * (new if slip == "no tanh" else C[-1].tanh() if slip == "old c" else new.tanh())
        held = {"zero": (0 * h, 0 * c), "start": start, "moves": (shown, new)}
        held |= {"h alone": (H[-1], new), "c alone": (shown, C[-1])}
        old_h, old_c = held.get(slip, (H[-1], C[-1]))
        H.append(shown.where(real, old_h))
        C.append(new.where(real, old_c))
    return stack(H), stack(C)


HELD = {
    "moves": "padding moves the states; they hold where a sentence is over",
    "zero": "the states become 0 where a sentence is over; they hold",
    "start": "the first states come back where a sentence is over; the last ones hold",
    "h alone": "c moves on at padding; both states hold",
    "c alone": "h moves on at padding; both states hold",
    "longer": "each sentence has one word too many; word t is real while t < length",
    "shorter": "each sentence has one word too few; word t is real while t < length",
    "i and f": "the input and the forget gate are swapped",
    "no tanh": "h lacks the tanh around c",
    "old c": "h is made of the old c",
    "zeros": "padding is read as a word of zeros, and a step with zeros changes the states too",
    "no start": "the first states are not 0; they are given as h and c",
    "shortest": "all sentences end with the shortest",
}


@check("right for five batches; both states hold at padding.")
def lstm_states() -> Cases:
    """Check `lstm_states(x, lengths, h, c, W, b) -> (H, C)`: states that hold at padding.

    H and C are (time + 1, batch, hidden), the first states in front; blocks are i, f, g, o.

    Source: deck 003, "LSTM"; padding is not on the slides.
    """
    for sizes in BATCHES:
        given = batch(*sizes)
        H, C = states(**given)
        slips = slipped(states, HELD, given) | {
            "H and C stand in the wrong order": (C, H),
            "the first states are missing in front": (H[1:], C[1:]),
            "these are the last states; give all of them": (H[-1], C[-1]),
        }
        yield Case(f", lengths {list(sizes[0])} of {sizes[1]},", given, {"H": H, "C": C}, slips)


def way_back(dh, dc, x, h, c, W, b, slip: str = "") -> dict[str, Tensor]:
    """The gradients of one step by hand; `slip` names what is done wrong."""
    i, f, g, o = gates(x, h, W, b)
    new = f * c + i * g
    s = new.tanh()
    whole = {
        "no way through h": dc,
        "no later steps": dh * o * (1 - s**2),
        "no slope of tanh": dc + dh * o,
        "no o": dc + dh * (1 - s**2),
        "slope of c": dc + dh * o * (1 - new**2),
    }.get(slip, dc + dh * o * (1 - s**2))
    meets = {
        "i": whole * (i if slip == "i and g" else g),
        "f": whole * (new if slip == "new c" else c),
        "g": whole * (g if slip == "i and g" else i),
        "o": (whole if slip == "o with all" else dh) * (new if slip == "o meets c" else s),
    }
    slopes = {"i": i * (1 - i), "f": f * (1 - f), "g": 1 - g**2, "o": o * (1 - o)}
    if slip == "g a sigmoid":
        slopes["g"] = g * (1 - g)
    if slip == "no slopes":
        slopes = dict.fromkeys(slopes, 1.0)
    order = {"order": "ifog", "other order": "igfo"}.get(slip, "ifgo")
    rows = cat([meets[gate] * slopes[gate] for gate in order], dim=1)
    dboth, n = rows @ W, h.shape[1]
    before = {"f is missing": whole, "later steps alone": dc * f}.get(slip, whole * f)
    found = {"dx": dboth[:, n:], "dh": dboth[:, :n], "dc": before}
    if slip == "x first":
        found |= {"dx": dboth[:, : x.shape[1]], "dh": dboth[:, x.shape[1] :]}
    return found | {"dW": rows.T @ cat([h, x], dim=1), "db": rows.sum(dim=0)}


BACK = {
    "no way through h": "c' has a second way to the loss, through h'; it is missing",
    "no later steps": "the dc that comes from later steps is missing",
    "no slope of tanh": "the slope of the tanh around c' is missing",
    "no o": "o is missing between h' and c'",
    "slope of c": "the slope of tanh is 1 - tanh(c')²; here stands 1 - c'²",
    "i and g": "i and g are swapped: what g gains is times i, and the other way round",
    "new c": "f meets the old c, and here it meets the new one",
    "o meets c": "o meets tanh(c'), and here it meets c'",
    "g a sigmoid": "g is a tanh, with the slope 1 - g²",
    "no slopes": "the slopes of the sigmoids and of g's tanh are missing",
    "order": "the blocks stand as i, f, o, g; W has them as i, f, g, o",
    "other order": "the blocks stand as i, g, f, o; W has them as i, f, g, o",
    "o with all": "o gets dh alone: what comes to c' does not go through o",
    "x first": "the first columns of W belong to h, the others to x",
    "f is missing": "between c' and the old c stands f",
    "later steps alone": "c' has a second way to the loss, through h'; it is missing here",
}


def steps() -> list[tuple[str, dict[str, Tensor]]]:
    """(name, what is given) of each case of a step back."""
    cases = []
    for size, inputs, hidden in ((2, 3, 4), (3, 1, 2), (1, 4, 1)):
        given = {
            "dh": 2 * (4 * ramp(size, hidden)).cos(),
            "dc": 1.3 * (8 * ramp(size, hidden, low=-0.7)).sin(),
            "x": (9 * ramp(size, inputs, low=-0.9)).sin() * 1.5,
            "h": ramp(size, hidden, low=0.8, high=-0.6),
            "c": ramp(size, hidden, low=-1.7, high=2.1),
        }
        cases.append((f"a batch of {size}", given | weights(inputs, hidden)))
    (_, two), (_, three), _ = cases
    large = torch.tensor([[900.0], [1], [1]])  # in one sentence of three
    return [
        *cases,
        ("nothing from later steps", two | {"dc": 0 * two["dc"]}),
        ("nothing at h", three | {"dh": 0 * three["dh"]}),
        ("all is 0 before the step", two | {name: 0 * two[name] for name in ("h", "c", "b", "x")}),
        (
            "gates that are fully open or closed",
            three | {"x": large * three["x"], "dh": 30 * three["dh"]},
        ),
    ]


@check("right, all five gradients, for seven cases.", gradients=False)
def step_backward() -> Cases:
    """Check `step_backward(dh, dc, x, h, c, W, b) -> (dx, dh, dc, dW, db)`, by hand.

    Gradients are off while the function runs.

    Source: deck 000, "Long Short Term Memory (LSTM): Gradient Flow", with all of its ways.
    """
    for what, given in steps():
        right, size = way_back(**given), len(given["h"])
        turned = right["dW"].roll(given["x"].shape[1], dims=1)
        own = {
            "dx": {"this is the gradient at h": right["dh"]},
            "dh": {"this is the gradient at x; it comes first": right["dx"]},
            "dW": {
                "all sentences share W: add their gradients up, no mean": right["dW"] / size,
                "this is its transpose": right["dW"].T,
                "the columns of W belong to h first, then to x": turned,
            },
            "db": {"all sentences share b: add their gradients up, no mean": right["db"] / size},
        }
        yield Case(f", {what},", given, right, slipped(way_back, BACK, given) | by_part(own))


def all_the_way(dH, dc, x, lengths, H, C, W, b, slip: str = "") -> dict[str, Tensor]:
    """The gradients of a whole padded batch; `slip` names what is done wrong."""
    dx, dh, dW, db = torch.zeros_like(x), torch.zeros_like(dc), 0 * W, 0 * b
    real = arange(len(x))[:, None] < (lengths * 0 + len(x) if slip == "all real" else lengths)
    if slip in ("dH at padding", "no dc"):
        dH, dc = (dH * real[:, :, None], dc) if slip == "dH at padding" else (dH, 0 * dc)
    if slip == "dH too late":
        dH = cat([dH[1:], 0 * dH[:1]])
    dc, again = (0 * dc, dc) if slip == "dc again" else (dc, 0 * dc)
    for t in reversed(range(len(x))):
        dh = dh + dH[t] * (slip != "last dH" or t == len(x) - 1)
        now, late = real[t][:, None], int(slip == "later states")
        seen = 1 if slip in ("leak", "dc runs on") else now
        mine = way_back(dh * seen, (dc + again) * seen, x[t], H[t + late], C[t + late], W, b)
        dx[t] = mine["dx"]
        dW, db = dW * (slip != "first word") + mine["dW"], db * (slip != "first word") + mine["db"]
        dh, dc = (
            mine[name].where(now | (slip == "dc runs on" and name == "dc"), old * (slip != "lost"))
            for name, old in (("dh", dh), ("dc", dc))
        )
        dh, dc = dh * (slip != "no dh goes on" or t == 0), dc * (slip != "no dc goes on" or t == 0)
    return {"dx": dx, "dh": dh, "dc": dc, "dW": dW, "db": db}


ALL_THE_WAY = {
    "all real": "padding is read as if it were words",
    "dH at padding": (
        "what the loss sends to a held state is left out; it belongs to the last real one"
    ),
    "lost": "dh and dc become 0 at padding; they are handed on",
    "no dc": "dc, the gradient at the last cell state, is missing",
    "last dH": "the loss sends something to each state, not to the last alone",
    "dH too late": "dH[t] belongs to the state after word t, H[t + 1]",
    "dc again": "dc arrives once, at the last cell state; here it is added at each step",
    "later states": "H[t] and C[t] are the states before word t; here stand those after it",
    "leak": "padding gives nothing to dx, W and b",
    "dc runs on": "dc goes through the gates at padding; it is handed on as dh is",
    "no dh goes on": "dh from later steps is missing",
    "no dc goes on": "dc from later steps is missing",
    "first word": "W and b get a share from each word; here is that of the first alone",
}


@check("right, all five gradients, for five batches.", gradients=False)
def lstm_backward() -> Cases:
    """Check `lstm_backward(dH, dc, x, lengths, H, C, W, b) -> (dx, dh, dc, dW, db)`.

    Gradients are off while the function runs.
    """
    for sizes in BATCHES:
        made = batch(*sizes)
        H, C = states(**made)
        dH = 2 * (8 * ramp(*H[1:].shape, low=-0.8)).cos()
        dH[1] = 0  # a step may have no loss of its own
        given = {"dH": dH, "dc": (5 * ramp(*C[0].shape)).sin() + 0.5, "x": made["x"]}
        given |= {"lengths": made["lengths"], "H": H, "C": C, "W": made["W"], "b": made["b"]}
        right = all_the_way(**given)
        slips = slipped(all_the_way, ALL_THE_WAY, given)
        for shared, count in (("all", len(sizes[0])), ("all words", sizes[1])):
            text = f"{shared} share W and b: add up, no mean"
            slips[text] = {part: right[part] / count for part in ("dW", "db")}
        yield Case(f", lengths {list(sizes[0])} of {sizes[1]},", given, right, slips)
