"""An encoder reads the source, a decoder writes the target, with attention or without."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from seqviz.nn.attention import Attention
from seqviz.nn.recurrent import GRU, LSTM, RNN

CELLS = {"RNN": RNN, "LSTM": LSTM, "GRU": GRU}
Hidden = Tensor | tuple[Tensor, Tensor]


class State(NamedTuple):
    """Where a decoder stands, and the source that it attends to.

    Parameters
    ----------
    hidden : Tensor, or tuple of two for an LSTM
        s_{t-1} of every layer, (layers, batch, unit).
    context : Tensor
        c (batch, key_dim): at first the encoder's last state. With attention, c of the last step.
    alpha : Tensor or None
        (batch, time), the weights of the last step; None before the first and without attention.
    keys : Tensor
        (batch, time, key_dim), what is attended to.
    projected : Tensor or None
        The keys as the score prepares them, once a sentence; None without attention.
    padding : Tensor
        (batch, time), True where the source is padding.
    """

    hidden: Hidden
    context: Tensor
    alpha: Tensor | None
    keys: Tensor
    projected: Tensor | None
    padding: Tensor


class Encoder(nn.Module):
    """Read the source: h_i = f(x_i, h_{i-1}), in one direction or in both, side by side.

    Parameters
    ----------
    vocab_size, embed_dim : int
        Numbers of tokens, and of numbers in a token's vector x_i.
    hidden_size, num_layers, bidirectional
        As in :class:`seqviz.nn.GRU`: units of a direction.
    dropout : float
        Probability of dropping a number of x_i, and of h_i between two layers, while training;
        nothing is dropped on the way through time (Zaremba et al. 2014).
    cell : {"GRU", "LSTM", "RNN"}
        Which recurrent net reads.
    residual : bool
        Whether W x_i is added to each h_i of the output. An h_i has smeared over its neighbours;
        x_i is the word alone, so that attention can tell the words apart.
    padding_idx : int
        The id of padding. It stands only after a source, and is not read.
    """

    def __init__(
        self,
        vocab_size: int,
        embed_dim: int,
        hidden_size: int,
        num_layers: int = 1,
        bidirectional: bool = False,
        dropout: float = 0.0,
        cell: str = "GRU",
        residual: bool = False,
        padding_idx: int = 0,
    ):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_dim, padding_idx=padding_idx)
        self.dropout = nn.Dropout(dropout)
        self.rnn = CELLS[cell](
            embed_dim,
            hidden_size,
            num_layers,
            batch_first=True,
            dropout=dropout if num_layers > 1 else 0.0,
            bidirectional=bidirectional,
        )
        size = hidden_size * (2 if bidirectional else 1)
        self.residual = nn.Linear(embed_dim, size, bias=False) if residual else None

    def forward(self, source: Tensor) -> tuple[Tensor, Hidden]:
        """Return h (batch, time, directions * hidden_size), and the last state of each layer.

        The last state, (layers, batch, directions * hidden_size), has both directions side by
        side. Padding changes nothing; h is 0 there.
        """
        padding = source == self.embedding.padding_idx
        x = self.dropout(self.embedding(source))
        whole = torch.compiler.is_exporting() or not padding.any()  # a graph has one source
        h, last = self.rnn(x, lengths=None if whole else (~padding).sum(dim=1))
        if self.residual is not None:
            h = h + self.residual(x)
        together = self._side_by_side
        return h, tuple(map(together, last)) if isinstance(last, tuple) else together(last)

    def _side_by_side(self, last: Tensor) -> Tensor:
        """(layers * directions, batch, unit) to (layers, batch, directions * unit)."""
        return last.unflatten(0, (self.rnn.num_layers, -1)).transpose(1, 2).flatten(2)


class Decoder(nn.Module):
    """Write the target, a token at each step; y_t is the vector of the token read at step t.

    - Without attention: s_t = f([y_t; c], s_{t-1}), c the encoder's last state (deck 000).
    - "bahdanau": c_t is what s_{t-1} attends to, s_t = f([y_t; c_t], s_{t-1}) (deck 000; 2015).
    - "luong": s_t = f(y_t, s_{t-1}), c_t is what s_t attends to, and tanh(W_c [c_t; s_t]) takes
      the place of s_t before the output (deck 002; Luong et al. 2015, eq. 5; no input feeding).

    The logits are W s_t + b, and s_0 is the encoder's last state.

    Parameters
    ----------
    vocab_size, embed_dim, num_layers, dropout, cell, padding_idx
        As in :class:`Encoder`.
    hidden_size : int
        Units of s_t, and of the keys.
    attention : Attention or None
        How the source is attended to.
    wiring : {"bahdanau", "luong"}
        Where attention stands.
    """

    def __init__(
        self,
        vocab_size: int,
        embed_dim: int,
        hidden_size: int,
        attention: Attention | None,
        wiring: str = "bahdanau",
        num_layers: int = 1,
        dropout: float = 0.0,
        cell: str = "GRU",
        padding_idx: int = 0,
    ):
        super().__init__()
        self.attention, self.wiring = attention, wiring
        luong = attention is not None and wiring == "luong"
        self.embedding = nn.Embedding(vocab_size, embed_dim, padding_idx=padding_idx)
        self.dropout = nn.Dropout(dropout)
        self.rnn = CELLS[cell](
            embed_dim if luong else embed_dim + hidden_size,
            hidden_size,
            num_layers,
            batch_first=True,
            dropout=dropout if num_layers > 1 else 0.0,
        )
        self.combine = nn.Linear(2 * hidden_size, hidden_size, bias=False) if luong else None
        self.output = nn.Linear(hidden_size, vocab_size)

    def start(self, keys: Tensor, last: Hidden, padding: Tensor) -> State:
        """Return the state before the first step, from what the encoder gave."""
        projected = None if self.attention is None else self.attention.score.project(keys)
        return State(last, top(last), None, keys, projected, padding)

    def forward(self, target: Tensor, state: State) -> tuple[Tensor, Tensor | None, State]:
        """Read tokens (batch, steps); return logits, alpha (batch, steps, time), and the state."""
        y = self.dropout(self.embedding(target))
        if self.attention is None:
            s, state = self._fixed(y, state)
            return self.output(s), None, state
        attend = self._bahdanau if self.wiring == "bahdanau" else self._luong
        s, alpha, state = attend(y, state)
        return self.output(s), alpha, state

    def _fixed(self, y: Tensor, state: State) -> tuple[Tensor, State]:
        c = state.context.unsqueeze(1).expand(-1, y.shape[1], -1)
        s, hidden = self.rnn(torch.cat([y, c], dim=-1), state.hidden)
        return s, state._replace(hidden=hidden)

    def _bahdanau(self, y: Tensor, state: State) -> tuple[Tensor, Tensor, State]:
        hidden, outputs, alphas = state.hidden, [], []
        for y_t in y.unbind(dim=1):
            c_t, alpha = self._attend(top(hidden), state)
            s_t, hidden = self.rnn(torch.cat([y_t, c_t], dim=-1).unsqueeze(1), hidden)
            outputs.append(s_t)
            alphas.append(alpha)
        state = state._replace(hidden=hidden, context=c_t, alpha=alpha)
        return torch.cat(outputs, dim=1), torch.stack(alphas, dim=1), state

    def _luong(self, y: Tensor, state: State) -> tuple[Tensor, Tensor, State]:
        s, hidden = self.rnn(y, state.hidden)
        c, alpha = self._attend(s, state)  # all steps at once
        outputs = self.combine(torch.cat([c, s], dim=-1)).tanh()
        return outputs, alpha, state._replace(hidden=hidden, context=c[:, -1], alpha=alpha[:, -1])

    def _attend(self, query: Tensor, state: State) -> tuple[Tensor, Tensor]:
        return self.attention(query, state.keys, state.padding, state.projected)


def top(hidden: Hidden) -> Tensor:
    """h of the last layer (batch, unit)."""
    return hidden[0][-1] if isinstance(hidden, tuple) else hidden[-1]
