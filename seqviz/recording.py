"""What happened inside a model while it ran, as named arrays."""

import json
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from os import PathLike

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from seqviz.nn.recurrent import RNN, hidden_states, output_and_state

KINDS = {"hidden": ("layer", "time", "batch", "unit")}
WARN_BYTES = 2**30
TOLERANCE = {torch.float64: 1e-10, torch.float32: 1e-5}


@dataclass(frozen=True, eq=False, repr=False)
class NamedArray:
    """An array whose axes have names; numpy takes it as it is.

    Parameters
    ----------
    values : numpy.ndarray
    dims : tuple of str
        A name for each axis.

    Raises
    ------
    ValueError
        If the numbers of names and axes differ.
    """

    values: np.ndarray
    dims: tuple[str, ...]

    def __post_init__(self):
        if len(self.dims) != self.values.ndim:
            raise ValueError(
                f"dims must name {self.values.ndim} axes of shape {self.shape}, got {self.dims}"
            )

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis."""
        return self.values.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self.values.ndim

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        axes = ", ".join(f"{d}={n}" for d, n in zip(self.dims, self.shape, strict=True))
        return f"NamedArray({axes}; {self.values.dtype})"


class Record:
    """What a run left behind: an attribute for each kind kept, such as ``rec.hidden``.

    Each is a dict from a module's path to the list of its calls in order, as NamedArrays. The
    path of the model itself is "". ``hidden`` has the axes layer, time, batch, unit, whatever the
    layout of the model's input. ``nbytes`` is the size of all arrays.
    """

    def __init__(self, modules: dict[str, Iterable[str]]):
        kept = {kind: {path: [] for path in paths} for kind, paths in modules.items()}
        self._kept = kept
        self.nbytes = 0

    def __getattr__(self, name: str) -> dict[str, list[NamedArray]]:
        kept = self.__dict__.get("_kept", {})
        if name in kept:
            return kept[name]
        raise AttributeError(f"this record has no {name!r}; it keeps {', '.join(kept)}")

    def __repr__(self) -> str:
        parts = [
            f"{kind}[{path!r}]: {len(calls)} call{'s' * (len(calls) != 1)}"
            for kind, modules in self._kept.items()
            for path, calls in modules.items()
        ]
        return f"Record({'; '.join(parts)})"

    def _append(self, kind: str, path: str, call: NamedArray) -> None:
        self._kept[kind][path].append(call)
        self.nbytes += call.values.nbytes

    def save(self, path: str | PathLike) -> None:
        """Write the record to an npz file, exactly at `path`."""
        header = {
            kind: {name: [call.dims for call in calls] for name, calls in modules.items()}
            for kind, modules in self._kept.items()
        }
        arrays = [
            call.values
            for modules in self._kept.values()
            for calls in modules.values()
            for call in calls
        ]
        with open(path, "wb") as file:
            np.savez(file, *arrays, header=np.array(json.dumps(header)))

    @classmethod
    def load(cls, path: str | PathLike) -> "Record":
        """Read a record that :meth:`save` wrote.

        Raises
        ------
        ValueError
            If the file is not a record.
        """
        with open(path, "rb") as stored:
            try:
                file = np.load(stored, allow_pickle=False)
                header = json.loads(str(file["header"]))
                rec = cls(header)
                names = (f"arr_{i}" for i in range(len(file.files)))
                for kind, modules in header.items():
                    for module, calls in modules.items():
                        for dims in calls:
                            call = NamedArray(file[next(names)], tuple(dims))
                            rec._append(kind, module, call)
            except Exception as error:
                raise ValueError(
                    f"{path} is not a record, or it is damaged: name a file that Record.save wrote"
                ) from error
        return rec


@contextmanager
def record(model: nn.Module, keep: Sequence[str] = ("hidden",)) -> Iterator[Record]:
    """Record what happens inside a model while the block runs.

    Every ``sv.nn.RNN`` and ``torch.nn.RNN`` in the model is recorded, also when it is the model.
    The fused forward of a ``torch.nn.RNN`` is replaced by the equations with its own weights, and
    the two results must agree (1e-5 in float32, 1e-10 in float64); so is the forward of a class
    derived from either. Gradients flow as ever. When the block is left the model is as it was.

    Not recorded yet: a bidirectional RNN and a packed sequence, and of all but a plain
    ``sv.nn.RNN`` a run with dropout in training.

    Parameters
    ----------
    model : nn.Module
        On any device; the arrays are copied to the CPU.
    keep : sequence of str
        The kinds to keep: ``"hidden"``, the states of every layer at every time.

    Yields
    ------
    Record

    Raises
    ------
    TypeError
        If `model` is not a module, or `keep` is a string.
    ValueError
        If a kind is unknown; if the model has nothing to record, or is being recorded already;
        if it is one of those not recorded yet.
    AssertionError
        If the equations give another result than the forward they replace.

    Examples
    --------
    >>> with record(model) as rec:
    ...     model(ids)
    >>> rec.hidden["rnn"][0].shape
    (1, 4, 1, 8)
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be a torch module, got {type(model).__name__}")
    if isinstance(keep, str):
        raise TypeError(f"keep must be a tuple of kinds such as ({keep!r},), got the text {keep!r}")
    unknown = [kind for kind in keep if kind not in KINDS]
    if unknown or not keep:
        raise ValueError(f"keep must name kinds among {list(KINDS)}, got {unknown or keep}")
    modules = {path: m for path, m in model.named_modules() if isinstance(m, RNN | nn.RNN)}
    if not modules:
        raise ValueError(
            f"model ({type(model).__name__}) has nothing to record: "
            "it needs an sv.nn.RNN or a torch.nn.RNN inside"
        )
    for path, module in modules.items():
        if getattr(module.__dict__.get("forward"), "func", None) is _recorded:
            raise ValueError(f"model is being recorded already (module {path!r}): leave that block")
        if getattr(module, "bidirectional", False):
            raise ValueError(f"module {path!r} is bidirectional; only one direction is recorded")

    rec = Record(dict.fromkeys(keep, modules))
    before = {path: module.__dict__.get("forward") for path, module in modules.items()}
    try:
        for path, module in modules.items():
            module.forward = partial(_recorded, module, module.forward, rec, path)
        yield rec
    finally:
        for path, module in modules.items():
            del module.forward
            if before[path] is not None:
                module.forward = before[path]


