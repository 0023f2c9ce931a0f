"""Attention among torch's functions: every way to weigh a sum, and what a softmax goes through."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import seqviz as sv
from seqviz.recording.fused import defined

B, H, Q, K, D = 2, 3, 4, 5, 6


class Doing(nn.Module):
    """Does one thing with scores and values; says how many heads it has, if any."""

    def __init__(self, do, heads=None):
        super().__init__()
        self.do = do
        if heads:
            self.num_heads = heads

    def forward(self, *given):
        return self.do(*given)


def recorded(do, *given, heads=None):
    """The calls recorded while a function runs, and what it gave."""
    model = Doing(do, heads).train()
    with sv.record(model) as rec:
        result = model(*given)
    return rec.attention[""], result


def drops(weights):
    return F.dropout(weights, 0.5)


SUMS = {
    "@": lambda w, v: w @ v,
    "matmul": lambda w, v: torch.matmul(w, other=v),
    "values on the left": lambda w, v: (v.mT @ w.mT).mT,
    "bmm": lambda w, v: torch.bmm(w.flatten(0, 1), v.flatten(0, 1)).unflatten(0, (B, H)),
    "baddbmm": lambda w, v: torch.baddbmm(
        torch.zeros(1), w.flatten(0, 1), v.flatten(0, 1), beta=0
    ).unflatten(0, (B, H)),
    "einsum": lambda w, v: torch.einsum("bhqk,bhkd->bhqd", w, v),
    "einsum, values first": lambda w, v: torch.einsum("bhkd, bhqk -> bqhd", v, w).transpose(1, 2),
    "einsum, dots": lambda w, v: torch.einsum("...qk,...kd->...qd", w, v),
    "einsum, a list": lambda w, v: torch.einsum("nqk,nkd->nqd", [w.flatten(0, 1), v.flatten(0, 1)])
    .unflatten(0, (B, H)),
    "product and sum": lambda w, v: (w.unsqueeze(-1) * v.unsqueeze(2)).sum(3),
    "expanded": lambda w, v: (
        w.unsqueeze(-1).expand(B, H, Q, K, D) * v.unsqueeze(2).expand(B, H, Q, K, D)
    ).sum(3),
    "a place kept": lambda w, v: (w.unsqueeze(-1) * v.unsqueeze(2)).sum(3, keepdim=True).squeeze(3),
    "torch.sum": lambda w, v: torch.sum(v.unsqueeze(2) * w[..., None], dim=-2),
}  # fmt: skip


@pytest.mark.parametrize("sum", SUMS)
def test_every_way_to_weigh_a_sum(sum):
    given = scores, v = torch.randn(B, H, Q, K), torch.randn(B, H, K, D)
    whole, result = recorded(lambda e, v: SUMS[sum](e.softmax(-1), v), *given, heads=H)
    dropped, _ = recorded(lambda e, v: SUMS[sum](drops(e.softmax(-1)), v), *given, heads=H)
    for (call,) in (whole, dropped):
        assert call.dims == ("batch", "head", "query", "key")
        np.testing.assert_allclose(call, scores.softmax(-1), atol=1e-6)
    torch.testing.assert_close(result, scores.softmax(-1) @ v)


WAYS = {
    "nothing": lambda w: w,
    "cast": lambda w: w.double().type_as(w),
    "shape": lambda w: w.reshape(B * H, Q, K).view(B, H, Q, K).contiguous().clone(),
    "axes": lambda w: w.permute(2, 0, 1, 3).movedim(0, 2).mT.transpose(-1, -2),
    "in place": lambda w: w.mul_(0.5),
    "a number": lambda w: 2 * w / 2,
    "a mask of heads": lambda w: w * torch.tensor([1.0, 0.0, 1.0]).view(1, H, 1, 1),
    "masked": lambda w: w.masked_fill(torch.eye(Q, K).bool(), 0),
    "parted and joined": lambda w: torch.cat(w.split(1, dim=1), dim=1),
    "indexed": lambda w: torch.stack([w[0], w[1]])[:, :, torch.arange(Q)],
    "normed anew": lambda w: w / w.sum(-1, keepdim=True),
}


@pytest.mark.parametrize("way", WAYS)
def test_weights_are_followed(way):
    given = scores, _ = torch.randn(B, H, Q, K), torch.randn(B, H, K, D)
    before = WAYS[way](scores.softmax(-1))
    whole, _ = recorded(lambda e, v: WAYS[way](e.softmax(-1)) @ v, *given, heads=H)
    dropped, _ = recorded(lambda e, v: WAYS[way](drops(e.softmax(-1))) @ v, *given, heads=H)
    for (call,) in (whole, dropped)[: 1 if way == "normed anew" else 2]:
        np.testing.assert_allclose(call, before, atol=1e-6)


def test_every_dropout():
    scores, v = torch.randn(B, H, Q, K), torch.randn(B, H, K, D)
    for drop in (
        lambda w: F.dropout(w, 0.5, True, True),
        lambda w: torch.dropout(w, 0.5, True),
        nn.Dropout(0.5, inplace=True),
        lambda w: F.dropout(F.dropout(w, 0.3), 0.3),
    ):
        (call,), _ = recorded(lambda e, v, drop=drop: drop(e.softmax(-1)) @ v, scores, v, heads=H)
        np.testing.assert_allclose(call, scores.softmax(-1), atol=1e-6)


def test_a_sum_is_recorded_once_and_other_products_never():
    scores, v = torch.randn(B, H, Q, K), torch.randn(B, H, K, D)

    def do(e, v):
        w = e.softmax(-1)
        entropy = -(w * w.log()).sum(-1)
        return w @ v, w @ v.sin(), entropy, v.mT @ v, e @ v

    calls, _ = recorded(do, scores, v, heads=H)
    assert len(calls) == 1


def by_hand(e):
    e = (e - e.amax(-1, keepdim=True)).exp()
    return e / e.sum(-1, keepdim=True)


def in_place(e):
    e = torch.exp(e)
    e /= e.sum(-1, keepdim=True)
    return e


SOFTMAXES = {
    "Tensor": lambda e: e.softmax(-1),
    "torch": lambda e: torch.softmax(e, dim=-1),
    "F": lambda e: F.softmax(e, dim=-1, dtype=torch.float64).float(),
    "special": lambda e: torch.special.softmax(e, -1),
    "module": nn.Softmax(dim=-1),
    "of the log": lambda e: F.log_softmax(e, -1).exp(),
    "logsumexp": lambda e: torch.exp(e - e.logsumexp(-1, keepdim=True)),
    "by hand": by_hand,
    "in place": in_place,
}


@pytest.mark.parametrize("softmax", SOFTMAXES.values(), ids=SOFTMAXES)
def test_every_softmax(softmax):
    scores, v = torch.randn(B, H, Q, K), torch.randn(B, H, K, D)
    (call,), _ = recorded(lambda e, v: softmax(e) @ v, scores, v, heads=H)
    np.testing.assert_allclose(call, scores.softmax(-1), atol=1e-6)


def test_an_exponential_that_is_none():
    scores, v = torch.randn(B, H, Q, K), torch.randn(B, H, K, D)

    def do(e, v):
        return e.exp() @ v, (e.exp() / 3) @ v, e.softmax(-1) @ v

    calls, _ = recorded(do, scores, v, heads=H)
    assert len(calls) == 1


def test_heads_that_talk_are_followed():
    linear = nn.Linear(H, H)
    scores, v = torch.randn(B, H, Q, K), torch.randn(B, H, K, D)
    for mix in (
        lambda w: linear(w.permute(0, 2, 3, 1)).permute(0, 3, 1, 2),
        lambda w: torch.einsum("bhqk,hg->bgqk", w, linear.weight),
        nn.Conv2d(H, H, 1),
    ):
        (call,), result = recorded(lambda e, v, mix=mix: mix(e.softmax(-1)) @ v, scores, v, heads=H)
        torch.testing.assert_close(torch.as_tensor(call.values) @ v, result.detach())


def test_large_scores_may_round_by_as_much_more():
    q, k = 60 * torch.randn(2, B, H, Q, 512)
    (call,), _ = recorded(lambda *x: F.scaled_dot_product_attention(*x), q, k, k)
    np.testing.assert_allclose(call.values.sum(-1), 1, atol=1e-5)


def test_an_attention_sink_is_cut_off():
    scores, sink, v = torch.randn(B, H, Q, K), torch.zeros(B, H, Q, 1), torch.randn(B, H, K, D)
    (call,), _ = recorded(
        lambda e, s, v: torch.cat([e, s], -1).softmax(-1)[..., :-1] @ v, scores, sink, v, heads=H
    )
    np.testing.assert_allclose(call, torch.cat([scores, sink], -1).softmax(-1)[..., :-1], atol=1e-6)


FRONTS = [
    # shape of the scores, what the module was given, its heads, the axes and their sizes
    ((Q, K), (Q, D), None, {"batch": 1, "head": 1}),
    ((B, Q, K), (B, Q, D), None, {"batch": B, "head": 1}),
    ((B, Q, K), (Q, B, D), None, {"batch": B, "head": 1}),
    ((H, Q, K), (Q, D), H, {"batch": 1, "head": H}),
    ((B * H, Q, K), (B, Q, D), H, {"batch": B, "head": H}),
    ((B * H, Q, K), (Q, B, D), H, {"batch": B, "head": H}),
    ((H, Q, K), (H, Q, D), H, {"batch": H, "head": 1}),
    ((B * H, Q, K), (B, Q, D), None, {"batch and head": B * H}),
    ((B * H, B * H, K), (B, B * H, D), H, {"batch": B, "head": H}),
    ((B * H, B, K), (B * H, B, D), H, {"batch": B * H, "head": 1}),
    ((B * H, Q, K), (B, B * H, D), H, {"batch and head": B * H}),
    ((B, H, Q, K), (B, Q, D), H, {"batch": B, "head": H}),
    ((H, B, Q, K), (B, Q, D), H, {"batch": B, "head": H}),
    ((B * H, 7, Q, K), (B, 7 * Q, D), H, {"batch": B, "head": H, "block": 7}),
    ((B, 7, Q, K), (B, Q, D), H, {"batch": B, "head": 7}),
    ((B, 7, H, Q, K), (B, Q, D), H, {"batch": B, "head": H, "block": 7}),
    ((B, H, 2, Q, K), (B, Q, D), 2 * H, {"batch": B, "head": 2 * H}),
    ((B, H, 2, K), (B, 1, D), 2 * H, {"batch": B, "head": 2 * H}),
]


@pytest.mark.parametrize(("shape", "given", "heads", "front"), FRONTS)
def test_what_stands_in_front_of_query_and_key(shape, given, heads, front):
    scores, values = torch.randn(shape), torch.randn(*shape[:-2], K, D)
    (call,), _ = recorded(lambda x: scores.softmax(-1) @ values, torch.randn(given), heads=heads)
    assert call.dims == (*front, "query", "key")
    assert call.shape[:-2] == tuple(front.values())
    if call.ndim == 4:  # each row of weights is still there
        rows = np.sort(call.values.reshape(-1, K), axis=0)
        np.testing.assert_allclose(rows, np.sort(scores.softmax(-1).reshape(-1, K), axis=0))


def test_a_codebook_and_experts_are_no_positions():
    class Codebook(nn.Module):
        def __init__(self):
            super().__init__()
            self.vectors = nn.Parameter(torch.randn(K, D))

        def forward(self, x):
            return (x @ self.vectors.T).softmax(-1) @ self.vectors

    model = Codebook()
    with sv.record(model) as rec:
        model(torch.randn(B, Q, D))
    assert [call.dims[-1] for call in rec.attention[""]] == ["choice"]
    experts, x = torch.randn(B, Q, K, D), torch.randn(B, Q, D)
    (call,), _ = recorded(
        lambda x: torch.einsum("bqe,bqed->bqd", torch.randn(B, Q, K).softmax(-1), experts), x
    )
    assert call.dims == ("batch", "head", "query", "choice")
    assert call.shape == (B, 1, Q, K)


MASKS = {
    "none": {},
    "causal": {"is_causal": True},
    "bool": {"attn_mask": torch.ones(Q, K).tril(1).bool()},
    "float": {"attn_mask": torch.randn(B, 1, Q, K)},
    "scale": {"scale": 0.3},
    "no key": {"attn_mask": torch.tensor([True, False]).view(B, 1, 1, 1).expand(B, 1, Q, K)},
}


@pytest.mark.parametrize("groups", [1, 3])
@pytest.mark.parametrize("mask", MASKS)
def test_a_fused_call_by_its_definition(mask, groups):
    q, k, v = torch.randn(B, H, Q, D), *torch.randn(2, B, H // groups, K, D)
    options = MASKS[mask] | {"enable_gqa": groups > 1}
    (call,), result = recorded(lambda *x: F.scaled_dot_product_attention(*x, **options), q, k, v)
    whole = v.repeat_interleave(groups, 1)
    np.testing.assert_allclose(torch.as_tensor(call.values) @ whole, result, atol=1e-6)
    assert torch.equal(result, F.scaled_dot_product_attention(q, k, v, **options))
    weights, *_ = defined(q, k, v, **options)
    np.testing.assert_array_equal(call, weights)


def test_what_is_weighed_outside_of_the_model_is_not_its_attention():
    model, x = sv.nn.MultiheadAttention(8, 2), torch.randn(3, 1, 8)
    with sv.record(model) as rec:
        output, _ = model(x, x, x)
        output.softmax(-1) @ output.mT
    assert len(rec.attention[""]) == 1


def test_a_moving_window_says_where_its_keys_stand():
    class Window(nn.Module):
        """A cache of the last three keys, a token a call."""

        def __init__(self):
            super().__init__()
            self.kept = torch.zeros(1, 0, D)

        def forward(self, x):
            self.kept = torch.cat([self.kept, x], dim=1)[:, -3:]
            return (x @ self.kept.mT).softmax(-1) @ self.kept

    model = Window()
    with sv.record(model) as rec:
        for _ in range(5):
            model(torch.randn(1, 1, D))
    labels = [call.labels.get("key") for call in rec.attention[""]]
    assert labels == [None, None, None, ("1", "2", "3"), ("2", "3", "4")]
