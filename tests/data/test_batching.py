"""Pairs in batches: every pair once a pass, padded behind, marks in their places."""

import pytest
import torch

from seqviz.data.batching import MARKS, encode_sentence, pair_batches, sentence_vocabulary
from seqviz.data.pairs import Pair

WORDS = [f"w{k}" for k in range(9)]
PAIRS = [Pair(tuple(WORDS[: k % 9 + 1]), tuple(WORDS[k % 9 :])) for k in range(53)]


@pytest.fixture
def vocabulary():
    return sentence_vocabulary(pair.source for pair in PAIRS)


def test_a_vocabulary_has_the_marks_then_the_words_that_are_not_rare(vocabulary):
    assert vocabulary.tokens == (*MARKS, *WORDS)
    frequent = sentence_vocabulary([["a", "b", "a"], ["c", "b"]], least=2)
    assert frequent.tokens == (*MARKS, "a", "b")
    assert encode_sentence(frequent, ["b", "c", "a"]).tolist() == [5, 3, 4]


def test_every_pair_comes_once_a_pass(vocabulary):
    torch.manual_seed(0)
    batches = pair_batches(PAIRS, vocabulary, vocabulary, 8)
    found = []
    for source, target in batches:
        for x, y in zip(source.tolist(), target.tolist(), strict=True):
            words = [t for t in vocabulary.decode(y) if t != "<pad>"]
            assert words[0] == "<start>"
            assert words[-1] == "<stop>"
            assert y == sorted(y, key=lambda id: id == 0)  # padding stands behind
            source_words = [t for t in vocabulary.decode(x) if t != "<pad>"]
            found.append(Pair(tuple(source_words), tuple(words[1:-1])))
    assert sorted(found, key=repr) == sorted(PAIRS, key=repr)
    assert len(batches) == 7
    padded = sum((source == 0).sum().item() for source, _ in batches)
    assert padded <= 30  # shuffled at random it is some 150


def test_two_passes_differ_and_a_seed_repeats_them(vocabulary):
    batches = pair_batches(PAIRS, vocabulary, vocabulary, 8)

    def two():
        torch.manual_seed(3)
        return [[source.tolist() for source, _ in batches] for _ in range(2)]

    first, second = two()
    assert first != second
    assert two() == [first, second]


def test_bad_input(vocabulary):
    with pytest.raises(ValueError, match="mark '<stop>'"):
        sentence_vocabulary([["a", "<stop>"]])
    with pytest.raises(ValueError, match="got none"):
        pair_batches([], vocabulary, vocabulary, 8)
    with pytest.raises(ValueError, match="target must begin with <pad>"):
        pair_batches(PAIRS, vocabulary, type(vocabulary)(WORDS), 8)
