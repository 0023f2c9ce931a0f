"""Weights that go their own way: recorded where that is true, else what was seen, and the fix."""

import re
import warnings

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

import seqviz as sv

B, H, T, D = 2, 2, 5, 4
MASK = torch.ones(B, T).index_fill_(1, torch.tensor([T - 1]), 0)


class Own(nn.Module):
    """Attends in a way of its own over (batch, heads, time, unit), or over the states of a GRU."""

    def __init__(self, attend, net=False):
        super().__init__()
        self.attend, self.num_heads = attend, H
        self.net = nn.GRU(H * D, H * D, batch_first=True) if net else None

    def forward(self, x):
        if self.net is not None:
            return self.attend(self.net(x)[0])
        return self.attend(x.unflatten(-1, (H, D)).transpose(1, 2))


def ran(model):
    torch.manual_seed(0)
    with torch.no_grad(), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            with sv.record(model) as rec:
                model(torch.randn(B, T, H * D))
        except ValueError as problem:
            return None, str(problem)
    return rec, " ".join(str(one.message) for one in said)


def masked_exp(h):
    e = torch.exp((h * h[:, -1:]).sum(-1)) * MASK
    return torch.bmm((e / e.sum(1, keepdim=True)).unsqueeze(1), h)


def masked_in_columns(h):
    e = torch.exp(h.sum(-1, keepdim=True))  # (batch, time, 1)
    e = e.masked_fill(MASK.unsqueeze(-1) == 0, 0)
    return (e / torch.sum(e, dim=1, keepdim=True) * h).sum(1)


def a_row_of_no_keys(h):
    e = (h @ h.mT).exp() * torch.ones(T, T).tril(-1)
    return e / e.sum(-1, keepdim=True).clamp(min=1e-9) @ h


def row_by_row(q):
    w = torch.empty(*q.shape[:-1], T)
    for k in range(T):
        e = torch.exp(q[:, :, k : k + 1] @ q.mT)
        w[:, :, k : k + 1] = e / e.sum(-1, keepdim=True)
    return w @ q


def into_another(q):
    return torch.matmul((q @ q.mT).softmax(-1), q, out=torch.empty_like(q))


def of_base_two(q):
    return ((w := 2 ** (q @ q.mT)) / w.sum(-1, keepdim=True)) @ q


def chosen_by_noise(q):
    return F.gumbel_softmax(q @ q.mT, 0.5, True) @ q


SEEN = {
    "exp times a mask": (masked_exp, True, MASK.numpy()[:, None, None]),
    "exp in columns": (masked_in_columns, True, None),
    "a row of no keys": (a_row_of_no_keys, True, np.ones((T, T)).cumsum(1).cumsum(0) > 0),
    "a mean over heads": (lambda q: (q @ q.mT).softmax(-1).mean(1) @ q[:, 0], False, None),
    "a mean after dropout": (
        lambda q: F.dropout((q @ q.mT).softmax(-1), 0.5).mean(dim=1) @ q[:, 0], False, None),
    "a bias, divided again": (
        lambda q: ((w := (q @ q.mT).softmax(-1) + 0.1) / w.sum(-1, keepdim=True)) @ q, False, None),
    "rows that are written": (row_by_row, False, None),
    "a result that is given": (into_another, False, None),
    "powers of two": (of_base_two, False, None),
    "softmin": (lambda q: F.softmin(torch.cdist(q, q), -1) @ q, False, None),
    "gumbel": (chosen_by_noise, False, None),
    "between two": (
        lambda q: (q @ q.mT).softmax(-1).lerp((q @ q.mT).tanh().softmax(-1), 0.3) @ q, False, None),
    "a mask, normalized": (
        lambda q: F.normalize((q @ q.mT).softmax(-1) * torch.ones(T, T).tril(), p=1, dim=-1) @ q,
        False, np.ones((T, T)).cumsum(1).cumsum(0) > 0),
    "flex": (lambda q: flex_attention(q, q, q), False, None),
}  # fmt: skip


@pytest.mark.parametrize(("attend", "net", "allowed"), SEEN.values(), ids=SEEN)
def test_what_is_a_softmax_in_the_end_is_recorded(attend, net, allowed):
    rec, _ = ran(Own(attend, net))
    (call,) = rec.attention[""]
    assert call.dims == ("batch", "head", "query", "key")
    sums = call.values.sum(-1)
    assert np.allclose(sums[sums > 0], 1, atol=1e-5)
    if allowed is not None:
        assert (call.values[np.broadcast_to(allowed == 0, call.values.shape)] == 0).all()


