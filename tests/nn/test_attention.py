"""Six scores, one softmax: each is its formula, padding is not attended to."""

import pytest
import torch

from seqviz.nn import Attention
from seqviz.nn.attention import SCORES
from tests.refusing import refused

CLOSE = {"rtol": 0, "atol": 1e-10}
NAMES = list(SCORES)


def made(score, size=4, longest=7):
    return Attention(
        size, size, score, max_length=longest if score == "location" else None
    ).double()


def random(*shape):
    return torch.randn(shape, dtype=torch.float64)


def by_hand(attention, name, s, h):
    """The slide's formula for one query and one key (and its place)."""
    score = attention.score
    W, U, v = (getattr(score, n).weight if hasattr(score, n) else None for n in "WUv")
    return {
        "cosine": lambda i: s @ h[i] / s.norm() / h[i].norm() / score.log_temperature.exp(),
        "additive": lambda i: v[0] @ torch.tanh(W @ s + U @ h[i]),
        "location": lambda i: (W @ s)[i],
        "general": lambda i: s @ W @ h[i],
        "dot": lambda i: s @ h[i],
        "scaled dot": lambda i: s @ h[i] / 2,
    }[name]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_score_is_its_formula(name):
    attention, query, keys = made(name), random(3, 4), random(3, 5, 4)
    context, alpha = attention(query, keys)
    assert context.shape == (3, 4)
    assert alpha.shape == (3, 5)
    for b in range(3):
        e = torch.stack([by_hand(attention, name, query[b], keys[b])(i) for i in range(5)])
        expected = e.exp() / e.exp().sum()
        torch.testing.assert_close(alpha[b], expected, **CLOSE)
        torch.testing.assert_close(
            context[b], sum(a * h for a, h in zip(expected, keys[b], strict=True)), **CLOSE
        )


def test_the_cosine_has_a_temperature_above_zero_that_is_learned():
    attention = made("cosine")
    torch.testing.assert_close(attention.score.log_temperature.exp().item(), 0.1)
    query, keys = random(1, 4), random(1, 5, 4)
    attention(query, keys)[1][0, 0].backward()
    assert attention.score.log_temperature.grad != 0
    with torch.no_grad():
        attention.score.log_temperature.fill_(-20.0)  # very sharp
    best = torch.cosine_similarity(query[:, None], keys, dim=-1).argmax()
    assert attention(query, keys)[1][0, best] == 1


@pytest.mark.parametrize("name", NAMES)
def test_padding_has_weight_zero_and_is_never_read(name):
    attention, query, keys = made(name), random(2, 4), random(2, 6, 4)
    mask = torch.tensor([[0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1]]).bool()
    context, alpha = attention(query, keys, mask)
    assert (alpha[mask] == 0).all()
    assert (alpha[~mask] > 0).all()
    torch.testing.assert_close(alpha.sum(dim=1), torch.ones(2, dtype=torch.float64), **CLOSE)
    alone = attention(query[:1], keys[:1, :3])
    torch.testing.assert_close((context[:1], alpha[:1, :3]), alone, **CLOSE)
    keys[mask] = 9e9
    torch.testing.assert_close(attention(query, keys, mask), (context, alpha), **CLOSE)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_but_padding_gives_zero_and_finite_gradients(name):
    attention, query, keys = made(name), random(2, 4).requires_grad_(), random(2, 3, 4)
    mask = torch.tensor([[True] * 3, [False] * 3])
    context, alpha = attention(query, keys, mask)
    assert not context[0].any()
    assert not alpha[0].any()
    context.sum().backward()
    assert query.grad.isfinite().all()
    assert all(p.grad.isfinite().all() for p in attention.parameters())


@pytest.mark.parametrize("name", NAMES)
def test_many_queries_at_once_are_one_by_one(name):
    attention, query, keys = made(name), random(2, 3, 4), random(2, 5, 4)
    mask = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    context, alpha = attention(query, keys, mask)
    assert alpha.shape == (2, 3, 5)
    projected = attention.score.project(keys)
    for t in range(3):
        one = attention(query[:, t], keys, mask, projected)
        torch.testing.assert_close(one, (context[:, t], alpha[:, t]), **CLOSE)


def test_sizes_may_differ():
    for name in ("additive", "general"):
        context, alpha = Attention(3, 5, name)(torch.randn(2, 3), torch.randn(2, 4, 5))
        assert context.shape == (2, 5)
        assert alpha.shape == (2, 4)
    assert Attention(3, 5, attention_dim=11).score.W.weight.shape == (11, 3)
    for name in ("dot", "scaled dot", "cosine"):
        with pytest.raises(ValueError, match=f"score='{name}' needs equal sizes.*3 .*5.*'general'"):
            Attention(3, 5, name)


def test_what_does_not_fit():
    Q, K = torch.zeros(2, 4), torch.zeros(2, 3, 4)
    attention, short = Attention(4, 4), made("location", longest=5)
    wrong = {
        "'additive', 'location', .*got 'bilinear'": lambda: Attention(4, 4, "bilinear"),
        "attention_dim is of score='additive'": lambda: Attention(4, 4, "dot", 3),
        "max_length.*got max_length=None": lambda: Attention(4, 4, "location"),
        r"at most 5 steps.*max_length.*got 6": lambda: short(random(1, 4), random(1, 6, 4)),
        r"query must be \(batch, 4\) or .*got shape \(4,\)": lambda: attention(Q[0], K),
        r"keys must be \(2, time, 4\).*got shape \(1, 3, 4\)": lambda: attention(Q, K[:1]),
        r"mask must be \(2, 3\).*got shape \(3, 2\)": lambda: attention(Q, K, Q.mT[:3] > 0),
    }
    refused(ValueError, wrong)
    wrong = {
        "query must be a float tensor, got list": lambda: attention([[0.0]], K),
        "truth values, True for padding, got torch.float32: use": lambda: attention(Q, K, Q[:, 1:]),
    }
    refused(TypeError, wrong)
