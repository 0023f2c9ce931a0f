"""The stream of a model on its way into a record: a row for each block."""

import numpy as np
from torch import nn

from seqviz.recording.named_array import NamedArray
from seqviz.recording.observation import to_numpy
from seqviz.recording.records import Record
from seqviz.recording.stand_in import recomputing, users_level
from seqviz.recording.streams import EMBEDDINGS, Pass, State, Watcher, untold

DIMS = ("layer", "batch", "time", "unit")


class States(Watcher):
    """Keeps the states of a model's streams, pass by pass."""

    def __init__(self, rec: Record):
        self.rec = rec
        self.rows: dict[str, list[np.ndarray]] = {}

    def state(self, at: State) -> None:
        """Keep a state."""
        if recomputing():
            return
        rows = to_numpy(at.rows.flatten(2))
        if at.layer < 0:
            self.rows[at.stack] = [rows]
        else:
            self.rows[at.stack].append(rows)

    def ended(self, stack: str) -> None:
        """Put a pass into the record."""
        rows = self.rows.pop(stack, [])
        if len(rows) < 2:
            return
        if any(one.shape != rows[0].shape for one in rows):
            shapes = ", ".join(str(one.shape) for one in rows)
            raise ValueError(
                f"model: the blocks of {stack!r} hand on streams of different shapes, {shapes}, "
                "which are no one array: record a part of the model"
            )
        labels = {"layer": (EMBEDDINGS, *map(str, range(len(rows) - 1)))}
        self.rec.keep("states", stack, NamedArray(np.stack(rows), DIMS, labels), users_level())

    def broken(self, stack: str, why: str) -> None:
        """Forget a list whose modules give no stream."""
        self.rows.pop(stack, None)

    def report(self, model: nn.Module, passes: list[Pass]) -> None:
        """Keep what ran without the module that holds it; refuse a run without a stream."""
        for stack in list(self.rows):
            self.ended(stack)
        if any(one.began for one in passes) and not self.rec.states:
            raise ValueError(untold(model, passes))
