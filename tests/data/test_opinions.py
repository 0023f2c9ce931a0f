"""Reviews that praise or blame: what the texts without labels tell, and what a label cannot."""

from collections import defaultdict

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

import seqviz as sv
from seqviz.data.generators.opinions.opinion import ADJECTIVES
from tests.data.making import maker

DATA = sv.data.load("opinions")
LABELLED = DATA.train + DATA.val + DATA.test
UNLABELLED = [sv.data.Opinion(text, 0) for text in DATA.stream + DATA.unlabelled]


def verdict(review):
    """What the last judgement says, told from the words alone."""
    t = max(t for t, sense in enumerate(review.senses) if sense)
    said = review.senses[t] == "praise"
    return int(said != (review.words[t - 1] == "not"))


def test_a_label_is_what_the_last_judgement_says():
    for part in (DATA.train, DATA.val, DATA.test):
        assert all(review.label == verdict(review) for review in part)
        assert abs(sum(review.label for review in part) / len(part) - 0.5) < 0.04


def test_feelings_and_joining_words_tell_what_an_adjective_says():
    feelings = {word: label for label, row in enumerate(maker("opinions").AFTER) for word in row}
    agreeing = defaultdict(list)
    for review in UNLABELLED:
        assert [feelings[w] for w in review.words if w in feelings] in ([], [verdict(review)])
        for t, word in enumerate(review.words):
            if word in ("and", "but") and review.senses[t - 1] and review.senses[t + 1]:
                agreeing[word].append(review.senses[t - 1] == review.senses[t + 1])
    assert min(len(found) for found in agreeing.values()) > 1000
    assert all(agreeing["and"])
    assert not any(agreeing["but"])
    assert not {*feelings} & {word for review in LABELLED for word in review.words}


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
    return not {*review.words} & ADJECTIVES & {word for row in rows for word in row.words}


def test_the_control_without_adjectives_is_at_chance():
    for labels in (50, 500):
        assert abs(bag(labels, 0, frame) - 0.5) < 0.04


def test_the_control_fifty_labels_tell_nothing_of_other_words():
    for part in range(2):
        assert abs(bag(50, part, whole, unseen) - 0.5) < 0.05
        rows = DATA.train[part * 50 : (part + 1) * 50]
        assert sum(unseen(review, rows) for review in DATA.test) > 600


def test_the_control_a_bag_of_words_does_not_reach_the_end():
    assert 0.55 < bag(500, 0, whole) < 0.65
    assert 0.74 < bag(5000, 0, whole) < 0.8
