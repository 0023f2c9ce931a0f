"""Byte pairs: learned from the most frequent, put together again without loss."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

import seqviz as sv
from seqviz.data.subwords import train_bpe
from tests.refusing import refused

SENTENCES = [pair.target for pair in sv.data.load("en-fr").train[:300]]
BPE = train_bpe(SENTENCES, merges=150)
WORDS = sorted({word for sentence in SENTENCES for word in sentence})
words = st.lists(st.text("".join(sorted(set("".join(WORDS)))), min_size=1), min_size=1)


@given(words)
def test_pieces_are_put_together_again(words):
    assert BPE.join(BPE.split(words)) == words


def test_each_merge_is_of_a_most_frequent_pair():
    times = Counter(word for sentence in SENTENCES for word in sentence)
    pieces = {word: ["▁", *word] for word in times}
    for left, right in BPE.merges:
        pairs = Counter()
        for word, cut in pieces.items():
            for pair in pairwise(cut):
                pairs[pair] += times[word]
        assert pairs[left, right] == max(pairs.values())
        for cut in pieces.values():
            k = 0
            while k < len(cut) - 1:
                if (cut[k], cut[k + 1]) == (left, right):
                    cut[k : k + 2] = [left + right]
                k += 1


def test_frequent_words_are_whole_and_unseen_ones_are_not_lost():
    assert len(BPE.merges) == 150
    (most, _), *_ = Counter(word for s in SENTENCES for word in s if len(word) > 2).most_common()
    assert BPE.split([most]) == [f"▁{most}"]
    assert BPE.split(["européennement"])[-1] != "▁européennement"
    assert "<unk>" in BPE.split(["日"])
    assert train_bpe([["ab", "ab"]], merges=9).merges == (("a", "b"), ("▁", "ab"))


def test_wrong_input():
    wrong = {
        "without spaces": lambda: train_bpe([["a▁b"]], 3),
        "at least one word, got none": lambda: train_bpe([[]], 3),
    }
    refused(ValueError, wrong)
    wrong = {
        r"use text\.split": lambda: train_bpe(["a text"], 3),
        "sentences must be a list of sentences": lambda: train_bpe(3, 1),
    }
    refused(TypeError, wrong)
