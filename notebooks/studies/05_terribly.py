"""What can be read off at "terribly"? Nets of notebook 05, one budget of weights, three seeds.

Run `python notebooks/studies/05_terribly.py` (some five minutes on one thread). It writes
05_terribly.csv, a row for each net and seed at its better rate, and 05_terribly_probe.csv, the
read-out of some of them at every word of a few sentences.
"""

import csv
import platform
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv

SETTINGS = {"embedding_dim": 16, "steps": 200, "batch_size": 64, "clip_norm": 1.0}
WEIGHTS = 6000  # of the recurrent part; the number of units follows
RATES = (0.01, 0.03)
SEEDS = range(3)
NETS = [  # ways, layers, head, where the loss is taken
    *[("forward", layers, "linear", "every word") for layers in (1, 2, 3)],
    ("backward", 1, "linear", "every word"),
    ("both", 1, "linear", "every word"),
    ("both", 1, "linear", "terribly"),
    ("both", 1, "mixing", "every word"),
    *[("forward + backward", layers, "linear", "every word") for layers in (2, 3)],
    ("forward + backward", 2, "linear", "terribly"),
    *[("both", layers, "linear", "every word") for layers in (2, 3)],
]
PROBED = [("forward", 1), ("backward", 1), ("both", 1), ("both", 2)]
FLAGS = ("", "really", "not", "never")
ADJECTIVES = ("exciting", "funny", "boring", "dull")


def reverse(x, lengths):
    """Turn each sequence of x (time, batch, ...) round within its own length."""
    t = torch.arange(len(x)).unsqueeze(1)
    place = torch.where(t < lengths, lengths - 1 - t, t)  # (time, batch)
    return x[place, torch.arange(x.shape[1])]


class Reader(nn.Module):
    """GRUs that read forward, backward or both, and a linear read-out at every word."""

    def __init__(self, ways, vocab_size, hidden_size, num_layers=1, answers=2):
        super().__init__()
        self.ways = ways.split(" + ")
        self.embedding = nn.Embedding(vocab_size, 16)
        self.rnns = nn.ModuleList(
            sv.nn.GRU(16, hidden_size, num_layers, bidirectional=way == "both") for way in self.ways
        )
        halves = 1 if ways in ("forward", "backward") else 2
        self.output = nn.Linear(halves * hidden_size, answers)

    def forward(self, ids, lengths):
        """Scores (time, batch, answers) of ids (time, batch)."""
        x, states = self.embedding(ids), []
        for way, rnn in zip(self.ways, self.rnns, strict=True):
            turned = reverse(x, lengths) if way == "backward" else x
            h, _ = rnn(turned, lengths=lengths)
            states.append(reverse(h, lengths) if way == "backward" else h)
        return self.output(torch.cat(states, dim=-1))


def units(ways, layers):
    """The number of units that brings the recurrent weights nearest to WEIGHTS."""

    def weights(hidden_size):
        nets = Reader(ways, 1, hidden_size, layers).rnns
        return sum(p.numel() for p in nets.parameters())

    return min(range(4, 48), key=lambda hidden_size: abs(weights(hidden_size) - WEIGHTS))


def load():
    """Vocabulary and the three parts as batches."""
    data = sv.data.load("reviews")
    words = sv.data.Vocabulary(sorted({word for review in data.train for word in review.words}))

    def batch(reviews):
        ids = nn.utils.rnn.pad_sequence([words.encode(review.words) for review in reviews])
        lengths = torch.tensor([len(review.words) for review in reviews])
        terribly = torch.tensor([review.position for review in reviews])
        labels = torch.tensor([[review.label, review.one_sided] for review in reviews])
        return ids, lengths, terribly, labels.float()

    size = SETTINGS["batch_size"]
    train = [batch(data.train[a : a + size]) for a in range(0, len(data.train), size)]
    return words, train, batch(data.val), batch(data.test)


def loss_at(where):
    """Cross-entropy of both labels, at every word or at "terribly" alone."""

    def loss(model, batch):
        ids, lengths, terribly, labels = batch
        t = torch.arange(len(ids)).unsqueeze(1)  # (time, 1)
        read = t < lengths if where == "every word" else t == terribly  # (time, batch)
        scores = model(ids, lengths)  # (time, batch, 2)
        return F.binary_cross_entropy_with_logits(scores[read], labels.expand_as(scores)[read])

    return loss


