"""Self-attention by einsum, heads behind the positions; it is the whole model."""

import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, embed_size=8, heads=2):
        super().__init__()
        self.heads = heads
        self.queries, self.keys, self.values, self.fc_out = (
            nn.Linear(embed_size, embed_size) for _ in range(4)
        )

    def forward(self, x):
        q, k, v = (
            linear(x).unflatten(-1, (self.heads, -1))
            for linear in (self.queries, self.keys, self.values)
        )
        energy = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
        attention = F.dropout(torch.softmax(energy, dim=3), 0.3, self.training)
        return self.fc_out(torch.einsum("bhqk,bkhd->bqhd", attention, v).flatten(2))
