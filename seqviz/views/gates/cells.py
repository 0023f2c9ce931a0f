"""The gates of an LSTM, a GRU and an RNN, of one step or of all at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


def sigmoid(a: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-a)), without overflow."""
    return 0.5 + 0.5 * np.tanh(a / 2)


def _lstm(x, W, b, h):
    i, f, g, o = np.split(x + h @ W.T + b, 4, axis=-1)
    return [sigmoid(i), sigmoid(f), np.tanh(g), sigmoid(o)]


def _lstm_states(gates, h, c):
    i, f, g, o = gates
    c = f * c + i * g
    return [c, o * np.tanh(c)]


def _gru(x, W, b, h):
    x_r, x_z, x_n = np.split(x, 3, axis=-1)
    r, z, n = np.split(h @ W.T + b, 3, axis=-1)
    r = sigmoid(x_r + r)
    return [r, sigmoid(x_z + z), np.tanh(x_n + r * n)]


def _gru_reset_before(x, W, b, h):
    x_r, x_z, x_n = np.split(x, 3, axis=-1)
    W_r, W_z, W_n = np.split(W, 3)
    b_r, b_z, b_n = np.split(b, 3)
    r = sigmoid(x_r + h @ W_r.T + b_r)
    return [r, sigmoid(x_z + h @ W_z.T + b_z), np.tanh(x_n + (r * h) @ W_n.T + b_n)]


def _gru_states(gates, h, c):
    _, z, n = gates
    return [(1 - z) * n + z * h]


@dataclass(frozen=True)
class Kind:
    """One kind of cell: its rows, how its gates come about, and how they make its state."""

    rows: str
    gates: Callable
    states: Callable
    keeps: str = ""  # the gate that says how much of the memory stays

    @property
    def holds(self) -> str:
        """The rows that a hand can hold."""
        return self.rows.rstrip("ch")

    @property
    def blocks(self) -> int:
        """Blocks of W_hh."""
        return len(self.holds) or 1

    @property
    def memory(self) -> str:
        """The row that is carried on: the cell of an LSTM, else the state."""
        return "c" if "c" in self.rows else "h"


def lowest(gate: str) -> int:
    """The least value of a gate: a candidate has two signs."""
    return -1 if gate in "gn" else 0


KINDS = {
    "LSTM": Kind("ifgoch", _lstm, _lstm_states, "f"),
    "GRU": Kind("rznh", _gru, _gru_states, "z"),
    "GRU reset before": Kind("rznh", _gru_reset_before, _gru_states, "z"),
    "RNN tanh": Kind("h", lambda x, W, b, h: [np.tanh(x + h @ W.T + b)], lambda *_: []),
    "RNN relu": Kind("h", lambda x, W, b, h: [np.maximum(x + h @ W.T + b, 0)], lambda *_: []),
}
