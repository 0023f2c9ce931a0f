"""Attention on its way into a record: which calls belong together, and what was not seen."""

import sys
import warnings
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import debug_unwrap

from seqviz.recording.axes import Axes
from seqviz.recording.named_array import NamedArray
from seqviz.recording.names import calls_itself_attention, class_of, matches, within
from seqviz.recording.near_misses import Changed, listed
from seqviz.recording.observation import to_numpy
from seqviz.recording.positions import labels_of_blocks, labels_of_rows
from seqviz.recording.records import Record
from seqviz.recording.stand_in import OWN, package, recomputing, users_level
from seqviz.recording.weighing import WeightedSum
from seqviz.recording.windows import windows_of

BEAM = "beam"
Names = tuple[str, ...]
CHOSEN_ANEW = (
    "the rows of a decoding are chosen anew between its steps (beams, or rows that are left out "
    "when they end), so row 0 of a call need not go on with row 0 of the call before: their axis "
    "is named 'beam', and no map is made of these calls. Record one run over what was found "
    "instead: model(**inputs, decoder_input_ids=output.sequences), model(output.sequences) of a "
    "decoder alone, or model(source, target)"
)
UNSEEN = (
    "ran, and no softmax was seen there whose result weighs a sum, so no attention of it is "
    "recorded: linear attention has no softmax, scripted code and own kernels do not show it"
)


@dataclass(frozen=True)
class Before:
    """A module's call before: what it weighed, the position of its first key, if rows are beams."""

    values: Tensor  # (..., key, unit)
    start: int
    beams: bool


class Attending:
    """Watches a model, and keeps the maps of its attention.

    Sums without heads over the same keys, as those of a decoder that attends once a step, go on as
    one map, (batch, 1, query, key) with a query a step. Between two steps of a beam search the rows
    of the batch are chosen anew: their axis is named beam.
    """

    def __init__(self, rec: Record, pattern: str):
        self.rec, self.pattern = rec, pattern
        self.before: dict[str, Before] = {}
        self.chosen: dict[str, tuple[Names, Names]] = {}
        self.ran: set[str] = set()
        self.seen: set[str] = set()
        self.sure: set[str] = set()

    def entered(self, path: str) -> None:
        """Note that a module runs."""
        self.ran.add(path)

    def saw(self, path: str, sum: WeightedSum, axes: Axes | None) -> Tensor:
        """Keep the weights of a sum."""
        if axes is not None and not recomputing():
            self.seen.add(path)
            if not sum.again and matches(path, self.pattern):
                self._keep(path, sum, axes)
        return sum.result

    def missed(self, path: str, change: Changed) -> None:
        """Keep why weights of a softmax are not those of a sum, rather if they did weigh one."""
        if change.sure or path not in self.sure:
            self.rec.missed[path] = change.reason
        if change.sure:
            self.sure.add(path)

    def _keep(self, path: str, sum: WeightedSum, axes: Axes) -> None:
        weights, dims = axes.map(sum.weights, sum.letters[0])
        values, before = axes.by_key(sum.values, sum.letters[1]), self.before.get(path)
        steps = before is not None and "head" not in axes.names.values() and not axes.folded
        beams = in_beam_search() or (steps and _chosen_anew(values, before))
        if beams and not any(one.beams for one in self.before.values()):
            warnings.warn(CHOSEN_ANEW, stacklevel=users_level())
        same = steps and _place(values) == _place(before.values) and beams == before.beams
        start = _start(values, weights.shape[-2], before)
        self.before[path] = Before(values, start, beams)
        dims = tuple(BEAM if dim == "batch" and beams else dim for dim in dims)
        labels = {"key": tuple(map(str, range(start, start + weights.shape[-1])))} if start else {}
        labels, in_blocks = _in_blocks(sum, weights, axes, dims, labels)
        if in_blocks and before is not None and "block" not in labels:
            values_of_blocks = to_numpy(axes.by_block(sum.values, sum.letters[1]))
            self._name_chosen(path, before, values_of_blocks, in_blocks)
        elif path in self.chosen:
            chosen, all_of_text = self.chosen.pop(path)
            if weights.shape[-2:] == (len(chosen), len(all_of_text)):
                labels = {"query": chosen, "key": all_of_text}
        call = NamedArray(to_numpy(weights), dims, labels, in_blocks)
        self.rec.keep("attention", path, call, users_level(), "query" if same else None)

    def _name_chosen(self, path: str, before: Before, values: np.ndarray, in_blocks: dict) -> None:
        """Name the keys of the call before if they are some of these, chosen for all queries.

        As the global tokens of Longformer: what comes next is their own attention to all.
        """
        columns = before.values.movedim(-2, 0).flatten(1)
        call = self.rec.attention[path][-1]
        all_of_text = tuple(label for block in in_blocks["query"] for label in block)
        shared = len(values) != len(in_blocks["key"])  # all blocks weigh the same keys
        if shared or columns.shape[-1] != values.shape[-1] or "block" in call.dims:
            return
        chosen = labels_of_rows(to_numpy(columns), values, in_blocks)
        if chosen and call.shape[-2:] == (len(all_of_text), len(chosen)):
            labels = {"query": all_of_text, "key": chosen}
            self.rec.attention[path][-1] = replace(call, labels=labels)
            self.chosen[path] = chosen, all_of_text

    def report(self, model: nn.Module) -> None:
        """Warn of modules that ran and call themselves attention, and showed none."""
        silent = [
            (path, f"{path!r} ({class_of(module)})")
            for path, module in model.named_modules()
            if calls_itself_attention(module)
            and (path in self.ran or isinstance(module, torch.jit.ScriptModule))
            and matches(path, self.pattern)
            and not any(within(one, path) or within(path, one) for one in self.seen)
        ]
        missed = self.rec.missed
        if self.ran and silent:
            names = ", ".join(name for _, name in silent)
            why = listed({path: missed[path] for path, _ in silent if path in missed})
            warnings.warn(f"{names} {UNSEEN}{why}", stacklevel=users_level())
        elif self.sure and not self.seen:
            why = listed(missed, self.sure)
            warnings.warn(f"no attention is recorded{why}", stacklevel=users_level())


