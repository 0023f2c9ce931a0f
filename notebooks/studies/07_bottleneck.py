"""Train the translators of notebook 07: what does one vector carry, and what helps it?

Run `python notebooks/studies/07_bottleneck.py` (about twenty minutes on one thread). It
writes 07_bottleneck.csv (what each net translates, by the length of the source) and
07_search.csv (the same nets with wider beams and with several nets together) beside itself.
"""

import csv
import math
import platform
import time
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence

import seqviz as sv

SETTINGS = {"embed_dim": 64, "batch_size": 32, "clip_norm": 1.0}
NETS = {
    "plain": {},
    "reversed": {},
    "start only": {},
    "start only reversed": {},
    "two layers": {"num_layers": 2},
    "wide": {"hidden_size": 256},
    "four times the steps": {},
    "LSTM": {"cell": "LSTM"},
    "LSTM reversed": {"cell": "LSTM"},
    "attention": {"attention": "additive", "wiring": "bahdanau"},  # plain, but for where c is from
}
STEPS = {"four times the steps": 2800}
SEARCHED = ("plain", "attention")
RATES, SEEDS = (0.005, 0.01, 0.02), (0, 1, 2)
WIDTHS, PENALTIES, LONGEST = (1, 2, 3, 5, 10), (0.0, 1.0), 40
EDGES = (5, 10, 15, 20, 25)  # longest source of each bucket
START, STOP = 1, 2
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


class Fit(NamedTuple):
    """A net that was trained, what it was trained on, and what that took."""

    model: sv.nn.Seq2Seq
    losses: list[float]
    seconds: float  # of the processor
    parts: dict
    source: sv.data.Vocabulary
    target: sv.data.Vocabulary


def data(net: str) -> tuple[dict, sv.data.Vocabulary, sv.data.Vocabulary]:
    """The three parts, as the net reads them, and the vocabularies of both languages."""
    loaded = sv.data.load("en-fr")
    parts = {name: getattr(loaded, name) for name in ("train", "val", "test")}
    if "reversed" in net:
        parts = {
            name: [sv.data.Pair(pair.source[::-1], pair.target) for pair in pairs]
            for name, pairs in parts.items()
        }
    source = sv.data.sentence_vocabulary(pair.source for pair in loaded.train)
    target = sv.data.sentence_vocabulary(pair.target for pair in loaded.train)
    return parts, source, target


def loss(model, batch):
    """Mean cross-entropy in nats per word, padding left out."""
    source, target = batch
    return F.cross_entropy(model(source, target[:, :-1]).mT, target[:, 1:], ignore_index=0)


def trained(net: str, lr: float, seed: int) -> Fit:
    """A net, trained once."""
    parts, source, target = data(net)
    torch.manual_seed(seed)
    kind = {"hidden_size": 128, "attention": None, **NETS[net]}
    model = sv.nn.Seq2Seq(len(source), len(target), SETTINGS["embed_dim"], **kind)
    if net.startswith("start only"):  # the decoder's weights on c are 0 and stay so
        weight = model.decoder.rnn.weight_ih_l0
        keep = torch.ones_like(weight)
        keep[:, SETTINGS["embed_dim"] :] = 0
        with torch.no_grad():
            weight.mul_(keep)
        weight.register_hook(keep.mul)
    batches = sv.data.pair_batches(parts["train"], source, target, SETTINGS["batch_size"])
    optimizer, steps = torch.optim.Adam(model.parameters(), lr), STEPS.get(net, 700)

    def after(step, _):
        for group in optimizer.param_groups:  # half a cosine, from lr down to 0
            group["lr"] = lr * (1 + math.cos(math.pi * step / steps)) / 2

    began = time.process_time()
    history = sv.training.fit(
        model, loss, batches, steps, optimizer=optimizer, clip_norm=SETTINGS["clip_norm"],
        progress=False, on_step=after,
    )  # fmt: skip
    return Fit(model, history.loss, time.process_time() - began, parts, source, target)


def padded(pairs, vocabulary):
    """Sources as one tensor (batch, time)."""
    ids = [sv.data.encode_sentence(vocabulary, pair.source) for pair in pairs]
    return pad_sequence(ids, batch_first=True)


def words(target, written):
    """Ids to sentences, without the STOP at their end."""
    return [[word for word in target.decode(ids) if word != "<stop>"] for ids in written]


@torch.no_grad()
def greedily(step, state, pairs, target):
    """Translations of all pairs at once, the most probable word each time."""
    prompt = [[START]] * len(pairs)
    return words(target, sv.decoding.greedy(step, prompt, LONGEST, state=state, stop=STOP))


def right(written, pairs):
    """Whether each translation is the one of the data, word for word: (sentence,)."""
    same = [tuple(w) == pair.target for w, pair in zip(written, pairs, strict=True)]
    return torch.tensor(same, dtype=torch.float)


def by_length(hits, pairs):
    """Share of right translations in each bucket of source lengths."""
    lengths = torch.tensor([len(pair.source) for pair in pairs])
    bucket = torch.bucketize(lengths, torch.tensor(EDGES))
    return " ".join(f"{hits[bucket == k].mean().item():.4f}" for k in range(len(EDGES)))


def references(pairs):
    """The right translations."""
    return [list(pair.target) for pair in pairs]


@torch.no_grad()
def measured(step, encode, parts, source, target):
    """Exact match of greedy translations on the test part and on 500 sentences of training."""
    found = {}
    for name, pairs in (("test", parts["test"]), ("train", parts["train"][:500])):
        written = greedily(step, encode(padded(pairs, source)), pairs, target)
        hits = right(written, pairs)
        found[f"{name}_exact"] = f"{hits.mean().item():.4f}"
        found[f"{name}_by_length"] = by_length(hits, pairs)
        found[f"{name}_bleu"] = f"{sv.metrics.bleu(written, references(pairs)):.2f}"
    return found


