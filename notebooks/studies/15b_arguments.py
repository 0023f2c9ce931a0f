"""Tag arguments and names, each time with other features, another domain or another second task.

"features": the components of `sv.data.load("arguments")`, by hand-made features, by frozen vectors
of a pretrained encoder, or by both; trained on paragraphs of the domain they are tested on
(within) or on as many of the other two (across). "tasks": across, by the vectors, with a second
task G beside the first F and the loss F + lambda G: which words praise and which blame, in all
domains; that table with a fifth of these words missing and a fifth with the wrong sign (noisy);
or with the answers of a quarter or of all words, neutral ones too, shuffled. "names": the names of
`sv.data.load("newsnames")`, by the shape of the words, by the vectors, or by both.

Run `python notebooks/studies/15b_arguments.py`; it writes 15b_arguments.csv beside itself, a row a
training, as they come, and keeps the rows that are there; then 15b_words.csv, two readings of one
paragraph.
"""

import csv
import platform
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_sequence

import seqviz as sv

ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
TRAINING = {"steps": 150, "batch": 16, "lr": 1e-2, "units": 32, "dropout": 0.3}
SEEDS = range(3)
DOMAINS = ("technology", "town", "school")
KINDS = ("THE", "PRO", "CON")
FEATURES = ("hand-made", "embeddings", "both")
FEW, MANY = 12, 48  # paragraphs to learn from
LAMBDAS = {1.0: DOMAINS, 0.1: ("town",), 10.0: ("town",)}
MISSING = WRONG = 0.2  # of the words with a stance, in the noisy table
SHUFFLED = {"quarter": 0.25, "shuffled": 1.0}  # share of all words
KEYS = ("experiment", "features", "scenario", "domain", "paragraphs", "auxiliary", "lambda", "seed")
VERSIONS = {"torch": torch.__version__.split("+")[0], "python": platform.python_version()}
MARKS = (".", ",", ";", ":")
ENDINGS = ("ly", "ing", "ed", "s", "ful", "ous", "able", "al", "ive", "ic")
CONNECTIVES = (  # the words of them: "on the other hand", "for one thing"
    "admittedly after although because believe besides but clearly conclude course critics doubt "
    "first for given granted hand however indeed last object opinion planned reason say short "
    "since so term therefore thing think today true way week year"
)


def structural(words: Sequence[str]) -> Tensor:
    """Place in the paragraph and in the sentence, first or last, marks here and beside: (T, 20)."""
    ends = [t for t, word in enumerate(words) if word == "."]
    rows, first, sentence = [], 0, 0
    for t, word in enumerate(words):
        end = ends[sentence]
        row = [t / len(words), (t - first) / (end - first + 1), t == first, t == end]
        row += [sentence / len(ends), 1 - (sentence + 1) / len(ends)]
        row += [sentence == 0, sentence == len(ends) - 1]
        for near in (word, words[t - 1] if t else "", *words[t + 1 : t + 2]):
            row += [near == mark for mark in MARKS]
        rows.append(row + [False] * (20 - len(row)))
        if t == end:
            first, sentence = t + 1, sentence + 1
    return torch.tensor(rows, dtype=torch.float)


def lexical(words: Sequence[str]) -> Tensor:
    """Which connective it is, and how the word ends: (T, connectives + endings)."""
    rows = [
        [word == one for one in CONNECTIVES.split()] + [word.endswith(end) for end in ENDINGS]
        for word in words
    ]
    return torch.tensor(rows, dtype=torch.float)


def shapes(words: Sequence[str]) -> Tensor:
    """Capital, all digits, first of the sentence, how it ends: (T, 4 + endings)."""
    rows = [
        [word[0].isupper(), word.isdigit(), t == 0, len(word) < 4]
        + [word.endswith(end) for end in ENDINGS]
        for t, word in enumerate(words)
    ]
    return torch.tensor(rows, dtype=torch.float)


