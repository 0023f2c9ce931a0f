"""Read film reviews with the pretrained encoder of notebook 18, as it is and fine-tuned.

As it is: vectors of each layer as features of a logistic regression, trained on three samples of
2,000 reviews, with attention_mask and without, raw and standardised. Fine-tuned: one thing is
changed at a time, three seeds each. Few labels: both ways on twenty samples of 200 reviews. All are
scored on the whole development part.

Run `python notebooks/studies/18_finetuning.py`; beside itself it writes 18_features.csv,
18_finetuning.csv, 18_samples.csv (few labels) and 18_words.csv (what each word of some reviews does
to the verdict). Tables and rows that are there are kept.
"""

import csv
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import sklearn
import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from torch import Tensor, nn

import seqviz as sv

ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
BASE = {
    "rows": 2000,  # from the first one on, as in deck 004
    "epochs": 1,
    "places": 384,  # of a batch: some 16 reviews
    "lr": 2e-4,
    "warmup": 0.1,  # share of the steps
    "trained_layers": "all",  # and the embeddings; a number is that of the last layers
    "reads": "mean",
    "start": "pretrained",
}
VARIANTS = {  # what differs from the base
    "base": {},
    "as in the notebook": {"trained_layers": 2, "lr": 4e-4, "places": 256},
    "rate 0.01": {"lr": 0.01},
    "600 rows": {"rows": 600},
    "[CLS]": {"reads": "[CLS]"},
    "random start": {"start": "random"},
    "three epochs": {"epochs": 3},
}
SEEDS = range(3)
SAMPLES = (0, 2000, 4000)  # first row of each
SIZES = (200, 600, 2000)
SMALL, SMALL_SAMPLES, PASSES = 200, range(20), (1, 10)  # few labels: one after another, no overlap
PREPARED = (("raw", 1.0), ("standardised", 1.0), ("standardised", 0.01))  # features and C
COMBINED = {"sum of all": slice(1, None), "sum of last four": slice(-4, None)}
SHOWN = (424,)  # reviews of the development part in 18_words.csv
GROUPS = {  # reviews with one of these words; "other" are those of no group
    "negation": {
        "n't", "not", "no", "never", "nothing", "nobody", "neither", "nor", "none", "without",
        "hardly", "rarely",
    },
    "turn": {"but", "though", "although", "despite", "yet", "however", "while"},
}  # fmt: skip
PLACES = 256  # of a batch that is only read
VERSIONS = {
    "torch": torch.__version__.split("+")[0],
    "sklearn": sklearn.__version__,
    "python": platform.python_version(),
}
HERE = Path(__file__).parent


@cache
def data() -> sv.data.Dataset:
    """The reviews."""
    return sv.data.load("sst2")


@cache
def pieces() -> sv.data.WordPiece:
    """The word pieces of the encoder."""
    return sv.data.WordPiece.from_vocab(sv.nn.find_vocabulary(ENCODER))


def shares(right: Sequence[bool]) -> dict[str, str]:
    """Share of the development part that is right, and the same in each group."""
    found = {"accuracy": [*right]} | {name: [] for name in (*GROUPS, "other")}
    for one, row in zip(right, data().val, strict=True):
        words = set(row.text.split())
        for name in [name for name in GROUPS if words & GROUPS[name]] or ["other"]:
            found[name].append(one)
    return {name: f"{sum(those) / len(those):.4f}" for name, those in found.items()}


def encoded(texts: Sequence[str]) -> list[sv.data.Encoded]:
    """Word pieces of texts."""
    return [pieces().encode(text) for text in texts]


def padded(texts: Sequence[sv.data.Encoded]) -> list[Tensor]:
    """Ids and mask, (batch, time), time a multiple of 8: few shapes take less memory."""
    ids, mask, *_ = pieces().pad(texts)
    return [F.pad(x, (0, -x.shape[1] % 8)) for x in (ids, mask)]


