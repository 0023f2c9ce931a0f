import random

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import seqviz as sv
from seqviz.nn.relative import RelativePositions
from tests.refusing import refused


def gathered(relative, query, keys):
    """The same scores, with a vector for each query and key."""
    queries, most = query.shape[2], relative.max_distance
    distance = torch.arange(keys)[None] - torch.arange(keys - queries, keys)[:, None]
    e = relative.table[:, distance.clamp(-most, most) + most]  # (head, query, key, head_dim)
    return torch.einsum("bhqd,hqkd->bhqk", query, e)


@pytest.mark.parametrize("seed", range(10))
def test_skewing_equals_the_gather(seed):
    draw = random.Random(seed)
    batch, heads, queries, more, size, most = (draw.randint(1, 7) for _ in range(6))
    keys = queries + (more - 1) * draw.randint(0, 1)
    torch.manual_seed(seed)
    relative = RelativePositions(most, heads, size, dtype=torch.float64)
    query = torch.randn(batch, heads, queries, size, dtype=torch.float64, requires_grad=True)
    upstream = torch.randn(batch, heads, queries, keys, dtype=torch.float64)
    found = []
    for scores in (relative(query, keys), gathered(relative, query, keys)):
        gradients = torch.autograd.grad(scores, [query, relative.table], upstream)
        found.append([scores, *gradients])
    for skewed, naive in zip(*found, strict=True):
        torch.testing.assert_close(skewed, naive, rtol=0, atol=1e-10)


class Largest(TorchDispatchMode):
    """Notes the largest tensor that an operation makes."""

    def __init__(self):
        super().__init__()
        self.numbers = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        if isinstance(made, torch.Tensor):
            self.numbers = max(self.numbers, made.untyped_storage().nbytes() // 4)
        return made


def largest(function, *arguments):
    with Largest() as mode:
        function(*arguments)
    return mode.numbers


def test_no_vector_for_each_pair_is_made():
    relative, time, size = RelativePositions(600, 1, 64), 256, 64
    query = torch.randn(1, 1, time, size)
    assert largest(relative, query, time) <= 2 * time * max(time, size)
    assert largest(gathered, relative, query, time) >= time * time * size


def attention(relative, **more):
    torch.manual_seed(0)
    return sv.nn.MultiheadAttention(8, 2, batch_first=True, relative=relative, **more).double()


def test_without_it_torchs_weights_and_random_stream_are_kept():
    theirs = torch.nn.MultiheadAttention(8, 2, batch_first=True).double().state_dict()
    ours = attention(3).state_dict()
    assert {*ours} - {*theirs} == {"relative.table"}
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_a_shift_of_the_text_changes_nothing_and_masks_hold():
    net, x = attention(9), torch.randn(1, 6, 8, dtype=torch.float64)
    mask = sv.nn.causal_mask(6)
    there = net(x, x, x, attn_mask=mask)[0]
    moved = torch.cat([torch.randn(1, 3, 8, dtype=torch.float64), x], dim=1)
    padded = torch.zeros(1, 9, dtype=torch.bool)
    padded[:, :3] = True
    shifted = net(moved, moved, moved, attn_mask=sv.nn.causal_mask(9), key_padding_mask=padded)[0]
    torch.testing.assert_close(shifted[:, 3:], there)


def test_step_by_step_equals_the_whole():
    layer = sv.nn.TransformerEncoderLayer(
        8, 2, 16, dropout=0.0, batch_first=True, norm_first=True, relative=3
    ).double()
    x = torch.randn(2, 7, 8, dtype=torch.float64)
    whole, past, steps = layer(x, src_mask=sv.nn.causal_mask(7)), None, []
    for t in range(7):
        y, past = layer.step(x[:, t : t + 1], past)
        steps.append(y)
    torch.testing.assert_close(torch.cat(steps, dim=1), whole)


def test_what_does_not_fit():
    x = torch.ones(1, 3, 8).double()
    wrong = {
        "relative must be at": lambda: sv.nn.MultiheadAttention(8, 2, relative=0),
        "keys must be at least 3, a key for each query, got 2": lambda: attention(2)(
            x, x[:, 1:], x[:, 1:]
        ),
        r"got \(3, 4\) for 4 keys": lambda: sv.nn.skew(torch.ones(3, 4), 4),
    }
    refused(ValueError, wrong)
    wrong = {"products must be a tensor, got list": lambda: sv.nn.skew([[1.0]], 1)}
    refused(TypeError, wrong)
