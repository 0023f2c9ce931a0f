"""Train the RNN of notebook 01 on words that repeat a letter: four words, 20 seeds each.

Run `python notebooks/studies/01_hello.py`; it writes 01_hello.csv beside itself.
"""

import csv
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F

import seqviz as sv

WORDS = ("hello", "llama", "melee", "radar")
SEEDS = range(20)
SETTINGS = {"hidden_size": 8, "steps": 60, "lr": 0.05}


def next_letter_loss(model, word):
    """Cross-entropy of each letter given those before it."""
    return F.cross_entropy(model(word[:-1])[0], word[1:])


def row(word: str, seed: int) -> dict:
    """Train once and spell the word from its first letter, greedily."""
    began = time.perf_counter()
    torch.manual_seed(seed)
    letters = sv.data.Vocabulary(sorted(set(word)))
    ids = letters.encode(word)
    model = sv.nn.LanguageModel(len(letters), SETTINGS["hidden_size"])
    history = sv.training.fit(
        model,
        next_letter_loss,
        [ids],
        steps=SETTINGS["steps"],
        lr=SETTINGS["lr"],
        progress=False,
    )
    spelled = sv.decoding.greedy(model.step, prompt=ids[:1].tolist(), length=len(word) - 1)
    return {
        "word": word,
        "seed": seed,
        **SETTINGS,
        "spelled": word[0] + "".join(letters.decode(spelled)),
        "loss": f"{history.loss[-1]:.5f}",
        "seconds": f"{time.perf_counter() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def main() -> None:
    """Write the table."""
    sv.setup(seed=0)
    rows = [row(word, seed) for word in WORDS for seed in SEEDS]
    path = Path(__file__).with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


if __name__ == "__main__":
    main()
