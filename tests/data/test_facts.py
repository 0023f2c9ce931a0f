"""Paragraphs with facts: a label says what the words of the paragraph really tell."""

import dataclasses
import re
from collections import Counter, defaultdict
from itertools import combinations, pairwise

import pytest

import seqviz as sv
from seqviz.data.generators.facts import frames, lexicon
from seqviz.data.generators.facts.grammar import all_combinations, paragraphs
from seqviz.data.generators.facts.paragraph import KINDS, LABELS, evidence
from seqviz.data.registry import shipped_folder

DATA = sv.data.load("facts")
PARTS = TRAIN, VAL, TEST = DATA.train, DATA.val, DATA.test
KNOWN = ("left", "right", "both")
TRADES = {trade: place for place, trades in lexicon.TRADES.items() for trade in trades}
STORIES = [story for rows in lexicon.STORIES.values() for story in rows]
GROUPS = [*TRADES, *STORIES]  # words that tell one another
each_part = pytest.mark.parametrize("part", PARTS, ids=["train", "val", "test"])


def words_of(paragraph):
    return [word for sentence in paragraph.sentences for word in sentence]


def labels_of(paragraph):
    return [label for sentence in paragraph.labels for label in sentence]


def group_of(paragraph, groups):
    (group,) = {group for group in groups if {*group} & {*words_of(paragraph)}}
    return group


def test_sizes():
    assert [len(part) for part in PARTS] == [6000, 400, 400]
    assert (shipped_folder() / "facts" / "facts.txt").stat().st_size < 1_500_000
    words = {word for paragraph in TRAIN for word in words_of(paragraph)}
    assert len(words) == 183
    assert {word for paragraph in VAL + TEST for word in words_of(paragraph)} <= words
    lines = [paragraph.line for part in PARTS for paragraph in part]
    assert len({*lines}) == len(lines) == 6800


@each_part
def test_the_form_of_a_paragraph(part):
    assert {len(paragraph.sentences) for paragraph in part} == {3, 4, 5, 6}
    for paragraph in part:
        for sentence, labels in zip(paragraph.sentences, paragraph.labels, strict=True):
            assert 6 <= len(sentence) <= 12
            assert sentence.index(".") == len(sentence) - 1
            assert len(labels) == len(sentence)
        trade = group_of(paragraph, TRADES)
        assert paragraph.about == trade[0]
        assert paragraph.topic == TRADES[trade]
        assert {*group_of(paragraph, STORIES)} <= {*words_of(paragraph)}


def test_every_word_has_one_kind():
    assert sum(map(len, KINDS.values())) == len(set().union(*KINDS.values()))
    assert len(lexicon.TRADES) == 8
    assert (len(TRADES), len(STORIES)) == (16, 12)


def test_the_frame_tells_what_kind_of_word_is_in_a_gap():
    kinds = defaultdict(set)
    told = [(frame, kind) for kind, rows in frames.STORY.items() for row in rows.values()
            for frame in row]  # fmt: skip
    others = [frame for table in (frames.ASIDE, frames.DEED) for row in table.values()
              for frame in row]  # fmt: skip
    for frame, kind in [*told, *((frame, "") for frame in (*others, *frames.OPENING))]:
        for mention in frames.MENTIONS.values():
            full = frame.replace("{mention}", mention)
            gaps = tuple(f"{kind} {gap}" if gap in "abc" else gap
                         for gap in re.findall(r"{(\w+)}", full))  # fmt: skip
            kinds[re.sub(r"{\w+}", "_", full)].add(gaps)
    assert len(kinds) > 100
    assert all(len(gaps) == 1 for gaps in kinds.values())


# The labels, told by someone who knows the facts and tries every word.


def is_possible(words):
    """Whether these words may stand in one paragraph."""
    words = {*words}
    trades = [trade for trade in TRADES if words & {*trade}]
    stories = [story for story in STORIES if words & {*story}]
    places = {TRADES[trade] for trade in trades} | (words & {*lexicon.VERBS})
    directions = words & {*lexicon.DIRECTIONS}
    for place, verbs in lexicon.VERBS.items():
        done = {direction for direction, verb in verbs.items() if verb in words}
        places |= {place} if done else set()
        directions |= done
    return len(trades) <= 1 and len(stories) <= 1 and len(places) <= 1 and len(directions) <= 1


