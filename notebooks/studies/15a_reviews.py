"""Judge real film reviews (SST-2) by what was known of language before the first label.

A logistic regression on three kinds of features: which words come (nothing known before), the mean
of the words' own vectors in a frozen pretrained encoder, and the mean of its last states, in which
every word has read its sentence. Three draws of 50, 500 and 5,000 labels; all of the development
part.

Run `python notebooks/studies/15a_reviews.py`; it writes 15a_reviews.csv beside itself.
"""

import csv
import platform
import random
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import sklearn
import torch
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import seqviz as sv

ENCODER = "sentence-transformers/all-MiniLM-L6-v2"
LABELS = (50, 500, 5000)
DRAWS = range(3)
VERSIONS = {
    "torch": torch.__version__.split("+")[0],
    "sklearn": sklearn.__version__,
    "python": platform.python_version(),
}


def counts(train: Sequence[str], test: Sequence[str]) -> tuple:
    """Which words come, for the texts of both parts; the words are those of `train`."""
    bag = CountVectorizer(token_pattern=r"\S+", binary=True)
    return bag.fit_transform(train), bag.transform(test)


@torch.no_grad()
def means(bert: sv.nn.BERT, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """(texts, hidden) each: the mean of the word pieces' own vectors, and of their states."""
    pieces = sv.data.WordPiece.from_vocab(sv.nn.find_vocabulary(ENCODER))
    vectors, states = np.zeros((2, len(texts), bert.hidden_size), dtype=np.float32)
    for k, text in enumerate(texts):
        ids = pieces.encode(text).ids
        vectors[k] = bert.embeddings.word_embeddings(ids[1:-1]).mean(0)  # no [CLS], no [SEP]
        states[k] = bert(ids[None]).last_hidden_state[0].mean(0)
    return vectors, states


def bag_of_words():
    """The model for which words come."""
    return LogisticRegression(max_iter=1000)


def regression():
    """The model for vectors; of C = 1, 0.1 and 0.01 the last is best, for both kinds."""
    return make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=1000))


def drawn(rows: int, labels: int, draw: int) -> list[int]:
    """Which rows of the training part have a label."""
    return random.Random(draw).sample(range(rows), labels)


def main() -> None:
    """Write the table."""
    began = time.process_time()
    torch.set_num_threads(1)
    data, bert = sv.data.load("sst2"), sv.nn.BERT.from_pretrained(ENCODER)
    train, test = ([row.text for row in part] for part in (data.train, data.val))
    given, truth = (np.array([row.label for row in part]) for part in (data.train, data.val))
    known, asked = means(bert, train), means(bert, test)
    found = []
    for labels in LABELS:
        for draw in DRAWS:
            rows = drawn(len(train), labels, draw)
            features = {
                "which words come": (bag_of_words(), *counts([train[k] for k in rows], test)),
                "a vector a word": (regression(), known[0][rows], asked[0]),
                "states of the encoder": (regression(), known[1][rows], asked[1]),
            }
            for name, (model, x, y) in features.items():
                accuracy = model.fit(x, given[rows]).score(y, truth)
                row = {"features": name, "labels": labels, "draw": draw}
                found.append(row | {"accuracy": f"{accuracy:.4f}"})
    seconds = f"{time.process_time() - began:.1f}"
    with open(Path(__file__).with_suffix(".csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*found[0], "seconds", *VERSIONS], lineterminator="\n")
        writer.writeheader()
        writer.writerows(row | {"seconds": seconds} | VERSIONS for row in found)


if __name__ == "__main__":
    main()
