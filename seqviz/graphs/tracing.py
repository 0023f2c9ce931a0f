"""torch.export's own part: a model to its program, or the reason why it is none."""

import inspect
import io
import logging
import traceback
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stderr, redirect_stdout
from functools import wraps
from pathlib import Path

import torch
from torch import Tensor, nn
from torch._functorch import config
from torch.export import Dim, ExportedProgram
from torch.utils._pytree import tree_leaves, tree_map

from seqviz.graphs.recurrent import as_one

LOGS = ("torch.fx.experimental.symbolic_shapes", "torch._export.non_strict_utils")
TORCH = str(Path(torch.__file__).parent)
BY_NUMBERS = (
    "it decides by the numbers of a tensor (.item(), if x.sum() > 0, x[mask]): compute both ways "
    "and choose with torch.where"
)
REGISTERED = ("_parameters", "_buffers", "_modules")
PLAIN = "write this line with torch's operations on tensors"


def program_of(model: nn.Module, call: tuple, free: tuple) -> ExportedProgram:
    """The program of a model; `free` has the axis of each tensor that has any length, or None.

    Where a model decides by the numbers of a tensor, its program goes the example's way, and has
    an assertion that stops it for a text that would go another one.
    """
    fixed = tree_map(lambda _: None, call)
    inside = _Inside(model)
    for axes in (free, fixed):  # an operation may fit one length only
        for by_numbers in (False, True):
            try:
                with _by_numbers(by_numbers), as_one(model), _plainly(model), inside, _in_silence():
                    return _exported(model, call, axes)
            except Exception as error:
                reason = error
            if not _is_by_numbers(reason):
                break
    raise _refusal(model, inside.path, reason) from reason


def _exported(model: nn.Module, call: tuple, free: tuple) -> ExportedProgram:
    args, kwargs = call
    shapes = tree_map(_shape, free, is_leaf=lambda one: one is None)
    program = torch.export.export(
        model,
        args,
        kwargs,
        dynamic_shapes={**_by_name(model, shapes[0]), **shapes[1]},
        strict=False,
        prefer_deferred_runtime_asserts_over_guards=True,  # not proven for all lengths
    )
    return program.run_decompositions()


def _by_numbers(wanted: bool) -> AbstractContextManager:
    """Whether the example's numbers are known while a model is traced."""
    return config.patch(fake_tensor_propagate_real_tensors=wanted)


def _is_by_numbers(error: Exception) -> bool:
    return any(sign in str(error) for sign in ("data-dependent", "Data dependent", ".item()"))


def _shape(axis: int | None) -> dict | None:
    return None if axis is None else {axis: Dim.AUTO}


@contextmanager
def _plainly(model: nn.Module) -> Iterator[None]:
    """Let a model return its tensors only, and leave its weights as they are, in a block.

    What holds a cache is of a class that torch.export does not know. In a trace a module's weights
    cannot be converted; they are float32 already.
    """
    forward, convert = model.forward, nn.Module._apply
    known = {  # what a trace sets holds no numbers
        module: (dict(vars(module)), *(vars(module)[name].copy() for name in REGISTERED))
        for module in model.modules()
    }

    @wraps(forward)
    def tensors(*args, **kwargs):
        return [one for one in tree_leaves(forward(*args, **kwargs)) if isinstance(one, Tensor)]

    model.forward, nn.Module._apply = tensors, lambda module, *_, **__: module
    try:
        yield
    finally:
        nn.Module._apply = convert
        for module, (own, *inside) in known.items():
            vars(module).clear()
            vars(module).update(own)
            for name, of in zip(REGISTERED, inside, strict=True):
                vars(module)[name] = of


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
    fix = BY_NUMBERS if _is_by_numbers(error) else PLAIN
    reason = " ".join(text.split("\n")[0].split())[:160]
    return ValueError(f"model: {name} cannot be written as a graph: {where}{line}: {reason}: {fix}")
