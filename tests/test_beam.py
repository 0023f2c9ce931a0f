"""Beam search keeps its whole tree, and finds what a search through everything finds."""

import itertools
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from seqviz.decoding import beam, greedy
from seqviz.nn import LanguageModel
from tests.refusing import refused

torch.set_num_threads(1)
WORDS = ["<START>", "he", "I", "hit", "struck", "was", "got", "a", "me", "tart", "pie", "with",
         "on", "in", "one"]  # fmt: skip


def replay(table):
    """A step that looks its log-probabilities up: {words so far: {next word: log-probability}}.

    Its state is what each row has read, a list of tuples of words.
    """

    def step(ids, state):
        before = state or [()] * len(ids)
        read = [(*words, WORDS[i]) for words, i in zip(before, ids, strict=True)]
        logits = torch.zeros(len(ids), len(WORDS), dtype=torch.float64)
        for row, words in zip(logits, read, strict=True):
            nexts = table.get(" ".join(words[1:]), {})
            rest = 1 - sum(map(math.exp, nexts.values()))  # shared by the words not named
            row += math.log(rest / (len(WORDS) - len(nexts)))
            for word, log_p in nexts.items():
                row[WORDS.index(word)] = log_p
        return logits, read

    return step, lambda state, rows: [state[row] for row in rows]


# Deck 002 writes out he -0.7 and I -0.9; the other numbers are made in the shape of its tree.
SCORES = {
    "he": -0.7, "I": -0.9,
    "he hit": -1.7, "he struck": -2.9, "I was": -1.6, "I got": -1.8,
    "he hit a": -2.8, "he hit me": -2.5, "I was hit": -2.9, "I was struck": -3.8,
    "he hit a tart": -4.0, "he hit a pie": -3.4, "he hit me with": -3.3, "he hit me on": -3.5,
    "he hit a pie in": -4.6, "he hit a pie with": -4.9,
    "he hit me with a": -3.7, "he hit me with one": -4.5,
    "he hit me with a tart": -4.6, "he hit me with a pie": -4.3,
    "he hit me with one pie": -5.2, "he hit me with one tart": -5.4,
}  # fmt: skip
KEPT = {
    "he", "I", "he hit", "I was", "he hit a", "he hit me", "he hit a pie", "he hit me with",
    "he hit me with a", "he hit me with one", "he hit me with a pie", "he hit me with a tart",
}  # fmt: skip
TREE = {}
for _words, _score in SCORES.items():
    _before, _, _last = _words.rpartition(" ")
    TREE.setdefault(_before, {})[_last] = _score - SCORES.get(_before, 0.0)


def said(tree, node):
    return " ".join(WORDS[i] for i in tree.path(node))


def test_the_decks_tree_is_replayed():
    step, select = replay(TREE)
    tree = beam(step, [0], 6, width=2, select=select)
    nodes = {said(tree, node): node for node in range(len(tree))}
    assert nodes.keys() == SCORES.keys(), "every branch, the pruned ones too"
    for words, node in nodes.items():
        before, _, last = words.rpartition(" ")
        assert tree.score[node] == pytest.approx(SCORES[words])
        assert tree.log_probability[node] == pytest.approx(TREE[before][last])
        assert tree.step[node] == len(words.split())
        assert tree.parent[node] == nodes.get(before, -1)
        assert tree.token[node] == WORDS.index(last)
        assert tree.kept[node] == (words in KEPT), words
    assert [WORDS[i] for i in tree.best] == ["he", "hit", "me", "with", "a", "pie"]
    assert [round(h.score, 6) for h in tree.hypotheses] == [-4.3, -4.6]
    assert not tree.complete
    assert not tree.finished.any()


def score(step, ids):
    """Sum of the log-probabilities of ids after the prompt [0]."""
    total, state = 0.0, None
    for before, i in itertools.pairwise([0, *ids]):
        logits, state = step(torch.tensor([before]), state)
        total += logits[0].double().log_softmax(0)[i].item()
    return total


def random_model(seed, vocab):
    """A model whose every prefix has a distribution of its own, as a step and its select."""

    def step(ids, state):
        before = state or [()] * len(ids)
        read = [(*prefix, int(i)) for prefix, i in zip(before, ids, strict=True)]
        rows = []
        for prefix in read:
            number = seed
            for i in prefix:
                number = (31 * number + i + 1) % 2**31
            rows.append(torch.randn(vocab, generator=torch.Generator().manual_seed(number)))
        return torch.stack(rows), read

    return step, lambda state, rows: [state[row] for row in rows]


def everything(step, vocab, length, stop):
    """All sequences that end with stop within the length; if stop is None, all of the length."""
    found = {}
    for n in range(1, length + 1):
        for ids in itertools.product(range(vocab), repeat=n):
            ended = stop in ids
            if (ended and ids.index(stop) == n - 1) or (stop is None and n == length):
                found[ids] = score(step, ids)
    return found