def by_length(texts: Sequence[sv.data.Encoded], places: int) -> list[list[int]]:
    """Numbers of texts in batches of at most so many places, texts of like length together."""
    left, batches = sorted(range(len(texts)), key=lambda k: -len(texts[k].ids)), []
    while left:
        longest = len(texts[left[0]].ids)
        size = max(1, places // (longest + -longest % 8))
        batches.append(left[:size])
        left = left[size:]
    return batches


def masked_mean(h: Tensor, attention_mask: Tensor) -> Tensor:
    """(batch, hidden), the mean over the tokens of h (batch, time, hidden)."""
    words = attention_mask.unsqueeze(2)  # (batch, time, 1)
    return (h * words).sum(dim=1) / words.sum(dim=1)


@torch.no_grad()
def features(
    bert: sv.nn.BERT, texts: Sequence[sv.data.Encoded], places: int | None = None
) -> dict[str, Tensor]:
    """(layer, text, hidden) of [CLS], of the mean over tokens, of the mean over all places.

    With `places`, each text is padded to so many and nothing is masked, as in deck 004.
    """
    shape = (len(bert.layers) + 1, len(texts), bert.hidden_size)
    found = {name: torch.zeros(shape) for name in ("[CLS]", "mean", "mean over all places")}
    for rows in by_length(texts, PLACES):
        ids, mask = padded([texts[k] for k in rows])
        if places is not None:
            ids, mask = (F.pad(x, (0, places - x.shape[1])) for x in (ids, mask))
        output = bert(ids, mask if places is None else None, output_hidden_states=True)
        for layer, h in enumerate(output.hidden_states):
            found["[CLS]"][layer, rows] = h[:, 0]
            found["mean"][layer, rows] = masked_mean(h, mask)
            found["mean over all places"][layer, rows] = h.mean(dim=1)
    return found


def regression(
    x: Tensor, labels: Sequence[int], features: str = "standardised", C: float = 0.01
) -> Pipeline:
    """A logistic regression on features (text, number), as they are or standardised.

    In 5-fold cross-validation on the training reviews C = 0.01 is best, or level with the best.
    """
    steps = [StandardScaler()] if features == "standardised" else []
    model = make_pipeline(*steps, LogisticRegression(C=C, solver="newton-cholesky"))
    return model.fit(x.double().numpy(), labels)


def layers_of(states: Tensor) -> dict[str, Tensor]:
    """Features (text, number) of states (layer, text, hidden): the choices of deck 004."""
    choices = {str(layer): h for layer, h in enumerate(states)}
    choices |= {name: states[which].sum(dim=0) for name, which in COMBINED.items()}
    return choices | {"last four side by side": torch.cat([*states[-4:]], dim=1)}


def feature_rows(first: int) -> list[dict]:
    """Logistic regressions on one sample of the training part."""
    began = time.process_time()
    bert = sv.nn.BERT.from_pretrained(ENCODER)
    sample = data().train[first : first + max(SIZES)]
    labels, truth = (np.array([row.label for row in part]) for part in (sample, data().val))
    train, val = (encoded([row.text for row in part]) for part in (sample, data().val))
    places = max(len(text.ids) for text in train + val)
    masked = [features(bert, part) for part in (train, val)]
    plain = [features(bert, part, places) for part in (train, val)]
    found = []

    def score(vector: str, layer: str, x: Tensor, *tests: tuple[str, Tensor], **more) -> None:
        row = {"first_row": first, "vector": vector, "layer": layer, "rows": len(x)}
        row |= {"trained": "mask", "places": "", **more}
        for how, C in PREPARED:
            model = regression(x, labels[: len(x)], how, C)
            for tested, of_val in tests:
                row |= {"tested": tested, "features": how, "C": C}
                row["spread"] = f"{of_val.std(dim=0).mean():.4f}"
                right = model.predict(of_val.double().numpy()) == truth
                found.append(row | shares(right.tolist()))

    last = str(len(bert.layers))
    for vector in ("[CLS]", "mean"):
        of_train, of_val = (layers_of(part[vector]) for part in masked)
        for layer, x in of_train.items():
            score(vector, layer, x, ("mask", of_val[layer]))
        for size in SIZES[:-1]:
            score(vector, last, of_train[last][:size], ("mask", of_val[last]))
    for vector, right in (("[CLS]", "[CLS]"), ("mean", "mean"), ("mean over all places", "mean")):
        padded, alone = plain[1][vector][-1], masked[1][right][-1]  # a text alone has no padding
        without, with_mask = plain[0][vector][-1], masked[0][right][-1]
        more = {"trained": "none", "places": places}
        score(vector, last, without, ("none", padded), ("mask", alone), **more)
        score(vector, last, with_mask, ("none", padded), places=places)
    seconds = f"{time.process_time() - began:.1f}"
    return [row | {"seconds": seconds} | VERSIONS for row in found]


class OverMean(nn.Module):
    """A classifier on the mean of the last layer's vectors."""

    def __init__(self, bert: sv.nn.BERT, num_labels: int):
        super().__init__()
        self.bert = bert
        self.dropout = nn.Dropout(bert.hidden_dropout_prob)
        self.classifier = nn.Linear(bert.hidden_size, num_labels)
        nn.init.normal_(self.classifier.weight, std=0.02)
        nn.init.zeros_(self.classifier.bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return logits (batch, num_labels)."""
        h = self.bert(input_ids, attention_mask).last_hidden_state
        return self.classifier(self.dropout(masked_mean(h, attention_mask)))


class Batches:
    """Batches of texts of like length, in a new order each time."""

    def __init__(self, texts: Sequence[sv.data.Encoded], labels: Sequence[int], places: int):
        self.texts, self.labels = texts, torch.tensor(labels)
        self.batches = by_length(texts, places)

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        for k in torch.randperm(len(self)).tolist():
            rows = self.batches[k]
            ids, mask = padded([self.texts[row] for row in rows])
            yield ids, mask, self.labels[rows]


def loss(model: nn.Module, batch: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """Cross-entropy of the labels."""
    ids, mask, labels = batch
    return F.cross_entropy(model(ids, mask), labels)


def new_model(settings: dict) -> nn.Module:
    """The encoder with a new head, and with what is not trained held fast."""
    if settings["start"] == "random":
        bert = sv.nn.BERT(30522, 384, 6, 12, 1536)
    else:
        bert = sv.nn.BERT.from_pretrained(ENCODER)
    if settings["trained_layers"] != "all":
        bert.embeddings.requires_grad_(False)
        bert.layers[: -settings["trained_layers"]].requires_grad_(False)
    if settings["reads"] == "[CLS]":
        return sv.nn.BERTForSequenceClassification(bert, 2)
    return OverMean(bert, 2)


def trained(settings: dict, seed: int, first: int = 0) -> tuple[nn.Module, sv.training.History]:
    """A fine-tuned model, and the history of its training on reviews from `first` on."""
    torch.manual_seed(seed)
    model = new_model(settings)
    rows = data().train[first : first + settings["rows"]]
    batches = Batches(
        encoded([row.text for row in rows]), [row.label for row in rows], settings["places"]
    )
    steps = settings["epochs"] * len(batches)
    warmup = settings["warmup"] * steps
    moving = [weight for weight in model.parameters() if weight.requires_grad]
    adam = torch.optim.AdamW(moving, lr=settings["lr"], fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda k: min((k + 1) / warmup, (steps - k) / (steps - warmup))
    )
    history = sv.training.fit(
        model,
        loss,
        batches,
        steps,
        optimizer=adam,
        clip_norm=1.0,
        progress=False,
        on_step=lambda *_: schedule.step(),
    )
    return model.eval(), history


@torch.no_grad()
def logits(model: nn.Module, texts: Sequence[sv.data.Encoded]) -> Tensor:
    """(text, label)."""
    found = torch.zeros(len(texts), 2)
    for rows in by_length(texts, PLACES):
        ids, mask = padded([texts[k] for k in rows])
        found[rows] = model(ids, mask)
    return found


def tuned_row(variant: str, seed: int) -> tuple[dict, nn.Module]:
    """Fine-tune once and measure. The seconds are those of the processor for training."""
    settings = BASE | VARIANTS[variant]
    began = time.process_time()
    model, history = trained(settings, seed)
    seconds = time.process_time() - began
    truth = torch.tensor([row.label for row in data().val])
    right = logits(model, encoded([row.text for row in data().val])).argmax(dim=1) == truth
    found = {
        "variant": variant,
        "seed": seed,
        **settings,
        "trained_weights": sum(w.numel() for w in model.parameters() if w.requires_grad),
        "steps": history.steps,
        "loss": f"{sum(history.loss[-20:]) / 20:.4f}",
        **shares(right.tolist()),
        "seconds": f"{seconds:.1f}",
        **VERSIONS,
    }
    return found, model


@cache
def last_means(first: int | None = None, end: int | None = None) -> Tensor:
    """(text, hidden), the last layer's means: of training reviews, or of the development part."""
    part = data().val if first is None else data().train[first:end]
    bert = sv.nn.BERT.from_pretrained(ENCODER)
    return features(bert, encoded([row.text for row in part]))["mean"][-1]


def share_right(model: nn.Module) -> float:
    """Share of the development part that a fine-tuned model gets right."""
    truth = torch.tensor([row.label for row in data().val])
    found = logits(model, encoded([row.text for row in data().val])).argmax(dim=1)
    return (found == truth).double().mean().item()


def sample_row(sample: int) -> dict:
    """Few labels: frozen vectors and fine-tuning, one pass and ten, on the same reviews."""
    began, first = time.process_time(), sample * SMALL
    some = data().train[first : first + SMALL]
    frozen = regression(last_means(first, first + SMALL), [row.label for row in some])
    right = frozen.score(last_means().double().numpy(), [row.label for row in data().val])
    found = {"sample": sample, "first_row": first, "rows": SMALL, "frozen": f"{right:.4f}"}
    for passes in PASSES:
        settings = BASE | {"rows": SMALL, "epochs": passes}
        model, _ = trained(settings, sample, first)
        found[f"passes {passes}"] = f"{share_right(model):.4f}"
    return found | {"seconds": f"{time.process_time() - began:.1f}"} | VERSIONS


def effects(verdict: Callable, text: str) -> list[float]:
    """By how much log(p / (1 - p)) of praise falls when a word is left out, for each word."""
    words = text.split()
    without = [" ".join(words[:k] + words[k + 1 :]) for k in range(len(words))]
    whole, *rest = verdict(encoded([text, *without]))
    return [whole - left for left in rest]


def word_rows(model: nn.Module) -> list[dict]:
    """What each word of some reviews does to the verdicts of both readers."""
    bert = sv.nn.BERT.from_pretrained(ENCODER)
    sample = data().train[: max(SIZES)]
    vectors = features(bert, encoded([row.text for row in sample]))["mean"][-1]
    frozen = regression(vectors, [row.label for row in sample])

    def of_frozen(texts: Sequence[sv.data.Encoded]) -> list[float]:
        return frozen.decision_function(features(bert, texts)["mean"][-1].double().numpy()).tolist()

    def of_tuned(texts: Sequence[sv.data.Encoded]) -> list[float]:
        return logits(model, texts).diff(dim=1).flatten().tolist()

    found = []
    for number in SHOWN:
        text = data().val[number].text
        both = (effects(verdict, text) for verdict in (of_frozen, of_tuned))
        (whole_frozen,), (whole_tuned,) = of_frozen(encoded([text])), of_tuned(encoded([text]))
        for word, one, other in zip(text.split(), *both, strict=True):
            row = {"review": number, "label": data().val[number].label, "word": word}
            row |= {"frozen": f"{one:.3f}", "tuned": f"{other:.3f}"}
            row |= {"frozen_whole": f"{whole_frozen:.3f}", "tuned_whole": f"{whole_tuned:.3f}"}
            found.append(row | VERSIONS)
    return found


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
    """Write the tables and rows that are not there yet."""
    sv.setup(seed=0)
    rows = read("18_features.csv")
    for first in SAMPLES:
        if str(first) not in {str(row["first_row"]) for row in rows}:
            write("18_features.csv", rows := rows + feature_rows(first))
    rows = read("18_finetuning.csv")
    done = {(row["variant"], int(row["seed"])) for row in rows}
    for variant in VARIANTS:
        for seed in SEEDS:
            if (variant, seed) in done:
                continue
            found, model = tuned_row(variant, seed)
            print(variant, seed, found["accuracy"], found["seconds"], flush=True)
            rows.append(found)
            rows.sort(key=lambda row: (list(VARIANTS).index(row["variant"]), int(row["seed"])))
            write("18_finetuning.csv", rows)
            if (variant, seed) == ("base", 0):
                write("18_words.csv", word_rows(model))
    rows = read("18_samples.csv")
    for sample in SMALL_SAMPLES:
        if str(sample) not in {str(row["sample"]) for row in rows}:
            write("18_samples.csv", rows := [*rows, sample_row(sample)])


if __name__ == "__main__":
    main()
