"""Paragraphs with facts: a label says what the words of the paragraph really tell."""

from collections import Counter, defaultdict
from itertools import combinations, pairwise

import pytest

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("facts")
PARTS = TRAIN, _, TEST = DATA.train, DATA.val, DATA.test
MAKE = maker("facts")
TRADES = {trade: place for place, trades in MAKE.TRADES.items() for trade in trades}
VERBS = {place: MAKE.VERBS[place] for place in MAKE.TRADES}
STORIES = [story for rows in MAKE.STORIES.values() for story in rows]
GROUPS = [*TRADES, *STORIES]  # words that tell one another


def words_of(paragraph):
    return paragraph.line.split()


def labels_of(paragraph):
    return [label for sentence in paragraph.labels for label in sentence]


def group_of(paragraph, groups):
    (group,) = {group for group in groups if {*group} & {*words_of(paragraph)}}
    return group


def test_the_form_of_a_paragraph():
    known = {word for paragraph in TRAIN for word in words_of(paragraph)}
    assert len(known) == 183
    assert len({paragraph.line for part in PARTS for paragraph in part}) == 6800
    telling = {word for group in GROUPS for word in group}
    for paragraph in (paragraph for part in PARTS for paragraph in part[:400]):
        for sentence, following in pairwise(paragraph.sentences):
            assert not {*sentence} & {*following} & telling
        trade = group_of(paragraph, TRADES)
        assert (paragraph.about, paragraph.topic) == (trade[0], TRADES[trade])
        assert {*group_of(paragraph, STORIES)} <= {*words_of(paragraph)} <= known


# The labels, told by someone who knows the facts and tries every word.


def is_possible(words):
    """Whether these words may stand in one paragraph."""
    words = {*words}
    trades = [trade for trade in TRADES if words & {*trade}]
    stories = [story for story in STORIES if words & {*story}]
    places = {TRADES[trade] for trade in trades} | (words & {*VERBS})
    directions = words & {*MAKE.DIRECTIONS}
    for place, verbs in VERBS.items():
        done = {direction for direction, verb in verbs.items() if verb in words}
        places |= {place} if done else set()
        directions |= done
    return len(trades) <= 1 and len(stories) <= 1 and len(places) <= 1 and len(directions) <= 1


COLUMNS = [  # what may stand in one gap, as far as its frame goes
    *zip(*TRADES, strict=True),
    *(column for rows in MAKE.STORIES.values() for column in zip(*rows, strict=True)),
    [*VERBS],
    [verb for verbs in VERBS.values() for verb in verbs.values()],
    *(MAKE.DIRECTIONS, MAKE.NAMES, MAKE.DAYS, MAKE.ADJECTIVES),
]
ALTERNATIVES = {word: column for column in COLUMNS for word in column}


def fitting(word, read):
    """The words that are possible in its place beside those that are read."""
    return [other for other in ALTERNATIVES[word] if is_possible([*read, other])]


def test_a_label_says_what_can_be_known():
    for paragraph in (paragraph for part in PARTS for paragraph in part[:30]):
        words = words_of(paragraph)
        assert is_possible(words)
        for t, (word, label) in enumerate(zip(words, labels_of(paragraph), strict=True)):
            if word not in ALTERNATIVES:
                assert label == "grammar"
                continue
            sides = {"left": words[:t], "right": words[t + 1 :], "both": words[:t] + words[t + 1 :]}
            told = [side for side, read in sides.items() if fitting(word, read) == [word]]
            assert label == [*told, "open"][0], (word, paragraph.line)


def test_the_control_words_that_belong_together_come_in_both_orders():
    apart, together = Counter(), Counter()
    for paragraph in TRAIN:
        words = words_of(paragraph)
        for group in GROUPS:
            for one, other in combinations(group, 2):
                if one in words and other in words:
                    apart[one, other, words.index(one) < words.index(other)] += 1
                for sentence in paragraph.sentences:
                    if one in sentence and other in sentence:
                        order = sentence.index(one) < sentence.index(other)
                        together[one, other, order] += 1
    for counts in (apart, together):
        assert len(counts) == 2 * 3 * len(GROUPS)
        for (one, other, order), times in counts.items():
            both = times + counts[one, other, not order]
            assert abs(times - both / 2) <= 4 * (both / 4) ** 0.5, (one, other)


def baseline(reads):
    """By label, accuracy on test of the word that was most frequent where the same was read."""
    counts = defaultdict(Counter)
    for paragraph in TRAIN:
        words = ["<start>", *words_of(paragraph), "<end>"]
        for t in range(1, len(words) - 1):
            counts[reads(words, t)][words[t]] += 1
    best = {seen: count.most_common(1)[0][0] for seen, count in counts.items()}
    right = defaultdict(list)
    for paragraph in TEST:
        words = ["<start>", *words_of(paragraph), "<end>"]
        for t, label in enumerate(labels_of(paragraph), 1):
            right[label].append(best.get(reads(words, t)) == words[t])
    return [sum(right[label]) / len(right[label]) for label in ("left", "right", "both")]


def test_the_control_neighbours_tell_little():
    for expected, reads in (
        ([0, 0, 0], lambda words, t: None),
        ([0.12, 0.04, 0], lambda words, t: words[t - 1]),
        ([0.08, 0.04, 0], lambda words, t: words[t + 1]),
        ([0.18, 0.14, 0.3], lambda words, t: (words[t - 1], words[t + 1])),
    ):
        assert baseline(reads) == pytest.approx(expected, abs=0.006)
