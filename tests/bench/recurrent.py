"""How much slower than torch.nn's fused nets are the ones built in the open?

`make bench` prints a training step (forward and backward) of sv.nn's RNN, LSTM and GRU over that
of torch.nn's, both taken in turn within one run; then what a step costs as the sequence grows.
"""

import time
from collections.abc import Callable

import torch

import seqviz as sv

SIZES = [(32, 64, 32, 32), (32, 64, 64, 128), (32, 128, 128, 256)]  # batch, time, input, hidden
LENGTHS = [16, 64, 256, 1024]
ROUNDS = 15


def training_step(module: torch.nn.Module, x: torch.Tensor) -> None:
    """One forward and one backward pass."""
    module.zero_grad()
    output, _ = module(x)
    output.sum().backward()


def seconds(*calls: Callable[[], None], rounds: int = ROUNDS) -> list[float]:
    """Shortest time of each call, all taken in turn, after one round to warm up.

    Other work on the machine only adds, so the shortest is the one to compare.
    """
    taken = []
    for _ in range(rounds + 1):
        row = []
        for call in calls:
            began = time.perf_counter()
            call()
            row.append(time.perf_counter() - began)
        taken.append(row)
    return [min(column) for column in zip(*taken[1:], strict=True)]


def step_times(kind: str, batch: int, length: int, inputs: int, hidden: int, rounds: int = ROUNDS):
    """Seconds of a training step of sv.nn's and of torch.nn's module."""
    x = torch.randn(length, batch, inputs)
    ours, theirs = (getattr(home, kind)(inputs, hidden) for home in (sv.nn, torch.nn))
    calls = (lambda: training_step(ours, x), lambda: training_step(theirs, x))
    return seconds(*calls, rounds=rounds)


def main() -> None:
    """Print both tables."""
    sv.setup(seed=0)
    print(f"torch {torch.__version__}, one thread, the shortest of {ROUNDS} rounds\n")
    print("training step        batch time input hidden   sv.nn   torch.nn   ratio")
    for kind in ("RNN", "LSTM", "GRU"):
        for size in SIZES:
            ours, theirs = step_times(kind, *size)
            batch, length, inputs, hidden = size
            print(
                f"{kind:20} {batch:5} {length:4} {inputs:5} {hidden:6} "
                f"{ours * 1e3:7.1f} {theirs * 1e3:8.1f} ms {ours / theirs:7.2f}"
            )
    print("\ncost against length (batch 32, input 64, hidden 128), ms a time step")
    print("time " + "".join(f"{home + kind:>12}" for kind in ("RNN", "LSTM", "GRU")
                            for home in ("sv ", "torch ")))  # fmt: skip
    for length in LENGTHS:
        row = []
        for kind in ("RNN", "LSTM", "GRU"):
            row += step_times(kind, 32, length, 64, 128, rounds=5)
        print(f"{length:4} " + "".join(f"{t / length * 1e3:12.3f}" for t in row))


if __name__ == "__main__":
    main()
