"""Answers to layer_norm_backward: right ones, wrong ones, and a grader that is too weak."""

import numpy as np
import torch


# %% weak
def weak(student) -> bool:
    x = torch.tensor([[0.0, 3.0, 6.0]]).double()
    dy = torch.tensor([[1.0, 0.0, 0.0]]).double()
    dx, dweight, _ = student(dy, x, torch.ones(3).double(), 1e-5)
    near = np.allclose(dx, [[0.068, -0.136, 0.068]], atol=1e-3)
    return near and np.allclose(np.asarray(dweight).reshape(-1), [-1.2247, 0, 0], atol=1e-3)


# %% right: the three ways, one after the other
def layer_norm_backward(dy, x, weight, eps):
    size = x.shape[-1]
    off = x - x.mean(dim=-1, keepdim=True)
    variance = (off**2).sum(dim=-1, keepdim=True) / size + eps
    hat = off * variance**-0.5
    dhat = dy * weight
    dvariance = (dhat * off * -0.5 * variance**-1.5).sum(dim=-1, keepdim=True)
    dmean = -(dhat * variance**-0.5).sum(dim=-1, keepdim=True)
    dx = dhat * variance**-0.5 + dvariance * 2 * off / size + dmean / size
    dweight, dbias = dy * hat, dy
    while dbias.dim() > 1:
        dweight, dbias = dweight.sum(dim=0), dbias.sum(dim=0)
    return dx, dweight, dbias


# %% right: the parts along 1 and along hat are taken off
def layer_norm_backward(dy, x, weight, eps):
    size = x.shape[-1]
    off = x - x.sum(dim=-1, keepdim=True) / size
    sigma = (torch.einsum("...i,...i->...", off, off) / size + eps).sqrt()[..., None]
    hat, g = off / sigma, dy * weight
    g = g - torch.einsum("...i,...i->...", g, hat)[..., None] * hat / size
    dx = (g - g.mean(dim=-1, keepdim=True)) / sigma
    both = torch.stack([dy * hat, dy]).reshape(2, -1, size).sum(dim=1)
    return dx, both[0], both[1]


# %% right: the whole matrix of slopes of each position
def layer_norm_backward(dy, x, weight, eps):
    size = x.shape[-1]
    dx, dweight, dbias = torch.empty_like(x), torch.zeros_like(weight), torch.zeros_like(weight)
    rows = zip(x.reshape(-1, size), dy.reshape(-1, size), strict=True)
    for k, (row, given) in enumerate(rows):
        sigma = ((row - row.mean()).square().mean() + eps).sqrt()
        hat = (row - row.mean()) / sigma
        slopes = (torch.eye(size, dtype=x.dtype) - 1 / size - torch.outer(hat, hat) / size) / sigma
        dx.view(-1, size)[k] = slopes @ (given * weight)
        dweight += given * hat
        dbias += given
    return dx, dweight, dbias


# %% right: with numpy in float32
def layer_norm_backward(dy, x, weight, eps):
    dy, x, weight = (part.numpy().astype(np.float32) for part in (dy, x, weight))
    off = x - x.mean(-1, keepdims=True)
    sigma = np.sqrt((off**2).mean(-1, keepdims=True) + np.float32(eps))
    hat, g = off / sigma, dy * weight
    dx = (g - g.mean(-1, keepdims=True) - hat * (g * hat).mean(-1, keepdims=True)) / sigma
    rows = tuple(range(x.ndim - 1))
    return dx, (dy * hat).sum(rows), dy.sum(rows)


# %% wrong: mean and sigma are made of x too: their two ways are missing
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat = (x - x.mean(dim=-1, keepdim=True)) / sigma
    rows = tuple(range(x.dim() - 1))
    parts = dy * hat, dy
    if rows:
        parts = [part.sum(dim=rows) for part in parts]
    return dy * weight / sigma, *parts


# %% wrong: the way through sigma is missing
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    return (g - g.mean(dim=-1, keepdim=True)) / sigma, dweight, dbias


# %% wrong: the way through the mean is missing
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    return (g - hat * (g * hat).mean(dim=-1, keepdim=True)) / sigma, dweight, dbias


