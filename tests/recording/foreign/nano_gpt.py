"""A GPT after nanoGPT: one projection for query, key and value; flash, or by hand."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head, block_size, dropout, flash):
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(n_embd, 3 * n_embd), nn.Linear(n_embd, n_embd)
        self.attn_dropout, self.resid_dropout = nn.Dropout(dropout), nn.Dropout(dropout)
        self.n_head, self.dropout, self.flash = n_head, dropout, flash
        causal = torch.tril(torch.ones(block_size, block_size))
        self.register_buffer("bias", causal.view(1, 1, block_size, block_size))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (
            part.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
            for part in self.c_attn(x).split(C, dim=2)
        )
        if self.flash:
            p = self.dropout if self.training else 0
            y = F.scaled_dot_product_attention(q, k, v, dropout_p=p, is_causal=True)
        else:
            att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
            att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
            y = self.attn_dropout(F.softmax(att, dim=-1)) @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.resid_dropout(self.c_proj(y))


class Block(nn.Module):
    def __init__(self, n_embd, *rest):
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(n_embd), CausalSelfAttention(n_embd, *rest)

    def forward(self, x):
        return x + self.attn(self.ln_1(x))


class GPT(nn.Module):
    def __init__(self, flash, n_embd=8, block_size=6):
        super().__init__()
        blocks = [Block(n_embd, 2, block_size, 0.3, flash) for _ in range(2)]
        wte, wpe = nn.Embedding(11, n_embd), nn.Embedding(block_size, n_embd)
        self.transformer = nn.ModuleDict({"wte": wte, "wpe": wpe, "h": nn.ModuleList(blocks)})
        self.lm_head = nn.Linear(n_embd, 11, bias=False)
        wte.weight = self.lm_head.weight

    def forward(self, ids):
        x = self.transformer.wte(ids) + self.transformer.wpe(torch.arange(ids.size(1)))
        for block in self.transformer.h:
            x = block(x)
        return self.lm_head(x)
