"""Time the layer types of notebook 10 over the length, and let them fetch a symbol from far back.

Part "time": one pass of each layer over a sequence of n vectors of d numbers, the best of several.
Part "fetch": at each position say the symbol that stood so many steps before, so a recurrent net
must keep a queue of as many symbols. Part "carry": the control, on the same lines and over the same
distance: say the first symbol, once. Every net has the same embedding and output; what differs is
the layer between. Three seeds each.

Run `python notebooks/studies/10_race.py`; it adds the rows that 10_race.csv beside it lacks. One
thread.
"""

import csv
import platform
import time
from itertools import product
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import seqviz as sv

SEEDS = range(3)
D = 256
LENGTHS = [64, 128, 256, 512, 1024, 2048, 4096]
WIDE = (100, 1000)  # deck 001's length and dimension
LAYERS = ("bare attention", "attention layer", "convolution", "RNN")
REPEATS = 5
SYMBOLS, TIME, BATCH, STEPS, LR, SIZE = 10, 32, 32, 400, 4e-3, 64
DISTANCES = [2, 6, 12, 24]
NETS = ("RNN", "convolution", "dilated", "attention")
RECURRENT, LONGER, FAR = ("RNN", "GRU"), 2000, 12
KEY = ["part", "name", "n", "d", "steps", "seed"]
FIELDS = [*KEY, "value", "seconds", "torch", "python"]
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


def layer(name: str, d: int):
    """Return a function of x (1, n, d) that runs one layer."""
    if name == "bare attention":
        return lambda x: (x @ x.mT / d**0.5).softmax(-1) @ x
    if name == "attention layer":
        heads = sv.nn.MultiheadAttention(d, 4, batch_first=True)
        return lambda x: heads(x, x, x, need_weights=False)[0]
    if name == "convolution":
        convolution = sv.nn.CausalConv1d(d, d, kernel_size=3)
        return lambda x: convolution(x.mT)
    rnn = sv.nn.RNN(d, d, batch_first=True)
    return lambda x: rnn(x)[0]


def seconds(name: str, n: int, d: int, seed: int) -> float:
    """Time the quickest of several passes, after one that warms up."""
    torch.manual_seed(seed)
    run, x = layer(name, d), torch.randn(1, n, d)
    times = []
    with torch.no_grad():
        for _ in range(1 + REPEATS):
            start = time.perf_counter()
            run(x)
            times.append(time.perf_counter() - start)
    return min(times[1:])


class Attend(nn.Module):
    """Positions, then one causal attention with a shortcut."""

    def __init__(self):
        super().__init__()
        self.positions = sv.nn.SinusoidalPositions(TIME, SIZE)
        self.heads = sv.nn.MultiheadAttention(SIZE, 1, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        """Map (batch, time, SIZE) to the same shape."""
        x = self.positions(x)
        mask = sv.nn.causal_mask(x.shape[1])
        return x + self.heads(x, x, x, attn_mask=mask, need_weights=False)[0]


class Recur(nn.Module):
    """A tanh RNN, or a GRU, that gives its states."""

    def __init__(self, name: str):
        super().__init__()
        self.rnn = getattr(sv.nn, name)(SIZE, SIZE, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        """Map (batch, time, SIZE) to the same shape."""
        return self.rnn(x)[0]


def net(name: str) -> nn.Module:
    """Embedding, the layer, logits; convolutions: four blocks that read three times each."""
    dilations = {"convolution": [1, 1, 1, 1], "dilated": [1, 3, 9, 1]}
    if name in dilations:
        middle = nn.Sequential(*(sv.nn.ConvBlock(SIZE, 3, step) for step in dilations[name]))
    else:
        middle = Recur(name) if name in RECURRENT else Attend()
    return nn.Sequential(nn.Embedding(SYMBOLS, SIZE), middle, nn.Linear(SIZE, SYMBOLS))


def lines(part: str, count: int, distance: int) -> tuple[Tensor, Tensor]:
    """Random symbols (count, TIME), and what to say from `distance` on: (count, times)."""
    x = torch.randint(SYMBOLS, (count, TIME))
    return x, x[:, : TIME - distance] if part == "fetch" else x[:, :1]


def trained(part: str, name: str, distance: int, steps: int, seed: int) -> float:
    """Train to say what stood so far back; the share that is right on fresh lines."""
    torch.manual_seed(seed)
    model = net(name)
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)

    def said(count):
        x, y = lines(part, count, distance)
        return model(x)[:, distance : distance + y.shape[1]], y

    for _ in range(steps):
        logits, y = said(BATCH)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    with torch.no_grad():
        logits, y = said(200 if part == "fetch" else 2000)
        return (logits.argmax(-1) == y).float().mean().item()


def runs():
    """Yield the key of each row: part, name, n or the distance, d, steps, seed."""
    for seed in SEEDS:
        for name, (n, d) in product(LAYERS, [*((n, D) for n in LENGTHS), WIDE]):
            yield "time", name, n, d, 0, seed
        for name, distance in product(NETS, DISTANCES):
            yield "fetch", name, distance, SIZE, STEPS, seed
        for part, name, steps in product(("fetch", "carry"), RECURRENT, (STEPS, LONGER)):
            if (part, name, steps) != ("fetch", "RNN", STEPS):
                yield part, name, FAR, SIZE, steps, seed


def measured(part: str, name: str, n: int, d: int, steps: int, seed: int) -> tuple[str, str]:
    """The value of a row, and the seconds that it took."""
    if part == "time":
        value = seconds(name, n, d, seed)
        return f"{value:.3g}", f"{value * (1 + REPEATS):.3g}"
    start = time.perf_counter()
    share = trained(part, name, n, steps, seed)
    return f"{share:.4f}", f"{time.perf_counter() - start:.1f}"


def main(table: Path) -> None:
    """Add the rows that are missing, as they come."""
    torch.set_num_threads(1)
    there = set()
    if table.exists():
        with table.open(encoding="utf-8", newline="") as file:
            there = {tuple(row[field] for field in KEY) for row in csv.DictReader(file)}
    with table.open("a", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        if not there:
            out.writerow(FIELDS)
        for key in runs():
            if tuple(map(str, key)) not in there:
                row = [*key, *measured(*key), *VERSIONS.values()]
                out.writerow(row)
                file.flush()
                print(*row)


if __name__ == "__main__":
    main(Path(__file__).with_suffix(".csv"))
