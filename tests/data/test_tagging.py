"""Sentences to tag: what is open without one side is told by the other."""

from collections import Counter, defaultdict

import pytest

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("tagging")
PARTS = TRAIN, _, TEST = DATA.train, DATA.val, DATA.test
MAKE = maker("tagging")
POS = {"ADJ", "ADP", "ADV", "AUX", "DET", "NOUN", "PRON", "PROPN", "PUNCT", "VERB"}
OPEN = {  # words open without context: their tags, their readings, the side that tells nothing
    MAKE.NOUNS_OR_VERBS: ("pos", {"NOUN", "VERB"}, "right"),  # walk
    MAKE.POINTERS: ("pos", {"DET", "PRON"}, "left"),  # that
    MAKE.FIRST: ("bio", {"B-PER", "B-LOC", "B-ORG"}, "left"),  # mirel
}


def names(part):
    for sentence in part:
        for kind, start, end in sv.data.tags_to_spans(sentence.bio, strict=True):
            yield kind, sentence.words[start:end]


def accuracy_by_counts(tags, words=None):
    """Accuracy, on `words` of the test part, of the most frequent tag of a word."""

    def read_and_tag(part):
        for sentence in part:
            for word, tag in zip(sentence.words, getattr(sentence, tags), strict=True):
                if words is None or word in words:
                    yield word, tag

    counts = defaultdict(Counter)
    for seen, tag in read_and_tag(TRAIN):
        counts[seen][tag] += 1
    right = [counts[seen].most_common(1)[0][0] == tag for seen, tag in read_and_tag(TEST)]
    return sum(right) / len(right)


def test_tags_are_valid_and_held_out_names_are_new():
    assert [len(part) for part in PARTS] == [404, 108, 100]
    sentences = [sentence for part in PARTS for sentence in part]
    known = {word for sentence in TRAIN for word in sentence.words}
    assert len(known) == 68
    assert {word for sentence in sentences for word in sentence.words} == known
    assert len({sentence.words for sentence in sentences}) == len(sentences)
    bio = {"O", *(f"{place}-{kind}" for place in "BI" for kind in MAKE.LAST)}
    full = []
    for part in PARTS:
        assert {tag for sentence in part for tag in sentence.pos} == POS
        assert {tag for sentence in part for tag in sentence.bio} == bio
        for sentence in part:
            assert [tag == "PROPN" for tag in sentence.pos] == [tag != "O" for tag in sentence.bio]
        for kind, words in names(part):
            assert words[-1] in MAKE.LAST[kind]
            assert (words[0] in MAKE.FIRST) == (len(words) > 1)
        full.append({(words[0], words[-1]) for _, words in names(part) if len(words) > 1})
    assert len(full[0] | full[1] | full[2]) == sum(map(len, full))


def test_the_control_one_whole_side_tells_nothing():
    for words, (tags, readings, side) in OPEN.items():
        for part in PARTS:
            counts = defaultdict(Counter)
            for sentence in part:
                for i, word in enumerate(sentence.words):
                    if word in words:
                        cut = slice(i, None) if side == "right" else slice(i + 1)
                        counts[sentence.words[cut]][getattr(sentence, tags)[i]] += 1
            assert counts
            for count in counts.values():
                assert {*count} == readings
                assert len({*count.values()}) == 1
        assert accuracy_by_counts(tags, words) == pytest.approx(1 / len(readings), abs=0.01)
    assert accuracy_by_counts("pos") < 0.93
    assert accuracy_by_counts("bio") < 0.86
