"""Time the layer types of notebook 10 over the length, and let them fetch a symbol from far back.

Part "time": one pass of each layer over a sequence of n vectors of d numbers, the best of several.
Part "fetch": at each position say the symbol that stood so many steps before. Every net has the
same embedding and output; what differs is the layer between. Three seeds each.

Run `python notebooks/studies/10_race.py`; it writes 10_race.csv beside itself. One thread.
"""

import csv
import platform
import time
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
FIELDS = ["part", "name", "n", "d", "seed", "value", "seconds", "torch", "python"]
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
    """A tanh RNN that gives its states."""

    def __init__(self):
        super().__init__()
        self.rnn = sv.nn.RNN(SIZE, SIZE, batch_first=True)

    def forward(self, x: Tensor) -> Tensor:
        """Map (batch, time, SIZE) to the same shape."""
        return self.rnn(x)[0]


def net(name: str) -> nn.Module:
    """Embedding, the layer, logits; convolutions: four blocks that read three times each."""
    dilations = {"convolution": [1, 1, 1, 1], "dilated": [1, 3, 9, 1]}
    if name in dilations:
        middle = nn.Sequential(*(sv.nn.ConvBlock(SIZE, 3, step) for step in dilations[name]))
    else:
        middle = Recur() if name == "RNN" else Attend()
    return nn.Sequential(nn.Embedding(SYMBOLS, SIZE), middle, nn.Linear(SIZE, SYMBOLS))


def lines(count: int, distance: int) -> tuple[Tensor, Tensor]:
    """Random symbols (count, TIME), and what stood `distance` before, from that time on."""
    x = torch.randint(SYMBOLS, (count, TIME))
    return x, x[:, : TIME - distance]


def fetch(name: str, distance: int, seed: int) -> float:
    """Train to say what stood so far back; the share that is right on fresh lines."""
    torch.manual_seed(seed)
    model = net(name)
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    for _ in range(STEPS):
        x, y = lines(BATCH, distance)
        loss = F.cross_entropy(model(x)[:, distance:].flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    with torch.no_grad():
        x, y = lines(200, distance)
        return (model(x)[:, distance:].argmax(-1) == y).float().mean().item()


def rows():
    """Yield the rows of the table as they come."""
    places = [(n, D) for n in LENGTHS] + [WIDE]
    for seed in SEEDS:
        for name in LAYERS:
            for n, d in places:
                value = seconds(name, n, d, seed)
                yield "time", name, n, d, seed, f"{value:.3g}", f"{value * (1 + REPEATS):.3g}"
        for name in NETS:
            for distance in DISTANCES:
                start = time.perf_counter()
                share = fetch(name, distance, seed)
                took = time.perf_counter() - start
                yield "fetch", name, distance, SIZE, seed, f"{share:.4f}", f"{took:.1f}"


if __name__ == "__main__":
    torch.set_num_threads(1)
    table = Path(__file__).with_suffix(".csv")
    with table.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(FIELDS)
        for row in rows():
            out.writerow([*row, *VERSIONS.values()])
            file.flush()
            print(*row)
