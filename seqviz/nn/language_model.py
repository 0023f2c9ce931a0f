"""A language model: a recurrent net between an embedding and a softmax."""

import torch.nn.functional as F
from torch import Tensor, nn

from seqviz.arguments import checked_size, renamed
from seqviz.nn.ids import checked_ids, checked_rows
from seqviz.nn.recurrent import RNN


class LanguageModel(nn.Module):
    """Predict the next token from all tokens before it: ids in, logits out (decks 000, 002, 003).

    Parameters
    ----------
    vocab_size, hidden_size, num_layers : int
        Numbers of tokens, of units in a layer, and of layers.
    embedding_dim : int, optional
        Length of a token's vector (deck 002's E). Without it the input is one-hot, and W_xh x_t
        is the token's column of W_xh.
    nonlinearity, learn_h_0
        As in :class:`RNN`.

    Attributes
    ----------
    embedding : nn.Embedding or None
    rnn : RNN
    output : nn.Linear
        W_hy and b_y of the slides.
    """

    def __init__(
        self,
        vocab_size: int,
        hidden_size: int,
        embedding_dim: int | None = None,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        learn_h_0: bool = False,
    ):
        super().__init__()
        vocab_size = self.vocab_size = checked_size("vocab_size", vocab_size)
        self.embedding = None
        if embedding_dim is not None:
            embedding_dim = checked_size("embedding_dim", embedding_dim, vocab_size)
            self.embedding = nn.Embedding(vocab_size, embedding_dim)
        input_size = embedding_dim or vocab_size
        self.rnn = RNN(input_size, hidden_size, num_layers, nonlinearity, learn_h_0=learn_h_0)
        self.output = nn.Linear(self.rnn.hidden_size, vocab_size)

    def forward(self, ids: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the logits after each token, and the last state.

        Parameters
        ----------
        ids : Tensor
            (time, batch) or (time,), dtype long.
        state : Tensor, optional
            (layers, batch, unit), or (layers, unit): where an earlier call stopped.

        Returns
        -------
        logits : Tensor
            (time, batch, vocab) or (time, vocab).
        state : Tensor
            As the argument.

        Raises
        ------
        TypeError
            If `ids` is not a long tensor.
        ValueError
            If `ids` has another shape, is empty, or holds an id outside the vocabulary.
        """
        self._checked(ids, ("time", "batch"), ("time",))
        if self.embedding is None:
            x = F.one_hot(ids, self.vocab_size).to(self.output.weight.dtype)
        else:
            x = self.embedding(ids)
        try:
            h, state = self.rnn(x, state)
        except (TypeError, ValueError) as error:
            raise renamed(error, h_0="state", hx="state") from None
        return self.output(h), state

    def step(self, ids: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Read one token: ids (batch,) to logits (batch, vocab), and the next state."""
        self._checked(ids, ("batch",))
        logits, state = self(ids.unsqueeze(0), state)
        return logits[0], state

    def _checked(self, ids: Tensor, *layouts: tuple[str, ...]) -> None:
        checked_ids("ids", ids, self.vocab_size, self.output.weight, *layouts)

    @staticmethod
    def select(state: Tensor, rows: Tensor) -> Tensor:
        """Return the state with these rows of its batch, in this order; a row may come twice."""
        rows = checked_rows(state, Tensor, rows)
        return state.index_select(1, rows)

    def matrices(self) -> dict[str, Tensor]:
        """Copy the weights under their names on the slide.

        Returns
        -------
        dict of str to Tensor
            ``W_xh`` (unit, vocab), ``W_hh`` (unit, unit), ``b`` (unit,), ``W_hy`` (vocab, unit),
            ``b_y`` (vocab,), and ``h_0`` (unit,) if it is learned. With an embedding E
            (vocab, embedding_dim), ``W_xh`` is the product W_e E^T: a column for each token.

        Raises
        ------
        ValueError
            If the model is not one layer of tanh.
        """
        rnn = self.rnn
        if rnn.num_layers != 1 or rnn.nonlinearity != "tanh":
            raise ValueError(
                "matrices() needs num_layers=1 and nonlinearity='tanh', got "
                f"num_layers={rnn.num_layers} and nonlinearity={rnn.nonlinearity!r}"
            )
        W_xh = rnn.weight_ih_l0
        named = {
            "W_xh": W_xh if self.embedding is None else W_xh @ self.embedding.weight.T,
            "W_hh": rnn.weight_hh_l0,
            "b": rnn.bias_ih_l0 + rnn.bias_hh_l0,
            "W_hy": self.output.weight,
            "b_y": self.output.bias,
        }
        if hasattr(rnn, "h_0"):
            named["h_0"] = rnn.h_0[0, 0]
        return {name: tensor.detach().clone() for name, tensor in named.items()}
