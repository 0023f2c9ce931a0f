"""Sentences that carry relations: what tells a form, what no sentence tells, and the controls."""

import dataclasses
import re
from collections import Counter, defaultdict

import pytest
import torch

import seqviz as sv
from seqviz.data.generators.relations import grammar
from seqviz.data.generators.relations.lexicon import COUNTRIES, NOUNS, SENSES, VERBS
from seqviz.data.registry import shipped_folder

DATA = sv.data.load("relations")
ROWS = [sentence.split() for sentence in DATA.train]
SHUFFLED = sv.data.shuffle_words(DATA.train)
TABLES = {"noun": NOUNS, "verb": VERBS, "country": COUNTRIES}
FAMILIES = [family for table in TABLES.values() for family in table]
FAMILY = {word: family for family in FAMILIES for word in family}
WORDS = sorted({word for row in ROWS for word in row})


def test_sizes():
    assert [len(part) for part in (DATA.train, DATA.val, DATA.test)] == [12000, 644, 644]
    assert len(WORDS) == 405
    assert sum(map(len, ROWS)) == 123849
    assert {len(row) for row in ROWS} == {7, 8, 9, 10, 11, 12, 14}
    assert (shipped_folder() / "relations" / "relations.txt").stat().st_size < 700_000
    for part in (DATA.val, DATA.test):
        count = Counter(question.relation for question in part)
        assert count == {"gender": 224, "plural": 224, "past": 112, "capital": 84}


def test_every_form_belongs_to_one_family_and_is_no_cue():
    cues = {cue for table in TABLES.values() for row in table.values() for cue in row}
    assert len(FAMILY) == sum(map(len, FAMILIES)) == 154
    assert not cues & {*FAMILY}
    assert not {*FAMILY} & {word for pair in SENSES.items() for word in (pair[0], *pair[1])}


def test_a_sentence_has_one_word_of_one_family_or_of_one_sense():
    either = {*FAMILY} | {word for name, two in SENSES.items() for word in (name, *two)}
    for row in ROWS:
        assert sum(word in either for word in row) == 1, row


def test_each_word_of_a_question_comes_often_already_in_the_first_eighth():
    first = Counter(word for row in ROWS[:1500] for word in row)
    count = Counter(word for row in ROWS for word in row)
    asked = {w for q in DATA.val + DATA.test for w in (q.a, q.b, q.c, q.d)}
    assert {*first} == {*WORDS}
    assert asked == set(FAMILY) - {w for family in (*VERBS, *COUNTRIES) for w in family[2:]}
    assert min(count[word] for word in asked) >= 40


def test_the_families_of_the_two_lists_are_disjoint_and_each_question_comes_once():
    val, test = ({FAMILY[w] for q in part for w in (q.a, q.c)} for part in (DATA.val, DATA.test))
    assert not val & test
    assert val | test == {*FAMILIES}
    questions = DATA.val + DATA.test
    assert len({*questions}) == len(questions)


def test_a_question_asks_for_the_same_change_of_form_in_another_family():
    for q in DATA.val + DATA.test:
        one, other = FAMILY[q.a], FAMILY[q.c]
        assert one is not other
        assert (one.index(q.a), one.index(q.b)) == (other.index(q.c), other.index(q.d))
        assert {q.a, q.b} <= {*one}
        assert {q.c, q.d} <= {*other}


def test_the_change_of_form_is_the_relation():
    forms = defaultdict(set)
    for q in DATA.val + DATA.test:
        family = FAMILY[q.a]
        forms[q.relation].add((family.index(q.a), family.index(q.b)))
    both = {(0, 1), (1, 0)}
    assert forms["past"] == forms["capital"] == both
    assert forms["gender"] == both | {(2, 3), (3, 2)}
    assert forms["plural"] == {(0, 2), (2, 0), (1, 3), (3, 1)}


# Controls.


