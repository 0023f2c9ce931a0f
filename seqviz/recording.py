"""What happens inside a model while it runs, recorded by running its equations."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from seqviz.nn.recurrent import Recurrent
from seqviz.nn.unrolling import Run, unroll
from seqviz.observation import Observation, cell_name, has
from seqviz.records import Record

KINDS = {  # what `keep` names, and the arrays that this brings
    "hidden": ("hidden",),
    "cell": ("cell",),
    "gates": ("gates", "from_input", "W_hh", "b_hh", "start", "lengths"),
    "gradients": ("gradients", "cell_gradients"),
}
OWN = ("seqviz", "torch")
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}


@contextmanager
def record(model: nn.Module, keep: Sequence[str] = tuple(KINDS)) -> Iterator[Record]:
    """Record what happens inside a model while the block runs.

    Every RNN, LSTM and GRU in the model is recorded, of ``sv.nn`` and of ``torch.nn``, also when
    it is the model: any number of layers, both directions, packed input, dropout between the
    layers. The fused forward of torch's is replaced by the equations with its own weights, its
    dropout is drawn from the same random state, and the two results must agree (1e-5 in float32,
    1e-10 in float64); so is the forward of a class derived from any of them. Gradients flow as
    ever. When the block is left the model is as it was.

    Parameters
    ----------
    model : nn.Module
        On any device; the arrays are copied to the CPU.
    keep : sequence of str
        The kinds to keep, among "hidden", "cell", "gates" (with what ``Record.traces`` needs) and
        "gradients"; all of them if not given.

    Yields
    ------
    Record

    Raises
    ------
    TypeError
        If `model` is not a module, or `keep` is a string.
    ValueError
        If a kind is unknown; if the model has nothing to record, or is being recorded already; if
        a torch.nn.LSTM has a proj_size, or a torch module off the CPU drops units in training.
    AssertionError
        If the equations give another result than the forward they replace.

    Examples
    --------
    >>> import torch
    >>> model = torch.nn.ModuleDict({"lstm": torch.nn.LSTM(input_size=3, hidden_size=12)})
    >>> with record(model) as rec:
    ...     output, _ = model["lstm"](torch.ones(24, 1, 3))
    ...     output.sum().backward()
    >>> rec.gates["lstm"][0].at(gate="f", batch=0)
    NamedArray(layer=1, time=24, unit=12; float32)
    >>> rec.gradients["lstm"][0]
    NamedArray(layer=1, time=24, batch=1; float32)
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be a torch module, got {type(model).__name__}")
    if isinstance(keep, str):
        raise TypeError(f"keep must be a tuple of kinds such as ({keep!r},), got the text {keep!r}")
    keep = tuple(keep)
    unknown = [kind for kind in keep if kind not in KINDS]
    if unknown or not keep:
        raise ValueError(f"keep must name kinds among {list(KINDS)}, got {unknown or keep}")
    modules = {
        path: m for path, m in model.named_modules() if isinstance(m, Recurrent | nn.RNNBase)
    }
    if not modules:
        raise ValueError(
            f"model ({type(model).__name__}) has nothing to record: it needs an RNN, an LSTM or a "
            "GRU of sv.nn or torch.nn inside (a cell called in a loop of your own is not seen, "
            "nor is a scripted or traced model: record the original)"
        )
    for path, module in modules.items():
        if isinstance(module.__dict__.get("forward"), Recorder):
            raise ValueError(f"model is being recorded already (module {path!r}): leave that block")
        if getattr(module, "proj_size", 0):
            raise ValueError(
                f"module {path!r} has proj_size={module.proj_size}; an LSTM whose h is projected "
                "is not recorded, use proj_size=0"
            )

    kinds = {
        kind: [path for path, module in modules.items() if has(module, kind)]
        for name in KINDS
        if name in keep
        for kind in KINDS[name]
    }
    rec = Record(kinds, {path: cell_name(module) for path, module in modules.items()})
    before = {path: module.__dict__.get("forward") for path, module in modules.items()}
    try:
        for path, module in modules.items():
            module.forward = Recorder(module, module.forward, rec, path)
        yield rec
    finally:
        for path, module in modules.items():
            module.__dict__.pop("forward", None)
            if before[path] is not None:
                module.forward = before[path]


