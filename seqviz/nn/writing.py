"""What a translator and a captioner share: a decoder that writes, all at once or step by step."""

from typing import Any

from torch import Tensor, nn

from seqviz.arguments import checked_flag
from seqviz.nn.encoder_decoder import Decoder, State
from seqviz.nn.ids import check_start, check_step, checked_rows, checked_tokens


class Writer(nn.Module):
    """Writes tokens about a source: `encode`, of the class below, reads it; `decoder` writes.

    Attributes
    ----------
    decoder : Decoder
    start_idx : int
        The id of START, with which each target begins.
    """

    decoder: Decoder
    start_idx: int

    def encode(self, source: Any) -> State:
        """Read sources; return the decoder's state before its first step."""
        raise NotImplementedError

    def _written(
        self, source: Any, target: Tensor, need_weights: bool
    ) -> Tensor | tuple[Tensor, Tensor]:
        """Logits after each token of the target, all of it given, and with `need_weights` alpha."""
        if checked_flag("need_weights", need_weights) and self.decoder.attention is None:
            raise ValueError("need_weights must be False: this model has attention=None")
        state = self.encode(source)
        checked_tokens("target", target, self.decoder.embedding, "batch", "steps")
        check_start(target, len(state.keys), self.start_idx)
        logits, alpha, _ = self.decoder(target, state)
        return (logits, alpha) if need_weights else logits

    def step(self, ids: Tensor, state: State) -> tuple[Tensor, State]:
        """Read one token of each target: ids (batch,) to logits (batch, vocab), and the next state.

        ``state.alpha`` (batch, time) of the next state holds the step's weights.

        Raises
        ------
        TypeError
            If `state` is not one of :meth:`encode`, or `ids` is no long tensor.
        ValueError
            If `ids` are not as many as the sources, or an id is no token.
        """
        check_step(state, State, ids, self.decoder.embedding)
        logits, _, state = self.decoder(ids.unsqueeze(1), state)
        return logits[:, 0], state

    @staticmethod
    def select(state: State, rows: Tensor) -> State:
        """Return the state with these rows of its batch, in this order; a row may come twice."""
        rows = checked_rows(state, State, rows)
        hidden, *batch_first = state
        if isinstance(hidden, tuple):
            hidden = tuple(h.index_select(1, rows) for h in hidden)
        else:
            hidden = hidden.index_select(1, rows)
        return State(hidden, *(None if x is None else x.index_select(0, rows) for x in batch_first))
