"""Attention weights on their way into a record, and what their rows are."""

import sys
import warnings

from torch import Tensor, nn

from seqviz.recording.named_array import NamedArray
from seqviz.recording.observation import to_numpy
from seqviz.recording.stand_in import OWN, StandIn, package, recomputing, users_level

DIMS = ("batch", "head", "query", "key")
BEAM = "beam"


class Attending(StandIn):
    """Keeps attention weights.

    Between two steps of a beam search the rows of the batch are chosen anew: row 0 of a call need
    not go on with row 0 of the call before. Their axis is named beam, and no map is made of them.
    """

    @staticmethod
    def kinds(module: nn.Module) -> tuple[str, ...]:
        """Weights."""
        return ("attention",)

    def rows(self) -> str:
        """Name the first axis of this call's weights."""
        return BEAM if in_beam_search() else "batch"

    def keep_weights(self, weights: Tensor, rows: str, along: str | None = None) -> None:
        """Keep weights (`rows`, head, query, key), with a warning at the first of a beam search."""
        if recomputing():
            return
        last = [calls[-1] for calls in self.rec.attention.values() if calls]
        if rows == BEAM and not any(BEAM in call.dims for call in last):
            warnings.warn(
                "the rows of a decoding are chosen anew between its steps (beams, or rows that are "
                "left out when they end), so row 0 of a call need not go on with row 0 of the call "
                "before: their axis is named 'beam', and no map is made of these calls. Record one "
                "run over what was found instead: model(**inputs, "
                "decoder_input_ids=output.sequences), model(output.sequences) of a decoder alone, "
                "or model(source, target)",
                stacklevel=users_level(),
            )
        self.keep("attention", NamedArray(to_numpy(weights), (rows, *DIMS[1:])), along)


def in_beam_search() -> bool:
    """Whether a function of these packages that has beam in its name is running."""
    frame = sys._getframe(1)
    while frame and not ("beam" in frame.f_code.co_name and package(frame) in OWN):
        frame = frame.f_back
    return frame is not None
