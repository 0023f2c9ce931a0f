"""The visible checks of assignment A5, and its solutions beside torch and the package."""

import torch
import torch.nn.functional as F

import seqviz as sv
from seqviz.checks.assigned.circuits import stream
from tests.checks.solutions import solution


def drawn(*shape, seed=0):
    made = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=made, dtype=torch.float64)


def test_layer_norm_backward_is_autograd_through_torch_s_layer_norm():
    norm = torch.nn.LayerNorm(6, eps=1e-3).double()
    torch.nn.init.normal_(norm.weight)
    x, dy = drawn(2, 5, 6).requires_grad_(), drawn(2, 5, 6, seed=1)
    expected = torch.autograd.grad(norm(x), (x, norm.weight, norm.bias), dy)
    inputs = (dy, x.detach(), norm.weight.detach(), 1e-3)
    for got, want in zip(solution("layer_norm_backward")(*inputs), expected, strict=True):
        torch.testing.assert_close(got, want)


def test_turned_scores_depend_on_the_distance_alone():
    rotate = solution("rotate")
    q, k, at = drawn(7, 10), drawn(7, 10, seed=1), torch.arange(7)
    scores = [rotate(q, at + far, 1e4) @ rotate(k, at + far, 1e4).T for far in (0, 500)]
    torch.testing.assert_close(*scores)


def test_grouped_attention_is_torch_s_and_the_package_s():
    attend = solution("grouped_attention")
    q, k, v = drawn(2, 6, 5, 4), drawn(2, 3, 5, 4, seed=1), drawn(2, 3, 5, 7, seed=2)
    expected = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
    torch.testing.assert_close(attend(q, k, v)[0], expected)
    layer = sv.nn.MultiheadAttention(12, 3, bias=False, batch_first=True).double()
    x = drawn(2, 5, 12)
    heads = (x @ layer.in_proj_weight.T).unflatten(2, (9, 4)).transpose(1, 2).chunk(3, dim=1)
    out, weights = attend(*heads)
    given = {"attn_mask": sv.nn.causal_mask(5), "average_attn_weights": False}
    wanted = layer(x, x, x, **given)
    torch.testing.assert_close(layer.out_proj(out.transpose(1, 2).flatten(2)), wanted[0])
    torch.testing.assert_close(weights, wanted[1])


def test_absorb_ends_where_the_package_s_attention_does():
    q, k, v = drawn(3, 4), drawn(9, 4, seed=1), drawn(9, 5, seed=2)
    state = (torch.full((3,), -torch.inf).double(), drawn(3) * 0, drawn(3, 5) * 0)
    for keys, values in zip(k.split(4), v.split(4), strict=True):
        state = solution("absorb")(*state, q @ keys.T / 2, values)
    expected = F.scaled_dot_product_attention(q, k, v)
    torch.testing.assert_close(state[2], expected)
    torch.testing.assert_close(state[0] + state[1].log(), (q @ k.T / 2).logsumexp(dim=1))


def test_both_heads_work_in_the_package_s_attention():
    vocab, d_pos, ids = 7, 16, [0, 3, 5, 3, 1, 5]
    x = stream(ids, vocab, d_pos, previous=False)
    torch.testing.assert_close(x[:, -d_pos:].float(), sv.nn.sinusoids(len(ids), d_pos))
    layer = sv.nn.MultiheadAttention(x.shape[1], 1, bias=False, batch_first=True).double()
    size = x.shape[1]
    for name, slot in (("previous_head", 1), ("induction_head", 2)):
        matrices = solution(name)(vocab, d_pos)
        wide = [torch.zeros(size, size).double() for _ in range(3)]
        for W, own in zip(wide, matrices, strict=False):
            W[:, : own.shape[1]] = own
        W_o = torch.zeros(size, size).double()
        W_o[: matrices[3].shape[0]] = matrices[3]
        scale = (size / matrices[0].shape[1]) ** 0.5  # the layer divides by the root of its own d_k
        with torch.no_grad():
            layer.in_proj_weight.copy_(torch.cat([wide[0].T * scale, wide[1].T, wide[2].T]))
            layer.out_proj.weight.copy_(W_o.T)
            x = x + layer(x[None], x[None], x[None], attn_mask=sv.nn.causal_mask(len(ids)))[0][0]
        written = x[:, slot * vocab : (slot + 1) * vocab].argmax(dim=1).tolist()
        if slot == 1:
            assert written == [0, *ids[:-1]]
        else:
            assert (written[3], written[5]) == (5, 3), "after 3 came 5, after 5 came 3"
