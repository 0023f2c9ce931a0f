"""Sentences whose subject and verb decide the last word."""

import math
from collections import Counter, defaultdict

import pytest
import torch
import torch.nn.functional as F

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("students")
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
OBJECTS = maker("students").OBJECTS


def subject_and_verb(before):
    return next(word for word in before if (word, "opened") in OBJECTS), before[-2]


def perplexity_by_counts(reads):
    """Perplexity of the held-out last words, predicted from `reads` of the words before."""
    counts = defaultdict(Counter)
    for sentence in TRAIN:
        *before, last = sentence.split()
        counts[reads(before)][last] += 1
    logs = []
    for sentence in VAL + TEST:
        *before, last = sentence.split()
        seen = counts[reads(before)]
        logs.append(math.log(seen[last] / seen.total()))
    return math.exp(-sum(logs) / len(logs))


def test_the_last_word_fits_and_a_beginning_stands_in_one_part():
    assert [len(part) for part in PARTS] == [168, 24, 24]
    assert len({*TRAIN, *VAL, *TEST}) == 216
    assert "the students opened their books" in VAL + TEST
    words = {word for sentence in TRAIN for word in sentence.split()}
    assert len(words) == 24
    beginnings = []
    for part in PARTS:
        lasts = Counter()
        for *before, last in map(str.split, part):
            assert {*before, last} <= words
            assert before[-1] == "their"
            assert last in OBJECTS[subject_and_verb(before)]
            lasts[last] += 1
        assert len(lasts) == 12
        assert len({*lasts.values()}) == 1
        beginnings.append(Counter(sentence.rsplit(" ", 1)[0] for sentence in part))
        assert {*beginnings[-1].values()} == {2}
    assert len({*beginnings[0], *beginnings[1], *beginnings[2]}) == sum(map(len, beginnings)) == 108


def test_the_control_short_contexts_are_at_chance():
    assert perplexity_by_counts(lambda before: before[-1]) == pytest.approx(12)
    assert perplexity_by_counts(lambda before: tuple(before[-2:])) == pytest.approx(6)
    assert perplexity_by_counts(subject_and_verb) == pytest.approx(2)


def test_a_state_carries_the_subject():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    vocabulary = sv.data.Vocabulary(sorted({word for s in TRAIN for word in s.split()}))

    def batches(sentences):
        by_length = defaultdict(list)
        for sentence in sentences:
            words = sentence.split()
            by_length[len(words)].append(vocabulary.encode(words))
        return [torch.stack(group, dim=1) for group in by_length.values()]  # (time, batch)

    def loss(model, ids):
        logits, _ = model(ids[:-1])
        return F.cross_entropy(logits.flatten(0, 1), ids[1:].flatten())

    model = sv.nn.LanguageModel(len(vocabulary), hidden_size=32, embedding_dim=8)
    sv.training.fit(model, loss, batches(TRAIN), steps=300, progress=False)
    with torch.no_grad():
        lasts = [
            F.cross_entropy(model(ids[:-1])[0][-1], ids[-1], reduction="none")
            for ids in batches(VAL + TEST)
        ]
    assert torch.cat(lasts).mean().exp() < 2.2  # 12 from the word before, 2 at best
