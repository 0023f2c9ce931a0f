"""Heads that are silenced while a model runs: by family, layer and number to modules."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager

from torch import Tensor, nn

from seqviz.intervention import Ablation, ablate
from seqviz.recording.axes import Axes
from seqviz.recording.inside import watched
from seqviz.recording.weighing import WeightedSum
from seqviz.running.maps import Maps, Source

Head = tuple[str, int, int]  # family, layer, head


class OfOneCall(Ablation):
    """Silences heads in one call of a module that stands for several layers."""

    def __init__(self, model: nn.Module, source: Source, heads: list[int]):
        super().__init__(model, source.path, heads, "zero")
        self.wanted, self.calls = source, 0

    def saw(self, path: str, sum: WeightedSum, axes: Axes | None) -> Tensor:
        """Return the result of a weighted sum, in this one call without the heads."""
        if path != self.wanted.path or axes is None or "key" not in axes.names.values():
            return sum.result
        self.calls += not sum.again
        return super().saw(path, sum, axes) if self.calls - 1 == self.wanted.call else sum.result


def silencing(
    model: nn.Module, maps: Maps, silent: Iterable[Head]
) -> Iterator[AbstractContextManager]:
    """Yield a block for each module in which heads are to be silenced."""
    wanted: dict[tuple[str, int], list[int]] = {}
    for family, layer, head in silent:
        wanted.setdefault((family, layer), []).append(head)
    for (family, layer), heads in wanted.items():
        found = {
            place.head: path
            for path, place in maps.at.items()
            if (place.family, place.layer or 0) == (family, layer)
        }
        if not found:
            known = sorted({(place.family, place.layer or 0) for place in maps.at.values()})
            raise ValueError(
                f"silent: no layer {layer} of {family!r} attended; there are "
                f"{', '.join(f'layer {number} of {name!r}' for name, number in known)}"
            )
        if None in found:
            yield _silenced(model, maps.sources[found[None]], heads)
            continue
        numbered = [found[number] for number in sorted(found)]  # a module for each head
        for head in heads:
            if not 0 <= head < len(numbered):
                raise ValueError(
                    f"silent: head must be from 0 to {len(numbered) - 1} in layer {layer} of "
                    f"{family!r}; got {head}"
                )
            path = numbered[head]
            yield _silenced(model, maps.sources[path], [maps.at[path].head])


def _silenced(model: nn.Module, source: Source, heads: list[int]) -> AbstractContextManager:
    if source.call is None:
        return ablate(model, layer=source.path, head=heads)
    return watched(model, OfOneCall(model, source, heads))
