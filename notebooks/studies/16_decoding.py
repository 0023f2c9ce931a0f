"""What each way of decoding writes, measured beside Shakespeare's own text.

The shipped GPT continues passages of a play that it has not read. Of each continuation: the share
of its groups of four tokens that have stood in it before, the share of its groups of three that
differ, and its perplexity under the same GPT.

Run `python notebooks/studies/16_decoding.py` (some two minutes); it writes 16_decoding.csv beside
itself, a row for each method and seed; rows that are there are kept.
"""

import csv
import platform
import re
import time
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

import seqviz as sv

TABLE = Path(__file__).with_suffix(".csv")
PROMPTS, READ, WRITTEN = 24, 24, 80  # passages, tokens of each that are read, and written
SAMPLED = {
    "temperature 0.5": {"temperature": 0.5},
    "temperature 1": {},
    "temperature 1.5": {"temperature": 1.5},
    "top-k 5": {"top_k": 5},
    "top-k 40": {"top_k": 40},
    "nucleus 0.5": {"top_p": 0.5},
    "nucleus 0.9": {"top_p": 0.9},
}
METHODS = ("Shakespeare", "greedy", "beam 4", *SAMPLED)
SEEDS = range(3)
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


def words(text: str) -> list[str]:
    """Words and marks; a line's end is the word "/"."""
    return re.findall(r"[\w'-]+|[^\w\s]", text.replace("\n", " / "))


def model_and_text() -> tuple[sv.nn.GPT, Tensor]:
    """The shipped GPT, and the ids of a play that it has not read."""
    weights, vocabulary, sizes = sv.data.load_weights("shakespeare_gpt")
    model = sv.nn.GPT(**sizes).eval()
    model.load_state_dict(weights)
    plays = sv.data.load("shakespeare")
    pairs = sv.data.train_bpe([words(plays.train)], 1000)
    return model, vocabulary.encode(pairs.split(words(plays.test)))


def passages(ids: Tensor, seed: int) -> Tensor:
    """Passages (PROMPTS, READ + WRITTEN) that begin anywhere."""
    draw = torch.Generator().manual_seed(seed)
    starts = torch.randint(len(ids) - READ - WRITTEN, (PROMPTS, 1), generator=draw)
    return ids[starts + torch.arange(READ + WRITTEN)]


def written(method: str, model: sv.nn.GPT, text: Tensor, seed: int) -> Tensor:
    """Continuations (PROMPTS, WRITTEN) by one method."""
    prompt = text[:, :READ]
    if method == "Shakespeare":
        return text[:, READ:]
    if method == "greedy":
        return torch.tensor(sv.decoding.greedy(model.step, prompt, WRITTEN))
    if method.startswith("beam"):
        more = {"width": int(method.split()[1]), "select": model.select}
        trees = sv.decoding.beam(model.step, prompt, WRITTEN, **more)
        return torch.tensor([tree.best for tree in trees])
    more = {"generator": torch.Generator().manual_seed(seed), **SAMPLED[method]}
    return torch.tensor(sv.decoding.sample(model.step, prompt, WRITTEN, **more))


def groups(row: list[int], n: int) -> list[tuple[int, ...]]:
    """All groups of n tokens that stand side by side."""
    return [tuple(row[k : k + n]) for k in range(len(row) - n + 1)]


def repeated(rows: Tensor) -> float:
    """Share of the groups of four tokens that have stood in the same continuation before."""
    return mean(lambda row: 1 - len({*groups(row, 4)}) / len(groups(row, 4)), rows)


def distinct(rows: Tensor) -> float:
    """Share of different ones among all groups of three tokens, over all continuations."""
    every = [group for row in rows.tolist() for group in groups(row, 3)]
    return len({*every}) / len(every)


def mean(measure: Callable, rows: Tensor) -> float:
    """The mean of a measure of each row."""
    return sum(map(measure, rows.tolist())) / len(rows)


@torch.no_grad()
def perplexity(model: sv.nn.GPT, prompt: Tensor, rows: Tensor) -> float:
    """Perplexity of the continuations under the model, per token."""
    whole = torch.cat([prompt, rows], dim=1)
    logits = model(whole[:, :-1])[:, READ - 1 :]
    return F.cross_entropy(logits.mT, rows).exp().item()


def row_of(method: str, seed: int, model: sv.nn.GPT, ids: Tensor) -> dict:
    """Write and measure."""
    began = time.process_time()
    text = passages(ids, seed)
    rows = written(method, model, text, seed)
    row = {"method": method, "seed": seed, "repeated": f"{repeated(rows):.3f}"}
    row |= {"distinct": f"{distinct(rows):.3f}"}
    row |= {"perplexity": f"{perplexity(model, text[:, :READ], rows):.2f}"}
    row |= {"seconds": f"{time.process_time() - began:.1f}"}
    print(row, flush=True)
    return row | {"prompts": PROMPTS, "read": READ, "written": WRITTEN} | VERSIONS


def main() -> None:
    """Write the rows that the table does not have yet."""
    torch.set_num_threads(1)
    rows = []
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    done = {(row["method"], row["seed"]) for row in rows}
    model, ids = model_and_text()
    for method in METHODS:
        for seed in SEEDS:
            if (method, str(seed)) not in done:
                rows.append(row_of(method, seed, model, ids))
                with TABLE.open("w", encoding="utf-8", newline="") as file:
                    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(rows)


if __name__ == "__main__":
    main()
