"""Recall the first symbol after T - 1 others: six starts of four cells, one budget, three seeds.

Every row has the same steps, batches and units, and tries the same three learning rates: the one
with the best accuracy on validation batches (the lower loss if they tie) is tested on others.

Run `python notebooks/studies/04_recall.py`; it writes 04_recall.csv beside itself.
"""

import csv
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv

LENGTHS = (10, 30, 60)
SEEDS = range(3)
RATES = (0.001, 0.003, 0.01)
SETTINGS = {"hidden_size": 48, "steps": 400, "batch": 64, "clip_norm": 1.0}
SYMBOLS = 4
VALIDATION, TEST = 1_000_000, 2_000_000  # seeds of batches; training takes 0, 1, 2, ...


def irnn(hidden_size):
    """An RNN of rectified units that starts as the identity (Le, Jaitly and Hinton 2015)."""
    cell = sv.nn.RNN(2 * SYMBOLS, hidden_size, nonlinearity="relu")
    nn.init.eye_(cell.weight_hh_l0)
    nn.init.normal_(cell.weight_ih_l0, std=0.01)
    nn.init.zeros_(cell.bias_ih_l0)
    nn.init.zeros_(cell.bias_hh_l0)
    return cell


def keeping(cell, bias=3.0):
    """Start the gate that keeps the memory, the second block of LSTM and GRU, nearly open."""
    block = slice(cell.hidden_size, 2 * cell.hidden_size)
    nn.init.constant_(cell.bias_ih_l0[block], bias)
    nn.init.zeros_(cell.bias_hh_l0[block])
    return cell


CELLS = {
    "RNN": lambda H: sv.nn.RNN(2 * SYMBOLS, H),
    "LSTM": lambda H: sv.nn.LSTM(2 * SYMBOLS, H),
    "GRU": lambda H: sv.nn.GRU(2 * SYMBOLS, H),
    "IRNN": irnn,
    "LSTM forget 3": lambda H: keeping(sv.nn.LSTM(2 * SYMBOLS, H)),
    "GRU update 3": lambda H: keeping(sv.nn.GRU(2 * SYMBOLS, H)),
}


class Recaller(nn.Module):
    """A recurrent cell, and a linear layer that reads its last state."""

    def __init__(self, name: str):
        super().__init__()
        self.cell = CELLS[name](SETTINGS["hidden_size"])
        self.output = nn.Linear(SETTINGS["hidden_size"], SYMBOLS)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Read ids (time, batch), give scores (batch, symbols)."""
        states, _ = self.cell(F.one_hot(ids, 2 * SYMBOLS).float())
        return self.output(states[-1])


class Batches:
    """New batches, `steps` of them, the same at each pass."""

    def __init__(self, length: int, start: int, steps: int):
        self.length, self.start, self.steps = length, start, steps

    def __iter__(self):
        for k in range(self.steps):
            yield sv.data.recall(self.length, SETTINGS["batch"], SYMBOLS, seed=self.start + k)


def loss(model, batch):
    """Cross-entropy of the first symbol."""
    ids, first = batch
    return F.cross_entropy(model(ids), first)


@torch.no_grad()
def measure(model, length: int, start: int) -> tuple[float, float]:
    """Accuracy and loss over sixteen batches."""
    batches = list(Batches(length, start, 16))
    ids = torch.cat([ids for ids, _ in batches], dim=1)
    first = torch.cat([first for _, first in batches])
    scores = model(ids)
    right = (scores.argmax(dim=1) == first).float().mean().item()
    return right, F.cross_entropy(scores, first).item()


def train(name: str, length: int, seed: int, rate: float) -> Recaller:
    """Train one cell once."""
    torch.manual_seed(seed)
    model = Recaller(name)
    batches = Batches(length, seed * SETTINGS["steps"], SETTINGS["steps"])
    optimizer = torch.optim.Adam(model.parameters(), rate)
    sv.training.fit(
        model,
        loss,
        batches,
        SETTINGS["steps"],
        optimizer=optimizer,
        clip_norm=SETTINGS["clip_norm"],
        progress=False,
    )
    return model


def row(cell: str, length: int, seed: int) -> dict:
    """Train a cell at each learning rate, choose one on validation, and test it."""
    began = time.perf_counter()
    models = {rate: train(cell, length, seed, rate) for rate in RATES}
    found = {rate: measure(model, length, VALIDATION) for rate, model in models.items()}
    best = max(RATES, key=lambda rate: (found[rate][0], -found[rate][1]))
    accuracy, _ = measure(models[best], length, TEST)
    return {
        "cell": cell,
        "length": length,
        "seed": seed,
        **SETTINGS,
        **{f"val_{rate}": f"{right:.3f}" for rate, (right, _) in found.items()},
        "lr": best,
        "accuracy": f"{accuracy:.3f}",
        "seconds": f"{time.perf_counter() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def main() -> None:
    """Write the table."""
    sv.setup(seed=0)
    rows = []
    for length in LENGTHS:
        for cell in CELLS:
            for seed in SEEDS:
                rows.append(row(cell, length, seed))
                last = rows[-1]
                print(cell, length, seed, last["lr"], last["accuracy"], last["seconds"], flush=True)
    path = Path(__file__).with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


if __name__ == "__main__":
    main()
