"""Train the word model of notebook 01 from ten seeds: does the RNN carry the subject to the end?

Run `python notebooks/studies/01_students.py`; it writes 01_students.csv beside itself.
"""

import csv
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

import seqviz as sv

SEEDS = range(10)
SETTINGS = {"hidden_size": 24, "embedding_dim": 24, "steps": 200, "lr": 0.03}
SUBJECTS, VERBS = {"students", "chefs", "drivers"}, {"opened", "closed"}


def next_word_loss(model, ids):
    """Cross-entropy of each word given those before it; padding is -100."""
    scores, _ = model(ids[:-1].clamp(min=0))
    return F.cross_entropy(scores.flatten(0, 1), ids[1:].flatten(), ignore_index=-100)


def row(seed: int) -> dict:
    """Train once; the probability of the two objects that fit, over the test sentences."""
    began = time.perf_counter()
    torch.manual_seed(seed)
    sentences = sv.data.load("students")
    words = sv.data.Vocabulary(sorted({w for line in sentences.train for w in line.split()}))
    batch = pad_sequence([words.encode(s.split()) for s in sentences.train], padding_value=-100)
    model = sv.nn.LanguageModel(
        len(words), SETTINGS["hidden_size"], embedding_dim=SETTINGS["embedding_dim"]
    )
    sv.training.fit(
        model, next_word_loss, [batch], SETTINGS["steps"], lr=SETTINGS["lr"], progress=False
    )

    fits = {}
    for line in sentences.train:
        *start, last = line.split()
        fits.setdefault(frozenset(start) & (SUBJECTS | VERBS), set()).add(last)
    mass = {}
    for line in sentences.test:
        start = line.split()[:-1]
        with torch.no_grad():
            p = model(words.encode(start))[0][-1].softmax(dim=-1)
        pair = fits[frozenset(start) & (SUBJECTS | VERBS)]
        mass[line] = p[words.encode(sorted(pair))].sum().item()
    worst = min(mass, key=mass.get)
    return {
        "seed": seed,
        **SETTINGS,
        "mean": f"{sum(mass.values()) / len(mass):.3f}",
        "worst": f"{mass[worst]:.3f}",
        "sentence": worst,
        "seconds": f"{time.perf_counter() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def main() -> None:
    """Write the table."""
    sv.setup(seed=0)
    rows = [row(seed) for seed in SEEDS]
    path = Path(__file__).with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


if __name__ == "__main__":
    main()
