"""What each stage of ULMFiT brings, and which mix of layers a tagger wants, for notebook 15a.

A two-way language model reads the diaries of `sv.data.load("opinions")`, then the reviews without
labels; a classifier on top of it is tuned on 50, 500 or 5,000 labelled reviews. Each variant leaves
one thing out. With 5,000 labels some are tuned for four times the steps as well: 600 are not four
passes. And a small tagger gets a mix of the layers of the frozen model.

Run `python notebooks/studies/15a_transfer.py [SECONDS]`; it writes 15a_transfer.csv and
15a_mix.csv beside itself, leaves out rows that stand there, and begins no row after so many
seconds. The taggers read from `datasets/opinions_bilm`, which `--checkpoint FOLDER` makes: one
model of all texts without labels, with more steps.
"""

import csv
import json
import sys
import time
from copy import deepcopy
from functools import cache
from pathlib import Path

import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import Tensor, nn

import seqviz as sv

HERE = Path(__file__).parent
SEEDS = range(3)
NET = {"size": 64, "layers": 2, "batch": 32}
STAGES = {  # steps, highest rate
    "stream": (500, 3e-2),
    "unlabelled": (250, 1e-2),
    "alone": (750, 3e-2),  # the reviews without the stream, with the steps of both
    "all": (4000, 2e-2),
}
STEPS = {50: 60, 500: 150, 5000: 600}  # by labels
LONG = 2400  # with 5,000 labels, of the variants of LONGER
LONGER = ("whole recipe", "one rate", "plain fine-tuning", "no pre-training")
LR = 1e-2
WHOLE = {"stages": "stream unlabelled", "discriminative": 2.6, "gradual": True, "slanted": True}
PLAIN = {"discriminative": 1.0, "gradual": False}
VARIANTS = {  # what is other than in the whole recipe
    "whole recipe": {},
    "no general text": {"stages": "alone"},
    "no tuning of the LM": {"stages": "stream"},
    "one rate": {"discriminative": 1.0},
    "all layers at once": {"gradual": False},
    "constant rate": {"slanted": False},
    "plain fine-tuning": {**PLAIN, "slanted": False},
    "no pre-training": {"stages": "", **PLAIN, "slanted": False},
}
TASKS = (("sense", 50), ("sense", 500), ("noun or verb", 50))  # and labels
MIXES = ("learned", "first", "last", "mean", "none")
TAGGER = {"batch": 50, "steps": 150, "lr": 1e-2, "units": 16}
KEYS = {
    "15a_mix": ("task", "labels", "mix", "seed"),
    "15a_transfer": ("variant", "labels", "seed", "steps"),
}
VERSIONS = {"torch": torch.__version__, "seqviz": sv.__version__}

data = sv.data.load("opinions")
vocabulary = sv.data.sentence_vocabulary([t.split() for t in data.stream + data.unlabelled])


def encoded(texts: list[str]) -> list[Tensor]:
    """Ids of each text."""
    return [vocabulary.encode(text.split()) for text in texts]


def padded(rows: list[Tensor]) -> tuple[Tensor, Tensor]:
    """Ids (batch, time) and lengths."""
    lengths = torch.tensor([len(row) for row in rows])
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), lengths


class Batches:
    """Shuffled batches of texts of about one length, with what belongs to each text."""

    def __init__(self, rows: list[Tensor], seed: int, *more: Tensor):
        self.rows, self.more, self.size = rows, more, min(NET["batch"], len(rows))
        self.draw = torch.Generator().manual_seed(seed)

    def __iter__(self):
        order = torch.randperm(len(self.rows), generator=self.draw).tolist()
        groups = []
        for k in range(0, len(order), 16 * self.size):
            near = sorted(order[k : k + 16 * self.size], key=lambda i: len(self.rows[i]))
            groups += [near[j : j + self.size] for j in range(0, len(near), self.size)]
        for k in torch.randperm(len(groups), generator=self.draw).tolist():
            yield *padded([self.rows[i] for i in groups[k]]), *(x[groups[k]] for x in self.more)


