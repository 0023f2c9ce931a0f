"""Checks of assignment A5: the gradients of a norm, and positions that turn."""

from collections.abc import Callable

import torch
from torch import Tensor

from seqviz.checks.calling import call
from seqviz.checks.comparing import compare, parts
from seqviz.checks.verdict import Verdict, check, ramp


@check
def layer_norm_backward(student: Callable) -> Verdict:
    """Check `layer_norm_backward(dy, x, weight, eps) -> (dx, dweight, dbias)`, by hand.

    `dy` and `x` are (..., d_model), `weight` (d_model,). Gradients are off while the function runs.

    Source: Ba et al. (2016), equation 4.
    """
    for shape, eps in NORMED:
        x, weight = 2 * (7 * ramp(*shape)).sin() + 1, (3 * ramp(shape[-1], low=-0.5)).cos() + 0.5
        dy = (11 * ramp(*shape, low=-0.3)).cos()
        leaves = [x.clone().requires_grad_(), weight.clone().requires_grad_()]
        bias = torch.zeros_like(weight, requires_grad=True)
        y = torch.nn.functional.layer_norm(leaves[0], weight.shape, leaves[1], bias, eps)
        expected = torch.autograd.grad(y, [*leaves, bias], dy)
        with torch.no_grad():
            answer = call(student, dy=dy, x=x, weight=weight, eps=eps)
        found = parts("layer_norm_backward", answer, "dx, dweight, dbias")
        for place, name in enumerate(("dx", "dweight", "dbias")):
            asked = f"layer_norm_backward's {name}, x {' × '.join(map(str, shape))}, eps {eps:g},"
            wrong = _norm_slips(dy, x, weight, eps)[place]
            compare(asked, found[place], expected[place].detach(), wrong)
    return Verdict(True, f"layer_norm_backward: right, all three gradients, {len(NORMED)} shapes.")


NORMED = (((2, 3, 4), 1e-5), ((5, 3), 0.5), ((7,), 0.0), ((2, 1, 3, 6), 1e-2))


def _norm_slips(dy: Tensor, x: Tensor, weight: Tensor, eps: float) -> list[dict[str, Tensor]]:
    """For dx, dweight and dbias what a slip makes of them."""

    def mean(z: Tensor) -> Tensor:
        return z.mean(dim=-1, keepdim=True)

    off = x - mean(x)
    variance = mean(off**2)
    sigma = (variance + eps).sqrt()
    hat, g = off / sigma, dy * weight
    dx = {
        "the weight is missing on the way back": (dy - mean(dy) - hat * mean(dy * hat)) / sigma,
        "mean and sigma are made of x too: their two ways are missing": g / sigma,
        "the way through sigma is missing": (g - mean(g)) / sigma,
        "the way through the mean is missing": (g - hat * mean(g * hat)) / sigma,
        "it is not divided by sigma": g - mean(g) - hat * mean(g * hat),
        "these are sums over d_model; means belong there": (
            (g - g.sum(-1, keepdim=True) - hat * (g * hat).sum(-1, keepdim=True)) / sigma
        ),
        "the sign of the way through sigma is turned round": (
            (g - mean(g) + hat * mean(g * hat)) / sigma
        ),
    }
    if eps > 0 and (variance > 0).all():
        bare = variance.sqrt()
        hat_0 = off / bare
        outside = bare + eps
        hat_2 = off / outside
        dx["eps is added to sigma; it is added to the variance, under the root"] = (
            g - mean(g) - hat_2 * mean(g * hat_2)
        ) / outside
        dx["eps is missing under the root"] = (g - mean(g) - hat_0 * mean(g * hat_0)) / bare
    if x.shape[-1] > 1:
        wide = (x.var(dim=-1, keepdim=True) + eps).sqrt()
        hat_1 = off / wide
        dx["the variance divides by d_model, not by d_model - 1"] = (
            g - mean(g) - hat_1 * mean(g * hat_1)
        ) / wide
    rows = tuple(range(x.dim() - 1))
    dweight = {
        "this is dbias; dweight comes before it": _over(rows, dy),
        "all positions share the weight: add their gradients up": dy * hat,
        "the weight multiplies x with its mean taken off, divided by sigma": _over(rows, dy * x),
        "it is not divided by sigma": _over(rows, dy * off),
        "add the positions up, no mean": _mean(rows, dy * hat),
    }
    dbias = {
        "all positions share the bias: add their gradients up": dy,
        "the bias is added after the weight: the weight has no part in it": _over(rows, g),
        "add the positions up, no mean": _mean(rows, dy),
    }
    return [dx, dweight, dbias]


