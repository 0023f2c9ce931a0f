"""Of which architectures of transformers are the states recorded, lensed and patched?

`make bench-causes` builds each that reads a text and attends small, with random weights, and
compares: the rows of a record with the `hidden_states` that the model gives itself, where it does;
the last row of the lens with its output; a patch behind a first block with a hook by hand. The
table is `causes.csv`. `python -m tests.bench.causes bert t5` prints these two.
"""

import csv
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

import seqviz as sv
from seqviz.recording import NamedArray
from tests.bench import exploring
from tests.bench.architectures import equal, leaves, run, sweep, words
from tests.bench.small_models import small_model

TABLE = Path(__file__).with_suffix(".csv")
COLUMNS = ["type", "class", "outcome", "blocks", "own", "found", "lens", "patch", "why", "written"]
WHOLE, PART, NOT_TOLD = "whole", "part", "blocks cannot be told"
UNBUILT = "cannot be built small"
OUTCOMES = [WHOLE, PART, NOT_TOLD, UNBUILT]
CLOSE = 1e-6
TOKEN = 2


def examine(model_type: str) -> dict:
    """A row of the table."""
    row = {"type": model_type}
    try:
        model = small_model(model_type)
        given = exploring.given(model, exploring.target_of(model))
        plain = run(model, given)
    except Exception as error:
        return row | {"outcome": UNBUILT, "why": words(error)}
    row["class"] = type(model).__name__
    try:
        with sv.record(model, keep="states") as rec:
            recorded = run(model, given)
        row["blocks"] = told(rec.states)
    except Exception as error:
        return row | {"outcome": NOT_TOLD, "why": words(error)}
    why = [] if distance(plain, recorded) <= CLOSE else ["recorded, the model says something else"]
    for name, look in {"found": own_states, "lens": lensed, "patch": patched}.items():
        try:
            row |= look(model, given, rec.states, plain)
        except Exception as error:
            why.append(f"{name}: {words(error)}")
    row["why"] = " | ".join(why)
    fits = float(row.get("lens", 1)) <= CLOSE and float(row.get("patch", 1)) <= CLOSE
    whole = fits and not why and row.get("own") == row.get("found")
    return row | {"outcome": WHOLE if whole else PART}


def told(states: dict[str, list[NamedArray]]) -> str:
    """How many blocks each list has."""
    return ", ".join(
        f"{path or 'model'} {calls[-1].shape[0] - 1}" for path, calls in states.items()
    )


def own_states(model: nn.Module, given: dict, states: dict, plain: object) -> dict:
    """How many of the hidden states that a model gives itself are rows of the record.

    The last of each side is left out: mostly it stands behind a last norm.
    """
    sides: dict[str, list[Tensor]] = {}
    for path, leaf in leaves(run(model, given, output_hidden_states=True)):
        if "hidden_states" in path:
            sides.setdefault(path.rpartition(".")[0], []).append(leaf)
    own = [a for side in sides.values() for a in side[:-1]]
    rows = [torch.tensor(row) for calls in states.values() for a in calls for row in a.values]
    return {"own": len(own), "found": sum(any(same(a, row) for row in rows) for a in own)}


def same(one: Tensor, other: Tensor) -> bool:
    """Whether a state is another one, some of its positions, or laid out otherwise."""
    if one.dim() != 3 or one.shape[::2] != other.shape[::2]:
        one, other = (x.flatten().sort()[0].view(1, -1, 1) for x in (one, other))
    times = range(other.shape[1] - one.shape[1] + 1)
    return any((one - other[:, k : k + one.shape[1]]).abs().max() <= CLOSE for k in times)


def lensed(model: nn.Module, given: dict, states: dict, plain: object) -> dict:
    """How far the last row of the lens is from what the model says."""
    logits = sv.lens(model, **given).logits
    last = torch.tensor(logits.values[-1])
    apart = [
        (last - leaf).abs().max().item()
        for _, leaf in leaves(plain)
        if leaf.is_floating_point() and leaf.shape == last.shape
    ]
    assert np.abs(logits.values[0] - logits.values[-1]).max() > 0, "all rows are alike"
    return {"lens": f"{min(apart):.0e}"}


