import dataclasses
from collections import Counter, defaultdict

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_sequence, unpack_sequence

import seqviz as sv
from seqviz.data.generators.reviews import BLAME, FRAMES, PRAISE, SUBJECTS, reviews

PARTS = TRAIN, VAL, TEST = reviews()
DENIALS = {flag for _, denies in FRAMES.values() for flag in denies}
AFFIRMATIONS = {flag for affirms, _ in FRAMES.values() for flag in affirms}
READS = {
    "all words": lambda review: review.words,
    "left": lambda review: review.words[: review.position],
    "right": lambda review: review.words[review.position + 1 :],
}
each_part = pytest.mark.parametrize("part", PARTS, ids=["train", "val", "test"])


def foursomes(part):
    return [part[start : start + 4] for start in range(0, len(part), 4)]


def bag_of_words_accuracy(reads, label):
    """Accuracy on the test part of a logistic regression, fitted to the training part."""
    number = {word: i for i, word in enumerate(sorted({w for r in TRAIN for w in r.words}))}

    def counts(part):
        bags = torch.zeros(len(part), len(number), dtype=torch.float64)
        for bag, review in zip(bags, part, strict=True):
            for word in reads(review):
                bag[number[word]] += 1
        return bags, torch.tensor([getattr(review, label) for review in part])

    model = nn.Linear(len(number), 2, dtype=torch.float64)
    nn.init.zeros_(model.weight)
    nn.init.zeros_(model.bias)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=100, line_search_fn="strong_wolfe")
    bags, labels = counts(TRAIN)

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(model(bags), labels) + 1e-4 * model.weight.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    bags, labels = counts(TEST)
    with torch.no_grad():
        return (model(bags).argmax(1) == labels).double().mean().item()


def test_sizes_and_words():
    assert [len(part) for part in PARTS] == [2016, 288, 288]
    words = {word for review in TRAIN for word in review.words}
    assert len(words) == 82
    assert {word for review in VAL + TEST for word in review.words} <= words
    lengths = {len(review.words) for review in TRAIN}
    assert (min(lengths), max(lengths)) == (7, 25)
    assert len(lengths) > 15


@each_part
def test_the_rule_that_reads_both_sides_is_always_right(part):
    for review in part:
        left, right = READS["left"](review), READS["right"](review)
        denied = len(DENIALS & set(left))
        assert denied + len(AFFIRMATIONS & set(left)) == 1
        praised = len(set(PRAISE) & set(right))
        assert praised + len(set(BLAME) & set(right)) == 1
        assert review.words[review.position] == "terribly"
        assert review.words.count("terribly") == 1
        assert review.label == denied ^ praised
        assert review.one_sided == praised


@each_part
def test_four_in_a_row_differ_in_flag_and_adjective_only(part):
    for four in foursomes(part):
        places = list(zip(*(review.words for review in four), strict=True))
        changing = [set(words) for words in places if len(set(words)) > 1]
        assert [len(words) for words in changing] == [2, 2]
        assert len({review.position for review in four}) == 1
        assert sorted((r.label, r.one_sided) for r in four) == [(0, 0), (0, 1), (1, 0), (1, 1)]


@each_part
@pytest.mark.parametrize(
    "reads",
    [
        lambda review: [len(review.words)],
        lambda review: [review.position],
        lambda review: set(review.words),
        lambda review: [READS["left"](review)],
        lambda review: [READS["right"](review)],
    ],
    ids=["length", "position", "each word", "whole left side", "whole right side"],
)
def test_the_control_nothing_on_one_side_tells_the_label(part, reads):
    labels = defaultdict(Counter)
    for review in part:
        for seen in reads(review):
            labels[seen][review.label] += 1
    assert len(labels) > 1
    assert all(count[0] == count[1] for count in labels.values())


@pytest.mark.parametrize("side", READS)
def test_the_control_a_bag_of_words_is_at_chance(side):
    assert 0.45 <= bag_of_words_accuracy(READS[side], "label") <= 0.55


@pytest.mark.parametrize(("side", "expected"), [("all words", 1), ("left", 0.5), ("right", 1)])
def test_the_right_side_alone_tells_the_one_sided_label(side, expected):
    accuracy = bag_of_words_accuracy(READS[side], "one_sided")
    assert accuracy == pytest.approx(expected, abs=0.01)


def test_held_out_sentences_have_a_new_subject_and_adjective():
    seen = [{r.words for r in part} for part in PARTS]
    assert sum(map(len, seen)) == len(seen[0] | seen[1] | seen[2]) == 2592

    def together(part):
        pairs = set()
        for review in part:
            (subject,) = set(SUBJECTS) & set(review.words)
            (adjective,) = (set(PRAISE) | set(BLAME)) & set(review.words)
            pairs.add((subject, adjective))
        return pairs

    train, val, test = map(together, PARTS)
    assert not train & (val | test)
    assert not val & test
    assert len(train | val | test) == len(SUBJECTS) * len(PRAISE + BLAME)
    for pairs in (train, val, test):
        assert {adjective for _, adjective in pairs} == {*PRAISE, *BLAME}
        assert {subject for subject, _ in pairs} == set(SUBJECTS)


def test_a_review_is_frozen_and_its_line_says_all():
    assert all(sv.data.Review.from_line(review.line) == review for review in TEST)
    with pytest.raises(dataclasses.FrozenInstanceError):
        TEST[0].label = 1


class Reader(nn.Module):
    """Two GRU layers in two directions, read at "terribly"."""

    def __init__(self, words, layers):
        super().__init__()
        self.number = {word: i for i, word in enumerate(words)}
        self.embedding = nn.Embedding(len(words), 16)
        self.gru = nn.GRU(16, 32, layers, bidirectional=True)
        self.head = nn.Linear(64, 2)

    def forward(self, batch):
        ids = [torch.tensor([self.number[word] for word in review.words]) for review in batch]
        packed = pack_sequence([self.embedding(line) for line in ids], enforce_sorted=False)
        states = unpack_sequence(self.gru(packed)[0])
        return self.head(torch.stack([h[r.position] for h, r in zip(states, batch, strict=True)]))


@pytest.mark.slow
@pytest.mark.parametrize(("layers", "low", "high"), [(1, 0.4, 0.6), (2, 0.95, 1.0)])
def test_it_takes_two_layers_in_two_directions(layers, low, high):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = Reader(sorted({word for review in TRAIN for word in review.words}), layers)

    def loss(model, batch):
        return F.cross_entropy(model(batch), torch.tensor([review.label for review in batch]))

    batches = [TRAIN[start : start + 64] for start in range(0, len(TRAIN), 64)]  # 16 foursomes
    sv.training.fit(model, loss, batches, steps=250, clip_norm=1.0, progress=False)
    with torch.no_grad():
        right = model(TEST).argmax(1) == torch.tensor([review.label for review in TEST])
    assert low <= right.double().mean() <= high
