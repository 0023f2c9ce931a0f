"""A model to its graph, by torch.export, with its lengths left free; what cannot be is refused."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.export import ExportedProgram
from torch.utils._pytree import tree_leaves, tree_map

from seqviz.arguments import checked_type
from seqviz.graphs.graph import Graph
from seqviz.graphs.programs import graph_of, inputs_of
from seqviz.graphs.tracing import BY_NUMBERS, program_of
from seqviz.nn.resting import at_rest

ALLOWED = 1e-5  # by which numbers may differ from the model's, of the largest if that is above 1


def exported(
    model: nn.Module, example: tuple | Mapping, *, axes: tuple | Mapping | None = None
) -> Graph:
    """Write a model as a graph of torch's core operations, which runs here and in a page.

    The numbers of the graph are compared with the model's on the example, and on its first half,
    where its length is free. Recurrent nets of ``sv.nn`` and torch.nn are one operation.

    Parameters
    ----------
    model : nn.Module
        In float32 on the CPU; it is run in eval mode and stays as it was.
    example : tuple or mapping
        Arguments of a call, by place or by name: tensors with a batch of one, and what stays as it
        is.
    axes : tuple or mapping, optional
        As `example`, with the axis of each tensor whose length is left free, None for no axis.
        Without it that is the last of an integer tensor, of another the one beside the batch.

    Returns
    -------
    Graph
        Where the model exports for one length only, its `lengths` say which one.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If a weight is not finite or not in float32; if the model cannot be exported: which module
        and operation, and what to do; if the graph's numbers are not the model's.

    Examples
    --------
    >>> import torch
    >>> graph = exported(torch.nn.Linear(3, 2), (torch.ones(1, 4, 3),))
    >>> [node.op for node in graph.nodes][-1], graph(torch.ones(1, 7, 3))[0].shape
    ('view', torch.Size([1, 7, 2]))
    """
    checked_type("model", model, nn.Module, "a torch module")
    checked_type("example", example, tuple | Mapping, "a tuple or a mapping of arguments")
    _check_weights(model)
    call = tree_map(_own, _by_place_and_name(example))
    free = tree_map(_axis, call) if axes is None else _by_place_and_name(axes)
    args, kwargs = call
    with at_rest(model):
        program = program_of(model, call, free)
        graph = graph_of(model, program)
        given, at = _tensors(call), tree_leaves(free, is_leaf=lambda one: one is None)
        at = [axis for axis, one in zip(at, tree_leaves(call), strict=True) if _is_tensor(one)]
        _check_numbers(
            graph, _found(graph, given), _tensors(model(*args, **kwargs)), "on the example"
        )
        lengths = _fixed(program, at)
        if not lengths:
            shorter = tree_map(_half, call, free, is_leaf=lambda one: one is None)
            if not _goes(graph, model, shorter):
                lengths = _lengths(graph.inputs, given, at)
    return replace(graph, lengths=lengths)


def _by_place_and_name(given: tuple | Mapping) -> tuple[tuple, dict]:
    return ((), dict(given)) if isinstance(given, Mapping) else (tuple(given), {})


def _own(one):
    """A tensor of its own: one that is given twice would become one input."""
    return one.clone() if isinstance(one, Tensor) else one


def _is_tensor(one) -> bool:
    return isinstance(one, Tensor)


def _tensors(tree) -> list[Tensor]:
    return [one for one in tree_leaves(tree) if _is_tensor(one)]


def _axis(one) -> int | None:
    """The axis of an argument whose length is left free."""
    if not _is_tensor(one) or not one.dim() or one.dim() > 3:
        return None
    axis = one.dim() - 1
    if one.is_floating_point():  # (time, unit), (batch, time, unit), (time, batch, unit)
        axis = int(one.dim() == 3 and (one.shape[1] > 1 or one.shape[0] == 1))
    return axis if one.shape[axis] > 1 else None


def _check_weights(model: nn.Module) -> None:
    for name, weight in (*model.named_parameters(), *model.named_buffers()):
        if weight.is_floating_point() and weight.dtype != torch.float32:
            kind = str(weight.dtype).removeprefix("torch.")
            raise ValueError(
                f"model: its weight {name!r} is in {kind}, expected float32: take model.float()"
            )
        if weight.device.type != "cpu":
            raise ValueError(
                f"model: its weight {name!r} is on {weight.device.type}, expected the CPU: take "
                "model.cpu()"
            )
    for name, weight in model.named_parameters():
        if not torch.isfinite(weight).all():
            raise ValueError(
                f"model: its weight {name!r} holds NaN or infinity, expected finite numbers: train "
                "it again with a smaller learning rate"
            )


def _fixed(program: ExportedProgram, axes: list[int | None]) -> dict[str, int]:
    """Inputs with a length that torch.export fixed."""
    pairs = zip(inputs_of(program).items(), axes, strict=True)
    sizes = {name: value.shape[axis] for (name, value), axis in pairs if axis is not None}
    return {name: size for name, size in sizes.items() if isinstance(size, int)}


def _lengths(names: tuple[str, ...], given: list[Tensor], axes: list[int | None]) -> dict:
    found = zip(names, given, axes, strict=True)
    return {name: one.shape[axis] for name, one, axis in found if axis is not None}


def _half(one, axis: int | None):
    if axis is None or not _is_tensor(one):
        return one
    return one.narrow(axis, 0, max(1, (one.shape[axis] + 1) // 2)).clone()


def fits(graph: Graph, model: nn.Module, example: tuple | Mapping) -> bool:
    """Whether a graph, perhaps of before, gives the numbers of a model on an example."""
    with at_rest(model):
        return _goes(graph, model, _by_place_and_name(example))


def _goes(graph: Graph, model: nn.Module, call: tuple) -> bool:
    """Whether graph and model give the same at another length."""
    args, kwargs = call
    try:
        found, expected = graph(*_tensors(call)), _tensors(model(*args, **kwargs))
        _check_numbers(graph, found, expected, "on its first half")
    except Exception:  # whatever it is, the graph is then of the example's length
        return False
    return True


def _found(graph: Graph, given: list[Tensor]) -> list[Tensor]:
    try:
        return graph(*given)
    except RuntimeError as error:
        raise ValueError(
            f"model: {graph.model}'s graph does not run on its own example ({error}): {BY_NUMBERS}"
        ) from error


def _check_numbers(graph: Graph, found: list[Tensor], expected: list[Tensor], where: str) -> None:
    if len(found) != len(expected):
        raise ValueError(
            f"model: {graph.model} gives {len(expected)} tensors {where}, its graph {len(found)}"
        )
    for k, (one, other) in enumerate(zip(found, expected, strict=True)):
        if one.shape != other.shape:
            raise ValueError(
                f"model: {graph.model}'s output {k} is of shape {tuple(other.shape)} {where}, its "
                f"graph's of {tuple(one.shape)}"
            )
        if not one.numel():
            continue
        one, other = one.double(), other.double()
        off = (one - other).abs().nan_to_num().max().item()
        most = max(1.0, other.nan_to_num(0, 0, 0).abs().max().item())
        if not torch.equal(one.isnan(), other.isnan()) or off > ALLOWED * most:
            raise ValueError(
                f"model: {graph.model}'s graph gives other numbers {where}: output {k} is off by "
                f"{off:.2g}, expected at most {ALLOWED:g}: a model that draws random numbers, or "
                "keeps a state between calls, cannot be written as a graph"
            )
