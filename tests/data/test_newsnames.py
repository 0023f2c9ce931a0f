"""The names of the news: new at test time, so that shape and sentence decide."""

from collections import Counter, defaultdict

import pytest

import seqviz as sv
from tests.data.making import maker

DATA = sv.data.load("newsnames")
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
NAMES = maker("newsnames").NAMES


def spans(part):
    for one in part:
        for kind, start, end in sv.data.tags_to_spans(one.bio, strict=True):
            yield kind, one.words[start:end]


def test_four_kinds_and_capitals_that_are_no_names():
    assert [len(part) for part in PARTS] == [300, 60, 150]
    assert len({one for part in PARTS for one in part}) == 510
    for part in PARTS:
        found = Counter(kind for kind, _ in spans(part))
        assert found.keys() == {"PER", "LOC", "ORG", "DATE"}
        assert min(found.values()) > 0.15 * found.total()
        told = [pair for one in part for pair in zip(one.words, one.bio, strict=True)]
        assert sum(tag == "O" for _, tag in told) / len(told) == pytest.approx(0.78, abs=0.02)
        capitals = [tag != "O" for word, tag in told if word[0].isupper()]
        assert 0.6 < sum(capitals) / len(capitals) < 0.9


def test_names_are_new_at_test_time_and_some_are_a_person_or_a_place():
    words = [{word for pools in NAMES.values() for word in pools[k].split()} for k in range(2)]
    for k, part in enumerate((TRAIN, VAL + TEST)):
        there = {word for one in part for word in one.words}
        assert len(words[k] - there) <= 2
        assert words[1 - k].isdisjoint(there)
        kinds = defaultdict(set)
        for kind, name in spans(part):
            kinds[name].add(kind)
        assert all(kinds[(word,)] == {"PER", "LOC"} for word in NAMES["either"][k].split())


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