def alternatives():
    """For each word all words that may stand in its gap, as far as its frame goes."""
    columns = [
        *zip(*TRADES, strict=True),
        *(column for rows in lexicon.STORIES.values() for column in zip(*rows, strict=True)),
        [*lexicon.VERBS],
        [verb for verbs in lexicon.VERBS.values() for verb in verbs.values()],
        *(lexicon.DIRECTIONS, lexicon.NAMES, lexicon.DAYS, lexicon.ADJECTIVES),
    ]
    return {word: column for column in columns for word in column}


ALTERNATIVES = alternatives()


def fitting(word, read):
    """The words that are possible in its place beside those that are read."""
    return [other for other in ALTERNATIVES[word] if is_possible([*read, other])]


@each_part
def test_a_label_says_what_can_be_known(part):
    for paragraph in part[:400]:
        words = words_of(paragraph)
        assert is_possible(words)
        for t, (word, label) in enumerate(zip(words, labels_of(paragraph), strict=True)):
            if word not in ALTERNATIVES:
                assert label == "grammar"
                continue
            left, right = words[:t], words[t + 1 :]
            alone = [fitting(word, read) == [word] for read in (left, right, left + right)]
            told_by = [side for side, told in zip(KNOWN, alone, strict=True) if told]
            assert label == [*told_by, "open"][0], (word, paragraph.line)


@pytest.mark.parametrize(
    ("sentence", "labels"),
    [
        ("our baker had this bread .", "grammar right grammar grammar left grammar"),
        ("this bread lay beside our baker .", "grammar right grammar grammar grammar left grammar"),
        ("this bread was offered to anna .", "grammar open grammar both left open grammar"),
        ("from leo it was bought .", "right open grammar grammar open grammar"),
    ],
)
def test_the_labels_of_a_single_sentence(sentence, labels):
    assert evidence(sentence.split()) == labels.split()


@each_part
def test_shares_of_the_labels(part):
    count = Counter(label for paragraph in part for label in labels_of(paragraph))
    assert {*count} == {*LABELS}
    share = {label: times / count.total() for label, times in count.items()}
    assert share["left"] == pytest.approx(0.205, abs=0.005)
    assert share["right"] == pytest.approx(0.092, abs=0.002)
    assert share["both"] == pytest.approx(0.0075, abs=0.001)
    assert share["open"] == pytest.approx(0.048, abs=0.002)


# Controls.


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


def test_no_word_of_trade_or_story_comes_in_two_sentences_in_a_row():
    telling = {word for group in GROUPS for word in group}
    for part in PARTS:
        for paragraph in part:
            for sentence, following in pairwise(paragraph.sentences):
                assert not {*sentence} & {*following} & telling


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
    return {label: sum(hits) / len(hits) for label, hits in right.items()}


@pytest.mark.parametrize(
    ("reads", "left", "right", "both"),
    [
        (lambda words, t: None, 0, 0, 0),
        (lambda words, t: words[t - 1], 0.12, 0.04, 0),
        (lambda words, t: words[t + 1], 0.08, 0.04, 0),
        (lambda words, t: (words[t - 1], words[t + 1]), 0.18, 0.14, 0.3),
    ],
    ids=["nothing", "the word before", "the word after", "both neighbours"],
)
def test_the_control_neighbours_tell_little(reads, left, right, both):
    found = baseline(reads)
    assert [found[label] for label in KNOWN] == pytest.approx([left, right, both], abs=0.006)


def test_half_of_the_test_part_has_a_combination_of_its_own():
    def combination(paragraph):
        return group_of(paragraph, TRADES), group_of(paragraph, STORIES)

    seen = {combination(paragraph) for paragraph in TRAIN + VAL}
    new = [combination(paragraph) for paragraph in TEST if combination(paragraph) not in seen]
    assert len(new) == 200
    assert len({*new}) == 24
    assert len(seen) == len(all_combinations()) - 24 == 168
    assert {*paragraphs(1)[2]}.isdisjoint(TEST)


def test_a_paragraph_is_frozen_and_its_line_says_all():
    assert all(sv.data.Paragraph.from_line(paragraph.line) == paragraph for paragraph in TEST)
    with pytest.raises(dataclasses.FrozenInstanceError):
        TEST[0].topic = "school"