def slanted(step: int, steps: int, cut: float = 0.1, ratio: float = 32) -> float:
    """The slanted triangle (Howard and Ruder 2018, equation 3), 1 at its top."""
    peak = steps * cut
    p = step / peak if step < peak else 1 - (step - peak) / (steps - peak)
    return (1 + p * (ratio - 1)) / ratio


@cache
def language_model(stages: str, seed: int) -> sv.nn.BiLM:
    """A two-way language model after these stages of pre-training."""
    if stages == "":
        torch.manual_seed(seed)
        model = sv.nn.BiLM(len(vocabulary), NET["size"], NET["layers"])
        nn.init.normal_(model.embedding.weight, std=0.1)
        for name, weight in model.named_parameters():
            if "bias_ih" in name:  # the forget gate starts open (notebook 04)
                weight.data[NET["size"] : 2 * NET["size"]] = 1.0
        return model
    *before, stage = stages.split()
    model = deepcopy(language_model(" ".join(before), seed))
    steps, lr = STAGES[stage]
    optimizer = torch.optim.Adam(model.parameters(), lr)

    def follow(step: int, _: float) -> None:
        optimizer.param_groups[0]["lr"] = lr * slanted(step, steps)

    texts = {
        "stream": data.stream,
        "unlabelled": data.unlabelled,
        "alone": data.unlabelled,
        "all": data.stream + data.unlabelled,
    }
    rows = Batches(encoded(texts[stage]), seed)
    options = {"optimizer": optimizer, "clip_norm": 1.0, "progress": False, "on_step": follow}
    sv.training.fit(model, lambda net, batch: net.loss(*batch), rows, steps, **options)
    return model


