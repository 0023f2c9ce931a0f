import dataclasses
from collections import Counter, defaultdict
from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence, pad_sequence

import seqviz as sv
from seqviz.data.generators.tagging import FIRST, LAST, NOUNS_OR_VERBS, POINTERS, tagging

PARTS = TRAIN, VAL, TEST = tagging()
POS = {"ADJ", "ADP", "ADV", "AUX", "DET", "NOUN", "PRON", "PROPN", "PUNCT", "VERB"}
BIO = {"O", *(f"{place}-{kind}" for place in "BI" for kind in LAST)}
OPEN = {  # words open without context: their readings
    "walk": (NOUNS_OR_VERBS, "pos", {"NOUN", "VERB"}),
    "that": (POINTERS, "pos", {"DET", "PRON"}),
    "mirel": (FIRST, "bio", {"B-PER", "B-LOC", "B-ORG"}),
}
each_part = pytest.mark.parametrize("part", PARTS, ids=["train", "val", "test"])


def spans(sentence):
    """The names of a sentence: (kind, words)."""
    found = []
    for word, tag in zip(sentence.words, sentence.bio, strict=True):
        if tag.startswith("B-"):
            found.append((tag[2:], [word]))
        elif tag.startswith("I-"):
            found[-1][1].append(word)
    return [(kind, tuple(words)) for kind, words in found]


def accuracy_by_counts(tags, reads, words=None):
    """Accuracy, on `words` of the test part, of the most frequent tag for what is read."""

    def read_and_tag(part):
        for sentence in part:
            for i, tag in enumerate(getattr(sentence, tags)):
                if words is None or sentence.words[i] in words:
                    yield reads(sentence.words, i), tag

    counts = defaultdict(Counter)
    for seen, tag in read_and_tag(TRAIN):
        counts[seen][tag] += 1
    right = [counts[seen].most_common(1)[0][0] == tag for seen, tag in read_and_tag(TEST)]
    return sum(right) / len(right)


def test_sizes_and_words():
    assert [len(part) for part in PARTS] == [404, 108, 100]
    words = {word for sentence in TRAIN for word in sentence.words}
    assert len(words) == 68
    assert {word for sentence in VAL + TEST for word in sentence.words} <= words
    sentences = [s.words for part in PARTS for s in part]
    assert len(set(sentences)) == len(sentences)


@each_part
def test_tags_are_valid(part):
    assert {tag for sentence in part for tag in sentence.pos} == POS
    assert {tag for sentence in part for tag in sentence.bio} == BIO
    for sentence in part:
        assert len(sentence.words) == len(sentence.pos) == len(sentence.bio)
        for before, tag in pairwise(("O", *sentence.bio)):
            if tag.startswith("I-"):
                assert before in (f"B-{tag[2:]}", tag)
        for pos, bio in zip(sentence.pos, sentence.bio, strict=True):
            assert (pos == "PROPN") == (bio != "O")


@each_part
def test_a_name_is_what_its_last_word_says(part):
    found = [span for sentence in part for span in spans(sentence)]
    assert {len(words) for _, words in found} == {1, 2, 3}
    for kind, words in found:
        assert words[-1] in LAST[kind]
        assert (words[0] in FIRST) == (len(words) > 1)


def test_held_out_names_are_new():
    full = [
        {(words[0], words[-1]) for s in part for _, words in spans(s) if len(words) > 1}
        for part in PARTS
    ]
    assert not full[0] & (full[1] | full[2])
    assert not full[1] & full[2]


@each_part
@pytest.mark.parametrize(("example", "open_side"), [("walk", 1), ("that", -1), ("mirel", -1)])
def test_the_control_one_whole_side_tells_nothing(part, example, open_side):
    words, tags, readings = OPEN[example]
    counts = defaultdict(Counter)
    for sentence in part:
        for i, word in enumerate(sentence.words):
            if word in words:
                seen = sentence.words[i:] if open_side == 1 else sentence.words[: i + 1]
                counts[seen][getattr(sentence, tags)[i]] += 1
    assert counts
    for count in counts.values():
        assert set(count) == readings
        assert len(set(count.values())) == 1


