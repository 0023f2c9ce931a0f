"""Softmaxes that weigh no tokens, beside attention: experts, a codebook, one query that pools."""

import torch
import torch.nn.functional as F
from torch import nn

from tests.recording.foreign.nano_gpt import CausalSelfAttention


class MixtureOfExperts(nn.Module):
    def __init__(self, size, experts):
        super().__init__()
        self.router = nn.Linear(size, experts)
        self.experts = nn.ModuleList([nn.Linear(size, size) for _ in range(experts)])

    def forward(self, x):
        gates = self.router(x).softmax(dim=-1)
        outputs = torch.stack([expert(x) for expert in self.experts], dim=2)
        return torch.einsum("bte,bted->btd", gates, outputs)


class Codebook(nn.Module):
    def __init__(self, size, codes):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(codes, size))

    def forward(self, x):
        return F.softmax(x @ self.codes.T, dim=-1) @ self.codes


class AttentionPooling(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.score = nn.Linear(size, 1)

    def forward(self, x):
        weights = torch.softmax(self.score(x).squeeze(-1), dim=-1)
        return torch.bmm(weights.unsqueeze(1), x).squeeze(1)


class Block(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.attn = CausalSelfAttention(size, 2, 6, 0.3, flash=False)
        self.moe = MixtureOfExperts(size, 3)

    def forward(self, x):
        return self.moe(x + self.attn(x))


class Classifier(nn.Module):
    def __init__(self, vocab=11, size=8):
        super().__init__()
        self.embed, self.codebook = nn.Embedding(vocab, size), Codebook(size, 7)
        self.blocks = nn.ModuleList([Block(size) for _ in range(2)])
        self.pool = AttentionPooling(size)

    def forward(self, ids):
        x = self.codebook(self.embed(ids))
        for block in self.blocks:
            x = block(x)
        return self.pool(x)
