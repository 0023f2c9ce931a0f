"""A task that nobody trained: translate by continuing a prompt.

A small GPT reads lines of text. Most are an English or a Spanish sentence. Some are both, as a
writer may put them by the way: "the houses are new = las casas son nuevas". Then it continues
"... =" for sentences that it has never seen. How does that depend on the number of such lines, and
what if their two sides do not belong together?

Run `python notebooks/studies/16_prompt.py` (some three minutes); it writes 16_prompt.csv beside
itself, a row for each training; rows that are there are kept.
"""

import csv
import platform
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

import seqviz as sv

TABLE = Path(__file__).with_suffix(".csv")
SIZES = {"n_positions": 24, "n_embd": 64, "n_layer": 2, "n_head": 4}
TRAINING = {"steps": 250, "batch": 32, "lr": 5e-3}
LINES = (0, 25, 50, 100, 150)  # of the 200 pairs that stand in one line
MIXED = 100  # lines of the control
SEEDS = range(3)
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


def text(count: int, mixed: bool = False) -> list[list[str]]:
    """The lines: `count` pairs side by side, the sentences of all others alone."""
    pairs = sv.data.load("en-es").train
    shown, others = pairs[:count], pairs[count:]
    right = [pair.target for pair in shown]
    if mixed:
        right = right[1:] + right[:1]
    lines = [[*p.source, "=", *words] for p, words in zip(shown, right, strict=True)]
    lines += [[*words] for pair in others for words in (pair.source, pair.target)]
    return [[*line, "."] for line in lines]


def vocabulary() -> sv.data.Vocabulary:
    """All words of the training text."""
    pairs = sv.data.load("en-es").train
    words = {word for pair in pairs for word in (*pair.source, *pair.target)}
    return sv.data.Vocabulary([*sorted(words), "=", "."])


class Batches:
    """Padded lines, in a new order each time; -100 where a line is over."""

    def __init__(self, lines: list[list[str]], words: sv.data.Vocabulary, seed: int):
        self.rows = [words.encode(line) for line in lines]
        self.draw = random.Random(seed)

    def __iter__(self) -> Iterator[Tensor]:
        size = TRAINING["batch"]
        order = self.draw.sample(range(len(self.rows)), len(self.rows))
        for k in range(0, len(order) - size + 1, size):
            rows = [self.rows[i] for i in order[k : k + size]]
            yield pad_sequence(rows, batch_first=True, padding_value=-100)


def loss(model: sv.nn.GPT, ids: Tensor) -> Tensor:
    """Mean cross-entropy of each next word."""
    return F.cross_entropy(model(ids[:, :-1].clamp(min=0)).mT, ids[:, 1:])


def trained(lines: list[list[str]], seed: int) -> sv.nn.GPT:
    """A GPT that has read the lines again and again."""
    torch.manual_seed(seed)
    words = vocabulary()
    drop = dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0.0)
    model = sv.nn.GPT(len(words), **SIZES, **drop)
    with torch.no_grad():
        for name, weight in model.named_parameters():  # GPT-2's start is for a width of 768
            if weight.dim() > 1 and "positions" not in name:
                weight *= (768 / SIZES["n_embd"]) ** 0.5
    steps, lr = TRAINING["steps"], TRAINING["lr"]
    optimizer = torch.optim.AdamW(model.parameters(), lr / 20, betas=(0.9, 0.98), fused=True)

    def after(step: int, _) -> None:
        optimizer.param_groups[0]["lr"] = lr * min((step + 1) / 20, 1 - step / steps)

    more = {"optimizer": optimizer, "clip_norm": 1.0, "on_step": after, "progress": False}
    sv.training.fit(model, loss, Batches(lines, words, seed), steps, **more)
    return model.eval()


def translated(model: sv.nn.GPT, sentence: tuple[str, ...]) -> list[str]:
    """What the model writes after "sentence =", up to the stop."""
    words = vocabulary()
    prompt = words.encode([*sentence, "="]).tolist()
    stop = words.encode(["."]).item()
    return words.decode(sv.decoding.greedy(model.step, prompt, 9, stop=stop))[:-1]


def exact(model: sv.nn.GPT) -> float:
    """The share of held-out sentences that are translated word for word."""
    test = sv.data.load("en-es").test
    return sum(translated(model, p.source) == [*p.target] for p in test) / len(test)


def row_of(count: int, mixed: bool, seed: int) -> dict:
    """Train once and ask."""
    began = time.process_time()
    model = trained(text(count, mixed), seed)
    row = {"lines": count, "mixed": mixed, "seed": seed, "exact": f"{exact(model):.3f}"}
    row |= {"seconds": f"{time.process_time() - began:.1f}"} | SIZES | TRAINING | VERSIONS
    print(row, flush=True)
    return row


def main() -> None:
    """Write the rows that the table does not have yet."""
    torch.set_num_threads(1)
    rows = []
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    done = {(row["lines"], row["mixed"], row["seed"]) for row in rows}
    for count, mixed in [*((count, False) for count in LINES), (MIXED, True)]:
        for seed in SEEDS:
            if (str(count), str(mixed), str(seed)) not in done:
                rows.append(row_of(count, mixed, seed))
                with TABLE.open("w", encoding="utf-8", newline="") as file:
                    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(rows)


if __name__ == "__main__":
    main()
