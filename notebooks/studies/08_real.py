"""Train the translator of notebook 08 on people's sentences, and keep its weights for a few.

Multi30k has 29,000 captions of photographs, English and French, and no links. The net is that of
the notebook: two directions, additive score, Luong's wiring. The sentences whose weights are kept
are our own, in the manner of captions; none of them is in the data.

Run `python notebooks/studies/08_real.py` (some nine minutes on one thread; the data is downloaded
once). It writes 08_real.csv beside itself: a row for each French word that the net wrote.
"""

import csv
import math
import platform
from pathlib import Path

import torch
import torch.nn.functional as F

import seqviz as sv

PASSES, SEED, BATCH_SIZE, LR, CLIP_NORM, LEAST = 3, 0, 64, 2e-3, 1.0, 3
NET = {"embed_dim": 128, "hidden_size": 128, "bidirectional": True}
KIND = {"attention": "additive", "wiring": "luong"}
SENTENCES = (
    "a man in a red shirt is sitting on a white bench .",
    "a black dog is running on the beach .",
    "two young girls are playing in the green grass .",
)
START, STOP, LONGEST = 1, 2, 40
FIELDS = ("english", "french", "seed", "passes", "val_bleu", "weights", "torch", "python")


def loss(model, batch):
    """Mean cross-entropy in nats per word, with teacher forcing, padding left out."""
    source, target = batch
    logits = model(source, target[:, :-1])
    return F.cross_entropy(logits.mT, target[:, 1:], ignore_index=0)


def trained(data, source, target):
    """A translator, trained for PASSES over the captions; half a cosine takes the rate to 0."""
    model = sv.nn.Seq2Seq(len(source), len(target), **NET, **KIND)
    adam = torch.optim.Adam(model.parameters(), LR)
    batches = sv.data.pair_batches(data.train, source, target, BATCH_SIZE)
    steps = PASSES * len(batches)
    falling = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda step: (1 + math.cos(math.pi * step / steps)) / 2
    )
    sv.training.fit(
        model,
        loss,
        batches,
        steps,
        optimizer=adam,
        clip_norm=CLIP_NORM,
        on_step=lambda *_: falling.step(),
    )
    return model.eval()


@torch.no_grad()
def translated(model, source, target, words):
    """French words, written greedily, STOP left out."""
    state = model.encode(sv.data.encode_sentence(source, words)[None])
    (ids,) = sv.decoding.greedy(model.step, [[START]], LONGEST, state=state, stop=STOP)
    return [word for word in target.decode(ids) if word != "<stop>"]


@torch.no_grad()
def weights_of(model, source, target, words, written):
    """Weights (steps, time) of the French words that the net wrote."""
    read = sv.data.encode_sentence(target, ["<start>", *written[:-1]])[None]
    keys = sv.data.encode_sentence(source, words)[None]
    return model(keys, read, need_weights=True)[1][0]


def rows():
    """Train, translate, and give a row for each French word of each sentence."""
    sv.setup(seed=SEED)
    data = sv.data.load("multi30k")
    source = sv.data.sentence_vocabulary((pair.source for pair in data.train), LEAST)
    target = sv.data.sentence_vocabulary((pair.target for pair in data.train), LEAST)
    known = {" ".join(pair.source) for pair in data.train}
    assert not known & {*SENTENCES}
    model = trained(data, source, target)
    written = [translated(model, source, target, pair.source) for pair in data.val]
    bleu = sv.metrics.bleu(written, [list(pair.target) for pair in data.val])
    for sentence in SENTENCES:
        words = sentence.split()
        french = translated(model, source, target, words)
        weights = weights_of(model, source, target, words, french)
        for word, row in zip(french, weights.tolist(), strict=True):
            told = " ".join(f"{a:.5f}" for a in row)
            versions = (torch.__version__.split("+")[0], platform.python_version())
            found = (sentence, word, SEED, PASSES, f"{bleu:.2f}", told, *versions)
            yield dict(zip(FIELDS, found, strict=True))


def main():
    """Write the table."""
    found = list(rows())
    path = Path(__file__).with_suffix(".csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)


if __name__ == "__main__":
    main()
