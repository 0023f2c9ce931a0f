"""Sentences that carry relations: what tells a form, what no sentence tells, and the controls."""

import re
from collections import Counter, defaultdict

import pytest
import torch

import seqviz as sv
from tests.data.making import DATASETS, maker

DATA = sv.data.load("relations")
MAKE = maker("relations")
ROWS = [sentence.split() for sentence in DATA.train]
SHUFFLED = sv.data.shuffle_words(DATA.train)
FAMILIES = [*MAKE.NOUNS, *MAKE.VERBS, *MAKE.COUNTRIES]
FAMILY = {word: family for family in FAMILIES for word in family}
WORDS = sorted({word for row in ROWS for word in row})
NUMBER = {word: number for number, word in enumerate(WORDS)}


def test_a_sentence_has_one_word_of_one_family_or_of_one_sense():
    assert [len(part) for part in (DATA.train, DATA.val, DATA.test)] == [12000, 644, 644]
    assert (len(WORDS), sum(map(len, ROWS))) == (405, 123849)
    senses = {word for name, two in MAKE.SENSES.items() for word in (name, *two)}
    cues = {cue for table in (MAKE.NOUNS, MAKE.VERBS, MAKE.COUNTRIES)
            for row in table.values() for cue in row}  # fmt: skip
    assert len(FAMILY) == sum(map(len, FAMILIES)) == 154
    assert not {*FAMILY} & (cues | senses)
    for row in ROWS:
        assert sum(word in FAMILY or word in senses for word in row) == 1, row


def test_a_question_asks_for_the_same_change_of_form_in_another_family():
    forms, families = defaultdict(set), []
    for part in (DATA.val, DATA.test):
        count = Counter(question.relation for question in part)
        assert count == {"gender": 224, "plural": 224, "past": 112, "capital": 84}
        families.append({FAMILY[word] for q in part for word in (q.a, q.c)})
        for q in part:
            one, other = FAMILY[q.a], FAMILY[q.c]
            assert one is not other
            change = one.index(q.a), one.index(q.b)
            assert change == (other.index(q.c), other.index(q.d))
            forms[q.relation].add(change)
    assert not families[0] & families[1]
    assert families[0] | families[1] == {*FAMILIES}
    assert len({*DATA.val, *DATA.test}) == 2 * 644
    both = {(0, 1), (1, 0)}
    assert forms == {
        **{"past": both, "capital": both, "gender": both | {(2, 3), (3, 2)}},
        "plural": {(0, 2), (2, 0), (1, 3), (3, 1)},
    }


def accuracy(sentences, by=lambda a, b, c: b - a + c):
    """Share of the test questions that logs of counts answer, inputs left out."""
    ids = [torch.tensor([NUMBER[word] for word in row.split()]) for row in sentences]
    pairs = sv.data.context_pairs(ids, 4)
    counts = torch.zeros(len(WORDS), len(WORDS)).index_put_(
        (pairs[:, 0], pairs[:, 1]), torch.ones(len(pairs)), accumulate=True
    )
    v = (1 + counts).log()
    v = v / v.norm(dim=1, keepdim=True)
    asked = torch.tensor([[NUMBER[w] for w in (q.a, q.b, q.c, q.d)] for q in DATA.test])
    a, b, c, d = asked.T
    found = (by(v[a], v[b], v[c]) @ v.T).scatter(1, asked[:, :3], -torch.inf).argmax(1)
    return (found == d).float().mean().item()


def test_the_control_shortcuts_and_shuffled_contexts_fall_short():
    sheet = (DATASETS / "relations" / "README.md").read_text(encoding="utf-8")
    found = {
        "b - a + c": accuracy(DATA.train),
        "c alone": accuracy(DATA.train, lambda a, b, c: c),
        "b alone": accuracy(DATA.train, lambda a, b, c: b),
        "b - a": accuracy(DATA.train, lambda a, b, c: b - a),
        "b - a + c, shuffled": accuracy(SHUFFLED),
    }
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d\.\d\d) \|$", sheet, re.M))
    assert found == pytest.approx({name: float(share) for name, share in rows.items()}, abs=0.02)
    answers = defaultdict(Counter)
    for q in DATA.test:
        answers[q.c][q.d] += 1
    best = sum(max(count.values()) for count in answers.values()) / len(DATA.test)
    assert best == pytest.approx(0.652, abs=0.001)  # whoever looks at c alone
    assert found["c alone"] < best


def test_shuffling_keeps_words_and_lengths_and_leaves_its_argument():
    sentences = ["a b c", "d", "e f"]
    found = sv.data.shuffle_words(sentences, seed=1)
    assert sentences == ["a b c", "d", "e f"]
    assert [len(row.split()) for row in found] == [3, 1, 2]
    assert sorted(" ".join(found).split()) == [*"abcdef"]
    assert SHUFFLED == sv.data.shuffle_words(DATA.train, 0) != sv.data.shuffle_words(DATA.train, 1)
    for given, error, words in (
        (("the king .",), TypeError, "sentences must be a list of words"),
        ((["a b"], -1), ValueError, "seed must be at least 0"),
    ):
        with pytest.raises(error, match=words):
            sv.data.shuffle_words(*given)
