"""Decoders after PyTorch's tutorials: Bahdanau's and Luong's attention, a word at a time."""

import torch
import torch.nn.functional as F
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.Wa, self.Ua, self.Va = nn.Linear(size, size), nn.Linear(size, size), nn.Linear(size, 1)

    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys)))
        weights = F.softmax(scores.squeeze(2).unsqueeze(1), dim=-1)
        return torch.bmm(weights, keys), weights


class BahdanauDecoder(nn.Module):
    """Loops over the words itself."""

    def __init__(self, vocab, size):
        super().__init__()
        self.embedding, self.dropout = nn.Embedding(vocab, size), nn.Dropout(0.3)
        self.attention = BahdanauAttention(size)
        self.gru = nn.GRU(2 * size, size, batch_first=True)
        self.out = nn.Linear(size, vocab)

    def forward(self, keys, hidden, words):
        outputs = []
        for word in words.split(1, dim=1):
            embedded = self.dropout(self.embedding(word))
            context, _ = self.attention(hidden.permute(1, 0, 2), keys)
            output, hidden = self.gru(torch.cat((embedded, context), dim=2), hidden)
            outputs.append(self.out(output))
        return torch.cat(outputs, dim=1)


class LuongAttention(nn.Module):
    """Gives weights only: the decoder takes the sum."""

    def forward(self, hidden, encoder_outputs):
        energies = torch.sum(hidden * encoder_outputs, dim=2).t()  # time first until here
        return F.softmax(energies, dim=1).unsqueeze(1)


class LuongDecoder(nn.Module):
    """Reads one word a call."""

    def __init__(self, vocab, size):
        super().__init__()
        self.embedding, self.dropout = nn.Embedding(vocab, size), nn.Dropout(0.3)
        self.gru = nn.GRU(size, size)
        self.attn = LuongAttention()
        self.concat, self.out = nn.Linear(2 * size, size), nn.Linear(size, vocab)

    def forward(self, word, hidden, encoder_outputs):
        output, hidden = self.gru(self.dropout(self.embedding(word)), hidden)
        weights = self.attn(output, encoder_outputs)
        context = weights.bmm(encoder_outputs.transpose(0, 1))
        both = torch.cat((output.squeeze(0), context.squeeze(1)), 1)
        return self.out(torch.tanh(self.concat(both))), hidden


class Translator(nn.Module):
    def __init__(self, method, vocab=11, size=4):
        super().__init__()
        self.embedding, self.encoder = nn.Embedding(vocab, size), nn.GRU(size, size)
        self.luong = method != "bahdanau"
        self.decoder = LuongDecoder(vocab, size) if self.luong else BahdanauDecoder(vocab, size)

    def forward(self, source, target):
        states, hidden = self.encoder(self.embedding(source.t()))
        if not self.luong:
            return self.decoder(states.transpose(0, 1), hidden, target)
        outputs = []
        for word in target.t().split(1):
            output, hidden = self.decoder(word, hidden, states)
            outputs.append(output)
        return torch.stack(outputs, dim=1)
