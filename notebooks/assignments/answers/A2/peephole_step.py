"""Answers to peephole_step: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    draw = torch.Generator().manual_seed(0)
    x, h, c = torch.randn(1, 2, generator=draw), torch.zeros(1, 3), torch.zeros(1, 3)
    W, b, p = torch.randn(12, 5, generator=draw), torch.zeros(12), torch.zeros(3, 3)
    i, _, g, o = gates(x, h, W, b)
    found = torch.as_tensor(student(x, h, c, W, b, p)[0]).float()
    return torch.allclose(found, o * (i * g).tanh(), atol=1e-5)


# %% right: unit by unit
def peephole_step(x, h, c, W, b, p):
    size, n = h.shape
    new_h, new_c = torch.zeros_like(h), torch.zeros_like(c)
    for k in range(size):
        both = torch.cat([h[k], x[k]])
        for u in range(n):
            a = [torch.dot(W[j * n + u], both) + b[j * n + u] for j in range(4)]
            i, f = torch.sigmoid(a[0] + p[0, u] * c[k, u]), torch.sigmoid(a[1] + p[1, u] * c[k, u])
            new_c[k, u] = f * c[k, u] + i * torch.tanh(a[2])
            new_h[k, u] = torch.sigmoid(a[3] + p[2, u] * new_c[k, u]) * torch.tanh(new_c[k, u])
    return new_h, new_c


# %% right: the peepholes as a diagonal matrix
def peephole_step(x, h, c, W, b, p):
    n = h.shape[1]
    W_h, W_x = W[:, :n], W[:, n:]
    a = h @ W_h.T + x @ W_x.T + b
    to_gates = torch.cat([torch.diag(p[0]), torch.diag(p[1])])
    i, f = torch.sigmoid(a[:, : 2 * n] + c @ to_gates.T).chunk(2, dim=1)
    new = torch.addcmul(f * c, i, torch.tanh(a[:, 2 * n : 3 * n]))
    return torch.sigmoid(a[:, 3 * n :] + new @ torch.diag(p[2])) * torch.tanh(new), new


# %% right: einsum over four blocks, in float32
def peephole_step(x, h, c, W, b, p):
    x, h, c, W, b, p = (v.float() for v in (x, h, c, W, b, p))
    both, n = torch.hstack([h, x]), h.shape[1]
    i, f, g, o = torch.einsum("kum,bm->kbu", W.view(4, n, -1), both) + b.view(4, 1, n)
    new = (f + c * p[1]).sigmoid() * c + (i + c * p[0]).sigmoid() * g.tanh()
    return [(o + new * p[2]).sigmoid() * new.tanh(), new]


# %% right: with numpy
def peephole_step(x, h, c, W, b, p):
    x, h, c, W, b, p = (np.asarray(v) for v in (x, h, c, W, b, p))
    i, f, g, o = np.split(np.concatenate([h, x], axis=1) @ W.T + b, 4, axis=1)
    new = c / (1 + np.exp(-f - p[1] * c)) + np.tanh(g) / (1 + np.exp(-i - p[0] * c))
    return np.tanh(new) / (1 + np.exp(-o - p[2] * new)), new


# %% wrong: h and c stand in the wrong order, give (h, c)
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * new)
    return new, o * torch.tanh(new)


# %% wrong: h lacks the tanh around the new c
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * new)
    return o * new, new


# %% wrong: the candidate g has no tanh
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * g
    o = torch.sigmoid(o + p[2] * new)
    return o * torch.tanh(new), new


# %% wrong: the blocks are read as i, f, o, g; W has them as i, f, g, o
def peephole_step(x, h, c, W, b, p):
    i, f, o, g = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * new)
    return o * torch.tanh(new), new


# %% wrong: h is made of the old c
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * new)
    return o * torch.tanh(c), new


# %% wrong: x is stacked on h; the columns of W belong to h first
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([x, h], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * new)
    return o * torch.tanh(new), new


# %% wrong: the gates are squashed twice
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(torch.sigmoid(o) + p[2] * new)
    return o * torch.tanh(new), new


# %% wrong, subtle: the output gate sees the old c; it sees the new one
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * c)
    return o * torch.tanh(new), new


# %% wrong, subtle: the gates do not see c: p is not used
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i)
    f = torch.sigmoid(f)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o)
    return o * torch.tanh(new), new


# %% wrong, subtle: the output gate has a peephole too
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o)
    return o * torch.tanh(new), new


# %% wrong, subtle: the rows of p are i, f, o; yours of f and o are swapped
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[2] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[1] * new)
    return o * torch.tanh(new), new


# %% wrong, subtle: the gates see tanh(c); they see c itself
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c.tanh())
    f = torch.sigmoid(f + p[1] * c.tanh())
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * new.tanh())
    return o * torch.tanh(new), new


# %% wrong, subtle: p times c stands outside the sigmoid; it belongs into it
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i) + p[0] * c
    f = torch.sigmoid(f) + p[1] * c
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o) + p[2] * new
    return o * torch.tanh(new), new


# %% wrong, subtle: the candidate sees c too; only the gates do
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c)
    f = torch.sigmoid(f + p[1] * c)
    new = f * c + i * torch.tanh(g + p[0] * c)
    o = torch.sigmoid(o + p[2] * new)
    return o * torch.tanh(new), new


# %% wrong, subtle: the gates of a unit see all units
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + (c @ p[0])[:, None])
    f = torch.sigmoid(f + (c @ p[1])[:, None])
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + (new @ p[2])[:, None])
    return o * torch.tanh(new), new


# %% wrong, subtle: the peepholes meet h; they meet c
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * h)
    f = torch.sigmoid(f + p[1] * h)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * h)
    return o * torch.tanh(new), new


# %% wrong, subtle: all sentences see the c of the first
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0] * c[0])
    f = torch.sigmoid(f + p[1] * c[0])
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2] * new[0])
    return o * torch.tanh(new), new


# %% wrong, subtle: all units share the first peephole
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0, 0] * c)
    f = torch.sigmoid(f + p[1, 0] * c)
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2, 0] * new)
    return o * torch.tanh(new), new


# %% wrong, subtle: p is added as it is; it is the weight of c
def peephole_step(x, h, c, W, b, p):
    i, f, g, o = (torch.cat([h, x], dim=1) @ W.T + b).chunk(4, dim=1)
    i = torch.sigmoid(i + p[0])
    f = torch.sigmoid(f + p[1])
    new = f * c + i * torch.tanh(g)
    o = torch.sigmoid(o + p[2])
    return o * torch.tanh(new), new