class Recorder:
    """Stands in place of a module's `forward` while it is recorded.

    A copy of the model, deep or pickled, has the forward itself: a copy is not recorded.

    Parameters
    ----------
    module : nn.Module
        An RNN, LSTM or GRU.
    forward : callable
        What it ran before.
    rec : Record
        Where to keep what happens.
    path : str
        The module's path in the model.
    """

    def __init__(self, module: nn.Module, forward: Callable, rec: Record, path: str):
        self.module, self.forward, self.rec, self.path = module, forward, rec, path

    def __reduce__(self) -> tuple:
        return _itself, (self.forward,)

    def __call__(self, *args, **kwargs) -> tuple:
        """Run the equations in place of `forward`, and keep what happens."""
        module, path = self.module, self.path
        try:
            input, hx, lengths = _arguments(*args, **kwargs)
        except TypeError as error:
            raise _foreign(path, module, str(error)) from error
        ours = getattr(self.forward, "__func__", None) is Recurrent.forward  # these equations
        drops = module.training and module.dropout > 0 and module.num_layers > 1
        if drops and not ours and module.weight_ih_l0.device.type != "cpu":
            raise ValueError(
                f"module {path!r} drops units between its layers, and only on the CPU the same "
                "units can be drawn again: call model.eval(), or model.cpu(), to record the run"
            )
        random = torch.get_rng_state() if drops else None
        one = module.mode != "LSTM"
        run = unroll(module, input, (hx,) if one and hx is not None else hx, lengths)
        if not ours:
            if drops:
                torch.set_rng_state(random)
            with torch.no_grad():
                results = self.forward(*args, **kwargs)
            if not isinstance(results, tuple) or len(results) != 2:
                raise _foreign(path, module, f"it gives a {type(results).__name__}, not a pair")
            output, last = results
            _assert_equal(path, run, output, (last,) if one else last)
        seen = Observation(module, run)
        for kind in self.rec.kinds:
            if has(module, kind):
                self.rec.keep(kind, path, seen.array(kind), _users_level())
        return run.output, run.last[0] if one else run.last


def _itself(forward: Callable) -> Callable:
    """Give back what a copied or unpickled recorder stood in place of."""
    return forward


def _arguments(input, hx=None, lengths=None) -> tuple:
    """What the forward of a recurrent net takes."""
    return input, hx, lengths


def _foreign(path: str, module: nn.Module, what: str) -> TypeError:
    return TypeError(
        f"the forward of module {path!r} ({type(module).__name__}) does not take and give what "
        f"torch's does: {what}. Put the torch module inside a module of your own and record that"
    )


def _assert_equal(path: str, run: Run, output: Tensor | PackedSequence, last: tuple) -> None:
    """Compare the equations' results with those of the forward that they replace."""
    packed = isinstance(output, PackedSequence)
    ours = (run.output.data if packed else run.output, *run.last)
    theirs = (output.data if packed else output, *last)
    for name, one, other in zip(("output", "h_n", "c_n"), ours, theirs, strict=False):
        if one.shape != other.shape:
            raise AssertionError(
                f"the forward of module {path!r} gives another {name} than the equations: shape "
                f"{tuple(other.shape)}, not {tuple(one.shape)}; only torch's own RNN, LSTM and "
                "GRU can be recorded"
            )
        tolerance = TOLERANCE.get(one.dtype, 1e-2)
        size = max(1.0, other.abs().max().item()) if other.numel() else 1.0  # a ReLU net's states
        if not torch.allclose(one, other, rtol=tolerance, atol=tolerance * size, equal_nan=True):
            raise AssertionError(
                f"the equations and the forward of module {path!r} differ by "
                f"{(one - other).abs().max().item():.1e}, more than {tolerance:.0e}, in {name}; in "
                "a chaotic network rounding grows with time: record model.double()"
            )


def _users_level() -> int:
    """The `stacklevel`, for its caller's warning, of the nearest line outside seqviz and torch."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in OWN:
        level, frame = level + 1, frame.f_back
    return level
