"""Heads of a layer of a model that runs: found where they attend, and given something else."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_integer
from seqviz.recording.axes import Axes
from seqviz.recording.inside import watchable
from seqviz.recording.names import named
from seqviz.recording.near_misses import Changed, listed
from seqviz.recording.weighing import WeightedSum
from seqviz.stacks import Place, places


class AtHeads(ABC):
    """Watches a model, and replaces what some heads of a layer give."""

    done_to: ClassVar[str]  # what is done to a head, in a word

    def __init__(self, model: nn.Module, layer: int | str, heads: list[int]):
        self.layer, self.heads = layer, heads
        alike: dict[type, list[str]] = {}
        for path, module in watchable(model):
            alike.setdefault(type(module), []).append(path)
        self.places = {path: at for group in alike.values() for path, at in places(group).items()}
        self.targets = self._targets(model)
        self.ran = False
        self.attended: dict[str, None] = {}
        self.reasons: dict[str, str] = {}
        self.done: set[int] = set()

    def _targets(self, model: nn.Module) -> set[str]:
        if isinstance(self.layer, str):
            return set(named(model, "layer", self.layer))
        layer = checked_integer("layer", self.layer, 0)
        targets = {path for path, place in self.places.items() if place.layer == layer}
        if not targets:
            numbers = sorted({place.layer for place in self.places.values()} - {None})
            known = f"the model's layers {', '.join(map(str, numbers))}" if numbers else "a name"
            tied = " (tied layers are one)" if len(numbers) == 1 else ""
            raise ValueError(f"layer must be one of {known}{tied}, or a module's name; got {layer}")
        return targets

    def entered(self, path: str) -> None:
        """Note that the model runs."""
        self.ran = True

    def saw(self, path: str, sum: WeightedSum, axes: Axes | None) -> Tensor:
        """Return the result of a weighted sum with something else from the heads."""
        if axes is None or "key" not in axes.names.values():
            return sum.result
        self.attended[path] = None
        if path not in self.targets:
            return sum.result
        self._check_one_kind()
        values, names = axes.named(sum.result, sum.letters[2])
        if "batch and head" in names:
            raise ValueError(
                f"head: batch and heads of module {path!r} stand in one axis and cannot be told "
                "apart: give the module its number of heads as num_heads"
            )
        chosen = self._chosen(path, values, names)
        return self._instead(path, values, names, chosen).reshape(sum.result.shape)

    @abstractmethod
    def _instead(self, path: str, values: Tensor, names: list[str], chosen: Tensor) -> Tensor:
        """Return what the heads give, with something else where `chosen` is true."""

    def missed(self, path: str, change: Changed) -> None:
        """Keep why weights of a softmax are not those of a sum."""
        self.reasons[path] = change.reason

    def _chosen(self, path: str, values: Tensor, names: list[str]) -> Tensor:
        """True where the axes of heads, several if heads are in groups, hold one of these."""
        place = self.places[path]
        sizes = [n if name == "head" else 1 for n, name in zip(values.shape, names, strict=True)]
        count, heads = math.prod(sizes), self.heads
        if place.head is not None:  # a module of its own for each head
            own = self._heads_beside(place)
            count, heads = max(own) + 1, [0] if place.head in heads else []
            self.done.update({place.head} & set(self.heads))
        else:
            self.done.update(heads)
        if max(self.heads) >= count:
            raise ValueError(
                f"head must be from 0 to {count - 1}, the heads of module {path!r}; got "
                f"{', '.join(map(str, self.heads))}"
            )
        chosen = torch.zeros(math.prod(sizes), dtype=torch.bool, device=values.device)
        chosen[heads] = True
        return chosen.view(sizes)

    def _heads_beside(self, place: Place) -> list[int]:
        return [
            one.head
            for one in self.places.values()
            if (one.family, one.layer) == (place.family, place.layer)
        ]

    def _check_one_kind(self) -> None:
        """Refuse a number that names several kinds of attention, as a decoder's two."""
        found = [path for path in self.attended if path in self.targets]
        families = {self.places[path].family: path for path in found}
        if not isinstance(self.layer, str) and len(families) > 1:
            raise ValueError(
                f"layer={self.layer} is several: name one of the modules "
                f"{', '.join(map(repr, families.values()))}, as in layer={found[-1]!r}"
            )

    def check(self) -> None:
        """Refuse a run in which nothing was done to a head."""
        if self.ran and not self.targets & self.attended.keys():
            where = f"in {', '.join(map(repr, self.attended))}" if self.attended else "nowhere"
            raise ValueError(
                f"layer={self.layer!r} did not attend, so no head was {self.done_to}: the model "
                f"attended {where} while the block ran{listed(self.reasons, self.targets)}"
            )
        if self.ran and (missed := set(self.heads) - self.done):
            raise ValueError(
                f"head {', '.join(map(str, sorted(missed)))} of layer={self.layer!r} was not "
                f"{self.done_to}: a module that stands for one head has the number in its name"
            )


def checked_heads(head: int | Iterable[int]) -> list[int]:
    """Return the numbers of heads, one at least."""
    heads = list(head) if isinstance(head, Iterable) and not isinstance(head, str) else [head]
    if not heads:
        raise ValueError("head must be a head's number or several, got none")
    return [checked_integer("head", one, 0) for one in heads]
