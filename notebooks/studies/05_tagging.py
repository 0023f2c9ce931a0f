"""Parts of speech and names: taggers of notebook 05 in one and two directions, by depth.

Run `python notebooks/studies/05_tagging.py` (some two minutes on one thread); it writes
05_tagging.csv beside itself. "baseline" gives each word the tag that it has most often.
"""

import importlib.util
import platform
import time
from collections import Counter, defaultdict
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv

SETTINGS = {"steps": 200, "batch_size": 32, "clip_norm": 1.0}
RATES = (0.01, 0.03)
SEEDS = range(3)
NETS = [  # ways, layers
    *[("forward", layers) for layers in (1, 2, 3)],
    *[("backward", layers) for layers in (1, 2, 3)],
    *[("both", layers) for layers in (1, 2, 3)],
]
OPEN = {
    "walk": {"walk", "talk", "dance", "work", "watch", "swim", "rest", "call"},
    "that": {"this", "that", "each", "another"},
}


def _terribly():
    """The script beside this one: the same nets, with the same number of weights."""
    path = Path(__file__).with_name("05_terribly.py")
    spec = importlib.util.spec_from_file_location("study_05_terribly", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NET = _terribly()


def spans(tags):
    """Names in BIO tags: a set of (kind, first, end). An I- that continues nothing is dropped."""
    found, start, kind = set(), None, None
    for place, tag in enumerate([*tags, "O"]):
        if start is not None and tag != f"I-{kind}":
            found.add((kind, start, place))
            start = None
        if tag.startswith("B-"):
            start, kind = place, tag[2:]
    return found


def loose_spans(tags):
    """The same after the rule of CoNLL: an I- that continues nothing begins a name."""
    mended, before = [], "O"
    for tag in tags:
        goes_on = before[1:] == tag[1:]
        mended.append(f"B-{tag[2:]}" if tag.startswith("I-") and not goes_on else tag)
        before = tag
    return spans(mended)


def f1(guesses, truths):
    """F1 of sets of spans, summed over the sentences."""
    hits = sum(len(g & t) for g, t in zip(guesses, truths, strict=True))
    return 2 * hits / (sum(map(len, guesses)) + sum(map(len, truths)))


class Task:
    """The data set as tensors, and what its tags mean."""

    def __init__(self):
        self.data = sv.data.load("tagging")
        train = self.data.train

        def vocabulary(field):
            return sv.data.Vocabulary(sorted({x for s in train for x in getattr(s, field)}))

        self.words, self.pos, self.bio = map(vocabulary, ("words", "pos", "bio"))
        size = SETTINGS["batch_size"]
        self.train = [self.batch(train[a : a + size]) for a in range(0, len(train), size)]

    def batch(self, sentences):
        """Ids, lengths and both rows of tags; padding has the tag -100."""

        def rows(vocabulary, field, padding):
            ids = [vocabulary.encode(getattr(s, field)) for s in sentences]
            return nn.utils.rnn.pad_sequence(ids, padding_value=padding)

        lengths = torch.tensor([len(s.words) for s in sentences])
        ids, pos = rows(self.words, "words", 0), rows(self.pos, "pos", -100)
        return ids, lengths, pos, rows(self.bio, "bio", -100)

    def loss(self, model, batch):
        """Cross-entropy of both tags, padding left out."""
        ids, lengths, pos, bio = batch
        scores = model(ids, lengths).flatten(0, 1).split([len(self.pos), len(self.bio)], dim=-1)
        return F.cross_entropy(scores[0], pos.flatten()) + F.cross_entropy(scores[1], bio.flatten())

    @torch.no_grad()
    def tag(self, model, sentences):
        """Predicted (parts of speech, BIO tags) of each sentence."""
        ids, lengths, *_ = self.batch(sentences)
        pos, bio = model(ids, lengths).split([len(self.pos), len(self.bio)], dim=-1)
        return [
            (self.pos.decode(pos[:n, k].argmax(-1)), self.bio.decode(bio[:n, k].argmax(-1)))
            for k, n in enumerate(lengths.tolist())
        ]


def measures(sentences, tagged):
    """Accuracies and span F1 of predicted tags."""
    right = defaultdict(list)
    for sentence, (pos, bio) in zip(sentences, tagged, strict=True):
        for t, word in enumerate(sentence.words):
            right["pos"].append(pos[t] == sentence.pos[t])
            right["bio"].append(bio[t] == sentence.bio[t])
            for name, words in OPEN.items():
                if word in words:
                    right[f"pos_{name}"].append(pos[t] == sentence.pos[t])
            if sentence.bio[t].startswith("B-") and sentence.bio[t + 1].startswith("I-"):
                right["bio_first_names"].append(bio[t] == sentence.bio[t])
    found = {name: sum(values) / len(values) for name, values in right.items()}
    for name, rule in (("f1", spans), ("f1_loose", loose_spans)):
        guesses = [rule(bio) for _, bio in tagged]
        found[name] = f1(guesses, [rule(sentence.bio) for sentence in sentences])
    names = ["pos", "pos_walk", "pos_that", "bio", "bio_first_names", "f1", "f1_loose"]
    return {name: f"{found[name]:.3f}" for name in names}


def baseline(task, sentences):
    """Each word gets the tag that it has most often in train."""
    most = {}
    for field in ("pos", "bio"):
        counts = defaultdict(Counter)
        for sentence in task.data.train:
            for word, tag in zip(sentence.words, getattr(sentence, field), strict=True):
                counts[word][tag] += 1
        most[field] = {word: count.most_common(1)[0][0] for word, count in counts.items()}
    return [tuple([most[f][w] for w in s.words] for f in ("pos", "bio")) for s in sentences]


def row(net, rate, seed, task=None):
    """Train once and measure on the test part; the loss on the validation part chooses the rate."""
    task = task or Task()
    began = time.process_time()
    ways, layers = net
    hidden_size = NET.units(ways, layers)
    torch.manual_seed(seed)
    answers = len(task.pos) + len(task.bio)
    model = NET.Reader(ways, len(task.words), hidden_size, layers, answers)
    sv.training.fit(
        model,
        task.loss,
        task.train,
        SETTINGS["steps"],
        lr=rate,
        clip_norm=SETTINGS["clip_norm"],
        progress=False,
    )
    with torch.no_grad():
        val_loss = task.loss(model, task.batch(task.data.val)).item()
    return {
        "ways": ways,
        "layers": layers,
        "lr": rate,
        "seed": seed,
        "hidden_size": hidden_size,
        "weights": sum(p.numel() for p in model.parameters()),
        **SETTINGS,
        "val_loss": f"{val_loss:.4f}",
        **measures(task.data.test, task.tag(model, task.data.test)),
        "seconds": f"{time.process_time() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def main() -> None:
    """Write the table."""
    sv.setup(seed=0)
    task = Task()
    rows = []
    for net in NETS:
        rows += NET.best(lambda rate, seed, net=net: row(net, rate, seed, task))
    blank = dict.fromkeys(rows[0], "") | {"ways": "baseline"}
    rows.append(blank | measures(task.data.test, baseline(task, task.data.test)))
    NET.write(Path(__file__).with_suffix(".csv"), rows)


if __name__ == "__main__":
    main()