def _recorded(module, forward, rec: Record, path: str, input: Tensor, hx: Tensor | None = None):
    """Run the equations in place of `forward`, and keep every state."""
    if isinstance(input, PackedSequence):
        raise ValueError(f"module {path!r} reads a packed sequence; pad it to record the run")
    ours = getattr(forward, "__func__", None) is RNN.forward  # these equations themselves
    if not ours and module.training and module.dropout > 0 and module.num_layers > 1:
        raise ValueError(f"module {path!r} uses dropout; call model.eval() to record the run")
    states = hidden_states(module, input, hx)
    output, h_n = output_and_state(module, input, states)
    if not ours:
        with torch.no_grad():
            theirs = forward(input, hx)
        _assert_equal(path, (output, h_n), theirs)
    _keep(rec, "hidden", path, states)
    return output, h_n


def _assert_equal(path: str, results: tuple[Tensor, Tensor], theirs: tuple) -> None:
    """Compare the equations' output and last state with the replaced forward's."""
    for name, one, other in zip(("output", "h_n"), results, theirs, strict=True):
        if one.shape != other.shape:
            raise AssertionError(
                f"the forward of module {path!r} gives another {name} than the equations: shape "
                f"{tuple(other.shape)}, not {tuple(one.shape)}; only an Elman RNN is recorded"
            )
        tolerance = TOLERANCE.get(one.dtype, 1e-2)
        if not torch.allclose(one, other, rtol=tolerance, atol=tolerance, equal_nan=True):
            raise AssertionError(
                f"the equations and the forward of module {path!r} differ by "
                f"{(one - other).abs().max().item():.1e}, more than {tolerance:.0e}, in {name}; in "
                "a chaotic network rounding grows with time: record model.double()"
            )


def _keep(rec: Record, kind: str, path: str, values: Tensor) -> None:
    """Copy one call's values to the CPU, with a warning before the record passes 1 GB."""
    values = values.detach().cpu()
    if values.dtype == torch.bfloat16:  # numpy has no bfloat16
        values = values.float()
    if rec.nbytes <= WARN_BYTES < rec.nbytes + values.nbytes:
        warnings.warn(
            f"the record of {kind!r} grows beyond {WARN_BYTES / 2**30:g} GB: "
            "record fewer calls, a smaller batch or a shorter sequence",
            stacklevel=_users_level(),
        )
    rec._append(kind, path, NamedArray(values.numpy().copy(), KINDS[kind]))


def _users_level() -> int:
    """The `stacklevel`, for its caller's warning, of the nearest line outside seqviz and torch."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_globals["__name__"].split(".")[0] in ("seqviz", "torch"):
        level, frame = level + 1, frame.f_back
    return level
