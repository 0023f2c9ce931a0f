import math
import random

import pytest
import torch
from sacrebleu.metrics import BLEU

from seqviz.metrics import alignment_error_rate, bleu, perplexity
from tests.refusing import refused


def test_perplexity_by_hand():
    targets = torch.arange(6).reshape(2, 3)
    assert perplexity(torch.zeros(2, 3, 65), targets) == pytest.approx(65, rel=1e-12)
    assert perplexity(torch.tensor([100.0, 0.0]), torch.tensor(0)) == pytest.approx(1)
    logits = torch.tensor([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1]], dtype=torch.float64).log()
    assert perplexity(logits, torch.tensor([0, 1])) == pytest.approx(1 / math.sqrt(0.5 * 0.8))


def test_padding_does_not_count():
    logits = torch.randn(4, 3)
    targets = torch.tensor([0, -100, 2, -100])
    assert perplexity(logits, targets) == perplexity(logits[[0, 2]], targets[[0, 2]])
    padded = torch.tensor([1, 0, 1, 0])
    kept = perplexity(logits[[0, 2]], padded[[0, 2]])
    assert perplexity(logits, padded, ignore_index=0) == kept


def test_bad_input():
    zeros = torch.zeros(1, 3)
    wrong = {
        r"got \(1, 3\) and \(3,\)": lambda: perplexity(zeros, torch.zeros(3).long()),
        "between 0 and 2, got 3": lambda: perplexity(zeros, torch.tensor([3])),
        "at least one id": lambda: perplexity(zeros, torch.tensor([-100])),
        "NaN": lambda: perplexity(zeros * math.nan, torch.tensor([0])),
    }
    refused(ValueError, wrong)
    wrong = {
        "logits must be a float tensor, got list": lambda: perplexity([[0.0]], torch.tensor([0])),
    }
    refused(TypeError, wrong)


def random_corpus(seed):
    """Hypotheses near their references, some of them far off or empty."""
    draw = random.Random(seed)
    words = [*"abcdefg", "l'", "&quot;", "...", "été", "U.S.", "don't", "-", "."][
        : draw.randint(2, 15)
    ]
    hypotheses, references = [], []
    for _ in range(draw.randint(1, 12)):
        reference = draw.choices(words, k=draw.randint(1, 12))
        kept = [w for w in reference if draw.random() < 0.8]
        near = [draw.choice(words) if draw.random() < 0.2 else w for w in kept]
        far = draw.choices(words, k=draw.randint(0, 6))
        hypotheses.append(draw.choice([near, near, near, far, []]))
        references.append(reference)
    return hypotheses, references


def test_bleu_is_sacrebleus_on_200_corpora():
    scores = []
    for seed in range(200):
        hypotheses, references = random_corpus(seed)
        joined = [[" ".join(sentence) for sentence in side] for side in (hypotheses, references)]
        theirs = BLEU(tokenize="none").corpus_score(joined[0], [joined[1]]).score
        assert bleu(hypotheses, references) == pytest.approx(theirs, abs=1e-6)
        scores.append(theirs)
    assert sum(0 < score < 100 for score in scores) > 100


def test_bleu_by_hand():
    reference = [["a", "b", "c", "d", "e"]]
    assert bleu(reference, reference) == pytest.approx(100)
    assert bleu([[]], reference) == 0
    assert bleu([["x", "y", "z", "x", "y"]], reference) == 0
    assert bleu([["a", "b", "c"]], [["a", "b", "c"]]) == 0, "there is no n-gram of 4 words"
    # 4 of 5 words, 2 of 4, 1 of 3, and none of 2: half an n-gram
    expected = 100 * (4 / 5 * 2 / 4 * 1 / 3 * 0.5 / 2) ** 0.25
    assert bleu([["a", "b", "c", "x", "d"]], reference) == pytest.approx(expected)


def test_bad_sentences():
    a = [["a"]]
    wrong = {
        "hypotheses must hold words without spaces, got 'a b'": lambda: bleu([["a b"]], a),
        "at least one, got 0 for 0": lambda: bleu([], []),
        "one for each hypothesis.*got 2 for 1": lambda: bleu(a, [["a"], ["b"]]),
        "must have words, number 1 has none": lambda: bleu([["a"], ["b"]], [["a"], []]),
    }
    refused(ValueError, wrong)
    wrong = {
        "hypotheses must be a list of sentences, got the text 'a b'": lambda: bleu("a b", a),
        "each of hypotheses must be .* words.*'a b': use text.split": lambda: bleu(["a b"], a),
    }
    refused(TypeError, wrong)


A, S, P = {(0, 0), (1, 1), (2, 5)}, {(0, 0), (1, 2)}, {(0, 0), (1, 2), (1, 1)}


def test_alignment_error_rate_by_hand():
    # A and S share 1, A and P share 2, A has 3 and S 2
    assert alignment_error_rate(A, S, P) == pytest.approx(1 - (1 + 2) / (3 + 2))
    assert alignment_error_rate(S, S, P) == 0
    assert alignment_error_rate(P, S, P) == 0, "a possible link costs nothing"
    assert alignment_error_rate({(9, 9)}, S, P) == 1
    assert alignment_error_rate(set(), S, P) == 1, "no link is found"
    assert alignment_error_rate({(1, 1)}, set(), {(1, 1)}) == 0


def test_sentences_are_counted_together():
    one, two = (A, S, P), ({(0, 0)}, {(0, 0)}, {(0, 0)})
    together = alignment_error_rate(*([a, b] for a, b in zip(one, two, strict=True)))
    assert together == pytest.approx(1 - (3 + 2) / (5 + 2))
    tagged = [
        {(n, *link) for n, links in enumerate(pair) for link in links}
        for pair in zip(one, two, strict=True)
    ]
    assert together == alignment_error_rate(*tagged)
    empty = (set(), set(), set())
    assert alignment_error_rate(*zip(one, empty, strict=True)) == alignment_error_rate(*one)


def test_bad_links():
    rate = alignment_error_rate
    wrong = {
        r"sure must lie within possible, but \(1, 2\).*sure . poss": lambda: rate(A, S, {(0, 0)}),
        "alignment and sure must not both be empty": lambda: rate(set(), set(), P),
        "a set for each sentence, got 1, 1 and 2": lambda: rate(A, [S], [P, P]),
    }
    refused(ValueError, wrong)
    wrong = {
        r"alignment must be .*\(0, 0\) in a list: use set": lambda: rate([(0, 0)], S, P),
        "possible must be a set of links, got str": lambda: rate(A, S, "links"),
    }
    refused(TypeError, wrong)
