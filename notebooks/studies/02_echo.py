"""Echo of delay 8 by the chunk of truncated backpropagation: how far must the gradient reach?

Every run reads the same text once, so a short chunk gives more updates, and tries the same three
learning rates. Run `python notebooks/studies/02_echo.py` (some five minutes on one thread); it
writes 02_echo.csv beside itself.
"""

import csv
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F

import seqviz as sv

CHUNKS = (1, 2, 3, 5, 6, 8, 9, 10, 12, 15, 20, 40)
LRS = (1e-3, 3e-3, 1e-2)
SEEDS = range(3)
SETTINGS = {"delay": 8, "hidden_size": 32, "batch": 32, "text": 6_000, "clip_norm": 1.0}


class CarriedLoss:
    """Loss of one chunk after another: the state goes on, the gradient is cut."""

    def __init__(self):
        self.state = None

    def __call__(self, model, chunk):
        """Cross-entropy of a chunk (bits, echoes), each (time, batch)."""
        bits, echoes = chunk
        scores, state = model(bits, self.state)
        self.state = state.detach()
        return F.cross_entropy(scores.flatten(0, 1), echoes.flatten())


def stream(length: int, delay: int, batch: int, seed: int):
    """Bits and echoes (length, batch), from the first step on that has an echo."""
    bits, echoes = sv.data.echo(length + delay, delay, batch, seed=seed)
    return bits[delay:], echoes[delay:]


@torch.no_grad()
def accuracy(model, delay: int, seed: int, length: int = 500, batch: int = 32) -> float:
    """Share of echoes said right on a new text, the state carried through all of it."""
    bits, echoes = sv.data.echo(length, delay, batch, seed=seed)
    scores, _ = model(bits)
    return (scores.argmax(dim=-1) == echoes)[delay:].float().mean().item()


def row(chunk: int, lr: float, seed: int) -> dict:
    """Train once; score on a text to choose the learning rate by, and on another."""
    began = time.perf_counter()
    torch.manual_seed(seed)
    delay, batch = SETTINGS["delay"], SETTINGS["batch"]
    model = sv.nn.LanguageModel(2, SETTINGS["hidden_size"])
    bits, echoes = stream(SETTINGS["text"], delay, batch, seed)
    chunks = list(zip(bits.split(chunk), echoes.split(chunk), strict=True))
    history = sv.training.fit(
        model,
        CarriedLoss(),
        chunks,
        steps=len(chunks),
        lr=lr,
        clip_norm=SETTINGS["clip_norm"],
        progress=False,
    )
    return {
        "chunk": chunk,
        "lr": lr,
        "seed": seed,
        **SETTINGS,
        "updates": history.steps,
        "val": f"{accuracy(model, delay, seed=1_001):.4f}",
        "test": f"{accuracy(model, delay, seed=1_002):.4f}",
        "seconds": f"{time.perf_counter() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def main() -> None:
    """Write the table."""
    sv.setup(seed=0)
    rows = [row(chunk, lr, seed) for chunk in CHUNKS for lr in LRS for seed in SEEDS]
    path = Path(__file__).with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


if __name__ == "__main__":
    main()
