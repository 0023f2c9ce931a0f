"""Pre-train the small BERT of notebook 17 again and again, with one thing changed each time.

All read the paragraphs of `sv.data.load("facts")`. What is asked of each: which word stands here,
if this word alone is masked (or, left to right, after the words before it)? Counted are words
whose evidence lies left of them, right of them, or on both sides.

Run `python notebooks/studies/17_masking.py`; it writes 17_masking.csv beside itself, a row for each
moment of a training, as they come; runs that are there are kept. With `--checkpoint FOLDER` it
trains and writes the two nets of the notebook's first cells in place of the table.
"""

import argparse
import csv
import json
import platform
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor, nn

import seqviz as sv

MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
NET = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
NET |= {"intermediate_size": 128, "max_position_embeddings": 64}
TRAINING = {"batch": 16, "steps": 3000, "lr": 3e-3, "warmup": 100}
TRAINING |= {"std": 0.1, "position_std": 0.02}
MASKING = {"rate": 0.3, "masked": 0.8, "replaced": 0.1, "kept": 0.1}
SHORT, LONG = {"steps": 1500}, {"steps": 4500}
RATES = (0.05, 0.15, 0.3, 0.5, 0.7)
ONE_LAYER = {"num_hidden_layers": 1}
ONLY_MASKS = {"masked": 1.0, "replaced": 0.0, "kept": 0.0}
EXPERIMENTS = {
    "both sides": {},
    "left to right": {},
    **{f"rate {rate}": SHORT | {"rate": rate} for rate in RATES},
    "only [MASK]": SHORT | ONLY_MASKS,
    "one layer": SHORT | ONE_LAYER,
    "no positions": SHORT,
    **{f"rate {rate}, longer": LONG | {"rate": rate} for rate in RATES},
    "one layer, longer": LONG | ONE_LAYER,
    "no positions, longer": LONG,
}
SAVED = ("both sides", "left to right")  # the nets of the checkpoint, with the first seed
SEEDS = range(3)
MOMENTS = 6
KNOWN = ("left", "right", "both")
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


def dictionary(paragraphs: list) -> sv.data.WordPiece:
    """The marks and every word of the paragraphs, each a piece of its own."""
    words = {word for paragraph in paragraphs for word in paragraph.line.split()}
    return sv.data.WordPiece([*MARKS, *sorted(words)])


