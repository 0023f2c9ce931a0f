"""Blocks for deep feed-forward nets: four ways from one layer to the next.

Each maps (..., size) on; the gradient of all but the first has a path around the weights.
"""

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_number, checked_size
from seqviz.nn.shapes import checked_vectors


class PlainBlock(nn.Module):
    """y = tanh(W x + b)."""

    def __init__(self, size: int):
        super().__init__()
        size = checked_size("size", size, square=True)
        self.linear = nn.Linear(size, size)

    def forward(self, x: Tensor) -> Tensor:
        """Return (..., size)."""
        return self.linear(checked_vectors("x", x, self.linear.in_features)).tanh()


class ResidualBlock(PlainBlock):
    """y = x + tanh(W x + b) (deck 002; He et al. 2016)."""

    def forward(self, x: Tensor) -> Tensor:
        """Return (..., size)."""
        return super().forward(x) + x


class HighwayBlock(PlainBlock):
    """y = T * tanh(W x + b) + (1 - T) * x with T = sigmoid(W_T x + b_T).

    Deck 002; Srivastava et al. 2015. Through depth this is what the GRU's update through time is:
    T stands for 1 - z. b_T starts negative, so that a new block mostly carries x.

    Parameters
    ----------
    size : int
        Numbers in and out.
    gate_bias : float
        Every number of b_T at the start.
    """

    def __init__(self, size: int, gate_bias: float = -2.0):
        super().__init__(size)
        self.gate = nn.Linear(size, size)
        nn.init.constant_(self.gate.bias, checked_number("gate_bias", gate_bias))

    def forward(self, x: Tensor) -> Tensor:
        """Return (..., size)."""
        new, T = super().forward(x), self.gate(x).sigmoid()
        return T * new + (1 - T) * x


class DenseBlock(nn.Module):
    """y = [x; tanh(W x + b)]: every earlier layer is still there (deck 002; Huang et al. 2017).

    Parameters
    ----------
    size : int
        Numbers that come in.
    growth : int
        Numbers that this layer adds.
    """

    def __init__(self, size: int, growth: int):
        super().__init__()
        size = checked_size("size", size, square=True)
        growth = checked_size("growth", growth, size)
        self.linear = nn.Linear(size, growth)

    def forward(self, x: Tensor) -> Tensor:
        """Return (..., size + growth)."""
        checked_vectors("x", x, self.linear.in_features)
        return torch.cat([x, torch.tanh(self.linear(x))], dim=-1)
