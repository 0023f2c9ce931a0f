"""Reviews that praise or blame: what the texts without labels tell, and what a label cannot."""

import dataclasses
import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

import seqviz as sv
from seqviz.data.generators.opinions import lexicon
from seqviz.data.generators.opinions.grammar import opinions
from seqviz.data.generators.opinions.opinion import ADJECTIVES, AMBIGUOUS
from seqviz.data.registry import shipped_folder

DATA = sv.data.load("opinions")
LABELLED = DATA.train + DATA.val + DATA.test
each_part = pytest.mark.parametrize("part", ["train", "val", "test"])


def test_the_file_is_what_the_grammar_gives():
    parts = opinions()
    lines = ["\n".join(getattr(item, "line", item) for item in part) for part in parts]
    text = (shipped_folder() / "opinions" / "opinions.txt").read_text(encoding="utf-8")
    assert text == "\n\n".join(lines) + "\n"
    assert (DATA.stream, DATA.unlabelled, DATA.train, DATA.val, DATA.test) == parts
    assert opinions(np.int64(1)) == opinions(seed=1) != parts


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), ("0", TypeError), (None, TypeError)])
def test_bad_seeds(seed, error):
    with pytest.raises(error, match=r"^seed must be"):
        opinions(seed)


def test_sizes_and_no_text_twice():
    counts = [len(part) for part in (DATA.stream, DATA.unlabelled, DATA.train, DATA.val, DATA.test)]
    assert counts == [12000, 4000, 5000, 500, 1000]
    texts = DATA.stream + DATA.unlabelled + [review.text for review in LABELLED]
    assert len({*texts}) == sum(counts)
    words = {word for text in DATA.stream + DATA.unlabelled for word in text.split()}
    assert len(words) == 502
    assert {word for review in LABELLED for word in review.words} <= words
    assert len(words - {word for text in DATA.stream for word in text.split()}) == 144
    assert "stream 12,000, unlabelled 4,000" in repr(DATA)


def test_every_adjective_is_of_one_kind():
    kinds = [*lexicon.GENERAL, *lexicon.OWN["film"], *lexicon.BY_NOUN.values()]
    assert sum(map(len, kinds)) == len(ADJECTIVES) == 2 * 141 + 2 * 60 + 16
    assert ADJECTIVES.isdisjoint(lexicon.KIND)


def verdict(review):
    """What the last judgement says, told from the words alone."""
    t = max(t for t, sense in enumerate(review.senses) if sense)
    said = review.senses[t] == "praise"
    return int(said != (review.words[t - 1] == "not"))


@each_part
def test_the_label_is_what_the_last_judgement_says(part):
    reviews = getattr(DATA, part)
    assert all(review.label == verdict(review) for review in reviews)
    assert abs(sum(review.label for review in reviews) / len(reviews) - 0.5) < 0.04


def test_what_and_and_but_join():
    agreeing = defaultdict(list)
    for text in DATA.stream + DATA.unlabelled:
        review = sv.data.Opinion(text, 0)
        for t, word in enumerate(review.words):
            if word in ("and", "but") and review.senses[t - 1] and review.senses[t + 1]:
                agreeing[word].append(review.senses[t - 1] == review.senses[t + 1])
    assert min(len(found) for found in agreeing.values()) > 1000
    assert all(agreeing["and"])
    assert not any(agreeing["but"])


def test_words_of_feeling_never_err_and_stand_beside_no_label():
    feelings = {word: label for label, row in enumerate(lexicon.AFTER) for word in row}
    for text in DATA.stream + DATA.unlabelled:
        felt = [feelings[word] for word in text.split() if word in feelings]
        assert felt in ([], [verdict(sv.data.Opinion(text, 0))])
    assert not {*feelings} & {word for review in LABELLED for word in review.words}


def test_a_word_of_two_senses_has_both_equally_often():
    count = Counter(
        (word, sense)
        for review in LABELLED
        for word, sense in zip(review.words, review.senses, strict=True)
        if word in AMBIGUOUS
    )
    assert len(count) == 2 * 16
    for word in AMBIGUOUS:
        times = count[word, "praise"] + count[word, "blame"]
        assert abs(count[word, "praise"] - times / 2) < 4 * (times / 4) ** 0.5


def test_senses_and_nouns_of_a_text():
    review = sv.data.Opinion(
        "after the rest the plot felt not plain , but it has an odd sound .", 0
    )
    told = {w: s for w, s in zip(review.words, review.senses, strict=True) if s}
    assert told == {"plain": "blame", "odd": "blame"}
    assert review.nouns[2] == "noun"
    assert sv.data.Opinion("we rest and the plot felt odd .", 1).nouns[1] == "verb"


# Controls.


def bag(labels, part, reads, chosen=None):
    """Accuracy on test of a logistic regression on which words come, with some labels."""
    rows = DATA.train[part * labels : (part + 1) * labels]
    words = CountVectorizer(token_pattern=r"\S+", binary=True)
    x = words.fit_transform([reads(review) for review in rows])
    model = LogisticRegression(max_iter=3000).fit(x, [review.label for review in rows])
    asked = [review for review in DATA.test if chosen is None or chosen(review, rows)]
    x = words.transform([reads(review) for review in asked])
    return model.score(x, [review.label for review in asked])


def whole(review):
    return review.text


def frame(review):
    return " ".join(w for w, s in zip(review.words, review.senses, strict=True) if not s)


def unseen(review, rows):
    """Whether none of its adjectives stands in the labelled rows."""
    seen = {word for row in rows for word in row.words}
    return not {*review.words} & ADJECTIVES & seen


@pytest.mark.parametrize(("labels", "part"), [(50, 0), (50, 1), (50, 2), (500, 0), (5000, 0)])
def test_the_control_without_adjectives_is_at_chance(labels, part):
    assert abs(bag(labels, part, frame) - 0.5) < 0.04


@pytest.mark.parametrize("part", range(3))
def test_the_control_fifty_labels_tell_nothing_of_other_words(part):
    assert abs(bag(50, part, whole) - 0.5) < 0.04
    assert abs(bag(50, part, whole, unseen) - 0.5) < 0.05
    rows = DATA.train[part * 50 : (part + 1) * 50]
    assert sum(unseen(review, rows) for review in DATA.test) > 600


def test_the_control_a_bag_of_words_does_not_reach_the_end():
    assert 0.55 < bag(500, 0, whole) < 0.65
    assert 0.74 < bag(5000, 0, whole) < 0.8


@pytest.mark.parametrize("line", ["", "good", "good\t2", "the plot felt\t1", "\t1"])
def test_a_damaged_line_is_named(line):
    with pytest.raises(ValueError, match=rf"^line must be .*, got {re.escape(repr(line))}$"):
        sv.data.Opinion.from_line(line)


def test_a_review_is_frozen_and_its_line_says_all():
    assert all(sv.data.Opinion.from_line(review.line) == review for review in DATA.test)
    with pytest.raises(dataclasses.FrozenInstanceError):
        DATA.test[0].label = 1
