"""One step of each recurrent cell, as the slides write it.

Row vectors: a state is (batch, unit), and a product W h of the slides is ``h @ W.T``.
``from_input`` is what the step takes from its input, W_xh x_t + b for every gate side by side; it
needs no state, so that it is computed for all times at once. Each step returns the new state and
the gates.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

NONLINEARITIES = {"tanh": torch.tanh, "relu": torch.relu}

State = tuple[Tensor, ...]


def rnn_step(from_input: Tensor, h: Tensor, W_hh: Tensor, nonlinearity: str) -> tuple[State, State]:
    """Elman: h_t = tanh(W_hh h_{t-1} + W_xh x_t + b) (decks 000, 002, 003)."""
    return (NONLINEARITIES[nonlinearity](from_input + h @ W_hh.T),), ()


def lstm_step(from_input: Tensor, h: Tensor, c: Tensor, W_hh: Tensor) -> tuple[State, State]:
    """LSTM: c_t = f * c_{t-1} + i * g, h_t = o * tanh(c_t) (decks 000, 003; torch's order)."""
    i, f, g, o = torch.addmm(from_input, h, W_hh.T).chunk(4, dim=-1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    c = f * c + i * g
    h = o * c.tanh()
    return (h, c), (i, f, g, o)


def gru_step(
    from_input: Tensor, h: Tensor, W_hh: Tensor, b_hh: Tensor | None
) -> tuple[State, State]:
    """GRU with torch's place of the reset: n = tanh(W_xn x_t + r * (W_hn h_{t-1} + b_hn)).

    h_t = (1 - z) * n + z * h_{t-1} (decks 000, 003; deck 002 swaps z and 1 - z).
    """
    r_x, z_x, n_x = from_input.chunk(3, dim=-1)
    r_h, z_h, n_h = F.linear(h, W_hh, b_hh).chunk(3, dim=-1)
    r, z = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
    n = (n_x + r * n_h).tanh()
    return ((1 - z) * n + z * h,), (r, z, n)


def gru_step_reset_before(from_input: Tensor, h: Tensor, W_hh: Tensor) -> tuple[State, State]:
    """GRU with the slides' place of the reset: n = tanh(W_xn x_t + W_hn (r * h_{t-1})).

    h_t = (1 - z) * n + z * h_{t-1}.
    """
    rz_x, n_x = from_input.tensor_split([2 * h.shape[-1]], dim=-1)
    W_hrz, W_hn = W_hh.tensor_split([2 * h.shape[-1]])
    r, z = (rz_x + h @ W_hrz.T).sigmoid().chunk(2, dim=-1)
    n = (n_x + (r * h) @ W_hn.T).tanh()
    return ((1 - z) * n + z * h,), (r, z, n)
