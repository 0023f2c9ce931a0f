"""Checks of notebook 04: a step of an LSTM, a step of a GRU, and a memory that never lets go."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Verdict, check, ramp


@check
def lstm_step(student: Callable) -> Verdict:
    """Check one step of a batch, `lstm_step(x, h, c, W, b) -> (h, c)`, (batch, hidden) each.

    W (4 * hidden, hidden + input) acts on h stacked on x; its blocks of rows are i, f, o, g.

    Source: deck 000, "Long Short Term Memory (LSTM)"; deck 003, "LSTM".
    """
    for batch, inputs, hidden, size in ((3, 4, 2, 1.0), (2, 3, 5, 2.0), (1, 3, 3, 1.0)):
        x = size * ramp(batch, inputs, low=0.2)
        h, c = ramp(batch, hidden, low=-0.4, high=0.7), ramp(batch, hidden, low=0.9, high=-1.3)
        W = ramp(4 * hidden, hidden + inputs, low=-0.9, high=1.1)
        b = ramp(4 * hidden, low=0.3, high=-0.5)
        rows = torch.cat([h, x], dim=1) @ W.T + b
        i, f, o, g = gates = rows.chunk(4, dim=1)
        right = h_new, new = _lstm(gates, c)
        mistakes = {
            "h and c stand in the wrong order, give (h, c)": (new, h_new),
            "the blocks are read as i, f, g, o; here they are i, f, o, g": _lstm((i, f, g, o), c),
            "the input and the forget gate are swapped": _lstm((f, i, o, g), c),
            "x is stacked on h; the columns of W belong to h first": _lstm(
                (torch.cat([x, h], dim=1) @ W.T + b).chunk(4, dim=1), c
            ),
            "the bias b is missing": _lstm((rows - b).chunk(4, dim=1), c),
            "h lacks the tanh around c": (o.sigmoid() * new, new),
            "h is made of the old c": (o.sigmoid() * c.tanh(), new),
            "the new c is squashed; the tanh is for h alone": (h_new, new.tanh()),
            "the candidate g goes through a sigmoid, not tanh": _lstm(gates, c, torch.sigmoid),
            "the candidate g has no tanh": _lstm(gates, c, lambda g: g),
            "this is the first sequence only, give (batch, hidden)": (h_new[0], new[0]),
        }
        answer = parts("lstm_step", call(student, x=x, h=h, c=c, W=W, b=b), "h, c")
        for k, name in enumerate(("h", "c")):
            wrong = {text: pair[k] for text, pair in mistakes.items()}
            compare(f"lstm_step's {name}, a batch of {batch},", answer[k], right[k], wrong)
    return Verdict(True, "lstm_step: right for three sizes.")


@check
def gru_step(student: Callable) -> Verdict:
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
        r, u, n = _gru(x, h, W, U, b)
        _, other_u, other_n = _gru(x, h, W, U, b, order=(1, 0))
        _, plain_u, plain_n = _gru(x, h, W, U, 0 * b)
        W_n, x_n = W[2 * hidden :], (U @ x + b)[2 * hidden :]
        mistakes = {
            "u and 1 - u are swapped; here u is the share of the candidate": _mix(1 - u, n, h),
            "the blank is still empty, the reset gate does nothing": _mix(
                u, (W_n @ h + x_n).tanh(), h
            ),
            "the update gate stands where the reset gate belongs": _mix(
                u, (W_n @ (u * h) + x_n).tanh(), h
            ),
            "the reset gate acts after the product, as in torch": _mix(
                u, (r * (W_n @ h) + x_n).tanh(), h
            ),
            "the old state in the mix is reset too": _mix(u, n, r * h),
            "the candidate has no tanh": _mix(u, W_n @ (r * h) + x_n, h),
            "the blocks are read as u, r, candidate; here they are r, u, candidate": _mix(
                other_u, other_n, h
            ),
            "the bias b is missing": _mix(plain_u, plain_n, h),
            "this is the candidate; mix it with the old state": n,
        }
        answer = call(student, x=x, h=h, W=W, U=U, b=b)
        compare(f"gru_step, {hidden} units,", answer, _mix(u, n, h), mistakes)
    return Verdict(True, "gru_step: right for three sizes.")


@check
def freeze_f(student: Callable) -> Verdict:
    """Check `freeze_f(i, g, c_0)`: every cell state, (time, unit), of an LSTM with f = 1.

    Source: deck 003, "LSTM: Update Cell State".
    """
    for time, units in ((3, 5), (4, 4), (6, 1)):
        i, g = ramp(time, units, low=0.1, high=0.9), ramp(time, units, low=0.8, high=-0.6)
        c_0 = ramp(units, low=-1.5, high=1.4)
        written = (i * g).cumsum(dim=0)
        states = c_0 + written
        mistakes = {
            "c_0 is missing": written,
            "nothing is added up from step to step": c_0 + i * g,
            "this is the last state; give one for each step": states[-1],
            "the input gate is missing": c_0 + g.cumsum(dim=0),
            "c_0 is counted once for each step": (c_0 + i * g).cumsum(dim=0),
            "the states begin with c_0; give c_1 to c_T": torch.cat([c_0[None], states[:-1]]),
            "c_0 stands before the states; give c_1 to c_T": torch.cat([c_0[None], states]),
            "c itself is not squashed, leave the tanh away": states.tanh(),
        }
        answer = call(student, i=i, g=g, c_0=c_0)
        compare(f"freeze_f, {time} steps of {units} units,", answer, states, mistakes)
    return Verdict(True, "freeze_f: right for three sizes.")


def _lstm(gates: tuple, c: Tensor, candidate: Callable = torch.tanh) -> tuple[Tensor, Tensor]:
    i, f, o, g = gates
    new = f.sigmoid() * c + i.sigmoid() * candidate(g)
    return o.sigmoid() * new.tanh(), new


def _gru(x, h, W, U, b, order: tuple[int, int] = (0, 1)) -> tuple[Tensor, Tensor, Tensor]:
    """Reset gate, update gate and candidate; `order` says in which block the two gates stand."""
    W_h, x_h = W.chunk(3), (U @ x + b).chunk(3)
    r, u = ((W_h[k] @ h + x_h[k]).sigmoid() for k in order)
    return r, u, (W_h[2] @ (r * h) + x_h[2]).tanh()


def _mix(u: Tensor, n: Tensor, h: Tensor) -> Tensor:
    return (1 - u) * h + u * n
