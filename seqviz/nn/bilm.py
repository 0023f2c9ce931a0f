"""ELMo: two language models, one for each direction, whose layers are mixed."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seqviz.arguments import (
    DEPTH,
    checked_floats,
    checked_integer,
    checked_number,
    checked_size,
    checked_type,
)
from seqviz.nn.ids import checked_tokens
from seqviz.nn.layout import ends_of
from seqviz.nn.recurrent import LSTM


class BiLMOutput(NamedTuple):
    """What :class:`BiLM` returns.

    Attributes
    ----------
    layers : tuple of Tensor
        (batch, time, 2 * size) each: the token's vector twice, then of each layer the forward h
        beside the backward h. Zero at padding, but for the first.
    forward_logits, backward_logits : Tensor
        (batch, time, vocab): of the token after this one, from those up to it; and of the token
        before it, from this one on.
    """

    layers: tuple[Tensor, ...]
    forward_logits: Tensor
    backward_logits: Tensor


class BiLM(nn.Module):
    """Predict each token from those before it, and by another net from those after it.

    Decks 002 to 004; Peters et al. 2018. Both directions share the token vectors and the output
    layer, and never see each other: side by side they would tell the answer (notebook 17).

    Parameters
    ----------
    vocab_size, size, num_layers : int
        Numbers of tokens, of numbers in a vector and units of a layer, and of layers.

    Attributes
    ----------
    embedding : nn.Embedding
    ahead, back : nn.ModuleList of LSTM
        One for each layer; from the second on around a shortcut.
    output : nn.Linear

    Raises
    ------
    TypeError
        If a size is no integer.
    ValueError
        If a size is below one.

    Examples
    --------
    >>> import torch
    >>> output = BiLM(vocab_size=9, size=4)(torch.tensor([[1, 5, 8], [1, 7, 0]]))
    >>> len(output.layers), output.layers[0].shape, output.forward_logits.shape
    (3, torch.Size([2, 3, 8]), torch.Size([2, 3, 9]))
    """

    def __init__(self, vocab_size: int, size: int, num_layers: int = 2):
        super().__init__()
        size = checked_size("size", size, 4, square=True)
        self.vocab_size = checked_size("vocab_size", vocab_size, size)
        count = checked_integer("num_layers", num_layers, 1, DEPTH)
        self.embedding = nn.Embedding(self.vocab_size, size)
        self.ahead, self.back = (
            nn.ModuleList(LSTM(size, size, batch_first=True) for _ in range(count)) for _ in "ab"
        )
        self.output = nn.Linear(size, self.vocab_size)

    def forward(self, ids: Tensor, lengths: Tensor | Sequence[int] | None = None) -> BiLMOutput:
        """Return what each layer knows of each token, and the logits of its two neighbours.

        Parameters
        ----------
        ids : Tensor
            (batch, time), dtype long.
        lengths : Tensor or sequence of int, optional
            (batch,), the tokens of each text; what follows is not read.

        Raises
        ------
        TypeError
            If `ids` is no long tensor.
        ValueError
            If a shape does not fit, or an id is no token.
        """
        checked_tokens("ids", ids, self.embedding, "batch", "time")
        x = self.embedding(ids)
        turned = _turned(ids, ends_of(ids, lengths))
        ahead = _upwards(self.ahead, x, lengths)
        back = [_picked(h, turned) for h in _upwards(self.back, _picked(x, turned), lengths)]
        pairs = zip([x, *ahead], [x, *back], strict=True)
        layers = tuple(torch.cat(both, dim=2) for both in pairs)
        return BiLMOutput(layers, self.output(ahead[-1]), self.output(back[-1]))

    def loss(self, ids: Tensor, lengths: Tensor | Sequence[int] | None = None) -> Tensor:
        """Return the mean of both directions' cross-entropy, a single number.

        Parameters
        ----------
        ids, lengths
            As in :meth:`forward`.

        Raises
        ------
        TypeError, ValueError
            As from :meth:`forward`, and if no text has two tokens.
        """
        found = self(ids, lengths)
        real = torch.arange(ids.shape[1], device=ids.device) < ends_of(ids, lengths)[:, None]
        if not real[:, 1:].any():
            raise ValueError("ids must hold a text of two tokens or more: one predicts the other")
        after = ids.masked_fill(~real, -100)[:, 1:]
        before = ids.masked_fill(~real, -100)[:, :-1].masked_fill(~real[:, 1:], -100)
        ahead = F.cross_entropy(found.forward_logits[:, :-1].mT, after)
        back = F.cross_entropy(found.backward_logits[:, 1:].mT, before)
        return (ahead + back) / 2


class LayerMix(nn.Module):
    """gamma * sum_j softmax(s)_j h_j: one vector of those of all layers, by learned weights.

    Deck 002; Peters et al. 2018, equation 1. It starts as the plain mean.

    Parameters
    ----------
    num_layers : int
        Layers to mix, the token's own vector counted.
    gamma : float
        The scale at the start.

    Attributes
    ----------
    s, gamma : nn.Parameter
        (num_layers,) and a single number.

    Raises
    ------
    TypeError, ValueError
        If `num_layers` is no integer above zero, or `gamma` no number.
    """

    def __init__(self, num_layers: int, gamma: float = 1.0):
        super().__init__()
        self.s = nn.Parameter(torch.zeros(checked_integer("num_layers", num_layers, 1, DEPTH)))
        self.gamma = nn.Parameter(torch.tensor(checked_number("gamma", gamma)))

    @property
    def weights(self) -> Tensor:
        """softmax(s), (num_layers,), without gradients."""
        return self.s.detach().softmax(dim=0)

    def forward(self, layers: Sequence[Tensor]) -> Tensor:
        """Return (..., size) of as many tensors (..., size).

        Raises
        ------
        ValueError
            If there are more or fewer layers than weights, or shapes differ.
        """
        checked_type("layers", layers, Sequence | Tensor, f"{len(self.s)} tensors of one shape")
        shapes = {tuple(checked_floats("each of layers", h).shape) for h in layers}
        if len(layers) != len(self.s) or len(shapes) != 1:
            raise ValueError(
                f"layers must be {len(self.s)} tensors of one shape, got {len(layers)} of "
                f"{', '.join(map(str, sorted(shapes)))}"
            )
        return self.gamma * torch.einsum(
            "j,j...->...", self.s.softmax(dim=0), torch.stack(list(layers))
        )


def _upwards(
    layers: nn.ModuleList, x: Tensor, lengths: Tensor | Sequence[int] | None
) -> list[Tensor]:
    """What each layer of one direction gives."""
    found = []
    for k, lstm in enumerate(layers):
        h, _ = lstm(x, lengths=lengths)
        x = h if k == 0 else x + h
        found.append(x)
    return found


def _turned(ids: Tensor, ends: Tensor) -> Tensor:
    """(batch, time): the place of each token if its text is read from the end."""
    t = torch.arange(ids.shape[1], device=ids.device).expand(ids.shape)
    return torch.where(t < ends[:, None], ends[:, None] - 1 - t, t)


def _picked(x: Tensor, places: Tensor) -> Tensor:
    return x.gather(1, places[:, :, None].expand_as(x))
