"""Recurrent nets while they are recorded: the equations run in place of the fused forward."""

from inspect import signature

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from seqviz.nn.recurrent import Recurrent
from seqviz.nn.unrolling import Run, unroll
from seqviz.recording.observation import DIMS, Observation, has
from seqviz.recording.stand_in import StandIn, gap, recomputing

EXPECTED = signature(Recurrent.forward)


class Replay(StandIn):
    """Runs the equations of an RNN, LSTM or GRU, and holds them to the forward they replace."""

    @staticmethod
    def kinds(module: nn.Module) -> tuple[str, ...]:
        """Which arrays this cell has."""
        return tuple(kind for kind in DIMS if has(module, kind))

    def __call__(self, *args, **kwargs) -> tuple:
        """Run the equations in place of `forward`, and keep what happens."""
        module, path = self.module, self.path
        input, hx, lengths = self.arguments(EXPECTED, args, kwargs).values()
        ours = self.runs(Recurrent.forward)  # these equations
        drops = module.training and module.dropout > 0 and module.num_layers > 1
        if drops and not ours:
            self.check_device(module.weight_ih_l0.device, "units between its layers")
        random = torch.get_rng_state() if drops else None
        one = module.mode != "LSTM"
        run = unroll(module, input, (hx,) if one and hx is not None else hx, lengths)
        if not ours:
            if drops:
                torch.set_rng_state(random)
            with torch.no_grad():
                output, last = self.pair(self.forward(*args, **kwargs))
            _assert_equal(path, run, output, (last,) if one else last)
        if not recomputing():
            self._keep(Observation(module, run, self.rec.gradient_came))
        return run.output, run.last[0] if one else run.last

    def _keep(self, seen: Observation) -> None:
        for kind in self.kinds(self.module):
            if kind in self.rec.kinds:
                self.keep(kind, seen.array(kind))


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
        if wide := gap(one, other):
            raise AssertionError(
                f"the equations and the forward of module {path!r} differ by {wide} in {name}; in "
                "a chaotic network rounding grows with time: record model.double()"
            )
