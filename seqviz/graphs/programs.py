"""A program of torch.export as values: its nodes, their arguments, the weights."""

import math

import torch
from torch import Tensor, fx, nn
from torch.export import ExportedProgram

from seqviz.graphs.graph import Graph, Node
from seqviz.graphs.roles import roles_of
from seqviz.nn.position import longest_text

BESIDE = ("dtype", "layout", "device", "pin_memory", "memory_format", "non_blocking", "generator")


def graph_of(model: nn.Module, program: ExportedProgram) -> Graph:
    """The graph of a program, and the roles that are found in it."""
    inputs, weights = tuple(inputs_of(program)), _weights(program)
    nodes = tuple(_node(node) for node in program.graph.nodes if node.op == "call_function")
    outputs = tuple(program.graph_signature.user_outputs)  # without buffers that were set anew
    roles = roles_of(nodes, inputs, outputs, {name: tuple(w.shape) for name, w in weights.items()})
    name, longest = type(model).__name__, longest_text(model)
    return Graph(name, inputs, {}, {}, longest, nodes, weights, outputs, roles, program)


def inputs_of(program: ExportedProgram) -> dict[str, Tensor]:
    """The tensors that the user gives, as torch.export sees them."""
    user = set(program.graph_signature.user_inputs)
    return {
        node.name: node.meta["val"]
        for node in program.graph.nodes
        if node.op == "placeholder" and node.name in user and isinstance(node.meta["val"], Tensor)
    }


def _weights(program: ExportedProgram) -> dict[str, Tensor]:
    """Weights by the names of their nodes; those that are tied are one."""
    held, seen, found = {**program.state_dict, **program.constants}, {}, {}
    for spec in program.graph_signature.input_specs:
        tensor = held.get(spec.target)
        if isinstance(tensor, Tensor):
            tensor = tensor.detach()
            key = tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype
            tensor = seen.setdefault(key, tensor) if tensor.numel() else tensor
            found[spec.arg.name] = tensor
    return found


def _node(node: fx.Node) -> Node:
    value = node.meta.get("val")
    value = value[0] if isinstance(value, list | tuple) and value else value  # of several the first
    sizes = value.shape if isinstance(value, Tensor) else ()
    shape = tuple(size if isinstance(size, int) else str(size) for size in sizes)
    stack = list((node.meta.get("nn_module_stack") or {"": ("", None)}).values())
    module = stack[-1][0].removeprefix("L['self'].").removeprefix("L['self']")
    kind = kind_of(value.dtype) if isinstance(value, Tensor) else "whole"
    return Node(node.name, _operation(node.target), _arguments(node), kind, shape, module)


def _operation(target) -> str:
    if isinstance(target, torch._ops.OpOverload):
        text = str(target)
        return text.removeprefix("aten.").removesuffix(".default").replace("seqviz::", "seqviz.")
    return "sym." + target.__name__


def kind_of(dtype: torch.dtype) -> str:
    """What a page calls numbers: "float", "truth", or "whole"."""
    return "truth" if dtype == torch.bool else "float" if dtype.is_floating_point else "whole"


def _arguments(node: fx.Node) -> list:
    """All arguments in the order of the schema, defaults too: a page knows no keywords."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return _plain(node.args)
    found = []
    for k, argument in enumerate(node.target._schema.arguments):
        if k < len(node.args):
            found.append(node.args[k])
        elif argument.name not in BESIDE:
            default = argument.default_value if argument.has_default_value() else None
            found.append(node.kwargs.get(argument.name, default))
    while found and found[-1] is None:
        found.pop()
    return _plain(found)


def _plain(one):
    """An argument as JSON has it."""
    if isinstance(one, fx.Node):
        return {"value": one.name}
    if isinstance(one, list | tuple):
        return [_plain(part) for part in one]
    if isinstance(one, float) and not math.isfinite(one):
        return {"number": str(one)}
    return one if isinstance(one, bool | int | float | str) else None
