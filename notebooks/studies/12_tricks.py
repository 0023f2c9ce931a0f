"""Train the transformer of notebook 12, and change one thing at a time, three seeds each.

Every net but those called "longer" has the steps of the notebook; these have three times as many.
Every row also tells how the mean of the run's last five checkpoints does; those of BEAM, what
beam search finds with the same weights.

Run `python notebooks/studies/12_tricks.py`; it writes 12_tricks.csv, a row for each net, and
12_maps.csv (attention in the decks' sentence) beside itself. Rows that are there are kept.
"""

import csv
import platform
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

import seqviz as sv

NET = {
    "d_model": 64,
    "nhead": 4,
    "num_encoder_layers": 2,
    "num_decoder_layers": 2,
    "dim_feedforward": 128,
    "dropout": 0.0,
    "norm_first": True,
    "positions": "sinusoidal",
    "share": "none",
}
TRAINING = {
    "batch": 64,
    "steps": 900,
    "lr": 0.006,
    "warmup": 100,
    "schedule": "linear",
    "weight_decay": 0.3,
    "label_smoothing": 0.1,
    "pieces": 0,
}
BASE = NET | TRAINING
VARIANTS = {  # what differs from the base
    "base": {},
    "post-norm": {"norm_first": False},
    "no warm-up": {"warmup": 0},
    "post-norm, no warm-up": {"norm_first": False, "warmup": 0},
    "Noam": {"schedule": "noam"},
    "no label smoothing": {"label_smoothing": 0.0},
    "dropout 0.1": {"dropout": 0.1},
    "no weight decay": {"weight_decay": 0.0},
    "learned positions": {"positions": "learned"},
    "shared embedding": {"share": "target"},
    "1 head": {"nhead": 1},
    "16 heads": {"nhead": 16},
    "1 layer": {"num_encoder_layers": 1, "num_decoder_layers": 1},
    "byte pairs": {"pieces": 300},
    "longer": {"steps": 2700},
    "longer, dropout 0.1": {"steps": 2700, "dropout": 0.1},
}
BEAM = ("base", "no label smoothing", "longer")  # searched by beam search too
WIDTH, PENALTY = 4, 0.6
SEEDS = range(3)
CHECKPOINTS, APART = 5, 20  # how many are averaged, and the steps between two
LENGTH = 60  # tokens that are written at most
DECKS = "the agreement on the european economic area was signed in august 1992"
PADDING, START, STOP, UNKNOWN = range(4)
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}
HERE = Path(__file__).parent

DATA = sv.data.load("en-fr")


class Language:
    """How sentences become ids and ids become words: whole words, or pieces of them."""

    def __init__(self, pieces: int):
        pairs = [(pair.source, pair.target) for pair in DATA.train]
        self.bpe = (
            sv.data.train_bpe([s for both in pairs for s in both], pieces) if pieces else None
        )
        sources, targets = ([self.cut(s) for s in side] for side in zip(*pairs, strict=True))
        if pieces:  # one vocabulary for both languages
            sources = targets = sources + targets
        self.source, self.target = map(sv.data.sentence_vocabulary, (sources, targets))

    def cut(self, words: Sequence[str]) -> list[str]:
        """Tokens of words."""
        return self.bpe.split(words) if self.bpe else [*words]

    def words(self, ids: Sequence[int]) -> list[str]:
        """Words of ids, up to STOP."""
        ids = [*ids]
        tokens = self.target.decode(ids[: ids.index(STOP)] if STOP in ids else ids)
        return self.bpe.join(tokens) if self.bpe else tokens

    def sources(self, pairs: Sequence) -> Tensor:
        """Ids of source sentences (batch, time), padded."""
        rows = [sv.data.encode_sentence(self.source, self.cut(pair.source)) for pair in pairs]
        return pad_sequence(rows, batch_first=True)

    def batches(self, size: int) -> sv.data.batching.PairBatches:
        """Shuffled batches of the training part."""
        pairs = [
            sv.data.Pair(tuple(self.cut(pair.source)), tuple(self.cut(pair.target)))
            for pair in DATA.train
        ]
        return sv.data.pair_batches(pairs, self.source, self.target, size)


def rate(settings: dict) -> Callable[[int], float]:
    """The learning rate of step k, counted from 0, as a share of the highest."""
    steps, warmup = settings["steps"], settings["warmup"]
    if settings["schedule"] == "noam":
        top = sv.training.noam_rate(warmup, settings["d_model"], warmup)
        return lambda k: sv.training.noam_rate(k + 1, settings["d_model"], warmup) / top
    return lambda k: min((k + 1) / max(warmup, 1), (steps - k) / (steps - warmup))


