"""Train the character model that is shipped as `shakespeare_rnn`, and look for telling units.

Run `python notebooks/studies/01_shakespeare.py` (about seven minutes on one thread). A run that
was stopped goes on from its checkpoint in build/. It writes 01_shakespeare.csv (a row for each
evaluation), 01_shakespeare_units.csv (units that follow something visible in the text) and
datasets/shakespeare_rnn/model.safetensors.
"""

import csv
import json
import math
import platform
import time
from itertools import pairwise
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file

import seqviz as sv

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STEPS, EVERY = 10_000, 500
SEED, BATCH_SIZE, LENGTH, LR, CLIP_NORM = 0, 32, 64, 2e-3, 1.0
SIZES = {"vocab_size": 65, "hidden_size": 320, "num_layers": 1}
CONFIGURATION = {
    **SIZES,
    "batch_size": BATCH_SIZE,
    "length": LENGTH,
    "lr": LR,
    "clip_norm": CLIP_NORM,
    "seed": SEED,
    "python": platform.python_version(),
    "torch": torch.__version__,
    "seqviz": sv.__version__,
}


def loss(model, batch):
    """Mean cross-entropy in nats per character."""
    x, y = batch
    logits, _ = model(x)
    return F.cross_entropy(logits.flatten(0, 1), y.flatten())


@torch.no_grad()
def held_out_loss(model, ids, streams=16):
    """Loss on a text read as a few long streams side by side, each from h_0 = 0."""
    streams = ids[: len(ids) // streams * streams].view(streams, -1).T
    return loss(model, (streams[:-1], streams[1:])).item()


def train(data, vocabulary, steps=STEPS, checkpoint=None, on_evaluation=print):
    """Train for `steps` steps of the schedule; `on_evaluation` gets a row every EVERY steps."""
    sv.setup(seed=SEED)
    model = sv.nn.LanguageModel(**SIZES)
    optimizer = torch.optim.Adam(model.parameters(), LR)
    batches = sv.data.windows(vocabulary.encode(data.train), LENGTH, BATCH_SIZE)
    val = vocabulary.encode(data.val)
    losses, began = [], time.perf_counter()

    def after(step, number):
        nonlocal began
        for group in optimizer.param_groups:  # half a cosine, from LR down to 0
            group["lr"] = LR * (1 + math.cos(math.pi * step / STEPS)) / 2
        losses.append(number)
        if step % EVERY == 0:
            row = {
                **CONFIGURATION,
                "step": step,
                "train_loss": round(sum(losses[-EVERY:]) / len(losses[-EVERY:]), 4),
                "val_loss": round(held_out_loss(model, val), 4),
                "seconds": round(time.perf_counter() - began, 1),
            }
            on_evaluation(row)
            began = time.perf_counter()

    sv.training.fit(
        model,
        loss,
        batches,
        steps,
        optimizer=optimizer,
        clip_norm=CLIP_NORM,
        checkpoint=checkpoint,
        checkpoint_every=EVERY,
        on_step=after,
    )
    return model


def features(text):
    """Give (feature, where, its value at each character, the characters looked at).

    At one kind of character only, the input is always the same: what differs is the state's own.
    """
    lines = text.splitlines(keepends=True)
    column = [i for line in lines for i in range(len(line))]
    names = [  # a speaker's line begins a speech; a line inside one may end in ":" too
        line.rstrip("\n").endswith(":") and before == "\n"
        for before, line in pairwise(["\n", *lines])
    ]
    in_name = [name for name, line in zip(names, lines, strict=True) for _ in line]
    speaker = [named and c.isupper() for named, c in zip(in_name, text, strict=True)]
    gap = [before + c == "\n\n" for before, c in pairwise(" " + text)]
    everywhere = [True] * len(text)
    yield "characters since the line began", "everywhere", column, everywhere
    yield "characters since the line began", "at the letter e", column, [c == "e" for c in text]
    yield "capital in a speaker's name", "everywhere", speaker, everywhere
    yield "capital in a speaker's name", "at capitals", speaker, [c.isupper() for c in text]
    yield "newline between two speeches", "everywhere", gap, everywhere
    yield "newline between two speeches", "at newlines", gap, [c == "\n" for c in text]
    yield "space or newline", "everywhere", [c.isspace() for c in text], everywhere


def area_under_curve(score, flag):
    """Chance that the score is higher where the flag is on than where it is off."""
    rank = score.argsort().argsort().double() + 1
    on, off = flag.sum(), (~flag).sum()
    return ((rank[flag].sum() - on * (on + 1) / 2) / (on * off)).item()


def telling_units(model, vocabulary, text, each=2):
    """For each feature the units with the highest absolute correlation with it."""
    began = time.perf_counter()
    model.eval()
    with torch.no_grad(), sv.record(model) as rec:
        model(vocabulary.encode(text))
    states = torch.as_tensor(rec.hidden["rnn"][0].values)[0, :, 0].double()  # (time, unit)
    for feature, where, value, mask in features(text):
        mask = torch.tensor(mask)
        value, seen = torch.tensor(value)[mask].double(), states[mask]
        table = torch.cat([value.unsqueeze(1), seen], dim=1)
        correlation = table.T.corrcoef()[0, 1:]
        for unit in correlation.abs().topk(each).indices.tolist():
            yes_or_no = value.unique().numel() == 2
            yield {
                "unit": unit,
                "feature": feature,
                "where": where,
                "correlation": round(correlation[unit].item(), 3),
                "auc": round(area_under_curve(seen[:, unit], value > 0), 3) if yes_or_no else "",
                "characters": len(value),
                **CONFIGURATION,
                "seconds": round(time.perf_counter() - began, 2),  # since the text was begun
            }


def write_rows(path, rows):
    """Write dictionaries as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    """Train, save the weights in half precision, and write both tables."""
    data = sv.data.load("shakespeare")
    vocabulary = sv.data.Vocabulary(sorted(set(data.train + data.val + data.test)))
    table = HERE / "01_shakespeare.csv"

    def write(row):
        rows = []
        if table.exists():
            with table.open(encoding="utf-8", newline="") as file:
                rows = [old for old in csv.DictReader(file) if int(old["step"]) < row["step"]]
        write_rows(table, [*rows, row])

    checkpoint = ROOT / "build" / "01_shakespeare.pt"
    model = train(data, vocabulary, checkpoint=checkpoint, on_evaluation=write)

    test = vocabulary.encode(data.test)
    before = held_out_loss(model, test)
    weights = {name: value.half() for name, value in model.state_dict().items()}
    model.load_state_dict(weights)
    print(f"test loss {before:.4f} nats per character, {held_out_loss(model, test):.4f} in halves")
    save_file(
        weights,
        ROOT / "datasets" / "shakespeare_rnn" / "model.safetensors",
        metadata={"vocabulary": json.dumps(vocabulary.tokens), "sizes": json.dumps(SIZES)},
    )
    write_rows(HERE / "01_shakespeare_units.csv", list(telling_units(model, vocabulary, data.val)))


if __name__ == "__main__":
    main()