def train(net, rate, seed, data):
    """Train a net once."""
    ways, layers, head, where = net
    words, batches, *_ = data
    hidden_size = units(ways, layers)
    torch.manual_seed(seed)
    model = Reader(ways, len(words), hidden_size, layers)
    if head == "mixing":
        width = model.output.in_features
        model.output = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2))
    sv.training.fit(
        model,
        loss_at(where),
        batches,
        SETTINGS["steps"],
        lr=rate,
        clip_norm=SETTINGS["clip_norm"],
        progress=False,
    )
    return model


@torch.no_grad()
def accuracies(model, batch):
    """Accuracy of both labels at the first word, at "terribly" and at the last word."""
    ids, lengths, terribly, labels = batch
    scores = model(ids, lengths)
    places = {"first": torch.zeros_like(lengths), "terribly": terribly, "last": lengths - 1}
    found = {}
    for name, place in places.items():
        right = (scores[place, torch.arange(len(place))] > 0) == (labels > 0)
        sense, adjective = right.float().mean(dim=0).tolist()
        found |= {f"sense_{name}": f"{sense:.3f}", f"adjective_{name}": f"{adjective:.3f}"}
    return found


def row(net, rate, seed, data=None):
    """Train once and measure on the test part; the loss on the validation part chooses the rate."""
    data = data or load()
    began = time.process_time()
    model = train(net, rate, seed, data)
    *_, val, test = data
    with torch.no_grad():
        val_loss = loss_at(net[3])(model, val).item()
    return {
        **dict(zip(("ways", "layers", "head", "loss_at"), net, strict=True)),
        "lr": rate,
        "seed": seed,
        "hidden_size": units(*net[:2]),
        "weights": sum(p.numel() for p in model.parameters()),
        **SETTINGS,
        "val_loss": f"{val_loss:.4f}",
        **accuracies(model, test),
        "seconds": f"{time.process_time() - began:.2f}",
        "torch": torch.__version__.split("+")[0],
        "python": platform.python_version(),
    }


def probes(net, rate, seed, data):
    """The read-out of one net at every word of the sentences, a row for each."""
    words, *_ = data
    began = time.process_time()
    model = train(net, rate, seed, data)
    seconds = f"{time.process_time() - began:.2f}"
    for flag in FLAGS:
        for adjective in ADJECTIVES:
            sentence = f"the movie was {flag} terribly {adjective} !".split()
            ids = words.encode(sentence).unsqueeze(1)
            with torch.no_grad():
                p = model(ids, torch.tensor([len(sentence)]))[:, 0].sigmoid()
            yield {
                "ways": net[0],
                "layers": net[1],
                "flag": flag,
                "adjective": adjective,
                "p_sense": " ".join(f"{value:.4f}" for value in p[:, 0].tolist()),
                "p_adjective": " ".join(f"{value:.4f}" for value in p[:, 1].tolist()),
                "lr": rate,
                "seed": seed,
                "hidden_size": units(*net[:2]),
                **SETTINGS,
                "seconds": seconds,
                "torch": torch.__version__.split("+")[0],
                "python": platform.python_version(),
            }


def best(rows_at):
    """A net trained at each rate and seed: the rows of the rate with the least validation loss."""
    by_rate = [[rows_at(rate, seed) for seed in SEEDS] for rate in RATES]
    return min(by_rate, key=lambda rows: sum(float(row["val_loss"]) for row in rows))


def write(path, rows):
    """Write dictionaries as a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{len(rows)} rows in {path.name}")


def main() -> None:
    """Write both tables."""
    sv.setup(seed=0)
    data, here = load(), Path(__file__)
    rows = {net: best(lambda rate, seed, net=net: row(net, rate, seed, data)) for net in NETS}
    write(here.with_suffix(".csv"), [r for of_net in rows.values() for r in of_net])
    read = []
    for ways, layers in PROBED:
        net = (ways, layers, "linear", "every word")
        read += probes(net, rows[net][0]["lr"], 0, data)
    write(here.with_name("05_terribly_probe.csv"), read)


if __name__ == "__main__":
    main()
