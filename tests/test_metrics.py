import math
import random
from collections import Counter

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from seqviz.metrics import alignment_error_rate, bleu, perplexity


@pytest.mark.parametrize("vocab", [1, 2, 4, 65, 1000])
def test_uniform_logits_give_the_size_of_the_vocabulary(vocab):
    targets = torch.arange(6).reshape(2, 3) % vocab
    assert perplexity(torch.zeros(2, 3, vocab), targets) == pytest.approx(vocab, rel=1e-12)


def test_by_hand():
    logits = torch.tensor([[0.5, 0.25, 0.25], [0.1, 0.8, 0.1]], dtype=torch.float64).log()
    assert perplexity(logits, torch.tensor([0, 1])) == pytest.approx(1 / math.sqrt(0.5 * 0.8))


def test_certain_and_right_is_one_and_one_position_is_enough():
    assert perplexity(torch.tensor([100.0, 0.0]), torch.tensor(0)) == pytest.approx(1)


def test_padding_does_not_count():
    logits = torch.randn(4, 3)
    targets = torch.tensor([0, -100, 2, -100])
    assert perplexity(logits, targets) == perplexity(logits[[0, 2]], targets[[0, 2]])
    padded = torch.tensor([1, 0, 1, 0])
    kept = perplexity(logits[[0, 2]], padded[[0, 2]])
    assert perplexity(logits, padded, ignore_index=0) == kept


@pytest.mark.parametrize(
    ("logits", "targets", "error", "words"),
    [
        ([[0.0]], torch.tensor([0]), TypeError, "logits must be a float tensor, got list"),
        (torch.zeros(2, 3), torch.zeros(2), TypeError, "torch.long tensor, got torch.float32"),
        (torch.zeros(2, 3), torch.zeros(3).long(), ValueError, r"got \(2, 3\) and \(3,\)"),
        (torch.zeros(1, 3), torch.tensor([3]), ValueError, "between 0 and 2, got 3"),
        (torch.zeros(1, 3), torch.tensor([-1]), ValueError, "got -1"),
        (torch.zeros(1, 3), torch.tensor([-100]), ValueError, "at least one id"),
        (torch.full((1, 3), math.nan), torch.tensor([0]), ValueError, "NaN"),
    ],
)
def test_bad_input(logits, targets, error, words):
    with pytest.raises(error, match=words):
        perplexity(logits, targets)


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


def bleu_by_hand(hypotheses, references):
    """Papineni's formula, for corpora that have n-grams of every n in common."""
    logs = []
    for n in range(1, 5):
        found = total = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            ours, theirs = (
                Counter(zip(*(side[k:] for k in range(n)), strict=False))
                for side in (hypothesis, reference)
            )
            found, total = found + (ours & theirs).total(), total + ours.total()
        logs.append(math.log(found / total))
    lengths = [sum(map(len, side)) for side in (references, hypotheses)]
    return 100 * min(1, math.exp(1 - lengths[0] / lengths[1])) * math.exp(sum(logs) / 4)


@given(st.integers(0, 10**6))
def test_bleu_is_its_formula(seed):
    hypotheses, references = random_corpus(seed)
    common = ["the", "old", "man", "went", "home"]  # so that no share is 0
    hypotheses, references = [*hypotheses, common], [*references, common]
    expected = bleu_by_hand(hypotheses, references)
    assert bleu(hypotheses, references) == pytest.approx(expected, abs=1e-6)


def test_bleu_by_hand():
    reference = [["a", "b", "c", "d", "e"]]
    assert bleu(reference, reference) == pytest.approx(100)
    assert bleu([[]], reference) == 0
    assert bleu([["x", "y", "z", "x", "y"]], reference) == 0
    assert bleu([["a", "b", "c"]], [["a", "b", "c"]]) == 0, "there is no n-gram of 4 words"
    # 4 of 5 words, 2 of 4, 1 of 3, and none of 2: half an n-gram
    expected = 100 * (4 / 5 * 2 / 4 * 1 / 3 * 0.5 / 2) ** 0.25
    assert bleu([["a", "b", "c", "x", "d"]], reference) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("hypotheses", "references", "error", "words"),
    [
        ("a b", [["a"]], TypeError, "hypotheses must be a list of sentences, got the text 'a b'"),
        (
            ["a b"],
            [["a"]],
            TypeError,
            "each of hypotheses must be a list of words.*'a b': use text.split",
        ),
        ([["a"]], [[1]], TypeError, "each of references must be a list of words, got 1"),
        ([["a b"]], [["a"]], ValueError, "hypotheses must hold words without spaces, got 'a b'"),
        ([["a"]], [[""]], ValueError, "references must hold words without spaces, got ''"),
        ([], [], ValueError, "at least one, got 0 for 0"),
        ([["a"]], [["a"], ["b"]], ValueError, "one for each hypothesis.*got 2 for 1"),
        ([["a"], ["b"]], [["a"], []], ValueError, "must have words, number 1 has none"),
    ],
)
def test_bad_sentences(hypotheses, references, error, words):
    with pytest.raises(error, match=words):
        bleu(hypotheses, references)


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


link_sets = st.frozensets(st.tuples(st.integers(0, 3), st.integers(0, 3)))


@given(link_sets, link_sets, link_sets)
def test_the_rate_lies_between_zero_and_one(alignment, sure, more):
    if alignment or sure:
        rate = alignment_error_rate(alignment, sure, sure | more)
        assert 0 <= rate <= 1
        assert (rate == 0) == (sure <= alignment <= sure | more)
        assert alignment_error_rate(alignment, sure, sure | more | alignment) <= rate


@pytest.mark.parametrize(
    ("alignment", "sure", "possible", "error", "words"),
    [
        (
            A,
            S,
            {(0, 0)},
            ValueError,
            r"sure must lie within possible, but \(1, 2\).*sure . possible",
        ),
        (set(), set(), P, ValueError, "alignment and sure must not both be empty"),
        ([], [], [], ValueError, "must not both be empty"),
        (A, [S], [P, P], ValueError, "a set for each sentence, got 1, 1 and 2"),
        (
            [(0, 0)],
            S,
            P,
            TypeError,
            r"alignment must be a set of links.*\(0, 0\) in a list: use set",
        ),
        (A, None, P, TypeError, "sure must be a set of links, got NoneType"),
        (A, S, "links", TypeError, "possible must be a set of links, got str"),
        (A, S, (x for x in P), TypeError, "possible must be a set of links, got generator"),
    ],
)
def test_bad_links(alignment, sure, possible, error, words):
    with pytest.raises(error, match=words):
        alignment_error_rate(alignment, sure, possible)
