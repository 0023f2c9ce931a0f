"""A GPT as it is built in a lecture: a module for each head, which are put side by side."""

import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size):
        super().__init__()
        self.key, self.query, self.value = (nn.Linear(n_embd, head_size) for _ in range(3))
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))
        self.dropout = nn.Dropout(0.3)

    def forward(self, x):
        T = x.shape[1]
        k = self.key(x)
        wei = self.query(x) @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = self.dropout(F.softmax(wei, dim=-1))
        return wei @ self.value(x)


class MultiHeadAttention(nn.Module):
    def __init__(self, n_embd, num_heads, block_size):
        super().__init__()
        size = n_embd // num_heads
        self.heads = nn.ModuleList([Head(n_embd, size, block_size) for _ in range(num_heads)])
        self.proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([head(x) for head in self.heads], dim=-1))


class Block(nn.Module):
    def __init__(self, n_embd):
        super().__init__()
        self.sa = MultiHeadAttention(n_embd, num_heads=2, block_size=6)
        self.ln = nn.LayerNorm(n_embd)

    def forward(self, x):
        return x + self.sa(self.ln(x))


class LanguageModel(nn.Module):
    def __init__(self, vocab=11, n_embd=8):
        super().__init__()
        self.token_embedding_table = nn.Embedding(vocab, n_embd)
        self.blocks = nn.Sequential(*[Block(n_embd) for _ in range(2)])
        self.lm_head = nn.Linear(n_embd, vocab)

    def forward(self, ids):
        return self.lm_head(self.blocks(self.token_embedding_table(ids)))