def accuracy(sentences, by=lambda a, b, c: b - a + c):
    """Share of the test questions that logs of counts answer, inputs left out."""
    ids = [torch.tensor([WORDS.index(word) for word in row.split()]) for row in sentences]
    pairs = sv.data.context_pairs(ids, 4)
    counts = torch.zeros(len(WORDS), len(WORDS)).index_put_(
        (pairs[:, 0], pairs[:, 1]), torch.ones(len(pairs)), accumulate=True
    )
    v = (1 + counts).log()
    v = v / v.norm(dim=1, keepdim=True)
    asked = torch.tensor([[WORDS.index(w) for w in (q.a, q.b, q.c, q.d)] for q in DATA.test])
    a, b, c, d = asked.T
    found = (by(v[a], v[b], v[c]) @ v.T).scatter(1, asked[:, :3], -torch.inf).argmax(1)
    return (found == d).float().mean().item()


def test_the_relations_can_be_read_off_contexts_and_not_off_shuffled_ones():
    assert accuracy(DATA.train) > 0.95
    assert accuracy(SHUFFLED) < 0.02


def test_shortcuts_fall_short():
    sheet = (shipped_folder() / "relations" / "README.md").read_text(encoding="utf-8")
    found = {
        "b - a + c": accuracy(DATA.train),
        "c alone": accuracy(DATA.train, lambda a, b, c: c),
        "b alone": accuracy(DATA.train, lambda a, b, c: b),
        "b - a": accuracy(DATA.train, lambda a, b, c: b - a),
        "b - a + c, shuffled": accuracy(SHUFFLED),
    }
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d\.\d\d) \|$", sheet, re.M))
    assert found == pytest.approx({name: float(share) for name, share in rows.items()}, abs=0.02)
    assert max(found["c alone"], found["b alone"], found["b - a"]) < 0.66


def test_whoever_looks_at_c_alone_gets_at_most_two_thirds():
    answers = defaultdict(Counter)
    for q in DATA.test:
        answers[q.c][q.d] += 1
    best = sum(max(count.values()) for count in answers.values())
    assert best / len(DATA.test) == pytest.approx(0.652, abs=0.001)


def test_shuffling_keeps_words_and_lengths_and_leaves_its_argument():
    count = Counter(word for row in ROWS for word in row)
    assert Counter(word for row in SHUFFLED for word in row.split()) == count
    assert [len(row.split()) for row in SHUFFLED] == [len(row) for row in ROWS]
    assert DATA.train != SHUFFLED
    assert sv.data.shuffle_words(DATA.train, seed=0) == SHUFFLED
    assert sv.data.shuffle_words(DATA.train, seed=1) != SHUFFLED


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        (("the king .",), TypeError, "sentences must be a list of words"),
        ((["a b", 3],), TypeError, "sentences must be a list of words, got 3"),
        ((["a b"], -1), ValueError, "seed must be at least 0"),
        ((["a b"], "0"), TypeError, "seed must be an integer"),
    ],
)
def test_bad_input_of_the_shuffle(given, error, words):
    with pytest.raises(error, match=words):
        sv.data.shuffle_words(*given)


def test_both_senses_come_equally_often():
    for word, others in SENSES.items():
        mine = [row for row in ROWS if word in row]
        cues = [{w for frame in frames for w in frame.split()} for frames in grammar.SENSE[word]]
        first = [sum(w in cues[0] - cues[1] for w in row) for row in mine]
        second = [sum(w in cues[1] - cues[0] for w in row) for row in mine]
        senses = [one > two for one, two in zip(first, second, strict=True)]
        assert abs(sum(senses) - len(mine) / 2) < 4 * (len(mine) / 4) ** 0.5
        assert all(any(other in row for row in ROWS) for other in others)


def test_a_question_is_frozen_and_its_line_says_all():
    kind = sv.data.Quadruple
    assert all(kind.from_line(question.line) == question for question in DATA.test)
    with pytest.raises(dataclasses.FrozenInstanceError):
        DATA.test[0].d = "king"
