"""Dense graph attention, all heads at once; no batch."""

import torch
import torch.nn.functional as F
from torch import nn


class GraphAttentionLayer(nn.Module):
    def __init__(self, wide, size, n_heads):
        super().__init__()
        self.n_heads, self.linear = n_heads, nn.Linear(wide, size * n_heads, bias=False)
        self.left, self.right = nn.Linear(size, 1), nn.Linear(size, 1)
        self.softmax, self.dropout = nn.Softmax(dim=1), nn.Dropout(0.3)

    def forward(self, h, adj):
        g = self.linear(h).view(len(h), self.n_heads, -1)
        e = F.leaky_relu(self.left(g).squeeze(-1)[:, None] + self.right(g).squeeze(-1)[None])
        e = e.masked_fill(adj[:, :, None] == 0, float("-inf"))
        a = self.dropout(self.softmax(e))  # from, to, head
        return torch.einsum("ijh,jhf->ihf", a, g).flatten(1)


class EinsumGAT(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.output = GraphAttentionLayer(3, 4, 2), nn.Linear(8, 2)

    def forward(self, x, adj):
        return self.output(F.elu(self.layer(x, adj)))
