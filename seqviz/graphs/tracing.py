"""torch.export's own part: a model to its program, or the reason why it is none."""

import inspect
import io
import logging
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import wraps
from pathlib import Path

import torch
from torch import Tensor, nn
from torch._functorch import config
from torch.export import Dim, ExportedProgram
from torch.nn.modules import transformer
from torch.utils._pytree import tree_leaves, tree_map

from seqviz.graphs.recurrent import as_one

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
    for axes in (free, fixed):  # an operation may fit one length only
        for by_numbers in (False, True):
            inside = []
            try:
                with as_one(model), _plainly(model), _watched(model, inside), _in_silence():
                    return _exported(model, call, axes, by_numbers)
            except Exception as error:
                reason = error
            if not _is_by_numbers(reason):
                break
    raise _refusal(model, inside[-1] if inside else "", reason) from reason


def _exported(model: nn.Module, call: tuple, free: tuple, by_numbers: bool) -> ExportedProgram:
    """A program; `by_numbers` lets a trace know the numbers of the example."""
    args, kwargs = call
    shapes = tree_map(lambda axis: None if axis is None else {axis: Dim.AUTO}, free)
    with config.patch(fake_tensor_propagate_real_tensors=by_numbers):
        program = torch.export.export(
            model,
            args,
            kwargs,
            dynamic_shapes={**_by_name(model, shapes[0]), **shapes[1]},
            strict=False,
            prefer_deferred_runtime_asserts_over_guards=True,  # not proven for all lengths
        )
        return program.run_decompositions()


def _is_by_numbers(error: Exception) -> bool:
    return any(sign in str(error) for sign in ("data-dependent", "Data dependent", ".item()"))


@contextmanager
def _plainly(model: nn.Module) -> Iterator[None]:
    """Let a model return its tensors only, and leave its weights as they are, in a block.

    What holds a cache is of a class that torch.export does not know. In a trace a module's weights
    cannot be converted; they are float32 already. A mask that is given to torch's Transformer is
    added as it is: whether it is causal would be read from its numbers.
    """
    forward, convert = model.forward, nn.Module._apply
    detect = transformer._detect_is_causal_mask
    known = {  # what a trace sets holds no numbers
        module: (dict(vars(module)), *(vars(module)[name].copy() for name in REGISTERED))
        for module in model.modules()
    }

    @wraps(forward)
    def tensors(*args, **kwargs):
        return [one for one in tree_leaves(forward(*args, **kwargs)) if isinstance(one, Tensor)]

    model.forward, nn.Module._apply = tensors, lambda module, *_, **__: module
    transformer._detect_is_causal_mask = lambda _, is_causal=None, __=None: is_causal is True
    try:
        yield
    finally:
        nn.Module._apply, transformer._detect_is_causal_mask = convert, detect
        for module, (own, *inside) in known.items():
            vars(module).clear()
            vars(module).update(own)
            for name, of in zip(REGISTERED, inside, strict=True):
                vars(module)[name] = of


@contextmanager
def _in_silence() -> Iterator[None]:
    """Without what torch.export writes beside the error that it raises."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        with (
            warnings.catch_warnings(),
            redirect_stderr(io.StringIO()),
            redirect_stdout(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _by_name(model: nn.Module, shapes: tuple) -> dict:
    """Shapes by the names of a forward's arguments, as torch wants them beside named ones."""
    parameters = inspect.signature(model.forward).parameters.values()
    names = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    found = dict(zip(names, shapes, strict=False))
    rest = [one.name for one in parameters if one.kind is one.VAR_POSITIONAL]
    return found | dict.fromkeys(rest, shapes[len(names) :])


@contextmanager
def _watched(model: nn.Module, inside: list[str]) -> Iterator[None]:
    """Hold the paths of the modules that run, also where an error stopped them, in a block."""

    def leave(*_) -> None:
        inside.pop()

    hooks = []
    for path, module in model.named_modules():
        hooks.append(module.register_forward_pre_hook(lambda *_, path=path: inside.append(path)))
        hooks.append(module.register_forward_hook(leave))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


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
