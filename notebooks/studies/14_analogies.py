"""Learn word vectors of notebook 14 in several ways, and ask a is to b as c is to d.

Skip-gram (W, W', their mean), GloVe, and counts themselves (raw, logarithm, PPMI) see the first
1,500, 3,000, 6,000 or 12,000 sentences of "relations", or the same sentences with their words
shuffled. "GloVe + 1" counts each pair of words once more, also those that never stand together. The
questions are those of the test part; inputs are left out. "c alone" is the share that the word
nearest to c answers, whatever a and b are; "inputs in" that of b - a + c if the inputs are not left
out. Three seeds, of start and batches, and of the shuffle.

Run `python notebooks/studies/14_analogies.py`; it writes 14_analogies.csv beside itself and adds
what is missing there. One thread.
"""

import csv
import platform
import time
from pathlib import Path

import torch
from torch import Tensor

import seqviz as sv

SEEDS = range(3)
SENTENCES = [1500, 3000, 6000, 12000]
TEXTS = ("ordered", "shuffled")
TRAINING = {"window": 4, "dim": 50, "steps": 500, "batch": 4096, "lr": 0.04}
METHODS = {
    "counts": {"window": 4},
    "skip-gram": TRAINING | {"negatives": 5},
    "GloVe": TRAINING | {"x_max": 10, "added": 0},
    "GloVe + 1": TRAINING | {"x_max": 10, "added": 1},
}
OPTIONS = ("window", "dim", "steps", "batch", "lr", "negatives", "x_max", "added")
RELATIONS = ("gender", "plural", "past", "capital")
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}


class Corpus:
    """The sentences of a run as ids, and the test questions as rows of ids."""

    def __init__(self, sentences: int, text: str, seed: int):
        data = sv.data.load("relations")
        lines = data.train[:sentences]
        if text == "shuffled":
            lines = sv.data.shuffle_words(lines, seed=seed)
        rows = [line.split() for line in lines]
        self.words = sorted({word for row in rows for word in row})
        self.number = {word: i for i, word in enumerate(self.words)}
        self.ids = [torch.tensor([self.number[word] for word in row]) for row in rows]
        self.relation = [q.relation for q in data.test]
        self.asked = torch.tensor(
            [[self.number[word] for word in (q.a, q.b, q.c, q.d)] for q in data.test]
        )


def linear(step: int, options: dict) -> float:
    """The learning rate, falling to zero."""
    return options["lr"] * (1 - step / options["steps"])


def skip_gram(corpus: Corpus, seed: int, options: dict) -> dict[str, Tensor]:
    """W, W' and their mean, trained with negative sampling."""
    torch.manual_seed(seed)
    model = sv.nn.SkipGram(len(corpus.words), options["dim"])
    pairs = sv.data.context_pairs(corpus.ids, options["window"])
    noise = sv.nn.unigram_noise(torch.cat(corpus.ids).bincount())
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(options["steps"]):
        optimizer.param_groups[0]["lr"] = linear(step, options)
        center, context = pairs[torch.randint(len(pairs), (options["batch"],))].T
        drawn = torch.multinomial(noise, options["batch"] * options["negatives"], True)
        loss = model(center, context, drawn.view(options["batch"], -1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {
        "skip-gram W": model.W.weight.detach(),
        "skip-gram W'": model.W_out.weight.detach(),
        "skip-gram mean": model.vectors,
    }


def glove(corpus: Corpus, seed: int, options: dict) -> dict[str, Tensor]:
    """The mean of W and W', fitted to the logarithms of the counts, or of counts + 1."""
    torch.manual_seed(seed)
    model = sv.nn.GloVe(len(corpus.words), options["dim"], x_max=options["x_max"])
    i, j, x = sv.data.cooccurrences(corpus.ids, options["window"])
    if options["added"]:
        square = torch.zeros(len(corpus.words), len(corpus.words))
        square[i, j] = x
        i, j = torch.ones_like(square).nonzero().T
        x = square.flatten() + options["added"]
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(options["steps"]):
        optimizer.param_groups[0]["lr"] = linear(step, options)
        some = torch.randint(len(x), (options["batch"],))
        loss = model(i[some], j[some], x[some])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return {"GloVe + 1" if options["added"] else "GloVe": model.vectors}


def counted(corpus: Corpus, seed: int, options: dict) -> dict[str, Tensor]:
    """A row of counts for each word; their logarithms; how far they exceed chance (PPMI)."""
    pairs = sv.data.context_pairs(corpus.ids, options["window"])
    x = torch.zeros(len(corpus.words), len(corpus.words))
    x.index_put_((pairs[:, 0], pairs[:, 1]), torch.ones(len(pairs)), accumulate=True)
    p = x / x.sum()
    ppmi = (p / (p.sum(1, keepdim=True) * p.sum(0))).log().clamp(min=0)
    return {"counts": x, "log counts": (1 + x).log(), "PPMI": ppmi}


RUN = {"counts": counted, "skip-gram": skip_gram, "GloVe": glove, "GloVe + 1": glove}


def answers(vectors: Tensor, asked: Tensor, by: str = "sum", inputs: bool = False) -> Tensor:
    """Which questions are right, (questions,), by the word nearest to b - a + c, or to c."""
    v = vectors / vectors.norm(dim=1, keepdim=True)
    a, b, c, d = asked.T
    cosines = (v[c] if by == "c" else v[b] - v[a] + v[c]) @ v.T
    if not inputs:
        cosines.scatter_(1, asked[:, :3], -torch.inf)
    return cosines.argmax(1) == d


def rows_of(method: str, sentences: int, text: str, seed: int) -> list[dict]:
    """Train once; a row for each table of vectors that comes out."""
    options, began = METHODS[method], time.process_time()
    corpus = Corpus(sentences, text, seed)
    tables = RUN[method](corpus, seed, options)
    seconds = time.process_time() - began
    found = []
    for name, vectors in tables.items():
        right = answers(vectors, corpus.asked)
        shares = {
            "right": right,
            "c alone": answers(vectors, corpus.asked, by="c"),
            "inputs in": answers(vectors, corpus.asked, inputs=True),
        }
        for relation in RELATIONS:
            mine = torch.tensor([kind == relation for kind in corpus.relation])
            shares[relation] = right[mine]
        found.append(
            {"method": method, "vectors": name, "sentences": sentences, "text": text, "seed": seed}
            | {key: f"{share.float().mean():.4f}" for key, share in shares.items()}
            | {"seconds": f"{seconds:.1f}"}
            | {name: options.get(name, "") for name in OPTIONS}
            | VERSIONS
        )
    print(method, sentences, text, seed, [row["right"] for row in found], f"{seconds:.1f} s")
    return found


def main() -> None:
    """Write the runs that the table does not have yet."""
    torch.set_num_threads(1)
    path, table = Path(__file__).with_suffix(".csv"), []
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            table = list(csv.DictReader(file))
    done = {(r["method"], int(r["sentences"]), r["text"], int(r["seed"])) for r in table}
    for method in METHODS:
        for sentences in SENTENCES:
            for text in TEXTS:
                for seed in SEEDS:
                    if (method, sentences, text, seed) not in done:
                        table += rows_of(method, sentences, text, seed)
                        with path.open("w", encoding="utf-8", newline="") as file:
                            writer = csv.DictWriter(file, table[0], lineterminator="\n")
                            writer.writeheader()
                            writer.writerows(table)


if __name__ == "__main__":
    main()
