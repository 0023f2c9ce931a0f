"""A training run on disk: everything that makes a resumed run end bit for bit the same."""

import os
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

FORMAT = "seqviz.training 2"


@dataclass
class History:
    """What a run of :func:`seqviz.training.fit` did.

    Attributes
    ----------
    loss : list of float
        The loss of each step, before the step was taken.
    seconds : float
        Time spent, over all sessions if the run was resumed.
    interrupted : bool
        Whether Ctrl-C ended it early.
    """

    loss: list[float] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def steps(self) -> int:
        """Number of steps taken."""
        return len(self.loss)


class Feed:
    """Batches without end, and the place in them as something that can be saved."""

    def __init__(self, batches: Iterable):
        # a DataLoader may have its own, and its sampler the same or another
        owners = (batches, getattr(batches, "sampler", None))
        found = (getattr(owner, "generator", None) for owner in owners)
        self.batches = batches
        self.generators = list(dict.fromkeys(g for g in found if isinstance(g, torch.Generator)))
        self.iterator, self.position, self.started = None, 0, self.random()

    def _start_pass(self) -> None:
        self.position, self.started = 0, self.random()
        self.iterator = iter(self.batches)

    def next(self) -> Any:
        """Give the next batch, of a new pass if this one is over."""
        for _ in range(2):
            if self.iterator is None:
                self._start_pass()
            for batch in self.iterator:
                self.position += 1
                return batch
            self.iterator = None
        raise ValueError("batches must give at least one batch in each pass, got none")

    def move_to(self, started: dict, position: int, now: dict) -> None:
        """Begin the pass as it was begun, skip what was read, and restore the generators."""
        then, here = len(started["batches"]), len(self.generators)
        if then != here:
            raise ValueError(
                f"batches must be those of the checkpoint, with {then} generators of their own; "
                f"got {here}"
            )
        self.set_random(started)
        self._start_pass()
        self.position = sum(1 for _ in islice(self.iterator, position))
        if self.position < position:
            raise ValueError(
                f"batches must be those of the checkpoint, where {position} were read from a "
                f"pass; got only {self.position}"
            )
        self.set_random(now)

    def random(self) -> dict[str, Any]:
        """Take the state of every generator that a step may draw from, as plain values."""
        name, keys, *rest = np.random.get_state()  # noqa: NPY002 - the global one
        state = {
            "python": random.getstate(),
            "numpy": (name, torch.from_numpy(keys.astype(np.int64)), *rest),
            "torch": torch.get_rng_state(),
        }
        if torch.cuda.is_available():
            state["cuda"] = torch.cuda.get_rng_state_all()
        if torch.backends.mps.is_available():
            state["mps"] = torch.mps.get_rng_state()
        state["batches"] = [generator.get_state() for generator in self.generators]
        return state

    def set_random(self, state: dict[str, Any]) -> None:
        """Put every generator back into a state that :meth:`random` took."""
        name, keys, *rest = state["numpy"]
        random.setstate(state["python"])
        np.random.set_state((name, keys.numpy().astype(np.uint32), *rest))  # noqa: NPY002
        torch.set_rng_state(state["torch"])
        if "cuda" in state and torch.cuda.is_available():
            torch.cuda.set_rng_state_all(state["cuda"])
        if "mps" in state and torch.backends.mps.is_available():
            torch.mps.set_rng_state(state["mps"])
        for generator, own in zip(self.generators, state["batches"], strict=True):
            generator.set_state(own)


def write(path: Path, model, optimizer, history: History, feed: Feed) -> None:
    """Write beside the file and move over it, so that a crash leaves the old file or the new."""
    part = path.with_name(path.name + ".part")
    content = {
        "format": FORMAT,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "optimizer_name": type(optimizer).__name__,
        "loss": history.loss,
        "seconds": history.seconds,
        "pass": (feed.started, feed.position, feed.random()),
    }
    try:
        with part.open("wb") as file:
            torch.save(content, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def read(path: Path, model, optimizer, history: History, feed: Feed, steps: int) -> None:
    """Bring everything to where the checkpoint was saved, or leave model and optimizer alone."""
    fix = "delete it to start again, or name another checkpoint"
    with path.open("rb") as file:
        try:
            content = torch.load(file, map_location="cpu", weights_only=True)
            known = content["format"] == FORMAT
        except Exception as error:
            raise ValueError(
                f"checkpoint {path} is damaged or was not made by fit: {fix}"
            ) from error
    if not known:
        raise ValueError(f"checkpoint {path} has another format than {FORMAT!r}: {fix}")
    if len(content["loss"]) > steps:
        raise ValueError(
            f"steps must be at least {len(content['loss'])}, the steps that checkpoint {path} has "
            f"done, got {steps}: {fix}"
        )
    saved, ours = content["model"], model.state_dict()
    for name in [*ours, *(saved.keys() - ours.keys())]:
        there, here = (_kind(state, name) for state in (saved, ours))
        if there != here:
            raise ValueError(
                f"checkpoint {path} belongs to another model ({name} {there} there and {here} "
                f"here): {fix}"
            )
    if content["optimizer_name"] != type(optimizer).__name__:
        raise ValueError(
            f"checkpoint {path} belongs to the optimizer {content['optimizer_name']}, "
            f"not {type(optimizer).__name__}: {fix}"
        )
    feed.move_to(*content["pass"])
    optimizer.load_state_dict(content["optimizer"])
    model.load_state_dict(saved)
    history.loss, history.seconds = content["loss"], content["seconds"]


def _kind(state: dict[str, Any], name: str) -> str:
    """What stands under a name of a state dict, in words."""
    if name not in state:
        return "is missing"
    value = state[name]
    if not isinstance(value, torch.Tensor):
        return f"is a {type(value).__name__}"
    return f"has shape {tuple(value.shape)} of {value.dtype}"
