"""torch.export's own part: a model to its program, or the reason why it is none."""

import inspect
import io
import logging
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import torch
from torch import nn
from torch.export import Dim, ExportedProgram
from torch.utils._pytree import tree_map

from seqviz.graphs.recurrent import as_one

LOGS = ("torch.fx.experimental.symbolic_shapes", "torch._export.non_strict_utils")
TORCH = str(Path(torch.__file__).parent)
BY_NUMBERS = (
    "it decides by the numbers of a tensor (.item(), if x.sum() > 0, x[mask]): compute both ways "
    "and choose with torch.where"
)
PLAIN = "write this line with torch's operations on tensors"


def program_of(model: nn.Module, call: tuple, free: tuple) -> ExportedProgram:
    """The program of a model; `free` has the axis of each tensor that has any length, or None."""
    args, kwargs = call
    shapes = tree_map(_shape, free, is_leaf=lambda one: one is None)
    inside = _Inside(model)
    try:
        with as_one(model), inside, _in_silence():
            program = torch.export.export(
                model,
                args,
                kwargs,
                dynamic_shapes={**_by_name(model, shapes[0]), **shapes[1]},
                strict=False,
                prefer_deferred_runtime_asserts_over_guards=True,  # not proven for all lengths
            )
            return program.run_decompositions()
    except Exception as error:
        fixed = tree_map(lambda _: None, call)
        if free != fixed:  # an operation may fit one length only
            return program_of(model, call, fixed)
        raise _refusal(model, inside.path, error) from error


def _shape(axis: int | None) -> dict | None:
    return None if axis is None else {axis: Dim.AUTO}


@contextmanager
def _in_silence() -> Iterator[None]:
    """Without what torch.export writes beside the error that it raises."""
    logs = [logging.getLogger(name) for name in LOGS]
    before = [log.disabled for log in logs]
    for log in logs:
        log.disabled = True
    try:
        with (
            warnings.catch_warnings(),
            redirect_stderr(io.StringIO()),
            redirect_stdout(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        for log, was in zip(logs, before, strict=True):
            log.disabled = was


def _by_name(model: nn.Module, shapes: tuple) -> dict:
    """Shapes by the names of a forward's arguments, as torch wants them beside named ones."""
    parameters = inspect.signature(model.forward).parameters.values()
    names = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    found = dict(zip(names, shapes, strict=False))
    rest = [one.name for one in parameters if one.kind is one.VAR_POSITIONAL]
    return found | dict.fromkeys(rest, shapes[len(names) :])


class _Inside:
    """Knows in which module a run stopped."""

    def __init__(self, model: nn.Module):
        self.model, self.path, self.hooks, self.stack = model, "", [], []

    def __enter__(self) -> "_Inside":
        for path, module in self.model.named_modules():
            enter = module.register_forward_pre_hook(lambda *_, path=path: self._enter(path))
            leave = module.register_forward_hook(lambda *_: self._leave())
            self.hooks += [enter, leave]
        return self

    def __exit__(self, *_) -> None:
        for hook in self.hooks:
            hook.remove()

    def _enter(self, path: str) -> None:
        self.stack.append(path)
        self.path = path

    def _leave(self) -> None:
        self.stack.pop()
        self.path = self.stack[-1] if self.stack else ""


def _refusal(model: nn.Module, path: str, error: Exception) -> ValueError:
    name = type(model).__name__
    text = str(error) or type(error).__name__
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(TORCH) and "seqviz/graphs" not in frame.filename
    ]
    line = f" at `{own[-1].line}`" if own and own[-1].line else ""
    where = f"module {path!r}" if path else "the model"
    by_numbers = any(sign in text for sign in ("data-dependent", "Data dependent", ".item()"))
    fix = BY_NUMBERS if by_numbers else PLAIN
    reason = " ".join(text.split("\n")[0].split())[:160]
    return ValueError(f"model: {name} cannot be written as a graph: {where}{line}: {reason}: {fix}")