@each_part
@pytest.mark.parametrize(
    ("example", "side", "neighbours", "reading"),
    [("walk", -1, {"DET", "ADJ"}, "NOUN"), ("that", 1, {"ADJ", "NOUN"}, "DET")],
)
def test_the_neighbour_on_the_other_side_tells_it(part, example, side, neighbours, reading):
    for sentence in part:
        for i, word in enumerate(sentence.words):
            if word in OPEN[example][0]:
                assert (sentence.pos[i] == reading) == (sentence.pos[i + side] in neighbours)


@pytest.mark.parametrize(("tags", "most"), [("pos", 0.93), ("bio", 0.86)])
def test_the_control_the_most_frequent_tag_of_a_word_is_not_enough(tags, most):
    assert accuracy_by_counts(tags, lambda words, i: words[i]) < most


@pytest.mark.parametrize(
    ("example", "chance"), [("walk", 1 / 2), ("that", 1 / 2), ("mirel", 1 / 3)]
)
def test_the_most_frequent_tag_of_an_open_word_is_at_chance(example, chance):
    words, tags, _ = OPEN[example]
    assert accuracy_by_counts(tags, lambda w, i: w[i], words) == pytest.approx(chance, abs=0.01)


def test_a_sentence_is_frozen_and_its_line_says_all():
    assert all(sv.data.Tagged.from_line(sentence.line) == sentence for sentence in TEST)
    with pytest.raises(dataclasses.FrozenInstanceError):
        TEST[0].pos = ()


class Tagger(nn.Module):
    """One GRU layer in two directions; the head reads the directions it is given."""

    def __init__(self, words, tags, read):
        super().__init__()
        self.number = {word: i for i, word in enumerate(words)}
        self.embedding = nn.Embedding(len(words), 16)
        self.gru = nn.GRU(16, 32, bidirectional=True)
        self.read = read
        self.head = nn.Linear(len(range(64)[read]), len(tags))

    def forward(self, batch):
        ids = [torch.tensor([self.number[word] for word in s.words]) for s in batch]
        packed = pack_sequence([self.embedding(line) for line in ids], enforce_sorted=False)
        states, _ = pad_packed_sequence(self.gru(packed)[0])
        return self.head(states[..., self.read])  # (time, batch, tag)


@pytest.mark.parametrize(
    ("read", "walk", "that", "mirel"),
    [
        (slice(0, 32), 1, 0.5, 1 / 3),
        (slice(32, 64), 0.5, 1, 1),
        (slice(0, 64), 1, 1, 1),
    ],
    ids=["forward", "backward", "both"],
)
@pytest.mark.slow
def test_it_takes_two_directions(read, walk, that, mirel):
    torch.set_num_threads(1)
    words = sorted({word for sentence in TRAIN for word in sentence.words})
    for tags, names, examples in (
        ("pos", sorted(POS), {"walk": walk, "that": that}),
        ("bio", sorted(BIO), {"mirel": mirel}),
    ):
        torch.manual_seed(0)
        model = Tagger(words, names, read)

        def targets(batch, tags=tags, names=names):
            lines = [torch.tensor([names.index(t) for t in getattr(s, tags)]) for s in batch]
            return pad_sequence(lines, padding_value=-100)

        def loss(model, batch, targets=targets):
            return F.cross_entropy(model(batch).flatten(0, 1), targets(batch).flatten())

        batches = [TRAIN[start : start + 32] for start in range(0, len(TRAIN), 32)]
        sv.training.fit(model, loss, batches, steps=250, clip_norm=1.0, progress=False)
        with torch.no_grad():
            right = model(TEST).argmax(2) == targets(TEST)
        for example, expected in examples.items():
            is_open = pad_sequence(
                [torch.tensor([word in OPEN[example][0] for word in s.words]) for s in TEST]
            )
            accuracy = right[is_open].double().mean().item()
            assert accuracy == pytest.approx(expected, abs=0.1), example
