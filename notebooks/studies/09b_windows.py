"""Digits by glimpses, and drawings: the figures of notebook 09b.

Digits are scikit-learn's handwritten ones. A net that sees all pixels names what is drawn.

Run `python notebooks/studies/09b_windows.py` (some five minutes); it writes 09b_windows.csv beside
itself, a row for each training; rows that are there are kept. The first net that draws writes
09b_drawings.csv as well: a few digits, step by step.
"""

import csv
import platform
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from torch import Tensor, nn
from torch.nn import functional as F

import seqviz as sv

TABLE = Path(__file__).with_suffix(".csv")
SEEDS = range(3)
GLIMPSE = {"steps": 800, "lr": 6e-3, "batch": 64, "window": 3, "glimpses": 3}
DRAW = {"steps": 1200, "lr": 1e-2, "batch": 32, "window": 4, "pieces": 5, "hidden": 64, "latent": 4}
EXPERIMENTS = {
    "glimpse, learned windows": GLIMPSE,
    "glimpse, the same windows for every picture": GLIMPSE,
    "glimpse, one window of 5 x 5": GLIMPSE | {"window": 5, "glimpses": 1},
    "glimpse, six windows of 2 x 2": GLIMPSE | {"window": 2, "glimpses": 6},
    "drawing, KL times 0.1": DRAW,
    "drawing, KL times 1": DRAW,
    "drawing, KL times 0": DRAW,
}
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}
MEASURES = ("right", "seen", "named", "kl", "spread")
COLUMNS = ("experiment", "seed", *sorted({k for e in EXPERIMENTS.values() for k in e}))
COLUMNS = (*COLUMNS, *MEASURES, "seconds", *VERSIONS)


def optimised(
    model: nn.Module, loss: Callable[[], Tensor], steps: int, lr: float, clip: float = 1.0
) -> None:
    """Adam; the rate rises over a tenth of the steps, then falls along half a cosine."""
    adam = torch.optim.Adam(model.parameters(), lr)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, lr, steps, pct_start=0.1)
    for _ in range(steps):
        adam.zero_grad()
        loss().backward()
        nn.utils.clip_grad_norm_(model.parameters(), clip)
        adam.step()
        rate.step()
    model.eval()


@cache
def digits() -> tuple[Tensor, Tensor]:
    """Pictures (1797, 8, 8) from 0 to 1 and their classes, in an order that is mixed once."""
    data = load_digits()
    order = torch.randperm(len(data.target), generator=torch.Generator().manual_seed(0))
    return torch.tensor(data.images).float()[order] / 16, torch.tensor(data.target)[order]


def digit_batch(size: int) -> tuple[Tensor, Tensor]:
    """Pictures and classes from the first 1,400."""
    pictures, classes = digits()
    rows = torch.randint(1400, (size,))
    return pictures[rows], classes[rows]


class Fixed(sv.nn.GlimpseClassifier):
    """Glimpses whose windows are learned, but alike for every picture."""

    def __init__(self, *given, **options):
        super().__init__(*given, **options)
        self.places = nn.Parameter(torch.zeros(self.steps, 3))

    def forward(self, pictures):
        """Read pictures; `where` gives the place of the step, whatever the state is."""
        steps = iter(self.places)
        self.where.forward = lambda h: next(steps).expand(len(h), 3)
        return super().forward(pictures)


def seen_share(glimpses, window: int, side: int = 8) -> float:
    """Share of a picture's pixels that the windows see, a pixel seen twice counted once."""
    rows = glimpses.windows.flatten(0, 1)
    F_X, F_Y = sv.nn.soft_windows.bells(rows, window, side, side)
    weight = F_Y.sum(1)[:, :, None] * F_X.sum(1)[:, None]  # (batch * steps, side, side)
    weight = weight.unflatten(0, glimpses.windows.shape[:2]).sum(dim=1)
    return weight.clamp(max=1).mean().item()


