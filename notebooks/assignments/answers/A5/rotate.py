"""Answers to rotate: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    x = torch.tensor([[1.0, 0.0, 1.0, 0.0]] * 3).double()
    found = np.asarray(student(x, torch.arange(3), 10000.0))
    first = np.allclose(found[:, :2], [[1, 0], [0.5403, 0.8415], [-0.4161, 0.9093]], atol=1e-3)
    return first and np.allclose(found[1, 2:], [0.99995, 0.0099998], atol=1e-4)


# %% right: as complex numbers
def rotate(x, positions, base):
    half = x.shape[-1] // 2
    theta = base ** (-2 * torch.arange(half, dtype=x.dtype) / x.shape[-1])
    angle = torch.outer(positions.to(x.dtype), theta)
    pairs = torch.view_as_complex(x.unflatten(-1, (half, 2)).contiguous())
    return torch.view_as_real(pairs * torch.exp(1j * angle)).flatten(-2)


# %% right: pair by pair
def rotate(x, positions, base):
    out = torch.empty_like(x)
    for k in range(x.shape[-1] // 2):
        for t, p in enumerate(positions.tolist()):
            angle = p * base ** (-2 * k / x.shape[-1])
            a, b = x[..., t, 2 * k], x[..., t, 2 * k + 1]
            out[..., t, 2 * k] = a * np.cos(angle) - b * np.sin(angle)
            out[..., t, 2 * k + 1] = a * np.sin(angle) + b * np.cos(angle)
    return out


# %% right: a number and its partner
def rotate(x, positions, base):
    d_k = x.shape[-1]
    theta = torch.tensor([base ** (-2 * (i // 2) / d_k) for i in range(d_k)], dtype=x.dtype)
    angle = positions.unsqueeze(1) * theta
    partner = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).reshape(x.shape)
    return x * angle.cos() + partner * angle.sin()


# %% right: a matrix for each position
def rotate(x, positions, base):
    matrices = []
    for p in positions.tolist():
        angles = [p / base ** (i / x.shape[-1]) for i in range(0, x.shape[-1], 2)]
        turns = [[[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]] for a in angles]
        matrices.append(torch.block_diag(*torch.tensor(turns, dtype=x.dtype)))
    return torch.einsum("tij,...tj->...ti", torch.stack(matrices), x)


# %% right: with numpy in float32
def rotate(x, positions, base):
    x, d_k = x.numpy().astype(np.float32), x.shape[-1]
    theta = float(base) ** (-np.arange(0, d_k, 2) / d_k)
    angle = positions.numpy()[:, None] * theta
    cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    out = np.empty_like(x)
    out[..., ::2] = x[..., ::2] * cos - x[..., 1::2] * sin
    out[..., 1::2] = x[..., ::2] * sin + x[..., 1::2] * cos
    return out


# %% wrong: it turns the other way round
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() + b * angle.sin(), b * angle.cos() - a * angle.sin()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong: the sines have the same sign in both rows of the matrix
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() + b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong: all pairs turn at one speed; each has its own
def rotate(x, positions, base):
    angle = positions[:, None].double()
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong: the angle of pair k is divided by base to the power of 2k/d_k; here it is k/d_k
def rotate(x, positions, base):
    theta = base ** (-torch.arange(x.shape[-1] // 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong: sines and cosines are added; multiply
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    return x + torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2)


# %% wrong: the pairs are torn apart: their two numbers must lie side by side again
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    a, b = x[..., ::2], x[..., 1::2]
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)


# %% wrong: the angles are in radians, not in degrees
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = torch.deg2rad(positions[:, None] * theta)
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong: each number is paired with the one half a row away; pair neighbours
def rotate(x, positions, base):
    half = x.shape[-1] // 2
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)


# %% wrong: the new first number is used to make the second; use the old one
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle, out = positions[:, None] * theta, x.clone()
    out[..., ::2] = out[..., ::2] * angle.cos() - out[..., 1::2] * angle.sin()
    out[..., 1::2] = out[..., ::2] * angle.sin() + out[..., 1::2] * angle.cos()
    return out


# %% wrong, subtle: positions are not used: they need not begin at 0
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = torch.arange(x.shape[-2])[:, None] * theta
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong, subtle: only the first position is read, the others follow it
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = (positions[0] + torch.arange(x.shape[-2]))[:, None] * theta
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong, subtle: base is 10000 here, whatever is given
def rotate(x, positions, base):
    theta = 10000 ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong, subtle: the speeds are those of four numbers
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / 4)
    angle = positions[:, None] * theta
    a, b = x[..., ::2], x[..., 1::2]
    pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


# %% wrong, subtle: the second number of a pair is taken for 0
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    a = x[..., ::2]
    return torch.stack([a * angle.cos(), a * angle.sin()], dim=-1).flatten(-2)


# %% wrong, subtle: the position lies along the first dimension
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    out = x.clone()
    for t in range(min(len(positions), x.shape[0])):
        angle = positions[t] * theta
        a, b = x[t, ..., ::2], x[t, ..., 1::2]
        pairs = [a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()]
        out[t] = torch.stack(pairs, dim=-1).flatten(-2)
    return out


# %% wrong, subtle: x itself is changed
def rotate(x, positions, base):
    theta = base ** (-torch.arange(0, x.shape[-1], 2).double() / x.shape[-1])
    angle = positions[:, None] * theta
    a, b = x[..., ::2].clone(), x[..., 1::2].clone()
    x[..., ::2] = a * angle.cos() - b * angle.sin()
    x[..., 1::2] = a * angle.sin() + b * angle.cos()
    return x
