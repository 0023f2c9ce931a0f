"""The names of the news: new at test time, so that shape and sentence decide."""

from collections import Counter, defaultdict

import pytest

import seqviz as sv
from seqviz.data.generators.newsnames import NAMES, SIZES, newsnames

PARTS = TRAIN, VAL, TEST = newsnames()
KINDS = {"PER", "LOC", "ORG", "DATE"}
EITHER = [{*words.split()} for words in NAMES["either"]]  # of train, of the other two
each_part = pytest.mark.parametrize("part", PARTS, ids=["train", "val", "test"])


def spans(sentence):
    found = sv.data.tags_to_spans(sentence.bio, strict=True)
    return [(kind, sentence.words[start:end]) for kind, start, end in found]


def test_sizes():
    assert [len(part) for part in PARTS] == [*SIZES.values()]
    assert len({one for part in PARTS for one in part}) == sum(SIZES.values())


@each_part
def test_the_four_kinds_are_there_and_most_words_are_outside(part):
    found = Counter(kind for one in part for kind, _ in spans(one))
    assert found.keys() == KINDS
    assert min(found.values()) > 0.15 * sum(found.values())
    tags = [tag for one in part for tag in one.bio]
    assert tags.count("O") / len(tags) == pytest.approx(0.78, abs=0.02)


def test_names_of_persons_places_and_brands_are_new_at_test_time():
    old, new = ({word for pools in NAMES.values() for word in pools[k].split()} for k in range(2))
    assert old.isdisjoint(new)
    for part, own, others in ((TRAIN, old, new), (VAL + TEST, new, old)):
        words = {word for one in part for word in one.words}
        assert len(own - words) <= 2
        assert others.isdisjoint(words)


@pytest.mark.parametrize("part", [TRAIN, VAL + TEST], ids=["train", "val and test"])
def test_some_words_are_a_person_or_a_place(part):
    kinds = defaultdict(set)
    for one in part:
        for kind, words in spans(one):
            kinds[words].add(kind)
    either = EITHER[part is not TRAIN]
    assert all(kinds[(word,)] == {"PER", "LOC"} for word in either)


def test_the_control_no_name_is_known_by_its_words():
    """A table of the training part's words finds the days and months, and none of the rest."""
    counts = defaultdict(Counter)
    for one in TRAIN:
        for word, tag in zip(one.words, one.bio, strict=True):
            counts[word][tag] += 1
    tags = [
        [counts[word].most_common(1)[0][0] if word in counts else "O" for word in one.words]
        for one in TEST
    ]
    score = sv.metrics.span_f1(tags, [one.bio for one in TEST])
    assert score.by_kind["DATE"].recall > 0.5
    assert max(score.by_kind[kind].recall for kind in ("PER", "LOC", "ORG")) < 0.02


@each_part
def test_a_capital_alone_does_not_tell_a_name(part):
    capitals = [
        tag != "O"
        for one in part
        for word, tag in zip(one.words, one.bio, strict=True)
        if word[0].isupper()
    ]
    assert 0.6 < sum(capitals) / len(capitals) < 0.9
