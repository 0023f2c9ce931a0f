"""A translator after the Annotated Transformer: a free function attends, layers are clones."""

import copy
import math

import torch
from torch import nn


def clones(module, n):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(n)])


def attention(query, key, value, mask, dropout):
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
    p_attn = scores.masked_fill(mask == 0, -1e9).softmax(dim=-1)
    p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d_model):
        super().__init__()
        self.d_k, self.h = d_model // h, h
        self.linears = clones(nn.Linear(d_model, d_model), 4)
        self.attn, self.dropout = None, nn.Dropout(0.3)

    def forward(self, query, key, value, mask):
        n = query.size(0)
        query, key, value = (
            linear(x).view(n, -1, self.h, self.d_k).transpose(1, 2)
            for linear, x in zip(self.linears, (query, key, value), strict=False)
        )
        x, self.attn = attention(query, key, value, mask.unsqueeze(1), self.dropout)
        x = x.transpose(1, 2).contiguous().view(n, -1, self.h * self.d_k)
        return self.linears[-1](x)


class Sublayer(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.norm = nn.LayerNorm(size)

    def forward(self, x, sublayer):
        return x + sublayer(self.norm(x))


class Layer(nn.Module):
    def __init__(self, size, crosses):
        super().__init__()
        self.self_attn = MultiHeadedAttention(2, size)
        self.src_attn = MultiHeadedAttention(2, size) if crosses else None
        self.sublayer = clones(Sublayer(size), 2)

    def forward(self, x, mask, memory=None, src_mask=None):
        x = self.sublayer[0](x, lambda x: self.self_attn(x, x, x, mask))
        if self.src_attn is None:
            return x
        return self.sublayer[1](x, lambda x: self.src_attn(x, memory, memory, src_mask))


class Stack(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layers = clones(layer, 2)

    def forward(self, x, *rest):
        for layer in self.layers:
            x = layer(x, *rest)
        return x


class EncoderDecoder(nn.Module):
    def __init__(self, vocab=11, size=8):
        super().__init__()
        self.src_embed, self.tgt_embed = nn.Embedding(vocab, size), nn.Embedding(vocab, size)
        self.encoder = Stack(Layer(size, crosses=False))
        self.decoder = Stack(Layer(size, crosses=True))

    def forward(self, src, tgt):
        src_mask = (src != 0).unsqueeze(-2)  # 0 is padding
        tgt_mask = (tgt != 0).unsqueeze(-2) & torch.ones(tgt.size(1), tgt.size(1)).tril().bool()
        memory = self.encoder(self.src_embed(src), src_mask)
        return self.decoder(self.tgt_embed(tgt), tgt_mask, memory, src_mask)
