"""A model that writes, a token at each step, as graphs: what it reads first, and one step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_flatten, tree_flatten_with_path, tree_leaves, tree_unflatten

from seqviz.arguments import checked_type
from seqviz.graphs.exporting import exported
from seqviz.graphs.graph import Graph
from seqviz.nn.resting import at_rest

READ = 5  # tokens of the source, and steps, of the example
Start = int | tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Steps:
    """A model that writes as graphs; `stepped` makes it.

    Attributes
    ----------
    encode : Graph or None
        From a source (1, time) to what the steps read of it; None for a model without a source.
    step : Graph
        From an id (1,) and a state to logits (1, vocab) and the next state. Its inputs behind the
        first are its outputs behind the first, of the step before.
    starts : tuple of int or tuple
        What each of these is before the first step: which output of `encode`, or the shape of
        zeros; of what grows there are none yet.
    """

    encode: Graph | None
    step: Graph
    starts: tuple[Start, ...]

    def begin(
        self,
        source: Tensor | None = None,
        changes: Mapping[str, Callable[[Tensor], Tensor]] | None = None,
    ) -> list[Tensor]:
        """Return the state before the first step; `changes` are of the encoder's values."""
        read = [] if self.encode is None else self.encode.run([source], changes=changes)[0]
        return [
            read[start] if isinstance(start, int) else torch.zeros(start) for start in self.starts
        ]

    def __call__(self, id: int, state: Sequence[Tensor]) -> tuple[Tensor, list[Tensor]]:
        """Read one token: return logits (vocab,) and the next state."""
        logits, *state = self.step(torch.tensor([id]), *state)
        return logits[0], state


def stepped(model: nn.Module) -> Steps:
    """Write a model that has ``step``, and perhaps ``encode``, as graphs.

    Parameters
    ----------
    model : nn.Module
        ``step(ids, state)`` gives logits and the next state, ``encode(source)`` the first one, as
        those of ``sv.nn.GPT``, ``sv.nn.TransformerSeq2Seq`` and ``sv.nn.Seq2Seq`` do.

    Raises
    ------
    TypeError
        If the model has no ``step``.
    ValueError
        As from :func:`exported`.
    """
    checked_type("model", model, nn.Module, "a torch module")
    if not callable(getattr(model, "step", None)):
        raise TypeError(
            f"model: {type(model).__name__} has no step(ids, state): export what it is called "
            "with, exported(model, example)"
        )
    with at_rest(model):
        first = _after(model, READ, 0)
        state, longer, other = (_after(model, *read) for read in ((READ, 3), (READ, 4), (3, 3)))
    leaves, spec = tree_flatten(state)
    axes = [*map(_free, leaves, tree_leaves(longer), tree_leaves(other))]
    tensors = [k for k, one in enumerate(leaves) if isinstance(one, Tensor)]
    counts = {
        k: _length_of(one, leaves, axes) for k, one in enumerate(leaves) if isinstance(one, int)
    }
    step = _exported(
        _Step(model, spec, tensors, counts),
        (torch.tensor([2]), *(leaves[k] for k in tensors)),
        axes=(None, *(axes[k] for k in tensors)),
    )
    encode = _exported(_Encode(model), (_source(READ),)) if hasattr(model, "encode") else None
    given = [path for path, one in tree_flatten_with_path(first)[0] if isinstance(one, Tensor)]
    paths = [path for path, _ in tree_flatten_with_path(state)[0]]
    starts = tuple(
        given.index(paths[k]) if paths[k] in given else _without(leaves[k], axes[k])
        for k in tensors
    )
    steps = Steps(encode, step, starts)
    if encode is None:
        _check_start(model, steps)
    return steps


def _check_start(model: nn.Module, steps: Steps) -> None:
    """Refuse a state that begins with anything but zeros."""
    with at_rest(model):
        expected, _ = model.step(torch.tensor([2]), None)
        found, _ = steps(2, steps.begin())
    if not torch.allclose(found, expected[0], atol=1e-5):
        raise ValueError(
            f"model: {type(model).__name__}'s first step begins with a state that is not zero, "
            "which its graph does not know: export it whole, sv.graphs.exported(model, (ids,))"
        )


def _exported(part: nn.Module, example: tuple, **how) -> Graph:
    """The graph of a part, its modules named as the model names them."""
    graph = exported(part, example, **how)
    nodes = tuple(replace(one, module=_own(one.module)) for one in graph.nodes)
    attentions = tuple(replace(one, path=_own(one.path)) for one in graph.roles.attentions)
    roles = replace(graph.roles, attentions=attentions)
    return replace(graph, model=type(part.model).__name__, nodes=nodes, roles=roles)


def _own(path: str) -> str:
    return path.removeprefix("model").removeprefix(".")


def _after(model: nn.Module, length: int, steps: int):
    """The state after some steps, of a source of so many tokens."""
    state = model.encode(_source(length)) if hasattr(model, "encode") else None
    for _ in range(steps):
        _, state = model.step(torch.tensor([2]), state)
    return state


def _source(length: int) -> Tensor:
    return torch.full((1, length), 2)


def _free(one, *others) -> int | None:
    """The axis in which a part of the state grows with the source or with the steps."""
    if not isinstance(one, Tensor):
        return None
    sizes = zip(one.shape, *(other.shape for other in others), strict=True)
    return next((axis for axis, of_axis in enumerate(sizes) if len({*of_axis}) > 1), None)


def _length_of(count: int, leaves: list, axes: list[int | None]) -> tuple[int, int]:
    """Where a number of the state stands as a length: of which part, along which axis."""
    for k, (one, axis) in enumerate(zip(leaves, axes, strict=True)):
        if axis is not None and one.shape[axis] == count:
            return k, axis
    raise ValueError(
        f"model: its state holds the number {count}, which is no length of one of its tensors: "
        "keep it as a tensor"
    )


def _without(one: Tensor, axis: int | None) -> tuple[int, ...]:
    """The shape of a part of the state before the first step."""
    return tuple(0 if k == axis else size for k, size in enumerate(one.shape))


class _Encode(nn.Module):
    """What a model makes of its source."""

    def __init__(self, model: nn.Module):
        super().__init__()
        self.model = model

    def forward(self, source: Tensor):
        return self.model.encode(source)


class _Step(nn.Module):
    """A step that is given the tensors of a state; numbers in it are lengths of these."""

    def __init__(self, model: nn.Module, spec, tensors: list[int], counts: dict):
        super().__init__()
        self.model, self.spec, self.tensors, self.counts = model, spec, tensors, counts

    def forward(self, ids: Tensor, *state: Tensor):
        leaves: list = [None] * self.spec.num_leaves
        for k, one in zip(self.tensors, state, strict=True):
            leaves[k] = one
        for k, (part, axis) in self.counts.items():
            leaves[k] = leaves[part].shape[axis]
        return self.model.step(ids, tree_unflatten(leaves, self.spec))