# %% wrong: it is not divided by sigma
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (g * hat).mean(dim=-1, keepdim=True)
    return g - g.mean(dim=-1, keepdim=True) - hat * along, dweight, dbias


# %% wrong: these are sums over d_model; means belong there
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (g * hat).sum(dim=-1, keepdim=True)
    return (g - g.sum(dim=-1, keepdim=True) - hat * along) / sigma, dweight, dbias


# %% wrong: the sign of the way through sigma is turned round
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (g * hat).mean(dim=-1, keepdim=True)
    return (g - g.mean(dim=-1, keepdim=True) + hat * along) / sigma, dweight, dbias


# %% wrong: the weight multiplies x with its mean taken off, divided by sigma
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * x).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (g * hat).mean(dim=-1, keepdim=True)
    return (g - g.mean(dim=-1, keepdim=True) - hat * along) / sigma, dweight, dbias


# %% wrong: autograd, but gradients are off
def layer_norm_backward(dy, x, weight, eps):
    x, weight = x.clone().requires_grad_(), weight.clone().requires_grad_()
    bias = torch.zeros_like(weight).requires_grad_()
    y = torch.nn.functional.layer_norm(x, weight.shape, weight, bias, eps)
    return torch.autograd.grad(y, [x, weight, bias], dy)


# %% wrong, subtle: the weight is missing on the way back
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat = (x - x.mean(dim=-1, keepdim=True)) / sigma
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (dy * hat).mean(dim=-1, keepdim=True)
    return (dy - dy.mean(dim=-1, keepdim=True) - hat * along) / sigma, dweight, dbias


# %% wrong, subtle: the weight multiplies at the end, not at the start
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat = (x - x.mean(dim=-1, keepdim=True)) / sigma
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (dy * hat).mean(dim=-1, keepdim=True)
    return weight * (dy - dy.mean(dim=-1, keepdim=True) - hat * along) / sigma, dweight, dbias


# %% wrong, subtle: eps is missing under the root
def layer_norm_backward(dy, x, weight, eps):
    sigma = x.std(dim=-1, keepdim=True, correction=0)
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (g * hat).mean(dim=-1, keepdim=True)
    return (g - g.mean(dim=-1, keepdim=True) - hat * along) / sigma, dweight, dbias


# %% wrong, subtle: eps is added to sigma; it is added to the variance, under the root
def layer_norm_backward(dy, x, weight, eps):
    sigma = x.std(dim=-1, keepdim=True, correction=0) + eps
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (g * hat).mean(dim=-1, keepdim=True)
    return (g - g.mean(dim=-1, keepdim=True) - hat * along) / sigma, dweight, dbias


# %% wrong, subtle: all positions share the weight: add their gradients up
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    along = (g * hat).mean(dim=-1, keepdim=True)
    return (g - g.mean(dim=-1, keepdim=True) - hat * along) / sigma, dy * hat, dy


# %% wrong, subtle: only the first dimension is added up
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    along = (g * hat).mean(dim=-1, keepdim=True)
    dx = (g - g.mean(dim=-1, keepdim=True) - hat * along) / sigma
    return dx, (dy * hat).sum(dim=0), dy.sum(dim=0)


# %% wrong, subtle: add the positions up, no mean
def layer_norm_backward(dy, x, weight, eps):
    sigma = (x.var(dim=-1, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=-1, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).mean(dim=0), dy.reshape(-1, size).mean(dim=0)
    along = (g * hat).mean(dim=-1, keepdim=True)
    return (g - g.mean(dim=-1, keepdim=True) - hat * along) / sigma, dweight, dbias


# %% wrong, subtle: mean and sigma run over the whole text
def layer_norm_backward(dy, x, weight, eps):
    dims = (-2, -1) if x.dim() > 1 else (-1,)
    sigma = (x.var(dim=dims, keepdim=True, correction=0) + eps).sqrt()
    hat, g = (x - x.mean(dim=dims, keepdim=True)) / sigma, dy * weight
    size = x.shape[-1]
    dweight, dbias = (dy * hat).reshape(-1, size).sum(dim=0), dy.reshape(-1, size).sum(dim=0)
    along = (g * hat).mean(dim=dims, keepdim=True)
    return (g - g.mean(dim=dims, keepdim=True) - hat * along) / sigma, dweight, dbias
