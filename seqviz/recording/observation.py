"""One call of a recurrent net, turned from tensors into the named arrays of a record."""

from collections.abc import Callable
from functools import cached_property, partial

import numpy as np
import torch
from torch import Tensor, nn
from torch._subclasses import FakeTensor
from torch.func import debug_unwrap

from seqviz.nn.unrolling import Run
from seqviz.recording.named_array import NamedArray

DIMS = {
    "hidden": ("layer", "time", "batch", "unit"),
    "cell": ("layer", "time", "batch", "unit"),
    "gates": ("layer", "gate", "time", "batch", "unit"),
    "gradients": ("layer", "time", "batch"),
    "cell_gradients": ("layer", "time", "batch"),
    "from_input": ("layer", "time", "batch", "gate_unit"),
    "W_hh": ("layer", "gate_unit", "unit"),
    "b_hh": ("layer", "gate_unit"),
    "start": ("layer", "state", "batch", "unit"),
    "lengths": ("batch",),
}
GATES = {"LSTM": ("i", "f", "g", "o"), "GRU": ("r", "z", "n"), "RNN_TANH": (), "RNN_RELU": ()}


class Observation:
    """The arrays of one call, each made when it is asked for.

    Parameters
    ----------
    module : nn.Module
        The recurrent net that ran.
    run : Run
    came : callable
        Called when a gradient has come.
    """

    def __init__(self, module: nn.Module, run: Run, came: Callable[[], None]):
        self.module, self.run, self.came = module, run, came
        self.back = None if run.order is None else run.order.argsort()
        directions = ("", " reverse")[: 1 + module.bidirectional]
        layers = [f"{k}{direction}" for k in range(module.num_layers) for direction in directions]
        states = ("h", "c")[: len(run.last)]
        self.labels = {"layer": tuple(layers), "gate": GATES[module.mode], "state": states}

    def array(self, kind: str) -> NamedArray:
        """Copy a kind to the CPU; gradients are NaN until a backward pass fills them."""
        labels = {dim: names for dim, names in self.labels.items() if dim in DIMS[kind]}
        return NamedArray(getattr(self, f"_{kind}")(), DIMS[kind], labels)

    def _hidden(self) -> np.ndarray:
        return self._over_time([_stacked(layer.states, 0) for layer in self.run.layers])

    def _cell(self) -> np.ndarray:
        return self._over_time([_stacked(layer.states, 1) for layer in self.run.layers])

    def _gates(self) -> np.ndarray:
        numbers = range(len(self.labels["gate"]))
        gates = [[_stacked(layer.gates, k) for k in numbers] for layer in self.run.layers]
        return self._over_time([torch.stack(of_layer) for of_layer in gates])

    def _from_input(self) -> np.ndarray:
        return self._over_time([layer.from_input.detach() for layer in self.run.layers])

    def _W_hh(self) -> np.ndarray:
        return to_numpy(torch.stack(self._weights("weight_hh")))

    def _b_hh(self) -> np.ndarray:
        """The bias that is not in from_input: a GRU's, where reset stands after the product."""
        if cell_name(self.module) == "GRU" and self.module.bias:
            return to_numpy(torch.stack(self._weights("bias_hh")))
        return np.zeros_like(self._W_hh()[..., 0])

    def _weights(self, name: str) -> list[Tensor]:
        ends = [label.replace(" ", "_") for label in self.labels["layer"]]
        return [getattr(self.module, f"{name}_l{end}").detach() for end in ends]

    def _start(self) -> np.ndarray:
        start = torch.stack([torch.stack(layer.start) for layer in self.run.layers])
        return _in_order(start, 2, self.back)

    def _lengths(self) -> np.ndarray:
        time, batch = self.run.layers[0].from_input.shape[:2]
        inside = self.run.inside
        lengths = torch.full((batch,), time) if inside is None else inside.sum(0)
        return _in_order(lengths, 0, self.back)

    def _gradients(self) -> np.ndarray:
        return self._norms_to_come[0]

    def _cell_gradients(self) -> np.ndarray:
        return self._norms_to_come[1]

    @cached_property
    def _norms_to_come(self) -> np.ndarray:
        """NaN (state, layer, time, batch), and hooks that write a backward pass's norms into it.

        The hooks must not know the run: its states hold them, and a circle through the graph is
        never freed.
        """
        layers, came = self.run.layers, self.came
        inside, back = (None if x is None else to_numpy(x) for x in (self.run.inside, self.back))
        dtype = np.float64 if layers[0].from_input.dtype == torch.float64 else np.float32
        shape = (len(self.run.last), len(layers), *layers[0].from_input.shape[:2])
        values = np.full(shape, np.nan, dtype)
        total: dict[tuple[int, int, int], np.ndarray] = {}  # as .grad does, passes add up

        def write(place: tuple[int, int, int], gradient: Tensor) -> None:
            if not total:
                values[:] = 0  # what no gradient reaches
                came()
            total[place] = total.get(place, 0) + to_numpy(gradient)
            norms = np.linalg.norm(total[place].astype(np.float64), axis=-1)
            *_, t = place
            norms = norms if inside is None else norms * inside[t]
            values[place] = norms if back is None else norms[back]

        for k, layer in enumerate(layers):
            for t, states in enumerate(layer.states):
                for s, state in enumerate(states):
                    if state.requires_grad:
                        state.register_hook(partial(write, (s, k, t)))
        return values

    def _over_time(self, of_layers: list[Tensor]) -> np.ndarray:
        """Stack tensors (..., time, batch, unit), zero at padding, in the caller's order."""
        values = torch.stack(of_layers)
        if self.run.inside is not None:
            values = values * self.run.inside.unsqueeze(-1)
        return _in_order(values, values.dim() - 2, self.back)


