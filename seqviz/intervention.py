"""Change what happens inside a model while it runs: silence heads of its attention."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from seqviz.arguments import checked_integer, checked_name, checked_type
from seqviz.recording.axes import Axes
from seqviz.recording.inside import watchable, watched
from seqviz.recording.names import named
from seqviz.recording.near_misses import Changed, listed
from seqviz.recording.weighing import WeightedSum
from seqviz.stacks import Place, places


@contextmanager
def ablate(
    model: nn.Module, *, layer: int | str, head: int | Iterable[int], by: str = "zero"
) -> Iterator[None]:
    """Silence heads of a model's attention while the block runs.

    What a head takes from the values is replaced before the output projection, in any model whose
    attention ``sv.record`` sees: of ``sv.nn``, ``torch.nn``, transformers or your own. Blocks nest,
    and go together with ``sv.record``, which shows the weights of a silenced head as ever. No
    gradient goes through a head that is zero. When the block is left the model is as it was.

    Parameters
    ----------
    model : nn.Module
    layer : int or str
        The layer, as the model numbers it; or the name of the module that attends, in which ``*``
        stands for any part, where a number would name several, as in a decoder that attends to
        itself and to its encoder.
    head : int or sequence of int
        Which heads of it, from 0.
    by : {"zero", "mean"}
        What takes a head's place: zeros, or its mean over the batch at each position.

    Raises
    ------
    TypeError
        If `model` is not a module, or `layer` or `head` are not of these types.
    ValueError
        If there is no such layer, module or head, or `layer` names several kinds of attention; if
        `by` is "mean" and the batch is one; if the model ran and did not attend there.

    Examples
    --------
    >>> import torch
    >>> attention = torch.nn.MultiheadAttention(embed_dim=8, num_heads=2)
    >>> x = torch.ones(5, 1, 8)
    >>> with ablate(attention, layer="", head=[0, 1]):
    ...     output, _ = attention(x, x, x)
    >>> torch.equal(output, attention.out_proj.bias.expand(5, 1, 8))
    True
    """
    checked_type("model", model, nn.Module, "a torch module")
    checked_name("by", by, ("zero", "mean"))
    ablation = Ablation(model, layer, _checked_heads(head), by)
    with watched(model, ablation):
        yield
    ablation.check()


class Ablation:
    """Watches a model, and replaces what some heads of a layer give."""

    def __init__(self, model: nn.Module, layer: int | str, heads: list[int], by: str):
        self.layer, self.heads, self.by = layer, heads, by
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
            raise ValueError(f"layer must be one of {known}, or a module's name; got {layer}")
        return targets

    def entered(self, path: str) -> None:
        """Note that the model runs."""
        self.ran = True

    def saw(self, path: str, sum: WeightedSum, axes: Axes | None) -> Tensor:
        """Return the result of a weighted sum without the heads."""
        if axes is None or "key" not in axes.names.values():
            return sum.result
        self.attended[path] = None
        if path not in self.targets:
            return sum.result
        self._check_one_kind()
        return self._without(path, sum, axes)

    def missed(self, path: str, change: Changed) -> None:
        """Keep why weights of a softmax are not those of a sum."""
        self.reasons[path] = change.reason

    def _without(self, path: str, sum: WeightedSum, axes: Axes) -> Tensor:
        values, names = axes.named(sum.result, sum.letters[2])
        if "batch and head" in names:
            raise ValueError(
                f"head: batch and heads of module {path!r} stand in one axis and cannot be told "
                "apart: give the module its number of heads as num_heads"
            )
        silenced = self._silenced(path, values, names)
        if self.by == "zero":
            return values.masked_fill(silenced, 0).reshape(sum.result.shape)
        batch = names.index("batch") if "batch" in names else None
        if batch is None or values.shape[batch] == 1:
            raise ValueError(
                "by='mean' needs a batch of several: the mean of one is the head itself"
            )
        mean = values.mean(dim=batch, keepdim=True)
        return torch.where(silenced, mean, values).reshape(sum.result.shape)

    def _silenced(self, path: str, values: Tensor, names: list[str]) -> Tensor:
        """True where the axes of heads, several if heads are in groups, hold one to silence."""
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
        silenced = torch.zeros(math.prod(sizes), dtype=torch.bool, device=values.device)
        silenced[heads] = True
        return silenced.view(sizes)

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
        """Refuse a run in which nothing was silenced."""
        if self.ran and not self.targets & self.attended.keys():
            where = f"in {', '.join(map(repr, self.attended))}" if self.attended else "nowhere"
            raise ValueError(
                f"layer={self.layer!r} did not attend, so no head was silenced: the model attended "
                f"{where} while the block ran{listed(self.reasons, self.targets)}"
            )
        if self.ran and (missed := set(self.heads) - self.done):
            raise ValueError(
                f"head {', '.join(map(str, sorted(missed)))} of layer={self.layer!r} was not "
                "silenced: a module that stands for one head has the number in its name"
            )


def _checked_heads(head: int | Iterable[int]) -> list[int]:
    heads = list(head) if isinstance(head, Iterable) and not isinstance(head, str) else [head]
    if not heads:
        raise ValueError("head must be a head's number or several, got none")
    return [checked_integer("head", one, 0) for one in heads]