class Vectors:
    """Input vectors of the pretrained encoder, centred, of length 4; a word's is the mean."""

    def __init__(self):
        self.pieces = sv.data.WordPiece.from_vocab(sv.nn.find_vocabulary(ENCODER))
        table = sv.nn.BERT.from_pretrained(ENCODER).embeddings.word_embeddings.weight.detach()
        self.table = 4 * F.normalize(table - table.mean(0))
        self.known = {}

    def __call__(self, words: Sequence[str]) -> Tensor:
        """Look up (T, 384)."""
        for word in {*words} - {*self.known}:
            self.known[word] = self.table[self.pieces.encode(word).ids[1:-1]].mean(0)
        return torch.stack([self.known[word] for word in words])


class Tagger(nn.Module):
    """A layer, an LSTM in two directions, and a head for each task on top of both."""

    def __init__(self, inputs: int, *tags: int):
        super().__init__()
        units = TRAINING["units"]
        self.drop = nn.Dropout(TRAINING["dropout"])
        self.inner = nn.Linear(inputs, units)
        self.lstm = sv.nn.LSTM(units, units, bidirectional=True)
        self.heads = nn.ModuleList(nn.Linear(2 * units, count) for count in tags)

    def shared(self, texts: list[Tensor]) -> Tensor:
        """Map texts, (T, inputs) each, to (words of all, 2 units), in the order of `packed`."""
        x = packed(texts)
        h, _ = self.lstm(x._replace(data=self.drop(self.inner(x.data))))
        return self.drop(h.data)

    def forward(self, texts: list[Tensor], task: int = 0) -> Tensor:
        """Map texts to (words of all, tags of the task)."""
        return self.heads[task](self.shared(texts))


def packed(texts: list[Tensor]):
    """Rows of all texts without padding, as the LSTM takes them."""
    return pack_sequence(texts, enforce_sorted=False)


def loss_of(model: Tagger, batch: list, lam: float = 0.0) -> Tensor:
    """F, or of (text, answers, answers) F + lam G: mean cross-entropies; -100 where unknown."""
    texts, *answers = zip(*batch, strict=True)
    h = model.shared([*texts])
    first, *more = (
        F.cross_entropy(head(h), packed([*truth]).data)
        for head, truth in zip(model.heads, answers, strict=False)
    )
    return first + lam * sum(more)


def tags_of(names: Sequence[str]) -> list[str]:
    """All BIO tags of these kinds."""
    return ["O", *(f"{place}-{kind}" for kind in names for place in "BI")]