def trained(settings: dict, language: Language, seed: int) -> tuple:
    """A translator trained once, its history, and its last checkpoints."""

    def loss(model: sv.nn.TransformerSeq2Seq, batch: tuple[Tensor, Tensor]) -> Tensor:
        source, target = batch
        smoothing = {"label_smoothing": settings["label_smoothing"]}
        logits = model(source, target[:, :-1])
        return F.cross_entropy(logits.mT, target[:, 1:], ignore_index=PADDING, **smoothing)

    torch.manual_seed(seed)
    sizes = len(language.source), len(language.target)
    model = sv.nn.TransformerSeq2Seq(*sizes, **{name: settings[name] for name in NET})
    adam = torch.optim.AdamW(
        model.parameters(),
        lr=settings["lr"],
        betas=(0.9, 0.98),
        eps=1e-9,
        weight_decay=settings["weight_decay"],
        fused=True,
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(adam, rate(settings))
    steps, checkpoints = settings["steps"], []

    def after(step: int, _: float) -> None:
        schedule.step()
        left = steps - step
        if left % APART == 0 and left < CHECKPOINTS * APART:
            checkpoints.append(deepcopy(model.state_dict()))

    history = sv.training.fit(
        model,
        loss,
        language.batches(settings["batch"]),
        steps,
        optimizer=adam,
        clip_norm=1.0,
        progress=False,
        on_step=after,
    )
    return model.eval(), history, checkpoints


@torch.no_grad()
def exact(model: sv.nn.TransformerSeq2Seq, language: Language, pairs: Sequence) -> float:
    """Share of translations, written freely and greedily, that are right word for word."""
    state, prompt = model.encode(language.sources(pairs)), [[START]] * len(pairs)
    found = sv.decoding.greedy(model.step, prompt, LENGTH, state=state, stop=STOP)
    return share_right([language.words(ids) for ids in found], pairs)


@torch.no_grad()
def exact_by_beam(model: sv.nn.TransformerSeq2Seq, language: Language, pairs: Sequence) -> float:
    """The same, written by beam search with a length penalty."""
    written = []
    for first in range(0, len(pairs), 100):  # all at once would take much memory
        some = pairs[first : first + 100]
        trees = sv.decoding.beam(
            model.step,
            [[START]] * len(some),
            LENGTH,
            width=WIDTH,
            stop=STOP,
            length_penalty=PENALTY,
            state=model.encode(language.sources(some)),
            select=model.select,
        )
        written += [language.words(tree.best) for tree in trees]
    return share_right(written, pairs)


def share_right(written: Sequence, pairs: Sequence) -> float:
    """Share of sentences that are right word for word."""
    right = sum(words == [*pair.target] for words, pair in zip(written, pairs, strict=True))
    return right / len(pairs)


def row(variant: str, seed: int) -> tuple[dict, sv.nn.TransformerSeq2Seq]:
    """Train once and measure. The seconds are those of the processor for training, one thread."""
    settings = BASE | VARIANTS[variant]
    language = Language(settings["pieces"])
    began = time.process_time()
    model, history, checkpoints = trained(settings, language, seed)
    seconds = time.process_time() - began
    found = {
        "variant": variant,
        "seed": seed,
        **settings,
        "parameters": sum(p.numel() for p in model.parameters()),
        "loss": f"{sum(history.loss[-50:]) / 50:.4f}",
        "exact_val": f"{exact(model, language, DATA.val):.4f}",
        "exact": f"{exact(model, language, DATA.test):.4f}",
    }
    beam = exact_by_beam(model, language, DATA.test) if variant in BEAM else None
    averaged = deepcopy(model)
    averaged.load_state_dict(sv.training.average_weights(checkpoints))
    found |= {
        "exact_beam": "" if beam is None else f"{beam:.4f}",
        "exact_averaged": f"{exact(averaged, language, DATA.test):.4f}",
        "seconds": f"{seconds:.1f}",
        **VERSIONS,
    }
    return found, model


def maps_of(model: sv.nn.TransformerSeq2Seq) -> list[dict]:
    """Attention weights of every head while the decks' sentence is translated."""
    (deck,) = [pair for pair in DATA.test if " ".join(pair.source) == DECKS]
    language = Language(0)
    read = sv.data.encode_sentence(language.target, ["<start>", *deck.target])
    with torch.no_grad(), sv.record(model, keep=["attention"]) as rec:
        model(language.sources([deck]), read[None])
    return [
        {
            "module": path,
            "head": head,
            "query": query,
            "weights": " ".join(f"{a:.4f}" for a in weights),
            **VERSIONS,
        }
        for path, (call,) in rec.attention.items()
        for head, of_head in enumerate(call.values[0].tolist())
        for query, weights in enumerate(of_head)
    ]


def read(name: str) -> list[dict]:
    """The rows of a table beside this file; none if there is no such file."""
    path = HERE / name
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(name: str, rows: list[dict]) -> None:
    """Write a table beside this file."""
    with (HERE / name).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Write the rows that are not there yet, the longest training last."""
    sv.setup(seed=0)
    rows = read("12_tricks.csv")
    done = {(row["variant"], int(row["seed"])) for row in rows}
    nets = [(variant, seed) for seed in SEEDS for variant in VARIANTS]
    for variant, seed in sorted(nets, key=lambda net: (BASE | VARIANTS[net[0]])["steps"]):
        if (variant, seed) in done:
            continue
        found, model = row(variant, seed)
        print(variant, seed, found["exact"], found["seconds"], flush=True)
        rows.append(found)
        rows.sort(key=lambda r: (list(VARIANTS).index(r["variant"]), int(r["seed"])))
        write("12_tricks.csv", rows)
        if (variant, seed) == ("base", 0):
            write("12_maps.csv", maps_of(model))


if __name__ == "__main__":
    main()
