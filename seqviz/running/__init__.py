"""A text through a model: ids and tokens, the call, the maps, what the model says of it."""

from seqviz.running.answers import Answers
from seqviz.running.callers import caller_of
from seqviz.running.lenses import Lens, lens
from seqviz.running.runner import Runner

__all__ = ["Answers", "Lens", "Runner", "caller_of", "lens"]
