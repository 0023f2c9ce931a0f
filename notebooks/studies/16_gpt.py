"""GPT against an LSTM on Shakespeare's plays: equal parameters, equal time.

Both read the same byte pairs in the same batches, share their embeddings with their output layer,
and are trained by AdamW with the same search of learning rates. torch's own LSTM runs here, since
it is the fastest there is: the race is by the seconds of one processor thread.

Run `python notebooks/studies/16_gpt.py` (some nine minutes); it writes 16_gpt.csv beside itself, a
row for each moment of a training, as they come; runs that are there are kept. With
`--checkpoint FOLDER` it trains the larger GPT that is shipped as `shakespeare_gpt` (some eight
minutes).
"""

import argparse
import csv
import json
import math
import platform
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor, nn

import seqviz as sv

TABLE = Path(__file__).with_suffix(".csv")
MERGES = 1000
SIZES = {"n_positions": 64, "n_embd": 96, "n_layer": 3, "n_head": 4}
UNITS = 180  # of the LSTM: as many parameters
RATES = (1.5e-3, 3e-3, 6e-3, 12e-3, 24e-3)
SECONDS = 40.0  # of the processor, for each training
MOMENTS = (2.5, 5.0, 10.0, 20.0, 40.0)
BATCH = 16
SEEDS = range(3)
MODELS = ("GPT", "LSTM")
SHIPPED = {"n_positions": 128, "n_embd": 96, "n_layer": 4, "n_head": 4}
SHIPPED_STEPS, SHIPPED_RATE, SHIPPED_DROP = 2000, 5e-3, 0.1
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


def words(text: str) -> list[str]:
    """Words and marks; a line's end is the word "/"."""
    return re.findall(r"[\w'-]+|[^\w\s]", text.replace("\n", " / "))


class Corpus:
    """The plays in byte pairs; losses are per character of the text."""

    def __init__(self):
        plays = sv.data.load("shakespeare")
        if plays.source != "downloaded":
            raise RuntimeError("the study needs the real plays, not the stand-in")
        self.pairs = sv.data.train_bpe([words(plays.train)], MERGES)
        pieces = [self.pairs.split(words(part)) for part in (plays.train, plays.val, plays.test)]
        self.vocabulary = sv.data.Vocabulary(sorted(set().union(*pieces)))
        self.train, self.val, self.test = map(self.vocabulary.encode, pieces)
        self.characters = len(plays.val)


class LSTM(nn.Module):
    """An LSTM language model whose output layer is its embedding, as GPT's is."""

    def __init__(self, vocab_size: int, units: int):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, units)
        self.lstm = nn.LSTM(units, units, batch_first=True)
        nn.init.normal_(self.tokens.weight, std=units**-0.5)

    def forward(self, ids: Tensor) -> Tensor:
        """Map ids (batch, time) to logits (batch, time, vocab)."""
        return F.linear(self.lstm(self.tokens(ids))[0], self.tokens.weight)


def gpt(sizes: dict, drop: float = 0.0) -> sv.nn.GPT:
    """A GPT whose start fits its width: 0.02, GPT-2's standard deviation, is for 768."""
    rates = dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), drop)
    model = sv.nn.GPT(**sizes, **rates)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1 and "positions" not in name:
                weight *= (768 / sizes["n_embd"]) ** 0.5
    return model


def net(model: str, corpus: Corpus) -> nn.Module:
    """One of the two nets of the race."""
    size = len(corpus.vocabulary)
    return LSTM(size, UNITS) if model == "LSTM" else gpt({"vocab_size": size} | SIZES)


