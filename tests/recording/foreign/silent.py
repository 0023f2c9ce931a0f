"""Attention that shows no weights, beside attention that does."""

import torch
import torch.nn.functional as F
from torch import nn

from tests.recording.foreign.einsum import SelfAttention


class LinearAttention(nn.Module):
    """No softmax: a product of kernels."""

    def __init__(self, size):
        super().__init__()
        self.qkv = nn.Linear(size, 3 * size)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k = F.elu(q) + 1, F.elu(k) + 1
        total = q @ k.sum(1).unsqueeze(-1)
        return q @ (k.transpose(1, 2) @ v) / total


class PlainAttention(nn.Module):
    """Simple enough for TorchScript."""

    def __init__(self, size):
        super().__init__()
        self.query = nn.Linear(size, size)

    def forward(self, x):
        return torch.softmax(self.query(x) @ x.transpose(1, 2), dim=-1) @ x


class Mixed(nn.Module):
    def __init__(self, silent):
        super().__init__()
        self.heard, self.silent = SelfAttention(), silent

    def forward(self, x):
        return self.silent(self.heard(x))
