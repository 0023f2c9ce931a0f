"""Sentence pairs: neither topic nor form nor word overlap tells the label; the facts do."""

import dataclasses
from collections import Counter, defaultdict
from itertools import pairwise

import pytest
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("facts")
PARTS = {"train": DATA.train[:3000], "test": DATA.test}
MAKERS = (sv.data.next_sentence_pairs, sv.data.sentence_order_pairs)
TRADES = {trade: place for place, rows in maker("facts").TRADES.items() for trade in rows}
PERSON = {word: trade[0] for trade in TRADES for word in trade}
PLACE = {trade[0]: place for trade, place in TRADES.items()}
TOLD = {  # all words that are no part of a frame
    word
    for paragraph in DATA.train
    for word, label in zip(
        paragraph.line.split(), (one for row in paragraph.labels for one in row), strict=True
    )
    if label != "grammar"
}


@pytest.fixture(scope="module")
def following():
    return {name: sv.data.next_sentence_pairs(part, 0) for name, part in PARTS.items()}


def person(sentence):
    (who,) = {PERSON[word] for word in sentence if word in PERSON}
    return who


def frame(sentence):
    return tuple(None if word in TOLD else word for word in sentence)


def shared(pair):
    return len({*pair.first} & {*pair.second})


def linear_accuracy(pairs, features):
    """Accuracy on `test` of a logistic regression that was fitted to some of `train`."""
    vectors = DictVectorizer()
    fitted = LogisticRegression(max_iter=300).fit(
        vectors.fit_transform(map(features, pairs["train"][:3000])),
        [pair.label for pair in pairs["train"][:3000]],
    )
    return fitted.score(
        vectors.transform(map(features, pairs["test"])), [pair.label for pair in pairs["test"]]
    )


def words_of_both(pair):
    return Counter([*(f"1 {w}" for w in pair.first), *(f"2 {w}" for w in pair.second)])


def test_the_other_sentence_is_of_the_same_topic_and_form_and_about_somebody_else(following):
    for part, pairs in following.items():
        followed = Counter(
            both for paragraph in PARTS[part] for both in pairwise(paragraph.sentences)
        )
        labels, true = defaultdict(Counter), defaultdict(set)
        for pair in pairs:
            labels[pair.label][pair.first] += 1
            if pair.label == 0:
                true[pair.first].add((frame(pair.second), shared(pair)))
        assert labels[0] == labels[1]
        assert Counter((p.first, p.second) for p in pairs if p.label == 0) <= followed
        share = len(pairs) / 2 / followed.total()
        assert share > (0.95 if part == "train" else 0.5)
        for pair in pairs:
            people = person(pair.first), person(pair.second)
            assert PLACE[people[0]] == PLACE[people[1]]
            assert (people[0] == people[1]) == (pair.label == 0)
            assert (frame(pair.second), shared(pair)) in true[pair.first]


def test_the_control_words_tell_nothing_of_what_follows(following):
    for pairs in following.values():
        overlap = defaultdict(Counter)
        for pair in pairs:
            overlap[pair.label][shared(pair)] += 1
        assert overlap[0] == overlap[1]
        assert len(overlap[0]) > 1
    assert 0.4 <= linear_accuracy(following, words_of_both) <= 0.6


def test_each_two_sentences_come_in_both_orders_and_words_tell_little():
    pairs = {name: sv.data.sentence_order_pairs(part, 0) for name, part in PARTS.items()}
    followed = Counter(both for paragraph in DATA.test for both in pairwise(paragraph.sentences))
    assert Counter((p.first, p.second) for p in pairs["test"] if p.label == 0) == followed
    assert Counter((p.second, p.first) for p in pairs["test"] if p.label == 1) == followed
    assert linear_accuracy(pairs, words_of_both) == pytest.approx(0.61, abs=0.03)


@pytest.mark.parametrize("make", MAKERS)
def test_the_seed_decides_and_bad_input_is_refused(make):
    pairs = make(DATA.val, 0)
    assert pairs == make(DATA.val, seed=0) != make(DATA.val, 1)
    assert sum(pair.label for pair in pairs[:200]) == pytest.approx(100, abs=30)  # shuffled
    with pytest.raises(dataclasses.FrozenInstanceError):
        pairs[0].label = 3
    for paragraphs, seed, error, says in (
        ([], 0, ValueError, "paragraphs must hold at least one paragraph, got none"),
        (["a text"], 0, TypeError, r"each of paragraphs must be a sv\.data\.Paragraph, got 'a t"),
        (DATA, 0, TypeError, r"paragraphs must be a list of sv\.data\.Paragraph"),
        (DATA.val, -1, ValueError, "seed must be at least 0"),
    ):
        with pytest.raises(error, match=says):
            make(paragraphs, seed)


def test_one_paragraph_has_no_other_sentence():
    assert sv.data.next_sentence_pairs(DATA.val[:1], 0) == []
