"""A decoder whose weighted sum is written out: a product, then a sum."""

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.cell, self.dropout = nn.GRUCell(size, size), nn.Dropout(0.3)
        self.combine = nn.Linear(2 * size, size)

    def forward(self, keys, words):
        h, outputs = keys[:, -1], []
        for word in words.unbind(1):
            h = self.cell(word, h)
            scores = (h.unsqueeze(1) * keys).sum(-1)
            alpha = self.dropout(torch.softmax(scores, dim=-1))
            context = (alpha.unsqueeze(-1) * keys).sum(1)
            outputs.append(self.combine(torch.cat([h, context], dim=-1)))
        return torch.stack(outputs, 1)


class Pointwise(nn.Module):
    def __init__(self, vocab=11, size=4):
        super().__init__()
        self.embedding, self.decoder = nn.Embedding(vocab, size), Decoder(size)

    def forward(self, source, target):
        return self.decoder(self.embedding(source), self.embedding(target))