def patched(model: nn.Module, given: dict, states: dict, plain: object) -> dict:
    """How far a patch behind the first block of each list is from a hook by hand."""
    apart = []
    for stack, calls in states.items():
        vector = torch.linspace(-1, 1, calls[-1].shape[-1])
        expected, name = by_hand(model, given, stack, vector)
        with sv.patch(model, layer=name, token=TOKEN, value=vector):
            found = run(model, given)
        apart.append(distance(found, expected))
        assert not equal(found, plain), f"a state of {stack} reaches nothing"
    assert equal(plain, run(model, given)), "the model is not as it was"
    return {"patch": f"{max(apart):.0e}"}


def by_hand(model: nn.Module, given: dict, stack: str, vector: Tensor) -> tuple[object, int | str]:
    """What a model says where a hook replaces a state behind the first block, and its layer."""
    blocks = [path for path, _ in model.named_modules() if of_list(path, stack)]
    lengths = {x.shape[1] for x in given.values() if isinstance(x, Tensor) and x.dim() > 1}
    runs = 0

    def replace(module: nn.Module, args: tuple, output: object) -> object:
        nonlocal runs
        runs += 1
        if len(blocks) == 1 and runs > 1:  # one module in the place of all
            return output
        if isinstance(output, Tensor):
            return with_token(output, lengths, vector)
        if isinstance(output, dict):
            name = next(iter(output))
            return type(output)(**{**output, name: with_token(output[name], lengths, vector)})
        return (with_token(output[0], lengths, vector), *output[1:])

    handle = model.get_submodule(blocks[0]).register_forward_hook(replace)
    try:
        output = run(model, given)
    finally:
        handle.remove()
    return output, 0 if len(blocks) == 1 < runs else blocks[0]


def with_token(stream: Tensor, lengths: set[int], vector: Tensor) -> Tensor:
    """A stream of one text with another state at a token, on whichever axis these lie."""
    axis = next((k for k, n in enumerate(stream.shape[:-1]) if n in lengths), 1)
    changed = stream.clone()
    state = changed.movedim(axis, 0)[TOKEN]
    state[:] = vector.view(state.shape)
    return changed


def of_list(path: str, stack: str) -> bool:
    """Whether a module stands in a list."""
    parent, _, own = path.rpartition(".")
    return parent == stack and own.isdigit()


def distance(one: object, other: object) -> float:
    """How far two outputs are apart."""
    other = dict(leaves(other))
    return max(
        (a - other[path]).abs().max().item()
        for path, a in leaves(one)
        if a.is_floating_point() and a.numel()
    )


def opened() -> list[str]:
    """The architectures that run on a text and attend, by the table of `exploring`."""
    wanted = (exploring.OPEN, exploring.ALONE, exploring.PART, exploring.FAILS)
    return [kind for kind, row in exploring.table().items() if row["outcome"] in wanted]


def table(path: Path = TABLE) -> dict[str, dict]:
    """The rows of the table, by type."""
    with path.open(newline="", encoding="utf-8") as file:
        return {row["type"]: row for row in csv.DictReader(file)}


def sums(rows: list[dict]) -> str:
    """How many can be recorded, lensed, patched."""

    def close(name: str) -> int:
        return sum(float(row.get(name) or 1) <= CLOSE for row in rows)

    return (
        f"of {len(rows)}: states of {sum(bool(row.get('blocks')) for row in rows)} recorded, "
        f"{close('lens')} lensed, {close('patch')} patched as by hand, within {CLOSE:.0e}; "
        f"{sum(row['outcome'] == WHOLE for row in rows)} whole"
    )


def main(types: list[str]) -> None:
    """Print the rows asked for; or those that are not whole, and write the table."""
    rows = []
    for row in sweep(types or opened(), examine):
        rows.append(row)
        if types or row["outcome"] != WHOLE:
            print(row, flush=True)
    print(sums(rows))
    if not types:
        write(rows)


def write(rows: list[dict]) -> None:
    """Write the table."""
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        written = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        written.writeheader()
        written.writerows(sorted(rows, key=lambda row: row["type"]))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
