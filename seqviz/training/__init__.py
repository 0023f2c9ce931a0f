"""Training: one loop, and the small pieces that go with it."""

from seqviz.checkpoint import History
from seqviz.training.averaging import average_weights
from seqviz.training.loop import fit
from seqviz.training.schedule import noam_rate

__all__ = ["History", "average_weights", "fit", "noam_rate"]
