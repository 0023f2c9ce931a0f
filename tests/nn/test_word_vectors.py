"""Skip-gram and GloVe: their losses and gradients by hand, their counts, what they learn."""

import math

import pytest
import torch

import seqviz as sv
from seqviz.nn import GloVe, SkipGram, unigram_noise
from tests.refusing import refused


def drawn(model):
    torch.manual_seed(0)
    for weight in model.parameters():
        torch.nn.init.normal_(weight)
    return model.double()


CENTER, CONTEXT = torch.tensor([0, 3, 3, 5]), torch.tensor([1, 0, 4, 5])
NEGATIVES = torch.tensor([[2, 2, 0], [3, 1, 5], [0, 4, 4], [1, 2, 3]])


def test_skip_gram_s_gradient_by_hand_is_autograd_s():
    model = drawn(SkipGram(6, 4))
    W, W_out = model.W.weight.detach(), model.W_out.weight.detach()
    dW, dW_out, loss = torch.zeros_like(W), torch.zeros_like(W_out), 0.0
    for c, o, drawn_ones in zip(CENTER, CONTEXT, NEGATIVES, strict=True):
        for word, label in ((o, 1.0), *((k, 0.0) for k in drawn_ones)):
            p = (W[c] @ W_out[word]).sigmoid()
            loss -= math.log(p if label else 1 - p) / 4
            dW[c] += (p - label) * W_out[word] / 4
            dW_out[word] += (p - label) * W[c] / 4
    found = model(CENTER, CONTEXT, NEGATIVES)
    found.backward()
    assert found.item() == pytest.approx(loss)
    torch.testing.assert_close(model.W.weight.grad, dW)
    torch.testing.assert_close(model.W_out.weight.grad, dW_out)


def test_glove_s_loss_is_the_weighted_square():
    model = drawn(GloVe(6, 4, x_max=10))
    x = torch.tensor([1.0, 10, 40, 0.5]).double()
    fitted = [
        model.W.weight[i] @ model.W_out.weight[j] + model.b[i] + model.b_out[j]
        for i, j in zip(CENTER, CONTEXT, strict=True)
    ]
    weights = [0.1**0.75, 1, 1, 0.05**0.75]
    squares = [w * (f - math.log(n)) ** 2 for w, f, n in zip(weights, fitted, x, strict=True)]
    torch.testing.assert_close(model(CENTER, CONTEXT, x), sum(squares) / 4)


def test_context_pairs_stay_in_their_sentence():
    pairs = sv.data.context_pairs(
        [torch.tensor([4, 5, 6]), torch.tensor([7]), torch.tensor([8, 9])], 1
    )
    expected = {(4, 5), (5, 4), (5, 6), (6, 5), (8, 9), (9, 8)}
    assert sorted(map(tuple, pairs.tolist())) == sorted(expected)


@pytest.mark.parametrize("window", [1, 3, 20])
def test_cooccurrences_are_counted_by_hand(window):
    ids, expected = [3, 1, 3, 3, 0, 5, 1, 2], {}
    for a, first in enumerate(ids):
        for b, second in enumerate(ids):
            if 0 < abs(a - b) <= window:
                expected[first, second] = expected.get((first, second), 0) + 1 / abs(a - b)
    i, j, x = sv.data.cooccurrences([torch.tensor(ids)], window)
    found = dict(zip(zip(i.tolist(), j.tolist(), strict=True), x.tolist(), strict=True))
    assert found == pytest.approx(expected)
    assert len(sv.data.context_pairs([torch.tensor(ids)], window)) >= len(found)


def test_noise_lifts_rare_words():
    p = unigram_noise(torch.tensor([16, 1, 0]))
    torch.testing.assert_close(p, torch.tensor([8 / 9, 1 / 9, 0]).double())
    torch.testing.assert_close(
        unigram_noise(torch.tensor([16, 1, 0]), 0)[:2], torch.full((2,), 0.5).double()
    )


def test_bad_input_is_told():
    skip, glove, ones = SkipGram(6, 4), GloVe(6, 4), torch.ones
    pairs = sv.data.context_pairs
    wrong = {
        "x_max must be": lambda: GloVe(4, 4, x_max=0),
        "equally long": lambda: skip(CENTER, CONTEXT[:2], NEGATIVES),
        "must lie between": lambda: SkipGram(5, 4)(CENTER, CONTEXT, NEGATIVES),
        "negatives must be": lambda: skip(CENTER, CONTEXT, CONTEXT),
        "x must be above 0": lambda: glove(CENTER, CONTEXT, ones(4) * 0),
        "x must be equally long": lambda: glove(CENTER, CONTEXT, ones(3)),
        "power must": lambda: unigram_noise(ones(3), 2),
    }
    refused(ValueError, wrong)
    wrong = {
        "x must be a float tensor": lambda: glove(CENTER, CONTEXT, CONTEXT),
        "each of sentences": lambda: pairs([[1, 2]], 2),
    }
    refused(TypeError, wrong)
