"""Answers to grouped_attention: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch
import torch.nn.functional as F


# %% weak
def weak(student) -> bool:
    q = torch.tensor([1.0, 2.0, 3.0]).double().reshape(1, 1, 3, 1)
    k = torch.tensor([0.5, -1.0, 1.0]).double().reshape(1, 1, 3, 1)
    out, weights = student(q, k, 2 * k)
    rows = [[1, 0, 0], [0.9526, 0.0474, 0], [0.1821, 0.0020, 0.8159]]
    near = np.allclose(weights, [[rows]], atol=1e-3)
    return near and np.allclose(np.asarray(out).reshape(-1), [1, 0.8577, 1.8098], atol=1e-3)


# %% right: the queries get a dimension more
def grouped_attention(q, k, v):
    batch, heads, steps, d_k = q.shape
    groups, time = k.shape[1:3]
    q = q.reshape(batch, groups, heads // groups, steps, d_k)
    e = torch.einsum("bghtd,bgsd->bghts", q, k) / d_k**0.5
    at = torch.arange(time - steps, time)
    e = e.masked_fill(torch.arange(time) > at[:, None], float("-inf"))
    a = e.softmax(dim=-1)
    out = torch.einsum("bghts,bgsd->bghtd", a, v)
    return out.flatten(1, 2), a.flatten(1, 2)


# %% right: head by head
def grouped_attention(q, k, v):
    heads, steps, time = q.shape[1], q.shape[2], k.shape[2]
    outs, weights = [], []
    for h in range(heads):
        g = h // (heads // k.shape[1])
        e = q[:, h] @ k[:, g].transpose(1, 2) * q.shape[3] ** -0.5
        e = e + torch.full((steps, time), -torch.inf).triu(time - steps + 1)
        weights.append(e.softmax(dim=-1))
        outs.append(weights[-1] @ v[:, g])
    return torch.stack(outs, dim=1), torch.stack(weights, dim=1)


# %% right: the rows of a mask for all positions are cut off
def grouped_attention(q, k, v):
    each = q.shape[1] // k.shape[1]
    k, v = (x[:, :, None].expand(-1, -1, each, -1, -1).flatten(1, 2) for x in (k, v))
    full = torch.ones(k.shape[2], k.shape[2]).triu(1).bool()[-q.shape[2] :]
    e = (q / q.shape[-1] ** 0.5) @ k.transpose(2, 3)
    grown = torch.exp(e - e.masked_fill(full, -torch.inf).amax(dim=-1, keepdim=True))
    grown = grown.masked_fill(full, 0.0)
    a = grown / grown.sum(dim=-1, keepdim=True)
    return a @ v, a


# %% right: torch's own for the output
def grouped_attention(q, k, v):
    steps, time = q.shape[2], k.shape[2]
    seen = torch.ones(steps, time).tril(time - steps).bool()
    out = F.scaled_dot_product_attention(q, k, v, seen, enable_gqa=True)
    ones = torch.eye(time, dtype=v.dtype).expand(*k.shape[:2], -1, -1)
    return out, F.scaled_dot_product_attention(q, k, ones, seen, enable_gqa=True)


# %% right: with numpy in float32
def grouped_attention(q, k, v):
    q, k, v = (x.numpy().astype(np.float32) for x in (q, k, v))
    k, v = (np.repeat(x, q.shape[1] // x.shape[1], axis=1) for x in (k, v))
    e = q @ k.swapaxes(2, 3) / np.float32(np.sqrt(q.shape[3]))
    steps, time = e.shape[2:]
    e = np.where(np.tri(steps, time, time - steps) > 0, e, -np.inf)
    a = np.exp(e - e.max(-1, keepdims=True))
    a = (a / a.sum(-1, keepdims=True)).astype(np.float32)
    return a @ v, a


# %% wrong: later words get weight: the causal mask is missing
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    a = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1)
    return a @ v, a


# %% wrong: nobody may attend to its own position
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps - 1) == 0
    a = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(late, -torch.inf).softmax(dim=-1)
    return a @ v, a


# %% wrong: the rows no longer add up to 1: mask before the softmax
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    a = (q @ k.mT / q.shape[-1] ** 0.5).softmax(dim=-1).tril(time - steps)
    return a @ v, a


# %% wrong: the mask is the wrong way round
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    early = torch.ones(steps, time).triu(time - steps) == 0
    a = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(early, -torch.inf).softmax(dim=-1)
    return a @ v, a


# %% wrong: the softmax runs over the queries; it runs over the keys
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps) == 0
    e = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(late, -torch.inf)
    a = e.softmax(dim=-2).nan_to_num(0.0)
    return a @ v, a


# %% wrong: the weights come first
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps) == 0
    a = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(late, -torch.inf).softmax(dim=-1)
    return a, a @ v


# %% wrong, subtle: the groups are taken in turn; neighbouring heads share one
def grouped_attention(q, k, v):
    each = q.shape[1] // k.shape[1]
    k, v = k.repeat(1, each, 1, 1), v.repeat(1, each, 1, 1)
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps) == 0
    a = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(late, -torch.inf).softmax(dim=-1)
    return a @ v, a


# %% wrong, subtle: the values of another group are read
def grouped_attention(q, k, v):
    each = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(each, dim=1), v.repeat(1, each, 1, 1)
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps) == 0
    a = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(late, -torch.inf).softmax(dim=-1)
    return a @ v, a


# %% wrong, subtle: the mask counts from the first key; the last query is at the last key
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    late = torch.ones(q.shape[2], k.shape[2]).tril() == 0
    a = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(late, -torch.inf).softmax(dim=-1)
    return a @ v, a


# %% wrong, subtle: the scores are not divided by the root of d_k
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps) == 0
    a = (q @ k.mT).masked_fill(late, -torch.inf).softmax(dim=-1)
    return a @ v, a


# %% wrong, subtle: the scores are divided by the root of the size of a value
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps) == 0
    a = (q @ k.mT / v.shape[-1] ** 0.5).masked_fill(late, -torch.inf).softmax(dim=-1)
    return a @ v, a


# %% wrong, subtle: all heads read the first group
def grouped_attention(q, k, v):
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps) == 0
    e = q @ k[:, :1].mT / q.shape[-1] ** 0.5
    a = e.masked_fill(late, -torch.inf).softmax(dim=-1)
    return a @ v[:, :1], a


# %% wrong, subtle: the heads of a group are averaged to one
def grouped_attention(q, k, v):
    each = q.shape[1] // k.shape[1]
    q = q.unflatten(1, (k.shape[1], each)).mean(dim=2).repeat_interleave(each, dim=1)
    k, v = (x.repeat_interleave(each, dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    late = torch.ones(steps, time).tril(time - steps) == 0
    a = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(late, -torch.inf).softmax(dim=-1)
    return a @ v, a


# %% wrong, subtle: exp without the largest taken off is infinite
def grouped_attention(q, k, v):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], dim=1) for x in (k, v))
    steps, time = q.shape[2], k.shape[2]
    grown = (q @ k.mT / q.shape[-1] ** 0.5).exp().tril(time - steps)
    a = grown / grown.sum(dim=-1, keepdim=True)
    return a @ v, a