class LeftToRight(nn.Module):
    """The same net with a causal mask; logits at t are for the token at t + 1."""

    def __init__(self, bert: sv.nn.BERT):
        super().__init__()
        self.masked = sv.nn.BERTForMaskedLM(bert)

    def forward(self, ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Map ids (batch, time) to logits (batch, time, token)."""
        bert, causal = self.masked.bert, sv.nn.causal_mask(ids.shape[1])
        x = bert.embeddings(ids, None)
        for layer in bert.layers:
            x = layer(x, causal, attention_mask == 0)
        return self.masked.predictions(x, bert.embeddings.word_embeddings.weight)


class Batches:
    """Padded paragraphs of about one length, in an order of their own each time."""

    def __init__(self, rows: list, pieces: sv.data.WordPiece, size: int, seed: int):
        self.rows, self.pieces, self.size = rows, pieces, size
        self.draw = torch.Generator().manual_seed(seed)

    def __iter__(self) -> Iterator:
        order = torch.randperm(len(self.rows), generator=self.draw).tolist()
        groups = []
        for k in range(0, len(order), 16 * self.size):
            pool = sorted(order[k : k + 16 * self.size], key=lambda i: len(self.rows[i].ids))
            groups += [pool[j : j + self.size] for j in range(0, len(pool), self.size)]
        for k in torch.randperm(len(groups), generator=self.draw).tolist():
            yield self.pieces.pad([self.rows[i] for i in groups[k]])


def net(experiment: str, options: dict, pieces: sv.data.WordPiece) -> nn.Module:
    """A net with weights from N(0, std^2)."""
    bert = sv.nn.BERT(
        len(pieces),
        **{name: options[name] for name in NET},
        hidden_dropout_prob=0,
        attention_probs_dropout_prob=0,
        add_pooling_layer=False,
    )
    kind = LeftToRight if experiment.startswith("left") else sv.nn.BERTForMaskedLM
    model = kind(bert)
    for weight in model.parameters():
        if weight.dim() > 1:
            nn.init.normal_(weight, std=options["std"])
    positions = bert.embeddings.position_embeddings.table
    nn.init.normal_(positions, std=options["position_std"])
    if experiment.startswith("no positions"):
        positions.requires_grad_(False).zero_()
    return model


def loss_of(options: dict, pieces: sv.data.WordPiece, draw: torch.Generator):
    """The loss of a batch: at chosen tokens, or left to right at all of them."""
    shares = tuple(options[name] for name in ("masked", "replaced", "kept"))

    def loss(model: nn.Module, batch: sv.data.Padded) -> Tensor:
        ids, mask = batch.input_ids, batch.attention_mask
        if isinstance(model, LeftToRight):
            there = mask[:, 1:] == 1
            return F.cross_entropy(model(ids, mask)[:, :-1][there], ids[:, 1:][there])
        inputs, labels, _ = sv.data.mask_tokens(
            ids,
            pieces.mask_id,
            pieces.ordinary_ids,
            special=pieces.special_ids,
            probability=options["rate"],
            shares=shares,
            generator=draw,
        )
        chosen = labels != -100
        h = model.bert(inputs, mask).last_hidden_state[chosen]
        logits = model.predictions(h, model.bert.embeddings.word_embeddings.weight)
        return F.cross_entropy(logits, labels[chosen])

    return loss


@torch.no_grad()
def accuracies(model: nn.Module, test: list, pieces: sv.data.WordPiece) -> dict[str, float]:
    """Share of right words by where their evidence lies; "seen": of words that are not masked."""
    right = defaultdict(list)
    for row, labels in test:
        wanted = [t for t, label in enumerate(labels, 1) if label in (*KNOWN, "open")]
        ids, t = row.ids[None], torch.tensor(wanted)
        ones = torch.ones_like(ids)
        if isinstance(model, LeftToRight):
            best = model(ids, ones).argmax(-1)[0, t - 1]
        else:
            many = ids.repeat(len(wanted), 1)
            many[range(len(wanted)), t] = pieces.mask_id
            best = model(many, torch.ones_like(many)).argmax(-1)[range(len(wanted)), t]
            right["seen"] += (model(ids, ones).argmax(-1)[0, t] == ids[0, t]).tolist()
        for k, place in enumerate(wanted):
            hit = (best[k] == ids[0, place]).item()
            label = labels[place - 1]
            right[label].append(hit)
            if label in KNOWN:
                right["known"].append(hit)
    return {name: sum(hits) / len(hits) for name, hits in right.items()}


def corpus() -> tuple[sv.data.WordPiece, list, list]:
    """The pieces, the training rows, and the test rows with their labels."""
    facts = sv.data.load("facts")
    pieces = dictionary(facts.train)
    rows = [pieces.encode(paragraph.line) for paragraph in facts.train]
    test = [
        (pieces.encode(one.line), [label for labels in one.labels for label in labels])
        for one in facts.test
    ]
    return pieces, rows, test


def rate_of(step: int, options: dict) -> float:
    """Linear warm-up, then linear decay."""
    steps, warmup = options["steps"], options["warmup"]
    return options["lr"] * min((step + 1) / warmup, (steps - step) / (steps - warmup))


def trained(experiment: str, seed: int, options: dict, data: tuple, on_moment=None) -> nn.Module:
    """A net of an experiment; `on_moment(step, model, seconds)` hears of six moments."""
    pieces, rows, _ = data
    torch.manual_seed(seed)
    model = net(experiment, options, pieces)
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    optimizer.param_groups[0]["lr"] = rate_of(0, options)
    every, began, away = options["steps"] // MOMENTS, time.process_time(), 0.0

    def after(step: int, _) -> None:
        nonlocal away
        optimizer.param_groups[0]["lr"] = rate_of(step, options)
        if on_moment and step % every == 0:
            now = time.process_time()
            on_moment(step, model, now - began - away)
            away += time.process_time() - now

    batches = Batches(rows, pieces, options["batch"], seed)
    loss = loss_of(options, pieces, torch.Generator().manual_seed(seed))
    more = {"optimizer": optimizer, "clip_norm": 1.0, "progress": False, "on_step": after}
    sv.training.fit(model, loss, batches, options["steps"], **more)
    return model.eval()


def rows_of(experiment: str, seed: int, data: tuple) -> list[dict]:
    """Train once; a row for each moment."""
    pieces, _, test = data
    options = NET | TRAINING | MASKING | EXPERIMENTS[experiment]
    found = []

    def measure(step: int, model: nn.Module, seconds: float) -> None:
        whole = test if step == options["steps"] else test[:100]
        right = accuracies(model.eval(), whole, pieces)
        model.train()
        names = (*KNOWN, "known", "open", "seen")
        found.append(
            {"experiment": experiment, "seed": seed, "step": step}
            | {name: f"{right[name]:.4f}" if name in right else "" for name in names}
            | {"seconds": f"{seconds:.1f}"}
            | options
            | VERSIONS
        )
        print(experiment, seed, step, {k: round(v, 3) for k, v in right.items()}, seconds)

    trained(experiment, seed, options, data, measure)
    return found


def write(path: Path, table: list[dict]) -> None:
    """Write the rows, those of an experiment side by side."""
    table.sort(key=lambda row: ([*EXPERIMENTS].index(row["experiment"]), int(row["seed"])))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def write_table(path: Path, data: tuple) -> None:
    """Write the runs that the table does not have yet."""
    table = []
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
    done = {(row["experiment"], int(row["seed"])) for row in table}
    for experiment in EXPERIMENTS:
        for seed in SEEDS:
            if (experiment, seed) not in done:
                table += rows_of(experiment, seed, data)
                write(path, table)


def write_checkpoint(folder: Path, data: tuple) -> None:
    """Write the weights of both nets into one file."""
    weights = {}
    for experiment in SAVED:
        options = NET | TRAINING | MASKING | EXPERIMENTS[experiment]
        model = trained(experiment, SEEDS[0], options, data)
        weights |= {f"{experiment}.{key}": w for key, w in model.state_dict().items()}
    sizes = NET | {"vocab_size": len(data[0])}
    about = {"vocabulary": data[0].vocabulary.tokens, "sizes": sizes}
    about = {name: json.dumps(value) for name, value in about.items()}
    save_file(weights, folder / "model.safetensors", metadata=about)


def main() -> None:
    """Write the table, or the checkpoint if it is wanted."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--checkpoint", type=Path)
    folder = parser.parse_args().checkpoint
    torch.set_num_threads(1)
    if folder:
        write_checkpoint(folder, corpus())
    else:
        write_table(Path(__file__).with_suffix(".csv"), corpus())


if __name__ == "__main__":
    main()
