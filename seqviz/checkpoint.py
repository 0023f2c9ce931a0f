"""A training run on disk: everything that makes a resumed run end bit for bit the same."""

import io
import random
import shutil
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
import torch

from seqviz.files import replacing

FORMAT = "seqviz.training 2"
CONTENT = {
    "model": dict,
    "optimizer": dict,
    "optimizer_name": str,
    "loss": list,
    "seconds": float,
    "pass": tuple,
}


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
        for generator, own in zip(self.generators, state["batches"], strict=False):
            generator.set_state(own)


def write(path: Path, model, optimizer, history: History, feed: Feed) -> None:
    """Write the checkpoint as a whole, so that a crash or a full disk leaves the old one."""
    content = {
        "format": FORMAT,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "optimizer_name": type(optimizer).__name__,
        "loss": history.loss,
        "seconds": history.seconds,
        "pass": (feed.started, feed.position, feed.random()),
    }
    archive = io.BytesIO()
    torch.save(content, archive)
    size = archive.tell()
    try:
        with replacing(path) as file:
            file.write(archive.getbuffer())
    except OSError as error:
        raise OSError(
            error.errno,
            f"checkpoint {path} could not be written ({error.strerror or error}): it needs "
            f"{size / 1e6:,.1f} MB, and the disk of {path.parent} has {_free(path.parent)}. Make "
            "room there, or name another checkpoint; what was saved before is still there",
        ) from error


def _free(folder: Path) -> str:
    """How much room a disk has, in words."""
    try:
        return f"{shutil.disk_usage(folder).free / 1e6:,.1f} MB left"
    except OSError as error:
        return f"no answer ({error.strerror})"


def read(path: Path, model, optimizer, history: History, feed: Feed, steps: int) -> None:
    """Bring everything to where the checkpoint was saved, or leave it all as it is."""
    fix = "delete it to start again, or name another checkpoint"
    damaged = f"checkpoint {path} is damaged or was not made by fit: {fix}"
    with path.open("rb") as file:
        try:
            if broken := ZipFile(file).testzip():  # torch does not look at the checksums
                raise BadZipFile(f"the checksum of {broken} differs")
            file.seek(0)
            content = torch.load(file, map_location="cpu", weights_only=True)
            known = content["format"] == FORMAT
        except Exception as error:
            raise ValueError(damaged) from error
    if not known:
        raise ValueError(f"checkpoint {path} has another format than {FORMAT!r}: {fix}")
    if any(not isinstance(content.get(name), kind) for name, kind in CONTENT.items()):
        raise ValueError(damaged)
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
    before = deepcopy((model.state_dict(), optimizer.state_dict(), feed.random()))
    try:
        try:
            started, position, now = content["pass"]
            feed.set_random(started)
            feed.set_random(now)
            model.load_state_dict(saved)
        except Exception as error:
            raise ValueError(damaged) from error
        try:
            optimizer.load_state_dict(content["optimizer"])
        except Exception as error:
            raise ValueError(
                f"checkpoint {path} does not fit the optimizer ({error!r}): {fix}"
            ) from error
        feed.move_to(started, position, now)
    except BaseException:
        model.load_state_dict(before[0])
        optimizer.load_state_dict(before[1])
        feed.set_random(before[2])
        raise
    history.loss, history.seconds = content["loss"], content["seconds"]


def _kind(state: dict[str, Any], name: str) -> str:
    """What stands under a name of a state dict, in words."""
    if name not in state:
        return "is missing"
    value = state[name]
    if not isinstance(value, torch.Tensor):
        return f"is a {type(value).__name__}"
    return f"has shape {tuple(value.shape)} of {value.dtype}"
