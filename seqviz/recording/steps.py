"""Attention that a decoder calls once a step, while it is recorded: the steps make one map."""

from inspect import signature

from torch import Tensor

from seqviz.nn.scores import Attention
from seqviz.recording.attending import BEAM, Attending
from seqviz.recording.stand_in import recomputing

EXPECTED = signature(Attention.forward)


class Steps(Attending):
    """Joins the steps that look at the same keys, (batch, 1, query, key) with a query a step.

    Other keys begin another call in the record. If there are more or fewer rows of them, and each
    is a row of the keys before, then a decoding has chosen its rows anew, and they are beams.
    """

    keys: Tensor | None = None  # of the step before
    last = ""  # the name of its rows

    def __call__(self, *args, **kwargs) -> tuple[Tensor, Tensor]:
        """Run `forward`, and keep the weights."""
        given = self.arguments(EXPECTED, args, kwargs)
        context, alpha = self.pair(self.forward(*args, **kwargs))
        if not recomputing():
            self._keep(given["keys"].detach(), alpha)
        return context, alpha

    def _keep(self, keys: Tensor, alpha: Tensor) -> None:
        same = self.keys is not None and _place(keys) == _place(self.keys)
        rows = BEAM if self._chosen_anew(keys) else self.rows()
        weights = alpha.reshape(len(keys), 1, -1, keys.shape[1])  # of one step, or of several
        self.keep_weights(weights, rows, "query" if same and rows == self.last else None)
        self.keys, self.last = keys, rows

    def _chosen_anew(self, keys: Tensor) -> bool:
        before = self.keys
        if before is None or keys.shape[1:] != before.shape[1:]:
            return False
        if len(keys) == len(before) and self.last != BEAM:
            return False
        equal = (keys.unsqueeze(1) == before).flatten(2).all(dim=2)  # (row, row before)
        return bool(equal.any(dim=1).all())


def _place(keys: Tensor) -> tuple:
    """Where a tensor lies in memory."""
    return keys.data_ptr(), keys.shape, keys.stride()