def batches(ids: Tensor, time_: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Windows (batch, time) that begin anywhere, and the same one token further."""
    draw = torch.Generator().manual_seed(seed)
    while True:
        at = torch.randint(len(ids) - time_, (BATCH, 1), generator=draw) + torch.arange(time_ + 1)
        yield ids[at[:, :-1]], ids[at[:, 1:]]


def loss(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
    """Mean cross-entropy in nats per token."""
    x, y = batch
    return F.cross_entropy(model(x).flatten(0, 1), y.flatten())


@torch.no_grad()
def held_out(model: nn.Module, ids: Tensor, time_: int) -> float:
    """Loss per token over a text cut into windows; of each the first token is only read."""
    model.eval()
    count = (len(ids) - 1) // time_
    rows = ids[torch.arange(count)[:, None] * time_ + torch.arange(time_ + 1)]
    total = sum(loss(model, (r[:, :-1], r[:, 1:])).item() * len(r) for r in rows.split(64))
    model.train()
    return total / count


def per_character(nats: float, corpus: Corpus) -> float:
    """Nats per character of the held-out text, from nats per token."""
    return nats * len(corpus.val) / corpus.characters


def optimizer_of(model: nn.Module, lr: float) -> torch.optim.Optimizer:
    """AdamW, with decay on matrices only."""
    groups = [
        {"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.1},
        {"params": [p for p in model.parameters() if p.dim() <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr, betas=(0.9, 0.99), fused=True)


def raced(
    model: str,
    lr: float,
    seed: int,
    corpus: Corpus,
    seconds: float = SECONDS,
    on_moment: Callable[[float, int, float], None] | None = None,
) -> nn.Module:
    """Train for some seconds; the rate rises over a twentieth of them, then falls to 0."""
    torch.manual_seed(seed)
    trained = net(model, corpus)
    optimizer = optimizer_of(trained, lr)
    spent, steps = 0.0, 0
    due = [moment for moment in MOMENTS if moment <= seconds]
    for batch in batches(corpus.train, SIZES["n_positions"], seed):
        began = time.process_time()
        share = spent / seconds
        for group in optimizer.param_groups:
            group["lr"] = lr * min((share + 0.001) / 0.05, (1 - share) / 0.95)
        loss(trained, batch).backward()
        nn.utils.clip_grad_norm_(trained.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        spent, steps = spent + time.process_time() - began, steps + 1
        if due and spent >= due[0]:
            due.pop(0)
            if on_moment:
                nats = held_out(trained, corpus.val, SIZES["n_positions"])
                on_moment(spent, steps, nats)
        if spent >= seconds:
            return trained.eval()


def rows_of(model: str, lr: float, seed: int, corpus: Corpus) -> list[dict]:
    """Train once; a row for each moment."""
    count = sum(weight.numel() for weight in net(model, corpus).parameters())
    found = []

    def measure(spent: float, steps: int, nats: float) -> None:
        row = {"model": model, "lr": lr, "seed": seed, "seconds": f"{spent:.1f}", "steps": steps}
        row |= {"loss": f"{nats:.4f}", "per_character": f"{per_character(nats, corpus):.4f}"}
        found.append(row | {"parameters": count, "batch": BATCH} | SIZES | VERSIONS)
        print(row, flush=True)

    raced(model, lr, seed, corpus, on_moment=measure)
    return found


def read() -> list[dict]:
    """The rows that are there."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(rows: list[dict]) -> None:
    """Write all rows."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def best_rate(rows: list[dict], model: str) -> float:
    """The learning rate with the lowest last loss at the first seed."""
    ends = {}
    for row in rows:
        if row["model"] == model and int(row["seed"]) == SEEDS[0]:
            ends[float(row["lr"])] = float(row["loss"])
    return min(ends, key=ends.get)


def write_table(corpus: Corpus) -> None:
    """First the rates at one seed, then the other seeds at the best rate of each model."""
    rows = read()

    def add(model: str, lr: float, seed: int) -> None:
        nonlocal rows
        if (model, lr, seed) not in {(r["model"], float(r["lr"]), int(r["seed"])) for r in rows}:
            rows = [*rows, *rows_of(model, lr, seed, corpus)]
            write(rows)

    for model in MODELS:
        for lr in RATES:
            add(model, lr, SEEDS[0])
        for seed in SEEDS[1:]:
            add(model, best_rate(rows, model), seed)


def write_checkpoint(folder: Path, corpus: Corpus) -> None:
    """Train the shipped GPT by steps and save it in half precision."""
    torch.manual_seed(SEEDS[0])
    sizes = {"vocab_size": len(corpus.vocabulary)} | SHIPPED
    model = gpt(sizes, SHIPPED_DROP)
    optimizer = optimizer_of(model, SHIPPED_RATE)
    began = time.process_time()
    windows = batches(corpus.train, SHIPPED["n_positions"], SEEDS[0])
    for step in range(1, SHIPPED_STEPS + 1):
        share = step / SHIPPED_STEPS
        for group in optimizer.param_groups:  # a rise, then half a cosine
            group["lr"] = SHIPPED_RATE * min(share / 0.05, (1 + math.cos(math.pi * share)) / 2)
        loss(model, next(windows)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if step % 200 == 0:
            nats = held_out(model, corpus.val, SHIPPED["n_positions"])
            print(step, f"{nats:.4f}", f"{per_character(nats, corpus):.4f}", flush=True)
            print(f"{time.process_time() - began:.0f} s", flush=True)
    weights = {name: value.half() for name, value in model.state_dict().items()}
    about = {"vocabulary": corpus.vocabulary.tokens, "sizes": sizes}
    about = {name: json.dumps(value) for name, value in about.items()}
    save_file(weights, folder / "model.safetensors", metadata=about)
    model.load_state_dict(weights)
    for name in ("val", "test"):
        nats = held_out(model, getattr(corpus, name), SHIPPED["n_positions"])
        print(f"{name}: {nats:.4f} nats per token in half precision")


def main() -> None:
    """Write the table, or the checkpoint if it is wanted."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", type=Path)
    folder = parser.parse_args().checkpoint
    torch.set_num_threads(1)
    if folder:
        write_checkpoint(folder, Corpus())
    else:
        write_table(Corpus())


if __name__ == "__main__":
    main()
