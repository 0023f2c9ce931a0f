"""Recurrent nets while they are recorded: the equations run in place of the fused forward."""

from inspect import signature
from threading import Lock

import torch
from torch import Tensor, nn
from torch.fx.experimental.proxy_tensor import get_proxy_mode
from torch.nn.utils.rnn import PackedSequence

from seqviz.nn.recurrent import Recurrent
from seqviz.nn.unrolling import Run, unroll
from seqviz.recording.observation import DIMS, Observation, check_numbers, has
from seqviz.recording.records import Record
from seqviz.recording.stand_in import StandIn, gap, recomputing, users_level

EXPECTED = signature(Recurrent.forward)
_a_call = Lock()  # is kept as a whole, also where several threads run the model


class Replay(StandIn):
    """Runs the equations of an RNN, LSTM or GRU, and holds them to the forward they replace.

    Parameters
    ----------
    module : nn.Module
    rec : Record
        Where to keep what happens.
    path : str
        The module's path in the model.
    """

    def __init__(self, module: nn.Module, rec: Record, path: str):
        super().__init__(module)
        self.rec, self.path = rec, path
        self.name = f"module {path!r} ({type(module).__name__})"

    @staticmethod
    def kinds(module: nn.Module) -> tuple[str, ...]:
        """Which arrays this cell has."""
        return tuple(kind for kind in DIMS if has(module, kind))

    def __call__(self, *args, **kwargs) -> tuple:
        """Run the equations in place of `forward`, and keep what happens."""
        if leaving():
            return self.forward(*args, **kwargs)
        module = self.module
        input, hx, lengths = self._arguments(args, kwargs)
        ours = getattr(self.forward, "__func__", None) is Recurrent.forward  # these equations
        drops = module.training and module.dropout > 0 and module.num_layers > 1
        if drops and not ours and module.weight_ih_l0.device.type != "cpu":
            raise ValueError(
                f"{self.name} drops units between its layers, and only on the CPU the same ones "
                "can be drawn again: call model.eval(), or model.cpu(), to record the run"
            )
        random = torch.get_rng_state() if drops else None
        one = module.mode != "LSTM"
        start = (hx,) if one and hx is not None else hx
        run = unroll(module, input, start, lengths)
        output, last = run.output, run.last
        check_numbers(last[0])
        if not ours:
            if drops:
                torch.set_rng_state(random)
            with torch.no_grad():
                output, last = self._pair(self.forward(*args, **kwargs))
            output, last = _agreed(self.path, run, output, (last,) if one else last)
        if not recomputing():
            self._keep(Observation(module, run, self.rec.gradient_came))
        return output, last[0] if one else last

    def _keep(self, seen: Observation) -> None:
        kinds = [kind for kind in self.kinds(self.module) if kind in self.rec.kinds]
        arrays = [seen.array(kind) for kind in kinds]
        with _a_call:
            for kind, array in zip(kinds, arrays, strict=True):
                self.rec.keep(kind, self.path, array, users_level())

    def _arguments(self, args: tuple, kwargs: dict) -> list:
        """Bind what the module is called with as the forward of sv.nn's nets does."""
        own = signature(self.forward)
        try:
            own.bind(*args, **kwargs)
        except TypeError as error:
            takes = ", ".join(own.parameters)
            raise TypeError(f"{self.name} takes {takes}: {error}") from error
        try:
            given = EXPECTED.bind(self.module, *args, **kwargs)
        except TypeError as error:
            raise self._foreign(str(error)) from error
        given.apply_defaults()
        return [*given.arguments.values()][1:]

    def _pair(self, results: object) -> tuple:
        """Check that the forward gave two things."""
        if not isinstance(results, tuple) or len(results) != 2:
            raise self._foreign(f"it gives a {type(results).__name__}, not a pair")
        return results

    def _foreign(self, what: str) -> TypeError:
        """Say that a derived class has another kind of forward than the class it derives from."""
        return TypeError(
            f"the forward of {self.name} does not take and give what that of its base class does: "
            f"{what}. Put the base class inside a module of your own and record that"
        )


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
