"""What each head of attention takes from the values, at each query: its context."""

from torch import Tensor

from seqviz.recording.axes import Axes
from seqviz.recording.named_array import NamedArray
from seqviz.recording.near_misses import Changed
from seqviz.recording.observation import to_numpy
from seqviz.recording.records import Record
from seqviz.recording.stand_in import recomputing, users_level
from seqviz.recording.weighing import WeightedSum

ORDER = ("batch", "head", "block", "query", "unit")


class Contexts:
    """Watches a model, and keeps the contexts of its heads."""

    def __init__(self, rec: Record):
        self.rec = rec

    def entered(self, path: str) -> None:
        """Hear that a module runs."""

    def saw(self, path: str, sum: WeightedSum, axes: Axes | None) -> Tensor:
        """Keep the result of a weighted sum over positions."""
        if axes is not None and "key" in axes.names.values() and not recomputing():
            values, names = axes.named(sum.result, sum.letters[2])
            if "batch and head" not in names:
                values, dims = by_head(values, names)
                heads = dims.count("head")
                values = to_numpy(values.flatten(1, heads))
                call = NamedArray(values, (*dims[:1], *dims[heads:]))
                self.rec.keep("contexts", path, call, users_level())
        return sum.result

    def missed(self, path: str, change: Changed) -> None:
        """Hear why weights of a softmax are not those of a sum."""


def by_head(values: Tensor, names: list[str]) -> tuple[Tensor, list[str]]:
    """Return a view with its axes in order, batch, head and query among them, and their names.

    Heads in groups have several axes.
    """
    for name in ("query", "head", "batch"):
        if name not in names:
            values, names = values.unsqueeze(0), [name, *names]
    order = sorted(range(len(names)), key=lambda k: ORDER.index(names[k]))
    return values.permute(order), [names[k] for k in order]
