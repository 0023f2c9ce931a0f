"""Checks of notebook 04: a step of an LSTM, a step of a GRU, and a memory that never lets go."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.verdict import Verdict, call, compare, ramp


def lstm_step(student: Callable) -> Verdict:
    """Check one step of an LSTM, `lstm_step(x, h, c, W, b) -> (h, c)`.

    W (4 * hidden, hidden + input) acts on h stacked on x; its blocks of rows are i, f, g, o.

    Source: deck 000, "Long Short Term Memory (LSTM)"; deck 003, "LSTM".
    """
    x, h, c = ramp(3, low=0.2), ramp(2, low=-0.4, high=0.7), ramp(2, low=0.9, high=-1.3)
    W, b = ramp(8, 5, low=-0.9, high=1.1), ramp(8, low=0.3, high=-0.5)
    rows = W @ torch.cat([h, x]) + b
    right = torch.stack(_lstm(rows, c))

    def wrong(order: tuple[int, int, int, int]) -> Tensor:
        return torch.stack(_lstm(torch.cat([rows.chunk(4)[k] for k in order]), c))

    i, f, g, o = rows.chunk(4)
    new = right[1]
    mistakes = {
        "h and c stand in the wrong order, give (h, c)": right.flip(0),
        "the blocks are read as i, f, o, g; here they are i, f, g, o": wrong((0, 1, 3, 2)),
        "the input and the forget gate are swapped": wrong((1, 0, 2, 3)),
        "x is stacked on h; the columns of W belong to h first": torch.stack(
            _lstm(W @ torch.cat([x, h]) + b, c)
        ),
        "the bias b is missing": torch.stack(_lstm(rows - b, c)),
        "h lacks the tanh around c": torch.stack([o.sigmoid() * new, new]),
        "h is made of the old c": torch.stack([o.sigmoid() * c.tanh(), new]),
        "the candidate g goes through a sigmoid, not tanh": _given(i, f, g.sigmoid(), o, c),
        "the candidate g has no tanh": _given(i, f, g, o, c),
    }
    answer = _pair(call(student, x=x, h=h, c=c, W=W, b=b), "lstm_step", "(h, c)")
    return compare("lstm_step", answer, right, mistakes)


def gru_step(student: Callable) -> Verdict:
    """Check one step of a GRU, `gru_step(x, h, W_r, W_z, W_n) -> h`, without biases.

    Each W (hidden, hidden + input) acts on h stacked on x. z keeps the old state, and the reset
    gate acts on h before the product.

    Source: deck 000, "Other RNN Variants"; deck 002, "Gated Recurrent Units (GRU)".
    """
    x, h = ramp(3, low=0.2), ramp(2, low=-0.6, high=0.9)
    W_r, W_z = ramp(2, 5, low=-0.8, high=1.0), ramp(2, 5, low=1.2, high=-0.7)
    W_n = ramp(2, 5, low=-1.1, high=1.3)
    both = torch.cat([h, x])
    r, z = (W_r @ both).sigmoid(), (W_z @ both).sigmoid()
    n = (W_n @ torch.cat([r * h, x])).tanh()
    after = (W_n[:, 2:] @ x + r * (W_n[:, :2] @ h)).tanh()
    mistakes = {
        "z and 1 - z are swapped; here z keeps the old state": z * n + (1 - z) * h,
        "the blank is still empty, the reset gate does nothing": _mix(z, (W_n @ both).tanh(), h),
        "the update gate stands where the reset gate belongs": _mix(
            z, (W_n @ torch.cat([z * h, x])).tanh(), h
        ),
        "the reset gate acts after the product, as in torch": _mix(z, after, h),
        "the old state in the mix is reset too": _mix(z, n, r * h),
        "the candidate has no tanh": _mix(z, W_n @ torch.cat([r * h, x]), h),
        "this is the candidate; mix it with the old state": n,
    }
    answer = call(student, x=x, h=h, W_r=W_r, W_z=W_z, W_n=W_n)
    return compare("gru_step", answer, _mix(z, n, h), mistakes)


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
    i, f, g, o = rows.chunk(4)
    new = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * new.tanh(), new


def _given(i: Tensor, f: Tensor, candidate: Tensor, o: Tensor, c: Tensor) -> Tensor:
    new = f.sigmoid() * c + i.sigmoid() * candidate
    return torch.stack([o.sigmoid() * new.tanh(), new])


def _mix(z: Tensor, n: Tensor, h: Tensor) -> Tensor:
    return (1 - z) * n + z * h


def _pair(answer, name: str, wanted: str) -> Tensor | Verdict:
    """Two vectors of the student's stacked, or a verdict that says what came instead."""
    if isinstance(answer, Verdict):
        return answer
    try:
        first, second = (torch.as_tensor(part, dtype=torch.float64) for part in answer)
        return torch.stack([first, second])
    except (TypeError, ValueError, RuntimeError):
        return Verdict(False, f"{name} must give {wanted}, two vectors of equal shape.")
