"""Train the deep nets of notebook 03 on two spirals: the gradient at the first layer, by depth.

Every net has the same steps, the same points and the same search over learning rates. Run
`python notebooks/studies/03_depth.py`; it writes 03_depth.csv beside itself.
"""

import csv
import math
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv

KINDS = ("plain", "residual", "highway", "dense")
DEPTHS = (4, 16, 48)
RATES = (0.001, 0.003, 0.01)
SEEDS = range(3)
SETTINGS = {"size": 16, "growth": 4, "points": 256, "steps": 200, "clip_norm": 1.0}


def spirals(count: int, seed: int):
    """Points (count, 2) on two spirals, and which of the two each lies on."""
    draw = torch.Generator().manual_seed(seed)
    label = torch.arange(count) % 2
    along = torch.rand(count, generator=draw)
    angle = math.pi * (2.5 * along + label)
    points = 2 * along[:, None] * torch.stack([angle.cos(), angle.sin()], dim=1)
    return points + 0.03 * torch.randn(count, 2, generator=draw), label


def deep_net(kind: str, depth: int) -> nn.Sequential:
    """Two numbers in, `depth` blocks, two scores out."""
    size, growth = SETTINGS["size"], SETTINGS["growth"]
    if kind == "dense":
        last = size + depth * growth
        blocks = [sv.nn.DenseBlock(n, growth) for n in range(size, last, growth)]
    else:
        last = size
        block = {
            "plain": sv.nn.PlainBlock,
            "residual": sv.nn.ResidualBlock,
            "highway": sv.nn.HighwayBlock,
        }[kind]
        blocks = [block(size) for _ in range(depth)]
    return nn.Sequential(nn.Linear(2, size), *blocks, nn.Linear(last, 2))


def loss(model, batch):
    """Cross-entropy of the spiral."""
    points, label = batch
    return F.cross_entropy(model(points), label)


def row(kind: str, depth: int, lr: float, seed: int) -> dict:
    """Gradient of the first weights before training; right answers on new points after it."""
    began = time.perf_counter()
    points = spirals(SETTINGS["points"], seed)
    torch.manual_seed(seed)
    model = deep_net(kind, depth)
    loss(model, points).backward()
    gradient = model[0].weight.grad.norm().item()
    clip_norm = SETTINGS["clip_norm"]
    sv.training.fit(
        model, loss, [points], SETTINGS["steps"], lr=lr, clip_norm=clip_norm, progress=False
    )
    new, label = spirals(1000, SEEDS.stop + seed)
    with torch.no_grad():
        right = (model(new).argmax(dim=1) == label).float().mean().item()
    return {
        "kind": kind,
        "depth": depth,
        "lr": lr,
        "seed": seed,
        **SETTINGS,
        "gradient": f"{gradient:.3e}",
        "accuracy": f"{right:.3f}",
        "seconds": f"{time.perf_counter() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def main() -> None:
    """Write the table."""
    sv.setup(seed=0)
    rows = [
        row(kind, depth, lr, seed)
        for depth in DEPTHS
        for kind in KINDS
        for lr in RATES
        for seed in SEEDS
    ]
    path = Path(__file__).with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


if __name__ == "__main__":
    main()
