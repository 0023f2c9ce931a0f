"""Which architectures of transformers does `sv.record` see whole?

`make bench-architectures` builds each of them small, with random weights, and looks for the maps
that it gives itself (an eager copy, `output_attentions=True`) in a record of the model as it is.
It prints those that are not whole. `python -m tests.bench.architectures bert xlm` prints these two.
"""

import multiprocessing
import re
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from multiprocessing.connection import Connection, wait

import torch
import transformers
from torch import Tensor

import seqviz as sv
from tests.bench.small_inputs import inputs
from tests.bench.small_models import model_types, small_model

OUTCOMES = ["whole", "part", "none", "nothing to compare", "cannot be built small"]
CLOSE = 1e-5
AT_ONCE, PATIENCE, MEMORY = 2, 120, 10 << 30  # processes, seconds, bytes


# ---- one model
def examine(model_type: str) -> dict:
    """What there is to tell of a model."""
    row = {"type": model_type}
    try:
        model = small_model(model_type)
        row["class"] = type(model).__name__
        given = inputs(model, lambda given: run(model, given))
    except Exception as error:
        return row | {"outcome": "cannot be built small", "why": words(error)}
    plain = run(model, given)
    row["random"] = not equal(plain, run(model, given, seed=1))
    seen = []
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UserWarning)
        try:
            output, seen = recorded(model, given)
            row["bit_equal"] = equal(plain, output)
        except Exception as error:
            row["why"] = words(error)
    ours = [w.message for w in said if w.filename == __file__]
    row["warnings"] = " | ".join(dict.fromkeys(map(words, ours)))
    try:
        eager = small_model(model_type, attn_implementation="eager")
        eager.load_state_dict(model.state_dict())
        own, output = own_maps(eager, given)
        missing = missing_in(own, seen)
        if missing and seen and not equal(plain, output):
            _, eagerly = recorded(eager, given)
            if [a.shape for a in eagerly] == [a.shape for a in seen]:
                missing = missing_in(own, eagerly)
                row["why"] = "the eager run was recorded: it gives other numbers than the plain one"
    except Exception as error:
        return row | {"outcome": "nothing to compare", "why": words(error)}
    row |= {"own": len(own), "found": len(own) - len(missing), "recorded": len(seen)}
    if missing and "bit_equal" in row:
        row["why"] = what_is_missing(missing, seen)
    return row | {"outcome": outcome(len(own), len(missing))}


def outcome(own: int, missing: int) -> str:
    """How many maps were found, in a word."""
    if not own:
        return "nothing to compare"
    return "whole" if not missing else "none" if missing == own else "part"


def run(model: torch.nn.Module, given: dict, seed: int = 0, **kwargs) -> object:
    """The model's output, from the same random numbers."""
    torch.manual_seed(seed)
    with torch.no_grad():
        return model(**given, **kwargs)


def recorded(model: torch.nn.Module, given: dict) -> tuple[object, list[Tensor]]:
    """The model's output while it is recorded, and its maps."""
    with sv.record(model, keep=("attention",)) as rec:
        output = run(model, given)
    return output, [torch.from_numpy(a.values) for calls in rec.attention.values() for a in calls]


def own_maps(model: torch.nn.Module, given: dict) -> tuple[dict[str, Tensor], object]:
    """The maps that a model gives itself, and all of its output."""
    output = run(model, given, output_attentions=True)
    maps = {
        path: leaf
        for path, leaf in leaves(output)
        if "attention" in path and "mask" not in path.split(".")[-1]
        if leaf.is_floating_point() and leaf.dim() > 2 and not leaf.isnan().all()
    }
    return maps, output


def leaves(output: object, path: str = "") -> Iterator[tuple[str, Tensor]]:
    """The tensors of an output and where they stand in it."""
    if isinstance(output, Tensor):
        yield path, output
    pairs = output.items() if isinstance(output, dict) else ()
    if isinstance(output, tuple | list):
        pairs = enumerate(output)
    for name, inside in pairs:
        yield from leaves(inside, f"{path}.{name}" if path else str(name))


def equal(one: object, other: object) -> bool:
    """Whether the tensors of both outputs are the same to the bit."""
    other = dict(leaves(other))
    return all(
        torch.equal(a.isnan(), other[path].isnan())
        and torch.equal(a.nan_to_num(), other[path].nan_to_num())
        for path, a in leaves(one)
    )


def words(error: object) -> str:
    """The first line of a message, and what kind of error it is."""
    lines = str(error).strip().splitlines() or [""]
    line = next((line for line in lines if len(line) > 9), lines[0]).strip()
    kind = f"{type(error).__name__}: " if not isinstance(error, Warning) else ""
    return re.sub(r"(?<!\w)/[\w./-]+", "...", kind + line)[:200]  # no path of this machine


# ---- two maps
def missing_in(own: dict[str, Tensor], maps: list[Tensor]) -> dict[str, Tensor]:
    """Those of a model's own maps that were not recorded."""
    return {path: a for path, a in own.items() if not found(a, maps)}