def has(module: nn.Module, kind: str) -> bool:
    """Whether this cell has the kind: an RNN has no gates, only an LSTM has a cell state."""
    if kind == "gates":
        return bool(GATES[module.mode])
    return kind not in ("cell", "cell_gradients") or module.mode == "LSTM"


def cell_name(module: nn.Module) -> str:
    """Name the cell: "LSTM", "GRU", "GRU reset before", "RNN tanh" or "RNN relu"."""
    if module.mode.startswith("RNN"):
        return f"RNN {module.nonlinearity}"
    before = getattr(module, "reset", "after") == "before"
    return f"{module.mode} reset before" if before else module.mode


def _in_order(values: Tensor, axis: int, back: Tensor | None) -> np.ndarray:
    """Put the sequences of a packed batch into the caller's order."""
    return to_numpy(values if back is None else values.index_select(axis, back))


def _stacked(by_time: list[tuple[Tensor, ...]], k: int) -> Tensor:
    return torch.stack([values[k].detach() for values in by_time])


def to_numpy(values: Tensor) -> np.ndarray:
    """Copy a tensor to the CPU, as an array, also from inside torch.func.grad or jvp."""
    check_numbers(values)
    values = values.detach().cpu()
    if values.dtype == torch.bfloat16:  # numpy has no bfloat16
        values = values.float()
    plain = debug_unwrap(values)
    if plain is not values:  # .numpy() would wrap it again
        return np.from_dlpack(plain).copy()
    return values.numpy().copy()


def check_numbers(values: Tensor) -> None:
    """Refuse a tensor without numbers of its own: what vmap maps over, a fake one, a meta one."""
    plain = debug_unwrap(values)
    if plain.dim() != values.dim():
        raise ValueError(
            "a tensor inside torch.func.vmap came, which stands for many and cannot be recorded: "
            "give the model the whole batch, or leave the block for vmap (jacrev, jacfwd and "
            "hessian call it too)"
        )
    if plain.is_meta or isinstance(plain, FakeTensor):
        raise ValueError(
            "a tensor came that has a shape and no numbers (on the meta device, or fake, as in "
            "FakeTensorMode) and cannot be recorded: run the model on numbers, leave the block to "
            "export it"
        )