def in_beam_search() -> bool:
    """Whether a function of these packages that has beam in its name is running."""
    frame = sys._getframe(1)
    while frame and not ("beam" in frame.f_code.co_name and package(frame) in OWN):
        frame = frame.f_back
    return frame is not None


def _in_blocks(
    sum: WeightedSum, weights: Tensor, axes: Axes, dims: tuple[str, ...], labels: dict
) -> tuple[dict, dict]:
    """The labels, and those of queries and keys in each block if there is one axis of blocks."""
    if dims[-3:] != ("block", "query", "key") or dims.count("block") > 1:
        return labels, {}
    if found := windows_of(axes.cuts):
        names, places = found
        return labels | {"block": names}, {"query": places, "key": places}
    values = to_numpy(axes.by_block(sum.values, sum.letters[1]))
    return labels, labels_of_blocks(to_numpy(weights.flatten(0, -4)), values, axes.times)


def _place(values: Tensor) -> tuple:
    """Where a tensor lies in memory."""
    return debug_unwrap(values).data_ptr(), values.shape, values.stride()


def _chosen_anew(values: Tensor, before: Before) -> bool:
    """Whether there are more or fewer rows than before, and each is one of them."""
    if values.shape[1:] != before.values.shape[1:]:
        return False
    if len(values) == len(before.values) and not before.beams:
        return False
    equal = (values.unsqueeze(1) == before.values).flatten(2).all(dim=2)  # (row, row before)
    return bool(equal.any(dim=1).all())


def _start(values: Tensor, queries: int, before: Before | None) -> int:
    """The position of the first key: above 0 where a cache has dropped the oldest."""
    if before is None or values.shape[:-2] != before.values.shape[:-2]:
        return 0
    old, kept = before.values.shape[-2], values.shape[-2] - queries
    grown = kept == old and before.start == 0
    if not 0 < kept <= old or grown or torch.equal(values, before.values):
        return 0
    moved = torch.equal(values[..., :kept, :], before.values[..., old - kept :, :])
    return before.start + old - kept if moved else 0