@settings(max_examples=30)
@given(
    seed=st.integers(0, 10**6),
    vocab=st.integers(2, 3),
    length=st.integers(1, 4),
    penalty=st.sampled_from([0.0, 0.6, 1.0, 2.0]),
    stops=st.booleans(),
)
def test_a_beam_as_wide_as_all_sequences_is_exhaustive(seed, vocab, length, penalty, stops):
    step, select = random_model(seed, vocab)
    stop = 0 if stops else None
    found = everything(step, vocab, length, stop)
    tree = beam(
        step, [0], length, width=vocab**length, stop=stop, length_penalty=penalty, select=select
    )
    expected = sorted((total / len(ids) ** penalty for ids, total in found.items()), reverse=True)
    assert [h.score for h in tree.hypotheses] == pytest.approx(expected)
    assert {tuple(h.ids) for h in tree.hypotheses} == found.keys()
    assert tree.complete == stops
    best = max(found, key=lambda ids: found[ids] / len(ids) ** penalty)
    assert tree.best == list(best)


def test_width_one_is_greedy():
    for seed in range(10):
        step, select = random_model(seed, 1 + seed % 6)
        stop = 0 if seed % 2 else None
        tree = beam(step, [0], 5, width=1, stop=stop, select=select)
        assert tree.best == greedy(step, [0], 5, stop=stop)
        assert tree.complete == (tree.best[-1] == stop)

    def even(ids, state):
        return torch.tensor([[1.0, 2.0, 2.0, 2.0]] * len(ids)), None

    assert beam(even, [0], 3, width=1).best == greedy(even, [0], 3) == [1, 1, 1]


def test_a_hypothesis_that_ends_is_set_aside_and_keeps_its_place():
    calls = []

    def step(ids, state):
        calls.append(len(ids))
        rows = {0: [-9.0, 0.0, 0.1, -9.0], 1: [-9.0, -9.0, -9.0, 9.0], 2: [-9.0, 1.0, 2.0, -9.0]}
        return torch.tensor([rows[int(i)] for i in ids]), None

    tree = beam(step, [0], 4, width=2, stop=3)
    assert calls == [1, 2, 1, 1], "rows of each step: one has ended after the second"
    assert tree.hypotheses[0].ids == [1, 3]
    assert tree.complete
    assert sum(tree.finished) == 1
    assert len(tree.hypotheses) == 1, "those that did not end do not count beside one that did"


def test_sentences_of_a_batch_never_mix():
    """Each row of a prompt has the tree that it has alone, though they end at different steps."""
    step, select = random_model(3, 3)
    prompts = [[0, 1], [2, 2], [2, 0], [1, 0], [1, 2]]
    trees = beam(step, prompts, 8, width=2, stop=1, length_penalty=0.5, select=select)
    assert len({tree.step.max() for tree in trees}) > 1
    for prompt, tree in zip(prompts, trees, strict=True):
        alone = beam(step, prompt, 8, width=2, stop=1, length_penalty=0.5, select=select)
        assert tree.hypotheses == alone.hypotheses
        for name in ("step", "parent", "token", "score", "kept", "finished"):
            np.testing.assert_array_equal(getattr(tree, name), getattr(alone, name))


def test_a_language_model_selects_its_state():
    torch.manual_seed(0)
    model = LanguageModel(6, 8, num_layers=2)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    tree = beam(model.step, [1, 2], 5, width=4, select=model.select)
    for node in range(len(tree)):
        ids = tree.path(node)
        logits, _ = model(torch.tensor([1, 2, *ids])[:, None])
        log_p = logits[1:-1, 0].double().log_softmax(-1)
        total = log_p[torch.arange(len(ids)), ids].sum()
        assert tree.score[node] == pytest.approx(total.item(), abs=1e-5)
    with pytest.raises(TypeError, match=r"select must be given.*select=model.select"):
        beam(model.step, [1, 2], 5)


def test_a_tensor_with_the_batch_first_needs_no_select():
    def step(ids, state):
        sums = ids if state is None else state + ids
        return torch.nn.functional.one_hot(sums % 4, 4).double(), sums

    tree = beam(step, [1], 4, width=3)
    for node in range(len(tree)):
        before = sum([1, *tree.path(node)[:-1]]) % 4
        likely = tree.token[node] == before
        assert tree.log_probability[node] == pytest.approx(likely - math.log(math.e + 3))


def flat(ids, state):
    return torch.zeros(len(ids), 4), state


def test_what_does_not_fit():
    def searched(prompt=(0,), length=3, step=flat, **options):
        return lambda: beam(step, list(prompt), length, **options)

    wrong = {
        "finite and at least 0, got -1": searched(length_penalty=-1),
        "^node must be at least 0, got -1": lambda: beam(flat, [0], 1).path(-1),
    }
    refused(ValueError, wrong)
    wrong = {
        "select must be given.*got dict": searched(state={"h": 1}),
        r"no tensor \(1, ...\), got shape \(2, 5": searched(state=torch.zeros(2, 5)),
    }
    refused(TypeError, wrong)