def batches(examples: list) -> list[list]:
    """Parts of `batch` examples, each from all over the list."""
    count = -(-len(examples) // TRAINING["batch"])
    return [examples[k::count] for k in range(count)]


def fit(model: Tagger, loss: Callable, parts: list) -> float:
    """Train; the processor's seconds."""
    began = time.process_time()
    adam = torch.optim.Adam(model.parameters(), lr=TRAINING["lr"])
    sv.training.fit(model, loss, parts, TRAINING["steps"], optimizer=adam, progress=False)
    model.eval()
    return time.process_time() - began


@torch.no_grad()
def predicted(model: Tagger, texts: list[Tensor], tags: list[str]) -> list[list[str]]:
    """The likeliest tag of each word."""
    return [[tags[k] for k in model([x]).argmax(-1)] for x in texts]


class Arguments:
    """The paragraphs, their features and their answers."""

    def __init__(self, vectors: Vectors):
        self.data, self.tags = sv.data.load("arguments"), tags_of(KINDS)
        self.read = {
            "hand-made": lambda w: torch.cat([structural(w), lexical(w)], dim=1),
            "embeddings": vectors,
            "both": lambda w: torch.cat([structural(w), lexical(w), vectors(w)], dim=1),
        }

    def training(self, scenario: str, domain: str, count: int) -> list:
        """`count` paragraphs: of the domain, or half of them of each other one."""
        names = [domain] if scenario == "within" else [d for d in DOMAINS if d != domain]
        own = [[p for p in self.data.train if p.domain == name] for name in names]
        return [p for one in own for p in one[: count // len(names)]]

    def examples(self, paragraphs: list, features: str) -> list:
        """Features and tag numbers of each paragraph."""
        return [
            (self.read[features](p.words), torch.tensor([self.tags.index(t) for t in p.bio]))
            for p in paragraphs
        ]

    def stances(self, auxiliary: str, seed: int) -> dict[str, int]:
        """1 for blame, 2 for praise, 0 for neutral, of each word, as the second task has it."""
        of = {
            w: 1 + (s > 0)
            for p in self.data.train
            for w, s in zip(p.words, p.stance, strict=True)
            if s
        }
        if auxiliary == "noisy":
            listed = random.Random(seed).sample(sorted(of), len(of))
            missing = round(MISSING * len(of))
            for word in listed[: missing + round(WRONG * len(of))]:
                of[word] = 3 - of[word]
            of |= dict.fromkeys(listed[:missing], 0)
        words = sorted({w for p in self.data.train for w in p.words if w.isalpha()})
        answers = [of.get(word, 0) for word in words]
        share = SHUFFLED.get(auxiliary, 0)
        places = sorted(
            random.Random(-1 - seed).sample(range(len(words)), round(share * len(words)))
        )
        moved = [answers[k] for k in places]
        random.Random(seed).shuffle(moved)
        for k, answer in zip(places, moved, strict=True):
            answers[k] = answer
        return dict(zip(words, answers, strict=True))

    def train(
        self, seed: int, features: str, scenario: str, domain: str, count: int,
        auxiliary: str = "none", lam: float = 0.0,
    ) -> tuple[Tagger, float]:  # fmt: skip
        """A tagger, and the seconds."""
        own = self.examples(self.training(scenario, domain, count), features)
        torch.manual_seed(seed)
        model = Tagger(own[0][0].shape[1], len(self.tags), 3)
        labelled = batches(own)
        if not lam:
            return model, fit(model, loss_of, labelled)
        of = self.stances(auxiliary, seed)
        more = [
            (self.read[features](p.words), torch.tensor([of.get(w, 0) for w in p.words]))
            for p in self.data.train
        ]
        parts = [
            [(x, tags, torch.full_like(tags, -100)) for x, tags in labelled[k % len(labelled)]]
            + [(x, torch.full_like(signs, -100), signs) for x, signs in part]
            for k, part in enumerate(batches(more))
        ]
        return model, fit(model, lambda model, batch: loss_of(model, batch, lam), parts)

    def scores(self, model: Tagger, features: str, domain: str) -> dict:
        """Span scores and the share of right tags on the domain's test part."""
        test = [p for p in self.data.test if p.domain == domain]
        found = predicted(model, [self.read[features](p.words) for p in test], self.tags)
        return scored(found, [p.bio for p in test])


class Names:
    """The sentences of the news, their features and their answers."""

    def __init__(self, vectors: Vectors):
        self.data, self.tags = sv.data.load("newsnames"), tags_of(("PER", "LOC", "ORG", "DATE"))
        self.read = {
            "shape": shapes,
            "embeddings": vectors,
            "both": lambda w: torch.cat([shapes(w), vectors(w)], dim=1),
        }

    def row(self, seed: int, features: str) -> tuple[dict, float]:
        """Scores on the test part, and the seconds."""
        read = self.read[features]
        own = [(read(s.words), torch.tensor([self.tags.index(t) for t in s.bio]))
               for s in self.data.train]  # fmt: skip
        torch.manual_seed(seed)
        model = Tagger(own[0][0].shape[1], len(self.tags))
        seconds = fit(model, loss_of, batches(own))
        test = self.data.test
        found = predicted(model, [read(s.words) for s in test], self.tags)
        return scored(found, [s.bio for s in test]), seconds


def scored(found: list, gold: list) -> dict:
    """Precision, recall, F1 of the spans, and the share of right tags."""
    score = sv.metrics.span_f1(found, gold)
    right = [a == b for pair in zip(found, gold, strict=True) for a, b in zip(*pair, strict=True)]
    values = {name: getattr(score, name) for name in ("precision", "recall", "f1")}
    values["accuracy"] = sum(right) / len(right)
    return {name: f"{value:.4f}" for name, value in values.items()}


def runs() -> list[dict]:
    """What is trained, in the order of the table."""

    def features(count: int) -> list[tuple]:
        return [
            ("features", shown, scenario, domain, count, "none", 0.0)
            for shown in FEATURES
            for scenario in ("within", "across")
            for domain in DOMAINS
        ]

    tasks = [
        ("tasks", "embeddings", "across", domain, MANY, auxiliary, lam)
        for auxiliary in ("stance", "shuffled")
        for lam, domains in LAMBDAS.items()
        for domain in domains
    ]
    tasks += [
        ("tasks", "embeddings", "across", domain, MANY, auxiliary, 1.0)
        for auxiliary in ("quarter", "noisy")
        for domain in DOMAINS
    ]
    names = [("names", shown, "", "", "", "none", 0.0) for shown in ("shape", "embeddings", "both")]
    plan = features(MANY) + tasks + names + features(FEW)
    return [dict(zip(KEYS, (*one, seed), strict=True)) for one in plan for seed in SEEDS]


def key_of(run: dict) -> tuple:
    """What tells a run from the others, as it stands in the table."""
    return tuple(str(run[name]) for name in KEYS)


def row_of(run: dict, arguments: Arguments, names: Names) -> dict:
    """Train once; the row of the table."""
    if run["experiment"] == "names":
        scores, seconds = names.row(run["seed"], run["features"])
    else:
        what = [run[name] for name in ("seed", "features", "scenario", "domain", "paragraphs")]
        model, seconds = arguments.train(*what, run["auxiliary"], run["lambda"])
        scores = arguments.scores(model, run["features"], run["domain"])
    return run | scores | {"seconds": f"{seconds:.1f}"} | TRAINING | VERSIONS


def write(path: Path, table: list[dict]) -> None:
    """Write the rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(table)


def write_table(path: Path, arguments: Arguments, names: Names) -> None:
    """Write the runs that the table does not have yet."""
    rows = {}
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = {key_of(row): row for row in csv.DictReader(file)}
    for run in runs():
        if key_of(run) not in rows:
            rows[key_of(run)] = row_of(run, arguments, names)
            print(*rows[key_of(run)].values(), flush=True)
            write(path, [rows[key_of(one)] for one in runs() if key_of(one) in rows])


def write_words(path: Path, arguments: Arguments) -> None:
    """Write how two taggers from the other domains read a paragraph about a town."""
    paragraph = next(p for p in arguments.data.test if p.domain == "town")
    table = [
        {"word": w, "gold": tag} for w, tag in zip(paragraph.words, paragraph.bio, strict=True)
    ]
    for features in FEATURES[:2]:
        model, _ = arguments.train(0, features, "across", "town", MANY)
        with torch.no_grad():
            p = model([arguments.read[features](paragraph.words)]).softmax(-1)
        for row, one in zip(table, p, strict=True):
            row[features] = arguments.tags[one.argmax()]
            row[f"{features} p"] = f"{one.max():.3f}"
    write(path, table)


def main() -> None:
    """Write both tables."""
    torch.set_num_threads(1)
    vectors, path = Vectors(), Path(__file__)
    arguments = Arguments(vectors)
    write_table(path.with_suffix(".csv"), arguments, Names(vectors))
    write_words(path.with_name("15b_words.csv"), arguments)


if __name__ == "__main__":
    main()
