"""Checks of notebook 04: a step of an LSTM, a step of a GRU, and a memory that never lets go."""

from collections.abc import Callable

import torch
from torch import Tensor, cat

from seqviz.checks.cases import Case, Cases, check
from seqviz.checks.verdict import ramp


@check("right for three sizes.")
def lstm_step() -> Cases:
    """Check one step of a batch, `lstm_step(x, h, c, W, b) -> (h, c)`, (batch, hidden) each.

    W (4 * hidden, hidden + input) acts on h stacked on x; its blocks of rows are i, f, o, g.

    Source: deck 000, "Long Short Term Memory (LSTM)"; deck 003, "LSTM".
    """
    for batch, inputs, hidden, size in ((3, 4, 2, 1.0), (2, 3, 5, 2.0), (1, 3, 3, 1.0)):
        x = size * ramp(batch, inputs, low=0.2)
        h, c = ramp(batch, hidden, low=-0.4, high=0.7), ramp(batch, hidden, low=0.9, high=-1.3)
        W = ramp(4 * hidden, hidden + inputs, low=-0.9, high=1.1)
        b = ramp(4 * hidden, low=0.3, high=-0.5)

        def step(order="ifog", stacked=(h, x), b=b, candidate=torch.tanh) -> tuple[Tensor, Tensor]:
            gate = dict(zip(order, (cat(stacked, dim=1) @ W.T + b).chunk(4, dim=1), strict=True))
            new = gate["f"].sigmoid() * c + gate["i"].sigmoid() * candidate(gate["g"])
            return gate["o"].sigmoid() * new.tanh(), new

        new_h, new_c = step()
        out = new_h / new_c.tanh()
        slips = {
            "h and c stand in the wrong order, give (h, c)": (new_c, new_h),
            "the blocks are read as i, f, g, o; here they are i, f, o, g": step("ifgo"),
            "the input and the forget gate are swapped": step("fiog"),
            "x is stacked on h; the columns of W belong to h first": step(stacked=(x, h)),
            "the bias b is missing": step(b=0),
            "h lacks the tanh around c": (out * new_c, new_c),
            "h is made of the old c": (out * c.tanh(), new_c),
            "the new c is squashed; the tanh is for h alone": (new_h, new_c.tanh()),
            "the candidate g goes through a sigmoid, not tanh": step(candidate=torch.sigmoid),
            "the candidate g has no tanh": step(candidate=lambda g: g),
            "this is the first sequence only, give (batch, hidden)": (new_h[0], new_c[0]),
        }
        given = {"x": x, "h": h, "c": c, "W": W, "b": b}
        yield Case(f", a batch of {batch},", given, {"h": new_h, "c": new_c}, slips)


@check("right for three sizes.")
def gru_step() -> Cases:
    """Check one step of deck 002's GRU, `gru_step(x, h, W, U, b) -> h`.

    W (3 * hidden, hidden) acts on states, U (3 * hidden, input) on x; the blocks of both and of b
    are r, u, candidate. u is the share of the candidate, and the reset gate acts on h before the
    product.

    Source: deck 002, "Gated Recurrent Units (GRU)", "GRU vs. LSTM".
    """
    for inputs, hidden in ((3, 2), (4, 4), (4, 1)):
        x, h = ramp(inputs, low=0.2), ramp(hidden, low=-0.6, high=0.9)
        W, b = ramp(3 * hidden, hidden, low=-0.8, high=1.3), ramp(3 * hidden, high=0.6)
        U = ramp(3 * hidden, inputs, low=1.2, high=-0.7)

        def step(
            order=(0, 1), b=b, inside: Callable | None = None, squash=torch.tanh, mix=None
        ) -> Tensor:
            W_h, x_h = W.chunk(3), (U @ x + b).chunk(3)
            r, u = ((W_h[k] @ h + x_h[k]).sigmoid() for k in order)
            product = inside(W_h[2], r, u) if inside else W_h[2] @ (r * h)
            n = squash(product + x_h[2])
            return mix(r, u, n) if mix else (1 - u) * h + u * n

        slips = {
            "u and 1 - u are swapped; here u is the share of the candidate": (
                step(mix=lambda r, u, n: u * h + (1 - u) * n)
            ),
            "the blank is still empty, the reset gate does nothing": (
                step(inside=lambda W, r, u: W @ h)
            ),
            "the update gate stands where the reset gate belongs": (
                step(inside=lambda W, r, u: W @ (u * h))
            ),
            "the reset gate acts after the product, as in torch": (
                step(inside=lambda W, r, u: r * (W @ h))
            ),
            "the old state in the mix is reset too": (
                step(mix=lambda r, u, n: (1 - u) * r * h + u * n)
            ),
            "the candidate has no tanh": step(squash=lambda n: n),
            "the blocks are read as u, r, candidate; here they are r, u, candidate": step((1, 0)),
            "the bias b is missing": step(b=0 * b),
            "this is the candidate; mix it with the old state": step(mix=lambda r, u, n: n),
        }
        yield Case(f", {hidden} units,", {"x": x, "h": h, "W": W, "U": U, "b": b}, step(), slips)


@check("right for three sizes.")
def freeze_f() -> Cases:
    """Check `freeze_f(i, g, c_0)`: every cell state, (time, unit), of an LSTM with f = 1.

    Source: deck 003, "LSTM: Update Cell State".
    """
    for time, units in ((3, 5), (4, 4), (6, 1)):
        i, g = ramp(time, units, low=0.1, high=0.9), ramp(time, units, low=0.8, high=-0.6)
        c_0 = ramp(units, low=-1.5, high=1.4)
        written = (i * g).cumsum(dim=0)
        states = c_0 + written
        slips = {
            "c_0 is missing": written,
            "nothing is added up from step to step": c_0 + i * g,
            "this is the last state; give one for each step": states[-1],
            "the input gate is missing": c_0 + g.cumsum(dim=0),
            "c_0 is counted once for each step": (c_0 + i * g).cumsum(dim=0),
            "the states begin with c_0; give c_1 to c_T": cat([c_0[None], states[:-1]]),
            "c_0 stands before the states; give c_1 to c_T": cat([c_0[None], states]),
            "c itself is not squashed, leave the tanh away": states.tanh(),
        }
        asked = f", {time} steps of {units} units,"
        yield Case(asked, {"i": i, "g": g, "c_0": c_0}, states, slips)
