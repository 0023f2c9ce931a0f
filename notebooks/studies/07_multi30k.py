"""Train a translator on Multi30k's 29,000 captions, English to French, and measure BLEU.

Run `python notebooks/studies/07_multi30k.py` (about fifteen minutes on one thread; the data is
downloaded once). A run that was stopped, with Ctrl-C too, goes on from build/ and ends with the
same net. Once it is whole, 07_multi30k.csv has a row for each pass over the data; its `seconds` are
those of training by the clock, without the translations that BLEU needs. Nothing is chosen by the
test part.
"""

import csv
import math
import platform
from pathlib import Path

import torch
import torch.nn.functional as F

import seqviz as sv

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build"
PASSES, SEED, BATCH_SIZE, LR, CLIP_NORM, LEAST = 6, 0, 64, 2e-3, 1.0, 3
SIZES = {"embed_dim": 128, "hidden_size": 192, "bidirectional": True}
KIND = {"cell": "GRU", "attention": "scaled dot", "wiring": "luong", "residual": True}
LONGEST, WIDTH = 50, 3
CONFIGURATION = {
    **SIZES,
    **KIND,
    "batch_size": BATCH_SIZE,
    "lr": LR,
    "least": LEAST,
    "seed": SEED,
    "python": platform.python_version(),
    "torch": torch.__version__,
    "seqviz": sv.__version__,
}


def loss(model, batch):
    """Mean cross-entropy in nats per word, padding left out."""
    source, target = batch
    logits = model(source, target[:, :-1])
    return F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=0)


@torch.no_grad()
def bleu(model, pairs, source, target, width):
    """BLEU of the translations of `pairs`: greedy for width 1, else the best of a beam."""
    model.eval()
    written = []
    for pair in pairs:
        state = model.encode(sv.data.encode_sentence(source, pair.source).unsqueeze(0))
        prompt = target.encode(["<start>"])
        stop = target.encode(["<stop>"]).item()
        if width == 1:
            ids = sv.decoding.greedy(model.step, prompt, LONGEST, state=state, stop=stop)
        else:
            ids = sv.decoding.beam(
                model.step, prompt, LONGEST, width=width, state=state, stop=stop,
                select=model.select, length_penalty=1.0,
            ).best  # fmt: skip
        written.append([word for word in target.decode(ids) if word != "<stop>"])
    model.train()
    return sv.metrics.bleu(written, [list(pair.target) for pair in pairs])


def train(data, checkpoint, passes=PASSES, rows=()):
    """Train for some passes over the data; give a row after each, but for the `rows` known."""
    sv.setup(seed=SEED)
    source = sv.data.sentence_vocabulary((pair.source for pair in data.train), LEAST)
    target = sv.data.sentence_vocabulary((pair.target for pair in data.train), LEAST)
    model = sv.nn.Seq2Seq(len(source), len(target), **SIZES, **KIND)
    optimizer = torch.optim.Adam(model.parameters(), LR)
    batches = sv.data.pair_batches(data.train, source, target, BATCH_SIZE)
    steps = passes * len(batches)

    def anneal(step, _):  # half a cosine, from LR down to 0
        for group in optimizer.param_groups:
            group["lr"] = LR * (1 + math.cos(math.pi * step / steps)) / 2

    spent = sum(float(row["seconds"]) for row in rows)
    for number in range(len(rows) + 1, passes + 1):
        history = sv.training.fit(
            model,
            loss,
            batches,
            number * len(batches),
            optimizer=optimizer,
            clip_norm=CLIP_NORM,
            checkpoint=checkpoint,
            checkpoint_every=len(batches),
            on_step=anneal,
        )
        if history.interrupted:
            return
        seconds, spent = history.seconds - spent, history.seconds
        yield {
            **CONFIGURATION,
            "source_words": len(source),
            "target_words": len(target),
            "parameters": sum(p.numel() for p in model.parameters()),
            "epoch": number,
            "steps": history.steps,
            "seconds": round(seconds, 1),
            "train_loss": round(sum(history.loss[-len(batches) :]) / len(batches), 4),
            "val_bleu_greedy": round(bleu(model, data.val, source, target, 1), 2),
            "val_bleu_beam": round(bleu(model, data.val, source, target, WIDTH), 2)
            if number == passes
            else "",
        }


def read(table):
    """The rows of a table; none if there is no such file."""
    if not table.exists():
        return []
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(table, rows):
    """Write a table."""
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    """Train, and write the table."""
    BUILD.mkdir(exist_ok=True)
    checkpoint, part = BUILD / "07_multi30k.pt", BUILD / "07_multi30k.csv"
    if not checkpoint.exists():
        part.unlink(missing_ok=True)
    rows = read(part)
    for row in train(sv.data.load("multi30k"), checkpoint, rows=rows):
        rows.append(row)
        write(part, rows)
        shown = ("epoch", "seconds", "train_loss", "val_bleu_greedy", "val_bleu_beam")
        print({name: row[name] for name in shown})
    if len(rows) == PASSES:
        part.replace(HERE / part.name)
        checkpoint.unlink()


if __name__ == "__main__":
    main()
