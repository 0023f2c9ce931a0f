"""Sentence pairs: neither topic nor form nor word overlap tells the label; the facts do."""

import dataclasses
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

import seqviz as sv
from seqviz.data.generators.facts.paragraph import KIND, PERSON, PLACE

DATA = sv.data.load("facts")
MAKERS = {"next": sv.data.next_sentence_pairs, "order": sv.data.sentence_order_pairs}
each_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=[*MAKERS])


@pytest.fixture(scope="module")
def following():
    return {name: sv.data.next_sentence_pairs(getattr(DATA, name), 0) for name in ("train", "test")}


def person(sentence):
    (who,) = {PERSON[word] for word in sentence if word in PERSON}
    return who


def frame(sentence):
    return tuple(None if word in KIND else word for word in sentence)


def shared(pair):
    return len({*pair.first} & {*pair.second})


def linear_accuracy(pairs, features):
    """Accuracy on `test` of a logistic regression that was fitted to some of `train`."""
    vectors = DictVectorizer()
    fitted = LogisticRegression(max_iter=300).fit(
        vectors.fit_transform(map(features, pairs["train"][:8000])),
        [pair.label for pair in pairs["train"][:8000]],
    )
    return fitted.score(
        vectors.transform(map(features, pairs["test"])), [pair.label for pair in pairs["test"]]
    )


# Next sentence.


def test_every_first_sentence_comes_with_both_labels(following):
    for part, pairs in following.items():
        followed = Counter(
            both for paragraph in getattr(DATA, part) for both in pairwise(paragraph.sentences)
        )
        labels = defaultdict(Counter)
        for pair in pairs:
            labels[pair.label][pair.first] += 1
        assert labels[0] == labels[1]
        true = Counter((pair.first, pair.second) for pair in pairs if pair.label == 0)
        assert true <= followed
        share = len(pairs) / 2 / followed.total()
        assert (share > 0.98) if part == "train" else (share > 0.5)


def test_the_other_sentence_is_of_the_same_topic_and_form_and_about_somebody_else(following):
    for pairs in following.values():
        true = defaultdict(set)
        for pair in pairs:
            if pair.label == 0:
                true[pair.first].add((frame(pair.second), shared(pair)))
        for pair in pairs:
            people = person(pair.first), person(pair.second)
            assert PLACE[people[0]] == PLACE[people[1]]
            assert (people[0] == people[1]) == (pair.label == 0)
            assert (frame(pair.second), shared(pair)) in true[pair.first]


@pytest.mark.parametrize("part", ["train", "test"])
def test_the_control_word_overlap_tells_nothing(following, part):
    overlap = {label: Counter() for label in (0, 1)}
    for pair in following[part]:
        overlap[pair.label][shared(pair)] += 1
    assert overlap[0] == overlap[1]
    assert len(overlap[0]) > 1


@pytest.mark.parametrize(
    "features",
    [
        lambda pair: Counter(pair.first),
        lambda pair: Counter(pair.second),
        lambda pair: Counter([*(f"1 {w}" for w in pair.first), *(f"2 {w}" for w in pair.second)]),
    ],
    ids=["the words of the first", "of the second", "of both"],
)
def test_the_control_words_alone_are_near_chance(following, features):
    assert 0.4 <= linear_accuracy(following, features) <= 0.6


# Sentence order.


def test_each_two_sentences_come_in_both_orders():
    pairs = sv.data.sentence_order_pairs(DATA.val, 0)
    followed = Counter(both for paragraph in DATA.val for both in pairwise(paragraph.sentences))
    assert Counter((pair.first, pair.second) for pair in pairs if pair.label == 0) == followed
    assert Counter((pair.second, pair.first) for pair in pairs if pair.label == 1) == followed


def test_the_control_words_alone_tell_little_of_the_order():
    pairs = {
        name: sv.data.sentence_order_pairs(getattr(DATA, name), 0) for name in ("train", "test")
    }

    def features(pair):
        return Counter([*(f"1 {w}" for w in pair.first), *(f"2 {w}" for w in pair.second)])

    assert linear_accuracy(pairs, features) == pytest.approx(0.61, abs=0.03)


# Both.


@each_maker
def test_the_seed_decides(make):
    pairs = make(DATA.val, 0)
    assert pairs == make(DATA.val, seed=np.int64(0))
    assert pairs != make(DATA.val, 1)
    assert [pair.label for pair in pairs].count(0) == len(pairs) / 2
    assert len({*map(len, map(str, pairs))}) > 1
    assert sum(pair.label for pair in pairs[:200]) == pytest.approx(100, abs=30)  # shuffled


def test_a_pair_is_frozen():
    (pair, *_) = sv.data.sentence_order_pairs(DATA.val[:1], 0)
    with pytest.raises(dataclasses.FrozenInstanceError):
        pair.label = 3


@each_maker
@pytest.mark.parametrize(
    ("paragraphs", "seed", "error", "says"),
    [
        ([], 0, ValueError, "paragraphs must hold at least one paragraph, got none"),
        (["a text"], 0, TypeError, r"each of paragraphs must be a sv\.data\.Paragraph, got 'a t"),
        ("a text", 0, TypeError, r"each of paragraphs must be a sv\.data\.Paragraph"),
        (DATA, 0, TypeError, r"paragraphs must be a list of sv\.data\.Paragraph"),
        (DATA.val, -1, ValueError, "seed must be at least 0"),
        (DATA.val, None, TypeError, "seed must be an integer"),
    ],
)
def test_wrong_input(make, paragraphs, seed, error, says):
    with pytest.raises(error, match=says):
        make(paragraphs, seed)


def test_one_paragraph_has_no_other_sentence():
    assert sv.data.next_sentence_pairs(DATA.val[:1], 0) == []
