"""Train a translator on Multi30k's 29,000 captions, English to French, and measure BLEU.

Run `python notebooks/studies/07_multi30k.py` (about twenty minutes on one thread; the data is
downloaded once). A run that was stopped goes on from its checkpoint in build/. It writes
07_multi30k.csv, a row for each pass over the data; nothing is chosen by the test part.
"""

import csv
import math
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F

import seqviz as sv

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
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


def train(data, passes=PASSES, checkpoint=None, on_pass=print):
    """Train for some passes over the data; `on_pass` gets a row after each."""
    sv.setup(seed=SEED)
    source = sv.data.sentence_vocabulary((pair.source for pair in data.train), LEAST)
    target = sv.data.sentence_vocabulary((pair.target for pair in data.train), LEAST)
    model = sv.nn.Seq2Seq(len(source), len(target), **SIZES, **KIND)
    optimizer = torch.optim.Adam(model.parameters(), LR)
    batches = sv.data.pair_batches(data.train, source, target, BATCH_SIZE)
    steps = passes * len(batches)
    losses, began = [], time.process_time()

    def after(step, number):
        nonlocal began
        for group in optimizer.param_groups:  # half a cosine, from LR down to 0
            group["lr"] = LR * (1 + math.cos(math.pi * step / steps)) / 2
        losses.append(number)
        if step % len(batches) == 0:
            seconds = time.process_time() - began
            last = step == steps
            row = {
                **CONFIGURATION,
                "source_words": len(source),
                "target_words": len(target),
                "parameters": sum(p.numel() for p in model.parameters()),
                "epoch": step // len(batches),
                "steps": step,
                "cpu_seconds": round(seconds, 1),
                "train_loss": round(sum(losses[-len(batches) :]) / len(batches), 4),
                "val_bleu_greedy": round(bleu(model, data.val, source, target, 1), 2),
                "val_bleu_beam": round(bleu(model, data.val, source, target, WIDTH), 2)
                if last
                else "",
            }
            on_pass(row)
            began = time.process_time()

    sv.training.fit(
        model,
        loss,
        batches,
        steps,
        optimizer=optimizer,
        clip_norm=CLIP_NORM,
        checkpoint=checkpoint,
        checkpoint_every=len(batches),
        on_step=after,
    )
    return model, source, target


def main():
    """Train, and write the table."""
    data = sv.data.load("multi30k")
    table = HERE / "07_multi30k.csv"

    def write(row):
        rows = []
        if row["epoch"] > 1:
            with table.open(encoding="utf-8", newline="") as file:
                rows = [old for old in csv.DictReader(file) if int(old["epoch"]) < row["epoch"]]
        with table.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, row, lineterminator="\n")
            writer.writeheader()
            writer.writerows([*rows, row])
        print(
            {name: row[name] for name in ("epoch", "cpu_seconds", "train_loss", "val_bleu_greedy")}
        )

    (ROOT / "build").mkdir(exist_ok=True)
    train(data, checkpoint=ROOT / "build" / "07_multi30k.pt", on_pass=write)


if __name__ == "__main__":
    main()
