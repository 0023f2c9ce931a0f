"""The language model's loss beside a task's: does it help, and with how many labels?

A small GPT reads film reviews that praise or blame: <start> text <extract>, and a linear head on
the last token. Its weights come from the language model of `opinions`' texts without labels, or are
drawn. Trained is L = L_task + lambda L_LM (Radford et al. 2018, equation 5) with lambda 0 or 0.5,
on 50, 500 or 5,000 labels, for as many steps each. Of two learning rates the one counts that is
best on the validation part.

Run `python notebooks/studies/16_tasks.py` (some eight minutes); it writes 16_tasks.csv beside
itself, a row for each training; rows that are there are kept.
"""

import csv
import platform
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

import seqviz as sv

TABLE = Path(__file__).with_suffix(".csv")
START, EXTRACT = "<start>", "<extract>"
SIZES = {"n_positions": 48, "n_embd": 64, "n_layer": 2, "n_head": 4}
PRETRAINING = {"pre_steps": 1000, "pre_batch": 64, "pre_lr": 4e-3}
TRAINING = {"steps": 200, "batch": 32}
RATES = (4e-4, 2e-3)
LABELS = (50, 500, 5000)
WEIGHTS = (0.0, 0.5)
SEEDS = range(3)
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


class Texts:
    """`opinions` as ids: texts without labels, and rows with them."""

    def __init__(self):
        opinions = sv.data.load("opinions")
        plain = [text.split() for text in (*opinions.stream, *opinions.unlabelled)]
        parts = [opinions.train, opinions.val, opinions.test]
        words = {word for line in plain for word in line}
        words |= {word for part in parts for row in part for word in row.words}
        self.vocabulary = sv.data.Vocabulary([START, EXTRACT, *sorted(words)])
        self.plain = [self.ids([START, *line]) for line in plain]
        self.train, self.val, self.test = (
            ([self.ids([START, *row.words, EXTRACT]) for row in part], [r.label for r in part])
            for part in parts
        )

    def ids(self, tokens: list[str]) -> Tensor:
        """Numbers of tokens."""
        return self.vocabulary.encode(tokens)


def orders(count: int, size: int, seed: int) -> Iterator[list[int]]:
    """Numbers of rows, batch by batch, in a new order each time."""
    draw = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(count, generator=draw).tolist()
        yield from (order[k : k + size] for k in range(0, count - size + 1, size))


def padded(rows: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Rows (batch, time) with zeros behind, and their lengths."""
    return pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


def run(model: nn.Module, lr: float, steps: int, next_loss: Callable[[], Tensor]) -> None:
    """AdamW; the rate rises over a twentieth of the steps, then falls to 0."""
    optimizer = torch.optim.AdamW(model.parameters(), lr, betas=(0.9, 0.98), fused=True)
    model.train()
    for step in range(1, steps + 1):
        share = step / steps
        optimizer.param_groups[0]["lr"] = lr * min(share / 0.05, (1 - share) / 0.95)
        next_loss().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    model.eval()


def fresh(texts: Texts, seed: int) -> sv.nn.GPT:
    """A GPT whose start fits its width: 0.02, GPT-2's standard deviation, is for 768."""
    torch.manual_seed(seed)
    drop = dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), 0.1)
    model = sv.nn.GPT(len(texts.vocabulary), **SIZES, **drop)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() > 1 and "positions" not in name:
                weight *= (768 / SIZES["n_embd"]) ** 0.5
    return model


def pretrained(texts: Texts, seed: int) -> sv.nn.GPT:
    """A GPT that has read the texts without labels."""
    model = fresh(texts, seed)
    order = orders(len(texts.plain), PRETRAINING["pre_batch"], seed)

    def next_loss() -> Tensor:
        rows = [texts.plain[k] for k in next(order)]
        ids = pad_sequence(rows, batch_first=True, padding_value=-100)
        return F.cross_entropy(model(ids[:, :-1].clamp(min=0)).mT, ids[:, 1:])

    run(model, PRETRAINING["pre_lr"], PRETRAINING["pre_steps"], next_loss)
    return model


@torch.no_grad()
def accuracy(head: nn.Module, part: tuple[list[Tensor], list[int]]) -> float:
    """Share of right classes."""
    right = 0
    for k in range(0, len(part[0]), 250):
        ids, lengths = padded(part[0][k : k + 250])
        found = head(ids, lengths).logits.argmax(dim=1)
        right += (found == torch.tensor(part[1][k : k + 250])).sum().item()
    return right / len(part[0])


def tuned(
    gpt: sv.nn.GPT, texts: Texts, labels: int, lm_weight: float, lr: float, seed: int
) -> sv.nn.GPTForSequenceClassification:
    """A copy of the GPT with a head, trained on the first so many labels of a drawn order."""
    torch.manual_seed(seed)
    head = sv.nn.GPTForSequenceClassification(deepcopy(gpt), 2)
    chosen = next(orders(len(texts.train[0]), labels, seed))
    order = orders(labels, min(TRAINING["batch"], labels), seed)

    def next_loss() -> Tensor:
        rows = [chosen[k] for k in next(order)]
        ids, lengths = padded([texts.train[0][k] for k in rows])
        classes = torch.tensor([texts.train[1][k] for k in rows])
        return head.loss(ids, classes, lengths, lm_weight)

    run(head, lr, TRAINING["steps"], next_loss)
    return head


def row_of(gpt: sv.nn.GPT, read: bool, labels: int, weight: float, seed: int, t: Texts) -> dict:
    """Train at each rate; the test accuracy of the one that is best on the validation part."""
    began = time.process_time()
    heads = {lr: tuned(gpt, t, labels, weight, lr, seed) for lr in RATES}
    val = {lr: accuracy(head, t.val) for lr, head in heads.items()}
    best = max(val, key=val.get)
    row = {"pretrained": read, "labels": labels, "lm_weight": weight, "seed": seed}
    row |= {"accuracy": f"{accuracy(heads[best], t.test):.4f}"}
    row |= {"val": f"{val[best]:.4f}", "lr": best}
    row |= {"seconds": f"{time.process_time() - began:.1f}"}
    print(row, flush=True)
    return row | SIZES | PRETRAINING | TRAINING | VERSIONS


def main() -> None:
    """Write the rows that the table does not have yet."""
    torch.set_num_threads(1)
    rows = []
    if TABLE.exists():
        with TABLE.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    keys = ("pretrained", "labels", "lm_weight", "seed")
    done = {tuple(row[key] for key in keys) for row in rows}
    texts = Texts()
    for seed in SEEDS:
        for read, start in ((True, pretrained), (False, fresh)):
            cells = [(read, n, w, seed) for n in LABELS for w in WEIGHTS]
            missing = [cell for cell in cells if tuple(map(str, cell)) not in done]
            gpt = start(texts, seed) if missing else None
            for cell in missing:
                rows.append(row_of(gpt, *cell, texts))
                with TABLE.open("w", encoding="utf-8", newline="") as file:
                    writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                    writer.writeheader()
                    writer.writerows(rows)


if __name__ == "__main__":
    main()