def glimpse_row(name: str, seed: int) -> dict[str, float]:
    """Train a net that names digits by glimpses, and measure it."""
    torch.manual_seed(seed)
    kind, options = sv.nn.GlimpseClassifier, EXPERIMENTS[name]
    if name.endswith("for every picture"):
        kind = Fixed
    model = kind(8, 10, window=options["window"], steps=options["glimpses"])

    def loss() -> Tensor:
        pictures, classes = digit_batch(GLIMPSE["batch"])
        said = model(pictures).logits
        every = classes[:, None].expand(-1, said.shape[1])
        return F.cross_entropy(said.mT, every)

    optimised(model, loss, GLIMPSE["steps"], GLIMPSE["lr"])
    pictures, classes = (x[1400:] for x in digits())
    with torch.no_grad():
        found = model(pictures)
    right = (found.logits[:, -1].argmax(dim=1) == classes).float().mean().item()
    return {"right": right, "seen": seen_share(found, options["window"])}


def judge() -> nn.Module:
    """A net that sees all of a digit, trained on the same pictures."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Flatten(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))

    def loss() -> Tensor:
        pictures, classes = digit_batch(64)
        return F.cross_entropy(net(pictures), classes)

    optimised(net, loss, 800, 3e-3)
    return net


@torch.no_grad()
def write_drawings(drawing, probabilities: Tensor) -> None:
    """Write a 3, a 5 and a 0 into 09b_drawings.csv: of 20 the one that the other net knows best."""
    with TABLE.with_name("09b_drawings.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["digit", "step", "window", "canvas"])
        for digit in (3, 5, 0):
            k = 20 * digit + probabilities[20 * digit : 20 * digit + 20, digit].argmax().item()
            steps = zip(drawing.windows[k], drawing.canvases[k], strict=True)
            for step, parts in enumerate(steps, start=1):
                numbers = (" ".join(f"{x:.3f}" for x in p.flatten().tolist()) for p in parts)
                writer.writerow([digit, step, *numbers])


def drawing_row(name: str, seed: int) -> dict[str, float]:
    """Train DRAW, let it draw 20 of each digit, and have them named."""
    by = judge()
    torch.manual_seed(seed)
    model = sv.nn.DRAW(8, 10, DRAW["window"], DRAW["pieces"], DRAW["hidden"], DRAW["latent"])
    factor = float(name.split()[-1])

    def loss() -> Tensor:
        pictures, classes = digit_batch(DRAW["batch"])
        drawing = model(pictures, classes)
        last = drawing.canvases[:, -1].clamp(1e-6, 1 - 1e-6)
        lacks = F.binary_cross_entropy(last, pictures, reduction="none").sum(dim=(1, 2))
        return (lacks + factor * drawing.kl).mean()

    optimised(model, loss, DRAW["steps"], DRAW["lr"], clip=5.0)
    wanted = torch.arange(10).repeat_interleave(20)
    drawing = model.draw(wanted)
    last = drawing.canvases[:, -1]
    pictures, classes = (x[1400:] for x in digits())
    with torch.no_grad():
        said = by(last).softmax(dim=1)
        named = (said.argmax(dim=1) == wanted).float().mean().item()
        kl = model(pictures, classes).kl.mean().item()
    if (factor, seed) == (0.1, 0):
        write_drawings(drawing, said)
    return {
        "named": named,
        "kl": kl,
        "spread": last.unflatten(0, (10, 20)).std(dim=1).mean().item(),
    }


MAKERS = {"glimpse": glimpse_row, "drawing": drawing_row}


def row_of(name: str, seed: int) -> dict[str, str]:
    """The row of one training."""
    began = time.process_time()
    found = MAKERS[name.split(",")[0]](name, seed)
    row = {"experiment": name, "seed": seed} | EXPERIMENTS[name] | VERSIONS
    row |= {key: f"{value:.4f}" for key, value in found.items()}
    return row | {"seconds": f"{time.process_time() - began:.0f}"}


def main() -> None:
    """Write the rows that are not there yet."""
    torch.set_num_threads(1)
    rows = []
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    there = {(row["experiment"], int(row["seed"])) for row in rows}
    for seed in SEEDS:
        for name in EXPERIMENTS:
            if (name, seed) in there:
                continue
            rows.append(row_of(name, seed))
            print(
                name,
                seed,
                {k: rows[-1][k] for k in (*MEASURES, "seconds") if k in rows[-1]},
                flush=True,
            )
            place = {name: k for k, name in enumerate(EXPERIMENTS)}
            rows.sort(key=lambda row: (place[row["experiment"]], int(row["seed"])))
            with TABLE.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


if __name__ == "__main__":
    main()
