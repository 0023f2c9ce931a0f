"""Train five RNNs of notebook 03 to recall a symbol: function and start, by length.

Every RNN has the same steps, the same batches and the same search over learning rates. A control
gives one of them distractors whose mean is zero, and changes nothing else. Run
`python notebooks/studies/03_recall.py`; it writes 03_recall.csv beside itself. Rows that are there
are kept.
"""

import csv
import platform
import time
from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv

RNNS = (
    ("tanh", "default"),
    ("tanh", "orthogonal"),
    ("tanh", "identity"),
    ("relu", "default"),
    ("relu", "identity"),
)
LENGTHS = (10, 30, 60)
RATES = (0.001, 0.003, 0.01)
SEEDS = range(3)
MORE_SEEDS = range(3, 8)  # over the longest sequences: the IRNN
CONTROL_SEEDS = range(20)
SETTINGS = {"hidden_size": 48, "symbols": 4, "batch": 64, "steps": 400}


class Recaller(nn.Module):
    """Read one-hot symbols; tell the first from the last state.

    With centred inputs the distractors' mean is taken away from each: they no longer add up.
    """

    def __init__(self, nonlinearity: str, start: str, inputs: str = "one-hot"):
        super().__init__()
        self.inputs = inputs
        symbols = SETTINGS["symbols"]
        self.rnn = sv.nn.RNN(2 * symbols, SETTINGS["hidden_size"], nonlinearity=nonlinearity)
        self.output = nn.Linear(SETTINGS["hidden_size"], symbols)
        if start != "default":
            fill = {"identity": nn.init.eye_, "orthogonal": nn.init.orthogonal_}[start]
            fill(self.rnn.weight_hh_l0)
            nn.init.normal_(self.rnn.weight_ih_l0, std=0.01)
            nn.init.zeros_(self.rnn.bias_ih_l0)
            nn.init.zeros_(self.rnn.bias_hh_l0)

    def forward(self, ids):
        """Scores (batch, symbols) from ids (time, batch)."""
        x = F.one_hot(ids, self.rnn.input_size).float()
        if self.inputs == "centred":
            distractors = x[..., SETTINGS["symbols"] :]
            distractors -= distractors.mean(dim=-1, keepdim=True)
        h, _ = self.rnn(x)
        return self.output(h[-1])


def recall_loss(model, batch):
    """Cross-entropy of the symbol."""
    ids, targets = batch
    return F.cross_entropy(model(ids), targets)


@cache
def batches(length: int, seed: int) -> list:
    """Fresh sequences for every step, and 1,000 more to test on."""
    steps, size = SETTINGS["steps"], SETTINGS["batch"]
    first = seed * (steps + 1)
    train = [sv.data.recall(length, size, seed=first + step) for step in range(steps)]
    return train, sv.data.recall(length, 1000, seed=first + steps)


def row(
    nonlinearity: str,
    start: str,
    length: int,
    lr: float,
    seed: int,
    clip_norm: float | None = 1.0,
    inputs: str = "one-hot",
) -> dict:
    """Train once; the share of right answers on sequences that were not seen."""
    began = time.perf_counter()
    train, (ids, targets) = batches(length, seed)
    torch.manual_seed(seed)
    model = Recaller(nonlinearity, start, inputs)
    steps = SETTINGS["steps"]
    try:
        sv.training.fit(
            model, recall_loss, train, steps, lr=lr, clip_norm=clip_norm, progress=False
        )
        ended = "trained"
    except FloatingPointError:
        ended = "diverged"
    with torch.no_grad():
        right = (model(ids).argmax(dim=1) == targets).float().mean().item()
    return {
        "nonlinearity": nonlinearity,
        "start": start,
        "inputs": inputs,
        "length": length,
        "lr": lr,
        "clip_norm": clip_norm or "",
        "seed": seed,
        **SETTINGS,
        "ended": ended,
        "accuracy": f"{right:.3f}",
        "seconds": f"{time.perf_counter() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def asked() -> list[dict]:
    """What is trained: the search, the IRNN with and without clipping, the control."""
    rnns = [dict(zip(("nonlinearity", "start"), rnn, strict=True)) for rnn in RNNS]
    found = [
        {**rnn, "length": length, "lr": lr, "seed": seed}
        for length in LENGTHS
        for rnn in rnns
        for lr in RATES
        for seed in SEEDS
    ]
    irnn = {"nonlinearity": "relu", "start": "identity", "length": LENGTHS[-1]}
    found += [{**irnn, "lr": lr, "seed": seed} for lr in RATES for seed in MORE_SEEDS]
    without = {**irnn, "clip_norm": None}
    found += [{**without, "lr": lr, "seed": seed} for lr in RATES for seed in (*SEEDS, *MORE_SEEDS)]
    control = {"nonlinearity": "tanh", "start": "identity", "length": LENGTHS[-1], "lr": RATES[0]}
    rest = [seed for seed in CONTROL_SEEDS if seed not in SEEDS]
    found += [{**control, "seed": seed} for seed in rest]
    return found + [{**control, "seed": seed, "inputs": "centred"} for seed in CONTROL_SEEDS]


def setting(row: dict) -> tuple[str, ...]:
    """What tells one training from another."""
    given = {"clip_norm": 1.0, "inputs": "one-hot"} | row
    names = ("nonlinearity", "start", "inputs", "length", "lr", "clip_norm", "seed")
    return tuple("" if given[name] is None else str(given[name]) for name in names)


def main() -> None:
    """Write the rows that are not there yet."""
    sv.setup(seed=0)
    path, rows = Path(__file__).with_suffix(".csv"), []
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    done, wanted = {setting(row) for row in rows}, asked()
    order = [setting(one) for one in wanted]
    for one in wanted:
        if setting(one) in done:
            continue
        rows.append(row(**one))
        rows.sort(key=lambda found: order.index(setting(found)))
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


if __name__ == "__main__":
    main()
