"""One training loop: live loss, safe to interrupt, and resumed exactly."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils import clip_grads_with_norm_, get_total_norm
from tqdm.std import tqdm

from seqviz.arguments import (
    checked_flag,
    checked_integer,
    checked_number,
    checked_path,
    refuse_meta_model,
)
from seqviz.checkpoint import Feed, History, read, write
from seqviz.interrupting import Interrupt


def fit(
    model: nn.Module,
    loss: Callable[[nn.Module, Any], Tensor],
    batches: Iterable,
    steps: int,
    *,
    lr: float | None = None,
    optimizer: torch.optim.Optimizer | None = None,
    clip_norm: float | None = None,
    checkpoint: str | os.PathLike | None = None,
    checkpoint_every: int = 100,
    progress: bool = True,
    on_step: Callable[[int, float], None] | None = None,
) -> History:
    """Train a model by gradient descent (deck 003: forward, loss, backward, step).

    Ctrl-C finishes the step, saves the checkpoint if there is one, and returns; a second Ctrl-C
    stops at once. With a checkpoint the run can also be killed: called again with the same
    arguments, `fit` goes on from the file and ends with the weights, bit for bit, that one
    uninterrupted run would have given. The file holds torch's, NumPy's and Python's global
    generators and those of a DataLoader and its sampler. It does not hold what `loss`, `on_step`,
    a data set, a sampler or a worker process keeps for itself.

    Parameters
    ----------
    model : nn.Module
        Trained in place, in training mode; afterwards each part is in the mode it had before.
    loss : callable
        ``loss(model, batch)`` gives a scalar tensor.
    batches : iterable
        Gone through again and again: a list, a DataLoader, ``sv.data.windows(...)``. If its order
        is random, it is drawn when a pass begins.
    steps : int
        Number of steps in total, with those of the checkpoint.
    lr : float, optional
        Learning rate of Adam, 1e-2 if not given. Not together with `optimizer`.
    optimizer : torch.optim.Optimizer, optional
        Over the model's parameters. From a checkpoint it takes its state, learning rate included.
    clip_norm : float, optional
        Longest norm of the gradient over all parameters.
    checkpoint : path, optional
        File to save to and to resume from. It is replaced as a whole or not at all.
    checkpoint_every : int
        Steps between two saves; one more comes at the end.
    progress : bool
        Whether to show a bar with the loss.
    on_step : callable
        ``on_step(step, loss)`` after each step, counted from 1. It may change the optimizer.

    Returns
    -------
    History

    Raises
    ------
    TypeError
        If an argument has the wrong type; `batches` that can be read only once is one.
    ValueError
        If a number is out of range, `lr` stands beside `optimizer`, `optimizer` has parameters
        that are not the model's, the model has none to train, `batches` is empty, or the
        checkpoint is damaged, has more than `steps` steps, or belongs to another model, optimizer
        or `batches`.
    FloatingPointError
        If the loss, the gradient or the weights are not finite. It carries ``history``. A bad
        loss or gradient stops before the step, so that the weights are the last good ones. The
        weights are looked at before each save and at the end.
    """
    _check(model, loss, batches, lr, clip_norm, on_step)
    steps = checked_integer("steps", steps, 1)
    checkpoint_every = checked_integer("checkpoint_every", checkpoint_every, 1)
    if lr is not None and optimizer is not None:
        raise ValueError(f"lr must not be given with an optimizer, which has its own; got {lr!r}")
    progress = checked_flag("progress", progress)
    path = None if checkpoint is None else checked_path("checkpoint", checkpoint)
    parameters = [p for p in model.parameters() if p.requires_grad]
    if optimizer is None:
        if not parameters:
            raise ValueError("model must have parameters that require a gradient, got none")
        optimizer = torch.optim.Adam(parameters, 1e-2 if lr is None else lr)
    _check_optimizer(optimizer, model)
    history, feed = History(), Feed(batches)
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            read(path, model, optimizer, history, feed, steps)
            print(f"Resumed from {path} after step {history.steps}.")
    resumed, began = history.steps, time.perf_counter() - history.seconds

    def check_weights() -> None:
        if not all(p.isfinite().all() for p in parameters):
            raise _diverged(f"the weights after step {history.steps} are not finite", history)

    def save() -> None:
        check_weights()
        history.seconds = time.perf_counter() - began
        write(path, model, optimizer, history, feed)

    modes = {module: module.training for module in model.modules()}
    model.train()
    bar = tqdm(
        total=steps,
        initial=resumed,
        file=sys.stdout,
        mininterval=0.5,
        ncols=80,
        unit="step",
        disable=not progress or resumed >= steps,
    )
    try:
        with bar, Interrupt() as interrupt:
            while history.steps < steps and not interrupt.asked:
                value = loss(model, feed.next())
                number = _checked_loss(value, history)
                optimizer.zero_grad()
                value.backward()
                gradients = [p.grad for p in parameters if p.grad is not None]
                norm = get_total_norm(gradients)
                if not norm.isfinite():
                    raise _diverged(f"the gradient of step {history.steps + 1} is {norm}", history)
                if clip_norm is not None:
                    clip_grads_with_norm_(parameters, clip_norm, norm)
                optimizer.step()
                history.loss.append(number)
                bar.set_postfix_str(f"loss {number:.4f}", refresh=False)
                bar.update()
                if on_step is not None:
                    on_step(history.steps, number)
                if path is not None and history.steps % checkpoint_every == 0:
                    save()
            check_weights()
            if path is not None and history.steps > resumed and history.steps % checkpoint_every:
                save()
    finally:
        history.seconds = time.perf_counter() - began
        for module, mode in modes.items():
            module.training = mode
    history.interrupted = history.steps < steps
    if history.interrupted:
        saved = "no checkpoint was asked for" if path is None else f"saved in {path}"
        print(f"Interrupted after step {history.steps} of {steps}; {saved}.")
    return history


def _check(model, loss, batches, lr, clip_norm, on_step) -> None:
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be a torch module, got {type(model).__name__}")
    if not callable(loss):
        raise TypeError(f"loss must be a function loss(model, batch), got {type(loss).__name__}")
    if isinstance(batches, Iterator | str) or not isinstance(batches, Iterable):
        raise TypeError(
            f"batches must be something to go through many times, got {type(batches).__name__}: "
            "use a list or a DataLoader, list(...) makes one of a generator"
        )
    if on_step is not None and not callable(on_step):
        raise TypeError(f"on_step must be a function on_step(step, loss), got {on_step!r}")
    if lr is not None:
        checked_number("lr", lr, above=0)
    if clip_norm is not None:
        checked_number("clip_norm", clip_norm, above=0, infinite=True)
    refuse_meta_model(model)


def _check_optimizer(optimizer, model: nn.Module) -> None:
    """Refuse what would not train the model, or something else with it."""
    if not isinstance(optimizer, torch.optim.Optimizer):
        raise TypeError(
            "optimizer must be one of torch.optim, such as torch.optim.SGD(model.parameters(), "
            f"lr=0.1), got {optimizer!r}"
        )
    own = {id(p) for p in model.parameters()}
    theirs = [p for group in optimizer.param_groups for p in group["params"]]
    if foreign := sum(id(p) not in own for p in theirs):
        raise ValueError(
            f"optimizer must be over the model's parameters, but {foreign} of its {len(theirs)} "
            "are not among them: make it with model.parameters(), of the model that is trained"
        )


def _checked_loss(value: Tensor, history: History) -> float:
    if not isinstance(value, Tensor):
        raise TypeError(f"loss must return a tensor, got {type(value).__name__}")
    if value.dim() != 0 or not value.requires_grad:
        raise ValueError(
            "loss must return a scalar that depends on the model's parameters, "
            f"got shape {tuple(value.shape)} with requires_grad={value.requires_grad}"
        )
    if not value.isfinite():
        raise _diverged(f"the loss of step {history.steps + 1} is {value.item()}", history)
    return value.item()


def _diverged(what: str, history: History) -> FloatingPointError:
    last = f"the last finite loss was {history.loss[-1]:.4g}" if history.loss else "no step is done"
    error = FloatingPointError(f"{what}; {last}. Lower lr, or set clip_norm (1.0 is usual).")
    error.history = history
    return error