def _over(rows: tuple[int, ...], z: Tensor) -> Tensor:
    return z.sum(dim=rows) if rows else z


def _mean(rows: tuple[int, ...], z: Tensor) -> Tensor:
    return z.mean(dim=rows) if rows else z


def turned(x: Tensor, positions: Tensor, base: float) -> Tensor:
    """Pairs of neighbours as complex numbers, each turned by its angle."""
    size = x.shape[-1]
    speed = base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angle = positions.double()[:, None] * speed
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], size // 2, 2))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).flatten(-2)


@check
def rotate(student: Callable) -> Verdict:
    """Check `rotate(x, positions, base)`: each pair of numbers turned by its position's angle.

    `x` is (..., time, d_k), `positions` (time,) whole numbers.

    Source: Su et al. (2021), "RoFormer", equation 34.
    """
    for shape, positions, base in TURNED:
        x, at = (9 * ramp(*shape)).sin(), torch.tensor(positions)
        size = shape[-1]
        k = torch.arange(size // 2).double()
        angle = at[:, None] * base ** (-2 * k / size)
        cos, sin = (f(angle).repeat_interleave(2, dim=1) for f in (torch.cos, torch.sin))
        halves = torch.cat([x[..., : size // 2], x[..., size // 2 :]], dim=-1)
        order = torch.arange(size).view(2, -1).T.flatten()
        swapped = torch.stack([x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
        a_cos, a_sin = angle.cos(), angle.sin()
        from_0 = torch.arange(len(at))
        speeds = (torch.arange(0, size, 2).double() / size, torch.arange(size // 2).double() / size)
        wrong = {
            "it turns the other way round": turned(x, -at, base),
            "each number is paired with the one half a row away; pair neighbours": (
                turned(halves[..., order], at, base)[..., order.argsort()]
            ),
            "positions are not used: they need not begin at 0": turned(x, from_0, base),
            "positions count from 1 here; use them as they are": turned(x, at + 1, base),
            "base is 10000 here, whatever is given": turned(x, at, 10000.0),
            "the angle of pair k is divided by base to the power of 2k/d_k; here it is k/d_k": (
                _turned_by(x, at[:, None] * base ** -speeds[1])
            ),
            "all pairs turn at one speed; each has its own": turned(x, at, 1.0),
            "the speeds are the wrong way up: the first pair turns fastest": (
                _turned_by(x, at[:, None] * base ** speeds[0])
            ),
            "the sines have the same sign in both rows of the matrix": x * cos + swapped * sin,
            "the pairs are torn apart: their two numbers must lie side by side again": (
                turned(x, at, base)[
                    ..., torch.cat([torch.arange(0, size, 2), torch.arange(1, size, 2)])
                ]
            ),
            "the angles are in radians, not in degrees": _turned_by(x, torch.deg2rad(angle)),
            "the new first number is used to make the second; use the old one": torch.stack(
                [
                    one := x[..., ::2] * a_cos - x[..., 1::2] * a_sin,
                    one * a_sin + x[..., 1::2] * a_cos,
                ],
                dim=-1,
            ).flatten(-2),
            "sines and cosines are added; multiply": x
            + torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2),
        }
        asked = f"rotate of x {' × '.join(map(str, shape))}, positions {positions}, base {base:g},"
        compare(asked, call(student, x=x, positions=at, base=base), turned(x, at, base), wrong)
    return Verdict(True, f"rotate: right for {len(TURNED)} shapes.")


def _turned_by(x: Tensor, angle: Tensor) -> Tensor:
    one, two = x[..., ::2], x[..., 1::2]
    cos, sin = angle.cos(), angle.sin()
    return torch.stack([one * cos - two * sin, one * sin + two * cos], dim=-1).flatten(-2)


TURNED = (
    ((2, 3, 4, 8), [0, 1, 2, 3], 10000.0),
    ((5, 2), [7, 8, 9, 10, 4000], 100.0),
    ((3, 1, 8), [400], 10000.0),
    ((1, 3, 4), [5, 0, 2], 4.0),
)
