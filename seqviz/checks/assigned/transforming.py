"""Checks of assignment A5: the gradients of a norm, and positions that turn."""

import torch
from torch import Tensor

from seqviz.checks.cases import Case, Cases, by_part, check
from seqviz.checks.verdict import ramp


@check("right, all three gradients, 4 shapes.", gradients=False)
def layer_norm_backward() -> Cases:
    """Check `layer_norm_backward(dy, x, weight, eps) -> (dx, dweight, dbias)`, by hand.

    `dy` and `x` are (..., d_model), `weight` (d_model,). Gradients are off while the function runs.

    Source: Ba et al. (2016), equation 4.
    """
    for shape, eps in (((2, 3, 4), 1e-5), ((5, 3), 0.5), ((7,), 0.0), ((2, 1, 3, 6), 1e-2)):
        x, weight = 2 * (7 * ramp(*shape)).sin() + 1, (3 * ramp(shape[-1], low=-0.5)).cos() + 0.5
        dy = (11 * ramp(*shape, low=-0.3)).cos()
        leaves = [x.clone().requires_grad_(), weight.clone().requires_grad_()]
        bias = torch.zeros_like(weight, requires_grad=True)
        y = torch.nn.functional.layer_norm(leaves[0], weight.shape, leaves[1], bias, eps)
        right = torch.autograd.grad(y, [*leaves, bias], dy)
        right = dict(zip(("dx", "dweight", "dbias"), right, strict=True))
        given = {"dy": dy, "x": x, "weight": weight, "eps": eps}
        yield Case(
            f", x {' × '.join(map(str, shape))}, eps {eps:g},", given, right, _norm_slips(**given)
        )


def _norm_slips(dy: Tensor, x: Tensor, weight: Tensor, eps: float) -> dict:
    """What a slip makes of dx, dweight and dbias."""

    def mean(z: Tensor) -> Tensor:
        return z.mean(dim=-1, keepdim=True)

    off = x - mean(x)
    variance, rows = mean(off**2), x[..., 0].numel()
    sigma = (variance + eps).sqrt()
    hat, g = off / sigma, dy * weight
    through_sigma = hat * mean(g * hat)

    def back(sigma: Tensor = sigma, g: Tensor = g, mean=mean) -> Tensor:
        hat = off / sigma
        return (g - mean(g) - hat * mean(g * hat)) / sigma

    def over(z: Tensor) -> Tensor:
        return z.reshape(-1, z.shape[-1]).sum(dim=0)

    dx = {
        "the weight is missing on the way back": back(g=dy),
        "mean and sigma are made of x too: their two ways are missing": g / sigma,
        "the way through sigma is missing": (g - mean(g)) / sigma,
        "the way through the mean is missing": (g - through_sigma) / sigma,
        "it is not divided by sigma": back() * sigma,
        "these are sums over d_model; means belong there": (
            back(mean=lambda z: z.sum(dim=-1, keepdim=True))
        ),
        "the sign of the way through sigma is turned round": (g - mean(g) + through_sigma) / sigma,
    }
    if eps > 0 and (variance > 0).all():
        dx["eps is added to sigma; it is added to the variance, under the root"] = back(
            variance.sqrt() + eps
        )
        dx["eps is missing under the root"] = back(variance.sqrt())
    if x.shape[-1] > 1:
        dx["the variance divides by d_model, not by d_model - 1"] = back(
            (x.var(dim=-1, keepdim=True) + eps).sqrt()
        )
    dweight = {
        "this is dbias; dweight comes before it": over(dy),
        "all positions share the weight: add their gradients up": dy * hat,
        "the weight multiplies x with its mean taken off, divided by sigma": over(dy * x),
        "it is not divided by sigma": over(dy * off),
        "add the positions up, no mean": over(dy * hat) / rows,
    }
    dbias = {
        "all positions share the bias: add their gradients up": dy,
        "the bias is added after the weight: the weight has no part in it": over(g),
        "add the positions up, no mean": over(dy) / rows,
    }
    return by_part({"dx": dx, "dweight": dweight, "dbias": dbias})


def turned(x: Tensor, angle: Tensor) -> Tensor:
    """Pairs of neighbours as complex numbers, each turned by its angle."""
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)


@check("right for 4 shapes.")
def rotate() -> Cases:
    """Check `rotate(x, positions, base)`: each pair of numbers turned by its position's angle.

    `x` is (..., time, d_k), `positions` (time,) whole numbers.

    Source: Su et al. (2021), "RoFormer", equation 34.
    """
    for shape, positions, base in (
        ((2, 3, 4, 8), [0, 1, 2, 3], 10000.0),
        ((5, 2), [7, 8, 9, 10, 4000], 100.0),
        ((3, 1, 8), [400], 10000.0),
        ((1, 3, 4), [5, 0, 2], 4.0),
    ):
        x, at, size = (9 * ramp(*shape)).sin(), torch.tensor(positions), shape[-1]
        row, pair = at.double()[:, None], torch.arange(size // 2).double()
        speed = base ** (-2 * pair / size)
        angle, right = row * speed, turned(x, row * speed)
        cos, sin, one, two = angle.cos(), angle.sin(), x[..., ::2], x[..., 1::2]
        halves = torch.arange(size).view(2, -1).T.flatten()
        torn = right[..., torch.cat([torch.arange(0, size, 2), torch.arange(1, size, 2)])]

        def paired(one: Tensor, two: Tensor) -> Tensor:
            return torch.stack([one, two], dim=-1).flatten(-2)

        slips = {
            "it turns the other way round": turned(x, -angle),
            "each number is paired with the one half a row away; pair neighbours": (
                turned(x[..., halves], angle)[..., halves.argsort()]
            ),
            "positions are not used: they need not begin at 0": (
                turned(x, torch.arange(len(at))[:, None] * speed)
            ),
            "positions count from 1 here; use them as they are": turned(x, (row + 1) * speed),
            "base is 10000 here, whatever is given": turned(x, row * 10000 ** (-2 * pair / size)),
            "the angle of pair k is divided by base to the power of 2k/d_k; here it is k/d_k": (
                turned(x, row * base ** (-pair / size))
            ),
            "all pairs turn at one speed; each has its own": turned(x, row + 0 * pair),
            "the speeds are the wrong way up: the first pair turns fastest": turned(x, row / speed),
            "the sines have the same sign in both rows of the matrix": (
                paired(one * cos + two * sin, two * cos + one * sin)
            ),
            "the pairs are torn apart: their two numbers must lie side by side again": torn,
            "the angles are in radians, not in degrees": turned(x, torch.deg2rad(angle)),
            "the new first number is used to make the second; use the old one": (
                paired(one * cos - two * sin, (one * cos - two * sin) * sin + two * cos)
            ),
            "sines and cosines are added; multiply": x + paired(sin, cos),
        }
        asked = f" of x {' × '.join(map(str, shape))}, positions {positions}, base {base:g},"
        yield Case(asked, {"x": x, "positions": at, "base": base}, right, slips)
