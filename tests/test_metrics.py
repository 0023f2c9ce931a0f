import math

import pytest
import torch

from seqviz.metrics import perplexity


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