class Classifier(nn.Module):
    """The language model, and on top of it the last, the largest and the mean h."""

    def __init__(self, lm: sv.nn.BiLM):
        super().__init__()
        self.lm, size = lm, NET["size"]
        self.head = nn.Sequential(nn.Linear(6 * size, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Logits (batch, 2)."""
        h, half = self.lm(ids, lengths).layers[-1], NET["size"]
        behind = torch.arange(ids.shape[1]) >= lengths[:, None]
        last = h[torch.arange(len(ids)), lengths - 1, :half]
        first = h[:, 0, half:]  # the last word that the other direction reads
        largest = h.masked_fill(behind[:, :, None], -torch.inf).amax(1)
        mean = h.sum(1) / lengths[:, None]  # padding is zero
        return self.head(torch.cat([last, first, largest, mean], 1))

    def groups(self) -> list[list[nn.Parameter]]:
        """Parameters, from the top down: head, second layer, first layer, word vectors."""
        lm = self.lm
        layers = [[*lm.ahead[k].parameters(), *lm.back[k].parameters()] for k in (1, 0)]
        return [[*self.head.parameters()], *layers, [lm.embedding.weight]]


def part(seed: int, labels: int) -> list:
    """The labelled reviews of a seed."""
    start = seed * labels % len(data.train)
    return data.train[start : start + labels]


def tuned(variant: dict, labels: int, seed: int, steps: int) -> Classifier:
    """A classifier, tuned on so many labels."""
    settings = WHOLE | variant
    lm = deepcopy(language_model(settings["stages"], seed))
    torch.manual_seed(seed)
    model = Classifier(lm)
    optimizer = torch.optim.Adam([{"params": group} for group in model.groups()], LR)

    def follow(step: int, _: float) -> None:
        shape = slanted(step, steps) if settings["slanted"] else 1.0
        for k, group in enumerate(optimizer.param_groups):
            frozen = settings["gradual"] and step < 0.1 * k * steps
            group["lr"] = 0.0 if frozen else LR / settings["discriminative"] ** k * shape

    follow(0, 0.0)
    rows = part(seed, labels)
    batches = Batches(encoded([r.text for r in rows]), seed, torch.tensor([r.label for r in rows]))
    options = {"optimizer": optimizer, "clip_norm": 1.0, "progress": False, "on_step": follow}
    sv.training.fit(
        model, lambda net, b: F.cross_entropy(net(*b[:2]), b[2]), batches, steps, **options
    )
    return model


def judged(reviews: list) -> list[set[str]]:
    """The adjectives of each review."""
    return [
        {word for word, sense in zip(review.words, review.senses, strict=True) if sense}
        for review in reviews
    ]


@torch.no_grad()
def accuracies(model: Classifier, rows: list) -> tuple[float, float | str]:
    """Share right on the test part, and where no adjective was seen with a label."""
    ids, lengths = padded(encoded([review.text for review in data.test]))
    truth = torch.tensor([review.label for review in data.test])
    right = (model(ids, lengths).argmax(1) == truth).float()
    seen = set().union(*judged(rows))
    new = torch.tensor([not words & seen for words in judged(data.test)])
    return right.mean().item(), right[new].mean().item() if new.sum() > 100 else ""


class Tagger(nn.Module):
    """TagLM: h_1 = [forward; backward; h_LM] goes into the second layer (deck 002)."""

    def __init__(self, mix: str):
        super().__init__()
        self.mix, units = mix, TAGGER["units"]
        self.words = nn.Embedding(len(vocabulary), units)
        self.first = sv.nn.LSTM(units, units, batch_first=True, bidirectional=True)
        self.learned = sv.nn.LayerMix(NET["layers"] + 1)
        from_lm = 0 if mix == "none" else 2 * NET["size"]
        self.second = sv.nn.LSTM(2 * units + from_lm, units, batch_first=True, bidirectional=True)
        self.output = nn.Linear(2 * units, 2)

    def forward(self, ids: Tensor, lengths: Tensor, layers: Tensor) -> Tensor:
        """Logits (batch, time, 2); `layers` (batch, layer, time, 2 * size) are the frozen LM's."""
        h, _ = self.first(self.words(ids), lengths=lengths)
        layers = layers.unbind(1)
        h_lm = {
            "learned": lambda: [self.learned(layers)],
            "first": lambda: [layers[0]],
            "last": lambda: [layers[-1]],
            "mean": lambda: [sum(layers) / len(layers)],
            "none": lambda: [],
        }[self.mix]()
        h, _ = self.second(torch.cat([h, *h_lm], 2), lengths=lengths)
        return self.output(h)


def tags(task: str, reviews: list, time: int) -> Tensor:
    """(review, time): 1 for praise or noun, 0 for blame or verb, -100 where nothing is asked."""
    number = {"praise": 1, "blame": 0, "noun": 1, "verb": 0}
    found = torch.full((len(reviews), time), -100)
    for row, review in zip(found, reviews, strict=True):
        for t, name in enumerate(review.senses if task == "sense" else review.nouns):
            row[t] = number.get(name, -100)
    return found


@torch.no_grad()
def read(reviews: list) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, lengths, and all layers of the frozen model (review, layer, time, 2 * size)."""
    ids, lengths = padded(encoded([review.text for review in reviews]))
    lm = sv.nn.BiLM(len(vocabulary), NET["size"], NET["layers"])
    lm.load_state_dict(sv.data.load_weights("opinions_bilm")[0])
    return ids, lengths, torch.stack(lm(ids, lengths).layers, 1)


def of_two_senses(reviews: list, time: int) -> Tensor:
    """(review, time): whether this word praises in one review and blames in another."""
    said = [(w, s) for r in data.train for w, s in zip(r.words, r.senses, strict=True) if s]
    both = {word for word, sense in {*said} if sense == "praise"}
    both &= {word for word, sense in {*said} if sense == "blame"}
    found = torch.zeros(len(reviews), time, dtype=torch.bool)
    for row, review in zip(found, reviews, strict=True):
        row[: len(review.words)] = torch.tensor([word in both for word in review.words])
    return found


def tagged(task: str, labels: int, mix: str, seed: int) -> tuple[float, float | str, Tagger]:
    """Accuracy on the test part, that on words of two senses, and the tagger."""
    torch.manual_seed(seed)
    model, rows = Tagger(mix), part(seed, labels)
    given = read(rows)
    given = [*given, tags(task, rows, given[0].shape[1])]
    batches = [*zip(*(of.split(TAGGER["batch"]) for of in given), strict=True)]
    options = {"lr": TAGGER["lr"], "clip_norm": 1.0, "progress": False}
    sv.training.fit(
        model,
        lambda net, batch: F.cross_entropy(net(*batch[:-1]).mT, batch[-1]),
        batches,
        TAGGER["steps"],
        **options,
    )
    asked = read(data.test)
    truth = tags(task, data.test, asked[0].shape[1])
    with torch.no_grad():
        right = (model(*asked).argmax(2) == truth).float()
    two = of_two_senses(data.test, truth.shape[1])
    hard = right[two].mean().item() if task == "sense" else ""
    return right[truth >= 0].mean().item(), hard, model


def transfer_runs(seed: int) -> list[tuple]:
    """Variant, labels, seed and steps of each row of 15a_transfer.csv."""
    found = [(v, n, seed, steps) for n, steps in STEPS.items() for v in VARIANTS]
    return found + [(v, max(STEPS), seed, LONG) for v in LONGER]


def transfer_row(variant: str, labels: int, seed: int, steps: int) -> dict:
    """A row of 15a_transfer.csv."""
    language_model((WHOLE | VARIANTS[variant])["stages"], seed)
    began = time.process_time()
    model = tuned(VARIANTS[variant], labels, seed, steps)
    seconds = time.process_time() - began
    right, new = accuracies(model, part(seed, labels))
    new = new if new == "" else f"{new:.4f}"
    found = {"variant": variant, "labels": labels, "seed": seed, "accuracy": f"{right:.4f}"}
    settings = WHOLE | VARIANTS[variant] | NET | {"steps": steps, "lr": LR}
    return found | {"new_words": new, "seconds": f"{seconds:.1f}"} | settings | VERSIONS


def mix_row(task: str, labels: int, mix: str, seed: int) -> dict:
    """A row of 15a_mix.csv."""
    began = time.process_time()
    right, hard, model = tagged(task, labels, mix, seed)
    found = {"task": task, "labels": labels, "mix": mix, "seed": seed}
    found["accuracy"] = f"{right:.4f}"
    found["two_senses"] = hard if hard == "" else f"{hard:.4f}"
    weights = [f"{w:.4f}" if mix == "learned" else "" for w in model.learned.weights.tolist()]
    found |= {f"s{j}": weight for j, weight in enumerate(weights)}
    found["gamma"] = f"{model.learned.gamma.item():.4f}" if mix == "learned" else ""
    return found | {"seconds": f"{time.process_time() - began:.1f}"} | NET | TAGGER | VERSIONS


def table_of(name: str) -> list[dict]:
    """The rows that stand in a table so far."""
    path = HERE / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_checkpoint(folder: Path) -> None:
    """Train one model on all texts without labels, and save it in half precision."""
    weights = language_model("all", 0).state_dict()
    sizes = {"vocab_size": len(vocabulary), "size": NET["size"], "num_layers": NET["layers"]}
    about = {"vocabulary": json.dumps(vocabulary.tokens), "sizes": json.dumps(sizes)}
    folder.mkdir(parents=True, exist_ok=True)
    save_file({k: w.half() for k, w in weights.items()}, folder / "model.safetensors", about)


def main() -> None:
    """Write what is missing of both tables, or the checkpoint if it is wanted."""
    torch.set_num_threads(1)
    if sys.argv[1:2] == ["--checkpoint"]:
        write_checkpoint(Path(sys.argv[2]))
        return
    until = time.process_time() + float(sys.argv[1] if len(sys.argv) > 1 else "inf")
    for seed in SEEDS:
        wanted = [("15a_mix", mix_row, (*t, m, seed)) for t in TASKS for m in MIXES]
        wanted += [("15a_transfer", transfer_row, run) for run in transfer_runs(seed)]
        for name, make, key in wanted:
            rows = table_of(name)
            if tuple(map(str, key)) in [tuple(row[k] for k in KEYS[name]) for row in rows]:
                continue
            if time.process_time() > until:
                return
            rows.append(make(*key))
            print(*key, rows[-1]["accuracy"], rows[-1]["seconds"], flush=True)
            with (HERE / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


if __name__ == "__main__":
    main()