def found(own: Tensor, maps: list[Tensor]) -> bool:
    """Whether a map was recorded: itself, as the mean of heads, as a part of one, as parts of it.

    What does not sum to 1 and is no part of a map may be scores, whose softmax was recorded.
    """
    if any(same(own, form) for seen in maps for form in forms(seen, own.shape)):
        return True
    if own.shape[-1] > 1 and parts(own, [a for a in maps if a.shape[-1] < own.shape[-1]]):
        return True
    weights = own.softmax(-1)
    return not weights.isnan().any() and (own < 0).any() and any(same(weights, a) for a in maps)


def forms(seen: Tensor, shape: torch.Size) -> Iterator[Tensor]:
    """A recorded map as a model may give it: whole, averaged, its first or last positions."""
    yield seen
    if seen.dim() == len(shape) == 4:
        yield seen.mean(dim=1, keepdim=True).expand_as(seen)
    over = [seen.shape[k] - shape[k] for k in (-2, -1)]
    if over[1] > 0:
        yield seen[..., : shape[-1]]
        yield seen[..., over[1] :]
    if over[0] > 0 < over[1]:
        yield seen[..., over[0] :, over[1] :]


def parts(own: Tensor, maps: list[Tensor]) -> bool:
    """Whether recorded maps, one after the other along the keys, are this map."""
    if not own.shape[-1]:
        return True
    return any(
        same(own[..., : a.shape[-1]], a) and parts(own[..., a.shape[-1] :], maps)
        for a in maps
        if 0 < a.shape[-1] <= own.shape[-1]
    )


def same(own: Tensor, seen: Tensor) -> bool:
    """Whether two maps are close, their batch, heads, windows and queries in any order."""
    return distance(own, seen) <= CLOSE


def distance(own: Tensor, seen: Tensor) -> float:
    """How far apart two maps are, in the order that fits best; inf if no order does."""
    if own.numel() != seen.numel() or not own.numel():
        return torch.inf
    own, seen = (a.double().nan_to_num(nan=-1.0) for a in (own, seen))  # NaN is no weight of 0
    if abs(own.square().sum() - seen.square().sum()) > 2 * CLOSE * own.abs().sum() + CLOSE:
        return torch.inf
    last = own.dim() - 1
    return min(
        (own.permute(*order, last).reshape(seen.shape) - seen).abs().max().item()
        for order in permutations(range(last))
    )


def what_is_missing(missing: dict[str, Tensor], maps: list[Tensor]) -> str:
    """The first map that was not found, and what was recorded."""
    path, own = next(iter(missing.items()))
    shapes = Counter(str(tuple(a.shape)) for a in maps)
    seen = ", ".join(f"{shape} x {n}" for shape, n in shapes.most_common(4)) or "nothing"
    return f"{path} {tuple(own.shape)} is missing; recorded {seen}"


# ---- all models
def examine_apart(model_type: str, answer: Connection, look: Callable[[str], dict]) -> None:
    """Run in a process of its own, of which the end harms nobody."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    transformers.logging.set_verbosity_error()
    warnings.simplefilter("ignore")
    answer.send(look(model_type))


def sweep(
    types: Iterable[str], look: Callable[[str], dict], at_once: int = AT_ONCE
) -> Iterator[dict]:
    """Rows, as they come; a process that is too slow or ends early gives one too."""
    fork = multiprocessing.get_context("fork")
    waiting, running = list(types)[::-1], {}
    while waiting or running:
        while waiting and len(running) < at_once:
            answer, asked = fork.Pipe(duplex=False)
            model_type = waiting.pop()
            process = fork.Process(target=examine_apart, args=(model_type, asked, look))
            process.start()
            asked.close()
            running[answer] = model_type, process, time.monotonic() + PATIENCE
        ready = wait(running, timeout=1)
        for answer, (model_type, process, end) in list(running.items()):
            if answer in ready:
                yield received(answer, model_type)
            elif time.monotonic() < end:
                continue
            else:
                process.kill()
                yield failed(model_type, f"not done within {PATIENCE} s")
            process.join()
            del running[answer]


def received(answer: Connection, model_type: str) -> dict:
    """What a process says."""
    try:
        return answer.recv()
    except EOFError:
        return failed(model_type, "the process ended early")


def failed(model_type: str, why: str) -> dict:
    """A row without a model."""
    return {"type": model_type, "outcome": "cannot be built small", "why": why}


def report(
    types: list[str], look: Callable[[str], dict], outcomes: list[str], poor: Iterable[str]
) -> list[dict]:
    """Print the rows asked for, or those of a poor outcome; then how often each outcome came."""
    rows = []
    for row in sweep(types or model_types(), look):
        rows.append(row)
        if types:
            print("\n".join(f"{name:10} {value}" for name, value in row.items()), "\n")
        elif row["outcome"] in poor:
            print(row["type"], row["outcome"], row["why"], flush=True)
    counts = Counter(row["outcome"] for row in rows)
    print(f"torch {torch.__version__}, transformers {transformers.__version__}: {len(rows)} types")
    print("\n".join(f"{counts[name]:5} {name}" for name in outcomes))
    return rows


def main(types: list[str]) -> None:
    """Print the report, and whether recording left the outputs as they were."""
    rows = report(types, examine, OUTCOMES, ("part", "none"))
    print(f"{sum(row.get('bit_equal', False) for row in rows):5} with bit-equal outputs,", end=" ")
    print(sum(not row.get("bit_equal", True) for row in rows), "without")


if __name__ == "__main__":
    main(sys.argv[1:])
