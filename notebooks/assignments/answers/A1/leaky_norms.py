"""Answers to leaky_norms: right ones, wrong ones, and a grader that is too weak."""

import torch


# %% weak
def weak(student):
    W = torch.tensor([[0.5, 0.8], [0.8, -0.3]], dtype=torch.float64)  # a case with a = 1
    states = torch.tensor([[0.3, 0.1], [0.4, -0.5], [-0.2, 0.6]], dtype=torch.float64)
    g = torch.tensor([1.0, -0.5], dtype=torch.float64)
    one = W.T @ (g * (1 - states[2] ** 2))
    two = W.T @ (one * (1 - states[1] ** 2))
    wanted = torch.stack([two.norm(), one.norm(), g.norm()])
    found = torch.as_tensor(student(states, g, W, 1.0)).double()
    return found.shape == wanted.shape and torch.allclose(found, wanted, atol=1e-5)


# %% right: the Jacobian of each step
def leaky_norms(states, g, W_hh, a):
    eye, norms = torch.eye(len(g), dtype=g.dtype), [g.norm()]
    for before, after in zip(states[:-1].flip(0), states[1:].flip(0), strict=True):
        s = (after - (1 - a) * before) / a
        J = (1 - a) * eye + a * torch.diag(1 - s**2) @ W_hh
        g = J.T @ g
        norms.insert(0, g.norm())
    return torch.stack(norms)


# %% right: number by number, as a list
def leaky_norms(states, g, W_hh, a):
    n, g = len(g), g.tolist()
    norms = [sum(v * v for v in g) ** 0.5]
    for t in range(len(states) - 1, 0, -1):
        new = [(1 - a) * v for v in g]
        for i in range(n):
            s = (states[t, i] - states[t - 1, i]) / a + states[t - 1, i]
            for j in range(n):
                new[j] += float(a * g[i] * (1 - s * s) * W_hh[i, j])
        g = new
        norms.append(sum(v * v for v in g) ** 0.5)
    return norms[::-1]


# %% right: numpy, all slopes first
def leaky_norms(states, g, W_hh, a):
    import numpy as np

    h, g, W = states.numpy(), g.numpy(), W_hh.numpy()
    slopes = 1 - ((h[1:] - (1 - a) * h[:-1]) / a) ** 2
    norms = np.zeros(len(h))
    norms[-1] = np.linalg.norm(g)
    for t in range(len(h) - 2, -1, -1):
        g = g - a * g + a * (W.T @ (slopes[t] * g))
        norms[t] = np.linalg.norm(g)
    return norms


# %% right: float32
def leaky_norms(states, g, W_hh, a):
    states, g, W_hh = states.float(), g.float(), W_hh.float()
    tanh = states[:-1] + (states[1:] - states[:-1]) / a
    norms = [g.norm()]
    for s in tanh.flip(0):
        g = g + a * ((g * (1 - s**2)) @ W_hh - g)
        norms.append(g.norm())
    return torch.stack(norms[::-1])


# %% right: autograd through a step of the same slope
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm().item()]
    for t in range(len(states) - 1, 0, -1):
        h = states[t - 1].clone().requires_grad_()
        inside = ((states[t] - (1 - a) * states[t - 1]) / a).atanh()
        drive = inside - W_hh @ states[t - 1]
        new = (1 - a) * h + a * torch.tanh(W_hh @ h + drive)
        (g,) = torch.autograd.grad(new, h, g)
        norms.append(g.norm().item())
    return torch.tensor(norms[::-1], dtype=torch.float64)


# %% wrong: the gradient goes from the first step to the last
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in range(1, len(states)):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong: the slope of tanh is missing
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for _ in states[1:]:
        g = (1 - a) * g + (a * g) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong: the first norm is that at the last state; h_0 comes first
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms)


# %% wrong: the norm at the last state is missing
def leaky_norms(states, g, W_hh, a):
    norms = []
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong: these are the squared norms
def leaky_norms(states, g, W_hh, a):
    norms = [g @ g]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g @ g)
    return torch.stack(norms).flip(0)


# %% wrong: norms were multiplied; take the vector back, parts of it may cancel
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        J = (1 - a) * torch.eye(len(g)) + a * torch.diag(1 - squashed**2) @ W_hh
        norms.append(norms[-1] * torch.linalg.matrix_norm(J, 2))
    return torch.stack(norms).flip(0)


# %% wrong: the slope is taken before the product with W_hh's transpose
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + a * (g @ W_hh) * (1 - squashed**2)
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong: only the last norm comes back
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return norms[-1]


# %% wrong: the sum of absolute values
def leaky_norms(states, g, W_hh, a):
    norms = [g.abs().sum()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.abs().sum())
    return torch.stack(norms).flip(0)


# %% wrong: a and 1 - a are exchanged
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = a * g + ((1 - a) * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong, subtle: the slope of tanh is taken at the state; tanh's own value is another number
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = states[t]
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong, subtle: what the state keeps of itself passes no gradient
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong, subtle: the way through tanh has no factor a
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong, subtle: this is a times the value of tanh; divide by a
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = states[t] - (1 - a) * states[t - 1]
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong, subtle: W_hh is transposed
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh.T
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong, subtle: a is squared, once for the state and once for the slope
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * a * g * (1 - squashed**2)) @ W_hh
        norms.append(g.norm())
    return torch.stack(norms).flip(0)


# %% wrong, subtle: the norms of the two ways are added, as if they could not cancel
def leaky_norms(states, g, W_hh, a):
    norms = [g.norm()]
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        kept, new = (1 - a) * g, (a * g * (1 - squashed**2)) @ W_hh
        g = kept + new
        norms.append(kept.norm() + new.norm())
    return torch.stack(norms).flip(0)


# %% wrong, subtle: a unit vector and its length are kept apart, and the length may be 0
def leaky_norms(states, g, W_hh, a):
    norms, size = [g.norm()], g.norm()
    g = g / size
    for t in reversed(range(1, len(states))):
        squashed = (states[t] - (1 - a) * states[t - 1]) / a
        g = (1 - a) * g + (a * g * (1 - squashed**2)) @ W_hh
        size = size * g.norm()
        norms.append(size)
        g = g / g.norm()
    return torch.stack(norms).flip(0)
