"""Checks of notebook 04: a step of an LSTM, a step of a GRU, and a memory that never lets go."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.verdict import Verdict, call, compare, ramp


def lstm_step(student: Callable) -> Verdict:
    """Check one step of a batch, `lstm_step(x, h, c, W, b) -> (h, c)`, (batch, hidden) each.

    W (4 * hidden, hidden + input) acts on h stacked on x; its blocks of rows are i, f, o, g.

    Source: deck 000, "Long Short Term Memory (LSTM)"; deck 003, "LSTM".
    """
    x, h, c = ramp(3, 4, low=0.2), ramp(3, 2, low=-0.4, high=0.7), ramp(3, 2, low=0.9, high=-1.3)
    W, b = ramp(8, 6, low=-0.9, high=1.1), ramp(8, low=0.3, high=-0.5)
    rows = torch.cat([h, x], dim=1) @ W.T + b
    right = torch.stack(_lstm(rows, c))

    def wrong(order: tuple[int, int, int, int]) -> Tensor:
        return torch.stack(_lstm(torch.cat([rows.chunk(4, dim=1)[k] for k in order], dim=1), c))

    i, f, o, g = rows.chunk(4, dim=1)
    new = right[1]
    mistakes = {
        "h and c stand in the wrong order, give (h, c)": right.flip(0),
        "the blocks are read as i, f, g, o; here they are i, f, o, g": wrong((0, 1, 3, 2)),
        "the input and the forget gate are swapped": wrong((1, 0, 2, 3)),
        "x is stacked on h; the columns of W belong to h first": torch.stack(
            _lstm(torch.cat([x, h], dim=1) @ W.T + b, c)
        ),
        "the bias b is missing": torch.stack(_lstm(rows - b, c)),
        "h lacks the tanh around c": torch.stack([o.sigmoid() * new, new]),
        "h is made of the old c": torch.stack([o.sigmoid() * c.tanh(), new]),
        "the candidate g goes through a sigmoid, not tanh": _given(i, f, g.sigmoid(), o, c),
        "the candidate g has no tanh": _given(i, f, g, o, c),
        "this is the first sequence only, give (batch, hidden)": right[:, 0],
    }
    answer = _pair(call(student, x=x, h=h, c=c, W=W, b=b), "lstm_step", "(h, c)")
    return compare("lstm_step", answer, right, mistakes)


def gru_step(student: Callable) -> Verdict:
    """Check one step of deck 002's GRU, `gru_step(x, h, W, U, b) -> h`.

    W (3 * hidden, hidden) acts on states, U (3 * hidden, input) on x; the blocks of both and of b
    are r, u, candidate. u is the share of the candidate, and the reset gate acts on h before the
    product.

    Source: deck 002, "Gated Recurrent Units (GRU)", "GRU vs. LSTM".
    """
    x, h = ramp(3, low=0.2), ramp(2, low=-0.6, high=0.9)
    W, U, b = ramp(6, 2, low=-0.8, high=1.3), ramp(6, 3, low=1.2, high=-0.7), ramp(6, high=0.6)

    def mixed(b: Tensor, order: tuple[int, int] = (0, 1)) -> Tensor:
        _, u, n = _gru(x, h, W, U, b, order)
        return _mix(u, n, h)

    r, u, n = _gru(x, h, W, U, b)
    W_n, x_n = W[4:], U[4:] @ x + b[4:]
    mistakes = {
        "u and 1 - u are swapped; here u is the share of the candidate": _mix(1 - u, n, h),
        "the blank is still empty, the reset gate does nothing": _mix(u, (W_n @ h + x_n).tanh(), h),
        "the update gate stands where the reset gate belongs": _mix(
            u, (W_n @ (u * h) + x_n).tanh(), h
        ),
        "the reset gate acts after the product, as in torch": _mix(
            u, (r * (W_n @ h) + x_n).tanh(), h
        ),
        "the old state in the mix is reset too": _mix(u, n, r * h),
        "the candidate has no tanh": _mix(u, W_n @ (r * h) + x_n, h),
        "the blocks are read as u, r, candidate; here they are r, u, candidate": mixed(b, (1, 0)),
        "the bias b is missing": mixed(0 * b),
        "this is the candidate; mix it with the old state": n,
    }
    answer = call(student, x=x, h=h, W=W, U=U, b=b)
    return compare("gru_step", answer, _mix(u, n, h), mistakes)


def freeze_f(student: Callable) -> Verdict:
    """Check `freeze_f(i, g, c_0)`: every cell state, (time, unit), of an LSTM with f = 1.

    Source: deck 003, "LSTM: Update Cell State".
    """
    i, g = ramp(4, 3, low=0.1, high=0.9), ramp(4, 3, low=0.8, high=-0.6)
    c_0 = ramp(3, low=-0.5, high=0.4)
    written = (i * g).cumsum(dim=0)
    mistakes = {
        "c_0 is missing": written,
        "nothing is added up from step to step": c_0 + i * g,
        "this is the last state; give one for each step": (c_0 + written)[-1],
        "the input gate is missing": c_0 + g.cumsum(dim=0),
        "c_0 is counted once for each step": (c_0 + i * g).cumsum(dim=0),
        "the states begin with c_0; give c_1 to c_T": torch.cat([c_0[None], (c_0 + written)[:-1]]),
        "c itself is not squashed, leave the tanh away": (c_0 + written).tanh(),
    }
    return compare("freeze_f", call(student, i=i, g=g, c_0=c_0), c_0 + written, mistakes)


def _lstm(rows: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    i, f, o, g = rows.chunk(4, dim=1)
    new = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * new.tanh(), new


def _given(i: Tensor, f: Tensor, candidate: Tensor, o: Tensor, c: Tensor) -> Tensor:
    new = f.sigmoid() * c + i.sigmoid() * candidate
    return torch.stack([o.sigmoid() * new.tanh(), new])


def _gru(x, h, W, U, b, order: tuple[int, int] = (0, 1)) -> tuple[Tensor, Tensor, Tensor]:
    """Reset gate, update gate and candidate; `order` says in which block the two gates stand."""
    W_h, x_h = W.chunk(3), (U @ x + b).chunk(3)
    r, u = ((W_h[k] @ h + x_h[k]).sigmoid() for k in order)
    return r, u, (W_h[2] @ (r * h) + x_h[2]).tanh()


def _mix(u: Tensor, n: Tensor, h: Tensor) -> Tensor:
    return (1 - u) * h + u * n


def _pair(answer, name: str, wanted: str) -> Tensor | Verdict:
    """Two tensors of the student's stacked, or a verdict that says what came instead."""
    if isinstance(answer, Verdict):
        return answer
    try:
        first, second = (torch.as_tensor(part, dtype=torch.float64) for part in answer)
        return torch.stack([first, second])
    except (TypeError, ValueError, RuntimeError):
        return Verdict(False, f"{name} must give {wanted}, two tensors of equal shape.")
