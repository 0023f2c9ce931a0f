"""Skip-gram and GloVe: their losses and gradients by hand, their counts, what they learn."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import seqviz as sv
from seqviz.nn import GloVe, SkipGram, unigram_noise

torch.set_num_threads(1)


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


def test_vectors_are_the_mean_of_both_tables():
    model = drawn(SkipGram(6, 4))
    torch.testing.assert_close(model.vectors, (model.W.weight + model.W_out.weight).detach() / 2)
    assert not model.vectors.requires_grad


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


def counts():
    made = torch.Generator().manual_seed(3)
    text = torch.randint(12, (400,), generator=made)
    return sv.data.cooccurrences([text], 3)


def test_glove_falls_to_the_same_minimum_from_two_starts():
    i, j, x = counts()
    ends = []
    for seed in (0, 1):
        torch.manual_seed(seed)
        model = GloVe(12, 12, x_max=5)
        optimizer = torch.optim.LBFGS(
            model.parameters(), max_iter=300, line_search_fn="strong_wolfe"
        )

        def closure(model=model, optimizer=optimizer):
            optimizer.zero_grad()
            loss = model(i, j, x)
            loss.backward()
            return loss

        first = optimizer.step(closure).item()
        ends.append(model(i, j, x).item())
        assert ends[-1] < 1e-3 * first
    assert abs(ends[0] - ends[1]) < 1e-3


def test_context_pairs_stay_in_their_sentence():
    pairs = sv.data.context_pairs(
        [torch.tensor([4, 5, 6]), torch.tensor([7]), torch.tensor([8, 9])], 1
    )
    expected = {(4, 5), (5, 4), (5, 6), (6, 5), (8, 9), (9, 8)}
    assert sorted(map(tuple, pairs.tolist())) == sorted(expected)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=12), st.integers(1, 20))
def test_cooccurrences_are_counted_by_hand(ids, window):
    expected = {}
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


def test_words_in_like_company_come_together():
    """Twenty words of two kinds; each stands among its own kind alone."""
    made = torch.Generator().manual_seed(0)
    kinds = torch.randint(2, (600, 1), generator=made) * 10
    sentences = list(kinds + torch.randint(10, (600, 6), generator=made))
    pairs = sv.data.context_pairs(sentences, 2)
    p = unigram_noise(torch.bincount(torch.cat(sentences), minlength=20))
    torch.manual_seed(0)
    model = SkipGram(20, 8)
    adam = torch.optim.Adam(model.parameters(), 0.02)
    for _ in range(150):
        rows = pairs[torch.randint(len(pairs), (256,), generator=made)]
        negatives = p.multinomial(256 * 5, replacement=True, generator=made).view(256, 5)
        adam.zero_grad()
        model(*rows.T, negatives).backward()
        adam.step()
    unit = torch.nn.functional.normalize(model.vectors, dim=1)
    alike = unit @ unit.T
    assert alike[:10, :10].mean() > alike[:10, 10:].mean() + 0.5


@pytest.mark.parametrize(
    ("run", "error", "words"),
    [
        (lambda: SkipGram(0, 4), ValueError, "vocab_size must be"),
        (lambda: GloVe(4, 4, x_max=0), ValueError, "x_max must be"),
        (lambda: SkipGram(6, 4)(CENTER, CONTEXT[:2], NEGATIVES), ValueError, "equally long"),
        (lambda: SkipGram(5, 4)(CENTER, CONTEXT, NEGATIVES), ValueError, "must lie between"),
        (lambda: SkipGram(6, 4)(CENTER, CONTEXT, CONTEXT), ValueError, "negatives must be"),
        (lambda: GloVe(6, 4)(CENTER, CONTEXT, CONTEXT), TypeError, "x must be a float tensor"),
        (lambda: GloVe(6, 4)(CENTER, CONTEXT, torch.zeros(4)), ValueError, "x must be above 0"),
        (lambda: GloVe(6, 4)(CENTER, CONTEXT, torch.ones(3)), ValueError, "equally long"),
        (lambda: unigram_noise(torch.zeros(3)), ValueError, "counts must be"),
        (lambda: unigram_noise([1, 2]), TypeError, "counts must be a tensor"),
        (lambda: unigram_noise(torch.ones(3), 2), ValueError, "power must"),
        (lambda: sv.data.context_pairs([], 2), ValueError, "two words or more"),
        (lambda: sv.data.context_pairs([torch.tensor([1])], 2), ValueError, "two words or more"),
        (lambda: sv.data.context_pairs([[1, 2]], 2), TypeError, "each of sentences"),
        (lambda: sv.data.cooccurrences([torch.tensor([1, 2])], 0), ValueError, "window must"),
    ],
)
def test_bad_input_is_told(run, error, words):
    with pytest.raises(error, match=words):
        run()
