"""Recurrent nets while they are recorded: the equations run in place of the fused forward."""

from inspect import signature
from threading import Lock
from types import CodeType

import torch
from torch import Tensor, nn
from torch.fx.experimental.proxy_tensor import get_proxy_mode
from torch.nn.utils.rnn import PackedSequence

from seqviz.nn.recurrent import Recurrent
from seqviz.nn.unrolling import Run, unroll
from seqviz.recording.observation import DIMS, Observation, check_numbers, has
from seqviz.recording.stand_in import StandIn, gap, recomputing

EXPECTED = signature(Recurrent.forward)
_a_call = Lock()  # is kept as a whole, also where several threads run the model


class Replay(StandIn):
    """Runs the equations of an RNN, LSTM or GRU, and holds them to the forward they replace."""

    @staticmethod
    def kinds(module: nn.Module) -> tuple[str, ...]:
        """Which arrays this cell has."""
        return tuple(kind for kind in DIMS if has(module, kind))

    @property
    def __code__(self) -> CodeType:
        """The forward's: an export asks for it."""
        return self.forward.__code__

    def __call__(self, *args, **kwargs) -> tuple:
        """Run the equations in place of `forward`, and keep what happens."""
        if leaving():
            return self.forward(*args, **kwargs)
        module = self.module
        input, hx, lengths = self.arguments(EXPECTED, args, kwargs).values()
        ours = self.runs(Recurrent.forward)  # these equations
        drops = module.training and module.dropout > 0 and module.num_layers > 1
        if drops and not ours:
            self.check_device(module.weight_ih_l0.device, "units between its layers")
        random = torch.get_rng_state() if drops else None
        one = module.mode != "LSTM"
        start = (hx,) if one and hx is not None else hx
        run = unroll(module, input, start, lengths, one_product=False)
        output, last = run.output, run.last
        check_numbers(last[0])
        if not ours:
            if drops:
                torch.set_rng_state(random)
            with torch.no_grad():
                output, last = self.pair(self.forward(*args, **kwargs))
            output, last = _agreed(self.path, run, output, (last,) if one else last)
        if not recomputing():
            self._keep(Observation(module, run, self.rec.gradient_came))
        return output, last[0] if one else last

    def _keep(self, seen: Observation) -> None:
        kinds = [kind for kind in self.kinds(self.module) if kind in self.rec.kinds]
        arrays = [seen.array(kind) for kind in kinds]
        with _a_call:
            for kind, array in zip(kinds, arrays, strict=True):
                self.keep(kind, array)


def leaving() -> bool:
    """Whether the model is traced or exported: what leaves the block is the model itself."""
    return torch.jit.is_tracing() or torch.compiler.is_exporting() or get_proxy_mode() is not None


def _agreed(
    path: str, run: Run, output: Tensor | PackedSequence, last: tuple
) -> tuple[Tensor | PackedSequence, tuple]:
    """The equations' results in the dtypes of the forward's that they replace, and equal to them.

    Under autocast the two round at different places, and are compared in the dtype it computes in.
    """
    packed = isinstance(output, PackedSequence)
    ours = (run.output.data if packed else run.output, *run.last)
    theirs = (output.data if packed else output, *last)
    device = ours[0].device.type
    half = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else None
    outside = ", outside torch.autocast" if half else ""
    for name, one, other in zip(("output", "h_n", "c_n"), ours, theirs, strict=False):
        if one.shape != other.shape:
            raise AssertionError(
                f"the forward of module {path!r} gives another {name} than the equations: shape "
                f"{tuple(other.shape)}, not {tuple(one.shape)}; only torch's own RNN, LSTM and "
                "GRU can be recorded"
            )
        if wide := gap(one.to(half or one.dtype), other.to(half or one.dtype)):
            raise AssertionError(
                f"the equations and the forward of module {path!r} differ by {wide} in {name}; in "
                f"a chaotic network rounding grows with time: record model.double(){outside}"
            )
    first, *rest = (one.to(other.dtype) for one, other in zip(ours, theirs, strict=True))
    return (run.output._replace(data=first) if packed else first), tuple(rest)