@torch.no_grad()
def val_loss(model, parts, source, target):
    """Nats per word on the validation part, which chooses the learning rate."""
    torch.manual_seed(0)
    batches = sv.data.pair_batches(parts["val"], source, target, len(parts["val"]))
    return loss(model, next(iter(batches))).item()


def row(net: str, lr: float, seed: int, fit: Fit | None = None) -> dict:
    """Train once (or take what is trained); measure on sentences it has not seen."""
    model, losses, seconds, parts, source, target = fit or trained(net, lr, seed)
    return {
        "net": net,
        "nets": 1,
        "lr": lr,
        "seed": seed,
        **SETTINGS,
        "steps": len(losses),
        "parameters": sum(p.numel() for p in model.parameters()),
        "train_loss": f"{sum(losses[-50:]) / 50:.4f}",
        "val_loss": f"{val_loss(model, parts, source, target):.4f}",
        **measured(model.step, model.encode, parts, source, target),
        "seconds": f"{seconds:.1f}",
        **VERSIONS,
    }


def together(models):
    """The step of an ensemble: the mean of the log-probabilities; its states are a tuple."""

    def step(ids, states):
        results = [model.step(ids, state) for model, state in zip(models, states, strict=True)]
        log_p = torch.stack([logits.log_softmax(dim=1) for logits, _ in results])
        return log_p.mean(dim=0), tuple(state for _, state in results)

    return step


@torch.no_grad()
def ensemble(fits: list[Fit], lr: float) -> dict:
    """Several trained plain nets as one."""
    models = [fit.model for fit in fits]
    _, losses, _, parts, source, target = fits[0]

    def encode(ids):
        return tuple(model.encode(ids) for model in models)

    return {
        "net": "plain",
        "nets": len(models),
        "lr": lr,
        "seed": " ".join(str(seed) for seed in SEEDS[: len(models)]),
        **SETTINGS,
        "steps": len(losses),
        "parameters": sum(p.numel() for model in models for p in model.parameters()),
        "train_loss": "",
        "val_loss": "",
        **measured(together(models), encode, parts, source, target),
        "seconds": f"{sum(fit.seconds for fit in fits):.1f}",
        **VERSIONS,
    }


@torch.no_grad()
def search(net: str, seed: int, fit: Fit) -> list[dict]:
    """One net, searched with several widths and length penalties."""
    model, _, _, parts, source, target = fit
    pairs, rows = parts["test"], []
    state, prompt = model.encode(padded(pairs, source)), [[START]] * len(pairs)
    kind = {"state": state, "select": model.select, "stop": STOP}
    for width in WIDTHS:
        for penalty in PENALTIES[: 1 if width == 1 else None]:
            began = time.process_time()
            trees = sv.decoding.beam(
                model.step, prompt, LONGEST, width=width, length_penalty=penalty, **kind
            )
            best = [tree.hypotheses[0] for tree in trees]
            sums = torch.tensor([
                tree.score[h.node] for tree, h in zip(trees, best, strict=True)
            ])  # fmt: skip
            if width == 1:
                greedy = sums
            written = words(target, [h.ids for h in best])
            lengths = sum(map(len, written)) / sum(len(pair.target) for pair in pairs)
            rows.append({
                "net": net,
                "seed": seed,
                "width": width,
                "length_penalty": penalty,
                "exact": f"{right(written, pairs).mean().item():.4f}",
                "bleu": f"{sv.metrics.bleu(written, references(pairs)):.2f}",
                "log_p": f"{sums.mean().item():.4f}",
                "at_least_greedy": f"{(sums >= greedy - 1e-6).float().mean().item():.4f}",
                "length_ratio": f"{lengths:.4f}",
                "seconds": f"{time.process_time() - began:.2f}",
                **VERSIONS,
            })  # fmt: skip
    return rows


def write(name: str, rows: list[dict]) -> None:
    """Write a table beside this file."""
    path = Path(__file__).with_name(name)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


def seeds_of(net: str, rates: tuple) -> tuple[list[dict], list[Fit], float]:
    """Choose the rate on the validation part with the first seed, then train the others."""
    tried = {lr: trained(net, lr, SEEDS[0]) for lr in rates}
    rows = [row(net, lr, SEEDS[0], fit) for lr, fit in tried.items()]
    rate = min(rows, key=lambda r: float(r["val_loss"]))["lr"]
    fits = [tried[rate], *(trained(net, rate, seed) for seed in SEEDS[1:])]
    rows += [row(net, rate, s, fit) for s, fit in zip(SEEDS[1:], fits[1:], strict=True)]
    for r in rows:
        print(*(r[name] for name in ("net", "lr", "seed", "val_loss", "test_exact", "seconds")))
    return rows, fits, rate


def main() -> None:
    """Write the tables."""
    sv.setup(seed=0)
    table, searched, best = [], [], None  # best: the rate of the plain net, which is the first
    for net in NETS:
        rates = (best,) if net in STEPS else RATES
        rows, fits, rate = seeds_of(net, rates)
        table += rows
        if net == "plain":
            best = rate
            table.append(ensemble(fits, rate))
        if net in SEARCHED:
            searched += [r for s, fit in zip(SEEDS, fits, strict=True) for r in search(net, s, fit)]
    write("07_bottleneck.csv", table)
    write("07_search.csv", searched)


if __name__ == "__main__":
    main()