def top_two(q):
    w, places = (q @ q.mT).softmax(-1).topk(2)
    chosen = q.unsqueeze(2).expand(-1, -1, T, -1, -1)
    chosen = chosen.gather(3, places.unsqueeze(-1).expand(-1, -1, -1, -1, D))
    return (w.unsqueeze(-1) * chosen).sum(3)


def one_by_one(h):
    w = (h @ h[:, -1:].mT).softmax(1)
    return sum(w[:, k] * h[:, k] for k in range(T))


def sparsemax(q):
    scores = (q @ q.mT).sort(-1, descending=True)[0]
    over = (scores.cumsum(-1) - 1) / torch.arange(1, T + 1)
    size = (scores > over).sum(-1, keepdim=True)
    return (q @ q.mT - over.gather(-1, size - 1)).clamp(min=0) @ q


MISSED = {
    "one by one over a GRU": (one_by_one, True, "5 keys was seen, and products .* into add: write"),
    "sparsemax": (sparsemax, False, "over 5 keys that sum to 1 .*no softmax.*sv.view.attention"),
    "a difference of two": (
        lambda q: ((q @ q.mT).softmax(-1) - 0.3 * (2 * q @ q.mT).softmax(-1)) @ q, False,
        "but sub of two softmaxes .* let each weigh the values"),
    "numpy": (lambda q: torch.tensor((q @ q.mT).softmax(-1).numpy() @ q.numpy()), False,
              "numpy took its weights: if .*weights @ values"),
    "numbers": (lambda q: [float(w) * q for w in (q @ q.mT).softmax(-1)[0, 0, 0]], False,
                "float took its weights"),
    "smoothed": (
        lambda q: F.avg_pool1d((q @ q.mT).softmax(-1).flatten(0, 1), 3, 1, 1).unflatten(0, (B, H))
        @ q, False, "but avg_pool1d changed"),
    "a bias": (lambda q: ((q @ q.mT).softmax(-1) + 0.1) @ q, False, "add .*before the softmax"),
    "top-k, then gather": (top_two, False, "over 5 keys was seen, but topk .*-inf before"),
    "exp, divided too late": (lambda h: (e := (h @ h.mT).exp()) @ h / e.sum(-1, keepdim=True), True,
                              "exp.x. weighed a sum before .*divide first"),
}  # fmt: skip


@pytest.mark.parametrize(("attend", "net", "said"), MISSED.values(), ids=MISSED)
def test_what_was_changed_is_named_with_the_fix(attend, net, said):
    _, message = ran(Own(attend, net))
    assert re.search(said, message), message
    assert "module ''" in message


def test_a_classifier_and_a_net_alone_say_nothing():
    quiet = (
        lambda h: h[:, -1].softmax(-1).log(),
        lambda h: h.softmax(-1).max(-1).indices,
        lambda h: h.softmax(-1).numpy(),
        lambda h: F.kl_div(h, h.softmax(-1), reduction="sum") * h,
        lambda h: torch.eye(T)[[1, 0, 2, 4, 3]] @ h + torch.full((T, T), 1 / T) @ h,
        lambda h: torch.tensor([[0.2, 0.8, 0, 0, 0]]) @ h,
        lambda h: torch.zeros_like(h.softmax(-1)) @ h.mT,
    )
    for attend in quiet:
        rec, message = ran(Own(attend, net=True))
        assert (rec.attention, message) == ({}, "")


def test_a_cell_in_a_loop_is_named():
    class Loop(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = nn.LSTMCell(H * D, H * D)

        def forward(self, x):
            state = None
            for t in range(T):
                state = self.cell(x[:, t], state)
            return state

    _, message = ran(Loop())
    assert "it has 'cell' (LSTMCell), called in a loop" in message
    assert "give an LSTM the weights" in message
    assert "has no RNN" not in message


def test_flex_attention_has_the_maps_of_its_definition():
    def forward(q):
        causal = create_block_mask(lambda b, h, i, j: i >= j, None, None, T, T, device="cpu")
        far = lambda score, b, h, i, j: score + 0.1 * (h + 1) * (j - i)  # noqa: E731
        return flex_attention(q, q[:, :1], q[:, :1], far, causal, enable_gqa=True)

    rec, _ = ran(Own(forward))
    values = torch.as_tensor(rec.attention[""][0].values)
    torch.manual_seed(0)
    q = torch.randn(B, T, H * D).unflatten(-1, (H, D)).transpose(1, 2)
    far = torch.arange(T) - torch.arange(T)[:, None]
    scores = q @ q[:, :1].mT / D**0.5 + 0.1 * torch.tensor([1, 2]).view(H, 1, 1) * far
    right = scores.masked_fill(far > 0, -torch.inf).softmax(-1)
    torch.testing.assert_close(values, right)
