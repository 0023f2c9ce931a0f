"""A model to its graph, by torch.export, with its lengths left free; what cannot be is refused."""

from collections.abc import Callable, Mapping
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

MANY = 10**6  # tokens: no limit
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
        before = _tensors(model(*args, **kwargs))
        program = program_of(model, call, free)
        graph = graph_of(model, program)
        expected = _tensors(model(*args, **kwargs))
        _check_numbers(graph, _found(graph, _tensors(call)), expected, "on the example")
        _check_numbers(graph, before, expected, "on the same example again")
        limits = _limits(program)
        one = {name: most for name, (_, least, most) in limits.items() if least == most}
        if lengths := one | _fixed(program, call, free):
            return replace(graph, lengths=lengths)
        return _tried(replace(graph, limits=limits), model, call, free)


def _by_place_and_name(given: tuple | Mapping) -> tuple[tuple, dict]:
    return ((), dict(given)) if isinstance(given, Mapping) else (tuple(given), {})


def _own(one):
    """A tensor of its own: one that is given twice would become one input."""
    return one.clone() if isinstance(one, Tensor) else one


def _tensors(tree) -> list[Tensor]:
    return [one for one in tree_leaves(tree) if isinstance(one, Tensor)]


def _axis(one) -> int | None:
    """The axis of an argument whose length is left free."""
    if not isinstance(one, Tensor) or not one.dim() or one.dim() > 3:
        return None
    axis = one.dim() - 1
    if one.is_floating_point():  # (time, unit), (batch, time, unit), (time, batch, unit)
        axis = int(one.dim() == 3 and (one.shape[1] > 1 or one.shape[0] == 1))
    return axis if one.shape[axis] > 1 else None


def _check_weights(model: nn.Module) -> None:
    for name, weight in (*model.named_parameters(), *model.named_buffers()):
        wrong = ""
        if weight.is_floating_point() and weight.dtype != torch.float32:
            kind = str(weight.dtype).removeprefix("torch.")
            wrong = f"is in {kind}, expected float32: take model.float()"
        elif weight.device.type != "cpu":
            wrong = f"is on {weight.device.type}, expected the CPU: take model.cpu()"
        elif isinstance(weight, nn.Parameter) and not torch.isfinite(weight).all():
            wrong = (
                "holds NaN or infinity, expected finite numbers: train it again with a smaller "
                "learning rate"
            )
        if wrong:
            raise ValueError(f"model: its weight {name!r} {wrong}")


def _axes(call: tuple, free: tuple) -> list[int | None]:
    """The free axis of each tensor."""
    pairs = zip(tree_leaves(free), tree_leaves(call), strict=True)
    return [axis for axis, one in pairs if isinstance(one, Tensor)]


def _fixed(program: ExportedProgram, call: tuple, free: tuple) -> dict[str, int]:
    """Inputs with a length that torch.export fixed, or that are one token long."""
    found = {}
    given, axes = _tensors(call), _axes(call, free)
    for (name, value), one, axis in zip(inputs_of(program).items(), given, axes, strict=True):
        if axis is not None and isinstance(value.shape[axis], int):
            found[name] = value.shape[axis]
        elif axis is None and one.dim() == 2 and not one.is_floating_point():
            found[name] = one.shape[1]
    return found


def _limits(program: ExportedProgram) -> dict[str, tuple[int, int, int | None]]:
    """The free axis of inputs, with the least and the largest length that torch.export found."""
    found = {}
    for name, value in inputs_of(program).items():
        for axis, size in enumerate(value.shape):
            if isinstance(size, torch.SymInt):
                known = program.range_constraints.get(size.node.expr)
                least, most = (known.lower, known.upper) if known else (0, MANY)
                least = int(least) if least > 2 else 0  # 2 stands for any: a trace knows no 1
                found[name] = axis, least, int(most) if most < MANY else None
    return found


def _tried(graph: Graph, model: nn.Module, call: tuple, free: tuple) -> Graph:
    """A graph whose lengths are tried: one token, half of the example, twice the example."""

    def goes(size: Callable[[int], int], must: bool = False) -> bool:
        return _goes(graph, model, _resized(call, free, size), must=must)

    triples = zip(graph.inputs, _tensors(call), _axes(call, free), strict=True)
    sizes = {name: one.shape[axis] for name, one, axis in triples if axis is not None}
    if not goes(lambda n: (n + 1) // 2, must=True):
        return replace(graph, lengths=sizes, limits={})
    limits = graph.limits
    if not goes(lambda _: 1):
        limits = {name: (axis, max(2, least), most) for name, (axis, least, most) in limits.items()}
    if not goes(lambda n: 2 * n):
        limits = {name: (axis, least, sizes[name]) for name, (axis, least, _) in limits.items()}
    return replace(graph, limits=limits)


def _resized(call: tuple, free: tuple, size: Callable[[int], int]) -> tuple:
    def resized(one, axis: int | None):
        if axis is None or not isinstance(one, Tensor):
            return one
        wanted = max(1, size(one.shape[axis]))
        times = -(-wanted // one.shape[axis])
        return torch.cat([one] * times, dim=axis).narrow(axis, 0, wanted).clone()

    return tree_map(resized, call, free)


def fits(graph: Graph, model: nn.Module, example: tuple | Mapping) -> bool:
    """Whether a graph, perhaps of before, gives the numbers of a model on an example."""
    with at_rest(model):
        return _goes(graph, model, _by_place_and_name(example), must=True)


def _goes(graph: Graph, model: nn.Module, call: tuple, *, must: bool) -> bool:
    """Whether graph and model give the same; what the model refuses goes, unless it `must` run."""
    args, kwargs = call
    given = _tensors(call)
    if graph.beyond(given):
        return True  # refused in words
    try:
        expected = _tensors(model(*args, **kwargs))
    except Exception:  # whatever it is, the model reads no such text
        return not must
    try:
        _check_numbers(graph, graph(*given), expected, "at another length")
    except Exception:  # an operation of the graph may stop at any
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
