"""Reviews: the flag on the left and the adjective on the right together tell the label."""

from collections import Counter, defaultdict

import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("reviews")
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
MAKE = maker("reviews")
AFFIRMATIONS = {flag for affirms, _ in MAKE.FRAMES.values() for flag in affirms}
DENIALS = {flag for _, denies in MAKE.FRAMES.values() for flag in denies}
READS = {
    "all words": lambda review: review.words,
    "left": lambda review: review.words[: review.position],
    "right": lambda review: review.words[review.position + 1 :],
}


def test_flag_and_adjective_tell_the_label_and_four_in_a_row_differ_in_them_only():
    assert [len(part) for part in PARTS] == [2016, 288, 288]
    known = {word for review in TRAIN for word in review.words}
    assert len(known) == 82
    for review in (review for part in PARTS for review in part):
        left, right = {*READS["left"](review)}, {*READS["right"](review)}
        denied, praised = len(DENIALS & left), len({*MAKE.PRAISE} & right)
        assert denied + len(AFFIRMATIONS & left) == 1
        assert praised + len({*MAKE.BLAME} & right) == 1
        assert review.words[review.position] == "terribly"
        assert review.words.count("terribly") == 1
        assert (review.label, review.one_sided) == (denied ^ praised, praised)
        assert {*review.words} <= known
    for part in PARTS:
        for start in range(0, len(part), 4):
            four = part[start : start + 4]
            places = [{*words} for words in zip(*(review.words for review in four), strict=True)]
            assert [len(words) for words in places if len(words) > 1] == [2, 2]
            assert len({review.position for review in four}) == 1
            assert {(r.label, r.one_sided) for r in four} == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_held_out_sentences_have_a_new_subject_and_adjective():
    assert len({review.words for part in PARTS for review in part}) == 2592
    adjectives, together = {*MAKE.PRAISE, *MAKE.BLAME}, []
    for part in PARTS:
        pairs = {(s, a) for r in part for s in {*MAKE.SUBJECTS} & {*r.words}
                 for a in adjectives & {*r.words}}  # fmt: skip
        assert {adjective for _, adjective in pairs} == adjectives
        assert {subject for subject, _ in pairs} == {*MAKE.SUBJECTS}
        together.append(pairs)
    every = together[0] | together[1] | together[2]
    assert len(every) == sum(map(len, together)) == len(MAKE.SUBJECTS) * len(adjectives)


def accuracy(reads, label):
    """Accuracy on the test part of a logistic regression on which words come."""
    words = CountVectorizer(analyzer=reads)
    x, y = words.fit_transform(TRAIN), [getattr(review, label) for review in TRAIN]
    model = LogisticRegression(max_iter=1000, C=100).fit(x, y)
    return model.score(words.transform(TEST), [getattr(review, label) for review in TEST])


def test_the_control_nothing_on_one_side_tells_the_label():
    for reads in (
        lambda review: [len(review.words)],
        lambda review: [review.position],
        lambda review: {*review.words},
        lambda review: [READS["left"](review)],
        lambda review: [READS["right"](review)],
    ):
        for part in PARTS:
            labels = defaultdict(Counter)
            for review in part:
                for seen in reads(review):
                    labels[seen][review.label] += 1
            assert len(labels) > 1
            assert all(count[0] == count[1] for count in labels.values())
    for side, one_sided in (("all words", 1), ("left", 0.5), ("right", 1)):
        assert 0.45 <= accuracy(READS[side], "label") <= 0.55
        assert accuracy(READS[side], "one_sided") == pytest.approx(one_sided, abs=0.01)
